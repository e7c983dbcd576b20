/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pixels.c: from the pixels of drawables to surfaces of libisolux.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pixels.h"

/* Rows at once for a checksum */
#define SOME_ROWS 64

/* What the callback that reads rows knows */
typedef struct
{
  GeglBuffer   *buffer;
  const Babl   *format;
  GeglRectangle box;
  IsoluxImage   image;
} Reader;

static const Babl *
format_float (const Babl *native, IsoluxEncoding encoding, gint components)
{
  static const gchar *const models[3][4] = {
    { "Y float", "YA float", "RGB float", "RGBA float" },
    { "Y' float", "Y'A float", "R'G'B' float", "R'G'B'A float" },
    { "Y~ float", "Y~A float", "R~G~B~ float", "R~G~B~A float" },
  };

  return babl_format_with_space (models[encoding][components - 1],
                                 babl_format_get_space (native));
}

static IsoluxEncoding
encoding_of (const Babl *native)
{
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (native));

  return flags & BABL_MODEL_FLAG_LINEAR       ? ISOLUX_ENCODING_LINEAR
         : flags & BABL_MODEL_FLAG_PERCEPTUAL ? ISOLUX_ENCODING_PERCEPTUAL
                                              : ISOLUX_ENCODING_NON_LINEAR;
}

const Babl *
isolux_format_float (const Babl *native, gint components)
{
  return format_float (native, encoding_of (native), components);
}

const Babl *
isolux_pixels_format (const Babl             *native,
                      const IsoluxRealValues *values,
                      IsoluxImage            *image)
{
  const gchar   *type = babl_get_name (babl_format_get_type (native, 0));
  IsoluxEncoding was = ISOLUX_ENCODING_UNKNOWN;

  image->components = babl_format_get_n_components (native);
  if (values)
    was = isolux_precision_encoding (values->precision);
  if (was != ISOLUX_ENCODING_UNKNOWN && was != encoding_of (native))
    {
      image->type = ISOLUX_TYPE_F32;
      return format_float (native, was, image->components);
    }
  if (! strcmp (type, "u8"))
    {
      image->type = ISOLUX_TYPE_U8;
      return native;
    }
  if (! strcmp (type, "u16"))
    {
      image->type = ISOLUX_TYPE_U16;
      return native;
    }

  image->type = ISOLUX_TYPE_F32;
  return isolux_format_float (native, image->components);
}

void
isolux_format_weights (const Babl *format, gdouble weights[3])
{
  gdouble sum = 0.0;

  babl_space_get_rgb_luminance (babl_format_get_space (format), weights,
                                weights + 1, weights + 2);

  for (gint i = 0; i < 3; i++)
    {
      weights[i] = weights[i] > 0.0 ? weights[i] : 0.0;
      sum += weights[i];
    }
  for (gint i = 0; i < 3; i++)
    weights[i] = sum > 0.0 ? weights[i] / sum : 1.0 / 3.0;
}

void
isolux_get_weights (GimpDrawable *drawable, gdouble weights[3])
{
  GeglBuffer *buffer;

  isolux_gegl_init ();
  buffer = gimp_drawable_get_buffer (drawable);
  isolux_format_weights (gegl_buffer_get_format (buffer), weights);
  g_object_unref (buffer);
}

static void
reader_init (Reader *reader, const IsoluxTarget *target, GimpDrawable *drawable)
{
  isolux_gegl_init ();
  reader->buffer = gimp_drawable_get_buffer (drawable);
  reader->image.width = target->width;
  reader->image.height = target->height;
  reader->image.bits = 0;
  reader->format =
    isolux_pixels_format (gegl_buffer_get_format (reader->buffer),
                          &target->values, &reader->image);
  reader->box =
    *GEGL_RECTANGLE (target->x, target->y, target->width, target->height);
}

static gboolean
read_rows (gint64 y, gint64 rows, gpointer data, gsize stride, gpointer reader_)
{
  const Reader *reader = reader_;

  gegl_buffer_get (reader->buffer,
                   GEGL_RECTANGLE (reader->box.x, reader->box.y + (gint) y,
                                   reader->box.width, (gint) rows),
                   1.0, reader->format, data, (gint) stride, GEGL_ABYSS_NONE);
  return TRUE;
}

gboolean
isolux_target_process (const IsoluxTarget *target,
                       IsoluxOperationFunc func,
                       gpointer            data,
                       IsoluxReport       *report,
                       GError            **error)
{
  IsoluxRectangle region = { 0, 0, target->width, target->height };
  IsoluxProcess   process = { 0 };
  Reader          reader;
  gboolean        success;

  reader_init (&reader, target, target->drawable);
  process.source = reader.image;
  if (target->mask)
    {
      process.region = &region;
      process.mask = target->mask;
      process.mask_stride = target->width;
    }
  process.read = read_rows;
  process.rows_data = &reader;
  process.operation = func;
  process.operation_data = data;

  success =
    isolux_process (isolux_device_get_default (), &process, report, error);
  g_object_unref (reader.buffer);
  return success;
}

