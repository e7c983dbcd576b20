/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of the engine's results: histograms, what they say, curves. */
#include "engine-work.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Points of a curve at most, and of all tiles' curves together. */
#define MOST_POINTS 4096
#define MOST_TILE_POINTS (1 << 18)
#define LEAST_POINTS 256

/* The largest value of the result's range. */
static gdouble
maximum_of (IsoluxType type)
{
  return type == ISOLUX_TYPE_U8    ? 255.0
         : type == ISOLUX_TYPE_U16 ? 65535.0
                                   : 1.0;
}

/* ---- Counting ----------------------------------------------------------- */

/* low and high, of floats: 0, 0 for the measured range */
static IsoluxHistogram *
count (IsoluxWorkStage *stage,
       IsoluxSurface   *surface,
       IsoluxChannel    channel,
       gint             bins,
       gdouble          low,
       gdouble          high,
       GError         **error)
{
  IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxReport           report;
  IsoluxHistogram       *h;

  options.channel = channel;
  options.bins = bins;
  options.low = low;
  options.high = high;
  memcpy (options.weights, stage->source->info.weights, sizeof options.weights);
  h = isolux_histogram (surface, &options, &report, error);
  if (h)
    isolux_work_stage_note (stage, &report);
  return h;
}

/* Floats in the first and in the last of some bins. */
static gboolean
count_ends (IsoluxWorkStage *stage,
            IsoluxSurface   *surface,
            IsoluxChannel    channel,
            gint             bins,
            gdouble          low,
            gdouble          high,
            guint64         *first,
            guint64         *last,
            GError         **error)
{
  IsoluxHistogram *h = count (stage, surface, channel, bins, low, high, error);

  if (! h)
    return FALSE;
  *first = h->counts[0];
  *last = h->counts[bins - 1];
  isolux_histogram_free (h);
  return TRUE;
}

/* Pixels of the box that count and are no NaN; of floats alone. */
gboolean
isolux_work_stage_numbers_of (IsoluxWorkStage *stage,
                              guint64         *n,
                              GError         **error)
{
  IsoluxHistogram *h;

  *n = 0;
  if (stage->source->info.image.type != ISOLUX_TYPE_F32)
    return TRUE;
  h = count (stage, stage->box, ISOLUX_CHANNEL_LUMA, 2, 0.0, 1.0, error);
  if (! h)
    return FALSE;
  *n = h->total[0];
  isolux_histogram_free (h);
  return TRUE;
}

gboolean
isolux_work_stage_count (IsoluxWorkStage *stage, guint64 masked, GError **error)
{
  const IsoluxEngineImage *info = &stage->source->info;
  guint64                  unseen;

  stage->present = masked;
  /* alpha says which pixels are seen */
  return info->image.type != ISOLUX_TYPE_F32 || info->image.components % 2 ||
         count_ends (stage, stage->box, ISOLUX_CHANNEL_ALPHA, 2, 0.0,
                     2.0 * DBL_MIN, &unseen, &stage->present, error);
}

/* A gray surface of the largest components, with a side's region. */
static IsoluxSurface *
largest_components (IsoluxWorkStage *stage,
                    IsoluxSurface   *surface,
                    GError         **error)
{
  IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
  IsoluxImage       image = *isolux_surface_get_image (surface);
  IsoluxReport      report;
  IsoluxSurface    *gray;

  options.method = ISOLUX_GRAY_MAXIMUM;
  image.components -= 2;
  gray = isolux_surface_new (stage->device, &image, error);
  if (gray && isolux_grayscale (surface, gray, &options, &report, error) &&
      isolux_surface_share_region (gray, surface, error))
    {
      isolux_work_stage_note (stage, &report);
      return gray;
    }
  isolux_surface_unref (gray);
  return NULL;
}

