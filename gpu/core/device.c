/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which backend works, and what lives as long as it does. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

/* Host memory kept for the next surface. */
#define HOST_KEEP_BYTES ((gsize) 256 << 20)

typedef enum
{
  CUDA_NOT_STARTED,
  CUDA_STARTING,
  CUDA_READY,
  CUDA_OFF
} CudaState;

struct _IsoluxDevice
{
  gint              references;
  IsoluxBackendKind kind;
  gint              ordinal;
  gint              threads; /* as set, 0 = all */
  IsoluxPool       *pool;
  GMutex            mutex; /* of what follows */
  GCond             cond;
  CudaState         state;
  IsoluxCuda       *cuda;
  GThread          *starter;
  guint64           worth;    /* bytes from which on CUDA is done first */
  gboolean          measured; /* worth was */
  gchar             reason[256];
};

guint isolux_backend_mask = ISOLUX_TWIN_ALL;

/* ---- Opening -------------------------------------------------------- */

static gboolean
host_alloc (gpointer owner, gsize size, gpointer *memory, GError **error)
{
  *memory = NULL;
  if (! isolux_fault_hit (ISOLUX_FAULT_MEMORY) && size <= G_MAXSSIZE)
    *memory = aligned_alloc (64, (MAX (size, 1) + 63) & ~(gsize) 63);
  if (*memory)
    {
      isolux_advise_large (*memory, size);
      return TRUE;
    }
  g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                       _("There is not enough memory for the image."));
  return FALSE;
}

static void
host_free (gpointer owner, gpointer memory)
{
  free (memory);
}

static IsoluxDevice *
device_new (IsoluxBackendKind kind, gint ordinal, GError **error)
{
  IsoluxDevice *device = isolux_try_new (IsoluxDevice, 1, error);

  if (! device)
    return NULL;
  device->pool =
    isolux_pool_new (host_alloc, host_free, device, HOST_KEEP_BYTES, error);
  if (! device->pool)
    {
      g_free (device);
      return NULL;
    }
  device->references = 1;
  device->kind = kind;
  device->ordinal = ordinal;
  device->worth = ISOLUX_CUDA_BYTES;
  g_mutex_init (&device->mutex);
  g_cond_init (&device->cond);
  if (kind == ISOLUX_BACKEND_CPU)
    {
      device->state = CUDA_OFF;
      isolux_set_text (device->reason, sizeof device->reason,
                       _("the CPU was asked for"));
    }
  return device;
}

/* Opens CUDA and says so; runs in a thread of its own or in the caller's. */
static gboolean
device_start (IsoluxDevice *device, GError **error)
{
  GError     *failure = NULL;
  IsoluxCuda *cuda = isolux_cuda_open (device->ordinal, &failure);

  g_mutex_lock (&device->mutex);
  device->cuda = cuda;
  device->state = cuda ? CUDA_READY : CUDA_OFF;
  if (failure)
    isolux_set_text (device->reason, sizeof device->reason, failure->message);
  g_cond_broadcast (&device->cond);
  g_mutex_unlock (&device->mutex);
  if (failure)
    g_propagate_error (error, failure);
  return cuda != NULL;
}

/*
 * On a device of its own: surfaces keep their device alive, and this thread
 * must not be the last to give up one that waits for its end.
 */
static gboolean
measure_worth (IsoluxDevice *device, guint64 *worth)
{
  IsoluxDevice *probe = device_new (ISOLUX_BACKEND_CUDA, device->ordinal, NULL);
  gboolean      success;

  if (! probe)
    return FALSE;
  probe->threads = g_atomic_int_get (&device->threads);
  probe->cuda = device->cuda;
  probe->state = CUDA_READY;
  success = isolux_crossover_measure (probe, worth);
  probe->cuda = NULL;
  isolux_device_unref (probe);
  return success;
}

static gpointer
starter_main (gpointer data)
{
  IsoluxDevice *device = data;
  guint64       worth;

  if (device_start (device, NULL) && ! isolux_fault_is_armed () &&
      measure_worth (device, &worth))
    {
      g_mutex_lock (&device->mutex);
      device->worth = worth;
      device->measured = TRUE;
      g_mutex_unlock (&device->mutex);
    }
  return NULL;
}

/* With the mutex held. */
static void
device_start_in_background (IsoluxDevice *device)
{
  GError *error = NULL;

  if (device->state != CUDA_NOT_STARTED)
    return;
  device->state = CUDA_STARTING;
  device->starter =
    g_thread_try_new ("isolux-cuda", starter_main, device, &error);
  if (! device->starter)
    {
      device->state = CUDA_OFF;
      isolux_set_text (device->reason, sizeof device->reason, error->message);
      g_clear_error (&error);
    }
}

