/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test-rows.c: the rows of settings, of all operations, with an object that
 * has the parameters in place of a procedure's config.
 *
 * With ISOLUX_LOCALE the mnemonics are those of that language.
 */
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <locale.h>
#include <string.h>

#include "expression.h"
#include "parameters.h"
#include "rows.h"

static const gchar *const operations[] = {
  "isolux:grayscale",    "isolux:equalize", "isolux:clahe", "isolux:window",
  "isolux:contrast-map", "isolux:lbp",      "isolux:hog",
};

/* As wide as the dialog's column */
#define COLUMN 352

/* ---- A config ---- */

#define MOST 32

typedef struct
{
  GObject parent_instance;
  GValue  values[MOST];
} Config;

static void
config_set (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GValue *own = ((Config *) object)->values + id;

  if (! G_IS_VALUE (own))
    g_value_init (own, spec->value_type);
  g_value_copy (value, own);
}

static void
config_get (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GValue *own = ((Config *) object)->values + id;

  if (G_IS_VALUE (own))
    g_value_copy (own, value);
  else
    g_param_value_set_default (spec, value);
}

static void
config_finalize (GObject *object)
{
  for (gint i = 0; i < MOST; i++)
    if (G_IS_VALUE (((Config *) object)->values + i))
      g_value_unset (((Config *) object)->values + i);
  G_OBJECT_CLASS (g_type_class_peek (G_TYPE_OBJECT))->finalize (object);
}

static GParamSpec *
make_spec (const IsoluxParameter *p)
{
  switch (p->type)
    {
      case ISOLUX_PARAMETER_CHOICE:
        return g_param_spec_string (p->name, p->nick, p->blurb, p->word,
                                    G_PARAM_READWRITE);
      case ISOLUX_PARAMETER_BOOLEAN:
        return g_param_spec_boolean (p->name, p->nick, p->blurb,
                                     p->value != 0.0, G_PARAM_READWRITE);
      case ISOLUX_PARAMETER_INT:
        return g_param_spec_int (p->name, p->nick, p->blurb, (gint) p->minimum,
                                 (gint) p->maximum, (gint) p->value,
                                 G_PARAM_READWRITE);
      default:
        return g_param_spec_double (p->name, p->nick, p->blurb, p->minimum,
                                    p->maximum, p->value, G_PARAM_READWRITE);
    }
}

static void
config_class_init (gpointer klass, gpointer parameters)
{
  const IsoluxParameter *p = parameters;

  G_OBJECT_CLASS (klass)->set_property = config_set;
  G_OBJECT_CLASS (klass)->get_property = config_get;
  G_OBJECT_CLASS (klass)->finalize = config_finalize;
  for (guint i = 1; p->name; p++, i++)
    {
      g_assert_cmpint (i, <, MOST);
      g_object_class_install_property (klass, i, make_spec (p));
    }
}

static GObject *
config_new (const gchar *operation)
{
  gchar *name =
    g_strdelimit (g_strdup_printf ("Config-%s", operation), ":", '-');
  GType type = g_type_from_name (name);

  if (! type)
    {
      GTypeInfo info = { 0 };

      info.class_size = sizeof (GObjectClass);
      info.class_init = config_class_init;
      info.class_data = isolux_parameters (operation);
      info.instance_size = sizeof (Config);
      type = g_type_register_static (G_TYPE_OBJECT, name, &info, 0);
    }
  g_free (name);
  return g_object_new (type, NULL);
}

static void
settle (void)
{
  while (gtk_events_pending ())
    gtk_main_iteration ();
}

/* Waits until a new widget has its place, which comes with the next frame. */
static void
wait_for (GtkWidget *widget)
{
  while (gtk_widget_get_allocated_width (widget) < 2)
    gtk_main_iteration ();
}

/* ---- Rows in a window, in a column that scrolls ---- */

typedef struct
{
  GtkWidget  *window;
  GtkWidget  *scrolled;
  IsoluxRows *rows;
  GObject    *config;
} Fixture;

static void
set_up (Fixture *f, gconstpointer operation)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *tail = gtk_label_new ("-");

  f->config = config_new (operation);
  f->rows = ISOLUX_ROWS (isolux_rows_new_for (f->config, operation, NULL));
  f->window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  f->scrolled = gtk_scrolled_window_new (NULL, NULL);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (f->scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (f->scrolled),
                                             FALSE);
  gtk_widget_set_size_request (tail, -1, 2000);
  gtk_box_pack_start (GTK_BOX (box), GTK_WIDGET (f->rows), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), tail, FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (f->scrolled), box);
  gtk_container_add (GTK_CONTAINER (f->window), f->scrolled);
  gtk_window_set_default_size (GTK_WINDOW (f->window), COLUMN, 400);
  gtk_widget_show_all (box);
  gtk_widget_show (f->scrolled);
  gtk_widget_show (f->window);
  settle ();
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_widget_destroy (f->window);
  g_object_unref (f->config);
  settle ();
}

static GtkWidget *
get (Fixture *f, const gchar *name)
{
  GtkWidget *widget = isolux_rows_get_widget (f->rows, name);

  g_assert_nonnull (widget);
  return widget;
}

