/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.h: the reader as a process of its own.
 *
 * Whatever a file does to it (crash, hang, eat memory until it is stopped)
 * is an error in words here.
 */
#ifndef ISOLUX_CHILD_H
#define ISOLUX_CHILD_H

#include <glib.h>

#include "dicom.h"

G_BEGIN_DECLS

/* Seconds in which the reader must say something */
#define CHILD_PATIENCE 60

/*
 * ChildOptions: see reader/reader.h
 * @patience: in seconds; 0: CHILD_PATIENCE
 */
typedef struct
{
  const gchar *frames;
  gboolean     header_only;
  gboolean     overlays;
  gboolean     tags;
  guint        patience;
} ChildOptions;

typedef struct _Child Child;

/*
 * child_start:
 * @program: the reader
 * @path: the file
 *
 * Returns: (transfer full): free with child_free(); NULL with an error when
 *   the program cannot be started
 */
Child *child_start (const gchar        *program,
                    const gchar        *path,
                    const ChildOptions *options,
                    GError            **error);

/* Ends the process, whatever it is doing */
void child_free (Child *child);

/* As dicom_stream_next(); a reader that ended early is an error of its own
 * (DICOM_ERROR_READER), which tells a crash from a hang */
const DicomRecord *child_next (Child *child, GError **error);

G_END_DECLS

#endif /* ISOLUX_CHILD_H */
