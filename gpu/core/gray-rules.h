/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How three components become one gray, for the CPU and for CUDA. */
#ifndef ISOLUX_GRAY_RULES_H
#define ISOLUX_GRAY_RULES_H

#include "plans.h"

/* IsoluxGrayMethod, which kernels cannot see; others are luma. */
#define ISOLUX_PLAN_LUMINANCE 2
#define ISOLUX_PLAN_LIGHTNESS 3
#define ISOLUX_PLAN_AVERAGE 4
#define ISOLUX_PLAN_MAXIMUM 5

/* method: the plan's; a constant where the caller knows it. */
ISOLUX_RULE uint32_t
isolux_gray_code (const IsoluxGrayPlan *plan,
                  int                   method,
                  uint32_t              r,
                  uint32_t              g,
                  uint32_t              b)
{
  const size_t  codes = (size_t) plan->maximum + 1;
  const double *w = plan->weights.real;

  switch (method)
    {
      case ISOLUX_PLAN_AVERAGE:
        return isolux_average_code (r, g, b);
      case ISOLUX_PLAN_MAXIMUM:
        return isolux_maximum_code (r, g, b);
      case ISOLUX_PLAN_LUMINANCE:
      case ISOLUX_PLAN_LIGHTNESS:
        return isolux_encode (plan->thresholds, (uint32_t) plan->maximum,
                              (w[0] * (double) plan->decode[r] +
                               w[1] * (double) plan->decode[codes + g]) +
                                w[2] * (double) plan->decode[2 * codes + b]);
      default:
        return isolux_luma_code (&plan->weights, r, g, b);
    }
}

ISOLUX_RULE float
isolux_gray_f32 (const IsoluxGrayPlan *plan,
                 int                   method,
                 float                 r,
                 float                 g,
                 float                 b)
{
  const double *w = plan->weights.real;
  float         v;

  if (isolux_is_nan (r) || isolux_is_nan (g) || isolux_is_nan (b))
    return isolux_canonical (r + g + b);
  switch (method)
    {
      case ISOLUX_PLAN_AVERAGE:
        v = (float) ((((double) r + (double) g) + (double) b) / 3.0);
        break;
      case ISOLUX_PLAN_MAXIMUM:
        v = r > g ? r : g;
        v = v > b ? v : b;
        break;
      case ISOLUX_PLAN_LIGHTNESS:
        v = (float) isolux_lightness ((w[0] * (double) r + w[1] * (double) g) +
                                      w[2] * (double) b);
        break;
      default:
        v =
          (float) ((w[0] * (double) r + w[1] * (double) g) + w[2] * (double) b);
        break;
    }
  return isolux_canonical (v);
}

#endif /* ISOLUX_GRAY_RULES_H */
