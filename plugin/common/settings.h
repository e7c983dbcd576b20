/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settings.h: from the named parameters of an operation to the library's
 * options, once for the GEGL operations and the procedures.
 *
 * Parameters are properties of a GObject: a GEGL operation's, whose choices
 * are enums, or a GIMP procedure config's, whose choices are words.
 */
#ifndef ISOLUX_SETTINGS_H
#define ISOLUX_SETTINGS_H

#include <glib-object.h>

#include "isolux.h"
#include "real-values.h"

/*
 * isolux_settings_kind: the kind of "isolux:clahe", or -1
 */
gint isolux_settings_kind (const gchar *operation);

/*
 * isolux_settings_read:
 * @operation: (out): filled; nothing in it points into @object
 * @name: "isolux:clahe"
 * @object: has the parameters as properties
 * @weights: of the luma, of the image's space
 * @values: (nullable): what codes stand for: parameters in units (center,
 *   width, padding value) become codes; a padding value that the image has
 *   itself is left out when the parameters name none
 */
void isolux_settings_read (IsoluxOperation        *operation,
                           const gchar            *name,
                           GObject                *object,
                           const gdouble           weights[3],
                           const IsoluxRealValues *values);

/*
 * isolux_settings_leave_out: the code that an operation's surface has to
 * leave out (isolux_surface_leave_out()) before it runs: the image's padding,
 * for operations with statistics and without a parameter for it.
 * @name: "isolux:window"
 * @values: (nullable): what codes stand for
 * @code: (out): the code, or for floating point the value
 *
 * Returns: FALSE when there is none
 */
gboolean isolux_settings_leave_out (const gchar            *name,
                                    const IsoluxRealValues *values,
                                    gdouble                *code);

#endif /* ISOLUX_SETTINGS_H */
