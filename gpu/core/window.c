/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windowing: a range of values, given or measured, becomes the whole range of
 * the type.  Codes go through a table, floats are computed one by one.
 */
#include "internal.h"

#include <math.h>

/* The measured range of floats is cut down until a bin is so small a part of
 * the window, or as often. */
#define BINS_IN_WINDOW 4096
#define MOST_ROUNDS 16

typedef struct
{
  gdouble low, high;
} Range;

/* ---- Arguments --------------------------------------------------- */

static gboolean
check_window (const IsoluxWindowOptions *options, GError **error)
{
  const gdouble low = options->center - options->width / 2.0;
  const gdouble high = options->center + options->width / 2.0;

  if (! (options->width > 0.0) || ! isfinite (options->width))
    return isolux_argument_error (error,
                                  _("The width of a window is greater than 0; "
                                    "%g is not."),
                                  options->width);
  if (! isfinite (low) || ! isfinite (high) || ! isfinite (high - low))
    return isolux_argument_error (error,
                                  _("A window of center %g and width %g is "
                                    "not possible."),
                                  options->center, options->width);
  return TRUE;
}

static gboolean
check (const IsoluxWindowOptions *options, GError **error)
{
  switch (options->mode)
    {
      case ISOLUX_WINDOW_WINDOW:
        if (! check_window (options, error))
          return FALSE;
        break;
      case ISOLUX_WINDOW_PERCENTILE:
        if (! (options->low_percentile >= 0.0 &&
               options->low_percentile < options->high_percentile &&
               options->high_percentile <= 100.0))
          return isolux_argument_error (error,
                                        _("Percentiles are 0 to 100, the "
                                          "first less than the second; %g and "
                                          "%g are not."),
                                        options->low_percentile,
                                        options->high_percentile);
        break;
      case ISOLUX_WINDOW_RANGE:
        break;
      default:
        return isolux_argument_error (error, _("There is no window mode %d."),
                                      (gint) options->mode);
    }
  if (! (options->gamma >= 0.1 && options->gamma <= 10.0))
    return isolux_argument_error (error, _("Gamma is 0.1 to 10; %g is not."),
                                  options->gamma);
  if (options->channels != ISOLUX_EQUALIZE_LUMA &&
      options->channels != ISOLUX_EQUALIZE_EACH)
    return isolux_argument_error (error,
                                  _("There is no choice of channels "
                                    "%d."),
                                  (gint) options->channels);
  return TRUE;
}

/* ---- Measuring --------------------------------------------------- */

/* 0 % and 100 % are the least and the largest value itself, not its bin. */
static gdouble
percentile (const IsoluxHistogram *h, gint channel, gdouble percent)
{
  if (percent <= 0.0)
    return h->minimum[channel];
  if (percent >= 100.0)
    return h->maximum[channel];
  return isolux_histogram_percentile (h, channel, percent);
}

static Range
range_of (const IsoluxWindowOptions *options,
          const IsoluxHistogram     *h,
          gint                       channel)
{
  Range range;

  if (options->mode == ISOLUX_WINDOW_RANGE)
    {
      range.low = h->minimum[channel];
      range.high = h->maximum[channel];
    }
  else
    {
      range.low = percentile (h, channel, options->low_percentile);
      range.high = percentile (h, channel, options->high_percentile);
    }
  if (h->type != ISOLUX_TYPE_F32)
    {
      /* codes beyond the significant bits count as the last one */
      range.low = MIN (range.low, h->high);
      range.high = MIN (range.high, h->high);
    }
  return range;
}

/*
 * Floats may hold a few values far away from the others, so that all the
 * others are in one bin.  Then the range around the two percentiles is
 * counted again: values before and behind it are in the first and the last
 * bin, so that cumulative counts within it stay right.
 */
static gboolean
measure_floats (IsoluxSurface             *source,
                const IsoluxWindowOptions *options,
                IsoluxChannel              channel,
                Range                     *range,
                IsoluxReport              *report,
                GError                   **error)
{
  IsoluxHistogramOptions counting = ISOLUX_HISTOGRAM_DEFAULTS;
  gint                   round;

  counting.channel = channel;
  memcpy (counting.weights, options->weights, sizeof counting.weights);
  if (options->mode == ISOLUX_WINDOW_RANGE)
    counting.bins = 2;
  for (round = 0; round < MOST_ROUNDS; round++)
    {
      IsoluxReport     step;
      IsoluxHistogram *h = isolux_histogram (source, &counting, &step, error);
      gdouble          bin;

      if (! h)
        return FALSE;
      isolux_report_add (report, &step);
      *range = range_of (options, h, 0);
      bin = (h->high - h->low) / h->bins;
      counting.low = MAX (range->low - 2.0 * bin, h->minimum[0]);
      counting.high = MIN (range->high + 2.0 * bin, h->maximum[0]);
      isolux_histogram_free (h);
      if (options->mode == ISOLUX_WINDOW_RANGE ||
          bin * BINS_IN_WINDOW <= range->high - range->low ||
          ! (counting.low < counting.high) ||
          counting.low + bin / 65536.0 == counting.low)
        break;
    }
  return TRUE;
}

