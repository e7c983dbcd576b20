/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test-histogram-model.c: numbers, colors, axes, and what a histogram's model
 * knows.  Needs no display.
 */
#include <gtk/gtk.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "axis.h"
#include "format.h"
#include "histogram-model.h"
#include "palette.h"

#define NBSP "\302\240"
#define NNBSP "\342\200\257" /* French thousands */
#define LRI "\342\201\246"
#define PDI "\342\201\251"

/* ---- Numbers ---- */

/* Compares and frees */
static void
is (gchar *got, const gchar *expected)
{
  g_assert_cmpstr (got, ==, expected);
  g_free (got);
}

/* FALSE and a skipped test where the system lacks it */
static gboolean
use_locale (const gchar *name)
{
  if (setlocale (LC_ALL, name))
    return TRUE;
  g_test_skip ("there is no such locale");
  return FALSE;
}

static void
test_format_c (void)
{
  g_assert_true (use_locale ("C"));
  is (isolux_format_number (4095, 0), "4095");
  is (isolux_format_number (-1024, 0), "−1024");
  is (isolux_format_number (-0.004, 2), "0.00");
  is (isolux_format_number (-0.006, 2), "−0.01");
  is (isolux_format_number (2.5, 3), "2.500");
  is (isolux_format_number (NAN, 2), "NaN");
  is (isolux_format_number (INFINITY, 2), "Infinity");
  is (isolux_format_number (-INFINITY, 2), "−Infinity");
  is (isolux_format_number (1.5e30, 2), "1.5e30");
  is (isolux_format_number (-2e15, 0), "−2e15");
  is (isolux_format_number (999999999999999.0, 0), "999999999999999");
  is (isolux_format_number (0.1, 99), "0.100000000");

  is (isolux_format_short (40.0, 2), "40");
  is (isolux_format_short (40.5, 2), "40.5");
  is (isolux_format_short (100.0, 0), "100");
  is (isolux_format_short (0.0, 3), "0");

  is (isolux_format_value (240, 0, "HU"), "240" NBSP "HU");
  is (isolux_format_value (240, 0, ""), "240");
  is (isolux_format_value (240, 0, NULL), "240");

  is (isolux_format_range (812, 817, 0, NULL), "812–817");
  is (isolux_format_range (33, 38, 0, "HU"), "33–38" NBSP "HU");
  is (isolux_format_range (-160, 240, 0, "HU"),
      "−160" NBSP "to" NBSP "240" NBSP "HU");

  is (isolux_format_percent (0.291, 1), "29.1" NBSP "%");
  is (isolux_format_percent (1.0, 0), "100" NBSP "%");

  is (isolux_format_step (0.25, 0.25), "0.2"); /* half to even, as printf */
  is (isolux_format_step (0.75, 0.05), "0.75");
  is (isolux_format_step (-1e-18, 0.5), "0.0");
  is (isolux_format_step (2.5e-12, 5e-13), "2.5e−12");
  is (isolux_format_step (0, 5e-13), "0");
  is (isolux_format_step (3e20, 1e20), "3e20");
  is (isolux_format_step (3.25e20, 1e18), "3.25e20");
}

static void
test_format_counts (void)
{
  g_assert_true (use_locale ("C"));
  is (isolux_format_count (0), "0");
  is (isolux_format_count (500), "500");
  is (isolux_format_count (999), "999");
  is (isolux_format_count (1000), "1" NBSP "k");
  is (isolux_format_count (1500), "1.5" NBSP "k");
  is (isolux_format_count (21060), "21.1" NBSP "k");
  is (isolux_format_count (999400), "999" NBSP "k");
  is (isolux_format_count (999600), "1" NBSP "M");
  is (isolux_format_count (2e6), "2" NBSP "M");
  is (isolux_format_count (2.345e9), "2.35" NBSP "G");

  is (isolux_format_bytes (2300000000u), "2.3" NBSP "GB");

  is (isolux_format_time (0.21), "0.21" NBSP "ms");
  is (isolux_format_time (0.004), "0.004" NBSP "ms");
  is (isolux_format_time (0), "0.00" NBSP "ms");
  is (isolux_format_time (2.34), "2.3" NBSP "ms");
  is (isolux_format_time (14.4), "14" NBSP "ms");
  is (isolux_format_time (999.4), "999" NBSP "ms");
  is (isolux_format_time (999.6), "1.0" NBSP "s");
  is (isolux_format_time (1300), "1.3" NBSP "s");
  is (isolux_format_time (123400), "123" NBSP "s");

  g_assert_cmpint (isolux_format_digits (1), ==, 0);
  g_assert_cmpint (isolux_format_digits (0.5), ==, 1);
  g_assert_cmpint (isolux_format_digits (0.1), ==, 1);
  g_assert_cmpint (isolux_format_digits (0.02), ==, 2);
  g_assert_cmpint (isolux_format_digits (0.001), ==, 3);
  g_assert_cmpint (isolux_format_digits (1000), ==, 0);
  g_assert_cmpint (isolux_format_digits (0), ==, 0);
  g_assert_cmpint (isolux_format_digits (1e-30), ==, 9);
}

static void
test_format_german (void)
{
  if (! use_locale ("de_DE.UTF-8"))
    return;
  is (isolux_format_number (4095, 0), "4.095");
  is (isolux_format_number (-1234567.891, 2), "−1.234.567,89");
  is (isolux_format_number (999, 0), "999");
  is (isolux_format_number (-100, 0), "−100");
  is (isolux_format_short (1024.50, 2), "1.024,5");
  is (isolux_format_percent (0.00008, 3), "0,008" NBSP "%");
  is (isolux_format_count (1500), "1,5" NBSP "k");
  is (isolux_format_number (1.5e30, 2), "1,5e30");
  is (isolux_format_bytes (2300000000u), "2,3" NBSP "GB");
  setlocale (LC_ALL, "C");
}

