/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of 8 or 16 bits in the words of shared memory. */
#ifndef ISOLUX_PACKED_H
#define ISOLUX_PACKED_H

#include "kernels.h"

/*
 * Counters of BITS bits (32: words), so that those of all bins fit into
 * shared memory.  What goes past the end of one is found by the value that
 * the addition returns: its carry is taken back from the neighbor, and
 * overflow (bin, n) gets what the counter lost.  In the end, when all threads
 * are done, each is what it should be modulo 2^BITS, in whatever order they
 * came: every operation on a word is one number added to it, and every step
 * of a counter past its end, up or down, is seen by the one that made it.
 */
template <int BITS>
struct PackedCounters
{
  static constexpr uint32_t PER_WORD = 32 / BITS;
  static constexpr uint32_t MOST = BITS == 32 ? UINT32_MAX
                                              : (1u << BITS % 32) - 1u;

  /* The bin's counter and those above it in its word move down, so that it is
   * the lowest one.  Adds 1; returns what was before, moved so. */
  static __device__ __forceinline__ uint32_t
  isolux_lift (uint32_t *words, uint32_t bin)
  {
    const uint32_t shift = bin * BITS; /* modulo 32 */

    if constexpr (BITS == 32)
      return atomicAdd (&words[bin], 1u);
    else
      return __funnelshift_r (atomicAdd (&words[bin / PER_WORD],
                                         __funnelshift_l (0, 1, shift)),
                              0, shift);
  }

  /* A step up or down enters the counter of bin: as long as counters stand at
   * value it goes on to the next, and they lose n. */
  template <typename Overflow>
  static __device__ __forceinline__ void
  chain (uint32_t bin,
         uint32_t counters,
         uint32_t value,
         int64_t  n,
         Overflow overflow)
  {
    for (; bin % PER_WORD != 0 && (counters & MOST) == value;
         bin++, counters >>= BITS % 32)
      overflow (bin, n);
  }

  /* A counter went past its end; before: see isolux_lift(). */
  template <typename Overflow>
  static __device__ __noinline__ void
  wrapped (uint32_t *words, uint32_t bin, uint32_t before, Overflow overflow)
  {
    const int64_t  lost = (int64_t) MOST + 1;
    const uint32_t shift = (bin % PER_WORD + 1) * BITS;

    overflow (bin, lost);
    if (shift >= 32)
      return;
    chain (bin + 1, before >> BITS % 32, MOST, lost, overflow);
    before = atomicSub (&words[bin / PER_WORD], 1u << shift % 32);
    chain (bin + 1, before >> shift % 32, 0, -lost, overflow);
  }

  template <typename Overflow>
  static __device__ __forceinline__ void
  add (uint32_t *words, uint32_t bin, Overflow overflow)
  {
    const uint32_t before = isolux_lift (words, bin);

    if (BITS < 32 && (before & MOST) == MOST)
      wrapped (words, bin, before, overflow);
  }

  /* Whether any of N counters stood at its end. */
  template <int N>
  static __device__ __forceinline__ bool
  any_at_end (const uint32_t (&before)[N])
  {
    uint32_t at_end = 0;

#pragma unroll
    for (int i = 0; i < N; i += BITS == 8 ? 4 : 2)
      {
        const uint32_t ones = BITS == 8 ? 0x01010101u : 0x00010001u;
        uint32_t       w;

        if constexpr (BITS == 8)
          w = __byte_perm (__byte_perm (before[i], before[i + 1], 0x0040),
                           __byte_perm (before[i + 2], before[i + 3], 0x0040),
                           0x5410);
        else
          w = __byte_perm (before[i], before[i + 1], 0x5410);
        /* the top bit of the lowest part of w that is all ones */
        at_end |= (~w - ones) & w & ones << (BITS - 1) % 32;
      }
    return at_end != 0;
  }

  /* Adds 1 to each of N, 4 or 8. */
  template <int N, typename Overflow>
  static __device__ __forceinline__ void
  add_all (uint32_t *words, const uint32_t (&bins)[N], Overflow overflow)
  {
    uint32_t before[N];

#pragma unroll
    for (int i = 0; i < N; i++)
      before[i] = isolux_lift (words, bins[i]);
    if constexpr (BITS < 32)
      if (any_at_end (before))
#pragma unroll
        for (int i = 0; i < N; i++)
          if ((before[i] & MOST) == MOST)
            wrapped (words, bins[i], before[i], overflow);
  }
};

