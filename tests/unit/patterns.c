/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of local binary patterns and oriented gradients, and what their
 * functions refuse. */
#include "support.h"

#include <math.h>
#include <string.h>

/* The bin that an angle of atan2() falls into. */
static gint
bin_by_angle (gint n, gint range, gdouble x, gdouble y)
{
  const gdouble each = (gdouble) range / n;
  gdouble       angle = fmod (atan2 (y, x) * (180.0 / G_PI), range);
  gint          bin = 0;

  if (angle < 0.0)
    angle += range;
  while (bin < n - 1 && angle >= each * (bin + 1))
    bin++;
  return bin;
}

static void
set_plan (IsoluxHogEdges *edges, gint n, gboolean is_signed)
{
  isolux_hog_edges_set (edges, n, is_signed ? 360 : 180);
}

/* All gradients of u8. */
static void
test_bins (void)
{
  static const gint counts[] = { 6, 8, 9, 12, 16, 18, 44 };
  gsize             i;
  gint              x, y, is_signed;

  for (i = 0; i < G_N_ELEMENTS (counts); i++)
    for (is_signed = 0; is_signed < 2; is_signed++)
      {
        const gint     n = counts[i];
        IsoluxHogEdges edges = { 0 };

        set_plan (&edges, n, is_signed);
        for (y = -255; y <= 255; y++)
          for (x = -255; x <= 255; x++)
            if (x || y)
              g_assert_cmpint (isolux_hog_bin (&edges, n, is_signed, x, y), ==,
                               bin_by_angle (n, is_signed ? 360 : 180, x, y));
      }
}

/* All gradients of u8 by products in single precision. */
static void
test_bins_of_codes (void)
{
  gint n, x, y;

  for (n = 1; n <= ISOLUX_HOG_ORIENTATIONS; n++)
    {
      IsoluxHogEdges  edges = { 0 };
      IsoluxHogSlopes slopes;
      gint            wrong = 0;

      set_plan (&edges, n, FALSE);
      isolux_hog_slopes_set (&slopes, &edges, n);
      for (y = -255; y <= 255; y++)
        for (x = -255; x <= 255; x++)
          if (x || y)
            wrong += isolux_hog_bin_of_codes (&slopes, n == 9, (gfloat) x,
                                              (gfloat) y) !=
                     (gfloat) isolux_hog_bin (&edges, n, FALSE, x, y);
      if (wrong)
        g_test_message ("%d bins: %d gradients are in another one", n, wrong);
      g_assert_cmpint (wrong, ==, 0);
    }
}

/* Any values, most of them near edges: what is told quickly must be right. */
static void
test_quick_bins (void)
{
  Random random = random_new (test_seed (), 7);
  gint   n, k, unsure = 0, total = 0;

  for (n = 1; n <= ISOLUX_HOG_ORIENTATIONS; n++)
    {
      IsoluxHogEdges  edges = { 0 };
      IsoluxHogSlopes slopes;

      set_plan (&edges, n, FALSE);
      isolux_hog_slopes_set (&slopes, &edges, n);
      for (k = 0; k < 40000; k++)
        {
          const gdouble edge = G_PI / n *
                               (gdouble) random_below (&random, 2 * n);
          const gdouble size = pow (10.0, random_unit (&random) * 80.0 - 40.0);
          const gdouble angle =
            k % 3 ? edge + pow (10.0, random_unit (&random) * -18.0) *
                             (k & 1 ? 1.0 : -1.0)
                  : random_unit (&random) * 7.0;
          gdouble x = cos (angle) * size, y = sin (angle) * size;
          gint    bin;

          if (k % 4 == 0)
            {
              /* as u16 has them */
              x = rint (cos (angle) * 65535.0);
              y = rint (sin (angle) * (k % 8 ? 65535.0 : 20.0));
            }
          if (k % 50 == 0)
            *(k % 100 ? &x : &y) = 0.0;
          bin = isolux_hog_quick_bin (&slopes, n == 9, x, y);
          total++;
          unsure += bin < 0;
          if (bin >= 0)
            g_assert_cmpint (bin, ==, isolux_hog_bin (&edges, n, FALSE, x, y));
        }
    }
  g_test_message ("%d of %d bins are not told", unsure, total);
  g_assert_cmpint (unsure, >, 0);
  g_assert_cmpint (unsure, <, total * 2 / 3);
}

