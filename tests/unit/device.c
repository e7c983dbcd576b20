/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <string.h>

static void
test_version (void)
{
  gchar **numbers = g_strsplit (isolux_version (), ".", 0);

  g_assert_cmpuint (g_strv_length (numbers), ==, 3);
  g_assert_true (g_ascii_isdigit (numbers[0][0]));
  g_assert_true (g_ascii_isdigit (numbers[2][0]));
  g_strfreev (numbers);
  g_assert_cmpstr (g_quark_to_string (ISOLUX_ERROR), !=, NULL);
}

static void
test_arguments (void)
{
  GError *error = NULL;

  g_assert_null (isolux_device_open ((IsoluxBackendKind) 7, 0, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_null (isolux_device_open ((IsoluxBackendKind) -1, 0, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_null (isolux_device_open (ISOLUX_BACKEND_CUDA, -1, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  g_assert_null (isolux_device_open (ISOLUX_BACKEND_CUDA, -1, NULL));
  isolux_device_unref (NULL);
}

static void
test_cpu_device (void)
{
  IsoluxDevice    *device = isolux_device_open (ISOLUX_BACKEND_CPU, -5, NULL);
  IsoluxDeviceInfo info;
  gchar           *text;

  g_assert_nonnull (device); /* the ordinal is ignored */
  memset (&info, 0x55, sizeof info);
  isolux_device_get_info (device, &info);
  g_assert_false (info.cuda_ready);
  g_assert_cmpstr (info.cuda_name, ==, "");
  g_assert_cmpint (info.cuda_capability, ==, 0);
  g_assert_cmpuint (info.cuda_memory, ==, 0);
  g_assert_cmpstr (info.cuda_reason, !=, "");
  g_assert_cmpint (info.threads, ==, g_get_num_processors ());
  isolux_device_set_threads (device, 3);
  isolux_device_get_info (device, &info);
  g_assert_cmpint (info.threads, ==, 3);
  isolux_device_set_threads (device, 0);
  isolux_device_get_info (device, &info);
  g_assert_cmpint (info.threads, ==, g_get_num_processors ());

  text = isolux_device_describe (device);
  g_assert_nonnull (strstr (text, "CPU"));
  g_assert_nonnull (strstr (text, info.cuda_reason));
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_free (text);
  g_assert_cmpint (isolux_device_wait (device), ==, ISOLUX_BACKEND_CPU);
  g_assert_true (isolux_device_ref (device) == device);
  isolux_device_unref (device);
  isolux_device_unref (device);
}

/* Where there is no CUDA the reason comes in words; where there is, the
 * card tells its name. */
static void
test_cuda_device (void)
{
  GError          *error = NULL;
  IsoluxDevice    *device;
  IsoluxDeviceInfo info;
  gchar           *text;

  device = isolux_device_open (ISOLUX_BACKEND_CUDA, 4711, &error);
  g_assert_null (device);
  assert_error (error, ISOLUX_ERROR_DEVICE);

  device = test_cuda ();
  if (! device)
    return;
  memset (&info, 0x55, sizeof info);
  isolux_device_get_info (device, &info);
  g_assert_true (info.cuda_ready);
  g_assert_cmpint (info.cuda_ordinal, ==, 0);
  g_assert_cmpstr (info.cuda_name, !=, "");
  g_assert_cmpstr (info.cuda_reason, ==, "");
  g_assert_cmpint (info.cuda_capability, >=, 50);
  g_assert_cmpint (info.cuda_driver, >=, 11000);
  g_assert_cmpuint (info.cuda_memory, >, 1 << 28);
  text = isolux_device_describe (device);
  g_assert_nonnull (strstr (text, info.cuda_name));
  g_free (text);
  g_assert_cmpint (isolux_device_wait (device), ==, ISOLUX_BACKEND_CUDA);
  isolux_device_unref (device);
}

/* Images of one row just below and from the size on that was measured. */
static void
assert_crossover (IsoluxDevice *device)
{
  IsoluxImage      image = { 1, 1, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxDeviceInfo info;
  IsoluxSurface   *surface;
  gint             i;

  /* a test that counts calls is not to see others */
  if (isolux_fault_is_armed ())
    return;
  for (i = 0; i < 3000; i++)
    {
      isolux_device_get_info (device, &info);
      if (info.cuda_from)
        break;
      g_usleep (10000);
    }
  g_test_message ("CUDA from %" G_GUINT64_FORMAT " bytes on", info.cuda_from);
  g_assert_cmpuint (info.cuda_from, >=, 1);
  for (i = 0; i < 2; i++)
    {
      const guint64 bytes = info.cuda_from == G_MAXUINT64 ? 1 << 24
                            : i                           ? info.cuda_from
                                                          : info.cuda_from - 1;

      if (bytes < 1 || bytes > 1 << 28)
        continue;
      image.width = (gint64) bytes;
      surface = isolux_surface_new (device, &image, NULL);
      g_assert_nonnull (surface);
      g_assert_cmpint (isolux_surface_get_backend (surface), ==,
                       bytes >= info.cuda_from ? ISOLUX_BACKEND_CUDA
                                               : ISOLUX_BACKEND_CPU);
      isolux_surface_unref (surface);
    }
}

static void
test_auto_device (void)
{
  const IsoluxImage large = { 3000, 3000, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxDevice     *device = isolux_device_open (ISOLUX_BACKEND_AUTO, 0, NULL);
  IsoluxDeviceInfo  info;
  IsoluxSurface    *surface;
  IsoluxBackendKind kind;
  gchar            *text;

  g_assert_nonnull (device);
  /* nothing was started by asking */
  text = isolux_device_describe (device);
  g_assert_cmpstr (text, !=, "");
  g_free (text);
  isolux_device_get_info (device, &info);
  g_assert_false (info.cuda_ready);
  g_assert_cmpstr (info.cuda_reason, !=, "");

  kind = isolux_device_wait (device);
  isolux_device_get_info (device, &info);
  g_assert_true (info.cuda_ready == (kind == ISOLUX_BACKEND_CUDA));
  g_assert_true (info.cuda_ready == (info.cuda_reason[0] == '\0'));

  if (kind == ISOLUX_BACKEND_CUDA)
    assert_crossover (device);
  else
    {
      surface = isolux_surface_new (device, &large, NULL);
      g_assert_cmpint (isolux_surface_get_backend (surface), ==, kind);
      isolux_surface_unref (surface);
    }
  isolux_device_unref (device);
}

static void
test_crossover (void)
{
  static const guint64 bytes[] = { 100, 400, 1600 };
  static const struct
  {
    gint64  cpu[3], cuda[3];
    guint64 from;
  } cases[] = {
    { { 10, 40, 160 }, { 5, 6, 7 }, 1 },
    { { 10, 40, 160 }, { 20, 30, 40 }, 400 },
    { { 10, 40, 160 }, { 20, 50, 160 }, 1600 },
    /* a lucky call on the way is none */
    { { 10, 40, 160 }, { 5, 50, 60 }, 1600 },
    /* 100 behind at 400, 50 at 1600: level at 2800 */
    { { 10, 40, 160 }, { 120, 140, 210 }, 2800 },
    { { 10, 40, 160 }, { 20, 80, 320 }, G_MAXUINT64 },
    { { 10, 40, 160 }, { 50, 80, 200 }, G_MAXUINT64 },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (isolux_crossover (bytes, cases[i].cpu, cases[i].cuda, 3),
                      ==, cases[i].from);
}

/* One that is given back while it still starts. */
static void
test_auto_given_back (void)
{
  const IsoluxImage large = { 3000, 3000, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxDevice     *device = isolux_device_open (ISOLUX_BACKEND_AUTO, 0, NULL);
  IsoluxSurface    *surface = isolux_surface_new (device, &large, NULL);

  g_assert_nonnull (surface);
  isolux_device_unref (device);
  isolux_surface_unref (surface);
}

/* A surface keeps its device. */
static void
test_surface_keeps_device (void)
{
  const guint8   pixels[6] = { 0, 1, 2, 3, 4, 5 };
  IsoluxDevice  *device = test_cpu (1);
  IsoluxSurface *surface = surface_of (device, 3, 2, 1, ISOLUX_TYPE_U8, pixels);
  guint8        *back;

  isolux_device_unref (device);
  g_assert_true (isolux_surface_ref (surface) == surface);
  isolux_surface_unref (surface);
  back = pixels_of (surface);
  g_assert_cmpmem (back, 6, pixels, 6);
  g_free (back);
  isolux_surface_unref (surface);
}

/* ---- The environment -------------------------------------------------- */

static const struct
{
  const gchar *backend, *number;
  gboolean     cpu; /* CUDA must not be used, whatever is there */
} environments[] = {
  { "cpu", NULL, TRUE },     { "cuda", NULL, FALSE },
  { "auto", NULL, FALSE },   { NULL, NULL, FALSE },
  { "", NULL, FALSE },       { "gpu!", NULL, FALSE },
  { "CPU", NULL, FALSE },    { "cuda", "4711", TRUE },
  { "cuda", "first", TRUE }, { "cuda", "-1", TRUE },
  { "auto", "4711", TRUE },  { "auto", "99999999999999999999", TRUE },
  { "cuda", "", FALSE },
};

static void
test_environment_child (gconstpointer data)
{
  const gint        i = GPOINTER_TO_INT (data);
  IsoluxDevice     *device = isolux_device_get_default ();
  IsoluxDeviceInfo  info;
  IsoluxBackendKind kind;
  GError           *error = NULL;
  IsoluxDevice     *cuda;
  guint8            pixel = 1;
  IsoluxSurface    *surface;
  gchar            *text;

  g_assert_nonnull (device);
  g_assert_true (device == isolux_device_get_default ());
  kind = isolux_device_wait (device);
  isolux_device_get_info (device, &info);
  text = isolux_device_describe (device);
  if (environments[i].cpu)
    g_assert_cmpint (kind, ==, ISOLUX_BACKEND_CPU);
  else
    {
      cuda = isolux_device_open (ISOLUX_BACKEND_CUDA, 0, &error);
      g_assert_cmpint (kind, ==,
                       cuda ? ISOLUX_BACKEND_CUDA : ISOLUX_BACKEND_CPU);
      /* and it says why */
      if (! cuda)
        g_assert_cmpstr (info.cuda_reason, ==, error->message);
      g_clear_error (&error);
      isolux_device_unref (cuda);
    }
  if (kind == ISOLUX_BACKEND_CPU)
    {
      g_assert_cmpstr (info.cuda_reason, !=, "");
      g_assert_nonnull (strstr (text, info.cuda_reason));
    }
  g_free (text);
  /* it works, whatever was said */
  surface = surface_of (device, 1, 1, 1, ISOLUX_TYPE_U8, &pixel);
  isolux_surface_unref (surface);
}

static void
test_environment (gconstpointer data)
{
  const gint i = GPOINTER_TO_INT (data);
  gchar     *path = g_strdup_printf ("/environment/%d/subprocess/child", i);

  if (environments[i].backend)
    g_setenv ("ISOLUX_BACKEND", environments[i].backend, TRUE);
  else
    g_unsetenv ("ISOLUX_BACKEND");
  if (environments[i].number)
    g_setenv ("ISOLUX_CUDA_DEVICE", environments[i].number, TRUE);
  else
    g_unsetenv ("ISOLUX_CUDA_DEVICE");
  g_test_trap_subprocess (path, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  g_unsetenv ("ISOLUX_BACKEND");
  g_unsetenv ("ISOLUX_CUDA_DEVICE");
  if (! g_test_trap_has_passed ())
    g_test_message ("ISOLUX_BACKEND=%s ISOLUX_CUDA_DEVICE=%s",
                    environments[i].backend, environments[i].number);
  g_test_trap_assert_passed ();
  g_free (path);
}

/* ---- Less memory than an image needs ------------------------------------ */

#define SIDE 2000

static gboolean
read_ramp (gint64 y, gint64 rows, gpointer data, gsize stride, gpointer unused)
{
  for (gint64 i = 0; i < rows; i++)
    for (gint64 x = 0; x < SIDE; x++)
      ((guint8 *) data)[(gsize) i * stride + (gsize) x] =
        (guint8) ((x + (y + i) * 3) / 40);
  return TRUE;
}

static gboolean
write_picture (gint64   y,
               gint64   rows,
               gpointer data,
               gsize    stride,
               gpointer picture)
{
  for (gint64 i = 0; i < rows; i++)
    memcpy ((guint8 *) picture + (gsize) (y + i) * SIDE,
            (guint8 *) data + (gsize) i * stride, SIDE);
  return TRUE;
}

static gboolean
equalize (IsoluxSurface *source,
          IsoluxSurface *destination,
          gpointer       user_data,
          IsoluxReport  *report,
          GError       **error)
{
  return isolux_equalize (source, destination, NULL, report, error);
}

/* 4 MB twice do not fit into 5 MiB: the CPU does it, and says why. */
static void
test_memory_child (void)
{
  IsoluxDevice *device = isolux_device_open (ISOLUX_BACKEND_CUDA, 0, NULL);
  IsoluxDevice *cpu;
  guint8       *pictures[2];
  IsoluxProcess process = { 0 };
  IsoluxReport  report;
  GError       *error = NULL;

  if (! device)
    return;
  cpu = test_cpu (2);
  process.source = (IsoluxImage) { SIDE, SIDE, 1, ISOLUX_TYPE_U8, 0 };
  process.destination = process.source;
  process.read = read_ramp;
  process.write = write_picture;
  process.operation = equalize;
  for (gint i = 0; i < 2; i++)
    {
      pictures[i] = g_malloc0 ((gsize) SIDE * SIDE);
      process.rows_data = pictures[i];
      g_assert_true (isolux_process (i ? cpu : device, &process, &report,
                                     &error));
      g_assert_no_error (error);
      g_assert_cmpint (report.backend, ==, ISOLUX_BACKEND_CPU);
      g_assert_true ((report.warning[0] != '\0') == (i == 0));
    }
  g_assert_cmpmem (pictures[0], (gsize) SIDE * SIDE, pictures[1],
                   (gsize) SIDE * SIDE);
  /* a part of it fits */
  process.source.height = process.destination.height = SIDE / 8;
  g_assert_true (isolux_process (device, &process, &report, &error));
  g_assert_cmpint (report.backend, ==, ISOLUX_BACKEND_CUDA);
  g_free (pictures[0]);
  g_free (pictures[1]);
  isolux_device_unref (cpu);
  isolux_device_unref (device);
}

static void
test_memory (void)
{
  g_setenv ("ISOLUX_CUDA_MEMORY", "5", TRUE);
  g_test_trap_subprocess ("/environment/memory/subprocess/child",
                          60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  g_unsetenv ("ISOLUX_CUDA_MEMORY");
  g_test_trap_assert_passed ();
}

void
add_device_tests (void)
{
  gsize i;

  /* first, while there are no threads: they change the environment */
  for (i = 0; i < G_N_ELEMENTS (environments); i++)
    {
      gchar *path = g_strdup_printf ("/environment/%" G_GSIZE_FORMAT, i);
      gchar *child = g_strconcat (path, "/subprocess/child", NULL);

      g_test_add_data_func (path, GINT_TO_POINTER ((gint) i), test_environment);
      g_test_add_data_func (child, GINT_TO_POINTER ((gint) i),
                            test_environment_child);
      g_free (path);
      g_free (child);
    }
  g_test_add_func ("/environment/memory", test_memory);
  g_test_add_func ("/environment/memory/subprocess/child", test_memory_child);
  g_test_add_func ("/unit/device/version", test_version);
  g_test_add_func ("/unit/device/arguments", test_arguments);
  g_test_add_func ("/unit/device/cpu", test_cpu_device);
  g_test_add_func ("/unit/device/cuda", test_cuda_device);
  g_test_add_func ("/unit/device/auto", test_auto_device);
  g_test_add_func ("/unit/device/crossover", test_crossover);
  g_test_add_func ("/unit/device/auto-given-back", test_auto_given_back);
  g_test_add_func ("/unit/device/surface-keeps-device",
                   test_surface_keeps_device);
}
