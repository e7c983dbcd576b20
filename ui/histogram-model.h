/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram-model.h: what a histogram view shows: series of counts, curves,
 * marks, and the questions that a view has about them.  Knows no widgets.
 */
#ifndef ISOLUX_HISTOGRAM_MODEL_H
#define ISOLUX_HISTOGRAM_MODEL_H

#include <glib-object.h>

#include "isolux.h"
#include "palette.h"

G_BEGIN_DECLS

/*
 * IsoluxSeries: counts of values
 * @role: before, after, red, green or blue
 * @output: whether its values are those of the result's axis (only told
 *   apart when the model has one, see isolux_histogram_model_set_output())
 * @counts: copied
 * @n: how many bins, 1 to 65536
 * @first: the value at the lower edge of bin 0 (f32) or of bin 0 (codes)
 * @step: values a bin, greater than 0
 * @codes: whether bins hold whole codes: bin k then stands for the values
 *   first + k * step to first + (k + 1) * step - 1
 */
typedef struct
{
  IsoluxRole     role;
  gboolean       output;
  const guint64 *counts;
  gint           n;
  gdouble        first;
  gdouble        step;
  gboolean       codes;
} IsoluxSeries;

/*
 * IsoluxCurve: what becomes of values, as shares of the result's range
 * @n: points, 0 for none
 * @x: values of the input's axis, increasing
 * @y: 0.0 to 1.0
 * @low, @high: (nullable): a band around it, as @y
 */
typedef struct
{
  gint           n;
  const gdouble *x;
  const gdouble *y;
  const gdouble *low;
  const gdouble *high;
} IsoluxCurve;

/* What is drawn beside before and after */
typedef enum
{
  ISOLUX_SHOW_BEFORE = 1 << 0,
  ISOLUX_SHOW_AFTER = 1 << 1,
  ISOLUX_SHOW_CUMULATIVE = 1 << 2,
  ISOLUX_SHOW_CURVE = 1 << 3,
  ISOLUX_SHOW_MARKS = 1 << 4, /* clip line, window, picked cell */
  /* Red, green and blue are shown with AFTER, unless one is left out */
  ISOLUX_SHOW_NO_RED = 1 << 5,
  ISOLUX_SHOW_NO_GREEN = 1 << 6,
  ISOLUX_SHOW_NO_BLUE = 1 << 7
} IsoluxShow;

#define ISOLUX_TYPE_HISTOGRAM_MODEL (isolux_histogram_model_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxHistogramModel,
                      isolux_histogram_model,
                      ISOLUX,
                      HISTOGRAM_MODEL,
                      GObject)

/*
 * Signals:
 *   "changed": what is to be drawn has changed
 *   "clip-changed" (gdouble limit), "window-changed" (gdouble center,
 *   gdouble width): the user has moved a mark, in a view
 */
IsoluxHistogramModel *isolux_histogram_model_new (void);

/*
 * isolux_histogram_model_begin, _end: changes in between are one change.
 */
void isolux_histogram_model_begin (IsoluxHistogramModel *model);
void isolux_histogram_model_end (IsoluxHistogramModel *model);

/* Replaces all series; 0 for an empty plot */
void isolux_histogram_model_set_series (IsoluxHistogramModel *model,
                                        const IsoluxSeries   *series,
                                        gint                  n);

/*
 * isolux_histogram_model_set_axis: the input's axis (and the only one, unless
 * there is an output's).
 * @full_low, @full_high: the whole range, in values as they are counted
 * @codes: whether values are whole numbers (ticks at powers of two)
 * @scale, @offset, @unit: what people read: scale * value + offset, in @unit
 *   ("" for none); the read-out then names the stored value as well
 */
void isolux_histogram_model_set_axis (IsoluxHistogramModel *model,
                                      gdouble               full_low,
                                      gdouble               full_high,
                                      gboolean              codes,
                                      gdouble               scale,
                                      gdouble               offset,
                                      const gchar          *unit);

/*
 * isolux_histogram_model_set_output: an axis of its own for the result, in a
 * second lane, because its unit is another one; @has FALSE: one axis.
 */
void isolux_histogram_model_set_output (IsoluxHistogramModel *model,
                                        gboolean              has,
                                        gdouble               low,
                                        gdouble               high,
                                        gboolean              codes);

/* The shown range of the input's axis; clamped to the full one, which low >=
 * high stands for */
void isolux_histogram_model_set_range (IsoluxHistogramModel *model,
                                       gdouble               low,
                                       gdouble               high);
void isolux_histogram_model_get_range (IsoluxHistogramModel *model,
                                       gdouble              *low,
                                       gdouble              *high);

void isolux_histogram_model_set_curve (IsoluxHistogramModel *model,
                                       const IsoluxCurve    *curve);

