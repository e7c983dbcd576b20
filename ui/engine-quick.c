/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the engine shows of a large image before the whole is done. */
#include "engine-work.h"

#include <math.h>
#include <string.h>

/* A quick look at the visible part works on about so many pixels. */
#define QUICK_PIXELS 1200000

/* ---- A quick look ------------------------------------------------------- */

/*
 * Some of the visible pixels: a whole number of them for each one shown, where
 * there are as many.  What lies in the box begins at column i0 and row j0.
 */
struct _IsoluxWorkSamples
{
  guint64        view;
  gint64         width, height;
  gint64         i0, i1, j0, j1;
  gint64        *columns, *rows;
  guint8        *before_pixels, *after_pixels, *mask;
  IsoluxSurface *before, *after;
};

void
isolux_work_samples_free (IsoluxWorkSamples *samples)
{
  if (! samples)
    return;
  isolux_surface_unref (samples->before);
  isolux_surface_unref (samples->after);
  g_free (samples->columns);
  g_free (samples->rows);
  g_free (samples->before_pixels);
  g_free (samples->after_pixels);
  g_free (samples->mask);
  g_free (samples);
}

/* The samples first .. *end - 1 of places lie in begin .. begin + size - 1. */
static gint64
inside (const gint64 *places, gint64 n, gint64 begin, gint64 size, gint64 *end)
{
  gint64 first = 0;

  while (first < n && places[first] < begin)
    first++;
  *end = first;
  while (*end < n && places[*end] < begin + size)
    (*end)++;
  return first;
}

static gboolean
samples_alloc (IsoluxWorkSamples *s, const IsoluxWorkImage *image)
{
  const gsize n = (gsize) (s->width * s->height);

  s->columns = g_try_new (gint64, (gsize) s->width);
  s->rows = g_try_new (gint64, (gsize) s->height);
  s->before_pixels = g_try_malloc (n * image->pixel);
  s->after_pixels = g_try_malloc (n * image->pixel);
  s->mask = g_try_malloc (n);
  return s->columns && s->rows && s->before_pixels && s->after_pixels &&
         s->mask;
}

static void
samples_fill (IsoluxWorkSamples *s, const IsoluxWorkImage *image)
{
  const gsize pixel = image->pixel;
  guint8     *to = s->before_pixels, *mask = s->mask;
  gint64      i, j;

  for (j = 0; j < s->height; j++)
    for (i = 0; i < s->width; i++, to += pixel)
      {
        memcpy (to, isolux_work_image_at (image, s->columns[i], s->rows[j]),
                pixel);
        *mask++ =
          isolux_work_image_is_selected (image, s->columns[i], s->rows[j]);
      }
}

static gboolean
samples_make (IsoluxWorkStage       *stage,
              const IsoluxRectangle *part,
              gint64                 width,
              gint64                 height,
              guint64                view,
              GError               **error)
{
  const IsoluxEngineImage *info = &stage->source->info;
  IsoluxWorkSamples       *s;
  const gint64             each = MAX (1, QUICK_PIXELS / (width * height));
  const gint64             down = MAX (1, (gint64) sqrt ((gdouble) each));
  gint64                   i;

  if (stage->samples && stage->samples->view == view)
    return TRUE;
  g_clear_pointer (&stage->samples, isolux_work_samples_free);
  stage->samples = s = g_new0 (IsoluxWorkSamples, 1);
  s->view = view;
  s->width = MIN (part->width, width * (each / down));
  s->height = MIN (part->height, height * down);
  if (! samples_alloc (s, stage->source))
    return isolux_work_memory_error (error);
  for (i = 0; i < s->width; i++)
    s->columns[i] = part->x +
                    isolux_work_sample_place (i, s->width, part->width);
  for (i = 0; i < s->height; i++)
    s->rows[i] = part->y +
                 isolux_work_sample_place (i, s->height, part->height);
  s->i0 = inside (s->columns, s->width, info->box.x, info->box.width, &s->i1);
  s->j0 = inside (s->rows, s->height, info->box.y, info->box.height, &s->j1);
  samples_fill (s, stage->source);
  s->before = isolux_work_wrap (stage, s->before_pixels, s->width, s->height,
                                info->image.bits, error);
  s->after = s->before ? isolux_work_wrap (stage, s->after_pixels, s->width,
                                           s->height, 0, error)
                       : NULL;
  return s->after &&
         isolux_surface_set_region (s->before, NULL, s->mask, (gsize) s->width,
                                    error) &&
         (! info->has_padding ||
          isolux_surface_leave_out (s->before, info->padding, info->tolerance,
                                    error));
}

static gboolean
quick_equalize (IsoluxWorkStage             *stage,
                const IsoluxEqualizeOptions *options,
                GError                     **error)
{
  const IsoluxHistogram *levels =
    isolux_work_levels (stage,
                        isolux_work_is_color (stage) &&
                            options->channels == ISOLUX_EQUALIZE_EACH
                          ? ISOLUX_CHANNEL_EACH
                          : ISOLUX_CHANNEL_LUMA,
                        options->weights, error);
  IsoluxLut *lut = levels ? isolux_lut_new_equalize (levels, options, error)
                          : NULL;
  gboolean   success;

  success = lut &&
            isolux_lut_apply (stage->samples->before, stage->samples->after,
                              lut, options->weights, NULL, error);
  isolux_lut_free (lut);
  return success;
}

