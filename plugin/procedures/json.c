/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json.c: what the procedures that return JSON share.
 */
#include <math.h>

#include "json.h"

void
isolux_json_text (JsonBuilder *builder, const gchar *name, const gchar *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

void
isolux_json_integer (JsonBuilder *builder, const gchar *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

void
isolux_json_boolean (JsonBuilder *builder, const gchar *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

void
isolux_json_number (JsonBuilder *builder, const gchar *name, gdouble value)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

gchar *
isolux_json_end (JsonBuilder *builder)
{
  JsonNode *root = json_builder_get_root (builder);
  gchar    *text = json_to_string (root, FALSE);

  json_node_unref (root);
  g_object_unref (builder);
  return text;
}
