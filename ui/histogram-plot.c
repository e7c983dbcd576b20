/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "histogram-plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "columns.h"
#include "format.h"

/* Pixels */
#define TOP 8       /* above the plot */
#define ROOM 4      /* above the highest column */
#define LABEL_GAP 5 /* from the plot to its labels */
#define SIDE 12     /* right of the plot without labels there */
#define OVERVIEW 5  /* the overview's height */
#define OVERVIEW_LEAST 10
#define LABEL_WIDTH 78
#define SPIKE_WIDTH 90
#define STROKES 30 /* above the bars of orientations */
#define REACH 5    /* from where a mark can be taken */
#define PLOT_LEAST 96
#define UPPER 0.64 /* the input's lane's part of the height */

#define SMALL 0.82 /* of the user's font */
#define SMALLER 0.76

#define MAX_SERIES 16

/* What the columns of all series follow from, and the drawing of them */
typedef struct
{
  guint         serial;
  gint          width;
  gint          height;
  gint          scale;
  IsoluxLane    lanes[2];
  gboolean      logarithmic;
  IsoluxShow    show;
  IsoluxPalette palette;
} PictureKey;

struct _IsoluxPlot
{
  IsoluxHistogramModel *model;

  /* what has been laid out */
  guint         revision;
  gint          width;
  gint          height;
  gint          scale;
  guint         fonts;
  PangoContext *context;

  IsoluxLane  lanes[2];
  gint        n_lanes;
  IsoluxTicks values[2]; /* in what people read */
  IsoluxTicks counts[2];
  gdouble     text_height;
  gboolean    overview;
  gdouble     overview_y;
  gdouble     bars_top; /* the share at the bars' upper end */

  gdouble *peaks[MAX_SERIES]; /* one a column, of its lane */
  gdouble *means[MAX_SERIES];
  gint     n_columns[MAX_SERIES];
  guint    columns_serial;
  gdouble  columns_from[MAX_SERIES];
  gdouble  columns_to[MAX_SERIES];

  cairo_surface_t *picture;
  PictureKey       picture_key;

  PangoLayout *layout;
};

/* What one drawing goes with */
typedef struct
{
  IsoluxPlot            *plot;
  cairo_t               *cr;
  IsoluxPalette          palette;
  GdkRGBA                text;
  const IsoluxPlotState *state;
  /* where labels stand that others keep off */
  GdkRectangle taken;
} Ink;

/* ---- Life ---- */

IsoluxPlot *
isolux_plot_new (IsoluxHistogramModel *model)
{
  IsoluxPlot *plot = g_new0 (IsoluxPlot, 1);

  plot->model = model;
  return plot;
}

void
isolux_plot_free (IsoluxPlot *plot)
{
  gint k;

  for (k = 0; k < MAX_SERIES; k++)
    {
      g_free (plot->peaks[k]);
      g_free (plot->means[k]);
    }
  g_clear_pointer (&plot->picture, cairo_surface_destroy);
  g_clear_object (&plot->layout);
  g_clear_object (&plot->context);
  g_free (plot);
}

static gint
n_series (IsoluxPlot *plot)
{
  return MIN ((gint) plot->model->bins->len, MAX_SERIES);
}

static const IsoluxSeries *
series_of (IsoluxPlot *plot, gint series)
{
  return &g_array_index (plot->model->bins, IsoluxBins, series).series;
}

static gint
lane_of (IsoluxPlot *plot, gint series)
{
  return plot->model->has_output && series_of (plot, series)->output ? 1 : 0;
}

/* ---- Texts ---- */

typedef enum
{
  TEXT_PLAIN = 0,
  TEXT_BOLD = 1 << 0,
  TEXT_BACKED = 1 << 1, /* on a piece of the plot */
  TEXT_SMALLER = 1 << 2
} TextStyle;

