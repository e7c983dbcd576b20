/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux_surface_leave_out(): what an operation then does is what it does
 * with a region whose mask was made here, pixel by pixel; on every backend
 * the same bytes.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N cases more for each type
 */
#include "targets.h"

#include <math.h>
#include <string.h>

#define CASES 400

static const gint64 sizes[][2] = { { 1, 1 },   { 1, 7 },    { 7, 1 },
                                   { 31, 17 }, { 129, 5 },  { 3, 4099 },
                                   { 64, 64 }, { 521, 257 } };

typedef struct
{
  IsoluxImage image;
  Region      region;
  Region      narrowed; /* the same without what is left out */
  Buffer      source;
  gdouble     value[2]; /* up to two calls */
  gdouble     tolerance[2];
  gint        calls;
  gint        operation;
  gboolean    leave_out; /* or by the region */
} Case;

static gboolean
is_left_out (const Case *c, const RefImage *image, gint64 x, gint64 y, gint k)
{
  const gint   colors = c->image.components < 3 ? 1 : 3;
  const gfloat low = (gfloat) (c->value[k] - c->tolerance[k]);
  const gfloat high = (gfloat) (c->value[k] + c->tolerance[k]);

  for (gint i = 0; i < colors; i++)
    {
      const gdouble v = ref_get (image, x, y, i);

      if (! (v >= low && v <= high))
        return FALSE;
    }
  return TRUE;
}

static void
narrow (Case *c)
{
  RefImage image = buffer_to_ref (&c->source);
  gint64   width = c->image.width, height = c->image.height;

  region_to_ref (&c->region, &image);
  c->narrowed.given = TRUE;
  c->narrowed.rectangle = (IsoluxRectangle) { 0, 0, width, height };
  c->narrowed.mask_stride = (gsize) width;
  c->narrowed.mask = g_malloc0 ((gsize) width * (gsize) height);
  for (gint64 y = 0; y < height; y++)
    for (gint64 x = 0; x < width; x++)
      {
        gboolean counts = ref_in_region (&image, x, y);

        for (gint k = 0; k < c->calls; k++)
          counts = counts && ! is_left_out (c, &image, x, y, k);
        c->narrowed.mask[y * width + x] = counts ? 255 : 0;
      }
}

static void
case_init (Case *c, IsoluxType type, guint64 number)
{
  Random       random = random_new (test_seed (), number);
  const gsize  size = random_below (&random, number % 50 ? 7 : 8);
  const gint64 width = sizes[size][0], height = sizes[size][1];
  RefImage     image;

  memset (c, 0, sizeof *c);
  c->image = (IsoluxImage) { width, height,
                             1 + (gint) random_below (&random, 4), type, 0 };
  region_init (&c->region, (RegionKind) random_below (&random, N_REGIONS),
               width, height, &random);
  buffer_init (&c->source, &c->image, (gsize) random_below (&random, 5), 1);
  buffer_fill (&c->source, (Values) random_below (&random, N_VALUES), &random);
  image = buffer_to_ref (&c->source);
  c->operation = (gint) random_below (&random, 3);
  c->calls = 1 + (gint) random_below (&random, 2);
  for (gint k = 0; k < c->calls; k++)
    {
      /* some pixel's value, exactly or about */
      c->value[k] = ref_get (&image, (gint64) random_below (&random, width),
                             (gint64) random_below (&random, height), 0);
      if (isnan (c->value[k]))
        c->value[k] = 0.0;
      if (random_below (&random, 2))
        c->tolerance[k] = random_unit (&random) *
                          (type == ISOLUX_TYPE_F32 ? 0.2 : 99.0);
    }
  narrow (c);
}

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  const Case         *c = user_data;
  IsoluxWindowOptions window = ISOLUX_WINDOW_DEFAULTS;

  for (gint k = 0; c->leave_out && k < c->calls; k++)
    if (! isolux_surface_leave_out (source, c->value[k], c->tolerance[k],
                                    error))
      return FALSE;

  window.low_percentile = 5.0;
  window.high_percentile = 95.0;
  if (c->operation == 0)
    return isolux_window (source, destination, &window, report, error);
  if (c->operation == 1)
    return isolux_equalize (source, destination, NULL, report, error);
  return isolux_contrast_map (source, destination, NULL, report, error);
}

static void
run_case (const Target *targets, gint n, IsoluxType type, guint64 number)
{
  IsoluxReport report;
  Buffer       first, result;
  gint64       x, y;
  Case         c;

  case_init (&c, type, number);
  buffer_init (&first, &c.image, 0, 0);
  buffer_init (&result, &c.image, 0, 0);
  target_run (&targets[0], &c.source, &c.source, &c.narrowed, &first, operate,
              &c, &report);
  c.leave_out = TRUE;
  for (gint i = 0; i < n; i++)
    {
      target_run (&targets[i], &c.source, &c.source, &c.region, &result,
                  operate, &c, &report);
      if (! buffer_equal (&first, &result, &x, &y))
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
  g_free (c.narrowed.mask);
}

static void
test_leave_out (gconstpointer data)
{
  const IsoluxType type = (IsoluxType) GPOINTER_TO_INT (data);
  const guint      cases = cases_wanted (CASES);
  Target           targets[MOST_TARGETS];
  const gint       n = targets_init (targets);

  for (guint k = 0; k < cases; k++)
    run_case (targets, n, type, 3000000u * (guint) (type + 1) + k);
  g_test_message ("%u cases on %d targets", cases, n);
  targets_clear (targets, n);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  g_test_add_data_func ("/parity/leave-out/u8",
                        GINT_TO_POINTER (ISOLUX_TYPE_U8), test_leave_out);
  g_test_add_data_func ("/parity/leave-out/u16",
                        GINT_TO_POINTER (ISOLUX_TYPE_U16), test_leave_out);
  g_test_add_data_func ("/parity/leave-out/f32",
                        GINT_TO_POINTER (ISOLUX_TYPE_F32), test_leave_out);
  return g_test_run ();
}
