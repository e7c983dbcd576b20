/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

gboolean
isolux_equalize_check (const IsoluxEqualizeOptions *options, GError **error)
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
  if (! (options->skip_threshold >= 0.0 && options->skip_threshold <= 1.0))
    return isolux_argument_error (error,
                                  _("The skip threshold is 0 to 1; %g is "
                                    "not."),
                                  options->skip_threshold);
  return TRUE;
}

typedef struct
{
  IsoluxEqualizePlan plan;
  gboolean           unchanged;
  gboolean           ask;
} Job;

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             data,
      GError             **error)
{
  Job *job = data;

  return backend->equalize (source, destination, &job->plan,
                            job->ask ? &job->unchanged : NULL, error);
}

gboolean
isolux_equalize (IsoluxSurface               *source,
                 IsoluxSurface               *destination,
                 const IsoluxEqualizeOptions *options,
                 IsoluxReport                *report,
                 GError                     **error)
{
  static const IsoluxEqualizeOptions defaults = ISOLUX_EQUALIZE_DEFAULTS;
  Job                                job = { 0 };

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (! isolux_equalize_check (options, error) ||
      ! isolux_surfaces_check (source, destination, TRUE, error) ||
      ! isolux_weights_set (&job.plan.weights, options->weights, error))
    return FALSE;
  job.plan.luma = options->channels == ISOLUX_EQUALIZE_LUMA &&
                  source->pixels.colors == 3;
  job.plan.clip_limit = options->clip_limit;
  job.plan.skip_threshold = options->skip_threshold;
  job.ask = report != NULL;
  if (! isolux_run (ISOLUX_TWIN_EQUALIZE, twin, source, destination, &job,
                    report, error))
    return FALSE;
  if (report)
    report->unchanged = job.unchanged;
  return TRUE;
}
