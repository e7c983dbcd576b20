/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of grayscale.cu. */
#include "driver.h"
#include "../core/gray-rules.h"

/* Puts the tables of linear light, where there are any, on the device. */
static gboolean
put_tables (CudaCall *call, IsoluxGrayPlan *plan, GError **error)
{
  const CudaAddress scratch = call->lane->scratch;
  const gsize       maximum = (gsize) plan->maximum;

  if (! plan->decode || ! plan->thresholds)
    return TRUE;
  if (! isolux_call_put (call, ISOLUX_SCRATCH_DECODE, plan->decode,
                         3 * (maximum + 1) * sizeof (gfloat), error) ||
      ! isolux_call_put (call, ISOLUX_SCRATCH_THRESHOLDS, plan->thresholds,
                         maximum * sizeof (gdouble), error))
    return FALSE;
  plan->decode = (const gfloat *) (scratch + ISOLUX_SCRATCH_DECODE);
  plan->thresholds = (const gdouble *) (scratch + ISOLUX_SCRATCH_THRESHOLDS);
  return TRUE;
}

/* Pixels of a vector of 16 bytes of the result. */
static gint64
vector_pixels (const IsoluxPixels *gray)
{
  return ISOLUX_VECTOR_BYTES / (gint64) isolux_pixel_size (gray);
}

static gboolean
lies_in_vectors (const IsoluxPixels *p)
{
  return (gsize) p->data % ISOLUX_VECTOR_BYTES == 0 &&
         (p->height == 1 || p->stride % ISOLUX_VECTOR_BYTES == 0);
}

/* Whether weights make gray of codes of red, green and blue that lie in
 * vectors; not in place, since each thread takes three times what it writes. */
static gboolean
is_luma_of_vectors (const IsoluxGrayArguments *a)
{
  return a->source.type != ISOLUX_PLAN_F32 && a->source.components == 3 &&
         a->destination.components == 1 &&
         (a->plan.method < ISOLUX_PLAN_LUMINANCE ||
          a->plan.method > ISOLUX_PLAN_MAXIMUM) &&
         a->source.data != a->destination.data &&
         lies_in_vectors (&a->source) && lies_in_vectors (&a->destination) &&
         a->source.width >= vector_pixels (&a->destination);
}

/* The columns from x on alone. */
static void
skip_columns (IsoluxPixels *p, gint64 x)
{
  p->data = (guint8 *) p->data + (gsize) x * isolux_pixel_size (p);
  p->width -= x;
}

/* What fills whole vectors; leaves the rest of the rows to be done. */
static gboolean
convert_vectors (CudaCall *call, IsoluxGrayArguments *a, GError **error)
{
  const gint64 each = vector_pixels (&a->destination);
  const gint64 vectors = a->source.width / each;

  isolux_tiles_set (&a->tiles, vectors, a->source.height, ISOLUX_GRAY_THREADS);
  if (a->tiles.total > G_MAXINT32)
    return TRUE;
  if (! isolux_call_launch (call,
                            a->source.type == ISOLUX_PLAN_U8
                              ? KERNEL_isolux_luma_vectors_u8
                              : KERNEL_isolux_luma_vectors_u16,
                            (guint) a->tiles.total, ISOLUX_GRAY_THREADS, 0, a,
                            error))
    return FALSE;
  skip_columns (&a->source, vectors * each);
  skip_columns (&a->destination, vectors * each);
  return TRUE;
}

gboolean
isolux_cuda_grayscale (IsoluxSurface        *source,
                       IsoluxSurface        *destination,
                       const IsoluxGrayPlan *plan,
                       GError              **error)
{
  const gint          type = source->pixels.type;
  IsoluxGrayArguments a = { 0 };
  CudaCall            call;
  gboolean            success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  a.source = source->pixels;
  a.destination = destination->pixels;
  a.plan = *plan;
  if (isolux_pixels_tight (&a.source) && isolux_pixels_tight (&a.destination))
    {
      isolux_pixels_flatten (&a.source);
      isolux_pixels_flatten (&a.destination);
    }
  success = put_tables (&call, &a.plan, error) &&
            (! is_luma_of_vectors (&a) || convert_vectors (&call, &a, error));
  isolux_tiles_set (&a.tiles, a.source.width, a.source.height,
                    ISOLUX_GRAY_THREADS);
  if (success && a.source.width > 0)
    success = isolux_call_launch (&call,
                                  type == ISOLUX_PLAN_U8
                                    ? KERNEL_isolux_grayscale_u8
                                  : type == ISOLUX_PLAN_U16
                                    ? KERNEL_isolux_grayscale_u16
                                    : KERNEL_isolux_grayscale_f32,
                                  isolux_tiles_grid (&a.tiles, call.cuda),
                                  ISOLUX_GRAY_THREADS, 0, &a, error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}