static gint
get_int (Fixture *f, const gchar *name)
{
  gint value;

  g_object_get (f->config, name, &value, NULL);
  return value;
}

static gdouble
get_double (Fixture *f, const gchar *name)
{
  gdouble value;

  g_object_get (f->config, name, &value, NULL);
  return value;
}

static gboolean
is_shown (GtkWidget *widget)
{
  for (; widget && ! ISOLUX_IS_ROWS (widget);
       widget = gtk_widget_get_parent (widget))
    if (! gtk_widget_get_visible (widget))
      return FALSE;
  return TRUE;
}

typedef gboolean (*Match) (GtkWidget *widget, gconstpointer data);

static void
collect (GtkWidget *widget, gpointer list)
{
  g_ptr_array_add (list, widget);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), collect, list);
}

static GtkWidget *
find (GtkWidget *top, Match match, gconstpointer data)
{
  GPtrArray *all = g_ptr_array_new ();
  GtkWidget *found = NULL;

  collect (top, all);
  for (guint i = 0; i < all->len && ! found; i++)
    if (match (all->pdata[i], data))
      found = all->pdata[i];
  g_ptr_array_unref (all);
  return found;
}

static gboolean
is_type (GtkWidget *widget, gconstpointer type)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), *(const GType *) type);
}

static gboolean
has_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) &&
         ! strcmp (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static gboolean
is_reset (GtkWidget *widget, gconstpointer data)
{
  return gtk_style_context_has_class (gtk_widget_get_style_context (widget),
                                      "isolux-reset");
}

/* The reset button in the row of a widget; that of a chained pair is beside
 * the row, in the grid. */
static GtkWidget *
get_reset (Fixture *f, const gchar *name)
{
  GtkWidget *place = get (f, name);
  GtkWidget *parent;
  GtkWidget *found;
  gint       row;

  while (! GTK_IS_BOX (place))
    place = gtk_widget_get_parent (place);
  parent = gtk_widget_get_parent (place);
  if (GTK_IS_GRID (parent))
    {
      gtk_container_child_get (GTK_CONTAINER (parent), place, "top-attach",
                               &row, NULL);
      found = gtk_grid_get_child_at (GTK_GRID (parent), 2, row);
    }
  else
    {
      found = find (place, is_reset, NULL);
      if (! found)
        found = find (parent, is_reset, NULL);
    }
  g_assert_nonnull (found);
  return found;
}

/* ---- Expressions ---- */

static void
test_expressions (void)
{
  static const struct
  {
    const gchar *text;
    gint         value; /* -1: cannot be read */
  } cases[] = {
    { NULL, 1 },
    { "1", 1 },
    { "0", 0 },
    { " ! 0 ", 1 },
    { "! ! 1", 1 },
    { "1 & 0", 0 },
    { "1 | 0 & 0", 1 },
    { "(1 | 0) & 0", 0 },
    { "use-padding-value", 0 },
    { "! use-padding-value", 1 },
    { "tile-size", 0 },
    { "tiles-x", 1 },
    { "clip-limit", 1 },
    { "bins {auto}", 1 },
    { "bins {256}", 0 },
    { "bins { 256 , auto }", 1 },
    { "! bins {auto, 256} | tiles-y", 1 },
    { "bins", 1 },
    { "compatibility {isolux} & ! (tile-size | use-padding-value)", 1 },
    { "", -1 },
    { "(1", -1 },
    { "1)", -1 },
    { "1 1", -1 },
    { "bins {", -1 },
    { "bins {}", -1 },
    { "bins {auto", -1 },
    { "bins {auto,}", -1 },
    { "1 &", -1 },
    { "nothing", -1 },
    { "!", -1 },
    { "$sensitive", -1 },
  };
  GObject *config = config_new ("isolux:clahe");
  GString *deep = g_string_new (NULL);
  gboolean value;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean ok = isolux_expression_evaluate (cases[i].text, config, &value);

      g_test_message ("%s", cases[i].text ? cases[i].text : "(none)");
      g_assert_true (ok == (cases[i].value >= 0));
      g_assert_true (value == (cases[i].value != 0));
    }
  for (gint i = 0; i < 100000; i++)
    g_string_append_c (deep, "!("[i & 1]);
  g_assert_false (isolux_expression_evaluate (deep->str, config, &value));
  g_string_free (deep, TRUE);
  g_object_unref (config);
}

/* Sets the k-th value of a parameter that makes a difference to an
 * expression; FALSE when there is none */
static gboolean
set_value (GObject *config, const IsoluxParameter *p, gint k)
{
  gint n = 0;

  if (p->type == ISOLUX_PARAMETER_CHOICE)
    while (p->words[n].word)
      n++;
  else if (p->type != ISOLUX_PARAMETER_DOUBLE)
    n = 2;
  if (k >= n)
    return FALSE;

  if (p->type == ISOLUX_PARAMETER_CHOICE)
    g_object_set (config, p->name, p->words[k].word, NULL);
  else
    g_object_set (config, p->name, (gint) (k ? p->maximum : p->minimum), NULL);
  return TRUE;
}

