/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets: files that people edit, and what must never happen to them. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bag.h"
#include "common.h"
#include "presets.h"

#define CLAHE "plug-in-isolux-clahe", "isolux:clahe"
#define WINDOW "plug-in-isolux-window", "isolux:window"

static const gchar *
shipped (void)
{
  return g_getenv ("ISOLUX_TEST_PRESETS");
}

/* ---- A folder of its own ------------------------------------------ */

typedef struct
{
  gchar           *folder;
  gchar           *user; /* the file of CLAHE */
  GObject         *config;
  IsoluxRealValues codes, hounsfield;
} Place;

static void
set_up (Place *place, gconstpointer data)
{
  place->folder = g_dir_make_tmp ("isolux-presets-XXXXXX", NULL);
  place->user =
    g_build_filename (place->folder, "plug-in-isolux-clahe.ini", NULL);
  place->config = g_object_new (bag_get_type (), NULL);
  isolux_real_values_init (&place->codes);
  isolux_real_values_parse ("intercept=-1024\nunit=HU", &place->hounsfield);
}

static void
tear_down (Place *place, gconstpointer data)
{
  GDir        *folder = g_dir_open (place->folder, 0, NULL);
  const gchar *name;

  while (folder && (name = g_dir_read_name (folder)))
    {
      gchar *path = g_build_filename (place->folder, name, NULL);

      g_unlink (path);
      g_free (path);
    }
  if (folder)
    g_dir_close (folder);
  g_rmdir (place->folder);
  g_free (place->folder);
  g_free (place->user);
  g_object_unref (place->config);
}

static void
write_user (Place *place, const gchar *text)
{
  g_assert_true (g_file_set_contents (place->user, text, -1, NULL));
}

static gchar *
read_user (Place *place)
{
  gchar *text = NULL;

  g_file_get_contents (place->user, &text, NULL, NULL);
  return text;
}

static IsoluxPresets *
clahe (Place *place)
{
  return isolux_presets_new_in (CLAHE, shipped (), place->folder);
}

static guint
count (IsoluxPresets *presets, IsoluxPresetKind kind)
{
  const IsoluxPreset *const *list = isolux_presets_list (presets);
  guint                      n = 0;

  for (; *list; list++)
    n += (*list)->kind == kind;
  return n;
}

/* Whether saving works with this name */
static gboolean
save (IsoluxPresets *presets, Place *place, const gchar *name)
{
  return isolux_presets_save (presets, name, place->config, NULL, FALSE, NULL);
}

/* ---- Shipped ------------------------------------------------------ */

static const IsoluxPreset *
known (IsoluxPresets *presets, const gchar *id)
{
  const IsoluxPreset *preset = isolux_presets_get (presets, id);

  if (! preset)
    g_test_message ("there is no preset %s", id);
  g_assert_nonnull (preset);
  return preset;
}

static void
test_shipped_clahe (Place *place, gconstpointer data)
{
  static const struct
  {
    const gchar *id;
    gdouble      clip;
    gint         tiles;
    const gchar *bins;
  } wanted[] = {
    { "default", 2.0, 8, "auto" },     { "subtle", 1.2, 8, "auto" },
    { "strong", 6.0, 8, "auto" },      { "ct", 2.0, 4, "4096" },
    { "chest-x-ray", 2.5, 6, "4096" }, { "microscopy", 8.0, 8, "auto" },
  };
  IsoluxPresets *presets = clahe (place);

  g_assert_null (isolux_presets_get_problem (presets));
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_SHIPPED), ==,
                    G_N_ELEMENTS (wanted));
  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      const IsoluxPreset *preset = known (presets, wanted[i].id);
      gdouble             clip;
      gint                x, y, size;
      gchar              *bins;

      g_assert_cmpint (preset->kind, ==, ISOLUX_PRESET_SHIPPED);
      g_assert_true (isolux_preset_fits (preset, NULL));
      g_object_set (place->config, "tile-size", 99, NULL);
      isolux_presets_apply (presets, preset, place->config);
      g_object_get (place->config, "clip-limit", &clip, "tiles-x", &x,
                    "tiles-y", &y, "bins", &bins, "tile-size", &size, NULL);
      g_assert_cmpfloat (clip, ==, wanted[i].clip);
      g_assert_cmpint (x, ==, wanted[i].tiles);
      g_assert_cmpint (y, ==, wanted[i].tiles);
      g_assert_cmpint (size, ==, 0); /* what is not named is the default */
      g_assert_cmpstr (bins, ==, wanted[i].bins);
      g_free (bins);
      g_assert_true (isolux_presets_find (presets, place->config, NULL) ==
                     preset);
      g_object_set (place->config, "clip-limit", 7.25, NULL);
      g_assert_null (isolux_presets_find (presets, place->config, NULL));
    }
  isolux_presets_free (presets);
}

