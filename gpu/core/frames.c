/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many whole calls at once: the frames of a series, the layers of an image. */
#include "internal.h"

/* As many lanes as CUDA has. */
#define MOST_LANES 4

typedef struct
{
  const IsoluxProcess *frames;
  IsoluxReport        *reports; /* nullable */
  guint                n_frames;

  gint    next;   /* the next frame, counted up atomically */
  gint    failed; /* atomic */
  GMutex  mutex;  /* of what follows */
  GError *error;  /* the first one */
} Frames;

typedef struct
{
  Frames       *frames;
  IsoluxDevice *device;
  gint          workers; /* at the same time, this one included */
  GThread      *thread;  /* NULL: the caller's */
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  Frames *f = worker->frames;

  isolux_device_share_threads (worker->workers);
  while (! g_atomic_int_get (&f->failed))
    {
      const guint frame = (guint) g_atomic_int_add (&f->next, 1);
      GError     *error = NULL;

      if (frame >= f->n_frames)
        break;
      if (isolux_process (worker->device, &f->frames[frame],
                          f->reports ? &f->reports[frame] : NULL, &error))
        continue;
      g_mutex_lock (&f->mutex);
      if (f->error)
        g_error_free (error);
      else
        f->error = error;
      g_mutex_unlock (&f->mutex);
      g_atomic_int_set (&f->failed, TRUE);
    }
  isolux_device_share_threads (1);
  return NULL;
}

static gboolean
frames_check (IsoluxDevice *const *devices,
              guint                n_devices,
              guint                n_frames,
              gint                 lanes,
              GError             **error)
{
  if (n_devices < 1 || n_devices > G_MAXINT / MOST_LANES || ! devices)
    return isolux_argument_error (error, _("There is no device to work on."));
  if (n_frames > G_MAXINT / 2)
    return isolux_argument_error (error, _("There are too many frames."));
  if (lanes < 0 || lanes > MOST_LANES)
    return isolux_argument_error (error,
                                  _("Up to %d frames can be under way on a "
                                    "device; %d cannot."),
                                  MOST_LANES, lanes);
  return TRUE;
}

gboolean
isolux_process_frames (IsoluxDevice *const *devices,
                       guint                n_devices,
                       const IsoluxProcess *frames,
                       guint                n_frames,
                       gint                 lanes,
                       IsoluxReport        *reports,
                       GError             **error)
{
  Frames  f = { frames, reports, n_frames, 0, FALSE, { 0 }, NULL };
  Worker *workers;
  gint    n = 0, i;
  guint   k, lane;

  for (k = 0; reports && k < n_frames; k++)
    isolux_report_clear (&reports[k]);
  if (! frames_check (devices, n_devices, n_frames, lanes, error))
    return FALSE;
  lanes = lanes ? lanes : MOST_LANES;
  workers = isolux_try_new (Worker, (gsize) n_devices * (gsize) lanes, error);
  if (! workers)
    return FALSE;
  /* the first lane of each device before the second of any; the CPU has one,
   * whose frames take all its threads */
  for (lane = 0; lane < (guint) lanes; lane++)
    for (k = 0; k < n_devices; k++)
      if ((guint) n < n_frames &&
          (lane == 0 || isolux_device_get_cuda (devices[k])))
        workers[n++].device = devices[k];
  g_mutex_init (&f.mutex);
  for (i = 0; i < n; i++)
    {
      workers[i].frames = &f;
      workers[i].workers = n;
    }
  /* those that cannot be started leave their frames to the others */
  for (i = 1; i < n; i++)
    workers[i].thread =
      g_thread_try_new ("isolux-frames", work, &workers[i], NULL);
  if (n > 0)
    work (&workers[0]);
  for (i = 1; i < n; i++)
    if (workers[i].thread)
      g_thread_join (workers[i].thread);
  g_mutex_clear (&f.mutex);
  g_free (workers);
  if (f.error)
    {
      g_propagate_error (error, f.error);
      return FALSE;
    }
  return TRUE;
}
