/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * audit.h: records of what was done to pixels.
 *
 * A record is a parasite "isolux" of the drawable, a JSON object with
 * "operation", "parameters", "area" (x, y, width and height of the selection
 * in the drawable), "mask" (the SHA-256 of a selection that is no rectangle,
 * one byte a pixel), "values" (what codes stood for, see real-values.h, where
 * the drawable says so), "version", "backend", "device", "width", "height",
 * "format", and "input" and "output", the SHA-256 of all pixels before and
 * after.  The results do not depend on the backend, which is the one that
 * large images get.
 */
#ifndef ISOLUX_AUDIT_H
#define ISOLUX_AUDIT_H

#include "target.h"

#define ISOLUX_AUDIT_PARASITE "isolux"

/*
 * isolux_audit_begin: to be called before the pixels change.
 *
 * Returns: the checksum of the pixels, for isolux_audit_end()
 */
gchar *isolux_audit_begin (const IsoluxTarget *target);

/*
 * isolux_audit_end: attaches the record, after the pixels changed.
 * @input: what isolux_audit_begin() gave; freed
 */
void isolux_audit_end (const IsoluxTarget *target,
                       const IsoluxEffect *effect,
                       gchar              *input);

#endif /* ISOLUX_AUDIT_H */
