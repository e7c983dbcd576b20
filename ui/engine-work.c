/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine's image, its stages and the pixels of its results. */
#include "engine-work.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* ---- The image ---------------------------------------------------------- */

gboolean
isolux_work_memory_error (GError **error)
{
  g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                       _("There is not enough memory."));
  return FALSE;
}

static void
image_memory_error (const IsoluxImage *image, gsize pixel, GError **error)
{
  gchar *size = g_format_size ((guint64) image->width *
                               (guint64) image->height * pixel * 2);

  g_set_error (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
               _("There is not enough memory: the layer needs %s. Close other "
                 "images, or work on a selection of a smaller layer."),
               size);
  g_free (size);
}

static gboolean
image_check (const IsoluxEngineImage *info, GError **error)
{
  const IsoluxImage     *image = &info->image;
  const IsoluxRectangle *box = &info->box;

  if (image->width > 0 && image->height > 0 && image->components >= 1 &&
      image->components <= 4 && box->x >= 0 && box->y >= 0 && box->width > 0 &&
      box->height > 0 && box->x <= image->width - box->width &&
      box->y <= image->height - box->height)
    return TRUE;
  g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT,
                       _("The selection does not lie inside the image."));
  return FALSE;
}

static gboolean
image_take_mask (IsoluxWorkImage *image, const guint8 *mask)
{
  const gsize n = (gsize) image->info.box.width *
                  (gsize) image->info.box.height;
  guint8 *copy;
  gsize   i;

  image->selected = n;
  if (! mask)
    return TRUE;
  copy = g_try_malloc (n);
  image->info.mask = copy;
  if (! copy)
    return FALSE;
  memcpy (copy, mask, n);
  image->selected = 0;
  for (i = 0; i < n; i++)
    image->selected += copy[i] != 0;
  return TRUE;
}

IsoluxWorkImage *
isolux_work_image_new (IsoluxDevice            *cpu,
                       const IsoluxEngineImage *info,
                       GError                 **error)
{
  const IsoluxImage *image = &info->image;
  IsoluxWorkImage   *self;
  IsoluxView         view;
  gsize              size;
  gboolean           fits;

  if (! image_check (info, error))
    return NULL;
  self = g_new0 (IsoluxWorkImage, 1);
  self->references = 1;
  self->info = *info;
  self->info.mask = NULL;
  self->pixel = (gsize) image->components * isolux_work_type_size (image->type);
  self->stride = ((gsize) image->width * self->pixel + 15) & ~(gsize) 15;
  fits = g_size_checked_mul (&size, self->stride, (gsize) image->height);
  self->pixels = fits ? g_try_malloc (size) : NULL;
  self->present = g_try_malloc0 ((gsize) image->height);
  if (! self->pixels || ! self->present || ! image_take_mask (self, info->mask))
    {
      image_memory_error (image, self->pixel, error);
      isolux_work_image_unref (self);
      return NULL;
    }
  view.data = self->pixels;
  view.stride = self->stride;
  self->surface = isolux_surface_wrap (cpu, image, &view, NULL, error);
  if (! self->surface)
    g_clear_pointer (&self, isolux_work_image_unref);
  return self;
}

IsoluxWorkImage *
isolux_work_image_ref (IsoluxWorkImage *image)
{
  g_atomic_int_inc (&image->references);
  return image;
}

void
isolux_work_image_unref (IsoluxWorkImage *image)
{
  if (! image || ! g_atomic_int_dec_and_test (&image->references))
    return;
  isolux_surface_unref (image->surface);
  g_free (image->pixels);
  g_free (image->present);
  g_free ((gpointer) image->info.mask);
  g_free (image);
}

gpointer
isolux_work_image_at (const IsoluxWorkImage *image, gint64 x, gint64 y)
{
  return image->pixels + (gsize) y * image->stride + (gsize) x * image->pixel;
}

