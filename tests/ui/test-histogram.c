/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test-histogram.c: the histogram's view: how it looks, mouse and keyboard,
 * what assistive technologies are told, how long drawing takes.
 *
 * Needs a display (see display.sh).  With ISOLUX_UPDATE=FOLDER the reference
 * renderings are written there; look at them before they replace those in
 * reference/.
 */
#include <gtk/gtk.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "histogram-plot.h"
#include "histogram-view.h"

#define WIDTH 480
#define HEIGHT 170

/* Device pixels a pixel: the tests run with 1 and with 2 */
static gint unit;

/* With AddressSanitizer: what is held at the end by libraries that never call
 * back, so that no leak of ours can hide behind them */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\nleak:libGLX\n";
}

/* ---- A dialog to stand on ---- */

typedef enum
{
  DARK,
  LIGHT,
  HIGH_CONTRAST
} Look;

static void
use_look (Look look)
{
  static const gchar *const styles[] = {
    "* { color: #e6e6e6; } window { background: #3b3b3b; }",
    "* { color: #1a1a1a; } window { background: #ececec; }",
    "* { color: #000000; } window { background: #ffffff; }"
  };
  static GtkCssProvider *provider;

  if (! provider)
    {
      provider = gtk_css_provider_new ();
      gtk_style_context_add_provider_for_screen (
        gdk_screen_get_default (), GTK_STYLE_PROVIDER (provider),
        GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    }
  g_object_set (gtk_settings_get_default (), "gtk-theme-name",
                look == HIGH_CONTRAST ? "HighContrast" : "Adwaita", NULL);
  gtk_css_provider_load_from_data (provider, styles[look], -1, NULL);
}

/* The same glyphs wherever the tests run */
static void
use_font (void)
{
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "DejaVu Sans 10",
                "gtk-xft-antialias", 1, "gtk-xft-hinting", 0,
                "gtk-xft-hintstyle", "hintnone", "gtk-xft-rgba", "none",
                "gtk-xft-dpi", 96 * 1024, "gtk-enable-animations", FALSE, NULL);
}

/* ---- Scenes ---- */

static guint32 noise_state;

/* 0.0 to 1.0, the same each time */
static gdouble
noise (void)
{
  noise_state = noise_state * 1664525u + 1013904223u;
  return (noise_state >> 8) / 16777216.0;
}

static gdouble
bell (gdouble x, gdouble middle, gdouble width)
{
  return exp (-(x - middle) * (x - middle) / (2 * width * width));
}

static IsoluxHistogramModel *
scene_u8 (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64               before[256], after[256] = { 0 };
  gdouble               total = 0, sum = 0;
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, before, 256, 0, 1, TRUE },
    { ISOLUX_ROLE_AFTER, FALSE, after, 256, 0, 1, TRUE }
  };

  for (gint k = 0; k < 256; k++)
    total += before[k] =
      (guint64) (4000 * bell (k, 70, 14) + 1500 * bell (k, 150, 30));
  for (gint k = 0; k < 256; k++)
    {
      sum += before[k];
      after[(gint) (255 * sum / total)] += before[k];
    }
  isolux_histogram_model_set_axis (model, 0, 255, TRUE, 1, 0, "");
  isolux_histogram_model_set_series (model, series, 2);
  return model;
}

/* 12 bits used of 16, with everything that can be shown of CLAHE */
static IsoluxHistogramModel *
scene_u16 (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64              *before = g_new0 (guint64, 65536);
  guint64              *after = g_new0 (guint64, 65536);
  gdouble               x[256], y[256], low[256], high[256];
  IsoluxCurve           curve = { 256, x, y, low, high };
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, before, 65536, 0, 1, TRUE },
    { ISOLUX_ROLE_AFTER, FALSE, after, 65536, 0, 1, TRUE }
  };

  noise_state = 1;
  for (gint k = 0; k < 1800; k++)
    before[k] = (guint64) (8000 * bell (k, 210, 15) +
                           300 * exp (-k / 300.0) * (k > 180) * noise ());
  for (gint k = 60; k < 3700; k++)
    after[k] = (guint64) (1200 * bell (k, 330, 60) + 60 * noise () +
                          50 * bell (k, 1200, 700));
  for (gint k = 0; k < 256; k++)
    {
      x[k] = k * 16;
      y[k] = 1 - exp (-MAX (k - 12, 0) / 40.0);
      low[k] = y[k] * k / 256.0;
      high[k] = sqrt (y[k]);
    }
  isolux_histogram_model_set_axis (model, 0, 65535, TRUE, 1, 0, "");
  isolux_histogram_model_set_range (model, 0, 4095);
  isolux_histogram_model_set_series (model, series, 2);
  isolux_histogram_model_set_curve (model, &curve);
  isolux_histogram_model_set_clip (model, 8, 67, 64, 0.1);
  isolux_histogram_model_set_logarithmic (model, TRUE);
  isolux_histogram_model_set_show (model,
                                   ISOLUX_SHOW_BEFORE | ISOLUX_SHOW_AFTER |
                                     ISOLUX_SHOW_CUMULATIVE |
                                     ISOLUX_SHOW_CURVE | ISOLUX_SHOW_MARKS);
  g_free (before);
  g_free (after);
  return model;
}

static IsoluxHistogramModel *
scene_rgb (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64               counts[4][256];
  IsoluxSeries          series[4];

  for (gint c = 0; c < 4; c++)
    {
      for (gint k = 0; k < 256; k++)
        counts[c][k] = (guint64) (3000 * bell (k, 60 + 45 * c, 22) +
                                  700 * bell (k, 200 - 30 * c, 40));
      series[c] = (IsoluxSeries) { c == 3 ? ISOLUX_ROLE_BEFORE
                                          : (IsoluxRole) (ISOLUX_ROLE_RED + c),
                                   FALSE,
                                   counts[c],
                                   256,
                                   0,
                                   1,
                                   TRUE };
    }
  isolux_histogram_model_set_axis (model, 0, 255, TRUE, 1, 0, "");
  isolux_histogram_model_set_series (model, series, 4);
  return model;
}

/* Hounsfield units above, the window's result below */
static IsoluxHistogramModel *
scene_window (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64              *before = g_new0 (guint64, 2211);
  guint64               after[256];
  const gdouble         x[] = { 0, 864, 1264, 2210 }, y[] = { 0, 0, 1, 1 };
  IsoluxCurve           curve = { 4, x, y, NULL, NULL };
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, before, 2211, 0, 1, TRUE },
    { ISOLUX_ROLE_AFTER, TRUE, after, 256, 0, 257, TRUE }
  };

  noise_state = 2;
  for (gint k = 0; k < 2211; k++)
    before[k] = (guint64) (4000 * bell (k, 20, 20) + 600 * bell (k, 920, 30) +
                           400 * bell (k, 1090, 60) + 15 * noise ());
  for (gint k = 0; k < 256; k++)
    after[k] = (guint64) (300 + 200 * bell (k, 60, 30) + 100 * noise ()) +
               (k == 0) * 60000;
  isolux_histogram_model_set_axis (model, 0, 2210, TRUE, 1, -1024, "HU");
  isolux_histogram_model_set_output (model, TRUE, 0, 65535, TRUE);
  isolux_histogram_model_set_series (model, series, 2);
  isolux_histogram_model_set_curve (model, &curve);
  isolux_histogram_model_set_becomes (model, TRUE, 0, 65535);
  isolux_histogram_model_set_window (model, 1064, 400, TRUE);
  isolux_histogram_model_set_logarithmic (model, TRUE);
  g_free (before);
  return model;
}

static IsoluxHistogramModel *
scene_hog (void)
{
  static const gdouble  shares[9] = { 0.171, 0.09,  0.09, 0.085, 0.135,
                                      0.12,  0.085, 0.09, 0.134 };
  static const gdouble  cell[9] = { 0.04, 0.065, 0.11, 0.04, 0.075,
                                    0.33, 0.20,  0.10, 0.04 };
  IsoluxHistogramModel *model = isolux_histogram_model_new ();

  isolux_histogram_model_set_orientations (model, 9, shares, cell, 180);
  return model;
}

