/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the engine says about an image of which some rows have come. */
#include "engine-work.h"

#include <math.h>
#include <string.h>

/* An estimate has about so many pixels. */
#define ESTIMATE_PIXELS (1 << 20)

/* ---- Estimates ---------------------------------------------------------- */

static void
estimate_size (IsoluxWorkEstimate *e, const IsoluxRectangle *box)
{
  const gdouble area = (gdouble) box->width * (gdouble) box->height;

  e->width = box->width;
  e->height = box->height;
  if (area <= ESTIMATE_PIXELS)
    return;
  e->width =
    CLAMP ((gint64) ((gdouble) box->width / sqrt (area / ESTIMATE_PIXELS)), 1,
           box->width);
  e->height = CLAMP (ESTIMATE_PIXELS / e->width, 1, box->height);
  e->width = CLAMP (ESTIMATE_PIXELS / e->height, 1, box->width);
}

static gboolean
estimate_alloc (IsoluxWorkEstimate *e, gsize pixel)
{
  const gsize n = (gsize) (e->width * e->height);

  e->stride = (gsize) e->width * pixel;
  e->columns = g_try_new (gint64, (gsize) e->width);
  e->rows = g_try_new (gint64, (gsize) e->height);
  e->there = g_try_malloc0 ((gsize) e->height);
  e->before_pixels = g_try_malloc (n * pixel);
  e->after_pixels = g_try_malloc (n * pixel);
  e->mask = g_try_malloc0 (n);
  return e->columns && e->rows && e->there && e->before_pixels &&
         e->after_pixels && e->mask;
}

IsoluxWorkEstimate *
isolux_work_estimate_new (IsoluxDevice    *cpu,
                          IsoluxWorkImage *image,
                          GError         **error)
{
  const IsoluxRectangle *box = &image->info.box;
  IsoluxWorkEstimate    *e = g_new0 (IsoluxWorkEstimate, 1);
  IsoluxWorkStage       *stage = g_new0 (IsoluxWorkStage, 1);
  gint64                 i;

  e->stage = stage;
  stage->device = isolux_device_ref (cpu);
  stage->source = isolux_work_image_ref (image);
  estimate_size (e, box);
  stage->scale = sqrt ((gdouble) box->width / (gdouble) e->width *
                       (gdouble) box->height / (gdouble) e->height);
  if (! estimate_alloc (e, image->pixel))
    {
      isolux_work_memory_error (error);
      isolux_work_estimate_free (e);
      return NULL;
    }
  for (i = 0; i < e->width; i++)
    e->columns[i] = box->x + isolux_work_sample_place (i, e->width, box->width);
  for (i = 0; i < e->height; i++)
    e->rows[i] = box->y + isolux_work_sample_place (i, e->height, box->height);
  stage->box = isolux_work_wrap (stage, e->before_pixels, e->width, e->height,
                                 image->info.image.bits, error);
  stage->after_box =
    stage->box
      ? isolux_work_wrap (stage, e->after_pixels, e->width, e->height, 0, error)
      : NULL;
  if (! stage->after_box)
    g_clear_pointer (&e, isolux_work_estimate_free);
  return e;
}

void
isolux_work_estimate_free (IsoluxWorkEstimate *e)
{
  if (! e)
    return;
  isolux_work_stage_free (e->stage);
  g_free (e->columns);
  g_free (e->rows);
  g_free (e->there);
  g_free (e->before_pixels);
  g_free (e->after_pixels);
  g_free (e->mask);
  g_free (e);
}

/* The nearest place that is there, for each of n; at least one is. */
static void
find_nearest (const guint8 *there, gint64 n, gint64 *nearest)
{
  gint64 last = -1, i;

  for (i = 0; i < n; i++)
    {
      if (there[i])
        last = i;
      nearest[i] = last;
    }
  last = -1;
  for (i = n - 1; i >= 0; i--)
    {
      if (there[i])
        last = i;
      if (last >= 0 && (nearest[i] < 0 || last - i < i - nearest[i]))
        nearest[i] = last;
    }
}

/* Rows that are missing look like the nearest ones that are not. */
static gboolean
fill_gaps (const IsoluxWorkEstimate *e, guint8 *pixels, GError **error)
{
  gint64 *nearest, j;

  if (e->n_there == e->height)
    return TRUE;
  nearest = g_try_new (gint64, (gsize) e->height);
  if (! nearest)
    return isolux_work_memory_error (error);
  find_nearest (e->there, e->height, nearest);
  for (j = 0; j < e->height; j++)
    if (nearest[j] != j)
      memcpy (pixels + (gsize) j * e->stride,
              pixels + (gsize) nearest[j] * e->stride, e->stride);
  g_free (nearest);
  return TRUE;
}

