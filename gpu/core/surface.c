/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <inttypes.h>

#define MAXIMUM_SIDE G_GINT64_CONSTANT (0x7fffffff)
#define MAXIMUM_AREA (G_GINT64_CONSTANT (1) << 46)

/* ---- Images ----------------------------------------------------------- */

gsize
isolux_type_size (IsoluxType type)
{
  return type == ISOLUX_TYPE_U8 ? 1 : type == ISOLUX_TYPE_U16 ? 2 : 4;
}

gsize
isolux_image_row_bytes (const IsoluxImage *image)
{
  return (gsize) image->width * (gsize) image->components *
         isolux_type_size (image->type);
}

gboolean
isolux_image_check (const IsoluxImage *image, GError **error)
{
  if (image->width < 1 || image->width > MAXIMUM_SIDE || image->height < 1 ||
      image->height > MAXIMUM_SIDE ||
      image->width > MAXIMUM_AREA / image->height)
    return isolux_argument_error (error,
                                  _("An image of %" PRId64 " x %" PRId64
                                     " pixels is empty or too large."),
                                  image->width, image->height);
  if (image->components < 1 || image->components > 4)
    return isolux_argument_error (error,
                                  _("A pixel has 1 to 4 components; %d is not "
                                    "possible."),
                                  image->components);
  if (image->type != ISOLUX_TYPE_U8 && image->type != ISOLUX_TYPE_U16 &&
      image->type != ISOLUX_TYPE_F32)
    return isolux_argument_error (error, _("There is no component type %d."),
                                  (gint) image->type);
  if (image->type == ISOLUX_TYPE_U16 && image->bits != 0 &&
      (image->bits < 8 || image->bits > 16))
    return isolux_argument_error (error,
                                  _("Significant bits are 8 to 16, or 0; %d "
                                    "is not possible."),
                                  image->bits);
  return TRUE;
}

static gboolean
view_check (const IsoluxImage     *image,
            const IsoluxView      *view,
            const IsoluxRectangle *rectangle,
            GError               **error)
{
  const gsize size = isolux_type_size (image->type);
  const gsize row = (gsize) (rectangle ? rectangle->width : image->width) *
                    size * (gsize) image->components;

  if (! view->data)
    return isolux_argument_error (error, _("The view has no memory."));
  if ((gsize) view->data % size)
    return isolux_argument_error (error, _("The view's memory is not aligned "
                                           "to its type."));
  if (view->stride < row || view->stride % size)
    return isolux_argument_error (error,
                                  _("A stride of %zu bytes does not fit rows "
                                    "of %zu bytes."),
                                  view->stride, row);
  return TRUE;
}

static void
pixels_init (IsoluxPixels *pixels, const IsoluxImage *image)
{
  memset (pixels, 0, sizeof *pixels);
  pixels->width = image->width;
  pixels->height = image->height;
  pixels->type = image->type == ISOLUX_TYPE_U8    ? ISOLUX_PLAN_U8
                 : image->type == ISOLUX_TYPE_U16 ? ISOLUX_PLAN_U16
                                                  : ISOLUX_PLAN_F32;
  pixels->components = image->components;
  pixels->colors = image->components < 3 ? 1 : 3;
  pixels->has_alpha = image->components - pixels->colors;
  pixels->bits = image->type == ISOLUX_TYPE_U8    ? 8
                 : image->type == ISOLUX_TYPE_U16 ? image->bits
                                                  : 0;
  pixels->region_width = image->width;
  pixels->region_height = image->height;
}

/* ---- Surfaces ----------------------------------------------------------- */

IsoluxSurface *
isolux_surface_new_on (IsoluxDevice        *device,
                       const IsoluxBackend *backend,
                       const IsoluxImage   *image,
                       GError             **error)
{
  IsoluxSurface *surface;
  gsize          stride, size;

  stride = (isolux_image_row_bytes (image) + 15) & ~(gsize) 15;
  if (! g_size_checked_mul (&size, stride, (gsize) image->height))
    {
      g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                           _("There is not enough memory for the image."));
      return NULL;
    }
  surface = isolux_try_new (IsoluxSurface, 1, error);
  if (! surface)
    return NULL;
  if (! backend->alloc (device, size, &surface->memory, error))
    {
      g_free (surface);
      return NULL;
    }
  surface->references = 1;
  surface->device = isolux_device_ref (device);
  surface->backend = backend;
  surface->image = *image;
  surface->memory_size = size;
  pixels_init (&surface->pixels, image);
  surface->pixels.data = surface->memory;
  surface->pixels.stride = stride;
  return surface;
}

