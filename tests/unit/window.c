/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isolux_window() and its power. */
#include "unit.h"

#include <math.h>
#include <string.h>

/* ---- The power --------------------------------------------------- */

static void
test_power (void)
{
  static const gdouble powers[] = { 0.1, 0.4545, 0.5, 1.0, 2.2, 3.0, 10.0 };
  gdouble              worst = 0.0;
  gsize                p;
  gint                 k;

  for (p = 0; p < G_N_ELEMENTS (powers); p++)
    {
      g_assert_cmpfloat (isolux_power (0.0, powers[p]), ==, 0.0);
      g_assert_cmpfloat (isolux_power (1.0, powers[p]), ==, 1.0);
      for (k = 1; k < 20000; k++)
        {
          /* all scales down to 2^-60 */
          const gdouble x = ldexp (1.0 - k / 40000.0, -(k % 61));
          const gdouble wanted = pow (x, powers[p]);

          if (wanted > 1e-45)
            worst =
              MAX (worst, fabs (isolux_power (x, powers[p]) / wanted - 1.0));
        }
    }
  g_test_message ("off by %g at most", worst);
  g_assert_cmpfloat (worst, <, 1e-13);
}

static void
test_logarithm (void)
{
  gint k;

  for (k = -1000; k < 1000; k++)
    g_assert_cmpfloat (isolux_log2 (ldexp (1.0, k)), ==, (gdouble) k);
  for (k = 1; k < 100000; k++)
    g_assert_cmpfloat (fabs (isolux_log2 ((gdouble) k) - log2 ((gdouble) k)),
                       <=, 4e-16 * MAX (1.0, log2 ((gdouble) k)));
  for (k = -149; k <= 100; k++)
    g_assert_cmpfloat (fabs (isolux_exp2 (k + 0.37) / exp2 (k + 0.37) - 1.0), <,
                       1e-15);
  g_assert_cmpfloat (isolux_exp2 (-2000.0), ==, 0.0);
  g_assert_cmpfloat (isolux_exp2 (2000.0), ==, DBL_MAX);
}

/* ---- Pictures ---------------------------------------------------- */

static gpointer
window (IsoluxType                 type,
        gint64                     width,
        gint64                     height,
        gint                       components,
        gconstpointer              pixels,
        const IsoluxWindowOptions *options,
        gboolean                  *unchanged)
{
  IsoluxDevice  *device = test_cpu (0);
  IsoluxSurface *surface =
    surface_of (device, width, height, components, type, pixels);
  IsoluxReport report;
  GError      *error = NULL;
  gpointer     result;

  g_assert_true (isolux_window (surface, surface, options, &report, &error));
  g_assert_no_error (error);
  if (unchanged)
    *unchanged = report.unchanged;
  result = pixels_of (surface);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
  return result;
}

static void
test_arguments (void)
{
  static const gdouble wrong[] = { 0.0, -1.0, NAN, INFINITY };
  IsoluxDevice        *device = test_cpu (1);
  const guint8         pixels[4] = { 1, 2, 3, 4 };
  IsoluxSurface *surface = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, pixels);
  IsoluxWindowOptions options, defaults = ISOLUX_WINDOW_DEFAULTS;
  GError             *error = NULL;
  gsize               i;

#define REFUSED(member, value)                                               \
  options.member = (value);                                                  \
  g_assert_false (isolux_window (surface, surface, &options, NULL, &error)); \
  assert_error (error, ISOLUX_ERROR_ARGUMENT);                               \
  options = defaults

  options = defaults;
  REFUSED (low_percentile, -1.0);
  REFUSED (low_percentile, 99.5);
  REFUSED (low_percentile, NAN);
  REFUSED (high_percentile, 100.1);
  REFUSED (gamma, 0.09);
  REFUSED (gamma, 10.1);
  REFUSED (gamma, NAN);
  REFUSED (mode, (IsoluxWindowMode) 3);
  REFUSED (channels, (IsoluxEqualizeChannels) 2);
  REFUSED (weights[0], 0.9);
  options.mode = defaults.mode = ISOLUX_WINDOW_WINDOW;
  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      REFUSED (width, wrong[i]);
    }
  REFUSED (center, NAN);
  REFUSED (center, INFINITY);
  REFUSED (width, DBL_MAX * 1.5);
#undef REFUSED
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

static void
test_window_mode (void)
{
  const guint8        pixels[6] = { 0, 99, 100, 150, 200, 255 };
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  guint8             *result;

  options.mode = ISOLUX_WINDOW_WINDOW;
  options.center = 150;
  options.width = 100;
  result = window (ISOLUX_TYPE_U8, 6, 1, 1, pixels, &options, NULL);
  g_assert_cmpmem (result, 6, ((guint8[]) { 0, 0, 0, 128, 255, 255 }), 6);
  g_free (result);
  options.invert = TRUE;
  result = window (ISOLUX_TYPE_U8, 6, 1, 1, pixels, &options, NULL);
  g_assert_cmpmem (result, 6, ((guint8[]) { 255, 255, 255, 128, 0, 0 }), 6);
  g_free (result);
  options.gamma = 2.0; /* before the inversion */
  result = window (ISOLUX_TYPE_U8, 6, 1, 1, pixels, &options, NULL);
  g_assert_cmpmem (result, 6, ((guint8[]) { 255, 255, 255, 75, 0, 0 }), 6);
  g_free (result);
}