gboolean
isolux_work_image_is_selected (const IsoluxWorkImage *image, gint64 x, gint64 y)
{
  const IsoluxRectangle *box = &image->info.box;

  x -= box->x;
  y -= box->y;
  return x >= 0 && x < box->width && y >= 0 && y < box->height &&
         (! image->info.mask ||
          image->info.mask[(gsize) y * (gsize) box->width + (gsize) x]);
}

IsoluxEngineChannel
isolux_work_image_channel (const IsoluxWorkImage *image,
                           IsoluxEngineChannel    channel)
{
  const gint components = image->info.image.components;

  if (channel == ISOLUX_ENGINE_ALPHA)
    return components % 2 ? ISOLUX_ENGINE_VALUE : channel;
  return components < 3 ? ISOLUX_ENGINE_VALUE : channel;
}

/* ---- Settings ----------------------------------------------------------- */

void
isolux_work_settings_copy (IsoluxWorkSettings       *to,
                           const IsoluxWorkSettings *from)
{
  *to = *from;
  if (to->decode)
    g_bytes_ref (to->decode);
}

void
isolux_work_settings_clear (IsoluxWorkSettings *settings)
{
  g_clear_pointer (&settings->decode, g_bytes_unref);
}

gboolean
isolux_work_view (const IsoluxWorkImage    *image,
                  const IsoluxWorkSettings *settings,
                  IsoluxRectangle          *part,
                  gint64                   *width,
                  gint64                   *height)
{
  const IsoluxRectangle *wanted = &settings->part;
  const gint64           right = wanted->x + wanted->width;
  const gint64           bottom = wanted->y + wanted->height;

  part->x = CLAMP (wanted->x, 0, image->info.image.width);
  part->y = CLAMP (wanted->y, 0, image->info.image.height);
  part->width = CLAMP (right, part->x, image->info.image.width) - part->x;
  part->height = CLAMP (bottom, part->y, image->info.image.height) - part->y;
  *width = MIN ((gint64) settings->width, part->width);
  *height = MIN ((gint64) settings->height, part->height);
  return *width > 0 && *height > 0;
}

/* ---- Results ------------------------------------------------------------ */

IsoluxWorkSide *
isolux_work_side_ref (IsoluxWorkSide *side)
{
  g_atomic_int_inc (&side->references);
  return side;
}

void
isolux_work_side_unref (IsoluxWorkSide *side)
{
  if (! side || ! g_atomic_int_dec_and_test (&side->references))
    return;
  isolux_histogram_free (side->side.histogram);
  isolux_histogram_free (side->side.luma);
  g_free (side);
}

/* Places in IsoluxEngineResult.shared */
enum
{
  SHARED_BEFORE,
  SHARED_AFTER,
  SHARED_BEFORE_PIXELS,
  SHARED_AFTER_PIXELS
};

IsoluxEngineResult *
isolux_work_result_new (const IsoluxWorkSettings *settings,
                        const IsoluxWorkImage    *image)
{
  IsoluxEngineResult *result = g_new0 (IsoluxEngineResult, 1);

  result->references = 1;
  result->serial = settings->serial;
  result->generation = image->generation;
  result->image = image->info.image;
  result->image.width = result->image.height = 0;
  result->read = 1.0;
  result->curve_tile_x = result->curve_tile_y = -1;
  return result;
}

IsoluxEngineResult *
isolux_engine_result_ref (IsoluxEngineResult *result)
{
  g_atomic_int_inc (&result->references);
  return result;
}

void
isolux_engine_result_unref (IsoluxEngineResult *result)
{
  if (! result || ! g_atomic_int_dec_and_test (&result->references))
    return;
  isolux_work_side_unref (result->shared[SHARED_BEFORE]);
  isolux_work_side_unref (result->shared[SHARED_AFTER]);
  if (result->shared[SHARED_BEFORE_PIXELS])
    g_bytes_unref (result->shared[SHARED_BEFORE_PIXELS]);
  if (result->shared[SHARED_AFTER_PIXELS])
    g_bytes_unref (result->shared[SHARED_AFTER_PIXELS]);
  g_free (result->curve_x);
  g_free (result->curve_y);
  g_free (result->curve_low);
  g_free (result->curve_high);
  g_free (result->orientation_shares);
  g_free (result->cell_shares);
  g_clear_error (&result->error);
  g_free (result);
}