/* A few values dwarf the rest */
static IsoluxHistogramModel *
scene_spike (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64               before[256], after[256];
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, before, 256, 0, 1, TRUE },
    { ISOLUX_ROLE_AFTER, FALSE, after, 256, 0, 1, TRUE }
  };

  for (gint k = 0; k < 256; k++)
    {
      before[k] = (guint64) (2000 * bell (k, 110, 35));
      after[k] = (guint64) (1500 * bell (k, 140, 60));
    }
  before[0] = 210600;
  before[1] = 30000;
  after[255] = 48000;
  after[128] = 12000;
  isolux_histogram_model_set_axis (model, 0, 255, TRUE, 1, 0, "");
  isolux_histogram_model_set_series (model, series, 2);
  return model;
}

static IsoluxHistogramModel *
scene_float (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64              *before = g_new0 (guint64, 4096);
  IsoluxSeries          series = {
    ISOLUX_ROLE_BEFORE, FALSE, before, 4096, -0.4, 0.0005, FALSE
  };

  for (gint k = 0; k < 4096; k++)
    before[k] = (guint64) (900 * bell (k, 1500, 400));
  isolux_histogram_model_set_axis (model, -0.4, 1.648, FALSE, 1, 0, "Bq/ml");
  isolux_histogram_model_set_series (model, &series, 1);
  g_free (before);
  return model;
}

/* ---- A view ---- */

typedef struct
{
  IsoluxHistogramModel *model;
  GtkWidget            *window;
  GtkWidget            *view;
  IsoluxPlot           *plot; /* to know where things are */
  gchar                *read_out;
  gchar                *brief;
  gint                  ranges;
  gint                  tissue;
  gint                  clips;
  gdouble               limit;
  gint                  windows;
  gdouble               center;
  gdouble               width;
} Stage;

static void
read_out (GtkWidget *view, const gchar *text, const gchar *brief, Stage *stage)
{
  g_free (stage->read_out);
  g_free (stage->brief);
  stage->read_out = g_strdup (text);
  stage->brief = g_strdup (brief);
}

static void
range_changed (GtkWidget *view, Stage *stage)
{
  stage->ranges++;
}

static void
tissue (GtkWidget *view, gint n, Stage *stage)
{
  stage->tissue = n;
}

static void
clip_changed (IsoluxHistogramModel *model, gdouble limit, Stage *stage)
{
  stage->clips++;
  stage->limit = limit;
}

static void
window_changed (IsoluxHistogramModel *model,
                gdouble               center,
                gdouble               width,
                Stage                *stage)
{
  stage->windows++;
  stage->center = center;
  stage->width = width;
}

/* Takes the model */
static Stage *
stage_new (IsoluxHistogramModel *model)
{
  Stage *stage = g_new0 (Stage, 1);

  stage->model = model;
  stage->view = isolux_histogram_view_new (model);
  stage->plot = isolux_plot_new (model);
  g_signal_connect (stage->view, "read-out", G_CALLBACK (read_out), stage);
  g_signal_connect (stage->view, "range-changed", G_CALLBACK (range_changed),
                    stage);
  g_signal_connect (stage->view, "tissue", G_CALLBACK (tissue), stage);
  g_signal_connect (model, "clip-changed", G_CALLBACK (clip_changed), stage);
  g_signal_connect (model, "window-changed", G_CALLBACK (window_changed),
                    stage);

  stage->window = gtk_offscreen_window_new ();
  gtk_widget_set_size_request (stage->view, WIDTH, HEIGHT);
  gtk_container_add (GTK_CONTAINER (stage->window), stage->view);
  gtk_widget_show_all (stage->window);
  while (gtk_events_pending ())
    gtk_main_iteration ();
  g_assert_cmpint (gtk_widget_get_allocated_width (stage->view), ==, WIDTH);
  return stage;
}

static void
stage_free (Stage *stage)
{
  isolux_plot_free (stage->plot);
  g_signal_handlers_disconnect_by_data (stage->model, stage);
  gtk_widget_destroy (stage->window);
  g_object_unref (stage->model);
  g_free (stage->read_out);
  g_free (stage->brief);
  g_free (stage);
}

static const IsoluxLane *
lane_of (Stage *stage, gint lane)
{
  isolux_plot_layout (stage->plot, gtk_widget_get_pango_context (stage->view),
                      gtk_widget_get_allocated_width (stage->view),
                      gtk_widget_get_allocated_height (stage->view), unit);
  return isolux_plot_get_lane (stage->plot, lane);
}

static gboolean
send (Stage *stage, GdkEvent *event)
{
  gboolean taken;

  event->any.window = g_object_ref (gtk_widget_get_window (stage->view));
  event->any.send_event = TRUE;
  taken = gtk_widget_event (stage->view, event);
  gdk_event_free (event);
  return taken;
}

static void
motion (Stage *stage, gdouble x, gdouble y, guint state)
{
  GdkEvent *event = gdk_event_new (GDK_MOTION_NOTIFY);

  event->motion.x = x;
  event->motion.y = y;
  event->motion.state = state;
  send (stage, event);
}

static gboolean
button (Stage *stage, GdkEventType type, gdouble x, gdouble y, guint state)
{
  GdkEvent *event = gdk_event_new (type);

  event->button.x = x;
  event->button.y = y;
  event->button.button = 1;
  event->button.state = state;
  return send (stage, event);
}

/* Presses, moves there in two steps, and lets go */
static void
drag (Stage  *stage,
      gdouble x,
      gdouble y,
      gdouble to_x,
      gdouble to_y,
      guint   state)
{
  motion (stage, x, y, state);
  button (stage, GDK_BUTTON_PRESS, x, y, state);
  motion (stage, (x + to_x) / 2, (y + to_y) / 2, state | GDK_BUTTON1_MASK);
  motion (stage, to_x, to_y, state | GDK_BUTTON1_MASK);
  button (stage, GDK_BUTTON_RELEASE, to_x, to_y, state | GDK_BUTTON1_MASK);
}

static gboolean
key (Stage *stage, guint value, guint state)
{
  GdkEvent *event = gdk_event_new (GDK_KEY_PRESS);

  event->key.keyval = value;
  event->key.state = state;
  return send (stage, event);
}

static gboolean
wheel (Stage *stage, gdouble x, gdouble y, gdouble delta, guint state)
{
  GdkEvent *event = gdk_event_new (GDK_SCROLL);

  event->scroll.x = x;
  event->scroll.y = y;
  event->scroll.state = state;
  event->scroll.direction = GDK_SCROLL_SMOOTH;
  event->scroll.delta_y = delta;
  return send (stage, event);
}

static void
focus (Stage *stage, gboolean in)
{
  GdkEvent *event = gdk_event_new (GDK_FOCUS_CHANGE);

  event->focus_change.window =
    g_object_ref (gtk_widget_get_window (stage->window));
  event->focus_change.in = in;
  gtk_widget_event (stage->window, event);
  gdk_event_free (event);
}

static cairo_surface_t *
render (Stage *stage, gint scale)
{
  return isolux_histogram_view_render (ISOLUX_HISTOGRAM_VIEW (stage->view),
                                       WIDTH, HEIGHT, scale);
}

/* ---- How it looks ---- */

/*
 * How far two pictures are apart: the largest mean difference of a component
 * in a square of 16 x 16 pixels, so that small things count as much as large
 * ones; 1000 when they differ in size
 */