/* A number by so many units in its last place more. */
static gfloat
beside (gfloat v, gint ulp)
{
  guint32 bits;

  memcpy (&bits, &v, sizeof bits);
  bits += (guint32) ulp;
  memcpy (&v, &bits, sizeof bits);
  return v;
}

/*
 * Roots that are off as far as CUDA's may be, 2^-22.9, and as far as three
 * units: first
 * what isolux_hog_add_root() says of guess + rest, for all squares, then sums.
 */
static void
test_add_root (void)
{
  Random  random = random_new (test_seed (), 5);
  gdouble worst = 0.0;
  gint    unsure = 0, n = 0, square, ulp;

  for (square = 1; square < 1 << 18; square++)
    for (ulp = -3; ulp <= 3; ulp++)
      {
        const gfloat  v = (gfloat) square;
        const gfloat  root = beside ((gfloat) (1.0 / sqrt (square)), ulp);
        const gfloat  half = root * 0.5f, near = v * root;
        const gfloat  guess = fmaf (fmaf (-near, near, v), half, near);
        const gdouble left = v - (gdouble) guess * guess; /* exact */
        const gdouble magnitude = sqrt (square);
        const gfloat  total = beside ((gfloat) (random_unit (&random) *
                                               (square & 1 ? 500.0 : 30000.0)),
                                      (gint) random_below (&random, 3));
        gint          sure;
        const gfloat  sum =
          isolux_hog_add_root (square % 7 ? total : 0.0f, v, root, &sure);

        g_assert_cmpfloat (left, ==, fmaf (-guess, guess, v));
        worst =
          MAX (worst, fabs ((gdouble) (((long double) guess - sqrtl (square)) +
                                       (long double) left * half)) /
                        magnitude);
        n++;
        unsure += ! sure;
        if (sure)
          g_assert_cmpfloat (sum, ==,
                             isolux_hog_add (square % 7 ? total : 0.0f,
                                             magnitude));
      }
  g_test_message ("the worst root is off by 2^%.2f of itself; %d sums of %d "
                  "are not sure",
                  log2 (worst), unsure, n);
  g_assert_cmpfloat (worst, <, pow (2.0, -45.0));
  g_assert_cmpint (unsure, <, n / 50000);
  g_assert_cmpfloat (isolux_hog_add_root (3.25f, 0.0f, 1.0f, &square), ==,
                     3.25f);
}

/* Totals whose last place is such that the sum lies next to the middle
 * between two numbers. */
static void
test_add_root_ties (void)
{
  Random random = random_new (test_seed (), 6);
  gint   square, place, k, unsure = 0, n = 0;

  for (square = 1; square < 1 << 18; square++)
    for (place = -16; place < -2; place++)
      {
        const gdouble magnitude = sqrt (square);
        const gdouble places = ldexp (magnitude, -place);
        const gdouble from_middle = places - floor (places) - 0.5;

        if (fabs (from_middle) > 0x1p-13)
          continue;
        for (k = 0; k < 20; k++)
          {
            const gfloat total =
              (gfloat) ldexp ((1 << 23) +
                                (gdouble) random_below (&random, 1 << 23),
                              place);
            const gfloat root = beside ((gfloat) (1.0 / magnitude), k % 7 - 3);
            gint         sure;
            const gfloat sum =
              isolux_hog_add_root (total, (gfloat) square, root, &sure);

            n++;
            unsure += ! sure;
            if (sure)
              g_assert_cmpfloat (sum, ==, isolux_hog_add (total, magnitude));
          }
      }
  g_test_message ("%d of %d sums near a tie are not sure", unsure, n);
  g_assert_cmpint (n, >, 1000);
  g_assert_cmpint (unsure, >, 0);
}

/* Differences of square roots, which lie on edges but for rounding. */
static void
test_bins_of_roots (void)
{
  static const gint counts[] = { 6, 8, 9, 12, 16, 18, 24 };
  Random            random = random_new (test_seed (), 1);
  gsize             i;
  gint              k;

  for (i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      const gint     n = counts[i];
      IsoluxHogEdges edges = { 0 };

      set_plan (&edges, n, FALSE);
      for (k = 0; k < 300000; k++)
        {
          const guint64 most = k & 1 ? 256 : 20;
          gdouble       v[4], x, y;
          gint          j;

          for (j = 0; j < 4; j++)
            v[j] = sqrt ((gdouble) random_below (&random, most));
          x = v[0] - v[1];
          y = v[2] - v[3];
          if (x != 0.0 || y != 0.0)
            g_assert_cmpint (isolux_hog_bin (&edges, n, FALSE, x, y), ==,
                             bin_by_angle (n, 180, x, y));
        }
    }
}

