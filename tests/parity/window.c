/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux_window(): the CPU with one thread against a second writing of it
 * with the C library's pow(), to the last bit but where the exact result lies
 * in the middle of two values; every other backend against that, byte for
 * byte.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N cases more for each type
 */
#include "targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASES 700

static const gint64 sizes[][2] = { { 1, 1 },   { 1, 7 },    { 7, 1 },
                                   { 31, 17 }, { 129, 5 },  { 3, 4099 },
                                   { 64, 64 }, { 521, 257 } };

typedef struct
{
  IsoluxImage         image;
  Values              values;
  Region              region;
  IsoluxWindowOptions options;
  Buffer              source;
  gboolean            in_place;
  gdouble             low[3], high[3];
} Case;

/* ---- The range --------------------------------------------------- */

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

/* channel: -1 luma */
static gdouble
value_at (const RefImage *image,
          gint64          x,
          gint64          y,
          gint            channel,
          const gdouble   weights[3])
{
  if (channel < 0 && image->image.components >= 3)
    return ref_luma (image, x, y, weights, FALSE);
  return ref_get (image, x, y, MAX (channel, 0));
}

/* All values that count, in order. */
static gdouble *
sorted_values (const Case *c, const RefImage *image, gint channel, gsize *n)
{
  gdouble *values = g_new (gdouble, (gsize) (c->image.width * c->image.height));
  gint64   x, y;
  gsize    i;

  *n = 0;
  for (y = 0; y < c->image.height; y++)
    for (x = 0; x < c->image.width; x++)
      {
        const gdouble v = value_at (image, x, y, channel, c->options.weights);

        if (ref_in_region (image, x, y) && ref_has_alpha (image, x, y) &&
            ! isnan (v))
          values[(*n)++] = v;
      }
  /* codes beyond the given bits count in the last bin */
  for (i = 0; i < *n && c->image.bits; i++)
    values[i] = MIN (values[i], (1 << c->image.bits) - 1);
  qsort (values, *n, sizeof (gdouble), compare_doubles);
  return values;
}

static gdouble
percentile_of (const gdouble *values, gsize n, gdouble percent)
{
  gsize k;

  for (k = 0; k < n; k++)
    if ((k + 1 == n || values[k + 1] != values[k]) &&
        (gdouble) (k + 1) * 100.0 >= percent * (gdouble) n)
      return values[k];
  return values[n - 1];
}

static void
find_range (Case *c, const RefImage *image, gint channel, gint t)
{
  gdouble *values;
  gsize    n, first, last;

  if (c->options.mode == ISOLUX_WINDOW_WINDOW)
    {
      c->low[t] = c->options.center - c->options.width / 2.0;
      c->high[t] = c->options.center + c->options.width / 2.0;
      return;
    }
  values = sorted_values (c, image, channel, &n);
  c->low[t] = c->high[t] = 0.0;
  for (first = 0; first < n && isinf (values[first]); first++)
    ;
  for (last = n; last > first && isinf (values[last - 1]); last--)
    ;
  if (first < last && c->options.mode == ISOLUX_WINDOW_RANGE)
    {
      c->low[t] = values[first];
      c->high[t] = values[last - 1];
    }
  else if (first < last)
    {
      const gdouble low = c->options.low_percentile;
      const gdouble high = c->options.high_percentile;

      /* infinities count in the last and in the first bin */
      while (first > 0)
        values[--first] = values[n - last > 0 ? last - 1 : n - 1];
      c->low[t] = percentile_of (values, n, low);
      c->high[t] = percentile_of (values, n, high);
    }
  g_free (values);
}

/* ---- A pixel ----------------------------------------------------- */

static gdouble
exact (const Case *c, gint t, gdouble v)
{
  const long double width = (long double) c->high[t] - c->low[t];
  long double       u = ((long double) v - c->low[t]) / width;

  u = u > 0.0L ? (u < 1.0L ? u : 1.0L) : 0.0L;
  if (c->options.gamma != 1.0)
    u = powl (u, 1.0L / c->options.gamma);
  return (gdouble) (c->options.invert ? 1.0L - u : u);
}

static void
check_value (const Case *c, gint t, gdouble in, gdouble out)
{
  const gdouble wanted = exact (c, t, in);
  const gdouble maximum = c->image.type == ISOLUX_TYPE_U8    ? 255.0
                          : c->image.type == ISOLUX_TYPE_U16 ? 65535.0
                                                             : 1.0;

  if (c->image.type != ISOLUX_TYPE_F32)
    g_assert_cmpfloat (fabs (out - wanted * maximum), <=, 0.5 + 1e-8);
  else
    g_assert_cmpfloat (fabs (out - wanted), <=,
                       1e-15 + 0.51 * (nextafterf ((gfloat) wanted, 2.0f) -
                                       (gfloat) wanted));
}

/* Percentiles of floats are found by bins. */
static gboolean
is_rough (const Case *c)
{
  return c->image.type == ISOLUX_TYPE_F32 &&
         c->options.mode == ISOLUX_WINDOW_PERCENTILE;
}

