/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux_contrast_map(): the CPU with one thread against a second writing of
 * it, to the last bit but where the exact result lies in the middle of two
 * values; every other backend against that, byte for byte.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N cases more for each type
 */
#include "targets.h"

#include <math.h>
#include <string.h>

#define CASES 400

static const gint64 sizes[][2] = { { 1, 1 },   { 1, 7 },     { 7, 1 },
                                   { 31, 17 }, { 129, 5 },   { 3, 1500 },
                                   { 64, 48 }, { 1100, 205 } };

static const guint16 colors[256][3] =
#include "core/contrast-colors.h"
  ;

typedef struct
{
  IsoluxImage              image, out_image;
  Region                   region;
  IsoluxContrastMapOptions options;
  Buffer                   source, destination;
  gboolean                 in_place;
  /* of the reference */
  gint     bits;
  gdouble  low, high;
  gint64   across, down; /* tiles */
  gdouble *measures;
} Case;

/* ---- A second writing -------------------------------------------- */

static gdouble
luma (const Case *c, const RefImage *image, gint64 x, gint64 y)
{
  return c->image.components >= 3
           ? ref_luma (image, x, y, c->options.weights, FALSE)
           : ref_get (image, x, y, 0);
}

static gboolean
counts (const Case *c, const RefImage *image, gint64 x, gint64 y)
{
  return ref_in_region (image, x, y) && ref_has_alpha (image, x, y) &&
         ! isnan (luma (c, image, x, y));
}

static void
find_scale (Case *c, const RefImage *image)
{
  gdouble largest = 0.0;
  gint64  x, y;

  c->low = INFINITY;
  c->high = -INFINITY;
  for (y = 0; y < c->image.height; y++)
    for (x = 0; x < c->image.width; x++)
      if (counts (c, image, x, y))
        {
          const gdouble v = luma (c, image, x, y);

          largest = MAX (largest, v);
          if (isfinite (v))
            {
              c->low = MIN (c->low, v);
              c->high = MAX (c->high, v);
            }
        }
  c->bits = c->image.type == ISOLUX_TYPE_U8    ? 8
            : c->image.type == ISOLUX_TYPE_F32 ? 16
                                               : c->image.bits;
  if (c->bits == 0)
    for (c->bits = 8; largest > (1 << c->bits) - 1; c->bits++)
      ;
}

static gdouble
code_of (const Case *c, gdouble v)
{
  gdouble k;

  if (c->image.type != ISOLUX_TYPE_F32)
    return MIN (v, (1 << c->bits) - 1);
  if (! (c->low < c->high))
    return 0.0;
  k = floor ((v - c->low) * (65536.0 / (c->high - c->low)));
  return CLAMP (k, 0.0, 65535.0);
}

static gdouble
measure (const Case     *c,
         const RefImage *image,
         gint64          left,
         gint64          top,
         gint64          right,
         gint64          bottom)
{
  const gdouble range = (1 << c->bits) - 1;
  guint64       bins[256] = { 0 };
  long double   sum = 0.0L, squares = 0.0L, entropy = 0.0L;
  gdouble       least = INFINITY, most = -INFINITY;
  guint64       n = 0;
  gint64        x, y;
  gint          k;

  for (y = top; y < bottom; y++)
    for (x = left; x < right; x++)
      if (counts (c, image, x, y))
        {
          const gdouble v = code_of (c, luma (c, image, x, y));

          n++;
          sum += v;
          squares += (long double) v * v;
          least = MIN (least, v);
          most = MAX (most, v);
          bins[(gint) floor (ldexp (v, 8 - c->bits))]++;
        }
  if (n == 0)
    return -1.0;
  if (c->options.measure == ISOLUX_CONTRAST_RANGE)
    return (most - least) / range;
  if (c->options.measure == ISOLUX_CONTRAST_DEVIATION)
    return (gdouble) MIN (1.0L, sqrtl (MAX (0.0L, squares / n -
                                                    sum / n * (sum / n))) /
                                  (range / 2.0L));
  for (k = 0; k < 256; k++)
    if (bins[k])
      entropy -= (long double) bins[k] / n * log2l ((long double) bins[k] / n);
  return (gdouble) (entropy / 8.0L);
}

