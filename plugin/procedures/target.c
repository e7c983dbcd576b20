/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * target.c: what an operation is to work on, checked, and how its filter
 * gets there.
 *
 * GIMP's calls that put a filter on a drawable return nothing and take what
 * they should not: locked layers, selections that lie beside the layer,
 * indexed images.  So everything is looked at before anything is done.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <isolux.h>
#include <string.h>

#include "audit.h"
#include "drawable-values.h"
#include "operation.h"
#include "target.h"

G_DEFINE_QUARK (isolux - target - error - quark, isolux_target_error)

void
isolux_gegl_init (void)
{
  static gboolean done = FALSE;
  gchar          *path;

  if (done)
    return;

  path = g_strdup (g_getenv ("GEGL_PATH"));
  g_setenv ("GEGL_PATH", "/nonexistent", TRUE);
  gegl_init (NULL, NULL);
  if (path)
    g_setenv ("GEGL_PATH", path, TRUE);
  else
    g_unsetenv ("GEGL_PATH");
  g_free (path);
  done = TRUE;
}

/* So many rows of a selection are read at once */
#define SOME_ROWS 128

/* ---- Checks ------------------------------------------------------- */

/* Whether an item's pixels are locked, by itself or by a group around it;
 * a layer mask shares its layer's lock. */
static gboolean
is_locked (GimpItem *item)
{
  if (GIMP_IS_LAYER_MASK (item))
    {
      GimpLayer *layer = gimp_layer_from_mask (GIMP_LAYER_MASK (item));

      if (gimp_item_get_lock_content (item))
        return TRUE;
      item = GIMP_ITEM (layer);
    }

  for (; item; item = gimp_item_get_parent (item))
    if (gimp_item_get_lock_content (item))
      return TRUE;

  return FALSE;
}

/* Layers without pixels of their own: what they show is made anew whenever
 * they change, so that merging a filter into them does nothing or is lost.
 * Link and vector layers came with GIMP 3.2. */
static gboolean
has_no_pixels (GimpDrawable *drawable)
{
  static const gchar *const names[] = { "GimpLinkLayer", "GimpVectorLayer" };

  if (gimp_item_is_group (GIMP_ITEM (drawable)))
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GType type = g_type_from_name (names[i]);

      if (type && g_type_is_a (G_OBJECT_TYPE (drawable), type))
        return TRUE;
    }

  return FALSE;
}

/* ---- Being there --------------------------------------------------- */

static gboolean
has_item (GimpItem **items, GimpItem *item)
{
  gboolean found = FALSE;

  for (gint i = 0; items && items[i] && ! found; i++)
    found = items[i] == item;
  g_free (items);
  return found;
}

gboolean
isolux_drawable_is_there (GimpImage *image, GimpDrawable *drawable)
{
  GimpItem *item = GIMP_ITEM (drawable);
  GimpItem *parent;

  if (! gimp_image_is_valid (image) || ! gimp_item_is_valid (item))
    return FALSE;
  if (GIMP_IS_LAYER_MASK (item))
    item = GIMP_ITEM (gimp_layer_from_mask (GIMP_LAYER_MASK (item)));
  while (item && (parent = gimp_item_get_parent (item)))
    item = parent;
  if (! item)
    return FALSE;
  return has_item (GIMP_IS_CHANNEL (item)
                     ? (GimpItem **) gimp_image_get_channels (image)
                     : (GimpItem **) gimp_image_get_layers (image),
                   item);
}

/* ---- Selections --------------------------------------------------- */

/* Whether a selection's component is more than nothing, by babl's name of
 * its type. */
static gboolean
is_selected (const guint8 *value, gsize size, const gchar *type)
{
  if (! strcmp (type, "float"))
    {
      gfloat number;

      memcpy (&number, value, sizeof number);
      return number > 0.0f;
    }
  if (! strcmp (type, "double"))
    {
      gdouble number;

      memcpy (&number, value, sizeof number);
      return number > 0.0;
    }
  if (! strcmp (type, "half"))
    {
      guint16 bits;

      memcpy (&bits, value, sizeof bits);
      return bits > 0 && bits <= 0x7c00;
    }

  for (gsize i = 0; i < size; i++)
    if (value[i])
      return TRUE;
  return FALSE;
}

/* Reads the selection over the target's box, in the format it is kept in:
 * even the faintest edge of it counts. */
