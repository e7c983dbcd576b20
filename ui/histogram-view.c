/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "histogram-view.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "histogram-model-private.h"
#include "histogram-plot.h"

#define LEAST_WIDTH 320
/* One step of a wheel */
#define ZOOM_STEP 1.25
/* How few codes, and how small a part of other values, can be zoomed to */
#define LEAST_CODES 8.0
#define LEAST_PART 1e-5

/* What is being dragged, besides parts */
typedef enum
{
  DRAG_NONE,
  DRAG_PART,
  DRAG_PAN
} Drag;

struct _IsoluxHistogramView
{
  GtkDrawingArea parent_instance;

  IsoluxHistogramModel *model;
  gulong                changed;
  IsoluxPlot           *plot;
  IsoluxPlotState       state;
  gboolean              by_key; /* the hover line was moved by keys */
  gint                  hover_column;
  gboolean              to_clip; /* the last arrow key moved the clip line */

  Drag    drag;
  gdouble drag_x;      /* where it began */
  gdouble drag_offset; /* from the pointer to the mark */
  gdouble drag_low;    /* the shown range */
  gdouble drag_high;
  gdouble drag_clip;
  gdouble drag_center;
  gdouble drag_width;

  gchar *read_out; /* what was told last */
  gchar *brief;
  gchar *cursor;
};

G_DEFINE_FINAL_TYPE (IsoluxHistogramView,
                     isolux_histogram_view,
                     GTK_TYPE_DRAWING_AREA)

enum
{
  READ_OUT,
  TISSUE,
  RANGE_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* ---- Laying out, drawing ---- */

static void
layout (IsoluxHistogramView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);

  isolux_plot_layout (view->plot, gtk_widget_get_pango_context (widget),
                      gtk_widget_get_allocated_width (widget),
                      gtk_widget_get_allocated_height (widget),
                      gtk_widget_get_scale_factor (widget));
}

static void
draw (IsoluxHistogramView *view, cairo_t *cr)
{
  GtkWidget       *widget = GTK_WIDGET (view);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA          text;

  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &text);
  view->state.focus = gtk_widget_has_visible_focus (widget);
  view->state.focus_clip = view->to_clip;
  isolux_plot_draw (view->plot, cr, isolux_palette_of (widget), &text,
                    &view->state);
}

static gboolean
isolux_histogram_view_draw (GtkWidget *widget, cairo_t *cr)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);

  layout (view);
  draw (view, cr);
  return FALSE;
}

cairo_surface_t *
isolux_histogram_view_render (IsoluxHistogramView *view,
                              gint                 width,
                              gint                 height,
                              gint                 scale)
{
  GtkWidget       *widget = GTK_WIDGET (view);
  PangoContext    *context = gtk_widget_create_pango_context (widget);
  cairo_surface_t *surface;
  cairo_t         *cr;
  GdkRGBA          background;
  IsoluxPlot      *plot = view->plot;

  scale = MAX (scale, 1);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale,
                                        height * scale);
  cairo_surface_set_device_scale (surface, scale, scale);
  cr = cairo_create (surface);
  isolux_palette_background (widget, &background);
  gdk_cairo_set_source_rgba (cr, &background);
  cairo_paint (cr);

  /* a plot of its own: the window's need not be made anew after this */
  view->plot = isolux_plot_new (view->model);
  isolux_plot_layout (view->plot, context, width, height, scale);
  draw (view, cr);
  isolux_plot_free (view->plot);
  view->plot = plot;

  cairo_destroy (cr);
  g_object_unref (context);
  return surface;
}

static void
isolux_histogram_view_get_preferred_width (GtkWidget *widget,
                                           gint      *minimum,
                                           gint      *natural)
{
  *minimum = *natural = LEAST_WIDTH;
}

static void
isolux_histogram_view_get_preferred_height (GtkWidget *widget,
                                            gint      *minimum,
                                            gint      *natural)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);

  *minimum = *natural =
    isolux_plot_minimum_height (view->plot,
                                gtk_widget_get_pango_context (widget));
}

/* ---- Telling ---- */

