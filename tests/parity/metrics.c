/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux_metrics(): the CPU with one thread against a second writing of it in
 * extended precision; every other backend against that, to the last bit.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N cases more for each type
 */
#include "targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASES 300

static const gint64 sizes[][2] = { { 1, 1 },   { 7, 7 },    { 6, 40 },
                                   { 31, 17 }, { 129, 9 },  { 8, 4099 },
                                   { 64, 64 }, { 1100, 45 } };

typedef struct
{
  IsoluxImage image;
  Region      region;
  Buffer      first, second;
  gdouble     weights[3];
  /* of the reference, one a pixel */
  gdouble *a, *b;
  guint8  *counts;
} Case;

typedef struct
{
  const Case   *c;
  IsoluxMetrics metrics;
} Run;

/* ---- A second writing -------------------------------------------- */

static gdouble
nominal (const Case *c)
{
  return c->image.type == ISOLUX_TYPE_U8    ? 255.0
         : c->image.type == ISOLUX_TYPE_U16 ? 65535.0
                                            : 1.0;
}

static gdouble
luma (const Case *c, const RefImage *image, gint64 x, gint64 y)
{
  return c->image.components >= 3 ? ref_luma (image, x, y, c->weights, FALSE)
                                  : ref_get (image, x, y, 0);
}

