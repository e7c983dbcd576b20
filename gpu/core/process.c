/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole call: rows in, an operation, rows out. */
#include "internal.h"

static gdouble
milliseconds_since (gint64 *start)
{
  const gint64  now = g_get_monotonic_time ();
  const gdouble ms = (now - *start) / 1000.0;

  *start = now;
  return ms;
}

gboolean
isolux_process_on (IsoluxDevice        *device,
                   const IsoluxBackend *backend,
                   const IsoluxProcess *process,
                   IsoluxReport        *report,
                   GError             **error)
{
  gint64         clock = g_get_monotonic_time ();
  IsoluxSurface *source, *destination = NULL;
  gdouble        upload, compute;
  gboolean       success = FALSE;

  source = isolux_surface_new_on (device, backend, &process->source, error);
  if (! source)
    return FALSE;
  if (process->write)
    {
      destination =
        isolux_surface_new_on (device, backend, &process->destination, error);
      if (! destination)
        goto out;
    }
  if ((process->region || process->mask) &&
      ! isolux_surface_set_region (source, process->region, process->mask,
                                   process->mask_stride, error))
    goto out;
  if (! isolux_surface_upload_rows (source, process->read, process->rows_data,
                                    error))
    goto out;
  upload = milliseconds_since (&clock);
  if (! process->operation (source, destination, process->operation_data,
                            report, error))
    goto out;
  compute = milliseconds_since (&clock);
  success = ! process->write ||
            isolux_surface_download_rows (destination, process->write,
                                          process->rows_data, error);
  report->upload_ms = upload;
  report->compute_ms = compute;
  report->download_ms = milliseconds_since (&clock);

out:
  isolux_surface_unref (destination);
  isolux_surface_unref (source);
  return success;
}

static gboolean
process_check (const IsoluxProcess *process, GError **error)
{
  if (! isolux_image_check (&process->source, error))
    return FALSE;
  if (! process->write)
    return TRUE;
  if (! isolux_image_check (&process->destination, error))
    return FALSE;
  if (process->source.width != process->destination.width ||
      process->source.height != process->destination.height)
    return isolux_argument_error (error, _("The two surfaces are not of the "
                                           "same size."));
  return TRUE;
}

gboolean
isolux_process (IsoluxDevice        *device,
                const IsoluxProcess *process,
                IsoluxReport        *report,
                GError             **error)
{
  const IsoluxBackend *backend;
  IsoluxReport         own;
  GError              *failure = NULL;
  gboolean             success;

  isolux_report_clear (report);
  isolux_report_clear (&own);
  if (! process_check (process, error))
    return FALSE;
  isolux_fault_arm_from_environment ();
  backend =
    isolux_device_choose (device,
                          (guint64) isolux_image_row_bytes (&process->source) *
                            (guint64) process->source.height);
  success = isolux_process_on (device, backend, process, &own, &failure);
  if (! success && backend != &isolux_backend_cpu &&
      g_error_matches (failure, ISOLUX_ERROR, ISOLUX_ERROR_DEVICE))
    {
      gchar warning[sizeof own.warning];

      isolux_set_text (warning, sizeof warning, failure->message);
      g_clear_error (&failure);
      isolux_report_clear (&own);
      success = isolux_process_on (device, &isolux_backend_cpu, process, &own,
                                   &failure);
      own.backend = ISOLUX_BACKEND_CPU;
      isolux_set_text (own.warning, sizeof own.warning, warning);
    }
  if (! success)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (report)
    *report = own;
  return TRUE;
}