IsoluxSurface *
isolux_surface_new (IsoluxDevice      *device,
                    const IsoluxImage *image,
                    GError           **error)
{
  if (! isolux_image_check (image, error))
    return NULL;
  return isolux_surface_new_on (
    device,
    isolux_device_choose (device, (guint64) isolux_image_row_bytes (image) *
                                    (guint64) image->height),
    image, error);
}

IsoluxSurface *
isolux_surface_wrap (IsoluxDevice      *device,
                     const IsoluxImage *image,
                     const IsoluxView  *view,
                     gpointer           stream,
                     GError           **error)
{
  const IsoluxBackend *backend = isolux_device_choose (device, 0);
  IsoluxSurface       *surface;

  if (isolux_device_is_auto (device))
    {
      isolux_argument_error (error, _("Memory can be wrapped for the CPU or "
                                      "for CUDA, not for "
                                      "whichever comes first."));
      return NULL;
    }
  if (! isolux_image_check (image, error) ||
      ! view_check (image, view, NULL, error))
    return NULL;
  surface = isolux_try_new (IsoluxSurface, 1, error);
  if (! surface)
    return NULL;
  surface->references = 1;
  surface->device = isolux_device_ref (device);
  surface->backend = backend;
  surface->image = *image;
  surface->stream = backend->kind == ISOLUX_BACKEND_CUDA ? stream : NULL;
  pixels_init (&surface->pixels, image);
  surface->pixels.data = view->data;
  surface->pixels.stride = view->stride;
  return surface;
}

IsoluxSurface *
isolux_surface_ref (IsoluxSurface *surface)
{
  g_atomic_int_inc (&surface->references);
  return surface;
}

void
isolux_surface_unref (IsoluxSurface *surface)
{
  if (! surface || ! g_atomic_int_dec_and_test (&surface->references))
    return;
  if (surface->mask)
    surface->backend->release (surface->device, surface->mask,
                               surface->mask_size);
  if (surface->memory)
    surface->backend->release (surface->device, surface->memory,
                               surface->memory_size);
  isolux_surface_unref (surface->whole);
  isolux_surface_unref (surface->master);
  isolux_device_unref (surface->device);
  g_free (surface);
}

const IsoluxImage *
isolux_surface_get_image (IsoluxSurface *surface)
{
  return &surface->image;
}

IsoluxBackendKind
isolux_surface_get_backend (IsoluxSurface *surface)
{
  return surface->backend->kind;
}

/* ---- Region ------------------------------------------------------------- */

static gint64
end_of (gint64 start, gint64 length)
{
  return start > G_MAXINT64 - length ? G_MAXINT64 : start + length;
}

gboolean
isolux_surface_set_region (IsoluxSurface         *surface,
                           const IsoluxRectangle *rectangle,
                           const guint8          *mask,
                           gsize                  mask_stride,
                           GError               **error)
{
  const IsoluxBackend *backend = surface->backend;
  IsoluxPixels        *pixels = &surface->pixels;
  IsoluxRectangle      r = { 0, 0, pixels->width, pixels->height };
  gint64               left, top, right, bottom;
  gpointer             memory = NULL;
  gsize                size = 0;

  if (rectangle)
    r = *rectangle;
  if (r.width < 0 || r.height < 0)
    return isolux_argument_error (error,
                                  _("A region cannot be %" PRId64 " x %" PRId64
                                     " pixels."),
                                  r.width, r.height);
  if (mask && mask_stride < (gsize) r.width)
    return isolux_argument_error (error,
                                  _("A mask's stride of %zu bytes is less "
                                    "than its width."),
                                  mask_stride);
  left = CLAMP (r.x, 0, pixels->width);
  top = CLAMP (r.y, 0, pixels->height);
  right = CLAMP (end_of (r.x, r.width), left, pixels->width);
  bottom = CLAMP (end_of (r.y, r.height), top, pixels->height);
  if (right == left || bottom == top)
    right = left, bottom = top;

  if (mask && right > left)
    {
      size = (gsize) (right - left) * (gsize) (bottom - top);
      if (! backend->alloc (surface->device, size, &memory, error))
        return FALSE;
      if (! backend->write (surface->device, memory, (gsize) (right - left),
                            mask + (gsize) (top - r.y) * mask_stride +
                              (gsize) (left - r.x),
                            mask_stride, (gsize) (right - left), bottom - top,
                            surface->stream, error))
        {
          backend->release (surface->device, memory, size);
          return FALSE;
        }
    }
  if (surface->mask)
    backend->release (surface->device, surface->mask, surface->mask_size);
  g_clear_pointer (&surface->master, isolux_surface_unref);
  surface->mask = memory;
  surface->mask_size = size;
  pixels->region_x = left;
  pixels->region_y = top;
  pixels->region_width = right - left;
  pixels->region_height = bottom - top;
  pixels->mask = memory;
  pixels->mask_stride = memory ? (gsize) (right - left) : 0;
  return TRUE;
}