static gboolean
read_selection (IsoluxTarget *target,
                GimpImage    *image,
                gboolean (*closing) (gpointer data),
                gpointer closing_data,
                GError **error)
{
  GimpSelection *selection = gimp_image_get_selection (image);
  GeglBuffer    *buffer;
  const Babl    *format;
  const gchar   *type;
  gsize          size;
  guint8        *row;
  gboolean       given_up = FALSE;
  gboolean       whole = TRUE;
  gint           x, y;

  isolux_gegl_init ();
  gimp_drawable_get_offsets (target->drawable, &x, &y);
  x += target->x;
  y += target->y;

  buffer = gimp_drawable_get_buffer (GIMP_DRAWABLE (selection));
  format = gegl_buffer_get_format (buffer);
  type = babl_get_name (babl_format_get_type (format, 0));
  size = babl_format_get_bytes_per_pixel (format);

  row = g_try_malloc_n (target->width, size);
  target->mask = g_try_malloc_n (target->height, target->width);
  if (! row || ! target->mask)
    {
      g_free (row);
      g_object_unref (buffer);
      g_set_error_literal (error, ISOLUX_TARGET_ERROR,
                           ISOLUX_TARGET_ERROR_MEMORY,
                           _("Not enough memory for the selection."));
      return FALSE;
    }

  for (gint i = 0; i < target->height && ! given_up; i++)
    {
      guint8 *mask = target->mask + (gsize) i * target->width;

      given_up = closing && i % SOME_ROWS == 0 && closing (closing_data);
      gegl_buffer_get (buffer, GEGL_RECTANGLE (x, y + i, target->width, 1), 1.0,
                       format, row, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (gint j = 0; j < target->width; j++)
        {
          mask[j] = is_selected (row + j * size, size, type) ? 255 : 0;
          whole = whole && mask[j];
        }
    }

  g_free (row);
  g_object_unref (buffer);
  if (whole || given_up)
    g_clear_pointer (&target->mask, g_free);
  return ! given_up;
}

gboolean
isolux_target_read_mask (IsoluxTarget *target,
                         GimpImage    *image,
                         gboolean (*closing) (gpointer data),
                         gpointer data,
                         GError **error)
{
  g_clear_pointer (&target->mask, g_free);
  return gimp_selection_is_empty (image) ||
         read_selection (target, image, closing, data, error);
}

/* ---- Targets ------------------------------------------------------ */

/* What the codes stand for; FALSE and @error when that cannot be read */
/* What codes stand for, and what has been lost of it, where the layer says so;
 * seen: only when no filter shows a picture instead of them */
static gboolean
take_values (IsoluxTarget *target, gboolean seen, GError **error)
{
  gchar *text = isolux_drawable_get_values_text (target->drawable);

  target->has_values =
    text && ! (seen && isolux_drawable_has_pictures (target->drawable));
  g_free (text);
  if (! target->has_values)
    return TRUE;
  target->error = isolux_drawable_describe_error (target->drawable);
  return isolux_drawable_get_values (target->drawable, &target->values, error);
}

static gboolean
read_values (IsoluxTarget *target, GError **error)
{
  isolux_real_values_init (&target->values);
  return take_values (target, TRUE, error);
}

gboolean
isolux_target_see_values (IsoluxTarget *target, GError **error)
{
  return target->has_values || take_values (target, FALSE, error);
}

gboolean
isolux_target_replace_windows (IsoluxTarget *target, GError **error)
{
  GPtrArray *windows;

  if (target->has_values || ! target->is_layer || target->replaced)
    return TRUE;
  windows = isolux_drawable_get_windows (target->drawable);
  if (! windows)
    return TRUE;
  target->replaced = windows;
  return isolux_target_see_values (target, error);
}

/* Whether an operation, merged, leaves values what they are: a gray layer made
 * gray */
static gboolean
keeps_values (const IsoluxTarget *target, const gchar *operation)
{
  return ! strcmp (operation, "isolux:grayscale") &&
         gimp_drawable_is_gray (target->drawable);
}

void
isolux_target_clear_way (const IsoluxTarget *target, const gchar *operation)
{
  GPtrArray *windows = NULL;

  /* GIMP would merge below the window, which would then show a picture as if
   * it were values */
  if (target->merge && target->is_layer && ! target->replaced &&
      ! keeps_values (target, operation))
    windows = isolux_drawable_get_windows (target->drawable);
  if (windows)
    {
      gimp_drawable_merge_filters (target->drawable);
      g_ptr_array_unref (windows);
    }

  for (guint i = 0; target->replaced && i < target->replaced->len; i++)
    if (gimp_drawable_filter_is_valid (target->replaced->pdata[i]))
      gimp_drawable_filter_delete (target->replaced->pdata[i]);
}

/* All but the mask */
static IsoluxTarget *
target_look (GimpImage *image, GimpDrawable *drawable, GError **error)
{
  GimpItem     *item = GIMP_ITEM (drawable);
  IsoluxTarget *target;
  gchar        *name;

  if (! gimp_item_is_valid (item) || gimp_item_get_image (item) != image)
    {
      g_set_error_literal (error, ISOLUX_TARGET_ERROR,
                           ISOLUX_TARGET_ERROR_FOREIGN,
                           _("The drawable does not belong to the image."));
      return NULL;
    }

  name = gimp_item_get_name (item);

  if (! gimp_drawable_is_rgb (drawable) && ! gimp_drawable_is_gray (drawable))
    {
      g_set_error_literal (error, ISOLUX_TARGET_ERROR,
                           ISOLUX_TARGET_ERROR_INDEXED,
                           _("Images with indexed colors are not supported. "
                             "Convert the image to RGB or grayscale first."));
      g_free (name);
      return NULL;
    }

  if (GIMP_IS_SELECTION (item))
    {
      g_set_error_literal (error, ISOLUX_TARGET_ERROR,
                           ISOLUX_TARGET_ERROR_SELECTION,
                           _("The selection itself cannot be worked on. "
                             "Save it to a channel first."));
      g_free (name);
      return NULL;
    }

  target = g_new0 (IsoluxTarget, 1);
  target->drawable = drawable;
  target->is_layer = gimp_item_is_layer (item);
  target->has_pixels = ! has_no_pixels (drawable);

  if (! gimp_drawable_mask_intersect (drawable, &target->x, &target->y,
                                      &target->width, &target->height))
    {
      if (gimp_selection_is_empty (image)) /* never put into the image */
        g_set_error_literal (error, ISOLUX_TARGET_ERROR,
                             ISOLUX_TARGET_ERROR_FOREIGN,
                             _("The drawable does not belong to the image."));
      else
        g_set_error (error, ISOLUX_TARGET_ERROR, ISOLUX_TARGET_ERROR_OUTSIDE,
                     _("The selection does not touch \"%s\"."), name);
    }
  else if (read_values (target, error))
    {
      g_free (name);
      return target;
    }

  g_free (name);
  isolux_target_free (target);
  return NULL;
}

IsoluxTarget *
isolux_target_new (GimpImage *image, GimpDrawable *drawable, GError **error)
{
  IsoluxTarget *target = target_look (image, drawable, error);

  if (target && ! isolux_target_read_mask (target, image, NULL, NULL, error))
    g_clear_pointer (&target, isolux_target_free);
  return target;
}

void
isolux_target_free (IsoluxTarget *target)
{
  g_free (target->mask);
  g_free (target->error);
  g_clear_pointer (&target->replaced, g_ptr_array_unref);
  g_free (target);
}

static IsoluxTarget *
check_writable (GimpImage    *image,
                GimpDrawable *drawable,
                gboolean      non_destructive,
                gboolean      strict,
                GError      **error)
{
  IsoluxTarget *target = target_look (image, drawable, error);
  gchar        *name;

  if (! target)
    return NULL;

  name = gimp_item_get_name (GIMP_ITEM (drawable));

  if (is_locked (GIMP_ITEM (drawable)))
    g_set_error (error, ISOLUX_TARGET_ERROR, ISOLUX_TARGET_ERROR_LOCKED,
                 _("The pixels of \"%s\" are locked."), name);
  else if (non_destructive && strict && ! target->is_layer)
    g_set_error (error, ISOLUX_TARGET_ERROR, ISOLUX_TARGET_ERROR_NO_FILTER,
                 _("\"%s\" is a channel or a mask, which cannot keep a "
                   "filter: it can only be merged."),
                 name);
  else
    {
      target->merge = ! target->is_layer ||
                      (! non_destructive && target->has_pixels);
      g_free (name);
      return target;
    }

  g_free (name);
  isolux_target_free (target);
  return NULL;
}

static gboolean
has_drawable (GPtrArray *targets, GimpDrawable *drawable)
{
  for (guint i = 0; i < targets->len; i++)
    if (((IsoluxTarget *) targets->pdata[i])->drawable == drawable)
      return TRUE;
  return FALSE;
}

static GPtrArray *
look (GimpImage     *image,
      GimpDrawable **drawables,
      gboolean       non_destructive,
      gboolean       strict,
      GError       **error)
{
  GPtrArray *targets;

  if (! drawables || ! drawables[0])
    {
      g_set_error_literal (error, ISOLUX_TARGET_ERROR, ISOLUX_TARGET_ERROR_NONE,
                           _("There is no layer, channel or mask to work "
                             "on."));
      return NULL;
    }

  targets =
    g_ptr_array_new_with_free_func ((GDestroyNotify) isolux_target_free);
  for (; *drawables; drawables++)
    {
      IsoluxTarget *target;

      if (has_drawable (targets, *drawables))
        continue;

      target =
        check_writable (image, *drawables, non_destructive, strict, error);
      if (! target)
        {
          g_ptr_array_unref (targets);
          return NULL;
        }
      g_ptr_array_add (targets, target);
    }
  return targets;
}

GPtrArray *
isolux_targets_look (GimpImage     *image,
                     GimpDrawable **drawables,
                     gboolean       non_destructive,
                     GError       **error)
{
  return look (image, drawables, non_destructive, FALSE, error);
}

GPtrArray *
isolux_targets_new (GimpImage     *image,
                    GimpDrawable **drawables,
                    gboolean       non_destructive,
                    gboolean       strict,
                    GError       **error)
{
  GPtrArray *targets = look (image, drawables, non_destructive, strict, error);

  for (guint i = 0; targets && i < targets->len; i++)
    if (! isolux_target_read_mask (targets->pdata[i], image, NULL, NULL, error))
      g_clear_pointer (&targets, g_ptr_array_unref);
  return targets;
}

/* ---- Filters ------------------------------------------------------ */

static gboolean
has_property (GObject *object, const gchar *name)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (object), name) !=
         NULL;
}

