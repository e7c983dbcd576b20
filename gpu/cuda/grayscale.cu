/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gray: one pixel a thread. */
#include "../core/gray-rules.h"
#include "kernels.h"

template <typename T>
__device__ __forceinline__ T
gray (const IsoluxGrayPlan &plan, T r, T g, T b)
{
  return (T) isolux_gray_code (&plan, plan.method, r, g, b);
}

template <>
__device__ __forceinline__ float
gray<float> (const IsoluxGrayPlan &plan, float r, float g, float b)
{
  return isolux_gray_f32 (&plan, plan.method, r, g, b);
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
