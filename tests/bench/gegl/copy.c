/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux-bench:copy - an operation that does nothing but what each operation
 * on a whole image has to: rows out of the input's tiles, rows into those of
 * the output, in threads.
 */
#ifdef GEGL_PROPERTIES

/* none */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_bench_copy
#define GEGL_OP_C_SOURCE copy.c
#include "gegl-op.h"

/* Rows of a strip hold about this many bytes. */
#define STRIP_BYTES (512 * 1024)

static GeglRectangle
get_whole (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  const GeglRectangle *box =
    gegl_operation_source_get_bounding_box (operation, "input");

  return box && ! gegl_rectangle_is_infinite_plane (box) ? *box : *roi;
}

static GeglRectangle
get_cached_region (GeglOperation *operation, const GeglRectangle *roi)
{
  return get_whole (operation, "input", roi);
}

static void
prepare (GeglOperation *operation)
{
  const Babl *format = gegl_operation_get_source_format (operation, "input");

  if (! format)
    format = babl_format ("R'G'B'A float");
  gegl_operation_set_format (operation, "input", format);
  gegl_operation_set_format (operation, "output", format);
}

static gboolean
process (GeglOperation       *operation,
         GeglBuffer          *input,
         GeglBuffer          *output,
         const GeglRectangle *roi,
         gint                 level)
{
  const Babl *format = gegl_operation_get_format (operation, "output");
  const gsize row = (gsize) babl_format_get_bytes_per_pixel (format) *
                    (gsize) MAX (roi->width, 1);
  const gint rows = (gint) CLAMP (STRIP_BYTES / row, 1, 4096);
  gint       threads = 1;

  g_object_get (gegl_config (), "threads", &threads, NULL);
#pragma omp parallel num_threads(threads)
  {
    guint8 *strip = g_malloc (row * (gsize) rows);

#pragma omp for schedule(dynamic)
    for (gint y = 0; y < roi->height; y += rows)
      {
        const GeglRectangle area = { roi->x, roi->y + y, roi->width,
                                     MIN (rows, roi->height - y) };

        gegl_buffer_get (input, &area, 1.0, format, strip, GEGL_AUTO_ROWSTRIDE,
                         GEGL_ABYSS_NONE);
        gegl_buffer_set (output, &area, 0, format, strip, GEGL_AUTO_ROWSTRIDE);
      }
    g_free (strip);
  }
  return TRUE;
}

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass       *operation_class = GEGL_OPERATION_CLASS (klass);
  GeglOperationFilterClass *filter_class = GEGL_OPERATION_FILTER_CLASS (klass);

  operation_class->prepare = prepare;
  operation_class->get_required_for_output = get_whole;
  operation_class->get_cached_region = get_cached_region;
  operation_class->threaded = FALSE;
  filter_class->process = process;
  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux-bench:copy",
    "title",       "Copy",
    "categories",  "hidden",
    "description", "Copies the input to the output",
    NULL);
  /* clang-format on */
}

#endif
