/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

static gfloat *
linear_table (gint codes)
{
  gfloat *table = g_new (gfloat, 3 * codes);
  gint    i;

  for (i = 0; i < 3 * codes; i++)
    table[i] = (gfloat) (i % codes) / (gfloat) (codes - 1);
  return table;
}

static void
test_arguments (void)
{
  const guint8      pixels[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
  IsoluxDevice     *device = test_cpu (1), *other = test_cpu (1);
  IsoluxSurface    *source, *good, *bad[4];
  IsoluxGrayOptions options;
  IsoluxReport      report;
  GError           *error = NULL;
  gfloat           *table = linear_table (256);
  guint8           *back;
  gint              i;

  source = surface_of (device, 2, 2, 3, ISOLUX_TYPE_U8, pixels);
  good = surface_of (device, 2, 2, 3, ISOLUX_TYPE_U8, pixels);
  bad[0] = surface_of (device, 1, 2, 3, ISOLUX_TYPE_U8, pixels);
  bad[1] = surface_of (device, 2, 1, 3, ISOLUX_TYPE_U8, pixels);
  bad[2] = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U16, pixels);
  bad[3] = surface_of (other, 2, 2, 3, ISOLUX_TYPE_U8, pixels);
  for (i = 0; i < 4; i++)
    {
      g_assert_false (isolux_grayscale (source, bad[i], NULL, NULL, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_assert_false (isolux_equalize (source, bad[i], NULL, NULL, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      isolux_surface_unref (bad[i]);
    }

  for (i = 0; i < 13; i++)
    {
      options = (IsoluxGrayOptions) ISOLUX_GRAY_DEFAULTS;
      options.method = ISOLUX_GRAY_LUMINANCE;
      options.decode = table;
      switch (i)
        {
          case 0:
            options.method = (IsoluxGrayMethod) -1;
            break;
          case 1:
            options.method = (IsoluxGrayMethod) 6;
            break;
          case 2:
            options.weights[0] = -0.1;
            options.weights[1] = 1.0278;
            break;
          case 3:
            options.weights[2] = 0.0734; /* the sum is 1.0012 */
            break;
          case 4:
            options.weights[1] = NAN;
            break;
          case 5:
            options.weights[1] = INFINITY;
            break;
          case 6:
            table[0] = -1e-9f;
            break;
          case 7:
            table[255] = 1.0000001f;
            break;
          case 8:
            table[100] = table[99];
            break;
          case 9:
            table[256 + 100] = NAN;
            break;
          case 10:
            table[512 + 255] = table[512 + 250];
            break;
          case 11:
            options.method = ISOLUX_GRAY_LIGHTNESS;
            options.weights[0] = options.weights[1] = options.weights[2] = 0;
            break;
          case 12:
            options.weights[0] = 0.2100;
            break;
        }
      memset (&report, 0x55, sizeof report);
      g_assert_false (isolux_grayscale (source, good, &options, &report,
                                        &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_assert_false (isolux_grayscale (source, good, &options, NULL, NULL));
      g_free (table);
      table = linear_table (256);
    }
  /* nothing was written */
  back = pixels_of (good);
  g_assert_cmpmem (back, 12, pixels, 12);
  g_free (back);

  /* within the tolerance; and what a method does not use is not looked at */
  options = (IsoluxGrayOptions) ISOLUX_GRAY_DEFAULTS;
  options.method = ISOLUX_GRAY_LUMINANCE;
  options.weights[2] = 0.0731;
  g_assert_true (isolux_grayscale (source, good, &options, &report, &error));
  g_assert_no_error (error);
  options.method = ISOLUX_GRAY_AVERAGE;
  options.decode = NULL;
  g_assert_true (isolux_grayscale (source, good, &options, NULL, &error));
  g_assert_no_error (error);
  g_free (table);
  isolux_surface_unref (source);
  isolux_surface_unref (good);
  isolux_device_unref (device);
  isolux_device_unref (other);
}

/* A gray stays the gray that it was, whatever the weights and the curves. */
static void
test_grays_stay (void)
{
  IsoluxDevice *device = test_cpu (1);
  gint          wide, n;

  for (wide = 0; wide < 2; wide++)
    for (n = 0; n < 8; n++)
      {
        const gint        codes = wide ? 65536 : 256;
        Random            random = random_new (test_seed (), 200u + n);
        IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
        gfloat           *table = linear_table (codes);
        guint16          *pixels = g_new (guint16, 3 * codes);
        IsoluxSurface    *surface;
        gpointer          back;
        gint              i;

        for (i = 0; i < 3 * codes; i++)
          {
            pixels[i] = (guint16) (i / 3);
            /* a curve for each channel, none of them that of another */
            table[i] = table[i] * (0.5f + 0.2f * (gfloat) (i / codes)) +
                       (n % 2 ? table[i] * table[i] * 0.0625f : 0.0f);
          }
        if (! wide)
          for (i = 0; i < 3 * codes; i++)
            ((guint8 *) pixels)[i] = (guint8) (i / 3);
        options.method = ISOLUX_GRAY_LUMINANCE;
        options.decode = n < 6 ? table : NULL;
        options.weights[0] = random_unit (&random);
        options.weights[1] = (1.0 - options.weights[0]) * random_unit (&random);
        options.weights[2] = 1.0 - options.weights[0] - options.weights[1];
        surface = surface_of (device, codes, 1, 3,
                              wide ? ISOLUX_TYPE_U16 : ISOLUX_TYPE_U8, pixels);
        g_assert_true (isolux_grayscale (surface, surface, &options, NULL,
                                         NULL));
        back = pixels_of (surface);
        g_assert_cmpmem (back, (gsize) 3 * codes * (wide ? 2 : 1), pixels,
                         (gsize) 3 * codes * (wide ? 2 : 1));
        g_free (back);
        g_free (table);
        g_free (pixels);
        isolux_surface_unref (surface);
      }
  isolux_device_unref (device);
}

/* The defaults are those that the documentation says. */
static void
test_defaults (void)
{
  const guint8      pixels[6] = { 10, 200, 30, 255, 0, 0 };
  IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
  IsoluxDevice     *device = test_cpu (1);
  IsoluxSurface *surface = surface_of (device, 2, 1, 3, ISOLUX_TYPE_U8, pixels);
  guint8        *back;

  g_assert_cmpint (options.method, ==, ISOLUX_GRAY_LUMA_BT601);
  g_assert_null (options.decode);
  g_assert_true (isolux_grayscale (surface, surface, NULL, NULL, NULL));
  back = pixels_of (surface);
  g_assert_cmpuint (back[0], ==,
                    (9798 * 10 + 19235 * 200 + 3735 * 30 + 16384) >> 15);
  g_assert_cmpuint (back[1], ==, back[0]);
  g_assert_cmpuint (back[2], ==, back[0]);
  g_assert_cmpuint (back[5], ==, 76);
  g_free (back);
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

void
add_grayscale_tests (void)
{
  g_test_add_func ("/unit/grayscale/arguments", test_arguments);
  g_test_add_func ("/unit/grayscale/grays-stay", test_grays_stay);
  g_test_add_func ("/unit/grayscale/defaults", test_defaults);
}