/* Every expression of every operation can be read, and there are settings
 * that make it true and others that make it false: its words are words. */
static void
test_all_expressions (void)
{
  gint n = 0;

  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    {
      GObject               *config = config_new (operations[o]);
      const IsoluxParameter *all = isolux_parameters (operations[o]);

      for (const IsoluxParameter *p = all; p->name; p++)
        for (gint which = 0; which < 2; which++)
          {
            const gchar *text = which ? p->visible : p->sensitive;
            gboolean     seen[2] = { FALSE, FALSE };

            if (! text)
              continue;
            n++;
            g_test_message ("%s: %s", p->name, text);
            for (const IsoluxParameter *q = all; q->name; q++)
              {
                for (gint k = 0; set_value (config, q, k); k++)
                  {
                    gboolean value;

                    g_assert_true (isolux_expression_evaluate (text, config,
                                                               &value));
                    seen[value] = TRUE;
                  }
                set_value (config, q, 0);
              }
            g_assert_true (seen[0] && seen[1]);
          }
      g_object_unref (config);
    }
  g_assert_cmpint (n, >=, 8);
}

/* ---- All operations ---- */

static gchar *
remove_mark (const gchar *text)
{
  gchar **parts = g_strsplit (text, "_", -1);
  gchar  *joined = g_strjoinv ("", parts);

  g_strfreev (parts);
  return joined;
}

static void
test_all (void)
{
  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    {
      Fixture                f;
      const IsoluxParameter *p = isolux_parameters (operations[o]);
      gint                   minimum, natural;

      set_up (&f, operations[o]);
      for (; p->name; p++)
        {
          GtkWidget *widget = get (&f, p->name);
          AtkObject *accessible = gtk_widget_get_accessible (widget);

          g_assert_true (p->type == ISOLUX_PARAMETER_CHOICE
                           ? GIMP_IS_STRING_COMBO_BOX (widget)
                         : p->type == ISOLUX_PARAMETER_BOOLEAN
                           ? GTK_IS_CHECK_BUTTON (widget)
                           : GIMP_IS_SPIN_SCALE (widget));
          g_assert_cmpstr (atk_object_get_name (accessible), ==, p->nick);
          g_assert_cmpstr (atk_object_get_description (accessible), ==,
                           p->blurb);
          g_assert_cmpfloat (gtk_widget_get_opacity (get_reset (&f, p->name)),
                             ==, 0.0);
          if (GIMP_IS_SPIN_SCALE (widget))
            {
              gchar *label = remove_mark (
                gimp_spin_scale_get_label (GIMP_SPIN_SCALE (widget)));
              gdouble low, high;

              g_assert_true (g_str_has_prefix (label, p->nick));
              g_assert_true ((p->unit != NULL) ==
                             g_str_has_suffix (label, ")"));
              g_free (label);
              gimp_spin_scale_get_scale_limits (GIMP_SPIN_SCALE (widget), &low,
                                                &high);
              g_assert_cmpfloat (low, ==, p->ui_minimum);
              g_assert_cmpfloat (high, ==, p->ui_maximum);
              g_assert_cmpfloat (
                gimp_spin_scale_get_gamma (GIMP_SPIN_SCALE (widget)), ==,
                p->ui_gamma);
              g_assert_cmpint (
                gtk_spin_button_get_digits (GTK_SPIN_BUTTON (widget)), ==,
                p->digits);
            }
        }
      g_assert_true (isolux_rows_is_default (f.rows));
      g_assert_null (isolux_rows_get_widget (f.rows, "nothing"));

      gtk_widget_get_preferred_width (GTK_WIDGET (f.rows), &minimum, &natural);
      g_assert_cmpint (minimum, <=, COLUMN);
      tear_down (&f, NULL);
    }
}

static gunichar
get_mnemonic (const gchar *label)
{
  const gchar *mark = strchr (label, '_');

  return mark ? g_unichar_tolower (g_utf8_get_char (mark + 1)) : 0;
}

/* Each row has a mnemonic, and none is there twice, in any operation. */
static void
test_mnemonics (void)
{
  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    {
      Fixture                f;
      const IsoluxParameter *p = isolux_parameters (operations[o]);
      GString               *seen;
      gint                   n = 0;

      set_up (&f, operations[o]);
      /* the first ones are the dialog's */
      seen = g_string_new (g_getenv ("ISOLUX_LOCALE") ? "" : "hrcopwfmv");
      g_assert_true (g_str_has_prefix (isolux_rows_get_mnemonics (f.rows),
                                       seen->str));
      for (; p->name; p++)
        {
          GtkWidget   *widget = get (&f, p->name);
          const gchar *text;
          GtkWidget   *label = NULL;
          gunichar     letter;

          if (GIMP_IS_SPIN_SCALE (widget))
            text = gimp_spin_scale_get_label (GIMP_SPIN_SCALE (widget));
          else if (GTK_IS_COMBO_BOX (widget))
            {
              GList *labels = gtk_widget_list_mnemonic_labels (widget);

              g_assert_nonnull (labels);
              label = labels->data;
              text = gtk_label_get_label (GTK_LABEL (label));
              g_list_free (labels);
            }
          else
            text = gtk_button_get_label (GTK_BUTTON (widget));

          g_test_message ("%s: %s", operations[o], text);
          letter = get_mnemonic (text);
          g_assert_cmpuint (letter, !=, 0);
          g_assert_null (g_utf8_strchr (seen->str, -1, letter));
          g_string_append_unichar (seen, letter);
          g_assert_nonnull (g_utf8_strchr (isolux_rows_get_mnemonics (f.rows),
                                           -1, letter));
          n++;
        }
      g_assert_cmpint (n, >, 0);
      g_string_free (seen, TRUE);
      tear_down (&f, NULL);
    }
}

