/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts, builds the tables and applies them, one after the other on the
 * device: the host waits for nothing in between.
 */
#include "driver.h"

static gboolean
make_tables (CudaCall                 *call,
             const IsoluxPixels       *pixels,
             const IsoluxEqualizePlan *plan,
             const IsoluxCountPlan    *count,
             GError                  **error)
{
  const CudaAddress    scratch = call->lane->scratch;
  IsoluxTableArguments a = { 0 };
  guint                segments;

  a.type = pixels->type;
  a.channels = count->channels;
  a.codes = count->bins;
  a.bits = pixels->bits;
  a.clip_limit = plan->clip_limit;
  a.skip_threshold = plan->skip_threshold;
  a.counts = (guint64 *) (scratch + ISOLUX_SCRATCH_COUNTS);
  a.entries = (gpointer) (scratch + ISOLUX_SCRATCH_ENTRIES);
  a.tables = (IsoluxTables *) (scratch + ISOLUX_SCRATCH_TABLES);
  a.state = (IsoluxState *) (scratch + ISOLUX_SCRATCH_STATE);
  segments = ((guint) a.codes + ISOLUX_ENTRIES_THREADS - 1) /
             ISOLUX_ENTRIES_THREADS;
  return isolux_call_launch (call, KERNEL_isolux_equalize_terms,
                             (guint) a.channels, ISOLUX_TERMS_THREADS, 0, &a,
                             error) &&
         isolux_call_launch (call, KERNEL_isolux_equalize_entries,
                             (guint) a.channels * segments,
                             ISOLUX_ENTRIES_THREADS, 0, &a, error);
}

gboolean
isolux_cuda_equalize (IsoluxSurface            *source,
                      IsoluxSurface            *destination,
                      const IsoluxEqualizePlan *plan,
                      gboolean                 *unchanged,
                      GError                  **error)
{
  const IsoluxPixels *pixels = &source->pixels;
  const gint32       *identity = NULL;
  IsoluxCountPlan     count = { 0 };
  CudaCall            call;
  gboolean            success, wait;
  gint                c;

  count.luma = plan->luma;
  count.channels = plan->luma ? 1 : pixels->colors;
  count.bins = pixels->type == ISOLUX_PLAN_U8 ? 256 : ISOLUX_BINS;
  count.weights = plan->weights;
  wait = unchanged || ! isolux_cuda_async (source, destination);

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  success = isolux_call_count (&call, pixels, &count, FALSE, error) &&
            make_tables (&call, pixels, plan, &count, error);
  if (success && unchanged)
    {
      identity = isolux_call_get (&call,
                                  ISOLUX_SCRATCH_TABLES +
                                    G_STRUCT_OFFSET (IsoluxTables, identity),
                                  (gsize) count.channels * sizeof (gint32),
                                  error);
      success = identity != NULL;
    }
  /* last, since it may write over the source: what fails before leaves it
   * untouched */
  success = success &&
            isolux_call_apply (&call, pixels, &destination->pixels, plan->luma,
                               &plan->weights, count.bins, error);
  if (success && unchanged)
    {
      success = isolux_call_wait (&call, error);
      if (success)
        for (*unchanged = TRUE, c = 0; c < count.channels; c++)
          *unchanged = *unchanged && identity[c];
    }
  return isolux_call_end (&call, success, wait, error);
}
