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

/* ---- Gray codes ---------------------------------------------------------- */

/* Two bytes, or two halves of words, of a mask with a bit for each. */
__device__ __forceinline__ uint32_t
bytes_of_bits (uint32_t bits)
{
  return ((bits & 15u) * 0x00204081u & 0x01010101u) * 0xffu;
}

__device__ __forceinline__ uint32_t
halves_of_bits (uint32_t bits)
{
  return ((bits & 3u) * 0x8001u & 0x10001u) * 0xffffu;
}

/* A vector's words after look () of each code; those that do not count stay.
 */
template <typename Look>
__device__ __forceinline__ uint4
look_vector (const IsoluxVector<uint8_t> &v, Look look)
{
  const uint32_t in[4] = { v.words.x, v.words.y, v.words.z, v.words.w };
  uint32_t       out[4];

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      out[i] = __byte_perm (__byte_perm (look (in[i] & 255u),
                                         look (in[i] >> 8 & 255u), 0x0040),
                            __byte_perm (look (in[i] >> 16 & 255u),
                                         look (in[i] >> 24), 0x0040),
                            0x5410);
      if (v.counts != v.ALL)
        {
          const uint32_t changed = bytes_of_bits (v.counts >> 4 * i);

          out[i] = (out[i] & changed) | (in[i] & ~changed);
        }
    }
  return make_uint4 (out[0], out[1], out[2], out[3]);
}

template <typename Look>
__device__ __forceinline__ uint4
look_vector (const IsoluxVector<uint16_t> &v, Look look)
{
  const uint32_t in[4] = { v.words.x, v.words.y, v.words.z, v.words.w };
  uint32_t       out[4];

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      out[i] = __byte_perm (look (in[i] & 0xffffu), look (in[i] >> 16), 0x5410);
      if (v.counts != v.ALL)
        {
          const uint32_t changed = halves_of_bits (v.counts >> 2 * i);

          out[i] = (out[i] & changed) | (in[i] & ~changed);
        }
    }
  return make_uint4 (out[0], out[1], out[2], out[3]);
}

/* Writes what lies in the row. */
template <typename T>
__device__ __forceinline__ void
store_vector (T *out, uint32_t inside, uint4 words)
{
  const uint32_t w[4] = { words.x, words.y, words.z, words.w };

  if (inside == IsoluxVector<T>::ALL)
    {
      __stcs ((uint4 *) out, words);
      return;
    }
#pragma unroll
  for (int i = 0; i < IsoluxVector<T>::N; i++)
    if (inside >> i & 1)
      out[i] =
        (T) (w[i * (int) sizeof (T) / 4] >> i * (int) sizeof (T) % 4 * 8);
}

/* Some of a thread's vectors, all of which it reads before it writes any. */
template <typename T, int LOADS, bool MASKED>
struct GrayShare
{
  IsoluxVector<T> v[LOADS];

  __device__ __forceinline__ void
  load (IsoluxWalker<T, MASKED> at)
  {
#pragma unroll
    for (int k = 0; k < LOADS; k++, at.advance ())
      v[k] = at.load ();
  }

  template <typename Look>
  __device__ __forceinline__ void
  store (const IsoluxPixels &to, IsoluxWalker<T, MASKED> at, Look look)
  {
#pragma unroll
    for (int k = 0; k < LOADS; k++, at.advance ())
      {
        at.complete (v[k]);
        if (v[k].inside)
          store_vector<T> ((T *) isolux_row<T> (to, at.y) + at.x (),
                           v[k].inside, look_vector (v[k], look));
      }
  }
};

/* A table of 256 entries in shared memory. */
typedef const uint8_t *Table;

/* Writes a block's vectors, two a thread, through the table that make ()
 * returns when the kernel in front has ended; NULL: nothing is to do. */
