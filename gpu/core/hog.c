/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <math.h>

G_STATIC_ASSERT (ISOLUX_PLAN_HOG_SOBEL == (gint) ISOLUX_HOG_SOBEL);
G_STATIC_ASSERT (ISOLUX_PLAN_HOG_GLYPHS == (gint) ISOLUX_HOG_GLYPHS);
G_STATIC_ASSERT (ISOLUX_PLAN_HOG_ORIENTATION == (gint) ISOLUX_HOG_ORIENTATION);
G_STATIC_ASSERT (ISOLUX_PLAN_HOG_MAGNITUDE == (gint) ISOLUX_HOG_MAGNITUDE);

/* ---- The plan --------------------------------------------------------- */

static gboolean
options_check (const IsoluxHogOptions *options, GError **error)
{
  if (options->orientations < 1 ||
      options->orientations > ISOLUX_HOG_ORIENTATIONS)
    return isolux_argument_error (error,
                                  _("The number of orientations is 1 to %d; "
                                    "%d "
                                    "is not."),
                                  ISOLUX_HOG_ORIENTATIONS,
                                  options->orientations);
  if (options->cell_size < 1 || options->cell_size > 1024)
    return isolux_argument_error (error,
                                  _("The side of a cell is 1 to 1024 pixels; "
                                    "%d is not."),
                                  options->cell_size);
  if (options->block_size < 1 || options->block_size > 64)
    return isolux_argument_error (error,
                                  _("The side of a block is 1 to 64 cells; %d "
                                    "is not."),
                                  options->block_size);
  if (options->norm < ISOLUX_HOG_L1 || options->norm > ISOLUX_HOG_L2_HYS)
    return isolux_argument_error (error, _("There is no norm %d of blocks."),
                                  (gint) options->norm);
  if (options->gradient < ISOLUX_HOG_CENTRAL ||
      options->gradient > ISOLUX_HOG_SOBEL)
    return isolux_argument_error (error, _("There is no gradient %d."),
                                  (gint) options->gradient);
  if (options->picture < ISOLUX_HOG_GLYPHS ||
      options->picture > ISOLUX_HOG_MAGNITUDE)
    return isolux_argument_error (error,
                                  _("There is no picture %d of oriented "
                                    "gradients."),
                                  (gint) options->picture);
  return TRUE;
}

/* A number as the sum of two. */
typedef struct
{
  gdouble high, low;
} Pair;

static Pair
pair_of (gdouble high, gdouble low)
{
  const gdouble sum = high + low;

  return (Pair) { sum, isolux_sum_rest (high, low, sum) };
}

static Pair
pair_add (Pair a, Pair b)
{
  const gdouble sum = a.high + b.high;

  return pair_of (sum, isolux_sum_rest (a.high, b.high, sum) + (a.low + b.low));
}

static Pair
pair_multiply (Pair a, Pair b)
{
  const gdouble product = a.high * b.high;

  return pair_of (product, isolux_product_rest (a.high, b.high, product) +
                             (a.high * b.low + a.low * b.high));
}

static Pair
pair_divide (Pair a, gdouble b)
{
  const gdouble quotient = a.high / b, product = quotient * b;
  const gdouble rest = (a.high - product) -
                       isolux_product_rest (quotient, b, product) + a.low;

  return pair_of (quotient, rest / b);
}

/* By their series, which is the same on every system. */
static void
cosine_and_sine (Pair angle, Pair *cosine, Pair *sine)
{
  Pair term = { 1.0, 0.0 };
  gint i;

  *cosine = term;
  *sine = (Pair) { 0.0, 0.0 };
  for (i = 1; i < 60; i++)
    {
      term = pair_divide (pair_multiply (term, angle), i);
      if (i % 2 == 0)
        {
          term.high = -term.high;
          term.low = -term.low;
          *cosine = pair_add (*cosine, term);
        }
      else
        *sine = pair_add (*sine, term);
    }
}

/*
 * Whole numbers lie on an edge only where it is at a multiple of 45 degrees;
 * there the edge is exact, and belongs to the bin that scikit-image's
 * comparison of angles in double precision puts it into.
 */
