/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels share: where a thread works, vectors, values. */
#ifndef ISOLUX_KERNELS_H
#define ISOLUX_KERNELS_H

#include "arguments.h"
#include "hopper.h"

/* Threads that a multiprocessor holds at a time. */
#if ! defined __CUDA_ARCH__ || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || \
  __CUDA_ARCH__ == 1000
#define ISOLUX_RESIDENT_THREADS 2048
#elif __CUDA_ARCH__ == 750
#define ISOLUX_RESIDENT_THREADS 1024
#else
#define ISOLUX_RESIDENT_THREADS 1536
#endif

#define ISOLUX_FITTING(threads, blocks)            \
  ((threads) * (blocks) <= ISOLUX_RESIDENT_THREADS \
     ? (blocks)                                    \
     : ISOLUX_RESIDENT_THREADS / (threads))

#define KERNEL(threads) extern "C" __global__ void __launch_bounds__ (threads)
/* blocks: how many a multiprocessor shall hold at a time, if it has room */
#define KERNEL_BLOCKS(threads, blocks)                                   \
  extern "C" __global__ void __launch_bounds__ (threads,                 \
                                                ISOLUX_FITTING (threads, \
                                                                blocks))

/* What a launch asks for. */
extern __shared__ __align__ (16) uint32_t isolux_shared[];

/* Sets to 0 what the next call wants so. */
__device__ __forceinline__ void
isolux_clear (const IsoluxClear &clear)
{
  const uint64_t step = (uint64_t) gridDim.x * blockDim.x;

  for (uint64_t i = (uint64_t) blockIdx.x * blockDim.x + threadIdx.x;
       i < clear.bytes / sizeof (uint4); i += step)
    ((uint4 *) clear.data)[i] = make_uint4 (0, 0, 0, 0);
}

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

/* ---- Vectors of gray codes ----------------------------------------------- */

/* Where the vector of a row that begins with pixel x lies in a vector of N
 * components: a bit for each that is one of 0 .. width - 1. */
template <int N>
__device__ __forceinline__ uint32_t
isolux_inside (int32_t x, int64_t width)
{
  constexpr uint32_t all = (1u << N) - 1u;

  if (x >= 0 && x + N <= width)
    return all;
  if (x >= width || x <= -N)
    return 0;

  uint32_t bits = x < 0 ? all << -x & all : all;

  if (x + N > width)
    bits &= all >> (x + N - (int32_t) width);
  return bits;
}

