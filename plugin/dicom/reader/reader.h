/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reader.h: reads a DICOM file with GDCM and says what is in it.
 *
 * The program isolux-dicom-reader is this and a main().  What it writes is
 * a chain of records, described in ../dicom.h, which reads it.
 */
#ifndef ISOLUX_READER_H
#define ISOLUX_READER_H

#include <glib.h>

G_BEGIN_DECLS

/*
 * ReaderOptions:
 * @frames: see ../frames.h
 * @header_only: no pixels: what there is, and the end
 * @overlays: the planes of overlays, too
 * @tags: the elements of the file, too
 */
typedef struct
{
  const gchar *frames;
  gboolean     header_only;
  gboolean     overlays;
  gboolean     tags;
} ReaderOptions;

/* Takes what is written.  FALSE: nobody listens any more, stop */
typedef gboolean (*ReaderWrite) (gconstpointer bytes, gsize n, gpointer data);

/*
 * reader_read_file, reader_read_memory: the last record is "end", or "error"
 *   when something was wrong.
 *
 * They throw nothing and write nowhere else, but GDCM may crash on damaged
 * files, recurse without end, or take any amount of time and memory: they
 * belong into a process of their own.
 *
 * Returns: TRUE when the last record was "end"
 */
gboolean reader_read_file (const gchar         *path,
                           const ReaderOptions *options,
                           ReaderWrite          write,
                           gpointer             data);
gboolean reader_read_memory (gconstpointer        bytes,
                             gsize                n,
                             const ReaderOptions *options,
                             ReaderWrite          write,
                             gpointer             data);

G_END_DECLS

#endif /* ISOLUX_READER_H */
