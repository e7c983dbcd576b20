/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contrast-map.c - isolux:contrast-map: a picture of how much contrast there
 * is where
 *
 * The statistics of a tile come from those of its pixels that lie in the
 * selection (property roi) and whose alpha is not 0; the other pixels stay as
 * they are.  An RGB layer gets three equal components, or the colors of the
 * map.
 *
 * Names, nicks and the order of enum values are stored in users' XCF files:
 * they stay as they are, new ones go to the end.
 */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* clang-format off */
enum_start (isolux_contrast_map_measure)
  enum_value (MEASURE_ENTROPY,   "entropy",   N_("Entropy"))
  enum_value (MEASURE_DEVIATION, "deviation", N_("Standard deviation"))
  enum_value (MEASURE_RANGE,     "range",     N_("Range of values"))
enum_end (ContrastMapMeasure)

enum_start (isolux_contrast_map_colors)
  enum_value (COLORS_GRAY,   "gray",   N_("Shades of gray"))
  enum_value (COLORS_COLORS, "heat",   N_("Heat (black, blue, red, white)"))
enum_end (ContrastMapColors)

property_enum (measure, _("Measure"),
               ContrastMapMeasure, isolux_contrast_map_measure, MEASURE_ENTROPY)
  description (_("What tells the contrast of a tile: the entropy of its "
                 "histogram, the standard deviation of its values, or the "
                 "difference of the largest and the least"))

property_int (tile_size, _("Tile size"), 32)
  description (_("The side of a tile in pixels; in between, the map is "
                 "interpolated"))
  value_range (2, 65536)
  ui_range    (4, 256)
  ui_steps    (1, 16)
  ui_meta     ("isolux-unit", N_("pixels"))

property_enum (colors, _("Colors"),
               ContrastMapColors, isolux_contrast_map_colors, COLORS_GRAY)
  description (_("How the map is drawn in a color image; in a gray one it is "
                 "always gray"))

#include "values-property.h"
#include "whole-properties.h"
/* clang-format on */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_contrast_map
/* clang-format off */
#define GEGL_OP_C_SOURCE contrast-map.c
/* clang-format on */
#include "gegl-op.h"

#include "bridge.h"

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  bridge_class_init_whole (operation_class);

  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux:contrast-map",
    "title",       _("Isolux Contrast Map"),
    "categories",  "misc",
    "license",     "GPL3+",
    "description", _("Picture how much local contrast there is where, tile by "
                     "tile"),
    NULL);
  /* clang-format on */
}

#endif