static gboolean
measure_codes (IsoluxSurface             *source,
               const IsoluxWindowOptions *options,
               gint                       channels,
               Range                     *ranges,
               IsoluxReport              *report,
               GError                   **error)
{
  IsoluxHistogramOptions counting = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxReport           step;
  IsoluxHistogram       *h;
  gint                   c;

  counting.channel = channels == 1 ? ISOLUX_CHANNEL_LUMA : ISOLUX_CHANNEL_EACH;
  memcpy (counting.weights, options->weights, sizeof counting.weights);
  h = isolux_histogram (source, &counting, &step, error);
  if (! h)
    return FALSE;
  isolux_report_add (report, &step);
  for (c = 0; c < channels; c++)
    ranges[c] = range_of (options, h, c);
  isolux_histogram_free (h);
  return TRUE;
}

static gboolean
find_ranges (IsoluxSurface             *source,
             const IsoluxWindowOptions *options,
             gint                       channels,
             Range                     *ranges,
             IsoluxReport              *report,
             GError                   **error)
{
  static const IsoluxChannel colors[] = { ISOLUX_CHANNEL_RED,
                                          ISOLUX_CHANNEL_GREEN,
                                          ISOLUX_CHANNEL_BLUE };
  gint                       c;

  if (options->mode == ISOLUX_WINDOW_WINDOW)
    {
      for (c = 0; c < channels; c++)
        {
          ranges[c].low = options->center - options->width / 2.0;
          ranges[c].high = options->center + options->width / 2.0;
        }
      return TRUE;
    }
  if (source->pixels.type != ISOLUX_PLAN_F32)
    return measure_codes (source, options, channels, ranges, report, error);
  for (c = 0; c < channels; c++)
    if (! measure_floats (source, options,
                          channels == 1 ? ISOLUX_CHANNEL_LUMA : colors[c],
                          &ranges[c], report, error))
      return FALSE;
  return TRUE;
}

/* ---- Applying ---------------------------------------------------- */

static gboolean
lut_twin (const IsoluxBackend *backend,
          IsoluxSurface       *source,
          IsoluxSurface       *destination,
          gpointer             plan,
          GError             **error)
{
  return backend->lut_apply (source, destination, plan, error);
}

/* A table for each component, even where they are the same. */
static gboolean
apply_codes (IsoluxSurface          *source,
             IsoluxSurface          *destination,
             const IsoluxWindowPlan *plan,
             IsoluxReport           *step,
             GError                **error)
{
  const gboolean wide = source->pixels.type == ISOLUX_PLAN_U16;
  const gint     codes = wide ? 65536 : 256;
  const gint     colors = source->pixels.colors;
  IsoluxLutPlan  lut = { 0 };
  gpointer       entries;
  gboolean       success;
  gint           c, k;

  entries = isolux_try_alloc ((gsize) colors * (gsize) codes,
                              wide ? sizeof (guint16) : 1, error);
  if (! entries)
    return FALSE;
  lut.channels = colors;
  lut.bins = codes;
  lut.entries = entries;
  for (c = 0; c < colors; c++)
    {
      const gint t = plan->channels == 1 ? 0 : c;

      lut.identity[c] = plan->identity[t];
      for (k = 0; k < codes && ! plan->identity[t]; k++)
        {
          const guint32 v = isolux_window_code (k, plan->low[t], plan->width[t],
                                                plan->power, plan->invert,
                                                codes - 1);

          if (wide)
            ((guint16 *) entries)[c * codes + k] = (guint16) v;
          else
            ((guint8 *) entries)[c * codes + k] = (guint8) v;
        }
    }
  success = isolux_run (ISOLUX_TWIN_LUT_APPLY, lut_twin, source, destination,
                        &lut, step, error);
  g_free (entries);
  return success;
}

static gboolean
window_twin (const IsoluxBackend *backend,
             IsoluxSurface       *source,
             IsoluxSurface       *destination,
             gpointer             plan,
             GError             **error)
{
  return backend->window (source, destination, plan, error);
}