static void
test_taken (void)
{
  GObject   *config = config_new ("isolux:hog");
  GtkWidget *rows =
    g_object_ref_sink (isolux_rows_new_for (config, "isolux:hog", "abcdefgh"));

  g_assert_true (g_str_has_prefix (
    isolux_rows_get_mnemonics (ISOLUX_ROWS (rows)), "abcdefgh"));
  gtk_widget_destroy (rows);
  g_object_unref (rows);
  g_object_unref (config);
}

/* ---- What a row does ---- */

static void
test_binding (Fixture *f, gconstpointer data)
{
  GtkWidget *clip = get (f, "clip-limit");
  GtkWidget *bins = get (f, "bins");
  GtkWidget *padding = get (f, "use-padding-value");
  gboolean   on;
  gchar     *word;

  g_object_set (f->config, "clip-limit", 5.5, "bins", "4096",
                "use-padding-value", TRUE, NULL);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (clip)), ==,
                     5.5);
  g_assert_cmpint (gtk_combo_box_get_active (GTK_COMBO_BOX (bins)), ==, 3);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (padding)));

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (clip), 1.25);
  gtk_combo_box_set_active (GTK_COMBO_BOX (bins), 1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (padding), FALSE);
  g_object_get (f->config, "bins", &word, "use-padding-value", &on, NULL);
  g_assert_cmpfloat (get_double (f, "clip-limit"), ==, 1.25);
  g_assert_cmpstr (word, ==, "256");
  g_assert_false (on);
  g_free (word);

  /* beyond the scale, as far as is valid */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (clip), 200.0);
  g_assert_cmpfloat (get_double (f, "clip-limit"), ==, 200.0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (clip), 1000.0);
  g_assert_cmpfloat (get_double (f, "clip-limit"), ==, 256.0);
}

static void
test_reset (Fixture *f, gconstpointer data)
{
  const gchar *names[] = { "clip-limit", "bins", "compatibility" };

  g_object_set (f->config, "clip-limit", 5.5, "bins", "4096", "compatibility",
                "opencv", NULL);
  g_assert_false (isolux_rows_is_default (f->rows));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GtkWidget *reset = get_reset (f, names[i]);
      gint       width;

      g_assert_cmpfloat (gtk_widget_get_opacity (reset), ==, 1.0);
      g_assert_true (gtk_widget_get_sensitive (reset));
      gtk_widget_get_preferred_width (reset, NULL, &width);
      gtk_button_clicked (GTK_BUTTON (reset));
      g_assert_cmpfloat (gtk_widget_get_opacity (reset), ==, 0.0);
      g_assert_false (gtk_widget_get_sensitive (reset));
      /* its place is kept */
      g_assert_true (gtk_widget_get_visible (reset));
      g_assert_cmpint (width, >=, 24);
    }
  g_assert_true (isolux_rows_is_default (f->rows));
  g_assert_cmpfloat (get_double (f, "clip-limit"), ==, 2.0);

  g_object_set (f->config, "tiles-x", 3, "tiles-y", 5, "use-padding-value",
                TRUE, "padding-value", -2000.0, NULL);
  g_assert_false (isolux_rows_is_default (f->rows));
  isolux_rows_reset (f->rows);
  g_assert_true (isolux_rows_is_default (f->rows));
  g_assert_cmpint (get_int (f, "tiles-x"), ==, 8);
  g_assert_cmpint (get_int (f, "tiles-y"), ==, 8);
}

static void
test_conditions (Fixture *f, gconstpointer data)
{
  g_assert_false (is_shown (get (f, "center")));
  g_assert_false (is_shown (get (f, "width")));
  g_assert_true (is_shown (get (f, "low-percentile")));
  g_object_set (f->config, "mode", "window", NULL);
  g_assert_true (is_shown (get (f, "center")));
  g_assert_true (is_shown (get (f, "width")));
  g_assert_false (is_shown (get (f, "low-percentile")));
  g_assert_false (is_shown (get (f, "high-percentile")));
  g_assert_false (gtk_widget_get_sensitive (get (f, "channels")));
  g_object_set (f->config, "mode", "range", NULL);
  g_assert_false (is_shown (get (f, "center")));
  g_assert_false (is_shown (get (f, "low-percentile")));
  g_assert_true (gtk_widget_get_sensitive (get (f, "channels")));
  g_assert_true (is_shown (get (f, "gamma")));
}

