/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * format.h: numbers as people of the user's language read them.
 *
 * Thousands separator and decimal sign are the locale's (LC_NUMERIC; the C
 * locale has no separator), the minus sign is U+2212; where GTK's default
 * direction is right to left, a number with its unit is an isolate
 * (U+2066..U+2069).  Spaces inside do not break.  From 1e15 on a number is
 * written with a power of ten.  All texts are to be freed with g_free().
 */
#ifndef ISOLUX_FORMAT_H
#define ISOLUX_FORMAT_H

#include <glib.h>

/* @digits: decimal places, 0 to 9.  NaN and infinities have names. */
gchar *isolux_format_number (gdouble value, gint digits);

/* As few decimals, up to @digits, as tell the value: 40, not 40.00 */
gchar *isolux_format_short (gdouble value, gint digits);

/* With a unit behind it (nullable, ""): "240 HU" */
gchar *isolux_format_value (gdouble value, gint digits, const gchar *unit);

/* From one to another: "812–817", "33–38 HU", "−160 to 240 HU" */
gchar *
isolux_format_range (gdouble low, gdouble high, gint digits, const gchar *unit);

/*
 * isolux_format_step: a value of a scale that advances by @step, with the
 * decimals that this needs: 0.25; with a power of ten where decimals would
 * become too many: 2.5e−12.
 */
gchar *isolux_format_step (gdouble value, gdouble step);

/* A share of 0.0 to 1.0 as "29.1 %" */
gchar *isolux_format_percent (gdouble share, gint digits);

/* A count for an axis: 0, 500, 1.5 k, 2 M */
gchar *isolux_format_count (gdouble count);

/* "2.3 GB" */
gchar *isolux_format_bytes (guint64 bytes);

/* A time in milliseconds: "0.21 ms", "14 ms", "1.3 s" */
gchar *isolux_format_time (gdouble milliseconds);

/* Decimals that tell values apart that are @step from each other */
gint isolux_format_digits (gdouble step);

#endif /* ISOLUX_FORMAT_H */