static void
set_text (IsoluxPlot *plot, const gchar *text, TextStyle style)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  /* digits of one width: numbers below one another line up */
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_attr_list_insert (attributes,
                          pango_attr_scale_new (style & TEXT_SMALLER ? SMALLER
                                                                     : SMALL));
  if (style & TEXT_BOLD)
    pango_attr_list_insert (attributes,
                            pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (plot->layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_text (plot->layout, text, -1);
}

static void
measure (IsoluxPlot  *plot,
         const gchar *text,
         TextStyle    style,
         gint        *width,
         gint        *height)
{
  set_text (plot, text, style);
  pango_layout_get_pixel_size (plot->layout, width, height);
}

/* The width of a text that is freed */
static gdouble
width_of (IsoluxPlot *plot, gchar *text)
{
  gint width;

  measure (plot, text, TEXT_PLAIN, &width, NULL);
  g_free (text);
  return width;
}

static void
rounded (cairo_t *cr, gdouble x, gdouble y, gdouble w, gdouble h, gdouble r)
{
  r = MIN (r, MIN (w, h) / 2.0);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI_2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI_2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

static void
set_role (Ink *ink, IsoluxRole role, gdouble alpha)
{
  isolux_palette_set_source (ink->cr, ink->palette, role, alpha);
}

/* Texts beside the plot stand on the dialog */
static void
set_dialog_text (Ink *ink, gdouble alpha)
{
  cairo_set_source_rgba (ink->cr, ink->text.red, ink->text.green,
                         ink->text.blue, alpha);
}

/*
 * Draws a text in the present color.
 * @across, @down: which of its points stands at (@x, @y): 0.0 to 1.0
 * Returns where it stands.
 */
static GdkRectangle
draw_text (Ink         *ink,
           const gchar *text,
           gdouble      x,
           gdouble      y,
           gdouble      across,
           gdouble      down,
           TextStyle    style)
{
  IsoluxPlot  *plot = ink->plot;
  GdkRectangle box;

  measure (plot, text, style, &box.width, &box.height);
  box.x = (gint) round (x - box.width * across);
  box.y = (gint) round (y - box.height * down);
  if (style & TEXT_BACKED)
    {
      cairo_pattern_t *color =
        cairo_pattern_reference (cairo_get_source (ink->cr));

      set_role (ink, ISOLUX_ROLE_PLOT, 0.85);
      rounded (ink->cr, box.x - 4, box.y - 1, box.width + 8, box.height + 2, 4);
      cairo_fill (ink->cr);
      cairo_set_source (ink->cr, color);
      cairo_pattern_destroy (color);
    }
  cairo_move_to (ink->cr, box.x, box.y);
  pango_cairo_show_layout (ink->cr, plot->layout);
  return box;
}

/* ---- Where things are ---- */

const IsoluxLane *
isolux_plot_get_lane (IsoluxPlot *plot, gint lane)
{
  return lane >= 0 && lane < plot->n_lanes ? &plot->lanes[lane] : NULL;
}

gint
isolux_plot_lane_at (IsoluxPlot *plot, gdouble x, gdouble y)
{
  gint k;

  for (k = 0; k < plot->n_lanes; k++)
    {
      const IsoluxLane *lane = &plot->lanes[k];

      if (x >= lane->x && x < lane->x + lane->width && y >= lane->y &&
          y < lane->y + lane->height)
        return k;
    }
  return -1;
}

static gdouble
edge_x (const IsoluxLane *lane, gdouble edge)
{
  return lane->x + (edge - lane->from) / (lane->to - lane->from) * lane->width;
}

static gdouble
edge_at (const IsoluxLane *lane, gdouble x)
{
  return lane->from + (x - lane->x) / lane->width * (lane->to - lane->from);
}

gdouble
isolux_lane_x_of (const IsoluxLane *lane, gdouble value)
{
  return edge_x (lane, lane->axis.codes ? value + 0.5 : value);
}

gdouble
isolux_lane_value_at (const IsoluxLane *lane, gdouble x)
{
  return edge_at (lane, x) - (lane->axis.codes ? 0.5 : 0.0);
}

/* The part of the plot's height that a count takes */
static gdouble
share_of (IsoluxPlot *plot, const IsoluxLane *lane, gdouble count)
{
  return plot->model->logarithmic ? log1p (count) / log1p (lane->top)
                                  : count / lane->top;
}

gdouble
isolux_plot_y_of (IsoluxPlot *plot, const IsoluxLane *lane, gdouble count)
{
  return lane->y + lane->height -
         share_of (plot, lane, count) * (lane->height - ROOM);
}

gdouble
isolux_plot_count_at (IsoluxPlot *plot, const IsoluxLane *lane, gdouble y)
{
  gdouble share = (lane->y + lane->height - y) / (lane->height - ROOM);

  return plot->model->logarithmic ? expm1 (share * log1p (lane->top))
                                  : share * lane->top;
}

gdouble
isolux_plot_clip_y (IsoluxPlot *plot)
{
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = &plot->lanes[0];
  gdouble               highest = lane->y + 1.0;

  /* no limit, or one above all: at the top */
  if (model->clip <= 0 || ! (model->clip_mean > 0))
    return highest;
  return MAX (isolux_plot_y_of (plot, lane, model->clip * model->clip_mean),
              highest);
}

gdouble
isolux_plot_overview_value (IsoluxPlot *plot, gdouble x)
{
  const IsoluxLane *lane = &plot->lanes[0];
  const IsoluxAxis *full = &plot->model->full;

  return full->low +
         (x - lane->x) / lane->width * (isolux_axis_end (full) - full->low);
}

/* The shown part on the overview */
static void
overview_part (IsoluxPlot *plot, gdouble *x, gdouble *width)
{
  const IsoluxLane *lane = &plot->lanes[0];
  const IsoluxAxis *full = &plot->model->full;
  gdouble           all = isolux_axis_end (full) - full->low;
  gdouble           a = lane->width * (lane->from - full->low) / all;
  gdouble           b = lane->width * (lane->to - full->low) / all;

  *width = MAX (b - a, OVERVIEW_LEAST);
  *x = lane->x + MIN (a, lane->width - *width);
}

/* The bins that a lane is read in: the first series' ones, else codes, else
 * columns */
static void
bins_of_lane (IsoluxPlot *plot, gint lane, gdouble *first, gdouble *step)
{
  const IsoluxLane *at = &plot->lanes[lane];
  gint              k;

  *first = at->from;
  *step = at->axis.codes ? 1.0 : (at->to - at->from) / at->columns;
  for (k = 0; k < n_series (plot); k++)
    if (lane_of (plot, k) == lane)
      {
        *first = series_of (plot, k)->first;
        *step = series_of (plot, k)->step;
        return;
      }
}

gdouble
isolux_plot_bin_width (IsoluxPlot *plot, gint lane)
{
  gdouble first, step;

  bins_of_lane (plot, lane, &first, &step);
  return step;
}

void
isolux_plot_column_values (IsoluxPlot *plot,
                           gint        lane,
                           gint        column,
                           gdouble    *from,
                           gdouble    *to)
{
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *at = &plot->lanes[lane];
  gdouble               first, step, begin, end;

  column = CLAMP (column, 0, at->columns - 1);
  if (model->orientations > 0)
    {
      step = model->degrees / model->orientations;
      *from = step *
              floor ((gdouble) column * model->orientations / at->columns);
      *to = *from + step;
      return;
    }

  bins_of_lane (plot, lane, &first, &step);
  begin = (at->from - first) / step;
  end = (at->to - first) / step;
  /* an edge that lies a hair beside a bin's */
  begin = fabs (begin - round (begin)) < 1e-6 ? round (begin) : begin;
  end = fabs (end - round (end)) < 1e-6 ? round (end) : end;
  *from = floor (begin + (end - begin) * column / at->columns);
  *to = floor (begin + (end - begin) * (column + 1) / at->columns);
  *to = MAX (*to, *from + 1.0);
  *from = first + *from * step;
  *to = first + *to * step;
}

/* Whether a mark is visible and may be taken */
static gboolean
has_clip (IsoluxPlot *plot)
{
  return plot->model->clip >= 0 && plot->model->orientations == 0 &&
         isolux_histogram_model_shows (plot->model, ISOLUX_ROLE_MARK);
}

static gboolean
has_window (IsoluxPlot *plot)
{
  return plot->model->width > 0 && plot->model->orientations == 0 &&
         isolux_histogram_model_shows (plot->model, ISOLUX_ROLE_MARK);
}

IsoluxPart
isolux_plot_part_at (IsoluxPlot *plot, gdouble x, gdouble y)
{
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = &plot->lanes[0];
  gdouble               left, width;

  if (plot->n_lanes == 0)
    return ISOLUX_PART_NONE;

  if (plot->overview && y >= plot->overview_y - 4 && x >= lane->x - REACH &&
      x < lane->x + lane->width + REACH)
    {
      overview_part (plot, &left, &width);
      if (fabs (x - left) < REACH && fabs (x - left) <= fabs (x - left - width))
        return ISOLUX_PART_OVERVIEW_LOW;
      if (fabs (x - left - width) < REACH)
        return ISOLUX_PART_OVERVIEW_HIGH;
      return x > left && x < left + width ? ISOLUX_PART_OVERVIEW
                                          : ISOLUX_PART_OVERVIEW_REST;
    }

  if (y < lane->y - REACH || y > lane->y + lane->height + REACH ||
      x < lane->x - REACH || x > lane->x + lane->width + REACH)
    return ISOLUX_PART_NONE;

  if (has_window (plot) && model->movable)
    {
      const gdouble    values[] = { model->center - model->width / 2.0,
                                    model->center + model->width / 2.0,
                                    model->center };
      const IsoluxPart parts[] = { ISOLUX_PART_WINDOW_LOW,
                                   ISOLUX_PART_WINDOW_HIGH,
                                   ISOLUX_PART_WINDOW_MIDDLE };
      IsoluxPart       found = ISOLUX_PART_NONE;
      gdouble          nearest = REACH + 0.5;
      gsize            k;

      for (k = 0; k < G_N_ELEMENTS (values); k++)
        {
          gdouble distance = fabs (x - isolux_lane_x_of (lane, values[k]));

          /* edges go before the middle of a narrow window */
          if (distance < nearest - (k == 2 ? 1.0 : 0.0))
            {
              nearest = distance;
              found = parts[k];
            }
        }
      if (found != ISOLUX_PART_NONE)
        return found;
    }
  if (has_clip (plot) && fabs (y - isolux_plot_clip_y (plot)) <= REACH + 0.5)
    return ISOLUX_PART_CLIP;
  return ISOLUX_PART_NONE;
}

/* ---- Laying out ---- */

static int
compare_counts (const void *a, const void *b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/*
 * The upper end of a series' axis of counts: its highest column, unless a few
 * dwarf the rest.
 */
static gdouble
top_of (const gdouble *peaks, gint n, gboolean logarithmic)
{
  gdouble *filled = g_new (gdouble, MAX (n, 1));
  gint     k, m = 0;
  gdouble  top = 1.0, usual;

  for (k = 0; k < n; k++)
    if (peaks[k] > 0)
      {
        filled[m++] = peaks[k];
        top = MAX (top, peaks[k]);
      }
  if (! logarithmic && m > 0)
    {
      qsort (filled, m, sizeof *filled, compare_counts);
      usual = filled[(gint) (0.985 * (m - 1))];
      if (top > 3.0 * usual)
        top = MAX (1.25 * usual, 1.0);
    }
  g_free (filled);
  return top;
}

static void
layout_columns (IsoluxPlot *plot)
{
  gint k, n = n_series (plot);

  for (k = 0; k < n; k++)
    {
      const IsoluxLane *lane = &plot->lanes[lane_of (plot, k)];

      if (plot->columns_serial == plot->model->serial &&
          plot->n_columns[k] == lane->columns &&
          plot->columns_from[k] == lane->from &&
          plot->columns_to[k] == lane->to)
        continue;
      plot->n_columns[k] = lane->columns;
      plot->columns_from[k] = lane->from;
      plot->columns_to[k] = lane->to;
      plot->peaks[k] = g_renew (gdouble, plot->peaks[k], lane->columns);
      plot->means[k] = g_renew (gdouble, plot->means[k], lane->columns);
      isolux_histogram_model_columns (plot->model, k, lane->axis.low,
                                      lane->axis.high, lane->columns,
                                      plot->peaks[k], plot->means[k]);
    }
  /* what is not there is not up to date either */
  for (; k < MAX_SERIES; k++)
    plot->n_columns[k] = 0;
  plot->columns_serial = plot->model->serial;
}

/* How high a lane's counts go: the same for all series of it */
static void
layout_top (IsoluxPlot *plot, gint index)
{
  IsoluxLane *lane = &plot->lanes[index];
  gdouble     highest = 0;
  gint        k, x;

  lane->top = 1.0;
  for (k = 0; k < n_series (plot); k++)
    if (lane_of (plot, k) == index)
      {
        gdouble top =
          top_of (plot->peaks[k], lane->columns, plot->model->logarithmic);

        lane->top = MAX (lane->top, top);
        for (x = 0; x < lane->columns; x++)
          highest = MAX (highest, plot->peaks[k][x]);
      }
  lane->cut = highest > lane->top;
}

/* Whether values are labelled as whole numbers */
static gboolean
reads_whole (IsoluxHistogramModel *model, gboolean output)
{
  return output ? model->output.codes
                : model->full.codes && fabs (model->scale) == 1.0 &&
                    model->offset == floor (model->offset);
}

/* What people read at a value of a lane's axis */
static gdouble
real_of (IsoluxHistogramModel *model, gboolean output, gdouble value)
{
  return output ? value : model->scale * value + model->offset;
}

static gdouble
value_of (IsoluxHistogramModel *model, gboolean output, gdouble real)
{
  return output ? real : (real - model->offset) / model->scale;
}

static void
layout_values (IsoluxPlot *plot, gint index)
{
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = &plot->lanes[index];
  gdouble               a = real_of (model, lane->output, lane->axis.low);
  gdouble               b = real_of (model, lane->output, lane->axis.high);
  gdouble               low = MIN (a, b), high = MAX (a, b);
  gboolean              whole = reads_whole (model, lane->output);
  gdouble               labels = MAX (lane->width / LABEL_WIDTH, 1);
  gdouble               step = whole ? 1.0 : (high - low) / labels;
  gdouble               room;

  /* wide fonts and long numbers need more */
  room = MAX (width_of (plot, isolux_format_step (low, step)),
              width_of (plot, isolux_format_step (high, step)));
  room = MAX (LABEL_WIDTH, room + 20);
  isolux_axis_values (low, high, whole, (gint) (lane->width / room),
                      &plot->values[index]);
}

static void
layout_counts (IsoluxPlot *plot, gint index)
{
  const IsoluxLane *lane = &plot->lanes[index];
  gint most = (gint) ((lane->height - ROOM) / (plot->text_height * 1.6));

  isolux_axis_counts (lane->top, plot->model->logarithmic, CLAMP (most, 1, 4),
                      &plot->counts[index]);
}

/* The upper end of the bars' axis, in shares; 2 or 4 round steps */
static gdouble
bars_top (IsoluxHistogramModel *model)
{
  static const gdouble tops[] = { 0.02, 0.04, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0 };
  gdouble              highest = 0;
  gint                 k;

  for (k = 0; k < model->orientations; k++)
    {
      highest = MAX (highest, model->shares[k]);
      if (model->cell && isolux_histogram_model_shows (model, ISOLUX_ROLE_MARK))
        highest = MAX (highest, model->cell[k]);
    }
  for (k = 0; k < (gint) G_N_ELEMENTS (tops) - 1; k++)
    if (highest <= tops[k])
      break;
  return tops[k];
}

static gboolean
has_shares (IsoluxPlot *plot)
{
  IsoluxHistogramModel *model = plot->model;

  return model->orientations == 0 &&
         ((model->curve_n > 0 &&
           isolux_histogram_model_shows (model, ISOLUX_ROLE_CURVE)) ||
          (model->bins->len > 0 &&
           isolux_histogram_model_shows (model, ISOLUX_ROLE_CUMULATIVE)));
}

static void
set_lane (IsoluxPlot *plot,
          gint        index,
          gdouble     x,
          gdouble     y,
          gdouble     width,
          gdouble     height)
{
  IsoluxLane *lane = &plot->lanes[index];

  memset (lane, 0, sizeof *lane); /* it is compared byte by byte */
  lane->x = x;
  lane->y = y;
  lane->width = MAX (width, 16);
  lane->height = MAX (height, 16);
  lane->columns = (gint) lane->width * plot->scale;
  lane->output = index == 1;
  if (lane->output)
    lane->axis = plot->model->output;
  else
    isolux_histogram_model_get_axis (plot->model, &lane->axis);
  lane->from = lane->axis.low;
  lane->to = isolux_axis_end (&lane->axis);
  lane->top = 1.0;
}

static void
use_context (IsoluxPlot *plot, PangoContext *context)
{
  guint fonts = pango_context_get_serial (context);

  if (plot->context != context)
    {
      g_set_object (&plot->context, context);
      g_clear_object (&plot->layout);
      plot->layout = pango_layout_new (context);
      pango_layout_set_single_paragraph_mode (plot->layout, TRUE);
      plot->width = 0; /* lay out anew */
    }
  else if (plot->fonts != fonts)
    {
      pango_layout_context_changed (plot->layout);
      plot->width = 0;
    }
  plot->fonts = fonts;
}

void
isolux_plot_layout (IsoluxPlot   *plot,
                    PangoContext *context,
                    gint          width,
                    gint          height,
                    gint          scale)
{
  IsoluxHistogramModel *model = plot->model;
  IsoluxAxis            axis;
  gdouble               left, right, bottom, gap, inside, counts;
  gint                  k, n, text_height;

  use_context (plot, context);
  if (plot->revision == model->revision && plot->width == width &&
      plot->height == height && plot->scale == scale)
    return;
  plot->revision = model->revision;
  plot->width = width;
  plot->height = height;
  plot->scale = MAX (scale, 1);

  isolux_histogram_model_get_axis (model, &axis);
  plot->overview = model->orientations == 0 &&
                   (axis.low > model->full.low || axis.high < model->full.high);
  measure (plot, "0", TEXT_PLAIN, NULL, &text_height);
  plot->text_height = text_height;
  gap = text_height + 6;
  bottom = gap + (plot->overview ? OVERVIEW + 6 : 0);
  plot->overview_y = height - OVERVIEW - 1;
  left = width_of (plot, isolux_format_count (1e5)) + 10;
  right = has_shares (plot)
            ? width_of (plot, isolux_format_percent (1.0, 0)) + 9
            : SIDE;

  plot->n_lanes = model->has_output && model->orientations == 0 ? 2 : 1;
  /* the axis of counts decides on the left margin, and the other way round:
   * twice is enough, since labels seldom outgrow what is kept for them */
  for (n = 0; n < 2; n++)
    {
      inside = height - TOP - bottom;
      if (plot->n_lanes == 2)
        {
          gdouble upper = round ((inside - gap) * UPPER);

          set_lane (plot, 0, left, TOP, width - left - right, upper);
          set_lane (plot, 1, left, TOP + upper + gap, width - left - right,
                    inside - gap - upper);
        }
      else
        set_lane (plot, 0, left, TOP, width - left - right, inside);

      layout_columns (plot);
      counts = 0;
      for (k = 0; k < plot->n_lanes; k++)
        {
          gint t;

          layout_top (plot, k);
          layout_counts (plot, k);
          for (t = 0; t < plot->counts[k].n_major; t++)
            counts =
              MAX (counts,
                   width_of (plot,
                             isolux_format_count (plot->counts[k].major[t])));
        }
      if (counts + 10 <= left)
        break;
      left = counts + 10;
    }
  for (k = 0; k < plot->n_lanes; k++)
    layout_values (plot, k);
  if (model->orientations > 0)
    plot->bars_top = bars_top (model);
}

gint
isolux_plot_minimum_height (IsoluxPlot *plot, PangoContext *context)
{
  gint    text_height;
  gdouble gap, plots = PLOT_LEAST;

  use_context (plot, context);
  measure (plot, "0", TEXT_PLAIN, NULL, &text_height);
  gap = text_height + 6;
  if (plot->model->has_output)
    plots = PLOT_LEAST / UPPER + gap;
  return (gint) ceil (TOP + plots + gap + OVERVIEW + 6);
}

/* ---- The picture: what is drawn from counts ---- */

/* Pixels are columns of the device, upward from the lane's lower edge */
static void
begin_columns (Ink *ink, const IsoluxLane *lane)
{
  gdouble unit = 1.0 / ink->plot->scale;

  cairo_save (ink->cr);
  cairo_translate (ink->cr, lane->x, lane->y + lane->height);
  cairo_scale (ink->cr, unit, -unit);
}

/* How high a count is in device pixels; what is there is seen */
static gdouble
column_height (Ink *ink, const IsoluxLane *lane, gdouble count)
{
  gdouble height, most = lane->height * ink->plot->scale;

  if (count <= 0)
    return 0;
  height = share_of (ink->plot, lane, count) * (lane->height - ROOM) *
           ink->plot->scale;
  return CLAMP (height, 1.0, most);
}

static gboolean
is_color (IsoluxRole role)
{
  return role == ISOLUX_ROLE_RED || role == ISOLUX_ROLE_GREEN ||
         role == ISOLUX_ROLE_BLUE;
}

/* A lane in the pixels of the picture */
static GdkRectangle
pixels_of (IsoluxPlot *plot, const IsoluxLane *lane)
{
  gint scale = plot->scale;

  return (GdkRectangle) { (gint) lane->x * scale, (gint) lane->y * scale,
                          lane->columns, (gint) lane->height * scale };
}

static gboolean
is_inside (cairo_surface_t *surface, const GdkRectangle *box)
{
  return box->x >= 0 && box->y >= 0 &&
         box->x + box->width <= cairo_image_surface_get_width (surface) &&
         box->y + box->height <= cairo_image_surface_get_height (surface);
}

/* Up to the mean of a column's bins strong, from there to the highest pale */
static void
draw_fill (Ink *ink, const IsoluxLane *lane, gint series)
{
  IsoluxPlot  *plot = ink->plot;
  IsoluxRole   role = series_of (plot, series)->role;
  GdkRectangle box = pixels_of (plot, lane);
  gdouble     *low = g_new (gdouble, lane->columns);
  gdouble     *high = g_new (gdouble, lane->columns);
  IsoluxBlend  blend = ISOLUX_BLEND_OVER;
  GdkRGBA      color;
  gint         k;

  isolux_palette_get (ink->palette, role, &color);
  color.alpha = 0.94;
  if (is_color (role))
    {
      color.alpha = 0.72;
      blend = ink->palette == ISOLUX_PALETTE_DARK ? ISOLUX_BLEND_SCREEN
                                                  : ISOLUX_BLEND_MULTIPLY;
    }
  for (k = 0; k < lane->columns; k++)
    {
      low[k] = column_height (ink, lane, plot->means[series][k]);
      high[k] = column_height (ink, lane, plot->peaks[series][k]);
    }
  isolux_columns_fill (plot->picture, &box, low, high, &color, blend);
  g_free (low);
  g_free (high);
}

static void
draw_outline (Ink *ink, const IsoluxLane *lane, gint series)
{
  IsoluxPlot    *plot = ink->plot;
  const gdouble *peaks = plot->peaks[series];
  GdkRectangle   box = pixels_of (plot, lane);
  gint           n = lane->columns, first = 0, last = n - 1, k;
  gdouble       *heights;
  GdkRGBA        color;

  while (first < n && peaks[first] <= 0)
    first++;
  while (last > first && peaks[last] <= 0)
    last--;
  if (first == n)
    return;
  first = MAX (first - 1, 0);
  last = MIN (last + 1, n - 1);

  heights = g_new (gdouble, n);
  for (k = 0; k < n; k++)
    heights[k] = MAX (column_height (ink, lane, peaks[k]), 0.5 * plot->scale);
  isolux_palette_get (ink->palette, ISOLUX_ROLE_PLOT, &color);
  color.alpha = 0.6;
  isolux_columns_outline (plot->picture, &box, heights, first, last,
                          3.0 * plot->scale, &color);
  isolux_palette_get (ink->palette, series_of (plot, series)->role, &color);
  isolux_columns_outline (plot->picture, &box, heights, first, last,
                          1.25 * plot->scale, &color);
  g_free (heights);
}

static void
clip_to (cairo_t *cr, const IsoluxLane *lane)
{
  cairo_rectangle (cr, lane->x, lane->y, lane->width, lane->height);
  cairo_clip (cr);
}

/* A line one device pixel or pixel wide, sharp */
static gdouble
sharp (gdouble position)
{
  return floor (position) + 0.5;
}

static void
draw_grid (Ink *ink, gint index)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[index];
  cairo_t          *cr = ink->cr;
  gint              k;

  for (k = 1; k < plot->counts[index].n_major; k++)
    {
      gdouble y =
        sharp (isolux_plot_y_of (plot, lane, plot->counts[index].major[k]));

      cairo_move_to (cr, lane->x, y);
      cairo_line_to (cr, lane->x + lane->width, y);
    }
  for (k = 0; k < plot->values[index].n_major; k++)
    {
      gdouble x =
        sharp (isolux_lane_x_of (lane,
                                 value_of (plot->model, lane->output,
                                           plot->values[index].major[k])));

      cairo_move_to (cr, x, lane->y);
      cairo_line_to (cr, x, lane->y + lane->height);
    }
  set_role (ink, ISOLUX_ROLE_GRID, 0.55);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
draw_lane (Ink *ink, gint index)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[index];
  GdkRectangle      box;
  gint              k, outline;

  set_role (ink, ISOLUX_ROLE_PLOT, 1.0);
  cairo_rectangle (ink->cr, lane->x, lane->y, lane->width, lane->height);
  cairo_fill (ink->cr);
  cairo_save (ink->cr);
  clip_to (ink->cr, lane);
  draw_grid (ink, index);
  cairo_restore (ink->cr);
  /* a window may be smaller than what was laid out */
  box = pixels_of (plot, lane);
  if (! is_inside (plot->picture, &box))
    return;
  for (outline = 0; outline < 2; outline++)
    for (k = 0; k < n_series (plot); k++)
      {
        IsoluxRole role = series_of (plot, k)->role;

        if (lane_of (plot, k) != index ||
            (role == ISOLUX_ROLE_BEFORE) != outline ||
            ! isolux_histogram_model_shows (plot->model, role))
          continue;
        if (outline)
          draw_outline (ink, lane, k);
        else
          draw_fill (ink, lane, k);
      }
}

/* Draws the picture, or the same one again */
static void
draw_picture (Ink *ink)
{
  IsoluxPlot *plot = ink->plot;
  PictureKey  key;
  gint        k;

  memset (&key, 0, sizeof key);
  key.serial = plot->model->serial;
  key.width = plot->width;
  key.height = plot->height;
  key.scale = plot->scale;
  for (k = 0; k < plot->n_lanes; k++)
    key.lanes[k] = plot->lanes[k];
  key.logarithmic = plot->model->logarithmic;
  key.show = plot->model->show;
  key.palette = ink->palette;

  if (! plot->picture || memcmp (&key, &plot->picture_key, sizeof key) != 0)
    {
      Ink inner = *ink;

      g_clear_pointer (&plot->picture, cairo_surface_destroy);
      plot->picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                                  plot->width * plot->scale,
                                                  plot->height * plot->scale);
      cairo_surface_set_device_scale (plot->picture, plot->scale, plot->scale);
      inner.cr = cairo_create (plot->picture);
      for (k = 0; k < plot->n_lanes; k++)
        draw_lane (&inner, k);
      cairo_destroy (inner.cr);
      plot->picture_key = key;
    }
  cairo_set_source_surface (ink->cr, plot->picture, 0, 0);
  cairo_paint (ink->cr);
}

/* ---- Lines over it ---- */

/* Strokes the path with a casing in the plot's color: it crosses fills */
static void
stroke_cased (Ink *ink, IsoluxRole role, gdouble width, gdouble casing)
{
  set_role (ink, ISOLUX_ROLE_PLOT, 0.85);
  cairo_set_line_width (ink->cr, width + casing);
  cairo_stroke_preserve (ink->cr);
  set_role (ink, role, 1.0);
  cairo_set_line_width (ink->cr, width);
  cairo_stroke (ink->cr);
}

static void
draw_cumulative (Ink *ink, gint index)
{
  static const gdouble dashes[] = { 6, 3 }, dots[] = { 1.5, 2.5 };
  IsoluxPlot          *plot = ink->plot;
  const IsoluxLane    *lane = &plot->lanes[index];
  cairo_t             *cr = ink->cr;
  gdouble              bottom = lane->y + lane->height - 1;
  gint                 k, x;

  for (k = 0; k < n_series (plot); k++)
    {
      IsoluxRole role = series_of (plot, k)->role;
      gboolean   begun = FALSE;

      if (lane_of (plot, k) != index ||
          ! isolux_histogram_model_shows (plot->model, role))
        continue;
      for (x = 0; x <= lane->width; x++)
        {
          gdouble share =
            isolux_histogram_model_share_below (plot->model, k,
                                                edge_at (lane, lane->x + x));

          /* nothing is to be seen before the first value */
          if (share <= 0)
            continue;
          if (! begun)
            cairo_move_to (cr, lane->x + MAX (x - 1, 0), bottom);
          begun = TRUE;
          cairo_line_to (cr, lane->x + x, bottom - share * (lane->height - 2));
        }
      if (role == ISOLUX_ROLE_BEFORE)
        cairo_set_dash (cr, dots, 2, 0);
      else
        cairo_set_dash (cr, dashes, 2, 0);
      cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
      stroke_cased (ink, is_color (role) ? role : ISOLUX_ROLE_CUMULATIVE, 1.5,
                    1.5);
      cairo_set_dash (cr, NULL, 0, 0);
    }
}

static gdouble
curve_y (const IsoluxLane *lane, gdouble share)
{
  /* the line stays inside where it lies at an end */
  return lane->y + lane->height - CLAMP (share, 0, 1) * (lane->height - 2) - 1;
}

/* Adds the line of a curve, without the points that no pixel would show */
static void
curve_path (Ink *ink, const gdouble *y, gboolean backward)
{
  IsoluxHistogramModel *model = ink->plot->model;
  const IsoluxLane     *lane = &ink->plot->lanes[0];
  gdouble               least = 0.5 / ink->plot->scale, last = -1e9;
  gint                  n = model->curve_n, i;

  for (i = 0; i < n; i++)
    {
      gint    k = backward ? n - 1 - i : i;
      gdouble x = isolux_lane_x_of (lane, model->curve_x[k]);

      if (i > 0 && i < n - 1 && fabs (x - last) < least)
        continue;
      last = x;
      cairo_line_to (ink->cr, x, curve_y (lane, y[k]));
    }
}

static void
draw_curve (Ink *ink)
{
  IsoluxHistogramModel *model = ink->plot->model;

  if (model->curve_low && model->curve_high)
    {
      curve_path (ink, model->curve_low, FALSE);
      curve_path (ink, model->curve_high, TRUE);
      cairo_close_path (ink->cr);
      set_role (ink, ISOLUX_ROLE_CURVE, 0.18);
      cairo_fill (ink->cr);
    }
  cairo_set_line_join (ink->cr, CAIRO_LINE_JOIN_ROUND);
  curve_path (ink, model->curve_y, FALSE);
  stroke_cased (ink, ISOLUX_ROLE_CURVE, 2, 2);
}

/* Stripes from lower left to upper right that fit to one another */
static cairo_pattern_t *
stripes (Ink *ink)
{
  const gint       size = 6;
  gint             scale = ink->plot->scale;
  cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                                      size * scale,
                                                      size * scale);
  cairo_t         *cr;
  cairo_pattern_t *pattern;
  gint             k;

  cairo_surface_set_device_scale (tile, scale, scale);
  cr = cairo_create (tile);
  isolux_palette_set_source (cr, ink->palette, ISOLUX_ROLE_MARK, 0.28);
  cairo_paint (cr);
  isolux_palette_set_source (cr, ink->palette, ISOLUX_ROLE_MARK, 0.9);
  cairo_set_line_width (cr, 1.1);
  for (k = -1; k <= 1; k++)
    {
      cairo_move_to (cr, k * size - 1, size + 1);
      cairo_line_to (cr, k * size + size + 1, -1);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
  pattern = cairo_pattern_create_for_surface (tile);
  cairo_surface_destroy (tile);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
  return pattern;
}

/* The series that the limit is one of; -1 = it is not shown */
static gint
clipped_series (IsoluxPlot *plot)
{
  if (isolux_histogram_model_shows (plot->model, ISOLUX_ROLE_BEFORE))
    for (gint k = 0; k < n_series (plot); k++)
      if (lane_of (plot, k) == 0 &&
          series_of (plot, k)->role == ISOLUX_ROLE_BEFORE)
        return k;
  return -1;
}

/* Whether something between two places lies above the limit */
static gboolean
is_clipped (Ink *ink, gdouble from, gdouble to)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[0];
  gint              series = clipped_series (plot);
  gint              first = (gint) ((from - lane->x) * plot->scale);
  gint              last = (gint) ((to - lane->x) * plot->scale);
  gdouble           limit;

  if (series < 0 || plot->model->clip <= 0)
    return FALSE;
  limit = (lane->y + lane->height - isolux_plot_clip_y (plot)) * plot->scale;
  for (gint k = MAX (first, 0); k <= MIN (last, lane->columns - 1); k++)
    if (column_height (ink, lane, plot->peaks[series][k]) > limit)
      return TRUE;
  return FALSE;
}

