/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hog.c - isolux:hog: a picture of histograms of oriented gradients
 *
 * The picture takes the place of the pixels that lie in the selection
 * (property roi) and whose alpha is not 0; the other pixels stay as they are.
 * Cells start at the corner of the selection.  An RGB layer gets three equal
 * components.
 *
 * Names, nicks and the order of enum values are stored in users' XCF files:
 * they stay as they are, new ones go to the end.
 */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* clang-format off */
enum_start (isolux_hog_norm)
  enum_value (NORM_L1,      "l1",      "L1")
  enum_value (NORM_L1_SQRT, "l1-sqrt", "L1-sqrt")
  enum_value (NORM_L2,      "l2",      "L2")
  enum_value (NORM_L2_HYS,  "l2-hys",  "L2-Hys")
enum_end (HogNorm)

enum_start (isolux_hog_gradient)
  enum_value (GRADIENT_CENTRAL, "central", N_("Central differences"))
  enum_value (GRADIENT_SOBEL,   "sobel",   N_("Sobel"))
enum_end (HogGradient)

enum_start (isolux_hog_picture)
  enum_value (PICTURE_GLYPHS,      "glyphs",      N_("Glyphs"))
  enum_value (PICTURE_ORIENTATION, "orientation", N_("Dominant orientation"))
  enum_value (PICTURE_MAGNITUDE,   "magnitude",   N_("Gradient magnitude"))
enum_end (HogPicture)

property_enum (picture, _("Picture"),
               HogPicture, isolux_hog_picture, PICTURE_GLYPHS)
  description (_("What is drawn: a star of lines in each cell, the angle "
                 "that is most frequent in it, or the strength of the "
                 "gradient at each pixel"))

property_int (orientations, _("Orientations"), 9)
  description (_("How many ranges of angles are told apart"))
  value_range (1, 64)
  ui_range    (2, 36)
  ui_steps    (1, 4)

property_int (cell_size, _("Cell size"), 8)
  description (_("The side of a cell in pixels; each cell has a histogram"))
  value_range (1, 1024)
  ui_range    (4, 64)
  ui_steps    (1, 8)
  ui_meta     ("isolux-unit", N_("pixels"))

property_int (block_size, _("Block size"), 3)
  description (_("The side of a block in cells; the vector is normalized "
                 "block by block. Pictures do not depend on it"))
  value_range (1, 64)
  ui_range    (1, 8)
  ui_steps    (1, 2)
  ui_meta     ("isolux-unit", N_("cells"))

property_enum (norm, _("Norm"),
               HogNorm, isolux_hog_norm, NORM_L2_HYS)
  description (_("How the histograms of a block are normalized in the "
                 "vector. Pictures do not depend on it"))

property_boolean (signed_gradient, _("Signed gradients (0–360°)"), FALSE)
  description (_("Tell apart from dark to bright and from bright to dark: "
                 "angles over 360 degrees instead of 180"))

property_boolean (sqrt, _("Square root of the values first"), FALSE)
  description (_("Take the square root of the values first, which evens out "
                 "shadows. There must be no negative values"))

property_enum (gradient, _("Gradient"),
               HogGradient, isolux_hog_gradient, GRADIENT_CENTRAL)
  description (_("How the change from pixel to pixel is measured"))
  ui_meta     ("isolux-advanced", "1")

#include "whole-properties.h"
/* clang-format on */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_hog
#define GEGL_OP_C_SOURCE hog.c
#include "gegl-op.h"

#include "bridge.h"

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  bridge_class_init_whole (operation_class);

  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux:hog",
    "title",       _("Isolux HOG Picture"),
    "categories",  "misc",
    "license",     "GPL3+",
    "description", _("Picture histograms of oriented gradients: which way "
                     "edges run, cell by cell"),
    NULL);
  /* clang-format on */
}

#endif
