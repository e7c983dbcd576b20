/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lbp-histogram.h: the procedure that counts local binary patterns.
 */
#ifndef ISOLUX_LBP_HISTOGRAM_H
#define ISOLUX_LBP_HISTOGRAM_H

#include <libgimp/gimp.h>

#define ISOLUX_LBP_HISTOGRAM_PROCEDURE "plug-in-isolux-lbp-histogram"

GimpProcedure *isolux_lbp_histogram_create (GimpPlugIn *plug_in);

#endif /* ISOLUX_LBP_HISTOGRAM_H */
