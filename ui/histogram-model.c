/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "histogram-model.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "format.h"
#include "histogram-model-private.h"

G_DEFINE_FINAL_TYPE (IsoluxHistogramModel,
                     isolux_histogram_model,
                     G_TYPE_OBJECT)

enum
{
  CHANGED,
  CLIP_CHANGED,
  WINDOW_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* ---- Life ---- */

static void
bins_clear (gpointer data)
{
  IsoluxBins *bins = data;

  g_free ((gpointer) bins->series.counts);
  g_free (bins->below);
}

static void
isolux_histogram_model_init (IsoluxHistogramModel *model)
{
  model->bins = g_array_new (FALSE, FALSE, sizeof (IsoluxBins));
  g_array_set_clear_func (model->bins, bins_clear);
  model->full.high = 255;
  model->full.codes = TRUE;
  model->scale = 1.0;
  model->unit = g_strdup ("");
  model->clip = -1.0;
  model->clip_step = 0.1;
  model->show = ISOLUX_SHOW_BEFORE | ISOLUX_SHOW_AFTER | ISOLUX_SHOW_CURVE |
                ISOLUX_SHOW_MARKS;
}

static void
isolux_histogram_model_finalize (GObject *object)
{
  IsoluxHistogramModel *model = ISOLUX_HISTOGRAM_MODEL (object);

  g_array_unref (model->bins);
  g_free (model->unit);
  g_free (model->curve_x);
  g_free (model->curve_y);
  g_free (model->curve_low);
  g_free (model->curve_high);
  g_free (model->shares);
  g_free (model->cell);
  g_free (model->summary);
  G_OBJECT_CLASS (isolux_histogram_model_parent_class)->finalize (object);
}

static void
isolux_histogram_model_class_init (IsoluxHistogramModelClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = isolux_histogram_model_finalize;

  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[CLIP_CHANGED] = g_signal_new ("clip-changed", type, G_SIGNAL_RUN_LAST,
                                        0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                        G_TYPE_DOUBLE);
  signals[WINDOW_CHANGED] =
    g_signal_new ("window-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

IsoluxHistogramModel *
isolux_histogram_model_new (void)
{
  return g_object_new (ISOLUX_TYPE_HISTOGRAM_MODEL, NULL);
}

static void
changed (IsoluxHistogramModel *model)
{
  model->revision++;
  model->dirty = model->frozen > 0;
  if (! model->dirty)
    g_signal_emit (model, signals[CHANGED], 0);
}

void
isolux_histogram_model_begin (IsoluxHistogramModel *model)
{
  model->frozen++;
}

void
isolux_histogram_model_end (IsoluxHistogramModel *model)
{
  g_return_if_fail (model->frozen > 0);
  if (--model->frozen == 0 && model->dirty)
    changed (model);
}

/* ---- What is shown ---- */

static void
bins_init (IsoluxBins *bins, const IsoluxSeries *series)
{
  gdouble middle = series->codes ? (series->step - 1.0) / 2.0
                                 : series->step / 2.0;
  gdouble sum = 0;
  guint64 total = 0;
  gint    k;

  bins->series = *series;
  bins->series.counts =
    g_memdup2 (series->counts, (gsize) series->n * sizeof (guint64));
  bins->below = g_new (guint64, series->n + 1);
  bins->lowest = bins->highest = -1;
  for (k = 0; k < series->n; k++)
    {
      guint64 count = series->counts[k];

      bins->below[k] = total;
      total += count;
      sum += (gdouble) count * k;
      if (count)
        {
          bins->highest = k;
          if (bins->lowest < 0)
            bins->lowest = k;
        }
    }
  bins->below[series->n] = total;
  bins->mean = series->first + middle +
               (total ? sum / (gdouble) total : 0.0) * series->step;
}

void
isolux_histogram_model_set_series (IsoluxHistogramModel *model,
                                   const IsoluxSeries   *series,
                                   gint                  n)
{
  gint k;

  g_array_set_size (model->bins, 0);
  for (k = 0; k < n; k++)
    {
      IsoluxBins bins;

      if (series[k].n < 1 || ! (series[k].step > 0) || ! series[k].counts)
        continue;
      bins_init (&bins, &series[k]);
      g_array_append_val (model->bins, bins);
    }
  model->serial++;
  changed (model);
}

/* An axis is never empty and has numbers at its ends */
static IsoluxAxis
sane_axis (gdouble low, gdouble high, gboolean codes)
{
  IsoluxAxis axis = { low, high, codes };

  if (! isfinite (low) || ! isfinite (high) || ! isfinite (high - low) ||
      low > high)
    {
      axis.low = 0;
      axis.high = 1;
    }
  else if (codes)
    {
      axis.low = floor (low);
      axis.high = ceil (high);
    }
  else if (low == high)
    {
      gdouble room = MAX (fabs (low) * 0.01, 1e-6);

      axis.low -= room;
      axis.high += room;
    }
  return axis;
}

void
isolux_histogram_model_set_axis (IsoluxHistogramModel *model,
                                 gdouble               full_low,
                                 gdouble               full_high,
                                 gboolean              codes,
                                 gdouble               scale,
                                 gdouble               offset,
                                 const gchar          *unit)
{
  IsoluxAxis full = sane_axis (full_low, full_high, codes);

  if (! isfinite (scale) || scale == 0 || ! isfinite (offset))
    {
      scale = 1.0;
      offset = 0.0;
    }
  if (! unit)
    unit = "";
  if (full.low == model->full.low && full.high == model->full.high &&
      full.codes == model->full.codes && scale == model->scale &&
      offset == model->offset && g_str_equal (unit, model->unit))
    return;

  model->full = full;
  model->scale = scale;
  model->offset = offset;
  g_free (model->unit);
  model->unit = g_strdup (unit);
  changed (model);
}

void
isolux_histogram_model_set_output (IsoluxHistogramModel *model,
                                   gboolean              has,
                                   gdouble               low,
                                   gdouble               high,
                                   gboolean              codes)
{
  IsoluxAxis output = sane_axis (low, high, codes);

  if (has == model->has_output &&
      (! has ||
       (output.low == model->output.low && output.high == model->output.high &&
        output.codes == model->output.codes)))
    return;
  model->has_output = has;
  model->output = output;
  changed (model);
}

gdouble
isolux_axis_end (const IsoluxAxis *axis)
{
  return axis->codes ? axis->high + 1.0 : axis->high;
}

void
isolux_histogram_model_get_axis (IsoluxHistogramModel *model, IsoluxAxis *axis)
{
  gdouble low = MAX (model->low, model->full.low);
  gdouble high = MIN (model->high, model->full.high);

  *axis = model->full;
  /* a part that has nothing in common with the full range is none */
  if (model->low < model->high && low < high)
    {
      axis->low = low;
      axis->high = high;
    }
}

void
isolux_histogram_model_set_range (IsoluxHistogramModel *model,
                                  gdouble               low,
                                  gdouble               high)
{
  IsoluxAxis old, now;

  if (! isfinite (low) || ! isfinite (high))
    low = high = 0;
  if (model->full.codes)
    {
      low = round (low);
      high = round (high);
    }
  isolux_histogram_model_get_axis (model, &old);
  model->low = low;
  model->high = high;
  isolux_histogram_model_get_axis (model, &now);
  if (old.low != now.low || old.high != now.high)
    changed (model);
}

void
isolux_histogram_model_get_range (IsoluxHistogramModel *model,
                                  gdouble              *low,
                                  gdouble              *high)
{
  IsoluxAxis axis;

  isolux_histogram_model_get_axis (model, &axis);
  *low = axis.low;
  *high = axis.high;
}

/* Replaces an array by a copy of another one, or by NULL */
static void
replace (gdouble **array, const gdouble *values, gint n)
{
  g_free (*array);
  *array = n > 0 && values ? g_memdup2 (values, n * sizeof *values) : NULL;
}

void
isolux_histogram_model_set_curve (IsoluxHistogramModel *model,
                                  const IsoluxCurve    *curve)
{
  gint n = curve && curve->x && curve->y ? MAX (curve->n, 0) : 0;

  if (n == 0 && model->curve_n == 0)
    return;
  model->curve_n = n;
  replace (&model->curve_x, n ? curve->x : NULL, n);
  replace (&model->curve_y, n ? curve->y : NULL, n);
  replace (&model->curve_low, n ? curve->low : NULL, n);
  replace (&model->curve_high, n ? curve->high : NULL, n);
  changed (model);
}

void
isolux_histogram_model_set_clip (IsoluxHistogramModel *model,
                                 gdouble               limit,
                                 gdouble               mean,
                                 gdouble               maximum,
                                 gdouble               step)
{
  if (! isfinite (limit) || limit < 0)
    limit = -1.0;
  if (! (step > 0))
    step = 0.1;
  if (limit == model->clip && mean == model->clip_mean &&
      maximum == model->clip_maximum && step == model->clip_step)
    return;
  model->clip = limit;
  model->clip_mean = mean;
  model->clip_maximum = maximum;
  model->clip_step = step;
  changed (model);
}

void
isolux_histogram_model_set_window (IsoluxHistogramModel *model,
                                   gdouble               center,
                                   gdouble               width,
                                   gboolean              movable)
{
  if (! isfinite (center) || ! isfinite (width) || width < 0)
    width = 0;
  if (width == 0)
    center = movable = 0;
  if (center == model->center && width == model->width &&
      movable == model->movable)
    return;
  model->center = center;
  model->width = width;
  model->movable = movable;
  changed (model);
}

void
isolux_histogram_model_set_orientations (IsoluxHistogramModel *model,
                                         gint                  n,
                                         const gdouble        *shares,
                                         const gdouble        *cell,
                                         gdouble               degrees)
{
  if (! shares || n < 0)
    n = 0;
  if (n == 0 && model->orientations == 0)
    return;
  model->orientations = n;
  model->degrees = degrees;
  replace (&model->shares, shares, n);
  replace (&model->cell, cell, n);
  changed (model);
}

void
isolux_histogram_model_set_logarithmic (IsoluxHistogramModel *model,
                                        gboolean              log)
{
  log = log != FALSE;
  if (log == model->logarithmic)
    return;
  model->logarithmic = log;
  changed (model);
}

gboolean
isolux_histogram_model_get_logarithmic (IsoluxHistogramModel *model)
{
  return model->logarithmic;
}

void
isolux_histogram_model_set_show (IsoluxHistogramModel *model, IsoluxShow show)
{
  if (show == model->show)
    return;
  model->show = show;
  changed (model);
}

IsoluxShow
isolux_histogram_model_get_show (IsoluxHistogramModel *model)
{
  return model->show;
}

void
isolux_histogram_model_set_summary (IsoluxHistogramModel *model,
                                    const gchar          *summary)
{
  if (g_strcmp0 (summary, model->summary) == 0)
    return;
  g_free (model->summary);
  model->summary = g_strdup (summary);
  changed (model);
}

void
isolux_histogram_model_set_becomes (IsoluxHistogramModel *model,
                                    gboolean              becomes,
                                    gdouble               out_low,
                                    gdouble               out_high)
{
  if (becomes == model->becomes && out_low == model->out_low &&
      out_high == model->out_high)
    return;
  model->becomes = becomes;
  model->out_low = out_low;
  model->out_high = out_high;
  changed (model);
}

void
isolux_histogram_model_drag_clip (IsoluxHistogramModel *model, gdouble limit)
{
  if (limit == model->clip)
    return;
  isolux_histogram_model_set_clip (model, limit, model->clip_mean,
                                   model->clip_maximum, model->clip_step);
  g_signal_emit (model, signals[CLIP_CHANGED], 0, limit);
}

void
isolux_histogram_model_drag_window (IsoluxHistogramModel *model,
                                    gdouble               center,
                                    gdouble               width)
{
  if (center == model->center && width == model->width)
    return;
  isolux_histogram_model_set_window (model, center, width, model->movable);
  g_signal_emit (model, signals[WINDOW_CHANGED], 0, center, width);
}

/* ---- Questions ---- */

static IsoluxBins *
bins_of (IsoluxHistogramModel *model, gint series)
{
  return &g_array_index (model->bins, IsoluxBins, series);
}

gboolean
isolux_histogram_model_shows (IsoluxHistogramModel *model, IsoluxRole role)
{
  IsoluxShow show = model->show;

  switch (role)
    {
      case ISOLUX_ROLE_BEFORE:
        return (show & ISOLUX_SHOW_BEFORE) != 0;
      case ISOLUX_ROLE_RED:
        return (show & (ISOLUX_SHOW_AFTER | ISOLUX_SHOW_NO_RED)) ==
               ISOLUX_SHOW_AFTER;
      case ISOLUX_ROLE_GREEN:
        return (show & (ISOLUX_SHOW_AFTER | ISOLUX_SHOW_NO_GREEN)) ==
               ISOLUX_SHOW_AFTER;
      case ISOLUX_ROLE_BLUE:
        return (show & (ISOLUX_SHOW_AFTER | ISOLUX_SHOW_NO_BLUE)) ==
               ISOLUX_SHOW_AFTER;
      case ISOLUX_ROLE_CUMULATIVE:
        return (show & ISOLUX_SHOW_CUMULATIVE) != 0;
      case ISOLUX_ROLE_CURVE:
        return (show & ISOLUX_SHOW_CURVE) != 0;
      case ISOLUX_ROLE_MARK:
        return (show & ISOLUX_SHOW_MARKS) != 0;
      default:
        return (show & ISOLUX_SHOW_AFTER) != 0;
    }
}

/* Where an edge between values lies among the bins; a hair beside a bin's
 * edge is on it */
static gdouble
place_of (const IsoluxSeries *series, gdouble edge)
{
  gdouble place = (edge - series->first) / series->step;
  gdouble whole = round (place);

  return fabs (place - whole) < 1e-6 ? whole : place;
}

void
isolux_histogram_model_columns (IsoluxHistogramModel *model,
                                gint                  series,
                                gdouble               low,
                                gdouble               high,
                                gint                  n,
                                gdouble              *peak,
                                gdouble              *mean)
{
  IsoluxBins         *bins;
  const IsoluxSeries *counts;
  gdouble             begin, span, at;
  gint                k;

  g_return_if_fail (series >= 0 && (guint) series < model->bins->len);
  bins = bins_of (model, series);
  counts = &bins->series;
  begin = place_of (counts, low);
  span = place_of (counts, counts->codes ? high + 1.0 : high) - begin;
  at = floor (begin);
  for (k = 0; k < n; k++)
    {
      /* k * bins / n is rounded once: floor() sees what it should */
      gdouble next = floor (begin + span * (k + 1) / n);
      gdouble end = MAX (next, at + 1.0);
      gint    from = (gint) CLAMP (at, 0, counts->n);
      gint    to = (gint) CLAMP (end, 0, counts->n);
      guint64 most = 0;
      gint    b;

      for (b = from; b < to; b++)
        most = MAX (most, counts->counts[b]);
      peak[k] = (gdouble) most;
      /* bins that a series does not have are empty */
      mean[k] = from < to
                  ? (gdouble) (bins->below[to] - bins->below[from]) / (end - at)
                  : 0.0;
      at = next;
    }
}

gdouble
isolux_histogram_model_share_below (IsoluxHistogramModel *model,
                                    gint                  series,
                                    gdouble               edge)
{
  IsoluxBins *bins = bins_of (model, series);
  gint        n = bins->series.n;
  gdouble     total = (gdouble) bins->below[n];
  gdouble     place = CLAMP (place_of (&bins->series, edge), 0, n);
  gint        k = (gint) place;
  gdouble     below;

  if (total <= 0)
    return 0.0;
  below = (gdouble) bins->below[k];
  if (k < n)
    below += (place - k) * (gdouble) bins->series.counts[k];
  return below / total;
}

gboolean
isolux_histogram_model_curve_at (IsoluxHistogramModel *model,
                                 gdouble               value,
                                 gdouble              *y)
{
  gint below = 0, above = model->curve_n - 1;

  if (model->curve_n < 1)
    return FALSE;
  while (above - below > 1)
    {
      gint middle = below + (above - below) / 2;

      if (model->curve_x[middle] <= value)
        below = middle;
      else
        above = middle;
    }
  if (value <= model->curve_x[below])
    *y = model->curve_y[below];
  else if (value >= model->curve_x[above])
    *y = model->curve_y[above];
  else
    *y = model->curve_y[below] +
         (model->curve_y[above] - model->curve_y[below]) *
           (value - model->curve_x[below]) /
           (model->curve_x[above] - model->curve_x[below]);
  return TRUE;
}

/* ---- Texts ---- */

static const gchar *
name_of (IsoluxRole role, gboolean capital)
{
  switch (role)
    {
      case ISOLUX_ROLE_BEFORE:
        return capital ? _("Before") : C_("read-out", "before");
      case ISOLUX_ROLE_RED:
        return capital ? _("Red") : C_("read-out", "red");
      case ISOLUX_ROLE_GREEN:
        return capital ? _("Green") : C_("read-out", "green");
      case ISOLUX_ROLE_BLUE:
        return capital ? _("Blue") : C_("read-out", "blue");
      default:
        return capital ? _("After") : C_("read-out", "after");
    }
}

/* Whether people read something else than what is counted */
static gboolean
has_unit (IsoluxHistogramModel *model)
{
  return model->scale != 1.0 || model->offset != 0.0 || *model->unit;
}

/* Decimals of values of the input's axis that are @step apart */
static gint
digits_of (IsoluxHistogramModel *model, gdouble step)
{
  if (model->full.codes && model->scale == floor (model->scale) &&
      model->offset == floor (model->offset))
    return 0;
  return isolux_format_digits (model->scale * step);
}

/* A step that is small in the whole of an axis */
static gdouble
small_step (const IsoluxAxis *axis)
{
  return axis->codes ? 1.0 : (axis->high - axis->low) / 1000.0;
}

gchar *
isolux_histogram_model_format (IsoluxHistogramModel *model,
                               gdouble               value,
                               gboolean              with_unit)
{
  return isolux_format_value (model->scale * value + model->offset,
                              digits_of (model, small_step (&model->full)),
                              with_unit ? model->unit : NULL);
}

static gchar *
format_clip (IsoluxHistogramModel *model)
{
  gdouble steps = model->clip / model->clip_step;
  gint    digits = isolux_format_digits (model->clip_step);

  /* set by other means, between steps */
  if (fabs (steps - round (steps)) > 1e-6)
    digits++;
  return isolux_format_number (model->clip, digits);
}

gchar *
isolux_histogram_model_clip_text (IsoluxHistogramModel *model, gint brevity)
{
  gchar *number, *text;

  if (model->clip <= 0)
    return g_strdup (_("No limit"));
  number = format_clip (model);
  if (brevity >= 2)
    return number;
  text = brevity ? g_strdup_printf (_("Clip limit %s"), number)
                 : g_strdup_printf (_("Clip limit %s × mean"), number);
  g_free (number);
  return text;
}

/* Adds a part that is freed, behind a dot when it is not the first one */
static void
add_part (GString *text, gchar *part)
{
  if (text->len && text->str[text->len - 1] != ' ')
    g_string_append (text, " · ");
  g_string_append (text, part);
  g_free (part);
}

/* "812", "812–817", "33 HU" of values from @from to below @to */
static gchar *
format_values (IsoluxHistogramModel *model,
               const IsoluxAxis     *axis,
               gboolean              real,
               gdouble               from,
               gdouble               to)
{
  gdouble      scale = real ? model->scale : 1.0;
  gdouble      offset = real ? model->offset : 0.0;
  const gchar *unit = real ? model->unit : NULL;
  gdouble      last = axis->codes ? to - 1.0 : to;
  gdouble      a = scale * from + offset, b = scale * last + offset;
  gint         digits;

  if (axis->codes)
    digits = real ? digits_of (model, 1.0) : 0;
  else
    digits = isolux_format_digits (scale * (to - from));
  if (! (to - from > (axis->codes ? 1.0 : 0.0)))
    return isolux_format_value (a, digits, unit);
  return isolux_format_range (MIN (a, b), MAX (a, b), digits, unit);
}

/* "Value 812:", "812:", "33 HU (stored 1,057):" */
static void
add_values (IsoluxHistogramModel *model,
            GString              *text,
            gboolean              output,
            gdouble               from,
            gdouble               to,
            gboolean              brief)
{
  const IsoluxAxis *axis = output ? &model->output : &model->full;
  gboolean          several = to - from > (axis->codes ? 1.0 : 0.0);
  gboolean          real = ! output && has_unit (model);
  gchar            *values = format_values (model, axis, real, from, to);

  if (output)
    g_string_append_printf (text, _("Result %s:"), values);
  else if (real && ! brief)
    {
      gchar *stored = format_values (model, axis, FALSE, from, to);

      g_string_append_printf (text, _("%s (stored %s):"), values, stored);
      g_free (stored);
    }
  else if (real || brief)
    g_string_append_printf (text, C_("read-out", "%s:"), values);
  else if (several)
    g_string_append_printf (text, _("Values %s:"), values);
  else
    g_string_append_printf (text, _("Value %s:"), values);
  g_string_append (text, "  ");
  g_free (values);
}

typedef struct
{
  const gchar *name;
  gint         bins; /* how many lie in the range */
  guint64      count;
  guint64      most;
  gdouble      most_at; /* value */
  gdouble      share;
  gdouble      percentile; /* share up to the end of the range */
} Found;

static Found
find (IsoluxHistogramModel *model, gint series, gdouble from, gdouble to)
{
  IsoluxBins         *bins = bins_of (model, series);
  const IsoluxSeries *counts = &bins->series;
  gint                n = counts->n;
  gint  first = (gint) CLAMP (floor (place_of (counts, from)), 0, n);
  gint  end = (gint) CLAMP (ceil (place_of (counts, to)), 0, n);
  gint  k;
  Found found = { name_of (counts->role, FALSE), 0, 0, 0, 0, 0, 0 };

  found.bins = MAX (end - first, 0);
  for (k = first; k < end; k++)
    if (counts->counts[k] > found.most)
      {
        found.most = counts->counts[k];
        found.most_at = counts->first +
                        (k + (counts->codes ? 0.0 : 0.5)) * counts->step;
      }
  if (found.bins > 0)
    found.count = bins->below[end] - bins->below[first];
  if (bins->below[n])
    found.share = (gdouble) found.count / (gdouble) bins->below[n];
  found.percentile = isolux_histogram_model_share_below (model, series, to);
  return found;
}

/* "before 22 px (0.008 %, percentile 98.5)" */
static gchar *
describe_found (IsoluxHistogramModel *model,
                const IsoluxAxis     *axis,
                gboolean              real,
                const Found          *found,
                gdouble               step)
{
  gchar *count = isolux_format_number ((gdouble) found->count, 0);
  gchar *text;

  if (found->bins > 1 && found->count > 0)
    {
      gchar *at =
        axis->codes
          ? format_values (model, axis, real, found->most_at,
                           found->most_at + 1.0)
          : isolux_format_value (real ? model->scale * found->most_at +
                                          model->offset
                                      : found->most_at,
                                 isolux_format_digits (real
                                                         ? model->scale * step
                                                         : step),
                                 real ? model->unit : NULL);
      gchar *most = isolux_format_number ((gdouble) found->most, 0);

      /* "before 131 px, most at 815 (24)" */
      text = g_strdup_printf (C_("read-out", "%s %s px, most at %s (%s)"),
                              found->name, count, at, most);
      g_free (at);
      g_free (most);
    }
  else if (found->bins > 1)
    text = g_strdup_printf (C_("read-out", "%s %s px"), found->name, count);
  else
    {
      gchar *share = isolux_format_percent (found->share, 3);
      gchar *percentile = isolux_format_number (100.0 * found->percentile, 1);

      /* "before 22 px (0.008 %, percentile 98.5)" */
      text = g_strdup_printf (C_("read-out", "%s %s px (%s, percentile %s)"),
                              found->name, count, share, percentile);
      g_free (share);
      g_free (percentile);
    }
  g_free (count);
  return text;
}

/* "22 px → 86 px · percentile 98.5 → 76.9", or counts by name */
static void
add_brief (GString *text, const Found *found, gint n, gboolean pair)
{
  GString *percentiles;
  gint     k;

  if (! pair)
    {
      for (k = 0; k < n; k++)
        {
          gchar *count = isolux_format_number ((gdouble) found[k].count, 0);

          add_part (text, g_strdup_printf (C_("read-out", "%s %s px"),
                                           found[k].name, count));
          g_free (count);
        }
      return;
    }

  percentiles = g_string_new (NULL);
  for (k = 0; k < n; k++)
    {
      gchar *count = isolux_format_number ((gdouble) found[k].count, 0);
      gchar *percentile = isolux_format_number (100.0 * found[k].percentile, 1);

      if (k)
        {
          g_string_append (text, " → ");
          g_string_append (percentiles, " → ");
        }
      g_string_append_printf (text, _("%s px"), count);
      g_string_append (percentiles, percentile);
      g_free (count);
      g_free (percentile);
    }
  add_part (text, g_strdup_printf (_("percentile %s"), percentiles->str));
  g_string_free (percentiles, TRUE);
}

static gchar *
format_becomes (IsoluxHistogramModel *model, gdouble y)
{
  gdouble    value = model->out_low + y * (model->out_high - model->out_low);
  gboolean   real = ! model->has_output && has_unit (model);
  IsoluxAxis axis = model->has_output ? model->output : model->full;

  if (axis.codes)
    value = round (value);
  if (real)
    return isolux_histogram_model_format (model, value, TRUE);
  return isolux_format_number (value,
                               axis.codes
                                 ? 0
                                 : isolux_format_digits (small_step (&axis)));
}

/* Orientation bars: "Orientation 0–20°:  layer 17.1 % · cell 3.9 % ..." */
static gchar *
read_orientation (IsoluxHistogramModel *model, gdouble from, gboolean brief)
{
  gdouble step = model->degrees / model->orientations;
  gint    k =
    CLAMP ((gint) floor (from / step + 1e-6), 0, model->orientations - 1);
  gint     digits = step == floor (step) ? 0 : 1;
  gchar   *range = isolux_format_range (k * step, (k + 1) * step, digits, NULL);
  gchar   *share = isolux_format_percent (model->shares[k], 1);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text,
                          brief ? C_("read-out", "%s°:")
                                : _("Orientation %s°:"),
                          range);
  g_string_append (text, "  ");
  if (model->cell)
    {
      gchar *cell = isolux_format_percent (model->cell[k], 1);

      add_part (text,
                g_strdup_printf (brief
                                   ? _("layer %s · cell %s")
                                   : _("layer %s · cell %s of the gradient"),
                                 share, cell));
      g_free (cell);
    }
  else if (brief)
    g_string_append (text, share);
  else
    add_part (text, g_strdup_printf (_("%s of the gradient"), share));
  if (! brief)
    add_part (text, g_strdup (_("strokes show the edge")));
  g_free (range);
  g_free (share);
  return g_string_free (text, FALSE);
}

static gchar *
read_out (IsoluxHistogramModel *model,
          gboolean              output,
          gdouble               from,
          gdouble               to,
          gboolean              brief)
{
  const IsoluxAxis *axis = output ? &model->output : &model->full;
  gboolean          real = ! output && has_unit (model);
  GString          *text = g_string_new (NULL);
  Found            *found = g_new (Found, model->bins->len + 1);
  gboolean          pair = TRUE;
  gint              n = 0;
  guint             k;
  gdouble           y;

  add_values (model, text, output, from, to, brief);
  for (k = 0; k < model->bins->len; k++)
    {
      const IsoluxSeries *series = &bins_of (model, k)->series;

      if (! isolux_histogram_model_shows (model, series->role) ||
          (model->has_output && ! series->output != ! output))
        continue;
      pair = pair && (series->role == ISOLUX_ROLE_BEFORE ||
                      series->role == ISOLUX_ROLE_AFTER);
      found[n++] = find (model, k, from, to);
    }

  if (brief && n)
    add_brief (text, found, n, pair);
  else
    for (k = 0; (gint) k < n; k++)
      add_part (text, describe_found (model, axis, real, &found[k], to - from));

  if (! output && model->becomes &&
      isolux_histogram_model_curve_at (model,
                                       axis->codes ? floor ((from + to - 1) / 2)
                                                   : (from + to) / 2,
                                       &y))
    {
      gchar *value = format_becomes (model, y);

      add_part (text, g_strdup_printf (_("becomes %s"), value));
      g_free (value);
    }
  g_free (found);
  return g_strchomp (g_string_free (text, FALSE));
}

gchar *
isolux_histogram_model_read_out (IsoluxHistogramModel *model,
                                 gdouble               from,
                                 gdouble               to,
                                 gboolean              brief)
{
  if (model->orientations > 0)
    return read_orientation (model, from, brief);
  return read_out (model, FALSE, from, to, brief);
}

gchar *
isolux_histogram_model_read_output (IsoluxHistogramModel *model,
                                    gdouble               from,
                                    gdouble               to,
                                    gboolean              brief)
{
  if (! model->has_output)
    return isolux_histogram_model_read_out (model, from, to, brief);
  return read_out (model, TRUE, from, to, brief);
}

/* The series that marks stand in: before, or the first one; -1 for none */
static gint
marked_series (IsoluxHistogramModel *model)
{
  gint  first = -1;
  guint k;

  for (k = 0; k < model->bins->len; k++)
    {
      const IsoluxSeries *series = &bins_of (model, k)->series;

      if (model->has_output && series->output)
        continue;
      if (series->role == ISOLUX_ROLE_BEFORE)
        return k;
      if (first < 0)
        first = k;
    }
  return first;
}

/* "58.0 % above the clip limit" */
static void
add_clipped (IsoluxHistogramModel *model, GString *text, gint series)
{
  IsoluxBins *bins = bins_of (model, series);
  gdouble     total = (gdouble) bins->below[bins->series.n];
  gdouble     limit = model->clip * model->clip_mean;
  gdouble     above = 0;
  gchar      *share;
  gint        k;

  for (k = 0; k < bins->series.n; k++)
    above += MAX ((gdouble) bins->series.counts[k] - limit, 0.0);
  share = isolux_format_percent (above / total, 1);
  add_part (text, g_strdup_printf (_("%s above the clip limit"), share));
  g_free (share);
}

/* "inside the window 29.1 % · black 70.1 % · white 0.8 %" */
static void
add_window (IsoluxHistogramModel *model, GString *text, gint series)
{
  gdouble  low = model->center - model->width / 2.0;
  gdouble  high = model->center + model->width / 2.0;
  gboolean codes = model->full.codes;
  gdouble  black = isolux_histogram_model_share_below (model, series,
                                                      codes ? ceil (low) : low);
  gdouble  white =
    1.0 -
    isolux_histogram_model_share_below (model, series,
                                        codes ? floor (high) + 1.0 : high);
  gchar *inside = isolux_format_percent (MAX (1.0 - black - white, 0.0), 1);
  gchar *dark = isolux_format_percent (black, 1);
  gchar *bright = isolux_format_percent (white, 1);

  add_part (text,
            g_strdup_printf (_("inside the window %s · black %s · white %s"),
                             inside, dark, bright));
  g_free (inside);
  g_free (dark);
  g_free (bright);
}

gchar *
isolux_histogram_model_summarize (IsoluxHistogramModel *model)
{
  GString *text = g_string_new (model->summary);
  gint     series = marked_series (model);

  if (series >= 0 && model->orientations == 0 &&
      isolux_histogram_model_shows (model, ISOLUX_ROLE_MARK) &&
      bins_of (model, series)->lowest >= 0)
    {
      if (model->clip > 0 && model->clip_mean > 0)
        add_clipped (model, text, series);
      if (model->width > 0)
        add_window (model, text, series);
    }
  return g_string_free (text, FALSE);
}

static void
add_sentence (GString *text, gchar *sentence)
{
  if (text->len)
    g_string_append_c (text, ' ');
  g_string_append (text, sentence);
  g_free (sentence);
}

/* "Before: 180 to 1,794, mean 286.5." */
static void
describe_series (IsoluxHistogramModel *model, GString *text, gint k)
{
  IsoluxBins         *bins = bins_of (model, k);
  const IsoluxSeries *series = &bins->series;
  gboolean            output = model->has_output && series->output;
  const IsoluxAxis   *axis = output ? &model->output : &model->full;
  gdouble             scale = output ? 1.0 : model->scale;
  gdouble             offset = output ? 0.0 : model->offset;
  const gchar        *unit = output ? "" : model->unit;
  gdouble             step = small_step (axis);
  gint digits = output ? isolux_format_digits (step) : digits_of (model, step);
  gdouble low = series->first + bins->lowest * series->step;
  gdouble high = series->first + (bins->highest + 1) * series->step -
                 (series->codes ? 1.0 : 0.0);
  gchar *from, *to, *mean;

  /* the last bin may be wider than what is left of the axis */
  high = MIN (high, MAX (axis->high, low));
  if (scale < 0)
    {
      gdouble swap = low;

      low = high;
      high = swap;
    }
  from = isolux_format_number (scale * low + offset, digits);
  to = isolux_format_value (scale * high + offset, digits, unit);
  mean = isolux_format_value (scale * bins->mean + offset, digits + 1, unit);
  /* "Before: 180 to 1,794, mean 286.5." */
  add_sentence (text,
                g_strdup_printf (_("%s: %s to %s, mean %s."),
                                 name_of (series->role, TRUE), from, to, mean));
  g_free (from);
  g_free (to);
  g_free (mean);
}

static void
describe_orientations (IsoluxHistogramModel *model, GString *text)
{
  gint    k, best = 0;
  gdouble step = model->degrees / model->orientations;
  gchar  *range, *share;

  for (k = 1; k < model->orientations; k++)
    if (model->shares[k] > model->shares[best])
      best = k;
  range = isolux_format_range (best * step, (best + 1) * step,
                               step == floor (step) ? 0 : 1, NULL);
  share = isolux_format_percent (model->shares[best], 1);
  add_sentence (text, g_strdup_printf (_("Strongest orientation: %s°, %s of "
                                         "the gradient."),
                                       range, share));
  g_free (range);
  g_free (share);
}

gchar *
isolux_histogram_model_describe (IsoluxHistogramModel *model)
{
  GString *text = g_string_new (NULL);
  guint    k;

  if (model->orientations > 0)
    describe_orientations (model, text);
  for (k = 0; k < model->bins->len && model->orientations == 0; k++)
    if (bins_of (model, k)->lowest >= 0)
      describe_series (model, text, k);
  if (! text->len)
    add_sentence (text, g_strdup (_("There are no values yet.")));

  if (model->clip == 0)
    add_sentence (text, g_strdup (_("No clip limit.")));
  else if (model->clip > 0)
    {
      gchar *limit = format_clip (model);

      add_sentence (text, g_strdup_printf (_("Clip limit %s."), limit));
      g_free (limit);
    }
  if (model->width > 0)
    {
      gchar *low =
        isolux_histogram_model_format (model,
                                       model->center - model->width / 2.0,
                                       TRUE);
      gchar *high =
        isolux_histogram_model_format (model,
                                       model->center + model->width / 2.0,
                                       TRUE);

      add_sentence (text, g_strdup_printf (_("Window: %s to %s."), low, high));
      g_free (low);
      g_free (high);
    }
  return g_string_free (text, FALSE);
}

/* ---- Comma-separated values ---- */

static const gchar *const csv_names[ISOLUX_N_ROLES] = {
  [ISOLUX_ROLE_BEFORE] = "before",
  [ISOLUX_ROLE_AFTER] = "after",
  [ISOLUX_ROLE_RED] = "red",
  [ISOLUX_ROLE_GREEN] = "green",
  [ISOLUX_ROLE_BLUE] = "blue"
};

/* Bins are never finer than the values of single precision: twelve digits
 * tell their edges apart, and hide how they were added up */
static void
csv_number (GString *csv, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (csv, g_ascii_formatd (text, sizeof text, "%.12g", value));
}

/* In quotes where a comma or a quote would mislead */
static void
csv_text (GString *csv, const gchar *text)
{
  if (! strpbrk (text, ",\"\r\n"))
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text; text++)
    {
      if (*text == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *text);
    }
  g_string_append_c (csv, '"');
}

static gboolean
same_bins (const IsoluxSeries *a, const IsoluxSeries *b)
{
  return a->first == b->first && a->step == b->step && a->n == b->n &&
         a->codes == b->codes && ! a->output == ! b->output;
}

static gboolean
csv_has_unit (IsoluxHistogramModel *model, const IsoluxSeries *series)
{
  return has_unit (model) && ! (model->has_output && series->output);
}

/* The headings of a group of series that share their bins */
static void
csv_heading (IsoluxHistogramModel *model, GString *csv, gint first)
{
  const IsoluxSeries *series = &bins_of (model, first)->series;
  gboolean            single = series->codes && series->step == 1.0;
  guint               k;

  g_string_append (csv, single ? "value" : "from,to");
  if (csv_has_unit (model, series))
    {
      gint n = single ? 1 : 2;

      for (; n > 0; n--)
        {
          gchar *heading = g_strdup_printf ("%s%s%s%s",
                                            single   ? "real"
                                            : n == 2 ? "real from"
                                                     : "real to",
                                            *model->unit ? " (" : "",
                                            model->unit,
                                            *model->unit ? ")" : "");

          g_string_append_c (csv, ',');
          csv_text (csv, heading);
          g_free (heading);
        }
    }
  for (k = first; k < model->bins->len; k++)
    if (same_bins (series, &bins_of (model, k)->series))
      g_string_append_printf (csv, ",%s",
                              csv_names[bins_of (model, k)->series.role]);
}

static void
csv_row (IsoluxHistogramModel *model, GString *csv, gint first, gint bin)
{
  const IsoluxSeries *series = &bins_of (model, first)->series;
  gboolean            single = series->codes && series->step == 1.0;
  gboolean            past = bin >= series->n;
  gdouble             from = series->first + bin * series->step;
  gdouble             to = from + series->step - (series->codes ? 1.0 : 0.0);
  gint                repeat = csv_has_unit (model, series) ? 2 : 1;
  gint                n;
  guint               k;

  for (n = 0; n < repeat; n++)
    {
      gdouble scale = n ? model->scale : 1.0;
      gdouble offset = n ? model->offset : 0.0;

      if (n)
        g_string_append_c (csv, ',');
      if (! past)
        csv_number (csv, scale * from + offset);
      if (! single)
        {
          g_string_append_c (csv, ',');
          if (! past)
            csv_number (csv, scale * to + offset);
        }
    }
  for (k = first; k < model->bins->len; k++)
    {
      const IsoluxSeries *other = &bins_of (model, k)->series;

      if (! same_bins (series, other))
        continue;
      g_string_append_c (csv, ',');
      if (! past)
        g_string_append_printf (csv, "%" G_GUINT64_FORMAT, other->counts[bin]);
    }
}

gchar *
isolux_histogram_model_to_csv (IsoluxHistogramModel *model)
{
  GString *csv = g_string_new (NULL);
  GArray  *groups;
  gint     rows = 0, row;
  guint    k, g;

  if (model->orientations > 0)
    {
      gdouble step = model->degrees / model->orientations;

      g_string_append (csv, "from degrees,to degrees,share");
      g_string_append (csv, model->cell ? ",cell\n" : "\n");
      for (row = 0; row < model->orientations; row++)
        {
          csv_number (csv, row * step);
          g_string_append_c (csv, ',');
          csv_number (csv, (row + 1) * step);
          g_string_append_c (csv, ',');
          csv_number (csv, model->shares[row]);
          if (model->cell)
            {
              g_string_append_c (csv, ',');
              csv_number (csv, model->cell[row]);
            }
          g_string_append_c (csv, '\n');
        }
      return g_string_free (csv, FALSE);
    }

  /* series with the same bins stand side by side */
  groups = g_array_new (FALSE, FALSE, sizeof (gint));
  for (k = 0; k < model->bins->len; k++)
    {
      gint     index = k;
      gboolean known = FALSE;

      for (g = 0; g < groups->len && ! known; g++)
        known =
          same_bins (&bins_of (model, g_array_index (groups, gint, g))->series,
                     &bins_of (model, k)->series);
      if (known)
        continue;
      g_array_append_val (groups, index);
      rows = MAX (rows, bins_of (model, k)->series.n);
    }

  for (row = -1; row < rows; row++)
    {
      for (g = 0; g < groups->len; g++)
        {
          if (g)
            g_string_append_c (csv, ',');
          if (row < 0)
            csv_heading (model, csv, g_array_index (groups, gint, g));
          else
            csv_row (model, csv, g_array_index (groups, gint, g), row);
        }
      if (groups->len)
        g_string_append_c (csv, '\n');
    }
  g_array_unref (groups);
  return g_string_free (csv, FALSE);
}
