/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * audit.c: records of what was done to pixels.
 */
#include <libgimp/gimp.h>
#include <string.h>

#include "audit.h"
#include "json.h"
#include "pixels.h"

static void
add_parameters (JsonBuilder *builder, const IsoluxEffect *effect)
{
  GObject               *config = G_OBJECT (effect->config);
  const IsoluxParameter *parameter = isolux_parameters (effect->operation);

  json_builder_set_member_name (builder, "parameters");
  json_builder_begin_object (builder);
  for (; parameter->name; parameter++)
    {
      gchar   *text;
      gdouble  number;
      gint     integer;
      gboolean flag;

      switch (parameter->type)
        {
          case ISOLUX_PARAMETER_CHOICE:
            g_object_get (config, parameter->name, &text, NULL);
            isolux_json_text (builder, parameter->name, text);
            g_free (text);
            break;

          case ISOLUX_PARAMETER_DOUBLE:
            g_object_get (config, parameter->name, &number, NULL);
            isolux_json_number (builder, parameter->name, number);
            break;

          case ISOLUX_PARAMETER_INT:
            g_object_get (config, parameter->name, &integer, NULL);
            isolux_json_integer (builder, parameter->name, integer);
            break;

          case ISOLUX_PARAMETER_BOOLEAN:
            g_object_get (config, parameter->name, &flag, NULL);
            isolux_json_boolean (builder, parameter->name, flag);
            break;
        }
    }
  json_builder_end_object (builder);
}

static void
add_area (JsonBuilder *builder, const IsoluxTarget *target)
{
  const gint area[] = { target->x, target->y, target->width, target->height };
  gchar     *checksum;

  json_builder_set_member_name (builder, "area");
  json_builder_begin_array (builder);
  for (guint i = 0; i < G_N_ELEMENTS (area); i++)
    json_builder_add_int_value (builder, area[i]);
  json_builder_end_array (builder);

  if (! target->mask)
    return;
  checksum =
    g_compute_checksum_for_data (G_CHECKSUM_SHA256, target->mask,
                                 (gsize) target->width * target->height);
  isolux_json_text (builder, "mask", checksum);
  g_free (checksum);
}

/* What the numbers among the parameters are counted in */
static void
add_values (JsonBuilder *builder, const IsoluxTarget *target)
{
  gchar *text;

  if (! target->has_values)
    return;
  text = isolux_real_values_to_text (&target->values);
  isolux_json_text (builder, "values", text);
  g_free (text);
}

static void
add_device (JsonBuilder *builder)
{
  IsoluxDevice    *device = isolux_device_get_default ();
  IsoluxDeviceInfo info;
  gboolean         cuda;

  cuda = isolux_device_wait (device) == ISOLUX_BACKEND_CUDA;
  isolux_device_get_info (device, &info);
  isolux_json_text (builder, "version", isolux_version ());
  isolux_json_text (builder, "backend", cuda ? "cuda" : "cpu");
  isolux_json_text (builder, "device", cuda ? info.cuda_name : "CPU");
}

static void
add_format (JsonBuilder *builder, GimpDrawable *drawable)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);

  isolux_json_integer (builder, "width", gegl_buffer_get_width (buffer));
  isolux_json_integer (builder, "height", gegl_buffer_get_height (buffer));
  isolux_json_text (builder, "format",
                    babl_format_get_encoding (gegl_buffer_get_format (buffer)));
  g_object_unref (buffer);
}

gchar *
isolux_audit_begin (const IsoluxTarget *target)
{
  return isolux_drawable_sha256 (target->drawable);
}

void
isolux_audit_end (const IsoluxTarget *target,
                  const IsoluxEffect *effect,
                  gchar              *input)
{
  JsonBuilder  *builder = json_builder_new ();
  gchar        *output = isolux_drawable_sha256 (target->drawable);
  GimpParasite *parasite;
  gchar        *text;

  json_builder_begin_object (builder);
  isolux_json_text (builder, "operation", effect->operation);
  add_parameters (builder, effect);
  add_area (builder, target);
  add_values (builder, target);
  add_device (builder);
  add_format (builder, target->drawable);
  isolux_json_text (builder, "input", input);
  isolux_json_text (builder, "output", output);
  json_builder_end_object (builder);
  text = isolux_json_end (builder);

  parasite =
    gimp_parasite_new (ISOLUX_AUDIT_PARASITE,
                       GIMP_PARASITE_PERSISTENT | GIMP_PARASITE_UNDOABLE,
                       (guint32) strlen (text) + 1, text);
  gimp_item_attach_parasite (GIMP_ITEM (target->drawable), parasite);
  gimp_parasite_free (parasite);
  g_free (text);
  g_free (output);
  g_free (input);
}
