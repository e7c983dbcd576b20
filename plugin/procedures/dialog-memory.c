/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-memory.c: what is remembered of a procedure's dialog: size, what is
 * shown.  "isolux/dialogs.ini" in GIMP's folder, a group for each procedure.
 * Nothing of it matters to results, so nobody hears of a file that cannot be
 * read or written.
 */
#include "dialog-private.h"

static const gchar *const chip_keys[ISOLUX_N_CHIPS] = {
  "show-before", "show-after",      "show-red",   "show-green",
  "show-blue",   "show-cumulative", "show-curve", "show-marks"
};

static gchar *
memory_path (void)
{
  return g_build_filename (gimp_directory (), "isolux", "dialogs.ini", NULL);
}

static GKeyFile *
memory_read (void)
{
  GKeyFile *file = g_key_file_new ();
  gchar    *path = memory_path ();

  g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, NULL);
  g_free (path);
  return file;
}

static void
get_integer (GKeyFile    *file,
             const gchar *group,
             const gchar *key,
             gint         low,
             gint         high,
             gint        *value)
{
  GError *error = NULL;
  gint    read = g_key_file_get_integer (file, group, key, &error);

  if (! error && read >= low && read <= high)
    *value = read;
  g_clear_error (&error);
}

static void
get_boolean (GKeyFile    *file,
             const gchar *group,
             const gchar *key,
             gboolean    *value)
{
  GError  *error = NULL;
  gboolean read = g_key_file_get_boolean (file, group, key, &error);

  if (! error)
    *value = read;
  g_clear_error (&error);
}

void
isolux_memory_load (IsoluxMemory *memory, const gchar *procedure)
{
  GKeyFile *file = memory_read ();
  GError   *error = NULL;
  gdouble   zoom;

  memory->width = ISOLUX_WIDTH;
  memory->height = ISOLUX_HEIGHT;
  memory->compact_width = ISOLUX_COMPACT_WIDTH;
  memory->compact_height = ISOLUX_COMPACT_HEIGHT;
  memory->pane = -1;
  memory->compact = FALSE;
  memory->zoom = 0.0;
  memory->split = TRUE;
  /* cells and small tiles would hide the picture */
  memory->grid = ! g_strcmp0 (procedure, "plug-in-isolux-clahe");
  memory->logarithmic = -1;
  memory->numbers = FALSE;
  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    memory->chips[i] = i != ISOLUX_CHIP_CUMULATIVE;

  get_integer (file, procedure, "width", 300, 20000, &memory->width);
  get_integer (file, procedure, "height", 200, 20000, &memory->height);
  get_integer (file, procedure, "compact-width", 200, 20000,
               &memory->compact_width);
  get_integer (file, procedure, "compact-height", 200, 20000,
               &memory->compact_height);
  get_integer (file, procedure, "pane", 0, 20000, &memory->pane);
  get_integer (file, procedure, "logarithmic", 0, 1, &memory->logarithmic);
  get_boolean (file, procedure, "compact", &memory->compact);
  get_boolean (file, procedure, "split", &memory->split);
  get_boolean (file, procedure, "grid", &memory->grid);
  get_boolean (file, procedure, "numbers", &memory->numbers);
  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    get_boolean (file, procedure, chip_keys[i], memory->chips + i);

  zoom = g_key_file_get_double (file, procedure, "zoom", &error);
  if (! error && zoom >= 0.0 && zoom <= 32.0)
    memory->zoom = zoom;
  g_clear_error (&error);
  memory->driver = g_key_file_get_string (file, "isolux", "driver", NULL);

  g_key_file_unref (file);
}

void
isolux_memory_save (const IsoluxMemory *memory, const gchar *procedure)
{
  GKeyFile *file = memory_read ();
  gchar    *path = memory_path ();
  gchar    *folder = g_path_get_dirname (path);

  g_key_file_set_integer (file, procedure, "width", memory->width);
  g_key_file_set_integer (file, procedure, "height", memory->height);
  g_key_file_set_integer (file, procedure, "compact-width",
                          memory->compact_width);
  g_key_file_set_integer (file, procedure, "compact-height",
                          memory->compact_height);
  if (memory->pane >= 0)
    g_key_file_set_integer (file, procedure, "pane", memory->pane);
  if (memory->logarithmic >= 0)
    g_key_file_set_integer (file, procedure, "logarithmic",
                            memory->logarithmic);
  g_key_file_set_boolean (file, procedure, "compact", memory->compact);
  g_key_file_set_boolean (file, procedure, "split", memory->split);
  g_key_file_set_boolean (file, procedure, "grid", memory->grid);
  g_key_file_set_boolean (file, procedure, "numbers", memory->numbers);
  g_key_file_set_double (file, procedure, "zoom", memory->zoom);
  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    g_key_file_set_boolean (file, procedure, chip_keys[i], memory->chips[i]);
  if (memory->driver)
    g_key_file_set_string (file, "isolux", "driver", memory->driver);

  g_mkdir_with_parents (folder, 0700);
  g_key_file_save_to_file (file, path, NULL);
  g_free (folder);
  g_free (path);
  g_key_file_unref (file);
}

void
isolux_memory_clear (IsoluxMemory *memory)
{
  g_clear_pointer (&memory->driver, g_free);
}
