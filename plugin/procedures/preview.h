/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview.h: an effect shown on the canvas, without a trace in the image.
 */
#ifndef ISOLUX_PREVIEW_H
#define ISOLUX_PREVIEW_H

#include "gate.h"
#include "target.h"

typedef struct _IsoluxPreview IsoluxPreview;

/*
 * isolux_preview_new: nothing is shown yet.
 * @image, @targets, @effect, @gate: borrowed; GIMP is talked with through
 *   the gate.  The targets' masks must have been read before anything is
 *   shown.
 */
IsoluxPreview *isolux_preview_new (GimpImage          *image,
                                   GPtrArray          *targets,
                                   const IsoluxEffect *effect,
                                   IsoluxGate         *gate);

/*
 * isolux_preview_show: puts the effect on the canvas, or takes it away, some
 * time later.  Leaves no undo step, and a clean image clean.  Channels and
 * masks cannot show it, filters are for layers.
 */
void isolux_preview_show (IsoluxPreview *preview, gboolean show);

/* Whether it is there or on its way */
gboolean isolux_preview_is_shown (IsoluxPreview *preview);

/*
 * isolux_preview_update: says that settings have changed; what is shown
 * follows when they have come to rest.
 */
void isolux_preview_update (IsoluxPreview *preview);

/*
 * isolux_preview_free: takes the effect away, too.  The gate must have been
 * closed: GIMP is talked with at once.
 */
void isolux_preview_free (IsoluxPreview *preview);

#endif /* ISOLUX_PREVIEW_H */
