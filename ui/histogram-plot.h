/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram-plot.h: how a histogram view is laid out and drawn.  Knows no
 * events; the view asks it where things are.
 *
 * Positions are in pixels of the widget; columns are device pixels.
 */
#ifndef ISOLUX_HISTOGRAM_PLOT_H
#define ISOLUX_HISTOGRAM_PLOT_H

#include <gtk/gtk.h>

#include "axis.h"
#include "histogram-model-private.h"
#include "palette.h"

G_BEGIN_DECLS

/*
 * IsoluxLane: a plot: the only one, or the input's and below it the output's
 * @x, @y, @width, @height: of its area, whole pixels
 * @columns: how many device pixels wide
 * @axis: what is shown of its axis
 * @from, @to: edges of values at its left and right end
 * @top: the counts at the upper end of its axis of counts
 * @cut: whether columns may be higher than that
 */
typedef struct
{
  gboolean   output;
  gdouble    x;
  gdouble    y;
  gdouble    width;
  gdouble    height;
  gint       columns;
  IsoluxAxis axis;
  gdouble    from;
  gdouble    to;
  gdouble    top;
  gboolean   cut;
} IsoluxLane;

/* What can be taken with the pointer */
typedef enum
{
  ISOLUX_PART_NONE,
  ISOLUX_PART_CLIP,
  ISOLUX_PART_WINDOW_LOW,
  ISOLUX_PART_WINDOW_HIGH,
  ISOLUX_PART_WINDOW_MIDDLE,
  ISOLUX_PART_OVERVIEW,     /* the shown part, to be moved */
  ISOLUX_PART_OVERVIEW_LOW, /* its ends */
  ISOLUX_PART_OVERVIEW_HIGH,
  ISOLUX_PART_OVERVIEW_REST
} IsoluxPart;

/*
 * IsoluxPlotState: what the user is about to do
 * @hover: lane of the hover line, or -1
 * @hover_from, @hover_to: the values there
 * @hot: what is under the pointer, or is dragged
 * @focus: whether the keyboard's focus is to be seen
 * @focus_clip: whether the arrow keys' last use was to move the clip line
 */
typedef struct
{
  gint       hover;
  gdouble    hover_from;
  gdouble    hover_to;
  IsoluxPart hot;
  gboolean   focus;
  gboolean   focus_clip;
} IsoluxPlotState;

typedef struct _IsoluxPlot IsoluxPlot;

IsoluxPlot *isolux_plot_new (IsoluxHistogramModel *model);
void        isolux_plot_free (IsoluxPlot *plot);

/*
 * isolux_plot_layout: finds where everything is.  Cheap when nothing has
 * changed.
 * @context: the fonts
 */
void isolux_plot_layout (IsoluxPlot   *plot,
                         PangoContext *context,
                         gint          width,
                         gint          height,
                         gint          scale);

/*
 * isolux_plot_draw: draws what has been laid out.
 * @text: the dialog's color of texts, for axes stand on the dialog
 */
void isolux_plot_draw (IsoluxPlot            *plot,
                       cairo_t               *cr,
                       IsoluxPalette          palette,
                       const GdkRGBA         *text,
                       const IsoluxPlotState *state);

/* The least height that shows all */
gint isolux_plot_minimum_height (IsoluxPlot *plot, PangoContext *context);

/* ---- Where things are ---- */

/* 0 or 1 (the output's); borrowed; NULL when there is no such lane */
const IsoluxLane *isolux_plot_get_lane (IsoluxPlot *plot, gint lane);

/* The lane at a position, or -1 */
gint isolux_plot_lane_at (IsoluxPlot *plot, gdouble x, gdouble y);

/* Where a value is drawn (codes: at its middle), and the other way round */
gdouble isolux_lane_x_of (const IsoluxLane *lane, gdouble value);
gdouble isolux_lane_value_at (const IsoluxLane *lane, gdouble x);

/* Where a count is drawn, and the other way round */
gdouble
isolux_plot_y_of (IsoluxPlot *plot, const IsoluxLane *lane, gdouble count);
gdouble
isolux_plot_count_at (IsoluxPlot *plot, const IsoluxLane *lane, gdouble y);

/*
 * isolux_plot_column_values: the values of bins that a device column of a
 * lane shows; orientations: the degrees of a bar.
 */
void isolux_plot_column_values (IsoluxPlot *plot,
                                gint        lane,
                                gint        column,
                                gdouble    *from,
                                gdouble    *to);

/* How many values a bin of the lane's first series holds; without one: a code,
 * or what a column shows */
gdouble isolux_plot_bin_width (IsoluxPlot *plot, gint lane);

/* What is at a position */
IsoluxPart isolux_plot_part_at (IsoluxPlot *plot, gdouble x, gdouble y);

/* The value of the full range at a position of the overview */
gdouble isolux_plot_overview_value (IsoluxPlot *plot, gdouble x);

/* Where the clip line is */
gdouble isolux_plot_clip_y (IsoluxPlot *plot);

G_END_DECLS

#endif /* ISOLUX_HISTOGRAM_PLOT_H */
