/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting.  Gray codes have kernels of their own; the others take one pixel
 * after the other, with its mask, alpha and channels.
 *
 * Counters are in shared memory.  Those of 32 bits are added to the 64-bit
 * counts before they can overflow.  Adding 1 to one of 32 bits costs the same
 * whatever the lanes of a warp hit, so flat images need no care; 8 or 16 bits
 * in a word do.
 */
#include "packed.h"

/* After so many tiles no counter has passed 2^31: a tile holds 1024 pixels,
 * of which a counter of u8 sees 1 / 32. */
#define ROUNDS_U8 (1 << 22)
#define ROUNDS_U16 (1 << 18)

/* ---- Gray of 8 bits ------------------------------------------------------ */

/* Adds the four codes of a word to this lane's counters. */
__device__ __forceinline__ void
add_bytes (uint32_t *counters, uint32_t word)
{
  uint8_t *at = (uint8_t *) counters;

  /* a code's counters are 2^7 bytes: a shift and a mask find them */
  atomicAdd ((uint32_t *) (at + (word << 7 & 0x7f80u)), 1u);
  atomicAdd ((uint32_t *) (at + (word >> 1 & 0x7f80u)), 1u);
  atomicAdd ((uint32_t *) (at + (word >> 9 & 0x7f80u)), 1u);
  atomicAdd ((uint32_t *) (at + (word >> 17 & 0x7f80u)), 1u);
}

/* Adds 32 copies of 256 counters to the counts and clears them. */
__device__ __forceinline__ void
flush_bytes (uint32_t *counters, uint64_t *counts)
{
  const int bin = (int) threadIdx.x >> 2, part = (int) threadIdx.x & 3;
  uint64_t  sum = 0;

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
    atomicAdd ((unsigned long long *) &counts[bin], (unsigned long long) sum);
}

template <bool MASKED>
__device__ __forceinline__ void
count_gray_u8 (const IsoluxGrayCountArguments &a, uint32_t *counters)
{
  typedef IsoluxVector<uint8_t> Vector;

  uint32_t                     *own = counters + (threadIdx.x & 31);
  IsoluxWalker<uint8_t, MASKED> at (a.pixels, a.walk,
                                    blockIdx.x * ISOLUX_COUNT_THREADS +
                                      threadIdx.x);
  Vector                        v = at.load ();

  for (int i = threadIdx.x; i < 256 * 32 / 4; i += ISOLUX_COUNT_THREADS)
    ((uint4 *) counters)[i] = make_uint4 (0, 0, 0, 0);
  isolux_clear (a.clear);
  __syncthreads ();
  while (at.there ())
    {
      if (v.counts == Vector::ALL)
        {
          add_bytes (own, v.words.x);
          add_bytes (own, v.words.y);
          add_bytes (own, v.words.z);
          add_bytes (own, v.words.w);
        }
      else if (v.counts)
        {
          at.complete (v);
#pragma unroll
          for (int i = 0; i < Vector::N; i++)
            if (v.counts >> i & 1)
              atomicAdd (&own[v.code (i) * 32], 1u);
        }
      at.advance ();
      v = at.load ();
    }
}

/*
 * Reads the image once: 16.8 MB at 4096 x 4096.  32 copies of the counters,
 * one a lane, so that the lanes of a warp never hit the same bank twice.
 */
KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 2)
isolux_count_gray_u8 (const IsoluxGrayCountArguments a)
{
  __shared__ __align__ (16) uint32_t counters[256 * 32];

  isolux_let_next_start ();
  if (isolux_all_count (a.pixels))
    count_gray_u8<false> (a, counters);
  else
    count_gray_u8<true> (a, counters);
  flush_bytes (counters, a.counts);
}

/* ---- Gray of 16 bits ----------------------------------------------------- */

/* Where counters that go past their end leave what they lose. */
struct CountOverflow
{
  unsigned long long *counts;

  __device__ __forceinline__ void
  operator() (uint32_t bin, int64_t n) const
  {
    atomicAdd (&counts[bin], (unsigned long long) n);
  }
};