/* Says what is below the hover line, or the summary */
static void
tell (IsoluxHistogramView *view)
{
  gchar *text, *brief;

  switch (view->state.hover)
    {
      case 0:
        text = isolux_histogram_model_read_out (view->model,
                                                view->state.hover_from,
                                                view->state.hover_to, FALSE);
        brief = isolux_histogram_model_read_out (view->model,
                                                 view->state.hover_from,
                                                 view->state.hover_to, TRUE);
        break;
      case 1:
        text = isolux_histogram_model_read_output (view->model,
                                                   view->state.hover_from,
                                                   view->state.hover_to, FALSE);
        brief = isolux_histogram_model_read_output (view->model,
                                                    view->state.hover_from,
                                                    view->state.hover_to, TRUE);
        break;
      default:
        text = isolux_histogram_model_summarize (view->model);
        brief = g_strdup (text);
    }
  if (g_strcmp0 (text, view->read_out) == 0 &&
      g_strcmp0 (brief, view->brief) == 0)
    {
      g_free (text);
      g_free (brief);
      return;
    }
  g_free (view->read_out);
  g_free (view->brief);
  view->read_out = text;
  view->brief = brief;
  g_signal_emit (view, signals[READ_OUT], 0, text, brief);
}

/* To be spoken now, in whatever way this ATK knows */
static void
announce (IsoluxHistogramView *view, const gchar *text)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (view));

  if (g_signal_lookup ("notification", ATK_TYPE_OBJECT))
    g_signal_emit_by_name (accessible, "notification", text, 1 /* polite */);
  else if (g_signal_lookup ("announcement", ATK_TYPE_OBJECT))
    g_signal_emit_by_name (accessible, "announcement", text);
}

static void
describe (IsoluxHistogramView *view)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (view));
  gchar     *text = isolux_histogram_model_describe (view->model);

  if (g_strcmp0 (text, atk_object_get_description (accessible)) != 0)
    atk_object_set_description (accessible, text);
  g_free (text);
}

/* ---- The hover line ---- */

