/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu.h"
#include "kernels.h"

#include "../core/gray-rules.h"

G_STATIC_ASSERT ((gint) ISOLUX_GRAY_LUMINANCE == ISOLUX_PLAN_LUMINANCE);
G_STATIC_ASSERT ((gint) ISOLUX_GRAY_LIGHTNESS == ISOLUX_PLAN_LIGHTNESS);
G_STATIC_ASSERT ((gint) ISOLUX_GRAY_AVERAGE == ISOLUX_PLAN_AVERAGE);
G_STATIC_ASSERT ((gint) ISOLUX_GRAY_MAXIMUM == ISOLUX_PLAN_MAXIMUM);

/* One row of one type: gray, full the value of opaque alpha. */
#define DEFINE_ROW(name, type, gray, full)                                     \
  static inline void name##_method (const IsoluxGrayPlan *plan, gint method,   \
                                    const type *in, gint colors,               \
                                    gint in_alpha, type *out,                  \
                                    gint out_components, gint64 width)         \
  {                                                                            \
    const gint in_components = colors + in_alpha;                              \
    const gint out_colors = out_components < 3 ? 1 : 3;                        \
                                                                               \
    for (gint64 x = 0; x < width; x++)                                         \
      {                                                                        \
        const type a = in_alpha ? in[colors] : (type) (full);                  \
        const type v = colors == 1                                             \
                         ? in[0]                                               \
                         : (type) gray (plan, method, in[0], in[1], in[2]);    \
                                                                               \
        out[0] = v;                                                            \
        if (out_colors == 3)                                                   \
          out[1] = out[2] = v;                                                 \
        if (out_components > out_colors)                                       \
          out[out_colors] = a;                                                 \
        in += in_components;                                                   \
        out += out_components;                                                 \
      }                                                                        \
  }                                                                            \
                                                                               \
  static void name (const IsoluxGrayPlan *plan, gconstpointer in, gint colors, \
                    gint in_alpha, gpointer out, gint out_components,          \
                    gint64 width)                                              \
  {                                                                            \
    switch (plan->method)                                                      \
      {                                                                        \
        case ISOLUX_GRAY_LUMA_BT601:                                           \
        case ISOLUX_GRAY_LUMA_BT709:                                           \
          name##_method (plan, ISOLUX_GRAY_LUMA_BT601, in, colors, in_alpha,   \
                         out, out_components, width);                          \
          break;                                                               \
        case ISOLUX_GRAY_AVERAGE:                                              \
          name##_method (plan, ISOLUX_GRAY_AVERAGE, in, colors, in_alpha, out, \
                         out_components, width);                               \
          break;                                                               \
        case ISOLUX_GRAY_MAXIMUM:                                              \
          name##_method (plan, ISOLUX_GRAY_MAXIMUM, in, colors, in_alpha, out, \
                         out_components, width);                               \
          break;                                                               \
        default:                                                               \
          name##_method (plan, plan->method, in, colors, in_alpha, out,        \
                         out_components, width);                               \
          break;                                                               \
      }                                                                        \
  }

DEFINE_ROW (row_u8, guint8, isolux_gray_code, 255)
DEFINE_ROW (row_u16, guint16, isolux_gray_code, 65535)
DEFINE_ROW (row_f32, gfloat, isolux_gray_f32, 1.0f)

gboolean
isolux_cpu_grayscale (IsoluxSurface        *source,
                      IsoluxSurface        *destination,
                      const IsoluxGrayPlan *plan,
                      GError              **error)
{
  const IsoluxPixels *in = &source->pixels, *out = &destination->pixels;
  const gint          threads =
    isolux_cpu_threads (source->device, in->width, in->height);
  const gboolean luma = in->colors == 3 && out->components == 1 &&
                        (plan->method == ISOLUX_GRAY_LUMA_BT601 ||
                         plan->method == ISOLUX_GRAY_LUMA_BT709);

#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 y = 0; y < in->height; y++)
    {
      gconstpointer from = isolux_cpu_row (in, y);
      gpointer      to = isolux_cpu_row (out, y);

      switch (in->type)
        {
          case ISOLUX_PLAN_U8:
            if (luma && from != to)
              {
                isolux_cpu_kernels ()->luma_u8 (&plan->weights, from,
                                                in->components, in->width, to);
                break;
              }
            row_u8 (plan, from, in->colors, in->has_alpha, to, out->components,
                    in->width);
            break;
          case ISOLUX_PLAN_U16:
            if (luma && from != to)
              {
                isolux_cpu_kernels ()->luma_u16 (&plan->weights, from,
                                                 in->components, in->width, to);
                break;
              }
            row_u16 (plan, from, in->colors, in->has_alpha, to, out->components,
                     in->width);
            break;
          default:
            row_f32 (plan, from, in->colors, in->has_alpha, to, out->components,
                     in->width);
            break;
        }
    }
  return TRUE;
}