static void
test_format_french (void)
{
  if (! use_locale ("fr_FR.UTF-8"))
    return;
  is (isolux_format_number (65535, 0), "65" NNBSP "535");
  is (isolux_format_number (-1234567.5, 1), "−1" NNBSP "234" NNBSP "567,5");
  is (isolux_format_value (-1024, 0, "HU"), "−1" NNBSP "024" NBSP "HU");
  setlocale (LC_ALL, "C");
}

static void
test_format_right_to_left (void)
{
  g_assert_true (use_locale ("C"));
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  is (isolux_format_number (-5, 0), LRI "−5" PDI);
  is (isolux_format_value (240, 0, "HU"), LRI "240" NBSP "HU" PDI);
  is (isolux_format_range (1, 2, 0, NULL), LRI "1–2" PDI);
  is (isolux_format_percent (0.5, 0), LRI "50" NBSP "%" PDI);
  is (isolux_format_count (1000), LRI "1" NBSP "k" PDI);
  is (isolux_format_time (14), LRI "14" NBSP "ms" PDI);
  is (isolux_format_bytes (1000), LRI "1.0" NBSP "kB" PDI);
  is (isolux_format_step (5e-13, 5e-13), LRI "5e−13" PDI);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* ---- Colors ---- */

static gdouble
linear (gdouble c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static gdouble
luminance (const GdkRGBA *c)
{
  return 0.2126 * linear (c->red) + 0.7152 * linear (c->green) +
         0.0722 * linear (c->blue);
}

static gdouble
contrast (IsoluxPalette palette, IsoluxRole a, IsoluxRole b)
{
  GdkRGBA x, y;
  gdouble m, n;

  isolux_palette_get (palette, a, &x);
  isolux_palette_get (palette, b, &y);
  m = luminance (&x);
  n = luminance (&y);
  return (MAX (m, n) + 0.05) / (MIN (m, n) + 0.05);
}

static void
test_contrast (void)
{
  static const IsoluxRole marks[] = {
    ISOLUX_ROLE_BEFORE, ISOLUX_ROLE_AFTER, ISOLUX_ROLE_CUMULATIVE,
    ISOLUX_ROLE_CURVE,  ISOLUX_ROLE_MARK,  ISOLUX_ROLE_RED,
    ISOLUX_ROLE_GREEN,  ISOLUX_ROLE_BLUE
  };

  for (gint palette = 0; palette < ISOLUX_N_PALETTES; palette++)
    {
      for (gsize k = 0; k < G_N_ELEMENTS (marks); k++)
        /* 2.95 is what 3.0 in one decimal begins with */
        g_assert_cmpfloat (contrast (palette, marks[k], ISOLUX_ROLE_PLOT), >=,
                           2.95);
      g_assert_cmpfloat (contrast (palette, ISOLUX_ROLE_TEXT, ISOLUX_ROLE_PLOT),
                         >=, 4.5);
      /* the labels of marks are texts, too */
      g_assert_cmpfloat (contrast (palette, ISOLUX_ROLE_MARK, ISOLUX_ROLE_PLOT),
                         >=, 4.5);
    }
  /* the definition is right: black on white */
  g_assert_cmpfloat_with_epsilon (contrast (ISOLUX_PALETTE_HIGH_CONTRAST,
                                            ISOLUX_ROLE_TEXT, ISOLUX_ROLE_PLOT),
                                  21.0, 1e-9);
}

typedef struct
{
  gdouble l, a, b;
} Lab;

/* Machado, Oliveira, Fernandes 2009: full severity, in linear light */
static const gdouble visions[4][3][3] = {
  { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0.152286, 1.052583, -0.204868 }, /* protanopia */
    { 0.114503, 0.786281, 0.099216 },
    { -0.003882, -0.048116, 1.051998 } },
  { { 0.367322, 0.860646, -0.227968 }, /* deuteranopia */
    { 0.280085, 0.672501, 0.047413 },
    { -0.011820, 0.042940, 0.968881 } },
  { { 1.255528, -0.076749, -0.178779 }, /* tritanopia */
    { -0.078411, 0.930809, 0.147602 },
    { 0.004733, 0.691367, 0.303900 } }
};

static gdouble
cube_root (gdouble t)
{
  return t > 216.0 / 24389.0 ? cbrt (t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

static Lab
lab_of (IsoluxPalette palette, IsoluxRole role, gint vision)
{
  static const gdouble to_xyz[3][3] = { { 0.4124, 0.3576, 0.1805 },
                                        { 0.2126, 0.7152, 0.0722 },
                                        { 0.0193, 0.1192, 0.9505 } };
  static const gdouble white[3] = { 0.9505, 1.0, 1.089 };
  GdkRGBA              color;
  gdouble              rgb[3], seen[3], f[3];

  isolux_palette_get (palette, role, &color);
  rgb[0] = linear (color.red);
  rgb[1] = linear (color.green);
  rgb[2] = linear (color.blue);
  for (gint i = 0; i < 3; i++)
    {
      const gdouble *row = visions[vision][i];

      seen[i] =
        CLAMP (row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2], 0, 1);
    }
  for (gint i = 0; i < 3; i++)
    f[i] = cube_root ((to_xyz[i][0] * seen[0] + to_xyz[i][1] * seen[1] +
                       to_xyz[i][2] * seen[2]) /
                      white[i]);
  return (Lab) { 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]) };
}

static gdouble
degrees (gdouble radians)
{
  return fmod (radians * 180.0 / G_PI + 360.0, 360.0);
}

static gdouble
cosine (gdouble angle)
{
  return cos (angle * G_PI / 180.0);
}

