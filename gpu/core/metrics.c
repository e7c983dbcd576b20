/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparing two images. */
#include "internal.h"

#include <math.h>

#define K1 0.01
#define K2 0.03

typedef struct
{
  IsoluxMetricsPlan plan;
  gdouble          *partial; /* ISOLUX_METRICS_SUMS for each strip */
  guint64          *counts;  /* 65536 */
  gdouble           entropy[2];
  gdouble           first[ISOLUX_METRICS_SUMS];
  gdouble           second[ISOLUX_METRICS_SUMS];
  gdouble           similarity[ISOLUX_METRICS_SUMS];
} Job;

/* ---- Sums -------------------------------------------------------- */

static gboolean
pass (const IsoluxBackend *backend,
      IsoluxSurface       *first,
      IsoluxSurface       *second,
      Job                 *job,
      gint                 which,
      gdouble             *sums,
      GError             **error)
{
  gint64 i;
  gint   k;

  job->plan.pass = which;
  if (! backend->metrics (first, second, &job->plan, job->partial, error))
    return FALSE;
  for (k = 0; k < ISOLUX_METRICS_SUMS; k++)
    for (sums[k] = 0.0, i = 0; i < job->plan.strips; i++)
      sums[k] += job->partial[i * ISOLUX_METRICS_SUMS + k];
  return TRUE;
}

/* ---- Entropy ----------------------------------------------------- */

/* Codes beyond the significant bits count in the last bin. */
static gdouble
entropy_of (guint64 *counts, gint bins, gint bits)
{
  guint64 total = 0;
  gdouble sum = 0.0;
  gint    k;

  for (k = bits ? 1 << bits : bins; k < bins; k++)
    {
      counts[(1 << bits) - 1] += counts[k];
      counts[k] = 0;
    }
  for (k = 0; k < bins; k++)
    total += counts[k];
  for (k = 0; k < bins; k++)
    if (counts[k])
      {
        const gdouble share = (gdouble) counts[k] / (gdouble) total;

        sum -= share * log2 (share);
      }
  return MAX (sum, 0.0);
}

/* Counts an image where the mask of the first pass says so, whatever its own
 * region and alpha are. */
static gboolean
measure_entropy (const IsoluxBackend *backend,
                 const IsoluxSurface *surface,
                 gpointer             stream,
                 Job                 *job,
                 gdouble             *entropy,
                 GError             **error)
{
  IsoluxSurface   alike = *surface;
  IsoluxPixels   *pixels = &alike.pixels;
  IsoluxCountPlan plan = { 0 };
  IsoluxCounts    counts = { 0 };

  alike.stream = stream;
  pixels->has_alpha = 0;
  pixels->region_x = pixels->region_y = 0;
  pixels->region_width = pixels->width;
  pixels->region_height = pixels->height;
  pixels->mask = job->plan.mask;
  pixels->mask_stride = (gsize) pixels->width;
  plan.luma = pixels->colors == 3;
  plan.channels = 1;
  plan.bins = pixels->type == ISOLUX_PLAN_U8 ? 256 : 65536;
  plan.weights = job->plan.weights;
  counts.counts = job->counts;
  if (! backend->count (&alike, &plan, &counts, error))
    return FALSE;
  *entropy = entropy_of (job->counts, plan.bins,
                         pixels->type == ISOLUX_PLAN_U16 ? pixels->bits : 0);
  return TRUE;
}

/* ---- All --------------------------------------------------------- */