/* What lies above the limit and is spread out */
static void
draw_clipped (Ink *ink)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[0];
  cairo_t          *cr = ink->cr;
  cairo_pattern_t  *pattern;
  gdouble           limit;
  gint              series = clipped_series (plot);
  gint              k;

  if (plot->model->clip <= 0 || series < 0)
    return;

  limit = (lane->y + lane->height - isolux_plot_clip_y (plot)) * plot->scale;
  begin_columns (ink, lane);
  for (k = 0; k < lane->columns; k++)
    {
      gdouble height = column_height (ink, lane, plot->peaks[series][k]);

      if (height > limit)
        cairo_rectangle (cr, k, limit, 1, height - limit);
    }
  cairo_restore (cr);
  pattern = stripes (ink);
  cairo_set_source (cr, pattern);
  cairo_fill (cr);
  cairo_pattern_destroy (pattern);
}

static void
draw_clip (Ink *ink)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[0];
  cairo_t          *cr = ink->cr;
  gdouble           right = lane->x + lane->width;
  gdouble           y = sharp (isolux_plot_clip_y (plot));
  gboolean          hot = ink->state->hot == ISOLUX_PART_CLIP;
  gboolean          below;
  gchar            *text = NULL;
  gint              brevity, width, height, d;

  cairo_move_to (cr, lane->x, y);
  cairo_line_to (cr, right, y);
  stroke_cased (ink, ISOLUX_ROLE_MARK, hot ? 2.5 : 1.75, 2.25);

  /* the grip */
  set_role (ink, ISOLUX_ROLE_PLOT, 0.85);
  rounded (cr, right - 23, y - 6.5, 22, 13, 6.5);
  cairo_fill (cr);
  set_role (ink, ISOLUX_ROLE_MARK, 1.0);
  rounded (cr, right - 22, y - 5.5, 20, 11, 5.5);
  cairo_fill (cr);
  set_role (ink, ISOLUX_ROLE_PLOT, 1.0);
  cairo_set_line_width (cr, 1);
  for (d = -2; d <= 2; d += 4)
    {
      cairo_move_to (cr, right - 16, y + d / 2.0);
      cairo_line_to (cr, right - 8, y + d / 2.0);
    }
  cairo_stroke (cr);
  if (ink->state->focus && ink->state->focus_clip)
    {
      set_role (ink, ISOLUX_ROLE_TEXT, 1.0);
      cairo_set_line_width (cr, 1.5);
      rounded (cr, right - 24, y - 7.5, 24, 15, 7.5);
      cairo_stroke (cr);
    }

  /* its name, as long as there is room for */
  for (brevity = 0; brevity <= 2; brevity++)
    {
      g_free (text);
      text = isolux_histogram_model_clip_text (plot->model, brevity);
      measure (plot, text, TEXT_BOLD, &width, &height);
      if (width < lane->width * 0.6)
        break;
    }
  /* what is clipped shall be seen */
  below = y - height - 4 < lane->y ||
          (is_clipped (ink, right - 30 - width, right - 30) &&
           y + height + 5 < lane->y + lane->height);
  set_role (ink, ISOLUX_ROLE_MARK, 1.0);
  ink->taken = draw_text (ink, text, right - 30, below ? y + 5 : y - 4, 1,
                          below ? 0 : 1, TEXT_BOLD | TEXT_BACKED);
  g_free (text);
}