static gdouble
difference (cairo_surface_t *a, cairo_surface_t *b)
{
  const gint side = 16;
  gint       width = cairo_image_surface_get_width (a);
  gint       height = cairo_image_surface_get_height (a);
  gdouble    worst = 0;

  if (width != cairo_image_surface_get_width (b) ||
      height != cairo_image_surface_get_height (b))
    return 1000;
  cairo_surface_flush (a);
  cairo_surface_flush (b);
  for (gint y0 = 0; y0 < height; y0 += side)
    for (gint x0 = 0; x0 < width; x0 += side)
      {
        gint sum = 0, n = 0;

        for (gint y = y0; y < MIN (y0 + side, height); y++)
          for (gint x = x0; x < MIN (x0 + side, width); x++)
            {
              const guint8 *p = cairo_image_surface_get_data (a) +
                                y * cairo_image_surface_get_stride (a) + 4 * x;
              const guint8 *q = cairo_image_surface_get_data (b) +
                                y * cairo_image_surface_get_stride (b) + 4 * x;
              gint most = 0;

              for (gint c = 0; c < 3; c++)
                most = MAX (most, ABS (p[c] - q[c]));
              sum += most;
              n++;
            }
        worst = MAX (worst, (gdouble) sum / n);
      }
  return worst;
}

/* What other versions of the libraries may make of texts and edges */
#define TOLERANCE 4.0

typedef struct
{
  const gchar *name;
  IsoluxHistogramModel *(*model) (void);
  Look     look;
  gint     scale;
  gboolean right_to_left;
  gdouble  hover_x; /* share of the width; 0: no hover line */
} Scene;

static const Scene scenes[] = {
  { "u8", scene_u8, DARK, 1, FALSE, 0 },
  { "u16", scene_u16, DARK, 1, FALSE, 0.45 },
  { "u16-light", scene_u16, LIGHT, 1, FALSE, 0 },
  { "rgb", scene_rgb, DARK, 1, FALSE, 0 },
  { "rgb-light", scene_rgb, LIGHT, 1, FALSE, 0 },
  { "window", scene_window, LIGHT, 1, FALSE, 0.55 },
  { "hog", scene_hog, DARK, 1, FALSE, 0 },
  { "high-contrast", scene_u16, HIGH_CONTRAST, 1, FALSE, 0 },
  { "2x", scene_u16, DARK, 2, FALSE, 0.45 },
  { "right-to-left", scene_window, LIGHT, 1, TRUE, 0 },
  { "spike", scene_spike, DARK, 1, FALSE, 0 },
  { "float", scene_float, LIGHT, 1, FALSE, 0.4 },
};

static cairo_surface_t *
render_scene (const Scene *scene)
{
  cairo_surface_t *surface;
  Stage           *stage;

  use_look (scene->look);
  if (scene->right_to_left)
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  stage = stage_new (scene->model ());
  if (scene->hover_x > 0)
    motion (stage, scene->hover_x * WIDTH, 40, 0);
  surface = render (stage, scene->scale);
  stage_free (stage);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  return surface;
}

static cairo_surface_t *
reference_of (const gchar *name)
{
  gchar *file = g_strconcat (name, ".png", NULL);
  gchar *path =
    g_test_build_filename (G_TEST_DIST, "ui", "reference", file, NULL);
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);

  g_free (file);
  g_free (path);
  return surface;
}

static void
test_reference (gconstpointer data)
{
  const Scene     *scene = data;
  const gchar     *folder = g_getenv ("ISOLUX_UPDATE");
  cairo_surface_t *surface, *reference;

  if (unit != 1 && scene->hover_x > 0)
    {
      g_test_skip ("the hover line follows the columns of this screen");
      return;
    }
  surface = render_scene (scene);
  if (folder && *folder)
    {
      gchar *file = g_strconcat (scene->name, ".png", NULL);
      gchar *path = g_build_filename (folder, file, NULL);

      g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==,
                       CAIRO_STATUS_SUCCESS);
      g_free (file);
      g_free (path);
      g_test_skip ("written, not compared");
    }
  else
    {
      reference = reference_of (scene->name);
      g_assert_cmpint (cairo_surface_status (reference), ==,
                       CAIRO_STATUS_SUCCESS);
      g_test_message ("%s: %.2f", scene->name, difference (surface, reference));
      g_assert_cmpfloat (difference (surface, reference), <=, TOLERANCE);
      cairo_surface_destroy (reference);
    }
  cairo_surface_destroy (surface);
}

/* ---- What the references would notice ---- */

static void
hide (IsoluxHistogramModel *model, IsoluxShow what)
{
  isolux_histogram_model_set_show (model,
                                   isolux_histogram_model_get_show (model) &
                                     ~what);
}

static void
without_before (IsoluxHistogramModel *model)
{
  hide (model, ISOLUX_SHOW_BEFORE);
}

static void
without_after (IsoluxHistogramModel *model)
{
  hide (model, ISOLUX_SHOW_AFTER);
}

static void
without_cumulative (IsoluxHistogramModel *model)
{
  hide (model, ISOLUX_SHOW_CUMULATIVE);
}

static void
without_curve (IsoluxHistogramModel *model)
{
  hide (model, ISOLUX_SHOW_CURVE);
}

static void
without_marks (IsoluxHistogramModel *model)
{
  hide (model, ISOLUX_SHOW_MARKS);
}

static void
without_blue (IsoluxHistogramModel *model)
{
  isolux_histogram_model_set_show (model,
                                   isolux_histogram_model_get_show (model) |
                                     ISOLUX_SHOW_NO_BLUE);
}

static void
without_band (IsoluxHistogramModel *model)
{
  IsoluxCurve curve = { model->curve_n, model->curve_x, model->curve_y, NULL,
                        NULL };
  gdouble    *x = g_memdup2 (curve.x, curve.n * sizeof (gdouble));
  gdouble    *y = g_memdup2 (curve.y, curve.n * sizeof (gdouble));

  curve.x = x;
  curve.y = y;
  isolux_histogram_model_set_curve (model, &curve);
  g_free (x);
  g_free (y);
}

static void
without_handles (IsoluxHistogramModel *model)
{
  isolux_histogram_model_set_window (model, model->center, model->width, FALSE);
}

static void
with_other_limit (IsoluxHistogramModel *model)
{
  isolux_histogram_model_set_clip (model, 7, 67, 64, 0.1);
}

static void
with_linear_counts (IsoluxHistogramModel *model)
{
  isolux_histogram_model_set_logarithmic (model, FALSE);
}

static void
with_other_range (IsoluxHistogramModel *model)
{
  isolux_histogram_model_set_range (model, 0, 3900);
}

static void
without_unit (IsoluxHistogramModel *model)
{
  isolux_histogram_model_set_axis (model, 0, 2210, TRUE, 1, -1024, "");
}

static void
without_cell (IsoluxHistogramModel *model)
{
  gdouble *shares = g_memdup2 (model->shares, 9 * sizeof (gdouble));

  isolux_histogram_model_set_orientations (model, 9, shares, NULL, 180);
  g_free (shares);
}

/* A column that is not cut off: neither triangle nor count */
static void
without_spike (IsoluxHistogramModel *model)
{
  IsoluxBins  *bins = &g_array_index (model->bins, IsoluxBins, 0);
  guint64     *before = g_memdup2 (bins->series.counts, 256 * 8);
  guint64     *after = g_memdup2 (bins[1].series.counts, 256 * 8);
  IsoluxSeries series[] = { bins[0].series, bins[1].series };

  before[0] = before[1] = 0;
  series[0].counts = before;
  series[1].counts = after;
  isolux_histogram_model_set_series (model, series, 2);
  g_free (before);
  g_free (after);
}

