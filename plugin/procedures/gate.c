/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate.c: all talk with GIMP while a dialog is open, in one thread.
 */
#include "gate.h"

typedef struct
{
  IsoluxGateFunc work;
  IsoluxGateFunc done;
  gpointer       data;
  GDestroyNotify destroy;
} Job;

struct _IsoluxGate
{
  GThread *thread;
  GMutex   mutex; /* of what follows */
  GCond    cond;
  GQueue   waiting;
  GQueue   ended;
  gint     unfinished; /* jobs pushed and not yet freed */
  guint    source;     /* main loop: delivers what ended */
  gint     closing;
};

static void
job_free (Job *job)
{
  if (job->destroy)
    job->destroy (job->data);
  g_free (job);
}

/* In the main loop */
static gboolean
deliver (gpointer data)
{
  IsoluxGate *gate = data;
  Job        *job;

  g_mutex_lock (&gate->mutex);
  job = g_queue_pop_head (&gate->ended);
  if (job)
    gate->unfinished--;
  else
    gate->source = 0;
  g_mutex_unlock (&gate->mutex);
  if (! job)
    return G_SOURCE_REMOVE;

  if (job->done)
    job->done (job->data);
  job_free (job);
  return G_SOURCE_CONTINUE;
}

static gpointer
run (gpointer data)
{
  IsoluxGate *gate = data;

  g_mutex_lock (&gate->mutex);
  while (! gate->closing)
    {
      Job *job = g_queue_pop_head (&gate->waiting);

      if (! job)
        {
          g_cond_wait (&gate->cond, &gate->mutex);
          continue;
        }
      g_mutex_unlock (&gate->mutex);
      job->work (job->data);
      g_mutex_lock (&gate->mutex);
      g_queue_push_tail (&gate->ended, job);
      /* closing: isolux_gate_close() frees it */
      if (! gate->source && ! gate->closing)
        gate->source =
          g_idle_add_full (G_PRIORITY_DEFAULT, deliver, gate, NULL);
    }
  g_mutex_unlock (&gate->mutex);
  return NULL;
}

IsoluxGate *
isolux_gate_new (void)
{
  IsoluxGate *gate = g_new0 (IsoluxGate, 1);

  g_mutex_init (&gate->mutex);
  g_cond_init (&gate->cond);
  g_queue_init (&gate->waiting);
  g_queue_init (&gate->ended);
  gate->thread = g_thread_new ("isolux-gate", run, gate);
  return gate;
}

void
isolux_gate_push (IsoluxGate    *gate,
                  IsoluxGateFunc work,
                  IsoluxGateFunc done,
                  gpointer       data,
                  GDestroyNotify destroy)
{
  Job *job = g_new0 (Job, 1);

  job->work = work;
  job->done = done;
  job->data = data;
  job->destroy = destroy;

  g_mutex_lock (&gate->mutex);
  g_queue_push_tail (&gate->waiting, job);
  gate->unfinished++;
  g_cond_signal (&gate->cond);
  g_mutex_unlock (&gate->mutex);
}

gboolean
isolux_gate_is_busy (IsoluxGate *gate)
{
  gboolean busy;

  g_mutex_lock (&gate->mutex);
  busy = gate->unfinished > 0;
  g_mutex_unlock (&gate->mutex);
  return busy;
}

gboolean
isolux_gate_is_closing (IsoluxGate *gate)
{
  return g_atomic_int_get (&gate->closing);
}

void
isolux_gate_close (IsoluxGate *gate)
{
  Job *job;

  g_mutex_lock (&gate->mutex);
  g_atomic_int_set (&gate->closing, TRUE);
  g_cond_signal (&gate->cond);
  g_mutex_unlock (&gate->mutex);
  g_thread_join (gate->thread);

  if (gate->source)
    g_source_remove (gate->source);
  while ((job = g_queue_pop_head (&gate->ended)))
    job_free (job);
  while ((job = g_queue_pop_head (&gate->waiting)))
    job_free (job);
  g_cond_clear (&gate->cond);
  g_mutex_clear (&gate->mutex);
  g_free (gate);
}
