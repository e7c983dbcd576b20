/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lbp.c - isolux:lbp: a picture of local binary patterns
 *
 * Each pixel that lies in the selection (property roi) and whose alpha is
 * not 0 becomes the code of its neighborhood, scaled to the whole range of
 * values; the other pixels stay as they are.  Beyond the bounding box of the
 * selection is nothing, as there is beyond the image.  An RGB layer gets three
 * equal components.
 *
 * Names, nicks and the order of enum values are stored in users' XCF files:
 * they stay as they are, new ones go to the end.
 */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* clang-format off */
enum_start (isolux_lbp_method)
  enum_value (METHOD_DEFAULT,     "default", N_("Default (binary code)"))
  enum_value (METHOD_ROR,         "ror", N_("Rotation invariant"))
  enum_value (METHOD_UNIFORM,     "uniform",
              N_("Uniform, rotation invariant"))
  enum_value (METHOD_NRI_UNIFORM, "nri-uniform", N_("Uniform"))
  enum_value (METHOD_VAR,         "var", N_("Local variance"))
enum_end (LbpMethod)

property_enum (method, _("Method"),
               LbpMethod, isolux_lbp_method, METHOD_DEFAULT)
  description (_("What the comparisons become: their binary code, its least "
                 "rotation, the number of ones of uniform patterns, uniform "
                 "patterns told apart, or the variance of the neighbors"))

property_double (radius, _("Radius"), 1.0)
  description (_("Distance of the neighbors from the pixel, in pixels"))
  value_range (0.1, 64.0)
  ui_range    (1.0, 16.0)
  ui_steps    (0.5, 1.0)
  ui_digits   (2)
  ui_meta     ("isolux-unit", N_("pixels"))

property_int (points, _("Points"), 8)
  description (_("How many neighbors on the circle a pixel is compared with"))
  value_range (1, 24)
  ui_range    (1, 24)
  ui_steps    (1, 4)

#include "whole-properties.h"
/* clang-format on */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_lbp
#define GEGL_OP_C_SOURCE lbp.c
#include "gegl-op.h"

#include "bridge.h"

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  bridge_class_init_whole (operation_class);

  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux:lbp",
    "title",       _("Isolux Local Binary Patterns"),
    "categories",  "misc",
    "license",     "GPL3+",
    "description", _("Picture the texture: the local binary pattern of each "
                     "pixel"),
    NULL);
  /* clang-format on */
}

#endif
