/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-files.c: all images of a folder: operations run or refuse in words,
 * alpha stays, and the result is the right one.
 */
#include <string.h>

#include "test.h"

/* DICOM files open with a window, and what is merged is what that shows; here
 * it is about the codes below. */
static void
remove_windows (GimpDrawable *drawable)
{
  GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);

  for (gint i = 0; filters && filters[i]; i++)
    {
      gchar *name = gimp_drawable_filter_get_operation_name (filters[i]);

      if (! g_strcmp0 (name, "isolux:window"))
        gimp_drawable_filter_delete (filters[i]);
      g_free (name);
    }
  g_free (filters);
}

/* Runs one procedure on every layer. */
static void
check_file (GFile *file, const gchar *base, gboolean equalize)
{
  GimpImage  *image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);
  GimpLayer **layers;

  if (! image)
    {
      test_skip ("%s: GIMP does not open it", base);
      return;
    }

  layers = gimp_image_get_layers (image);
  for (gint i = 0; layers[i]; i++)
    {
      GimpDrawable   *drawables[] = { GIMP_DRAWABLE (layers[i]), NULL };
      TestPixels     *before = test_pixels_get (drawables[0]);
      TestPixels     *after;
      guint8         *selected = NULL;
      GimpValueArray *values;
      gchar          *message;
      gboolean        good;

      remove_windows (drawables[0]);
      if (! gimp_selection_is_empty (image))
        selected = test_selection (drawables[0]);
      if (equalize)
        values = test_call ("plug-in-isolux-equalize", GIMP_RUN_NONINTERACTIVE,
                            image, drawables, &message, "channels", "each",
                            NULL);
      else
        values = test_call ("plug-in-isolux-grayscale", GIMP_RUN_NONINTERACTIVE,
                            image, drawables, &message, NULL);
      after = test_pixels_get (drawables[0]);

      if (message)
        good = *message && test_pixels_equal (before, after);
      else if (equalize)
        good = expect_equalized (before, after, selected, TRUE, 0);
      else
        good = expect_grayscale (before, after, "luma-bt601");
      test_ok (good, "%s, layer %d (%s), %s%s%s", base, i,
               babl_get_name (before->format),
               equalize ? "equalize" : "grayscale", message ? ": " : "",
               message ? message : "");

      gimp_value_array_unref (values);
      g_free (message);
      g_free (selected);
      test_pixels_free (before);
      test_pixels_free (after);
    }
  g_free (layers);
  gimp_image_delete (image);
}

void
suite_files (const gchar *argument)
{
  GDir        *folder = g_dir_open (argument, 0, NULL);
  GPtrArray   *names = g_ptr_array_new_with_free_func (g_free);
  const gchar *name;

  while (folder && (name = g_dir_read_name (folder)))
    if (! g_str_has_suffix (name, ".md") && ! g_str_has_suffix (name, ".txt"))
      g_ptr_array_add (names, g_strdup (name));
  if (folder)
    g_dir_close (folder);
  g_ptr_array_sort_values (names, (GCompareFunc) strcmp);

  for (guint i = 0; i < names->len; i++)
    {
      GFile *file = g_file_new_build_filename (argument, names->pdata[i], NULL);

      if (g_file_query_file_type (file, 0, NULL) == G_FILE_TYPE_REGULAR)
        {
          check_file (file, names->pdata[i], FALSE);
          check_file (file, names->pdata[i], TRUE);
        }
      g_object_unref (file);
    }
  g_ptr_array_unref (names);
}
