/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog.h: the dialog of a procedure that applies an operation.
 */
#ifndef ISOLUX_DIALOG_H
#define ISOLUX_DIALOG_H

#include "target.h"

/*
 * isolux_dialog_run: lets people choose the settings, with histogram, image
 * and numbers before and after, and a preview on the canvas.  Leaves nothing
 * behind in the image.
 * @procedure: whose arguments they are
 * @name: of the procedure, for people, translated ("CLAHE")
 * @image: the image
 * @targets: what isolux_targets_look() gave; the first is looked at, the
 *   preview is on all of them
 * @effect: its configuration is what gets changed
 * @began: when the procedure was called, in microseconds of the monotonic
 *   clock
 *
 * Returns: whether OK was chosen
 */
gboolean isolux_dialog_run (GimpProcedure      *procedure,
                            const gchar        *name,
                            GimpImage          *image,
                            GPtrArray          *targets,
                            const IsoluxEffect *effect,
                            gint64              began);

/*
 * isolux_refusal_run: says why a procedure cannot work, and what to do.
 * @name: of the procedure, for people, translated
 * @drawables: (nullable): of the call, %NULL-terminated
 * @error: of isolux_targets_look()
 */
void isolux_refusal_run (const gchar   *name,
                         GimpImage     *image,
                         GimpDrawable **drawables,
                         const GError  *error);

#endif /* ISOLUX_DIALOG_H */