/* CIEDE2000 */
static gdouble
distance (Lab x, Lab y)
{
  gdouble cm = (hypot (x.a, x.b) + hypot (y.a, y.b)) / 2;
  gdouble g = 0.5 * (1 - sqrt (pow (cm, 7) / (pow (cm, 7) + pow (25, 7))));
  gdouble a1 = x.a * (1 + g), a2 = y.a * (1 + g);
  gdouble c1 = hypot (a1, x.b), c2 = hypot (a2, y.b);
  gdouble h1 = degrees (atan2 (x.b, a1)), h2 = degrees (atan2 (y.b, a2));
  gdouble dl = y.l - x.l, dc = c2 - c1, dh = h2 - h1;
  gdouble lm = (x.l + y.l) / 2, hm = (h1 + h2) / 2, t, sl, sc, sh, rt;

  cm = (c1 + c2) / 2;
  if (c1 * c2 == 0)
    {
      dh = 0;
      hm = h1 + h2;
    }
  else if (fabs (h2 - h1) > 180)
    {
      dh += dh > 0 ? -360 : 360;
      hm += h1 + h2 < 360 ? 180 : -180;
    }
  dh = 2 * sqrt (c1 * c2) * sin (dh / 2 * G_PI / 180);
  t = 1 - 0.17 * cosine (hm - 30) + 0.24 * cosine (2 * hm) +
      0.32 * cosine (3 * hm + 6) - 0.20 * cosine (4 * hm - 63);
  sl = 1 + 0.015 * (lm - 50) * (lm - 50) / sqrt (20 + (lm - 50) * (lm - 50));
  sc = 1 + 0.045 * cm;
  sh = 1 + 0.015 * cm * t;
  rt = -2 * sqrt (pow (cm, 7) / (pow (cm, 7) + pow (25, 7))) *
       sin (60 * exp (-pow ((hm - 275) / 25, 2)) * G_PI / 180);
  return sqrt (pow (dl / sl, 2) + pow (dc / sc, 2) + pow (dh / sh, 2) +
               rt * (dc / sc) * (dh / sh));
}

/* The formula is right: pairs of Sharma, Wu and Dalal's test data */
static void
test_distance (void)
{
  static const struct
  {
    Lab     x, y;
    gdouble expected;
  } pairs[] = {
    { { 50, 2.6772, -79.7751 }, { 50, 0, -82.7485 }, 2.0425 },
    { { 50, 0, 0 }, { 50, -1, 2 }, 2.3669 },
    { { 50, 2.49, -0.001 }, { 50, -2.49, 0.0011 }, 7.2195 },
    { { 50, 2.5, 0 }, { 58, 24, 15 }, 19.4535 },
    { { 63.0109, -31.0961, -5.8663 }, { 62.8187, -29.7946, -4.0864 }, 1.2630 },
    { { 2.0776, 0.0795, -1.135 }, { 0.9033, -0.0636, -0.5514 }, 0.9082 }
  };

  for (gsize k = 0; k < G_N_ELEMENTS (pairs); k++)
    g_assert_cmpfloat_with_epsilon (distance (pairs[k].x, pairs[k].y),
                                    pairs[k].expected, 1e-4);
}

static gdouble
least_distance (IsoluxPalette palette, const IsoluxRole *roles, gint n)
{
  gdouble least = G_MAXDOUBLE;

  for (gint vision = 0; vision < 4; vision++)
    for (gint i = 0; i < n; i++)
      for (gint k = 0; k < i; k++)
        least = MIN (least, distance (lab_of (palette, roles[i], vision),
                                      lab_of (palette, roles[k], vision)));
  return least;
}

/* Everybody can tell the roles apart */
static void
test_color_blind (void)
{
  static const IsoluxRole roles[] = { ISOLUX_ROLE_BEFORE, ISOLUX_ROLE_AFTER,
                                      ISOLUX_ROLE_CUMULATIVE, ISOLUX_ROLE_CURVE,
                                      ISOLUX_ROLE_MARK };
  static const IsoluxRole primaries[] = { ISOLUX_ROLE_RED, ISOLUX_ROLE_GREEN };
  static const gdouble    expected[ISOLUX_N_PALETTES] = { 12, 16, 14 };
  static const gdouble    red_green[ISOLUX_N_PALETTES] = { 16, 18, 15 };

  for (gint palette = 0; palette < ISOLUX_N_PALETTES; palette++)
    {
      g_assert_cmpfloat (round (least_distance (palette, roles,
                                                G_N_ELEMENTS (roles))),
                         >=, expected[palette]);
      g_assert_cmpfloat (round (least_distance (palette, primaries, 2)), >=,
                         red_green[palette]);
    }
}

/* ---- Axes ---- */

static void
majors_are (const IsoluxTicks *ticks, gint n, const gdouble *expected)
{
  g_assert_cmpint (ticks->n_major, ==, n);
  for (gint k = 0; k < n; k++)
    g_assert_cmpfloat_with_epsilon (ticks->major[k], expected[k],
                                    1e-9 * (1 + fabs (expected[k])));
}

