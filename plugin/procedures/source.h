/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.h: what a dialog reads of a drawable: its pixels as a filter will
 * see them, and the selection.
 *
 * The functions that talk with GIMP are for the thread of a gate, see
 * gate.h.
 */
#ifndef ISOLUX_SOURCE_H
#define ISOLUX_SOURCE_H

#include <libgimp/gimp.h>

#include "isolux.h"
#include "target.h"

/*
 * IsoluxSource: filled by isolux_source_open()
 * @image: shape and type of all of the drawable
 * @format: of the rows that are read
 * @weights: of the luma
 * @profile: (nullable): the color profile's name; %NULL for GIMP's own
 * @effects: filters below that the pixels have been through
 */
typedef struct
{
  IsoluxImage image;
  const Babl *format;
  gdouble     weights[3];
  gchar      *profile;
  gint        effects;
  /* private */
  GimpImage    *owner;
  IsoluxTarget *target;
  GimpImage    *copy; /* hidden, with the effects applied */
  GeglBuffer   *buffer;
  gint          band;
  gint          bands;
  gint          step;
  gint          stride;
  gint          next;
} IsoluxSource;

/*
 * isolux_source_new:
 * @image, @target: borrowed; the target's mask is read anew by
 *   isolux_source_open()
 */
IsoluxSource *isolux_source_new (GimpImage *image, IsoluxTarget *target);

/*
 * isolux_source_open: gets ready to read.  Filters of ours must not be on
 * the drawable meanwhile.  Talks with GIMP.
 * @closing: asked now and then whether to give up
 *
 * Returns: %FALSE and @error, in words; %FALSE alone when it gave up
 */
gboolean isolux_source_open (IsoluxSource *source,
                             gboolean (*closing) (gpointer data),
                             gpointer data,
                             GError **error);

/*
 * isolux_source_next: which rows to read next: bands of tiles all over the
 * image first, then those in between.
 *
 * Returns: %FALSE when there are none
 */
gboolean isolux_source_next (IsoluxSource *source, gint64 *y, gint64 *rows);

/*
 * isolux_source_read: reads rows.  Talks with GIMP.
 *
 * Returns: FALSE when the drawable is gone: GIMP would end who asks for its
 *   pixels
 */
gboolean isolux_source_read (IsoluxSource *source,
                             gint64        y,
                             gint64        rows,
                             gpointer      data,
                             gsize         stride);

/* Gives up what reading needs.  Talks with GIMP. */
void isolux_source_close (IsoluxSource *source);

/* After isolux_source_close(); talks with nobody */
void isolux_source_free (IsoluxSource *source);

/*
 * isolux_source_fingerprint: a number that very likely changes when the
 * pixels or the selection do: means and deviations that GIMP computes.
 * Talks with GIMP.
 *
 * Returns: FALSE when the drawable or its image is gone
 */
gboolean isolux_source_fingerprint (GimpImage          *image,
                                    const IsoluxTarget *target,
                                    gdouble             print[8]);

#endif /* ISOLUX_SOURCE_H */
