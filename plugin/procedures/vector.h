/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vector.h: the vector of histograms of oriented gradients, for scripts.
 */
#ifndef ISOLUX_VECTOR_H
#define ISOLUX_VECTOR_H

#include "target.h"

/*
 * isolux_vector_add_arguments: "draw", "return-vector" and "vector-file",
 * and the return value "json".
 */
void isolux_vector_add_arguments (GimpProcedure *procedure);

/*
 * isolux_vector_wanted: whether the arguments ask for the vector.
 */
gboolean isolux_vector_wanted (GimpProcedureConfig *config);

/*
 * isolux_vector_make: computes it from the target's pixels, and writes the
 * file that the arguments name.
 * @json: (out): the vector as JSON, or %NULL when it was not asked for
 *
 * Returns: %FALSE and @error when that was not possible
 */
gboolean isolux_vector_make (const IsoluxTarget  *target,
                             GimpProcedureConfig *config,
                             gchar              **json,
                             GError             **error);

#endif /* ISOLUX_VECTOR_H */