static void
set_hover (IsoluxHistogramView *view, gint lane, gdouble from, gdouble to)
{
  if (view->state.hover == lane && view->state.hover_from == from &&
      view->state.hover_to == to)
    return;
  view->state.hover = lane;
  view->state.hover_from = from;
  view->state.hover_to = to;
  tell (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
clear_hover (IsoluxHistogramView *view)
{
  view->by_key = FALSE;
  set_hover (view, -1, 0, 0);
}

static void
hover_at (IsoluxHistogramView *view, gdouble x, gdouble y)
{
  gint              index;
  const IsoluxLane *lane;
  gdouble           from, to;

  layout (view);
  index = isolux_plot_lane_at (view->plot, x, y);
  if (index < 0)
    {
      clear_hover (view);
      return;
    }
  lane = isolux_plot_get_lane (view->plot, index);
  view->by_key = FALSE;
  /* one quotient, so that nothing is rounded below a whole column */
  view->hover_column =
    (gint) floor ((x - lane->x) * (lane->columns / lane->width));
  isolux_plot_column_values (view->plot, index, view->hover_column, &from, &to);
  set_hover (view, index, from, to);
}

/* The width of one step of the keyboard: a bin, where it is wider than a
 * column, or where it is asked for */
static void
move_hover (IsoluxHistogramView *view, gint direction, gboolean bin)
{
  const IsoluxLane *lane;
  gdouble           from, to, first, width;
  gint              index = MAX (view->state.hover, 0), column;

  layout (view);
  lane = isolux_plot_get_lane (view->plot, index);
  if (! lane)
    return;
  if (view->state.hover < 0)
    view->hover_column = direction > 0 ? -1 : lane->columns;

  if (view->model->orientations > 0)
    {
      width = view->model->degrees / view->model->orientations;
      first = view->state.hover < 0
                ? (direction > 0 ? 0 : view->model->degrees - width)
                : view->state.hover_from + direction * width;
      first = CLAMP (first, 0, view->model->degrees - width);
      set_hover (view, 0, first, first + width);
    }
  else if (bin && view->state.hover >= 0)
    {
      /* one bin of those that the lane's first series has */
      isolux_plot_column_values (view->plot, index, view->hover_column, &from,
                                 &to);
      width = isolux_plot_bin_width (view->plot, index);
      first = direction > 0 ? view->state.hover_to
                            : view->state.hover_from - width;
      if (view->state.hover_to - view->state.hover_from > width * 1.5)
        /* into the column: its near end is the first one */
        first = direction > 0 ? view->state.hover_from
                              : view->state.hover_to - width;
      first = CLAMP (first, lane->from, MAX (lane->to - width, lane->from));
      view->hover_column =
        (gint) CLAMP (floor ((first - lane->from) / (lane->to - lane->from) *
                             lane->columns),
                      0, lane->columns - 1);
      set_hover (view, index, first, first + width);
    }
  else
    {
      column = view->hover_column;
      do /* as far as something else is to be read */
        {
          column += direction;
          if (column < 0 || column >= lane->columns)
            {
              column = CLAMP (column, 0, lane->columns - 1);
              isolux_plot_column_values (view->plot, index, column, &from, &to);
              break;
            }
          isolux_plot_column_values (view->plot, index, column, &from, &to);
        }
      while (view->state.hover >= 0 && from == view->state.hover_from &&
             to == view->state.hover_to);
      view->hover_column = column;
      set_hover (view, index, from, to);
    }
  view->by_key = TRUE;
  announce (view, view->read_out);
}

/* ---- The shown range ---- */

static gdouble
least_width (IsoluxHistogramModel *model)
{
  const IsoluxAxis *full = &model->full;
  gdouble           all = isolux_axis_end (full) - full->low;

  return full->codes ? MIN (LEAST_CODES, all) : all * LEAST_PART;
}

/* Shows what lies between two edges, moved into the full range */
static void
show_edges (IsoluxHistogramView *view, gdouble from, gdouble to)
{
  IsoluxHistogramModel *model = view->model;
  const IsoluxAxis     *full = &model->full;
  gdouble               end = isolux_axis_end (full);
  gdouble               width = MAX (to - from, least_width (model));
  gdouble               low, high, old_low, old_high;

  if (full->codes)
    width = round (width);
  width = MIN (width, end - full->low);
  from = CLAMP (from, full->low, end - width);
  if (full->codes)
    from = round (from);
  low = from;
  high = from + width - (full->codes ? 1.0 : 0.0);

  isolux_histogram_model_get_range (model, &old_low, &old_high);
  if (width >= end - full->low)
    isolux_histogram_model_set_range (model, 0, 0);
  else
    isolux_histogram_model_set_range (model, low, high);
  isolux_histogram_model_get_range (model, &low, &high);
  if (low != old_low || high != old_high)
    g_signal_emit (view, signals[RANGE_CHANGED], 0);
}

/* Zooms about an edge; @factor > 1 shows less */
static void
zoom (IsoluxHistogramView *view, gdouble factor, gdouble about)
{
  const IsoluxLane *lane;
  gdouble           width, part;

  layout (view);
  lane = isolux_plot_get_lane (view->plot, 0);
  if (! lane || view->model->orientations > 0)
    return;
  width = lane->to - lane->from;
  part = (about - lane->from) / width;
  width /= factor;
  /* at few codes a step must be one */
  if (lane->axis.codes && round (width) == round (lane->to - lane->from))
    width += factor > 1 ? -1.0 : 1.0;
  width = MAX (width, least_width (view->model));
  show_edges (view, about - part * width, about + (1.0 - part) * width);
}

static void
zoom_by_key (IsoluxHistogramView *view, gdouble factor)
{
  const IsoluxLane *lane;
  gdouble           about;

  layout (view);
  lane = isolux_plot_get_lane (view->plot, 0);
  about = (lane->from + lane->to) / 2.0;
  if (view->state.hover == 0)
    about = (view->state.hover_from + view->state.hover_to) / 2.0;
  zoom (view, factor, about);
}

/* ---- Marks ---- */

static gboolean
can_clip (IsoluxHistogramView *view)
{
  return view->model->clip >= 0 && view->model->clip_mean > 0 &&
         view->model->orientations == 0 &&
         isolux_histogram_model_shows (view->model, ISOLUX_ROLE_MARK);
}

static gboolean
can_window (IsoluxHistogramView *view)
{
  return view->model->width > 0 && view->model->movable &&
         isolux_histogram_model_shows (view->model, ISOLUX_ROLE_MARK);
}

/* A limit above 0, since 0 means none, in whole steps */
static gdouble
limit_near (IsoluxHistogramModel *model, gdouble limit)
{
  gdouble step = model->clip_step;
  gdouble most = model->clip_maximum > 0 ? model->clip_maximum : G_MAXDOUBLE;

  return CLAMP (round (limit / step) * step, step, MAX (most, step));
}

/* The limit that lies at the plot's upper end */
static gdouble
limit_at_top (IsoluxHistogramView *view)
{
  const IsoluxLane *lane = isolux_plot_get_lane (view->plot, 0);

  return limit_near (view->model, lane->top / view->model->clip_mean);
}

static void
drag_clip_to (IsoluxHistogramView *view, gdouble y)
{
  const IsoluxLane *lane = isolux_plot_get_lane (view->plot, 0);

  if (y <= lane->y + 2)
    isolux_histogram_model_drag_clip (view->model, 0);
  else
    isolux_histogram_model_drag_clip (
      view->model,
      limit_near (view->model, isolux_plot_count_at (view->plot, lane, y) /
                                 view->model->clip_mean));
}

/* Sets the window's edges; they keep their order and stay in the range */
static void
drag_window_to (IsoluxHistogramView *view, IsoluxPart part, gdouble value)
{
  IsoluxHistogramModel *model = view->model;
  const IsoluxAxis     *full = &model->full;
  gdouble               least = full->codes ? 1.0 : least_width (model);
  gdouble               low = view->drag_center - view->drag_width / 2.0;
  gdouble               high = view->drag_center + view->drag_width / 2.0;
  gdouble               center = view->drag_center;

  value = CLAMP (value, full->low, full->high);
  if (full->codes)
    value = round (value);
  if (part == ISOLUX_PART_WINDOW_LOW)
    low = MIN (value, high - least);
  else if (part == ISOLUX_PART_WINDOW_HIGH)
    high = MAX (value, low + least);
  else
    {
      isolux_histogram_model_drag_window (model, value, view->drag_width);
      return;
    }
  center = (low + high) / 2.0;
  isolux_histogram_model_drag_window (model, center, high - low);
}

/* ---- Dragging ---- */

static void
drag_overview_to (IsoluxHistogramView *view, gdouble x)
{
  const IsoluxAxis *full = &view->model->full;
  gdouble at = isolux_plot_overview_value (view->plot, x - view->drag_offset);
  gdouble least = least_width (view->model);
  gdouble from = view->drag_low, to = view->drag_high;

  switch (view->state.hot)
    {
      case ISOLUX_PART_OVERVIEW_LOW:
        from = CLAMP (at, full->low, to - least);
        break;
      case ISOLUX_PART_OVERVIEW_HIGH:
        to = CLAMP (at, from + least, isolux_axis_end (full));
        break;
      default:
        to = at + (to - from);
        from = at;
    }
  show_edges (view, from, to);
}

static void
drag_to (IsoluxHistogramView *view, gdouble x, gdouble y)
{
  const IsoluxLane *lane;

  layout (view);
  lane = isolux_plot_get_lane (view->plot, 0);
  if (view->drag == DRAG_PAN)
    {
      gdouble width = view->drag_high - view->drag_low;
      gdouble from = view->drag_low - (x - view->drag_x) / lane->width * width;

      show_edges (view, from, from + width);
      return;
    }
  switch (view->state.hot)
    {
      case ISOLUX_PART_CLIP:
        drag_clip_to (view, y - view->drag_offset);
        break;
      case ISOLUX_PART_WINDOW_LOW:
      case ISOLUX_PART_WINDOW_HIGH:
      case ISOLUX_PART_WINDOW_MIDDLE:
        drag_window_to (view, view->state.hot,
                        isolux_lane_value_at (lane, x - view->drag_offset));
        break;
      default:
        drag_overview_to (view, x);
    }
}

static void
set_cursor (IsoluxHistogramView *view, const gchar *name)
{
  GdkWindow *window = gtk_widget_get_window (GTK_WIDGET (view));
  GdkCursor *cursor = NULL;

  if (! window || g_strcmp0 (name, view->cursor) == 0)
    return;
  g_free (view->cursor);
  view->cursor = g_strdup (name);
  if (name)
    cursor = gdk_cursor_new_from_name (gdk_window_get_display (window), name);
  gdk_window_set_cursor (window, cursor);
  g_clear_object (&cursor);
}

static void
set_hot (IsoluxHistogramView *view, IsoluxPart part)
{
  static const gchar *const cursors[] = {
    [ISOLUX_PART_NONE] = NULL,
    [ISOLUX_PART_CLIP] = "ns-resize",
    [ISOLUX_PART_WINDOW_LOW] = "ew-resize",
    [ISOLUX_PART_WINDOW_HIGH] = "ew-resize",
    [ISOLUX_PART_WINDOW_MIDDLE] = "grab",
    [ISOLUX_PART_OVERVIEW] = "grab",
    [ISOLUX_PART_OVERVIEW_LOW] = "ew-resize",
    [ISOLUX_PART_OVERVIEW_HIGH] = "ew-resize",
    [ISOLUX_PART_OVERVIEW_REST] = NULL,
  };

  if (view->drag == DRAG_PAN)
    set_cursor (view, "grabbing");
  else
    set_cursor (view, cursors[part]);
  if (view->state.hot == part)
    return;
  view->state.hot = part;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
begin_drag (IsoluxHistogramView *view, Drag drag, gdouble x, gdouble y)
{
  IsoluxHistogramModel *model = view->model;
  const IsoluxLane     *lane = isolux_plot_get_lane (view->plot, 0);
  gdouble               low = model->center - model->width / 2.0;
  gdouble               high = model->center + model->width / 2.0;

  view->drag = drag;
  view->drag_x = x;
  view->drag_low = lane->from;
  view->drag_high = lane->to;
  view->drag_clip = model->clip;
  view->drag_center = model->center;
  view->drag_width = model->width;

  /* the mark does not jump to the pointer */
  switch (view->state.hot)
    {
      case ISOLUX_PART_CLIP:
        view->drag_offset = y - isolux_plot_clip_y (view->plot);
        break;
      case ISOLUX_PART_WINDOW_LOW:
        view->drag_offset = x - isolux_lane_x_of (lane, low);
        break;
      case ISOLUX_PART_WINDOW_HIGH:
        view->drag_offset = x - isolux_lane_x_of (lane, high);
        break;
      case ISOLUX_PART_WINDOW_MIDDLE:
        view->drag_offset = x - isolux_lane_x_of (lane, model->center);
        break;
      default:
        {
          const IsoluxAxis *full = &model->full;
          gdouble           all = isolux_axis_end (full) - full->low;
          gdouble           edge = view->state.hot == ISOLUX_PART_OVERVIEW_HIGH
                                     ? lane->to
                                     : lane->from;

          view->drag_offset =
            x - (lane->x + (edge - full->low) / all * lane->width);
        }
    }
  set_hot (view, view->state.hot);
}

static void
end_drag (IsoluxHistogramView *view)
{
  view->drag = DRAG_NONE;
  describe (view);
  tell (view);
}

gboolean
isolux_histogram_view_cancel_drag (IsoluxHistogramView *view)
{
  IsoluxPart part = view->state.hot;
  Drag       drag = view->drag;

  if (drag == DRAG_NONE)
    return FALSE;
  view->drag = DRAG_NONE; /* before listeners are told */
  if (drag == DRAG_PART && part == ISOLUX_PART_CLIP)
    isolux_histogram_model_drag_clip (view->model, view->drag_clip);
  else if (drag == DRAG_PART && part >= ISOLUX_PART_WINDOW_LOW &&
           part <= ISOLUX_PART_WINDOW_MIDDLE)
    isolux_histogram_model_drag_window (view->model, view->drag_center,
                                        view->drag_width);
  else
    show_edges (view, view->drag_low, view->drag_high);
  end_drag (view);
  return TRUE;
}

/* ---- Events ---- */

static gboolean
isolux_histogram_view_button_press (GtkWidget *widget, GdkEventButton *event)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);
  IsoluxPart           part;

  if (event->button != GDK_BUTTON_PRIMARY)
    return FALSE;
  gtk_widget_grab_focus (widget);
  layout (view);
  part = isolux_plot_part_at (view->plot, event->x, event->y);

  if (part >= ISOLUX_PART_OVERVIEW && event->type == GDK_2BUTTON_PRESS)
    {
      isolux_histogram_view_cancel_drag (view);
      show_edges (view, view->model->full.low,
                  isolux_axis_end (&view->model->full));
      return TRUE;
    }
  if (event->type != GDK_BUTTON_PRESS)
    return TRUE;

  if (event->state & GDK_SHIFT_MASK &&
      isolux_plot_lane_at (view->plot, event->x, event->y) == 0 &&
      view->model->orientations == 0)
    {
      begin_drag (view, DRAG_PAN, event->x, event->y);
      return TRUE;
    }

  if (part == ISOLUX_PART_OVERVIEW_REST)
    {
      /* the shown part comes to where it was asked for */
      const IsoluxLane *lane = isolux_plot_get_lane (view->plot, 0);
      gdouble           width = lane->to - lane->from;
      gdouble           at = isolux_plot_overview_value (view->plot, event->x);

      show_edges (view, at - width / 2.0, at + width / 2.0);
      layout (view);
      part = ISOLUX_PART_OVERVIEW;
    }
  set_hot (view, part);
  if (part != ISOLUX_PART_NONE && (part != ISOLUX_PART_CLIP || can_clip (view)))
    {
      view->to_clip = part == ISOLUX_PART_CLIP;
      begin_drag (view, DRAG_PART, event->x, event->y);
    }
  return TRUE;
}

static gboolean
isolux_histogram_view_button_release (GtkWidget *widget, GdkEventButton *event)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);

  if (event->button != GDK_BUTTON_PRIMARY || view->drag == DRAG_NONE)
    return FALSE;
  end_drag (view);
  layout (view);
  set_hot (view, isolux_plot_part_at (view->plot, event->x, event->y));
  return TRUE;
}

