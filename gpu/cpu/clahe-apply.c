/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CLAHE: each pixel from the tables of the four tiles around it.  Gray codes
 * and lumas read the four at once, from a table that is packed for all pixels
 * between the same four middles.
 */
#include "clahe.h"

#include <omp.h>

/* Parts a thread gets, so that all end at about the same time. */
#define PARTS_PER_THREAD 4

/* No part has fewer pixels, when there is more than one. */
#define LEAST_PART 16384

/* Pixels of a row that are worked on at a time. */
#define STRIP 1024

/* Rows that are asked for ahead. */
#define AHEAD 2

typedef IsoluxClaheWork Work;

/*
 * The pixels x0 .. x1 - 1 of rows y0 .. y1 - 1, which have the same four
 * tiles.  table: the first entries of the tile of each channel.  packed:
 * nullable; what pack() makes.
 */
typedef struct
{
  gint64        x0, x1, y0, y1;
  gint          whole_x, whole_y; /* parts of the places */
  gconstpointer table[3][4];
  gconstpointer packed;
} Cell;

/* What the weights of a row's pixels come from. */
typedef struct
{
  gfloat inverse_x, whole_x;
  gfloat y; /* the weight of the row */
} Row;

/* What a thread works with, besides its packed table: codes of u16, or of u8
 * in half of the memory. */
typedef struct
{
  gfloat  weights[STRIP];
  guint16 codes[STRIP], within[STRIP], made[STRIP];
} Room;

static inline gfloat
weight_at (const Row *row, gint64 x)
{
  return ((gfloat) (gint32) x * row->inverse_x - 0.5f) - row->whole_x;
}

static Row
row_at (const Work *w, const Cell *cell, gint64 y)
{
  Row row;

  row.inverse_x = w->grid->inverse_x;
  row.whole_x = (gfloat) cell->whole_x;
  row.y = isolux_place (y, w->grid->inverse_y) - (gfloat) cell->whole_y;
  return row;
}

/* ---- Any pixels --------------------------------------------------------- */

#define DEFINE_LOOK(suffix, type)                                              \
  static inline gfloat look_##suffix (const Work *w, const Cell *cell, gint c, \
                                      gint bin, gfloat share, gfloat x,        \
                                      gfloat y)                                \
  {                                                                            \
    gfloat v[4];                                                               \
                                                                               \
    for (gint i = 0; i < 4; i++)                                               \
      {                                                                        \
        const type  *table = cell->table[c][i];                                \
        const gfloat before = bin ? table[bin - 1] : 0;                        \
                                                                               \
        v[i] = isolux_share (before, table[bin], share);                       \
      }                                                                        \
    return isolux_blend (v[0], v[1], v[2], v[3], x, y);                        \
  }

DEFINE_LOOK (u8, guint8)
DEFINE_LOOK (u16, guint16)
DEFINE_LOOK (f32, gfloat)

/* in, out, mask: of pixel x0 */
#define DEFINE_CODES(suffix, type, maximum)                                    \
  static inline guint32 new_##suffix (const Work *w, const Cell *cell, gint c, \
                                      guint32 code, gfloat x, gfloat y)        \
  {                                                                            \
    gfloat share;                                                              \
                                                                               \
    code = isolux_code_within (code, w->bits);                                 \
    share = w->shares ? w->shares[code] : 1.0f;                                \
    return isolux_blend_code (look_##suffix (w, cell, c,                       \
                                             (gint) (code >> w->shift), share, \
                                             x, y),                            \
                              maximum);                                        \
  }                                                                            \
                                                                               \
  static void any_##suffix (const Work *w, const Cell *cell, const Row *row,   \
                            const type *in, type *out, const guint8 *mask,     \
                            gint64 x0, gint64 x1)                              \
  {                                                                            \
    const gint n = w->in->components;                                          \
                                                                               \
    for (gint64 i = 0; i < x1 - x0; i++, in += n, out += n)                    \
      {                                                                        \
        const gfloat x = weight_at (row, x0 + i);                              \
                                                                               \
        if (! takes_##suffix (w, in, mask, i))                                 \
          continue;                                                            \
        if (w->plan->luma)                                                     \
          {                                                                    \
            const gint32  from[3] = { in[0], in[1], in[2] };                   \
            const guint32 code = code_##suffix (w, in, 0);                     \
            gint32        to[3];                                               \
                                                                               \
            isolux_move_luma_code (from, (gint32) code,                        \
                                   (gint32) new_##suffix (w, cell, 0, code, x, \
                                                          row->y),             \
                                   maximum, to);                               \
            out[0] = (type) to[0];                                             \
            out[1] = (type) to[1];                                             \
            out[2] = (type) to[2];                                             \
          }                                                                    \
        else                                                                   \
          for (gint c = 0; c < w->channels; c++)                               \
            if (! w->identity[c])                                              \
              out[c] = (type) new_##suffix (w, cell, c, in[c], x, row->y);     \
      }                                                                        \
  }