/* Leaves the block's counters to isolux_sum_*(). */
__device__ __forceinline__ void
leave_counters (const IsoluxGrayCountArguments &a, uint32_t words)
{
  uint4 *to = (uint4 *) (a.partial + (size_t) blockIdx.x * words);

  __syncthreads ();
  for (uint32_t i = threadIdx.x; i < words / 4; i += ISOLUX_COUNT_THREADS)
    __stcg (to + i, ((uint4 *) isolux_shared)[i]);
}

__device__ __forceinline__ void
clear_words (uint32_t words)
{
  for (uint32_t i = threadIdx.x; i < words / 4; i += ISOLUX_COUNT_THREADS)
    ((uint4 *) isolux_shared)[i] = make_uint4 (0, 0, 0, 0);
}

/* Leaves how many pixels count; all threads must call it, behind
 * leave_counters(). */
__device__ __forceinline__ void
leave_total (IsoluxZeros *zeros, uint32_t counted)
{
  uint32_t *room = isolux_shared; /* free by now */

  __syncthreads ();
  counted = isolux_warp_sum (counted);
  if ((threadIdx.x & 31) == 0)
    room[threadIdx.x >> 5] = counted;
  __syncthreads ();
  if (threadIdx.x < 32)
    {
      counted = isolux_warp_sum (room[threadIdx.x]);
      if (threadIdx.x == 0)
        atomicAdd ((unsigned long long *) &zeros->total,
                   (unsigned long long) counted);
    }
}

/*
 * Reads the image once, 33.6 MB at 4096 x 4096, and leaves a block's counters
 * for isolux_sum_*() to add: with those of 8 bits 8.7 MB on a GPU of 132
 * multiprocessors, with those of 16 bits twice that.
 */
template <int BITS, int LOADS, bool MASKED>
__device__ __forceinline__ void
count_gray_u16 (const IsoluxGrayCountArguments &a)
{
  typedef IsoluxVector<uint16_t> Vector;

  const uint32_t      first = blockIdx.x * ISOLUX_COUNT_THREADS;
  const uint32_t      from = first + (threadIdx.x & ~31u);
  const uint32_t      words = a.bins / PackedCounters<BITS>::PER_WORD;
  const uint32_t      last = a.last * 0x10001u;
  const CountOverflow overflow = { (unsigned long long *) a.overflow };
  IsoluxWalker<uint16_t, MASKED> at (a.pixels, a.walk, first + threadIdx.x);
  Crowd                          crowd = { { 0, 0 }, { 0, 0 } };
  uint32_t                       most = 0, counted = 0;
  Vector                         next[LOADS];
  /* as many for all lanes of a warp */
  uint32_t rounds = from < a.walk.total
                      ? (a.walk.total - from + a.walk.step - 1) / a.walk.step
                      : 0;

#pragma unroll
  for (int k = 0; k < LOADS; k++, at.advance ())
    next[k] = at.load ();
  clear_words (words);
  isolux_clear (a.clear);
  __syncthreads ();
  while (rounds > 0)
    {
      Vector now[LOADS];

#pragma unroll
      for (int k = 0; k < LOADS; k++, at.advance ())
        {
          now[k] = next[k];
          next[k] = at.load ();
        }
#pragma unroll
      for (int k = 0; k < LOADS; k++)
        {
          uint4 &w = now[k].words;

          at.complete (now[k]);
          counted += (uint32_t) __popc (now[k].counts);
          if (last < UINT32_MAX)
            {
              if (now[k].counts == Vector::ALL)
                most = __vmaxu2 (most, __vmaxu2 (__vmaxu2 (w.x, w.y),
                                                 __vmaxu2 (w.z, w.w)));
              else
                for (int i = 0; i < Vector::N; i++)
                  if (now[k].counts >> i & 1)
                    most = __vmaxu2 (most, now[k].code (i));
              w = make_uint4 (__vminu2 (w.x, last), __vminu2 (w.y, last),
                              __vminu2 (w.z, last), __vminu2 (w.w, last));
            }
          add_codes<BITS> (overflow, crowd, now[k]);
        }
      rounds -= rounds < LOADS ? rounds : LOADS;
    }
  leave_crowd (overflow, crowd);
  if (last < UINT32_MAX)
    {
      most = most >> 16 > (most & 0xffffu) ? most >> 16 : most & 0xffffu;
      most = isolux_warp_most (most);
      if ((threadIdx.x & 31) == 0 && most > a.last)
        atomicMax (&a.zeros->largest, most);
    }
  leave_counters (a, words);
  leave_total (a.zeros, counted);
}

