/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram.h: the procedure that counts values.
 */
#ifndef ISOLUX_HISTOGRAM_PROCEDURE_H
#define ISOLUX_HISTOGRAM_PROCEDURE_H

#include <libgimp/gimp.h>

#define ISOLUX_HISTOGRAM_PROCEDURE "plug-in-isolux-histogram"

GimpProcedure *isolux_histogram_create (GimpPlugIn *plug_in);

#endif /* ISOLUX_HISTOGRAM_PROCEDURE_H */
