/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Smaller pictures: one pixel of the result a thread, or, where many pixels
 * become one, a warp.  Its lanes share out columns of codes, whose sums are
 * exact in any order, and rows of floats, whose sums are then added in the
 * order of the rows.
 */
#include "kernels.h"

/* The pixels of the source that become one. */
struct ReduceBlock
{
  int64_t x, y;           /* of the result */
  int64_t x0, x1, y0, y1; /* of the source, ends excluded */

  __device__ __forceinline__
  ReduceBlock (const IsoluxReduceArguments &a, int64_t at)
  {
    const int64_t w = a.destination.width, h = a.destination.height;

    y = at / w;
    x = at - y * w;
    x0 = a.plan.x + isolux_reduce_begin (x, w, a.plan.width);
    x1 = a.plan.x + isolux_reduce_begin (x + 1, w, a.plan.width);
    y0 = a.plan.y + isolux_reduce_begin (y, h, a.plan.height);
    y1 = a.plan.y + isolux_reduce_begin (y + 1, h, a.plan.height);
  }

  __device__ __forceinline__ uint64_t
  pixels () const
  {
    return (uint64_t) (x1 - x0) * (uint64_t) (y1 - y0);
  }
};

template <typename T>
__device__ __forceinline__ void
reduce_codes (const IsoluxReduceArguments &a)
{
  const int     n = a.destination.components;
  const int     across = 1 << a.shift;
  const int     lane = (int) threadIdx.x & (across - 1);
  const int64_t each = ISOLUX_REDUCE_THREADS >> a.shift;
  const int64_t total = a.destination.width * a.destination.height;

  /* the same for all lanes of a warp that works together */
  for (int64_t at = blockIdx.x * each + (int) (threadIdx.x >> a.shift);
       at < total; at += gridDim.x * each)
    {
      const ReduceBlock b (a, at);
      uint64_t          sums[4] = { 0, 0, 0, 0 };

      for (int64_t y = b.y0; y < b.y1; y++)
        {
          const T *row = isolux_row<T> (a.source, y);

          for (int64_t x = b.x0 + lane; x < b.x1; x += across)
#pragma unroll
            for (int c = 0; c < 4; c++)
              if (c < n)
                sums[c] += row[x * n + c];
        }
      if (a.shift)
#pragma unroll
        for (int c = 0; c < 4; c++)
          for (int step = 16; step > 0; step >>= 1)
            sums[c] += __shfl_xor_sync (0xffffffffu, sums[c], step);
      if (lane == 0)
        {
          T *out = (T *) isolux_row<T> (a.destination, b.y) + b.x * n;

#pragma unroll
          for (int c = 0; c < 4; c++)
            if (c < n)
              out[c] = (T) isolux_reduce_code (sums[c], b.pixels ());
        }
    }
}

KERNEL (ISOLUX_REDUCE_THREADS)
isolux_reduce_u8 (const IsoluxReduceArguments a)
{
  reduce_codes<uint8_t> (a);
}

KERNEL (ISOLUX_REDUCE_THREADS)
isolux_reduce_u16 (const IsoluxReduceArguments a)
{
  reduce_codes<uint16_t> (a);
}

KERNEL (ISOLUX_REDUCE_THREADS)
isolux_reduce_f32 (const IsoluxReduceArguments a)
{
  const int     n = a.destination.components;
  const int     across = 1 << a.shift;
  const int     lane = (int) threadIdx.x & (across - 1);
  const int64_t each = ISOLUX_REDUCE_THREADS >> a.shift;
  const int64_t total = a.destination.width * a.destination.height;

  for (int64_t at = blockIdx.x * each + (int) (threadIdx.x >> a.shift);
       at < total; at += gridDim.x * each)
    {
      const ReduceBlock b (a, at);
      double            sums[4] = { 0.0, 0.0, 0.0, 0.0 };

      for (int64_t y = b.y0; y < b.y1; y += across)
        {
          const int rows = b.y1 - y < across ? (int) (b.y1 - y) : across;
          double    own[4] = { 0.0, 0.0, 0.0, 0.0 };

          if (lane < rows)
            {
              const float *row = isolux_row<float> (a.source, y + lane);

              for (int64_t x = b.x0; x < b.x1; x++)
#pragma unroll
                for (int c = 0; c < 4; c++)
                  if (c < n)
                    {
                      const double v = row[x * n + c];

                      own[c] = x == b.x0 ? v : own[c] + v;
                    }
            }
          for (int k = 0; k < rows; k++)
#pragma unroll
            for (int c = 0; c < 4; c++)
              {
                const double v = a.shift ? __shfl_sync (0xffffffffu, own[c], k)
                                         : own[c];

                sums[c] = y == b.y0 && k == 0 ? v : sums[c] + v;
              }
        }
      if (lane == 0)
        {
          float *out = (float *) isolux_row<float> (a.destination, b.y) +
                       b.x * n;

#pragma unroll
          for (int c = 0; c < 4; c++)
            if (c < n)
              out[c] = isolux_reduce_f32 (sums[c], b.pixels ());
        }
    }
}