static gboolean
isolux_histogram_view_motion_notify (GtkWidget *widget, GdkEventMotion *event)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);

  if (view->drag != DRAG_NONE)
    {
      drag_to (view, event->x, event->y);
      if (view->drag == DRAG_PAN)
        hover_at (view, event->x, event->y);
      return TRUE;
    }
  layout (view);
  hover_at (view, event->x, event->y);
  set_hot (view, isolux_plot_part_at (view->plot, event->x, event->y));
  return FALSE;
}

static gboolean
isolux_histogram_view_leave_notify (GtkWidget *widget, GdkEventCrossing *event)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);

  if (view->drag == DRAG_NONE)
    {
      clear_hover (view);
      set_hot (view, ISOLUX_PART_NONE);
    }
  return FALSE;
}

static gboolean
isolux_histogram_view_grab_broken (GtkWidget *widget, GdkEventGrabBroken *event)
{
  isolux_histogram_view_cancel_drag (ISOLUX_HISTOGRAM_VIEW (widget));
  return FALSE;
}

static gboolean
isolux_histogram_view_scroll (GtkWidget *widget, GdkEventScroll *event)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);
  const IsoluxLane    *lane;
  gdouble              steps = 0;

  /* without Ctrl it scrolls what is around */
  if (! (event->state & GDK_CONTROL_MASK) || view->drag != DRAG_NONE)
    return FALSE;
  switch (event->direction)
    {
      case GDK_SCROLL_UP:
        steps = 1;
        break;
      case GDK_SCROLL_DOWN:
        steps = -1;
        break;
      case GDK_SCROLL_SMOOTH:
        steps = -event->delta_y;
        break;
      default:
        return FALSE;
    }
  layout (view);
  lane = isolux_plot_get_lane (view->plot, 0);
  if (steps != 0)
    zoom (view, pow (ZOOM_STEP, CLAMP (steps, -10, 10)),
          lane->from + CLAMP ((event->x - lane->x) / lane->width, 0, 1) *
                         (lane->to - lane->from));
  hover_at (view, event->x, event->y);
  return TRUE;
}

