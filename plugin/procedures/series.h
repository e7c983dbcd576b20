/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.h: files that belong together: which they are, in which order, and
 * the procedure that opens them as the layers of one image.
 */
#ifndef ISOLUX_SERIES_H
#define ISOLUX_SERIES_H

#include <libgimp/gimp.h>

#define ISOLUX_SERIES_PROCEDURE "plug-in-isolux-open-series"

GimpProcedure *isolux_series_create (GimpPlugIn *plug_in);

/*
 * isolux_series_add_arguments: "files", paths, and "folder".
 */
void isolux_series_add_arguments (GimpProcedure *procedure);

/*
 * isolux_series_paths: the files that the arguments name, then those in the
 * folder in natural order, where slice-9 comes before slice-10.  Hidden files
 * and folders in it are left out.
 *
 * Returns: (transfer full): paths; %NULL and @error, in words, when there are
 *   none
 */
GPtrArray *isolux_series_paths (GimpProcedureConfig *config, GError **error);

/*
 * isolux_natural_compare: numbers in names by their value, all else by bytes.
 */
gint isolux_natural_compare (const gchar *a, const gchar *b);

/*
 * isolux_open_file: by GIMP; values that Isolux has written into a file's
 * comment become the image's.
 *
 * Returns: (transfer full): the image, or %NULL and @error, in words
 */
GimpImage *isolux_open_file (GFile *file, GError **error);

/* Whether a file is there and not older than another */
gboolean isolux_is_newer (const gchar *path, const gchar *other);

#endif /* ISOLUX_SERIES_H */