gboolean
isolux_filter_set (GimpDrawableFilter *filter,
                   const IsoluxEffect *effect,
                   GError            **error)
{
  GObject *settings = G_OBJECT (gimp_drawable_filter_get_config (filter));
  const IsoluxParameter *parameter = isolux_parameters (effect->operation);

  for (; parameter->name; parameter++)
    {
      GValue value = G_VALUE_INIT;

      if (! has_property (settings, parameter->name))
        {
          g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                       _("The installed operation \"%s\" is of another "
                         "version: it has no \"%s\"."),
                       effect->operation, parameter->name);
          return FALSE;
        }
      g_object_get_property (G_OBJECT (effect->config), parameter->name,
                             &value);
      g_object_set_property (settings, parameter->name, &value);
      g_value_unset (&value);
    }
  return TRUE;
}

/* Tells the operation the selection: what GIMP shows it depends on the place
 * in the stack of filters, and changes when the image is loaded again. */
static gboolean
set_selection (GimpDrawableFilter *filter,
               const IsoluxTarget *target,
               const IsoluxEffect *effect,
               GError            **error)
{
  GObject *settings = G_OBJECT (gimp_drawable_filter_get_config (filter));
  gchar   *text;

  if (! has_property (settings, "roi"))
    return TRUE;

  text = isolux_selection_to_string (target->width, target->height,
                                     target->mask, target->width, error);
  if (! text)
    return FALSE;
  g_object_set (settings, "roi", text, NULL);
  g_free (text);
  return TRUE;
}

