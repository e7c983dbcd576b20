/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * target.h: what an operation is to work on, checked, and how its filter
 * gets there.
 */
#ifndef ISOLUX_TARGET_H
#define ISOLUX_TARGET_H

#include <libgimp/gimp.h>

#include "parameters.h"
#include "real-values.h"

#define ISOLUX_TARGET_ERROR (isolux_target_error_quark ())

/*
 * IsoluxTargetError: why a drawable cannot be worked on
 * @ISOLUX_TARGET_ERROR_NONE: no drawable was given
 * @ISOLUX_TARGET_ERROR_FOREIGN: it does not belong to the image
 * @ISOLUX_TARGET_ERROR_INDEXED: its values are numbers of colors
 * @ISOLUX_TARGET_ERROR_SELECTION: it is the selection
 * @ISOLUX_TARGET_ERROR_OUTSIDE: the selection does not touch it
 * @ISOLUX_TARGET_ERROR_LOCKED: its pixels are locked
 * @ISOLUX_TARGET_ERROR_NO_FILTER: it cannot keep a filter, as was asked for
 * @ISOLUX_TARGET_ERROR_MEMORY: not enough memory for the selection
 */
typedef enum
{
  ISOLUX_TARGET_ERROR_NONE,
  ISOLUX_TARGET_ERROR_FOREIGN,
  ISOLUX_TARGET_ERROR_INDEXED,
  ISOLUX_TARGET_ERROR_SELECTION,
  ISOLUX_TARGET_ERROR_OUTSIDE,
  ISOLUX_TARGET_ERROR_LOCKED,
  ISOLUX_TARGET_ERROR_NO_FILTER,
  ISOLUX_TARGET_ERROR_MEMORY
} IsoluxTargetError;

GQuark isolux_target_error_quark (void);

/*
 * IsoluxTarget: a drawable that can be worked on
 * @drawable: borrowed
 * @is_layer: whether it can carry filters; channels and masks cannot
 * @merge: whether the filter becomes pixels
 * @x, @y, @width, @height: the bounding box of the selection in it (all of
 *   it when nothing is selected), in its own coordinates
 * @mask: (nullable): one byte a pixel of that box, 0 = not selected; %NULL
 *   when all of it is selected, or when it has not been read
 * @has_pixels: FALSE for groups and layers that are drawn from something
 *   else: filters stay filters there
 * @has_values: whether the drawable says what its codes stand for, and they
 *   still do: none of Isolux' own filters lies on it
 * @values: that; of isolux_real_values_init() when not @has_values
 * @error: (nullable): what they have lost since the precision was changed, in
 *   words
 * @replaced: (nullable): filters that the next one takes the place of; see
 *   isolux_target_replace_windows()
 */
typedef struct
{
  GimpDrawable *drawable;
  gboolean      is_layer;
  gboolean      has_pixels;
  gboolean      merge;
  gint          x;
  gint          y;
  gint          width;
  gint          height;
  guint8       *mask;

  gboolean         has_values;
  IsoluxRealValues values;
  gchar           *error;
  GPtrArray       *replaced;
} IsoluxTarget;

/*
 * IsoluxEffect: an operation and its settings
 * @operation: the GEGL operation
 * @title: the name the filter gets, translated
 * @config: the procedure's arguments; has one for each parameter
 */
typedef struct
{
  const gchar         *operation;
  const gchar         *title;
  GimpProcedureConfig *config;
} IsoluxEffect;

/*
 * isolux_gegl_init: makes GEGL ready for reading buffers in this process.
 * Loads no operations, which would cost 0.1 s; GIMP's core has them.
 */
void isolux_gegl_init (void);

/*
 * isolux_drawable_is_there: whether a drawable is part of its image.  One that
 * was removed may be kept, so that this can be undone, and must be left alone:
 * GIMP complains when it is used, and crashes at the undo when a filter was
 * taken from it.
 */