/* Infinite floats, and those at the ends of the range. */
static gboolean
count_special (IsoluxWorkStage  *stage,
               IsoluxSurface    *surface,
               IsoluxChannel     channel,
               IsoluxEngineSide *side,
               GError          **error)
{
  const IsoluxHistogram *h = side->luma ? side->luma : side->histogram;
  const gdouble          far = 4.0 * (gdouble) FLT_MAX;
  guint64                low = 0, high = 0, other;

  if (h->total[0] == 0)
    return TRUE;
  /* four bins: -Inf, negative, positive, +Inf */
  if (! count_ends (stage, surface, channel, 4, -far, far, &low, &high, error))
    return FALSE;
  side->infinite = low + high;
  if ((h->minimum[0] <= 0.0 || low) &&
      ! count_ends (stage, surface, channel, 2, 0.0, 2.0 * DBL_MIN, &low,
                    &other, error))
    return FALSE;
  if ((h->maximum[0] >= 1.0 || high) &&
      ! count_ends (stage, surface, channel, 2, nextafter (1.0, 0.0), 1.0,
                    &other, &high, error))
    return FALSE;
  side->saturated = (gdouble) (low + high) / (gdouble) h->total[0];
  return TRUE;
}

static gboolean
finish_side (IsoluxWorkStage  *stage,
             IsoluxSurface    *surface,
             IsoluxChannel     channel,
             IsoluxEngineSide *side,
             GError          **error)
{
  const IsoluxHistogram *h = side->luma ? side->luma : side->histogram;
  const gint             last = h->bins - 1;
  guint64                ends;

  isolux_histogram_get_statistics (h, 0, &side->statistics);
  if (h->type == ISOLUX_TYPE_F32)
    {
      /* alpha counts where it is 0, too */
      if (channel != ISOLUX_CHANNEL_ALPHA && stage->present > h->total[0])
        side->not_numbers = stage->present - h->total[0];
      return count_special (stage, surface, channel, side, error);
    }
  ends = h->counts[0];
  if (h->bits == (h->type == ISOLUX_TYPE_U8 ? 8 : 16) ||
      isolux_surface_get_image (surface)->bits)
    ends += h->counts[last];
  if (h->total[0])
    side->saturated = (gdouble) ends / (gdouble) h->total[0];
  return TRUE;
}

/* Fills a side from a surface with a region. */
static gboolean
fill_side (IsoluxWorkStage    *stage,
           IsoluxSurface      *surface,
           IsoluxEngineChannel channel,
           IsoluxEngineSide   *side,
           GError            **error)
{
  static const IsoluxChannel channels[] = {
    [ISOLUX_ENGINE_RGB] = ISOLUX_CHANNEL_EACH,
    [ISOLUX_ENGINE_VALUE] = ISOLUX_CHANNEL_LUMA,
    [ISOLUX_ENGINE_LUMINANCE] = ISOLUX_CHANNEL_LUMA,
    [ISOLUX_ENGINE_RED] = ISOLUX_CHANNEL_RED,
    [ISOLUX_ENGINE_GREEN] = ISOLUX_CHANNEL_GREEN,
    [ISOLUX_ENGINE_BLUE] = ISOLUX_CHANNEL_BLUE,
    [ISOLUX_ENGINE_ALPHA] = ISOLUX_CHANNEL_ALPHA
  };

  side->histogram =
    count (stage, surface, channels[channel], 0, 0.0, 0.0, error);
  if (! side->histogram)
    return FALSE;
  if (channel != ISOLUX_ENGINE_RGB)
    return finish_side (stage, surface, channels[channel], side, error);
  side->luma = count (stage, surface, ISOLUX_CHANNEL_LUMA, 0, 0.0, 0.0, error);
  return side->luma &&
         finish_side (stage, surface, ISOLUX_CHANNEL_LUMA, side, error);
}

static IsoluxWorkSide *
side_new (IsoluxWorkStage    *stage,
          IsoluxSurface      *surface,
          IsoluxEngineChannel channel,
          GError            **error)
{
  IsoluxWorkSide *side = g_new0 (IsoluxWorkSide, 1);
  IsoluxSurface  *gray = NULL;
  gboolean        success = TRUE;

  side->references = 1;
  if (channel == ISOLUX_ENGINE_VALUE && isolux_work_is_color (stage))
    {
      gray = largest_components (stage, surface, error);
      success = gray != NULL;
    }
  success = success && fill_side (stage, gray ? gray : surface, channel,
                                  &side->side, error);
  isolux_surface_unref (gray);
  if (! success)
    g_clear_pointer (&side, isolux_work_side_unref);
  return side;
}

