/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What decides, written once for the CPU and for CUDA: luma, gray, bins,
 * the clip limit, the table of an equalization, chroma.  Integers, or
 * double and single precision with each operation rounded once (compiled
 * with -ffp-contract=off and -fmad=false), so that every backend gives the
 * same bytes.
 */
#ifndef ISOLUX_RULES_H
#define ISOLUX_RULES_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define ISOLUX_RULE static __host__ __device__ __forceinline__
#else
#define ISOLUX_RULE static inline __attribute__ ((always_inline, unused))
#endif

/* Counts of a clipped histogram are held in 1/65536: 2^46 pixels fit. */
#define ISOLUX_FIXED_SHIFT 16

/* Luma weights in both forms; whole numbers of 1/32768, sum 32768. */
typedef struct
{
  int32_t whole[3];
  double  real[3];
} IsoluxWeights;

/* ---- Values -------------------------------------------------------- */

ISOLUX_RULE uint32_t
isolux_luma_code (const IsoluxWeights *w, uint32_t r, uint32_t g, uint32_t b)
{
  return ((uint32_t) w->whole[0] * r + (uint32_t) w->whole[1] * g +
          (uint32_t) w->whole[2] * b + 16384u) >>
         15;
}

ISOLUX_RULE int
isolux_is_nan (float v)
{
  return v != v;
}

ISOLUX_RULE int
isolux_is_finite (double v)
{
  return v - v == 0.0;
}

ISOLUX_RULE double
isolux_finite_f32 (float v)
{
  return v > FLT_MAX    ? (double) FLT_MAX
         : v < -FLT_MAX ? (double) -FLT_MAX
                        : (double) v;
}

/* Luma with infinite components taken as the largest finite ones. */
ISOLUX_RULE double
isolux_luma_finite (const IsoluxWeights *w, float r, float g, float b)
{
  return (w->real[0] * isolux_finite_f32 (r) +
          w->real[1] * isolux_finite_f32 (g)) +
         w->real[2] * isolux_finite_f32 (b);
}

/* The value a statistic sees; an infinite component makes it infinite. */
ISOLUX_RULE double
isolux_luma_f32 (const IsoluxWeights *w, float r, float g, float b)
{
  const double y = isolux_luma_finite (w, r, g, b);

  if (isolux_is_finite (r) && isolux_is_finite (g) && isolux_is_finite (b))
    return y;
  return y > 0.0 ? HUGE_VAL : -HUGE_VAL;
}

/* One NaN for all: the hardware's own ones differ. */
ISOLUX_RULE float
isolux_canonical (float v)
{
  const uint32_t quiet = 0x7fc00000u;

  if (isolux_is_nan (v))
    memcpy (&v, &quiet, sizeof v);
  return v;
}

/* ---- Gray ----------------------------------------------------------- */

ISOLUX_RULE uint32_t
isolux_average_code (uint32_t r, uint32_t g, uint32_t b)
{
  return (r + g + b + 1u) / 3u;
}

ISOLUX_RULE uint32_t
isolux_maximum_code (uint32_t r, uint32_t g, uint32_t b)
{
  const uint32_t m = r > g ? r : g;

  return m > b ? m : b;
}

/*
 * The code of a linear value: the smallest c with y < thresholds[c], where
 * thresholds[c] divides code c from code c + 1; maximum if there is none.
 */