DEFINE_CODES (u8, guint8, 255)
DEFINE_CODES (u16, guint16, 65535)

static inline gfloat
new_f32 (const Work *w,
         const Cell *cell,
         gint        c,
         gdouble     value,
         gfloat      x,
         gfloat      y)
{
  gint   bin;
  gfloat share;

  isolux_value_share (value, w->low[c], w->scale[c], w->bins, &bin, &share);
  return isolux_blend_f32 (look_f32 (w, cell, c, bin, share, x, y));
}

static void
any_f32 (const Work   *w,
         const Cell   *cell,
         const Row    *row,
         const gfloat *in,
         gfloat       *out,
         const guint8 *mask,
         gint64        x0,
         gint64        x1)
{
  const gint n = w->in->components;

  for (gint64 i = 0; i < x1 - x0; i++, in += n, out += n)
    {
      const gfloat x = weight_at (row, x0 + i);
      gdouble      v;

      if (! takes_f32 (w, in, mask, i))
        continue;
      if (w->plan->luma)
        {
          gfloat to[3];

          if (! value_f32 (w, in, 0, &v))
            continue;
          isolux_move_luma_f32 (in,
                                isolux_luma_finite (&w->plan->weights, in[0],
                                                    in[1], in[2]),
                                new_f32 (w, cell, 0, v, x, row->y), to);
          out[0] = to[0];
          out[1] = to[1];
          out[2] = to[2];
        }
      else
        for (gint c = 0; c < w->channels; c++)
          if (! w->identity[c] && value_f32 (w, in, c, &v))
            out[c] = new_f32 (w, cell, c, v, x, row->y);
    }
}

static void
any_cell (const Work *w, const Cell *cell)
{
  const IsoluxPixels *p = w->in;
  const gsize         at = (gsize) (cell->x0 * p->components);

  for (gint64 y = cell->y0; y < cell->y1; y++)
    {
      const Row     row = row_at (w, cell, y);
      const guint8 *mask = isolux_cpu_mask_row (p, y);
      guint8       *in = isolux_cpu_row (p, y);
      guint8       *out = isolux_cpu_row (w->out, y);

      if (mask)
        mask += cell->x0 - p->region_x;
      if (p->type == ISOLUX_PLAN_U8)
        any_u8 (w, cell, &row, in + at, out + at, mask, cell->x0, cell->x1);
      else if (p->type == ISOLUX_PLAN_U16)
        any_u16 (w, cell, &row, (const guint16 *) in + at, (guint16 *) out + at,
                 mask, cell->x0, cell->x1);
      else
        any_f32 (w, cell, &row, (const gfloat *) in + at, (gfloat *) out + at,
                 mask, cell->x0, cell->x1);
    }
}

/* ---- Gray codes and lumas ------------------------------------------------ */

/* Whether codes may be beyond the significant bits: those that were given, or
 * those of what counts, where some pixels do not. */
static gboolean
has_beyond (const Work *w)
{
  return w->in->type == ISOLUX_PLAN_U16 && w->bits < 16 &&
         (w->in->bits != 0 || w->in->mask || w->in->components != 1);
}