template <int BITS, int LOADS>
__device__ __forceinline__ void
count_gray_u16_any (const IsoluxGrayCountArguments &a)
{
  isolux_let_next_start ();
  if (isolux_all_count (a.pixels))
    count_gray_u16<BITS, LOADS, false> (a);
  else
    count_gray_u16<BITS, LOADS, true> (a);
}

KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 1)
isolux_count_gray_u16_8 (const IsoluxGrayCountArguments a)
{
  count_gray_u16_any<8, 2> (a);
}

KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 1)
isolux_count_gray_u16_16 (const IsoluxGrayCountArguments a)
{
  count_gray_u16_any<16, 2> (a);
}

/* For few bins; two blocks hide each other's waiting. */
KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 2)
isolux_count_gray_u16_32 (const IsoluxGrayCountArguments a)
{
  count_gray_u16_any<32, 1> (a);
}

/* ---- Gray of floats ------------------------------------------------------ */

/* The least and the largest finite value.  Reads the image once. */
KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 2)
isolux_measure_gray_f32 (const IsoluxGrayCountArguments a)
{
  __shared__ uint64_t          room[32];
  IsoluxWalker<uint32_t, true> at (a.pixels, a.walk,
                                   blockIdx.x * ISOLUX_COUNT_THREADS +
                                     threadIdx.x);
  float                        least = FLT_MAX, most = -FLT_MAX;
  bool                         any = false;

  isolux_let_next_start ();
  isolux_clear (a.clear);
  for (; at.there (); at.advance ())
    {
      IsoluxVector<uint32_t> v = at.load ();

      at.complete (v);

#pragma unroll
      for (int i = 0; i < v.N; i++)
        {
          const float value = __uint_as_float (v.code (i));

          if ((v.counts >> i & 1) && isolux_is_finite (value))
            {
              any = true;
              least = value < least ? value : least;
              most = value > most ? value : most;
            }
        }
    }

  const uint64_t low =
    isolux_reduce (any ? isolux_key (least) : UINT64_MAX, room, IsoluxLeast ());
  const uint64_t high =
    isolux_reduce (any ? isolux_key (most) : 0, room, IsoluxMost ());

  if (threadIdx.x == 0 && low <= high)
    {
      atomicMax ((unsigned long long *) &a.zeros->least[0],
                 (unsigned long long) ~low);
      atomicMax ((unsigned long long *) &a.zeros->most[0],
                 (unsigned long long) high);
    }
}

/* Reads the image once, behind the range of its values; else as
 * count_gray_u16(). */