static void
test_colors (void)
{
  const guint8 pixels[12] = { 10, 20, 30, 50, 50, 50, 90, 40, 10, 60, 60, 60 };
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  guint8             *result;

  options.mode = ISOLUX_WINDOW_RANGE;
  options.weights[0] = 0.0;
  options.weights[1] = 1.0;
  options.weights[2] = 0.0;
  /* luma: green, 20 .. 60, for all alike */
  result = window (ISOLUX_TYPE_U8, 4, 1, 3, pixels, &options, NULL);
  g_assert_cmpmem (result, 12,
                   ((guint8[]) { 0, 0, 64, 191, 191, 191, 255, 128, 0, 255, 255,
                                 255 }),
                   12);
  g_free (result);
  /* 10 .. 90, 20 .. 60, 10 .. 60 */
  options.channels = ISOLUX_EQUALIZE_EACH;
  result = window (ISOLUX_TYPE_U8, 4, 1, 3, pixels, &options, NULL);
  g_assert_cmpmem (result, 12,
                   ((guint8[]) { 0, 0, 102, 128, 191, 204, 255, 128, 0, 159,
                                 255, 255 }),
                   12);
  g_free (result);
}

static void
test_degenerate (void)
{
  static const IsoluxWindowMode modes[] = { ISOLUX_WINDOW_PERCENTILE,
                                            ISOLUX_WINDOW_RANGE };
  const guint8                  constant[9] = { 7, 7, 7, 7, 7, 7, 7, 7, 7 };
  const guint16 transparent[8] = { 1, 0, 2, 0, 300, 0, 65535, 0 };
  const gfloat  nans[4] = { NAN, NAN, NAN, NAN };
  const gfloat  one[4] = { NAN, 0.1f, NAN, INFINITY };
  gsize         i;

  for (i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
      gboolean            unchanged;
      gpointer            result;

      options.mode = modes[i];
      options.gamma = 2.0;
      options.invert = TRUE;
#define STAYS(type, width, components, pixels)                                \
  result = window (type, width, 1, components, pixels, &options, &unchanged); \
  g_assert_true (unchanged);                                                  \
  g_assert_cmpmem (result, sizeof pixels, pixels, sizeof pixels);             \
  g_free (result)

      STAYS (ISOLUX_TYPE_U8, 9, 1, constant);
      STAYS (ISOLUX_TYPE_U8, 3, 3, constant);
      STAYS (ISOLUX_TYPE_U16, 4, 2, transparent);
      STAYS (ISOLUX_TYPE_F32, 4, 1, nans);
      STAYS (ISOLUX_TYPE_F32, 4, 1, one);
#undef STAYS
    }
}

static void
test_special_floats (void)
{
  const gfloat pixels[6] = { -3.0f, NAN, INFINITY, -INFINITY, 1e38f, 0.0f };
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  gfloat             *result;

  options.mode = ISOLUX_WINDOW_WINDOW;
  options.center = -1.0;
  options.width = 4.0;
  result = window (ISOLUX_TYPE_F32, 6, 1, 1, pixels, &options, NULL);
  g_assert_cmpfloat (result[0], ==, 0.0f);
  g_assert_true (isnan (result[1]));
  g_assert_cmpfloat (result[2], ==, 1.0f);
  g_assert_cmpfloat (result[3], ==, 0.0f);
  g_assert_cmpfloat (result[4], ==, 1.0f);
  g_assert_cmpfloat (result[5], ==, 0.75f);
  g_free (result);
}

/* One value far away: the percentiles are as fine as without it. */
static void
test_outliers (void)
{
  static const gfloat far[] = { 0.0f, 40.0f, -1e5f, 1e20f, -3e38f };
  gsize               i;

  for (i = 0; i < G_N_ELEMENTS (far); i++)
    {
      IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
      gfloat             *pixels = g_new (gfloat, 10001);
      gfloat             *result;
      gint                k;

      for (k = 0; k < 10000; k++)
        pixels[k] = 0.25f + k / 20000.0f;
      pixels[10000] = far[i];
      options.low_percentile = 10.0;
      options.high_percentile = 90.0;
      result = window (ISOLUX_TYPE_F32, 10001, 1, 1, pixels, &options, NULL);
      for (k = 0; k < 10000; k++)
        g_assert_cmpfloat (fabs (result[k] -
                                 CLAMP ((k - 1000.0) / 8000.0, 0.0, 1.0)),
                           <, 0.001);
      g_free (pixels);
      g_free (result);
    }
}

void
add_window_tests (void)
{
  g_test_add_func ("/window/power", test_power);
  g_test_add_func ("/window/logarithm", test_logarithm);
  g_test_add_func ("/window/arguments", test_arguments);
  g_test_add_func ("/window/window", test_window_mode);
  g_test_add_func ("/window/colors", test_colors);
  g_test_add_func ("/window/degenerate", test_degenerate);
  g_test_add_func ("/window/special-floats", test_special_floats);
  g_test_add_func ("/window/outliers", test_outliers);
}
