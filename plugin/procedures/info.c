/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * info.c: the procedure that tells what Isolux computes with.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <isolux.h>

#include "info.h"
#include "json.h"

#define NOTICE N_("Not a medical device: not for diagnosis.")

static gchar *
to_json (const gchar *backend, const IsoluxDeviceInfo *info)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  isolux_json_text (builder, "version", isolux_version ());
  isolux_json_text (builder, "notice", _ (NOTICE));
  isolux_json_text (builder, "backend", backend);

  json_builder_set_member_name (builder, "backends");
  json_builder_begin_array (builder);
  json_builder_add_string_value (builder, "cpu");
  if (info->cuda_ready)
    json_builder_add_string_value (builder, "cuda");
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "cpu");
  json_builder_begin_object (builder);
  isolux_json_integer (builder, "threads", info->threads);
  json_builder_end_object (builder);

  json_builder_set_member_name (builder, "cuda");
  json_builder_begin_object (builder);
  isolux_json_boolean (builder, "ready", info->cuda_ready);
  isolux_json_text (builder, "reason", info->cuda_reason);
  isolux_json_integer (builder, "ordinal", info->cuda_ordinal);
  isolux_json_text (builder, "name", info->cuda_name);
  isolux_json_integer (builder, "capability", info->cuda_capability);
  isolux_json_integer (builder, "driver", info->cuda_driver);
  isolux_json_integer (builder, "memory", (gint64) info->cuda_memory);
  json_builder_end_object (builder);
  json_builder_end_object (builder);

  return isolux_json_end (builder);
}

static GimpValueArray *
run (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer run_data)
{
  IsoluxDevice    *device = isolux_device_get_default ();
  IsoluxDeviceInfo info;
  GimpValueArray  *values;
  const gchar     *backend = "cpu";
  gchar           *description;

  if (isolux_device_wait (device) == ISOLUX_BACKEND_CUDA)
    backend = "cuda";
  isolux_device_get_info (device, &info);

  values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  g_value_set_string (gimp_value_array_index (values, 1), isolux_version ());
  g_value_set_string (gimp_value_array_index (values, 2), backend);
  description = isolux_device_describe (device);
  g_value_take_string (gimp_value_array_index (values, 3),
                       g_strdup_printf ("%s\n%s", g_strchomp (description),
                                        _ (NOTICE)));
  g_free (description);
  g_value_take_string (gimp_value_array_index (values, 4),
                       to_json (backend, &info));
  return values;
}

GimpProcedure *
isolux_info_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure = gimp_procedure_new (plug_in, ISOLUX_INFO_PROCEDURE,
                                                 GIMP_PDB_PROC_TYPE_PLUGIN, run,
                                                 NULL, NULL);

  gimp_procedure_set_documentation (
    procedure, _("Tell what Isolux computes with"),
    _("Returns the version of Isolux, the backend that large images get "
      "(\"cuda\" or \"cpu\"), a description in a few lines with the reason "
      "why the other one is off, and all of it as a JSON object. Starts "
      "the GPU, if there is one, which takes a moment."),
    NULL);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  gimp_procedure_add_string_return_value (procedure, "version", _("Version"),
                                          _("The version of Isolux"), NULL,
                                          G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "backend", _("Backend"),
                                          _("What large images are computed "
                                            "with: \"cuda\" or \"cpu\""),
                                          NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (
    procedure, "description", _("Description"),
    _("Backend, device and reasons, in a few lines"), NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "json", _("JSON"),
                                          _("All of it as a JSON object"),
                                          NULL, G_PARAM_READWRITE);
  return procedure;
}