/* The bins that the pixels of a cell have: a pixel is in one of its tiles. */
static IsoluxClaheRange
range_of (const Work *w, const Cell *cell)
{
  const gsize      size = (gsize) w->bins * w->size;
  IsoluxClaheRange range = { (guint32) w->bins, 0 };

  for (gint i = 0; i < 4; i++)
    {
      const gsize tile =
        (gsize) ((const guint8 *) cell->table[0][i] - w->entries) / size;
      const IsoluxClaheRange *r = &w->ranges[tile];

      if (r->least <= r->most)
        {
          range.least = MIN (range.least, r->least);
          range.most = MAX (range.most, r->most);
        }
    }
  return range;
}

/* Packs those of the entries that the cell's pixels need; words: one more
 * than there are bins.  Returns NULL when that is not worth it. */
static gconstpointer
pack (const Work *w, const Cell *cell, guint64 *words)
{
  const IsoluxClaheRange range = range_of (w, cell);
  const gint64           pixels = (cell->x1 - cell->x0) * (cell->y1 - cell->y0);
  guint32                first = range.least;
  gint                   n;

  if (range.least > range.most)
    return NULL;
  n = (gint) (range.most - range.least + 1);
  if (n / 4 > pixels)
    return NULL;
  if (w->in->type == ISOLUX_PLAN_U8)
    {
      const guint8 *const *t = (const guint8 *const *) cell->table[0];
      guint32             *packed = (guint32 *) words;

      w->kernels->pack_u8 (t[0] + first, t[1] + first, t[2] + first,
                           t[3] + first, n, packed + first);
      return packed;
    }
  else
    {
      const guint16 *const *t = (const guint16 *const *) cell->table[0];

      /* where codes share bins, the one before, too */
      if (w->shift && first > 0)
        {
          first--;
          n++;
        }
      words[0] = 0;
      w->kernels->pack_u16 (t[0] + first, t[1] + first, t[2] + first,
                            t[3] + first, n, words + 1 + first);
      return words + 1;
    }
}

/* n pixels of a row from codes to codes. */
static void
packed_run (const Work   *w,
            const Cell   *cell,
            const Room   *room,
            gfloat        y,
            gconstpointer in,
            gpointer      out,
            gint          n)
{
  if (w->in->type == ISOLUX_PLAN_U8)
    w->kernels->clahe_u8 (in, out, n, room->weights, y, cell->packed);
  else if (w->shift)
    w->kernels->clahe_shared (in, out, n, room->weights, y, cell->packed,
                              w->shares, w->shift);
  else
    w->kernels->clahe_u16 (in, out, n, room->weights, y, cell->packed);
}

/* Where a pixel does not count, what is made of its code is the code. */
#define DEFINE_KEEP(suffix, type)                                           \
  static void keep_##suffix (const Work *w, const guint8 *mask,             \
                             const type *in, const type *codes, type *made, \
                             gint n)                                        \
  {                                                                         \
    const gint components = w->in->components;                              \
                                                                            \
    if (mask)                                                               \
      w->kernels->keep_##suffix (mask, codes, n, made);                     \
    if (w->in->has_alpha)                                                   \
      for (gint i = 0; i < n; i++)                                          \
        made[i] = in[i * components + components - 1] ? made[i] : codes[i]; \
  }

DEFINE_KEEP (u8, guint8)
DEFINE_KEEP (u16, guint16)

/* The codes themselves, or no larger than the bits allow. */
static gconstpointer
codes_within (const Work *w, Room *room, gconstpointer codes, gint n)
{
  const guint32 last = (1u << w->bits) - 1u;

  if (! has_beyond (w))
    return codes;
  for (gint i = 0; i < n; i++)
    room->within[i] = (guint16) MIN (((const guint16 *) codes)[i], last);
  return room->within;
}

/* n pixels of gray; mask: of the first, nullable. */
static void
gray_run (const Work   *w,
          const Cell   *cell,
          Room         *room,
          gfloat        y,
          const guint8 *mask,
          gconstpointer in,
          gpointer      out,
          gint          n)
{
  gconstpointer codes = codes_within (w, room, in, n);

  if (! mask)
    {
      packed_run (w, cell, room, y, codes, out, n);
      return;
    }
  packed_run (w, cell, room, y, codes, room->made, n);
  if (w->in->type == ISOLUX_PLAN_U8)
    keep_u8 (w, mask, in, in, (guint8 *) room->made, n);
  else
    keep_u16 (w, mask, in, in, room->made, n);
  memcpy (out, room->made, (gsize) n * w->size);
}

