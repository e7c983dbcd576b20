/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <string.h>

/* Rows that are looked after: each once, inside the image, from whom. */
typedef struct
{
  gint64      width, height;
  gsize       row_bytes;
  gint       *reads, *writes;        /* of each row */
  gint64      fail_read, fail_write; /* at this row; -1: never */
  GMutex      mutex;
  GHashTable *threads;
  guint64     sum; /* of what is written */
} Rows;

static void
rows_init (Rows *rows, gint64 width, gint64 height, gsize row_bytes)
{
  memset (rows, 0, sizeof *rows);
  rows->width = width;
  rows->height = height;
  rows->row_bytes = row_bytes;
  rows->reads = g_new0 (gint, height);
  rows->writes = g_new0 (gint, height);
  rows->fail_read = rows->fail_write = -1;
  g_mutex_init (&rows->mutex);
  rows->threads = g_hash_table_new (NULL, NULL);
}

static void
rows_clear (Rows *rows)
{
  g_free (rows->reads);
  g_free (rows->writes);
  g_mutex_clear (&rows->mutex);
  g_hash_table_unref (rows->threads);
}

static void
rows_seen (Rows *rows, gint *seen, gint64 y, gint64 n, gsize stride)
{
  gint64 i;

  g_assert_cmpint (n, >=, 1);
  g_assert_cmpint (y, >=, 0);
  g_assert_cmpint (y + n, <=, rows->height);
  g_assert_cmpuint (stride, >=, rows->row_bytes);
  for (i = y; i < y + n; i++)
    g_atomic_int_inc (&seen[i]);
  g_mutex_lock (&rows->mutex);
  g_hash_table_add (rows->threads, g_thread_self ());
  g_mutex_unlock (&rows->mutex);
  g_usleep (200); /* so that the others get some, too */
}

static gboolean
rows_read (gint64 y, gint64 n, gpointer data, gsize stride, gpointer user_data)
{
  Rows  *rows = user_data;
  gint64 i;
  gsize  k;

  rows_seen (rows, rows->reads, y, n, stride);
  for (i = y; i < y + n; i++)
    for (k = 0; k < rows->row_bytes; k++)
      ((guint8 *) data)[(gsize) (i - y) * stride + k] =
        (guint8) (i * 31 + (gint64) k * 7);
  return rows->fail_read < y || rows->fail_read >= y + n;
}

static gboolean
rows_write (gint64 y, gint64 n, gpointer data, gsize stride, gpointer user_data)
{
  Rows  *rows = user_data;
  gint64 i;
  gsize  k;

  rows_seen (rows, rows->writes, y, n, stride);
  for (i = y; i < y + n; i++)
    for (k = 0; k < rows->row_bytes; k++)
      if (((guint8 *) data)[(gsize) (i - y) * stride + k] !=
          (guint8) (i * 31 + (gint64) k * 7))
        g_atomic_int_set (&rows->writes[i], 1000);
  return rows->fail_write < y || rows->fail_write >= y + n;
}

static IsoluxDevice *
open_kind (gconstpointer kind, gint threads)
{
  return GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda ()
                                                       : test_cpu (threads);
}

static void
test_rows (gconstpointer kind)
{
  static const gint64 sizes[][2] = { { 1, 1 },      { 1, 5000 },
                                     { 5000, 1 },   { 2000, 1500 },
                                     { 313, 2999 }, { 100000, 37 } };
  gint                threads;
  gsize               i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (threads = 1; threads <= 4; threads += 3)
      {
        const IsoluxImage image = { sizes[i][0], sizes[i][1], 1, ISOLUX_TYPE_U8,
                                    0 };
        IsoluxDevice     *device = open_kind (kind, threads);
        IsoluxSurface    *surface;
        GError           *error = NULL;
        Rows              rows;
        gint64            y;

        if (! device)
          return;
        rows_init (&rows, image.width, image.height, (gsize) image.width);
        surface = isolux_surface_new (device, &image, &error);
        g_assert_true (isolux_surface_upload_rows (surface, rows_read, &rows,
                                                   &error));
        g_assert_no_error (error);
        g_assert_true (isolux_surface_download_rows (surface, rows_write, &rows,
                                                     &error));
        g_assert_no_error (error);
        for (y = 0; y < image.height; y++)
          {
            g_assert_cmpint (rows.reads[y], ==, 1);
            g_assert_cmpint (rows.writes[y], ==, 1);
          }
        g_test_message ("%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                        ": %d threads wanted, %u seen",
                        image.width, image.height, threads,
                        g_hash_table_size (rows.threads));
        if (GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CPU)
          g_assert_cmpint (g_hash_table_size (rows.threads), <=, threads);
        if (threads > 1 && image.width * image.height > 2000000)
          g_assert_cmpuint (g_hash_table_size (rows.threads), >, 1);
        rows_clear (&rows);
        isolux_surface_unref (surface);
        isolux_device_unref (device);
      }
}