/*
 * The value of an edge beside its line; an edge that is not shown is named
 * where it would come in, with a triangle that points to it.
 */
static void
window_label (Ink *ink, gdouble value, gdouble x, gboolean low)
{
  const IsoluxLane *lane = &ink->plot->lanes[0];
  gdouble           right = lane->x + lane->width;
  gdouble           y = round (lane->y + lane->height * 0.42);
  gchar *text = isolux_histogram_model_format (ink->plot->model, value, TRUE);
  gint   away = x < lane->x - 1 ? -1 : x > right + 1 ? 1 : 0;
  gint   width;

  measure (ink->plot, text, TEXT_BOLD, &width, NULL);
  set_role (ink, ISOLUX_ROLE_MARK, 1.0);
  if (away)
    {
      gdouble tip = away < 0 ? lane->x + 4 : right - 4;

      draw_text (ink, text, tip - away * 14, y, away < 0 ? 0 : 1, 0.5,
                 TEXT_BOLD | TEXT_BACKED);
      cairo_move_to (ink->cr, tip, y);
      cairo_line_to (ink->cr, tip - away * 7, y - 5);
      cairo_line_to (ink->cr, tip - away * 7, y + 5);
      cairo_close_path (ink->cr);
      cairo_fill (ink->cr);
    }
  else
    {
      /* outside the window, or inside where there is no room */
      gboolean left = low ? x - 8 - width >= lane->x + 4
                          : x + 8 + width > right - 4;

      draw_text (ink, text, left ? x - 8 : x + 8, y, left ? 1 : 0, 0.5,
                 TEXT_BOLD | TEXT_BACKED);
    }
  g_free (text);
}

