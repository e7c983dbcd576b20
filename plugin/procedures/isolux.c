/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux.c: the plug-in: which procedures there are.
 *
 * GIMP starts this program once to learn of its procedures, and then anew
 * for every call of one.
 */
#include <libgimp/gimp.h>
#include <string.h>

#include "histogram.h"
#include "info.h"
#include "operation.h"

#define ISOLUX_TYPE_PLUG_IN (isolux_plug_in_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxPlugIn, isolux_plug_in, ISOLUX, PLUG_IN, GimpPlugIn)

struct _IsoluxPlugIn
{
  GimpPlugIn parent_instance;
};

G_DEFINE_FINAL_TYPE (IsoluxPlugIn, isolux_plug_in, GIMP_TYPE_PLUG_IN)

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  GList              *list = NULL;
  const gchar *const *names = isolux_operation_names ();

  for (; *names; names++)
    list = g_list_append (list, g_strdup (*names));
  list = g_list_append (list, g_strdup (ISOLUX_HISTOGRAM_PROCEDURE));
  list = g_list_append (list, g_strdup (ISOLUX_INFO_PROCEDURE));
  return list;
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const gchar *name)
{
  if (! strcmp (name, ISOLUX_HISTOGRAM_PROCEDURE))
    return isolux_histogram_create (plug_in);
  if (! strcmp (name, ISOLUX_INFO_PROCEDURE))
    return isolux_info_create (plug_in);
  return isolux_operation_create (plug_in, name);
}

/* GIMP takes catalogs from inside the plug-in's own folder only: "locale"
 * there is a link to where they are. */
static gboolean
set_i18n (GimpPlugIn  *plug_in,
          const gchar *name,
          gchar      **domain,
          gchar      **directory)
{
  *domain = g_strdup (GETTEXT_PACKAGE);
  *directory = g_strdup ("locale");
  return TRUE;
}

static void
isolux_plug_in_class_init (IsoluxPlugInClass *klass)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (klass);

  plug_in_class->query_procedures = query_procedures;
  plug_in_class->create_procedure = create_procedure;
  plug_in_class->set_i18n = set_i18n;
}

static void
isolux_plug_in_init (IsoluxPlugIn *self)
{
}

GIMP_MAIN (ISOLUX_TYPE_PLUG_IN)
