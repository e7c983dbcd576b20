/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * window.c - isolux:window: a range of values becomes the whole range
 *
 * Percentiles and the range of values come from the pixels of the selection
 * (property roi) whose alpha is not 0; the other pixels stay as they are.
 * Values are worked on in the layer's own encoding.
 *
 * Names, nicks and the order of enum values are stored in users' XCF files:
 * they stay as they are, new ones go to the end.
 */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* clang-format off */
enum_start (isolux_window_mode)
  enum_value (MODE_WINDOW,     "window",     N_("Window and level"))
  enum_value (MODE_PERCENTILE, "percentile", N_("Percentiles"))
  enum_value (MODE_RANGE,      "range",      N_("Lowest to highest value"))
enum_end (WindowMode)

enum_start (isolux_window_channels)
  enum_value (CHANNELS_LUMA, "luma", N_("Luminance, one range for all"))
  enum_value (CHANNELS_EACH, "each", N_("Each channel"))
enum_end (WindowChannels)

property_enum (mode, _("Mode"),
               WindowMode, isolux_window_mode, MODE_PERCENTILE)
  description (_("Which values become black and white: the ends of a window "
                 "of some width around a level, percentiles of the values, or "
                 "the lowest and the highest value"))

property_double (width, _("Window width"), 255.0)
  description (_("How far black and white lie apart, in the unit that the "
                 "image names (Hounsfield units, for example), else in that "
                 "of the layer: 0 to 255, 0 to 65535, or the floating point "
                 "value"))
  value_range (1e-6, 1e9)
  ui_range    (0.01, 65535.0)
  ui_steps    (1.0, 100.0)
  ui_digits   (4)
  ui_gamma    (3.0)
  ui_meta     ("visible", "mode {window}")

property_double (center, _("Level"), 127.5)
  description (_("The middle of the window, in the same unit"))
  value_range (-1e9, 1e9)
  ui_range    (0.0, 65535.0)
  ui_steps    (1.0, 100.0)
  ui_digits   (4)
  ui_gamma    (3.0)
  ui_meta     ("visible", "mode {window}")

property_double (low_percentile, _("Low percentile"), 0.5)
  description (_("So many percent of the pixels are darker than black; less "
                 "than the high percentile"))
  value_range (0.0, 100.0)
  ui_range    (0.0, 10.0)
  ui_steps    (0.1, 1.0)
  ui_digits   (2)
  ui_meta     ("visible", "mode {percentile}")

property_double (high_percentile, _("High percentile"), 99.5)
  description (_("So many percent of the pixels are darker than white"))
  value_range (0.0, 100.0)
  ui_range    (90.0, 100.0)
  ui_steps    (0.1, 1.0)
  ui_digits   (2)
  ui_meta     ("visible", "mode {percentile}")

property_double (gamma, _("Gamma"), 1.0)
  description (_("Brighten (above 1) or darken (below 1) the middle of the "
                 "window; 1 = linear"))
  value_range (0.1, 10.0)
  ui_range    (0.1, 4.0)
  ui_steps    (0.05, 0.5)
  ui_digits   (2)

property_boolean (invert, _("Invert"), FALSE)
  description (_("Black becomes white and white black, after all else"))

property_enum (channels, _("Channels"),
               WindowChannels, isolux_window_channels, CHANNELS_LUMA)
  description (_("Whose values the range comes from in a color image: those "
                 "of the luma, for all channels, or those of each channel, "
                 "for itself"))
  ui_meta     ("sensitive", "! mode {window}")
  ui_meta     ("isolux-advanced", "1")

#include "values-property.h"
#include "whole-properties.h"
/* clang-format on */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_window
#define GEGL_OP_C_SOURCE window.c
#include "gegl-op.h"

#include "bridge.h"

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  bridge_class_init_whole (operation_class);

  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux:window",
    "title",       _("Isolux Window"),
    "categories",  "color",
    "license",     "GPL3+",
    "description", _("Stretch a range of values over the whole range, as "
                     "for 12-bit images in 16-bit files"),
    NULL);
  /* clang-format on */
}

#endif