void
isolux_hog_edges_set (IsoluxHogEdges *edges, gint n, gint range)
{
  static const gint8 x[] = { 1, 1, 0, -1, -1, -1, 0, 1 };
  static const gint8 y[] = { 0, 1, 1, 1, 0, -1, -1, -1 };
  const Pair         pi = { ISOLUX_PI_HIGH, ISOLUX_PI_LOW };
  const Pair         turns = { range / 180, 0.0 };
  const gdouble      each = (gdouble) range / n;
  gint               i;

  for (i = 1; i < n; i++)
    {
      const gint eighth = i * range / (45 * n);
      const Pair part = { i, 0.0 };
      Pair       angle, cosine, sine;

      angle = pair_multiply (pair_multiply (pi, turns), part);
      angle = pair_divide (angle, n);
      cosine_and_sine (angle, &cosine, &sine);
      edges->angle[0][i] = angle.high;
      edges->angle[1][i] = angle.low;
      edges->cosine[0][i] = cosine.high;
      edges->cosine[1][i] = cosine.low;
      edges->sine[0][i] = sine.high;
      edges->sine[1][i] = sine.low;
      edges->degrees[i] = each * i;
      edges->whole[i] = i * range % (45 * n) == 0;
      edges->x[i] = edges->whole[i] ? x[eighth] : cosine.high;
      edges->y[i] = edges->whole[i] ? y[eighth] : sine.high;
      edges->closed[i] = 45.0 * eighth >= edges->degrees[i];
      edges->lower[i] = i * range >= 180 * n;
    }
}

/* Lines lie along the edges in the picture, at right angles to gradients. */
static void
set_lines (IsoluxHogPlan *plan)
{
  const gint radius = plan->cell / 2 - 1;
  const gint half_turns = (gint) plan->range / 180;
  gint       i;

  for (i = 0; i < plan->orientations; i++)
    {
      const gdouble angle = half_turns * G_PI * (i + 0.5) / plan->orientations;

      plan->lines.left[i] = radius * sin (angle);
      plan->lines.down[i] = radius * cos (angle);
    }
}

static gboolean
plan_make (IsoluxHogPlan          *plan,
           IsoluxHogEdges         *edges,
           const IsoluxPixels     *pixels,
           const IsoluxHogOptions *options,
           GError                **error)
{
  if (! options_check (options, error) ||
      ! isolux_weights_set (&plan->weights, options->weights, error))
    return FALSE;
  plan->orientations = options->orientations;
  plan->cell = options->cell_size;
  plan->is_signed = options->is_signed != FALSE;
  plan->square_root = options->square_root != FALSE;
  plan->sobel = options->gradient == ISOLUX_HOG_SOBEL;
  plan->half = options->half_gradients != FALSE;
  plan->picture = options->picture;
  plan->raw = options->raw != FALSE;
  plan->maximum = isolux_picture_maximum (pixels);
  plan->range = plan->is_signed ? 360.0 : 180.0;
  /* the largest magnitude of u16, 92680, has to fit; of f32 so has the least
   * one that comes of 16 bits, 1 / 65535, without loss */
  plan->shrink = pixels->type == ISOLUX_PLAN_U8    ? 1.0
                 : pixels->type == ISOLUX_PLAN_U16 ? 0.5
                                                   : 16.0;
  plan->cells_x = pixels->width / plan->cell;
  plan->cells_y = pixels->height / plan->cell;
  isolux_hog_edges_set (edges, plan->orientations, (gint) plan->range);
  plan->edges = edges;
  set_lines (plan);
  return TRUE;
}

/* ---- Descriptors -------------------------------------------------------- */

typedef struct
{
  IsoluxHogPlan  plan;
  IsoluxHogEdges edges;
  gfloat        *cells;
} Job;

static gboolean
cells_twin (const IsoluxBackend *backend,
            IsoluxSurface       *source,
            IsoluxSurface       *destination,
            gpointer             data,
            GError             **error)
{
  Job *job = data;

  return backend->hog_cells (source, &job->plan, job->cells, error);
}

static gboolean
memory_error (GError **error)
{
  g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                       _("There is not enough memory."));
  return FALSE;
}