template <bool MASKED, typename Make>
__device__ __forceinline__ void
apply_gray_u8 (const IsoluxGrayApplyArguments &a, Make make)
{
  const IsoluxWalker<uint8_t, MASKED> at (a.source, a.walk,
                                          blockIdx.x * ISOLUX_APPLY_THREADS +
                                            threadIdx.x);
  GrayShare<uint8_t, 2, MASKED>       share;
  const uint8_t                      *table;

  share.load (at);
  isolux_wait_for_previous ();
  table = make ();
  if (table)
    share.store (a.destination, at,
                 [&] (uint32_t code) -> uint32_t { return table[code]; });
}

/* Reads and writes the image once, 2 * 16.8 MB at 4096 x 4096. */
KERNEL_BLOCKS (ISOLUX_APPLY_THREADS, 3)
isolux_apply_gray_u8 (const IsoluxGrayApplyArguments a)
{
  __shared__ uint8_t table[256];

  auto make = [&] () -> Table {
    const bool identity = a.tables->identity[0] != 0;

    if (identity && a.source.data == a.destination.data)
      return NULL;
    if (threadIdx.x < 256)
      table[threadIdx.x] = identity
                             ? (uint8_t) threadIdx.x
                             : ((const uint8_t *) a.entries)[threadIdx.x];
    __syncthreads ();
    return table;
  };

  if (isolux_all_count (a.source))
    apply_gray_u8<false> (a, make);
  else
    apply_gray_u8<true> (a, make);
}

/*
 * The table of an equalization from the counts: what isolux_equalize_table()
 * does, a thread a bin, the first 256 threads of a block.
 */
struct GrayEqualize
{
  uint64_t warps[8];
  uint64_t firsts[8];
  uint8_t  table[256];
  int32_t  identity;

  /* The sum of the values of the threads up to this one; all threads must call
   * it. */
  __device__ __forceinline__ uint64_t
  sum_up_to (uint64_t value, uint64_t *total)
  {
    const int lane = (int) threadIdx.x & 31, warp = (int) threadIdx.x >> 5;

    for (int step = 1; step < 32; step <<= 1)
      {
        const uint64_t other = __shfl_up_sync (0xffffffffu, value, step);

        if (lane >= step)
          value += other;
      }
    if (lane == 31 && warp < 8)
      warps[warp] = value;
    __syncthreads ();
    *total = 0;
    for (int i = 0; i < 8; i++)
      {
        if (i == warp)
          value += *total;
        *total += warps[i];
      }
    __syncthreads ();
    return value;
  }

  __device__ __forceinline__ uint64_t
  largest (uint64_t value)
  {
    for (int step = 16; step > 0; step >>= 1)
      {
        const uint64_t other = __shfl_xor_sync (0xffffffffu, value, step);

        value = other > value ? other : value;
      }
    if (threadIdx.x % 32 == 0 && threadIdx.x < 256)
      warps[threadIdx.x / 32] = value;
    __syncthreads ();
    for (int i = 0; i < 8; i++)
      value = warps[i] > value ? warps[i] : value;
    return value;
  }