static void
test_sensitive (Fixture *f, gconstpointer data)
{
  GtkWidget *padding = get (f, "padding-value");
  GtkWidget *reset = get_reset (f, "padding-value");
  GtkWidget *channels = get (f, "channels");

  g_assert_false (gtk_widget_get_sensitive (padding));
  g_object_set (f->config, "padding-value", 7.0, NULL);
  g_assert_false (gtk_widget_get_sensitive (reset));
  g_object_set (f->config, "use-padding-value", TRUE, NULL);
  g_assert_true (gtk_widget_get_sensitive (padding));
  g_assert_true (gtk_widget_get_sensitive (reset));

  g_assert_true (gtk_widget_get_sensitive (get (f, "tiles-x")));
  g_object_set (f->config, "tile-size", 64, NULL);
  g_assert_false (gtk_widget_get_sensitive (get (f, "tiles-x")));
  g_assert_false (gtk_widget_get_sensitive (get (f, "tiles-y")));

  isolux_rows_set_usable (f->rows, "channels", FALSE, "A gray layer");
  g_assert_false (gtk_widget_get_sensitive (channels));
  g_assert_cmpstr (
    atk_object_get_description (gtk_widget_get_accessible (channels)), ==,
    "A gray layer");
  isolux_rows_set_usable (f->rows, "channels", TRUE, NULL);
  g_assert_true (gtk_widget_get_sensitive (channels));
  g_assert_cmpstr (
    atk_object_get_description (gtk_widget_get_accessible (channels)), !=,
    "A gray layer");
}

static void
test_chain (Fixture *f, gconstpointer data)
{
  GType            type = GIMP_TYPE_CHAIN_BUTTON;
  GtkSpinButton   *across = GTK_SPIN_BUTTON (get (f, "tiles-x"));
  GtkSpinButton   *down = GTK_SPIN_BUTTON (get (f, "tiles-y"));
  GimpChainButton *chain =
    GIMP_CHAIN_BUTTON (find (GTK_WIDGET (f->rows), is_type, &type));

  g_assert_true (gimp_chain_button_get_active (chain));
  gtk_spin_button_set_value (across, 12);
  g_assert_cmpint (get_int (f, "tiles-x"), ==, 12);
  g_assert_cmpint (get_int (f, "tiles-y"), ==, 12);
  gtk_spin_button_set_value (down, 5);
  g_assert_cmpint (get_int (f, "tiles-x"), ==, 5);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (across), ==, 5);
  settle ();
  g_assert_true (gimp_chain_button_get_active (chain));

  /* settings that are loaded stay as they are; two that differ open it */
  g_object_set (f->config, "tiles-x", 6, "tiles-y", 6, NULL);
  settle ();
  g_assert_true (gimp_chain_button_get_active (chain));
  g_object_set (f->config, "tiles-x", 4, "tiles-y", 9, NULL);
  g_assert_cmpint (get_int (f, "tiles-x"), ==, 4);
  g_assert_cmpint (get_int (f, "tiles-y"), ==, 9);
  settle ();
  g_assert_false (gimp_chain_button_get_active (chain));
  gtk_spin_button_set_value (across, 5);
  g_assert_cmpint (get_int (f, "tiles-y"), ==, 9);

  /* closed again: the same at once */
  gimp_chain_button_set_active (chain, TRUE);
  g_signal_emit_by_name (chain, "toggled");
  g_assert_cmpint (get_int (f, "tiles-y"), ==, 5);
  gtk_spin_button_set_value (down, 7);
  g_assert_cmpint (get_int (f, "tiles-x"), ==, 7);

  /* one reset does for both */
  gtk_button_clicked (GTK_BUTTON (get_reset (f, "tiles-y")));
  g_assert_cmpint (get_int (f, "tiles-x"), ==, 8);
  g_assert_cmpint (get_int (f, "tiles-y"), ==, 8);
  settle ();
  g_assert_true (gimp_chain_button_get_active (chain));
}

static void
wheel (GtkWidget *widget)
{
  GdkEvent *event = gdk_event_new (GDK_SCROLL);
  GdkSeat  *seat =
    gdk_display_get_default_seat (gtk_widget_get_display (widget));

  event->any.window = g_object_ref (gtk_widget_get_window (widget));
  event->any.send_event = TRUE;
  event->scroll.direction = GDK_SCROLL_DOWN;
  gdk_event_set_device (event, gdk_seat_get_pointer (seat));
  gtk_propagate_event (widget, event);
  gdk_event_free (event);
}

