/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the operations that draw a picture of their own have in common: the
 * values that they see, and the pixels that they write. */
#include "cpu.h"

#define DEFINE_VALUES(suffix, type)                                          \
  static void values_##suffix (const IsoluxWeights *weights, const type *in, \
                               gint components, gint colors, gint64 n,       \
                               gdouble *restrict values)                     \
  {                                                                          \
    if (components == 1)                                                     \
      for (gint64 i = 0; i < n; i++)                                         \
        values[i] = (gdouble) in[i];                                         \
    else                                                                     \
      for (gint64 i = 0; i < n; i++)                                         \
        values[i] =                                                          \
          isolux_value_##suffix (weights, in + i * components, colors);      \
  }

DEFINE_VALUES (u8, guint8)
DEFINE_VALUES (u16, guint16)
DEFINE_VALUES (f32, gfloat)

void
isolux_cpu_values (const IsoluxPixels  *pixels,
                   const IsoluxWeights *weights,
                   gint64               x,
                   gint64               y,
                   gint64               n,
                   gdouble             *values)
{
  const gint    components = pixels->components, colors = pixels->colors;
  const gint64  start = x * components;
  gconstpointer row = isolux_cpu_row (pixels, y);

  switch (pixels->type)
    {
      case ISOLUX_PLAN_U8:
        values_u8 (weights, (const guint8 *) row + start, components, colors, n,
                   values);
        break;
      case ISOLUX_PLAN_U16:
        values_u16 (weights, (const guint16 *) row + start, components, colors,
                    n, values);
        break;
      default:
        values_f32 (weights, (const gfloat *) row + start, components, colors,
                    n, values);
        break;
    }
}

/* ---- What counts -------------------------------------------------------- */

#define DEFINE_CLEAR(suffix, type, see_through)                             \
  static void clear_##suffix (const type *in, gint components, gint colors, \
                              gint alpha, gint64 n, guint8 *counts)         \
  {                                                                         \
    for (gint64 i = 0; i < n; i++, in += components)                        \
      if (see_through)                                                      \
        counts[i] = 0;                                                      \
  }

DEFINE_CLEAR (u8, guint8, alpha && ! in[components - 1])
DEFINE_CLEAR (u16, guint16, alpha && ! in[components - 1])
DEFINE_CLEAR (f32,
              gfloat,
              (alpha && ! (in[components - 1] > 0.0f)) ||
                isolux_is_nan (in[0]) ||
                (colors == 3 &&
                 (isolux_is_nan (in[1]) || isolux_is_nan (in[2]))))

gboolean
isolux_cpu_counts (const IsoluxPixels *pixels,
                   gint64              x,
                   gint64              y,
                   gint64              n,
                   guint8             *counts)
{
  const gint    components = pixels->components, colors = pixels->colors;
  const gint64  start = x * components;
  gconstpointer row = isolux_cpu_row (pixels, y);
  const gint64  from = CLAMP (pixels->region_x - x, 0, n);
  const gint64  to =
    CLAMP (pixels->region_x + pixels->region_width - x, from, n);
  const guint8 *mask;

  memset (counts, 0, (gsize) n);
  if (y < pixels->region_y || y >= pixels->region_y + pixels->region_height ||
      from == to)
    return FALSE;
  mask = isolux_cpu_mask_row (pixels, y);
  if (mask)
    memcpy (counts + from, mask + (x + from - pixels->region_x),
            (gsize) (to - from));
  else
    memset (counts + from, 1, (gsize) (to - from));
  switch (pixels->type)
    {
      case ISOLUX_PLAN_U8:
        if (pixels->has_alpha)
          clear_u8 ((const guint8 *) row + start, components, colors, TRUE, n,
                    counts);
        break;
      case ISOLUX_PLAN_U16:
        if (pixels->has_alpha)
          clear_u16 ((const guint16 *) row + start, components, colors, TRUE, n,
                     counts);
        break;
      default:
        clear_f32 ((const gfloat *) row + start, components, colors,
                   pixels->has_alpha, n, counts);
        break;
    }
  return TRUE;
}