static gboolean
check_all (const IsoluxWindowOptions *options, GError **error)
{
  IsoluxWeights weights;

  return check (options, error) &&
         isolux_weights_set (&weights, options->weights, error);
}

/* How many ranges the options stand for. */
static gint
channels_of (IsoluxSurface *source, const IsoluxWindowOptions *options)
{
  return options->channels == ISOLUX_EQUALIZE_EACH ? source->pixels.colors : 1;
}

static gboolean
apply (IsoluxSurface             *source,
       IsoluxSurface             *destination,
       const IsoluxWindowOptions *options,
       const Range               *ranges,
       IsoluxReport              *report,
       GError                   **error)
{
  IsoluxWindowPlan plan = { 0 };
  IsoluxReport     step = { 0 };
  gboolean         success, all = TRUE;
  gint             c;

  plan.channels = channels_of (source, options);
  plan.luma = source->pixels.colors == 3 && plan.channels == 1;
  plan.invert = options->invert != FALSE;
  plan.power = 1.0 / options->gamma;
  for (c = 0; c < plan.channels; c++)
    {
      plan.low[c] = ranges[c].low;
      plan.width[c] = ranges[c].high - ranges[c].low;
      plan.identity[c] = ! (ranges[c].low < ranges[c].high);
      all = all && plan.identity[c];
    }
  if (source->pixels.type == ISOLUX_PLAN_F32)
    success = isolux_run (ISOLUX_TWIN_WINDOW, window_twin, source, destination,
                          &plan, &step, error);
  else
    success = apply_codes (source, destination, &plan, &step, error);
  if (success && report)
    {
      isolux_report_add (report, &step);
      report->unchanged = all;
    }
  return success;
}

gboolean
isolux_window (IsoluxSurface             *source,
               IsoluxSurface             *destination,
               const IsoluxWindowOptions *options,
               IsoluxReport              *report,
               GError                   **error)
{
  static const IsoluxWindowOptions defaults = ISOLUX_WINDOW_DEFAULTS;
  const gint64                     start = g_get_monotonic_time ();
  Range                            ranges[3] = { { 0.0, 0.0 } };

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! check_all (options, error) ||
      ! isolux_surfaces_check (source, destination, TRUE, error) ||
      ! find_ranges (source, options, channels_of (source, options), ranges,
                     report, error) ||
      ! apply (source, destination, options, ranges, report, error))
    return FALSE;
  if (report)
    report->compute_ms = (g_get_monotonic_time () - start) / 1000.0;
  return TRUE;
}

gboolean
isolux_window_measure (IsoluxSurface             *source,
                       const IsoluxWindowOptions *options,
                       gdouble                    low[3],
                       gdouble                    high[3],
                       IsoluxReport              *report,
                       GError                   **error)
{
  static const IsoluxWindowOptions defaults = ISOLUX_WINDOW_DEFAULTS;
  const gint64                     start = g_get_monotonic_time ();
  Range                            ranges[3] = { { 0.0, 0.0 } };
  gint                             channels, c;

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  channels = channels_of (source, options);
  if (! check_all (options, error) ||
      ! find_ranges (source, options, channels, ranges, report, error))
    return FALSE;
  for (c = 0; c < 3; c++)
    {
      low[c] = ranges[c < channels ? c : 0].low;
      high[c] = ranges[c < channels ? c : 0].high;
    }
  if (report)
    report->compute_ms = (g_get_monotonic_time () - start) / 1000.0;
  return TRUE;
}

gboolean
isolux_window_apply (IsoluxSurface             *source,
                     IsoluxSurface             *destination,
                     const IsoluxWindowOptions *options,
                     const gdouble              low[3],
                     const gdouble              high[3],
                     IsoluxReport              *report,
                     GError                   **error)
{
  static const IsoluxWindowOptions defaults = ISOLUX_WINDOW_DEFAULTS;
  const gint64                     start = g_get_monotonic_time ();
  Range                            ranges[3];
  gint                             c;

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  for (c = 0; c < 3; c++)
    {
      ranges[c].low = low[c];
      ranges[c].high = high[c];
      if (! isfinite (low[c]) || ! isfinite (high[c]) ||
          ! isfinite (high[c] - low[c]))
        return isolux_argument_error (error,
                                      _("A window from %g to %g is not "
                                        "possible."),
                                      low[c], high[c]);
    }
  if (! check_all (options, error) ||
      ! isolux_surfaces_check (source, destination, TRUE, error) ||
      ! apply (source, destination, options, ranges, report, error))
    return FALSE;
  if (report)
    report->compute_ms = (g_get_monotonic_time () - start) / 1000.0;
  return TRUE;
}
