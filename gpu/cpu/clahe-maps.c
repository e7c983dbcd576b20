/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CLAHE at some of the pixels, from tables that are there. */
#include "cpu.h"

#include <math.h>

typedef struct
{
  const IsoluxPixels      *in, *out;
  const IsoluxClahePlan   *plan;
  const IsoluxClaheTables *tables;
  const IsoluxBetween     *across; /* one a column */
  gint                     alpha;  /* its component, or -1 */
  gboolean                 change; /* whether any channel does */
} Work;

/* The tiles around a pixel: their first entries in channel 0, and weights. */
typedef struct
{
  gsize  table[4];
  gfloat x, y;
} Place;

static IsoluxBetween
between (gint64 at, gfloat inverse, gint tiles)
{
  const gfloat place = isolux_place (at, inverse);

  return isolux_between (place, (gint) floorf (place), tiles);
}

static Place
place_of (const Work *w, const IsoluxBetween *x, const IsoluxBetween *y)
{
  const gsize tiles = (gsize) w->plan->grid.tiles_x;
  const gsize stride = w->tables->stride;
  Place       p;

  p.table[0] = ((gsize) y->before * tiles + (gsize) x->before) * stride;
  p.table[1] = ((gsize) y->before * tiles + (gsize) x->behind) * stride;
  p.table[2] = ((gsize) y->behind * tiles + (gsize) x->before) * stride;
  p.table[3] = ((gsize) y->behind * tiles + (gsize) x->behind) * stride;
  p.x = x->weight;
  p.y = y->weight;
  return p;
}

#define DEFINE_TAKES(suffix, type, name)                                \
  static inline gboolean takes_##suffix (const Work *w, const type *in) \
  {                                                                     \
    if (w->alpha >= 0 && ! (in[w->alpha] > 0))                          \
      return FALSE;                                                     \
    return ! w->plan->padding || in[0] != w->plan->name ||              \
           (w->in->colors == 3 &&                                       \
            (in[1] != w->plan->name || in[2] != w->plan->name));        \
  }

DEFINE_TAKES (u8, guint8, padding_code)
DEFINE_TAKES (u16, guint16, padding_code)
DEFINE_TAKES (f32, gfloat, padding_value)

#define DEFINE_LOOK(suffix, type)                                            \
  static inline gfloat look_##suffix (const Work *w, const Place *p, gint c, \
                                      gint bin, gfloat share)                \
  {                                                                          \
    const type *entries = (const type *) w->tables->entries +                \
                          (gsize) c * (gsize) w->plan->grid.tiles_x *        \
                            (gsize) w->plan->grid.tiles_y *                  \
                            w->tables->stride +                              \
                          bin;                                               \
    gfloat v[4];                                                             \
                                                                             \
    for (gint i = 0; i < 4; i++)                                             \
      v[i] = isolux_share (bin ? (gfloat) entries[p->table[i] - 1] : 0.0f,   \
                           (gfloat) entries[p->table[i]], share);            \
    return isolux_blend (v[0], v[1], v[2], v[3], p->x, p->y);                \
  }

DEFINE_LOOK (u8, guint8)
DEFINE_LOOK (u16, guint16)
DEFINE_LOOK (f32, gfloat)

