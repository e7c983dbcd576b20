/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux.c: the plug-in: which procedures there are.
 *
 * GIMP starts this program once to learn of its procedures, and then anew
 * for every call of one.
 */
#include <libgimp/gimp.h>
#include <string.h>

#include "enhance.h"
#include "export.h"
#include "histogram.h"
#include "info.h"
#include "lbp-histogram.h"
#include "metrics.h"
#include "operation.h"
#include "self-test.h"
#include "series.h"
#include "set-values.h"

#define ISOLUX_TYPE_PLUG_IN (isolux_plug_in_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxPlugIn, isolux_plug_in, ISOLUX, PLUG_IN, GimpPlugIn)

struct _IsoluxPlugIn
{
  GimpPlugIn parent_instance;
};

G_DEFINE_FINAL_TYPE (IsoluxPlugIn, isolux_plug_in, GIMP_TYPE_PLUG_IN)

/* The procedures that do not apply an operation */
static const struct
{
  const gchar *name;
  GimpProcedure *(*create) (GimpPlugIn *plug_in);
} others[] = {
  { ISOLUX_HISTOGRAM_PROCEDURE, isolux_histogram_create },
  { ISOLUX_LBP_HISTOGRAM_PROCEDURE, isolux_lbp_histogram_create },
  { ISOLUX_METRICS_PROCEDURE, isolux_metrics_create },
  { ISOLUX_INFO_PROCEDURE, isolux_info_create },
  { ISOLUX_SELF_TEST_PROCEDURE, isolux_self_test_create },
  { ISOLUX_SET_VALUES_PROCEDURE, isolux_set_values_create },
  { ISOLUX_ENHANCE_PROCEDURE, isolux_enhance_create },
  { ISOLUX_ENHANCE_FILES_PROCEDURE, isolux_enhance_files_create },
  { ISOLUX_EXPORT_PROCEDURE, isolux_export_create },
  { ISOLUX_SERIES_PROCEDURE, isolux_series_create },
};

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  GList              *list = NULL;
  const gchar *const *names = isolux_operation_names ();

  for (; *names; names++)
    list = g_list_append (list, g_strdup (*names));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    list = g_list_append (list, g_strdup (others[i].name));
  return list;
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (! strcmp (name, others[i].name))
      return others[i].create (plug_in);
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

/* babl reads what it has measured of conversions, for GIMP and its plug-ins,
 * whenever a process starts: 0.1 to 0.2 s, in which a dialog could be open.
 * The few conversions of ours are found anew in less. */
static void __attribute__ ((constructor))
start_quickly (void)
{
  g_setenv ("BABL_INHIBIT_CACHE", "1", FALSE);
}

GIMP_MAIN (ISOLUX_TYPE_PLUG_IN)