/*
 * isolux_histogram_model_set_clip: the clip line.
 * @limit: the property's value: a multiple of the mean count of a bin, 0 =
 *   no limit; negative: there is no such line
 * @mean: the mean count that 1.0 stands for, in counts of the plot's axis
 * @maximum, @step: the property's largest value and small step
 */
void isolux_histogram_model_set_clip (IsoluxHistogramModel *model,
                                      gdouble               limit,
                                      gdouble               mean,
                                      gdouble               maximum,
                                      gdouble               step);

/*
 * isolux_histogram_model_set_window: the edges of a window, in values as
 * they are counted; width <= 0: there is none.  @movable: whether the user
 * may drag them (mode window) or they follow from the values.
 */
void isolux_histogram_model_set_window (IsoluxHistogramModel *model,
                                        gdouble               center,
                                        gdouble               width,
                                        gboolean              movable);

/*
 * isolux_histogram_model_set_orientations: bars per orientation instead of
 * values.
 * @n: how many, 0 for none
 * @shares: of the whole, 0.0 to 1.0 each
 * @cell: (nullable): those of a picked cell
 * @degrees: 180 or 360
 */
void isolux_histogram_model_set_orientations (IsoluxHistogramModel *model,
                                              gint                  n,
                                              const gdouble        *shares,
                                              const gdouble        *cell,
                                              gdouble               degrees);

void     isolux_histogram_model_set_logarithmic (IsoluxHistogramModel *model,
                                                 gboolean              log);
gboolean isolux_histogram_model_get_logarithmic (IsoluxHistogramModel *model);

void
isolux_histogram_model_set_show (IsoluxHistogramModel *model, IsoluxShow show);
IsoluxShow isolux_histogram_model_get_show (IsoluxHistogramModel *model);

/*
 * What the read-out says when the pointer is elsewhere (pixels, different
 * values, selection, not-a-numbers, "≈"); translated by the caller, copied.
 * The model itself adds what follows from marks, see
 * isolux_histogram_model_summarize().
 */
void isolux_histogram_model_set_summary (IsoluxHistogramModel *model,
                                         const gchar          *summary);

/* Whether the "becomes ..." of the read-out may be said: one curve for all */
void isolux_histogram_model_set_becomes (IsoluxHistogramModel *model,
                                         gboolean              becomes,
                                         gdouble               out_low,
                                         gdouble               out_high);

/* ---- Questions ---- */

/*
 * isolux_histogram_model_columns: bins to columns of pixels; column k of n
 * takes all bins from floor (k * bins / n) to floor ((k + 1) * bins / n) - 1,
 * at least one, of the bins in [low, high].
 * @peak, @mean: (out caller-allocates) (array length=n): the highest bin and
 *   the mean
 */
void isolux_histogram_model_columns (IsoluxHistogramModel *model,
                                     gint                  series,
                                     gdouble               low,
                                     gdouble               high,
                                     gint                  n,
                                     gdouble              *peak,
                                     gdouble              *mean);

/*
 * isolux_histogram_model_read_out: the line about the values [from, to) of
 * the input's axis: "Value 812:  before 22 px (0.008 %, percentile 98.5) ·
 * after ...".  Speaks of what is shown.  Orientations: about the bar that
 * holds @from degrees.
 * @brief: the short form: "812:  22 px → 86 px · percentile 98.5 → 76.9"
 */
gchar *isolux_histogram_model_read_out (IsoluxHistogramModel *model,
                                        gdouble               from,
                                        gdouble               to,
                                        gboolean              brief);

/* The same for values of the output's axis, where there is one */
gchar *isolux_histogram_model_read_output (IsoluxHistogramModel *model,
                                           gdouble               from,
                                           gdouble               to,
                                           gboolean              brief);

/*
 * isolux_histogram_model_summarize: the read-out while the pointer is
 * elsewhere: the summary, and behind it "58.0 % above the clip limit" or
 * "inside the window 29.1 % · black 70.1 % · white 0.8 %" when such marks are
 * shown
 */
gchar *isolux_histogram_model_summarize (IsoluxHistogramModel *model);

/*
 * isolux_histogram_model_clip_text: what the clip line is called.
 * @brevity: 0 "Clip limit 8.0 × mean", 1 "Clip limit 8.0", 2 "8.0"; where
 *   there is none always "No limit"
 */
gchar *
isolux_histogram_model_clip_text (IsoluxHistogramModel *model, gint brevity);

/* For assistive technologies: "Before: 180 to 1,794, mean 286.5. ..." */
gchar *isolux_histogram_model_describe (IsoluxHistogramModel *model);

/*
 * All bins as comma-separated values, with a heading: "value,before,after";
 * "from,to" for bins of several values; "real (HU)" beside it when there is a
 * unit.  Series with other bins have columns of their own.  Numbers in C's
 * locale, headings not translated.
 */
gchar *isolux_histogram_model_to_csv (IsoluxHistogramModel *model);

G_END_DECLS

#endif /* ISOLUX_HISTOGRAM_MODEL_H */