/* ---- Keys ---- */

static void
clip_key (IsoluxHistogramView *view, gint direction, gboolean fast)
{
  IsoluxHistogramModel *model = view->model;
  gdouble step = direction * model->clip_step * (fast ? 10.0 : 1.0);

  view->to_clip = TRUE;
  layout (view);
  if (model->clip > 0)
    isolux_histogram_model_drag_clip (model,
                                      limit_near (model, model->clip + step));
  else if (direction < 0)
    /* from no limit, which lies at the top, down */
    isolux_histogram_model_drag_clip (model, limit_at_top (view));
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
window_key (IsoluxHistogramView *view,
            gint                 direction,
            gboolean             width,
            gboolean             fast)
{
  IsoluxHistogramModel *model = view->model;
  const IsoluxAxis     *full = &model->full;
  gdouble least = full->codes ? 1.0 : (full->high - full->low) / 1000.0;
  gdouble step = direction * least * (fast ? 10.0 : 1.0);

  if (width)
    isolux_histogram_model_drag_window (model, model->center,
                                        MAX (model->width + step, least));
  else
    isolux_histogram_model_drag_window (model,
                                        CLAMP (model->center + step, full->low,
                                               full->high),
                                        model->width);
}

static void
home_key (IsoluxHistogramView *view, gboolean end)
{
  const IsoluxLane *lane;
  gdouble           from, to;

  if (! end && view->to_clip && can_clip (view))
    {
      isolux_histogram_model_drag_clip (view->model, 0);
      return;
    }
  view->to_clip = FALSE;
  layout (view);
  lane = isolux_plot_get_lane (view->plot, 0);
  view->hover_column = end ? lane->columns - 1 : 0;
  isolux_plot_column_values (view->plot, 0, view->hover_column, &from, &to);
  set_hover (view, 0, from, to);
  view->by_key = TRUE;
  announce (view, view->read_out);
}

static void
side_key (IsoluxHistogramView *view, gint direction, GdkModifierType modifiers)
{
  gboolean control = (modifiers & GDK_CONTROL_MASK) != 0;

  if (can_window (view) && ! (modifiers & GDK_MOD1_MASK))
    window_key (view, direction, (modifiers & GDK_SHIFT_MASK) != 0, control);
  else
    {
      view->to_clip = FALSE;
      move_hover (view, direction, control);
    }
}

static gboolean
isolux_histogram_view_key_press (GtkWidget *widget, GdkEventKey *event)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);
  GdkModifierType      modifiers = event->state &
                              gtk_accelerator_get_default_mod_mask ();
  gboolean control = (modifiers & GDK_CONTROL_MASK) != 0;
  gboolean shift = (modifiers & GDK_SHIFT_MASK) != 0;

  if (event->keyval == GDK_KEY_Escape)
    return isolux_histogram_view_cancel_drag (view);
  if (view->drag != DRAG_NONE)
    return TRUE;

  switch (event->keyval)
    {
      case GDK_KEY_Left:
      case GDK_KEY_KP_Left:
        side_key (view, -1, modifiers);
        break;
      case GDK_KEY_Right:
      case GDK_KEY_KP_Right:
        side_key (view, 1, modifiers);
        break;

      case GDK_KEY_Up:
      case GDK_KEY_KP_Up:
      case GDK_KEY_Down:
      case GDK_KEY_KP_Down:
        if (! can_clip (view))
          return FALSE;
        clip_key (view,
                  event->keyval == GDK_KEY_Up || event->keyval == GDK_KEY_KP_Up
                    ? 1
                    : -1,
                  shift);
        break;

      case GDK_KEY_Home:
      case GDK_KEY_KP_Home:
        home_key (view, FALSE);
        break;
      case GDK_KEY_End:
      case GDK_KEY_KP_End:
        home_key (view, TRUE);
        break;

      case GDK_KEY_l:
      case GDK_KEY_L:
        if (modifiers & ~GDK_SHIFT_MASK)
          return FALSE;
        isolux_histogram_model_set_logarithmic (
          view->model, ! isolux_histogram_model_get_logarithmic (view->model));
        break;

      case GDK_KEY_plus:
      case GDK_KEY_equal:
      case GDK_KEY_KP_Add:
      case GDK_KEY_minus:
      case GDK_KEY_KP_Subtract:
        if (! control)
          return FALSE;
        zoom_by_key (view, event->keyval == GDK_KEY_minus ||
                               event->keyval == GDK_KEY_KP_Subtract
                             ? 1.0 / ZOOM_STEP
                             : ZOOM_STEP);
        break;

      case GDK_KEY_0:
      case GDK_KEY_KP_0:
        if (! control)
          return FALSE;
        show_edges (view, view->model->full.low,
                    isolux_axis_end (&view->model->full));
        break;

      default:
        {
          gint digit = event->keyval >= GDK_KEY_1 && event->keyval <= GDK_KEY_9
                         ? (gint) (event->keyval - GDK_KEY_0)
                       : event->keyval >= GDK_KEY_KP_1 &&
                           event->keyval <= GDK_KEY_KP_9
                         ? (gint) (event->keyval - GDK_KEY_KP_0)
                         : 0;

          if (! digit || modifiers || ! can_window (view))
            return FALSE;
          g_signal_emit (view, signals[TISSUE], 0, digit);
        }
    }
  return TRUE;
}