static void
draw_window (Ink *ink)
{
  static const gdouble  dashes[] = { 4, 3 };
  IsoluxPlot           *plot = ink->plot;
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = &plot->lanes[0];
  cairo_t              *cr = ink->cr;
  gdouble               low = model->center - model->width / 2.0;
  gdouble               high = model->center + model->width / 2.0;
  const gdouble         values[] = { low, high, model->center };
  const IsoluxPart parts[] = { ISOLUX_PART_WINDOW_LOW, ISOLUX_PART_WINDOW_HIGH,
                               ISOLUX_PART_WINDOW_MIDDLE };
  gdouble          right = lane->x + lane->width;
  gdouble          bottom = lane->y + lane->height;
  gdouble          x[3];
  gint             k;

  for (k = 0; k < 3; k++)
    x[k] = isolux_lane_x_of (lane, values[k]);

  /* what becomes black or white steps back */
  set_role (ink, ISOLUX_ROLE_PLOT, 0.62);
  cairo_rectangle (cr, lane->x, lane->y, CLAMP (x[0], lane->x, right) - lane->x,
                   lane->height);
  cairo_rectangle (cr, CLAMP (x[1], lane->x, right), lane->y,
                   right - CLAMP (x[1], lane->x, right), lane->height);
  cairo_fill (cr);

  for (k = 0; k < 3; k++)
    {
      gdouble at = sharp (x[k]);

      if (x[k] < lane->x - 1 || x[k] > right + 1)
        continue;
      at = CLAMP (at, lane->x + 1, right - 1);
      cairo_move_to (cr, at, lane->y);
      cairo_line_to (cr, at, bottom);
      if (k == 2)
        cairo_set_dash (cr, dashes, 2, 0);
      stroke_cased (ink, ISOLUX_ROLE_MARK,
                    ink->state->hot == parts[k] ? 2.5 : 1.75, 1.5);
      cairo_set_dash (cr, NULL, 0, 0);
      if (model->movable) /* a handle */
        {
          cairo_move_to (cr, at - 6, bottom);
          cairo_line_to (cr, at + 6, bottom);
          cairo_line_to (cr, at, bottom - 9);
          cairo_close_path (cr);
          cairo_fill (cr);
        }
    }

  window_label (ink, low, x[0], TRUE);
  window_label (ink, high, x[1], FALSE);
  if (x[2] > lane->x && x[2] < right)
    {
      gchar *text = isolux_histogram_model_format (model, values[2], FALSE);
      gint   width;

      measure (plot, text, TEXT_BOLD, &width, NULL);
      if (MIN (x[1], right) - MAX (x[0], lane->x) > width + 28)
        draw_text (ink, text,
                   CLAMP (x[2], lane->x + width / 2.0 + 5,
                          right - width / 2.0 - 5),
                   lane->y + 3, 0.5, 0, TEXT_BOLD | TEXT_BACKED);
      g_free (text);
    }
}