/* Tells the operation what the layer's codes stand for, as it was stored: the
 * precision may change again */
static void
set_values (GimpDrawableFilter *filter, const IsoluxTarget *target)
{
  GObject         *settings;
  IsoluxRealValues values;
  gchar           *text;

  settings = G_OBJECT (gimp_drawable_filter_get_config (filter));
  if (! target->has_values || ! has_property (settings, "values"))
    return;

  text = isolux_drawable_get_values_text (target->drawable);
  isolux_real_values_parse (text, &values);
  g_free (text);
  text = isolux_real_values_to_text (&values);
  g_object_set (settings, "values", text, NULL);
  g_free (text);
}

/* Tells the operation what the layer's values are: over another filter GIMP
 * shows it linear floats. */
static void
set_encoding (GimpDrawableFilter *filter, const IsoluxTarget *target)
{
  GObject     *settings = G_OBJECT (gimp_drawable_filter_get_config (filter));
  const gchar *nick;

  if (! GIMP_IS_LAYER (target->drawable) ||
      ! has_property (settings, "encoding"))
    return;

  switch (gimp_image_get_precision (
    gimp_item_get_image (GIMP_ITEM (target->drawable))))
    {
      case GIMP_PRECISION_U8_LINEAR:
      case GIMP_PRECISION_U16_LINEAR:
      case GIMP_PRECISION_U32_LINEAR:
      case GIMP_PRECISION_HALF_LINEAR:
      case GIMP_PRECISION_FLOAT_LINEAR:
      case GIMP_PRECISION_DOUBLE_LINEAR:
        nick = "linear";
        break;
      case GIMP_PRECISION_U8_PERCEPTUAL:
      case GIMP_PRECISION_U16_PERCEPTUAL:
      case GIMP_PRECISION_U32_PERCEPTUAL:
      case GIMP_PRECISION_HALF_PERCEPTUAL:
      case GIMP_PRECISION_FLOAT_PERCEPTUAL:
      case GIMP_PRECISION_DOUBLE_PERCEPTUAL:
        nick = "perceptual";
        break;
      default:
        nick = "non-linear";
        break;
    }
  g_object_set (settings, "encoding", nick, NULL);
}

