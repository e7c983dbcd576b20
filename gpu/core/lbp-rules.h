/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns, as skimage.feature.local_binary_pattern computes
 * them: what decides, written once for the CPU and for CUDA.
 */
#ifndef ISOLUX_LBP_RULES_H
#define ISOLUX_LBP_RULES_H

#include "value-rules.h"

#define ISOLUX_LBP_POINTS 24

/* IsoluxLbpMethod, which kernels cannot see. */
#define ISOLUX_PLAN_LBP_DEFAULT 0
#define ISOLUX_PLAN_LBP_ROR 1
#define ISOLUX_PLAN_LBP_UNIFORM 2
#define ISOLUX_PLAN_LBP_NRI_UNIFORM 3
#define ISOLUX_PLAN_LBP_VAR 4

/*
 * Sample i lies row[i] below and column[i] right of its pixel, between the
 * taps top[i] and bottom[i], left[i] and right[i] pixels away.
 */
typedef struct
{
  int32_t       points;
  int32_t       method;
  int32_t       raw;
  int32_t       simple;  /* see isolux_lbp_diagonal() */
  int32_t       flat;    /* four equal taps are the sample: f32 */
  int32_t       reach;   /* no tap is further away, in rows and columns */
  uint32_t      codes;   /* how many there are; var: 0 */
  double        maximum; /* the largest value of the destination's type */
  double        most;    /* var: the deviation that a picture shows as that */
  IsoluxWeights weights;
  double        row[ISOLUX_LBP_POINTS], column[ISOLUX_LBP_POINTS];
  int32_t       top[ISOLUX_LBP_POINTS], bottom[ISOLUX_LBP_POINTS];
  int32_t       left[ISOLUX_LBP_POINTS], right[ISOLUX_LBP_POINTS];
} IsoluxLbpPlan;

/* ---- Samples --------------------------------------------------------- */

/*
 * How far a sample lies beyond its first tap: offset is row[i] or column[i],
 * tap is top[i] or left[i].  The last bits depend on the pixel's position, as
 * they do for scikit-image.
 */
ISOLUX_RULE double
isolux_lbp_fraction (int64_t position, double offset, int32_t tap)
{
  return ((double) position + offset) - (double) (position + tap);
}

/* The value between four taps; dr, dc: see isolux_lbp_fraction(). */
ISOLUX_RULE double
isolux_lbp_sample (double top_left,
                   double top_right,
                   double bottom_left,
                   double bottom_right,
                   double dr,
                   double dc,
                   int    flat)
{
  const double top = (1.0 - dc) * top_left + dc * top_right;
  const double bottom = (1.0 - dc) * bottom_left + dc * bottom_right;
  const double sample = (1.0 - dr) * top + dr * bottom;

  return flat && top_left == top_right && top_left == bottom_left &&
             top_left == bottom_right
           ? top_left
           : sample;
}

/*
 * Eight points, radius 1, codes: a diagonal sample has weights of 0.29289^2
 * (the pixel itself), 0.29289 * 0.70711 (two sides) and 0.70711^2 (the
 * diagonal).  The sign of its difference from the pixel is that of a sum of
 * whole numbers; side_1, side_2 and diagonal are differences from the pixel.
 * Where the sum is 0 and the sides differ, rounding in double precision
 * decides: ISOLUX_LBP_TIE.  Up to rows and columns of ISOLUX_LBP_SIMPLE_SIDE
 * pixels, no other sum is small enough for rounding to matter.
 */
#define ISOLUX_LBP_SIDES 29289
#define ISOLUX_LBP_CORNER 70711
#define ISOLUX_LBP_TIE 2
#define ISOLUX_LBP_SIMPLE_SIDE 65536

ISOLUX_RULE int
isolux_lbp_diagonal (int32_t side_1, int32_t side_2, int32_t diagonal)
{
  const int64_t sum = (int64_t) ISOLUX_LBP_SIDES * (side_1 + side_2) +
                      (int64_t) ISOLUX_LBP_CORNER * diagonal;

  return sum == 0 && side_1 != side_2 ? ISOLUX_LBP_TIE : sum >= 0;
}