template <int BITS>
__device__ __forceinline__ void
count_gray_f32 (const IsoluxGrayCountArguments &a)
{
  typedef IsoluxVector<uint32_t> Vector;

  const uint32_t               first = blockIdx.x * ISOLUX_COUNT_THREADS;
  const uint32_t               from = first + (threadIdx.x & ~31u);
  const uint32_t               words = a.bins / PackedCounters<BITS>::PER_WORD;
  const CountOverflow          overflow = { (unsigned long long *) a.overflow };
  IsoluxWalker<uint32_t, true> at (a.pixels, a.walk, first + threadIdx.x);
  Crowd                        crowd = { { 0, 0 }, { 0, 0 } };
  uint32_t                     counted = 0;
  Vector                       next = at.load ();
  double                       low = a.low, high = a.high, scale = 0.0;
  uint32_t                     rounds = 0;

  if (from < a.walk.total)
    rounds = (a.walk.total - from + a.walk.step - 1) / a.walk.step;
  isolux_let_next_start ();
  clear_words (words);
  isolux_clear (a.clear);
  isolux_wait_for_previous ();
  if (! (low < high))
    {
      low = isolux_value_of_key (~a.zeros->least[0]);
      high = isolux_value_of_key (a.zeros->most[0]);
      if (! (~a.zeros->least[0] < a.zeros->most[0]))
        low = high = 0.0;
    }
  if (low < high)
    scale = isolux_bin_scale (low, high, (int) a.bins);
  __syncthreads ();
  for (; rounds > 0; rounds--)
    {
      Vector   now = next;
      uint32_t bins[4];

      at.advance ();
      next = at.load ();
      at.complete (now);
#pragma unroll
      for (int i = 0; i < 4; i++)
        {
          const float value = __uint_as_float (now.code (i));

          if (isolux_is_nan (value))
            now.counts &= ~(1u << i);
          bins[i] = scale > 0.0 ? (uint32_t) isolux_bin_f32 (value, low, scale,
                                                             (int) a.bins)
                                : 0;
        }
      counted += (uint32_t) __popc (now.counts);
      if (__all_sync (0xffffffffu, now.counts == now.ALL))
        {
          if (is_crowded (bins[0]))
            add_crowded<BITS> (overflow, crowd,
                               make_uint4 (bins[0] | bins[1] << 16,
                                           bins[2] | bins[3] << 16, 0, 0),
                               0xc000c000u);
          else
            PackedCounters<BITS>::add_all (isolux_shared, bins, overflow);
        }
      else
#pragma unroll
        for (int i = 0; i < 4; i++)
          if (now.counts >> i & 1)
            PackedCounters<BITS>::add (isolux_shared, bins[i], overflow);
    }
  leave_crowd (overflow, crowd);
  leave_counters (a, words);
  leave_total (a.zeros, counted);
}

KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 1)
isolux_count_gray_f32_8 (const IsoluxGrayCountArguments a)
{
  count_gray_f32<8> (a);
}

KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 1)
isolux_count_gray_f32_16 (const IsoluxGrayCountArguments a)
{
  count_gray_f32<16> (a);
}

/* ---- The counters of all blocks ------------------------------------------ */

/* How many counters of BITS bits a vector of 16 bytes has, and how many words
 * their sums take: those of 8 bits are added in halves of words. */
template <int BITS>
struct SumShape
{
  static constexpr int COUNTERS = 128 / BITS;
  static constexpr int WORDS = BITS == 8 ? COUNTERS / 2 : COUNTERS;
};

/* Adds to sums the counters in a vector. */
template <int BITS>
__device__ __forceinline__ void
sum_vector (uint32_t *sums, uint4 v)
{
  const uint32_t w[4] = { v.x, v.y, v.z, v.w };

#pragma unroll
  for (int i = 0; i < 4; i++)
    if constexpr (BITS == 32)
      sums[i] += w[i];
    else if constexpr (BITS == 16)
      {
        sums[2 * i] += w[i] & 0xffffu;
        sums[2 * i + 1] += w[i] >> 16;
      }
    else
      {
        sums[2 * i] += w[i] & 0xff00ffu;
        sums[2 * i + 1] += w[i] >> 8 & 0xff00ffu;
      }
}

/* The sum of a bin among those of a row that sum_vector() has made. */
template <int BITS>
__device__ __forceinline__ uint32_t
sum_of_bin (const uint32_t *sums, uint32_t bin)
{
  if constexpr (BITS > 8)
    return sums[bin];
  return sums[(bin >> 2) * 2 + (bin & 1)] >> (bin & 2) * 8 & 0xffffu;
}

/* What lies before the first bin of this block, from what those before have
 * published; first: the count of the first bin that is not empty, 0 while
 * there is none. */