static void
test_wheel (Fixture *f, gconstpointer data)
{
  GtkAdjustment *column =
    gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (f->scrolled));
  GtkWidget *clip = get (f, "clip-limit");
  GtkWidget *bins = get (f, "bins");
  gdouble    start;
  gchar     *word;

  gtk_widget_grab_focus (get (f, "channels"));
  start = gtk_adjustment_get_value (column);
  wheel (clip);
  g_assert_cmpfloat (get_double (f, "clip-limit"), ==, 2.0);
  g_assert_cmpfloat (gtk_adjustment_get_value (column), >, start);
  start = gtk_adjustment_get_value (column);
  wheel (bins);
  g_object_get (f->config, "bins", &word, NULL);
  g_assert_cmpstr (word, ==, "auto");
  g_free (word);
  g_assert_cmpfloat (gtk_adjustment_get_value (column), >, start);

  /* with the focus in it, it turns */
  gtk_widget_grab_focus (clip);
  start = gtk_adjustment_get_value (column);
  wheel (clip);
  g_assert_cmpfloat (get_double (f, "clip-limit"), <, 2.0);
  g_assert_cmpfloat (gtk_adjustment_get_value (column), ==, start);
}

static void
test_notes (Fixture *f, gconstpointer data)
{
  GtkWidget *rows = GTK_WIDGET (f->rows);
  GtkWidget *note;
  GtkWidget *icon;
  GtkWidget *inserted = gtk_label_new ("inserted");
  gint       minimum;

  isolux_rows_set_note (f->rows, "bins", NULL, FALSE);
  isolux_rows_set_note (f->rows, "nothing", "text", FALSE);
  gtk_widget_show (inserted);
  isolux_rows_insert (f->rows, "bins", inserted);
  isolux_rows_set_note (f->rows, "bins", "Some words.", FALSE);
  note = find (rows, has_text, "Some words.");
  g_assert_nonnull (note);
  g_assert_true (is_shown (note));
  g_assert_true (gtk_style_context_has_class (
    gtk_widget_get_style_context (note), "isolux-dim"));

  /* the row, its note, what was inserted */
  wait_for (note);
  {
    gint note_y, row_y, inserted_y;

    gtk_widget_translate_coordinates (note, rows, 0, 0, NULL, &note_y);
    gtk_widget_translate_coordinates (get (f, "bins"), rows, 0, 0, NULL,
                                      &row_y);
    gtk_widget_translate_coordinates (inserted, rows, 0, 0, NULL, &inserted_y);
    g_assert_cmpint (row_y, <, note_y);
    g_assert_cmpint (note_y, <, inserted_y);
  }

  isolux_rows_set_note (f->rows, "bins",
                        "A warning that is long enough to need some lines, "
                        "which must not make the column any wider than it is.",
                        TRUE);
  g_assert_false (gtk_style_context_has_class (
    gtk_widget_get_style_context (note), "isolux-dim"));
  icon = ((GList *) gtk_container_get_children (
            GTK_CONTAINER (gtk_widget_get_parent (note))))
           ->data;
  g_assert_true (GTK_IS_IMAGE (icon));
  g_assert_true (gtk_widget_get_visible (icon));
  gtk_widget_get_preferred_width (rows, &minimum, NULL);
  g_assert_cmpint (minimum, <=, COLUMN);
  isolux_rows_set_note (f->rows, "bins", "Short again.", FALSE);
  g_assert_false (gtk_widget_get_visible (icon));
  isolux_rows_set_note (f->rows, "bins", "", FALSE);
  g_assert_false (is_shown (note));

  /* of a pair: below both, whichever is named */
  isolux_rows_set_note (f->rows, "tiles-x", "A tile is small.", FALSE);
  isolux_rows_set_note (f->rows, "tiles-y", "A tile is large.", FALSE);
  g_assert_null (find (rows, has_text, "A tile is small."));
  note = find (rows, has_text, "A tile is large.");
  g_assert_true (is_shown (note));
  wait_for (note);
  {
    gint note_y, row_y;

    gtk_widget_translate_coordinates (note, rows, 0, 0, NULL, &note_y);
    gtk_widget_translate_coordinates (get (f, "tiles-y"), rows, 0, 0, NULL,
                                      &row_y);
    g_assert_cmpint (row_y, <, note_y);
  }
}

static void
test_unit (Fixture *f, gconstpointer data)
{
  GimpSpinScale *center = GIMP_SPIN_SCALE (get (f, "center"));
  GimpSpinScale *width = GIMP_SPIN_SCALE (get (f, "width"));
  gchar         *label;
  gdouble        low, high, step;

  isolux_rows_set_unit (f->rows, "center", "HU", -1024.0, 3071.0);
  label = remove_mark (gimp_spin_scale_get_label (center));
  g_assert_true (g_str_has_suffix (label, " (HU)"));
  g_free (label);
  gimp_spin_scale_get_scale_limits (center, &low, &high);
  g_assert_cmpfloat (low, ==, -1024.0);
  g_assert_cmpfloat (high, ==, 3071.0);
  g_assert_cmpfloat (gimp_spin_scale_get_gamma (center), ==, 1.0);
  g_assert_cmpstr (
    atk_object_get_name (gtk_widget_get_accessible (GTK_WIDGET (center))), ==,
    "Level");

  /* no further than what is valid; an empty range changes none */
  isolux_rows_set_unit (f->rows, "width", "HU", -5.0, 1e12);
  gimp_spin_scale_get_scale_limits (width, &low, &high);
  g_assert_cmpfloat (low, ==, 1e-6);
  g_assert_cmpfloat (high, ==, 1e9);
  isolux_rows_set_unit (f->rows, "width", "", 5.0, 5.0);
  gimp_spin_scale_get_scale_limits (width, &low, &high);
  g_assert_cmpfloat (high, ==, 1e9);
  g_assert_null (strchr (gimp_spin_scale_get_label (width), '('));

  isolux_rows_set_digits (f->rows, "center", 0, 1.0);
  g_assert_cmpint (gtk_spin_button_get_digits (GTK_SPIN_BUTTON (center)), ==,
                   0);
  isolux_rows_set_digits (f->rows, "center", 3, 0.002);
  gtk_spin_button_get_increments (GTK_SPIN_BUTTON (center), &step, NULL);
  g_assert_cmpfloat (step, ==, 0.002);
  isolux_rows_set_digits (f->rows, "center", 2, 0.0);
  gtk_spin_button_get_increments (GTK_SPIN_BUTTON (center), &step, NULL);
  g_assert_cmpfloat (step, ==, 0.002);
}