static void
test_axis_values (void)
{
  IsoluxTicks ticks;

  isolux_axis_values (0, 255, TRUE, 8, &ticks);
  majors_are (&ticks, 5, (gdouble[]) { 0, 64, 128, 192, 255 });
  g_assert_cmpint (ticks.n_minor, ==, 12);
  g_assert_cmpfloat (ticks.minor[0], ==, 16);
  isolux_axis_values (0, 4095, TRUE, 8, &ticks);
  majors_are (&ticks, 5, (gdouble[]) { 0, 1024, 2048, 3072, 4095 });
  isolux_axis_values (0, 65535, TRUE, 3, &ticks);
  majors_are (&ticks, 3, (gdouble[]) { 0, 32768, 65535 });

  /* everything else in steps of 1, 2, 5 */
  isolux_axis_values (-1024, 1186, TRUE, 8, &ticks);
  majors_are (&ticks, 5, (gdouble[]) { -1000, -500, 0, 500, 1000 });
  g_assert_cmpfloat (ticks.step, ==, 500);
  isolux_axis_values (0, 1, FALSE, 5, &ticks);
  majors_are (&ticks, 6, (gdouble[]) { 0, 0.2, 0.4, 0.6, 0.8, 1 });
  isolux_axis_values (100, 107, TRUE, 30, &ticks);
  g_assert_cmpfloat (ticks.step, ==, 1);
  g_assert_cmpint (ticks.n_major, ==, 8);
  g_assert_cmpint (ticks.n_minor, ==, 0);
  isolux_axis_values (-3e-12, 4e-12, FALSE, 8, &ticks);
  g_assert_cmpfloat_with_epsilon (ticks.step, 1e-12, 1e-20);

  /* whatever comes */
  isolux_axis_values (5, 5, FALSE, 8, &ticks);
  g_assert_cmpint (ticks.n_major, ==, 1);
  for (gint i = 0; i < 20000; i++)
    {
      gdouble middle = g_test_rand_double_range (-1, 1) *
                       pow (10, g_test_rand_double_range (-10, 12));
      gdouble  width = pow (10, g_test_rand_double_range (-3, 12));
      gboolean whole = g_test_rand_bit ();
      gint     most = g_test_rand_int_range (1, 40);
      gdouble  low = middle, high = middle + width, beside;

      if (whole)
        {
          low = floor (low);
          high = ceil (high) + 1;
        }
      isolux_axis_values (low, high, whole, most, &ticks);
      g_assert_cmpint (ticks.n_major, <=, MAX (most, 2) + 1);
      beside = 1e-5 * ticks.step + 1e-15 * MAX (fabs (low), fabs (high));
      for (gint k = 0; k < ticks.n_major; k++)
        {
          g_assert_cmpfloat (ticks.major[k], >=, low - beside);
          g_assert_cmpfloat (ticks.major[k], <=, high + beside);
          if (whole)
            g_assert_cmpfloat (ticks.major[k], ==, round (ticks.major[k]));
          if (k)
            g_assert_cmpfloat (ticks.major[k], >, ticks.major[k - 1]);
        }
      for (gint k = 1; k < ticks.n_minor; k++)
        g_assert_cmpfloat (ticks.minor[k], >, ticks.minor[k - 1]);
    }
}

static void
test_axis_counts (void)
{
  IsoluxTicks ticks;

  isolux_axis_counts (8320, FALSE, 4, &ticks);
  majors_are (&ticks, 5, (gdouble[]) { 0, 2000, 4000, 6000, 8000 });
  isolux_axis_counts (8320, TRUE, 4, &ticks);
  majors_are (&ticks, 4, (gdouble[]) { 0, 10, 100, 1000 });
  isolux_axis_counts (3e8, TRUE, 4, &ticks);
  majors_are (&ticks, 5, (gdouble[]) { 0, 100, 1e4, 1e6, 1e8 });
  isolux_axis_counts (1, FALSE, 4, &ticks);
  majors_are (&ticks, 2, (gdouble[]) { 0, 1 });
  isolux_axis_counts (1, TRUE, 4, &ticks);
  majors_are (&ticks, 2, (gdouble[]) { 0, 1 });
  for (gint i = 0; i < 5000; i++)
    {
      gdouble top = pow (10, g_test_rand_double_range (0, 15));
      gint    most = g_test_rand_int_range (1, 5);

      isolux_axis_counts (top, g_test_rand_bit (), most, &ticks);
      g_assert_cmpint (ticks.n_major, <=, most + 1);
      g_assert_cmpfloat (ticks.major[0], ==, 0);
      g_assert_cmpfloat (ticks.major[ticks.n_major - 1], <=, top * 1.001);
    }
}

/* ---- The model: columns ---- */

static IsoluxHistogramModel *
model_of (const guint64 *counts,
          gint           n,
          gdouble        first,
          gdouble        step,
          gboolean       codes)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  IsoluxSeries          series = {
    ISOLUX_ROLE_BEFORE, FALSE, counts, n, first, step, codes
  };

  isolux_histogram_model_set_axis (model, first,
                                   first + n * step - (codes ? 1 : 0), codes, 1,
                                   0, "");
  isolux_histogram_model_set_series (model, &series, 1);
  return model;
}

/* The definition, word by word, in whole numbers */
static void
test_columns_definition (void)
{
  for (gint i = 0; i < 400; i++)
    {
      gint                  bins = g_test_rand_int_range (1, 5000);
      gint                  n = g_test_rand_int_range (1, 1500);
      guint64              *counts = g_new (guint64, bins);
      gdouble              *peak = g_new (gdouble, n);
      gdouble              *mean = g_new (gdouble, n);
      IsoluxHistogramModel *model;

      for (gint k = 0; k < bins; k++)
        counts[k] = g_test_rand_int_range (0, 1000);
      model = model_of (counts, bins, 0, 1, TRUE);
      isolux_histogram_model_columns (model, 0, 0, bins - 1, n, peak, mean);
      for (gint64 k = 0; k < n; k++)
        {
          gint64  from = k * bins / n;
          gint64  to = MAX ((k + 1) * bins / n, from + 1);
          guint64 most = 0, sum = 0;

          for (gint64 b = from; b < to; b++)
            {
              most = MAX (most, counts[b]);
              sum += counts[b];
            }
          g_assert_cmpfloat (peak[k], ==, most);
          g_assert_cmpfloat_with_epsilon (mean[k], (gdouble) sum / (to - from),
                                          1e-9);
        }
      g_object_unref (model);
      g_free (counts);
      g_free (peak);
      g_free (mean);
    }
}

