/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

static void
test_arguments (void)
{
  const guint8           bytes[4] = { 1, 2, 3, 4 };
  const guint16          words[4] = { 1, 2, 300, 4 };
  const gfloat           reals[4] = { 0.5f, 0.25f, 1.0f, 2.0f };
  IsoluxDevice          *device = test_cpu (1);
  IsoluxSurface         *u8, *u16, *f32, *rgb;
  IsoluxHistogramOptions options;
  GError                *error = NULL;
  gint                   i;

  u8 = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U8, bytes);
  u16 = surface_of (device, 2, 2, 1, ISOLUX_TYPE_U16, words);
  f32 = surface_of (device, 2, 2, 1, ISOLUX_TYPE_F32, reals);
  rgb = surface_of (device, 1, 1, 3, ISOLUX_TYPE_U8, bytes);
  for (i = 0; i < 17; i++)
    {
      IsoluxSurface *surface = u8;

      options = (IsoluxHistogramOptions) ISOLUX_HISTOGRAM_DEFAULTS;
      switch (i)
        {
          case 0:
            options.channel = (IsoluxChannel) -1;
            break;
          case 1:
            options.channel = (IsoluxChannel) 6;
            break;
          case 2:
            options.channel = ISOLUX_CHANNEL_ALPHA; /* there is none */
            break;
          case 3:
            options.bins = 1;
            break;
          case 4:
            options.bins = -256;
            break;
          case 5:
            options.bins = 255;
            break;
          case 6:
            options.bins = 512;
            break;
          case 7:
            options.bins = 131072;
            surface = u16;
            break;
          case 8:
            options.bins = 1024; /* 9 bits are found */
            surface = u16;
            break;
          case 9:
            options.bins = 131072;
            surface = f32;
            break;
          case 10:
            options.bins = 3;
            surface = f32;
            break;
          case 11:
            options.low = NAN;
            surface = f32;
            break;
          case 12:
            options.high = INFINITY;
            surface = f32;
            break;
          case 13:
            options.weights[0] = -1e-9;
            surface = rgb;
            break;
          case 14:
            options.weights[0] += 0.0011;
            surface = rgb;
            break;
          case 15:
            options.weights[2] = NAN;
            surface = rgb;
            break;
          case 16:
            options.bins = G_MININT;
            break;
        }
      g_assert_null (isolux_histogram (surface, &options, NULL, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_assert_null (isolux_histogram (surface, &options, NULL, NULL));
    }
  options = (IsoluxHistogramOptions) ISOLUX_HISTOGRAM_DEFAULTS;
  options.weights[0] += 0.0009;
  options.bins = 2;
  {
    IsoluxHistogram *h = isolux_histogram (rgb, &options, NULL, &error);

    g_assert_no_error (error);
    g_assert_cmpint (h->bins, ==, 2);
    isolux_histogram_free (h);
  }
  isolux_histogram_free (NULL);
  isolux_surface_unref (u8);
  isolux_surface_unref (u16);
  isolux_surface_unref (f32);
  isolux_surface_unref (rgb);
  isolux_device_unref (device);
}

static void
test_new_arguments (void)
{
  static const struct
  {
    IsoluxType type;
    gint       bits, channels, bins;
    gdouble    low, high;
    gboolean   good;
  } cases[] = {
    { ISOLUX_TYPE_U8, 8, 1, 256, 0, 0, TRUE },
    { ISOLUX_TYPE_U8, 8, 3, 2, 0, 0, TRUE },
    { ISOLUX_TYPE_U8, 0, 1, 256, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 9, 1, 256, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, 0, 256, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, 2, 256, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, 4, 256, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, -1, 256, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, 1, 512, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, 1, 0, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, 1, 1, 0, 0, FALSE },
    { ISOLUX_TYPE_U8, 8, 1, 100, 0, 0, FALSE },
    { ISOLUX_TYPE_U16, 7, 1, 128, 0, 0, FALSE },
    { ISOLUX_TYPE_U16, 17, 1, 128, 0, 0, FALSE },
    { ISOLUX_TYPE_U16, 12, 1, 4096, 0, 0, TRUE },
    { ISOLUX_TYPE_U16, 12, 1, 8192, 0, 0, FALSE },
    { ISOLUX_TYPE_U16, 16, 3, 65536, 0, 0, TRUE },
    { ISOLUX_TYPE_F32, 0, 1, 65536, 0, 1, TRUE },
    { ISOLUX_TYPE_F32, 0, 1, 65536, 1, 1, TRUE },
    { ISOLUX_TYPE_F32, 0, 1, 65536, 1, 0, FALSE },
    { ISOLUX_TYPE_F32, 0, 1, 131072, 0, 1, FALSE },
    { ISOLUX_TYPE_F32, 0, 1, 64, NAN, 1, FALSE },
    { ISOLUX_TYPE_F32, 0, 1, 64, 0, INFINITY, FALSE },
    { ISOLUX_TYPE_F32, 8, 1, 64, 0, 1, FALSE },
    { (IsoluxType) 3, 8, 1, 64, 0, 1, FALSE },
  };
  guint64          counts[8] = { 0 };
  IsoluxHistogram *h;
  GError          *error = NULL;
  gsize            i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("case %" G_GSIZE_FORMAT, i);
      h = isolux_histogram_new (cases[i].type, cases[i].bits, cases[i].channels,
                                cases[i].bins, cases[i].low, cases[i].high,
                                NULL, &error);
      g_assert_true ((h != NULL) == cases[i].good);
      if (! h)
        assert_error (error, ISOLUX_ERROR_ARGUMENT);
      else
        {
          g_assert_no_error (error);
          g_assert_cmpuint (h->total[0], ==, 0);
          g_assert_cmpuint (h->counts[cases[i].bins - 1], ==, 0);
        }
      isolux_histogram_free (h);
    }

  /* up to 2^46, in one bin or in all */
  counts[3] = G_GUINT64_CONSTANT (1) << 46;
  h = isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 8, 0, 0, counts, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (h->total[0], ==, counts[3]);
  g_assert_cmpfloat (h->minimum[0], ==, 96.0);
  g_assert_cmpfloat (h->maximum[0], ==, 127.0);
  isolux_histogram_free (h);
  counts[5] = 1;
  g_assert_null (isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 8, 0, 0, counts,
                                       &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  counts[3] = G_MAXUINT64;
  counts[5] = 2;
  g_assert_null (isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 8, 0, 0, counts,
                                       &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);

  memset (counts, 0, sizeof counts);
  counts[2] = 1;
  counts[5] = 9;
  h = isolux_histogram_new (ISOLUX_TYPE_F32, 0, 1, 8, -1.0, 3.0, counts, NULL);
  g_assert_cmpfloat (h->minimum[0], ==, 0.0);
  g_assert_cmpfloat (h->maximum[0], ==, 2.0);
  g_assert_cmpfloat (isolux_histogram_value (h, 0), ==, -0.75);
  g_assert_cmpfloat (isolux_histogram_value (h, 7), ==, 2.75);
  isolux_histogram_free (h);
}

/* Statistics of random counts against sums in long double. */
static void
test_statistics (void)
{
  gint n, c, k;

  for (n = 0; n < 200; n++)
    {
      Random           random = random_new (test_seed (), 300u + (guint64) n);
      const IsoluxType type = (IsoluxType) (n % 3);
      const gint       bits = type == ISOLUX_TYPE_U8    ? 8
                              : type == ISOLUX_TYPE_U16 ? 8 + n % 9
                                                        : 0;
      const gint       bins = 2 << random_below (&random, bits ? bits : 16);
      const gint       channels = n % 2 ? 1 : 3;
      const gdouble    low = random_unit (&random) - 0.5;
      const gdouble    high = low + random_unit (&random) * 100.0;
      guint64         *counts = g_new0 (guint64, channels * bins);
      IsoluxHistogram *h;
      GError          *error = NULL;

      for (k = 0; k < channels * bins; k++)
        if (n % 5 != 4 && random_below (&random, 3))
          counts[k] = random_bits (&random) >>
                      (34 + random_below (&random, 30));
      h = isolux_histogram_new (type, bits, channels, bins, low, high, counts,
                                &error);
      g_assert_no_error (error);
      for (c = 0; c < channels; c++)
        {
          const guint64   *of = counts + c * bins;
          IsoluxStatistics s;
          guint64          total = 0, distinct = 0, cumulative = 0;
          long double      sum = 0, squares = 0, entropy = 0, uniform = 0;
          long double      mean;

          memset (&s, 0x55, sizeof s);
          isolux_histogram_get_statistics (h, c, &s);
          for (k = 0; k < bins; k++)
            {
              long double v;

              if (type == ISOLUX_TYPE_F32)
                v = low + (k + 0.5L) * ((long double) high - low) / bins;
              else
                v = (k + 0.5L) * (1 << bits) / bins - 0.5L;
              g_assert_cmpfloat_with_epsilon (isolux_histogram_value (h, k),
                                              (gdouble) v, 1e-10);
              total += of[k];
              distinct += of[k] != 0;
              sum += v * of[k];
              squares += v * v * of[k];
            }
          g_assert_cmpuint (s.count, ==, total);
          g_assert_cmpuint (h->total[c], ==, total);
          g_assert_cmpuint (s.distinct, ==, distinct);
          if (total == 0)
            {
              IsoluxStatistics zero = { 0 };

              g_assert_cmpmem (&s, sizeof s, &zero, sizeof zero);
              g_assert_cmpfloat (isolux_histogram_uniformity (h, c), ==, 0.0);
              g_assert_cmpfloat (isolux_histogram_percentile (h, c, 50.0), ==,
                                 0.0);
              continue;
            }
          mean = sum / total;
          for (k = 0; k < bins; k++)
            {
              if (of[k])
                entropy -= (long double) of[k] / total *
                           log2l ((long double) of[k] / total);
              cumulative += of[k];
              uniform =
                fmaxl (uniform, fabsl ((long double) cumulative / total -
                                       (k + 1.0L) / bins));
            }
          g_assert_cmpfloat_with_epsilon (s.mean, (gdouble) mean, 1e-7);
          g_assert_cmpfloat_with_epsilon (s.sd,
                                          (gdouble) sqrtl (fmaxl (squares /
                                                                      total -
                                                                    mean * mean,
                                                                  0)),
                                          1e-4);
          g_assert_cmpfloat_with_epsilon (s.entropy, (gdouble) entropy, 1e-9);
          g_assert_cmpfloat_with_epsilon (isolux_histogram_uniformity (h, c),
                                          (gdouble) uniform, 1e-12);
          g_assert_cmpfloat (s.minimum, ==, h->minimum[c]);
          g_assert_cmpfloat (s.maximum, ==, h->maximum[c]);
        }
      isolux_histogram_free (h);
      g_free (counts);
    }
}

/* Whole percents in whole numbers: what is reached exactly is reached. */
static void
test_percentiles (void)
{
  gint n, percent;

  for (n = 0; n < 300; n++)
    {
      Random           random = random_new (test_seed (), 600u + (guint64) n);
      guint64          counts[256] = { 0 }, total = 0;
      IsoluxHistogram *h;
      gint             k;

      /* as many as percents, and other numbers; gaps between them */
      for (k = 0; total < 100; k++)
        {
          counts[2 * k] = 1 + random_below (&random, MIN (9, 100 - total));
          total += counts[2 * k];
        }
      if (n % 2)
        for (total = 0, k = 0; k < 256; k++)
          {
            counts[k] *= random_bits (&random) >> 25;
            total += counts[k];
          }
      h = isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 256, 0, 0, counts, NULL);
      for (percent = 0; total && percent <= 100; percent++)
        {
          guint64 sum = 0;

          for (k = 0; k < 256; k++)
            {
              sum += counts[k];
              if (counts[k] && (Wide) sum * 100 >= (Wide) total * percent)
                break;
            }
          g_assert_cmpfloat (isolux_histogram_percentile (h, 0, percent), ==,
                             k);
        }
      isolux_histogram_free (h);
    }
}

