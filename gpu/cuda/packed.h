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

#endif /* ISOLUX_PACKED_H */
