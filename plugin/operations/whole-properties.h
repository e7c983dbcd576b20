/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * whole-properties.h - the hidden properties of operations on the whole
 * input, which the procedures set.  Included among an operation's properties,
 * as often as gegl-op.h includes those, so without a guard.
 */
/* clang-format off */
property_string (roi, _("Region of interest"), "")
  description (_("The selection that the statistics come from, as text; "
                 "empty = all of the input"))
  ui_meta     ("visible", "0")

#include "encoding-property.h"
  /* clang-format on */