ISOLUX_RULE uint32_t
isolux_encode (const double *thresholds, uint32_t maximum, double y)
{
  uint32_t low = 0, high = maximum;

  while (low < high)
    {
      const uint32_t middle = (low + high) / 2;

      if (y < thresholds[middle])
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* The cube root of 1e-30 .. 1e30, by operations that round alike anywhere. */
ISOLUX_RULE double
isolux_cube_root (double x)
{
  int64_t bits;
  double  y;
  int     i;

  memcpy (&bits, &x, sizeof bits);
  bits = bits / 3 + INT64_C (0x2a9f7893782da1ce);
  memcpy (&y, &bits, sizeof y);
  for (i = 0; i < 5; i++)
    y = (2.0 * y + x / (y * y)) / 3.0;
  return y;
}

/* CIE 1976 L* / 100 of a luminance; clamped to 0 .. 1, NaN stays. */
ISOLUX_RULE double
isolux_lightness (double y)
{
  if (y <= 0.0)
    return 0.0;
  if (y >= 1.0)
    return 1.0;
  if (y > 216.0 / 24389.0)
    return 1.16 * isolux_cube_root (y) - 0.16;
  return y * (24389.0 / 2700.0);
}

/* ---- Bins ----------------------------------------------------------- */

/* How many bits the largest code needs, at least 8. */
ISOLUX_RULE int
isolux_significant_bits (uint32_t largest)
{
  int bits = 8;

  while (bits < 16 && (largest >> bits) != 0)
    bits++;
  return bits;
}

ISOLUX_RULE double
isolux_bin_scale (double low, double high, int bins)
{
  return (double) bins / (high - low);
}

ISOLUX_RULE int
isolux_bin_f32 (double v, double low, double scale, int bins)
{
  const double t = (v - low) * scale;

  return t >= (double) bins ? bins - 1 : t > 0.0 ? (int) t : 0;
}

/* ---- The table of an equalization ------------------------------------ */

/* The clip limit as a count in 1/65536; the largest number = no limit. */
ISOLUX_RULE uint64_t
isolux_clip_count (double clip_limit, uint64_t total, int bins)
{
  double limit;

  if (! (clip_limit > 0.0))
    return UINT64_MAX;
  limit = clip_limit * ((double) total / (double) bins) * 65536.0;
  return limit >= 9.0e18 ? UINT64_MAX : (uint64_t) limit;
}

ISOLUX_RULE uint64_t
isolux_clipped (uint64_t count, uint64_t limit)
{
  const uint64_t fixed = count << ISOLUX_FIXED_SHIFT;

  return fixed < limit ? fixed : limit;
}

/* What the bins 0 .. bin get together when excess is spread over all. */
ISOLUX_RULE uint64_t
isolux_spread (uint64_t excess, int bins, int bin)
{
  const uint64_t n = (uint64_t) bins, k = (uint64_t) bin + 1;

  return excess / n * k + excess % n * k / n;
}

/* |F(bin) - (bin + 1) / bins| times total * bins */
ISOLUX_RULE uint64_t
isolux_uniform_distance (uint64_t cumulative, uint64_t total, int bins, int bin)
{
  const uint64_t a = cumulative * (uint64_t) bins;
  const uint64_t b = total * ((uint64_t) bin + 1);

  return a > b ? a - b : b - a;
}

/* All that an entry needs besides its cumulative count. */
typedef struct
{
  uint64_t total;  /* pixels that count */
  uint64_t base;   /* cumulative count at the first bin that is not empty */
  uint64_t rest;   /* total less base; clipped: in 1/65536, as is base */
  uint64_t limit;  /* the clip limit in 1/65536 */
  uint64_t excess; /* what the limit cuts off, in 1/65536 */
  int32_t  bins;
  int32_t  first;    /* the first bin that is not empty */
  int32_t  identity; /* leave the values as they are */
} IsoluxTerms;

/*
 * first_count: count of the first bin that is not empty; kept: the sum of
 * isolux_clipped() over the bins; distance: the largest
 * isolux_uniform_distance().
 */
ISOLUX_RULE IsoluxTerms
isolux_terms (uint64_t total,
              int      bins,
              int      first,
              uint64_t first_count,
              uint64_t limit,
              uint64_t kept,
              uint64_t distance,
              double   skip_threshold)
{
  IsoluxTerms t;

  t.total = total;
  t.bins = bins;
  t.first = first;
  t.limit = limit;
  t.excess = (total << ISOLUX_FIXED_SHIFT) - kept;
  if (t.excess == 0)
    {
      t.base = first_count;
      t.rest = total - first_count;
    }
  else
    {
      t.base = isolux_clipped (first_count, limit) +
               isolux_spread (t.excess, bins, first);
      t.rest = (total << ISOLUX_FIXED_SHIFT) - t.base;
    }
  t.identity =
    total == first_count ||
    (skip_threshold > 0.0 &&
     (double) distance / ((double) total * (double) bins) <= skip_threshold);
  return t;
}

/* A bin's cumulative count above the base: sum is that of the counts when
 * nothing is cut off, else of isolux_clipped(). */
ISOLUX_RULE uint64_t
isolux_above_base (const IsoluxTerms *t, uint64_t sum, int bin)
{
  if (bin <= t->first)
    return 0;
  return (t->excess == 0 ? sum
                         : sum + isolux_spread (t->excess, t->bins, bin)) -
         t->base;
}

ISOLUX_RULE uint8_t
isolux_entry_u8 (const IsoluxTerms *t, uint64_t sum, int bin)
{
  const uint64_t above = isolux_above_base (t, sum, bin);
  double         v;

  if (t->excess == 0) /* cv2.equalizeHist: single precision */
    v = rintf ((float) above * (255.0f / (float) t->rest));
  else
    v = rint ((double) above * (255.0 / (double) t->rest));
  return v > 255.0 ? 255 : (uint8_t) v;
}

ISOLUX_RULE uint16_t
isolux_entry_u16 (const IsoluxTerms *t, uint64_t sum, int bin)
{
  const uint64_t above = isolux_above_base (t, sum, bin);
  const double   v = rint ((double) above * (65535.0 / (double) t->rest));

  return v > 65535.0 ? 65535 : (uint16_t) v;
}

ISOLUX_RULE float
isolux_entry_f32 (const IsoluxTerms *t, uint64_t sum, int bin)
{
  const uint64_t above = isolux_above_base (t, sum, bin);
  const double   v = (double) above * (1.0 / (double) t->rest);

  return v > 1.0 ? 1.0f : (float) v;
}

/* ---- A new luma for a colour ----------------------------------------- */

/*
 * Adds the change of luma, from to to, to the three components; where one
 * would leave 0 .. maximum, the distances from the luma are shortened by
 * the largest factor that fits, rounded to nearest (halves away from 0).
 */
ISOLUX_RULE void
isolux_move_luma_code (const int32_t in[3],
                       int32_t       from,
                       int32_t       to,
                       int32_t       maximum,
                       int32_t       out[3])
{
  int64_t numerator = 1, denominator = 1;
  int32_t most = in[0], least = in[0];
  int     i;

  for (i = 1; i < 3; i++)
    {
      most = in[i] > most ? in[i] : most;
      least = in[i] < least ? in[i] : least;
    }
  if (most - from > maximum - to)
    {
      numerator = maximum - to;
      denominator = most - from;
    }
  if (from - least > to &&
      (int64_t) to * denominator < numerator * (int64_t) (from - least))
    {
      numerator = to;
      denominator = from - least;
    }
  for (i = 0; i < 3; i++)
    {
      const int64_t d = in[i] - from;

      if (denominator == 1)
        out[i] = to + (int32_t) (d * numerator);
      else if (d >= 0)
        out[i] = to + (int32_t) ((2 * d * numerator + denominator) /
                                 (2 * denominator));
      else
        out[i] = to - (int32_t) ((-2 * d * numerator + denominator) /
                                 (2 * denominator));
    }
}

/* The same for 0.0 .. 1.0, where to is brought first. */
ISOLUX_RULE void
isolux_move_luma_f32 (const float in[3], double from, double to, float out[3])
{
  double d[3], most, least, factor = 1.0;
  int    i;

  to = to < 0.0 ? 0.0 : to > 1.0 ? 1.0 : to;
  for (i = 0; i < 3; i++)
    d[i] = isolux_finite_f32 (in[i]) - from;
  most = d[0] > d[1] ? d[0] : d[1];
  most = most > d[2] ? most : d[2];
  least = d[0] < d[1] ? d[0] : d[1];
  least = least < d[2] ? least : d[2];
  if (most > 1.0 - to)
    factor = (1.0 - to) / most;
  if (-least > to && to / -least < factor)
    factor = to / -least;
  for (i = 0; i < 3; i++)
    {
      const double v = to + factor * d[i];

      out[i] = (float) (v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v);
    }
}

#endif /* ISOLUX_RULES_H */
