/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make-parameters.c: writes the properties of GEGL operations as C tables.
 *
 *   GEGL_PATH=FOLDER make-parameters OUTPUT OPERATION...
 *
 * Runs when Isolux is built.  See parameters.h.
 */
#include <gegl.h>
#include <gegl-paramspecs.h>
#include <locale.h>
#include <string.h>

static gchar *
quote (const gchar *text)
{
  gchar *escaped = g_strescape (text ? text : "", NULL);
  gchar *quoted = g_strdup_printf ("\"%s\"", escaped);

  g_free (escaped);
  return quoted;
}

static void
append_number (GString *out, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, "%s, ",
                          g_ascii_formatd (text, sizeof text, "%.17g", value));
}

static void
append_numbers (GString *out, gdouble a, gdouble b, gdouble c)
{
  append_number (out, a);
  append_number (out, b);
  append_number (out, c);
}

/* "isolux:contrast-map", "method" -> isolux_contrast_map_method */
static gchar *
identifier (const gchar *operation, const gchar *name)
{
  gchar *text = g_strdup_printf ("%s_%s", operation, name);

  g_strcanon (text, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS, '_');
  return text;
}

static gboolean
is_hidden (const gchar *operation, const gchar *name)
{
  const gchar *visible =
    gegl_operation_get_property_key (operation, name, "visible");

  return visible && (! strcmp (visible, "0") || ! strcmp (visible, "false"));
}

/* What else GEGL knows of a property: see IsoluxParameter.  A key of ours
 * goes before that of GEGL, which is for GIMP's own editor. */
