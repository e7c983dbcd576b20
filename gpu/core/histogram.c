/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <math.h>

static gint
log2_of (gint power)
{
  gint bits = 0;

  while (1 << bits < power)
    bits++;
  return bits;
}

static gboolean
check_bins (gint bins, gint most, GError **error)
{
  if (bins < 2 || bins > most || (bins & (bins - 1)))
    return isolux_argument_error (error,
                                  _("The number of bins is a power of two "
                                    "from 2 to %d; %d is not."),
                                  most, bins);
  return TRUE;
}

static IsoluxHistogram *
histogram_alloc (IsoluxType type, gint channels, gint bins, GError **error)
{
  IsoluxHistogram *h = isolux_try_new (IsoluxHistogram, 1, error);

  if (! h)
    return NULL;
  h->type = type;
  h->channels = channels;
  h->bins = bins;
  h->counts = isolux_try_new (guint64, (gsize) channels * (gsize) bins, error);
  if (! h->counts)
    g_clear_pointer (&h, g_free);
  return h;
}

static void
sum_totals (IsoluxHistogram *h)
{
  gint c, k;

  for (c = 0; c < h->channels; c++)
    for (h->total[c] = 0, k = 0; k < h->bins; k++)
      h->total[c] += h->counts[c * h->bins + k];
}

/* ---- Counting --------------------------------------------------------- */

gint
isolux_counts_bits (const IsoluxPixels *pixels,
                    const guint64      *counts,
                    gint                channels,
                    gint                codes)
{
  gint largest = 0, c, k;

  if (pixels->bits)
    return pixels->bits;
  for (c = 0; c < channels; c++)
    for (k = codes - 1; k > largest; k--)
      if (counts[c * codes + k])
        largest = k;
  return isolux_significant_bits ((guint32) largest);
}

/* A bin for each code becomes bins for the significant bits; codes beyond
 * them count in the last bin. */
static IsoluxHistogram *
fold_codes (const IsoluxPixels *pixels,
            const guint64      *counts,
            gint                channels,
            gint                bins,
            GError            **error)
{
  const gint       codes = pixels->type == ISOLUX_PLAN_U8 ? 256 : 65536;
  IsoluxHistogram *h;
  const gint       bits = isolux_counts_bits (pixels, counts, channels, codes);
  gint             shift, c, k;

  if (bins == 0)
    bins = 1 << bits;
  if (! check_bins (bins, 1 << bits, error))
    return NULL;
  h = histogram_alloc (pixels->type == ISOLUX_PLAN_U8 ? ISOLUX_TYPE_U8
                                                      : ISOLUX_TYPE_U16,
                       channels, bins, error);
  if (! h)
    return NULL;
  h->bits = bits;
  h->high = (1 << bits) - 1;
  shift = bits - log2_of (bins);
  for (c = 0; c < channels; c++)
    {
      gint least = codes, most = -1;

      for (k = 0; k < codes; k++)
        if (counts[c * codes + k])
          {
            least = MIN (least, k);
            most = k;
            h->counts[c * bins + (MIN (k, (1 << bits) - 1) >> shift)] +=
              counts[c * codes + k];
          }
      if (most >= 0)
        {
          h->minimum[c] = least;
          h->maximum[c] = most;
        }
    }
  return h;
}

static IsoluxHistogram *
from_floats (const IsoluxCounts *counts,
             gint                channels,
             gint                bins,
             GError            **error)
{
  IsoluxHistogram *h = histogram_alloc (ISOLUX_TYPE_F32, channels, bins, error);
  gint             c;

  if (! h)
    return NULL;
  h->low = counts->low;
  h->high = counts->high;
  memcpy (h->counts, counts->counts,
          (gsize) channels * (gsize) bins * sizeof (guint64));
  for (c = 0; c < channels; c++)
    if (counts->minimum[c] <= counts->maximum[c])
      {
        h->minimum[c] = counts->minimum[c];
        h->maximum[c] = counts->maximum[c];
      }
  return h;
}

typedef struct
{
  IsoluxCountPlan plan;
  IsoluxCounts    counts;
} Job;

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             data,
      GError             **error)
{
  Job *job = data;

  return backend->count (source, &job->plan, &job->counts, error);
}