GimpDrawableFilter *
isolux_target_filter (const IsoluxTarget *target,
                      const IsoluxEffect *effect,
                      GError            **error)
{
  GimpDrawableFilter *filter = gimp_drawable_filter_new (target->drawable,
                                                         effect->operation,
                                                         effect->title);

  if (! filter)
    {
      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("GIMP does not know the operation \"%s\". Is all of "
                     "Isolux installed?"),
                   effect->operation);
      return NULL;
    }

  if (! isolux_filter_set (filter, effect, error) ||
      ! set_selection (filter, target, effect, error))
    {
      gimp_drawable_filter_delete (filter);
      return NULL;
    }
  set_values (filter, target);
  set_encoding (filter, target);
  return filter;
}

/* Merged values are a picture */
static void
lose_values (const IsoluxTarget *target, const IsoluxEffect *effect)
{
  GimpItem *item = GIMP_ITEM (target->drawable);
  gchar    *reason, *text;

  if (keeps_values (target, effect->operation))
    return;

  reason =
    g_strdup_printf (_("%s: the values have become a picture"), effect->title);
  text = isolux_drawable_get_values_text (target->drawable);
  if (text && target->is_layer)
    {
      gchar *name = gimp_item_get_name (item);
      gchar *said = g_strdup_printf ("%s (%s)", name, effect->title);

      gimp_item_set_name (item, said);
      g_free (said);
      g_free (name);
    }
  g_free (text);
  isolux_drawable_lose_values (target->drawable, reason);
  g_free (reason);
}

gboolean
isolux_targets_apply (GimpImage          *image,
                      GPtrArray          *targets,
                      const IsoluxEffect *effect,
                      GError            **error)
{
  GPtrArray *filters = g_ptr_array_new ();
  gboolean   audit;

  g_object_get (effect->config, ISOLUX_AUDIT, &audit, NULL);

  /* what can fail comes first */
  for (guint i = 0; i < targets->len; i++)
    {
      GimpDrawableFilter *filter =
        isolux_target_filter (targets->pdata[i], effect, error);

      if (! filter)
        {
          for (guint j = 0; j < filters->len; j++)
            gimp_drawable_filter_delete (filters->pdata[j]);
          g_ptr_array_unref (filters);
          return FALSE;
        }
      g_ptr_array_add (filters, filter);
    }

  gimp_image_undo_group_start (image);
  for (guint i = 0; i < targets->len; i++)
    {
      IsoluxTarget *target = targets->pdata[i];

      isolux_target_clear_way (target, effect->operation);
      if (target->merge)
        {
          gchar *input = audit ? isolux_audit_begin (target) : NULL;

          gimp_drawable_merge_filter (target->drawable, filters->pdata[i]);
          if (input)
            isolux_audit_end (target, effect, input);
          lose_values (target, effect);
        }
      else
        gimp_drawable_append_filter (target->drawable, filters->pdata[i]);
    }
  gimp_image_undo_group_end (image);
  gimp_displays_flush ();

  g_ptr_array_unref (filters);
  return TRUE;
}
