/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contrast map: a measure for each tile, drawn as a picture. */
#include "internal.h"

#define LEAST_TILE 2
#define MOST_TILE 65536

static gboolean
check (const IsoluxContrastMapOptions *options, GError **error)
{
  if (options->measure != ISOLUX_CONTRAST_ENTROPY &&
      options->measure != ISOLUX_CONTRAST_DEVIATION &&
      options->measure != ISOLUX_CONTRAST_RANGE)
    return isolux_argument_error (error,
                                  _("There is no measure of contrast %d."),
                                  (gint) options->measure);
  if (options->colors != ISOLUX_CONTRAST_GRAY &&
      options->colors != ISOLUX_CONTRAST_COLORS)
    return isolux_argument_error (error, _("There is no choice of colors %d."),
                                  (gint) options->colors);
  if (options->tile_size < LEAST_TILE || options->tile_size > MOST_TILE)
    return isolux_argument_error (error,
                                  _("The side of a tile is %d to %d pixels; "
                                    "%d is not."),
                                  LEAST_TILE, MOST_TILE, options->tile_size);
  return TRUE;
}

/* Bits of codes that are to be found out, and the range of floats. */
static gboolean
find_scale (IsoluxSurface                  *source,
            const IsoluxContrastMapOptions *options,
            IsoluxContrastPlan             *plan,
            IsoluxReport                   *report,
            GError                        **error)
{
  IsoluxHistogramOptions counting = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxReport           step;
  IsoluxHistogram       *h;

  plan->bits = source->pixels.bits;
  if (plan->bits)
    return TRUE;
  memcpy (counting.weights, options->weights, sizeof counting.weights);
  if (source->pixels.type == ISOLUX_PLAN_F32)
    counting.bins = 2;
  h = isolux_histogram (source, &counting, &step, error);
  if (! h)
    return FALSE;
  isolux_report_add (report, &step);
  plan->bits = h->type == ISOLUX_TYPE_F32 ? 16 : h->bits;
  plan->low = h->low;
  plan->scale = h->low < h->high ? isolux_bin_scale (h->low, h->high, 65536)
                                 : 0.0;
  isolux_histogram_free (h);
  return TRUE;
}

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             plan,
      GError             **error)
{
  return backend->contrast_map (source, destination, plan, error);
}

gboolean
isolux_contrast_map (IsoluxSurface                  *source,
                     IsoluxSurface                  *destination,
                     const IsoluxContrastMapOptions *options,
                     IsoluxReport                   *report,
                     GError                        **error)
{
  static const IsoluxContrastMapOptions defaults = ISOLUX_CONTRAST_MAP_DEFAULTS;
  const gint64                          start = g_get_monotonic_time ();
  const IsoluxPixels                   *pixels = &source->pixels;
  IsoluxContrastPlan                    plan = { 0 };
  IsoluxReport                          step = { 0 };

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! check (options, error) ||
      ! isolux_surfaces_check (source, destination, FALSE, error) ||
      ! isolux_weights_set (&plan.weights, options->weights, error) ||
      ! find_scale (source, options, &plan, report, error))
    return FALSE;
  plan.measure = (gint32) options->measure;
  plan.colored = options->colors == ISOLUX_CONTRAST_COLORS &&
                 destination->pixels.colors == 3;
  plan.tile = options->tile_size;
  plan.tiles_x = isolux_contrast_tiles (pixels->width, plan.tile);
  plan.tiles_y = isolux_contrast_tiles (pixels->height, plan.tile);
  plan.maximum = isolux_picture_maximum (pixels);
  if (! isolux_run (ISOLUX_TWIN_CONTRAST_MAP, twin, source, destination, &plan,
                    &step, error))
    return FALSE;
  isolux_report_add (report, &step);
  if (report)
    report->compute_ms = (g_get_monotonic_time () - start) / 1000.0;
  return TRUE;
}