#define DEFINE_CHANGE(suffix, type, maximum)                                   \
  static inline guint32 new_##suffix (const Work *w, const Place *p, gint c,   \
                                      guint32 code)                            \
  {                                                                            \
    const IsoluxClaheTables *t = w->tables;                                    \
                                                                               \
    code = isolux_code_within (code, t->bits);                                 \
    return isolux_blend_code (look_##suffix (w, p, c,                          \
                                             (gint) (code >> t->shift),        \
                                             t->shares ? t->shares[code]       \
                                                       : 1.0f),                \
                              maximum);                                        \
  }                                                                            \
                                                                               \
  static void change_##suffix (const Work *w, const Place *p, const type *in,  \
                               type *out)                                      \
  {                                                                            \
    if (! takes_##suffix (w, in))                                              \
      return;                                                                  \
    if (w->plan->luma)                                                         \
      {                                                                        \
        const gint32  from[3] = { in[0], in[1], in[2] };                       \
        const guint32 code =                                                   \
          isolux_luma_code (&w->plan->weights, in[0], in[1], in[2]);           \
        gint32 to[3];                                                          \
                                                                               \
        isolux_move_luma_code (from, (gint32) code,                            \
                               (gint32) new_##suffix (w, p, 0, code), maximum, \
                               to);                                            \
        out[0] = (type) to[0];                                                 \
        out[1] = (type) to[1];                                                 \
        out[2] = (type) to[2];                                                 \
      }                                                                        \
    else                                                                       \
      for (gint c = 0; c < w->tables->channels; c++)                           \
        if (! w->tables->identity[c])                                          \
          out[c] = (type) new_##suffix (w, p, c, in[c]);                       \
  }

DEFINE_CHANGE (u8, guint8, 255)
DEFINE_CHANGE (u16, guint16, 65535)

static gfloat
new_f32 (const Work *w, const Place *p, gint c, gdouble value)
{
  gint   bin;
  gfloat share;

  isolux_value_share (value, w->tables->low[c], w->tables->scale[c],
                      w->tables->bins, &bin, &share);
  return isolux_blend_f32 (look_f32 (w, p, c, bin, share));
}

static void
change_f32 (const Work *w, const Place *p, const gfloat *in, gfloat *out)
{
  const IsoluxWeights *weights = &w->plan->weights;

  if (! takes_f32 (w, in))
    return;
  if (! w->plan->luma)
    {
      for (gint c = 0; c < w->tables->channels; c++)
        if (! w->tables->identity[c] && ! isolux_is_nan (in[c]))
          out[c] = new_f32 (w, p, c, in[c]);
    }
  else if (! isolux_is_nan (in[0]) && ! isolux_is_nan (in[1]) &&
           ! isolux_is_nan (in[2]))
    {
      gfloat to[3];

      isolux_move_luma_f32 (in,
                            isolux_luma_finite (weights, in[0], in[1], in[2]),
                            new_f32 (w, p, 0,
                                     isolux_luma_f32 (weights, in[0], in[1],
                                                      in[2])),
                            to);
      out[0] = to[0];
      out[1] = to[1];
      out[2] = to[2];
    }
}

/* A row of the result, which is row y of the source at some columns. */
static void
sample_row (const Work   *w,
            const gint64 *columns,
            gint64        y,
            const guint8 *from,
            guint8       *to)
{
  const IsoluxPixels *p = w->in;
  const gsize size = (gsize) p->components * (p->type == ISOLUX_PLAN_U8    ? 1
                                              : p->type == ISOLUX_PLAN_U16 ? 2
                                                                           : 4);
  const IsoluxGrid   *grid = &w->plan->grid;
  const IsoluxBetween down = between (y, grid->inverse_y, grid->tiles_y);
  const gboolean      inside = w->change && y >= p->region_y &&
                          y < p->region_y + p->region_height;
  const guint8 *mask = inside ? isolux_cpu_mask_row (p, y) : NULL;

  for (gint64 i = 0; i < w->out->width; i++, to += size)
    {
      const gint64  x = columns[i], left = x - p->region_x;
      const guint8 *in = from + (gsize) x * size;
      Place         place;

      memcpy (to, in, size);
      if (! inside || left < 0 || left >= p->region_width ||
          (mask && ! mask[left]))
        continue;
      place = place_of (w, &w->across[i], &down);
      switch (p->type)
        {
          case ISOLUX_PLAN_U8:
            change_u8 (w, &place, in, to);
            break;
          case ISOLUX_PLAN_U16:
            change_u16 (w, &place, (const guint16 *) in, (guint16 *) to);
            break;
          default:
            change_f32 (w, &place, (const gfloat *) in, (gfloat *) to);
            break;
        }
    }
}

gboolean
isolux_cpu_clahe_sample (IsoluxSurface           *source,
                         IsoluxSurface           *destination,
                         const IsoluxClaheSample *sample,
                         GError                 **error)
{
  const IsoluxGrid *grid = &sample->plan->grid;
  const gint64      width = destination->pixels.width;
  const gint64      height = destination->pixels.height;
  const gint     threads = isolux_cpu_threads (source->device, width, height);
  IsoluxBetween *across;
  Work           w = { 0 };

  across = isolux_try_new (IsoluxBetween, (gsize) width, error);
  if (! across)
    return FALSE;
  for (gint64 i = 0; i < width; i++)
    across[i] = between (sample->columns[i], grid->inverse_x, grid->tiles_x);
  w.in = &source->pixels;
  w.out = &destination->pixels;
  w.plan = sample->plan;
  w.tables = sample->tables;
  w.across = across;
  w.alpha = w.in->has_alpha ? w.in->components - 1 : -1;
  for (gint c = 0; c < w.tables->channels; c++)
    w.change = w.change || ! w.tables->identity[c];
#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 j = 0; j < height; j++)
    sample_row (&w, sample->columns, sample->rows[j],
                isolux_cpu_row (w.in, sample->rows[j]),
                isolux_cpu_row (w.out, j));
  g_free (across);
  return TRUE;
}