/* Where tile k of n begins. */
static gint64
edge (gint64 k, gint64 n, gint64 size, gint64 tile)
{
  return k == n ? size : k * tile;
}

static gint64
tiles_of (gint64 size, gint64 tile)
{
  gint64 n = 0;

  while ((n + 1) * tile <= size)
    n++;
  if (size - n * tile >= tile - (size - n * tile))
    n++;
  return MAX (n, 1);
}

static void
measure_tiles (Case *c, const RefImage *image)
{
  const gint64 tile = c->options.tile_size;
  gint64       i, k;

  c->across = tiles_of (c->image.width, tile);
  c->down = tiles_of (c->image.height, tile);
  c->measures = g_new (gdouble, (gsize) (c->across * c->down));
  for (k = 0; k < c->down; k++)
    for (i = 0; i < c->across; i++)
      c->measures[k * c->across + i] =
        measure (c, image, edge (i, c->across, c->image.width, tile),
                 edge (k, c->down, c->image.height, tile),
                 edge (i + 1, c->across, c->image.width, tile),
                 edge (k + 1, c->down, c->image.height, tile));
}

/* A hat around each tile's middle that reaches to the middles beside it. */
static gdouble
weight_of (gint64 k, gint64 n, gint64 size, gint64 tile, gint64 x)
{
  const gdouble at = x + 0.5;
  const gdouble own = (edge (k, n, size, tile) + edge (k + 1, n, size, tile)) /
                      2.0;

  if (at <= own)
    {
      const gdouble before =
        k ? (edge (k - 1, n, size, tile) + edge (k, n, size, tile)) / 2.0
          : -INFINITY;

      return k == 0 ? 1.0 : MAX (0.0, (at - before) / (own - before));
    }
  else
    {
      const gdouble behind =
        k + 1 < n
          ? (edge (k + 1, n, size, tile) + edge (k + 2, n, size, tile)) / 2.0
          : INFINITY;

      return k + 1 == n ? 1.0 : MAX (0.0, (behind - at) / (behind - own));
    }
}

static gdouble
shown (const Case *c, gint64 x, gint64 y)
{
  const gint64 tile = c->options.tile_size;
  const gint64 i0 = MAX (x / tile - 2, 0), k0 = MAX (y / tile - 2, 0);
  gdouble      sum = 0.0, weight = 0.0;
  gint64       i, k;

  for (k = k0; k < MIN (k0 + 5, c->down); k++)
    for (i = i0; i < MIN (i0 + 5, c->across); i++)
      if (c->measures[k * c->across + i] >= 0.0)
        {
          const gdouble w = weight_of (i, c->across, c->image.width, tile, x) *
                            weight_of (k, c->down, c->image.height, tile, y);

          sum += w * c->measures[k * c->across + i];
          weight += w;
        }
  g_assert_cmpfloat (weight, >, 0.0);
  return sum / weight;
}

static void
check_pixel (const Case     *c,
             const RefImage *in,
             const RefImage *out,
             gint64          x,
             gint64          y)
{
  const gdouble maximum = c->image.type == ISOLUX_TYPE_U8    ? 255.0
                          : c->image.type == ISOLUX_TYPE_U16 ? 65535.0
                                                             : 1.0;
  const gint    from = c->image.components < 3 ? 1 : 3;
  const gint    to = c->out_image.components < 3 ? 1 : 3;
  gdouble       v = 0.0, after, wanted;
  gint          i;

  if (counts (c, in, x, y))
    v = shown (c, x, y);
  else
    v = -1.0;
  for (i = 0; i < to; i++)
    {
      after = ref_get (out, x, y, i);
      if (v < 0.0)
        {
          const gdouble before = from == to ? ref_get (in, x, y, i)
                                 : from == 1
                                   ? ref_get (in, x, y, 0)
                                   : (gdouble) (gfloat) luma (c, in, x, y);

          g_assert_true (after == before || (isnan (after) && isnan (before)));
          continue;
        }
      wanted = v;
      if (to == 3 && c->options.colors == ISOLUX_CONTRAST_COLORS)
        {
          const gint k = MIN ((gint) (v * 255.0), 254);

          wanted = (colors[k][i] +
                    (colors[k + 1][i] - colors[k][i]) * (v * 255.0 - k)) /
                   65535.0;
        }
      if (c->image.type == ISOLUX_TYPE_F32)
        g_assert_cmpfloat (fabs (after - wanted), <=, 1e-7);
      else
        g_assert_cmpfloat (fabs (after - wanted * maximum), <=, 0.5 + 1e-6);
    }
  if (c->out_image.components % 2 == 0)
    {
      after = ref_get (out, x, y, c->out_image.components - 1);
      wanted = c->image.components % 2 == 0
                 ? ref_get (in, x, y, c->image.components - 1)
                 : maximum;
      g_assert_true (after == wanted || (isnan (after) && isnan (wanted)));
    }
}

