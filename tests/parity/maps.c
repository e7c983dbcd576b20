/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of CLAHE: every backend's against those of the CPU with one
 * thread, and samples against what isolux_clahe() makes of the whole image,
 * which tests/parity/clahe.c compares with the reference.
 *
 *   ISOLUX_TEST_SEED=N      repeats a run
 *   ISOLUX_PARITY_QUICK=1   a small part of it, for slow checkers
 *   ISOLUX_PARITY_MORE=N    N cases more for each type
 */
#include "targets.h"

#include <string.h>

#define CASES 250
#define POINTS 97

static const gint64 sizes[][2] = { { 1, 1 },   { 1, 7 },   { 7, 1 },
                                   { 31, 17 }, { 64, 48 }, { 129, 5 },
                                   { 97, 61 }, { 100, 77 } };

/* What a backend says about an image. */
typedef struct
{
  IsoluxClaheGrid grid;
  gdouble        *curves; /* of all channels and tiles */
  gdouble        *bands;  /* of all channels */
  gsize           n_curves, n_bands;
} Tables;

typedef struct
{
  IsoluxImage        image, out_image;
  Region             region;
  IsoluxClaheOptions options;
  Buffer             source, whole, destination;
  gint64            *columns, *rows;
  Tables             tables;
  gboolean           with_picture; /* tables and picture in one go */
} Case;

/* ---- Making a case ----------------------------------------------- */

static void
choose_options (Case *c, Random *random)
{
  static const gdouble clips[] = { 0.0, 0.01, 1.0, 2.0, 3.7, 65536.0 };
  static const gint    bins[] = { 0, 0, 256, 1024, 65536 };
  IsoluxClaheOptions  *o = &c->options;
  const RefImage       source = buffer_to_ref (&c->source);

  *o = (IsoluxClaheOptions) ISOLUX_CLAHE_DEFAULTS;
  o->channels = (IsoluxEqualizeChannels) random_below (random, 2);
  o->clip_limit = clips[random_below (random, G_N_ELEMENTS (clips))];
  o->compatibility = (IsoluxClaheCompatibility) (random_below (random, 4) == 0);
  o->bins = bins[random_below (random, G_N_ELEMENTS (bins))];
  o->tiles_x = 1 + (gint) random_below (random, 5);
  o->tiles_y = 1 + (gint) random_below (random, 5);
  if (random_below (random, 5) == 0)
    o->tile_size = 16 + (gint) random_below (random, 40);
  o->use_padding_value = random_below (random, 4) == 0;
  if (o->use_padding_value)
    o->padding_value =
      ref_get (&source, (gint64) random_below (random, c->image.width),
               (gint64) random_below (random, c->image.height), 0);
  if (o->padding_value != o->padding_value)
    o->padding_value = 0.0;
  choose_weights (random, o->weights);
}

static void
case_init (Case *c, IsoluxType type, guint64 number)
{
  Random       random = random_new (test_seed (), number);
  const gsize  size = random_below (&random, G_N_ELEMENTS (sizes));
  const gint64 width = sizes[size][0], height = sizes[size][1];
  gint64       i;

  memset (c, 0, sizeof *c);
  c->image = (IsoluxImage) { width, height,
                             1 + (gint) random_below (&random, 4), type, 0 };
  if (type == ISOLUX_TYPE_U16 && random_below (&random, 2))
    c->image.bits = 8 + (gint) random_below (&random, 9);
  region_init (&c->region, (RegionKind) random_below (&random, N_REGIONS),
               width, height, &random);
  buffer_init (&c->source, &c->image, (gsize) random_below (&random, 5), 1);
  buffer_fill (&c->source, (Values) random_below (&random, N_VALUES), &random);
  choose_options (c, &random);
  buffer_init (&c->whole, &c->image, 0, 0);
  c->out_image = c->image;
  c->out_image.width = 1 + (gint64) random_below (&random, width + 9);
  c->out_image.height = 1 + (gint64) random_below (&random, height + 9);
  buffer_init (&c->destination, &c->out_image, 2, 0);
  buffer_fill (&c->destination, VALUES_RANDOM, &random);
  c->columns = g_new (gint64, (gsize) c->out_image.width);
  c->rows = g_new (gint64, (gsize) c->out_image.height);
  for (i = 0; i < c->out_image.width; i++)
    c->columns[i] = (gint64) random_below (&random, width);
  for (i = 0; i < c->out_image.height; i++)
    c->rows[i] = (gint64) random_below (&random, height);
  c->with_picture = random_below (&random, 2);
}