/* ---- Codes of local binary patterns ------------------------------------- */

/* Counts of codes in bins of equally many. */
static IsoluxHistogram *
histogram_of_codes (const guint64 *codes, gsize n, GError **error)
{
  IsoluxHistogram *h;
  guint64         *counts;
  gint             bits = 8;
  gsize            bins, each, i;

  while (G_GUINT64_CONSTANT (1) << bits < n)
    bits++;
  bins = (gsize) 1 << MIN (bits, 16);
  each = ((gsize) 1 << bits) / bins;
  counts = g_try_new0 (guint64, bins);
  if (! counts)
    {
      isolux_work_memory_error (error);
      return NULL;
    }
  for (i = 0; i < n; i++)
    counts[i / each] += codes[i];
  if (bits <= 16)
    h = isolux_histogram_new (bits == 8 ? ISOLUX_TYPE_U8 : ISOLUX_TYPE_U16,
                              bits, 1, (gint) bins, 0.0, 0.0, counts, error);
  else
    h = isolux_histogram_new (ISOLUX_TYPE_F32, 0, 1, (gint) bins, 0.0,
                              (gdouble) ((gsize) 1 << bits), counts, error);
  g_free (counts);
  return h;
}

static IsoluxWorkSide *
side_of_codes (IsoluxWorkStage        *stage,
               const IsoluxLbpOptions *options,
               GError                **error)
{
  IsoluxWorkSide *side;
  IsoluxReport    report;
  guint64        *codes = NULL;
  gsize           n = 0;

  if (! isolux_lbp_histogram (stage->box, options, &codes, &n, &report, error))
    return NULL;
  isolux_work_stage_note (stage, &report);
  side = g_new0 (IsoluxWorkSide, 1);
  side->references = 1;
  side->side.histogram = histogram_of_codes (codes, n, error);
  g_free (codes);
  if (side->side.histogram)
    isolux_histogram_get_statistics (side->side.histogram, 0,
                                     &side->side.statistics);
  else
    g_clear_pointer (&side, isolux_work_side_unref);
  return side;
}

/* ---- Curves ------------------------------------------------------------- */

static gboolean
curve_alloc (IsoluxEngineResult *result, gint n, gboolean band, GError **error)
{
  result->curve_x = g_try_new (gdouble, (gsize) n);
  result->curve_y = g_try_new (gdouble, (gsize) n);
  if (band)
    {
      result->curve_low = g_try_new (gdouble, (gsize) n);
      result->curve_high = g_try_new (gdouble, (gsize) n);
    }
  if (! result->curve_x || ! result->curve_y ||
      (band && (! result->curve_low || ! result->curve_high)))
    return isolux_work_memory_error (error);
  result->curve_n = n;
  return TRUE;
}

static void
drop_curve (IsoluxEngineResult *result)
{
  result->curve_n = 0;
  g_clear_pointer (&result->curve_x, g_free);
  g_clear_pointer (&result->curve_y, g_free);
  g_clear_pointer (&result->curve_low, g_free);
  g_clear_pointer (&result->curve_high, g_free);
}

/* The table of an operation that a channel goes through: 0 for the one of
 * all, or that of the component; -1: there is none that tells. */
static gint
table_of (const IsoluxWorkStage    *stage,
          const IsoluxWorkSettings *settings,
          IsoluxEqualizeChannels    channels,
          gboolean                  every)
{
  const IsoluxEngineChannel channel =
    isolux_work_image_channel (stage->source, settings->channel);

  if (channel == ISOLUX_ENGINE_ALPHA)
    return -1;
  if (! isolux_work_is_color (stage))
    return 0;
  if (channels == ISOLUX_EQUALIZE_EACH)
    return channel >= ISOLUX_ENGINE_RED && channel <= ISOLUX_ENGINE_BLUE
             ? (gint) channel - ISOLUX_ENGINE_RED
             : -1;
  return every || channel == ISOLUX_ENGINE_RGB ||
             channel == ISOLUX_ENGINE_LUMINANCE
           ? 0
           : -1;
}

