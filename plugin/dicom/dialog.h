/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog.h: what to ask before a file is opened.
 */
#ifndef ISOLUX_DICOM_DIALOG_H
#define ISOLUX_DICOM_DIALOG_H

#include <libgimp/gimp.h>

#include "dicom.h"

/* Whose presets are offered, and the word for the file's own window */
#define DICOM_PRESETS "plug-in-isolux-window"
#define DICOM_WINDOW_OF_FILE "image"

/*
 * dicom_dialog_is_needed: whether there is something to choose: frames,
 *   overlays, or the user has not said to open single pictures without asking
 */
gboolean
dicom_dialog_is_needed (GimpProcedureConfig *config, const DicomHeader *header);

/* Returns: FALSE when the user does not want to open the file */
gboolean dicom_dialog_run (GimpProcedure       *procedure,
                           GimpProcedureConfig *config,
                           const DicomHeader   *header);

/*
 * DicomProgress: a window that shows how far a file of many frames is, with a
 *   button to stop.  GIMP's own would kill the plug-in and leave half an
 *   image behind.
 */
typedef struct _DicomProgress DicomProgress;

/* Returns: (transfer full): end it with dicom_progress_end() */
DicomProgress *dicom_progress_begin (const gchar *file_name);

/* @fraction: 0 to 1.  Returns: FALSE when the user wants to stop */
gboolean dicom_progress_update (DicomProgress *progress, gdouble fraction);

void dicom_progress_end (DicomProgress *progress);

#endif /* ISOLUX_DICOM_DIALOG_H */