static gboolean
isolux_histogram_view_focus_in (GtkWidget *widget, GdkEventFocus *event)
{
  gtk_widget_queue_draw (widget);
  return FALSE;
}

static gboolean
isolux_histogram_view_focus_out (GtkWidget *widget, GdkEventFocus *event)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);

  if (view->by_key)
    clear_hover (view);
  view->to_clip = FALSE;
  gtk_widget_queue_draw (widget);
  return FALSE;
}

static void
isolux_histogram_view_unrealize (GtkWidget *widget)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (widget);

  view->drag = DRAG_NONE;
  g_clear_pointer (&view->cursor, g_free);
  GTK_WIDGET_CLASS (isolux_histogram_view_parent_class)->unrealize (widget);
}

/* ---- Life ---- */

/* After a change: what is under the pointer is another value now, and a value
 * that was read by keys is in another column */
static void
move_along (IsoluxHistogramView *view)
{
  const IsoluxLane *lane;
  gdouble           middle;

  layout (view);
  lane = isolux_plot_get_lane (view->plot, view->state.hover);
  if (! lane)
    {
      clear_hover (view);
      return;
    }
  if (view->by_key && view->model->orientations == 0)
    {
      middle = (view->state.hover_from + view->state.hover_to) / 2.0;
      if (middle < lane->from || middle >= lane->to)
        clear_hover (view);
      else
        view->hover_column = (gint) floor ((middle - lane->from) /
                                           (lane->to - lane->from) *
                                           lane->columns);
      return;
    }
  isolux_plot_column_values (view->plot, view->state.hover, view->hover_column,
                             &view->state.hover_from, &view->state.hover_to);
}