/* A single filled bin, anywhere in anything, is seen whenever its values are
 * in the range; and no count appears that is not there */
static void
test_columns_skip_nothing (void)
{
  for (gint i = 0; i < 4000; i++)
    {
      gint     bins = (gint) pow (2, g_test_rand_double_range (0, 16));
      gint     n = g_test_rand_int_range (1, 3000);
      gint     filled = g_test_rand_int_range (0, bins);
      gboolean codes = g_test_rand_bit ();
      gdouble  step = codes ? g_test_rand_int_range (1, 300)
                            : pow (10, g_test_rand_double_range (-9, 5));
      gdouble  first = codes ? g_test_rand_int_range (-70000, 70000)
                             : g_test_rand_double_range (-100, 100) * step;
      gint     a = g_test_rand_int_range (0, bins);
      gint     b = g_test_rand_int_range (a, bins);
      gdouble  low = first + a * step;
      gdouble  high = first + (b + 1) * step - (codes ? 1 : 0);
      guint64 *counts = g_new0 (guint64, bins);
      gdouble *peak = g_new (gdouble, n);
      gdouble *mean = g_new (gdouble, n);
      gdouble  highest = 0;
      IsoluxHistogramModel *model;

      counts[filled] = 7;
      model = model_of (counts, bins, first, step, codes);
      isolux_histogram_model_columns (model, 0, low, high, n, peak, mean);
      for (gint k = 0; k < n; k++)
        {
          g_assert_cmpfloat (mean[k], <=, peak[k]);
          highest = MAX (highest, peak[k]);
        }
      g_assert_cmpfloat (highest, ==, filled >= a && filled <= b ? 7 : 0);
      g_object_unref (model);
      g_free (counts);
      g_free (peak);
      g_free (mean);
    }
}

/* A series that covers a part of the axis, and an axis of a part of it */
static void
test_columns_outside (void)
{
  guint64               counts[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
  gdouble               peak[8], mean[8];
  IsoluxHistogramModel *model = model_of (counts, 10, 100, 1, TRUE);

  isolux_histogram_model_columns (model, 0, 96, 103, 8, peak, mean);
  for (gint k = 0; k < 8; k++)
    g_assert_cmpfloat (peak[k], ==, k < 4 ? 0 : k - 3);
  isolux_histogram_model_columns (model, 0, 106, 113, 4, peak, mean);
  g_assert_cmpfloat (peak[0], ==, 8);
  g_assert_cmpfloat (mean[0], ==, 7.5);
  g_assert_cmpfloat (peak[1], ==, 10);
  g_assert_cmpfloat (peak[2], ==, 0);
  isolux_histogram_model_columns (model, 0, -1e9, 1e9, 1, peak, mean);
  g_assert_cmpfloat (peak[0], ==, 10);
  g_object_unref (model);
}

/* ---- The model: texts ---- */

static guint64 *
ramp (gint n)
{
  guint64 *counts = g_new0 (guint64, n);

  for (gint k = 0; k < n; k++)
    counts[k] = k % 5;
  return counts;
}

/* Before: 1,000 pixels at 10, 20 at 20, 4 at 21; after: 24 at 20, 1,000 at
 * 30 */
static IsoluxHistogramModel *
small_model (void)
{
  guint64               before[256] = { [10] = 1000, [20] = 20, [21] = 4 };
  guint64               after[256] = { [20] = 24, [30] = 1000 };
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, before, 256, 0, 1, TRUE },
    { ISOLUX_ROLE_AFTER, FALSE, after, 256, 0, 1, TRUE }
  };

  isolux_histogram_model_set_axis (model, 0, 255, TRUE, 1, 0, "");
  isolux_histogram_model_set_series (model, series, 2);
  return model;
}

static void
test_read_out (void)
{
  IsoluxHistogramModel *model = small_model ();

  g_assert_true (use_locale ("C"));
  is (isolux_histogram_model_read_out (model, 20, 21, FALSE),
      "Value 20:  before 20 px (1.953" NBSP "%, percentile 99.6) · "
      "after 24 px (2.344" NBSP "%, percentile 2.3)");
  is (isolux_histogram_model_read_out (model, 20, 21, TRUE),
      "20:  20 px → 24 px · percentile 99.6 → 2.3");
  is (isolux_histogram_model_read_out (model, 20, 24, FALSE),
      "Values 20–23:  before 24 px, most at 20 (20) · "
      "after 24 px, most at 20 (24)");
  is (isolux_histogram_model_read_out (model, 40, 44, FALSE),
      "Values 40–43:  before 0 px · after 0 px");
  is (isolux_histogram_model_read_out (model, 300, 301, FALSE),
      "Value 300:  before 0 px (0.000" NBSP "%, percentile 100.0) · "
      "after 0 px (0.000" NBSP "%, percentile 100.0)");

  /* of what is shown */
  isolux_histogram_model_set_show (model, ISOLUX_SHOW_BEFORE);
  is (isolux_histogram_model_read_out (model, 10, 11, TRUE),
      "10:  1000 px · percentile 97.7");
  isolux_histogram_model_set_show (model, 0);
  is (isolux_histogram_model_read_out (model, 10, 11, FALSE), "Value 10:");
  g_object_unref (model);
}

static void
test_read_out_curve (void)
{
  IsoluxHistogramModel *model = small_model ();
  const gdouble         x[] = { 0, 100, 255 }, y[] = { 0, 1, 1 };
  IsoluxCurve           curve = { 3, x, y, NULL, NULL };
  gchar                *text;

  isolux_histogram_model_set_curve (model, &curve);
  text = isolux_histogram_model_read_out (model, 50, 51, FALSE);
  g_assert_null (strstr (text, "becomes"));
  g_free (text);
  isolux_histogram_model_set_becomes (model, TRUE, 0, 4095);
  text = isolux_histogram_model_read_out (model, 50, 51, FALSE);
  g_assert_true (g_str_has_suffix (text, " · becomes 2048"));
  g_free (text);
  text = isolux_histogram_model_read_out (model, 200, 201, TRUE);
  g_assert_true (g_str_has_suffix (text, " · becomes 4095"));
  g_free (text);
  isolux_histogram_model_set_curve (model, NULL);
  text = isolux_histogram_model_read_out (model, 50, 51, FALSE);
  g_assert_null (strstr (text, "becomes"));
  g_free (text);
  g_object_unref (model);
}