IsoluxDevice *
isolux_device_open (IsoluxBackendKind kind, gint cuda_device, GError **error)
{
  IsoluxDevice *device;

  if (kind != ISOLUX_BACKEND_AUTO && kind != ISOLUX_BACKEND_CPU &&
      kind != ISOLUX_BACKEND_CUDA)
    {
      g_set_error (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT,
                   _("There is no backend of the kind %d."), (gint) kind);
      return NULL;
    }
  if (kind != ISOLUX_BACKEND_CPU && cuda_device < 0)
    {
      g_set_error (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT,
                   _("A CUDA device has a number from 0; %d is none."),
                   cuda_device);
      return NULL;
    }
  device = device_new (kind, cuda_device, error);
  if (device && kind == ISOLUX_BACKEND_CUDA && ! device_start (device, error))
    {
      isolux_device_unref (device);
      return NULL;
    }
  isolux_fault_arm_from_environment ();
  return device;
}

/* ---- The default device ----------------------------------------------- */

static IsoluxDevice *default_device;

/* A driver that is still starting must not see the process go away. */
static void
wait_at_exit (void)
{
  if (default_device && default_device->starter)
    {
      g_thread_join (default_device->starter);
      default_device->starter = NULL;
    }
}

static gpointer
open_default (gpointer unused)
{
  const gchar  *word = g_getenv ("ISOLUX_BACKEND");
  const gchar  *number = g_getenv ("ISOLUX_CUDA_DEVICE");
  gint64        ordinal = 0;
  IsoluxDevice *device;
  GError       *error = NULL;

  if (number && *number && strcmp (number, "all") != 0 &&
      ! g_ascii_string_to_signed (number, 10, 0, G_MAXINT, &ordinal, NULL))
    ordinal = G_MAXINT; /* refused in words when CUDA starts */
  if (g_strcmp0 (word, "cuda") == 0)
    {
      device = isolux_device_open (ISOLUX_BACKEND_CUDA, ordinal, &error);
      if (! device)
        {
          while (! (device = device_new (ISOLUX_BACKEND_CPU, 0, NULL)))
            g_usleep (1000);
          isolux_set_text (device->reason, sizeof device->reason,
                           error->message);
          g_clear_error (&error);
        }
    }
  else
    {
      IsoluxBackendKind kind =
        g_strcmp0 (word, "cpu") == 0 ? ISOLUX_BACKEND_CPU : ISOLUX_BACKEND_AUTO;

      while (! (device = device_new (kind, ordinal, NULL)))
        g_usleep (1000);
      if (kind == ISOLUX_BACKEND_CPU)
        isolux_set_text (device->reason, sizeof device->reason,
                         _("ISOLUX_BACKEND is cpu"));
    }
  default_device = device;
  atexit (wait_at_exit);
  return device;
}

IsoluxDevice *
isolux_device_get_default (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, open_default, NULL);
}

/* All GPUs, or the default device. */
static gpointer
open_defaults (gpointer unused)
{
  IsoluxDevice *first = isolux_device_get_default ();
  GPtrArray    *devices = g_ptr_array_new ();
  IsoluxDevice *device;

  g_ptr_array_add (devices, first);
  if (g_strcmp0 (g_getenv ("ISOLUX_CUDA_DEVICE"), "all") == 0 &&
      isolux_device_wait (first) == ISOLUX_BACKEND_CUDA)
    while ((device = isolux_device_open (ISOLUX_BACKEND_CUDA,
                                         (gint) devices->len, NULL)))
      g_ptr_array_add (devices, device);
  return devices;
}

IsoluxDevice *const *
isolux_devices_get_default (guint *n)
{
  static GOnce     once = G_ONCE_INIT;
  const GPtrArray *devices = g_once (&once, open_defaults, NULL);

  *n = devices->len;
  return (IsoluxDevice *const *) devices->pdata;
}

/* ---- Life ------------------------------------------------------------- */

IsoluxDevice *
isolux_device_ref (IsoluxDevice *device)
{
  g_atomic_int_inc (&device->references);
  return device;
}

void
isolux_device_unref (IsoluxDevice *device)
{
  if (! device || ! g_atomic_int_dec_and_test (&device->references))
    return;
  if (device->starter)
    g_thread_join (device->starter);
  if (device->cuda)
    isolux_cuda_close (device->cuda);
  isolux_pool_free (device->pool);
  g_cond_clear (&device->cond);
  g_mutex_clear (&device->mutex);
  g_free (device);
}

