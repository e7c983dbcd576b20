/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Applying tables.  A thread reads all of its item before it writes any of
 * it, so that source and destination may be the same.
 */
#include "kernels.h"

/* Whether x, y of the image lies in the region and counts. */
template <typename T>
__device__ __forceinline__ bool
changes (const IsoluxPixels &pixels, const T *in, int64_t x, int64_t y)
{
  x -= pixels.region_x;
  y -= pixels.region_y;
  return x >= 0 && x < pixels.region_width && y >= 0 &&
         y < pixels.region_height &&
         isolux_counts (pixels, pixels.has_alpha != 0, in, x, y);
}

/* Whether there is nothing to do: in place and all tables the identity. */
__device__ __forceinline__ bool
nothing_to_do (const IsoluxApplyArguments &a)
{
  const int channels = a.luma ? 1 : a.source.colors;

  for (int c = 0; c < channels; c++)
    if (! a.tables->identity[c])
      return false;
  return a.source.data == a.destination.data;
}

/* ---- Codes --------------------------------------------------------- */

template <typename Look>
__device__ __forceinline__ uint32_t
look_word (uint32_t word, uint8_t, Look look)
{
  return look (0, word & 255u) | look (0, word >> 8 & 255u) << 8 |
         look (0, word >> 16 & 255u) << 16 | look (0, word >> 24) << 24;
}

template <typename Look>
__device__ __forceinline__ uint32_t
look_word (uint32_t word, uint16_t, Look look)
{
  return look (0, word & 65535u) | look (0, word >> 16) << 16;
}

/* Rows of gray whose vectors lie alike in source and destination. */
template <typename T, typename Look>
__device__ __forceinline__ void
apply_vector (const IsoluxApplyArguments &a, int64_t x, int64_t y, Look look)
{
  const IsoluxVector<T> from (a.source, x, y), to (a.destination, x, y);

  if (from.full ())
    {
      uint4 words = *(const uint4 *) from.at;

      words.x = look_word (words.x, T (), look);
      words.y = look_word (words.y, T (), look);
      words.z = look_word (words.z, T (), look);
      words.w = look_word (words.w, T (), look);
      *(uint4 *) to.at = words;
    }
  else
    for (int i = from.first; i < from.end; i++)
      ((T *) to.at)[i] = (T) look (0, ((const T *) from.at)[i]);
}

template <typename T, typename Look>
__device__ __forceinline__ void
apply_pixel (const IsoluxApplyArguments &a, int64_t x, int64_t y, Look look)
{
  const int32_t maximum = (int32_t) (T) ~(T) 0;
  const int     n = a.source.components;
  const T      *in = isolux_row<T> (a.source, y) + x * n;
  T            *out = (T *) isolux_row<T> (a.destination, y) + x * n;
  const bool    change = changes (a.source, in, x, y);
  int32_t       v[4];

  if (! change && in == out)
    return;
#pragma unroll
  for (int c = 0; c < 4; c++)
    v[c] = c < n ? in[c] : 0;
  if (change && a.luma)
    {
      if (! a.tables->identity[0])
        {
          const int32_t  before[3] = { v[0], v[1], v[2] };
          const uint32_t luma = isolux_luma_code (&a.weights, (uint32_t) v[0],
                                                  (uint32_t) v[1],
                                                  (uint32_t) v[2]);

          isolux_move_luma_code (before, (int32_t) luma,
                                 (int32_t) look (0, luma), maximum, v);
        }
    }
  else if (change)
#pragma unroll
    for (int c = 0; c < 3; c++)
      if (c < a.source.colors)
        v[c] = (int32_t) look (c, (uint32_t) v[c]);
#pragma unroll
  for (int c = 0; c < 4; c++)
    if (c < n)
      out[c] = (T) v[c];
}