static void
model_changed (IsoluxHistogramModel *model, IsoluxHistogramView *view)
{
  gtk_widget_queue_draw (GTK_WIDGET (view));
  if (view->state.hover >= 0)
    move_along (view);
  tell (view);
  if (view->drag == DRAG_NONE)
    describe (view);
}

static void
isolux_histogram_view_init (IsoluxHistogramView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);
  AtkObject *accessible = gtk_widget_get_accessible (widget);

  view->state.hover = -1;
  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_add_events (widget,
                         GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK |
                           GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK |
                           GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK |
                           GDK_KEY_PRESS_MASK | GDK_FOCUS_CHANGE_MASK);
  atk_object_set_name (accessible, _("Histogram"));
  atk_object_set_role (accessible, ATK_ROLE_CHART);
}

static void
isolux_histogram_view_finalize (GObject *object)
{
  IsoluxHistogramView *view = ISOLUX_HISTOGRAM_VIEW (object);

  if (view->model)
    {
      g_signal_handler_disconnect (view->model, view->changed);
      isolux_plot_free (view->plot);
      g_object_unref (view->model);
    }
  g_free (view->read_out);
  g_free (view->brief);
  g_free (view->cursor);
  G_OBJECT_CLASS (isolux_histogram_view_parent_class)->finalize (object);
}

