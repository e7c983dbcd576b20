/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

G_DEFINE_QUARK (isolux - error - quark, isolux_error)

/* Texts are translated whoever loads the library, so it binds its own
 * domain; ISOLUX_LOCALEDIR serves a build tree. */
static void __attribute__ ((constructor))
bind_domain (void)
{
  const gchar *folder = g_getenv ("ISOLUX_LOCALEDIR");

  bindtextdomain (GETTEXT_PACKAGE, folder ? folder : ISOLUX_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}

const gchar *
isolux_version (void)
{
  return ISOLUX_VERSION;
}

void
isolux_report_clear (IsoluxReport *report)
{
  if (report)
    memset (report, 0, sizeof *report);
}

void
isolux_report_add (IsoluxReport *report, const IsoluxReport *step)
{
  if (! report)
    return;
  if (report->backend == ISOLUX_BACKEND_AUTO ||
      step->backend == ISOLUX_BACKEND_CPU)
    report->backend = step->backend;
  if (! report->warning[0])
    g_strlcpy (report->warning, step->warning, sizeof report->warning);
}

gboolean
isolux_argument_error (GError **error, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error)
    *error = g_error_new_valist (ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT, format,
                                 arguments);
  va_end (arguments);
  return FALSE;
}

void
isolux_set_text (gchar *to, gsize size, const gchar *from)
{
  const gchar *end;

  g_strlcpy (to, from, size);
  g_utf8_validate (to, -1, &end);
  to[end - to] = '\0';
}