static void
check (Case *c, const Buffer *result)
{
  RefImage in = buffer_to_ref (&c->source), out = buffer_to_ref (result);
  gint64   x, y;

  region_to_ref (&c->region, &in);
  find_scale (c, &in);
  measure_tiles (c, &in);
  for (y = 0; y < c->image.height; y++)
    for (x = 0; x < c->image.width; x++)
      check_pixel (c, &in, &out, x, y);
  g_clear_pointer (&c->measures, g_free);
}

/* ---- Cases ------------------------------------------------------- */

static void
case_init (Case *c, IsoluxType type, guint64 number)
{
  static const gint tiles[] = { 2, 3, 5, 8, 16, 32, 33, 100, 65536 };
  Random            random = random_new (test_seed (), number);
  const gsize       size = random_below (&random, number % 25 ? 7 : 8);
  const gint64      width = sizes[size][0], height = sizes[size][1];

  memset (c, 0, sizeof *c);
  c->image = (IsoluxImage) { width, height,
                             1 + (gint) random_below (&random, 4), type, 0 };
  if (type == ISOLUX_TYPE_U16 && random_below (&random, 2))
    c->image.bits = 8 + (gint) random_below (&random, 9);
  c->out_image = c->image;
  c->in_place = random_below (&random, 3) == 0;
  if (! c->in_place)
    c->out_image.components = 1 + (gint) random_below (&random, 4);
  region_init (&c->region, (RegionKind) random_below (&random, N_REGIONS),
               width, height, &random);
  c->options.measure = (IsoluxContrastMeasure) random_below (&random, 3);
  c->options.colors = (IsoluxContrastColors) random_below (&random, 2);
  c->options.tile_size = tiles[random_below (&random, G_N_ELEMENTS (tiles))];
  choose_weights (&random, c->options.weights);
  buffer_init (&c->source, &c->image, (gsize) random_below (&random, 5), 1);
  buffer_fill (&c->source, (Values) random_below (&random, N_VALUES), &random);
  buffer_init (&c->destination, &c->out_image, 0, 0);
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  const Case *c = user_data;

  return isolux_contrast_map (source, destination, &c->options, report, error);
}

static void
run_case (const Target *targets, gint n, IsoluxType type, guint64 number)
{
  Buffer first, result;
  gint64 x, y;
  Case   c;
  gint   i;

  case_init (&c, type, number);
  buffer_init (&first, &c.out_image, 0, 0);
  buffer_init (&result, &c.out_image, 0, 0);
  for (i = 0; i < n; i++)
    {
      IsoluxReport report;

      target_run (&targets[i], &c.source, c.in_place ? NULL : &c.destination,
                  &c.region, i ? &result : &first, operate, &c, &report);
      if (i == 0)
        check (&c, &first);
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
  buffer_clear (&c.destination);
  region_clear (&c.region);
}

static void
test_contrast (gconstpointer data)
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
  g_test_add_data_func ("/parity/contrast/u8", GINT_TO_POINTER (ISOLUX_TYPE_U8),
                        test_contrast);
  g_test_add_data_func ("/parity/contrast/u16",
                        GINT_TO_POINTER (ISOLUX_TYPE_U16), test_contrast);
  g_test_add_data_func ("/parity/contrast/f32",
                        GINT_TO_POINTER (ISOLUX_TYPE_F32), test_contrast);
  return g_test_run ();
}
