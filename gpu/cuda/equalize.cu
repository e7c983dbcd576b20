/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From counts to tables: what isolux_equalize_table() does, in parallel.
 * All sums are of integers, so that their order does not matter.
 */
#include "kernels.h"

/* The largest code that occurs, of all channels. */
__device__ __forceinline__ uint32_t
largest_code (const IsoluxTableArguments &a, uint64_t *room)
{
  uint64_t largest = 0;

  for (int c = 0; c < a.channels; c++)
    for (int k = threadIdx.x; k < a.codes; k += ISOLUX_TERMS_THREADS)
      if (a.counts[(size_t) c * (size_t) a.codes + (size_t) k])
        largest = (uint64_t) k > largest ? (uint64_t) k : largest;
  return (uint32_t) isolux_reduce (largest, room, IsoluxMost ());
}

/* u16: the bins of the significant bits; codes beyond them are added to the
 * last one.  Returns how many bins there are. */
__device__ __forceinline__ int
fold_codes (const IsoluxTableArguments &a, uint64_t *counts, uint64_t *room)
{
  const int bits = a.bits ? a.bits
                          : isolux_significant_bits (largest_code (a, room));
  const int bins = 1 << bits;
  uint64_t  beyond = 0;

  if (bins >= a.codes)
    return a.codes;
  for (int k = bins + (int) threadIdx.x; k < a.codes; k += ISOLUX_TERMS_THREADS)
    beyond += counts[k];
  beyond = isolux_reduce (beyond, room, IsoluxSum ());
  if (threadIdx.x == 0 && beyond)
    counts[bins - 1] += beyond;
  __syncthreads ();
  return bins;
}

/* One block a channel; a thread has bins begin .. end - 1. */
KERNEL (ISOLUX_TERMS_THREADS)
isolux_equalize_terms (const IsoluxTableArguments a)
{
  __shared__ uint64_t room[32];
  const int           channel = (int) blockIdx.x;
  uint64_t           *counts = a.counts + (size_t) channel * (size_t) a.codes;
  const int   bins = a.type == ISOLUX_PLAN_U16 ? fold_codes (a, counts, room)
                                               : a.codes;
  const int   each = (bins + ISOLUX_TERMS_THREADS - 1) / ISOLUX_TERMS_THREADS;
  const int   begin = (int) threadIdx.x * each < bins ? (int) threadIdx.x * each
                                                      : bins;
  const int   end = begin + each < bins ? begin + each : bins;
  uint64_t    own = 0, own_kept = 0, distance = 0, sum, before;
  uint64_t    total, limit, kept, first = UINT64_MAX;
  IsoluxTerms terms;

  for (int k = end - 1; k >= begin; k--)
    if (counts[k])
      {
        own += counts[k];
        first = (uint64_t) k;
      }
  total = isolux_reduce (own, room, IsoluxSum ());
  first = isolux_reduce (first, room, IsoluxLeast ());
  if (total == 0)
    first = 0;

  limit = isolux_clip_count (a.clip_limit, total, bins);
  for (int k = begin; k < end; k++)
    own_kept += isolux_clipped (counts[k], limit);
  kept = isolux_reduce (own_kept, room, IsoluxSum ());

  if (a.skip_threshold > 0.0)
    {
      sum = isolux_sum_before (own, room);
      for (int k = begin; k < end; k++)
        {
          uint64_t d;

          sum += counts[k];
          d = isolux_uniform_distance (sum, total, bins, k);
          distance = d > distance ? d : distance;
        }
      distance = isolux_reduce (distance, room, IsoluxMost ());
    }

  terms = isolux_terms (total, bins, (int) first, counts[first], limit, kept,
                        distance, a.skip_threshold);
  before = isolux_sum_before (terms.excess == 0 ? own : own_kept, room);
  if (begin < end && begin % ISOLUX_ENTRIES_THREADS == 0)
    a.state->prefix[channel][begin / ISOLUX_ENTRIES_THREADS] = before;
  if (threadIdx.x == 0)
    {
      double low = 0.0, scale = 0.0;

      if (a.type == ISOLUX_PLAN_F32 &&
          ~a.zeros->least[channel] < a.zeros->most[channel])
        {
          low = isolux_value_of_key (~a.zeros->least[channel]);
          scale =
            isolux_bin_scale (low, isolux_value_of_key (a.zeros->most[channel]),
                              bins);
        }
      a.state->terms[channel] = terms;
      a.tables->bins[channel] = bins;
      a.tables->identity[channel] = terms.identity;
      a.tables->low[channel] = low;
      a.tables->scale[channel] = scale;
      if (a.mail)
        a.mail[channel] = (uint32_t) terms.identity;
    }
}

/* One block a segment of bins and channel, one thread a bin. */
KERNEL (ISOLUX_ENTRIES_THREADS)
isolux_equalize_entries (const IsoluxTableArguments a)
{
  __shared__ uint64_t room[32];
  const int           segments = (a.codes + ISOLUX_ENTRIES_THREADS - 1) /
                       ISOLUX_ENTRIES_THREADS;
  const int         channel = (int) blockIdx.x / segments;
  const int         segment = (int) blockIdx.x % segments;
  const size_t      start = (size_t) channel * (size_t) a.codes;
  const int         bin = segment * ISOLUX_ENTRIES_THREADS + (int) threadIdx.x;
  const IsoluxTerms terms = a.state->terms[channel];
  uint64_t          count = 0, sum;

  /* the same for all threads */
  if (terms.identity || segment * ISOLUX_ENTRIES_THREADS >= terms.bins)
    return;

  if (bin < terms.bins)
    count = a.counts[start + (size_t) bin];
  if (terms.excess != 0)
    count = isolux_clipped (count, terms.limit);
  sum = a.state->prefix[channel][segment] + isolux_sum_before (count, room) +
        count;
  if (bin >= terms.bins)
    return;
  if (a.type == ISOLUX_PLAN_U8)
    ((uint8_t *) a.entries)[start + (size_t) bin] =
      isolux_entry_u8 (&terms, sum, bin);
  else if (a.type == ISOLUX_PLAN_U16)
    ((uint16_t *) a.entries)[start + (size_t) bin] =
      isolux_entry_u16 (&terms, sum, bin);
  else
    ((float *) a.entries)[start + (size_t) bin] =
      isolux_entry_f32 (&terms, sum, bin);
}