static gdouble
clamp_unit (gdouble v)
{
  return v > 0.0 ? (v < 1.0 ? v : 1.0) : 0.0;
}

static gdouble
entry_of (const IsoluxLut *lut, gint at)
{
  switch (lut->type)
    {
      case ISOLUX_TYPE_U8:
        return ((const guint8 *) lut->entries)[at] / 255.0;
      case ISOLUX_TYPE_U16:
        return ((const guint16 *) lut->entries)[at] / 65535.0;
      default:
        return (gdouble) ((const gfloat *) lut->entries)[at];
    }
}

/* What a table makes of value i of n between its ends. */
static void
curve_of_lut (IsoluxEngineResult *result, const IsoluxLut *lut, gint channel)
{
  const gint     n = result->curve_n;
  const gboolean codes = lut->type != ISOLUX_TYPE_F32;
  const gdouble  maximum = maximum_of (lut->type);
  gint           i;

  for (i = 0; i < n; i++)
    {
      gdouble x = lut->low + i * (lut->high - lut->low) / (n - 1);
      gint    bin;

      if (codes)
        x = floor (x + 0.5);
      bin = codes
              ? (gint) x
              : (gint) MIN ((gint64) i * lut->bins / (n - 1), lut->bins - 1);
      result->curve_x[i] = x;
      result->curve_y[i] =
        clamp_unit (lut->identity[channel]
                      ? x / maximum
                      : entry_of (lut, channel * lut->bins + bin));
    }
}

/* The channel that an equalization counts for a table; index: of it in the
 * histogram. */
static IsoluxChannel
counted_channel (const IsoluxWorkStage *stage,
                 IsoluxEqualizeChannels channels,
                 gint                   table,
                 gint                  *index)
{
  static const IsoluxChannel colors[] = { ISOLUX_CHANNEL_RED,
                                          ISOLUX_CHANNEL_GREEN,
                                          ISOLUX_CHANNEL_BLUE };

  *index = 0;
  if (! isolux_work_is_color (stage) || channels == ISOLUX_EQUALIZE_LUMA)
    return ISOLUX_CHANNEL_LUMA;
  /* each channel of floats has a range of its own */
  if (stage->source->info.image.type == ISOLUX_TYPE_F32 && table >= 0)
    return colors[table];
  *index = MAX (table, 0);
  return ISOLUX_CHANNEL_EACH;
}

static gboolean
equalize_numbers (IsoluxWorkStage          *stage,
                  const IsoluxWorkSettings *settings,
                  IsoluxEngineResult       *result,
                  GError                  **error)
{
  const IsoluxEqualizeOptions *options = &settings->operation.options.equalize;
  const gint table = table_of (stage, settings, options->channels, FALSE);
  gint       index, c;
  const IsoluxHistogram *h =
    isolux_work_levels (stage,
                        counted_channel (stage, options->channels, table,
                                         &index),
                        options->weights, error);
  IsoluxLut *lut;

  if (! h)
    return FALSE;
  result->uniformity = isolux_histogram_uniformity (h, index);
  if (table < 0)
    for (c = 0; c < h->channels; c++)
      result->uniformity =
        MAX (result->uniformity, isolux_histogram_uniformity (h, c));
  if (table < 0)
    return TRUE;
  lut = isolux_lut_new_equalize (h, options, error);
  if (! lut ||
      ! curve_alloc (result,
                     h->type == ISOLUX_TYPE_F32 ? MOST_POINTS
                                                : MIN (h->bins, MOST_POINTS),
                     FALSE, error))
    {
      isolux_lut_free (lut);
      return FALSE;
    }
  /* a table of floats that are all alike is for none of them */
  if (lut->low < lut->high)
    curve_of_lut (result, lut, index);
  else
    drop_curve (result);
  isolux_lut_free (lut);
  return TRUE;
}

