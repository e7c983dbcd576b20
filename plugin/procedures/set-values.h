/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * set-values.h: the procedure that says what the codes of drawables stand
 * for, for files that do not say it themselves.
 */
#ifndef ISOLUX_SET_VALUES_H
#define ISOLUX_SET_VALUES_H

#include <libgimp/gimp.h>

#define ISOLUX_SET_VALUES_PROCEDURE "plug-in-isolux-set-values"

GimpProcedure *isolux_set_values_create (GimpPlugIn *plug_in);

/*
 * isolux_set_values_of_kind: says what layers of a fresh file stand for.
 * @layers: %NULL-terminated
 * @kind: a word of the procedure's "kind" that needs no other argument
 *
 * Returns: FALSE and @error, in words; nothing is changed then
 */
gboolean isolux_set_values_of_kind (GimpDrawable **layers,
                                    const gchar   *kind,
                                    GError       **error);

#endif /* ISOLUX_SET_VALUES_H */
