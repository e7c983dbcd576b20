/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gray: one pixel a thread. */
#include "kernels.h"

template <typename T>
__device__ __forceinline__ T
gray (const IsoluxGrayPlan &plan, T red, T green, T blue)
{
  const uint32_t r = red, g = green, b = blue;
  const size_t   codes = (size_t) plan.maximum + 1;
  const double  *w = plan.weights.real;

  switch (plan.method)
    {
      case ISOLUX_PLAN_AVERAGE:
        return (T) isolux_average_code (r, g, b);
      case ISOLUX_PLAN_MAXIMUM:
        return (T) isolux_maximum_code (r, g, b);
      case ISOLUX_PLAN_LUMINANCE:
      case ISOLUX_PLAN_LIGHTNESS:
        return (T) isolux_encode (plan.thresholds, (uint32_t) plan.maximum,
                                  (w[0] * (double) plan.decode[r] +
                                   w[1] * (double) plan.decode[codes + g]) +
                                    w[2] * (double) plan.decode[2 * codes + b]);
      default:
        return (T) isolux_luma_code (&plan.weights, r, g, b);
    }
}

template <>
__device__ __forceinline__ float
gray<float> (const IsoluxGrayPlan &plan, float r, float g, float b)
{
  const double *w = plan.weights.real;
  float         v;

  if (isolux_is_nan (r) || isolux_is_nan (g) || isolux_is_nan (b))
    return isolux_canonical (r + g + b);
  switch (plan.method)
    {
      case ISOLUX_PLAN_AVERAGE:
        v = (float) ((((double) r + (double) g) + (double) b) / 3.0);
        break;
      case ISOLUX_PLAN_MAXIMUM:
        v = r > g ? r : g;
        v = v > b ? v : b;
        break;
      case ISOLUX_PLAN_LIGHTNESS:
        v = (float) isolux_lightness ((w[0] * (double) r + w[1] * (double) g) +
                                      w[2] * (double) b);
        break;
      default:
        v =
          (float) ((w[0] * (double) r + w[1] * (double) g) + w[2] * (double) b);
        break;
    }
  return isolux_canonical (v);
}

/* opaque: alpha where the source has none */
template <typename T>
__device__ __forceinline__ void
convert (const IsoluxGrayArguments &a, T opaque)
{
  const int n = a.source.components, m = a.destination.components;
  const int colors = a.destination.colors;

  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (! isolux_item<ISOLUX_GRAY_THREADS> (a.tiles, tile, &x, &y))
        continue;

      const T *in = isolux_row<T> (a.source, y) + x * n;
      T       *out = (T *) isolux_row<T> (a.destination, y) + x * m;
      const T  alpha = a.source.has_alpha ? in[n - 1] : opaque;
      const T  v = a.source.colors == 1 ? in[0]
                                        : gray<T> (a.plan, in[0], in[1], in[2]);

      out[0] = v;
      if (colors == 3)
        out[1] = out[2] = v;
      if (a.destination.has_alpha)
        out[colors] = alpha;
    }
}

KERNEL (ISOLUX_GRAY_THREADS)
isolux_grayscale_u8 (const IsoluxGrayArguments a)
{
  convert<uint8_t> (a, 255);
}

KERNEL (ISOLUX_GRAY_THREADS)
isolux_grayscale_u16 (const IsoluxGrayArguments a)
{
  convert<uint16_t> (a, 65535);
}

KERNEL (ISOLUX_GRAY_THREADS)
isolux_grayscale_f32 (const IsoluxGrayArguments a)
{
  convert<float> (a, 1.0f);
}
