/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu.h"

/* One row of one type into a row of the new mask */
#define DEFINE_ROW(name, type)                                           \
  static void name (const IsoluxLeaveOutPlan *plan, gconstpointer row,   \
                    gint components, gint colors, const guint8 *mask,    \
                    guint8 *out, gint64 n)                               \
  {                                                                      \
    const type *in = row;                                                \
                                                                         \
    for (gint64 x = 0; x < n; x++, in += components)                     \
      {                                                                  \
        gboolean left_out = TRUE;                                        \
                                                                         \
        for (gint c = 0; c < colors; c++)                                \
          left_out = left_out && isolux_left_out (plan, (gfloat) in[c]); \
        out[x] = (guint8) (left_out ? 0 : mask ? mask[x] : 255);         \
      }                                                                  \
  }

DEFINE_ROW (row_u8, guint8)
DEFINE_ROW (row_u16, guint16)
DEFINE_ROW (row_f32, gfloat)

gboolean
isolux_cpu_leave_out (IsoluxSurface            *source,
                      IsoluxSurface            *mask,
                      const IsoluxLeaveOutPlan *plan,
                      GError                  **error)
{
  const IsoluxPixels *in = &source->pixels, *out = &mask->pixels;
  const gsize         size = isolux_type_size (source->image.type);
  const gint          threads =
    isolux_cpu_threads (source->device, out->width, out->height);

#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 y = 0; y < out->height; y++)
    {
      const guint8 *row = isolux_cpu_row (in, in->region_y + y);
      const guint8 *old = isolux_cpu_mask_row (in, in->region_y + y);
      guint8       *made = isolux_cpu_row (out, y);

      row += (gsize) in->region_x * (gsize) in->components * size;
      switch (in->type)
        {
          case ISOLUX_PLAN_U8:
            row_u8 (plan, row, in->components, in->colors, old, made,
                    out->width);
            break;
          case ISOLUX_PLAN_U16:
            row_u16 (plan, row, in->components, in->colors, old, made,
                     out->width);
            break;
          default:
            row_f32 (plan, row, in->components, in->colors, old, made,
                     out->width);
            break;
        }
    }
  return TRUE;
}