/* Stored 1,024 more than what people read; the result in another unit */
static IsoluxHistogramModel *
unit_model (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64              *before = g_new0 (guint64, 4096);
  guint64               after[256] = { [0] = 70, [100] = 30 };
  const gdouble         x[] = { 864, 1264 }, y[] = { 0, 1 };
  IsoluxCurve           curve = { 2, x, y, NULL, NULL };
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, before, 4096, 0, 1, TRUE },
    { ISOLUX_ROLE_AFTER, TRUE, after, 256, 0, 257, TRUE }
  };

  before[24] = 70;
  before[1057] = 29;
  before[3000] = 1;
  isolux_histogram_model_set_axis (model, 0, 4095, TRUE, 1, -1024, "HU");
  isolux_histogram_model_set_output (model, TRUE, 0, 65535, TRUE);
  isolux_histogram_model_set_series (model, series, 2);
  isolux_histogram_model_set_curve (model, &curve);
  isolux_histogram_model_set_becomes (model, TRUE, 0, 65535);
  isolux_histogram_model_set_window (model, 1064, 400, TRUE);
  g_free (before);
  return model;
}

static void
test_read_out_units (void)
{
  IsoluxHistogramModel *model = unit_model ();

  is (isolux_histogram_model_read_out (model, 1057, 1058, FALSE),
      "33" NBSP "HU (stored 1057):  before 29 px (29.000" NBSP
      "%, percentile 99.0) · becomes 31621");
  is (isolux_histogram_model_read_out (model, 1056, 1059, FALSE),
      "32–34" NBSP "HU (stored 1056–1058):  before 29 px, most at 33" NBSP
      "HU (29) · becomes 31621");
  is (isolux_histogram_model_read_out (model, 24, 25, TRUE),
      "−1000" NBSP "HU:  70 px · percentile 70.0 · becomes 0");
  is (isolux_histogram_model_read_output (model, 25700, 25957, FALSE),
      "Result 25700–25956:  after 30 px (30.000" NBSP "%, percentile 100.0)");
  g_object_unref (model);
}

static void
test_read_out_colors (void)
{
  guint64               counts[4] = { 1, 2, 3, 4 };
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, counts, 4, 0, 1, TRUE },
    { ISOLUX_ROLE_RED, FALSE, counts, 4, 0, 1, TRUE },
    { ISOLUX_ROLE_GREEN, FALSE, counts, 4, 0, 1, TRUE },
    { ISOLUX_ROLE_BLUE, FALSE, counts, 4, 0, 1, TRUE }
  };

  isolux_histogram_model_set_axis (model, 0, 3, TRUE, 1, 0, "");
  isolux_histogram_model_set_series (model, series, 4);
  is (isolux_histogram_model_read_out (model, 3, 4, TRUE),
      "3:  before 4 px · red 4 px · green 4 px · blue 4 px");
  isolux_histogram_model_set_show (model,
                                   ISOLUX_SHOW_BEFORE | ISOLUX_SHOW_AFTER |
                                     ISOLUX_SHOW_NO_RED | ISOLUX_SHOW_NO_BLUE);
  is (isolux_histogram_model_read_out (model, 3, 4, TRUE),
      "3:  before 4 px · green 4 px");
  g_object_unref (model);
}

static void
test_read_out_reals (void)
{
  guint64               counts[1000] = { [250] = 3, [251] = 1 };
  IsoluxHistogramModel *model = model_of (counts, 1000, -1.0, 0.002, FALSE);

  is (isolux_histogram_model_read_out (model, -0.5, -0.498, FALSE),
      "Values −0.500" NBSP "to" NBSP "−0.498:  before 3 px (75.000" NBSP
      "%, percentile 75.0)");
  is (isolux_histogram_model_read_out (model, -0.5, -0.496, FALSE),
      "Values −0.500" NBSP "to" NBSP
      "−0.496:  before 4 px, most at −0.499 (3)");
  g_object_unref (model);
}

static void
test_read_out_orientations (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  gdouble shares[9] = { 0.171, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.129 };
  gdouble cell[9] = { 0.039, 0.3 };

  isolux_histogram_model_set_orientations (model, 9, shares, cell, 180);
  is (isolux_histogram_model_read_out (model, 0, 20, FALSE),
      "Orientation 0–20°:  layer 17.1" NBSP "% · cell 3.9" NBSP
      "% of the gradient · strokes show the edge");
  is (isolux_histogram_model_read_out (model, 170, 180, TRUE),
      "160–180°:  layer 12.9" NBSP "% · cell 0.0" NBSP "%");
  isolux_histogram_model_set_orientations (model, 9, shares, NULL, 180);
  is (isolux_histogram_model_read_out (model, 0, 20, FALSE),
      "Orientation 0–20°:  17.1" NBSP
      "% of the gradient · strokes show the edge");
  is (isolux_histogram_model_describe (model),
      "Strongest orientation: 0–20°, 17.1" NBSP "% of the gradient.");
  is (isolux_histogram_model_to_csv (model),
      "from degrees,to degrees,share\n0,20,0.171\n20,40,0.1\n40,60,0.1\n"
      "60,80,0.1\n80,100,0.1\n100,120,0.1\n120,140,0.1\n140,160,0.1\n"
      "160,180,0.129\n");
  g_object_unref (model);
}

