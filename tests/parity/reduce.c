/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux_reduce() on every backend against a second writing of it, byte for
 * byte: types, components, parts, sizes, hostile values, padded rows.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N cases more for each type
 */
#include "targets.h"

#include <math.h>
#include <string.h>

#define CASES 500

static const gint64 sizes[][2] = { { 1, 1 },   { 1, 7 },    { 7, 1 },
                                   { 31, 17 }, { 129, 5 },  { 3, 4099 },
                                   { 64, 64 }, { 4099, 3 }, { 521, 257 } };

typedef struct
{
  IsoluxImage     image, out_image;
  Region          region;
  IsoluxRectangle part;
  gboolean        all; /* no rectangle is given */
  Buffer          source, destination;
} Case;

/* ---- A second writing -------------------------------------------- */

static gint64
edge (gint64 i, gint64 n, gint64 size)
{
  return (gint64) floor ((gdouble) i * (gdouble) size / (gdouble) n);
}

static void
expect_pixel (const Case     *c,
              const RefImage *in,
              const RefImage *out,
              gint64          i,
              gint64          j,
              gint            component)
{
  const gint64 x0 = c->part.x + edge (i, c->out_image.width, c->part.width);
  const gint64 x1 = c->part.x + edge (i + 1, c->out_image.width, c->part.width);
  const gint64 y0 = c->part.y + edge (j, c->out_image.height, c->part.height);
  const gint64 y1 = c->part.y +
                    edge (j + 1, c->out_image.height, c->part.height);
  const gdouble n = (gdouble) ((x1 - x0) * (y1 - y0));
  gdouble       sum = 0.0;
  gint64        x, y;

  g_assert_true (x1 > x0 && y1 > y0);
  for (y = y0; y < y1; y++)
    {
      gdouble row = ref_get (in, x0, y, component);

      for (x = x0 + 1; x < x1; x++)
        row += ref_get (in, x, y, component);
      sum = y == y0 ? row : sum + row;
    }
  ref_put (out, i, j, component,
           c->image.type == ISOLUX_TYPE_F32 ? sum / n : floor (sum / n + 0.5));
}

/* ---- Cases ------------------------------------------------------- */

static void
case_init (Case *c, IsoluxType type, guint64 number)
{
  Random       random = random_new (test_seed (), number);
  const gsize  size = random_below (&random, number % 20 ? 8 : 9);
  const gint64 width = sizes[size][0], height = sizes[size][1];

  memset (c, 0, sizeof *c);
  c->image = (IsoluxImage) { width, height,
                             1 + (gint) random_below (&random, 4), type, 0 };
  region_init (&c->region, (RegionKind) random_below (&random, N_REGIONS),
               width, height, &random);
  c->all = random_below (&random, 3) == 0;
  c->part = (IsoluxRectangle) { 0, 0, width, height };
  if (! c->all)
    {
      c->part.x = (gint64) random_below (&random, width);
      c->part.y = (gint64) random_below (&random, height);
      c->part.width = 1 + (gint64) random_below (&random, width - c->part.x);
      c->part.height = 1 + (gint64) random_below (&random, height - c->part.y);
    }
  c->out_image = c->image;
  c->out_image.width = 1 + (gint64) random_below (&random, c->part.width);
  c->out_image.height = 1 + (gint64) random_below (&random, c->part.height);
  /* large blocks, and none, have paths of their own */
  if (random_below (&random, 4) == 0)
    {
      c->out_image.width = MIN (c->part.width, 3);
      c->out_image.height = MIN (c->part.height, 2);
    }
  else if (random_below (&random, 6) == 0)
    {
      c->out_image.width = c->part.width;
      c->out_image.height = c->part.height;
    }
  buffer_init (&c->source, &c->image, (gsize) random_below (&random, 5),
               (gsize) random_below (&random, 4));
  buffer_fill (&c->source, (Values) random_below (&random, N_VALUES), &random);
  buffer_init (&c->destination, &c->out_image,
               (gsize) random_below (&random, 5), 1);
  buffer_fill (&c->destination, VALUES_RANDOM, &random);
}

static void
case_clear (Case *c)
{
  buffer_clear (&c->source);
  buffer_clear (&c->destination);
  region_clear (&c->region);
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  const Case *c = user_data;

  return isolux_reduce (source, c->all ? NULL : &c->part, destination, report,
                        error);
}

static void
run_case (const Target *targets, gint n, IsoluxType type, guint64 number)
{
  Buffer   expected, result;
  RefImage in, out;
  gint64   x, y;
  Case     c;
  gint     i;

  case_init (&c, type, number);
  buffer_init (&expected, &c.out_image, 0, 0);
  buffer_init (&result, &c.out_image, 0, 0);
  in = buffer_to_ref (&c.source);
  out = buffer_to_ref (&expected);
  for (y = 0; y < c.out_image.height; y++)
    for (x = 0; x < c.out_image.width; x++)
      for (i = 0; i < c.image.components; i++)
        expect_pixel (&c, &in, &out, x, y, i);
  for (i = 0; i < n; i++)
    {
      IsoluxReport report;

      target_run (&targets[i], &c.source, &c.destination, &c.region, &result,
                  operate, &c, &report);
      if (! buffer_equal (&expected, &result, &x, &y))
        {
          g_test_message ("case %" G_GUINT64_FORMAT
                          " on %s: component %" G_GINT64_FORMAT
                          " of row %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                          " x %" G_GINT64_FORMAT,
                          number, targets[i].name, x, y, c.out_image.width,
                          c.out_image.height);
          g_test_fail ();
        }
    }
  buffer_clear (&expected);
  buffer_clear (&result);
  case_clear (&c);
}

static void
test_reduce (gconstpointer data)
{
  const IsoluxType type = (IsoluxType) GPOINTER_TO_INT (data);
  const guint      cases = cases_wanted (CASES);
  Target           targets[MOST_TARGETS];
  const gint       n = targets_init (targets);
  guint            k;

  for (k = 0; k < cases; k++)
    run_case (targets, n, type, 1000000u * (guint) (type + 1) + k);
  g_test_message ("%u cases on %d targets", cases, n);
  targets_clear (targets, n);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  g_test_add_data_func ("/parity/reduce/u8", GINT_TO_POINTER (ISOLUX_TYPE_U8),
                        test_reduce);
  g_test_add_data_func ("/parity/reduce/u16", GINT_TO_POINTER (ISOLUX_TYPE_U16),
                        test_reduce);
  g_test_add_data_func ("/parity/reduce/f32", GINT_TO_POINTER (ISOLUX_TYPE_F32),
                        test_reduce);
  return g_test_run ();
}
