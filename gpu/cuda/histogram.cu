/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting.  Counters are in shared memory, 32 bits each, and are added to
 * the 64-bit counts before they can overflow.  Adding 1 costs the same
 * whatever the lanes of a warp hit, so flat images need no care.
 */
#include "kernels.h"

/* After so many tiles no counter has passed 2^31: a tile holds 1024 * 16
 * (u8) or 1024 * 8 (u16) pixels, of which a counter of u8 sees 1 / 32. */
#define ROUNDS_U8 (1 << 22)
#define ROUNDS_U16 (1 << 18)

/* The block's place, see IsoluxCountArguments. */
struct Place
{
  int64_t slice;
  int     channel, range;

  __device__ __forceinline__ explicit Place (const IsoluxCountArguments &a)
  {
    const int b = (int) blockIdx.x / a.ranges;

    range = (int) blockIdx.x % a.ranges;
    channel = b % a.plan.channels;
    slice = b / a.plan.channels;
  }
};

/* ---- Codes --------------------------------------------------------- */

template <typename Add>
__device__ __forceinline__ void
add_word (uint32_t word, uint8_t, Add add)
{
  add (word & 255u);
  add (word >> 8 & 255u);
  add (word >> 16 & 255u);
  add (word >> 24);
}

template <typename Add>
__device__ __forceinline__ void
add_word (uint32_t word, uint16_t, Add add)
{
  add (word & 65535u);
  add (word >> 16);
}

/* Counts up to rounds tiles; returns the next one. */
template <typename T, typename Add>
__device__ __forceinline__ int64_t
count_codes (const IsoluxCountArguments &a,
             int                         channel,
             int64_t                     tile,
             int                         rounds,
             Add                         add)
{
  const bool alpha = a.pixels.has_alpha && ! a.plan.ignore_alpha;
  int64_t    x, y;

  if (a.tiles.whole)
    for (; rounds > 0 && tile < a.tiles.total; rounds--, tile += a.slices)
      {
        if (! isolux_item<ISOLUX_COUNT_THREADS> (a.tiles, tile, &x, &y))
          continue;

        const IsoluxVector<T> v (a.pixels, x, y);

        if (v.full ())
          {
            const uint4 words = __ldg ((const uint4 *) v.at);

            add_word (words.x, T (), add);
            add_word (words.y, T (), add);
            add_word (words.z, T (), add);
            add_word (words.w, T (), add);
          }
        else
          for (int i = v.first; i < v.end; i++)
            add (((const T *) v.at)[i]);
      }
  else
    for (; rounds > 0 && tile < a.tiles.total; rounds--, tile += a.slices)
      {
        if (! isolux_item<ISOLUX_COUNT_THREADS> (a.tiles, tile, &x, &y))
          continue;

        const T *in = isolux_row<T> (a.pixels, y) + x * a.pixels.components;

        if (! isolux_counts (a.pixels, alpha, in, x, y))
          continue;
        if (a.plan.luma)
          add (isolux_luma_code (&a.plan.weights, in[0], in[1], in[2]));
        else
          add (in[a.plan.first_component + channel]);
      }
  return tile;
}

/* 32 copies of the counters, one a lane, so that the lanes of a warp never
 * hit the same bank twice. */
KERNEL (ISOLUX_COUNT_THREADS)
isolux_count_u8 (const IsoluxCountArguments a)
{
  __shared__ uint32_t counters[256 * 32];
  const Place         place (a);
  const int           lane = threadIdx.x & 31;
  const int           bin = threadIdx.x >> 2, part = threadIdx.x & 3;
  int64_t             tile = place.slice;
  auto                add = [&] (uint32_t code) {
    atomicAdd (&counters[code * 32 + lane], 1u);
  };

  for (int i = threadIdx.x; i < 256 * 32; i += ISOLUX_COUNT_THREADS)
    counters[i] = 0;
  __syncthreads ();
  while (tile < a.tiles.total)
    {
      uint64_t sum = 0;

      tile = count_codes<uint8_t> (a, place.channel, tile, ROUNDS_U8, add);
      __syncthreads ();
      /* four threads a bin; each starts at another bank */
      for (int i = 0; i < 8; i++)
        {
          uint32_t *counter = &counters[bin * 32 + part * 8 + ((i + bin) & 7)];

          sum += *counter;
          *counter = 0;
        }
      sum += __shfl_xor_sync (0xffffffffu, sum, 1);
      sum += __shfl_xor_sync (0xffffffffu, sum, 2);
      if (part == 0 && sum)
        atomicAdd ((unsigned long long *) &a.counts[place.channel * 256 + bin],
                   (unsigned long long) sum);
      __syncthreads ();
    }
}

/* ---- Many bins ----------------------------------------------------- */

extern __shared__ uint32_t isolux_shared[];

__device__ __forceinline__ void
clear_counters (int size)
{
  for (int i = threadIdx.x; i < size; i += ISOLUX_COUNT_THREADS)
    isolux_shared[i] = 0;
  __syncthreads ();
}

