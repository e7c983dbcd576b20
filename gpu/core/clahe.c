/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <math.h>

#define MOST_TILES 1024
#define MOST_TILE_SIZE 65536

/* The tables of 65,536 bins a tile, whatever its size, that we are ready to
 * make. */
#define MOST_TABLE_BYTES (G_GUINT64_CONSTANT (4) << 30)

static gboolean
check_bins (gint bins, GError **error)
{
  static const gint known[] = { 0, 256, 1024, 4096, 16384, 65536 };
  gsize             i;

  for (i = 0; i < G_N_ELEMENTS (known); i++)
    if (bins == known[i])
      return TRUE;
  return isolux_argument_error (error,
                                _("The number of bins is 256, 1024, 4096, "
                                  "16384, 65536, or 0 for automatic; %d is "
                                  "not."),
                                bins);
}

static gboolean
check (const IsoluxClaheOptions *options, GError **error)
{
  if (options->channels != ISOLUX_EQUALIZE_LUMA &&
      options->channels != ISOLUX_EQUALIZE_EACH)
    return isolux_argument_error (error,
                                  _("There is no choice of channels %d."),
                                  (gint) options->channels);
  if (! (options->clip_limit >= 0.0 && options->clip_limit <= 65536.0))
    return isolux_argument_error (error,
                                  _("The clip limit is 0 (none) to 65536; %g "
                                    "is not."),
                                  options->clip_limit);
  if (options->tile_size < 0 || options->tile_size > MOST_TILE_SIZE)
    return isolux_argument_error (error,
                                  _("The side of a tile is 1 to %d pixels, or "
                                    "0 for a number of tiles; %d is not."),
                                  MOST_TILE_SIZE, options->tile_size);
  if (options->tile_size == 0 &&
      (options->tiles_x < 1 || options->tiles_x > MOST_TILES ||
       options->tiles_y < 1 || options->tiles_y > MOST_TILES))
    return isolux_argument_error (error,
                                  _("A grid has 1 to %d tiles a side; %d x %d "
                                    "are not possible."),
                                  MOST_TILES, options->tiles_x,
                                  options->tiles_y);
  if (options->use_padding_value && isnan (options->padding_value))
    return isolux_argument_error (error,
                                  _("The padding value is not a number."));
  if (options->compatibility != ISOLUX_CLAHE_ISOLUX &&
      options->compatibility != ISOLUX_CLAHE_OPENCV)
    return isolux_argument_error (error,
                                  _("There is no choice of compatibility %d."),
                                  (gint) options->compatibility);
  return check_bins (options->bins, error);
}

static gint
tiles_of_size (gint64 side, gint tile_size)
{
  return (gint) MIN ((side + tile_size - 1) / tile_size, MOST_TILES);
}

IsoluxGrid
isolux_clahe_grid (const IsoluxClaheOptions *options,
                   gint64                    width,
                   gint64                    height)
{
  if (options->tile_size)
    return isolux_grid (width, height,
                        tiles_of_size (width, options->tile_size),
                        tiles_of_size (height, options->tile_size));
  return isolux_grid (width, height, options->tiles_x, options->tiles_y);
}

static gboolean
set_bins (IsoluxClahePlan          *plan,
          const IsoluxPixels       *pixels,
          const IsoluxClaheOptions *options,
          GError                  **error)
{
  const IsoluxGrid *grid = &plan->grid;
  const gint        channels = plan->luma ? 1 : pixels->colors;
  const guint64     tiles = (guint64) grid->tiles_x * (guint64) grid->tiles_y *
                        (guint64) channels;

  if (pixels->type == ISOLUX_PLAN_U8)
    plan->most_bins = 256;
  else if (pixels->type == ISOLUX_PLAN_U16 && plan->opencv)
    {
      plan->most_bins = 65536;
      if (tiles * 65536 * sizeof (guint16) > MOST_TABLE_BYTES)
        return isolux_argument_error (error,
                                      _("OpenCV's 65536 bins for each of %d x "
                                        "%d tiles need too much memory."),
                                      grid->tiles_x, grid->tiles_y);
    }
  else
    {
      const gint64 pixels = grid->tile_width * grid->tile_height;

      /* with fewer than 16 pixels a bin, chance makes bins that the limit
       * cuts, and the picture is flatter than that of 8 bits */
      if (options->bins)
        plan->most_bins = MIN (isolux_tile_bins (pixels, 1), options->bins);
      else
        plan->most_bins = isolux_tile_bins (pixels, 16);
    }
  return TRUE;
}