gboolean isolux_drawable_is_there (GimpImage *image, GimpDrawable *drawable);

/*
 * isolux_target_check: looks at one drawable, changes nothing.
 *
 * Returns: the target, to be freed with isolux_target_free(); %NULL and
 *   @error, in words, when it cannot be worked on
 */
IsoluxTarget *
isolux_target_new (GimpImage *image, GimpDrawable *drawable, GError **error);

void isolux_target_free (IsoluxTarget *target);

/*
 * isolux_targets_new: looks at all drawables of a call, changes nothing.
 * @drawables: (nullable): %NULL-terminated
 * @non_destructive: whether filters shall stay filters.  Groups and other
 *   layers without pixels of their own always keep them.
 * @strict: whether to refuse channels and masks, which cannot keep filters,
 *   when @non_destructive is asked for; else they are merged
 *
 * Returns: #IsoluxTarget's, each drawable once; %NULL and @error when any of
 *   them cannot be worked on
 */
GPtrArray *isolux_targets_new (GimpImage     *image,
                               GimpDrawable **drawables,
                               gboolean       non_destructive,
                               gboolean       strict,
                               GError       **error);

/*
 * isolux_targets_look: the same for a dialog, which shall open at once: reads
 * no pixels, so the masks are %NULL; see isolux_target_read_mask().
 */
GPtrArray *isolux_targets_look (GimpImage     *image,
                                GimpDrawable **drawables,
                                gboolean       non_destructive,
                                GError       **error);

/*
 * isolux_target_read_mask: reads the selection.
 * @closing: (nullable): asked now and then whether to give up
 *
 * Returns: %FALSE and @error when there is not the memory, %FALSE alone when
 *   it gave up
 */
gboolean isolux_target_read_mask (IsoluxTarget *target,
                                  GimpImage    *image,
                                  gboolean (*closing) (gpointer data),
                                  gpointer data,
                                  GError **error);

/*
 * isolux_target_see_values: for who reads the pixels below all filters: what
 * they stand for holds there, whatever lies on them.
 *
 * Returns: %FALSE and @error when that cannot be read
 */
gboolean isolux_target_see_values (IsoluxTarget *target, GError **error);

/*
 * isolux_target_replace_windows: for a new window.  Windows on values, such as
 * the one that a DICOM file is opened with, are ways to look at them, and one
 * over the other shows nothing: where no other of Isolux' filters is visible,
 * the new one takes their place, and the target has the values.
 *
 * Returns: %FALSE and @error when the values cannot be read
 */
gboolean isolux_target_replace_windows (IsoluxTarget *target, GError **error);

/*
 * isolux_target_clear_way: to be called before a new filter is appended or
 * merged: takes those filters away.  When another operation than a window is
 * merged, windows on values are merged first, since it is what they show that
 * it works on; but not for a gray layer that is made gray.
 * @operation: "isolux:clahe"
 */
void
isolux_target_clear_way (const IsoluxTarget *target, const gchar *operation);

/*
 * isolux_target_filter: a new filter for a target, not yet in the image.
 *
 * Returns: (transfer full): the filter, or %NULL and @error
 */
GimpDrawableFilter *isolux_target_filter (const IsoluxTarget *target,
                                          const IsoluxEffect *effect,
                                          GError            **error);

/*
 * isolux_filter_set: gives a filter the effect's present settings.
 *
 * Returns: %FALSE and @error when the operation that GIMP has lacks one
 */
gboolean isolux_filter_set (GimpDrawableFilter *filter,
                            const IsoluxEffect *effect,
                            GError            **error);

/*
 * isolux_targets_apply: the effect on all targets, in one undo step.
 *
 * Returns: %FALSE and @error when there was an obstacle; nothing is changed
 *   then
 */
gboolean isolux_targets_apply (GimpImage          *image,
                               GPtrArray          *targets,
                               const IsoluxEffect *effect,
                               GError            **error);

#endif /* ISOLUX_TARGET_H */