gboolean
isolux_surface_share_region (IsoluxSurface *surface,
                             IsoluxSurface *other,
                             GError       **error)
{
  IsoluxPixels       *to = &surface->pixels;
  const IsoluxPixels *from = &other->pixels;

  if (surface->device != other->device || surface->backend != other->backend)
    return isolux_argument_error (error, _("The two surfaces are on different "
                                           "devices."));
  if (to->width != from->width || to->height != from->height)
    return isolux_argument_error (error, _("The two surfaces are not of the "
                                           "same size."));
  if (surface == other)
    return TRUE;
  isolux_surface_ref (other);
  isolux_surface_set_region (surface, NULL, NULL, 0, NULL);
  surface->master = other;
  to->region_x = from->region_x;
  to->region_y = from->region_y;
  to->region_width = from->region_width;
  to->region_height = from->region_height;
  to->mask = from->mask;
  to->mask_stride = from->mask_stride;
  return TRUE;
}

/* ---- In and out --------------------------------------------------------- */

gboolean
isolux_rectangle_check (const IsoluxImage     *image,
                        const IsoluxRectangle *rectangle,
                        IsoluxRectangle       *r,
                        GError               **error)
{
  *r = (IsoluxRectangle) { 0, 0, image->width, image->height };
  if (rectangle)
    *r = *rectangle;
  if (r->x < 0 || r->y < 0 || r->width < 1 || r->height < 1 ||
      r->width > image->width || r->height > image->height ||
      r->x > image->width - r->width || r->y > image->height - r->height)
    return isolux_argument_error (error, _("The rectangle does not lie inside "
                                           "the image."));
  return TRUE;
}

/* The memory of a pixel. */
static gpointer
address_of (IsoluxSurface *surface, gint64 x, gint64 y)
{
  const IsoluxImage *image = &surface->image;

  return (guint8 *) surface->pixels.data + (gsize) y * surface->pixels.stride +
         (gsize) x * (gsize) image->components * isolux_type_size (image->type);
}

IsoluxSurface *
isolux_surface_new_part (IsoluxSurface         *surface,
                         const IsoluxRectangle *rectangle,
                         GError               **error)
{
  IsoluxRectangle r;
  IsoluxSurface  *part;

  if (! isolux_rectangle_check (&surface->image, rectangle, &r, error))
    return NULL;
  part = isolux_try_new (IsoluxSurface, 1, error);
  if (! part)
    return NULL;
  part->references = 1;
  part->device = isolux_device_ref (surface->device);
  part->backend = surface->backend;
  part->image = surface->image;
  part->image.width = r.width;
  part->image.height = r.height;
  part->stream = surface->stream;
  part->whole = isolux_surface_ref (surface);
  pixels_init (&part->pixels, &part->image);
  part->pixels.data = address_of (surface, r.x, r.y);
  part->pixels.stride = surface->pixels.stride;
  return part;
}

/* Checks a transfer and gives the memory of its upper left pixel. */
static gboolean
transfer (IsoluxSurface         *surface,
          const IsoluxView      *view,
          const IsoluxRectangle *rectangle,
          gpointer              *memory,
          IsoluxRectangle       *r,
          GError               **error)
{
  if (! isolux_rectangle_check (&surface->image, rectangle, r, error) ||
      ! view_check (&surface->image, view, r, error))
    return FALSE;
  *memory = address_of (surface, r->x, r->y);
  return TRUE;
}

gboolean
isolux_surface_upload (IsoluxSurface         *surface,
                       const IsoluxView      *view,
                       const IsoluxRectangle *rectangle,
                       GError               **error)
{
  gpointer        memory = NULL;
  IsoluxRectangle r;

  return transfer (surface, view, rectangle, &memory, &r, error) &&
         surface->backend->write (surface->device, memory,
                                  surface->pixels.stride, view->data,
                                  view->stride,
                                  (gsize) r.width *
                                    (gsize) surface->image.components *
                                    isolux_type_size (surface->image.type),
                                  r.height, surface->stream, error);
}

