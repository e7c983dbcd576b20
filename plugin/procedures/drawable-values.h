/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drawable-values.h: what the codes of a drawable stand for: the parasite
 * "isolux-values" of a layer, or else of its image (see real-values.h).
 */
#ifndef ISOLUX_DRAWABLE_VALUES_H
#define ISOLUX_DRAWABLE_VALUES_H

#include <libgimp/gimp.h>
#include <json-glib/json-glib.h>

#include "isolux.h"
#include "real-values.h"

/*
 * isolux_drawable_get_codes: the largest code of a drawable: 255, 65535, or 1
 * for floating point and 32-bit integers, which the library sees as such.
 */
gdouble isolux_drawable_get_codes (GimpDrawable *drawable);

/* isolux_drawable_get_precision: GIMP's word, "u16-non-linear" */
const gchar *isolux_drawable_get_precision (GimpDrawable *drawable);

/*
 * isolux_drawable_describe_error: what the values have lost since the user
 * changed the precision of the image.
 *
 * Returns: (transfer full) (nullable): sentences; %NULL when nothing is lost
 */
gchar *isolux_drawable_describe_error (GimpDrawable *drawable);

/*
 * isolux_drawable_get_values: for the codes that the drawable's pixels are
 * read as, see isolux_pixels_format().
 * @values: (out): filled, with those of isolux_real_values_init() when there
 *   are none
 *
 * Returns: FALSE and @error, in words, when the parasite is damaged
 */
gboolean isolux_drawable_get_values (GimpDrawable     *drawable,
                                     IsoluxRealValues *values,
                                     GError          **error);

/*
 * isolux_drawable_get_values_text: the parasite itself.
 *
 * Returns: (transfer full) (nullable): %NULL when there is none
 */
gchar *isolux_drawable_get_values_text (GimpDrawable *drawable);

/*
 * isolux_drawable_set_values: attaches the parasite to the drawable, which
 * can be undone.
 * @text: (nullable): %NULL takes it away; codes are then codes, even if the
 *   image has a parasite
 */
void isolux_drawable_set_values (GimpDrawable *drawable, const gchar *text);

/*
 * isolux_drawable_has_pictures: whether one of Isolux' filters that is
 * visible lies on the drawable: what comes out of it has no unit any more.
 */
gboolean isolux_drawable_has_pictures (GimpDrawable *drawable);

/*
 * isolux_drawable_get_windows: the visible filters isolux:window that are told
 * what codes stand for.
 *
 * Returns: (transfer full) (nullable): the filters, GIMP's own; %NULL when
 *   there is none, or another of Isolux' filters is visible
 */
GPtrArray *isolux_drawable_get_windows (GimpDrawable *drawable);

/*
 * isolux_drawable_lose_values: to be called after pixels have become a
 * picture: takes the units away and says why in the parasite's "loss".  Does
 * nothing to a drawable without a parasite.
 * @reason: one line, for people
 */
void isolux_drawable_lose_values (GimpDrawable *drawable, const gchar *reason);

/* The first line of a file's comment that says what its codes stand for */
#define ISOLUX_VALUES_COMMENT "# isolux-values"

/*
 * isolux_image_adopt_comment: makes what a file's comment says the image's
 * parasite, and takes the comment away, so that it does not go into files
 * that are saved later, whose values may be others.
 *
 * Returns: FALSE when the comment is another one, or damaged
 */
gboolean isolux_image_adopt_comment (GimpImage *image);

/*
 * isolux_values_leave_out: takes padding out of what counts in a
 * surface of the drawable's pixels.
 */
gboolean isolux_values_leave_out (const IsoluxRealValues *values,
                                  IsoluxSurface          *surface,
                                  GError                **error);

/*
 * isolux_values_to_json: members "unit", "slope" and "intercept", and
 * "padding" when there is one, of the object that is being built.
 */
void
isolux_values_to_json (const IsoluxRealValues *values, JsonBuilder *builder);

#endif /* ISOLUX_DRAWABLE_VALUES_H */