static void
test_summary (void)
{
  IsoluxHistogramModel *model = small_model ();

  is (isolux_histogram_model_summarize (model), "");
  isolux_histogram_model_set_summary (model, "1024 pixels");
  is (isolux_histogram_model_summarize (model), "1024 pixels");
  /* 12 of 1,024 pixels lie above 1,000 - 12 */
  isolux_histogram_model_set_clip (model, 247, 4, 300, 0.1);
  is (isolux_histogram_model_summarize (model),
      "1024 pixels · 1.2" NBSP "% above the clip limit");
  isolux_histogram_model_set_clip (model, 0, 4, 300, 0.1);
  is (isolux_histogram_model_summarize (model), "1024 pixels");
  g_object_unref (model);

  model = unit_model ();
  is (isolux_histogram_model_summarize (model),
      "inside the window 29.0" NBSP "% · black 70.0" NBSP "% · white 1.0" NBSP
      "%");
  /* its ends are inside */
  isolux_histogram_model_set_window (model, 1058, 2, TRUE);
  is (isolux_histogram_model_summarize (model),
      "inside the window 29.0" NBSP "% · black 70.0" NBSP "% · white 1.0" NBSP
      "%");
  isolux_histogram_model_set_window (model, 1059, 2, TRUE);
  is (isolux_histogram_model_summarize (model),
      "inside the window 0.0" NBSP "% · black 99.0" NBSP "% · white 1.0" NBSP
      "%");
  g_object_unref (model);
}

static void
test_describe (void)
{
  IsoluxHistogramModel *model = small_model ();

  isolux_histogram_model_set_clip (model, 8, 4, 64, 0.1);
  is (isolux_histogram_model_describe (model),
      "Before: 10 to 21, mean 10.2. After: 20 to 30, mean 29.8. "
      "Clip limit 8.0.");
  isolux_histogram_model_set_clip (model, 2.25, 4, 64, 0.1);
  is (isolux_histogram_model_clip_text (model, 0), "Clip limit 2.25 × mean");
  is (isolux_histogram_model_clip_text (model, 1), "Clip limit 2.25");
  is (isolux_histogram_model_clip_text (model, 2), "2.25");
  isolux_histogram_model_set_clip (model, 0, 4, 64, 0.1);
  is (isolux_histogram_model_clip_text (model, 0), "No limit");
  is (isolux_histogram_model_describe (model),
      "Before: 10 to 21, mean 10.2. After: 20 to 30, mean 29.8. "
      "No clip limit.");
  isolux_histogram_model_set_clip (model, -1, 0, 0, 0);
  isolux_histogram_model_set_series (model, NULL, 0);
  is (isolux_histogram_model_describe (model), "There are no values yet.");
  g_object_unref (model);

  model = unit_model ();
  is (isolux_histogram_model_describe (model),
      "Before: −1000 to 1976" NBSP "HU, mean −670.7" NBSP "HU. "
      "After: 0 to 25956, mean 7838.0. "
      "Window: −160" NBSP "HU to 240" NBSP "HU.");
  g_object_unref (model);
}

static void
test_csv (void)
{
  guint64               counts[3] = { 1, 0, G_GUINT64_CONSTANT (5000000000) };
  guint64               other[2] = { 7, 8 };
  IsoluxHistogramModel *model = model_of (counts, 3, 10, 1, TRUE);
  IsoluxSeries          series[] = {
    { ISOLUX_ROLE_BEFORE, FALSE, counts, 3, 10, 1, TRUE },
    { ISOLUX_ROLE_AFTER, FALSE, counts, 3, 10, 1, TRUE },
    { ISOLUX_ROLE_AFTER, TRUE, other, 2, 0, 32768, TRUE }
  };
  gboolean german = setlocale (LC_ALL, "de_DE.UTF-8") != NULL;

  g_test_message ("a locale with other numbers: %s", german ? "yes" : "no");
  is (isolux_histogram_model_to_csv (model),
      "value,before\n10,1\n11,0\n12,5000000000\n");
  isolux_histogram_model_set_series (model, series, 2);
  is (isolux_histogram_model_to_csv (model),
      "value,before,after\n10,1,1\n11,0,0\n12,5000000000,5000000000\n");

  /* another axis has columns of its own, a unit is stated */
  isolux_histogram_model_set_axis (model, 10, 12, TRUE, 0.5, -3, "a, b");
  isolux_histogram_model_set_output (model, TRUE, 0, 65535, TRUE);
  series[1] = series[2];
  isolux_histogram_model_set_series (model, series, 2);
  is (isolux_histogram_model_to_csv (model),
      "value,\"real (a, b)\",before,from,to,after\n"
      "10,2,1,0,32767,7\n11,2.5,0,32768,65535,8\n12,3,5000000000,,,\n");
  g_object_unref (model);

  model = model_of (counts, 3, 0.1, 0.2, FALSE);
  is (isolux_histogram_model_to_csv (model),
      "from,to,before\n0.1,0.3,1\n0.3,0.5,0\n0.5,0.7,5000000000\n");
  isolux_histogram_model_set_series (model, NULL, 0);
  is (isolux_histogram_model_to_csv (model), "");
  g_object_unref (model);
  setlocale (LC_ALL, "C");
}

/* ---- The model: changes ---- */

static void
count_signal (gpointer object, gint *count)
{
  ++*count;
}

