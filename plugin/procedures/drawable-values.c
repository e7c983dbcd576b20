/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drawable-values.c: what the codes of a drawable stand for.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "drawable-values.h"
#include "json.h"

/* GIMP's own, of image files */
#define COMMENT_PARASITE "gimp-comment"

/* The keys that tell what codes stand for; others stay when they are lost */
static const gchar *const value_keys[] = { "slope",   "intercept", "unit",
                                           "padding", "bits",      "window",
                                           "codes",   "precision" };

gdouble
isolux_drawable_get_codes (GimpDrawable *drawable)
{
  switch (gimp_image_get_precision (gimp_item_get_image (GIMP_ITEM (drawable))))
    {
      case GIMP_PRECISION_U8_LINEAR:
      case GIMP_PRECISION_U8_NON_LINEAR:
      case GIMP_PRECISION_U8_PERCEPTUAL:
        return 255.0;
      case GIMP_PRECISION_U16_LINEAR:
      case GIMP_PRECISION_U16_NON_LINEAR:
      case GIMP_PRECISION_U16_PERCEPTUAL:
        return 65535.0;
      default:
        return 1.0;
    }
}

const gchar *
isolux_drawable_get_precision (GimpDrawable *drawable)
{
  GEnumClass *klass = g_type_class_ref (GIMP_TYPE_PRECISION);
  GEnumValue *value =
    g_enum_get_value (klass, (gint) gimp_image_get_precision (
                               gimp_item_get_image (GIMP_ITEM (drawable))));

  /* GIMP's types stay for good */
  g_type_class_unref (klass);
  return value ? value->value_nick : "";
}

static gchar *
take_text (GimpParasite *parasite)
{
  const gchar *data;
  guint32      size;
  gchar       *text;

  if (! parasite)
    return NULL;
  data = gimp_parasite_get_data (parasite, &size);
  text = g_strndup (data, size);
  gimp_parasite_free (parasite);
  return text;
}

/* The image's are those of its layers, not of masks and channels */
gchar *
isolux_drawable_get_values_text (GimpDrawable *drawable)
{
  GimpItem *item = GIMP_ITEM (drawable);
  gchar    *text =
    take_text (gimp_item_get_parasite (item, ISOLUX_VALUES_PARASITE));

  if (! text && gimp_item_is_layer (item))
    text = take_text (gimp_image_get_parasite (gimp_item_get_image (item),
                                               ISOLUX_VALUES_PARASITE));
  return text;
}

gboolean
isolux_drawable_get_values (GimpDrawable     *drawable,
                            IsoluxRealValues *values,
                            GError          **error)
{
  gchar   *text = isolux_drawable_get_values_text (drawable);
  gboolean good = isolux_real_values_parse (text, values);

  g_free (text);
  if (good)
    {
      isolux_real_values_fit (values, isolux_drawable_get_precision (drawable));
    }
  else
    {
      gchar *name = gimp_item_get_name (GIMP_ITEM (drawable));

      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("What is stored with \"%s\" about its units cannot be "
                     "read, so numbers could mean anything. Give it anew, or "
                     "clear it, with Filters > Isolux > Set Values."),
                   name);
      g_free (name);
    }
  return good;
}

gchar *
isolux_drawable_describe_error (GimpDrawable *drawable)
{
  gchar           *text = isolux_drawable_get_values_text (drawable);
  gchar           *words = NULL;
  IsoluxRealValues values;

  if (text && isolux_real_values_parse (text, &values))
    words = isolux_real_values_describe_error (
      &values, isolux_drawable_get_precision (drawable));
  g_free (text);
  return words;
}

void
isolux_drawable_set_values (GimpDrawable *drawable, const gchar *text)
{
  GimpItem     *item = GIMP_ITEM (drawable);
  GimpParasite *parasite;

  if (! text)
    {
      gimp_item_detach_parasite (item, ISOLUX_VALUES_PARASITE);
      parasite = gimp_image_get_parasite (gimp_item_get_image (item),
                                          ISOLUX_VALUES_PARASITE);
      if (! parasite)
        return;
      gimp_parasite_free (parasite);
      text = "slope=1\nintercept=0\n";
    }

  parasite =
    gimp_parasite_new (ISOLUX_VALUES_PARASITE,
                       GIMP_PARASITE_PERSISTENT | GIMP_PARASITE_UNDOABLE,
                       (guint32) strlen (text) + 1, text);
  gimp_item_attach_parasite (item, parasite);
  gimp_parasite_free (parasite);
}