void
isolux_work_result_take_before (IsoluxEngineResult *result,
                                IsoluxWorkSide     *side)
{
  result->shared[SHARED_BEFORE] = side;
  result->before = side->side;
}

void
isolux_work_result_take_after (IsoluxEngineResult *result, IsoluxWorkSide *side)
{
  result->shared[SHARED_AFTER] = side;
  result->after = side->side;
}

void
isolux_work_result_take_pixels (IsoluxEngineResult *result,
                                GBytes             *before,
                                GBytes             *after)
{
  result->shared[SHARED_BEFORE_PIXELS] = before;
  result->shared[SHARED_AFTER_PIXELS] = after;
  result->before_pixels = (guint8 *) g_bytes_get_data (before, NULL);
  result->after_pixels = (guint8 *) g_bytes_get_data (after, NULL);
}

void
isolux_work_result_set_view (IsoluxEngineResult    *result,
                             const IsoluxRectangle *part,
                             gint64                 width,
                             gint64                 height)
{
  result->part = *part;
  result->image.width = width;
  result->image.height = height;
}

/* ---- Stages ------------------------------------------------------------- */

void
isolux_work_stage_note (IsoluxWorkStage *stage, const IsoluxReport *report)
{
  if (report->warning[0] && ! stage->warning[0])
    g_strlcpy (stage->warning, report->warning, sizeof stage->warning);
}

static void
forget_after (IsoluxWorkStage *stage)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (stage->after_sides); i++)
    g_clear_pointer (&stage->after_sides[i], isolux_work_side_unref);
  stage->after_serial = 0;
  g_clear_pointer (&stage->maps, isolux_clahe_maps_free);
  g_clear_pointer (&stage->cells, g_free);
}

void
isolux_work_stage_forget (IsoluxWorkStage *stage)
{
  gsize i;

  forget_after (stage);
  for (i = 0; i < G_N_ELEMENTS (stage->before); i++)
    g_clear_pointer (&stage->before[i], isolux_work_side_unref);
  g_clear_pointer (&stage->levels, isolux_histogram_free);
  g_clear_pointer (&stage->before_pixels, g_bytes_unref);
  g_clear_pointer (&stage->samples, isolux_work_samples_free);
  stage->has_range = FALSE;
}

void
isolux_work_stage_free (IsoluxWorkStage *stage)
{
  if (! stage)
    return;
  isolux_work_stage_forget (stage);
  isolux_surface_unref (stage->box);
  isolux_surface_unref (stage->after_box);
  isolux_surface_unref (stage->image);
  isolux_surface_unref (stage->after);
  isolux_device_unref (stage->device);
  isolux_work_image_unref (stage->source);
  g_free (stage);
}

/* Copies all pixels into a surface. */
static gboolean
upload (const IsoluxWorkImage *image, IsoluxSurface *surface, GError **error)
{
  const IsoluxView view = { image->pixels, image->stride };

  return isolux_surface_upload (surface, &view, NULL, error);
}

/* A surface in memory without gaps. */
IsoluxSurface *
isolux_work_wrap (IsoluxWorkStage *stage,
                  gpointer         pixels,
                  gint64           width,
                  gint64           height,
                  gint             bits,
                  GError         **error)
{
  IsoluxImage      image = stage->source->info.image;
  const IsoluxView view = { pixels, (gsize) width * stage->source->pixel };

  image.width = width;
  image.height = height;
  image.bits = bits;
  return isolux_surface_wrap (stage->device, &image, &view, NULL, error);
}

/* Both sides have the selection, without the padding; masked: how many pixels
 * are selected. */