static void
tables_clear (Tables *tables)
{
  g_clear_pointer (&tables->curves, g_free);
  g_clear_pointer (&tables->bands, g_free);
}

static void
case_clear (Case *c)
{
  tables_clear (&c->tables);
  g_free (c->columns);
  g_free (c->rows);
  buffer_clear (&c->source);
  buffer_clear (&c->whole);
  buffer_clear (&c->destination);
  region_clear (&c->region);
}

/* ---- Tables ------------------------------------------------------ */

static void
tables_fill (Tables *tables, const IsoluxClaheMaps *maps)
{
  static const gdouble   percents[3] = { 10.0, 50.0, 90.0 };
  const IsoluxClaheGrid *grid = isolux_clahe_maps_get_grid (maps);
  gdouble                one[POINTS];
  gint                   c, x, y;
  gdouble               *to;

  tables->grid = *grid;
  tables->n_curves = (gsize) (grid->channels * grid->tiles_x * grid->tiles_y) *
                     POINTS;
  tables->n_bands = (gsize) grid->channels * 3 * POINTS;
  tables->curves = g_new0 (gdouble, tables->n_curves);
  tables->bands = g_new0 (gdouble, tables->n_bands);
  to = tables->curves;
  for (c = 0; c < grid->channels; c++)
    {
      for (y = 0; y < grid->tiles_y; y++)
        for (x = 0; x < grid->tiles_x; x++, to += POINTS)
          isolux_clahe_maps_get_curve (maps, c, x, y, POINTS, to);
      isolux_clahe_maps_get_bands (maps, c, 3, percents, POINTS,
                                   tables->bands + 3 * c * POINTS);
      isolux_clahe_maps_get_curves (maps, c, 50.0, POINTS, one);
      g_assert_cmpmem (one, sizeof one, tables->bands + (3 * c + 1) * POINTS,
                       sizeof one);
    }
}

static void
assert_tables (const Tables *a, const Tables *b)
{
  g_assert_cmpint (a->grid.tiles_x, ==, b->grid.tiles_x);
  g_assert_cmpint (a->grid.tiles_y, ==, b->grid.tiles_y);
  g_assert_cmpint (a->grid.tile_width, ==, b->grid.tile_width);
  g_assert_cmpint (a->grid.tile_height, ==, b->grid.tile_height);
  g_assert_cmpint (a->grid.channels, ==, b->grid.channels);
  g_assert_cmpint (a->grid.bins, ==, b->grid.bins);
  g_assert_cmpfloat (a->grid.low, ==, b->grid.low);
  g_assert_cmpfloat (a->grid.high, ==, b->grid.high);
  g_assert_cmpmem (a->curves, a->n_curves * sizeof (gdouble), b->curves,
                   b->n_curves * sizeof (gdouble));
  g_assert_cmpmem (a->bands, a->n_bands * sizeof (gdouble), b->bands,
                   b->n_bands * sizeof (gdouble));
}

/* ---- Running ----------------------------------------------------- */

static gboolean
run_whole (IsoluxSurface *source,
           IsoluxSurface *destination,
           gpointer       user_data,
           IsoluxReport  *report,
           GError       **error)
{
  const Case *c = user_data;

  return isolux_clahe (source, destination, &c->options, report, error);
}

