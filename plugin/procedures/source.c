/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.c: what a dialog reads of a drawable.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "drawable-values.h"
#include "pixels.h"
#include "source.h"

IsoluxSource *
isolux_source_new (GimpImage *image, IsoluxTarget *target)
{
  IsoluxSource *source = g_new0 (IsoluxSource, 1);

  source->owner = image;
  source->target = target;
  return source;
}

void
isolux_source_free (IsoluxSource *source)
{
  g_free (source->profile);
  g_free (source);
}

/* ---- Opening ------------------------------------------------------ */

/* The name of a color profile that somebody has put there */
static gchar *
read_profile (GimpImage *image)
{
  GimpColorProfile *profile = gimp_image_get_color_profile (image);
  gchar            *name;

  if (! profile)
    return NULL;
  name = g_strdup (gimp_color_profile_get_label (profile));
  g_object_unref (profile);
  return name;
}

/* The precision with the encoding of the image, in floats: what one filter
 * hands to the next is not rounded to the layer's own precision */
static GimpPrecision
float_precision (GimpPrecision precision)
{
  switch (precision)
    {
      case GIMP_PRECISION_U8_LINEAR:
      case GIMP_PRECISION_U16_LINEAR:
      case GIMP_PRECISION_U32_LINEAR:
      case GIMP_PRECISION_HALF_LINEAR:
      case GIMP_PRECISION_FLOAT_LINEAR:
      case GIMP_PRECISION_DOUBLE_LINEAR:
        return GIMP_PRECISION_FLOAT_LINEAR;
      case GIMP_PRECISION_U8_PERCEPTUAL:
      case GIMP_PRECISION_U16_PERCEPTUAL:
      case GIMP_PRECISION_U32_PERCEPTUAL:
      case GIMP_PRECISION_HALF_PERCEPTUAL:
      case GIMP_PRECISION_FLOAT_PERCEPTUAL:
      case GIMP_PRECISION_DOUBLE_PERCEPTUAL:
        return GIMP_PRECISION_FLOAT_PERCEPTUAL;
      default:
        return GIMP_PRECISION_FLOAT_NON_LINEAR;
    }
}

/* Those that stay below what the dialog makes */
static gint
count_effects (const IsoluxTarget *target)
{
  GimpDrawable        *drawable = target->drawable;
  GimpDrawableFilter **filters;
  gint                 n = 0;

  if (! gimp_item_is_layer (GIMP_ITEM (drawable)))
    return 0;
  filters = gimp_drawable_get_filters (drawable);
  for (gint i = 0; filters && filters[i]; i++)
    n += gimp_drawable_filter_get_visible (filters[i]) ? 1 : 0;
  g_free (filters);
  return n - (target->replaced ? (gint) target->replaced->len : 0);
}

/* A copy's windows that the dialog's is to replace */
static void
remove_windows (GimpDrawable *copy)
{
  GPtrArray *windows = isolux_drawable_get_windows (copy);

  for (guint i = 0; windows && i < windows->len; i++)
    gimp_drawable_filter_delete (windows->pdata[i]);
  g_clear_pointer (&windows, g_ptr_array_unref);
}

/*
 * The drawable in a hidden image of its own, with its effects applied: the
 * user's image must not change.  NULL when GIMP cannot.
 */
static GimpDrawable *
copy_with_effects (IsoluxSource *source)
{
  GimpImage        *owner = source->owner;
  GimpDrawable     *drawable = source->target->drawable;
  GimpColorProfile *profile;
  GimpLayer        *layer;

  source->copy = gimp_image_new_with_precision (
    gimp_drawable_get_width (drawable), gimp_drawable_get_height (drawable),
    gimp_image_get_base_type (owner),
    float_precision (gimp_image_get_precision (owner)));
  if (! source->copy)
    return NULL;
  gimp_image_undo_disable (source->copy);
  profile = gimp_image_get_color_profile (owner);
  if (profile)
    {
      gimp_image_set_color_profile (source->copy, profile);
      g_object_unref (profile);
    }

  layer = gimp_layer_new_from_drawable (drawable, source->copy);
  if (! layer || ! gimp_image_insert_layer (source->copy, layer, NULL, 0))
    return NULL;
  gimp_layer_set_offsets (layer, 0, 0);
  if (source->target->replaced)
    remove_windows (GIMP_DRAWABLE (layer));
  if (gimp_item_is_group (GIMP_ITEM (layer)))
    layer = gimp_group_layer_merge (GIMP_GROUP_LAYER (layer));
  if (! layer || ! gimp_drawable_merge_filters (GIMP_DRAWABLE (layer)))
    return NULL;
  return GIMP_DRAWABLE (layer);
}