static void
test_shipped_window (Place *place, gconstpointer data)
{
  static const gchar *const ids[] = {
    "ct-brain",   "ct-subdural", "ct-stroke", "ct-bone",       "ct-lung",
    "ct-abdomen", "ct-liver",    "ct-angio",  "ct-mediastinum"
  };
  IsoluxPresets *presets =
    isolux_presets_new_in (WINDOW, shipped (), place->folder);
  gdouble center, width;
  gchar  *mode;

  g_assert_null (isolux_presets_get_problem (presets));
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const IsoluxPreset *preset = known (presets, ids[i]);

      g_assert_cmpstr (preset->unit, ==, "HU");
      g_assert_cmpstr (preset->modality, ==, "CT");
      g_assert_true (isolux_preset_fits (preset, &place->hounsfield));
      g_assert_false (isolux_preset_fits (preset, &place->codes));
      g_assert_false (isolux_preset_fits (preset, NULL));
    }
  isolux_presets_apply (presets, known (presets, "ct-lung"), place->config);
  g_object_get (place->config, "mode", &mode, "center", &center, "width",
                &width, NULL);
  g_assert_cmpstr (mode, ==, "window");
  g_assert_cmpfloat (center, ==, -600.0);
  g_assert_cmpfloat (width, ==, 1500.0);
  g_free (mode);
  g_assert_cmpstr (isolux_presets_find (presets, place->config,
                                        &place->hounsfield)
                     ->id,
                   ==, "ct-lung");
  /* the same numbers mean something else where there is no unit */
  g_assert_null (isolux_presets_find (presets, place->config, &place->codes));
  g_assert_cmpstr (known (presets, "ct-lung")->name, ==,
                   known (presets, "Lung")->name);
  g_assert_nonnull (strstr (known (presets, "ct-lung")->summary, "600"));

  g_assert_true (isolux_preset_fits (known (presets, "mr"), NULL));
  g_assert_true (isolux_preset_fits (known (presets, "x-ray"), NULL));
  g_assert_null (isolux_presets_get (presets, "ct-knee"));
  g_assert_null (isolux_presets_get (presets, NULL));
  isolux_presets_free (presets);
}

/* ---- The user's --------------------------------------------------- */