static gboolean
compare (const IsoluxBackend *backend,
         IsoluxSurface       *first,
         IsoluxSurface       *second,
         Job                 *job,
         GError             **error)
{
  gpointer stream = first->stream ? first->stream : second->stream;

  if (! pass (backend, first, second, job, ISOLUX_METRICS_FIRST, job->first,
              error))
    return FALSE;
  memset (job->second, 0, sizeof job->second);
  memset (job->similarity, 0, sizeof job->similarity);
  if (job->first[0] > 0.0)
    {
      job->plan.mean[0] = job->first[1] / job->first[0];
      job->plan.mean[1] = job->first[2] / job->first[0];
      if (! pass (backend, first, second, job, ISOLUX_METRICS_SECOND,
                  job->second, error))
        return FALSE;
      if (first->pixels.width >= ISOLUX_METRICS_WINDOW &&
          first->pixels.height >= ISOLUX_METRICS_WINDOW &&
          ! pass (backend, first, second, job, ISOLUX_METRICS_SIMILARITY,
                  job->similarity, error))
        return FALSE;
    }
  return measure_entropy (backend, first, stream, job, &job->entropy[0],
                          error) &&
         measure_entropy (backend, second, stream, job, &job->entropy[1],
                          error);
}

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *first,
      IsoluxSurface       *second,
      gpointer             data,
      GError             **error)
{
  const gsize size = (gsize) first->pixels.width * (gsize) first->pixels.height;
  Job        *job = data;
  gpointer    mask;
  gboolean    success;

  if (! backend->alloc (first->device, size, &mask, error))
    return FALSE;
  job->plan.mask = mask;
  success = compare (backend, first, second, job, error);
  backend->release (first->device, mask, size);
  return success;
}

static void
set_metrics (const Job *job, gdouble nominal, IsoluxMetrics *m)
{
  const gdouble n = job->first[0];
  gint          i;

  memset (m, 0, sizeof *m);
  m->count = (guint64) n;
  m->psnr = m->ssim = NAN;
  if (m->count == 0)
    return;
  for (i = 0; i < 2; i++)
    {
      m->entropy[i] = job->entropy[i];
      m->rms_contrast[i] = sqrt (job->second[i] / n) / nominal;
      m->saturated[i] = job->first[4 + i] / n;
      m->mean[i] = job->first[1 + i] / n;
    }
  m->ambe = fabs (m->mean[0] - m->mean[1]);
  m->mse = job->first[3] / n;
  m->psnr = m->mse > 0.0 ? 10.0 * log10 (nominal * nominal / m->mse) : HUGE_VAL;
  if (job->similarity[0] > 0.0)
    m->ssim = job->similarity[1] / job->similarity[0];
  else if (! (m->mse > 0.0))
    m->ssim = 1.0;
}

gboolean
isolux_metrics (IsoluxSurface *first,
                IsoluxSurface *second,
                const gdouble *weights,
                IsoluxMetrics *metrics,
                IsoluxReport  *report,
                GError       **error)
{
  static const gdouble bt601[3] = { 0.299, 0.587, 0.114 };
  const IsoluxPixels  *p = &first->pixels;
  const gdouble        nominal = isolux_picture_maximum (p);
  const gint64         least = (p->height + ISOLUX_METRICS_STRIPS - 1) /
                       ISOLUX_METRICS_STRIPS;
  Job      job = { 0 };
  gboolean success;

  isolux_report_clear (report);
  if (! isolux_surfaces_check (first, second, TRUE, error) ||
      ! isolux_weights_set (&job.plan.weights, weights ? weights : bt601,
                            error))
    return FALSE;
  job.plan.strip = least;
  job.plan.strips = (p->height + least - 1) / least;
  job.plan.top = p->type == ISOLUX_PLAN_U16 && p->bits ? (1 << p->bits) - 1
                                                       : nominal;
  job.plan.c1 = (K1 * nominal) * (K1 * nominal);
  job.plan.c2 = (K2 * nominal) * (K2 * nominal);
  job.partial = isolux_try_new (gdouble,
                                (gsize) job.plan.strips * ISOLUX_METRICS_SUMS,
                                error);
  job.counts = job.partial ? isolux_try_new (guint64, 65536, error) : NULL;
  success = job.counts && isolux_run_pair (ISOLUX_TWIN_METRICS, twin, first,
                                           second, &job, report, error);
  if (success)
    set_metrics (&job, nominal, metrics);
  g_free (job.counts);
  g_free (job.partial);
  return success;
}