/* A callback that says no, early, in the middle, at the end. */
static void
test_rows_fail (gconstpointer kind)
{
  static const gint64 at[] = { 0, 1, 700, 1498, 1499 };
  const IsoluxImage   image = { 2000, 1500, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxDevice       *device = open_kind (kind, 3);
  gsize               i;

  if (! device)
    return;
  for (i = 0; i < G_N_ELEMENTS (at); i++)
    {
      IsoluxSurface *surface = isolux_surface_new (device, &image, NULL);
      GError        *error = NULL;
      Rows           rows;

      rows_init (&rows, 2000, 1500, 2000);
      rows.fail_read = at[i];
      g_assert_false (isolux_surface_upload_rows (surface, rows_read, &rows,
                                                  &error));
      assert_error (error, ISOLUX_ERROR_ROWS);
      g_assert_false (isolux_surface_upload_rows (surface, rows_read, &rows,
                                                  NULL));
      rows.fail_read = -1;
      g_assert_true (isolux_surface_upload_rows (surface, rows_read, &rows,
                                                 &error));
      rows.fail_write = at[i];
      g_assert_false (isolux_surface_download_rows (surface, rows_write, &rows,
                                                    &error));
      assert_error (error, ISOLUX_ERROR_ROWS);
      rows.fail_write = -1;
      memset (rows.writes, 0, sizeof *rows.writes * 1500);
      g_assert_true (isolux_surface_download_rows (surface, rows_write, &rows,
                                                   &error));
      g_assert_no_error (error);
      g_assert_cmpint (rows.writes[0], ==, 1);
      rows_clear (&rows);
      isolux_surface_unref (surface);
    }
  isolux_device_unref (device);
}

/* ---- Whole calls ------------------------------------------------------ */

typedef struct
{
  gboolean wants_destination;
  gint     calls;
  gint     mode; /* 0: copy, 1: fail with an error of its own, 2: histogram */
  guint64  total;
} Operation;

static gboolean
operate (IsoluxSurface *source,
         IsoluxSurface *destination,
         gpointer       user_data,
         IsoluxReport  *report,
         GError       **error)
{
  Operation       *operation = user_data;
  IsoluxHistogram *h;

  operation->calls++;
  g_assert_nonnull (source);
  g_assert_nonnull (report);
  g_assert_true ((destination != NULL) == operation->wants_destination);
  switch (operation->mode)
    {
      case 0: /* a gray image is copied as it is */
        return isolux_grayscale (source, destination, NULL, report, error);
      case 1:
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "my own");
        return FALSE;
      default:
        h = isolux_histogram (source, NULL, report, error);
        if (! h)
          return FALSE;
        operation->total = h->total[0];
        isolux_histogram_free (h);
        return TRUE;
    }
}

static void
process_init (IsoluxProcess *process, Rows *rows, Operation *operation)
{
  const IsoluxImage image = { 700, 500, 1, ISOLUX_TYPE_U8, 0 };

  rows_init (rows, 700, 500, 700);
  memset (operation, 0, sizeof *operation);
  operation->wants_destination = TRUE;
  memset (process, 0, sizeof *process);
  process->source = process->destination = image;
  process->read = rows_read;
  process->write = rows_write;
  process->rows_data = rows;
  process->operation = operate;
  process->operation_data = operation;
}

