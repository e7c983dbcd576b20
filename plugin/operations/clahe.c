/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clahe.c - isolux:clahe: histogram equalization tile by tile, with a limit
 * to the contrast
 *
 * The statistics of a tile come from those of its pixels that lie in the
 * selection (property roi), whose alpha is not 0 and that do not have the
 * padding value; the other pixels stay as they are.  Values are worked on in
 * the layer's own encoding.
 *
 * Names, nicks and the order of enum values are stored in users' XCF files:
 * they stay as they are, new ones go to the end.
 */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* clang-format off */
enum_start (isolux_clahe_channels)
  enum_value (CHANNELS_LUMA, "luma", N_("Luminance, hue kept"))
  enum_value (CHANNELS_EACH, "each", N_("Each channel"))
enum_end (ClaheChannels)

enum_start (isolux_clahe_bins)
  enum_value (BINS_AUTO,  "auto",  N_("Automatic"))
  enum_value (BINS_256,   "256",   N_("256 bins"))
  enum_value (BINS_1024,  "1024",  N_("1024 bins"))
  enum_value (BINS_4096,  "4096",  N_("4096 bins"))
  enum_value (BINS_16384, "16384", N_("16384 bins"))
  enum_value (BINS_65536, "65536", N_("65536 bins"))
enum_end (ClaheBins)

enum_start (isolux_clahe_compatibility)
  enum_value (COMPATIBILITY_ISOLUX, "isolux", N_("Isolux"))
  enum_value (COMPATIBILITY_OPENCV, "opencv", N_("OpenCV"))
enum_end (ClaheCompatibility)

property_double (clip_limit, _("Clip limit"), 2.0)
  description (_("How much contrast may grow: the most pixels that one level "
                 "of a tile's histogram may hold, as a multiple of the mean; "
                 "0 = no limit"))
  value_range (0.0, 256.0)
  ui_range    (0.0, 16.0)
  ui_steps    (0.1, 1.0)
  ui_digits   (2)

property_int (tiles_x, _("Tiles across"), 8)
  description (_("How many tiles lie side by side; each gets a histogram of "
                 "its own"))
  value_range (1, 1024)
  ui_range    (1, 32)
  ui_steps    (1, 8)
  ui_meta     ("isolux-sensitive", "! tile-size")
  ui_meta     ("isolux-chain", "tiles-y")

property_int (tiles_y, _("Tiles down"), 8)
  description (_("How many tiles lie one below the other"))
  value_range (1, 1024)
  ui_range    (1, 32)
  ui_steps    (1, 8)
  ui_meta     ("isolux-sensitive", "! tile-size")

property_int (tile_size, _("Tile size"), 0)
  description (_("The side of a tile in pixels, in place of the numbers of "
                 "tiles; 0 = the numbers say"))
  value_range (0, 65536)
  ui_range    (0, 1024)
  ui_steps    (1, 16)
  ui_meta     ("isolux-unit", N_("pixels"))
  ui_meta     ("isolux-advanced", "1")

property_enum (bins, _("Bins"),
               ClaheBins, isolux_clahe_bins, BINS_AUTO)
  description (_("How many levels a tile's histogram has; automatic follows "
                 "the significant bits of the image and the pixels of a "
                 "tile. Images of 8 bits have 256"))

property_enum (channels, _("Channels"),
               ClaheChannels, isolux_clahe_channels, CHANNELS_LUMA)
  description (_("What is equalized in a color image: the luma, so that "
                 "colors keep their hue, or red, green and blue each by "
                 "itself"))

property_boolean (use_padding_value, _("Leave out a padding value"), FALSE)
  description (_("Pixels of the padding value do not count, and stay as they "
                 "are"))
  ui_meta     ("isolux-advanced", "1")

property_double (padding_value, _("Padding value"), 0.0)
  description (_("The value of pixels around the picture that are none of "
                 "it, in the unit that the image names, else in that of the "
                 "layer: 0 to 255, 0 to 65535, or the floating point value. "
                 "Padding that the image names itself is left out anyway"))
  value_range (-1e9, 1e9)
  ui_range    (0.0, 65535.0)
  ui_steps    (1.0, 100.0)
  ui_digits   (4)
  ui_gamma    (3.0)
  ui_meta     ("sensitive", "use-padding-value")
  ui_meta     ("isolux-advanced", "1")

property_enum (compatibility, _("Compatibility"),
               ClaheCompatibility, isolux_clahe_compatibility,
               COMPATIBILITY_ISOLUX)
  description (_("Whose rules hold for more than 8 bits: those of Isolux, "
                 "where the clip limit keeps its meaning in small tiles, or "
                 "those of OpenCV's createCLAHE, bit for bit"))
  ui_meta     ("isolux-advanced", "1")

#include "values-property.h"
#include "whole-properties.h"
/* clang-format on */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_clahe
#define GEGL_OP_C_SOURCE clahe.c
#include "gegl-op.h"

#include "bridge.h"

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  bridge_class_init_whole (operation_class);

  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux:clahe",
    "title",       _("Isolux CLAHE"),
    "categories",  "enhance",
    "license",     "GPL3+",
    "description", _("Bring out local contrast: equalize the histogram tile "
                     "by tile, with a limit to the contrast"),
    NULL);
  /* clang-format on */
}

#endif