/* Tables, with the picture or without it; what is in the case says which. */
static gboolean
run_tables (IsoluxSurface *source,
            IsoluxSurface *destination,
            gpointer       user_data,
            IsoluxReport  *report,
            GError       **error)
{
  Case            *c = user_data;
  IsoluxClaheMaps *maps = NULL;

  if (c->with_picture)
    {
      if (! isolux_clahe_with_maps (source, destination, &c->options, &maps,
                                    report, error))
        return FALSE;
    }
  else
    {
      IsoluxReport own;

      maps = isolux_clahe_maps_new (source, &c->options, &own, error);
      if (! maps ||
          ! isolux_clahe (source, destination, &c->options, report, error))
        {
          isolux_clahe_maps_free (maps);
          return FALSE;
        }
      g_assert_cmpint (own.unchanged, ==, report->unchanged);
      g_assert_cmpint (own.backend, ==, report->backend);
    }
  tables_clear (&c->tables);
  tables_fill (&c->tables, maps);
  isolux_clahe_maps_free (maps);
  return TRUE;
}

static gboolean
run_sample (IsoluxSurface *source,
            IsoluxSurface *destination,
            gpointer       user_data,
            IsoluxReport  *report,
            GError       **error)
{
  const Case      *c = user_data;
  IsoluxReport     own;
  IsoluxClaheMaps *maps =
    isolux_clahe_maps_new (source, &c->options, report, error);
  gboolean success;

  success = maps && isolux_clahe_maps_sample (maps, source, c->columns, c->rows,
                                              destination, &own, error);
  g_assert_cmpstr (own.warning, ==, "");
  g_assert_cmpint (own.backend, ==, ISOLUX_BACKEND_CPU);
  isolux_clahe_maps_free (maps);
  return success;
}

static void
fail (guint64 number, const Target *target, const gchar *what)
{
  g_test_message ("case %" G_GUINT64_FORMAT " on %s: %s", number, target->name,
                  what);
  g_test_fail ();
}

static void
run_case (const Target *targets, gint n, IsoluxType type, guint64 number)
{
  const gsize  size = ref_size (type);
  IsoluxReport report;
  Buffer       result, expected;
  Tables       first = { 0 };
  gint64       x, y;
  gsize        pixel;
  Case         c;
  gint         i;

  case_init (&c, type, number);
  pixel = size * (gsize) c.image.components;
  target_run (&targets[0], &c.source, &c.source, &c.region, &c.whole, run_whole,
              &c, &report);
  buffer_init (&result, &c.image, 0, 0);
  for (i = 0; i < n; i++)
    {
      target_run (&targets[i], &c.source, &c.source, &c.region, &result,
                  run_tables, &c, &report);
      if (! buffer_equal (&result, &c.whole, &x, &y))
        fail (number, &targets[i], "another picture");
      if (i == 0)
        {
          first = c.tables;
          memset (&c.tables, 0, sizeof c.tables);
        }
      else
        assert_tables (&c.tables, &first);
    }
  tables_clear (&first);
  buffer_clear (&result);

  buffer_init (&expected, &c.out_image, 0, 0);
  buffer_init (&result, &c.out_image, 0, 0);
  for (y = 0; y < c.out_image.height; y++)
    for (x = 0; x < c.out_image.width; x++)
      memcpy ((guint8 *) expected.view.data + (gsize) y * expected.view.stride +
                (gsize) x * pixel,
              (guint8 *) c.whole.view.data +
                (gsize) c.rows[y] * c.whole.view.stride +
                (gsize) c.columns[x] * pixel,
              pixel);
  for (i = 0; i < n; i++)
    {
      target_run (&targets[i], &c.source, &c.destination, &c.region, &result,
                  run_sample, &c, &report);
      if (! buffer_equal (&result, &expected, &x, &y))
        fail (number, &targets[i], "other samples");
    }
  buffer_clear (&result);
  buffer_clear (&expected);
  case_clear (&c);
}

static void
test_maps (gconstpointer data)
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
  g_test_add_data_func ("/parity/clahe-maps/u8",
                        GINT_TO_POINTER (ISOLUX_TYPE_U8), test_maps);
  g_test_add_data_func ("/parity/clahe-maps/u16",
                        GINT_TO_POINTER (ISOLUX_TYPE_U16), test_maps);
  g_test_add_data_func ("/parity/clahe-maps/f32",
                        GINT_TO_POINTER (ISOLUX_TYPE_F32), test_maps);
  return g_test_run ();
}