static void
test_features (void)
{
  static const struct
  {
    const gchar *scene;
    void (*change) (IsoluxHistogramModel *model);
  } changes[] = {
    { "u8", without_before },      { "u8", without_after },
    { "u16", without_before },     { "u16", without_after },
    { "u16", without_cumulative }, { "u16", without_curve },
    { "u16", without_marks },      { "u16", without_band },
    { "u16", with_other_limit },   { "u16", with_linear_counts },
    { "u16", with_other_range },   { "rgb", without_blue },
    { "rgb", without_before },     { "rgb-light", without_blue },
    { "window", without_curve },   { "window", without_marks },
    { "window", without_handles }, { "window", without_after },
    { "window", without_unit },    { "hog", without_cell },
    { "hog", without_after },      { "high-contrast", without_curve },
    { "2x", without_cumulative },  { "right-to-left", without_marks },
    { "spike", without_spike },    { "float", without_before },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (changes); k++)
    {
      const Scene     *scene = scenes;
      Stage           *stage;
      cairo_surface_t *reference, *surface;
      gdouble          found;

      while (strcmp (scene->name, changes[k].scene) != 0)
        scene++;
      reference = reference_of (scene->name);
      g_assert_cmpint (cairo_surface_status (reference), ==,
                       CAIRO_STATUS_SUCCESS);
      use_look (scene->look);
      if (scene->right_to_left)
        gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
      stage = stage_new (scene->model ());
      if (scene->hover_x > 0)
        motion (stage, scene->hover_x * WIDTH, 40, 0);
      changes[k].change (stage->model);
      surface = render (stage, scene->scale);
      found = difference (surface, reference);
      g_test_message ("%s, change %d: %.1f", scene->name, (gint) k, found);
      /* well apart from what is tolerated */
      g_assert_cmpfloat (found, >, 2 * TOLERANCE);
      cairo_surface_destroy (surface);
      cairo_surface_destroy (reference);
      stage_free (stage);
      gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
    }
}

/* The hover line, the focus and marks under the pointer are seen as well */
static void
test_states (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  cairo_surface_t  *plain, *other;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  lane = lane_of (stage, 0);
  plain = render (stage, 1);

  motion (stage, lane->x + lane->width / 2, lane->y + 20, 0);
  other = render (stage, 1);
  g_assert_cmpfloat (difference (plain, other), >, 2 * TOLERANCE);
  cairo_surface_destroy (other);

  motion (stage, lane->x + 100, isolux_plot_clip_y (stage->plot), 0);
  send (stage, gdk_event_new (GDK_LEAVE_NOTIFY));
  other = render (stage, 1);
  g_assert_cmpfloat (difference (plain, other), ==, 0);
  cairo_surface_destroy (other);

  gtk_widget_grab_focus (stage->view);
  focus (stage, TRUE);
  gtk_window_set_focus_visible (GTK_WINDOW (stage->window), TRUE);
  other = render (stage, 1);
  g_assert_cmpfloat (difference (plain, other), >, TOLERANCE);
  cairo_surface_destroy (other);
  cairo_surface_destroy (plain);
  stage_free (stage);
}

static guint32
pixel (cairo_surface_t *surface, gdouble x, gdouble y)
{
  cairo_surface_flush (surface);
  return *(guint32 *) (void *) (cairo_image_surface_get_data (surface) +
                                (gint) y *
                                  cairo_image_surface_get_stride (surface) +
                                4 * (gint) x) &
         0xffffff;
}

static gboolean
resembles (guint32 pixel, IsoluxPalette palette, IsoluxRole role, gint most)
{
  GdkRGBA color;

  isolux_palette_get (palette, role, &color);
  return fabs ((pixel >> 16) - 255 * color.red) <= most &&
         fabs ((pixel >> 8 & 255) - 255 * color.green) <= most &&
         fabs ((pixel & 255) - 255 * color.blue) <= most;
}

/* A single count among 65,536 bins is drawn, in whichever column; and each
 * device column shows its own bins */
static void
test_nothing_is_skipped (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  Stage                *stage;
  guint64              *counts = g_new0 (guint64, 65536);
  IsoluxSeries series = { ISOLUX_ROLE_AFTER, FALSE, counts, 65536, 0, 1, TRUE };

  use_look (DARK);
  isolux_histogram_model_set_axis (model, 0, 65535, TRUE, 1, 0, "");
  isolux_histogram_model_set_show (model, ISOLUX_SHOW_AFTER);
  stage = stage_new (model);
  for (gint i = 0; i < 40; i++)
    {
      gint bin = i < 4 ? (i < 2 ? 0 : 65535) : g_test_rand_int_range (0, 65536);
      gint scale = 1 + i % 2;
      const IsoluxLane *lane;
      cairo_surface_t  *surface;
      gint              columns, column;

      counts[bin] = 1000;
      isolux_histogram_model_set_series (model, &series, 1);
      counts[bin] = 0;
      surface = render (stage, scale);
      lane = lane_of (stage, 0);
      columns = (gint) lane->width * scale;
      column = (gint) ((gint64) bin * columns / 65536);
      {
        gdouble  x = lane->x * scale + column;
        gdouble  y = (lane->y + lane->height / 2) * scale;
        gboolean seen = FALSE;

        /* the bin may lie at a column's end; grid lines are paler */
        for (gint d = -1; d <= 1; d++)
          if (column + d >= 0 && column + d < columns)
            seen = seen ||
                   ! resembles (pixel (surface, x + d, y), ISOLUX_PALETTE_DARK,
                                ISOLUX_ROLE_PLOT, 60);
        g_assert_true (seen);
        if (column + 3 < columns)
          g_assert_true (resembles (pixel (surface, x + 3, y),
                                    ISOLUX_PALETTE_DARK, ISOLUX_ROLE_PLOT, 60));
      }
      cairo_surface_destroy (surface);
    }
  g_free (counts);
  stage_free (stage);
}

