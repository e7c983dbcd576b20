/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

struct _Child
{
  GSubprocess *process;
  DicomStream *stream;

  /* The watch ends a reader that is silent for too long.  The lock guards
   * what both threads see. */
  GThread *watch;
  GMutex   lock;
  GCond    changed;
  gint64   patience; /* microseconds */
  gint64   deadline; /* 0: nobody waits */
  gboolean is_over;
  gboolean was_late;
};

static gpointer
watch_it (gpointer data)
{
  Child *child = data;

  g_mutex_lock (&child->lock);
  while (! child->is_over && ! child->was_late)
    {
      if (child->deadline == 0)
        g_cond_wait (&child->changed, &child->lock);
      else if (! g_cond_wait_until (&child->changed, &child->lock,
                                    child->deadline) &&
               child->deadline != 0 &&
               g_get_monotonic_time () >= child->deadline)
        {
          child->was_late = TRUE;
          g_subprocess_force_exit (child->process);
        }
    }
  g_mutex_unlock (&child->lock);
  return NULL;
}

static void
set_deadline (Child *child, gint64 deadline)
{
  g_mutex_lock (&child->lock);
  child->deadline = deadline;
  g_cond_signal (&child->changed);
  g_mutex_unlock (&child->lock);
}

static gsize
read_pipe (gpointer bytes, gsize n, gpointer data)
{
  Child        *child = data;
  GInputStream *pipe = g_subprocess_get_stdout_pipe (child->process);
  gssize        got;

  set_deadline (child, g_get_monotonic_time () + child->patience);
  got = g_input_stream_read (pipe, bytes, n, NULL, NULL);
  set_deadline (child, 0);
  return got > 0 ? (gsize) got : 0;
}

Child *
child_start (const gchar        *program,
             const gchar        *path,
             const ChildOptions *options,
             GError            **error)
{
  const gchar *arguments[10];
  gint         n = 0;
  GSubprocess *process;
  GError      *why = NULL;
  Child       *child;

  arguments[n++] = program;
  if (options->header_only)
    arguments[n++] = "--header";
  if (options->overlays)
    arguments[n++] = "--overlays";
  if (options->tags)
    arguments[n++] = "--tags";
  if (options->frames)
    {
      arguments[n++] = "--frames";
      arguments[n++] = options->frames;
    }
  arguments[n++] = "--";
  arguments[n++] = path;
  arguments[n] = NULL;

  process = g_subprocess_newv (arguments,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                 G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                               &why);
  if (process == NULL)
    {
      g_set_error (error, DICOM_ERROR, DICOM_ERROR_READER,
                   _("The DICOM reader cannot be started (%s). Isolux may "
                     "not be installed completely."),
                   why->message);
      g_error_free (why);
      return NULL;
    }

  child = g_new0 (Child, 1);
  child->process = process;
  child->patience =
    (gint64) (options->patience ? options->patience : CHILD_PATIENCE) *
    G_USEC_PER_SEC;
  child->stream = dicom_stream_new (read_pipe, child);
  g_mutex_init (&child->lock);
  g_cond_init (&child->changed);
  child->watch = g_thread_new ("isolux-dicom", watch_it, child);
  return child;
}

void
child_free (Child *child)
{
  if (child == NULL)
    return;
  g_mutex_lock (&child->lock);
  child->is_over = TRUE;
  g_cond_signal (&child->changed);
  g_mutex_unlock (&child->lock);
  g_thread_join (child->watch);

  g_subprocess_force_exit (child->process);
  g_subprocess_wait (child->process, NULL, NULL);
  g_object_unref (child->process);
  dicom_stream_free (child->stream);
  g_mutex_clear (&child->lock);
  g_cond_clear (&child->changed);
  g_free (child);
}

const DicomRecord *
child_next (Child *child, GError **error)
{
  GError            *why = NULL;
  const DicomRecord *record = dicom_stream_next (child->stream, &why);

  if (record != NULL)
    return record;
  if (g_error_matches (why, DICOM_ERROR, DICOM_ERROR_ENDED))
    {
      g_clear_error (&why);
      if (child->was_late)
        g_set_error (&why, DICOM_ERROR, DICOM_ERROR_READER,
                     _("The DICOM reader said nothing for %d seconds and was "
                       "stopped. The file is damaged, or made to do harm."),
                     (gint) (child->patience / G_USEC_PER_SEC));
      else
        g_set_error_literal (&why, DICOM_ERROR, DICOM_ERROR_READER,
                             _("The DICOM reader gave up in the middle. The "
                               "file is damaged in a way that it did not "
                               "expect."));
    }
  g_propagate_error (error, why);
  return NULL;
}