static void
check_pixel (const Case     *c,
             const RefImage *in,
             const RefImage *out,
             gint64          x,
             gint64          y)
{
  const gint     n = c->image.components, colors = n < 3 ? 1 : 3;
  const gboolean each = c->options.channels == ISOLUX_EQUALIZE_EACH;
  gboolean       counts = ref_in_region (in, x, y) && ref_has_alpha (in, x, y);
  gint           i;

  if (colors == 3 && ! each)
    for (i = 0; i < 3; i++)
      counts = counts && ! isnan (ref_get (in, x, y, i));
  for (i = 0; i < n; i++)
    {
      const gdouble before = ref_get (in, x, y, i);
      const gdouble after = ref_get (out, x, y, i);
      const gint    t = each ? i : 0;

      if (! counts || i >= colors || isnan (before) ||
          (! is_rough (c) && ! (c->low[t] < c->high[t])))
        g_assert_true (memcmp (&before, &after, sizeof before) == 0);
      else if (! is_rough (c))
        check_value (c, t, before, after);
      else if (after != before)
        g_assert_true (after >= 0.0 && after <= 1.0);
    }
}

/* ---- Cases ------------------------------------------------------- */

static void
choose_options (Case *c, Random *random)
{
  static const gdouble gammas[] = { 1.0, 1.0, 0.1, 0.45, 2.2, 10.0 };
  static const gdouble lows[] = { 0.0, 0.5, 1.0, 25.0, 49.9 };
  static const gdouble highs[] = { 50.0, 75.0, 99.0, 99.5, 100.0 };
  IsoluxWindowOptions *o = &c->options;
  const gdouble        maximum = c->image.type == ISOLUX_TYPE_U8    ? 255.0
                                 : c->image.type == ISOLUX_TYPE_U16 ? 65535.0
                                                                    : 1.0;

  o->mode = (IsoluxWindowMode) random_below (random, 3);
  o->center = maximum * (2.0 * random_unit (random) - 0.5);
  o->width = maximum * pow (10.0, 4.0 * random_unit (random) - 3.0);
  o->low_percentile = lows[random_below (random, G_N_ELEMENTS (lows))];
  o->high_percentile = highs[random_below (random, G_N_ELEMENTS (highs))];
  o->invert = random_below (random, 2) == 0;
  o->gamma = gammas[random_below (random, G_N_ELEMENTS (gammas))];
  o->channels = (IsoluxEqualizeChannels) random_below (random, 2);
  choose_weights (random, o->weights);
}

static void
case_init (Case *c, IsoluxType type, guint64 number)
{
  Random       random = random_new (test_seed (), number);
  const gsize  size = random_below (&random, number % 50 ? 7 : 8);
  const gint64 width = sizes[size][0], height = sizes[size][1];

  memset (c, 0, sizeof *c);
  c->image = (IsoluxImage) { width, height,
                             1 + (gint) random_below (&random, 4), type, 0 };
  if (type == ISOLUX_TYPE_U16 && random_below (&random, 2))
    c->image.bits = 8 + (gint) random_below (&random, 9);
  c->values = (Values) random_below (&random, N_VALUES);
  region_init (&c->region, (RegionKind) random_below (&random, N_REGIONS),
               width, height, &random);
  c->in_place = random_below (&random, 3) == 0;
  choose_options (c, &random);
  buffer_init (&c->source, &c->image, (gsize) random_below (&random, 5), 1);
  buffer_fill (&c->source, c->values, &random);
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  const Case *c = user_data;

  return isolux_window (source, destination, &c->options, report, error);
}

static void
case_check (Case *c, const Buffer *result, const IsoluxReport *report)
{
  const gint colors = c->image.components < 3 ? 1 : 3;
  const gint channels = c->options.channels == ISOLUX_EQUALIZE_EACH ? colors
                                                                    : 1;
  RefImage   in = buffer_to_ref (&c->source), out = buffer_to_ref (result);
  gboolean   unchanged = TRUE;
  gint64     x, y;
  gint       t;

  region_to_ref (&c->region, &in);
  for (t = 0; t < channels; t++)
    {
      find_range (c, &in, colors == 3 && channels == 1 ? -1 : t, t);
      unchanged = unchanged && ! (c->low[t] < c->high[t]);
    }
  if (! is_rough (c))
    g_assert_cmpint (report->unchanged, ==, unchanged);
  for (y = 0; y < c->image.height; y++)
    for (x = 0; x < c->image.width; x++)
      check_pixel (c, &in, &out, x, y);
}

static void
run_case (const Target *targets, gint n, IsoluxType type, guint64 number)
{
  Buffer first, result;
  gint64 x, y;
  Case   c;
  gint   i;

  case_init (&c, type, number);
  buffer_init (&first, &c.image, 0, 0);
  buffer_init (&result, &c.image, 0, 0);
  for (i = 0; i < n; i++)
    {
      IsoluxReport report;

      target_run (&targets[i], &c.source, c.in_place ? NULL : &c.source,
                  &c.region, i ? &result : &first, operate, &c, &report);
      if (i == 0)
        case_check (&c, &first, &report);
      else if (! buffer_equal (&first, &result, &x, &y))
        {
          g_test_message ("case %" G_GUINT64_FORMAT
                          " on %s: component %" G_GINT64_FORMAT
                          " of row %" G_GINT64_FORMAT,
                          number, targets[i].name, x, y);
          g_test_fail ();
        }
    }
  buffer_clear (&first);
  buffer_clear (&result);
  buffer_clear (&c.source);
  region_clear (&c.region);
}

static void
test_window (gconstpointer data)
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
  g_test_add_data_func ("/parity/window/u8", GINT_TO_POINTER (ISOLUX_TYPE_U8),
                        test_window);
  g_test_add_data_func ("/parity/window/u16", GINT_TO_POINTER (ISOLUX_TYPE_U16),
                        test_window);
  g_test_add_data_func ("/parity/window/f32", GINT_TO_POINTER (ISOLUX_TYPE_F32),
                        test_window);
  return g_test_run ();
}
