/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expression.h: conditions on an object's properties, as GIMP's editor of
 * GEGL operations reads them ("sensitive", "visible").
 *
 *   1                        yes; 0 is no
 *   use-padding-value        a boolean; a number that is not 0; a text that
 *                            is not empty (GIMP's editor takes booleans only)
 *   mode {window, range}     a text that is one of these words
 *   ! a, a & b, a | b, (a)   not, and, or; in this order of strength
 */
#ifndef ISOLUX_EXPRESSION_H
#define ISOLUX_EXPRESSION_H

#include <glib-object.h>

/*
 * isolux_expression_evaluate:
 * @expression: (nullable): NULL is yes
 * @object: whose properties are meant
 * @value: (out): what it is now; TRUE when it cannot be read
 *
 * Returns: FALSE when it cannot be read, or there is no such property
 */
gboolean isolux_expression_evaluate (const gchar *expression,
                                     GObject     *object,
                                     gboolean    *value);

#endif /* ISOLUX_EXPRESSION_H */
