/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview.h: an effect shown on the canvas, without a trace in the image.
 */
#ifndef ISOLUX_PREVIEW_H
#define ISOLUX_PREVIEW_H

#include "target.h"

typedef struct _IsoluxPreview IsoluxPreview;

/*
 * isolux_preview_new: nothing is shown yet.
 * @image, @targets, @effect: borrowed until isolux_preview_free()
 */
IsoluxPreview *isolux_preview_new (GimpImage          *image,
                                   GPtrArray          *targets,
                                   const IsoluxEffect *effect);

/*
 * isolux_preview_possible: whether anything can be shown: channels and masks
 * cannot, filters are for layers.
 */
gboolean isolux_preview_possible (IsoluxPreview *preview);

/*
 * isolux_preview_show: puts the effect on the canvas, or takes it away.
 * Leaves no undo step, and a clean image clean.
 */
void isolux_preview_show (IsoluxPreview *preview, gboolean show);

/*
 * isolux_preview_update: says that settings have changed; what is shown
 * follows when they have come to rest.
 */
void isolux_preview_update (IsoluxPreview *preview);

/*
 * isolux_preview_free: takes the effect away, too.
 */
void isolux_preview_free (IsoluxPreview *preview);

#endif /* ISOLUX_PREVIEW_H */
