/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two numbers of half precision in a word: what CUDA 12's and 13's headers
 * for them would bring along, four instructions of PTX are enough for.
 */
#ifndef ISOLUX_HALVES_H
#define ISOLUX_HALVES_H

#include <stdint.h>

/* Two bytes of a word as the numbers 1024 + byte, exact up to differences of
 * such numbers: pick is a selector of __byte_perm() with 4 for the high
 * halves. */
__device__ __forceinline__ uint32_t
isolux_halves_of_bytes (uint32_t word, uint32_t pick)
{
  return __byte_perm (word, 0x64646464u, pick);
}

__device__ __forceinline__ uint32_t
isolux_halves_add (uint32_t a, uint32_t b)
{
  uint32_t sum;

  asm ("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}

__device__ __forceinline__ uint32_t
isolux_halves_subtract (uint32_t a, uint32_t b)
{
  uint32_t difference;

  asm ("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
  return difference;
}

/* a * b + c, rounded once. */
__device__ __forceinline__ uint32_t
isolux_halves_fma (uint32_t a, uint32_t b, uint32_t c)
{
  uint32_t sum;

  asm ("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}

#endif /* ISOLUX_HALVES_H */