/* From the window's edges to black and white of the result */
static void
draw_wedge (Ink *ink)
{
  IsoluxHistogramModel *model = ink->plot->model;
  const IsoluxLane     *upper = &ink->plot->lanes[0];
  const IsoluxLane     *lower = &ink->plot->lanes[1];
  cairo_t              *cr = ink->cr;
  gdouble               y = upper->y + upper->height;

  cairo_save (cr);
  cairo_rectangle (cr, upper->x, y, upper->width, lower->y - y);
  cairo_clip (cr);
  cairo_move_to (cr,
                 isolux_lane_x_of (upper, model->center - model->width / 2.0),
                 y);
  cairo_line_to (cr,
                 isolux_lane_x_of (upper, model->center + model->width / 2.0),
                 y);
  cairo_line_to (cr, lower->x + lower->width, lower->y);
  cairo_line_to (cr, lower->x, lower->y);
  cairo_close_path (cr);
  set_role (ink, ISOLUX_ROLE_CURVE, 0.16);
  cairo_fill (cr);
  cairo_restore (cr);
}

typedef struct
{
  gint    column;
  gdouble count;
} Spike;

static int
compare_spikes (const void *a, const void *b)
{
  const Spike *x = a, *y = b;

  return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                              : x->column - y->column;
}

static gboolean
touches (const GdkRectangle *a, const GdkRectangle *b)
{
  return gdk_rectangle_intersect (a, b, NULL);
}

static void
draw_spike (Ink *ink, const IsoluxLane *lane, const Spike *spike)
{
  IsoluxPlot  *plot = ink->plot;
  cairo_t     *cr = ink->cr;
  gdouble      x = lane->x + (spike->column + 0.5) / plot->scale;
  gdouble      at = CLAMP (x, lane->x + 6, lane->x + lane->width - 6);
  gchar       *text = isolux_format_count (spike->count);
  GdkRectangle box;
  gboolean     right;

  /* a triangle that points to where it goes on */
  cairo_move_to (cr, at - 4.5, lane->y + 8);
  cairo_line_to (cr, at, lane->y + 2);
  cairo_line_to (cr, at + 4.5, lane->y + 8);
  cairo_close_path (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  set_role (ink, ISOLUX_ROLE_PLOT, 0.85);
  cairo_set_line_width (cr, 2.5);
  cairo_stroke_preserve (cr);
  set_role (ink, ISOLUX_ROLE_TEXT, 1.0);
  cairo_fill (cr);

  measure (plot, text, TEXT_SMALLER, &box.width, &box.height);
  right = at - 8 - box.width < lane->x + 4;
  box.x = (gint) (right ? at + 8 : at - 8 - box.width);
  box.y = (gint) lane->y + 1;
  if (! touches (&box, &ink->taken))
    draw_text (ink, text, right ? at + 9 : at - 9, lane->y + 1, right ? 0 : 1,
               0, TEXT_SMALLER | TEXT_BACKED);
  g_free (text);
}

/* Columns that are cut off: the highest first, one a piece of the width */
static void
draw_spikes (Ink *ink, gint index)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[index];
  Spike            *spikes, *kept;
  gint              n = 0, m = 0, k, series;

  if (! lane->cut || plot->model->logarithmic)
    return;
  spikes = g_new (Spike, lane->columns);
  kept = g_new (Spike, lane->columns);
  for (k = 0; k < lane->columns; k++)
    {
      Spike spike = { k, 0 };

      for (series = 0; series < n_series (plot); series++)
        if (lane_of (plot, series) == index &&
            isolux_histogram_model_shows (plot->model,
                                          series_of (plot, series)->role))
          spike.count = MAX (spike.count, plot->peaks[series][k]);
      if (spike.count > lane->top)
        spikes[n++] = spike;
    }
  qsort (spikes, n, sizeof *spikes, compare_spikes);
  for (k = 0; k < n; k++)
    {
      gboolean free_place = TRUE;
      gint     other;

      for (other = 0; other < m && free_place; other++)
        free_place = abs (spikes[k].column - kept[other].column) >=
                     SPIKE_WIDTH * plot->scale;
      if (! free_place)
        continue;
      kept[m++] = spikes[k];
      draw_spike (ink, lane, &spikes[k]);
    }
  g_free (spikes);
  g_free (kept);
}

