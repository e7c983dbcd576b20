/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-refusals.c: what cannot be done is refused in words, and nothing
 * changes.
 */
#include <string.h>

#include "test.h"

#define SIZE 40

typedef struct
{
  GimpImage    *image;
  GimpDrawable *drawables[3];
  gchar        *checksum;
} Case;

static Case *
case_new (void)
{
  Case *c = g_new0 (Case, 1);

  c->image = test_image (SIZE, SIZE, GIMP_RGB, GIMP_PRECISION_U8_NON_LINEAR);
  c->drawables[0] =
    test_layer (c->image, 0, 0, SIZE, SIZE, TRUE, TEST_PHOTO, 1);
  c->drawables[1] =
    test_layer (c->image, 0, 0, SIZE, SIZE, FALSE, TEST_PHOTO, 2);
  return c;
}

/* What is refused: the second drawable, or an argument; the first could be
 * done */
static void
refused (Case        *c,
         const gchar *what,
         const gchar *words,
         const gchar *first,
         ...)
{
  GimpProcedure       *procedure;
  GimpProcedureConfig *config;
  GimpValueArray      *values;
  gchar               *before;
  gchar               *after;
  gchar               *message;
  gboolean             dirty;
  gint                 filters = 0;
  va_list              arguments;

  before = test_checksum (c->drawables);
  gimp_image_clean_all (c->image);

  procedure =
    gimp_pdb_lookup_procedure (gimp_get_pdb (), "plug-in-isolux-equalize");
  config = gimp_procedure_create_config (procedure);
  g_object_set (config, "run-mode", GIMP_RUN_NONINTERACTIVE, "image", c->image,
                "drawables", c->drawables, NULL);
  va_start (arguments, first);
  if (first)
    g_object_set_valist (G_OBJECT (config), first, arguments);
  va_end (arguments);
  values = gimp_procedure_run_config (procedure, config);
  message = g_strdup (gimp_pdb_get_last_error (gimp_get_pdb ()));

  after = test_checksum (c->drawables);
  dirty = gimp_image_is_dirty (c->image);
  for (gint i = 0; c->drawables[i]; i++)
    filters += test_count_filters (c->drawables[i]);

  test_ok (GIMP_VALUES_GET_ENUM (values, 0) == GIMP_PDB_CALLING_ERROR &&
             strstr (message, words) && ! strcmp (before, after) && ! dirty &&
             filters == 0,
           "%s: %s", what, message);
  if (strcmp (before, after) || dirty || filters)
    test_note ("pixels %s, dirty %d, filters %d",
               strcmp (before, after) ? "changed" : "same", dirty, filters);

  gimp_value_array_unref (values);
  g_object_unref (config);
  g_free (message);
  g_free (before);
  g_free (after);
  gimp_image_delete (c->image);
  g_free (c);
}

static void
check_locks (void)
{
  Case           *c = case_new ();
  GimpGroupLayer *group;
  GimpLayerMask  *mask;

  gimp_item_set_lock_content (GIMP_ITEM (c->drawables[1]), TRUE);
  refused (c, "a locked layer", "locked", NULL);

  c = case_new ();
  gimp_item_set_lock_content (GIMP_ITEM (c->drawables[1]), TRUE);
  refused (c, "a locked layer, non-destructive", "locked", "non-destructive",
           TRUE, NULL);

  c = case_new ();
  group = gimp_group_layer_new (c->image, "group");
  gimp_image_insert_layer (c->image, GIMP_LAYER (group), NULL, 0);
  gimp_image_reorder_item (c->image, GIMP_ITEM (c->drawables[1]),
                           GIMP_ITEM (group), 0);
  gimp_item_set_lock_content (GIMP_ITEM (group), TRUE);
  refused (c, "a layer in a locked group", "locked", NULL);

  c = case_new ();
  mask =
    gimp_layer_create_mask (GIMP_LAYER (c->drawables[1]), GIMP_ADD_MASK_WHITE);
  gimp_layer_add_mask (GIMP_LAYER (c->drawables[1]), mask);
  gimp_item_set_lock_content (GIMP_ITEM (c->drawables[1]), TRUE);
  c->drawables[1] = GIMP_DRAWABLE (mask);
  refused (c, "the mask of a locked layer", "locked", NULL);
}

static void
check_selections (void)
{
  Case *c = case_new ();

  gimp_layer_set_offsets (GIMP_LAYER (c->drawables[1]), 30, 30);
  gimp_image_select_rectangle (c->image, GIMP_CHANNEL_OP_REPLACE, 2, 2, 10, 10);
  refused (c, "a selection beside the layer", "selection", NULL);

  c = case_new ();
  gimp_layer_set_offsets (GIMP_LAYER (c->drawables[1]), 30, 30);
  gimp_image_select_rectangle (c->image, GIMP_CHANNEL_OP_REPLACE, 2, 2, 10, 10);
  refused (c, "the same, non-destructive", "selection", "non-destructive", TRUE,
           NULL);

  c = case_new ();
  c->drawables[1] = GIMP_DRAWABLE (gimp_image_get_selection (c->image));
  refused (c, "the selection itself", "selection", NULL);
}

static void
check_kinds (void)
{
  Case      *c = case_new ();
  GimpImage *other;
  GeglColor *color = gegl_color_new ("red");

  gimp_image_convert_indexed (c->image, GIMP_CONVERT_DITHER_NONE,
                              GIMP_CONVERT_PALETTE_GENERATE, 16, FALSE, FALSE,
                              "");
  refused (c, "an indexed image", "ndexed", NULL);

  c = case_new ();
  gimp_image_insert_channel (c->image,
                             gimp_channel_new (c->image, "channel", SIZE, SIZE,
                                               50.0, color),
                             NULL, 0);
  c->drawables[1] = GIMP_DRAWABLE (gimp_image_get_channels (c->image)[0]);
  refused (c, "a channel, non-destructive", "channel", "non-destructive", TRUE,
           NULL);
  g_object_unref (color);

  c = case_new ();
  c->drawables[0] = NULL;
  refused (c, "no drawable", "no layer", NULL);

  c = case_new ();
  other = test_image (SIZE, SIZE, GIMP_RGB, GIMP_PRECISION_U8_NON_LINEAR);
  c->drawables[1] = test_layer (other, 0, 0, SIZE, SIZE, FALSE, TEST_PHOTO, 3);
  refused (c, "a layer of another image", "not belong", NULL);
  gimp_image_delete (other);

  c = case_new ();
  c->drawables[1] = GIMP_DRAWABLE (gimp_layer_new (c->image, "loose", SIZE,
                                                   SIZE, GIMP_RGB_IMAGE, 100.0,
                                                   GIMP_LAYER_MODE_NORMAL));
  refused (c, "a layer that is in no image", "not belong", NULL);
}

static void
check_words (void)
{
  refused (case_new (), "an unknown word", "\"luma\", \"each\"", "channels",
           "lumma", NULL);
  refused (case_new (), "an empty word", "\"luma\", \"each\"", "channels", "",
           NULL);
  refused (case_new (), "a label for a word", "\"luma\", \"each\"", "channels",
           "Luminance, hue kept", NULL);
}

void
suite_refusals (const gchar *argument)
{
  check_locks ();
  check_selections ();
  check_kinds ();
  check_words ();
}
