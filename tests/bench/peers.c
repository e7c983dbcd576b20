/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OpenCV and scikit-image: a Python program that runs beside this one and
 * answers lines with lines, so that both measure the same pixels a moment
 * apart.
 */
#include "bench.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

struct _Peers
{
  GSubprocess      *process;
  GOutputStream    *in;
  GDataInputStream *out;
  gchar            *versions;
  gchar            *folder, *path; /* of the pixels */
  Case              written;
  gboolean          has_written;
};

Peers *
peers_open (const gchar *script)
{
  Peers *peers = g_new0 (Peers, 1);

  peers->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE |
                                       G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                       G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                                     NULL, "python3", script, NULL);
  if (peers->process)
    {
      peers->in = g_subprocess_get_stdin_pipe (peers->process);
      peers->out =
        g_data_input_stream_new (g_subprocess_get_stdout_pipe (peers->process));
      peers->versions =
        g_data_input_stream_read_line (peers->out, NULL, NULL, NULL);
      peers->folder = g_dir_make_tmp ("isolux-bench-XXXXXX", NULL);
    }
  if (! peers->versions || ! peers->folder)
    {
      peers_close (peers);
      return NULL;
    }
  peers->path = g_build_filename (peers->folder, "pixels", NULL);
  return peers;
}

void
peers_close (Peers *peers)
{
  if (! peers)
    return;
  if (peers->in)
    g_output_stream_close (peers->in, NULL, NULL);
  if (peers->process)
    g_subprocess_wait (peers->process, NULL, NULL);
  if (peers->path)
    g_remove (peers->path);
  if (peers->folder)
    g_rmdir (peers->folder);
  g_clear_object (&peers->out);
  g_clear_object (&peers->process);
  g_free (peers->versions);
  g_free (peers->folder);
  g_free (peers->path);
  g_free (peers);
}

const gchar *
peers_versions (Peers *peers)
{
  return peers->versions;
}

static gboolean
same_pixels (const Case *a, const Case *b)
{
  return a->type == b->type && a->data == b->data && a->layout == b->layout &&
         a->size.width == b->size.width && a->size.height == b->size.height &&
         a->operation->components == b->operation->components;
}

/* "NAME<tab>ms ms ms ...", or "-" */
static gboolean
read_answer (const gchar *line, Times *times, const gchar **name)
{
  gchar  **parts = g_strsplit (line, "\t", 2), **words;
  gdouble *values;
  gint     n = 0;

  if (! parts[0] || ! parts[1])
    {
      g_strfreev (parts);
      return FALSE;
    }
  *name = g_intern_string (parts[0]);
  words = g_strsplit (parts[1], " ", 0);
  values = g_new (gdouble, g_strv_length (words) + 1);
  for (gint i = 0; words[i]; i++)
    if (*words[i])
      values[n++] = g_ascii_strtod (words[i], NULL);
  times_of (times, values, n);
  g_free (values);
  g_strfreev (words);
  g_strfreev (parts);
  return n > 0;
}

gboolean
peers_time (Peers        *peers,
            const Case   *c,
            gint          threads,
            Times        *times,
            const gchar **name)
{
  const IsoluxImage image = case_source_image (c);
  gchar            *line, *answer;
  gboolean          success;

  if (! peers->has_written || ! same_pixels (&peers->written, c))
    {
      if (! g_file_set_contents (peers->path, case_pixels (c),
                                 (gssize) image_bytes (&image), NULL))
        return FALSE;
      peers->written = *c;
      peers->has_written = TRUE;
    }
  line = g_strdup_printf ("%s\t%s\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT
                          "\t%d\t%d\t%.3f\t%s\n",
                          c->operation->name, type_names[c->type], image.width,
                          image.height, image.components, threads,
                          patience.seconds, peers->path);
  success =
    g_output_stream_write_all (peers->in, line, strlen (line), NULL, NULL,
                               NULL) &&
    (answer = g_data_input_stream_read_line (peers->out, NULL, NULL, NULL));
  g_free (line);
  if (! success)
    return FALSE;
  success = read_answer (answer, times, name);
  g_free (answer);
  return success;
}