static void
test_halves (void)
{
  Random random = random_new (test_seed (), 2);
  gint   i;

  /* all finite ones from 0 on, and the middles between two */
  for (i = 0; i <= 0x7bff; i++)
    {
      const gdouble v = isolux_of_half ((guint16) i);

      g_assert_cmpfloat (v, ==,
                         i < 1024 ? ldexp (i, -24)
                                  : ldexp (1024 + i % 1024, i / 1024 - 25));
      g_assert_cmpuint (isolux_half_of (v), ==, i);
      if (i < 0x7bff)
        {
          const gdouble middle = (v + isolux_of_half ((guint16) (i + 1))) / 2.0;

          g_assert_cmpuint (isolux_half_of (middle), ==, i + (i & 1));
          g_assert_cmpuint (isolux_half_of (nextafter (middle, 0.0)), ==, i);
          g_assert_cmpuint (isolux_half_of (nextafter (middle, 1e9)), ==,
                            i + 1);
        }
    }
  g_assert_cmpuint (isolux_half_of (65519.0), ==, 0x7bff);
  g_assert_cmpuint (isolux_half_of (1e300), ==, 0x7bff);
  g_assert_cmpuint (isolux_half_of (INFINITY), ==, 0x7bff);
  g_assert_cmpuint (isolux_half_of (0.0), ==, 0);
  g_assert_cmpuint (isolux_half_of (-1.0), ==, 0);
  g_assert_cmpuint (isolux_half_of (NAN), ==, 0);
  for (i = 0; i < 100000; i++)
    {
      const gdouble v = ldexp (1.0 + random_unit (&random),
                               (gint) random_below (&random, 29) - 14);
      const gdouble back = isolux_of_half (isolux_half_of (v));

      g_assert_cmpfloat (fabs (back - v), <=, v * 0x1p-11);
    }
}

/* Half of the four corners are on ties: the rule for them is the formula. */
static void
test_diagonals (void)
{
  gint v, b, c, d;

  for (v = 0; v < 256; v += 5)
    for (b = 0; b < 256; b += 3)
      for (c = 0; c < 256; c += 5)
        for (d = 0; d < 256; d += 3)
          {
            const gdouble dr = isolux_lbp_fraction (7, -0.70711, -1);
            const gdouble dc = isolux_lbp_fraction (12, 0.70711, 0);
            const gint    sign = isolux_lbp_diagonal (b - v, c - v, d - v);
            const gdouble sample =
              isolux_lbp_sample (b, d, v, c, dr, dc, FALSE);

            if (sign != ISOLUX_LBP_TIE)
              g_assert_cmpint (sign, ==, sample >= v);
          }
}

/* ---- What is refused ---------------------------------------------------- */

typedef struct
{
  IsoluxDevice  *device;
  IsoluxSurface *u8, *other, *f32, *f32_rgb;
} Surfaces;

static void
make_surfaces (Surfaces *s)
{
  const IsoluxImage images[] = { { 9, 9, 1, ISOLUX_TYPE_U8, 0 },
                                 { 9, 9, 1, ISOLUX_TYPE_U8, 0 },
                                 { 9, 9, 1, ISOLUX_TYPE_F32, 0 },
                                 { 9, 9, 3, ISOLUX_TYPE_F32, 0 } };
  IsoluxSurface   **all[] = { &s->u8, &s->other, &s->f32, &s->f32_rgb };
  gsize             i;

  s->device = test_cpu (1);
  for (i = 0; i < G_N_ELEMENTS (all); i++)
    {
      GError *error = NULL;

      *all[i] = isolux_surface_new (s->device, &images[i], &error);
      g_assert_no_error (error);
    }
}

static void
free_surfaces (Surfaces *s)
{
  isolux_surface_unref (s->u8);
  isolux_surface_unref (s->other);
  isolux_surface_unref (s->f32);
  isolux_surface_unref (s->f32_rgb);
  isolux_device_unref (s->device);
}

