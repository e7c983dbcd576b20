/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference and the fallback: plain C and OpenMP. */
#include "cpu.h"

/* Rows that a thread takes at a time hold about this many bytes. */
#define STRIP_BYTES (512 * 1024)

gint
isolux_cpu_threads (IsoluxDevice *device, gint64 width, gint64 height)
{
  const gint64 worth = width * height / 65536;

  return (gint) CLAMP (MIN (worth, height), 1,
                       isolux_device_get_threads (device));
}

static gboolean
alloc (IsoluxDevice *device, gsize size, gpointer *memory, GError **error)
{
  return isolux_pool_take (isolux_device_get_pool (device), size, memory,
                           error);
}

static void
release (IsoluxDevice *device, gpointer memory, gsize size)
{
  isolux_pool_give (isolux_device_get_pool (device), memory);
}

static void
copy_rows (IsoluxDevice *device,
           gpointer      to,
           gsize         to_stride,
           gconstpointer from,
           gsize         from_stride,
           gsize         row_bytes,
           gint64        rows)
{
  const gint threads =
    isolux_cpu_threads (device, (gint64) row_bytes / 4, rows);

#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 y = 0; y < rows; y++)
    memmove ((guint8 *) to + (gsize) y * to_stride,
             (const guint8 *) from + (gsize) y * from_stride, row_bytes);
}

static gboolean
write (IsoluxDevice *device,
       gpointer      memory,
       gsize         stride,
       gconstpointer host,
       gsize         host_stride,
       gsize         row_bytes,
       gint64        rows,
       gpointer      stream,
       GError      **error)
{
  copy_rows (device, memory, stride, host, host_stride, row_bytes, rows);
  return TRUE;
}

static gboolean
read (IsoluxDevice *device,
      gpointer      host,
      gsize         host_stride,
      gconstpointer memory,
      gsize         stride,
      gsize         row_bytes,
      gint64        rows,
      gpointer      stream,
      GError      **error)
{
  copy_rows (device, host, host_stride, memory, stride, row_bytes, rows);
  return TRUE;
}

/* The callback works in the surface's own memory. */
static gboolean
move_rows (IsoluxSurface *surface,
           IsoluxRowsFunc function,
           gpointer       user_data,
           GError       **error)
{
  const IsoluxPixels *pixels = &surface->pixels;
  const gint64        strip =
    CLAMP ((gint64) (STRIP_BYTES / pixels->stride), 1, pixels->height);
  const gint64 strips = (pixels->height + strip - 1) / strip;
  const gint   threads =
    (gint) MIN (strips, (gint64) isolux_device_get_threads (surface->device));
  gint failed = 0;

#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (gint64 i = 0; i < strips; i++)
    {
      const gint64 y = i * strip;

      if (! g_atomic_int_get (&failed) &&
          ! function (y, MIN (strip, pixels->height - y),
                      isolux_cpu_row (pixels, y), pixels->stride, user_data))
        g_atomic_int_set (&failed, 1);
    }
  if (failed)
    g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_ROWS,
                         _("The rows of the image could not be moved."));
  return ! failed;
}

const IsoluxBackend isolux_backend_cpu = {
  .kind = ISOLUX_BACKEND_CPU,
  .name = "CPU",
  .alloc = alloc,
  .release = release,
  .write = write,
  .read = read,
  .write_rows = move_rows,
  .read_rows = move_rows,
  .grayscale = isolux_cpu_grayscale,
  .count = isolux_cpu_count,
  .equalize = isolux_cpu_equalize,
  .lut_apply = isolux_cpu_lut_apply,
  .lbp = isolux_cpu_lbp,
  .lbp_histogram = isolux_cpu_lbp_histogram,
  .hog_cells = isolux_cpu_hog_cells,
  .hog_picture = isolux_cpu_hog_picture,
  .clahe = isolux_cpu_clahe,
  .window = isolux_cpu_window,
  .contrast_map = isolux_cpu_contrast_map,
  .metrics = isolux_cpu_metrics,
  .leave_out = isolux_cpu_leave_out,
  .reduce = isolux_cpu_reduce,
  .clahe_sample = isolux_cpu_clahe_sample,
};