static gboolean
quick_window (IsoluxWorkStage           *stage,
              const IsoluxWindowOptions *options,
              GError                   **error)
{
  gdouble measuring = 0.0;

  return isolux_work_find_range (stage, options, &measuring, error) &&
         isolux_window_apply (stage->samples->before, stage->samples->after,
                              options, stage->low, stage->high, NULL, error);
}

static gboolean
quick_clahe (IsoluxWorkStage          *stage,
             const IsoluxClaheOptions *options,
             GError                  **error)
{
  const IsoluxRectangle *box = &stage->source->info.box;
  IsoluxWorkSamples     *s = stage->samples;
  const IsoluxRectangle within = { s->i0, s->j0, s->i1 - s->i0, s->j1 - s->j0 };
  IsoluxClaheMaps      *maps = NULL;
  IsoluxSurface        *part = NULL;
  gint64               *columns, *rows, i;
  gboolean              success = FALSE;

  memcpy (s->after_pixels, s->before_pixels,
          (gsize) (s->width * s->height) * stage->source->pixel);
  if (within.width == 0 || within.height == 0)
    return TRUE;
  columns = g_try_new (gint64, (gsize) within.width);
  rows = g_try_new (gint64, (gsize) within.height);
  if (columns && rows)
    {
      for (i = 0; i < within.width; i++)
        columns[i] = s->columns[s->i0 + i] - box->x;
      for (i = 0; i < within.height; i++)
        rows[i] = s->rows[s->j0 + i] - box->y;
      maps = isolux_clahe_maps_new (stage->box, options, NULL, error);
      part = maps ? isolux_surface_new_part (s->after, &within, error) : NULL;
      success = part && isolux_clahe_maps_sample (maps, stage->box, columns,
                                                  rows, part, NULL, error);
    }
  else
    isolux_work_memory_error (error);
  isolux_surface_unref (part);
  isolux_clahe_maps_free (maps);
  g_free (columns);
  g_free (rows);
  return success;
}

static gboolean
quick_gray (IsoluxWorkStage         *stage,
            const IsoluxGrayOptions *options,
            GError                 **error)
{
  IsoluxWorkSamples *s = stage->samples;
  const gsize        pixel = stage->source->pixel;
  const gsize        n = (gsize) (s->width * s->height);
  gsize              i;

  if (! isolux_grayscale (s->before, s->after, options, NULL, error))
    return FALSE;
  for (i = 0; i < n; i++)
    if (! s->mask[i])
      memcpy (s->after_pixels + i * pixel, s->before_pixels + i * pixel, pixel);
  return TRUE;
}

gboolean
isolux_work_is_quick (const IsoluxWorkStage    *stage,
                      const IsoluxWorkSettings *settings)
{
  const IsoluxOperation *operation = &settings->operation;
  IsoluxRectangle        part;
  gint64                 width, height;

  if (! isolux_work_view (stage->source, settings, &part, &width, &height))
    return FALSE;
  switch (operation->kind)
    {
      case ISOLUX_OPERATION_GRAYSCALE:
      case ISOLUX_OPERATION_CLAHE:
      case ISOLUX_OPERATION_WINDOW:
        return TRUE;
      case ISOLUX_OPERATION_EQUALIZE:
        /* floats of several components have a range each, a table has one */
        return ! isolux_work_is_color (stage) ||
               stage->source->info.image.type != ISOLUX_TYPE_F32 ||
               operation->options.equalize.channels == ISOLUX_EQUALIZE_LUMA;
      default:
        return FALSE;
    }
}

gboolean
isolux_work_quick (IsoluxWorkStage          *stage,
                   const IsoluxWorkSettings *settings,
                   IsoluxEngineResult       *result,
                   GError                  **error)
{
  const IsoluxOperation *operation = &settings->operation;
  IsoluxRectangle        part;
  gint64                 width, height;
  GBytes                *before, *after;
  gboolean               success;

  if (! isolux_work_view (stage->source, settings, &part, &width, &height))
    return TRUE;
  if (! samples_make (stage, &part, width, height, settings->view_serial,
                      error))
    {
      g_clear_pointer (&stage->samples, isolux_work_samples_free);
      return FALSE;
    }
  switch (operation->kind)
    {
      case ISOLUX_OPERATION_EQUALIZE:
        success = quick_equalize (stage, &operation->options.equalize, error);
        break;
      case ISOLUX_OPERATION_WINDOW:
        success = quick_window (stage, &operation->options.window, error);
        break;
      case ISOLUX_OPERATION_CLAHE:
        success = quick_clahe (stage, &operation->options.clahe, error);
        break;
      default:
        success = quick_gray (stage, &operation->options.grayscale, error);
        break;
    }
  if (! success)
    return FALSE;
  before =
    isolux_work_before_pixels (stage, settings, &part, width, height, error);
  if (! before)
    return FALSE;
  after = isolux_work_reduce (stage, stage->samples->after, NULL, width, height,
                              error);
  if (! after)
    {
      g_bytes_unref (before);
      return FALSE;
    }
  isolux_work_result_set_view (result, &part, width, height);
  isolux_work_result_take_pixels (result, before, after);
  return TRUE;
}