/*
 * The same for u8 in 16 bits, without ties: 27146 / 65536 is near enough to
 * 29289 / 70711 for all values.  sides: both differences, added up.
 */
ISOLUX_RULE int16_t
isolux_lbp_diagonal_u8 (int16_t sides, int16_t diagonal)
{
  return (int16_t) (diagonal + (int16_t) (((int32_t) sides * 27146) >> 16));
}

/* ---- Codes ------------------------------------------------------------ */

ISOLUX_RULE int
isolux_lbp_ones (uint32_t signs)
{
  int ones = 0;

  for (; signs; signs &= signs - 1)
    ones++;
  return ones;
}

/* The lowest bit that is set; bits if there is none. */
ISOLUX_RULE int
isolux_lbp_first (uint32_t signs, int bits)
{
  int i = 0;

  while (i < bits && ! (signs >> i & 1))
    i++;
  return i;
}

ISOLUX_RULE uint32_t
isolux_lbp_least_rotation (uint32_t signs, int points)
{
  uint32_t least = signs;
  int      i;

  for (i = 1; i < points; i++)
    {
      signs = signs >> 1 | (signs & 1) << (points - 1);
      least = signs < least ? signs : least;
    }
  return least;
}

/* Changes are counted from sample 0 to the last, not around the circle. */
ISOLUX_RULE uint32_t
isolux_lbp_uniform (uint32_t signs, int points)
{
  const uint32_t pairs = (signs ^ signs >> 1) & ((1u << (points - 1)) - 1);

  return isolux_lbp_ones (pairs) <= 2 ? (uint32_t) isolux_lbp_ones (signs)
                                      : (uint32_t) points + 1;
}

ISOLUX_RULE uint32_t
isolux_lbp_nri_uniform (uint32_t signs, int points)
{
  const uint32_t pairs = (signs ^ signs >> 1) & ((1u << (points - 1)) - 1);
  const int      ones = isolux_lbp_ones (signs);
  int            rotation;

  if (isolux_lbp_ones (pairs) > 2)
    return (uint32_t) (points * (points - 1) + 2);
  if (ones == 0)
    return 0;
  if (ones == points)
    return (uint32_t) (points * (points - 1) + 1);
  rotation = signs & 1 ? ones - isolux_lbp_first (~signs, points)
                       : points - isolux_lbp_first (signs, points);
  return (uint32_t) (1 + (ones - 1) * points + rotation);
}

/* The code of the signs, bit i that of sample i. */
ISOLUX_RULE uint32_t
isolux_lbp_code (uint32_t signs, int points, int method)
{
  switch (method)
    {
      case ISOLUX_PLAN_LBP_ROR:
        return isolux_lbp_least_rotation (signs, points);
      case ISOLUX_PLAN_LBP_UNIFORM:
        return isolux_lbp_uniform (signs, points);
      case ISOLUX_PLAN_LBP_NRI_UNIFORM:
        return isolux_lbp_nri_uniform (signs, points);
      default:
        return signs;
    }
}

/* Of the sum and the sum of squares of the samples, in their order. */
ISOLUX_RULE double
isolux_lbp_variance (double sum, double squares, int points)
{
  return (squares - sum * sum / points) / points;
}

/* ---- What is written ---------------------------------------------------- */

/* Raw: the code, or the variance, NaN where it is 0. */
ISOLUX_RULE float
isolux_lbp_raw (const IsoluxLbpPlan *plan, uint32_t code, double variance)
{
  const uint32_t quiet = 0x7fc00000u;
  float          v = (float) code;

  if (plan->method != ISOLUX_PLAN_LBP_VAR)
    return v;
  v = isolux_canonical ((float) variance);
  if (variance == 0.0)
    memcpy (&v, &quiet, sizeof v);
  return v;
}

/* A picture: what isolux_picture_value() and _code() are to be given. */
ISOLUX_RULE double
isolux_lbp_shown (const IsoluxLbpPlan *plan, uint32_t code, double variance)
{
  if (plan->method != ISOLUX_PLAN_LBP_VAR)
    return (double) code;
  return variance > 0.0 ? sqrt (variance) : 0.0;
}

#endif /* ISOLUX_LBP_RULES_H */