static void
test_save (Place *place, gconstpointer data)
{
  IsoluxPresets      *presets = clahe (place);
  IsoluxPresets      *again;
  const IsoluxPreset *preset;
  GError             *error = NULL;
  gdouble             clip;

  g_object_set (place->config, "clip-limit", 4.2, "tiles-x", 12, "tiles-y", 12,
                "bins", "1024", "channels", "each", "compatibility", "isolux",
                NULL);
  g_assert_true (save (presets, place, "  Nuclei, 63\303\227 [oil]  "));
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 1);

  again = clahe (place);
  preset = known (again, "Nuclei, 63\303\227 [oil]");
  g_assert_cmpint (preset->kind, ==, ISOLUX_PRESET_USER);
  g_object_set (place->config, "clip-limit", 1.0, "bins", "auto", NULL);
  isolux_presets_apply (again, preset, place->config);
  g_object_get (place->config, "clip-limit", &clip, NULL);
  g_assert_cmpfloat (clip, ==, 4.2);
  g_assert_true (isolux_presets_find (again, place->config, NULL) == preset);

  /* the name is taken, unless it shall be */
  g_object_set (place->config, "clip-limit", 5.0, NULL);
  g_assert_false (isolux_presets_save (presets, "Nuclei, 63\303\227 [oil]",
                                       place->config, NULL, FALSE, &error));
  g_assert_nonnull (strstr (error->message, "Nuclei"));
  g_clear_error (&error);
  g_assert_true (isolux_presets_save (presets, "Nuclei, 63\303\227 [oil]",
                                      place->config, NULL, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 1);

  /* names that are none; and one that would be the file's own group */
  g_assert_false (save (presets, place, ""));
  g_assert_false (save (presets, place, "  "));
  g_assert_false (save (presets, place, "two\nlines"));
  g_assert_false (save (presets, place, "\xff"));
  g_assert_false (isolux_presets_save (presets, NULL, place->config, NULL,
                                       FALSE, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_true (save (presets, place, "Isolux"));
  g_assert_true (save (presets, place, "#=;[]"));
  isolux_presets_reload (presets);
  g_assert_null (isolux_presets_get_problem (presets));
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 3);
  g_assert_cmpstr (known (presets, "Isolux")->name, ==, "Isolux");
  isolux_presets_free (again);
  isolux_presets_free (presets);
}

static void
test_unit (Place *place, gconstpointer data)
{
  IsoluxPresets *presets =
    isolux_presets_new_in (WINDOW, shipped (), place->folder);
  GError *error = NULL;

  g_object_set (place->config, "mode", "window", "center", 11.0, "width", 22.0,
                "gamma", 1.0, "high-percentile", 99.0, "channels", "luma",
                NULL);
  g_assert_true (isolux_presets_save (presets, "mine", place->config,
                                      &place->hounsfield, FALSE, &error));
  g_assert_cmpstr (known (presets, "mine")->unit, ==, "HU");
  g_assert_true (isolux_presets_save (presets, "codes", place->config,
                                      &place->codes, FALSE, &error));
  g_assert_cmpstr (known (presets, "codes")->unit, ==, "");
  g_object_set (place->config, "mode", "percentile", NULL);
  g_assert_true (isolux_presets_save (presets, "share", place->config,
                                      &place->hounsfield, FALSE, &error));
  g_assert_cmpstr (known (presets, "share")->unit, ==, "");
  g_assert_no_error (error);
  isolux_presets_free (presets);
}

static void
test_rename_and_delete (Place *place, gconstpointer data)
{
  IsoluxPresets *presets = clahe (place);
  GError        *error = NULL;

  g_assert_true (save (presets, place, "one"));
  g_assert_true (save (presets, place, "two"));
  g_assert_false (isolux_presets_rename (presets, known (presets, "one"), "two",
                                         &error));
  g_clear_error (&error);
  g_assert_true (isolux_presets_rename (presets, known (presets, "one"),
                                        "three", &error));
  g_assert_no_error (error);
  g_assert_cmpstr (known (presets, "three")->id, ==, "one");
  g_assert_true (isolux_presets_delete (presets, known (presets, "two"),
                                        &error));
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 1);

  /* not those that came with it */
  g_assert_false (isolux_presets_rename (presets, known (presets, "ct"), "x",
                                         &error));
  g_clear_error (&error);
  g_assert_false (isolux_presets_delete (presets, known (presets, "ct"),
                                         &error));
  g_clear_error (&error);
  isolux_presets_free (presets);
}

/* ---- Files that people edit --------------------------------------- */

static void
test_by_hand (Place *place, gconstpointer data)
{
  static const gchar text[] = "# my presets\n"
                              "[Soft tissue]\n"
                              "# found by trying\n"
                              "clip-limit = 3.5 \n"
                              "tiles-x=5\n"
                              "future-key[de]=x\n"
                              "\n"
                              "[Edges]\n"
                              "Name=Edges, hard\n"
                              "use-padding-value=true\n";
  IsoluxPresets     *presets;
  gchar             *after;

  /* translations of keys are none of ours, but are no harm either */
  write_user (place, text);
  presets = clahe (place);
  if (isolux_presets_get_problem (presets))
    g_test_message ("%s", isolux_presets_get_problem (presets));
  g_assert_nonnull (isolux_presets_get (presets, "Edges"));
  g_assert_nonnull (isolux_presets_get (presets, "Edges, hard"));

  g_assert_true (save (presets, place, "new"));
  after = read_user (place);
  g_assert_nonnull (strstr (after, "# my presets"));
  g_assert_nonnull (strstr (after, "# found by trying"));
  g_assert_nonnull (strstr (after, "future-key[de]=x"));
  g_assert_nonnull (strstr (after, "[new]"));
  g_free (after);
  isolux_presets_free (presets);
}