/* The same of colors with one table. */
static void
luma_run (const Work   *w,
          const Cell   *cell,
          Room         *room,
          gfloat        y,
          const guint8 *mask,
          gconstpointer in,
          gpointer      out,
          gint          n)
{
  const IsoluxKernels *kernels = w->kernels;
  const IsoluxWeights *weights = &w->plan->weights;
  const gint           components = w->in->components;

  if (w->in->type == ISOLUX_PLAN_U8)
    {
      guint8 *codes = (guint8 *) room->codes, *made = (guint8 *) room->made;

      kernels->luma_u8 (weights, in, components, n, codes);
      packed_run (w, cell, room, y, codes, made, n);
      keep_u8 (w, mask, in, codes, made, n);
      kernels->recolor_u8 (in, out, components, n, codes, made);
    }
  else
    {
      kernels->luma_u16 (weights, in, components, n, room->codes);
      packed_run (w, cell, room, y, codes_within (w, room, room->codes, n),
                  room->made, n);
      keep_u16 (w, mask, in, room->codes, room->made, n);
      kernels->recolor_u16 (in, out, components, n, room->codes, room->made);
    }
}

/* Columns x .. x + n - 1 of a cell. */
static void
packed_strip (const Work *w, const Cell *cell, Room *room, gint64 x, gint n)
{
  const IsoluxPixels *p = w->in;
  const gsize         pixel = (gsize) p->components * w->size;
  const Row           first = row_at (w, cell, cell->y0);

  for (gint i = 0; i < n; i++)
    room->weights[i] = weight_at (&first, x + i);
  for (gint64 y = cell->y0; y < cell->y1; y++)
    {
      const gfloat  weight = row_at (w, cell, y).y;
      const guint8 *mask = isolux_cpu_mask_row (p, y);
      const guint8 *in = (const guint8 *) isolux_cpu_row (p, y) +
                         (gsize) x * pixel;
      guint8 *out = (guint8 *) isolux_cpu_row (w->out, y) + (gsize) x * pixel;

      if (y + AHEAD < cell->y1)
        {
          isolux_cpu_prefetch (in + AHEAD * p->stride, (gsize) n * pixel);
          isolux_cpu_prefetch (out + AHEAD * w->out->stride, (gsize) n * pixel);
        }
      if (mask)
        mask += x - p->region_x;
      if (w->plan->luma)
        luma_run (w, cell, room, weight, mask, in, out, n);
      else
        gray_run (w, cell, room, weight, mask, in, out, n);
    }
}

/* ---- Whole images ------------------------------------------------------- */

static void
set_tables (const Work *w, Cell *cell, gint cell_x, gint cell_y)
{
  const IsoluxGrid   *g = w->grid;
  const IsoluxBetween x = isolux_between (0.0f, cell_x - 1, g->tiles_x);
  const IsoluxBetween y = isolux_between (0.0f, cell_y - 1, g->tiles_y);
  const gsize         size = (gsize) w->bins * w->size;

  cell->whole_x = cell_x - 1;
  cell->whole_y = cell_y - 1;
  for (gint c = 0; c < w->channels; c++)
    for (gint i = 0; i < 4; i++)
      cell->table[c][i] =
        w->entries +
        (gsize) isolux_cpu_clahe_tile (w, c, i & 1 ? x.behind : x.before,
                                       i & 2 ? y.behind : y.before) *
          size;
}

static void
copy (const Work *w, const Cell *cell)
{
  const gsize pixel = (gsize) w->in->components * w->size;
  const gsize at = (gsize) cell->x0 * pixel;

  for (gint64 y = cell->y0; y < cell->y1; y++)
    memcpy ((guint8 *) isolux_cpu_row (w->out, y) + at,
            (const guint8 *) isolux_cpu_row (w->in, y) + at,
            (gsize) (cell->x1 - cell->x0) * pixel);
}