/* Adds the counters to the counts and clears them. */
__device__ __forceinline__ void
flush_counters (const IsoluxCountArguments &a, const Place &place, int size)
{
  uint64_t *counts = a.counts + (size_t) place.channel * (size_t) a.plan.bins +
                     ((size_t) place.range << a.range_shift);

  __syncthreads ();
  for (int i = threadIdx.x; i < size; i += ISOLUX_COUNT_THREADS)
    {
      const uint32_t count = isolux_shared[i];

      if (count)
        {
          atomicAdd ((unsigned long long *) &counts[i],
                     (unsigned long long) count);
          isolux_shared[i] = 0;
        }
    }
  __syncthreads ();
}

/* The bins do not fit into a block's shared memory, so that blocks side by
 * side read the same pixels, each for its range of bins. */
KERNEL (ISOLUX_COUNT_THREADS)
isolux_count_u16 (const IsoluxCountArguments a)
{
  const Place    place (a);
  const int      size = 1 << a.range_shift;
  const uint32_t range = (uint32_t) place.range;
  int64_t        tile = place.slice;
  auto           add = [&] (uint32_t code) {
    if (code >> a.range_shift == range)
      atomicAdd (&isolux_shared[code & (uint32_t) (size - 1)], 1u);
  };

  clear_counters (size);
  while (tile < a.tiles.total)
    {
      tile = count_codes<uint16_t> (a, place.channel, tile, ROUNDS_U16, add);
      flush_counters (a, place, size);
    }
}

/* ---- Floats -------------------------------------------------------- */

/* The value of a channel; false: the pixel does not count. */
__device__ __forceinline__ bool
float_value (const IsoluxCountArguments &a,
             int                         channel,
             int64_t                     x,
             int64_t                     y,
             double                     *value)
{
  const float *in = isolux_row<float> (a.pixels, y) + x * a.pixels.components;
  float        v;

  if (! isolux_counts (a.pixels, a.pixels.has_alpha && ! a.plan.ignore_alpha,
                       in, x, y))
    return false;
  if (a.plan.luma)
    {
      const float r = in[0], g = in[1], b = in[2];

      if (isolux_is_nan (r) || isolux_is_nan (g) || isolux_is_nan (b))
        return false;
      *value = isolux_luma_f32 (&a.plan.weights, r, g, b);
      return true;
    }
  v = in[a.plan.first_component + channel];
  *value = v;
  return ! isolux_is_nan (v);
}

/* The least and the largest finite value of each channel. */
KERNEL (ISOLUX_COUNT_THREADS)
isolux_measure_f32 (const IsoluxCountArguments a)
{
  __shared__ uint64_t room[32];
  const Place         place (a);
  uint64_t            least = UINT64_MAX, most = 0;
  int64_t             x, y;

  for (int64_t tile = place.slice; tile < a.tiles.total; tile += a.slices)
    {
      double v;

      if (isolux_item<ISOLUX_COUNT_THREADS> (a.tiles, tile, &x, &y) &&
          float_value (a, place.channel, x, y, &v) && isolux_is_finite (v))
        {
          const uint64_t key = isolux_key (v);

          least = key < least ? key : least;
          most = key > most ? key : most;
        }
    }
  least = isolux_reduce (least, room, IsoluxLeast ());
  most = isolux_reduce (most, room, IsoluxMost ());
  if (threadIdx.x == 0 && least <= most)
    {
      atomicMin ((unsigned long long *) &a.state->least[place.channel],
                 (unsigned long long) least);
      atomicMax ((unsigned long long *) &a.state->most[place.channel],
                 (unsigned long long) most);
    }
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_count_f32 (const IsoluxCountArguments a)
{
  const Place place (a);
  const int   size = 1 << a.range_shift;
  const int   start = place.range << a.range_shift;
  double      low = a.plan.low, high = a.plan.high, scale = 0.0;
  int64_t     tile = place.slice;

  if (! (low < high))
    {
      uint64_t least = a.state->least[place.channel];
      uint64_t most = a.state->most[place.channel];

      if (a.one_range)
        for (int c = 0; c < a.plan.channels; c++)
          {
            least = a.state->least[c] < least ? a.state->least[c] : least;
            most = a.state->most[c] > most ? a.state->most[c] : most;
          }
      low = high = 0.0;
      if (least < most)
        {
          low = isolux_value_of_key (least);
          high = isolux_value_of_key (most);
        }
    }
  if (low < high)
    scale = isolux_bin_scale (low, high, a.plan.bins);

  clear_counters (size);
  while (tile < a.tiles.total)
    {
      for (int rounds = ROUNDS_U16; rounds > 0 && tile < a.tiles.total;
           rounds--, tile += a.slices)
        {
          int64_t x, y;
          double  v;

          if (isolux_item<ISOLUX_COUNT_THREADS> (a.tiles, tile, &x, &y) &&
              float_value (a, place.channel, x, y, &v))
            {
              const int bin = (scale > 0.0
                                 ? isolux_bin_f32 (v, low, scale, a.plan.bins)
                                 : 0) -
                              start;

              if (bin >= 0 && bin < size)
                atomicAdd (&isolux_shared[bin], 1u);
            }
        }
      flush_counters (a, place, size);
    }
}
