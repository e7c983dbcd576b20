/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bag.h"

G_DEFINE_TYPE (Bag, bag, G_TYPE_OBJECT)

static const gchar *const words[] = { "channels", "method",   "compatibility",
                                      "mode",     "measure",  "colors",
                                      "norm",     "gradient", "picture",
                                      "bins" };
static const gchar *const doubles[] = {
  "clip-limit",     "skip-threshold",  "padding-value", "center", "width",
  "low-percentile", "high-percentile", "gamma",         "radius"
};
static const gchar *const ints[] = { "tiles-x",   "tiles-y",      "tile-size",
                                     "points",    "orientations", "cell-size",
                                     "block-size" };
static const gchar *const flags[] = { "use-padding-value", "invert",
                                      "signed-gradient", "sqrt" };

static GHashTable *
table_of (GObject *object)
{
  return g_object_get_data (object, "values");
}

static void
free_value (gpointer value)
{
  g_value_unset (value);
  g_free (value);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GValue *copy = g_new0 (GValue, 1);

  g_value_init (copy, G_VALUE_TYPE (value));
  g_value_copy (value, copy);
  g_hash_table_insert (table_of (object), (gpointer) spec->name, copy);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const GValue *kept = g_hash_table_lookup (table_of (object), spec->name);

  if (kept)
    g_value_copy (kept, value);
}

static void
bag_init (Bag *bag)
{
  g_object_set_data_full (bag, "values",
                          g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                 free_value),
                          (GDestroyNotify) g_hash_table_unref);
}

static void
bag_class_init (BagClass *klass)
{
  guint id = 1;

  klass->set_property = set_property;
  klass->get_property = get_property;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    g_object_class_install_property (klass, id++,
                                     g_param_spec_string (words[i], NULL, NULL,
                                                          NULL,
                                                          G_PARAM_READWRITE));
  for (gsize i = 0; i < G_N_ELEMENTS (doubles); i++)
    g_object_class_install_property (klass, id++,
                                     g_param_spec_double (doubles[i], NULL,
                                                          NULL, -1e9, 1e9, 0.0,
                                                          G_PARAM_READWRITE));
  for (gsize i = 0; i < G_N_ELEMENTS (ints); i++)
    g_object_class_install_property (klass, id++,
                                     g_param_spec_int (ints[i], NULL, NULL, 0,
                                                       65536, 0,
                                                       G_PARAM_READWRITE));
  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    g_object_class_install_property (klass, id++,
                                     g_param_spec_boolean (flags[i], NULL, NULL,
                                                           FALSE,
                                                           G_PARAM_READWRITE));
}