gboolean
isolux_work_set_regions (IsoluxWorkStage *stage,
                         const guint8    *mask,
                         gsize            stride,
                         guint64          masked,
                         GError         **error)
{
  const IsoluxEngineImage *info = &stage->source->info;
  guint64                  all = 0, rest = 0;

  if (! isolux_surface_set_region (stage->after_box, NULL, NULL, 0, error) ||
      ! isolux_surface_set_region (stage->box, NULL, mask, stride, error))
    return FALSE;
  if (info->has_padding &&
      (! isolux_work_stage_numbers_of (stage, &all, error) ||
       ! isolux_surface_leave_out (stage->box, info->padding, info->tolerance,
                                   error) ||
       ! isolux_work_stage_numbers_of (stage, &rest, error)))
    return FALSE;
  return isolux_surface_share_region (stage->after_box, stage->box, error) &&
         isolux_work_stage_count (stage, masked - (all - rest), error);
}

static gboolean
stage_fill (IsoluxWorkStage *stage, GError **error)
{
  IsoluxWorkImage       *source = stage->source;
  const IsoluxImage     *image = &source->info.image;
  const IsoluxRectangle *box = &source->info.box;
  const gboolean         whole = box->width == image->width &&
                         box->height == image->height;
  IsoluxImage after = *image;

  if (stage->image != source->surface && ! upload (source, stage->image, error))
    return FALSE;
  /* results use the whole range */
  after.bits = 0;
  stage->after = isolux_surface_new (stage->device, &after, error);
  if (! stage->after)
    return FALSE;
  /* what lies beside the box stays */
  if (! whole && ! upload (source, stage->after, error))
    return FALSE;
  stage->box = isolux_surface_new_part (stage->image, box, error);
  if (! stage->box)
    return FALSE;
  stage->after_box = isolux_surface_new_part (stage->after, box, error);
  return stage->after_box &&
         isolux_work_set_regions (stage, source->info.mask, (gsize) box->width,
                                  source->selected, error);
}

IsoluxWorkStage *
isolux_work_stage_new (IsoluxDevice    *device,
                       IsoluxWorkImage *image,
                       GError         **error)
{
  IsoluxWorkStage *stage = g_new0 (IsoluxWorkStage, 1);
  IsoluxDeviceInfo info;

  isolux_device_get_info (device, &info);
  stage->device = isolux_device_ref (device);
  stage->source = isolux_work_image_ref (image);
  stage->scale = 1.0;
  stage->image = info.cuda_ready
                   ? isolux_surface_new (device, &image->info.image, error)
                   : isolux_surface_ref (image->surface);
  if (! stage->image || ! stage_fill (stage, error))
    g_clear_pointer (&stage, isolux_work_stage_free);
  return stage;
}

/* Lengths in pixels, for a stage of fewer of them. */
static gint
shorter (gint length, gdouble scale, gint least)
{
  return MAX (least, (gint) rint (length / scale));
}

static void
scale_operation (IsoluxOperation *operation, gdouble scale)
{
  IsoluxClaheOptions       *clahe = &operation->options.clahe;
  IsoluxContrastMapOptions *map = &operation->options.contrast_map;
  IsoluxHogOptions         *hog = &operation->options.hog;

  if (operation->kind == ISOLUX_OPERATION_LBP)
    operation->options.lbp.raw = FALSE;
  else if (operation->kind == ISOLUX_OPERATION_HOG)
    hog->raw = FALSE;
  if (! (scale > 1.0))
    return;
  if (operation->kind == ISOLUX_OPERATION_CLAHE && clahe->tile_size > 0)
    clahe->tile_size = shorter (clahe->tile_size, scale, 1);
  else if (operation->kind == ISOLUX_OPERATION_CONTRAST_MAP &&
           map->tile_size > 0)
    map->tile_size = shorter (map->tile_size, scale, 2);
  else if (operation->kind == ISOLUX_OPERATION_HOG && hog->cell_size > 0)
    hog->cell_size = shorter (hog->cell_size, scale, 1);
}

/* ---- The operation ------------------------------------------------------ */