void
isolux_device_set_threads (IsoluxDevice *device, gint threads)
{
  g_atomic_int_set (&device->threads, CLAMP (threads, 0, 1024));
}

/* How many calls share the threads of a device; 0 counts as 1. */
static _Thread_local gint sharing;

void
isolux_device_share_threads (gint calls)
{
  sharing = calls;
}

gint
isolux_device_get_threads (IsoluxDevice *device)
{
  const gint set = g_atomic_int_get (&device->threads);
  const gint threads = set ? set : (gint) g_get_num_processors ();

  return MAX (1, threads / MAX (1, sharing));
}

gboolean
isolux_device_is_auto (IsoluxDevice *device)
{
  return device->kind == ISOLUX_BACKEND_AUTO;
}

IsoluxPool *
isolux_device_get_pool (IsoluxDevice *device)
{
  return device->pool;
}

IsoluxCuda *
isolux_device_get_cuda (IsoluxDevice *device)
{
  IsoluxCuda *cuda;

  g_mutex_lock (&device->mutex);
  cuda = device->cuda;
  g_mutex_unlock (&device->mutex);
  return cuda;
}

const IsoluxBackend *
isolux_device_choose (IsoluxDevice *device, guint64 bytes)
{
  const IsoluxBackend *backend = &isolux_backend_cpu;

  if (device->kind == ISOLUX_BACKEND_CPU)
    return backend;
  g_mutex_lock (&device->mutex);
  if (device->kind == ISOLUX_BACKEND_CUDA || bytes >= ISOLUX_CUDA_BYTES)
    device_start_in_background (device);
  if (device->state == CUDA_READY &&
      (device->kind == ISOLUX_BACKEND_CUDA || bytes >= device->worth))
    backend = &isolux_backend_cuda;
  g_mutex_unlock (&device->mutex);
  return backend;
}

void
isolux_device_set_reason (IsoluxDevice *device, const gchar *reason)
{
  if (device->kind != ISOLUX_BACKEND_CPU)
    return;
  g_mutex_lock (&device->mutex);
  isolux_set_text (device->reason, sizeof device->reason, reason);
  g_mutex_unlock (&device->mutex);
}

IsoluxBackendKind
isolux_device_wait (IsoluxDevice *device)
{
  CudaState state;

  g_mutex_lock (&device->mutex);
  if (device->kind != ISOLUX_BACKEND_CPU)
    device_start_in_background (device);
  while (device->state == CUDA_STARTING)
    g_cond_wait (&device->cond, &device->mutex);
  state = device->state;
  g_mutex_unlock (&device->mutex);
  return state == CUDA_READY ? ISOLUX_BACKEND_CUDA : ISOLUX_BACKEND_CPU;
}

void
isolux_device_get_info (IsoluxDevice *device, IsoluxDeviceInfo *info)
{
  memset (info, 0, sizeof *info);
  info->threads = isolux_device_get_threads (device);
  g_mutex_lock (&device->mutex);
  info->cuda_ordinal = device->ordinal;
  switch (device->state)
    {
      case CUDA_NOT_STARTED:
        isolux_set_text (info->cuda_reason, sizeof info->cuda_reason,
                         _("not started yet"));
        break;
      case CUDA_STARTING:
        isolux_set_text (info->cuda_reason, sizeof info->cuda_reason,
                         _("still starting"));
        break;
      case CUDA_READY:
        isolux_cuda_get_info (device->cuda, info);
        info->cuda_from = device->measured ? device->worth : 0;
        break;
      case CUDA_OFF:
        isolux_set_text (info->cuda_reason, sizeof info->cuda_reason,
                         device->reason);
        break;
    }
  g_mutex_unlock (&device->mutex);
}

gchar *
isolux_device_describe (IsoluxDevice *device)
{
  IsoluxDeviceInfo info;
  gchar           *cuda, *text;

  isolux_device_get_info (device, &info);
  if (info.cuda_ready)
    cuda = g_strdup_printf (_("CUDA: %s, %.1f GiB, compute capability %d.%d, "
                              "driver for CUDA %d.%d"),
                            info.cuda_name,
                            (gdouble) info.cuda_memory / 1073741824.0,
                            info.cuda_capability / 10,
                            info.cuda_capability % 10, info.cuda_driver / 1000,
                            info.cuda_driver % 1000 / 10);
  else
    cuda = g_strdup_printf (_("CUDA: off (%s)"), info.cuda_reason);
  text =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s\nCPU: %d thread",
                                  "%s\nCPU: %d threads", (gulong) info.threads),
                     cuda, info.threads);
  g_free (cuda);
  return text;
}
