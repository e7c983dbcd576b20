/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames a second from host memory to host memory, several in one call: how
 * much lanes and devices gain.  The frames lie apart and are larger together
 * than the processor's caches; each result is compared with the CPU's.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#define FRAMES 24

/* Returns: bytes of a frame */
static gsize
frames_init (Rows *frames, IsoluxProcess *processes, const Case *c)
{
  const IsoluxImage image = case_source_image (c);
  const gsize       bytes = image_bytes (&image);
  const guint8     *pixels = case_pixels (c);

  for (gint i = 0; i < FRAMES; i++)
    {
      guint8 *from = g_malloc (bytes);

      /* each frame is another one */
      for (gsize k = 0; k < bytes; k++)
        from[k] = pixels[(k + (gsize) i * 977) % bytes];
      rows_init (&frames[i], &processes[i], c, from);
    }
  return bytes;
}

/* The frames' results, to be compared or to be kept. */
static gboolean
results_agree (Rows *frames, gsize bytes, guint8 **wanted)
{
  for (gint i = 0; i < FRAMES; i++)
    {
      if (! wanted[i])
        wanted[i] = g_memdup2 (frames[i].to, bytes);
      else if (memcmp (wanted[i], frames[i].to, bytes) != 0)
        return FALSE;
      memset (frames[i].to, 0, bytes);
    }
  return TRUE;
}

/* Milliseconds of a call with all frames. */
static gboolean
time_frames (IsoluxDevice *const *devices,
             guint                n_devices,
             gint                 lanes,
             const IsoluxProcess *processes,
             Times               *times,
             GError             **error)
{
  gdouble *values = g_new (gdouble, patience.most);
  gdouble  begin = 0.0;
  gboolean success = TRUE;
  gint     n = -2; /* two to warm up */

  while (success && (n < 1 || ! enough (n, begin)))
    {
      const gdouble start = now_ms ();

      success = isolux_process_frames (devices, n_devices, processes, FRAMES,
                                       lanes, NULL, error);
      if (n >= 0)
        values[n] = now_ms () - start;
      if (++n == 0)
        begin = now_ms ();
    }
  times_of (times, values, success ? n : 0);
  g_free (values);
  return success;
}

/* A row of the table; one: the time of one frame at a time on one device. */
static gboolean
add_row (GString             *table,
         const Case          *c,
         const gchar         *where,
         IsoluxDevice *const *devices,
         guint                n_devices,
         gint                 lanes,
         const IsoluxProcess *processes,
         gdouble             *one,
         GError             **error)
{
  Times  times;
  gchar *row;

  if (! time_frames (devices, n_devices, lanes, processes, &times, error))
    return FALSE;
  if (lanes == 1 && n_devices == 1)
    *one = times.median;
  row =
    g_strdup_printf ("| %-14s | %-9s | %-4s | %7u | %5d | %8.0f | %5.2f |\n",
                     c->operation->name, c->size.name, where, n_devices, lanes,
                     1000.0 * FRAMES / times.median, *one / times.median);
  g_string_append (table, row);
  fputs (row, stdout);
  fflush (stdout);
  g_free (row);
  return TRUE;
}

static gboolean
measure (GString      *table,
         const Case   *c,
         IsoluxDevice *cpu,
         IsoluxDevice *cuda,
         GError      **error)
{
  Rows                 frames[FRAMES];
  IsoluxProcess        processes[FRAMES];
  guint8              *wanted[FRAMES] = { NULL };
  IsoluxDevice *const *devices = NULL;
  guint                n_devices = 0;
  gdouble              one = 1.0;
  gsize                bytes;
  gboolean             success;

  bytes = frames_init (frames, processes, c);
  isolux_device_set_threads (cpu, 0);
  success = add_row (table, c, "CPU", &cpu, 1, 1, processes, &one, error) &&
            results_agree (frames, bytes, wanted);
  if (success && cuda)
    {
      isolux_device_set_threads (cuda, 0);
      for (gint lanes = 1; success && lanes <= 4; lanes *= 2)
        success =
          add_row (table, c, "CUDA", &cuda, 1, lanes, processes, &one, error) &&
          results_agree (frames, bytes, wanted);
      if (success)
        devices = isolux_devices_get_default (&n_devices);
      for (guint n = 2; success && n <= n_devices; n *= 2)
        success =
          add_row (table, c, "CUDA", devices, n, 4, processes, &one, error) &&
          results_agree (frames, bytes, wanted);
    }
  if (! success && ! *error)
    g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_DEVICE,
                         "frames: other bytes than the CPU's");
  for (gint i = 0; i < FRAMES; i++)
    {
      g_free ((gpointer) frames[i].from);
      g_free (frames[i].to);
      g_free (wanted[i]);
    }
  return success;
}

gchar *
frames_measure (const gboolean *wished,
                const Size     *size,
                IsoluxDevice   *cpu,
                IsoluxDevice   *cuda,
                GError        **error)
{
  static const gchar head[] =
    "| operation      | size      | on   | devices | lanes | frames/s | ratio "
    "|\n| -------------- | --------- | ---- | ------: | ----: | -------: | "
    "----: |\n";
  GString *table = g_string_new (head);
  gboolean success = TRUE;

  printf ("\n## Frames of gray u8, host to host, %d in a call\n\n%s", FRAMES,
          head);
  for (gint i = 0; success && i < n_operations; i++)
    if (wished[i] && operations[i].components == 1 &&
        operations[i].result == 1 && operations[i].types & 1u << TYPE_U8)
      {
        const Case c = { &operations[i], TYPE_U8, DATA_PHOTO, LAYOUT_PLAIN,
                         *size };

        success = measure (table, &c, cpu, cuda, error);
      }
  return g_string_free (table, ! success);
}
