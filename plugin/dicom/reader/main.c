/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main.c - isolux-dicom-reader: a DICOM file in, records out.
 *
 *   isolux-dicom-reader [--header] [--overlays] [--tags] [--frames LIST] FILE
 *
 * A program of its own, so that a file which makes the decoders crash, hang
 * or eat memory ends this program and not GIMP's.  The status is 0 when the
 * file was read, 1 when the last record says why not.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

#ifdef G_OS_UNIX
#include <sys/resource.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#include <signal.h>
#endif

#include "reader.h"

/* Memory for the program, its libraries and the largest frame, beside what
 * grows with the file */
#define MEMORY_BASE (G_GUINT64_CONSTANT (3) << 30)
/* Seconds of computing after which nobody can be waiting any more */
#define SECONDS_MAX 3600

/* So that nothing that a file contains does harm outside */
static void
limit_itself (const gchar *path)
{
#ifdef G_OS_UNIX
  struct rlimit none = { 0, 0 };
  struct rlimit seconds = { SECONDS_MAX, SECONDS_MAX };

  setrlimit (RLIMIT_CORE, &none);
  setrlimit (RLIMIT_CPU, &seconds);
#if ! defined(__SANITIZE_ADDRESS__)
  {
    struct rlimit memory;
    GStatBuf      status;

    setrlimit (RLIMIT_NPROC, &none);
    memory.rlim_cur = MEMORY_BASE;
    if (g_stat (path, &status) == 0 && status.st_size > 0)
      memory.rlim_cur += 4 * (guint64) status.st_size;
    memory.rlim_max = memory.rlim_cur;
    setrlimit (RLIMIT_AS, &memory);
  }
#endif
#endif
#ifdef __linux__
  /* whoever started it is gone: so is the reason to go on */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static gboolean
write_all (gconstpointer bytes, gsize n, gpointer data)
{
  const gint    descriptor = *(gint *) data;
  const guint8 *p = bytes;

  while (n > 0)
    {
      gssize done = write (descriptor, p, MIN (n, (gsize) 1 << 24));

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return FALSE;
      p += done;
      n -= (gsize) done;
    }
  return TRUE;
}

int
main (int argc, char **argv)
{
  ReaderOptions options = { "all", FALSE, FALSE, FALSE };
  const gchar  *path = NULL;
  gint          descriptor;

  for (int i = 1; i < argc; i++)
    {
      if (! strcmp (argv[i], "--header"))
        options.header_only = TRUE;
      else if (! strcmp (argv[i], "--overlays"))
        options.overlays = TRUE;
      else if (! strcmp (argv[i], "--tags"))
        options.tags = TRUE;
      else if (! strcmp (argv[i], "--frames") && i + 1 < argc)
        options.frames = argv[++i];
      else if (! strcmp (argv[i], "--") && i + 1 < argc)
        path = argv[++i];
      else if (argv[i][0] != '-')
        path = argv[i];
    }
  if (path == NULL)
    {
      g_printerr ("usage: isolux-dicom-reader [--header] [--overlays] "
                  "[--tags] [--frames LIST] FILE\n");
      return 2;
    }

  /* libraries that print shall not print among the records */
  descriptor = dup (STDOUT_FILENO);
  if (descriptor < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    return 2;
  limit_itself (path);
  return reader_read_file (path, &options, write_all, &descriptor) ? 0 : 1;
}