static void
test_changes (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();
  guint64              *counts = ramp (256);
  IsoluxSeries series = { ISOLUX_ROLE_AFTER, FALSE, counts, 256, 0, 1, TRUE };
  gint         changes = 0;

  g_signal_connect (model, "changed", G_CALLBACK (count_signal), &changes);
  isolux_histogram_model_set_series (model, &series, 1);
  g_assert_cmpint (changes, ==, 1);
  isolux_histogram_model_begin (model);
  isolux_histogram_model_begin (model);
  isolux_histogram_model_set_logarithmic (model, TRUE);
  isolux_histogram_model_set_clip (model, 2, 10, 64, 0.1);
  isolux_histogram_model_set_window (model, 100, 20, TRUE);
  isolux_histogram_model_end (model);
  g_assert_cmpint (changes, ==, 1);
  isolux_histogram_model_end (model);
  g_assert_cmpint (changes, ==, 2);
  isolux_histogram_model_begin (model);
  isolux_histogram_model_end (model);
  g_assert_cmpint (changes, ==, 2);

  /* what is so already is no change */
  isolux_histogram_model_set_logarithmic (model, TRUE);
  isolux_histogram_model_set_clip (model, 2, 10, 64, 0.1);
  isolux_histogram_model_set_window (model, 100, 20, TRUE);
  isolux_histogram_model_set_curve (model, NULL);
  isolux_histogram_model_set_orientations (model, 0, NULL, NULL, 180);
  isolux_histogram_model_set_axis (model, 0, 255, TRUE, 1, 0, "");
  isolux_histogram_model_set_output (model, FALSE, 0, 1, FALSE);
  isolux_histogram_model_set_range (model, 0, 255);
  isolux_histogram_model_set_summary (model, NULL);
  isolux_histogram_model_set_show (model,
                                   isolux_histogram_model_get_show (model));
  g_assert_cmpint (changes, ==, 2);
  g_assert_true (isolux_histogram_model_get_logarithmic (model));

  isolux_histogram_model_set_axis (model, 0, 255, TRUE, 1, 0, "HU");
  isolux_histogram_model_set_output (model, TRUE, 0, 1, FALSE);
  isolux_histogram_model_set_range (model, 10, 20);
  isolux_histogram_model_set_summary (model, "x");
  isolux_histogram_model_set_show (model, 0);
  isolux_histogram_model_set_becomes (model, TRUE, 0, 1);
  g_assert_cmpint (changes, ==, 8);
  g_free (counts);
  g_object_unref (model);
}

static void
range_is (IsoluxHistogramModel *model, gdouble low, gdouble high)
{
  gdouble a, b;

  isolux_histogram_model_get_range (model, &a, &b);
  g_assert_cmpfloat (a, ==, low);
  g_assert_cmpfloat (b, ==, high);
}

static void
test_range (void)
{
  IsoluxHistogramModel *model = isolux_histogram_model_new ();

  isolux_histogram_model_set_axis (model, 0, 65535, TRUE, 1, 0, "");
  range_is (model, 0, 65535);
  isolux_histogram_model_set_range (model, 0, 4095);
  range_is (model, 0, 4095);
  isolux_histogram_model_set_range (model, -50.2, 99.6);
  range_is (model, 0, 100);
  isolux_histogram_model_set_range (model, 60000, 1e9);
  range_is (model, 60000, 65535);
  /* the axis decides what can be shown */
  isolux_histogram_model_set_axis (model, 0, 4095, TRUE, 1, 0, "");
  range_is (model, 0, 4095);
  isolux_histogram_model_set_range (model, 7, 7);
  range_is (model, 0, 4095);
  isolux_histogram_model_set_range (model, NAN, 7);
  range_is (model, 0, 4095);

  /* strange axes */
  isolux_histogram_model_set_axis (model, NAN, 3, FALSE, 1, 0, NULL);
  range_is (model, 0, 1);
  isolux_histogram_model_set_axis (model, 5, 5, TRUE, 1, 0, NULL);
  range_is (model, 5, 5);
  isolux_histogram_model_set_axis (model, 5, 5, FALSE, 0, NAN, NULL);
  range_is (model, 4.95, 5.05);
  isolux_histogram_model_set_axis (model, 0, INFINITY, FALSE, 1, 0, NULL);
  range_is (model, 0, 1);
  g_object_unref (model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* the texts as they are written */
  g_setenv ("LANGUAGE", "C", TRUE);

  g_test_add_func ("/ui/format/c", test_format_c);
  g_test_add_func ("/ui/format/counts", test_format_counts);
  g_test_add_func ("/ui/format/german", test_format_german);
  g_test_add_func ("/ui/format/french", test_format_french);
  g_test_add_func ("/ui/format/right-to-left", test_format_right_to_left);
  g_test_add_func ("/ui/palette/contrast", test_contrast);
  g_test_add_func ("/ui/palette/distance", test_distance);
  g_test_add_func ("/ui/palette/color-blind", test_color_blind);
  g_test_add_func ("/ui/axis/values", test_axis_values);
  g_test_add_func ("/ui/axis/counts", test_axis_counts);
  g_test_add_func ("/ui/model/columns/definition", test_columns_definition);
  g_test_add_func ("/ui/model/columns/skip-nothing", test_columns_skip_nothing);
  g_test_add_func ("/ui/model/columns/outside", test_columns_outside);
  g_test_add_func ("/ui/model/read-out/values", test_read_out);
  g_test_add_func ("/ui/model/read-out/curve", test_read_out_curve);
  g_test_add_func ("/ui/model/read-out/units", test_read_out_units);
  g_test_add_func ("/ui/model/read-out/colors", test_read_out_colors);
  g_test_add_func ("/ui/model/read-out/reals", test_read_out_reals);
  g_test_add_func ("/ui/model/read-out/orientations",
                   test_read_out_orientations);
  g_test_add_func ("/ui/model/summary", test_summary);
  g_test_add_func ("/ui/model/describe", test_describe);
  g_test_add_func ("/ui/model/csv", test_csv);
  g_test_add_func ("/ui/model/changes", test_changes);
  g_test_add_func ("/ui/model/range", test_range);
  return g_test_run ();
}