__device__ __forceinline__ uint64_t
sum_of_blocks_before (const IsoluxZeros *zeros, uint64_t *room, uint64_t *first)
{
  constexpr int WARPS = ISOLUX_SUM_BLOCKS / 32;
  uint64_t      sum = 0, count = 0;

  if (threadIdx.x < ISOLUX_SUM_BLOCKS)
    {
      uint32_t there;

      if (threadIdx.x < blockIdx.x)
        {
          sum = isolux_await (&zeros->sums[threadIdx.x][0]) >> 1;
          count = isolux_await (&zeros->sums[threadIdx.x][1]) >> 1;
        }
      there = __ballot_sync (0xffffffffu, count != 0);
      count =
        __shfl_sync (0xffffffffu, count, there ? __ffs ((int) there) - 1 : 0);
      sum = isolux_warp_sum (sum);
      if ((threadIdx.x & 31) == 0)
        {
          room[threadIdx.x >> 5] = sum;
          room[WARPS + (threadIdx.x >> 5)] = count;
        }
    }
  __syncthreads ();
  sum = *first = 0;
  for (int i = 0; i < WARPS; i++)
    {
      sum += room[i];
      *first = *first ? *first : room[WARPS + i];
    }
  __syncthreads ();
  return sum;
}

__device__ __forceinline__ void
write_entry (const IsoluxSumArguments &a,
             const IsoluxTerms        &terms,
             uint64_t                  sum,
             uint32_t                  bin)
{
  if (a.real)
    ((float *) a.entries)[bin] = isolux_entry_f32 (&terms, sum, (int) bin);
  else
    ((uint16_t *) a.entries)[bin] = isolux_entry_u16 (&terms, sum, (int) bin);
}

__device__ __forceinline__ void
write_table (const IsoluxSumArguments &a, bool identity)
{
  const uint64_t least = ~a.zeros->least[0], most = a.zeros->most[0];

  a.tables->bins[0] = (int32_t) a.bins;
  a.tables->identity[0] = identity;
  if (a.mail)
    a.mail[0] = identity;
  a.tables->low[0] = a.tables->scale[0] = 0.0;
  if (a.real && least < most)
    {
      const double low = isolux_value_of_key (least);

      a.tables->low[0] = low;
      a.tables->scale[0] =
        isolux_bin_scale (low, isolux_value_of_key (most), (int) a.bins);
    }
}

/*
 * The entries of this block's bins, one a thread, from their counts: what
 * isolux_equalize_table() does where nothing is cut off.  An entry needs what
 * lies before it alone, and the number of pixels.
 */
__device__ __forceinline__ void
write_entries (const IsoluxSumArguments &a, uint64_t count, uint64_t *room)
{
  const uint32_t bin = blockIdx.x * a.each + threadIdx.x;
  const uint64_t total = a.zeros->total;
  uint64_t       sum = isolux_sum_before (count, room), first, own_first;
  uint32_t       there = __ballot_sync (0xffffffffu, count != 0);
  IsoluxTerms    terms;

  if ((threadIdx.x & 31) == 0 && there)
    atomicMax (&a.zeros->largest, bin + 31 - (uint32_t) __clz ((int) there));
  if (threadIdx.x == 0)
    room[0] = 0;
  __syncthreads ();
  if (count && sum == 0)
    room[0] = count; /* one thread: that of the first bin */
  __syncthreads ();
  own_first = room[0];
  if (threadIdx.x == a.each - 1)
    {
      isolux_publish (&a.zeros->sums[blockIdx.x][0], (sum + count) << 1 | 1);
      isolux_publish (&a.zeros->sums[blockIdx.x][1], own_first << 1 | 1);
    }
  __syncthreads ();
  sum += sum_of_blocks_before (a.zeros, room, &first) + count;
  if (first == 0)
    {
      first = own_first;
      if (threadIdx.x == 0 && (first || (total == 0 && blockIdx.x == 0)))
        write_table (a, first == total);
    }
  if (threadIdx.x >= a.each)
    return;
  terms = isolux_terms (total, (int) a.bins, 0, first, UINT64_MAX,
                        total << ISOLUX_FIXED_SHIFT, 0, 0.0);
  /* up to the first bin that is not empty the sum is not above its count */
  terms.first = sum > first ? -1 : ISOLUX_BINS;
  write_entry (a, terms, sum, bin);
}

/* Reads what the counting blocks left, a row a block, and clears the
 * overflow. */
