/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The behavior of the library's interface, function by function. */
#include "unit.h"

IsoluxSurface *
surface_of (IsoluxDevice *device,
            gint64        width,
            gint64        height,
            gint          components,
            IsoluxType    type,
            gconstpointer pixels)
{
  const IsoluxImage image = { width, height, components, type, 0 };
  const IsoluxView  view = { (gpointer) pixels,
                             (gsize) width * components * ref_size (type) };
  GError           *error = NULL;
  IsoluxSurface    *surface = isolux_surface_new (device, &image, &error);

  g_assert_no_error (error);
  g_assert_nonnull (surface);
  g_assert_true (isolux_surface_upload (surface, &view, NULL, &error));
  g_assert_no_error (error);
  return surface;
}

gpointer
pixels_of (IsoluxSurface *surface)
{
  const IsoluxImage *image = isolux_surface_get_image (surface);
  IsoluxView         view;
  GError            *error = NULL;

  view.stride = (gsize) image->width * image->components *
                ref_size (image->type);
  view.data = g_malloc (view.stride * (gsize) image->height);
  g_assert_true (isolux_surface_download (surface, &view, NULL, &error));
  g_assert_no_error (error);
  return view.data;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  add_device_tests ();
  add_surface_tests ();
  add_process_tests ();
  add_grayscale_tests ();
  add_histogram_tests ();
  add_equalize_tests ();
  add_lut_tests ();
  add_window_tests ();
  add_measure_tests ();
  add_operation_tests ();
  add_selection_tests ();
  add_rules_tests ();
  add_thread_tests ();
  return g_test_run ();
}
