/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * self-test.c: the procedure that tests what Isolux computes with.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <isolux.h>

#include "self-test.h"

static GimpValueArray *
run (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer run_data)
{
  IsoluxDevice   *device = isolux_device_get_default ();
  GimpValueArray *values;
  GError         *error = NULL;
  gchar          *text = NULL;
  gboolean        good;

  isolux_device_wait (device);
  good = isolux_self_test (device, &text, &error);
  if (error)
    {
      g_free (text);
      return gimp_procedure_new_return_values (procedure,
                                               GIMP_PDB_EXECUTION_ERROR, error);
    }

  values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  g_value_set_boolean (gimp_value_array_index (values, 1), good);
  g_value_take_string (gimp_value_array_index (values, 2), text);
  return values;
}

GimpProcedure *
isolux_self_test_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_procedure_new (plug_in, ISOLUX_SELF_TEST_PROCEDURE,
                        GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);

  gimp_procedure_set_documentation (
    procedure, _("Test that Isolux computes right on this machine"),
    _("Runs each operation on images of its own, on the CPU and, where there "
      "is one, on the GPU, and compares the results with each other and with "
      "known ones. Returns whether all were right, and a line for each."),
    ISOLUX_SELF_TEST_PROCEDURE);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  gimp_procedure_add_boolean_return_value (procedure, "ok", _("OK"),
                                           _("Whether all results were right"),
                                           FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "text", _("Text"),
                                          _("A line for each operation and "
                                            "backend"),
                                          NULL, G_PARAM_READWRITE);
  return procedure;
}