static void
take_row (IsoluxWorkEstimate *e, gint64 j)
{
  const IsoluxWorkImage *image = e->stage->source;
  guint8                *to = e->before_pixels + (gsize) j * e->stride;
  guint8                *mask = e->mask + (gsize) (j * e->width);
  gint64                 i;

  for (i = 0; i < e->width; i++, to += image->pixel)
    {
      memcpy (to, isolux_work_image_at (image, e->columns[i], e->rows[j]),
              image->pixel);
      mask[i] =
        isolux_work_image_is_selected (image, e->columns[i], e->rows[j]);
    }
  e->there[j] = 1;
  e->n_there++;
}

gboolean
isolux_work_estimate_update (IsoluxWorkEstimate *e,
                             const guint8       *present,
                             GError            **error)
{
  const gint64 before = e->n_there;
  guint64      masked = 0;
  gint64       j;
  gsize        i, n = (gsize) (e->width * e->height);

  for (j = 0; j < e->height; j++)
    if (! e->there[j] && present[e->rows[j]])
      take_row (e, j);
  if (e->n_there == 0)
    return FALSE;
  if (e->n_there == before)
    return TRUE;
  isolux_work_stage_forget (e->stage);
  if (! fill_gaps (e, e->before_pixels, error))
    return FALSE;
  for (i = 0; i < n; i++)
    masked += e->mask[i] != 0;
  return isolux_work_set_regions (e->stage, e->mask, (gsize) e->width, masked,
                                  error);
}

/* What an estimate knows of a pixel of the result. */
static const guint8 *
estimated_pixel (const IsoluxWorkEstimate *e, gint64 x, gint64 y)
{
  const IsoluxRectangle *box = &e->stage->source->info.box;
  const gint64           i = (x - box->x) * e->width / box->width;
  const gint64           j = (y - box->y) * e->height / box->height;

  return e->after_pixels + (gsize) j * e->stride +
         (gsize) i * e->stage->source->pixel;
}

/* The visible part: the original from the nearest rows that have come, the
 * result from the estimate. */
static gboolean
estimate_pixels (IsoluxWorkEstimate       *e,
                 const IsoluxWorkSettings *settings,
                 const guint8             *present,
                 IsoluxEngineResult       *result,
                 GError                  **error)
{
  IsoluxWorkImage *image = e->stage->source;
  const gint64     rows = image->info.image.height;
  const gsize      pixel = image->pixel;
  IsoluxRectangle  part;
  gint64           width, height, i, j, *nearest;
  GBytes          *before, *after;
  guint8          *b, *a;

  if (! isolux_work_view (image, settings, &part, &width, &height))
    return TRUE;
  nearest = g_try_new (gint64, (gsize) rows);
  if (! nearest)
    return isolux_work_memory_error (error);
  before = isolux_work_bytes_new ((gsize) (width * height) * pixel, &b, error);
  after =
    before ? isolux_work_bytes_new ((gsize) (width * height) * pixel, &a, error)
           : NULL;
  if (! after)
    {
      g_clear_pointer (&before, g_bytes_unref);
      g_free (nearest);
      return FALSE;
    }
  find_nearest (present, rows, nearest);
  for (j = 0; j < height; j++)
    {
      const gint64 y = part.y +
                       isolux_work_sample_place (j, height, part.height);

      for (i = 0; i < width; i++, b += pixel, a += pixel)
        {
          const gint64 x = part.x +
                           isolux_work_sample_place (i, width, part.width);

          memcpy (b, isolux_work_image_at (image, x, nearest[y]), pixel);
          memcpy (a,
                  isolux_work_image_is_selected (image, x, y)
                    ? estimated_pixel (e, x, y)
                    : b,
                  pixel);
        }
    }
  g_free (nearest);
  isolux_work_result_set_view (result, &part, width, height);
  isolux_work_result_take_pixels (result, before, after);
  return TRUE;
}

gboolean
isolux_work_estimate_run (IsoluxWorkEstimate       *e,
                          const IsoluxWorkSettings *settings,
                          const guint8             *present,
                          IsoluxEngineResult       *result,
                          GError                  **error)
{
  result->estimated = TRUE;
  return isolux_work_stage_run (e->stage, settings, error) &&
         isolux_work_stage_numbers (e->stage, settings, result, error) &&
         fill_gaps (e, e->after_pixels, error) &&
         estimate_pixels (e, settings, present, result, error);
}
