/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isolux_metrics(), isolux_contrast_map() and isolux_self_test(). */
#include "unit.h"

#include <math.h>
#include <string.h>

/* ---- Metrics ----------------------------------------------------- */

static IsoluxMetrics
compare (IsoluxSurface *first, IsoluxSurface *second)
{
  IsoluxMetrics m;
  IsoluxReport  report;
  GError       *error = NULL;

  g_assert_true (isolux_metrics (first, second, NULL, &m, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (report.warning, ==, "");
  return m;
}

static void
test_metrics_known (void)
{
  IsoluxDevice  *device = test_cpu (0);
  const guint8   a[4] = { 0, 255, 100, 101 }, b[4] = { 10, 255, 100, 103 };
  IsoluxSurface *first = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, a);
  IsoluxSurface *second = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, b);
  IsoluxMetrics  m = compare (first, second);

  g_assert_cmpuint (m.count, ==, 4);
  g_assert_cmpfloat (m.entropy[0], ==, 2.0);
  g_assert_cmpfloat (m.mean[0], ==, 114.0);
  g_assert_cmpfloat (m.mean[1], ==, 117.0);
  g_assert_cmpfloat (m.ambe, ==, 3.0);
  g_assert_cmpfloat (m.mse, ==, 26.0);
  g_assert_cmpfloat_with_epsilon (m.psnr, 10 * log10 (65025.0 / 26), 1e-12);
  g_assert_cmpfloat (m.saturated[0], ==, 0.5);
  g_assert_cmpfloat (m.saturated[1], ==, 0.25);
  g_assert_cmpfloat_with_epsilon (m.rms_contrast[0],
                                  sqrt ((114.0 * 114 + 141 * 141 + 14 * 14 +
                                         13 * 13) /
                                        4) /
                                    255,
                                  1e-15);
  /* no window of 7 x 7 */
  g_assert_true (isnan (m.ssim));
  m = compare (first, first);
  g_assert_cmpfloat (m.ssim, ==, 1.0);
  g_assert_true (isinf (m.psnr) && m.psnr > 0);
  g_assert_cmpfloat (m.mse, ==, 0.0);
  isolux_surface_unref (first);
  isolux_surface_unref (second);
  isolux_device_unref (device);
}

/* A single window, whose numbers are worked out by hand. */
static void
test_metrics_window (void)
{
  IsoluxDevice   *device = test_cpu (0);
  guint8          a[49], b[49];
  IsoluxSurface  *first, *second;
  IsoluxRectangle edge = { 0, 0, 3, 7 };
  IsoluxMetrics   m;
  const gdouble   c1 = 6.5025, c2 = 58.5225;
  gint            k;

  /* 0 .. 48: mean 24, sample variance 49 * 50 / 12; reversed: negative */
  for (k = 0; k < 49; k++)
    {
      a[k] = (guint8) k;
      b[k] = (guint8) (48 - k);
    }
  first = surface_of (device, 7, 7, 1, ISOLUX_TYPE_U8, a);
  second = surface_of (device, 7, 7, 1, ISOLUX_TYPE_U8, b);
  m = compare (first, second);
  g_assert_cmpfloat_with_epsilon (m.ssim,
                                  (2 * 576 + c1) * (c2 - 2 * 49 * 50 / 12.0) /
                                    ((2 * 576 + c1) *
                                     (c2 + 2 * 49 * 50 / 12.0)),
                                  1e-14);
  g_assert_cmpfloat (compare (first, first).ssim, ==, 1.0);
  /* the window's middle does not count */
  g_assert_true (isolux_surface_set_region (first, &edge, NULL, 0, NULL));
  m = compare (first, second);
  g_assert_cmpuint (m.count, ==, 21);
  g_assert_true (isnan (m.ssim));
  /* nothing counts */
  edge.width = 0;
  g_assert_true (isolux_surface_set_region (first, &edge, NULL, 0, NULL));
  m = compare (first, second);
  g_assert_cmpuint (m.count, ==, 0);
  g_assert_true (isnan (m.ssim) && isnan (m.psnr));
  g_assert_cmpfloat (m.mse, ==, 0.0);
  isolux_surface_unref (first);
  isolux_surface_unref (second);
  isolux_device_unref (device);
}

/* What does not count may hold anything. */
static void
test_metrics_counts (void)
{
  IsoluxDevice  *device = test_cpu (0);
  const gfloat   a[8] = { 0.5f, 1.0f, 0.25f, 1.0f, NAN, 1.0f, 9.0f, 0.0f };
  const gfloat   b[8] = { 0.5f, 0.0f, 0.75f, 0.0f, 0.5f, 1.0f, 1.0f, 1.0f };
  IsoluxSurface *first = surface_of (device, 4, 1, 2, ISOLUX_TYPE_F32, a);
  IsoluxSurface *second = surface_of (device, 4, 1, 2, ISOLUX_TYPE_F32, b);
  IsoluxMetrics  m = compare (first, second);

  g_assert_cmpuint (m.count, ==, 2);
  g_assert_cmpfloat (m.mean[0], ==, 0.375);
  g_assert_cmpfloat (m.mean[1], ==, 0.625);
  g_assert_cmpfloat (m.mse, ==, 0.125);
  isolux_surface_unref (first);
  isolux_surface_unref (second);
  isolux_device_unref (device);
}

