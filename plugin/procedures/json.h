/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json.h: what the procedures that return JSON share.
 */
#ifndef ISOLUX_JSON_H
#define ISOLUX_JSON_H

#include <json-glib/json-glib.h>

/* Members of the object that is being built */
void
isolux_json_text (JsonBuilder *builder, const gchar *name, const gchar *value);
void
isolux_json_integer (JsonBuilder *builder, const gchar *name, gint64 value);
void
isolux_json_boolean (JsonBuilder *builder, const gchar *name, gboolean value);

/* null when it is not finite, for which JSON has no word */
void
isolux_json_number (JsonBuilder *builder, const gchar *name, gdouble value);

/*
 * isolux_json_end: the text of what was built; frees the builder.
 */
gchar *isolux_json_end (JsonBuilder *builder);

#endif /* ISOLUX_JSON_H */
