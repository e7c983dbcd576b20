/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "axis.h"

#include <math.h>

static void
add_major (IsoluxTicks *ticks, gdouble value)
{
  if (ticks->n_major < ISOLUX_AXIS_MAJOR)
    ticks->major[ticks->n_major++] = value;
}

static void
add_minor (IsoluxTicks *ticks, gdouble value)
{
  if (ticks->n_minor < ISOLUX_AXIS_MINOR)
    ticks->minor[ticks->n_minor++] = value;
}

/* The first of 1, 2, 5, 10 times a power of ten that is not below @raw */
static gdouble
round_step (gdouble raw)
{
  static const gdouble steps[] = { 1, 2, 5 };
  gdouble              power = pow (10.0, floor (log10 (raw) + 1e-9));
  gsize                k;

  for (k = 0; k < G_N_ELEMENTS (steps); k++)
    if (steps[k] * power >= raw * 0.999)
      return steps[k] * power;
  return 10.0 * power;
}

void
isolux_axis_values (gdouble      low,
                    gdouble      high,
                    gboolean     whole,
                    gint         most,
                    IsoluxTicks *ticks)
{
  gdouble codes = high + 1.0;
  gdouble minor, finest;
  gint64  k, last;

  ticks->n_major = ticks->n_minor = 0;
  ticks->step = 1.0;
  most = CLAMP (most, 2, ISOLUX_AXIS_MAJOR / 2);

  if (whole && low == 0 && codes >= 16 && log2 (codes) == floor (log2 (codes)))
    {
      gint parts = most >= 4 ? 4 : 2;

      ticks->step = codes / parts;
      minor = ticks->step / 4.0;
      for (k = 0; k < parts; k++)
        add_major (ticks, ticks->step * k);
      add_major (ticks, high);
      for (k = 0; k < 4 * parts; k++)
        if (k % 4)
          add_minor (ticks, minor * k);
      return;
    }

  /* doubles are not finer than that */
  finest = MAX (fabs (low), fabs (high)) * 1e-14;
  if (! isfinite (high - low) || ! ((high - low) / most > finest))
    {
      add_major (ticks, low);
      return;
    }

  ticks->step = round_step ((high - low) / most);
  minor = ticks->step / 5.0;
  if (whole && ticks->step < 1.0)
    ticks->step = 1.0;
  if (whole && minor != floor (minor))
    minor = ticks->step > 1.0 ? 1.0 : 0.0;

  /* multiples, not sums: nothing adds up */
  last = (gint64) floor (high / ticks->step + 1e-6);
  for (k = (gint64) ceil (low / ticks->step - 1e-6); k <= last; k++)
    add_major (ticks, k * ticks->step);
  if (minor > finest)
    {
      gint64 per = (gint64) round (ticks->step / minor);

      last = (gint64) floor (high / minor + 1e-6);
      for (k = (gint64) ceil (low / minor - 1e-6); k <= last; k++)
        if (k % per)
          add_minor (ticks, k * minor);
    }
}

void
isolux_axis_counts (gdouble      top,
                    gboolean     logarithmic,
                    gint         most,
                    IsoluxTicks *ticks)
{
  gint k;

  ticks->n_major = ticks->n_minor = 0;
  ticks->step = 1.0;
  most = CLAMP (most, 1, ISOLUX_AXIS_MAJOR / 2);
  add_major (ticks, 0);
  if (! (top > 0) || ! isfinite (top))
    return;

  if (logarithmic)
    {
      gint powers = (gint) floor (log10 (top) + 1e-9);
      gint stride = 1;

      /* 1 stands close above 0 and is left out when there are others */
      while (powers / stride > most)
        stride++;
      for (k = powers > 0 ? stride : 0; k <= powers; k += stride)
        add_major (ticks, pow (10.0, k));
    }
  else
    {
      ticks->step = MAX (round_step (top / (most + 0.4)), 1.0);
      for (k = 1; k * ticks->step <= top * 1.001; k++)
        add_major (ticks, k * ticks->step);
    }
}
