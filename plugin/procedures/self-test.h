/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * self-test.h: the procedure that tests what Isolux computes with.
 */
#ifndef ISOLUX_SELF_TEST_H
#define ISOLUX_SELF_TEST_H

#include <libgimp/gimp.h>

#define ISOLUX_SELF_TEST_PROCEDURE "plug-in-isolux-self-test"

GimpProcedure *isolux_self_test_create (GimpPlugIn *plug_in);

#endif /* ISOLUX_SELF_TEST_H */