static void
hover_line (Ink *ink, const IsoluxLane *lane, gdouble x)
{
  static const gdouble dashes[] = { 2, 2 };

  x = sharp (CLAMP (x, lane->x, lane->x + lane->width - 1));
  cairo_move_to (ink->cr, x, lane->y);
  cairo_line_to (ink->cr, x, lane->y + lane->height);
  set_role (ink, ISOLUX_ROLE_PLOT, 0.7);
  cairo_set_line_width (ink->cr, 3);
  cairo_stroke_preserve (ink->cr);
  set_role (ink, ISOLUX_ROLE_TEXT, 1.0);
  cairo_set_line_width (ink->cr, 1);
  cairo_set_dash (ink->cr, dashes, 2, 0);
  cairo_stroke (ink->cr);
  cairo_set_dash (ink->cr, NULL, 0, 0);
}

static void
draw_hover (Ink *ink)
{
  IsoluxPlot           *plot = ink->plot;
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = isolux_plot_get_lane (plot, ink->state->hover);
  gdouble               middle, y;

  if (! lane || model->orientations > 0)
    return;
  middle = (ink->state->hover_from + ink->state->hover_to) / 2.0;
  hover_line (ink, lane, edge_x (lane, middle));
  if (lane->output || ! model->curve_n ||
      ! isolux_histogram_model_shows (model, ISOLUX_ROLE_CURVE))
    return;

  /* where the curve takes it */
  if (isolux_histogram_model_curve_at (model,
                                       lane->axis.codes ? middle - 0.5 : middle,
                                       &y))
    {
      cairo_arc (ink->cr, edge_x (lane, middle), curve_y (lane, y), 3.5, 0,
                 2 * G_PI);
      set_role (ink, ISOLUX_ROLE_PLOT, 1.0);
      cairo_set_line_width (ink->cr, 2.5);
      cairo_stroke_preserve (ink->cr);
      set_role (ink, ISOLUX_ROLE_CURVE, 1.0);
      cairo_fill (ink->cr);
      if (plot->n_lanes == 2 && model->becomes)
        {
          const IsoluxLane *out = &plot->lanes[1];

          hover_line (ink, out,
                      isolux_lane_x_of (out,
                                        model->out_low + y * (model->out_high -
                                                              model->out_low)));
        }
    }
}

/* ---- Orientations ---- */

static void
draw_bars (Ink *ink)
{
  IsoluxPlot           *plot = ink->plot;
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = &plot->lanes[0];
  cairo_t              *cr = ink->cr;
  gint                  n = model->orientations, k;
  gdouble               high = lane->height - STROKES;
  gdouble               bottom = lane->y + lane->height;
  gdouble               width = lane->width / n;
  gdouble               gap = CLAMP (width * 0.06, 0.5, 4.0);
  gdouble               reach = CLAMP (width * 0.4, 2.0, 7.5);

  set_role (ink, ISOLUX_ROLE_PLOT, 1.0);
  cairo_rectangle (cr, lane->x, lane->y, lane->width, lane->height);
  cairo_fill (cr);
  cairo_save (cr);
  clip_to (cr, lane);

  for (k = 1; k <= 2; k++)
    {
      gdouble y = sharp (bottom - high * k / 2.0);

      cairo_move_to (cr, lane->x, y);
      cairo_line_to (cr, lane->x + lane->width, y);
    }
  set_role (ink, ISOLUX_ROLE_GRID, 0.55);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);

  if (ink->state->hover == 0)
    {
      k = (gint) floor (ink->state->hover_from / model->degrees * n + 0.5);
      set_role (ink, ISOLUX_ROLE_TEXT, 0.12);
      cairo_rectangle (cr, lane->x + k * width, lane->y, width, lane->height);
      cairo_fill (cr);
    }

  if (isolux_histogram_model_shows (model, ISOLUX_ROLE_AFTER))
    {
      for (k = 0; k < n; k++)
        cairo_rectangle (cr, lane->x + k * width + gap,
                         bottom - model->shares[k] / plot->bars_top * high,
                         width - 2 * gap,
                         model->shares[k] / plot->bars_top * high);
      set_role (ink, ISOLUX_ROLE_AFTER, 0.94);
      cairo_fill (cr);
    }
  if (model->cell && isolux_histogram_model_shows (model, ISOLUX_ROLE_MARK))
    {
      for (k = 0; k < n; k++)
        {
          gdouble tall = model->cell[k] / plot->bars_top * high;

          /* open at the bottom, which lies below the plot */
          cairo_rectangle (cr, lane->x + k * width + gap + 0.5,
                           round (bottom - tall) + 0.5, width - 2 * gap - 1,
                           tall + 6);
        }
      stroke_cased (ink, ISOLUX_ROLE_MARK, 1.75, 1.5);
    }

  /* how the edges lie: across their gradients, y down as in the picture */
  for (k = 0; k < n; k++)
    {
      gdouble angle = (k + 0.5) * model->degrees / n * G_PI / 180.0;
      gdouble dx = -sin (angle) * reach, dy = cos (angle) * reach;
      gdouble x = lane->x + (k + 0.5) * width, y = lane->y + STROKES / 2.0;

      cairo_move_to (cr, x - dx, y - dy);
      cairo_line_to (cr, x + dx, y + dy);
      if (model->degrees > 180) /* and on which side it is brighter */
        {
          cairo_move_to (cr, x, y);
          cairo_line_to (cr, x + cos (angle) * reach * 0.6,
                         y + sin (angle) * reach * 0.6);
        }
    }
  set_role (ink, ISOLUX_ROLE_TEXT, 1.0);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* ---- Axes ---- */

/* Whether a label has room, and takes it */
static gboolean
take_room (gdouble x, gdouble width, gdouble *until, gdouble end)
{
  if (x < *until || x + width > end)
    return FALSE;
  *until = x + width + 8;
  return TRUE;
}

static void
label_value (Ink         *ink,
             const gchar *text,
             gdouble      x,
             gdouble      y,
             gdouble     *until,
             gdouble      end)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[0];
  gdouble           right = lane->x + lane->width, left;
  gint              width;

  measure (plot, text, TEXT_PLAIN, &width, NULL);
  /* the first and the last one stay inside */
  left = CLAMP (x - width / 2.0, lane->x, right - width);
  if (take_room (left, width, until, end))
    draw_text (ink, text, left, y, 0, 0, TEXT_PLAIN);
}

static void
draw_value_axis (Ink *ink, gint index)
{
  IsoluxPlot           *plot = ink->plot;
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = &plot->lanes[index];
  const IsoluxTicks    *ticks = &plot->values[index];
  cairo_t              *cr = ink->cr;
  gdouble               right = lane->x + lane->width;
  gdouble               bottom = lane->y + lane->height;
  gdouble               until = lane->x, end = right;
  gdouble               last_x = 0, last_width = 0;
  gchar                *last = NULL;
  gint                  k, width, n = ticks->n_major;

  set_dialog_text (ink, 0.55);
  for (k = 0; k < ticks->n_minor; k++)
    cairo_rectangle (cr,
                     floor (isolux_lane_x_of (lane,
                                              value_of (model, lane->output,
                                                        ticks->minor[k]))),
                     bottom, 1, 3);
  cairo_fill (cr);
  set_dialog_text (ink, 0.86);
  for (k = 0; k < n; k++)
    {
      gdouble x = isolux_lane_x_of (lane, value_of (model, lane->output,
                                                    ticks->major[k]));

      cairo_rectangle (cr, MIN (floor (x), right - 1), bottom, 1, 5);
    }
  cairo_fill (cr);

  if (! lane->output && *model->unit)
    {
      GdkRectangle box = draw_text (ink, model->unit, right, bottom + LABEL_GAP,
                                    1, 0, TEXT_PLAIN);

      end = box.x - 12;
    }
  else if (n > 1)
    {
      /* the last one (255, 4,095) goes before those beside it */
      last = isolux_format_step (ticks->major[n - 1], ticks->step);
      measure (plot, last, TEXT_PLAIN, &width, NULL);
      last_width = width;
      last_x = isolux_lane_x_of (lane, value_of (model, lane->output,
                                                 ticks->major[n - 1]));
      last_x = CLAMP (last_x - last_width / 2.0, lane->x, right - last_width);
      if (model->scale > 0 || lane->output)
        {
          end = last_x - 8;
          draw_text (ink, last, last_x, bottom + LABEL_GAP, 0, 0, TEXT_PLAIN);
          n--;
        }
    }

  for (k = 0; k < n; k++)
    {
      /* a scale that goes down has its largest label left */
      gint    at = model->scale > 0 || lane->output ? k : n - 1 - k;
      gdouble x = isolux_lane_x_of (lane, value_of (model, lane->output,
                                                    ticks->major[at]));
      gchar  *text = isolux_format_step (ticks->major[at], ticks->step);

      label_value (ink, text, x, bottom + LABEL_GAP, &until, end);
      g_free (text);
    }
  g_free (last);
}

