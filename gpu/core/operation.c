/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * operation.c - any of the operations that make a picture
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "internal.h"

void
isolux_operation_init (IsoluxOperation *operation, IsoluxOperationKind kind)
{
  static const IsoluxGrayOptions        grayscale = ISOLUX_GRAY_DEFAULTS;
  static const IsoluxEqualizeOptions    equalize = ISOLUX_EQUALIZE_DEFAULTS;
  static const IsoluxClaheOptions       clahe = ISOLUX_CLAHE_DEFAULTS;
  static const IsoluxWindowOptions      window = ISOLUX_WINDOW_DEFAULTS;
  static const IsoluxContrastMapOptions map = ISOLUX_CONTRAST_MAP_DEFAULTS;
  static const IsoluxLbpOptions         lbp = ISOLUX_LBP_DEFAULTS;
  static const IsoluxHogOptions         hog = ISOLUX_HOG_DEFAULTS;

  /* nothing in it is undefined, so that two can be compared */
  memset (operation, 0, sizeof *operation);
  operation->kind = kind;
  switch (kind)
    {
      case ISOLUX_OPERATION_GRAYSCALE:
        operation->options.grayscale = grayscale;
        break;
      case ISOLUX_OPERATION_EQUALIZE:
        operation->options.equalize = equalize;
        break;
      case ISOLUX_OPERATION_CLAHE:
        operation->options.clahe = clahe;
        break;
      case ISOLUX_OPERATION_WINDOW:
        operation->options.window = window;
        break;
      case ISOLUX_OPERATION_CONTRAST_MAP:
        operation->options.contrast_map = map;
        break;
      case ISOLUX_OPERATION_LBP:
        operation->options.lbp = lbp;
        break;
      case ISOLUX_OPERATION_HOG:
        operation->options.hog = hog;
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

  return isolux_argument_error (error, _("There is no operation %d."),
                                (gint) operation->kind);
}

gboolean
isolux_operation_is_cropped (const IsoluxOperation *operation)
{
  switch (operation->kind)
    {
      case ISOLUX_OPERATION_CLAHE:
      case ISOLUX_OPERATION_CONTRAST_MAP:
      case ISOLUX_OPERATION_LBP:
      case ISOLUX_OPERATION_HOG:
        return TRUE;
      default:
        return FALSE;
    }
}