/* Values are never mirrored: dark ones are left, in any language */
static void
test_right_to_left (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64               counts[256] = { 0 };
  IsoluxSeries series = { ISOLUX_ROLE_AFTER, FALSE, counts, 256, 0, 1, TRUE };
  Stage       *stage;
  const IsoluxLane *lane;
  cairo_surface_t  *surface;

  for (gint k = 10; k < 60; k++)
    counts[k] = 100;
  use_look (DARK);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  isolux_histogram_model_set_axis (model, 0, 255, TRUE, 1, 0, "");
  isolux_histogram_model_set_series (model, &series, 1);
  stage = stage_new (model);
  surface = render (stage, 1);
  lane = lane_of (stage, 0);
  g_assert_true (resembles (pixel (surface, isolux_lane_x_of (lane, 30),
                                   lane->y + lane->height - 9),
                            ISOLUX_PALETTE_DARK, ISOLUX_ROLE_AFTER, 24));
  g_assert_true (resembles (pixel (surface, isolux_lane_x_of (lane, 225),
                                   lane->y + lane->height - 9),
                            ISOLUX_PALETTE_DARK, ISOLUX_ROLE_PLOT, 24));
  motion (stage, lane->x, lane->y + 9, 0);
  /* and the numbers keep their direction: U+2066, 0, U+2069 */
  g_assert_nonnull (strstr (stage->read_out, "\342\201\246"
                                             "0"
                                             "\342\201\251"));
  cairo_surface_destroy (surface);
  stage_free (stage);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* All is inside its plot and nothing breaks, however small or large */
static void
test_sizes (void)
{
  static const gint widths[] = { 1, 60, 320, 1500 }, heights[] = { 1, 40, 96 };

  use_look (LIGHT);
  for (gsize s = 0; s < G_N_ELEMENTS (scenes); s++)
    {
      Stage *stage = stage_new (scenes[s].model ());

      for (gsize w = 0; w < G_N_ELEMENTS (widths); w++)
        for (gsize h = 0; h < G_N_ELEMENTS (heights); h++)
          {
            cairo_surface_t *surface =
              isolux_histogram_view_render (ISOLUX_HISTOGRAM_VIEW (stage->view),
                                            widths[w], heights[h], 1);

            g_assert_cmpint (cairo_surface_status (surface), ==,
                             CAIRO_STATUS_SUCCESS);
            g_assert_cmpint (cairo_image_surface_get_width (surface), ==,
                             widths[w]);
            cairo_surface_destroy (surface);
          }
      stage_free (stage);
    }
}

/* Larger fonts get larger margins and more height */
static void
test_fonts (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           left, right, height;
  gint              minimum, larger;

  use_look (LIGHT);
  stage = stage_new (scene_u16 ());
  lane = lane_of (stage, 0);
  left = lane->x;
  right = WIDTH - lane->x - lane->width;
  height = lane->height;
  gtk_widget_get_preferred_height (stage->view, &minimum, NULL);
  stage_free (stage);

  g_object_set (gtk_settings_get_default (), "gtk-font-name", "DejaVu Sans 15",
                NULL);
  stage = stage_new (scene_u16 ());
  lane = lane_of (stage, 0);
  g_assert_cmpfloat (lane->x, >, left * 1.2);
  g_assert_cmpfloat (WIDTH - lane->x - lane->width, >, right * 1.2);
  g_assert_cmpfloat (lane->height, <, height);
  larger =
    isolux_plot_minimum_height (stage->plot,
                                gtk_widget_get_pango_context (stage->view));
  g_assert_cmpint (larger, >, minimum - HEIGHT + 96);
  stage_free (stage);
  use_font ();
}

static void
test_palettes (void)
{
  static const IsoluxPalette expected[] = { ISOLUX_PALETTE_DARK,
                                            ISOLUX_PALETTE_LIGHT,
                                            ISOLUX_PALETTE_HIGH_CONTRAST };
  GdkRGBA                    background;

  for (gint look = DARK; look <= HIGH_CONTRAST; look++)
    {
      GtkWidget *window = gtk_offscreen_window_new ();
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      GtkWidget *swatch = isolux_swatch_new (ISOLUX_ROLE_CURVE);

      use_look (look);
      gtk_container_add (GTK_CONTAINER (window), box);
      gtk_container_add (GTK_CONTAINER (box), swatch);
      gtk_widget_show_all (window);
      g_assert_cmpint (isolux_palette_of (swatch), ==, expected[look]);
      isolux_palette_background (swatch, &background);
      g_assert_cmpfloat_with_epsilon (background.red,
                                      look == DARK    ? 0x3b / 255.0
                                      : look == LIGHT ? 0xec / 255.0
                                                      : 1.0,
                                      1e-6);
      gtk_widget_destroy (window);
    }
}

/* Each role's swatch is drawn in its color, on the plot's */
static void
test_swatches (void)
{
  use_look (DARK);
  for (gint role = ISOLUX_ROLE_BEFORE; role <= ISOLUX_ROLE_BLUE; role++)
    {
      GtkWidget       *window = gtk_offscreen_window_new ();
      GtkWidget       *swatch = isolux_swatch_new (role);
      cairo_surface_t *surface;
      cairo_t         *cr;
      gint             colored = 0;

      gtk_container_add (GTK_CONTAINER (window), swatch);
      gtk_widget_show_all (window);
      while (gtk_events_pending ())
        gtk_main_iteration ();
      g_assert_cmpint (gtk_widget_get_allocated_width (swatch), ==, 22);
      surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 22, 14);
      cr = cairo_create (surface);
      gtk_widget_draw (swatch, cr);
      g_assert_true (resembles (pixel (surface, 0, 0), ISOLUX_PALETTE_DARK,
                                ISOLUX_ROLE_PLOT, 1));
      for (gint y = 0; y < 14; y++)
        for (gint x = 0; x < 22; x++)
          colored +=
            resembles (pixel (surface, x, y), ISOLUX_PALETTE_DARK, role, 40);
      g_assert_cmpint (colored, >=, 12);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
      gtk_widget_destroy (window);
    }
}

/* ---- Reading ---- */

static void
test_hover (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gchar            *expected;

  use_look (DARK);
  stage = stage_new (scene_u8 ());
  isolux_histogram_model_set_summary (stage->model, "9 pixels");
  g_assert_cmpstr (stage->read_out, ==, "9 pixels");
  lane = lane_of (stage, 0);

  /* the value whose bar is in the device column under the pointer */
  for (gint x = 0; x < lane->width; x += 7)
    {
      gint column = x * unit + unit / 2;
      gint value = column * 256 / lane->columns;

      motion (stage, lane->x + x + 0.5, lane->y + 30, 0);
      expected =
        isolux_histogram_model_read_out (stage->model, value, value + 1, FALSE);
      g_assert_cmpstr (stage->read_out, ==, expected);
      g_free (expected);
      expected =
        isolux_histogram_model_read_out (stage->model, value, value + 1, TRUE);
      g_assert_cmpstr (stage->brief, ==, expected);
      g_free (expected);
    }
  motion (stage, lane->x - 9, lane->y + 30, 0);
  g_assert_cmpstr (stage->read_out, ==, "9 pixels");
  motion (stage, lane->x + 9, lane->y + 30, 0);
  send (stage, gdk_event_new (GDK_LEAVE_NOTIFY));
  g_assert_cmpstr (stage->read_out, ==, "9 pixels");
  stage_free (stage);
}

