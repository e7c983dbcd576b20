/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * encoding-property.h - the hidden property that every operation has, see
 * bridge_prepare(); the procedures set it.  Included among an operation's
 * properties, as often as gegl-op.h includes those, so without a guard.
 */
/* clang-format off */
property_string (encoding, _("Encoding"), "")
  description (_("How the layer's values relate to light (linear, "
                 "non-linear or perceptual), where they come as linear "
                 "floats; empty = as they come"))
  ui_meta     ("visible", "0")
  /* clang-format on */