gboolean
isolux_drawable_has_pictures (GimpDrawable *drawable)
{
  GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);
  gboolean             found = FALSE;

  for (gint i = 0; filters && filters[i] && ! found; i++)
    if (gimp_drawable_filter_get_visible (filters[i]))
      {
        gchar *name = gimp_drawable_filter_get_operation_name (filters[i]);

        found = name && g_str_has_prefix (name, "isolux:");
        g_free (name);
      }
  g_free (filters);
  return found;
}

static gboolean
is_window_of_values (GimpDrawableFilter *filter)
{
  GObject *config = G_OBJECT (gimp_drawable_filter_get_config (filter));
  gchar   *name = gimp_drawable_filter_get_operation_name (filter);
  gchar   *text = NULL;
  gboolean is;

  if (! g_strcmp0 (name, "isolux:window"))
    g_object_get (config, "values", &text, NULL);
  is = text && *text;
  g_free (text);
  g_free (name);
  return is;
}

GPtrArray *
isolux_drawable_get_windows (GimpDrawable *drawable)
{
  GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);
  GPtrArray           *windows = g_ptr_array_new ();

  for (gint i = 0; filters && filters[i]; i++)
    {
      gchar *name = gimp_drawable_filter_get_operation_name (filters[i]);

      if (gimp_drawable_filter_get_visible (filters[i]) && name &&
          g_str_has_prefix (name, "isolux:"))
        {
          if (windows && is_window_of_values (filters[i]))
            g_ptr_array_add (windows, filters[i]);
          else
            g_clear_pointer (&windows, g_ptr_array_unref);
        }
      g_free (name);
    }
  g_free (filters);
  if (windows && windows->len == 0)
    g_clear_pointer (&windows, g_ptr_array_unref);
  return windows;
}

void
isolux_drawable_lose_values (GimpDrawable *drawable, const gchar *reason)
{
  gchar *text = isolux_drawable_get_values_text (drawable);
  gchar *error, *loss, *all;

  if (! text)
    return;
  error = isolux_drawable_describe_error (drawable);

  for (gsize i = 0; i < G_N_ELEMENTS (value_keys); i++)
    {
      gchar *less = isolux_real_values_set_key (text, value_keys[i], NULL);

      g_free (text);
      text = less;
    }
  loss = isolux_real_values_get_key (text, "loss");
  all = g_strdup_printf ("%s%s%s%s%s", loss ? loss : "",
                         loss && *loss ? "; " : "", error ? error : "",
                         error ? "; " : "", reason);
  g_free (error);
  g_free (loss);
  loss = isolux_real_values_set_key (text, "loss", all);
  isolux_drawable_set_values (drawable, loss);
  g_free (loss);
  g_free (all);
  g_free (text);
}

/* ---- Comments ----------------------------------------------------- */

gboolean
isolux_image_adopt_comment (GimpImage *image)
{
  gchar *text = take_text (gimp_image_get_parasite (image, COMMENT_PARASITE));
  IsoluxRealValues values;
  GimpParasite    *parasite;
  gboolean good = text && g_str_has_prefix (text, ISOLUX_VALUES_COMMENT) &&
                  isolux_real_values_parse (text, &values);

  if (good)
    {
      parasite =
        gimp_parasite_new (ISOLUX_VALUES_PARASITE,
                           GIMP_PARASITE_PERSISTENT | GIMP_PARASITE_UNDOABLE,
                           (guint32) strlen (text) + 1, text);
      gimp_image_attach_parasite (image, parasite);
      gimp_parasite_free (parasite);
      gimp_image_detach_parasite (image, COMMENT_PARASITE);
    }
  g_free (text);
  return good;
}

/* ---- Statistics --------------------------------------------------- */

gboolean
isolux_values_leave_out (const IsoluxRealValues *values,
                         IsoluxSurface          *surface,
                         GError                **error)
{
  return ! values->has_padding ||
         isolux_surface_leave_out (
           surface, isolux_real_values_to_whole_code (values, values->padding),
           values->tolerance, error);
}

void
isolux_values_to_json (const IsoluxRealValues *values, JsonBuilder *builder)
{
  isolux_json_text (builder, "unit", values->unit);
  isolux_json_number (builder, "slope", values->slope);
  isolux_json_number (builder, "intercept", values->intercept);
  if (values->has_padding)
    isolux_json_number (builder, "padding", values->padding);
}