const IsoluxHistogram *
isolux_work_levels (IsoluxWorkStage *stage,
                    IsoluxChannel    channel,
                    const gdouble   *weights,
                    GError         **error)
{
  IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxReport           report;

  if (stage->levels && stage->levels_channel == channel &&
      ! memcmp (stage->levels_weights, weights, sizeof stage->levels_weights))
    return stage->levels;
  g_clear_pointer (&stage->levels, isolux_histogram_free);
  options.channel = channel;
  memcpy (options.weights, weights, sizeof options.weights);
  stage->levels = isolux_histogram (stage->box, &options, &report, error);
  if (! stage->levels)
    return NULL;
  isolux_work_stage_note (stage, &report);
  stage->levels_channel = channel;
  memcpy (stage->levels_weights, weights, sizeof stage->levels_weights);
  return stage->levels;
}

/* The window's range; gamma and what is inverted do not matter to it. */
gboolean
isolux_work_find_range (IsoluxWorkStage           *stage,
                        const IsoluxWindowOptions *options,
                        gdouble                   *milliseconds,
                        GError                   **error)
{
  const IsoluxWindowOptions *known = &stage->range_options;
  IsoluxReport               report;

  if (stage->has_range && known->mode == options->mode &&
      known->center == options->center && known->width == options->width &&
      known->low_percentile == options->low_percentile &&
      known->high_percentile == options->high_percentile &&
      known->channels == options->channels &&
      ! memcmp (known->weights, options->weights, sizeof known->weights))
    return TRUE;
  stage->has_range = isolux_window_measure (stage->box, options, stage->low,
                                            stage->high, &report, error);
  if (! stage->has_range)
    return FALSE;
  stage->range_options = *options;
  isolux_work_stage_note (stage, &report);
  *milliseconds += report.compute_ms;
  return TRUE;
}

static gboolean
run_window (IsoluxWorkStage           *stage,
            const IsoluxWindowOptions *options,
            GError                   **error)
{
  gdouble measuring = 0.0;

  if (! isolux_work_find_range (stage, options, &measuring, error) ||
      ! isolux_window_apply (stage->box, stage->after_box, options, stage->low,
                             stage->high, &stage->report, error))
    return FALSE;
  stage->report.compute_ms += measuring;
  return TRUE;
}

static gboolean
run_hog (IsoluxWorkStage       *stage,
         const IsoluxOperation *operation,
         GError               **error)
{
  IsoluxReport report = { 0 };
  GError      *failure = NULL;

  stage->cells = isolux_hog_cells (stage->box, &operation->options.hog,
                                   &stage->cells_x, &stage->cells_y, &report,
                                   &failure);
  if (failure)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  isolux_work_stage_note (stage, &report);
  return isolux_operation_run (operation, stage->box, stage->after_box,
                               &stage->report, error);
}

gboolean
isolux_work_stage_run (IsoluxWorkStage          *stage,
                       const IsoluxWorkSettings *settings,
                       GError                  **error)
{
  IsoluxOperation operation = settings->operation;
  gboolean        success;

  if (stage->after_serial == settings->operation_serial)
    return TRUE;
  forget_after (stage);
  scale_operation (&operation, stage->scale);
  switch (operation.kind)
    {
      case ISOLUX_OPERATION_CLAHE:
        success = isolux_clahe_with_maps (stage->box, stage->after_box,
                                          &operation.options.clahe,
                                          &stage->maps, &stage->report, error);
        break;
      case ISOLUX_OPERATION_WINDOW:
        success = run_window (stage, &operation.options.window, error);
        break;
      case ISOLUX_OPERATION_HOG:
        success = run_hog (stage, &operation, error);
        break;
      default:
        success = isolux_operation_run (&operation, stage->box,
                                        stage->after_box, &stage->report,
                                        error);
        break;
    }
  if (! success)
    return FALSE;
  isolux_work_stage_note (stage, &stage->report);
  stage->after_serial = settings->operation_serial;
  return TRUE;
}

/* ---- Pixels ------------------------------------------------------------- */

GBytes *
isolux_work_bytes_new (gsize size, guint8 **data, GError **error)
{
  *data = g_try_malloc (size);
  if (*data)
    return g_bytes_new_take (*data, size);
  isolux_work_memory_error (error);
  return NULL;
}

