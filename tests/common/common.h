/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ISOLUX_TEST_COMMON_H
#define ISOLUX_TEST_COMMON_H

#include "support.h"

void add_real_values_tests (void);
void add_settings_tests (void);
void add_presets_tests (void);

#endif /* ISOLUX_TEST_COMMON_H */
