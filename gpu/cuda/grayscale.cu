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

/* ---- Gray of three codes by weights -------------------------------------- */

/* Four codes from three words of red, green and blue, one after the other. */
__device__ __forceinline__ uint32_t
gray_of_words (const IsoluxWeights &w, uint32_t a, uint32_t b, uint32_t c)
{
  const uint32_t p =
    isolux_luma_code (&w, a & 255u, a >> 8 & 255u, a >> 16 & 255u);
  const uint32_t q = isolux_luma_code (&w, a >> 24, b & 255u, b >> 8 & 255u);
  const uint32_t r = isolux_luma_code (&w, b >> 16 & 255u, b >> 24, c & 255u);
  const uint32_t s =
    isolux_luma_code (&w, c >> 8 & 255u, c >> 16 & 255u, c >> 24);

  return __byte_perm (__byte_perm (p, q, 0x0040), __byte_perm (r, s, 0x0040),
                      0x5410);
}

/* Two codes of 16 bits. */
__device__ __forceinline__ uint32_t
gray_of_halves (const IsoluxWeights &w, uint32_t a, uint32_t b, uint32_t c)
{
  return __byte_perm (isolux_luma_code (&w, a & 0xffffu, a >> 16, b & 0xffffu),
                      isolux_luma_code (&w, b >> 16, c & 0xffffu, c >> 16),
                      0x5410);
}

/*
 * Three vectors of a row, that is 16 pixels of 8 bits or 8 of 16, make one:
 * 50.3 + 16.8 MB of 8 bits at 4096 x 4096.  tiles: of such vectors; rows whose
 * ends are none are the business of convert().
 */
template <typename T>
__device__ __forceinline__ void
convert_vectors (const IsoluxGrayArguments &a)
{
  const int64_t tile = blockIdx.x;
  int64_t       x, y;

  if (! isolux_item<ISOLUX_GRAY_THREADS> (a.tiles, tile, &x, &y))
    return;

  const uint4 *in = (const uint4 *) isolux_row<T> (a.source, y) + 3 * x;
  uint4       *out = (uint4 *) isolux_row<T> (a.destination, y) + x;
  const uint4  p = in[0], q = in[1], r = in[2];

  if constexpr (sizeof (T) == 1)
    __stcs (out, make_uint4 (gray_of_words (a.plan.weights, p.x, p.y, p.z),
                             gray_of_words (a.plan.weights, p.w, q.x, q.y),
                             gray_of_words (a.plan.weights, q.z, q.w, r.x),
                             gray_of_words (a.plan.weights, r.y, r.z, r.w)));
  else
    __stcs (out, make_uint4 (gray_of_halves (a.plan.weights, p.x, p.y, p.z),
                             gray_of_halves (a.plan.weights, p.w, q.x, q.y),
                             gray_of_halves (a.plan.weights, q.z, q.w, r.x),
                             gray_of_halves (a.plan.weights, r.y, r.z, r.w)));
}

KERNEL (ISOLUX_GRAY_THREADS)
isolux_luma_vectors_u8 (const IsoluxGrayArguments a)
{
  convert_vectors<uint8_t> (a);
}

KERNEL (ISOLUX_GRAY_THREADS)
isolux_luma_vectors_u16 (const IsoluxGrayArguments a)
{
  convert_vectors<uint16_t> (a);
}
