/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An object with the parameters of all operations, choices as strings, as a
 * GIMP procedure's config has them.
 */
#ifndef ISOLUX_TEST_BAG_H
#define ISOLUX_TEST_BAG_H

#include <glib-object.h>

typedef GObject      Bag;
typedef GObjectClass BagClass;

GType bag_get_type (void);

#endif /* ISOLUX_TEST_BAG_H */