template <typename T, typename Look>
__device__ __forceinline__ void
apply_codes (const IsoluxApplyArguments &a, Look look)
{
  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (! isolux_item<ISOLUX_APPLY_THREADS> (a.tiles, tile, &x, &y))
        continue;
      if (a.tiles.whole)
        apply_vector<T> (a, x, y, look);
      else
        apply_pixel<T> (a, x, y, look);
    }
}

KERNEL (ISOLUX_APPLY_THREADS)
isolux_apply_u8 (const IsoluxApplyArguments a)
{
  __shared__ uint8_t table[3 * 256];
  const int          channels = a.luma ? 1 : a.source.colors;

  if (nothing_to_do (a))
    return;
  for (int i = threadIdx.x; i < channels * 256; i += ISOLUX_APPLY_THREADS)
    {
      const int c = i >> 8, k = i & 255;

      table[i] = a.tables->identity[c]
                   ? (uint8_t) k
                   : ((const uint8_t *) a.entries)[c * a.stride + k];
    }
  __syncthreads ();
  apply_codes<uint8_t> (a, [&] (int c, uint32_t code) -> uint32_t {
    return table[c * 256 + (int) code];
  });
}

KERNEL (ISOLUX_APPLY_THREADS)
isolux_apply_u16 (const IsoluxApplyArguments a)
{
  const uint16_t *entries = (const uint16_t *) a.entries;
  int32_t         identity[3];
  uint32_t        last[3];

  if (nothing_to_do (a))
    return;
#pragma unroll
  for (int c = 0; c < 3; c++)
    {
      const bool there = c == 0 || (! a.luma && c < a.source.colors);

      identity[c] = there ? a.tables->identity[c] : 1;
      last[c] = there ? (uint32_t) a.tables->bins[c] - 1 : 0;
    }
  apply_codes<uint16_t> (a, [&] (int c, uint32_t code) -> uint32_t {
    if (identity[c])
      return code;
    return __ldg (entries + c * a.stride +
                  (int) (code < last[c] ? code : last[c]));
  });
}

/* ---- Floats -------------------------------------------------------- */

KERNEL (ISOLUX_APPLY_THREADS)
isolux_apply_f32 (const IsoluxApplyArguments a)
{
  const float *entries = (const float *) a.entries;
  const int    n = a.source.components;

  if (nothing_to_do (a))
    return;
  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (! isolux_item<ISOLUX_APPLY_THREADS> (a.tiles, tile, &x, &y))
        continue;

      const float *in = isolux_row<float> (a.source, y) + x * n;
      float       *out = (float *) isolux_row<float> (a.destination, y) + x * n;
      const bool   change = changes (a.source, in, x, y);
      float        v[4];

      if (! change && in == out)
        continue;
#pragma unroll
      for (int c = 0; c < 4; c++)
        v[c] = c < n ? in[c] : 0.0f;
      if (change && a.luma)
        {
          if (! a.tables->identity[0] && ! isolux_is_nan (v[0]) &&
              ! isolux_is_nan (v[1]) && ! isolux_is_nan (v[2]))
            {
              const float  before[3] = { v[0], v[1], v[2] };
              const double luma =
                isolux_luma_f32 (&a.weights, v[0], v[1], v[2]);
              const int bin = isolux_bin_f32 (luma, a.tables->low[0],
                                              a.tables->scale[0],
                                              a.tables->bins[0]);

              isolux_move_luma_f32 (before,
                                    isolux_luma_finite (&a.weights, v[0], v[1],
                                                        v[2]),
                                    __ldg (entries + bin), v);
            }
        }
      else if (change)
#pragma unroll
        for (int c = 0; c < 3; c++)
          if (c < a.source.colors && ! a.tables->identity[c] &&
              ! isolux_is_nan (v[c]))
            v[c] =
              __ldg (entries + c * a.stride +
                     isolux_bin_f32 (v[c], a.tables->low[c], a.tables->scale[c],
                                     a.tables->bins[c]));
#pragma unroll
      for (int c = 0; c < 4; c++)
        if (c < n)
          out[c] = v[c];
    }
}