static gboolean
plan_make (IsoluxCountPlan              *plan,
           const IsoluxPixels           *pixels,
           const IsoluxHistogramOptions *options,
           GError                      **error)
{
  const gboolean rgb = pixels->colors == 3;

  if (! isolux_weights_set (&plan->weights, options->weights, error))
    return FALSE;
  plan->channels = 1;
  switch (options->channel)
    {
      case ISOLUX_CHANNEL_LUMA:
        plan->luma = rgb;
        break;
      case ISOLUX_CHANNEL_EACH:
        plan->channels = pixels->colors;
        break;
      case ISOLUX_CHANNEL_RED:
        break;
      case ISOLUX_CHANNEL_GREEN:
        plan->first_component = rgb ? 1 : 0;
        break;
      case ISOLUX_CHANNEL_BLUE:
        plan->first_component = rgb ? 2 : 0;
        break;
      case ISOLUX_CHANNEL_ALPHA:
        if (! pixels->has_alpha)
          return isolux_argument_error (error,
                                        _("The image has no alpha channel."));
        plan->first_component = pixels->components - 1;
        plan->ignore_alpha = TRUE;
        break;
      default:
        return isolux_argument_error (error, _("There is no channel %d."),
                                      (gint) options->channel);
    }

  if (pixels->type == ISOLUX_PLAN_F32)
    {
      plan->bins = options->bins ? options->bins : 65536;
      if (! isfinite (options->low) || ! isfinite (options->high))
        return isolux_argument_error (error, _("The range of a histogram has "
                                               "finite ends."));
      plan->low = options->low;
      plan->high = options->high;
      return check_bins (plan->bins, 65536, error);
    }
  plan->bins = pixels->type == ISOLUX_PLAN_U8 ? 256 : 65536;
  /* that many bins at most; with the bits found out, checked again then */
  return options->bins == 0 ||
         check_bins (options->bins,
                     pixels->bits ? 1 << pixels->bits : plan->bins, error);
}

IsoluxHistogram *
isolux_histogram (IsoluxSurface                *surface,
                  const IsoluxHistogramOptions *options,
                  IsoluxReport                 *report,
                  GError                      **error)
{
  static const IsoluxHistogramOptions defaults = ISOLUX_HISTOGRAM_DEFAULTS;
  const IsoluxPixels                 *pixels = &surface->pixels;
  Job                                 job = { 0 };
  IsoluxHistogram                    *h = NULL;

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! plan_make (&job.plan, pixels, options, error))
    return NULL;
  job.counts.counts =
    isolux_try_new (guint64, (gsize) job.plan.channels * (gsize) job.plan.bins,
                    error);
  if (! job.counts.counts)
    return NULL;
  if (isolux_run (ISOLUX_TWIN_COUNT, twin, surface, NULL, &job, report, error))
    {
      if (pixels->type == ISOLUX_PLAN_F32)
        h = from_floats (&job.counts, job.plan.channels, job.plan.bins, error);
      else
        h = fold_codes (pixels, job.counts.counts, job.plan.channels,
                        options->bins, error);
      if (h)
        sum_totals (h);
    }
  g_free (job.counts.counts);
  return h;
}

/* ---- Histograms from elsewhere ------------------------------------------ */

IsoluxHistogram *
isolux_histogram_new (IsoluxType     type,
                      gint           bits,
                      gint           channels,
                      gint           bins,
                      gdouble        low,
                      gdouble        high,
                      const guint64 *counts,
                      GError       **error)
{
  const guint64    most = G_GUINT64_CONSTANT (1) << 46;
  IsoluxHistogram *h;
  gint             c, k;

  if (type != ISOLUX_TYPE_U8 && type != ISOLUX_TYPE_U16 &&
      type != ISOLUX_TYPE_F32)
    {
      isolux_argument_error (error, _("There is no component type %d."),
                             (gint) type);
      return NULL;
    }
  if (type == ISOLUX_TYPE_F32   ? bits != 0
      : type == ISOLUX_TYPE_U16 ? bits < 8 || bits > 16
                                : bits != 8)
    {
      isolux_argument_error (error,
                             _("%d significant bits do not fit the type."),
                             bits);
      return NULL;
    }
  if (channels != 1 && channels != 3)
    {
      isolux_argument_error (error,
                             _("A histogram has 1 or 3 channels; %d is not "
                               "possible."),
                             channels);
      return NULL;
    }
  if (! check_bins (bins, type == ISOLUX_TYPE_F32 ? 65536 : 1 << bits, error))
    return NULL;
  if (type == ISOLUX_TYPE_F32 &&
      (! isfinite (low) || ! isfinite (high) || low > high))
    {
      isolux_argument_error (error, _("The range of a histogram has finite "
                                      "ends, low before high."));
      return NULL;
    }
  h = histogram_alloc (type, channels, bins, error);
  if (! h)
    return NULL;
  h->bits = bits;
  h->low = type == ISOLUX_TYPE_F32 ? low : 0.0;
  h->high = type == ISOLUX_TYPE_F32 ? high : (1 << bits) - 1;
  if (counts)
    for (c = 0; c < channels; c++)
      for (k = 0; k < bins; k++)
        {
          const guint64 count = counts[c * bins + k];

          if (count > most || (h->total[c] += count) > most)
            {
              isolux_argument_error (error, _("The counts of a histogram add "
                                              "up to too much."));
              isolux_histogram_free (h);
              return NULL;
            }
          h->counts[c * bins + k] = count;
          if (count)
            {
              const gdouble width =
                (h->high - h->low + (type == ISOLUX_TYPE_F32 ? 0 : 1)) / bins;

              if (h->total[c] == count)
                h->minimum[c] = h->low + width * k;
              h->maximum[c] = h->low + width * (k + 1) -
                              (type == ISOLUX_TYPE_F32 ? 0 : 1);
            }
        }
  return h;
}

