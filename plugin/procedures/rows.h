/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.h: the rows of settings of an operation, made from its parameters.
 *
 * A number is a spin scale, a choice a label and a combo box, a boolean a
 * check button; two numbers that belong together have a chain.  Each row
 * ends in a button that resets it, seen when the value is not the default.
 * Everything is bound to the procedure's config, both ways: to change a
 * setting, set it there.
 *
 * What is shown and what can be changed follows from the properties'
 * "visible" and "sensitive" expressions (see parameters.h).
 */
#ifndef ISOLUX_ROWS_H
#define ISOLUX_ROWS_H

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

G_BEGIN_DECLS

#define ISOLUX_TYPE_ROWS (isolux_rows_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxRows, isolux_rows, ISOLUX, ROWS, GtkBox)

/*
 * isolux_rows_new: the rows of all visible parameters of an operation; those
 * marked "isolux-advanced" are in a closed expander at the end.
 * @procedure: whose arguments they are
 * @config: what they show and change; must have all of the parameters
 * @operation: "isolux:clahe"
 * @taken: (nullable): mnemonics not to be used, lower case; NULL: those of
 *   what is always in the dialog (Help, Reset, Cancel, OK, Presets, Preview
 *   on canvas, Merge filter, Measure), in the user's language
 *
 * Returns: an IsoluxRows, shown
 */
GtkWidget *isolux_rows_new (GimpProcedure       *procedure,
                            GimpProcedureConfig *config,
                            const gchar         *operation,
                            const gchar         *taken);

/* The same for any object that has the parameters as properties; for tests */
GtkWidget *isolux_rows_new_for (GObject     *config,
                                const gchar *operation,
                                const gchar *taken);

/*
 * isolux_rows_get_labels: the size group of the labels of choices outside of
 * "Advanced", for labels that are to be as wide; belongs to @rows
 */
GtkSizeGroup *isolux_rows_get_labels (IsoluxRows *rows);

/* The functions below take a parameter by its name ("tiles-x") and do
 * nothing when there is no row of it. */

/*
 * isolux_rows_get_widget: what takes the focus in a row: the spin scale, the
 * combo box or the check button; NULL when there is none
 */
GtkWidget *isolux_rows_get_widget (IsoluxRows *rows, const gchar *name);

/*
 * isolux_rows_set_note: a line below a row; for a chained pair, below both.
 * @text: (nullable): NULL or "" for none
 * @warning: whether it has an icon and is not dim
 */
void isolux_rows_set_note (IsoluxRows  *rows,
                           const gchar *name,
                           const gchar *text,
                           gboolean     warning);

/*
 * isolux_rows_set_unit: what a number is measured in, and what its scale
 * covers; any valid value can still be typed.
 * @unit: (nullable): shown in brackets; NULL or "" for none
 * @low, @high: the scale; clamped to the valid values; low >= high keeps it.
 *   One that begins below 0 is linear, without the property's gamma.
 */
void isolux_rows_set_unit (IsoluxRows  *rows,
                           const gchar *name,
                           const gchar *unit,
                           gdouble      low,
                           gdouble      high);

/*
 * isolux_rows_set_digits: how many decimal places a number shows, 0 to 9, and
 * its small step; step <= 0 keeps it
 */
void isolux_rows_set_digits (IsoluxRows  *rows,
                             const gchar *name,
                             gint         digits,
                             gdouble      step);

/*
 * isolux_rows_set_word_label: what one value of a choice reads, in place of
 * its own label ("Automatic (1,024)"); NULL for its own again
 */
void isolux_rows_set_word_label (IsoluxRows  *rows,
                                 const gchar *name,
                                 const gchar *word,
                                 const gchar *label);

/*
 * isolux_rows_set_usable: whether a row makes sense for this image, beside
 * what its own expression says.
 * @reason: (nullable): why not, shown as the tooltip; not used when @usable
 */
void isolux_rows_set_usable (IsoluxRows  *rows,
                             const gchar *name,
                             gboolean     usable,
                             const gchar *reason);

/*
 * isolux_rows_insert: puts a widget below a row and its note.  It is shown
 * as long as the row is.  Several ones keep their order.
 */
void
isolux_rows_insert (IsoluxRows *rows, const gchar *name, GtkWidget *widget);

/* isolux_rows_reset: all parameters of the operation to their defaults */
void isolux_rows_reset (IsoluxRows *rows);

/* isolux_rows_is_default: whether all of them have their defaults */
gboolean isolux_rows_is_default (IsoluxRows *rows);

/*
 * isolux_rows_get_mnemonics: all mnemonics in use, @taken's included, lower
 * case; belongs to @rows
 */
const gchar *isolux_rows_get_mnemonics (IsoluxRows *rows);

/* ---- Widgets for single operations (rows-extra.c) ---- */

/*
 * isolux_clip_units_new: CLAHE's clip limit in four programs' units
 */
GtkWidget *isolux_clip_units_new (void);

/*
 * isolux_clip_units_set:
 * @limit: a multiple of the mean, 0 = no limit
 * @bins: how many bins a tile's histogram has
 * @tile_pixels: how many pixels a tile has
 */
void isolux_clip_units_set (GtkWidget *units,
                            gdouble    limit,
                            gint       bins,
                            gdouble    tile_pixels);

/*
 * isolux_tissues_new: buttons for windows of CT images, width and level in
 * Hounsfield units; each sets "mode", "width" and "center" of @config, and
 * the one whose values they have is pressed.  The last one is the full range
 * of values, insensitive until it is known.
 */
GtkWidget *isolux_tissues_new (GimpProcedureConfig *config);
GtkWidget *isolux_tissues_new_for (GObject *config); /* for tests */

/* The values that the image really has */
void isolux_tissues_set_range (GtkWidget *tissues, gdouble low, gdouble high);

/* What a click on the @n-th one does, from 1 on.  Returns whether there is
 * such a button and it can be pressed. */
gboolean isolux_tissues_press (GtkWidget *tissues, gint n);

G_END_DECLS

#endif /* ISOLUX_ROWS_H */