/* What cannot be read is told, and stays; what can be read is there */
static void
test_damaged_presets (Place *place, gconstpointer data)
{
  static const gchar *const bad[] = {
    "clip-limit=two",
    "clip-limit=2,5",
    "clip-limit=1e9",
    "clip-limit=-1",
    "clip-limit=nan",
    "clip-limit=",
    "tiles-x=2.5",
    "tiles-x=0",
    "bins=5",
    "channels=all",
    "use-padding-value=maybe",
    "unknown=1",
    "clip-limit=\\",
    "clip-limit=0x",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      gchar *text =
        g_strdup_printf ("[good]\nclip-limit=3\n[bad]\n%s\n", bad[i]);
      IsoluxPresets *presets;
      gchar         *after;

      write_user (place, text);
      presets = clahe (place);
      if (! isolux_presets_get_problem (presets))
        g_test_message ("taken for good: %s", bad[i]);
      g_assert_nonnull (isolux_presets_get_problem (presets));
      g_assert_nonnull (strstr (isolux_presets_get_problem (presets), "bad"));
      g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 1);

      g_assert_true (save (presets, place, "new"));
      after = read_user (place);
      g_assert_nonnull (strstr (after, bad[i]));
      g_free (after);
      isolux_presets_free (presets);
      g_free (text);
    }
}

static void
test_damaged_files (Place *place, gconstpointer data)
{
  static const gchar *const texts[] = {
    "no group\n",
    "[open\nclip-limit=2\n",
    "[Isolux]\nProcedure=plug-in-isolux-window\n[x]\nmode=range\n",
    "[x]\nName=\xff\xfe\n[",
    "\x01\x02\x03",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      IsoluxPresets *presets;
      GError        *error = NULL;
      gchar         *after;

      write_user (place, texts[i]);
      presets = clahe (place);
      g_assert_nonnull (isolux_presets_get_problem (presets));
      g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 0);
      g_assert_cmpuint (count (presets, ISOLUX_PRESET_SHIPPED), ==, 6);
      g_assert_false (isolux_presets_save (presets, "new", place->config, NULL,
                                           TRUE, &error));
      g_assert_nonnull (strstr (error->message, "clahe.ini"));
      g_clear_error (&error);
      g_assert_cmpint (isolux_presets_import (presets, place->user, NULL), ==,
                       -1);
      after = read_user (place);
      g_assert_cmpstr (after, ==, texts[i]);
      g_free (after);
      isolux_presets_free (presets);
    }
}

/* Whatever is in a file: no crash, and it is not lost */
static void
test_hostile (Place *place, gconstpointer data)
{
  static const gchar seed[] = "[Isolux]\nProcedure=plug-in-isolux-clahe\n"
                              "[one]\nName=One\nclip-limit=3\nbins=auto\n"
                              "[two]\ntiles-x=4\nuse-padding-value=true\n";
  static const gchar bytes[] = "[]=#\n\r\\ ;.,-0129aeN\xff\x80";

  for (guint n = 0; n < 400; n++)
    {
      Random         random = random_new (test_seed (), 400000u + n);
      GString       *text = g_string_new (seed);
      IsoluxPresets *presets;
      gchar         *after;

      for (guint64 k = 1 + random_below (&random, 5); k > 0; k--)
        {
          const gssize place_at = (gssize) random_below (&random, text->len);
          const gchar  byte = bytes[random_below (&random, sizeof bytes - 1)];

          if (random_below (&random, 2))
            g_string_insert_c (text, place_at, byte);
          else
            text->str[place_at] = byte;
        }
      write_user (place, text->str);
      presets = clahe (place);
      for (const IsoluxPreset *const *p = isolux_presets_list (presets); *p;
           p++)
        {
          g_assert_true (g_utf8_validate ((*p)->name, -1, NULL));
          g_assert_true (g_utf8_validate ((*p)->summary, -1, NULL));
          isolux_presets_apply (presets, *p, place->config);
        }
      if (! isolux_presets_save (presets, "new", place->config, NULL, FALSE,
                                 NULL))
        {
          after = read_user (place);
          g_assert_cmpstr (after, ==, text->str);
          g_free (after);
        }
      isolux_presets_free (presets);
      g_string_free (text, TRUE);
    }
}

static void
test_cannot_write (Place *place, gconstpointer data)
{
  gchar         *folder = g_build_filename (place->user, "below", NULL);
  IsoluxPresets *presets;
  GError        *error = NULL;

  /* the folder's place is taken by a file */
  write_user (place, "[x]\nclip-limit=2\n");
  presets = isolux_presets_new_in (CLAHE, shipped (), folder);
  g_assert_false (isolux_presets_save (presets, "new", place->config, NULL,
                                       FALSE, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  isolux_presets_free (presets);

  presets = isolux_presets_new_in (CLAHE, NULL, place->folder);
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_SHIPPED), ==, 0);
  isolux_presets_free (presets);
  g_free (folder);
}

/* ---- Other files -------------------------------------------------- */

