/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * equalize.c - isolux:equalize: histogram equalization of the whole input
 *
 * The statistics come from the pixels of the selection (property roi) whose
 * alpha is not 0; the other pixels stay as they are.  Values are equalized
 * in the layer's own encoding.
 *
 * Names, nicks and the order of enum values are stored in users' XCF files:
 * they stay as they are, new ones go to the end.
 */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* clang-format off */
enum_start (isolux_equalize_channels)
  enum_value (CHANNELS_LUMA, "luma", N_("Luminance, hue kept"))
  enum_value (CHANNELS_EACH, "each", N_("Each channel"))
enum_end (EqualizeChannels)

property_enum (channels, _("Channels"),
               EqualizeChannels, isolux_equalize_channels, CHANNELS_LUMA)
  description (_("What is equalized in a color image: the luma, so that "
                 "colors keep their hue, or red, green and blue each by "
                 "itself"))

property_double (clip_limit, _("Clip limit"), 0.0)
  description (_("How much contrast may grow: the most pixels that one level "
                 "of the histogram may hold, as a multiple of the mean; "
                 "0 = no limit"))
  value_range (0.0, 256.0)
  ui_range    (0.0, 16.0)
  ui_steps    (0.1, 1.0)
  ui_digits   (2)

property_double (skip_threshold, _("Skip if already even"), 0.0)
  description (_("Leave the image as it is when its histogram is this close "
                 "to uniform (Kolmogorov-Smirnov distance, 0 to 1); "
                 "0 = never"))
  value_range (0.0, 1.0)
  ui_range    (0.0, 0.5)
  ui_steps    (0.01, 0.1)
  ui_digits   (3)

#include "values-property.h"
#include "whole-properties.h"
/* clang-format on */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_equalize
#define GEGL_OP_C_SOURCE equalize.c
#include "gegl-op.h"

#include "bridge.h"

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  bridge_class_init_whole (operation_class);

  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux:equalize",
    "title",       _("Isolux Equalize"),
    "categories",  "enhance",
    "license",     "GPL3+",
    "description", _("Spread the values evenly over the whole range, with "
                     "a limit to the contrast if wanted"),
    NULL);
  /* clang-format on */
}

#endif