static void
test_lbp_refuses (void)
{
  static const IsoluxLbpOptions wrong[] = {
    { 0.05, 8, ISOLUX_LBP_DEFAULT, FALSE, { 0.299, 0.587, 0.114 } },
    { 64.5, 8, ISOLUX_LBP_DEFAULT, FALSE, { 0.299, 0.587, 0.114 } },
    { NAN, 8, ISOLUX_LBP_DEFAULT, FALSE, { 0.299, 0.587, 0.114 } },
    { 1.0, 0, ISOLUX_LBP_DEFAULT, FALSE, { 0.299, 0.587, 0.114 } },
    { 1.0, 25, ISOLUX_LBP_DEFAULT, FALSE, { 0.299, 0.587, 0.114 } },
    { 1.0, 8, (IsoluxLbpMethod) 5, FALSE, { 0.299, 0.587, 0.114 } },
    { 1.0, 8, ISOLUX_LBP_DEFAULT, FALSE, { 0.5, 0.5, 0.5 } },
    { 1.0, 8, ISOLUX_LBP_DEFAULT, TRUE, { 0.299, 0.587, 0.114 } }
  };
  IsoluxLbpOptions options = ISOLUX_LBP_DEFAULTS;
  guint64         *counts = NULL;
  gsize            n = 0, i;
  GError          *error = NULL;
  Surfaces         s;

  make_surfaces (&s);
  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (isolux_lbp (s.u8, s.other, &wrong[i], NULL, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
    }
  g_assert_false (isolux_lbp (s.u8, s.u8, NULL, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_lbp (s.u8, s.f32, NULL, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  options.raw = TRUE;
  g_assert_false (isolux_lbp (s.u8, s.f32_rgb, &options, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  options.method = ISOLUX_LBP_VAR;
  g_assert_false (isolux_lbp_histogram (s.u8, &options, &counts, &n, NULL,
                                        &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_null (counts);
  free_surfaces (&s);
}

/* The pixels that a walk passes are those that lie on the line. */
static void
test_walks (void)
{
  gint rows, columns;

  for (rows = -9; rows <= 9; rows++)
    for (columns = -9; columns <= 9; columns++)
      {
        const IsoluxHogLine line = { 112, 215, rows, columns };
        IsoluxHogWalk       walk = isolux_hog_walk (&line, 100, 200);
        guint8              seen[25][31] = { 0 };
        gint                row, column;

        do
          seen[walk.row][walk.column]++;
        while (isolux_hog_step (&walk));
        for (row = 0; row < 25; row++)
          for (column = 0; column < 31; column++)
            g_assert_cmpint (seen[row][column], ==,
                             isolux_hog_on_line (&line, 100 + row,
                                                 200 + column));
      }
}

static void
test_hog_refuses (void)
{
  IsoluxHogOptions wrong[16];
  GError          *error = NULL;
  Surfaces         s;
  gint             i, n = 0;

  for (i = 0; i < 16; i++)
    wrong[i] = (IsoluxHogOptions) ISOLUX_HOG_DEFAULTS;
  wrong[n++].orientations = 0;
  wrong[n++].orientations = 65;
  wrong[n++].cell_size = 0;
  wrong[n++].cell_size = 1025;
  wrong[n++].block_size = 0;
  wrong[n++].block_size = 65;
  wrong[n++].norm = (IsoluxHogNorm) 4;
  wrong[n++].gradient = (IsoluxHogGradient) 2;
  wrong[n++].picture = (IsoluxHogPicture) 3;
  wrong[n++].weights[0] = 1.0;
  make_surfaces (&s);
  for (i = 0; i < n; i++)
    {
      g_assert_null (isolux_hog (s.u8, &wrong[i], NULL, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_assert_false (isolux_hog_picture (s.u8, s.other, &wrong[i], NULL,
                                          &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
    }
  wrong[n].raw = TRUE;
  g_assert_false (isolux_hog_picture (s.u8, s.other, &wrong[n], NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_hog_picture (s.u8, s.u8, NULL, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_hog_free (NULL);
  free_surfaces (&s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  g_test_add_func ("/patterns/bins", test_bins);
  g_test_add_func ("/patterns/bins-of-roots", test_bins_of_roots);
  g_test_add_func ("/patterns/halves", test_halves);
  g_test_add_func ("/patterns/diagonals", test_diagonals);
  g_test_add_func ("/patterns/lbp-refuses", test_lbp_refuses);
  g_test_add_func ("/patterns/bins-of-codes", test_bins_of_codes);
  g_test_add_func ("/patterns/quick-bins", test_quick_bins);
  g_test_add_func ("/patterns/add-root", test_add_root);
  g_test_add_func ("/patterns/add-root-ties", test_add_root_ties);
  g_test_add_func ("/patterns/walks", test_walks);
  g_test_add_func ("/patterns/hog-refuses", test_hog_refuses);
  return g_test_run ();
}