/* A value that no component can have leaves nothing out. */
static void
set_padding (IsoluxClahePlan          *plan,
             const IsoluxPixels       *pixels,
             const IsoluxClaheOptions *options)
{
  const gdouble value = options->padding_value;
  const gdouble maximum = pixels->type == ISOLUX_PLAN_U8 ? 255.0 : 65535.0;

  if (! options->use_padding_value)
    return;
  if (pixels->type == ISOLUX_PLAN_F32)
    {
      plan->padding = ! isfinite (value) || fabs (value) <= FLT_MAX;
      if (! plan->padding)
        return;
      plan->padding_value = (gfloat) value;
    }
  else if (value >= 0.0 && value <= maximum && value == floor (value))
    {
      plan->padding = TRUE;
      plan->padding_code = (guint32) value;
    }
}

typedef struct
{
  const IsoluxClahePlan *plan;
  IsoluxClaheTables     *tables;
  gboolean               unchanged;
  gboolean               ask;
} Job;

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             data,
      GError             **error)
{
  Job *job = data;

  return backend->clahe (source, destination, job->plan,
                         job->ask ? &job->unchanged : NULL, job->tables, error);
}

static gboolean
plan_make (IsoluxClahePlan          *plan,
           const IsoluxPixels       *pixels,
           const IsoluxClaheOptions *options,
           GError                  **error)
{
  memset (plan, 0, sizeof *plan);
  if (! isolux_weights_set (&plan->weights, options->weights, error))
    return FALSE;
  plan->grid = isolux_clahe_grid (options, pixels->width, pixels->height);
  plan->luma = options->channels == ISOLUX_EQUALIZE_LUMA && pixels->colors == 3;
  plan->opencv = options->compatibility == ISOLUX_CLAHE_OPENCV;
  plan->whole = (plan->opencv && pixels->type != ISOLUX_PLAN_F32) ||
                (pixels->type == ISOLUX_PLAN_U8 && options->bins == 0);
  plan->measured = pixels->type == ISOLUX_PLAN_F32 ||
                   (pixels->type == ISOLUX_PLAN_U16 && ! plan->opencv);
  plan->clip_limit = options->clip_limit;
  set_padding (plan, pixels, options);
  return set_bins (plan, pixels, options, error);
}

gboolean
isolux_clahe_run (IsoluxSurface            *source,
                  IsoluxSurface            *destination,
                  const IsoluxClaheOptions *options,
                  IsoluxClahePlan          *plan,
                  IsoluxClaheTables        *tables,
                  IsoluxReport             *report,
                  GError                  **error)
{
  static const IsoluxClaheOptions defaults = ISOLUX_CLAHE_DEFAULTS;
  Job                             job = { plan, tables };

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! check (options, error) ||
      (destination &&
       ! isolux_surfaces_check (source, destination, TRUE, error)) ||
      ! plan_make (plan, &source->pixels, options, error))
    return FALSE;
  job.ask = report != NULL;
  if (! isolux_run (ISOLUX_TWIN_CLAHE, twin, source, destination, &job, report,
                    error))
    return FALSE;
  if (report)
    report->unchanged = job.unchanged;
  return TRUE;
}

gboolean
isolux_clahe (IsoluxSurface            *source,
              IsoluxSurface            *destination,
              const IsoluxClaheOptions *options,
              IsoluxReport             *report,
              GError                  **error)
{
  IsoluxClahePlan plan;

  return isolux_clahe_run (source, destination, options, &plan, NULL, report,
                           error);
}