/* A label left or right of the plot, that stays beside it */
static void
label_side (Ink              *ink,
            const IsoluxLane *lane,
            gchar            *text,
            gdouble           y,
            gboolean          right)
{
  gdouble half = ink->plot->text_height / 2.0 - 1;

  draw_text (ink, text, right ? lane->x + lane->width + LABEL_GAP : lane->x - 6,
             CLAMP (y, lane->y + half - 2, lane->y + lane->height - half),
             right ? 0 : 1, 0.5, TEXT_PLAIN);
  g_free (text);
}

static void
draw_count_axis (Ink *ink, gint index)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[index];
  gdouble           above = G_MAXDOUBLE;
  gint              k;

  set_dialog_text (ink, 0.86);
  for (k = 0; k < plot->counts[index].n_major; k++)
    {
      gdouble count = plot->counts[index].major[k];
      gdouble y = isolux_plot_y_of (plot, lane, count);

      if (y > above - plot->text_height)
        continue;
      above = y;
      label_side (ink, lane, isolux_format_count (count), y, FALSE);
    }
}

static void
draw_share_axis (Ink *ink)
{
  const IsoluxLane *lane = &ink->plot->lanes[0];
  gint              k;

  set_dialog_text (ink, 0.86);
  for (k = 0; k <= 2; k++)
    label_side (ink, lane, isolux_format_percent (k / 2.0, 0),
                lane->y + lane->height * (1.0 - k / 2.0), TRUE);
}

static void
draw_bar_axes (Ink *ink)
{
  IsoluxPlot           *plot = ink->plot;
  IsoluxHistogramModel *model = plot->model;
  const IsoluxLane     *lane = &plot->lanes[0];
  gdouble               bottom = lane->y + lane->height;
  gdouble               step = model->degrees / model->orientations;
  gint                  digits = step == floor (step) ? 0 : 1;
  gdouble               start = lane->x, until = lane->x;
  gdouble               end = lane->x + lane->width;
  gint                  k, every = 1, width;
  gchar                *widest = isolux_format_value (360, digits, NULL);

  measure (plot, widest, TEXT_PLAIN, &width, NULL);
  g_free (widest);
  /* a divisor, so that the last one is labelled as well */
  while (every < model->orientations &&
         (model->orientations % every ||
          every * lane->width / model->orientations < 1.5 * width + 16))
    every++;
  set_dialog_text (ink, 0.86);
  for (k = 0; k <= model->orientations; k++)
    {
      gdouble x = lane->x + lane->width * k / model->orientations;

      cairo_rectangle (ink->cr, MIN (floor (x), lane->x + lane->width - 1),
                       bottom, 1, k % every ? 3 : 5);
    }
  cairo_fill (ink->cr);
  /* the last one first: it goes before the one beside it */
  for (k = 0; k <= model->orientations; k += every)
    {
      gint   at = k == 0 ? model->orientations : k - every;
      gchar *number = isolux_format_number (at * step, digits);
      gchar *text = g_strconcat (number, "°", NULL);
      gint   taken;

      label_value (ink, text, lane->x + lane->width * at / model->orientations,
                   bottom + LABEL_GAP, k == 0 ? &start : &until, end);
      if (k == 0)
        {
          measure (plot, text, TEXT_PLAIN, &taken, NULL);
          end -= taken + 8;
        }
      g_free (number);
      g_free (text);
    }
  for (k = 0; k <= 2; k++)
    label_side (ink, lane,
                isolux_format_percent (plot->bars_top * k / 2.0,
                                       plot->bars_top < 0.03 ? 1 : 0),
                bottom - (lane->height - STROKES) * k / 2.0, FALSE);
}

static void
draw_overview (Ink *ink)
{
  IsoluxPlot       *plot = ink->plot;
  const IsoluxLane *lane = &plot->lanes[0];
  gboolean          hot = ink->state->hot >= ISOLUX_PART_OVERVIEW;
  gdouble           x, width;

  set_role (ink, ISOLUX_ROLE_GRID, 0.9);
  rounded (ink->cr, lane->x, plot->overview_y, lane->width, OVERVIEW,
           OVERVIEW / 2.0);
  cairo_fill (ink->cr);
  overview_part (plot, &x, &width);
  set_dialog_text (ink, hot ? 1.0 : 0.8);
  rounded (ink->cr, x, plot->overview_y, width, OVERVIEW, OVERVIEW / 2.0);
  cairo_fill (ink->cr);
}

/* Around the plot: the first and the last column are worth seeing */
static void
draw_frame (Ink *ink, gint index)
{
  const IsoluxLane *lane = &ink->plot->lanes[index];
  gboolean focus = ink->state->focus && ! ink->state->focus_clip && index == 0;
  gdouble  width = focus ? 2.0 : 1.0;

  set_role (ink, focus ? ISOLUX_ROLE_TEXT : ISOLUX_ROLE_GRID, 1.0);
  cairo_set_line_width (ink->cr, width);
  cairo_rectangle (ink->cr, lane->x - width / 2.0, lane->y - width / 2.0,
                   lane->width + width, lane->height + width);
  cairo_stroke (ink->cr);
}

/* ---- All of it ---- */

static void
draw_values (Ink *ink)
{
  IsoluxPlot           *plot = ink->plot;
  IsoluxHistogramModel *model = plot->model;
  cairo_t              *cr = ink->cr;
  gint                  k;

  draw_picture (ink);
  cairo_save (cr);
  clip_to (cr, &plot->lanes[0]);
  if (has_clip (plot))
    draw_clipped (ink);
  cairo_restore (cr);

  if (isolux_histogram_model_shows (model, ISOLUX_ROLE_CUMULATIVE))
    for (k = 0; k < plot->n_lanes; k++)
      {
        cairo_save (cr);
        clip_to (cr, &plot->lanes[k]);
        draw_cumulative (ink, k);
        cairo_restore (cr);
      }

  cairo_save (cr);
  clip_to (cr, &plot->lanes[0]);
  if (model->curve_n && isolux_histogram_model_shows (model, ISOLUX_ROLE_CURVE))
    draw_curve (ink);
  if (has_window (plot))
    draw_window (ink);
  cairo_restore (cr);
  if (has_clip (plot))
    draw_clip (ink); /* its grip may stand over the plot's edge */

  for (k = 0; k < plot->n_lanes; k++)
    draw_spikes (ink, k);
  if (plot->n_lanes == 2 && has_window (plot))
    draw_wedge (ink);
  draw_hover (ink);
}

void
isolux_plot_draw (IsoluxPlot            *plot,
                  cairo_t               *cr,
                  IsoluxPalette          palette,
                  const GdkRGBA         *text,
                  const IsoluxPlotState *state)
{
  Ink  ink = { plot, cr, palette, *text, state, { 0, 0, 0, 0 } };
  gint k;

  if (plot->n_lanes == 0)
    return;
  pango_cairo_update_context (cr, plot->context);
  if (plot->model->orientations > 0)
    {
      draw_bars (&ink);
      draw_bar_axes (&ink);
      draw_frame (&ink, 0);
      return;
    }

  draw_values (&ink);
  for (k = 0; k < plot->n_lanes; k++)
    {
      draw_value_axis (&ink, k);
      draw_count_axis (&ink, k);
      draw_frame (&ink, k);
    }
  if (plot->n_lanes == 2)
    {
      /* which axis is which */
      const gchar *const names[] = { C_("axis", "in"), C_("axis", "out") };

      set_dialog_text (&ink, 0.86);
      for (k = 0; k < 2; k++)
        {
          const IsoluxLane *lane = &plot->lanes[k];

          draw_text (&ink, names[k], lane->x - 6,
                     lane->y + lane->height + LABEL_GAP, 1, 0, TEXT_PLAIN);
        }
    }
  if (has_shares (plot))
    draw_share_axis (&ink);
  if (plot->overview)
    draw_overview (&ink);
}