/* What is between four middles: copied where it is not written whole, and
 * changed where it counts. */
static void
work_cell (const Work *w, Cell *cell, Room *room, guint64 *words)
{
  const IsoluxPixels *p = w->in;
  const gboolean      codes = (p->components == 1 || w->plan->luma) &&
                         p->type != ISOLUX_PLAN_F32 && ! w->plan->padding;
  const Cell whole = *cell;
  gboolean   same = TRUE;

  for (gint c = 0; c < w->channels; c++)
    same = same && w->identity[c];
  cell->x0 = MAX (cell->x0, p->region_x);
  cell->x1 = MIN (cell->x1, p->region_x + p->region_width);
  cell->y0 = MAX (cell->y0, p->region_y);
  cell->y1 = MIN (cell->y1, p->region_y + p->region_height);
  same = same || cell->x0 >= cell->x1 || cell->y0 >= cell->y1;
  cell->packed = codes && ! same ? pack (w, cell, words) : NULL;
  /* what is packed is written whole, but for gray that a mask leaves out */
  if (p->data != w->out->data &&
      (! cell->packed || (p->mask && ! w->plan->luma) || cell->x0 != whole.x0 ||
       cell->x1 != whole.x1 || cell->y0 != whole.y0 || cell->y1 != whole.y1))
    copy (w, &whole);
  if (same)
    return;
  if (! cell->packed)
    any_cell (w, cell);
  else
    for (gint64 x = cell->x0; x < cell->x1; x += STRIP)
      packed_strip (w, cell, room, x, (gint) MIN (STRIP, cell->x1 - x));
}

/* Into how many parts the rows of a cell are cut. */
static gint64
parts_of (const Work *w)
{
  const IsoluxGrid *g = w->grid;
  const gint64      cells = (gint64) (g->tiles_x + 1) * (g->tiles_y + 1);
  const gint64      least = MAX (LEAST_PART, 4 * (gint64) w->bins);
  const gint64      most = g->tile_width * g->tile_height / least;

  if (w->threads == 1)
    return 1;
  return CLAMP (PARTS_PER_THREAD * (gint64) w->threads / cells, 1,
                MAX (1, most));
}

gboolean
isolux_cpu_clahe_apply (const IsoluxClaheWork *w, GError **error)
{
  const IsoluxGrid *g = w->grid;
  const gint64      parts = parts_of (w);
  const gint64      across = g->tiles_x + 1;
  const gint64      jobs = across * (g->tiles_y + 1) * parts;
  const gsize       n_words = (gsize) w->bins + 1;
  guint64          *words;
  Room             *rooms;

  rooms = isolux_try_new (Room, (gsize) w->threads, error);
  words = rooms ? isolux_try_new (guint64, (gsize) w->threads * n_words, error)
                : NULL;
  if (words)
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
    for (gint64 i = 0; i < jobs; i++)
      {
        const gsize  thread = (gsize) omp_get_thread_num ();
        const gint   x = (gint) (i / parts % across);
        const gint   y = (gint) (i / parts / across);
        const gint64 part = i % parts;
        Cell         cell = { 0 };
        gint64       end, each;

        cell.x0 = isolux_cell_begin (x, g->tiles_x, g->inverse_x, g->tile_width,
                                     w->in->width);
        cell.x1 = isolux_cell_begin (x + 1, g->tiles_x, g->inverse_x,
                                     g->tile_width, w->in->width);
        cell.y0 = isolux_cell_begin (y, g->tiles_y, g->inverse_y,
                                     g->tile_height, w->in->height);
        end = isolux_cell_begin (y + 1, g->tiles_y, g->inverse_y,
                                 g->tile_height, w->in->height);
        each = (end - cell.y0 + parts - 1) / parts;
        cell.y0 = MIN (cell.y0 + part * each, end);
        cell.y1 = MIN (cell.y0 + each, end);
        if (cell.x0 >= cell.x1 || cell.y0 >= cell.y1)
          continue;
        set_tables (w, &cell, x, y);
        work_cell (w, &cell, &rooms[thread], words + thread * n_words);
      }
  g_free (words);
  g_free (rooms);
  return words != NULL;
}