void
isolux_histogram_free (IsoluxHistogram *histogram)
{
  if (! histogram)
    return;
  g_free (histogram->counts);
  g_free (histogram);
}

/* ---- Numbers ------------------------------------------------------------ */

gdouble
isolux_histogram_value (const IsoluxHistogram *h, gint bin)
{
  if (h->type == ISOLUX_TYPE_F32)
    return h->low + (h->high - h->low) * ((bin + 0.5) / h->bins);
  else
    {
      const gdouble codes = (gdouble) (1 << h->bits) / h->bins;

      return bin * codes + (codes - 1.0) / 2.0;
    }
}

void
isolux_histogram_get_statistics (const IsoluxHistogram *h,
                                 gint                   channel,
                                 IsoluxStatistics      *s)
{
  const guint64 *counts = h->counts + (gsize) channel * (gsize) h->bins;
  const gdouble  total = (gdouble) h->total[channel];
  gdouble        sum = 0.0, squares = 0.0;
  gint           k;

  memset (s, 0, sizeof *s);
  s->count = h->total[channel];
  if (s->count == 0)
    return;
  s->minimum = h->minimum[channel];
  s->maximum = h->maximum[channel];
  for (k = 0; k < h->bins; k++)
    if (counts[k])
      {
        const gdouble share = (gdouble) counts[k] / total;

        s->distinct++;
        s->entropy -= share * log2 (share);
        sum += share * isolux_histogram_value (h, k);
      }
  s->mean = sum;
  for (k = 0; k < h->bins; k++)
    if (counts[k])
      {
        const gdouble d = isolux_histogram_value (h, k) - s->mean;

        squares += (gdouble) counts[k] / total * d * d;
      }
  s->sd = sqrt (squares);
  s->entropy = MAX (s->entropy, 0.0);
}

gdouble
isolux_histogram_percentile (const IsoluxHistogram *h,
                             gint                   channel,
                             gdouble                percent)
{
  const guint64 *counts = h->counts + (gsize) channel * (gsize) h->bins;
  /* in hundredths: whole percents of up to 2^46 pixels are exact */
  const gdouble wanted = CLAMP (percent, 0.0, 100.0) *
                         (gdouble) h->total[channel];
  guint64 sum = 0;
  gint    k, last = -1;

  for (k = 0; k < h->bins; k++)
    if (counts[k])
      {
        sum += counts[k];
        last = k;
        if ((gdouble) sum * 100.0 >= wanted)
          break;
      }
  return last < 0 ? 0.0 : isolux_histogram_value (h, last);
}

gdouble
isolux_histogram_uniformity (const IsoluxHistogram *h, gint channel)
{
  const guint64 *counts = h->counts + (gsize) channel * (gsize) h->bins;
  const guint64  total = h->total[channel];
  guint64        sum = 0, most = 0;
  gint           k;

  if (total == 0)
    return 0.0;
  for (k = 0; k < h->bins; k++)
    {
      sum += counts[k];
      most = MAX (most, isolux_uniform_distance (sum, total, h->bins, k));
    }
  return (gdouble) most / ((gdouble) total * (gdouble) h->bins);
}
