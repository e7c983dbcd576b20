/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

static void
test_arguments (void)
{
  const guint16  pixels[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
  gfloat         reals[12] = { 0 };
  guint16       *entries = g_new0 (guint16, 3 * 65536);
  IsoluxDevice  *device = test_cpu (1);
  IsoluxSurface *gray, *rgb, *real;
  GError        *error = NULL;
  gpointer       back;
  gint           i;

  gray = surface_of (device, 4, 3, 1, ISOLUX_TYPE_U16, pixels);
  rgb = surface_of (device, 2, 2, 3, ISOLUX_TYPE_U16, pixels);
  real = surface_of (device, 4, 3, 1, ISOLUX_TYPE_F32, reals);
  for (i = 0; i < 19; i++)
    {
      IsoluxLut lut = { ISOLUX_TYPE_U16,         1,      4096, 12, 0.0, 0.0,
                        { FALSE, FALSE, FALSE }, entries };
      gdouble   weights[3] = { 0.3, 0.3, 0.4 };
      IsoluxSurface *surface = gray;

      switch (i)
        {
          case 0:
            lut.type = ISOLUX_TYPE_U8;
            break;
          case 1:
            lut.type = ISOLUX_TYPE_F32;
            break;
          case 2:
            lut.channels = 3;
            break;
          case 3:
            lut.channels = 2;
            surface = rgb;
            break;
          case 4:
            lut.channels = 0;
            break;
          case 5:
            lut.channels = 4;
            surface = rgb;
            break;
          case 6:
            lut.bins = 0;
            break;
          case 7:
            lut.bins = 1;
            break;
          case 8:
            lut.bins = 1000;
            break;
          case 9:
            lut.bins = 8192;
            break;
          case 10:
            lut.bits = 7;
            break;
          case 11:
            lut.bits = 17;
            break;
          case 12:
            lut.bits = 0;
            break;
          case 13:
            lut.entries = NULL;
            break;
          case 14:
            weights[0] = -0.3;
            weights[1] = 0.9;
            surface = rgb;
            break;
          case 15:
            weights[0] = 0.5;
            surface = rgb;
            break;
          case 16:
            lut.type = ISOLUX_TYPE_F32;
            lut.bits = 0;
            lut.low = NAN;
            lut.high = 1.0;
            surface = real;
            break;
          case 17:
            lut.type = ISOLUX_TYPE_F32;
            lut.bits = 0;
            lut.high = INFINITY;
            surface = real;
            break;
          case 18:
            lut.bins = -4096;
            break;
        }
      g_test_message ("case %d", i);
      g_assert_false (isolux_lut_apply (surface, surface, &lut, weights, NULL,
                                        &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_assert_false (isolux_lut_apply (surface, surface, &lut, weights, NULL,
                                        NULL));
    }
  back = pixels_of (rgb);
  g_assert_cmpmem (back, sizeof pixels, pixels, sizeof pixels);
  g_free (back);
  back = pixels_of (gray);
  g_assert_cmpmem (back, sizeof pixels, pixels, sizeof pixels);
  g_free (back);
  isolux_lut_free (NULL);
  isolux_surface_unref (gray);
  isolux_surface_unref (rgb);
  isolux_surface_unref (real);
  isolux_device_unref (device);
  g_free (entries);
}

static void
test_new_arguments (void)
{
  IsoluxHistogram      *h;
  IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  GError               *error = NULL;
  IsoluxLut            *lut;

  h = isolux_histogram_new (ISOLUX_TYPE_F32, 0, 3, 16, -1.0, 1.0, NULL, NULL);
  options.clip_limit = -1.0;
  g_assert_null (isolux_lut_new_equalize (h, &options, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  options.clip_limit = 0.0;
  options.skip_threshold = 2.0;
  g_assert_null (isolux_lut_new_equalize (h, &options, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  /* nothing counts: nothing changes */
  lut = isolux_lut_new_equalize (h, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (lut->type, ==, ISOLUX_TYPE_F32);
  g_assert_cmpint (lut->channels, ==, 3);
  g_assert_cmpint (lut->bins, ==, 16);
  g_assert_cmpfloat (lut->low, ==, -1.0);
  g_assert_cmpfloat (lut->high, ==, 1.0);
  g_assert_true (lut->identity[0] && lut->identity[1] && lut->identity[2]);
  isolux_lut_free (lut);
  isolux_histogram_free (h);
}

/* Tables of counts, with and without clipping, with up to 2^46 pixels. */
static void
test_tables (void)
{
  gint n, k;

  for (n = 0; n < 400; n++)
    {
      Random           random = random_new (test_seed (), 1400u + (guint64) n);
      const IsoluxType type = (IsoluxType) (n % 3);
      const gint       bits = type == ISOLUX_TYPE_U8    ? 8
                              : type == ISOLUX_TYPE_U16 ? 8 + n % 9
                                                        : 0;
      const gint       bins = 2 << random_below (&random, bits ? bits : 16);
      const gint       spread = (gint) random_below (&random, 46);
      const gint       holes = 1 + (gint) random_below (&random, 5);
      guint64         *counts = g_new0 (guint64, bins);
      gpointer         wanted = g_malloc0 (ref_size (type) * bins);
      IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
      IsoluxHistogram      *h;
      IsoluxLut            *lut;
      GError               *error = NULL;
      gboolean              identity;

      for (k = 0; k < bins; k++)
        if (random_below (&random, holes) == 0)
          counts[k] =
            random_below (&random,
                          1 + (G_GUINT64_CONSTANT (1) << spread) / bins);
      options.clip_limit = n % 4 ? exp (random_unit (&random) * 12.0 - 2.0)
                                 : 0.0;
      options.skip_threshold = n % 7 ? 0.0 : random_unit (&random);
      h = isolux_histogram_new (type, bits, 1, bins, 0.0, 1.0, counts, &error);
      g_assert_no_error (error);
      lut = isolux_lut_new_equalize (h, &options, &error);
      g_assert_no_error (error);
      identity = ref_table (type, counts, bins, options.clip_limit,
                            options.skip_threshold, wanted);
      g_assert_true (lut->identity[0] == identity);
      if (! identity)
        g_assert_cmpmem (lut->entries, ref_size (type) * bins, wanted,
                         ref_size (type) * bins);
      isolux_lut_free (lut);
      isolux_histogram_free (h);
      g_free (wanted);
      g_free (counts);
    }
}

/* Entries out of 0 .. 1 give colors in 0 .. 1, and no NaN. */
static void
test_wild_entries (void)
{
  static const gfloat wild[] = { -1e30f, -0.5f, -0.0f, 0.0f, 0.5f,
                                 1.0f,   1.5f,  2.0f,  1e30f };
  const gfloat        colors[] = { 0.5f,  0.5f,  0.5f, 0.1f, 0.9f, 0.3f,
                                   0.0f,  0.0f,  0.0f, 1.0f, 1.0f, 1.0f,
                                   -3.0f, 0.25f, 9.0f, 0.7f, 0.7f, 0.1f };
  IsoluxDevice       *device = test_cpu (1);
  gsize               i, k;

  for (i = 0; i < G_N_ELEMENTS (wild); i++)
    {
      gfloat         entries[2] = { wild[i], wild[i] };
      IsoluxLut      lut = { ISOLUX_TYPE_F32,         1,      2, 0, 0.0, 1.0,
                             { FALSE, FALSE, FALSE }, entries };
      IsoluxSurface *surface =
        surface_of (device, 6, 1, 3, ISOLUX_TYPE_F32, colors);
      gfloat *back;

      g_assert_true (isolux_lut_apply (surface, surface, &lut, NULL, NULL,
                                       NULL));
      back = pixels_of (surface);
      for (k = 0; k < 18; k++)
        {
          g_assert_true (back[k] >= 0.0f && back[k] <= 1.0f);
          /* a luma has a rounding error of its own */
          if (wild[i] <= 0.0f)
            g_assert_cmpfloat (back[k], <, 1e-9f);
          if (wild[i] >= 1.0f)
            g_assert_cmpfloat (back[k], >, 0.999999f);
        }
      g_free (back);
      isolux_surface_unref (surface);
    }
  isolux_device_unref (device);
}

void
add_lut_tests (void)
{
  g_test_add_func ("/unit/lut/arguments", test_arguments);
  g_test_add_func ("/unit/lut/new", test_new_arguments);
  g_test_add_func ("/unit/lut/tables", test_tables);
  g_test_add_func ("/unit/lut/wild-entries", test_wild_entries);
}