static gchar *
get_active_text (GtkWidget *combo)
{
  GtkTreeIter iter;
  gchar      *text = NULL;

  if (gtk_combo_box_get_active_iter (GTK_COMBO_BOX (combo), &iter))
    gtk_tree_model_get (gtk_combo_box_get_model (GTK_COMBO_BOX (combo)), &iter,
                        1, &text, -1);
  return text;
}

static void
test_words (Fixture *f, gconstpointer data)
{
  GtkWidget *bins = get (f, "bins");
  gchar     *text;

  isolux_rows_set_word_label (f->rows, "bins", "auto", "Automatic (1,024)");
  isolux_rows_set_word_label (f->rows, "bins", "no such word", "x");
  isolux_rows_set_word_label (f->rows, "tiles-x", "auto", "x");
  text = get_active_text (bins);
  g_assert_cmpstr (text, ==, "Automatic (1,024)");
  g_free (text);
  isolux_rows_set_word_label (f->rows, "bins", "auto", NULL);
  text = get_active_text (bins);
  g_assert_cmpstr (text, ==, "Automatic");
  g_free (text);
}

static void
test_advanced (void)
{
  GType      type = GTK_TYPE_EXPANDER;
  GObject   *config = config_new ("isolux:clahe");
  GtkWidget *rows =
    g_object_ref_sink (isolux_rows_new_for (config, "isolux:clahe", NULL));
  GtkWidget *expander = find (rows, is_type, &type);
  GtkWidget *inside =
    isolux_rows_get_widget (ISOLUX_ROWS (rows), "compatibility");
  GtkWidget *outside = isolux_rows_get_widget (ISOLUX_ROWS (rows), "bins");

  g_assert_true (gtk_widget_get_visible (expander));
  g_assert_false (gtk_expander_get_expanded (GTK_EXPANDER (expander)));
  g_assert_true (gtk_widget_is_ancestor (inside, expander));
  g_assert_false (gtk_widget_is_ancestor (outside, expander));
  gtk_widget_destroy (rows);
  /* the config outlives them */
  g_object_set (config, "compatibility", "opencv", "clip-limit", 3.0, NULL);
  g_object_unref (rows);

  /* what is set in it is not out of sight */
  rows = g_object_ref_sink (isolux_rows_new_for (config, "isolux:clahe", NULL));
  expander = find (rows, is_type, &type);
  g_assert_true (gtk_expander_get_expanded (GTK_EXPANDER (expander)));
  gtk_widget_destroy (rows);
  g_object_unref (rows);
  g_object_unref (config);

  /* nothing in it: not there */
  config = config_new ("isolux:equalize");
  rows =
    g_object_ref_sink (isolux_rows_new_for (config, "isolux:equalize", NULL));
  expander = find (rows, is_type, &type);
  g_assert_false (gtk_widget_get_visible (expander));
  gtk_widget_destroy (rows);
  g_object_unref (rows);
  g_object_unref (config);
}

/* ---- Widgets of single operations ---- */

static void
assert_has_text (GtkWidget *top, const gchar *text)
{
  if (! find (top, has_text, text))
    g_error ("there is no label \"%s\"", text);
}

static void
test_clip_units (void)
{
  GtkWidget *units = g_object_ref_sink (isolux_clip_units_new ());

  /* the cells of the design: 8.0 with 1,024 bins in tiles of 86 x 49 */
  isolux_clip_units_set (units, 8.0, 1024, 86 * 49);
  assert_has_text (units, "OpenCV");
  assert_has_text (units, "8.0");
  assert_has_text (units, "0.0078");
  assert_has_text (units, "32.9");
  isolux_clip_units_set (units, 8.0, 1024, 1562551);
  assert_has_text (units, "12207"); /* the C locale has no separator */
  isolux_clip_units_set (units, 0.0, 1024, 4214);
  assert_has_text (units, "no limit");
  g_assert_null (find (units, has_text, "8.0"));
  isolux_clip_units_set (units, 0.25, 256, 4214);
  assert_has_text (units, "0.25");
  gtk_widget_destroy (units);
  g_object_unref (units);
}