/* The shape and the memory of both tables of numbers. */
static gboolean
make_room (IsoluxHog *hog, Job *job, gint block_size, GError **error)
{
  const IsoluxHogPlan *plan = &job->plan;
  gsize                block, n;

  hog->block_size = block_size;
  hog->orientations = plan->orientations;
  if (plan->cells_y >= block_size && plan->cells_x >= block_size)
    {
      hog->blocks_y = plan->cells_y - block_size + 1;
      hog->blocks_x = plan->cells_x - block_size + 1;
    }
  block = (gsize) (block_size * block_size * plan->orientations);
  /* blocks are fewer than pixels, and so are cells */
  if (! g_size_checked_mul (&n, (gsize) (hog->blocks_y * hog->blocks_x), block))
    return memory_error (error);
  hog->n_values = n;
  hog->values = isolux_try_new (gdouble, MAX (n, 1), error);
  if (! hog->values)
    return FALSE;
  job->cells = isolux_try_new (gfloat,
                               MAX (1, (gsize) (plan->cells_y * plan->cells_x) *
                                         (gsize) plan->orientations),
                               error);
  return job->cells != NULL;
}

IsoluxHog *
isolux_hog (IsoluxSurface          *source,
            const IsoluxHogOptions *options,
            IsoluxReport           *report,
            GError                **error)
{
  static const IsoluxHogOptions defaults = ISOLUX_HOG_DEFAULTS;
  const gint64                  start = g_get_monotonic_time ();
  Job                           job = { 0 };
  IsoluxHog                    *hog;
  gboolean                      success;

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! plan_make (&job.plan, &job.edges, &source->pixels, options, error))
    return NULL;
  hog = isolux_try_new (IsoluxHog, 1, error);
  if (! hog)
    return NULL;
  success = make_room (hog, &job, options->block_size, error) &&
            isolux_run (ISOLUX_TWIN_HOG, cells_twin, source, NULL, &job, report,
                        error) &&
            isolux_cpu_hog_blocks (hog, source->device, &job.plan,
                                   options->norm, job.cells, error);
  g_free (job.cells);
  if (! success)
    {
      isolux_hog_free (hog);
      return NULL;
    }
  if (report)
    report->compute_ms = (gdouble) (g_get_monotonic_time () - start) / 1000.0;
  return hog;
}

gfloat *
isolux_hog_cells (IsoluxSurface          *source,
                  const IsoluxHogOptions *options,
                  gint64                 *cells_x,
                  gint64                 *cells_y,
                  IsoluxReport           *report,
                  GError                **error)
{
  static const IsoluxHogOptions defaults = ISOLUX_HOG_DEFAULTS;
  IsoluxHogOptions              own = options ? *options : defaults;
  Job                           job = { 0 };
  const IsoluxHogPlan          *plan = &job.plan;

  isolux_report_clear (report);
  own.block_size = defaults.block_size;
  own.norm = defaults.norm;
  if (! plan_make (&job.plan, &job.edges, &source->pixels, &own, error))
    return NULL;
  *cells_x = plan->cells_x;
  *cells_y = plan->cells_y;
  if (plan->cells_x == 0 || plan->cells_y == 0)
    return NULL;
  job.cells = isolux_try_new (gfloat,
                              (gsize) (plan->cells_y * plan->cells_x) *
                                (gsize) plan->orientations,
                              error);
  if (job.cells && ! isolux_run (ISOLUX_TWIN_HOG, cells_twin, source, NULL,
                                 &job, report, error))
    g_clear_pointer (&job.cells, g_free);
  return job.cells;
}

void
isolux_hog_free (IsoluxHog *hog)
{
  if (! hog)
    return;
  g_free (hog->values);
  g_free (hog);
}

/* ---- Pictures ----------------------------------------------------------- */

static gboolean
picture_twin (const IsoluxBackend *backend,
              IsoluxSurface       *source,
              IsoluxSurface       *destination,
              gpointer             plan,
              GError             **error)
{
  return backend->hog_picture (source, destination, plan, error);
}

gboolean
isolux_hog_picture (IsoluxSurface          *source,
                    IsoluxSurface          *destination,
                    const IsoluxHogOptions *options,
                    IsoluxReport           *report,
                    GError                **error)
{
  static const IsoluxHogOptions defaults = ISOLUX_HOG_DEFAULTS;
  IsoluxHogPlan                 plan = { 0 };
  IsoluxHogEdges                edges = { 0 };

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  return plan_make (&plan, &edges, &source->pixels, options, error) &&
         isolux_picture_check (source, destination, options->raw, error) &&
         isolux_run (ISOLUX_TWIN_HOG, picture_twin, source, destination, &plan,
                     report, error);
}