static void
test_hover_keys (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gint              value, steps;

  use_look (DARK);
  stage = stage_new (scene_u8 ());
  lane = lane_of (stage, 0);

  /* a column each, but never the same value twice */
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 0:"));
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 1:"));
  g_assert_true (key (stage, GDK_KEY_End, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 255:"));
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 255:"));
  g_assert_true (key (stage, GDK_KEY_Left, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 254:"));
  g_assert_true (key (stage, GDK_KEY_Home, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 0:"));
  g_assert_true (key (stage, GDK_KEY_Left, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 0:"));
  stage_free (stage);

  /* several bins a column, and each of them with Ctrl */
  stage = stage_new (scene_u16 ());
  lane = lane_of (stage, 0);
  g_assert_true (key (stage, GDK_KEY_Home, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Values 0–") || unit == 2);
  for (value = 0; value < 40; value++)
    {
      gchar *prefix = g_strdup_printf ("Value %d:", value);

      g_assert_true (key (stage, GDK_KEY_Right, GDK_CONTROL_MASK));
      g_assert_true (g_str_has_prefix (stage->read_out, prefix));
      g_free (prefix);
    }
  for (steps = 0; steps < 5; steps++)
    g_assert_true (key (stage, GDK_KEY_Left, GDK_CONTROL_MASK));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 34:"));

  /* it stays at its value, as long as this is shown */
  isolux_histogram_model_set_range (stage->model, 30, 99);
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 34:"));
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Value 35:"));
  isolux_histogram_model_set_range (stage->model, 100, 300);
  g_assert_true (strstr (stage->read_out, "above the clip limit"));
  isolux_histogram_model_set_range (stage->model, 0, 4095);
  lane = lane_of (stage, 0);

  /* all columns are reached, and all bins are read once */
  g_assert_true (key (stage, GDK_KEY_Home, 0));
  for (steps = 1; steps <= lane->columns + 1; steps++)
    {
      if (g_str_has_prefix (stage->read_out, "Values 40") &&
          strstr (stage->read_out, "–4095:"))
        break;
      g_assert_true (key (stage, GDK_KEY_Right, 0));
    }
  g_assert_cmpint (steps, ==, lane->columns);
  stage_free (stage);
}

static void
test_hover_lanes (void)
{
  Stage            *stage;
  const IsoluxLane *upper, *lower;

  use_look (LIGHT);
  stage = stage_new (scene_window ());
  upper = lane_of (stage, 0);
  lower = lane_of (stage, 1);
  g_assert_nonnull (lower);
  g_assert_cmpfloat (lower->y, >, upper->y + upper->height);
  g_assert_cmpfloat (upper->height, >, lower->height);
  motion (stage, isolux_lane_x_of (upper, 1200), upper->y + 20, 0);
  g_assert_nonnull (strstr (stage->read_out, "HU (stored"));
  g_assert_nonnull (strstr (stage->read_out, "becomes"));
  motion (stage, lower->x + lower->width / 2, lower->y + 10, 0);
  g_assert_true (g_str_has_prefix (stage->read_out, "Result "));
  /* one lane again while the pointer is in the second */
  isolux_histogram_model_set_output (stage->model, FALSE, 0, 1, FALSE);
  g_assert_null (lane_of (stage, 1));
  g_assert_true (g_str_has_prefix (stage->read_out, "inside the window"));
  stage_free (stage);
}

static void
test_hover_bars (void)
{
  Stage            *stage;
  const IsoluxLane *lane;

  use_look (DARK);
  stage = stage_new (scene_hog ());
  lane = lane_of (stage, 0);
  motion (stage, lane->x + lane->width * 5.5 / 9, lane->y + 50, 0);
  g_assert_true (g_str_has_prefix (stage->read_out, "Orientation 100–120°:"));
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Orientation 120–140°:"));
  g_assert_true (key (stage, GDK_KEY_End, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Orientation 160–180°:"));
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_true (g_str_has_prefix (stage->read_out, "Orientation 160–180°:"));
  stage_free (stage);
}

/* ---- The clip line ---- */

static void
test_clip_drag (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           y, to, expected;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  lane = lane_of (stage, 0);
  y = isolux_plot_clip_y (stage->plot);
  to = y + 30;
  expected = isolux_plot_count_at (stage->plot, lane, to) / 67;

  /* anywhere on the line, a bit beside it, without a jump */
  drag (stage, lane->x + 150, y + 3, lane->x + 170, to + 3, 0);
  g_assert_cmpint (stage->clips, ==, 2);
  g_assert_cmpfloat_with_epsilon (stage->limit, expected, 0.051);
  g_assert_cmpfloat_with_epsilon (fabs (remainder (stage->limit, 0.1)), 0,
                                  1e-9);
  g_assert_cmpfloat (stage->model->clip, ==, stage->limit);
  lane_of (stage, 0);
  g_assert_cmpfloat_with_epsilon (isolux_plot_clip_y (stage->plot), to, 1.0);

  /* by its grip to the top: no limit; and back; to the bottom: the least */
  drag (stage, lane->x + lane->width - 10, to, lane->x, lane->y - 30, 0);
  g_assert_cmpfloat (stage->limit, ==, 0);
  drag (stage, lane->x + 50, lane->y + 1, lane->x + 50, y, 0);
  g_assert_cmpfloat (stage->limit, >, 5);
  g_assert_cmpfloat (stage->limit, <, 12);
  lane_of (stage, 0);
  drag (stage, lane->x + 50, isolux_plot_clip_y (stage->plot), lane->x + 50,
        1000, 0);
  g_assert_cmpfloat_with_epsilon (stage->limit, 0.1, 1e-9);

  /* elsewhere is nothing to drag */
  stage->clips = 0;
  drag (stage, lane->x + 50, lane->y + 30, lane->x + 90, lane->y + 60, 0);
  g_assert_cmpint (stage->clips, ==, 0);
  /* what is hidden cannot be dragged */
  hide (stage->model, ISOLUX_SHOW_MARKS);
  lane = lane_of (stage, 0);
  y = isolux_plot_clip_y (stage->plot);
  drag (stage, lane->x + 50, y, lane->x + 50, y - 40, 0);
  g_assert_cmpint (stage->clips, ==, 0);
  stage_free (stage);
}

static void
test_clip_cancel (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           y;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  lane = lane_of (stage, 0);
  y = isolux_plot_clip_y (stage->plot);
  g_assert_false (key (stage, GDK_KEY_Escape, 0));

  button (stage, GDK_BUTTON_PRESS, lane->x + 50, y, 0);
  motion (stage, lane->x + 50, y + 30, GDK_BUTTON1_MASK);
  g_assert_cmpfloat (stage->model->clip, !=, 8);
  g_assert_true (key (stage, GDK_KEY_Escape, 0));
  g_assert_cmpfloat (stage->model->clip, ==, 8);
  g_assert_cmpfloat (stage->limit, ==, 8);
  /* the pointer does nothing more until it is pressed again */
  stage->clips = 0;
  motion (stage, lane->x + 50, y + 40, GDK_BUTTON1_MASK);
  button (stage, GDK_BUTTON_RELEASE, lane->x + 50, y + 40, GDK_BUTTON1_MASK);
  g_assert_cmpint (stage->clips, ==, 0);
  g_assert_false (
    isolux_histogram_view_cancel_drag (ISOLUX_HISTOGRAM_VIEW (stage->view)));
  g_assert_false (key (stage, GDK_KEY_Escape, 0));

  /* a grab that is taken away ends it in the same way */
  button (stage, GDK_BUTTON_PRESS, lane->x + 50, y, 0);
  motion (stage, lane->x + 50, y + 30, GDK_BUTTON1_MASK);
  send (stage, gdk_event_new (GDK_GRAB_BROKEN));
  g_assert_cmpfloat (stage->model->clip, ==, 8);
  stage_free (stage);
}

static void
test_clip_keys (void)
{
  Stage *stage;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  g_assert_true (key (stage, GDK_KEY_Up, 0));
  g_assert_cmpfloat_with_epsilon (stage->limit, 8.1, 1e-9);
  g_assert_true (key (stage, GDK_KEY_Down, GDK_SHIFT_MASK));
  g_assert_cmpfloat_with_epsilon (stage->limit, 7.1, 1e-9);
  /* Home belongs to what the arrows moved last */
  g_assert_true (key (stage, GDK_KEY_Home, 0));
  g_assert_cmpfloat (stage->limit, ==, 0);
  g_assert_cmpint (stage->clips, ==, 3);
  g_assert_true (key (stage, GDK_KEY_Up, 0));
  g_assert_cmpfloat (stage->model->clip, ==, 0);
  /* from the top down */
  g_assert_true (key (stage, GDK_KEY_Down, 0));
  g_assert_cmpfloat (stage->limit, ==, 64);
  g_assert_true (key (stage, GDK_KEY_Up, 0));
  g_assert_cmpfloat (stage->limit, ==, 64);
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_true (key (stage, GDK_KEY_Home, 0));
  g_assert_cmpfloat (stage->model->clip, ==, 64);
  g_assert_true (g_str_has_prefix (stage->read_out, "Values 0–"));
  /* never down to 0, which means something else */
  isolux_histogram_model_set_clip (stage->model, 0.3, 67, 64, 0.1);
  g_assert_true (key (stage, GDK_KEY_Down, GDK_SHIFT_MASK));
  g_assert_cmpfloat_with_epsilon (stage->limit, 0.1, 1e-9);
  /* where there is no such line the keys are somebody else's */
  isolux_histogram_model_set_clip (stage->model, -1, 0, 0, 0);
  g_assert_false (key (stage, GDK_KEY_Up, 0));
  stage_free (stage);
}

/* ---- The window ---- */

static void
test_window_drag (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           y, low, high;

  use_look (LIGHT);
  stage = stage_new (scene_window ());
  lane = lane_of (stage, 0);
  y = lane->y + 30;

  drag (stage, isolux_lane_x_of (lane, 864) + 2, y,
        isolux_lane_x_of (lane, 500) + 2, y, 0);
  low = stage->center - stage->width / 2;
  high = stage->center + stage->width / 2;
  g_assert_cmpfloat_with_epsilon (low, 500, 0.6);
  g_assert_cmpfloat (low, ==, round (low));
  g_assert_cmpfloat (high, ==, 1264);

  drag (stage, isolux_lane_x_of (lane, 1264), y, isolux_lane_x_of (lane, 1500),
        y, 0);
  high = stage->center + stage->width / 2;
  g_assert_cmpfloat (stage->center - stage->width / 2, ==, low);
  g_assert_cmpfloat_with_epsilon (high, 1500, 0.6);

  /* all of it, by the middle */
  drag (stage, isolux_lane_x_of (lane, stage->center), y,
        isolux_lane_x_of (lane, 1200), y, 0);
  g_assert_cmpfloat_with_epsilon (stage->center, 1200, 0.6);
  g_assert_cmpfloat (stage->width, ==, high - low);

  /* edges do not pass each other, nor the end of the range */
  isolux_histogram_model_set_window (stage->model, 1000, 400, TRUE);
  drag (stage, isolux_lane_x_of (lane, 800), y, isolux_lane_x_of (lane, 2000),
        y, 0);
  g_assert_cmpfloat (stage->width, ==, 1);
  g_assert_cmpfloat (stage->center + stage->width / 2, ==, 1200);
  isolux_histogram_model_set_window (stage->model, 1000, 400, TRUE);
  drag (stage, isolux_lane_x_of (lane, 1200), y, 5000, y, 0);
  g_assert_cmpfloat (stage->center + stage->width / 2, ==, 2210);

  /* cancelled */
  isolux_histogram_model_set_window (stage->model, 1000, 400, TRUE);
  button (stage, GDK_BUTTON_PRESS, isolux_lane_x_of (lane, 800), y, 0);
  motion (stage, isolux_lane_x_of (lane, 300), y, GDK_BUTTON1_MASK);
  g_assert_cmpfloat (stage->model->width, >, 800);
  g_assert_true (
    isolux_histogram_view_cancel_drag (ISOLUX_HISTOGRAM_VIEW (stage->view)));
  g_assert_cmpfloat (stage->center, ==, 1000);
  g_assert_cmpfloat (stage->width, ==, 400);

  /* a window that follows from the values stays where it is */
  isolux_histogram_model_set_window (stage->model, 1000, 400, FALSE);
  stage->windows = 0;
  drag (stage, isolux_lane_x_of (lane, 800), y, isolux_lane_x_of (lane, 300), y,
        0);
  g_assert_cmpint (stage->windows, ==, 0);
  stage_free (stage);
}

static void
test_window_keys (void)
{
  Stage *stage;

  use_look (LIGHT);
  stage = stage_new (scene_window ());
  g_assert_true (key (stage, GDK_KEY_Right, 0));
  g_assert_cmpfloat (stage->center, ==, 1065);
  g_assert_true (key (stage, GDK_KEY_Left, GDK_CONTROL_MASK));
  g_assert_cmpfloat (stage->center, ==, 1055);
  g_assert_true (key (stage, GDK_KEY_Right, GDK_SHIFT_MASK));
  g_assert_cmpfloat (stage->width, ==, 401);
  g_assert_true (key (stage, GDK_KEY_Left, GDK_SHIFT_MASK | GDK_CONTROL_MASK));
  g_assert_cmpfloat (stage->width, ==, 391);
  g_assert_cmpint (stage->windows, ==, 4);
  /* reading is not lost */
  g_assert_true (key (stage, GDK_KEY_Right, GDK_MOD1_MASK));
  g_assert_nonnull (strstr (stage->read_out, "(stored 0–"));
  g_assert_cmpint (stage->windows, ==, 4);

  g_assert_true (key (stage, GDK_KEY_3, 0));
  g_assert_cmpint (stage->tissue, ==, 3);
  g_assert_true (key (stage, GDK_KEY_KP_6, 0));
  g_assert_cmpint (stage->tissue, ==, 6);
  g_assert_false (key (stage, GDK_KEY_3, GDK_CONTROL_MASK));
  isolux_histogram_model_set_window (stage->model, 1000, 400, FALSE);
  g_assert_false (key (stage, GDK_KEY_3, 0));
  stage_free (stage);
}

/* ---- The shown range ---- */

static void
test_zoom (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           low, high, value, x;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  isolux_histogram_model_set_range (stage->model, 0, 0);
  lane = lane_of (stage, 0);
  x = lane->x + lane->width * 0.25;
  value = isolux_lane_value_at (lane, x);

  /* without Ctrl it is not for the view */
  g_assert_false (wheel (stage, x, lane->y + 30, -1, 0));
  g_assert_cmpint (stage->ranges, ==, 0);
  /* what is under the pointer stays there */
  for (gint i = 0; i < 12; i++)
    {
      g_assert_true (wheel (stage, x, lane->y + 30, -1, GDK_CONTROL_MASK));
      lane = lane_of (stage, 0);
      g_assert_cmpfloat_with_epsilon (isolux_lane_x_of (lane, value), x, 4.0);
    }
  g_assert_cmpint (stage->ranges, ==, 12);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon ((high - low) * pow (1.25, 12), 65536, 300);
  for (gint i = 0; i < 40; i++)
    wheel (stage, x, lane->y + 30, -1, GDK_CONTROL_MASK);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat (high - low, ==, 7);
  for (gint i = 0; i < 60; i++)
    wheel (stage, x, lane->y + 30, 1, GDK_CONTROL_MASK);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_cmpfloat (high, ==, 65535);
  /* at an end nothing changes, and nothing is said */
  stage->ranges = 0;
  wheel (stage, x, lane->y + 30, 1, GDK_CONTROL_MASK);
  g_assert_cmpint (stage->ranges, ==, 0);

  g_assert_true (key (stage, GDK_KEY_plus, GDK_CONTROL_MASK));
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat (high - low, <, 60000);
  g_assert_true (key (stage, GDK_KEY_KP_Add, GDK_CONTROL_MASK));
  g_assert_true (key (stage, GDK_KEY_minus, GDK_CONTROL_MASK));
  g_assert_true (key (stage, GDK_KEY_0, GDK_CONTROL_MASK));
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_cmpfloat (high, ==, 65535);
  g_assert_cmpint (stage->ranges, ==, 4);
  g_assert_false (key (stage, GDK_KEY_plus, 0));
  g_assert_false (key (stage, GDK_KEY_0, 0));
  stage_free (stage);
}

static void
test_zoom_reals (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           low, high;

  use_look (LIGHT);
  stage = stage_new (scene_float ());
  lane = lane_of (stage, 0);
  for (gint i = 0; i < 100; i++)
    wheel (stage, lane->x + 90, lane->y + 30, -1, GDK_CONTROL_MASK);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon (high - low, 2.048e-5, 1e-9);
  stage_free (stage);
}

static void
test_pan (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           low, high;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  isolux_histogram_model_set_range (stage->model, 10000, 20000);
  lane = lane_of (stage, 0);
  drag (stage, lane->x + 200, lane->y + 40, lane->x + 100, lane->y + 40,
        GDK_SHIFT_MASK);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 10000 + 100 / lane->width * 10001, 1.1);
  g_assert_cmpfloat (high - low, ==, 10000);
  g_assert_cmpint (stage->ranges, >=, 1);

  /* not past the end; and back again */
  button (stage, GDK_BUTTON_PRESS, lane->x + 200, lane->y + 40, GDK_SHIFT_MASK);
  motion (stage, lane->x + 9000, lane->y + 40, GDK_BUTTON1_MASK);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_cmpfloat (high, ==, 10000);
  g_assert_true (key (stage, GDK_KEY_Escape, 0));
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 10000 + 100 / lane->width * 10001, 1.1);
  stage_free (stage);
}

/* The bar below: its part, its ends, the rest, twice */
static void
test_overview (void)
{
  Stage            *stage;
  const IsoluxLane *lane;
  gdouble           low, high, y = HEIGHT - 3, share;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  isolux_histogram_model_set_range (stage->model, 16384, 32767);
  lane = lane_of (stage, 0);
  share = lane->width / 65536;

  drag (stage, lane->x + 20000 * share, y, lane->x + 30000 * share, y, 0);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 26384, 2);
  g_assert_cmpfloat (high - low, ==, 16383);

  drag (stage, lane->x + low * share, y, lane->x + 10000 * share, y, 0);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 10000, 2);
  g_assert_cmpfloat_with_epsilon (high, 42767, 3);

  drag (stage, lane->x + high * share, y, lane->x + 50000 * share, y, 0);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 10000, 2);
  g_assert_cmpfloat_with_epsilon (high, 50000, 3);

  /* elsewhere: comes there */
  isolux_histogram_model_set_range (stage->model, 0, 9999);
  drag (stage, lane->x + 40000 * share, y, lane->x + 40000 * share, y, 0);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 35000, 3);
  g_assert_cmpfloat (high - low, ==, 9999);

  button (stage, GDK_BUTTON_PRESS, lane->x + 40000 * share, y, 0);
  button (stage, GDK_2BUTTON_PRESS, lane->x + 40000 * share, y, 0);
  button (stage, GDK_BUTTON_RELEASE, lane->x + 40000 * share, y, 0);
  isolux_histogram_model_get_range (stage->model, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_cmpfloat (high, ==, 65535);
  /* then there is no bar any more */
  lane_of (stage, 0);
  g_assert_cmpint (isolux_plot_part_at (stage->plot, lane->x + 100, y), ==,
                   ISOLUX_PART_NONE);
  stage_free (stage);
}

static void
test_logarithmic (void)
{
  Stage *stage;

  use_look (DARK);
  stage = stage_new (scene_u8 ());
  g_assert_true (key (stage, GDK_KEY_l, 0));
  g_assert_true (isolux_histogram_model_get_logarithmic (stage->model));
  g_assert_true (key (stage, GDK_KEY_L, GDK_SHIFT_MASK));
  g_assert_false (isolux_histogram_model_get_logarithmic (stage->model));
  g_assert_false (key (stage, GDK_KEY_l, GDK_CONTROL_MASK));
  g_assert_false (key (stage, GDK_KEY_Tab, 0));
  g_assert_false (key (stage, GDK_KEY_F2, 0));
  stage_free (stage);
}

/* ---- Assistive technologies ---- */

static void
described (AtkObject *accessible, GParamSpec *property, gint *count)
{
  ++*count;
}

static void
spoken (AtkObject *accessible, const gchar *text, gint politeness, gchar **last)
{
  g_free (*last);
  *last = g_strdup (text);
}

static void
test_accessible (void)
{
  Stage            *stage;
  AtkObject        *accessible;
  const IsoluxLane *lane;
  gint              count = 0;
  gchar            *last = NULL;
  gdouble           y;

  use_look (DARK);
  stage = stage_new (scene_u16 ());
  accessible = gtk_widget_get_accessible (stage->view);
  g_assert_cmpstr (atk_object_get_name (accessible), ==, "Histogram");
  g_assert_cmpint (atk_object_get_role (accessible), ==, ATK_ROLE_CHART);
  g_assert_true (g_str_has_prefix (atk_object_get_description (accessible),
                                   "Before: "));
  g_assert_true (g_str_has_suffix (atk_object_get_description (accessible),
                                   "Clip limit 8.0."));

  /* renewed when a drag ends, not on the way */
  g_signal_connect (accessible, "notify::accessible-description",
                    G_CALLBACK (described), &count);
  lane = lane_of (stage, 0);
  y = isolux_plot_clip_y (stage->plot);
  button (stage, GDK_BUTTON_PRESS, lane->x + 50, y, 0);
  motion (stage, lane->x + 50, y + 20, GDK_BUTTON1_MASK);
  motion (stage, lane->x + 50, y + 30, GDK_BUTTON1_MASK);
  g_assert_cmpint (count, ==, 0);
  button (stage, GDK_BUTTON_RELEASE, lane->x + 50, y + 30, GDK_BUTTON1_MASK);
  g_assert_cmpint (count, ==, 1);
  g_assert_null (strstr (atk_object_get_description (accessible),
                         "limit 8.0."));

  /* what the keys read is spoken */
  if (g_signal_lookup ("notification", ATK_TYPE_OBJECT))
    {
      g_signal_connect (accessible, "notification", G_CALLBACK (spoken), &last);
      key (stage, GDK_KEY_Right, 0);
      g_assert_cmpstr (last, ==, stage->read_out);
    }
  g_free (last);
  stage_free (stage);
}

/* ---- Time ---- */

/* Of the processor, for others may keep it busy */
static gdouble
milliseconds_of (void (*run) (Stage *, gint), Stage *stage)
{
  gdouble least = G_MAXDOUBLE;

  for (gint i = 0; i < 7; i++)
    {
      clock_t begin = clock ();

      run (stage, i);
      least = MIN (least, 1000.0 * (clock () - begin) / CLOCKS_PER_SEC);
    }
  return least;
}

/* New counts: the columns, the picture and all over it */
static void
draw_anew (Stage *stage, gint i)
{
  cairo_surface_t *surface =
    isolux_histogram_view_render (ISOLUX_HISTOGRAM_VIEW (stage->view), 700, 200,
                                  unit);

  cairo_surface_destroy (surface);
}

static cairo_surface_t *screen;

/* The pointer moves: nothing is computed again */
static void
draw_hovering (Stage *stage, gint i)
{
  cairo_t *cr = cairo_create (screen);

  motion (stage, 100 + 10 * i, 50, 0);
  gtk_widget_draw (stage->view, cr);
  cairo_destroy (cr);
}

static void
test_time (void)
{
  Stage       *stage;
  guint64     *counts = g_new (guint64, 65536);
  IsoluxSeries series[4];
  gdouble      anew, hovering;
  gdouble      most = 60.0; /* on a slow machine */

#ifdef __SANITIZE_ADDRESS__
  most *= 10;
#endif
  use_look (DARK);
  noise_state = 3;
  for (gint k = 0; k < 65536; k++)
    counts[k] = (guint64) (1e6 * noise () * bell (k, 30000, 9000));
  stage = stage_new (scene_u16 ());
  for (gint c = 0; c < 4; c++)
    series[c] = (IsoluxSeries) { c == 3 ? ISOLUX_ROLE_BEFORE
                                        : (IsoluxRole) (ISOLUX_ROLE_RED + c),
                                 FALSE,
                                 counts,
                                 65536,
                                 0,
                                 1,
                                 TRUE };
  isolux_histogram_model_set_series (stage->model, series, 4);
  isolux_histogram_model_set_range (stage->model, 0, 0);
  screen = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH * unit,
                                       HEIGHT * unit);
  cairo_surface_set_device_scale (screen, unit, unit);

  anew = milliseconds_of (draw_anew, stage);
  hovering = milliseconds_of (draw_hovering, stage);
  g_test_message ("65,536 bins, 4 series: %.2f ms anew, %.2f ms hovering", anew,
                  hovering);
  g_assert_cmpfloat (anew, <, most);
  g_assert_cmpfloat (hovering, <, most / 2);
  cairo_surface_destroy (screen);
  g_free (counts);
  stage_free (stage);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  use_font ();
  unit = gdk_monitor_get_scale_factor (
    gdk_display_get_monitor (gdk_display_get_default (), 0));

  for (gsize k = 0; k < G_N_ELEMENTS (scenes); k++)
    {
      gchar *path =
        g_strconcat ("/ui/histogram/reference/", scenes[k].name, NULL);

      g_test_add_data_func (path, &scenes[k], test_reference);
      g_free (path);
    }
  g_test_add_func ("/ui/histogram/features", test_features);
  g_test_add_func ("/ui/histogram/states", test_states);
  g_test_add_func ("/ui/histogram/nothing-is-skipped", test_nothing_is_skipped);
  g_test_add_func ("/ui/histogram/right-to-left", test_right_to_left);
  g_test_add_func ("/ui/histogram/sizes", test_sizes);
  g_test_add_func ("/ui/histogram/fonts", test_fonts);
  g_test_add_func ("/ui/histogram/palettes", test_palettes);
  g_test_add_func ("/ui/histogram/swatches", test_swatches);
  g_test_add_func ("/ui/histogram/hover/pointer", test_hover);
  g_test_add_func ("/ui/histogram/hover/keys", test_hover_keys);
  g_test_add_func ("/ui/histogram/hover/lanes", test_hover_lanes);
  g_test_add_func ("/ui/histogram/hover/bars", test_hover_bars);
  g_test_add_func ("/ui/histogram/clip/drag", test_clip_drag);
  g_test_add_func ("/ui/histogram/clip/cancel", test_clip_cancel);
  g_test_add_func ("/ui/histogram/clip/keys", test_clip_keys);
  g_test_add_func ("/ui/histogram/window/drag", test_window_drag);
  g_test_add_func ("/ui/histogram/window/keys", test_window_keys);
  g_test_add_func ("/ui/histogram/range/zoom", test_zoom);
  g_test_add_func ("/ui/histogram/range/reals", test_zoom_reals);
  g_test_add_func ("/ui/histogram/range/pan", test_pan);
  g_test_add_func ("/ui/histogram/range/overview", test_overview);
  g_test_add_func ("/ui/histogram/logarithmic", test_logarithmic);
  g_test_add_func ("/ui/histogram/accessible", test_accessible);
  g_test_add_func ("/ui/histogram/time", test_time);
  return g_test_run ();
}
