/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What decides in windowing: where a value lies in the window, and the power
 * of a gamma.  Powers and logarithms are built from +, *, / and whole
 * numbers, which round alike everywhere.
 */
#ifndef ISOLUX_WINDOW_RULES_H
#define ISOLUX_WINDOW_RULES_H

#include "rules.h"

/*
 * f32.  channels: 1, one window for all components, or 3, one for each.
 * luma: a pixel with a component that is NaN stays whole.  power: 1 / gamma.
 */
typedef struct
{
  int32_t luma;
  int32_t channels;
  int32_t invert;
  int32_t identity[3];
  double  low[3], width[3];
  double  power;
} IsoluxWindowPlan;

/* ---- Powers ---------------------------------------------------------- */

/* The binary logarithm of a normal number above 0; within 4e-16, relative or
 * absolute, whichever is more; exact for powers of two. */
ISOLUX_RULE double
isolux_log2 (double x)
{
  const uint64_t mantissa = (UINT64_C (1) << 52) - 1;
  uint64_t       bits;
  double         m, s, z, sum;
  int            exponent, i;

  memcpy (&bits, &x, sizeof bits);
  exponent = (int) (bits >> 52) - 1023;
  bits = (bits & mantissa) | UINT64_C (1023) << 52;
  memcpy (&m, &bits, sizeof m);
  if (m > 1.4142135623730951)
    {
      m *= 0.5;
      exponent++;
    }
  /* ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), |s| < 0.1716 */
  s = (m - 1.0) / (m + 1.0);
  z = s * s;
  sum = 1.0 / 23.0;
  for (i = 21; i >= 3; i -= 2)
    sum = sum * z + 1.0 / (double) i;
  sum = 2.0 * (s + s * (z * sum));
  return (double) exponent + sum * 1.4426950408889634;
}

/* 2^y; below the normal numbers 0, above them the largest one; within 4e-16
 * relative of the power of the y given. */
ISOLUX_RULE double
isolux_exp2 (double y)
{
  double   n, r, sum, scale;
  uint64_t bits;
  int      i;

  if (! (y > -1022.0))
    return 0.0;
  if (y > 1023.0)
    return DBL_MAX;
  n = rint (y);
  r = (y - n) * 0.6931471805599453; /* at most 0.3466 */
  sum = 1.0;
  for (i = 14; i >= 1; i--)
    sum = sum * (r / (double) i) + 1.0;
  bits = (uint64_t) ((int) n + 1023) << 52;
  if (n < -1022.0)
    bits = UINT64_C (1) << 52;
  memcpy (&scale, &bits, sizeof scale);
  return sum * scale;
}

/*
 * x^power for 0 <= x <= 1 and a power above 0.  0 and 1 are exact; else
 * within 1e-13 relative while the result is above 1e-45, the least number of
 * single precision.
 */
ISOLUX_RULE double
isolux_power (double x, double power)
{
  if (! (x >= DBL_MIN))
    return 0.0;
  return isolux_exp2 (power * isolux_log2 (x));
}

/* ---- The window ------------------------------------------------------ */

/* 0 .. 1; v is no NaN, width is above 0 */
ISOLUX_RULE double
isolux_window_value (double v,
                     double low,
                     double width,
                     double power,
                     int    invert)
{
  double t = (v - low) / width;

  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  if (power != 1.0)
    t = isolux_power (t, power);
  return invert ? 1.0 - t : t;
}

ISOLUX_RULE uint32_t
isolux_window_code (double v,
                    double low,
                    double width,
                    double power,
                    int    invert,
                    double maximum)
{
  return (uint32_t) rint (isolux_window_value (v, low, width, power, invert) *
                          maximum);
}

/* A pixel that counts; colors: 1 or 3 components. */
ISOLUX_RULE void
isolux_window_pixel (const IsoluxWindowPlan *p, float *v, int colors)
{
  int c;

  if (p->luma &&
      (isolux_is_nan (v[0]) || isolux_is_nan (v[1]) || isolux_is_nan (v[2])))
    return;
  for (c = 0; c < colors; c++)
    {
      const int t = p->channels == 1 ? 0 : c;

      if (! p->identity[t] && ! isolux_is_nan (v[c]))
        v[c] = (float) isolux_window_value ((double) v[c], p->low[t],
                                            p->width[t], p->power, p->invert);
    }
}

#endif /* ISOLUX_WINDOW_RULES_H */