/* A bit for each of 4 bytes that is not 0. */
__device__ __forceinline__ uint32_t
isolux_bytes_set (uint32_t word)
{
  const uint32_t high = ((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word;

  return (high >> 7 & 0x01010101u) * 0x10204080u >> 28;
}

/* Of the components of a vector that lie in a row, those that count; x, y as
 * above, of the image. */
template <int N>
__device__ __forceinline__ uint32_t
isolux_vector_counts (const IsoluxPixels &p,
                      uint32_t            inside,
                      int32_t             x,
                      int64_t             y)
{
  const uint8_t *mask;

  x -= (int32_t) p.region_x;
  y -= p.region_y;
  if (y < 0 || y >= p.region_height)
    return 0;
  inside &= isolux_inside<N> (x, p.region_width);
  if (! p.mask || inside == 0)
    return inside;
  mask = p.mask + (size_t) y * p.mask_stride + (ptrdiff_t) x;
  if (((uintptr_t) mask & 3) == 0 && inside == (1u << N) - 1u)
    {
      uint32_t bits = 0;

#pragma unroll
      for (int i = 0; i < N; i += 4)
        bits |= isolux_bytes_set (__ldg ((const uint32_t *) (mask + i))) << i;
      return bits;
    }
  for (int i = 0; i < N; i++)
    if ((inside >> i & 1) && ! __ldg (mask + i))
      inside &= ~(1u << i);
  return inside;
}

/*
 * A vector: words, the components that lie in the row, and which of them
 * count.  One at an edge is read when it is used, so that nothing has to wait
 * for the loads of the others: until then inside is LATER.
 */
template <typename T>
struct IsoluxVector
{
  static constexpr int      N = ISOLUX_VECTOR_BYTES / (int) sizeof (T);
  static constexpr uint32_t ALL = (1u << N) - 1u;
  static constexpr uint32_t LATER = UINT32_C (1) << 31;

  uint4    words;
  uint32_t inside, counts;
  uint32_t index;

  __device__ __forceinline__ void
  load_some (const T *at)
  {
    uint32_t w[4] = { 0, 0, 0, 0 };

#pragma unroll
    for (int i = 0; i < N; i++)
      if (inside >> i & 1)
        w[i * (int) sizeof (T) / 4] |= (uint32_t) at[i]
                                       << i * (int) sizeof (T) % 4 * 8;
    words = make_uint4 (w[0], w[1], w[2], w[3]);
  }

  __device__ __forceinline__ uint32_t
  code (int i) const
  {
    const uint32_t w[4] = { words.x, words.y, words.z, words.w };

    return w[i * (int) sizeof (T) / 4] >> i * (int) sizeof (T) % 4 * 8 &
           (uint32_t) (T) ~(T) 0;
  }
};

/* One thread's way along the vectors of an image.  MASKED: there is a mask, or
 * the region is not all. */
template <typename T, bool MASKED>
struct IsoluxWalker
{
  typedef IsoluxVector<T> Vector;

  const IsoluxPixels &pixels;
  const IsoluxWalk   &walk;
  uint32_t            index, column, y;

  __device__ __forceinline__
  IsoluxWalker (const IsoluxPixels &pixels,
                const IsoluxWalk   &walk,
                uint32_t            index)
      : pixels (pixels), walk (walk), index (index)
  {
    y = index / walk.columns;
    column = index - y * walk.columns;
  }

  __device__ __forceinline__ void
  advance ()
  {
    index += walk.step;
    y += walk.step_rows;
    column += walk.step_columns;
    if (column >= walk.columns)
      {
        column -= walk.columns;
        y++;
      }
  }

  __device__ __forceinline__ bool
  there () const
  {
    return index < walk.total;
  }

  /* The pixel that the vector begins with. */
  __device__ __forceinline__ int32_t
  x () const
  {
    const T *row = isolux_row<T> (pixels, y);

    return (int32_t) column * Vector::N -
           (int32_t) ((uintptr_t) row % ISOLUX_VECTOR_BYTES / sizeof (T));
  }

  /* Nothing beyond the last vector. */
  __device__ __forceinline__ Vector
  load () const
  {
    const int32_t at = x ();
    const bool    full = there () && at >= 0 && at + Vector::N <= pixels.width;
    Vector        v;

    v.words = make_uint4 (0, 0, 0, 0);
    v.inside = full ? Vector::ALL : there () ? Vector::LATER : 0;
    v.counts = v.inside;
    v.index = index;
    if (full)
      {
        v.words = *(const uint4 *) (isolux_row<T> (pixels, y) + at);
        if (MASKED)
          v.counts =
            isolux_vector_counts<Vector::N> (pixels, Vector::ALL, at, y);
      }
    return v;
  }

  /* Of a vector at an edge. */
  __device__ __forceinline__ void
  complete (Vector &v) const
  {
    if (v.inside == Vector::LATER)
      {
        const IsoluxWalker there (pixels, walk, v.index);
        const int32_t      at = there.x ();

        v.inside = isolux_inside<Vector::N> (at, pixels.width);
        v.counts =
          isolux_vector_counts<Vector::N> (pixels, v.inside, at, there.y);
        v.load_some (isolux_row<T> (pixels, there.y) + at);
      }
  }
};

/* Whether all pixels count. */
__device__ __forceinline__ bool
isolux_all_count (const IsoluxPixels &p)
{
  return ! p.mask && p.region_width == p.width && p.region_height == p.height;
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

template <typename V>
__device__ __forceinline__ V
isolux_warp_sum (V value)
{
#pragma unroll
  for (int step = 16; step > 0; step >>= 1)
    value += __shfl_xor_sync (0xffffffffu, value, step);
  return value;
}

__device__ __forceinline__ uint32_t
isolux_warp_least (uint32_t value)
{
#pragma unroll
  for (int step = 16; step > 0; step >>= 1)
    {
      const uint32_t other = __shfl_xor_sync (0xffffffffu, value, step);

      value = other < value ? other : value;
    }
  return value;
}

__device__ __forceinline__ uint32_t
isolux_warp_most (uint32_t value)
{
  return ~isolux_warp_least (~value);
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
