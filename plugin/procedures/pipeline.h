/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pipeline.h: values to a picture in one step: rescaled values are windowed,
 * and CLAHE works on what comes out.
 */
#ifndef ISOLUX_PIPELINE_H
#define ISOLUX_PIPELINE_H

#include <libgimp/gimp.h>

/* The word for the window that the image names itself */
#define ISOLUX_WINDOW_OF_IMAGE "image"

typedef struct _IsoluxPipeline IsoluxPipeline;

/*
 * isolux_pipeline_add_arguments: "window-preset", "use-window", the
 * parameters of isolux:window, "use-clahe", those of isolux:clahe, and
 * "one-window".
 */
void isolux_pipeline_add_arguments (GimpProcedure *procedure, GString *taken);

/*
 * isolux_pipeline_new: from the arguments.
 *
 * Returns: (transfer full): the pipeline, to be freed with
 *   isolux_pipeline_free(); %NULL and @error, in words, when the arguments
 *   are none
 */
IsoluxPipeline *
isolux_pipeline_new (GimpProcedureConfig *config, GError **error);

void isolux_pipeline_free (IsoluxPipeline *pipeline);

/*
 * isolux_pipeline_apply: puts the filters on drawables, in one undo step.
 *
 * Each drawable's values are in its own unit.  A window by percentiles or by
 * the range of values is, with "one-window", the same for all drawables: from
 * the least low to the largest high of them.  Padding counts nowhere.  Merged
 * results say in their name, and in the parasite's "loss", what was done.
 * @drawables: %NULL-terminated
 * @non_destructive: whether layers keep the filters
 *
 * Returns: FALSE and @error, in words; nothing is changed then
 */
gboolean isolux_pipeline_apply (IsoluxPipeline *pipeline,
                                GimpImage      *image,
                                GimpDrawable  **drawables,
                                gboolean        non_destructive,
                                GError        **error);

/*
 * isolux_pipeline_describe: what it does, in a few words: "Lung, CLAHE".
 */
gchar *isolux_pipeline_describe (IsoluxPipeline *pipeline);

/*
 * isolux_image_get_all_layers: all layers with pixels of their own, those in
 * groups too, from top to bottom.
 *
 * Returns: (transfer container): %NULL-terminated; to be freed with g_free()
 */
GimpDrawable **isolux_image_get_all_layers (GimpImage *image);

#endif /* ISOLUX_PIPELINE_H */
