/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing two images: a warp adds the pixels of a strip, see
 * metrics-rules.h for the order.
 */
#include "picture.h"

#define METRICS_WARPS (ISOLUX_METRICS_THREADS / 32)
#define METRICS_REACH ISOLUX_METRICS_REACH
#define METRICS_COLUMNS (32 + 2 * METRICS_REACH)

template <typename T>
__device__ __forceinline__ double
metrics_value (const IsoluxMetricsArguments &a,
               const IsoluxPixels           &pixels,
               int64_t                       x,
               int64_t                       y)
{
  return isolux_value (a.plan.weights, isolux_pixel<T> (pixels, x, y),
                       pixels.colors);
}

/* The lanes of a warp, all of which must call it, as a tree. */
__device__ __forceinline__ void
metrics_store (const IsoluxMetricsArguments &a,
               int64_t                       strip,
               const double                 *sums)
{
#pragma unroll
  for (int k = 0; k < ISOLUX_METRICS_SUMS; k++)
    {
      double sum = sums[k];

      for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync (0xffffffffu, sum, step);
      if ((threadIdx.x & 31) == 0)
        a.partial[strip * ISOLUX_METRICS_SUMS + k] = sum;
    }
}

/* ---- Pixel by pixel ---------------------------------------------- */

template <typename T>
__device__ __forceinline__ void
metrics_pixel (const IsoluxMetricsArguments &a,
               int64_t                       x,
               int64_t                       y,
               double                       *sums)
{
  const IsoluxMetricsPlan &p = a.plan;
  uint8_t *counts = p.mask + (size_t) y * (size_t) a.first.width + (size_t) x;
  const double v = metrics_value<T> (a, a.first, x, y);
  const double w = metrics_value<T> (a, a.second, x, y);

  if (p.pass == ISOLUX_METRICS_FIRST)
    {
      double added[ISOLUX_METRICS_SUMS];

      *counts = isolux_pixel_counts<T> (a.first, x, y) &&
                isolux_metrics_counts (v, w);
      if (! *counts)
        return;
      isolux_metrics_first (v, w, p.top, added);
#pragma unroll
      for (int k = 0; k < ISOLUX_METRICS_SUMS; k++)
        sums[k] += added[k];
    }
  else if (*counts)
    {
      const double dv = v - p.mean[0], dw = w - p.mean[1];

      sums[0] += dv * dv;
      sums[1] += dw * dw;
    }
}

template <typename T>
__device__ __forceinline__ void
metrics_sums (const IsoluxMetricsArguments &a)
{
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

  for (int64_t strip = (int64_t) blockIdx.x * METRICS_WARPS + warp;
       strip < a.plan.strips; strip += (int64_t) gridDim.x * METRICS_WARPS)
    {
      const int64_t begin = strip * a.plan.strip;
      const int64_t end = begin + a.plan.strip < a.first.height
                            ? begin + a.plan.strip
                            : a.first.height;
      double sums[ISOLUX_METRICS_SUMS] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };

      for (int64_t y = begin; y < end; y++)
        for (int64_t x = lane; x < a.first.width; x += 32)
          metrics_pixel<T> (a, x, y, sums);
      __syncwarp ();
      metrics_store (a, strip, sums);
    }
}

KERNEL (ISOLUX_METRICS_THREADS)
isolux_metrics_u8 (const IsoluxMetricsArguments a)
{
  metrics_sums<uint8_t> (a);
}

KERNEL (ISOLUX_METRICS_THREADS)
isolux_metrics_u16 (const IsoluxMetricsArguments a)
{
  metrics_sums<uint16_t> (a);
}

KERNEL (ISOLUX_METRICS_THREADS)
isolux_metrics_f32 (const IsoluxMetricsArguments a)
{
  metrics_sums<float> (a);
}

/* ---- Window by window -------------------------------------------- */

template <typename T>
__device__ __forceinline__ IsoluxSimilarity
metrics_column (const IsoluxMetricsArguments &a, int64_t x, int64_t y)
{
  IsoluxSimilarity s = { 0.0, 0.0, 0.0, 0.0, 0.0 };

  if (x >= 0 && x < a.first.width)
    for (int64_t row = y - METRICS_REACH; row <= y + METRICS_REACH; row++)
      isolux_similarity_add (&s, metrics_value<T> (a, a.first, x, row),
                             metrics_value<T> (a, a.second, x, row));
  return s;
}

/* The windows of 32 pixels from x on; columns: the warp's. */
template <typename T>
__device__ __forceinline__ void
metrics_windows (const IsoluxMetricsArguments &a,
                 int64_t                       x,
                 int64_t                       y,
                 IsoluxSimilarity             *columns,
                 double                       *sums)
{
  const int     lane = threadIdx.x & 31;
  const int64_t at = x + lane;

  __syncwarp ();
  for (int i = lane; i < METRICS_COLUMNS; i += 32)
    columns[i] = metrics_column<T> (a, x - METRICS_REACH + i, y);
  __syncwarp ();
  if (at >= METRICS_REACH && at < a.first.width - METRICS_REACH &&
      a.plan.mask[(size_t) y * (size_t) a.first.width + (size_t) at])
    {
      IsoluxSimilarity window = { 0.0, 0.0, 0.0, 0.0, 0.0 };
      double           v;

      for (int i = 0; i < ISOLUX_METRICS_WINDOW; i++)
        isolux_similarity_join (&window, &columns[lane + i]);
      v = isolux_similarity (&window, a.plan.c1, a.plan.c2);
      if (isolux_is_finite (v))
        {
          sums[0] += 1.0;
          sums[1] += v;
        }
    }
}

template <typename T>
__device__ __forceinline__ void
metrics_similarity (const IsoluxMetricsArguments &a)
{
  __shared__ IsoluxSimilarity columns[METRICS_WARPS][METRICS_COLUMNS];
  const int                   warp = threadIdx.x >> 5;

  for (int64_t strip = (int64_t) blockIdx.x * METRICS_WARPS + warp;
       strip < a.plan.strips; strip += (int64_t) gridDim.x * METRICS_WARPS)
    {
      const int64_t begin = strip * a.plan.strip;
      const int64_t end = begin + a.plan.strip;
      double sums[ISOLUX_METRICS_SUMS] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };

      for (int64_t y = begin; y < end; y++)
        if (y >= METRICS_REACH && y < a.first.height - METRICS_REACH)
          for (int64_t x = 0; x < a.first.width; x += 32)
            metrics_windows<T> (a, x, y, columns[warp], sums);
      __syncwarp ();
      metrics_store (a, strip, sums);
    }
}

KERNEL (ISOLUX_METRICS_THREADS)
isolux_similarity_u8 (const IsoluxMetricsArguments a)
{
  metrics_similarity<uint8_t> (a);
}

KERNEL (ISOLUX_METRICS_THREADS)
isolux_similarity_u16 (const IsoluxMetricsArguments a)
{
  metrics_similarity<uint16_t> (a);
}

KERNEL (ISOLUX_METRICS_THREADS)
isolux_similarity_f32 (const IsoluxMetricsArguments a)
{
  metrics_similarity<float> (a);
}