template <int BITS>
__device__ __forceinline__ void
sum_counters (const IsoluxSumArguments &a)
{
  typedef SumShape<BITS> Shape;

  __shared__ __align__ (16) uint32_t parts[8192];
  __shared__ uint64_t                room[32];
  const uint32_t lanes = a.each / Shape::COUNTERS; /* that read a row */
  const uint32_t groups = ISOLUX_COUNT_THREADS / lanes;
  const uint32_t lane = threadIdx.x & (lanes - 1), group = threadIdx.x / lanes;
  const uint32_t row_vectors = a.bins / Shape::COUNTERS;
  const uint32_t row_words = lanes * Shape::WORDS;
  const uint4   *from = (const uint4 *) a.partial + blockIdx.x * lanes + lane;
  uint32_t       sums[Shape::WORDS];
  uint64_t       count = 0;

  isolux_let_next_start ();
  isolux_wait_for_previous ();
#pragma unroll
  for (int i = 0; i < Shape::WORDS; i++)
    sums[i] = 0;
#pragma unroll 4
  for (uint32_t row = group; row < a.rows; row += groups)
    sum_vector<BITS> (sums, __ldcg (from + (size_t) row * row_vectors));
#pragma unroll
  for (int i = 0; i < Shape::WORDS; i += 4)
    *(uint4 *) (parts + group * row_words + lane * Shape::WORDS + i) =
      make_uint4 (sums[i], sums[i + 1], sums[i + 2], sums[i + 3]);
  __syncthreads ();
  if (threadIdx.x < a.each)
    {
      uint64_t *overflow = a.overflow + blockIdx.x * a.each + threadIdx.x;

      for (uint32_t i = 0; i < groups; i++)
        count += sum_of_bin<BITS> (parts + i * row_words, threadIdx.x);
      if (BITS < 32 && *overflow)
        {
          count += *overflow;
          *overflow = 0;
        }
      a.counts[blockIdx.x * a.each + threadIdx.x] = count;
    }
  if (a.entries)
    write_entries (a, count, room);
  else if (a.mail && blockIdx.x == 0 && threadIdx.x == 0)
    a.mail[0] = a.zeros->largest;
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_sum_8 (const IsoluxSumArguments a)
{
  sum_counters<8> (a);
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_sum_16 (const IsoluxSumArguments a)
{
  sum_counters<16> (a);
}

KERNEL (ISOLUX_COUNT_THREADS)
isolux_sum_32 (const IsoluxSumArguments a)
{
  sum_counters<32> (a);
}

/* ---- Any codes ----------------------------------------------------------- */

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

KERNEL (ISOLUX_COUNT_THREADS)
isolux_count_u8 (const IsoluxCountArguments a)
{
  __shared__ uint32_t counters[256 * 32];
  const Place         place (a);
  const int           lane = threadIdx.x & 31;
  int64_t             tile = place.slice;
  auto                add = [&] (uint32_t code) {
    atomicAdd (&counters[code * 32 + lane], 1u);
  };

  isolux_clear (a.clear);
  for (int i = threadIdx.x; i < 256 * 32; i += ISOLUX_COUNT_THREADS)
    counters[i] = 0;
  __syncthreads ();
  while (tile < a.tiles.total)
    {
      tile = count_codes<uint8_t> (a, place.channel, tile, ROUNDS_U8, add);
      flush_bytes (counters, a.counts + place.channel * 256);
      __syncthreads ();
    }
}

/* ---- Many bins ----------------------------------------------------- */

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

  isolux_clear (a.clear);
  clear_counters (size);
  while (tile < a.tiles.total)
    {
      tile = count_codes<uint16_t> (a, place.channel, tile, ROUNDS_U16, add);
      flush_counters (a, place, size);
    }
}

/* ---- Any floats ---------------------------------------------------------- */

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

  isolux_clear (a.clear);
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
      atomicMax ((unsigned long long *) &a.zeros->least[place.channel],
                 (unsigned long long) ~least);
      atomicMax ((unsigned long long *) &a.zeros->most[place.channel],
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
      uint64_t least = ~a.zeros->least[place.channel];
      uint64_t most = a.zeros->most[place.channel];

      if (a.one_range)
        for (int c = 0; c < a.plan.channels; c++)
          {
            least = ~a.zeros->least[c] < least ? ~a.zeros->least[c] : least;
            most = a.zeros->most[c] > most ? a.zeros->most[c] : most;
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
