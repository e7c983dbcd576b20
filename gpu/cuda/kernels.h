/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels share: where a thread works, vectors, values. */
#ifndef ISOLUX_KERNELS_H
#define ISOLUX_KERNELS_H

#include "arguments.h"

#define KERNEL(threads) extern "C" __global__ void __launch_bounds__ (threads)

/* ---- Tiles --------------------------------------------------------- */

/* The item of this thread in a tile. false: beyond the edge. */
template <int THREADS>
__device__ __forceinline__ bool
isolux_item (const IsoluxTiles &tiles, int64_t tile, int64_t *x, int64_t *y)
{
  const int threads_x = 1 << tiles.shift;
  int64_t   row = 0, column = tile;

  if (tiles.columns == 1)
    {
      row = tile;
      column = 0;
    }
  else if (tiles.columns < tiles.total)
    {
      row = tiles.total <= (int64_t) UINT32_MAX
              ? (int64_t) ((uint32_t) tile / (uint32_t) tiles.columns)
              : tile / tiles.columns;
      column = tile - row * tiles.columns;
    }
  *x = column * threads_x + (int) (threadIdx.x & (threads_x - 1));
  *y = row * (THREADS >> tiles.shift) + (int) (threadIdx.x >> tiles.shift);
  return *x < tiles.items && *y < tiles.rows;
}

/* ---- Pixels -------------------------------------------------------- */

template <typename T>
__device__ __forceinline__ const T *
isolux_row (const IsoluxPixels &pixels, int64_t y)
{
  return (const T *) ((const uint8_t *) pixels.data +
                      (size_t) y * pixels.stride);
}

/*
 * Vectors of gray rows: item x of a row is the x-th block of 16 bytes that
 * the row touches, aligned in memory; of it, the components first .. end - 1
 * belong to the row.
 */
template <typename T>
struct IsoluxVector
{
  static constexpr int N = ISOLUX_VECTOR_BYTES / (int) sizeof (T);

  uint8_t *at;
  int      first, end;

  __device__ __forceinline__
  IsoluxVector (const IsoluxPixels &pixels, int64_t x, int64_t y)
  {
    const T  *row = isolux_row<T> (pixels, y);
    const int lead = (int) ((uintptr_t) row % ISOLUX_VECTOR_BYTES / sizeof (T));
    const int64_t start = x * N - lead;
    const int64_t left = pixels.width - start;

    at = (uint8_t *) row + start * (int64_t) sizeof (T);
    first = start < 0 ? (int) -start : 0;
    end = left < N ? (left < 0 ? 0 : (int) left) : N;
  }

  __device__ __forceinline__ bool
  full () const
  {
    return first == 0 && end == N;
  }
};

/* Whether the mask and alpha let a pixel count; x, y from the region's
 * corner. */
template <typename T>
__device__ __forceinline__ bool
isolux_counts (const IsoluxPixels &pixels,
               bool                look_at_alpha,
               const T            *in,
               int64_t             x,
               int64_t             y)
{
  if (pixels.mask &&
      ! pixels.mask[(size_t) y * pixels.mask_stride + (size_t) x])
    return false;
  return ! look_at_alpha || in[pixels.components - 1] > (T) 0;
}

/* ---- Sums and extremes of a block ---------------------------------- */

/*
 * Combines one value of each thread; every thread gets the result.  room:
 * 32 values in shared memory.  For blocks of 1024 threads, all of which must
 * call it.
 */
template <typename Combine>
__device__ __forceinline__ uint64_t
isolux_reduce (uint64_t value, uint64_t *room, Combine combine)
{
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

  for (int step = 16; step > 0; step >>= 1)
    value = combine (value, __shfl_xor_sync (0xffffffffu, value, step));
  if (lane == 0)
    room[warp] = value;
  __syncthreads ();
  value = room[lane];
  for (int step = 16; step > 0; step >>= 1)
    value = combine (value, __shfl_xor_sync (0xffffffffu, value, step));
  __syncthreads ();
  return value;
}

struct IsoluxSum
{
  __device__ __forceinline__ uint64_t
  operator() (uint64_t a, uint64_t b) const
  {
    return a + b;
  }
};

struct IsoluxLeast
{
  __device__ __forceinline__ uint64_t
  operator() (uint64_t a, uint64_t b) const
  {
    return a < b ? a : b;
  }
};

struct IsoluxMost
{
  __device__ __forceinline__ uint64_t
  operator() (uint64_t a, uint64_t b) const
  {
    return a > b ? a : b;
  }
};

/* The sum of the values of the threads before this one. As above. */
__device__ __forceinline__ uint64_t
isolux_sum_before (uint64_t value, uint64_t *room)
{
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  uint64_t  sum = value, before, total;

  for (int step = 1; step < 32; step <<= 1)
    {
      const uint64_t other = __shfl_up_sync (0xffffffffu, sum, step);

      if (lane >= step)
        sum += other;
    }
  if (lane == 31)
    room[warp] = sum;
  __syncthreads ();
  before = total = room[lane];
  for (int step = 1; step < 32; step <<= 1)
    {
      const uint64_t other = __shfl_up_sync (0xffffffffu, total, step);

      if (lane >= step)
        total += other;
    }
  /* what lies before the warp that this lane stands for; of it, ours */
  before = __shfl_sync (0xffffffffu, total - before, warp);
  __syncthreads ();
  return before + sum - value;
}

/* ---- Keys ---------------------------------------------------------- */

/* Numbers that order like the doubles; +0.0 for both zeros. */
__device__ __forceinline__ uint64_t
isolux_key (double v)
{
  const uint64_t bits = (uint64_t) __double_as_longlong (v + 0.0);

  return bits >> 63 ? ~bits : bits | (UINT64_C (1) << 63);
}

__device__ __forceinline__ double
isolux_value_of_key (uint64_t key)
{
  return __longlong_as_double ((long long) (key >> 63
                                              ? key & ~(UINT64_C (1) << 63)
                                              : ~key));
}

#endif /* ISOLUX_KERNELS_H */