static gboolean
window_numbers (IsoluxWorkStage          *stage,
                const IsoluxWorkSettings *settings,
                IsoluxEngineResult       *result,
                GError                  **error)
{
  const IsoluxWindowOptions *options = &settings->operation.options.window;
  const IsoluxHistogram     *h = result->before.luma ? result->before.luma
                                                     : result->before.histogram;
  const gint    table = table_of (stage, settings, options->channels, TRUE);
  const gint    t = MAX (table, 0);
  const gdouble width = stage->high[t] - stage->low[t];
  gint          i, n;

  result->window_low = stage->low[t];
  result->window_high = stage->high[t];
  if (table < 0 || ! (h->low < h->high))
    return TRUE;
  n = h->type == ISOLUX_TYPE_F32 ? MOST_POINTS : MIN (h->bins, MOST_POINTS);
  if (! curve_alloc (result, n, FALSE, error))
    return FALSE;
  for (i = 0; i < n; i++)
    {
      const gdouble x = h->low + i * (h->high - h->low) / (n - 1);
      gdouble       y = x / maximum_of (h->type);

      if (width > 0.0)
        {
          y = pow (clamp_unit ((x - stage->low[t]) / width),
                   1.0 / options->gamma);
          y = options->invert ? 1.0 - y : y;
        }
      result->curve_x[i] = x;
      result->curve_y[i] = clamp_unit (y);
    }
  return TRUE;
}

static gboolean
is_picked (const IsoluxWorkSettings *settings, gint64 columns, gint64 rows)
{
  return settings->pick_column >= 0 && settings->pick_column < columns &&
         settings->pick_row >= 0 && settings->pick_row < rows;
}

/* The band of all tiles, and the picked tile's curve or the median. */
static gboolean
clahe_numbers (IsoluxWorkStage          *stage,
               const IsoluxWorkSettings *settings,
               IsoluxEngineResult       *result,
               GError                  **error)
{
  static const gdouble      percents[3] = { 10.0, 50.0, 90.0 };
  const IsoluxClaheOptions *clahe = &settings->operation.options.clahe;
  const IsoluxClaheGrid    *grid = isolux_clahe_maps_get_grid (stage->maps);
  const IsoluxType          type = stage->source->info.image.type;
  const gdouble             maximum = maximum_of (type);
  const gint                tiles = grid->tiles_x * grid->tiles_y;
  const gint table = table_of (stage, settings, clahe->channels, FALSE);
  gint       n = CLAMP (MOST_TILE_POINTS / tiles, LEAST_POINTS, MOST_POINTS), i;
  gdouble   *values;

  result->grid.channels = grid->channels;
  result->grid.bins = grid->bins;
  result->grid.low = grid->low;
  result->grid.high = grid->high;
  if (table < 0 || ! (grid->low < grid->high))
    return TRUE;
  if (type != ISOLUX_TYPE_F32)
    n = MIN (n, (gint) grid->high + 1);
  values = g_try_new (gdouble, 3 * (gsize) n);
  if (! values || ! curve_alloc (result, n, TRUE, error))
    {
      g_free (values);
      return result->curve_n ? FALSE : isolux_work_memory_error (error);
    }
  isolux_clahe_maps_get_bands (stage->maps, table, 3, percents, n, values);
  if (is_picked (settings, grid->tiles_x, grid->tiles_y))
    {
      result->curve_tile_x = (gint) settings->pick_column;
      result->curve_tile_y = (gint) settings->pick_row;
      isolux_clahe_maps_get_curve (stage->maps, table, result->curve_tile_x,
                                   result->curve_tile_y, n, values + n);
    }
  for (i = 0; i < n; i++)
    {
      result->curve_x[i] = grid->low + i * (grid->high - grid->low) / (n - 1);
      result->curve_low[i] = clamp_unit (values[i] / maximum);
      result->curve_y[i] = clamp_unit (values[n + i] / maximum);
      result->curve_high[i] = clamp_unit (values[2 * n + i] / maximum);
    }
  g_free (values);
  return TRUE;
}

/* ---- Orientations ------------------------------------------------------- */