gboolean
isolux_surface_download (IsoluxSurface         *surface,
                         const IsoluxView      *view,
                         const IsoluxRectangle *rectangle,
                         GError               **error)
{
  gpointer        memory = NULL;
  IsoluxRectangle r;

  return transfer (surface, view, rectangle, &memory, &r, error) &&
         surface->backend->read (surface->device, view->data, view->stride,
                                 memory, surface->pixels.stride,
                                 (gsize) r.width *
                                   (gsize) surface->image.components *
                                   isolux_type_size (surface->image.type),
                                 r.height, surface->stream, error);
}

gboolean
isolux_surface_upload_rows (IsoluxSurface *surface,
                            IsoluxRowsFunc read,
                            gpointer       user_data,
                            GError       **error)
{
  return surface->backend->write_rows (surface, read, user_data, error);
}

gboolean
isolux_surface_download_rows (IsoluxSurface *surface,
                              IsoluxRowsFunc write,
                              gpointer       user_data,
                              GError       **error)
{
  return surface->backend->read_rows (surface, write, user_data, error);
}

/* ---- Running a twin ----------------------------------------------------- */

gboolean
isolux_surfaces_check (IsoluxSurface *source,
                       IsoluxSurface *destination,
                       gboolean       same_components,
                       GError       **error)
{
  const IsoluxImage *a = &source->image, *b = &destination->image;

  if (source->device != destination->device ||
      source->backend != destination->backend)
    return isolux_argument_error (error, _("The two surfaces are on different "
                                           "devices."));
  if (a->width != b->width || a->height != b->height)
    return isolux_argument_error (error, _("The two surfaces are not of the "
                                           "same size."));
  if (a->type != b->type)
    return isolux_argument_error (error, _("The two surfaces are not of the "
                                           "same type."));
  if ((same_components || source == destination) &&
      a->components != b->components)
    return isolux_argument_error (error, _("The two surfaces do not have the "
                                           "same components."));
  if (source->stream && destination->stream &&
      source->stream != destination->stream)
    return isolux_argument_error (error, _("The two surfaces are on different "
                                           "streams."));
  return TRUE;
}

/* The pixels of a surface, taken to the CPU, with the region when wanted. */
static IsoluxSurface *
surface_to_cpu (IsoluxSurface *surface, gboolean with_region, GError **error)
{
  IsoluxSurface      *copy;
  const IsoluxPixels *from = &surface->pixels;
  IsoluxPixels       *to;

  copy = isolux_surface_new_on (surface->device, &isolux_backend_cpu,
                                &surface->image, error);
  if (! copy)
    return NULL;
  to = &copy->pixels;
  if (! surface->backend->read (surface->device, to->data, to->stride,
                                from->data, from->stride,
                                isolux_image_row_bytes (&surface->image),
                                from->height, surface->stream, error))
    goto failed;
  if (with_region)
    {
      if (from->mask)
        {
          /* it may be another's, which knows its size */
          copy->mask_size = from->mask_stride * (gsize) from->region_height;
          if (! isolux_backend_cpu.alloc (surface->device, copy->mask_size,
                                          &copy->mask, error) ||
              ! surface->backend->read (surface->device, copy->mask,
                                        from->mask_stride, from->mask,
                                        from->mask_stride,
                                        (gsize) from->region_width,
                                        from->region_height, surface->stream,
                                        error))
            goto failed;
          to->mask = copy->mask;
          to->mask_stride = from->mask_stride;
        }
      to->region_x = from->region_x;
      to->region_y = from->region_y;
      to->region_width = from->region_width;
      to->region_height = from->region_height;
    }
  return copy;

failed:
  isolux_surface_unref (copy);
  return NULL;
}