static void
append_keys (GString *out, const gchar *operation, const gchar *name)
{
  static const gchar *const keys[][2] = {
    { "isolux-sensitive", "sensitive" },
    { "isolux-visible", "visible" },
    { "isolux-unit", NULL },
    { "isolux-chain", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const gchar *value =
        gegl_operation_get_property_key (operation, name, keys[i][0]);
      gchar *quoted;

      if (! value && keys[i][1])
        value = gegl_operation_get_property_key (operation, name, keys[i][1]);
      quoted = value ? quote (value) : g_strdup ("NULL");
      g_string_append_printf (out, "%s, ", quoted);
      g_free (quoted);
    }
  g_string_append_printf (out, "%s },\n",
                          gegl_operation_get_property_key (operation, name,
                                                           "isolux-advanced")
                            ? "TRUE"
                            : "FALSE");
}

/* Appends the words of a choice to @words and the parameter to @out. */
static void
append_choice (GString        *out,
               GString        *words,
               const gchar    *operation,
               GParamSpecEnum *spec)
{
  gchar            *table = identifier (operation, G_PARAM_SPEC (spec)->name);
  const GEnumValue *value;
  gchar            *word;

  g_string_append_printf (words, "\nstatic const IsoluxWord %s[] = {\n", table);
  for (guint i = 0; i < spec->enum_class->n_values; i++)
    {
      gchar *label;

      value = spec->enum_class->values + i;
      word = quote (value->value_nick);
      label = quote (value->value_name);
      g_string_append_printf (words, "  { %s, %s },\n", word, label);
      g_free (label);
      g_free (word);
    }
  g_string_append (words, "  { NULL, NULL }\n};\n");

  value = g_enum_get_value (spec->enum_class, spec->default_value);
  word = quote (value->value_nick);
  g_string_append_printf (out,
                          "ISOLUX_PARAMETER_CHOICE,\n    0, 0, 0, 0, 0, 1, "
                          "1, 1, 0, %s, %s,\n    ",
                          word, table);
  g_free (word);
  g_free (table);
}

static gboolean
append_parameter (GString     *out,
                  GString     *words,
                  const gchar *operation,
                  GParamSpec  *spec)
{
  gchar *name = quote (spec->name);
  gchar *nick = quote (g_param_spec_get_nick (spec));
  gchar *blurb = quote (g_param_spec_get_blurb (spec));

  g_string_append_printf (out, "  { %s, %s,\n    %s,\n    ", name, nick, blurb);
  g_free (blurb);
  g_free (nick);
  g_free (name);

  if (G_IS_PARAM_SPEC_ENUM (spec))
    {
      append_choice (out, words, operation, G_PARAM_SPEC_ENUM (spec));
      append_keys (out, operation, spec->name);
      return TRUE;
    }

  if (GEGL_IS_PARAM_SPEC_DOUBLE (spec))
    {
      GParamSpecDouble    *plain = G_PARAM_SPEC_DOUBLE (spec);
      GeglParamSpecDouble *gegl = GEGL_PARAM_SPEC_DOUBLE (spec);

      g_string_append (out, "ISOLUX_PARAMETER_DOUBLE,\n    ");
      append_numbers (out, plain->minimum, plain->maximum,
                      plain->default_value);
      append_numbers (out, gegl->ui_minimum, gegl->ui_maximum, gegl->ui_gamma);
      append_number (out, gegl->ui_step_small);
      append_number (out, gegl->ui_step_big);
      g_string_append_printf (out, "%d, ", gegl->ui_digits);
    }
  else if (GEGL_IS_PARAM_SPEC_INT (spec))
    {
      GParamSpecInt    *plain = G_PARAM_SPEC_INT (spec);
      GeglParamSpecInt *gegl = GEGL_PARAM_SPEC_INT (spec);

      g_string_append (out, "ISOLUX_PARAMETER_INT,\n    ");
      append_numbers (out, plain->minimum, plain->maximum,
                      plain->default_value);
      append_numbers (out, gegl->ui_minimum, gegl->ui_maximum, gegl->ui_gamma);
      append_number (out, gegl->ui_step_small);
      append_number (out, gegl->ui_step_big);
      g_string_append (out, "0, ");
    }
  else if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    {
      g_string_append (out, "ISOLUX_PARAMETER_BOOLEAN,\n    ");
      append_numbers (out, 0, 1, G_PARAM_SPEC_BOOLEAN (spec)->default_value);
      g_string_append (out, "0, 1, 1, 1, 1, 0, ");
    }
  else
    {
      g_printerr ("%s: no argument can be made of the property %s (%s)\n",
                  operation, spec->name, G_PARAM_SPEC_TYPE_NAME (spec));
      return FALSE;
    }

  g_string_append (out, "NULL, NULL,\n    ");
  append_keys (out, operation, spec->name);
  return TRUE;
}

static gboolean
append_operation (GString *out, const gchar *operation)
{
  GString     *words = g_string_new (NULL);
  GString     *table = g_string_new (NULL);
  gchar       *name = identifier (operation, "parameters");
  guint        n = 0;
  GParamSpec **specs;
  gboolean     success = TRUE;

  if (! gegl_has_operation (operation))
    {
      g_printerr ("%s: no such operation in GEGL_PATH\n", operation);
      return FALSE;
    }

  specs = gegl_operation_list_properties (operation, &n);
  for (guint i = 0; i < n && success; i++)
    if (! is_hidden (operation, specs[i]->name))
      success = append_parameter (table, words, operation, specs[i]);

  g_string_append_printf (out,
                          "%s\nstatic const IsoluxParameter %s[] = {\n%s"
                          "  { NULL }\n};\n",
                          words->str, name, table->str);

  g_free (specs);
  g_free (name);
  g_string_free (table, TRUE);
  g_string_free (words, TRUE);
  return success;
}

int
main (int argc, char **argv)
{
  GString *out = g_string_new ("/* made by make-parameters from the "
                               "operations' properties */\n"
                               "#include \"parameters.h\"\n"
                               "#include <string.h>\n");
  GError  *error = NULL;

  if (argc < 3)
    {
      g_printerr ("usage: make-parameters OUTPUT OPERATION...\n");
      return 2;
    }

  /* the texts shall be the untranslated ones */
  g_setenv ("LC_ALL", "C", TRUE);
  g_unsetenv ("LANGUAGE");
  setlocale (LC_ALL, "C");
  /* GEGL hides operations under the GPL from programs that are not */
  g_object_set (gegl_config (), "application-license", "GPL3", NULL);
  gegl_init (NULL, NULL);

  for (gint i = 2; i < argc; i++)
    if (! append_operation (out, argv[i]))
      return 1;

  g_string_append (out, "\nconst IsoluxParameter *\n"
                        "isolux_parameters (const gchar *operation)\n{\n");
  for (gint i = 2; i < argc; i++)
    {
      gchar *name = identifier (argv[i], "parameters");

      g_string_append_printf (out,
                              "  if (! strcmp (operation, \"%s\"))\n"
                              "    return %s;\n",
                              argv[i], name);
      g_free (name);
    }
  g_string_append (out, "  return NULL;\n}\n");

  if (! g_file_set_contents (argv[1], out->str, out->len, &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  g_string_free (out, TRUE);
  return 0;
}