static void
start_order (IsoluxSource *source)
{
  source->band = (gint) gimp_tile_height ();
  source->bands =
    (gint) ((source->image.height + source->band - 1) / source->band);
  source->step = 1;
  while (source->step * 8 < source->bands)
    source->step *= 2;
  source->stride = source->step;
  source->next = 0;
}

gboolean
isolux_source_open (IsoluxSource *source,
                    gboolean (*closing) (gpointer data),
                    gpointer data,
                    GError **error)
{
  GimpDrawable *drawable = source->target->drawable;

  isolux_gegl_init ();
  if (! gimp_image_is_valid (source->owner) ||
      ! gimp_item_is_valid (GIMP_ITEM (drawable)))
    {
      g_set_error_literal (error, ISOLUX_TARGET_ERROR,
                           ISOLUX_TARGET_ERROR_FOREIGN,
                           _("The drawable does not belong to the image."));
      return FALSE;
    }
  if (! isolux_target_read_mask (source->target, source->owner, closing, data,
                                 error))
    return FALSE;

  source->profile = read_profile (source->owner);
  source->effects = count_effects (source->target);
  if (source->effects > 0)
    {
      drawable = copy_with_effects (source);
      if (! drawable)
        {
          isolux_source_close (source);
          g_set_error_literal (error, ISOLUX_TARGET_ERROR,
                               ISOLUX_TARGET_ERROR_MEMORY,
                               _("GIMP could not apply the effects below for "
                                 "the preview."));
          return FALSE;
        }
    }

  source->buffer = gimp_drawable_get_buffer (drawable);
  source->format =
    isolux_pixels_format (gegl_buffer_get_format (source->buffer),
                          &source->target->values, &source->image);
  source->image.width = gegl_buffer_get_width (source->buffer);
  source->image.height = gegl_buffer_get_height (source->buffer);
  isolux_format_weights (source->format, source->weights);
  start_order (source);
  return TRUE;
}

void
isolux_source_close (IsoluxSource *source)
{
  g_clear_object (&source->buffer);
  if (source->copy)
    gimp_image_delete (source->copy);
  source->copy = NULL;
}

/* ---- Reading ------------------------------------------------------ */

gboolean
isolux_source_next (IsoluxSource *source, gint64 *y, gint64 *rows)
{
  /* all multiples of the first step, then the odd ones of finer steps */
  while (source->next >= source->bands)
    {
      if (source->step == 1)
        return FALSE;
      source->stride = source->step;
      source->step /= 2;
      source->next = source->step;
    }

  *y = (gint64) source->next * source->band;
  *rows = MIN (source->band, source->image.height - *y);
  source->next += source->stride;
  return TRUE;
}

gboolean
isolux_source_read (IsoluxSource *source,
                    gint64        y,
                    gint64        rows,
                    gpointer      data,
                    gsize         stride)
{
  if (! source->copy &&
      ! gimp_item_is_valid (GIMP_ITEM (source->target->drawable)))
    return FALSE;
  gegl_buffer_get (source->buffer,
                   GEGL_RECTANGLE (0, (gint) y, (gint) source->image.width,
                                   (gint) rows),
                   1.0, source->format, data, (gint) stride, GEGL_ABYSS_NONE);
  return TRUE;
}

gboolean
isolux_source_fingerprint (GimpImage          *image,
                           const IsoluxTarget *target,
                           gdouble             print[8])
{
  GimpDrawable *drawable = target->drawable;
  gdouble       unused;

  if (! isolux_drawable_is_there (image, drawable))
    return FALSE;

  memset (print, 0, 8 * sizeof *print);
  for (gint i = 0; i < 3; i++)
    {
      GimpHistogramChannel channel = GIMP_HISTOGRAM_VALUE;

      if (gimp_drawable_is_rgb (drawable))
        channel = (GimpHistogramChannel) (GIMP_HISTOGRAM_RED + i);
      else if (i > 0)
        break;
      gimp_drawable_histogram (drawable, channel, 0.0, 1.0, print + 2 * i,
                               print + 2 * i + 1, &unused, print + 6, &unused,
                               &unused);
    }
  print[7] = gimp_drawable_get_width (drawable) * 65536.0 +
             gimp_drawable_get_height (drawable);
  return TRUE;
}
