/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * values-property.h - the hidden property of operations that work in the
 * units of the image; the procedures set it.  Included among an operation's
 * properties, as often as gegl-op.h includes those, so without a guard.
 */
/* clang-format off */
property_string (values, _("Values"), "")
  description (_("What the layer's codes stand for, as text (see the parasite "
                 "isolux-values): numbers are in its unit, and its padding "
                 "does not count; empty = codes"))
  ui_meta     ("visible", "0")
  /* clang-format on */