static void
test_process (gconstpointer kind)
{
  static const IsoluxRectangle corner = { 690, 490, 20, 20 };
  IsoluxDevice                *device = open_kind (kind, 2);
  IsoluxProcess                process;
  IsoluxReport                 report;
  Operation                    operation;
  Rows                         rows;
  GError                      *error = NULL;
  gint64                       y;

  if (! device)
    return;
  /* all goes well */
  process_init (&process, &rows, &operation);
  memset (&report, 0x55, sizeof report);
  g_assert_true (isolux_process (device, &process, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpint (operation.calls, ==, 1);
  for (y = 0; y < 500; y++)
    {
      g_assert_cmpint (rows.reads[y], ==, 1);
      g_assert_cmpint (rows.writes[y], ==, 1);
    }
  g_assert_cmpint (report.backend, ==, GPOINTER_TO_INT (kind));
  g_assert_false (report.unchanged);
  g_assert_cmpstr (report.warning, ==, "");
  g_assert_cmpfloat (report.upload_ms, >, 0.0);
  g_assert_cmpfloat (report.download_ms, >, 0.0);
  g_assert_cmpfloat (report.compute_ms, >=, 0.0);
  g_assert_cmpfloat (report.upload_ms, <, 60000.0);
  g_assert_cmpfloat (report.compute_ms, <, 60000.0);
  g_assert_true (isolux_process (device, &process, NULL, NULL));
  rows_clear (&rows);

  /* an error of the operation's own comes through */
  process_init (&process, &rows, &operation);
  operation.mode = 1;
  g_assert_false (isolux_process (device, &process, &report, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
  g_clear_error (&error);
  g_assert_cmpint (operation.calls, ==, 1);
  g_assert_cmpint (rows.writes[0], ==, 0);
  g_assert_false (isolux_process (device, &process, NULL, NULL));
  rows_clear (&rows);

  /* no rows can be had, or given away */
  process_init (&process, &rows, &operation);
  rows.fail_read = 250;
  g_assert_false (isolux_process (device, &process, &report, &error));
  assert_error (error, ISOLUX_ERROR_ROWS);
  g_assert_cmpint (operation.calls, ==, 0);
  rows.fail_read = -1;
  rows.fail_write = 499;
  g_assert_false (isolux_process (device, &process, &report, &error));
  assert_error (error, ISOLUX_ERROR_ROWS);
  g_assert_cmpint (operation.calls, ==, 1);
  rows_clear (&rows);

  /* nothing to write: the destination is not looked at */
  process_init (&process, &rows, &operation);
  operation.mode = 2;
  operation.wants_destination = FALSE;
  process.write = NULL;
  memset (&process.destination, 0xcc, sizeof process.destination);
  g_assert_true (isolux_process (device, &process, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (operation.total, ==, 700 * 500);
  rows_clear (&rows);

  /* a region, and a mask alone */
  process_init (&process, &rows, &operation);
  operation.mode = 2;
  operation.wants_destination = FALSE;
  process.write = NULL;
  process.region = &corner;
  g_assert_true (isolux_process (device, &process, &report, &error));
  g_assert_cmpuint (operation.total, ==, 100);
  {
    guint8 *mask = g_malloc0 (701 * 500);

    process.region = NULL;
    process.mask = mask;
    process.mask_stride = 701;
    memset (mask, 1, 701);
    g_assert_true (isolux_process (device, &process, &report, &error));
    g_assert_cmpuint (operation.total, ==, 700);
    process.mask_stride = 699;
    g_assert_false (isolux_process (device, &process, &report, &error));
    assert_error (error, ISOLUX_ERROR_ARGUMENT);
    g_free (mask);
  }
  rows_clear (&rows);
  isolux_device_unref (device);
}

static void
test_process_arguments (void)
{
  static const IsoluxRectangle negative = { 0, 0, -5, 2 };
  IsoluxDevice                *device = test_cpu (1);
  IsoluxProcess                process;
  IsoluxReport                 report;
  Operation                    operation;
  Rows                         rows;
  GError                      *error = NULL;
  gint                         i;

  for (i = 0; i < 7; i++)
    {
      process_init (&process, &rows, &operation);
      switch (i)
        {
          case 0:
            process.source.width = 0;
            break;
          case 1:
            process.source.components = 5;
            break;
          case 2:
            process.destination.height = 499;
            break;
          case 3:
            process.destination.width = 701;
            break;
          case 4:
            process.destination.components = 0;
            break;
          case 5:
            process.destination.type = (IsoluxType) 9;
            break;
          case 6:
            process.region = &negative;
            break;
        }
      g_assert_false (isolux_process (device, &process, &report, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      g_assert_cmpint (operation.calls, ==, 0);
      g_assert_cmpint (rows.writes[0], ==, 0);
      rows_clear (&rows);
    }
  /* of another type: it is the operation that refuses */
  process_init (&process, &rows, &operation);
  process.destination.type = ISOLUX_TYPE_U16;
  g_assert_false (isolux_process (device, &process, &report, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  rows_clear (&rows);
  isolux_device_unref (device);
}

/* ---- Frames ------------------------------------------------------------- */

#define FRAMES 23

static void
test_frames (gconstpointer kind)
{
  IsoluxDevice *device = open_kind (kind, 3);
  IsoluxProcess frames[FRAMES];
  IsoluxReport  reports[FRAMES];
  Operation     operations[FRAMES];
  Rows          rows[FRAMES];
  GError       *error = NULL;
  gint          lanes, threads, i;
  gint64        y;

  if (! device)
    return;
  threads = isolux_device_get_threads (device);
  for (lanes = 0; lanes <= 4; lanes++)
    {
      for (i = 0; i < FRAMES; i++)
        process_init (&frames[i], &rows[i], &operations[i]);
      memset (reports, 0x55, sizeof reports);
      g_assert_true (isolux_process_frames (&device, 1, frames, FRAMES, lanes,
                                            lanes % 2 ? reports : NULL,
                                            &error));
      g_assert_no_error (error);
      for (i = 0; i < FRAMES; i++)
        {
          g_assert_cmpint (operations[i].calls, ==, 1);
          for (y = 0; y < 500; y++)
            {
              g_assert_cmpint (rows[i].reads[y], ==, 1);
              g_assert_cmpint (rows[i].writes[y], ==, 1);
            }
          if (lanes % 2)
            g_assert_cmpint (reports[i].backend, ==, GPOINTER_TO_INT (kind));
          rows_clear (&rows[i]);
        }
    }
  /* an error ends it, and is one frame's */
  for (i = 0; i < FRAMES; i++)
    process_init (&frames[i], &rows[i], &operations[i]);
  operations[3].mode = 1;
  g_assert_false (isolux_process_frames (&device, 1, frames, FRAMES, 2, NULL,
                                         &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
  g_clear_error (&error);
  g_assert_cmpint (operations[3].calls, ==, 1);
  g_assert_cmpint (rows[3].writes[0], ==, 0);
  /* those under way are done, no others are begun */
  for (i = 0, y = 0; i < FRAMES; i++)
    y += operations[i].calls;
  g_assert_cmpint (y, <, FRAMES);
  for (i = 0; i < FRAMES; i++)
    rows_clear (&rows[i]);
  /* the threads of later calls are all there again */
  g_assert_cmpint (isolux_device_get_threads (device), ==, threads);
  isolux_device_unref (device);
}

static void
test_frames_arguments (void)
{
  IsoluxDevice *device = test_cpu (1), *both[2];
  IsoluxProcess frames[2];
  Operation     operations[2];
  Rows          rows[2];
  GError       *error = NULL;
  gint          i;

  for (i = 0; i < 2; i++)
    process_init (&frames[i], &rows[i], &operations[i]);
  g_assert_true (isolux_process_frames (&device, 1, NULL, 0, 0, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (isolux_process_frames (NULL, 0, frames, 2, 0, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_process_frames (&device, 1, frames, 2, 5, NULL,
                                         &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_false (isolux_process_frames (&device, 1, frames, 2, -1, NULL,
                                         NULL));
  g_assert_cmpint (operations[0].calls, ==, 0);
  /* a frame that no call would do */
  frames[1].source.width = 0;
  g_assert_false (isolux_process_frames (&device, 1, frames, 2, 0, NULL,
                                         &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_cmpint (operations[1].calls, ==, 0);
  for (i = 0; i < 2; i++)
    rows_clear (&rows[i]);
  /* several devices */
  both[0] = device;
  both[1] = test_cpu (1);
  for (i = 0; i < 2; i++)
    process_init (&frames[i], &rows[i], &operations[i]);
  g_assert_true (isolux_process_frames (both, 2, frames, 2, 0, NULL, &error));
  for (i = 0; i < 2; i++)
    {
      g_assert_cmpint (operations[i].calls, ==, 1);
      rows_clear (&rows[i]);
    }
  isolux_device_unref (both[1]);
  isolux_device_unref (device);
}

void
add_process_tests (void)
{
  static const struct
  {
    const gchar  *name;
    GTestDataFunc function;
  } tests[] = { { "rows", test_rows },
                { "rows-fail", test_rows_fail },
                { "whole", test_process },
                { "frames", test_frames } };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      gchar *cpu = g_strdup_printf ("/unit/process/%s/cpu", tests[i].name);
      gchar *cuda = g_strdup_printf ("/unit/process/%s/cuda", tests[i].name);

      g_test_add_data_func (cpu, GINT_TO_POINTER (ISOLUX_BACKEND_CPU),
                            tests[i].function);
      g_test_add_data_func (cuda, GINT_TO_POINTER (ISOLUX_BACKEND_CUDA),
                            tests[i].function);
      g_free (cpu);
      g_free (cuda);
    }
  g_test_add_func ("/unit/process/arguments", test_process_arguments);
  g_test_add_func ("/unit/process/frames-arguments", test_frames_arguments);
}
