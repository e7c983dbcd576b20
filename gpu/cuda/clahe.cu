/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CLAHE: a range of values, where one is needed; for some tiles at a time
 * their counts and from them their tables; last each pixel from the tables
 * of the four tiles around it.  All sums are of integers, so that their
 * order does not matter.
 */
#include "kernels.h"

/* ---- What counts -------------------------------------------------------- */

/* Whether a pixel counts, but for its values being numbers; x, y of the
 * image. */
template <typename T>
__device__ __forceinline__ bool
clahe_takes (const IsoluxClaheArguments &a, const T *in, int64_t x, int64_t y)
{
  const IsoluxPixels &p = a.source;

  x -= p.region_x;
  y -= p.region_y;
  if (x < 0 || x >= p.region_width || y < 0 || y >= p.region_height ||
      ! isolux_counts (p, p.has_alpha != 0, in, x, y))
    return false;
  if (! a.plan.padding)
    return true;
  for (int c = 0; c < p.colors; c++)
    if (sizeof (T) == 4 ? (float) in[c] != a.plan.padding_value
                        : (uint32_t) in[c] != a.plan.padding_code)
      return true;
  return false;
}

template <typename T>
__device__ __forceinline__ uint32_t
clahe_code (const IsoluxClaheArguments &a, const T *in, int channel)
{
  return a.plan.luma ? isolux_luma_code (&a.plan.weights, in[0], in[1], in[2])
                     : (uint32_t) in[channel];
}

/* false: not a number */
__device__ __forceinline__ bool
clahe_value (const IsoluxClaheArguments &a,
             const float                *in,
             int                         channel,
             double                     *value)
{
  if (a.plan.luma)
    {
      if (isolux_is_nan (in[0]) || isolux_is_nan (in[1]) ||
          isolux_is_nan (in[2]))
        return false;
      *value = isolux_luma_f32 (&a.plan.weights, in[0], in[1], in[2]);
      return true;
    }
  *value = in[channel];
  return ! isolux_is_nan (in[channel]);
}

/* ---- The range of values ------------------------------------------------ */

/* Keys: the codes, or isolux_key(). */
template <typename T>
__device__ __forceinline__ bool
clahe_key (const IsoluxClaheArguments &a,
           const T                    *in,
           int                         channel,
           uint64_t                   *key)
{
  if constexpr (sizeof (T) == 4)
    {
      double v;

      if (! clahe_value (a, in, channel, &v) || ! isolux_is_finite (v))
        return false;
      *key = isolux_key (v);
    }
  else
    *key = clahe_code (a, in, channel);
  return true;
}

/* The tiles are those of the region.  u16: notes the codes that occur, too,
 * a bit each. */
template <typename T>
__device__ __forceinline__ void
clahe_measure (const IsoluxClaheArguments &a)
{
  __shared__ uint64_t room[32];
  __shared__ uint32_t seen[sizeof (T) == 4 ? 1 : ISOLUX_BINS / 32];
  uint64_t            least[3] = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
  uint64_t            most[3] = { 0, 0, 0 };
  uint64_t            noted = UINT64_MAX; /* flat areas need it but once */

  isolux_clear (a.clear);
  if constexpr (sizeof (T) < 4)
    {
      for (int i = (int) threadIdx.x; i < ISOLUX_BINS / 32;
           i += ISOLUX_COUNT_THREADS)
        seen[i] = 0;
      __syncthreads ();
    }
  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t  x, y;
      const T *in;

      if (! isolux_item<ISOLUX_COUNT_THREADS> (a.tiles, tile, &x, &y))
        continue;
      x += a.source.region_x;
      y += a.source.region_y;
      in = isolux_row<T> (a.source, y) + x * a.source.components;
      if (! clahe_takes (a, in, x, y))
        continue;
#pragma unroll
      for (int c = 0; c < 3; c++)
        {
          uint64_t key;

          if (c < a.channels && clahe_key (a, in, c, &key))
            {
              least[c] = key < least[c] ? key : least[c];
              most[c] = key > most[c] ? key : most[c];
              if constexpr (sizeof (T) < 4)
                if (key != noted)
                  {
                    atomicOr (&seen[key >> 5], 1u << (key & 31));
                    noted = key;
                  }
            }
        }
    }
  if constexpr (sizeof (T) < 4)
    {
      __syncthreads ();
      for (int i = (int) threadIdx.x; i < ISOLUX_BINS / 32;
           i += ISOLUX_COUNT_THREADS)
        if (seen[i])
          atomicOr (&a.seen[i], seen[i]);
    }
