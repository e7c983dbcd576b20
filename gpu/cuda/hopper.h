/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What compute capability 9.0 added: kernels that start before the one in
 * front of them has ended, and clusters of blocks that see each other's
 * shared memory.  Below 9.0 no kernel is launched so: dependence costs
 * nothing then, and what needs clusters is not launched.
 */
#ifndef ISOLUX_HOPPER_H
#define ISOLUX_HOPPER_H

#include <stdint.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define ISOLUX_HOPPER 1
#else
#define ISOLUX_HOPPER 0
#endif

/* From here on the next kernel may start, if it was launched so. */
__device__ __forceinline__ void
isolux_let_next_start (void)
{
#if ISOLUX_HOPPER
  asm volatile ("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/*
 * Waits until the kernel in front has ended and what it wrote can be seen.
 * Every block of a kernel that may start early calls it, so that a kernel's
 * end is the end of all before it; what is read or written of others' before
 * the call must be nothing that they write.
 */
__device__ __forceinline__ void
isolux_wait_for_previous (void)
{
#if ISOLUX_HOPPER
  asm volatile ("griddepcontrol.wait;" ::: "memory");
#endif
}

/* ---- Shared memory ------------------------------------------------------- */

/* Where something lies in shared memory, to calculate with: an address that
 * one instruction makes of a code needs no other one then. */
__device__ __forceinline__ uint32_t
isolux_shared_place (const void *shared)
{
  return (uint32_t) __cvta_generic_to_shared (shared);
}

__device__ __forceinline__ uint32_t
isolux_shared_word (uint32_t place)
{
  uint32_t word;

  asm volatile ("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(place) : "memory");
  return word;
}

__device__ __forceinline__ uint2
isolux_shared_words (uint32_t place)
{
  uint2 words;

  asm volatile ("ld.shared.v2.u32 {%0, %1}, [%2];"
                : "=r"(words.x), "=r"(words.y)
                : "r"(place)
                : "memory");
  return words;
}

/* ---- Clusters ------------------------------------------------------------ */

__device__ __forceinline__ uint32_t
isolux_cluster_rank (void)
{
  uint32_t rank = 0;

#if ISOLUX_HOPPER
  asm volatile ("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  return rank;
}

/* What was written before it can be seen by all of the cluster after
 * isolux_cluster_wait(). */
__device__ __forceinline__ void
isolux_cluster_arrive (void)
{
#if ISOLUX_HOPPER
  asm volatile ("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}

__device__ __forceinline__ void
isolux_cluster_wait (void)
{
#if ISOLUX_HOPPER
  asm volatile ("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

/* The address of a place in shared memory in that of another block. */
__device__ __forceinline__ uint32_t
isolux_cluster_address (const void *shared, uint32_t rank)
{
  uint32_t there = 0;

#if ISOLUX_HOPPER
  const uint32_t here = (uint32_t) __cvta_generic_to_shared (shared);

  asm ("mapa.shared::cluster.u32 %0, %1, %2;"
       : "=r"(there)
       : "r"(here), "r"(rank));
#endif
  return there;
}

__device__ __forceinline__ uint32_t
isolux_cluster_load (const uint32_t *shared, uint32_t rank)
{
  uint32_t value = 0;

#if ISOLUX_HOPPER
  asm volatile ("ld.shared::cluster.u32 %0, [%1];"
                : "=r"(value)
                : "r"(isolux_cluster_address (shared, rank))
                : "memory");
#endif
  return value;
}

__device__ __forceinline__ uint4
isolux_cluster_load_4 (const uint32_t *shared, uint32_t rank)
{
  uint4 v = { 0, 0, 0, 0 };

#if ISOLUX_HOPPER
  asm volatile ("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                : "r"(isolux_cluster_address (shared, rank))
                : "memory");
#endif
  return v;
}

__device__ __forceinline__ void
isolux_cluster_store (uint32_t *shared, uint32_t rank, uint32_t value)
{
#if ISOLUX_HOPPER
  asm volatile ("st.shared::cluster.u32 [%0], %1;"
                :
                : "r"(isolux_cluster_address (shared, rank)), "r"(value)
                : "memory");
#endif
}

/* ---- Between the blocks of a grid ---------------------------------------- */

/* Gives a number that is not 0 to other blocks of the grid. */
__device__ __forceinline__ void
isolux_publish (uint64_t *at, uint64_t value)
{
#ifdef __CUDA_ARCH__
  asm volatile ("st.relaxed.gpu.global.u64 [%0], %1;"
                :
                : "l"(at), "l"(value)
                : "memory");
#endif
}

/* Waits for it.  Blocks start in the order of their numbers, so that one may
 * wait for those with lower ones, and for no others. */
__device__ __forceinline__ uint64_t
isolux_await (const uint64_t *at)
{
  uint64_t value = 0;

#ifdef __CUDA_ARCH__
  do
    asm volatile ("ld.relaxed.gpu.global.u64 %0, [%1];"
                  : "=l"(value)
                  : "l"(at)
                  : "memory");
  while (value == 0);
#endif
  return value;
}

#endif /* ISOLUX_HOPPER_H */
