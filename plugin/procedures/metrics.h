/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * metrics.h: the procedure that compares two drawables.
 */
#ifndef ISOLUX_METRICS_H
#define ISOLUX_METRICS_H

#include <libgimp/gimp.h>

#define ISOLUX_METRICS_PROCEDURE "plug-in-isolux-metrics"

GimpProcedure *isolux_metrics_create (GimpPlugIn *plug_in);

#endif /* ISOLUX_METRICS_H */
