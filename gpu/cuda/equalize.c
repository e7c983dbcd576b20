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
             gint                      channels,
             gint                      codes,
             gboolean                  mail,
             GError                  **error)
{
  const CudaAddress    scratch = call->lane->scratch;
  IsoluxTableArguments a = { 0 };
  guint                segments;

  a.type = pixels->type;
  a.channels = channels;
  a.codes = codes;
  a.bits = pixels->bits;
  a.clip_limit = plan->clip_limit;
  a.skip_threshold = plan->skip_threshold;
  a.counts = (guint64 *) call->counts;
  a.entries = (gpointer) (scratch + ISOLUX_SCRATCH_ENTRIES);
  a.tables = (IsoluxTables *) (scratch + ISOLUX_SCRATCH_TABLES);
  a.state = (IsoluxState *) (scratch + ISOLUX_SCRATCH_STATE);
  a.zeros = (IsoluxZeros *) call->zeros;
  a.mail = mail ? call->lane->mail : NULL;
  segments = ((guint) a.codes + ISOLUX_ENTRIES_THREADS - 1) /
             ISOLUX_ENTRIES_THREADS;
  return isolux_call_launch (call, KERNEL_isolux_equalize_terms,
                             (guint) a.channels, ISOLUX_TERMS_THREADS, 0, &a,
                             error) &&
         isolux_call_launch (call, KERNEL_isolux_equalize_entries,
                             (guint) a.channels * segments,
                             ISOLUX_ENTRIES_THREADS, 0, &a, error);
}

/* Gray of 8 bits: two kernels, the second of which makes the table. */
static gboolean
equalize_gray_u8 (CudaCall                 *call,
                  const IsoluxPixels       *source,
                  const IsoluxPixels       *destination,
                  const IsoluxEqualizePlan *plan,
                  gboolean                  mail,
                  GError                  **error)
{
  IsoluxGrayApplyArguments a = { 0 };
  const gboolean           plain = ! (plan->clip_limit > 0.0) &&
                         ! (plan->skip_threshold > 0.0) &&
                         source->width <= G_MAXUINT32 / source->height;

  a.counts = (guint64 *) call->counts;
  a.clip_limit = plan->clip_limit;
  a.skip_threshold = plan->skip_threshold;
  a.mail = mail ? call->lane->mail : NULL;
  return isolux_call_apply_gray (call,
                                 plain ? KERNEL_isolux_equalize_gray_u8
                                       : KERNEL_isolux_equalize_gray_any_u8,
                                 source, destination, &a, error);
}

gboolean
isolux_call_equalize (CudaCall                 *call,
                      const IsoluxPixels       *source,
                      const IsoluxPixels       *destination,
                      const IsoluxEqualizePlan *plan,
                      gboolean                  mail,
                      GError                  **error)
{
  const gboolean  gray = isolux_pixels_gray (source);
  IsoluxCountPlan count = { 0 };
  CudaCounting    counting = { 0 };

  count.luma = plan->luma;
  count.channels = plan->luma ? 1 : source->colors;
  count.bins = source->type == ISOLUX_PLAN_U8 ? 256 : ISOLUX_BINS;
  count.weights = plan->weights;
  counting.table = gray && source->type != ISOLUX_PLAN_U8 &&
                   ! (plan->clip_limit > 0.0) && ! (plan->skip_threshold > 0.0);
  counting.mail = counting.table && mail;
  if (! isolux_call_count (call, source, &count, &counting, error))
    return FALSE;
  if (gray && source->type == ISOLUX_PLAN_U8 &&
      isolux_pixels_alike (source, destination))
    return equalize_gray_u8 (call, source, destination, plan, mail, error);
  if (! counting.made && ! make_tables (call, source, plan, count.channels,
                                        counting.bins, mail, error))
    return FALSE;
  return isolux_call_apply (call, source, destination, plan->luma,
                            &plan->weights, count.bins, counting.made, error);
}

gboolean
isolux_cuda_equalize (IsoluxSurface            *source,
                      IsoluxSurface            *destination,
                      const IsoluxEqualizePlan *plan,
                      gboolean                 *unchanged,
                      GError                  **error)
{
  const gint channels = plan->luma ? 1 : source->pixels.colors;
  CudaCall   call;
  gboolean   success, wait;
  gint       c;

  wait = unchanged || ! isolux_cuda_async (source, destination);
  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  success = isolux_call_equalize (&call, &source->pixels, &destination->pixels,
                                  plan, unchanged != NULL, error);
  if (success && unchanged)
    {
      success = isolux_call_wait (&call, error);
      if (success)
        for (*unchanged = TRUE, c = 0; c < channels; c++)
          *unchanged = *unchanged && call.lane->mail[c];
    }
  return isolux_call_end (&call, success, wait, error);
}
