/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog.h: the dialog of a procedure that applies an operation.
 */
#ifndef ISOLUX_DIALOG_H
#define ISOLUX_DIALOG_H

#include "target.h"

/*
 * isolux_dialog_run: lets people choose the settings, with a preview on the
 * canvas.  Leaves nothing behind in the image.
 * @procedure: whose arguments they are
 * @image: the image
 * @targets: what to show the preview on
 * @effect: its configuration is what gets changed
 *
 * Returns: whether OK was chosen
 */
gboolean isolux_dialog_run (GimpProcedure      *procedure,
                            GimpImage          *image,
                            GPtrArray          *targets,
                            const IsoluxEffect *effect);

#endif /* ISOLUX_DIALOG_H */