/* A part of a surface, smaller, in host memory. */
GBytes *
isolux_work_reduce (IsoluxWorkStage       *stage,
                    IsoluxSurface         *surface,
                    const IsoluxRectangle *part,
                    gint64                 width,
                    gint64                 height,
                    GError               **error)
{
  IsoluxImage    image = *isolux_surface_get_image (surface);
  const gsize    row = (gsize) width * stage->source->pixel;
  IsoluxReport   report;
  IsoluxSurface *small;
  IsoluxView     view;
  GBytes        *bytes;
  guint8        *data;

  image.width = width;
  image.height = height;
  bytes = isolux_work_bytes_new (row * (gsize) height, &data, error);
  if (! bytes)
    return NULL;
  view.data = data;
  view.stride = row;
  small = isolux_surface_new (stage->device, &image, error);
  if (! small || ! isolux_reduce (surface, part, small, &report, error) ||
      ! isolux_surface_download (small, &view, NULL, error))
    g_clear_pointer (&bytes, g_bytes_unref);
  else
    isolux_work_stage_note (stage, &report);
  isolux_surface_unref (small);
  return bytes;
}

/* Whether none of the pixels that became one is selected. */
static gboolean
is_unselected (const IsoluxWorkImage *image,
               gint64                 x0,
               gint64                 x1,
               gint64                 y0,
               gint64                 y1)
{
  gint64 x, y;

  for (y = y0; y < y1; y++)
    for (x = x0; x < x1; x++)
      if (isolux_work_image_is_selected (image, x, y))
        return FALSE;
  return TRUE;
}

/* Grayscale, which knows no selection: what is not selected stays. */
static void
keep_unselected (const IsoluxWorkImage *image,
                 const IsoluxRectangle *part,
                 gint64                 width,
                 gint64                 height,
                 const guint8          *before,
                 guint8                *after)
{
  const gsize pixel = image->pixel;
  gint64      i, j;

  for (j = 0; j < height; j++)
    for (i = 0; i < width; i++, before += pixel, after += pixel)
      if (is_unselected (image, part->x + i * part->width / width,
                         part->x + (i + 1) * part->width / width,
                         part->y + j * part->height / height,
                         part->y + (j + 1) * part->height / height))
        memcpy (after, before, pixel);
}

/* The original's pixels, which are the same for all results of a view. */
GBytes *
isolux_work_before_pixels (IsoluxWorkStage          *stage,
                           const IsoluxWorkSettings *settings,
                           const IsoluxRectangle    *part,
                           gint64                    width,
                           gint64                    height,
                           GError                  **error)
{
  if (! stage->before_pixels || stage->before_view != settings->view_serial)
    {
      g_clear_pointer (&stage->before_pixels, g_bytes_unref);
      stage->before_pixels =
        isolux_work_reduce (stage, stage->image, part, width, height, error);
      stage->before_view = settings->view_serial;
    }
  return stage->before_pixels ? g_bytes_ref (stage->before_pixels) : NULL;
}

gboolean
isolux_work_stage_pixels (IsoluxWorkStage          *stage,
                          const IsoluxWorkSettings *settings,
                          IsoluxEngineResult       *result,
                          GError                  **error)
{
  IsoluxWorkImage *source = stage->source;
  IsoluxRectangle  part;
  gint64           width, height;
  GBytes          *before, *after;

  if (! isolux_work_view (source, settings, &part, &width, &height))
    return TRUE;
  before =
    isolux_work_before_pixels (stage, settings, &part, width, height, error);
  if (! before)
    return FALSE;
  after = isolux_work_reduce (stage, stage->after, &part, width, height, error);
  if (! after)
    {
      g_bytes_unref (before);
      return FALSE;
    }
  if (settings->operation.kind == ISOLUX_OPERATION_GRAYSCALE &&
      source->info.mask)
    keep_unselected (source, &part, width, height,
                     g_bytes_get_data (before, NULL),
                     (guint8 *) g_bytes_get_data (after, NULL));
  isolux_work_result_set_view (result, &part, width, height);
  isolux_work_result_take_pixels (result, before, after);
  return TRUE;
}