static void
isolux_histogram_view_class_init (IsoluxHistogramViewClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  GType           type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = isolux_histogram_view_finalize;
  widget->draw = isolux_histogram_view_draw;
  widget->get_preferred_width = isolux_histogram_view_get_preferred_width;
  widget->get_preferred_height = isolux_histogram_view_get_preferred_height;
  widget->button_press_event = isolux_histogram_view_button_press;
  widget->button_release_event = isolux_histogram_view_button_release;
  widget->motion_notify_event = isolux_histogram_view_motion_notify;
  widget->leave_notify_event = isolux_histogram_view_leave_notify;
  widget->grab_broken_event = isolux_histogram_view_grab_broken;
  widget->scroll_event = isolux_histogram_view_scroll;
  widget->key_press_event = isolux_histogram_view_key_press;
  widget->focus_in_event = isolux_histogram_view_focus_in;
  widget->focus_out_event = isolux_histogram_view_focus_out;
  widget->unrealize = isolux_histogram_view_unrealize;

  signals[READ_OUT] = g_signal_new ("read-out", type, G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 2,
                                    G_TYPE_STRING, G_TYPE_STRING);
  signals[TISSUE] = g_signal_new ("tissue", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[RANGE_CHANGED] = g_signal_new ("range-changed", type,
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
}

GtkWidget *
isolux_histogram_view_new (IsoluxHistogramModel *model)
{
  IsoluxHistogramView *view = g_object_new (ISOLUX_TYPE_HISTOGRAM_VIEW, NULL);

  view->model = g_object_ref (model);
  view->plot = isolux_plot_new (model);
  view->changed =
    g_signal_connect (model, "changed", G_CALLBACK (model_changed), view);
  describe (view);
  return GTK_WIDGET (view);
}
