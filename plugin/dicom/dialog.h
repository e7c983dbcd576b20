/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog.h: what to ask before a file is opened.
 */
#ifndef ISOLUX_DICOM_DIALOG_H
#define ISOLUX_DICOM_DIALOG_H

#include <libgimp/gimp.h>

#include "dicom.h"

/*
 * dicom_dialog_is_needed: whether there is something to choose: frames,
 *   overlays, or the user has not said to open single pictures without asking
 */
gboolean dicom_dialog_is_needed (GimpProcedureConfig *config,
                                 const DicomHeader   *header);

/* Returns: FALSE when the user does not want to open the file */
gboolean dicom_dialog_run (GimpProcedure       *procedure,
                           GimpProcedureConfig *config,
                           const DicomHeader   *header);

#endif /* ISOLUX_DICOM_DIALOG_H */