/* ---- Crowds -------------------------------------------------------------- */

/* The two values that crowd in a warp's pixels, and how often they came:
 * the same in all lanes. */
struct Crowd
{
  uint32_t code[2], count[2];
};

/* Few values in a warp's pixels would have to wait for each other: counts
 * them together.  left: bits 15 - i and 31 - i for the halves of word i that
 * hold one; the same in all lanes. */
template <int BITS, typename Overflow>
__device__ __noinline__ void
add_crowded (Overflow overflow, Crowd &crowd, uint4 words, uint32_t left)
{
  const uint32_t w[4] = { words.x, words.y, words.z, words.w };
  const bool     one = (threadIdx.x & 31) == 0;
  uint32_t       waiting = 0xffffffffu;

  for (int round = 0; round < 4 && waiting; round++)
    {
      const uint32_t first = (uint32_t) __clz ((int) left);
      uint32_t       code = (first & 15) == 0   ? w[0]
                            : (first & 15) == 1 ? w[1]
                            : (first & 15) == 2 ? w[2]
                                                : w[3];
      uint32_t       same = 0, n;

      code = first < 16 ? code >> 16 : code & 0xffffu;
      code = __shfl_sync (0xffffffffu, code, __ffs ((int) waiting) - 1);
#pragma unroll
      for (int i = 0; i < 4; i++)
        {
          const uint32_t other = w[i] ^ code * 0x10001u;

          same |=
            (~(((other & 0x7fff7fffu) + 0x7fff7fffu) | other) & 0x80008000u) >>
            i;
        }
      same &= left;
      left &= ~same;
      n = (uint32_t) __popc (same);
      for (int step = 16; step > 0; step >>= 1)
        n += __shfl_xor_sync (0xffffffffu, n, step);
      waiting = __ballot_sync (0xffffffffu, left != 0);
      if (code == crowd.code[0])
        crowd.count[0] += n;
      else if (code == crowd.code[1])
        crowd.count[1] += n;
      else
        {
          if (one && crowd.count[1])
            overflow (crowd.code[1], crowd.count[1]);
          crowd.code[1] = crowd.code[0];
          crowd.count[1] = crowd.count[0];
          crowd.code[0] = code;
          crowd.count[0] = n;
        }
    }
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      if (left >> (15 - i) & 1)
        PackedCounters<BITS>::add (isolux_shared, w[i] & 0xffffu, overflow);
      if (left >> (31 - i) & 1)
        PackedCounters<BITS>::add (isolux_shared, w[i] >> 16, overflow);
    }
}

/* Whether so many lanes of a warp, all of which must call it, have the code
 * of one of them that they are a crowd. */
__device__ __forceinline__ bool
is_crowded (uint32_t code)
{
  const uint32_t first = __shfl_sync (0xffffffffu, code, 0);

  return __popc (__ballot_sync (0xffffffffu, code == first)) > 6;
}

template <int BITS, typename Overflow>
__device__ __forceinline__ void
add_codes (Overflow overflow, Crowd &crowd, IsoluxVector<uint16_t> &v)
{
  if (__all_sync (0xffffffffu, v.counts == v.ALL))
    {
      if (BITS < 32 && is_crowded (v.words.x & 0xffffu))
        add_crowded<BITS> (overflow, crowd, v.words, 0xf000f000u);
      else
        {
          const uint32_t bins[8] = { v.code (0), v.code (1), v.code (2),
                                     v.code (3), v.code (4), v.code (5),
                                     v.code (6), v.code (7) };

          PackedCounters<BITS>::add_all (isolux_shared, bins, overflow);
        }
    }
  else if (v.counts)
    for (int i = 0; i < v.N; i++)
      if (v.counts >> i & 1)
        PackedCounters<BITS>::add (isolux_shared, v.code (i), overflow);
}

template <typename Overflow>
__device__ __forceinline__ void
leave_crowd (Overflow overflow, const Crowd &crowd)
{
  if ((threadIdx.x & 31) == 0)
    for (int i = 0; i < 2; i++)
      if (crowd.count[i])
        overflow (crowd.code[i], crowd.count[i]);
}

#endif /* ISOLUX_PACKED_H */