/* pair: both surfaces are read and none is written. */
static gboolean
run_on_cpu (IsoluxTwinFunc function,
            IsoluxSurface *source,
            IsoluxSurface *destination,
            gboolean       pair,
            gpointer       data,
            GError       **error)
{
  IsoluxSurface *from, *to = NULL;
  gboolean       success = FALSE;

  from = surface_to_cpu (source, TRUE, error);
  if (! from)
    return FALSE;
  if (destination == source)
    to = isolux_surface_ref (from);
  else if (pair)
    to = surface_to_cpu (destination, FALSE, error);
  else if (destination)
    to = isolux_surface_new_on (destination->device, &isolux_backend_cpu,
                                &destination->image, error);
  if (to || ! destination)
    success =
      function (&isolux_backend_cpu, from, to, data, error) &&
      (! to || pair ||
       destination->backend
         ->write (destination->device, destination->pixels.data,
                  destination->pixels.stride, to->pixels.data,
                  to->pixels.stride,
                  isolux_image_row_bytes (&destination->image),
                  destination->image.height, destination->stream, error));
  isolux_surface_unref (to);
  isolux_surface_unref (from);
  return success;
}

static gboolean
has_twin (const IsoluxBackend *backend, IsoluxTwins twin)
{
  gboolean there = FALSE;

  if (backend == &isolux_backend_cpu)
    return TRUE;
  switch (twin)
    {
      case ISOLUX_TWIN_GRAYSCALE:
        there = backend->grayscale != NULL;
        break;
      case ISOLUX_TWIN_COUNT:
        there = backend->count != NULL;
        break;
      case ISOLUX_TWIN_EQUALIZE:
        there = backend->equalize != NULL;
        break;
      case ISOLUX_TWIN_LUT_APPLY:
        there = backend->lut_apply != NULL;
        break;
      case ISOLUX_TWIN_LBP:
        there = backend->lbp != NULL && backend->lbp_histogram != NULL;
        break;
      case ISOLUX_TWIN_HOG:
        there = backend->hog_cells != NULL && backend->hog_picture != NULL;
        break;
      case ISOLUX_TWIN_CLAHE:
        there = backend->clahe != NULL;
        break;
      case ISOLUX_TWIN_WINDOW:
        there = backend->window != NULL;
        break;
      case ISOLUX_TWIN_METRICS:
        there = backend->metrics != NULL && backend->count != NULL;
        break;
      case ISOLUX_TWIN_CONTRAST_MAP:
        there = backend->contrast_map != NULL;
        break;
      case ISOLUX_TWIN_LEAVE_OUT:
        there = backend->leave_out != NULL;
        break;
      case ISOLUX_TWIN_REDUCE:
        there = backend->reduce != NULL;
        break;
      case ISOLUX_TWIN_CLAHE_SAMPLE:
        there = backend->clahe_sample != NULL;
        break;
      case ISOLUX_TWIN_ALL:
        break;
    }
  return there && (isolux_backend_mask & twin);
}

static gboolean
run (IsoluxTwins    twin,
     IsoluxTwinFunc function,
     IsoluxSurface *source,
     IsoluxSurface *destination,
     gboolean       pair,
     gpointer       data,
     IsoluxReport  *report,
     GError       **error)
{
  const gint64         start = g_get_monotonic_time ();
  const IsoluxBackend *backend = source->backend;
  GError              *failure = NULL;
  gboolean             success = FALSE;

  if (has_twin (backend, twin))
    {
      success = function (backend, source, destination, data, &failure);
      if (! success &&
          (backend == &isolux_backend_cpu ||
           ! g_error_matches (failure, ISOLUX_ERROR, ISOLUX_ERROR_DEVICE)))
        {
          g_propagate_error (error, failure);
          return FALSE;
        }
    }
  if (! success)
    {
      if (! run_on_cpu (function, source, destination, pair, data, error))
        {
          g_clear_error (&failure);
          return FALSE;
        }
      backend = &isolux_backend_cpu;
    }
  if (report)
    {
      report->backend = backend->kind;
      report->compute_ms = (g_get_monotonic_time () - start) / 1000.0;
      if (failure)
        isolux_set_text (report->warning, sizeof report->warning,
                         failure->message);
    }
  g_clear_error (&failure);
  return TRUE;
}

gboolean
isolux_run (IsoluxTwins    twin,
            IsoluxTwinFunc function,
            IsoluxSurface *source,
            IsoluxSurface *destination,
            gpointer       data,
            IsoluxReport  *report,
            GError       **error)
{
  return run (twin, function, source, destination, FALSE, data, report, error);
}

gboolean
isolux_run_pair (IsoluxTwins    twin,
                 IsoluxTwinFunc function,
                 IsoluxSurface *first,
                 IsoluxSurface *second,
                 gpointer       data,
                 IsoluxReport  *report,
                 GError       **error)
{
  return run (twin, function, first, second, TRUE, data, report, error);
}