static gint
get_pressed (GtkWidget *tissues)
{
  gint pressed = 0;

  for (gint i = 0; i < 6; i++)
    {
      GtkWidget *button =
        gtk_grid_get_child_at (GTK_GRID (tissues), i % 3, i / 3);

      if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)))
        {
          g_assert_cmpint (pressed, ==, 0);
          pressed = i + 1;
        }
    }
  return pressed;
}

static void
test_tissues (Fixture *f, gconstpointer data)
{
  GtkWidget *tissues = isolux_tissues_new_for (f->config);
  GtkWidget *lung = gtk_grid_get_child_at (GTK_GRID (tissues), 2, 0);
  GtkWidget *full = gtk_grid_get_child_at (GTK_GRID (tissues), 2, 1);
  gchar     *mode;

  isolux_rows_insert (f->rows, "mode", tissues);
  g_assert_cmpint (get_pressed (tissues), ==, 0);
  g_assert_false (gtk_widget_get_sensitive (full));
  g_assert_false (isolux_tissues_press (tissues, 6));
  g_assert_false (isolux_tissues_press (tissues, 0));
  g_assert_false (isolux_tissues_press (tissues, 7));

  gtk_button_clicked (GTK_BUTTON (lung));
  g_object_get (f->config, "mode", &mode, NULL);
  g_assert_cmpstr (mode, ==, "window");
  g_free (mode);
  g_assert_cmpfloat (get_double (f, "width"), ==, 1500.0);
  g_assert_cmpfloat (get_double (f, "center"), ==, -600.0);
  g_assert_cmpint (get_pressed (tissues), ==, 3);
  /* once more: still pressed */
  gtk_button_clicked (GTK_BUTTON (lung));
  g_assert_cmpint (get_pressed (tissues), ==, 3);
  g_assert_cmpstr (atk_object_get_name (gtk_widget_get_accessible (lung)), ==,
                   "Lung, W 1500 · L \u2212600");

  g_object_set (f->config, "center", -601.0, NULL);
  g_assert_cmpint (get_pressed (tissues), ==, 0);
  g_object_set (f->config, "width", 400.0, "center", 40.0, NULL);
  g_assert_cmpint (get_pressed (tissues), ==, 2);
  g_object_set (f->config, "mode", "range", NULL);
  g_assert_cmpint (get_pressed (tissues), ==, 0);
  g_assert_true (isolux_tissues_press (tissues, 5));
  g_assert_cmpint (get_pressed (tissues), ==, 5);
  g_assert_cmpfloat (get_double (f, "center"), ==, 80.0);

  isolux_tissues_set_range (tissues, -1024.0, 1186.0);
  g_assert_true (gtk_widget_get_sensitive (full));
  assert_has_text (full, "W 2210 · L 81");
  g_assert_true (isolux_tissues_press (tissues, 6));
  g_assert_cmpfloat (get_double (f, "width"), ==, 2210.0);
  g_assert_cmpfloat (get_double (f, "center"), ==, 81.0);
  g_assert_cmpint (get_pressed (tissues), ==, 6);

  gtk_widget_destroy (tissues);
  g_object_set (f->config, "center", 12.0, NULL);
}

int
main (int argc, char **argv)
{
  const gchar *locale = g_getenv ("ISOLUX_LOCALE");

  gtk_test_init (&argc, &argv, NULL);
  if (locale)
    {
      if (! setlocale (LC_ALL, locale))
        {
          g_print ("1..0 # SKIP there is no locale %s\n", locale);
          return 0;
        }
      bindtextdomain (GETTEXT_PACKAGE, ISOLUX_PO);
      bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
      g_test_add_func ("/rows/mnemonics", test_mnemonics);
      return g_test_run ();
    }

#define ADD(path, operation, func) \
  g_test_add ("/rows/" path, Fixture, operation, set_up, func, tear_down)

  g_test_add_func ("/rows/expressions", test_expressions);
  g_test_add_func ("/rows/all-expressions", test_all_expressions);
  g_test_add_func ("/rows/all", test_all);
  g_test_add_func ("/rows/mnemonics", test_mnemonics);
  g_test_add_func ("/rows/taken", test_taken);
  ADD ("binding", "isolux:clahe", test_binding);
  ADD ("reset", "isolux:clahe", test_reset);
  ADD ("conditions", "isolux:window", test_conditions);
  ADD ("sensitive", "isolux:clahe", test_sensitive);
  ADD ("chain", "isolux:clahe", test_chain);
  ADD ("wheel", "isolux:clahe", test_wheel);
  ADD ("notes", "isolux:clahe", test_notes);
  ADD ("unit", "isolux:window", test_unit);
  ADD ("words", "isolux:clahe", test_words);
  g_test_add_func ("/rows/advanced", test_advanced);
  g_test_add_func ("/rows/clip-units", test_clip_units);
  ADD ("tissues", "isolux:window", test_tissues);
  return g_test_run ();
}
