/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * operation.h: procedures that apply an operation to drawables.
 */
#ifndef ISOLUX_OPERATION_H
#define ISOLUX_OPERATION_H

#include <libgimp/gimp.h>

/* Arguments that all of them have beside the operation's own */
#define ISOLUX_NON_DESTRUCTIVE "non-destructive"
#define ISOLUX_AUDIT "audit"
#define ISOLUX_PREVIEW "preview"

/*
 * isolux_operation_names: the procedures' names, %NULL-terminated
 */
const gchar *const *isolux_operation_names (void);

/*
 * isolux_operation_create:
 *
 * Returns: the procedure; %NULL when @name is none of these
 */
GimpProcedure *isolux_operation_create (GimpPlugIn *plug_in, const gchar *name);

#endif /* ISOLUX_OPERATION_H */