/* ---- Drawing ------------------------------------------------------------ */

static gfloat
draw_f32 (gdouble v, gdouble most, gdouble maximum)
{
  return (gfloat) isolux_picture_value (v, most, maximum);
}

static guint8
gray_u8 (const IsoluxWeights *weights, const guint8 *in, gint colors)
{
  return (guint8) isolux_value_u8 (weights, in, colors);
}

static guint16
gray_u16 (const IsoluxWeights *weights, const guint16 *in, gint colors)
{
  return (guint16) isolux_value_u16 (weights, in, colors);
}

static gfloat
gray_f32 (const IsoluxWeights *weights, const gfloat *in, gint colors)
{
  return isolux_canonical ((gfloat) isolux_value_f32 (weights, in, colors));
}

/* A pixel that does not count stays; where the numbers of colors differ its
 * gray does. */
#define DEFINE_DRAW(suffix, type, draw, full)                             \
  static void row_##suffix (const IsoluxPicture *picture, const type *in, \
                            type *out, gint64 n, const guint8 *counts,    \
                            const gdouble *shown)                         \
  {                                                                       \
    const IsoluxPixels *from = picture->source;                           \
    const IsoluxPixels *to = picture->destination;                        \
    const gint          colors = to->colors;                              \
                                                                          \
    if (from->components == 1 && to->components == 1)                     \
      {                                                                   \
        for (gint64 i = 0; i < n; i++)                                    \
          {                                                               \
            const type v =                                                \
              (type) draw (shown[i], picture->most, picture->maximum);    \
                                                                          \
            out[i] = counts[i] ? v : in[i];                               \
          }                                                               \
        return;                                                           \
      }                                                                   \
    for (gint64 i = 0; i < n; i++)                                        \
      {                                                                   \
        if (! counts[i] && from->colors == colors)                        \
          for (gint c = 0; c < colors; c++)                               \
            out[c] = in[c];                                               \
        else                                                              \
          {                                                               \
            const type v =                                                \
              counts[i]                                                   \
                ? (type) draw (shown[i], picture->most, picture->maximum) \
              : from->colors == 1                                         \
                ? in[0]                                                   \
                : gray_##suffix (picture->weights, in, from->colors);     \
                                                                          \
            for (gint c = 0; c < colors; c++)                             \
              out[c] = v;                                                 \
          }                                                               \
        if (to->has_alpha)                                                \
          out[colors] = from->has_alpha ? in[from->components - 1]        \
                                        : (type) (full);                  \
        in += from->components;                                           \
        out += to->components;                                            \
      }                                                                   \
  }

DEFINE_DRAW (u8, guint8, isolux_picture_code, 255)
DEFINE_DRAW (u16, guint16, isolux_picture_code, 65535)
DEFINE_DRAW (f32, gfloat, draw_f32, 1.0f)

void
isolux_cpu_draw (const IsoluxPicture *picture,
                 gint64               x,
                 gint64               y,
                 gint64               n,
                 const guint8        *counts,
                 const gdouble       *shown)
{
  gconstpointer from = isolux_cpu_row (picture->source, y);
  gpointer      to = isolux_cpu_row (picture->destination, y);
  const gint64  in = x * picture->source->components;
  const gint64  out = x * picture->destination->components;

  if (picture->raw)
    for (gint64 i = 0; i < n; i++)
      ((gfloat *) to)[x + i] = counts[i] ? isolux_canonical ((gfloat) shown[i])
                                         : 0.0f;
  else if (picture->source->type == ISOLUX_PLAN_U8)
    row_u8 (picture, (const guint8 *) from + in, (guint8 *) to + out, n, counts,
            shown);
  else if (picture->source->type == ISOLUX_PLAN_U16)
    row_u16 (picture, (const guint16 *) from + in, (guint16 *) to + out, n,
             counts, shown);
  else
    row_f32 (picture, (const gfloat *) from + in, (gfloat *) to + out, n,
             counts, shown);
}