#pragma unroll
  for (int c = 0; c < 3; c++)
    if (c < a.channels)
      {
        const uint64_t low = isolux_reduce (least[c], room, IsoluxLeast ());
        const uint64_t high = isolux_reduce (most[c], room, IsoluxMost ());

        if (threadIdx.x == 0 && low <= high)
          {
            atomicMax ((unsigned long long *) &a.zeros->least[c],
                       (unsigned long long) ~low);
            atomicMax ((unsigned long long *) &a.zeros->most[c],
                       (unsigned long long) high);
          }
      }
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_clahe_measure_u16 (const IsoluxClaheArguments a)
{
  clahe_measure<uint16_t> (a);
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_clahe_measure_f32 (const IsoluxClaheArguments a)
{
  clahe_measure<float> (a);
}

/* What follows from it for a channel. */
struct ClaheRange
{
  int    bits, bins, shift;
  bool   identity; /* where nothing is measured, known after counting */
  double low, scale;

  __device__ __forceinline__
  ClaheRange (const IsoluxClaheArguments &a, int channel)
  {
    const uint64_t least = ~a.zeros->least[channel];
    const uint64_t most = a.zeros->most[channel];

    bits = a.source.type == ISOLUX_PLAN_U8 ? 8 : 16;
    bins = a.plan.most_bins;
    shift = 0;
    low = scale = 0.0;
    identity = least > most ||
               (least == most && (a.plan.measured || ! a.plan.opencv));
    if (! a.plan.measured)
      return;
    if (a.source.type == ISOLUX_PLAN_U16)
      {
        bits = a.source.bits;
        if (bits == 0)
          {
            uint64_t largest = 0;

            for (int c = 0; c < a.channels; c++)
              largest = a.zeros->most[c] > largest ? a.zeros->most[c] : largest;
            bits = isolux_significant_bits ((uint32_t) largest);
          }
        bins = bins < 1 << bits ? bins : 1 << bits;
        shift = isolux_bin_shift (bits, bins);
      }
    else if (! identity)
      {
        low = isolux_value_of_key (least);
        scale = isolux_bin_scale (low, isolux_value_of_key (most), bins);
      }
  }
};

/*
 * Where a bin holds several codes, the share of each of them; a thread has
 * one code.  Codes beyond the significant bits occur as the last one.
 */
KERNEL (ISOLUX_COUNT_THREADS)
isolux_clahe_shares (const IsoluxClaheArguments a)
{
  const ClaheRange range (a, 0);
  const uint32_t   code = blockIdx.x * ISOLUX_COUNT_THREADS + threadIdx.x;
  const uint32_t   last = (1u << range.bits) - 1u;
  const uint32_t   start = code >> range.shift << range.shift;
  uint32_t         least = UINT32_MAX, most = 0, largest = 0;

  if (range.shift == 0 || code > last)
    return;
  for (int c = 0; c < a.channels; c++)
    largest = a.zeros->most[c] > largest ? (uint32_t) a.zeros->most[c]
                                         : largest;
  for (uint32_t k = start; k < start + (1u << range.shift); k++)
    {
      bool there = (a.seen[k >> 5] >> (k & 31) & 1u) != 0;

      if (k == last)
        for (uint32_t beyond = last; ! there && beyond <= largest; beyond++)
          there = (a.seen[beyond >> 5] >> (beyond & 31) & 1u) != 0;
      if (there)
        {
          least = k < least ? k : least;
          most = k;
        }
    }
  a.shares[code] = code >= least && code <= most
                     ? isolux_code_share (code, least, most)
                     : 0.0f;
}

/* ---- Rows in vectors ---------------------------------------------------- */

/* Of n components, those that lie in whole vectors of 16 bytes together, the
 * others one by one; as the lane-th of across threads. */
template <typename T, typename Full, typename Single>
__device__ __forceinline__ void
clahe_vectors (const T *row,
               int64_t  n,
               int      lane,
               int      across,
               Full     full,
               Single   single)
{
  constexpr int N = ISOLUX_VECTOR_BYTES / (int) sizeof (T);
  const int lead = (int) ((uintptr_t) row % ISOLUX_VECTOR_BYTES / sizeof (T));

  for (int64_t start = (int64_t) lane * N - lead; start < n;
       start += (int64_t) across * N)
    if (start >= 0 && start + N <= n)
      full (start);
    else
      for (int i = 0; i < N; i++)
        if (start + i >= 0 && start + i < n)
          single (start + i);
}

template <typename Add>
__device__ __forceinline__ void
clahe_add_word (uint32_t word, uint8_t, Add add)
{
  add (word & 255u);
  add (word >> 8 & 255u);
  add (word >> 16 & 255u);
  add (word >> 24);
}

template <typename Add>
__device__ __forceinline__ void
clahe_add_word (uint32_t word, uint16_t, Add add)
{
  add (word & 65535u);
  add (word >> 16);
}

/* ---- Counting ----------------------------------------------------------- */

/* The bins of rows r0 .. r1 - 1 of a tile, 2^shift threads a row. */
template <typename T, typename Add>
__device__ __forceinline__ void
clahe_count_rows (const IsoluxClaheArguments &a,
                  const ClaheRange           &range,
                  int                         channel,
                  int                         tile_x,
                  int                         tile_y,
                  int64_t                     r0,
                  int64_t                     r1,
                  int                         shift,
                  Add                         add)
{
  const IsoluxPixels &p = a.source;
  const IsoluxGrid   &g = a.plan.grid;
  const int           across = 1 << shift;
  const int           lane = (int) threadIdx.x & (across - 1);
  const int64_t       left = (int64_t) tile_x * g.tile_width;
  const int64_t       top = (int64_t) tile_y * g.tile_height;
  int64_t             inside = g.width - left;

  inside = inside < 0 ? 0 : inside < g.tile_width ? inside : g.tile_width;
  for (int64_t r = r0 + (int) (threadIdx.x >> shift); r < r1;
       r += blockDim.x >> shift)
    {
      const int64_t y = isolux_reflect (top + r, g.height);
      const T      *row = isolux_row<T> (p, y);
      int64_t       done = 0;

      if (y < p.region_y || y >= p.region_y + p.region_height)
        continue;
      if constexpr (sizeof (T) < 4)
        if (a.plain && inside > 0)
          {
            auto one = [&] (uint32_t code) {
              add (isolux_code_within (code, range.bits) >> range.shift);
            };

            clahe_vectors (
              row + left, inside, lane, across,
              [&] (int64_t i) {
                const uint4 words = __ldg ((const uint4 *) (row + left + i));

                clahe_add_word (words.x, T (), one);
                clahe_add_word (words.y, T (), one);
                clahe_add_word (words.z, T (), one);
                clahe_add_word (words.w, T (), one);
              },
              [&] (int64_t i) { one (row[left + i]); });
            done = inside;
          }
      for (int64_t i = done + lane; i < g.tile_width; i += across)
        {
          const int64_t x = isolux_reflect (left + i, g.width);
          const T      *in = row + x * p.components;

          if (! clahe_takes (a, in, x, y))
            continue;
          if constexpr (sizeof (T) == 4)
            {
              double v;

              if (clahe_value (a, in, channel, &v))
                add ((uint32_t) isolux_bin_f32 (v, range.low, range.scale,
                                                range.bins));
            }
          else
            add (isolux_code_within (clahe_code (a, in, channel), range.bits) >>
                 range.shift);
        }
    }
}

/* The tile and channel of a block. */
struct ClaheUnit
{
  int64_t index; /* among those that are at work */
  int     channel, tile_x, tile_y;

  __device__ __forceinline__
  ClaheUnit (const IsoluxClaheArguments &a, int64_t unit)
  {
    const int64_t number = a.first + unit;
    const int64_t tile = number / a.channels;

    index = unit;
    channel = (int) (number % a.channels);
    tile_x = (int) (tile % a.plan.grid.tiles_x);
    tile_y = (int) (tile / a.plan.grid.tiles_x);
  }

  __device__ __forceinline__ uint64_t *
  counts (const IsoluxClaheArguments &a) const
  {
    return a.counts + (size_t) index * (size_t) a.plan.most_bins;
  }
};

/*
 * A block counts a slice of a tile's rows, and of the bins those of a range
 * of 2^range_shift; blocks that read the same pixels run together.  There
 * are 2^copies_shift copies of the counters, for the lanes of a warp.
 */
template <typename T>
__device__ __forceinline__ void
clahe_count (const IsoluxClaheArguments &a)
{
  const int64_t    block = (int64_t) blockIdx.x / a.ranges;
  const uint32_t   part = (uint32_t) blockIdx.x % (uint32_t) a.ranges;
  const int64_t    slice = block % a.slices;
  const ClaheUnit  unit (a, block / a.slices);
  const ClaheRange range (a, unit.channel);
  const int64_t    height = a.plan.grid.tile_height;
  const int64_t    each = (height + a.slices - 1) / a.slices;
  const int64_t    r0 = slice * each;
  const int64_t    r1 = r0 + each < height ? r0 + each : height;
  const int        size = 1 << a.range_shift;
  const int        copies = 1 << a.copies_shift;
  const int        start = (int) (part << a.range_shift);
  const uint32_t   copy = threadIdx.x & (uint32_t) (copies - 1);

  isolux_clear (a.clear);
  /* the same for all threads */
  if ((a.plan.measured && range.identity) || start >= range.bins)
    return;

  for (int i = (int) threadIdx.x; i < size << a.copies_shift;
       i += (int) blockDim.x)
    isolux_shared[i] = 0;
  __syncthreads ();
  clahe_count_rows<
    T> (a, range, unit.channel, unit.tile_x, unit.tile_y, r0, r1, a.shift,
        [&] (uint32_t bin) {
          if (bin >> a.range_shift == part)
            atomicAdd (&isolux_shared[(bin & (uint32_t) (size - 1))
                                        << a.copies_shift |
                                      copy],
                       1u);
        });
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < size && start + i < range.bins;
       i += (int) blockDim.x)
    {
      uint64_t *count = unit.counts (a) + start + i;
      uint64_t  sum = 0;

      /* each thread starts at another bank */
      for (int k = 0; k < copies; k++)
        sum += isolux_shared[i << a.copies_shift | ((k + i) & (copies - 1))];
      if (a.slices == 1)
        *count = sum;
      else if (sum)
        atomicAdd ((unsigned long long *) count, (unsigned long long) sum);
    }
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_clahe_count_u8 (const IsoluxClaheArguments a)
{
  clahe_count<uint8_t> (a);
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_clahe_count_u16 (const IsoluxClaheArguments a)
{
  clahe_count<uint16_t> (a);
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_clahe_count_f32 (const IsoluxClaheArguments a)
{
  clahe_count<float> (a);
}

/* ---- Tables ------------------------------------------------------------- */

__device__ __forceinline__ uint64_t
clahe_warp_sum (uint64_t value)
{
  for (int step = 16; step > 0; step >>= 1)
    value += __shfl_xor_sync (0xffffffffu, value, step);
  return value;
}

/* The sum over a block of any number of warps; before: that of the warps
 * before this one.  All threads must call it. */
__device__ __forceinline__ uint64_t
clahe_block_sum (uint64_t value, uint64_t *room, uint64_t *before)
{
  const int warp = (int) threadIdx.x >> 5;
  uint64_t  total = 0;

  value = clahe_warp_sum (value);
  if ((threadIdx.x & 31) == 0)
    room[warp] = value;
  __syncthreads ();
  for (int i = 0; i < (int) blockDim.x >> 5; i++)
    {
      if (i == warp)
        *before = total;
      total += room[i];
    }
  __syncthreads ();
  return total;
}

template <typename T>
__device__ __forceinline__ void
clahe_borrow (const IsoluxClaheArguments &a,
              const ClaheRange           &range,
              const ClaheUnit            &unit)
{
  const IsoluxGrid &g = a.plan.grid;
  uint64_t         *counts = unit.counts (a);

  for (int y = unit.tile_y - 1; y <= unit.tile_y + 1; y++)
    for (int x = unit.tile_x - 1; x <= unit.tile_x + 1; x++)
      if (x >= 0 && x < g.tiles_x && y >= 0 && y < g.tiles_y)
        clahe_count_rows<T> (a, range, unit.channel, x, y, 0, g.tile_height, 5,
                             [&] (uint32_t bin) {
                               atomicAdd ((unsigned long long *) counts + bin,
                                          1ull);
                             });
}

/* One block a tile and channel; a warp has bins begin .. end - 1.  Counts
 * are read from where the atomic operations of others have put them. */
KERNEL (ISOLUX_TERMS_THREADS)
isolux_clahe_table (const IsoluxClaheArguments a)
{
  __shared__ uint64_t room[32];
  const ClaheUnit     unit (a, blockIdx.x);
  const ClaheRange    range (a, unit.channel);
  const IsoluxGrid   &g = a.plan.grid;
  const int           type = a.source.type;
  const int           lane = (int) threadIdx.x & 31;
  const int           each = range.bins / (int) (blockDim.x >> 5);
  const int           begin = (int) (threadIdx.x >> 5) * each;
  const int           end = begin + each;
  uint64_t           *counts = unit.counts (a);
  const size_t        start =
    (((size_t) unit.channel * (size_t) g.tiles_y + (size_t) unit.tile_y) *
       (size_t) g.tiles_x +
     (size_t) unit.tile_x) *
    (size_t) a.plan.most_bins;
  uint64_t        own = 0, pixels, limit, kept, before;
  uint32_t        least = UINT32_MAX, most = 0;
  IsoluxTileTerms terms;

  /* the same for all threads */
  if (a.plan.measured && range.identity)
    return;

  for (int k = begin + lane; k < end; k += 32)
    {
      const uint64_t count = __ldcg ((unsigned long long *) counts + k);

      own += count;
      if (count)
        {
          least = (uint32_t) k < least ? (uint32_t) k : least;
          most = (uint32_t) k;
        }
    }
  if (! a.plan.measured && least <= most)
    {
      atomicMax ((unsigned long long *) &a.zeros->least[unit.channel],
                 ~(unsigned long long) least);
      atomicMax ((unsigned long long *) &a.zeros->most[unit.channel],
                 (unsigned long long) most);
    }
  pixels = clahe_block_sum (own, room, &before);

  if (pixels == 0)
    {
      /* Borrows from the tiles around.  Where they have none either, no
       * pixel lies near that could need the table. */
      if (type == ISOLUX_PLAN_U8)
        clahe_borrow<uint8_t> (a, range, unit);
      else if (type == ISOLUX_PLAN_U16)
        clahe_borrow<uint16_t> (a, range, unit);
      else
        clahe_borrow<float> (a, range, unit);
      __threadfence ();
      __syncthreads ();
      for (int k = begin + lane; k < end; k += 32)
        own += __ldcg ((unsigned long long *) counts + k);
      pixels = clahe_block_sum (own, room, &before);
      if (pixels == 0)
        return;
    }

  limit =
    isolux_tile_limit (a.plan.whole, a.plan.clip_limit, pixels, range.bins);
  own = 0;
  for (int k = begin + lane; k < end; k += 32)
    own += isolux_tile_kept (a.plan.whole,
                             __ldcg ((unsigned long long *) counts + k), limit);
  kept = clahe_block_sum (own, room, &before);
  terms = isolux_tile_terms (a.plan.whole, pixels, limit, kept, range.bins,
                             type == ISOLUX_PLAN_U8    ? 255.0
                             : type == ISOLUX_PLAN_U16 ? 65535.0
                                                       : 1.0);

  for (int k = begin; k < end; k += 32)
    {
      const int bin = k + lane;
      uint64_t  sum = 0;

      if (bin < end)
        sum = isolux_tile_kept (a.plan.whole,
                                __ldcg ((unsigned long long *) counts + bin),
                                limit);
      for (int step = 1; step < 32; step <<= 1)
        {
          const uint64_t other = __shfl_up_sync (0xffffffffu, sum, step);

          if (lane >= step)
            sum += other;
        }
      sum += before;
      before = __shfl_sync (0xffffffffu, sum, 31);
      if (bin >= end)
        continue;
      sum = isolux_tile_sum (&terms, sum, bin);
      if (type == ISOLUX_PLAN_U8)
        ((uint8_t *) a.entries)[start + (size_t) bin] =
          (uint8_t) isolux_tile_code (&terms, sum, 255u);
      else if (type == ISOLUX_PLAN_U16)
        ((uint16_t *) a.entries)[start + (size_t) bin] =
          (uint16_t) isolux_tile_code (&terms, sum, 65535u);
      else
        ((float *) a.entries)[start + (size_t) bin] =
          isolux_tile_f32 (&terms, sum);
    }
}

/* ---- Applying ----------------------------------------------------------- */

/* The four tiles around a pixel. */
struct ClahePlace
{
  size_t table[4]; /* first entries, of channel 0 */
  float  x, y;     /* weights of those behind */

  __device__ __forceinline__
  ClahePlace (const IsoluxClaheArguments &a, int64_t px, int64_t py)
  {
    const IsoluxGrid   &g = a.plan.grid;
    const float         fx = isolux_place (px, g.inverse_x);
    const float         fy = isolux_place (py, g.inverse_y);
    const IsoluxBetween bx = isolux_between (fx, (int) floorf (fx), g.tiles_x);
    const IsoluxBetween by = isolux_between (fy, (int) floorf (fy), g.tiles_y);
    const size_t        bins = (size_t) a.plan.most_bins;
    const size_t        first = (size_t) by.before * (size_t) g.tiles_x;
    const size_t        second = (size_t) by.behind * (size_t) g.tiles_x;

    table[0] = (first + (size_t) bx.before) * bins;
    table[1] = (first + (size_t) bx.behind) * bins;
    table[2] = (second + (size_t) bx.before) * bins;
    table[3] = (second + (size_t) bx.behind) * bins;
    x = bx.weight;
    y = by.weight;
  }

  template <typename T>
  __device__ __forceinline__ float
  look (const IsoluxClaheArguments &a, int channel, int bin, float share) const
  {
    const T *entries = (const T *) a.entries + (size_t) channel *
                                                 (size_t) a.plan.grid.tiles_x *
                                                 (size_t) a.plan.grid.tiles_y *
                                                 (size_t) a.plan.most_bins;
    float v[4];

#pragma unroll
    for (int i = 0; i < 4; i++)
      {
        const float entry = (float) __ldg (entries + table[i] + bin);

        v[i] =
          share == 1.0f
            ? entry
            : isolux_share (bin ? (float) __ldg (entries + table[i] + bin - 1)
                                : 0.0f,
                            entry, share);
      }
    return isolux_blend (v[0], v[1], v[2], v[3], x, y);
  }
};

template <typename T>
__device__ __forceinline__ void
clahe_apply_codes (const IsoluxClaheArguments &a)
{
  const uint32_t   maximum = (uint32_t) (T) ~(T) 0;
  const int        n = a.source.components;
  const int        last = a.channels - 1;
  const ClaheRange range[3] = { { a, 0 },
                                { a, last < 1 ? last : 1 },
                                { a, last } };

  if (a.source.data == a.destination.data && range[0].identity &&
      range[1].identity && range[2].identity)
    return;
  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (! isolux_item<ISOLUX_APPLY_THREADS> (a.tiles, tile, &x, &y))
        continue;

      const T   *in = isolux_row<T> (a.source, y) + x * n;
      T         *out = (T *) isolux_row<T> (a.destination, y) + x * n;
      const bool change = clahe_takes (a, in, x, y);
      int32_t    v[4];

      if (! change && in == out)
        continue;
#pragma unroll
      for (int c = 0; c < 4; c++)
        v[c] = c < n ? in[c] : 0;
      if (change)
        {
          const ClahePlace place (a, x, y);
          auto look = [&] (const ClaheRange &r, int c, uint32_t code) {
            code = isolux_code_within (code, r.bits);
            return (int32_t)
              isolux_blend_code (place.look<T> (a, c, (int) (code >> r.shift),
                                                r.shift
                                                  ? __ldg (a.shares + code)
                                                  : 1.0f),
                                 maximum);
          };

          if (a.plan.luma)
            {
              if (! range[0].identity)
                {
                  const int32_t  from[3] = { v[0], v[1], v[2] };
                  const uint32_t code = clahe_code (a, in, 0);

                  isolux_move_luma_code (from, (int32_t) code,
                                         look (range[0], 0, code),
                                         (int32_t) maximum, v);
                }
            }
          else
#pragma unroll
            for (int c = 0; c < 3; c++)
              if (c < a.channels && ! range[c].identity)
                v[c] = look (range[c], c, (uint32_t) v[c]);
        }
#pragma unroll
      for (int c = 0; c < 4; c++)
        if (c < n)
          out[c] = (T) v[c];
    }
}

KERNEL (ISOLUX_APPLY_THREADS)
isolux_clahe_apply_u8 (const IsoluxClaheArguments a)
{
  clahe_apply_codes<uint8_t> (a);
}

KERNEL (ISOLUX_APPLY_THREADS)
isolux_clahe_apply_u16 (const IsoluxClaheArguments a)
{
  clahe_apply_codes<uint16_t> (a);
}

KERNEL (ISOLUX_APPLY_THREADS)
isolux_clahe_apply_f32 (const IsoluxClaheArguments a)
{
  const int        n = a.source.components;
  const int        last = a.channels - 1;
  const ClaheRange range[3] = { { a, 0 },
                                { a, last < 1 ? last : 1 },
                                { a, last } };

  if (a.source.data == a.destination.data && range[0].identity &&
      range[1].identity && range[2].identity)
    return;
  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (! isolux_item<ISOLUX_APPLY_THREADS> (a.tiles, tile, &x, &y))
        continue;

      const float *in = isolux_row<float> (a.source, y) + x * n;
      float       *out = (float *) isolux_row<float> (a.destination, y) + x * n;
      const bool   change = clahe_takes (a, in, x, y);
      float        v[4];

      if (! change && in == out)
        continue;
#pragma unroll
      for (int c = 0; c < 4; c++)
        v[c] = c < n ? in[c] : 0.0f;
      if (change)
        {
          const ClahePlace place (a, x, y);
          auto look = [&] (const ClaheRange &r, int c, double value) {
            int   bin;
            float share;

            isolux_value_share (value, r.low, r.scale, r.bins, &bin, &share);
            return isolux_blend_f32 (place.look<float> (a, c, bin, share));
          };
          double value;

          if (a.plan.luma)
            {
              if (! range[0].identity && clahe_value (a, in, 0, &value))
                {
                  const float from[3] = { v[0], v[1], v[2] };

                  isolux_move_luma_f32 (from,
                                        isolux_luma_finite (&a.plan.weights,
                                                            v[0], v[1], v[2]),
                                        look (range[0], 0, value), v);
                }
            }
          else
#pragma unroll
            for (int c = 0; c < 3; c++)
              if (c < a.channels && ! range[c].identity &&
                  ! isolux_is_nan (v[c]))
                v[c] = look (range[c], c, v[c]);
        }
#pragma unroll
      for (int c = 0; c < 4; c++)
        if (c < n)
          out[c] = v[c];
    }
}

/*
 * Gray of 8 bits, all of which counts.  A block has a part of the rows of a
 * cell, whose pixels lie between the same four middles: one word a code
 * holds the entries of all four.
 */
KERNEL (ISOLUX_APPLY_THREADS)
isolux_clahe_gray_u8 (const IsoluxClaheArguments a)
{
  __shared__ uint32_t table[256];
  __shared__ int64_t  edges[4];
  const IsoluxGrid   &g = a.plan.grid;
  const ClaheRange    range (a, 0);
  const int           cell_x = (int) (blockIdx.x % (uint32_t) (g.tiles_x + 1));
  const int64_t       block = blockIdx.x / (uint32_t) (g.tiles_x + 1);
  const int           cell_y = (int) (block % (g.tiles_y + 1));
  const int64_t       part = block / (g.tiles_y + 1);
  const IsoluxBetween bx = isolux_between (0.0f, cell_x - 1, g.tiles_x);
  const IsoluxBetween by = isolux_between (0.0f, cell_y - 1, g.tiles_y);
  const uint8_t      *entries = (const uint8_t *) a.entries;
  const size_t        first = (size_t) by.before * (size_t) g.tiles_x;
  const size_t        second = (size_t) by.behind * (size_t) g.tiles_x;
  const int           across = 1 << a.shift;
  const int           lane = (int) threadIdx.x & (across - 1);

  if (a.source.data == a.destination.data && range.identity)
    return;
  if (threadIdx.x < 2)
    edges[threadIdx.x] = isolux_cell_begin (cell_x + (int) threadIdx.x,
                                            g.tiles_x, g.inverse_x,
                                            g.tile_width, g.width);
  else if (threadIdx.x < 4)
    edges[threadIdx.x] = isolux_cell_begin (cell_y + (int) threadIdx.x - 2,
                                            g.tiles_y, g.inverse_y,
                                            g.tile_height, g.height);
  for (uint32_t i = threadIdx.x; i < 256; i += ISOLUX_APPLY_THREADS)
    table[i] =
      range.identity
        ? i * 0x01010101u
        : (uint32_t) __ldg (entries + (first + (size_t) bx.before) * 256 + i) |
            (uint32_t) __ldg (entries + (first + (size_t) bx.behind) * 256 + i)
              << 8 |
            (uint32_t) __ldg (entries + (second + (size_t) bx.before) * 256 + i)
              << 16 |
            (uint32_t) __ldg (entries + (second + (size_t) bx.behind) * 256 + i)
              << 24;
  __syncthreads ();

  const int64_t x0 = edges[0], n = edges[1] - x0;
  const int64_t rows = edges[3] - edges[2];
  const int64_t each = (rows + a.slices - 1) / a.slices;
  const int64_t y0 = edges[2] + part * each;
  const int64_t y1 = y0 + each < edges[3] ? y0 + each : edges[3];

  for (int64_t y = y0 + (int) (threadIdx.x >> a.shift); y < y1;
       y += ISOLUX_APPLY_THREADS >> a.shift)
    {
      const uint8_t *in = isolux_row<uint8_t> (a.source, y) + x0;
      uint8_t    *out = (uint8_t *) isolux_row<uint8_t> (a.destination, y) + x0;
      const float weight_y = isolux_place (y, g.inverse_y) -
                             (float) (cell_y - 1);
      auto look = [&] (int64_t i, uint32_t code) -> uint32_t {
        const uint32_t word = table[code];
        const float    weight = isolux_place (x0 + i, g.inverse_x) -
                             (float) (cell_x - 1);

        return isolux_blend_code (isolux_blend ((float) (word & 255u),
                                                (float) (word >> 8 & 255u),
                                                (float) (word >> 16 & 255u),
                                                (float) (word >> 24), weight,
                                                weight_y),
                                  255u);
      };
      auto look_word = [&] (int64_t i, uint32_t word) -> uint32_t {
        return look (i, word & 255u) | look (i + 1, word >> 8 & 255u) << 8 |
               look (i + 2, word >> 16 & 255u) << 16 |
               look (i + 3, word >> 24) << 24;
      };

      clahe_vectors (
        in, n, lane, across,
        [&] (int64_t i) {
          uint4 words = *(const uint4 *) (in + i);

          words.x = look_word (i, words.x);
          words.y = look_word (i + 4, words.y);
          words.z = look_word (i + 8, words.z);
          words.w = look_word (i + 12, words.w);
          *(uint4 *) (out + i) = words;
        },
        [&] (int64_t i) { out[i] = (uint8_t) look (i, in[i]); });
    }
}