IsoluxSurface *
isolux_target_surface (const IsoluxTarget *target,
                       GimpDrawable       *drawable,
                       IsoluxDevice       *device,
                       GError            **error)
{
  IsoluxRectangle region = { 0, 0, target->width, target->height };
  IsoluxSurface  *surface;
  Reader          reader;

  reader_init (&reader, target, drawable);
  surface = isolux_surface_new (device, &reader.image, error);
  if (surface &&
      (! isolux_surface_set_region (surface, &region, target->mask,
                                    target->width, error) ||
       ! isolux_surface_upload_rows (surface, read_rows, &reader, error)))
    g_clear_pointer (&surface, isolux_surface_unref);
  g_object_unref (reader.buffer);
  return surface;
}

gchar *
isolux_drawable_sha256 (GimpDrawable *drawable)
{
  GChecksum    *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  GeglBuffer   *buffer;
  const Babl   *format;
  GeglRectangle area;
  guint8       *data;
  gsize         row;
  gchar        *text;

  isolux_gegl_init ();
  buffer = gimp_drawable_get_buffer (drawable);
  format = gegl_buffer_get_format (buffer);
  area = *gegl_buffer_get_extent (buffer);
  row = (gsize) area.width * babl_format_get_bytes_per_pixel (format);
  data = g_malloc_n (SOME_ROWS, row);

  for (gint bottom = area.y + area.height; area.y < bottom;
       area.y += area.height)
    {
      area.height = MIN (SOME_ROWS, bottom - area.y);
      gegl_buffer_get (buffer, &area, 1.0, format, data, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      g_checksum_update (checksum, data, (gssize) (row * area.height));
    }

  text = g_strdup (g_checksum_get_string (checksum));
  g_free (data);
  g_object_unref (buffer);
  g_checksum_free (checksum);
  return text;
}

/* ---- Masks -------------------------------------------------------- */

static gdouble
component (const IsoluxImage *image, gconstpointer row, gsize i)
{
  return image->type == ISOLUX_TYPE_U8    ? ((const guint8 *) row)[i]
         : image->type == ISOLUX_TYPE_U16 ? ((const guint16 *) row)[i]
                                          : ((const gfloat *) row)[i];
}

/* A row of the mask; code is rounded as the components are */
static void
mask_row (const IsoluxImage *image,
          gconstpointer      row,
          gdouble            code,
          gdouble            tolerance,
          const guint8      *selected,
          guint8            *mask)
{
  const gint colors = image->components < 3 ? 1 : 3;

  for (gint64 x = 0; x < image->width; x++)
    {
      gboolean left_out = TRUE;

      for (gint c = 0; c < colors; c++)
        left_out =
          left_out &&
          fabs (component (image, row, (gsize) (x * image->components + c)) -
                code) <= tolerance;
      mask[x] = left_out ? 0 : selected ? selected[x] : 255;
    }
}

guint8 *
isolux_target_mask_without (const IsoluxTarget *target,
                            gdouble             code,
                            GError            **error)
{
  guint8  *mask = g_try_malloc_n (target->height, target->width);
  Reader   reader;
  gsize    size;
  gpointer row;

  reader_init (&reader, target, target->drawable);
  size = (gsize) babl_format_get_bytes_per_pixel (reader.format);
  row = g_try_malloc_n (target->width, size);
  if (reader.image.type == ISOLUX_TYPE_F32)
    code = (gfloat) code;

  if (mask && row)
    {
      for (gint y = 0; y < target->height; y++)
        {
          const gsize start = (gsize) y * target->width;

          read_rows (y, 1, row, size * target->width, &reader);
          mask_row (&reader.image, row, code, target->values.tolerance,
                    target->mask ? target->mask + start : NULL, mask + start);
        }
    }
  else
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("Not enough memory for the selection."));
      g_clear_pointer (&mask, g_free);
    }
  g_free (row);
  g_object_unref (reader.buffer);
  return mask;
}

void
isolux_source_init (GimpDrawable           *drawable,
                    const IsoluxRealValues *values,
                    GeglBuffer            **buffer,
                    const Babl            **format,
                    IsoluxImage            *image)
{
  IsoluxTarget all = { 0 };
  Reader       reader;

  all.width = gimp_drawable_get_width (drawable);
  all.height = gimp_drawable_get_height (drawable);
  if (values)
    all.values = *values;
  reader_init (&reader, &all, drawable);
  *buffer = reader.buffer;
  *format = reader.format;
  *image = reader.image;
}