/* What share of all each of n bins of some cells has. */
static gdouble *
shares_of (const gfloat *cells, gint64 count, gint n)
{
  gdouble *shares = g_new0 (gdouble, (gsize) n);
  gdouble  total = 0.0;
  gint64   i;
  gint     k;

  for (i = 0; i < count; i++)
    for (k = 0; k < n; k++)
      shares[k] += (gdouble) cells[i * n + k];
  for (k = 0; k < n; k++)
    total += shares[k];
  for (k = 0; k < n && total > 0.0; k++)
    shares[k] /= total;
  return shares;
}

static void
hog_numbers (IsoluxWorkStage          *stage,
             const IsoluxWorkSettings *settings,
             IsoluxEngineResult       *result)
{
  const gint n = settings->operation.options.hog.orientations;

  result->orientations = n;
  result->orientation_shares =
    shares_of (stage->cells, stage->cells ? stage->cells_x * stage->cells_y : 0,
               n);
  if (stage->cells && is_picked (settings, stage->cells_x, stage->cells_y))
    {
      result->curve_tile_x = (gint) settings->pick_column;
      result->curve_tile_y = (gint) settings->pick_row;
      result->cell_shares =
        shares_of (stage->cells + (settings->pick_row * stage->cells_x +
                                   settings->pick_column) *
                                    n,
                   1, n);
    }
}

/* ---- All of them -------------------------------------------------------- */

static IsoluxWorkSide *
after_new (IsoluxWorkStage          *stage,
           const IsoluxWorkSettings *settings,
           IsoluxEngineChannel       channel,
           GError                  **error)
{
  const IsoluxOperation *operation = &settings->operation;

  if (operation->kind == ISOLUX_OPERATION_LBP &&
      operation->options.lbp.method != ISOLUX_LBP_VAR)
    return side_of_codes (stage, &operation->options.lbp, error);
  return side_new (stage, stage->after_box, channel, error);
}

static gboolean
take_sides (IsoluxWorkStage          *stage,
            const IsoluxWorkSettings *settings,
            IsoluxEngineResult       *result,
            GError                  **error)
{
  const IsoluxEngineChannel channel =
    isolux_work_image_channel (stage->source, settings->channel);
  IsoluxWorkSide **before = &stage->before[channel];
  IsoluxWorkSide **after = &stage->after_sides[channel];

  if (! *before)
    *before = side_new (stage, stage->box, channel, error);
  if (! *before)
    return FALSE;
  isolux_work_result_take_before (result, isolux_work_side_ref (*before));
  if (! *after)
    *after = after_new (stage, settings, channel, error);
  if (! *after)
    return FALSE;
  isolux_work_result_take_after (result, isolux_work_side_ref (*after));
  return TRUE;
}

gboolean
isolux_work_stage_numbers (IsoluxWorkStage          *stage,
                           const IsoluxWorkSettings *settings,
                           IsoluxEngineResult       *result,
                           GError                  **error)
{
  const IsoluxOperation *operation = &settings->operation;
  const IsoluxRectangle *box = &stage->source->info.box;
  const IsoluxHistogram *h;
  gboolean               success = TRUE;

  if (! take_sides (stage, settings, result, error))
    return FALSE;
  h = result->before.luma ? result->before.luma : result->before.histogram;
  isolux_operation_get_grid (operation, box->width, box->height, &result->grid);
  switch (operation->kind)
    {
      case ISOLUX_OPERATION_EQUALIZE:
        success = equalize_numbers (stage, settings, result, error);
        break;
      case ISOLUX_OPERATION_WINDOW:
        success = window_numbers (stage, settings, result, error);
        break;
      case ISOLUX_OPERATION_CLAHE:
        success = clahe_numbers (stage, settings, result, error);
        break;
      case ISOLUX_OPERATION_HOG:
        hog_numbers (stage, settings, result);
        break;
      default:
        break;
    }
  if ((operation->kind == ISOLUX_OPERATION_EQUALIZE ||
       operation->kind == ISOLUX_OPERATION_CLAHE) &&
      isolux_work_image_channel (stage->source, settings->channel) !=
        ISOLUX_ENGINE_ALPHA)
    result->clip_mean = (gdouble) h->total[0] / h->bins;
  result->numbers = success;
  result->report = stage->report;
  result->operation_milliseconds = stage->report.compute_ms;
  return success;
}
