/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one value that an operation on gray sees of a pixel: its gray, or the
 * luma of its colors.  Written once for the CPU and for CUDA.
 */
#ifndef ISOLUX_VALUE_RULES_H
#define ISOLUX_VALUE_RULES_H

#include "plans.h"

ISOLUX_RULE double
isolux_value_u8 (const IsoluxWeights *w, const uint8_t *in, int colors)
{
  return (double) (colors == 1 ? (uint32_t) in[0]
                               : isolux_luma_code (w, in[0], in[1], in[2]));
}

ISOLUX_RULE double
isolux_value_u16 (const IsoluxWeights *w, const uint16_t *in, int colors)
{
  return (double) (colors == 1 ? (uint32_t) in[0]
                               : isolux_luma_code (w, in[0], in[1], in[2]));
}

/* NaN when a component is. */
ISOLUX_RULE double
isolux_value_f32 (const IsoluxWeights *w, const float *in, int colors)
{
  if (colors == 1)
    return (double) in[0];
  if (isolux_is_nan (in[0]) || isolux_is_nan (in[1]) || isolux_is_nan (in[2]))
    return (double) ((in[0] + in[1]) + in[2]);
  return isolux_luma_f32 (w, in[0], in[1], in[2]);
}

/* Codes are exact in single precision; NaN is never left out. */
ISOLUX_RULE int
isolux_left_out (const IsoluxLeaveOutPlan *plan, float v)
{
  return v >= plan->low && v <= plan->high;
}

/*
 * A picture's value: v of a scale whose end is most, on the scale of a type
 * that ends at maximum.  What is not above 0 (also NaN) is 0.
 */
ISOLUX_RULE double
isolux_picture_value (double v, double most, double maximum)
{
  if (! (v > 0.0 && most > 0.0))
    return 0.0;
  if (most != maximum)
    v = v * maximum / most;
  return v < maximum ? v : maximum;
}

/* Rounded half to even, as rint() does, which not all processors have. */
ISOLUX_RULE uint32_t
isolux_picture_code (double v, double most, double maximum)
{
  const double big = 6755399441055744.0; /* 1.5 * 2^52 */

  return (uint32_t) (int32_t) ((isolux_picture_value (v, most, maximum) + big) -
                               big);
}

#endif /* ISOLUX_VALUE_RULES_H */
