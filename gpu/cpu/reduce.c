/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Means of rectangles: the rows of the source are added one after the other
 * to the sums of a row of the result.
 */
#include "cpu.h"

#include <omp.h>

/* ---- Sums --------------------------------------------------------------- */

/* columns: where each pixel of the result begins, from the part's edge; in:
 * the part's first pixel of a row; first: whether it is the first row */
#define DEFINE_ADD(suffix, type, sum_type)                                    \
  static inline void add_any_##suffix (const type *in, const gint64 *columns, \
                                       gint64 width, gint components,         \
                                       gboolean first, sum_type *sums)        \
  {                                                                           \
    for (gint64 i = 0; i < width; i++, sums += components)                    \
      {                                                                       \
        sum_type own[4] = { 0, 0, 0, 0 };                                     \
        gint64   n = columns[i + 1] - columns[i];                             \
                                                                              \
        for (gint c = 0; c < components; c++)                                 \
          own[c] = in[c];                                                     \
        for (in += components; n > 1; n--, in += components)                  \
          for (gint c = 0; c < components; c++)                               \
            own[c] += in[c];                                                  \
        for (gint c = 0; c < components; c++)                                 \
          sums[c] = first ? own[c] : sums[c] + own[c];                        \
      }                                                                       \
  }                                                                           \
                                                                              \
  static void add_##suffix (const type *in, const gint64 *columns,            \
                            gint64 width, gint components, gboolean first,    \
                            sum_type *sums)                                   \
  {                                                                           \
    switch (components)                                                       \
      {                                                                       \
        case 1:                                                               \
          add_any_##suffix (in, columns, width, 1, first, sums);              \
          break;                                                              \
        case 2:                                                               \
          add_any_##suffix (in, columns, width, 2, first, sums);              \
          break;                                                              \
        case 3:                                                               \
          add_any_##suffix (in, columns, width, 3, first, sums);              \
          break;                                                              \
        default:                                                              \
          add_any_##suffix (in, columns, width, 4, first, sums);              \
          break;                                                              \
      }                                                                       \
  }

DEFINE_ADD (u8, guint8, guint64)
DEFINE_ADD (u16, guint16, guint64)
DEFINE_ADD (f32, gfloat, gdouble)

#define DEFINE_WRITE(suffix, type, sum_type, mean)                         \
  static void write_##suffix (const sum_type *sums, const gint64 *columns, \
                              guint64 rows, gint64 width, gint components, \
                              type *out)                                   \
  {                                                                        \
    for (gint64 i = 0; i < width; i++)                                     \
      {                                                                    \
        const guint64 n = (guint64) (columns[i + 1] - columns[i]) * rows;  \
                                                                           \
        for (gint c = 0; c < components; c++)                              \
          *out++ = (type) mean (*sums++, n);                               \
      }                                                                    \
  }

DEFINE_WRITE (u8, guint8, guint64, isolux_reduce_code)
DEFINE_WRITE (u16, guint16, guint64, isolux_reduce_code)
DEFINE_WRITE (f32, gfloat, gdouble, isolux_reduce_f32)

/* ---- Whole images ------------------------------------------------------- */

/* Row y of the result; sums: room for its components. */
static void
reduce_row (const IsoluxPixels     *in,
            const IsoluxPixels     *out,
            const IsoluxReducePlan *plan,
            const gint64           *columns,
            gpointer                sums,
            gint64                  y)
{
  const gint    n = out->components;
  const gint64  start = plan->x * n, width = out->width;
  const gint64  begin = isolux_reduce_begin (y, out->height, plan->height);
  const gint64  end = isolux_reduce_begin (y + 1, out->height, plan->height);
  const guint64 rows = (guint64) (end - begin);
  gpointer      to = isolux_cpu_row (out, y);

  for (gint64 row = begin; row < end; row++)
    {
      gconstpointer from = isolux_cpu_row (in, plan->y + row);

      switch (in->type)
        {
          case ISOLUX_PLAN_U8:
            add_u8 ((const guint8 *) from + start, columns, width, n,
                    row == begin, sums);
            break;
          case ISOLUX_PLAN_U16:
            add_u16 ((const guint16 *) from + start, columns, width, n,
                     row == begin, sums);
            break;
          default:
            add_f32 ((const gfloat *) from + start, columns, width, n,
                     row == begin, sums);
            break;
        }
    }
  switch (in->type)
    {
      case ISOLUX_PLAN_U8:
        write_u8 (sums, columns, rows, width, n, to);
        break;
      case ISOLUX_PLAN_U16:
        write_u16 (sums, columns, rows, width, n, to);
        break;
      default:
        write_f32 (sums, columns, rows, width, n, to);
        break;
    }
}

gboolean
isolux_cpu_reduce (IsoluxSurface          *source,
                   IsoluxSurface          *destination,
                   const IsoluxReducePlan *plan,
                   GError                **error)
{
  const IsoluxPixels *in = &source->pixels, *out = &destination->pixels;
  const gsize         sums = (gsize) out->width * (gsize) out->components;
  const gint          threads =
    (gint) MIN ((gint64) isolux_cpu_threads (source->device, plan->width,
                                             plan->height),
                out->height);
  gint64  *columns;
  guint64 *rooms;

  G_STATIC_ASSERT (sizeof (guint64) == sizeof (gdouble));
  columns = isolux_try_new (gint64, (gsize) out->width + 1, error);
  if (! columns)
    return FALSE;
  rooms = isolux_try_alloc ((gsize) threads, sums * sizeof (guint64), error);
  if (! rooms)
    {
      g_free (columns);
      return FALSE;
    }
  for (gint64 i = 0; i <= out->width; i++)
    columns[i] = isolux_reduce_begin (i, out->width, plan->width);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 y = 0; y < out->height; y++)
    reduce_row (in, out, plan, columns,
                rooms + (gsize) omp_get_thread_num () * sums, y);
  g_free (rooms);
  g_free (columns);
  return TRUE;
}