  /* With neither limit nor threshold, and for fewer than 2^32 pixels, which is
   * what there is most of. */
  __device__ __forceinline__ void
  make_plain (const IsoluxGrayApplyArguments &a)
  {
    const int       bin = (int) threadIdx.x, lane = bin & 31, warp = bin >> 5;
    uint32_t *const sums = (uint32_t *) warps, *const counts = sums + 8;
    uint32_t count = 0, sum, total = 0, first = 0;

    if (bin < 256)
      {
        uint32_t there;

        sum = count = (uint32_t) __ldcg (a.counts + bin);
#pragma unroll
        for (int step = 1; step < 32; step <<= 1)
          {
            const uint32_t other = __shfl_up_sync (0xffffffffu, sum, step);

            if (lane >= step)
              sum += other;
          }
        there = __ballot_sync (0xffffffffu, count != 0);
        first =
          __shfl_sync (0xffffffffu, count, there ? __ffs ((int) there) - 1 : 0);
        if (lane == 31)
          {
            sums[warp] = sum;
            counts[warp] = first;
          }
      }
    __syncthreads ();
    if (bin < 256)
      {
        first = 0;
#pragma unroll
        for (int i = 0; i < 8; i++)
          {
            first = first ? first : counts[i];
            if (i == warp)
              sum += total;
            total += sums[i];
          }
        /* as isolux_entry_u8(); up to the first bin sum is not above first */
        if (first == total)
          table[bin] = (uint8_t) bin;
        else
          {
            const uint32_t above = sum > first ? sum - first : 0;
            const float    v =
              rintf ((float) above * (255.0f / (float) (total - first)));

            table[bin] = v > 255.0f ? 255 : (uint8_t) v;
          }
      }
    if (bin == 0)
      {
        identity = first == total;
        if (a.mail && blockIdx.x == 0)
          a.mail[0] = first == total;
      }
    __syncthreads ();
  }

  __device__ __forceinline__ void
  make_any (const IsoluxGrayApplyArguments &a)
  {
    const int      bin = (int) threadIdx.x;
    const uint64_t count = bin < 256 ? __ldcg (a.counts + bin) : 0;
    const uint32_t there = __ballot_sync (0xffffffffu, count != 0);
    const int      lane = there ? __ffs ((int) there) - 1 : 0;
    uint64_t       first_count = __shfl_sync (0xffffffffu, count, lane);
    uint64_t       total, kept, limit, sum, clipped, distance = 0;
    int            first = 0;
    IsoluxTerms    terms;

    if (bin < 256 && bin % 32 == 0)
      firsts[bin / 32] = first_count << 8 | (uint32_t) (bin + lane);
    sum = sum_up_to (count, &total);
    first_count = 0;
    for (int i = 7; i >= 0; i--)
      if (firsts[i] >> 8)
        {
          first = (int) (firsts[i] & 255u);
          first_count = firsts[i] >> 8;
        }
    limit = isolux_clip_count (a.clip_limit, total, 256);
    clipped = isolux_clipped (count, limit);
    kept = total << ISOLUX_FIXED_SHIFT;
    if (a.clip_limit > 0.0)
      clipped = sum_up_to (clipped, &kept);
    if (a.skip_threshold > 0.0)
      distance = largest (bin < 256
                            ? isolux_uniform_distance (sum, total, 256, bin)
                            : 0);
    terms = isolux_terms (total, 256, first, first_count, limit, kept, distance,
                          a.skip_threshold);
    if (bin < 256)
      table[bin] =
        terms.identity
          ? (uint8_t) bin
          : isolux_entry_u8 (&terms, terms.excess ? clipped : sum, bin);
    if (bin == 0)
      {
        identity = terms.identity;
        if (a.mail && blockIdx.x == 0)
          a.mail[0] = (uint32_t) terms.identity;
      }
    __syncthreads ();
  }
};

/* As isolux_apply_gray_u8; each block makes the table. */
template <bool PLAIN>
__device__ __forceinline__ void
equalize_gray_u8 (const IsoluxGrayApplyArguments &a)
{
  __shared__ GrayEqualize equalize;

  auto make = [&] () -> Table {
    if (PLAIN)
      equalize.make_plain (a);
    else
      equalize.make_any (a);
    return equalize.identity && a.source.data == a.destination.data
             ? NULL
             : equalize.table;
  };

  if (isolux_all_count (a.source))
    apply_gray_u8<false> (a, make);
  else
    apply_gray_u8<true> (a, make);
}

KERNEL_BLOCKS (ISOLUX_APPLY_THREADS, 3)
isolux_equalize_gray_u8 (const IsoluxGrayApplyArguments a)
{
  equalize_gray_u8<true> (a);
}

