/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CLAHE as cv2.createCLAHE computes it, to the bit.  clahe.txt was made by
 * it (4.6.0 and 5.0.0 agree): pictures of 8 and 16 bits, of sides that the
 * grid divides and of others.
 */
#include "support.h"

#include <stdio.h>
#include <string.h>

static IsoluxDevice *
open_device (gconstpointer kind)
{
  return GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda ()
                                                       : test_cpu (0);
}

/* in to out, through the library. */
static void
run (IsoluxDevice             *device,
     const IsoluxImage        *image,
     gconstpointer             in,
     gpointer                  out,
     const IsoluxClaheOptions *options)
{
  IsoluxSurface *surface;
  IsoluxView     view;
  GError        *error = NULL;

  surface = isolux_surface_new (device, image, &error);
  g_assert_no_error (error);
  view.data = (gpointer) in;
  view.stride = (gsize) image->width * ref_size (image->type);
  isolux_surface_upload (surface, &view, NULL, &error);
  g_assert_no_error (error);
  isolux_clahe (surface, surface, options, NULL, &error);
  g_assert_no_error (error);
  view.data = out;
  isolux_surface_download (surface, &view, NULL, &error);
  g_assert_no_error (error);
  isolux_surface_unref (surface);
}

/* "in 16 24 uint8" and as many lines of as many numbers. */
static gpointer
read_matrix (gchar ***lines, const gchar *word, IsoluxImage *image)
{
  gchar **fields = g_strsplit (**lines, " ", 0);
  guint8 *values;
  gint64  x, y;

  g_assert_cmpuint (g_strv_length (fields), ==, 4);
  g_assert_cmpstr (fields[0], ==, word);
  image->height = g_ascii_strtoll (fields[1], NULL, 10);
  image->width = g_ascii_strtoll (fields[2], NULL, 10);
  image->components = 1;
  image->bits = 0;
  image->type = strcmp (fields[3], "uint8") ? ISOLUX_TYPE_U16 : ISOLUX_TYPE_U8;
  g_strfreev (fields);
  (*lines)++;
  values =
    g_malloc ((gsize) (image->width * image->height) * ref_size (image->type));
  for (y = 0; y < image->height; y++, (*lines)++)
    {
      fields = g_strsplit (**lines, " ", 0);
      g_assert_cmpuint (g_strv_length (fields), ==, image->width);
      for (x = 0; x < image->width; x++)
        {
          const guint value = (guint) g_ascii_strtoull (fields[x], NULL, 10);

          if (image->type == ISOLUX_TYPE_U8)
            values[y * image->width + x] = (guint8) value;
          else
            ((guint16 *) values)[y * image->width + x] = (guint16) value;
        }
      g_strfreev (fields);
    }
  return values;
}

/* "case clahe_uint8_clip2.0_grid8x8_const" */
static gboolean
read_case (gchar ***lines, IsoluxClaheOptions *options, gboolean *constant)
{
  const gchar *name = **lines, *clip, *grid;

  if (! name || ! *name)
    return FALSE;
  g_assert_true (g_str_has_prefix (name, "case clahe_uint"));
  clip = strstr (name, "_clip");
  grid = strstr (name, "_grid");
  g_assert_nonnull (clip);
  g_assert_nonnull (grid);
  options->clip_limit = g_ascii_strtod (clip + 5, NULL);
  g_assert_cmpint (sscanf (grid, "_grid%dx%d", &options->tiles_x,
                           &options->tiles_y),
                   ==, 2);
  *constant = g_str_has_suffix (name, "_const");
  (*lines)++;
  return TRUE;
}

static void
test_vectors (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  gchar        *path, *text, **lines, **line;
  GError       *error = NULL;
  gint          cases = 0;

  if (! device)
    return;
  path = g_test_build_filename (G_TEST_DIST, "golden", "clahe.txt", NULL);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = line = g_strsplit (text, "\n", 0);
  for (;; cases++)
    {
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      IsoluxImage        image;
      gboolean           constant;
      gpointer           in, expected, out;
      gsize              size;

      if (! read_case (&line, &options, &constant))
        break;
      in = read_matrix (&line, "in", &image);
      expected = read_matrix (&line, "out", &image);
      size = (gsize) (image.width * image.height) * ref_size (image.type);
      out = g_malloc (size);
      options.compatibility = ISOLUX_CLAHE_OPENCV;
      run (device, &image, in, out, &options);
      g_assert_cmpmem (out, size, expected, size);
      if (image.type == ISOLUX_TYPE_U8)
        {
          /* the same bytes, but what has one value stays */
          options.compatibility = ISOLUX_CLAHE_ISOLUX;
          run (device, &image, in, out, &options);
          g_assert_cmpmem (out, size, constant ? in : expected, size);
        }
      g_free (in);
      g_free (expected);
      g_free (out);
    }
  g_test_message ("%d cases", cases);
  g_assert_cmpint (cases, ==, 30);
  g_strfreev (lines);
  g_free (text);
  g_free (path);
  isolux_device_unref (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/golden/cpu/clahe/vectors",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CPU), test_vectors);
  g_test_add_data_func ("/golden/cuda/clahe/vectors",
                        GINT_TO_POINTER (ISOLUX_BACKEND_CUDA), test_vectors);
  return g_test_run ();
}
