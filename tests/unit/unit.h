/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ISOLUX_TEST_UNIT_H
#define ISOLUX_TEST_UNIT_H

#include "support.h"

/* Each file adds its tests. */
void add_device_tests (void);
void add_equalize_tests (void);
void add_grayscale_tests (void);
void add_histogram_tests (void);
void add_lut_tests (void);
void add_measure_tests (void);
void add_operation_tests (void);
void add_process_tests (void);
void add_rules_tests (void);
void add_selection_tests (void);
void add_surface_tests (void);
void add_thread_tests (void);
void add_window_tests (void);

/* A surface filled with pixels that follow one another without gaps. */
IsoluxSurface *surface_of (IsoluxDevice *device,
                           gint64        width,
                           gint64        height,
                           gint          components,
                           IsoluxType    type,
                           gconstpointer pixels);

/* The pixels of a surface, without gaps; to be freed with g_free(). */
gpointer pixels_of (IsoluxSurface *surface);

#endif /* ISOLUX_TEST_UNIT_H */