KERNEL_BLOCKS (ISOLUX_APPLY_THREADS, 2)
isolux_equalize_gray_any_u8 (const IsoluxGrayApplyArguments a)
{
  equalize_gray_u8<false> (a);
}

/* Copies the table to shared memory: of what cannot occur nothing, of codes
 * from bins on the last entry. */
__device__ __forceinline__ void
fetch_table (const IsoluxGrayApplyArguments &a)
{
  const uint32_t bins = (uint32_t) a.tables->bins[0];
  uint32_t       last = bins - 1;

  if (a.tables->identity[0])
    {
      for (uint32_t i = threadIdx.x; i < ISOLUX_BINS / 2;
           i += ISOLUX_COUNT_THREADS)
        isolux_shared[i] = 2 * i * 0x10001u + 0x10000u;
      return;
    }
  if (a.zeros && a.zeros->largest < last)
    last = a.zeros->largest;
  for (uint32_t i = threadIdx.x; i <= last / 8; i += ISOLUX_COUNT_THREADS)
    ((uint4 *) isolux_shared)[i] = __ldcg ((const uint4 *) a.entries + i);
  if (bins < ISOLUX_BINS)
    {
      const uint32_t beyond = ((const uint16_t *) a.entries)[bins - 1];

      for (uint32_t i = bins / 2 + threadIdx.x; i < ISOLUX_BINS / 2;
           i += ISOLUX_COUNT_THREADS)
        isolux_shared[i] = beyond * 0x10001u;
    }
}

template <bool MASKED>
__device__ __forceinline__ void
apply_gray_u16 (const IsoluxGrayApplyArguments &a)
{
  const uint16_t                *table = (const uint16_t *) isolux_shared;
  IsoluxWalker<uint16_t, MASKED> at (a.source, a.walk,
                                     blockIdx.x * ISOLUX_COUNT_THREADS +
                                       threadIdx.x);
  GrayShare<uint16_t, 2, MASKED> now, next;

  next.load (at);
  isolux_wait_for_previous ();
  if (a.tables->identity[0] && a.source.data == a.destination.data)
    return;
  fetch_table (a);
  __syncthreads ();
  while (at.there ())
    {
      const IsoluxWalker<uint16_t, MASKED> here = at;

      now = next;
      at.advance ();
      at.advance ();
      next.load (at);
      now.store (a.destination, here,
                 [&] (uint32_t code) -> uint32_t { return table[code]; });
    }
}

/* Reads and writes the image once, 2 * 33.6 MB at 4096 x 4096, and each block
 * the table, which a multiprocessor's shared memory holds. */
KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 1)
isolux_apply_gray_u16 (const IsoluxGrayApplyArguments a)
{
  if (isolux_all_count (a.source))
    apply_gray_u16<false> (a);
  else
    apply_gray_u16<true> (a);
}

/* The same where shared memory is too small for the table. */
KERNEL (ISOLUX_APPLY_THREADS)
isolux_look_up_gray_u16 (const IsoluxGrayApplyArguments a)
{
  const uint16_t              *entries = (const uint16_t *) a.entries;
  IsoluxWalker<uint16_t, true> at (a.source, a.walk,
                                   blockIdx.x * ISOLUX_APPLY_THREADS +
                                     threadIdx.x);
  const uint32_t               last = (uint32_t) a.tables->bins[0] - 1;
  const bool                   identity = a.tables->identity[0] != 0;

  if (identity && a.source.data == a.destination.data)
    return;
  for (; at.there (); at.advance ())
    {
      GrayShare<uint16_t, 1, true> now;

      now.load (at);
      now.store (a.destination, at, [&] (uint32_t code) -> uint32_t {
        return identity ? code : __ldg (entries + (code < last ? code : last));
      });
    }
}

/* ---- Any codes ----------------------------------------------------------- */

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

      if (isolux_item<ISOLUX_APPLY_THREADS> (a.tiles, tile, &x, &y))
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

/* ---- Any floats ---------------------------------------------------------- */

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