static void
test_export_and_import (Place *place, gconstpointer data)
{
  gchar         *path = g_build_filename (place->folder, "taken.ini", NULL);
  IsoluxPresets *presets = clahe (place);
  GError        *error = NULL;

  g_assert_false (isolux_presets_export (presets, NULL, path, &error));
  g_clear_error (&error); /* none yet */
  g_object_set (place->config, "clip-limit", 9.5, NULL);
  g_assert_true (save (presets, place, "mine"));
  g_assert_true (isolux_presets_export (presets, NULL, path, &error));
  g_assert_no_error (error);
  g_assert_cmpint (isolux_presets_import (presets, path, &error), ==, 1);
  g_assert_cmpint (isolux_presets_import (presets, path, &error), ==, 1);
  g_assert_no_error (error);
  known (presets, "mine (2)");
  known (presets, "mine (3)");

  /* one that came with it, under its name */
  g_assert_true (isolux_presets_export (presets, known (presets, "ct"), path,
                                        &error));
  g_assert_cmpint (isolux_presets_import (presets, path, &error), ==, 1);
  g_assert_cmpint (known (presets, "CT")->kind, ==, ISOLUX_PRESET_USER);
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 4);

  /* all or nothing, and only what there is */
  g_assert_true (g_file_set_contents (path, "[a]\nclip-limit=2\n[b]\nbins=7\n",
                                      -1, NULL));
  g_assert_cmpint (isolux_presets_import (presets, path, &error), ==, -1);
  g_assert_nonnull (strstr (error->message, "taken.ini"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "", -1, NULL));
  g_assert_cmpint (isolux_presets_import (presets, path, &error), ==, -1);
  g_clear_error (&error);
  g_unlink (path);
  g_assert_cmpint (isolux_presets_import (presets, path, &error), ==, -1);
  g_clear_error (&error);
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_USER), ==, 4);
  g_free (path);
  isolux_presets_free (presets);
}

static void
test_last (Place *place, gconstpointer data)
{
  IsoluxPresets             *presets = clahe (place);
  const IsoluxPreset *const *list;
  GError                    *error = NULL;
  gdouble                    clip;
  guint                      first = 6;

  for (gint i = 1; i <= 7; i++)
    {
      g_object_set (place->config, "clip-limit", (gdouble) i, NULL);
      g_assert_true (isolux_presets_remember (presets, place->config, NULL,
                                              &error));
      g_assert_no_error (error);
    }
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_LAST), ==, 5);

  list = isolux_presets_list (presets);
  isolux_presets_apply (presets, list[first], place->config);
  g_object_get (place->config, "clip-limit", &clip, NULL);
  g_assert_cmpfloat (clip, ==, 7.0);
  g_assert_cmpint (list[first]->kind, ==, ISOLUX_PRESET_LAST);
  g_assert_cmpuint (strlen (list[first]->name), >, 5);

  /* the same again goes to the front, once */
  g_object_set (place->config, "clip-limit", 5.0, NULL);
  g_assert_true (isolux_presets_remember (presets, place->config, NULL,
                                          &error));
  g_assert_cmpuint (count (presets, ISOLUX_PRESET_LAST), ==, 5);
  list = isolux_presets_list (presets);
  isolux_presets_apply (presets, list[first], place->config);
  g_object_get (place->config, "clip-limit", &clip, NULL);
  g_assert_cmpfloat (clip, ==, 5.0);
  isolux_presets_apply (presets, list[first + 1], place->config);
  g_object_get (place->config, "clip-limit", &clip, NULL);
  g_assert_cmpfloat (clip, ==, 7.0);

  /* they are no presets that settings are named after */
  g_assert_null (isolux_presets_find (presets, place->config, NULL));
  isolux_presets_free (presets);
}

void
add_presets_tests (void)
{
#define ADD(name, function) \
  g_test_add ("/presets/" name, Place, NULL, set_up, function, tear_down)
  ADD ("shipped-clahe", test_shipped_clahe);
  ADD ("shipped-window", test_shipped_window);
  ADD ("save", test_save);
  ADD ("unit", test_unit);
  ADD ("rename-and-delete", test_rename_and_delete);
  ADD ("by-hand", test_by_hand);
  ADD ("damaged-presets", test_damaged_presets);
  ADD ("damaged-files", test_damaged_files);
  ADD ("hostile", test_hostile);
  ADD ("cannot-write", test_cannot_write);
  ADD ("export-and-import", test_export_and_import);
  ADD ("last", test_last);
#undef ADD
}
