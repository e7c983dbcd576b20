/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram-model-private.h: what the view reads and changes of a model.
 */
#ifndef ISOLUX_HISTOGRAM_MODEL_PRIVATE_H
#define ISOLUX_HISTOGRAM_MODEL_PRIVATE_H

#include "histogram-model.h"

G_BEGIN_DECLS

/*
 * IsoluxBins: a series with what is often asked about it
 * @below: n + 1 counts: those in all bins before k
 * @lowest, @highest: filled bins; -1 when all are empty
 * @mean: of the values, each bin taken at its middle
 */
typedef struct
{
  IsoluxSeries series; /* counts belongs to it */
  guint64     *below;
  gint         lowest;
  gint         highest;
  gdouble      mean;
} IsoluxBins;

/*
 * IsoluxAxis: values from low to high; whole ones when @codes: then the end
 * of the last one is high + 1
 */
typedef struct
{
  gdouble  low;
  gdouble  high;
  gboolean codes;
} IsoluxAxis;

struct _IsoluxHistogramModel
{
  GObject parent_instance;

  gint     frozen;
  gboolean dirty;

  guint revision; /* another one after each change */

  GArray *bins;   /* of IsoluxBins */
  guint   serial; /* another one for other series */

  IsoluxAxis full;
  gdouble    low; /* asked for; low >= high: the full range */
  gdouble    high;
  gdouble    scale;
  gdouble    offset;
  gchar     *unit; /* never NULL */

  gboolean   has_output;
  IsoluxAxis output;

  gint     curve_n;
  gdouble *curve_x; /* n each; low and high may be NULL */
  gdouble *curve_y;
  gdouble *curve_low;
  gdouble *curve_high;

  gdouble clip; /* negative: none */
  gdouble clip_mean;
  gdouble clip_maximum;
  gdouble clip_step;

  gdouble  center;
  gdouble  width; /* <= 0: none */
  gboolean movable;

  gint     orientations;
  gdouble *shares;
  gdouble *cell; /* or NULL */
  gdouble  degrees;

  gboolean   logarithmic;
  IsoluxShow show;
  gchar     *summary;
  gboolean   becomes;
  gdouble    out_low;
  gdouble    out_high;
};

/* The shown part of the input's axis */
void
isolux_histogram_model_get_axis (IsoluxHistogramModel *model, IsoluxAxis *axis);

/* The end of an axis: behind the last code */
gdouble isolux_axis_end (const IsoluxAxis *axis);

/* Whether a series' role is switched on */
gboolean
isolux_histogram_model_shows (IsoluxHistogramModel *model, IsoluxRole role);

/* The share of counts below @edge, where values end that are counted */
gdouble isolux_histogram_model_share_below (IsoluxHistogramModel *model,
                                            gint                  series,
                                            gdouble               edge);

/*
 * isolux_histogram_model_curve_at: the curve's y at a value.
 *
 * Returns: FALSE when there is no curve
 */
gboolean isolux_histogram_model_curve_at (IsoluxHistogramModel *model,
                                          gdouble               value,
                                          gdouble              *y);

/* Moves a mark and tells those who listen */
void
isolux_histogram_model_drag_clip (IsoluxHistogramModel *model, gdouble limit);
void isolux_histogram_model_drag_window (IsoluxHistogramModel *model,
                                         gdouble               center,
                                         gdouble               width);

/* A value of the input's axis as people read it, with its unit */
gchar *isolux_histogram_model_format (IsoluxHistogramModel *model,
                                      gdouble               value,
                                      gboolean              with_unit);

G_END_DECLS

#endif /* ISOLUX_HISTOGRAM_MODEL_PRIVATE_H */
