/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any of the operations that make a picture. */
#include "internal.h"

void
isolux_operation_init (IsoluxOperation *operation, IsoluxOperationKind kind)
{
  memset (operation, 0, sizeof *operation);
  operation->kind = kind;
  switch (kind)
    {
      case ISOLUX_OPERATION_GRAYSCALE:
        operation->options.grayscale = (IsoluxGrayOptions) ISOLUX_GRAY_DEFAULTS;
        break;
      case ISOLUX_OPERATION_EQUALIZE:
        operation->options.equalize =
          (IsoluxEqualizeOptions) ISOLUX_EQUALIZE_DEFAULTS;
        break;
      case ISOLUX_OPERATION_CLAHE:
        operation->options.clahe = (IsoluxClaheOptions) ISOLUX_CLAHE_DEFAULTS;
        break;
      case ISOLUX_OPERATION_WINDOW:
        operation->options.window =
          (IsoluxWindowOptions) ISOLUX_WINDOW_DEFAULTS;
        break;
      case ISOLUX_OPERATION_CONTRAST_MAP:
        operation->options.contrast_map =
          (IsoluxContrastMapOptions) ISOLUX_CONTRAST_MAP_DEFAULTS;
        break;
      case ISOLUX_OPERATION_LBP:
        operation->options.lbp = (IsoluxLbpOptions) ISOLUX_LBP_DEFAULTS;
        break;
      case ISOLUX_OPERATION_HOG:
        operation->options.hog = (IsoluxHogOptions) ISOLUX_HOG_DEFAULTS;
        break;
    }
}

gboolean
isolux_operation_run (const IsoluxOperation *operation,
                      IsoluxSurface         *source,
                      IsoluxSurface         *destination,
                      IsoluxReport          *report,
                      GError               **error)
{
  switch (operation->kind)
    {
      case ISOLUX_OPERATION_GRAYSCALE:
        return isolux_grayscale (source, destination,
                                 &operation->options.grayscale, report, error);
      case ISOLUX_OPERATION_EQUALIZE:
        return isolux_equalize (source, destination,
                                &operation->options.equalize, report, error);
      case ISOLUX_OPERATION_CLAHE:
        return isolux_clahe (source, destination, &operation->options.clahe,
                             report, error);
      case ISOLUX_OPERATION_WINDOW:
        return isolux_window (source, destination, &operation->options.window,
                              report, error);
      case ISOLUX_OPERATION_CONTRAST_MAP:
        return isolux_contrast_map (source, destination,
                                    &operation->options.contrast_map, report,
                                    error);
      case ISOLUX_OPERATION_LBP:
        return isolux_lbp (source, destination, &operation->options.lbp, report,
                           error);
      case ISOLUX_OPERATION_HOG:
        return isolux_hog_picture (source, destination, &operation->options.hog,
                                   report, error);
    }
  isolux_report_clear (report);
  return isolux_argument_error (error, _("There is no operation %d."),
                                (gint) operation->kind);
}

gboolean
isolux_operation_is_cropped (const IsoluxOperation *operation)
{
  return operation->kind != ISOLUX_OPERATION_GRAYSCALE;
}

/* Tiles of one side: how many, and how large. */
static void
set_tiles (IsoluxClaheGrid *grid,
           gint64           tiles_x,
           gint64           tiles_y,
           gint64           tile_width,
           gint64           tile_height)
{
  grid->tiles_x = (gint) tiles_x;
  grid->tiles_y = (gint) tiles_y;
  grid->tile_width = tile_width;
  grid->tile_height = tile_height;
}

void
isolux_operation_get_grid (const IsoluxOperation *operation,
                           gint64                 width,
                           gint64                 height,
                           IsoluxClaheGrid       *grid)
{
  IsoluxGrid tiles;
  gint64     side;

  memset (grid, 0, sizeof *grid);
  switch (operation->kind)
    {
      case ISOLUX_OPERATION_CLAHE:
        tiles = isolux_clahe_grid (&operation->options.clahe, width, height);
        set_tiles (grid, tiles.tiles_x, tiles.tiles_y, tiles.tile_width,
                   tiles.tile_height);
        break;
      case ISOLUX_OPERATION_CONTRAST_MAP:
        side = operation->options.contrast_map.tile_size;
        set_tiles (grid, isolux_contrast_tiles (width, side),
                   isolux_contrast_tiles (height, side), side, side);
        break;
      case ISOLUX_OPERATION_HOG:
        side = operation->options.hog.cell_size;
        set_tiles (grid, width / side, height / side, side, side);
        break;
      default:
        break;
    }
}
