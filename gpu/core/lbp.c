/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <math.h>

G_STATIC_ASSERT (ISOLUX_PLAN_LBP_DEFAULT == (gint) ISOLUX_LBP_DEFAULT);
G_STATIC_ASSERT (ISOLUX_PLAN_LBP_ROR == (gint) ISOLUX_LBP_ROR);
G_STATIC_ASSERT (ISOLUX_PLAN_LBP_UNIFORM == (gint) ISOLUX_LBP_UNIFORM);
G_STATIC_ASSERT (ISOLUX_PLAN_LBP_NRI_UNIFORM == (gint) ISOLUX_LBP_NRI_UNIFORM);
G_STATIC_ASSERT (ISOLUX_PLAN_LBP_VAR == (gint) ISOLUX_LBP_VAR);

/* ---- The plan --------------------------------------------------------- */

static gboolean
options_check (const IsoluxLbpOptions *options, GError **error)
{
  if (options->method < ISOLUX_LBP_DEFAULT || options->method > ISOLUX_LBP_VAR)
    return isolux_argument_error (error,
                                  _("There is no method %d of local binary "
                                    "patterns."),
                                  (gint) options->method);
  if (! (options->radius >= 0.1 && options->radius <= 64.0))
    return isolux_argument_error (error,
                                  _("The radius is 0.1 to 64 pixels; %g is "
                                    "not."),
                                  options->radius);
  if (options->points < 1 || options->points > ISOLUX_LBP_POINTS)
    return isolux_argument_error (error,
                                  _("The number of points is 1 to %d; %d is "
                                    "not."),
                                  ISOLUX_LBP_POINTS, options->points);
  return TRUE;
}

/* To five decimals, so that the last bits of sin() and cos() do not matter. */
static gdouble
round_offset (gdouble v)
{
  return rint (v * 1e5) / 1e5;
}

static void
set_samples (IsoluxLbpPlan *plan, gdouble radius)
{
  const gdouble r = radius;
  gint          i;

  for (i = 0; i < plan->points; i++)
    {
      const gdouble angle = 2.0 * G_PI * i / plan->points;

      plan->row[i] = round_offset (-r * sin (angle));
      plan->column[i] = round_offset (r * cos (angle));
      plan->top[i] = (gint32) floor (plan->row[i]);
      plan->bottom[i] = (gint32) ceil (plan->row[i]);
      plan->left[i] = (gint32) floor (plan->column[i]);
      plan->right[i] = (gint32) ceil (plan->column[i]);
      plan->reach = MAX (plan->reach, MAX (-plan->top[i], plan->bottom[i]));
      plan->reach = MAX (plan->reach, MAX (-plan->left[i], plan->right[i]));
    }
}

static guint32
count_codes (gint points, IsoluxLbpMethod method)
{
  switch (method)
    {
      case ISOLUX_LBP_UNIFORM:
        return (guint32) points + 2;
      case ISOLUX_LBP_NRI_UNIFORM:
        return (guint32) (points * (points - 1) + 3);
      case ISOLUX_LBP_VAR:
        return 0;
      default:
        return 1u << points;
    }
}

static gboolean
plan_make (IsoluxLbpPlan          *plan,
           const IsoluxPixels     *pixels,
           const IsoluxLbpOptions *options,
           GError                **error)
{
  if (! options_check (options, error) ||
      ! isolux_weights_set (&plan->weights, options->weights, error))
    return FALSE;
  plan->points = options->points;
  plan->method = options->method;
  plan->raw = options->raw;
  plan->flat = pixels->type == ISOLUX_PLAN_F32;
  plan->codes = count_codes (options->points, options->method);
  set_samples (plan, options->radius);
  plan->simple = plan->points == 8 && options->radius == 1.0 &&
                 plan->method != ISOLUX_LBP_VAR &&
                 pixels->type != ISOLUX_PLAN_F32 &&
                 pixels->width <= ISOLUX_LBP_SIMPLE_SIDE &&
                 pixels->height <= ISOLUX_LBP_SIMPLE_SIDE;
  return TRUE;
}

/* A picture of deviations ends at half the range of the significant bits. */
static gboolean
set_most (IsoluxLbpPlan          *plan,
          IsoluxSurface          *source,
          const IsoluxLbpOptions *options,
          GError                **error)
{
  gint bits = source->pixels.bits;

  if (plan->method != ISOLUX_LBP_VAR)
    {
      plan->most = (gdouble) plan->codes - 1.0;
      return TRUE;
    }
  plan->most = plan->maximum / 2.0;
  if (plan->raw || source->pixels.type != ISOLUX_PLAN_U16)
    return TRUE;
  if (bits == 0)
    {
      IsoluxHistogramOptions look = ISOLUX_HISTOGRAM_DEFAULTS;
      IsoluxHistogram       *histogram;

      look.channel = ISOLUX_CHANNEL_LUMA;
      memcpy (look.weights, options->weights, sizeof look.weights);
      histogram = isolux_histogram (source, &look, NULL, error);
      if (! histogram)
        return FALSE;
      bits = histogram->bits;
      isolux_histogram_free (histogram);
    }
  plan->most = ((1 << bits) - 1) / 2.0;
  return TRUE;
}

/* ---- Pictures ----------------------------------------------------------- */

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             plan,
      GError             **error)
{
  return backend->lbp (source, destination, plan, error);
}

gboolean
isolux_lbp (IsoluxSurface          *source,
            IsoluxSurface          *destination,
            const IsoluxLbpOptions *options,
            IsoluxReport           *report,
            GError                **error)
{
  static const IsoluxLbpOptions defaults = ISOLUX_LBP_DEFAULTS;
  IsoluxLbpPlan                 plan = { 0 };

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! plan_make (&plan, &source->pixels, options, error) ||
      ! isolux_picture_check (source, destination, options->raw, error))
    return FALSE;
  plan.maximum = isolux_picture_maximum (&source->pixels);
  return set_most (&plan, source, options, error) &&
         isolux_run (ISOLUX_TWIN_LBP, twin, source, destination, &plan, report,
                     error);
}

/* ---- Histograms --------------------------------------------------------- */

typedef struct
{
  IsoluxLbpPlan plan;
  guint64      *counts;
} Job;

static gboolean
histogram_twin (const IsoluxBackend *backend,
                IsoluxSurface       *source,
                IsoluxSurface       *destination,
                gpointer             data,
                GError             **error)
{
  Job *job = data;

  return backend->lbp_histogram (source, &job->plan, job->counts, error);
}

gboolean
isolux_lbp_histogram (IsoluxSurface          *source,
                      const IsoluxLbpOptions *options,
                      guint64               **counts,
                      gsize                  *n_counts,
                      IsoluxReport           *report,
                      GError                **error)
{
  static const IsoluxLbpOptions defaults = ISOLUX_LBP_DEFAULTS;
  Job                           job = { 0 };

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! plan_make (&job.plan, &source->pixels, options, error))
    return FALSE;
  if (options->method == ISOLUX_LBP_VAR)
    return isolux_argument_error (error,
                                  _("Variances have no histogram of codes."));
  job.counts = isolux_try_new (guint64, job.plan.codes, error);
  if (! job.counts)
    return FALSE;
  if (! isolux_run (ISOLUX_TWIN_LBP, histogram_twin, source, NULL, &job, report,
                    error))
    {
      g_free (job.counts);
      return FALSE;
    }
  *counts = job.counts;
  *n_counts = job.plan.codes;
  return TRUE;
}
