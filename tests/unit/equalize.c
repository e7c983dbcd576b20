/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

static void
test_arguments (void)
{
  const guint8          pixels[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  IsoluxDevice         *device = test_cpu (1);
  IsoluxSurface        *source, *destination, *gray;
  IsoluxEqualizeOptions options;
  IsoluxReport          report;
  GError               *error = NULL;
  guint8               *back;
  gint                  i;

  source = surface_of (device, 2, 2, 3, ISOLUX_TYPE_U8, pixels);
  destination = surface_of (device, 2, 2, 3, ISOLUX_TYPE_U8, pixels);
  gray = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, pixels);
  for (i = 0; i < 13; i++)
    {
      options = (IsoluxEqualizeOptions) ISOLUX_EQUALIZE_DEFAULTS;
      switch (i)
        {
          case 0:
            options.channels = (IsoluxEqualizeChannels) -1;
            break;
          case 1:
            options.channels = (IsoluxEqualizeChannels) 2;
            break;
          case 2:
            options.clip_limit = -1e-300;
            break;
          case 3:
            options.clip_limit = 65536.001;
            break;
          case 4:
            options.clip_limit = NAN;
            break;
          case 5:
            options.clip_limit = INFINITY;
            break;
          case 6:
            options.skip_threshold = -0.001;
            break;
          case 7:
            options.skip_threshold = 1.001;
            break;
          case 8:
            options.skip_threshold = NAN;
            break;
          case 9:
            options.weights[0] = -0.1;
            options.weights[1] += 0.399;
            break;
          case 10:
            options.weights[1] += 0.0011;
            break;
          case 11:
            options.weights[1] -= 0.0011;
            break;
          case 12:
            options.weights[2] = NAN;
            break;
        }
      memset (&report, 0x55, sizeof report);
      g_assert_false (isolux_equalize (source, destination, &options, &report,
                                       &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_assert_false (isolux_equalize (source, destination, &options, NULL,
                                       NULL));
    }
  g_assert_false (isolux_equalize (source, gray, NULL, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  back = pixels_of (destination);
  g_assert_cmpmem (back, 12, pixels, 12);
  g_free (back);

  /* the ends of the ranges */
  options = (IsoluxEqualizeOptions) ISOLUX_EQUALIZE_DEFAULTS;
  options.clip_limit = 65536.0;
  options.skip_threshold = 1.0;
  options.weights[1] += 0.0009;
  g_assert_true (isolux_equalize (source, destination, &options, &report,
                                  &error));
  g_assert_no_error (error);
  g_assert_true (report.unchanged);
  isolux_surface_unref (source);
  isolux_surface_unref (destination);
  isolux_surface_unref (gray);
  isolux_device_unref (device);
}

/* Skipped exactly when the distance is at most the threshold. */
static void
test_skip (void)
{
  IsoluxDevice *device = test_cpu (1);
  gint          n, type;

  for (type = 0; type < 3; type++)
    for (n = 0; n < 30; n++)
      {
        Random random = random_new (test_seed (), 700u + (guint64) n);
        const IsoluxImage     image = { 40, 30, 1, (IsoluxType) type, 0 };
        Buffer                buffer;
        IsoluxSurface        *source, *destination;
        IsoluxHistogram      *h;
        IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
        IsoluxReport          report;
        gdouble               distance;
        gpointer              before, after;

        buffer_init (&buffer, &image, 0, 0);
        buffer_fill (&buffer, n % 2 ? VALUES_RANDOM : VALUES_NARROW, &random);
        source = surface_of (device, 40, 30, 1, image.type, buffer.view.data);
        destination =
          surface_of (device, 40, 30, 1, image.type, buffer.view.data);
        h = isolux_histogram (source, NULL, NULL, NULL);
        distance = isolux_histogram_uniformity (h, 0);
        g_assert_cmpfloat (distance, >, 0.0);
        before = pixels_of (source);

        options.skip_threshold = distance;
        g_assert_true (isolux_equalize (source, destination, &options, &report,
                                        NULL));
        g_assert_true (report.unchanged);
        after = pixels_of (destination);
        g_assert_cmpmem (after, buffer.row_bytes * 30, before,
                         buffer.row_bytes * 30);
        g_free (after);

        options.skip_threshold = nextafter (distance, 0.0);
        g_assert_true (isolux_equalize (source, destination, &options, &report,
                                        NULL));
        g_assert_false (report.unchanged);
        after = pixels_of (destination);
        g_assert_true (memcmp (after, before, buffer.row_bytes * 30) != 0);
        g_free (after);
        g_free (before);
        isolux_histogram_free (h);
        isolux_surface_unref (source);
        isolux_surface_unref (destination);
        buffer_clear (&buffer);
      }
  isolux_device_unref (device);
}

/* An image of one value comes back, in every type; so does one where
 * nothing counts. */
static void
test_constant (void)
{
  IsoluxDevice *device = test_cpu (1);
  gint          type, components, what, each;

  for (type = 0; type < 3; type++)
    for (components = 1; components <= 4; components++)
      for (what = 0; what < 3; what++)
        for (each = 0; each < 2; each++)
          {
            static const Values   values[] = { VALUES_CONSTANT, VALUES_ALPHA_0,
                                               VALUES_RANDOM };
            Random                random = random_new (test_seed (), 800u);
            const IsoluxImage     image = { 8, 8, components, (IsoluxType) type,
                                            0 };
            IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
            IsoluxReport          report;
            IsoluxSurface        *surface;
            Buffer                buffer;
            gpointer              back;

            if (what == 1 && components % 2)
              continue;
            options.channels = each ? ISOLUX_EQUALIZE_EACH
                                    : ISOLUX_EQUALIZE_LUMA;
            options.clip_limit = each ? 1.5 : 0.0;
            buffer_init (&buffer, &image, 0, 0);
            buffer_fill (&buffer, values[what], &random);
            surface = surface_of (device, 8, 8, components, image.type,
                                  buffer.view.data);
            if (what == 2)
              g_assert_true (isolux_surface_set_region (surface,
                                                        &(IsoluxRectangle) {
                                                          8, 0, 5, 5 },
                                                        NULL, 0, NULL));
            g_assert_true (isolux_equalize (surface, surface, &options, &report,
                                            NULL));
            g_assert_true (report.unchanged);
            back = pixels_of (surface);
            g_assert_cmpmem (back, buffer.row_bytes * 8, buffer.view.data,
                             buffer.row_bytes * 8);
            g_free (back);
            isolux_surface_unref (surface);
            buffer_clear (&buffer);
          }
  isolux_device_unref (device);
}

/* The public parts, put together, are the whole. */
static void
test_parts (gconstpointer kind)
{
  IsoluxDevice *device =
    GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda () : test_cpu (2);
  gint n;

  if (! device)
    return;
  for (n = 0; n < 300; n++)
    {
      Random            random = random_new (test_seed (), 900u + (guint64) n);
      const IsoluxImage image = { 1 + (gint64) random_below (&random, 50),
                                  1 + (gint64) random_below (&random, 50),
                                  1 + (gint) random_below (&random, 4),
                                  (IsoluxType) random_below (&random, 3), 0 };
      IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
      Buffer                buffer;
      IsoluxSurface        *source, *whole, *parts;
      IsoluxHistogram      *h;
      IsoluxLut            *lut;
      GError               *error = NULL;
      gpointer              a, b;

      options.clip_limit = n % 3 ? random_unit (&random) * 4.0 : 0.0;
      options.skip_threshold = n % 5 ? 0.0 : 0.2;
      buffer_init (&buffer, &image, 0, 0);
      buffer_fill (&buffer, (Values) random_below (&random, N_VALUES), &random);
      source = surface_of (device, image.width, image.height, image.components,
                           image.type, buffer.view.data);
      whole = surface_of (device, image.width, image.height, image.components,
                          image.type, buffer.view.data);
      parts = surface_of (device, image.width, image.height, image.components,
                          image.type, buffer.view.data);
      g_assert_true (isolux_equalize (source, whole, &options, NULL, &error));
      g_assert_no_error (error);
      h = isolux_histogram (source, NULL, NULL, &error);
      g_assert_no_error (error);
      lut = isolux_lut_new_equalize (h, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (lut->bins, ==, h->bins);
      g_assert_true (isolux_lut_apply (source, parts, lut, NULL, NULL, &error));
      g_assert_no_error (error);
      a = pixels_of (whole);
      b = pixels_of (parts);
      g_assert_cmpmem (a, buffer.row_bytes * (gsize) image.height, b,
                       buffer.row_bytes * (gsize) image.height);
      g_free (a);
      g_free (b);
      isolux_lut_free (lut);
      isolux_histogram_free (h);
      isolux_surface_unref (source);
      isolux_surface_unref (whole);
      isolux_surface_unref (parts);
      buffer_clear (&buffer);
    }
  isolux_device_unref (device);
}

/* A higher limit has a stronger effect: contrast never falls. */
static void
test_clip_is_monotone (void)
{
  static const gdouble limits[] = { 0.5, 1.0, 1.5, 2.0,  3.0,
                                    4.0, 6.0, 9.0, 20.0, 0.0 };
  IsoluxDevice        *device = test_cpu (1);
  guint8              *pixels = g_malloc (256 * 256);
  gdouble              before = 0.0;
  gsize                i;

  /* most of it between 90 and 130 */
  for (i = 0; i < 65536; i++)
    {
      Random random = random_new (5, i);

      pixels[i] = (guint8) (90 + random_below (&random, 14) +
                            random_below (&random, 14) +
                            random_below (&random, 14));
    }
  for (i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
      IsoluxSurface        *surface =
        surface_of (device, 256, 256, 1, ISOLUX_TYPE_U8, pixels);
      IsoluxHistogram *h;
      IsoluxStatistics s;

      options.clip_limit = limits[i];
      g_assert_true (isolux_equalize (surface, surface, &options, NULL, NULL));
      h = isolux_histogram (surface, NULL, NULL, NULL);
      isolux_histogram_get_statistics (h, 0, &s);
      g_assert_cmpfloat (s.sd, >=, before);
      before = s.sd;
      isolux_histogram_free (h);
      isolux_surface_unref (surface);
    }
  g_free (pixels);
  isolux_device_unref (device);
}

/* Colors keep their hue: a gray stays gray, the order of the components
 * stays, and what is transparent does not matter. */
static void
test_hue (void)
{
  IsoluxDevice  *device = test_cpu (1);
  guint8        *pixels = g_malloc (64 * 64 * 4), *a, *b;
  Random         random = random_new (test_seed (), 1300);
  IsoluxSurface *surface;
  gsize          i;

  for (i = 0; i < 64 * 64 * 4; i++)
    pixels[i] = (guint8) random_bits (&random);
  for (i = 0; i < 64 * 64; i += 3)
    {
      pixels[4 * i + 1] = pixels[4 * i + 2] = pixels[4 * i];
      pixels[4 * i + 3] |= 1;
    }
  surface = surface_of (device, 64, 64, 4, ISOLUX_TYPE_U8, pixels);
  g_assert_true (isolux_equalize (surface, surface, NULL, NULL, NULL));
  a = pixels_of (surface);
  isolux_surface_unref (surface);
  for (i = 0; i < 64 * 64; i++)
    {
      const guint8 *p = pixels + 4 * i, *q = a + 4 * i;
      gint          j, k;

      g_assert_cmpuint (p[3], ==, q[3]);
      for (j = 0; j < 3; j++)
        for (k = 0; k < 3; k++)
          {
            if (p[j] == p[k])
              g_assert_cmpuint (q[j], ==, q[k]);
            if (p[j] < p[k])
              g_assert_cmpuint (q[j], <=, q[k]);
          }
    }

  /* other colors behind alpha 0 change nothing that is seen */
  for (i = 0; i < 64 * 64; i++)
    if (pixels[4 * i + 3] == 0 || i % 5 == 1)
      {
        pixels[4 * i + 3] = 0;
        pixels[4 * i] = 255;
      }
  surface = surface_of (device, 64, 64, 4, ISOLUX_TYPE_U8, pixels);
  g_assert_true (isolux_equalize (surface, surface, NULL, NULL, NULL));
  g_free (a);
  a = pixels_of (surface);
  isolux_surface_unref (surface);
  for (i = 0; i < 64 * 64; i++)
    if (pixels[4 * i + 3] == 0)
      pixels[4 * i] = pixels[4 * i + 1] = 3;
  surface = surface_of (device, 64, 64, 4, ISOLUX_TYPE_U8, pixels);
  g_assert_true (isolux_equalize (surface, surface, NULL, NULL, NULL));
  b = pixels_of (surface);
  isolux_surface_unref (surface);
  for (i = 0; i < 64 * 64; i++)
    if (pixels[4 * i + 3] != 0)
      g_assert_cmpmem (a + 4 * i, 4, b + 4 * i, 4);
    else
      g_assert_cmpmem (b + 4 * i, 4, pixels + 4 * i, 4);
  g_free (a);
  g_free (b);
  g_free (pixels);
  isolux_device_unref (device);
}

void
add_equalize_tests (void)
{
  g_test_add_func ("/unit/equalize/arguments", test_arguments);
  g_test_add_func ("/unit/equalize/skip", test_skip);
  g_test_add_func ("/unit/equalize/constant", test_constant);
  g_test_add_data_func ("/unit/equalize/parts/cpu",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CPU), test_parts);
  g_test_add_data_func ("/unit/equalize/parts/cuda",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CUDA), test_parts);
  g_test_add_func ("/unit/equalize/clip-is-monotone", test_clip_is_monotone);
  g_test_add_func ("/unit/equalize/hue", test_hue);
}