static void
look (Case *c)
{
  const gsize n = (gsize) (c->image.width * c->image.height);
  RefImage    first = buffer_to_ref (&c->first);
  RefImage    second = buffer_to_ref (&c->second);
  gint64      x, y;
  gsize       i = 0;

  region_to_ref (&c->region, &first);
  c->a = g_new (gdouble, n);
  c->b = g_new (gdouble, n);
  c->counts = g_new (guint8, n);
  for (y = 0; y < c->image.height; y++)
    for (x = 0; x < c->image.width; x++, i++)
      {
        c->a[i] = luma (c, &first, x, y);
        c->b[i] = luma (c, &second, x, y);
        c->counts[i] = ref_in_region (&first, x, y) &&
                       ref_has_alpha (&first, x, y) && isfinite (c->a[i]) &&
                       isfinite (c->b[i]);
      }
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

/* Of values: codes themselves, floats by their bins. */
static gdouble
entropy_of (const Case *c, const gdouble *values, gsize n)
{
  gdouble    *keys = g_new (gdouble, n);
  gdouble     low = INFINITY, high = -INFINITY;
  long double sum = 0.0L;
  gsize       k, run = 0;

  for (k = 0; k < n; k++)
    {
      low = MIN (low, values[k]);
      high = MAX (high, values[k]);
    }
  for (k = 0; k < n; k++)
    if (c->image.type == ISOLUX_TYPE_F32)
      keys[k] =
        low < high
          ? MIN (floor ((values[k] - low) * (65536.0 / (high - low))), 65535.0)
          : 0.0;
    else
      keys[k] = c->image.bits ? MIN (values[k], (1 << c->image.bits) - 1)
                              : values[k];
  qsort (keys, n, sizeof (gdouble), compare_doubles);
  for (k = 0; k < n; k++)
    {
      run++;
      if (k + 1 < n && keys[k + 1] == keys[k])
        continue;
      sum -= (long double) run / n * log2l ((long double) run / n);
      run = 0;
    }
  g_free (keys);
  return (gdouble) sum;
}

static gdouble
window_similarity (const Case *c, gint64 x, gint64 y)
{
  const long double c1 = powl (0.01L * nominal (c), 2);
  const long double c2 = powl (0.03L * nominal (c), 2);
  long double       ma = 0, mb = 0, va = 0, vb = 0, vab = 0;
  gint64            dx, dy;

  for (dy = -3; dy <= 3; dy++)
    for (dx = -3; dx <= 3; dx++)
      {
        ma += c->a[(y + dy) * c->image.width + x + dx] / 49.0L;
        mb += c->b[(y + dy) * c->image.width + x + dx] / 49.0L;
      }
  for (dy = -3; dy <= 3; dy++)
    for (dx = -3; dx <= 3; dx++)
      {
        const long double da = c->a[(y + dy) * c->image.width + x + dx] - ma;
        const long double db = c->b[(y + dy) * c->image.width + x + dx] - mb;

        va += da * da / 48.0L;
        vb += db * db / 48.0L;
        vab += da * db / 48.0L;
      }
  return (gdouble) ((2 * ma * mb + c1) * (2 * vab + c2) /
                    ((ma * ma + mb * mb + c1) * (va + vb + c2)));
}

static gdouble
similarity (const Case *c, gboolean equal)
{
  gdouble sum = 0.0, n = 0.0;
  gint64  x, y;

  for (y = 3; y < c->image.height - 3; y++)
    for (x = 3; x < c->image.width - 3; x++)
      if (c->counts[y * c->image.width + x])
        {
          const gdouble v = window_similarity (c, x, y);

          if (isfinite (v))
            {
              sum += v;
              n += 1.0;
            }
        }
  return n > 0.0 ? sum / n : equal ? 1.0 : NAN;
}

static gdouble
share_of_saturated (const Case *c, const gdouble *values, gsize n)
{
  const gdouble top = c->image.bits ? (1 << c->image.bits) - 1 : nominal (c);
  gsize         k, found = 0;

  for (k = 0; k < n; k++)
    found += values[k] <= 0.0 || values[k] >= top;
  return (gdouble) found / (gdouble) n;
}

static void
assert_close (gdouble v, gdouble wanted, gdouble scale)
{
  if (isnan (wanted) || isinf (wanted))
    g_assert_true (memcmp (&v, &wanted, sizeof v) == 0 ||
                   (isnan (v) && isnan (wanted)));
  else
    g_assert_cmpfloat (fabs (v - wanted), <=,
                       1e-12 * MAX (scale, fabs (wanted)));
}

static void
check (const Case *c, const IsoluxMetrics *m)
{
  const gsize    all = (gsize) (c->image.width * c->image.height);
  const gdouble *both[2] = { c->a, c->b };
  gdouble       *values[2], largest = 0.0;
  long double    mean[2], squares, error = 0.0L;
  gsize          n = 0, i, k;

  for (i = 0; i < 2; i++)
    {
      values[i] = g_new (gdouble, all);
      for (n = 0, k = 0; k < all; k++)
        if (c->counts[k])
          {
            values[i][n++] = both[i][k];
            largest = MAX (largest, fabs (both[i][k]));
          }
    }
  g_assert_cmpuint (m->count, ==, n);
  if (n == 0)
    {
      g_assert_true (isnan (m->psnr) && isnan (m->ssim));
      g_assert_true (m->mse == 0.0 && m->entropy[0] == 0.0);
    }
  for (i = 0; i < 2 && n; i++)
    {
      for (mean[i] = 0.0L, k = 0; k < n; k++)
        mean[i] += values[i][k];
      mean[i] /= n;
      for (squares = 0.0L, k = 0; k < n; k++)
        squares += (values[i][k] - mean[i]) * (values[i][k] - mean[i]);
      assert_close (m->mean[i], (gdouble) mean[i], largest);
      assert_close (m->rms_contrast[i],
                    (gdouble) (sqrtl (squares / n) / nominal (c)),
                    largest * 1e-3);
      assert_close (m->entropy[i], entropy_of (c, values[i], n), 1.0);
      assert_close (m->saturated[i], share_of_saturated (c, values[i], n), 0.0);
    }
  if (n)
    {
      for (k = 0; k < n; k++)
        error += ((long double) values[0][k] - values[1][k]) *
                 ((long double) values[0][k] - values[1][k]);
      error /= n;
      assert_close (m->ambe, (gdouble) fabsl (mean[0] - mean[1]), largest);
      assert_close (m->mse, (gdouble) error, 0.0);
      assert_close (m->psnr,
                    error > 0.0L
                      ? (gdouble) (10.0L *
                                   log10l (nominal (c) * nominal (c) / error))
                      : INFINITY,
                    1.0);
      if (largest <= 65535.0)
        {
          const gdouble wanted = similarity (c, error == 0.0L);

          if (isnan (wanted))
            g_assert_true (isnan (m->ssim));
          else
            g_assert_cmpfloat (fabs (m->ssim - wanted), <=, 1e-9);
        }
    }
  g_free (values[0]);
  g_free (values[1]);
}

/* ---- Cases ------------------------------------------------------- */

/* The second image: another one, the same, or nearly the same. */
static void
fill_second (Case *c, Random *random)
{
  const guint64 kind = random_below (random, 4);
  RefImage      first = buffer_to_ref (&c->first);
  RefImage      second = buffer_to_ref (&c->second);
  gint64        x, y;
  gint          i;

  buffer_fill (&c->second, (Values) random_below (random, N_VALUES), random);
  if (kind == 0)
    return;
  for (y = 0; y < c->image.height; y++)
    for (x = 0; x < c->image.width; x++)
      for (i = 0; i < c->image.components; i++)
        if (kind == 1 || random_below (random, kind == 2 ? 50 : 2))
          ref_copy_component (&first, i, &second, i, x, y);
}

static void
case_init (Case *c, IsoluxType type, guint64 number)
{
  Random       random = random_new (test_seed (), number);
  const gsize  size = random_below (&random, number % 20 ? 6 : 8);
  const gint64 width = sizes[size][0], height = sizes[size][1];

  memset (c, 0, sizeof *c);
  c->image = (IsoluxImage) { width, height,
                             1 + (gint) random_below (&random, 4), type, 0 };
  if (type == ISOLUX_TYPE_U16 && random_below (&random, 2))
    c->image.bits = 8 + (gint) random_below (&random, 9);
  region_init (&c->region, (RegionKind) random_below (&random, N_REGIONS),
               width, height, &random);
  choose_weights (&random, c->weights);
  buffer_init (&c->first, &c->image, (gsize) random_below (&random, 5), 1);
  buffer_init (&c->second, &c->image, 0, 0);
  buffer_fill (&c->first, (Values) random_below (&random, N_VALUES), &random);
  fill_second (c, &random);
  look (c);
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  Run *run = user_data;

  return isolux_metrics (source, destination, run->c->weights, &run->metrics,
                         report, error);
}

static void
run_case (const Target *targets, gint n, IsoluxType type, guint64 number)
{
  IsoluxMetrics first;
  Case          c;
  gint          i;

  case_init (&c, type, number);
  for (i = 0; i < n; i++)
    {
      Run          run = { &c, { 0 } };
      IsoluxReport report;

      target_run (&targets[i], &c.first, &c.second, &c.region, NULL, operate,
                  &run, &report);
      if (i == 0)
        {
          first = run.metrics;
          check (&c, &first);
        }
      else if (memcmp (&first, &run.metrics, sizeof first))
        {
          g_test_message ("case %" G_GUINT64_FORMAT ": %s is not the same, "
                          "ssim %.17g and %.17g, mse %.17g and %.17g",
                          number, targets[i].name, first.ssim, run.metrics.ssim,
                          first.mse, run.metrics.mse);
          g_test_fail ();
        }
    }
  g_free (c.a);
  g_free (c.b);
  g_free (c.counts);
  buffer_clear (&c.first);
  buffer_clear (&c.second);
  region_clear (&c.region);
}

static void
test_metrics (gconstpointer data)
{
  const IsoluxType type = (IsoluxType) GPOINTER_TO_INT (data);
  const guint      cases = cases_wanted (CASES);
  Target           targets[MOST_TARGETS];
  const gint       n = targets_init (targets);
  guint            k;

  for (k = 0; k < cases; k++)
    {
      if (g_test_verbose ())
        g_test_message ("case %u", k);
      run_case (targets, n, type, 1000000u * (guint) (type + 1) + k);
    }
  g_test_message ("%u cases on %d targets", cases, n);
  targets_clear (targets, n);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  g_test_add_data_func ("/parity/metrics/u8", GINT_TO_POINTER (ISOLUX_TYPE_U8),
                        test_metrics);
  g_test_add_data_func ("/parity/metrics/u16",
                        GINT_TO_POINTER (ISOLUX_TYPE_U16), test_metrics);
  g_test_add_data_func ("/parity/metrics/f32",
                        GINT_TO_POINTER (ISOLUX_TYPE_F32), test_metrics);
  return g_test_run ();
}
