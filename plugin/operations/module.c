/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module.c - what GEGL calls when it loads the operations
 *
 * GEGL loads every module when it starts, in every program that uses it, so
 * nothing but the registration may happen here: no device, no threads.
 */
#include <glib/gi18n-lib.h>
#include <gegl-plugin.h>

/* Defined in the operations' files, by gegl-op.h */
void gegl_op_isolux_clahe_register_type (GTypeModule *module);
void gegl_op_isolux_contrast_map_register_type (GTypeModule *module);
void gegl_op_isolux_equalize_register_type (GTypeModule *module);
void gegl_op_isolux_grayscale_register_type (GTypeModule *module);
void gegl_op_isolux_hog_register_type (GTypeModule *module);
void gegl_op_isolux_lbp_register_type (GTypeModule *module);
void gegl_op_isolux_window_register_type (GTypeModule *module);

G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query (GTypeModule *module);
G_MODULE_EXPORT gboolean gegl_module_register (GTypeModule *module);

/* The properties' labels are looked up before any function of ours runs */
static void __attribute__ ((constructor))
bind_translations (void)
{
  const gchar *folder = g_getenv ("ISOLUX_LOCALEDIR");

  bindtextdomain (GETTEXT_PACKAGE,
                  folder && *folder ? folder : ISOLUX_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}

const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

  return &info;
}

gboolean
gegl_module_register (GTypeModule *module)
{
  gegl_op_isolux_clahe_register_type (module);
  gegl_op_isolux_contrast_map_register_type (module);
  gegl_op_isolux_equalize_register_type (module);
  gegl_op_isolux_grayscale_register_type (module);
  gegl_op_isolux_hog_register_type (module);
  gegl_op_isolux_lbp_register_type (module);
  gegl_op_isolux_window_register_type (module);
  return TRUE;
}