/* By hand. */
static void
test_numbers (void)
{
  const guint8   pixels[8] = { 10, 10, 20, 20, 30, 30, 40, 40 };
  IsoluxDevice  *device = test_cpu (1);
  IsoluxSurface *surface = surface_of (device, 8, 1, 1, ISOLUX_TYPE_U8, pixels);
  IsoluxHistogram *h = isolux_histogram (surface, NULL, NULL, NULL);
  IsoluxStatistics s;
  guint64          even[4] = { 7, 7, 7, 7 };

  isolux_histogram_get_statistics (h, 0, &s);
  g_assert_cmpuint (s.count, ==, 8);
  g_assert_cmpuint (s.distinct, ==, 4);
  g_assert_cmpfloat (s.minimum, ==, 10.0);
  g_assert_cmpfloat (s.maximum, ==, 40.0);
  g_assert_cmpfloat (s.mean, ==, 25.0);
  g_assert_cmpfloat_with_epsilon (s.sd, sqrt (125.0), 1e-12);
  g_assert_cmpfloat (s.entropy, ==, 2.0);
  g_assert_cmpfloat (isolux_histogram_percentile (h, 0, 0.0), ==, 10.0);
  g_assert_cmpfloat (isolux_histogram_percentile (h, 0, 25.0), ==, 10.0);
  g_assert_cmpfloat (isolux_histogram_percentile (h, 0, 25.1), ==, 20.0);
  g_assert_cmpfloat (isolux_histogram_percentile (h, 0, 50.0), ==, 20.0);
  g_assert_cmpfloat (isolux_histogram_percentile (h, 0, 99.9), ==, 40.0);
  g_assert_cmpfloat (isolux_histogram_percentile (h, 0, 100.0), ==, 40.0);
  /* farthest from uniform at bin 40: 1 - 41 / 256 */
  g_assert_cmpfloat (isolux_histogram_uniformity (h, 0), ==,
                     1.0 - 41.0 / 256.0);
  isolux_histogram_free (h);
  isolux_surface_unref (surface);
  isolux_device_unref (device);

  h = isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 4, 0, 0, even, NULL);
  g_assert_cmpfloat (isolux_histogram_uniformity (h, 0), ==, 0.0);
  isolux_histogram_free (h);
}

void
add_histogram_tests (void)
{
  g_test_add_func ("/unit/histogram/arguments", test_arguments);
  g_test_add_func ("/unit/histogram/new", test_new_arguments);
  g_test_add_func ("/unit/histogram/statistics", test_statistics);
  g_test_add_func ("/unit/histogram/percentiles", test_percentiles);
  g_test_add_func ("/unit/histogram/numbers", test_numbers);
}
