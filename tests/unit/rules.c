/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules that CPU and CUDA share, against naive forms of them. */
#include "unit.h"

#include <math.h>
#include <string.h>

static gint64
ordered (gdouble v)
{
  gint64 bits;

  memcpy (&bits, &v, sizeof bits);
  return bits;
}

static void
test_cube_root (void)
{
  Random random = random_new (test_seed (), 3000);
  gint   i;
  gint64 worst = 0;

  for (i = 0; i < 1000000; i++)
    {
      const gdouble x = i < 1001
                          ? (i + 1) / 1001.0 /* and what lightness sees most */
                          : pow (10.0, random_unit (&random) * 60.0 - 30.0);
      /* cbrt() itself may be off by 3 */
      const gint64 off =
        ABS (ordered (isolux_cube_root (x)) - ordered ((gdouble) cbrtl (x)));

      worst = MAX (worst, off);
      if (off > 2)
        g_test_message ("%.17g: %" G_GINT64_FORMAT " ulp", x, off);
      g_assert_cmpint (off, <=, 2);
    }
  g_test_message ("at most %" G_GINT64_FORMAT " ulp", worst);
  g_assert_cmpfloat (isolux_cube_root (1.0), ==, 1.0);
}

static void
test_lightness (void)
{
  gdouble before = -1.0, y;

  for (y = -0.5; y < 1.5; y += 1e-5)
    {
      const gdouble clamped = CLAMP (y, 0.0, 1.0);
      const gdouble l = isolux_lightness (y);
      const gdouble wanted = clamped > 216.0 / 24389.0
                               ? 1.16 * cbrt (clamped) - 0.16
                               : clamped * 24389.0 / 2700.0;

      g_assert_cmpfloat_with_epsilon (l, wanted, 1e-14);
      g_assert_cmpfloat (l, >=, before);
      before = l;
    }
  g_assert_cmpfloat (isolux_lightness (INFINITY), ==, 1.0);
  g_assert_cmpfloat (isolux_lightness (-INFINITY), ==, 0.0);
  g_assert_true (isnan (isolux_lightness (NAN)));
}

static void
test_encode (void)
{
  gint n;

  for (n = 0; n < 50; n++)
    {
      Random     random = random_new (test_seed (), 3100u + (guint64) n);
      const gint maximum = n % 2 ? 255 : 1 + (gint) random_below (&random, 99);
      gdouble   *thresholds = g_new (gdouble, maximum);
      gint       i, k;

      for (i = 0; i < maximum; i++)
        thresholds[i] = (i + 0.5 * random_unit (&random)) / maximum;
      for (i = 0; i < 2000; i++)
        {
          gdouble y = random_unit (&random) * 1.2 - 0.1;

          if (i < maximum)
            y = thresholds[i]; /* the threshold itself is above */
          for (k = 0; k < maximum && ! (y < thresholds[k]); k++)
            ;
          g_assert_cmpint (isolux_encode (thresholds, (guint32) maximum, y), ==,
                           k);
        }
      g_free (thresholds);
    }
}

static void
test_bits (void)
{
  guint32 v;

  for (v = 0; v < 65536; v++)
    {
      gint bits = 8;

      while ((v >> bits) != 0)
        bits++;
      g_assert_cmpint (isolux_significant_bits (v), ==, bits);
    }
}

static void
test_average (void)
{
  guint32 sum;

  for (sum = 0; sum <= 3 * 65535; sum++)
    g_assert_cmpuint (isolux_average_code (sum / 3, sum / 3, sum - sum / 3 * 2),
                      ==, (guint32) lround (sum / 3.0));
}

/* Shares of an excess: whole, none lost, no two bins more than 1 apart. */
static void
test_spread (void)
{
  gint n;

  for (n = 0; n < 200; n++)
    {
      Random        random = random_new (test_seed (), 3200u + (guint64) n);
      const gint    bins = 2 << random_below (&random, 16);
      const guint64 excess = random_bits (&random) >>
                             (2 + random_below (&random, 60));
      guint64 before = 0;
      gint    k;

      for (k = 0; k < bins; k++)
        {
          const guint64 sum = isolux_spread (excess, bins, k);

          g_assert_cmpuint (sum - before, >=, excess / bins);
          g_assert_cmpuint (sum - before, <=, excess / bins + 1);
          before = sum;
        }
      g_assert_cmpuint (before, ==, excess);
    }
}

/* The new luma is what was asked for, within rounding, and in range. */
static void
test_move_luma (void)
{
  const IsoluxWeights w = { { 9798, 19235, 3735 }, { 0.299, 0.587, 0.114 } };
  Random              random = random_new (test_seed (), 3300);
  gint                n, i;

  for (n = 0; n < 2000000; n++)
    {
      const gint32 maximum = n % 2 ? 255 : 65535;
      gint32       in[3], out[3], from, to;

      for (i = 0; i < 3; i++)
        in[i] = n % 16 < 2 ? (random_below (&random, 2) ? maximum : 0)
                           : (gint32) random_below (&random, maximum + 1);
      from = (gint32) isolux_luma_code (&w, (guint32) in[0], (guint32) in[1],
                                        (guint32) in[2]);
      to = n % 32 < 4 ? (n % 4 ? maximum : 0)
                      : (gint32) random_below (&random, maximum + 1);
      isolux_move_luma_code (in, from, to, maximum, out);
      for (i = 0; i < 3; i++)
        {
          g_assert_cmpint (out[i], >=, 0);
          g_assert_cmpint (out[i], <=, maximum);
        }
      g_assert_cmpint (ABS ((gint32) isolux_luma_code (&w, (guint32) out[0],
                                                       (guint32) out[1],
                                                       (guint32) out[2]) -
                            to),
                       <=, 1);
      /* the differences stay, or all get shorter */
      for (i = 0; i < 3; i++)
        g_assert_cmpint (ABS (out[i] - to), <=, ABS (in[i] - from));
    }
}

void
add_rules_tests (void)
{
  g_test_add_func ("/unit/rules/cube-root", test_cube_root);
  g_test_add_func ("/unit/rules/lightness", test_lightness);
  g_test_add_func ("/unit/rules/encode", test_encode);
  g_test_add_func ("/unit/rules/bits", test_bits);
  g_test_add_func ("/unit/rules/average", test_average);
  g_test_add_func ("/unit/rules/spread", test_spread);
  g_test_add_func ("/unit/rules/move-luma", test_move_luma);
}
