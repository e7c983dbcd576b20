/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of metrics.cu. */
#include "driver.h"

#define WARPS (ISOLUX_METRICS_THREADS / 32)

G_STATIC_ASSERT (ISOLUX_METRICS_STRIPS *ISOLUX_METRICS_SUMS *
                   sizeof (gdouble) <=
                 ISOLUX_SCRATCH_TABLES - ISOLUX_SCRATCH_WORK);

static CudaKernel
kernel_of (gint type, gint pass)
{
  if (pass == ISOLUX_METRICS_SIMILARITY)
    return type == ISOLUX_PLAN_U8    ? KERNEL_isolux_similarity_u8
           : type == ISOLUX_PLAN_U16 ? KERNEL_isolux_similarity_u16
                                     : KERNEL_isolux_similarity_f32;
  return type == ISOLUX_PLAN_U8    ? KERNEL_isolux_metrics_u8
         : type == ISOLUX_PLAN_U16 ? KERNEL_isolux_metrics_u16
                                   : KERNEL_isolux_metrics_f32;
}

gboolean
isolux_cuda_metrics (IsoluxSurface           *first,
                     IsoluxSurface           *second,
                     const IsoluxMetricsPlan *plan,
                     gdouble                 *partial,
                     GError                 **error)
{
  const gsize bytes = (gsize) plan->strips * ISOLUX_METRICS_SUMS *
                      sizeof (gdouble);
  IsoluxMetricsArguments a = { 0 };
  gconstpointer          back = NULL;
  CudaCall               call;
  gboolean               success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (first->device),
                           isolux_cuda_stream (first, second), error))
    return FALSE;
  a.first = first->pixels;
  a.second = second->pixels;
  a.plan = *plan;
  a.partial = (gdouble *) (call.lane->scratch + ISOLUX_SCRATCH_WORK);
  success = isolux_call_launch (&call, kernel_of (a.first.type, plan->pass),
                                (guint) ((plan->strips + WARPS - 1) / WARPS),
                                ISOLUX_METRICS_THREADS, 0, &a, error);
  if (success)
    {
      back = isolux_call_get (&call, (CudaAddress) a.partial, bytes, error);
      success = back && isolux_call_wait (&call, error);
    }
  if (success)
    memcpy (partial, back, bytes);
  return isolux_call_end (&call, success, TRUE, error);
}