static void
test_metrics_arguments (void)
{
  IsoluxDevice  *device = test_cpu (1);
  const guint8   pixels[12] = { 0 };
  const gdouble  wrong[3] = { 1.0, 1.0, 1.0 };
  IsoluxSurface *first = surface_of (device, 3, 1, 1, ISOLUX_TYPE_U8, pixels);
  IsoluxSurface *others[3];
  IsoluxMetrics  m;
  GError        *error = NULL;
  gint           i;

  others[0] = surface_of (device, 1, 3, 1, ISOLUX_TYPE_U8, pixels);
  others[1] = surface_of (device, 3, 1, 2, ISOLUX_TYPE_U8, pixels);
  others[2] = surface_of (device, 3, 1, 1, ISOLUX_TYPE_U16, pixels);
  for (i = 0; i < 3; i++)
    {
      g_assert_false (isolux_metrics (first, others[i], NULL, &m, NULL,
                                      &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      isolux_surface_unref (others[i]);
    }
  g_assert_false (isolux_metrics (first, first, wrong, &m, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_surface_unref (first);
  isolux_device_unref (device);
}

/* ---- Contrast map ------------------------------------------------ */

static void
test_contrast_arguments (void)
{
  IsoluxDevice  *device = test_cpu (1);
  const guint8   pixels[4] = { 0 };
  IsoluxSurface *surface = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, pixels);
  IsoluxContrastMapOptions options, defaults = ISOLUX_CONTRAST_MAP_DEFAULTS;
  GError                  *error = NULL;

#define REFUSED(member, value)                                           \
  options = defaults;                                                    \
  options.member = (value);                                              \
  g_assert_false (isolux_contrast_map (surface, surface, &options, NULL, \
                                       &error));                         \
  assert_error (error, ISOLUX_ERROR_ARGUMENT)

  REFUSED (tile_size, 1);
  REFUSED (tile_size, 65537);
  REFUSED (measure, (IsoluxContrastMeasure) 3);
  REFUSED (colors, (IsoluxContrastColors) 2);
  REFUSED (weights[1], 0.0);
#undef REFUSED
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

/* Constant images are black, noise of all codes is as light as can be. */
static void
test_contrast_ends (void)
{
  IsoluxDevice  *device = test_cpu (0);
  guint8        *pixels = g_malloc (64 * 64), *map;
  IsoluxSurface *surface;
  gint           measure, k;

  for (measure = 0; measure < 3; measure++)
    {
      IsoluxContrastMapOptions options = ISOLUX_CONTRAST_MAP_DEFAULTS;

      options.measure = (IsoluxContrastMeasure) measure;
      memset (pixels, 200, 64 * 64);
      surface = surface_of (device, 64, 64, 1, ISOLUX_TYPE_U8, pixels);
      g_assert_true (isolux_contrast_map (surface, surface, &options, NULL,
                                          NULL));
      map = pixels_of (surface);
      for (k = 0; k < 64 * 64; k++)
        g_assert_cmpuint (map[k], ==, 0);
      g_free (map);
      isolux_surface_unref (surface);
      for (k = 0; k < 64 * 64; k++)
        pixels[k] = measure ? (k & 1 ? 255 : 0)
                            : (guint8) (k * 4 % 256 + (k / 64) % 4);
      surface = surface_of (device, 64, 64, 1, ISOLUX_TYPE_U8, pixels);
      options.tile_size = 64;
      g_assert_true (isolux_contrast_map (surface, surface, &options, NULL,
                                          NULL));
      map = pixels_of (surface);
      for (k = 0; k < 64 * 64; k++)
        g_assert_cmpuint (map[k], ==, 255);
      g_free (map);
      isolux_surface_unref (surface);
    }
  g_free (pixels);
  isolux_device_unref (device);
}

static void
test_contrast_tiles (void)
{
  gint64 x;

  g_assert_cmpint (isolux_contrast_tiles (1, 32), ==, 1);
  g_assert_cmpint (isolux_contrast_tiles (64, 32), ==, 2);
  g_assert_cmpint (isolux_contrast_tiles (79, 32), ==, 2);
  g_assert_cmpint (isolux_contrast_tiles (80, 32), ==, 3);
  g_assert_cmpint (isolux_contrast_tiles (G_MAXINT32, 2), ==, 1 << 30);
  /* weights never jump */
  for (x = 1; x < 79; x++)
    {
      const IsoluxContrastPlace a = isolux_contrast_place (x - 1, 2, 32, 79);
      const IsoluxContrastPlace b = isolux_contrast_place (x, 2, 32, 79);
      const gdouble             before = a.before + a.weight;

      g_assert_cmpfloat (b.before + b.weight, >=, before);
      g_assert_cmpfloat (b.before + b.weight, <, before + 0.04);
    }
}

static const guint16 colors[256][3] =
#include "core/contrast-colors.h"
  ;

static gdouble
lightness (const guint16 rgb[3])
{
  static const gdouble weights[3] = { 0.2126729, 0.7151522, 0.0721750 };
  gdouble              y = 0.0;
  gint                 c;

  for (c = 0; c < 3; c++)
    {
      const gdouble v = rgb[c] / 65535.0;

      y += weights[c] *
           (v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4));
    }
  return y > 216.0 / 24389.0 ? 116.0 * cbrt (y) - 16.0 : y * 24389.0 / 27.0;
}

static void
test_contrast_colors (void)
{
  gint k;

  for (k = 0; k < 256; k++)
    g_assert_cmpfloat (fabs (lightness (colors[k]) - k / 2.55), <, 0.01);
  g_assert_cmpuint (colors[0][0] + colors[0][1] + colors[0][2], ==, 0);
  g_assert_cmpuint (MIN (MIN (colors[255][0], colors[255][1]), colors[255][2]),
                    ==, 65535);
}

/* Gray in, colors out, and the other way. */
static void
test_contrast_components (void)
{
  IsoluxDevice  *device = test_cpu (0);
  const guint8   gray[8] = { 0, 255, 10, 255, 90, 255, 200, 0 };
  guint8         rgb[12] = { 0 }, *map;
  IsoluxSurface *first = surface_of (device, 4, 1, 2, ISOLUX_TYPE_U8, gray);
  IsoluxSurface *second = surface_of (device, 4, 1, 3, ISOLUX_TYPE_U8, rgb);
  IsoluxContrastMapOptions options = ISOLUX_CONTRAST_MAP_DEFAULTS;
  GError                  *error = NULL;

  options.measure = ISOLUX_CONTRAST_RANGE;
  options.colors = ISOLUX_CONTRAST_COLORS;
  g_assert_true (isolux_contrast_map (first, second, &options, NULL, &error));
  map = pixels_of (second);
  /* 90 of 255: entry 90 */
  g_assert_cmpint (map[0], ==, (gint) rint (colors[90][0] / 257.0));
  g_assert_cmpint (map[5], ==, (gint) rint (colors[90][2] / 257.0));
  /* does not count: gray */
  g_assert_cmpmem (map + 9, 3, ((guint8[]) { 200, 200, 200 }), 3);
  g_free (map);
  g_assert_true (isolux_contrast_map (second, first, &options, NULL, &error));
  map = pixels_of (first);
  g_assert_cmpuint (map[1], ==, 255);
  g_free (map);
  isolux_surface_unref (first);
  isolux_surface_unref (second);
  isolux_device_unref (device);
}

/* ---- Self-test --------------------------------------------------- */

static void
self_test (IsoluxDevice *device)
{
  GError  *error = NULL;
  gchar   *text = NULL, **lines;
  gboolean right = isolux_self_test (device, &text, &error);
  gint     i;

  g_assert_no_error (error);
  g_assert_nonnull (text);
  lines = g_strsplit (text, "\n", -1);
  for (i = 0; lines[i]; i++)
    g_test_message ("%s", lines[i]);
  g_assert_cmpint (i, >, 10);
  g_assert_true (right);
  g_strfreev (lines);
  g_free (text);
}

static void
test_self_test (void)
{
  IsoluxDevice *device = test_cpu (3);

  self_test (device);
  isolux_device_unref (device);
}

static void
test_self_test_cuda (void)
{
  IsoluxDevice *device = test_cuda ();

  if (! device)
    return;
  self_test (device);
  isolux_device_unref (device);
}

void
add_measure_tests (void)
{
  g_test_add_func ("/metrics/known", test_metrics_known);
  g_test_add_func ("/metrics/window", test_metrics_window);
  g_test_add_func ("/metrics/counts", test_metrics_counts);
  g_test_add_func ("/metrics/arguments", test_metrics_arguments);
  g_test_add_func ("/contrast/arguments", test_contrast_arguments);
  g_test_add_func ("/contrast/ends", test_contrast_ends);
  g_test_add_func ("/contrast/tiles", test_contrast_tiles);
  g_test_add_func ("/contrast/colors", test_contrast_colors);
  g_test_add_func ("/contrast/components", test_contrast_components);
  g_test_add_func ("/self-test/cpu", test_self_test);
  g_test_add_func ("/self-test/cuda", test_self_test_cuda);
}
