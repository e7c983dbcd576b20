/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * presets.c: named settings of a procedure.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "parameters.h"
#include "presets.h"

/* How many of those used last are kept */
#define LAST_MOST 5

/* Names longer than this, in bytes, are no names */
#define NAME_MOST 200

/* The group that tells about the file, and its key */
#define HEAD "Isolux"
#define HEAD_PROCEDURE "Procedure"

/* The keys of a preset that are no settings */
#define KEY_NAME "Name"
#define KEY_UNIT "Unit"
#define KEY_MODALITY "Modality"
#define KEY_TIME "Time"

/* A parameter's value: of a choice the word's place */
typedef gdouble Setting;

typedef struct
{
  IsoluxPreset shown;
  gchar       *id;
  gchar       *name;
  gchar       *name_plain; /* not translated */
  gchar       *summary;
  gchar       *unit;
  gchar       *modality;
  gint64       time;
  Setting     *settings; /* one a parameter */
} Item;

struct _IsoluxPresets
{
  gchar                 *procedure;
  gchar                 *operation;
  const IsoluxParameter *parameters;
  gint                   n_parameters;
  gchar                 *shipped; /* files; nullable */
  gchar                 *user;
  gchar                 *last;
  GPtrArray             *items;
  GPtrArray             *list; /* of the items' shown, NULL at the end */
  GString               *problem;
};

static void
item_free (gpointer item_)
{
  Item *item = item_;

  g_free (item->id);
  g_free (item->name);
  g_free (item->name_plain);
  g_free (item->summary);
  g_free (item->unit);
  g_free (item->modality);
  g_free (item->settings);
  g_free (item);
}

/* ---- Settings ----------------------------------------------------- */

static Setting
find_word (const IsoluxParameter *parameter, const gchar *text)
{
  gint place = 0;

  for (const IsoluxWord *word = parameter->words; word->word; word++, place++)
    if (! g_strcmp0 (word->word, text))
      return place;
  return -1.0;
}

static Setting
get_default (const IsoluxParameter *parameter)
{
  return parameter->type == ISOLUX_PARAMETER_CHOICE
           ? find_word (parameter, parameter->word)
           : parameter->value;
}

static gboolean
are_same (Setting a, Setting b)
{
  return fabs (a - b) <= 1e-9 * (1.0 + fabs (a));
}

static gboolean
parse_boolean (const gchar *text, Setting *setting)
{
  const gboolean yes = ! strcmp (text, "true") || ! strcmp (text, "1");

  *setting = yes;
  return yes || ! strcmp (text, "false") || ! strcmp (text, "0");
}

/* FALSE and @error: it is none of the parameter's values */
static gboolean
parse_setting (const IsoluxParameter *parameter,
               const gchar           *text,
               Setting               *setting,
               GError               **error)
{
  gchar *end;

  switch (parameter->type)
    {
      case ISOLUX_PARAMETER_CHOICE:
        *setting = find_word (parameter, text);
        if (*setting >= 0.0)
          return TRUE;
        g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                     _("\"%s\" is no choice of \"%s\""), text,
                     parameter->name);
        return FALSE;

      case ISOLUX_PARAMETER_BOOLEAN:
        if (parse_boolean (text, setting))
          return TRUE;
        g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                     _("\"%s\" is \"true\" or \"false\", not \"%s\""),
                     parameter->name, text);
        return FALSE;

      default:
        break;
    }

  *setting = g_ascii_strtod (text, &end);
  if (end == text || *end || ! isfinite (*setting) ||
      (parameter->type == ISOLUX_PARAMETER_INT && *setting != rint (*setting)))
    {
      g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                   _("\"%s\" is no number for \"%s\" (decimals follow a "
                     "point, "
                     "not a comma)"),
                   text, parameter->name);
      return FALSE;
    }
  if (*setting < parameter->minimum || *setting > parameter->maximum)
    {
      g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                   _("%s is beyond the range of \"%s\", %g to %g"), text,
                   parameter->name, parameter->minimum, parameter->maximum);
      return FALSE;
    }
  return TRUE;
}

/* The text of a setting; to be freed */
static gchar *
write_setting (const IsoluxParameter *parameter, Setting setting)
{
  gchar form[8], text[G_ASCII_DTOSTR_BUF_SIZE];

  if (parameter->type == ISOLUX_PARAMETER_CHOICE)
    return g_strdup (parameter->words[(gint) setting].word);
  if (parameter->type == ISOLUX_PARAMETER_BOOLEAN)
    return g_strdup (setting != 0.0 ? "true" : "false");

  for (gint n = 1; n <= 17; n++)
    {
      g_snprintf (form, sizeof form, "%%.%dg", n);
      g_ascii_formatd (text, sizeof text, form, setting);
      if (g_ascii_strtod (text, NULL) == setting)
        break;
    }
  return g_strdup (text);
}

/* ---- Settings of objects ------------------------------------------ */

static GParamSpec *
find_property (GObject *config, const IsoluxParameter *parameter)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (config),
                                       parameter->name);
}

/* FALSE: the object has no such property */
static gboolean
get_property (GObject               *config,
              const IsoluxParameter *parameter,
              Setting               *setting)
{
  GParamSpec *spec = find_property (config, parameter);
  GValue      value = G_VALUE_INIT, number = G_VALUE_INIT;
  gboolean    good = spec != NULL;

  if (! spec)
    return FALSE;
  g_value_init (&value, spec->value_type);
  g_object_get_property (config, parameter->name, &value);

  if (G_IS_PARAM_SPEC_ENUM (spec))
    {
      const GEnumValue *choice =
        g_enum_get_value (G_PARAM_SPEC_ENUM (spec)->enum_class,
                          g_value_get_enum (&value));

      *setting = find_word (parameter, choice ? choice->value_nick : NULL);
    }
  else if (parameter->type == ISOLUX_PARAMETER_CHOICE)
    *setting = find_word (parameter, g_value_get_string (&value));
  else if (parameter->type == ISOLUX_PARAMETER_BOOLEAN)
    *setting = g_value_get_boolean (&value);
  else
    {
      g_value_init (&number, G_TYPE_DOUBLE);
      good = g_value_transform (&value, &number);
      *setting = g_value_get_double (&number);
      g_value_unset (&number);
    }
  g_value_unset (&value);
  return good;
}

static void
set_enum (GObject *config, GParamSpec *spec, const gchar *word)
{
  const GEnumValue *choice =
    g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (spec)->enum_class, word);

  if (choice)
    g_object_set (config, spec->name, choice->value, NULL);
}

static void
set_property (GObject               *config,
              const IsoluxParameter *parameter,
              Setting                setting)
{
  GParamSpec *spec = find_property (config, parameter);

  if (! spec)
    return;
  switch (parameter->type)
    {
      case ISOLUX_PARAMETER_CHOICE:
        if (G_IS_PARAM_SPEC_ENUM (spec))
          set_enum (config, spec, parameter->words[(gint) setting].word);
        else
          g_object_set (config, spec->name,
                        parameter->words[(gint) setting].word, NULL);
        break;
      case ISOLUX_PARAMETER_BOOLEAN:
        g_object_set (config, spec->name, setting != 0.0, NULL);
        break;
      case ISOLUX_PARAMETER_INT:
        g_object_set (config, spec->name, (gint) setting, NULL);
        break;
      case ISOLUX_PARAMETER_DOUBLE:
        g_object_set (config, spec->name, setting, NULL);
        break;
    }
}

/* All settings; the default where there is no such property, or a word that
 * is none */
static Setting *
get_settings (IsoluxPresets *self, GObject *config)
{
  Setting *settings = g_new (Setting, self->n_parameters);

  for (gint i = 0; i < self->n_parameters; i++)
    if (! get_property (config, self->parameters + i, settings + i) ||
        settings[i] < self->parameters[i].minimum ||
        (self->parameters[i].type == ISOLUX_PARAMETER_CHOICE &&
         settings[i] < 0.0))
      settings[i] = get_default (self->parameters + i);
  return settings;
}

static Setting
get_setting (IsoluxPresets *self, const Setting *settings, const gchar *name)
{
  for (gint i = 0; i < self->n_parameters; i++)
    if (! strcmp (self->parameters[i].name, name))
      return settings[i];
  return 0.0;
}

static const gchar *
get_word (IsoluxPresets *self, const Setting *settings, const gchar *name)
{
  for (gint i = 0; i < self->n_parameters; i++)
    if (! strcmp (self->parameters[i].name, name))
      return self->parameters[i].words[(gint) settings[i]].word;
  return "";
}

/* Whether any number among them is in the image's unit */
static gboolean
have_unit (IsoluxPresets *self, const Setting *settings)
{
  if (! strcmp (self->operation, "isolux:window"))
    return ! strcmp (get_word (self, settings, "mode"), "window");
  return get_setting (self, settings, "use-padding-value") != 0.0;
}

/* ---- Summaries ---------------------------------------------------- */

/* A number as people of the user's language read it, with the minus sign that
 * is one */
static gchar *
format (gdouble number)
{
  gchar *text = g_strdup_printf ("%.6g", fabs (number));
  gchar *whole;

  if (fabs (number) < 1e6 && number == rint (number))
    {
      g_free (text);
      text = g_strdup_printf ("%'.0f", fabs (number));
    }
  if (number >= 0.0)
    return text;
  whole = g_strconcat ("\342\210\222", text, NULL);
  g_free (text);
  return whole;
}

static gchar *
summarize_clahe (IsoluxPresets *self, const Setting *settings)
{
  const gchar *bins = get_word (self, settings, "bins");
  gchar       *clip = format (get_setting (self, settings, "clip-limit"));
  const gint   size = (gint) get_setting (self, settings, "tile-size");
  gchar       *text, *count, *all;

  if (size > 0)
    text = g_strdup_printf (_("clip %s · tiles of %d pixels"), clip, size);
  else
    text = g_strdup_printf (_("clip %s · %d × %d"), clip,
                            (gint) get_setting (self, settings, "tiles-x"),
                            (gint) get_setting (self, settings, "tiles-y"));
  g_free (clip);
  if (! strcmp (bins, "auto"))
    return text;
  count = format (g_ascii_strtod (bins, NULL));
  all = g_strdup_printf (_("%s · %s bins"), text, count);
  g_free (count);
  g_free (text);
  return all;
}

static gchar *
summarize_window (IsoluxPresets *self, const Setting *settings)
{
  const gchar   *mode = get_word (self, settings, "mode");
  const gboolean window = ! strcmp (mode, "window");
  gchar         *a, *b, *text;

  if (! strcmp (mode, "range"))
    return g_strdup (_("least to largest value"));

  a =
    format (get_setting (self, settings, window ? "width" : "low-percentile"));
  b = format (get_setting (self, settings,
                           window ? "center" : "high-percentile"));
  /* translators: the width and level (center) of a window */
  text = window ? g_strdup_printf (_("W %s · L %s"), a, b)
                : g_strdup_printf (_("%s–%s %%"), a, b);
  g_free (a);
  g_free (b);
  return text;
}

/* Of other operations: what differs from the defaults */
static gchar *
summarize_any (IsoluxPresets *self, const Setting *settings)
{
  GString *text = g_string_new (NULL);

  for (gint i = 0; i < self->n_parameters; i++)
    {
      const IsoluxParameter *p = self->parameters + i;
      gchar                 *number;

      if (are_same (settings[i], get_default (p)))
        continue;
      if (text->len > 0)
        g_string_append (text, " · ");
      switch (p->type)
        {
          case ISOLUX_PARAMETER_CHOICE:
            g_string_append (text, _ (p->words[(gint) settings[i]].label));
            break;
          case ISOLUX_PARAMETER_BOOLEAN:
            g_string_append_printf (text,
                                    settings[i] != 0.0 ? "%s" : _("no %s"),
                                    _ (p->nick));
            break;
          default:
            number = format (settings[i]);
            g_string_append_printf (text, "%s %s", _ (p->nick), number);
            g_free (number);
            break;
        }
    }
  if (text->len == 0)
    g_string_append (text, _("all as at first"));
  return g_string_free (text, FALSE);
}

static gchar *
summarize (IsoluxPresets *self, const Setting *settings)
{
  if (! strcmp (self->operation, "isolux:clahe"))
    return summarize_clahe (self, settings);
  if (! strcmp (self->operation, "isolux:window"))
    return summarize_window (self, settings);
  return summarize_any (self, settings);
}

/* ---- Reading ------------------------------------------------------ */

static void
add_problem (IsoluxPresets *self, const gchar *path, const gchar *text)
{
  gchar *name = g_filename_display_name (path);

  if (self->problem->len > 0)
    g_string_append_c (self->problem, '\n');
  g_string_append_printf (self->problem, "%s: %s", name, text);
  g_free (name);
}

/* The text of a key, without the spaces around it; NULL when there is none */
static gchar *
get_text (GKeyFile *file, const gchar *group, const gchar *key)
{
  gchar *text = g_key_file_get_string (file, group, key, NULL);

  return text ? g_strstrip (text) : NULL;
}

/* "30 November, 11:20" */
static gchar *
format_time (gint64 seconds)
{
  GDateTime *time = g_date_time_new_from_unix_local (seconds);
  gchar     *text = NULL;

  if (time)
    /* xgettext:no-c-format */
    text = g_date_time_format (time, _("%-d %B, %H:%M"));
  g_clear_pointer (&time, g_date_time_unref);
  return text ? text : g_strdup ("");
}

static gboolean
read_key (IsoluxPresets *self,
          GKeyFile      *file,
          const gchar   *key,
          Item          *item,
          GError       **error)
{
  gchar   *text = NULL;
  gint     i = 0;
  gboolean good;

  if (! strcmp (key, KEY_NAME) || ! strcmp (key, KEY_UNIT) ||
      ! strcmp (key, KEY_MODALITY) || ! strcmp (key, KEY_TIME))
    return TRUE;

  while (i < self->n_parameters && strcmp (key, self->parameters[i].name))
    i++;
  if (i == self->n_parameters)
    {
      g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND,
                   _("there is no setting \"%s\""), key);
      return FALSE;
    }
  text = g_key_file_get_string (file, item->id, key, error);
  if (! text)
    return FALSE;
  good = parse_setting (self->parameters + i, g_strstrip (text),
                        item->settings + i, error);
  g_free (text);
  return good;
}

/* What is told of a preset beside its settings */
static void
read_words (GKeyFile *file, Item *item, IsoluxPresetKind kind)
{
  item->name_plain = get_text (file, item->id, KEY_NAME);
  if (! item->name_plain || ! *item->name_plain)
    {
      g_free (item->name_plain);
      item->name_plain = g_strdup (item->id);
    }
  item->unit = get_text (file, item->id, KEY_UNIT);
  item->modality = get_text (file, item->id, KEY_MODALITY);
  item->time = g_key_file_get_int64 (file, item->id, KEY_TIME, NULL);

  if (kind == ISOLUX_PRESET_SHIPPED)
    item->name = g_strdup (_ (item->name_plain));
  else if (kind == ISOLUX_PRESET_LAST)
    item->name = format_time (item->time);
  else
    item->name = g_strdup (item->name_plain);
}

static void
show_item (IsoluxPresets *self, Item *item, IsoluxPresetKind kind)
{
  g_free (item->summary);
  item->summary = summarize (self, item->settings);
  item->shown.kind = kind;
  item->shown.id = item->id;
  item->shown.name = item->name;
  item->shown.summary = item->summary;
  item->shown.unit = item->unit ? item->unit : "";
  item->shown.modality = item->modality ? item->modality : "";
}

/* A group of a file; NULL and @error when it is damaged */
static Item *
read_item (IsoluxPresets   *self,
           GKeyFile        *file,
           const gchar     *group,
           IsoluxPresetKind kind,
           GError         **error)
{
  gchar  **keys = g_key_file_get_keys (file, group, NULL, error);
  Item    *item;
  gboolean good = keys != NULL;

  if (keys && ! g_utf8_validate (group, -1, NULL))
    {
      g_set_error_literal (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE,
                           _("its name is no UTF-8"));
      g_clear_pointer (&keys, g_strfreev);
    }
  if (! keys)
    return NULL;
  item = g_new0 (Item, 1);
  item->id = g_strdup (group);
  item->settings = g_new (Setting, self->n_parameters);
  for (gint i = 0; i < self->n_parameters; i++)
    item->settings[i] = get_default (self->parameters + i);
  for (gint i = 0; keys[i] && good; i++)
    good = read_key (self, file, keys[i], item, error);
  g_strfreev (keys);

  if (! good)
    {
      item_free (item);
      return NULL;
    }
  read_words (file, item, kind);
  show_item (self, item, kind);
  return item;
}

/*
 * A file as it is.  FALSE and @error when it cannot be read or is another
 * procedure's; one that is not there is empty, and no error.
 */
static gboolean
load_file (IsoluxPresets *self,
           const gchar   *path,
           GKeyFile      *file,
           GError       **error)
{
  GError *broken = NULL;
  gchar  *procedure;

  if (! g_key_file_load_from_file (file, path,
                                   G_KEY_FILE_KEEP_COMMENTS |
                                     G_KEY_FILE_KEEP_TRANSLATIONS,
                                   &broken))
    {
      if (g_error_matches (broken, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        {
          g_error_free (broken);
          return TRUE;
        }
      g_propagate_error (error, broken);
      return FALSE;
    }

  procedure = get_text (file, HEAD, HEAD_PROCEDURE);
  if (procedure && strcmp (procedure, self->procedure))
    {
      g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                   _("the presets in it are those of %s"), procedure);
      g_free (procedure);
      return FALSE;
    }
  g_free (procedure);
  return TRUE;
}

static void
read_file (IsoluxPresets *self, const gchar *path, IsoluxPresetKind kind)
{
  GKeyFile *file = g_key_file_new ();
  GError   *error = NULL;
  gchar   **groups;

  if (! path)
    {
      g_key_file_unref (file);
      return;
    }
  if (! load_file (self, path, file, &error))
    {
      gchar *text =
        g_strdup_printf (_("These presets cannot be read (%s). The file stays "
                           "as it is: repair it in a text editor, or move it "
                           "away."),
                         error->message);

      add_problem (self, path, text);
      g_free (text);
      g_error_free (error);
      g_key_file_unref (file);
      return;
    }

  groups = g_key_file_get_groups (file, NULL);
  for (gint i = 0; groups[i]; i++)
    {
      Item *item;

      if (! strcmp (groups[i], HEAD))
        continue;
      item = read_item (self, file, groups[i], kind, &error);
      if (item)
        g_ptr_array_add (self->items, item);
      else
        {
          gchar *group = g_utf8_make_valid (groups[i], -1);
          gchar *text = g_strdup_printf (_("The preset \"%s\" cannot be used: "
                                           "%s."),
                                         group, error->message);

          add_problem (self, path, text);
          g_free (text);
          g_free (group);
          g_clear_error (&error);
        }
    }
  g_strfreev (groups);
  g_key_file_unref (file);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const Item *first = *(Item *const *) a, *second = *(Item *const *) b;
  const gint  kinds = (gint) first->shown.kind - (gint) second->shown.kind;

  if (kinds || first->shown.kind != ISOLUX_PRESET_LAST)
    return kinds;
  return (first->time < second->time) - (first->time > second->time);
}

void
isolux_presets_reload (IsoluxPresets *self)
{
  g_ptr_array_set_size (self->items, 0);
  g_ptr_array_set_size (self->list, 0);
  g_string_truncate (self->problem, 0);
  read_file (self, self->shipped, ISOLUX_PRESET_SHIPPED);
  read_file (self, self->user, ISOLUX_PRESET_USER);
  read_file (self, self->last, ISOLUX_PRESET_LAST);
  /* a stable sort: the order of the files stays */
  g_ptr_array_sort (self->items, compare_times);

  for (guint i = 0; i < self->items->len; i++)
    g_ptr_array_add (self->list, &((Item *) self->items->pdata[i])->shown);
  g_ptr_array_add (self->list, NULL);
}

/* ---- Life --------------------------------------------------------- */

static gchar *
file_in (const gchar *folder, const gchar *procedure, const gchar *ending)
{
  gchar *name, *path;

  if (! folder)
    return NULL;
  name = g_strconcat (procedure, ending, NULL);
  path = g_build_filename (folder, name, NULL);
  g_free (name);
  return path;
}

IsoluxPresets *
isolux_presets_new_in (const gchar *procedure,
                       const gchar *operation,
                       const gchar *shipped,
                       const gchar *user)
{
  IsoluxPresets *self = g_new0 (IsoluxPresets, 1);

  self->procedure = g_strdup (procedure);
  self->operation = g_strdup (operation);
  self->parameters = isolux_parameters (operation);
  while (self->parameters && self->parameters[self->n_parameters].name)
    self->n_parameters++;
  self->shipped = file_in (shipped, procedure, ".ini");
  self->user = file_in (user, procedure, ".ini");
  self->last = file_in (user, procedure, ".last.ini");
  self->items = g_ptr_array_new_with_free_func (item_free);
  self->list = g_ptr_array_new ();
  self->problem = g_string_new (NULL);
  isolux_presets_reload (self);
  return self;
}

/* The presets lie, or a link to them, beside the plug-in's program */
IsoluxPresets *
isolux_presets_new (const gchar *procedure, const gchar *operation)
{
  gchar *folder = g_path_get_dirname (gimp_get_progname ());
  gchar *shipped = g_build_filename (folder, "presets", NULL);
  gchar *user = g_build_filename (gimp_directory (), "isolux", "presets", NULL);
  IsoluxPresets *self =
    isolux_presets_new_in (procedure, operation, shipped, user);

  g_free (user);
  g_free (shipped);
  g_free (folder);
  return self;
}

void
isolux_presets_free (IsoluxPresets *self)
{
  if (! self)
    return;
  g_string_free (self->problem, TRUE);
  g_ptr_array_unref (self->list);
  g_ptr_array_unref (self->items);
  g_free (self->last);
  g_free (self->user);
  g_free (self->shipped);
  g_free (self->operation);
  g_free (self->procedure);
  g_free (self);
}

/* ---- Looking ------------------------------------------------------ */

const IsoluxPreset *const *
isolux_presets_list (IsoluxPresets *self)
{
  return (const IsoluxPreset *const *) self->list->pdata;
}

const gchar *
isolux_presets_get_problem (IsoluxPresets *self)
{
  return self->problem->len > 0 ? self->problem->str : NULL;
}

gboolean
isolux_preset_fits (const IsoluxPreset *preset, const IsoluxRealValues *values)
{
  return ! *preset->unit || (values && ! strcmp (preset->unit, values->unit));
}

/* The item of a preset that was handed out */
static Item *
item_of (IsoluxPresets *self, const IsoluxPreset *preset)
{
  for (guint i = 0; i < self->items->len; i++)
    if (&((Item *) self->items->pdata[i])->shown == preset)
      return self->items->pdata[i];
  return NULL;
}

static Item *
find_user (IsoluxPresets *self, const gchar *name)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = self->items->pdata[i];

      if (item->shown.kind == ISOLUX_PRESET_USER && ! strcmp (item->name, name))
        return item;
    }
  return NULL;
}

/* Which is meant: 0 by its id, 1 its name, 2 its name in English */
static gboolean
is_called (const Item *item, const gchar *text, gint way)
{
  return ! strcmp (way == 0   ? item->id
                   : way == 1 ? item->name
                              : item->name_plain,
                   text);
}

const IsoluxPreset *
isolux_presets_get (IsoluxPresets *self, const gchar *id)
{
  static const IsoluxPresetKind kinds[] = { ISOLUX_PRESET_USER,
                                            ISOLUX_PRESET_SHIPPED };

  for (gsize k = 0; id && k < G_N_ELEMENTS (kinds); k++)
    for (gint way = 0; way < 3; way++)
      for (guint i = 0; i < self->items->len; i++)
        {
          const Item *item = self->items->pdata[i];

          if (item->shown.kind == kinds[k] && is_called (item, id, way))
            return &item->shown;
        }
  return NULL;
}

const IsoluxPreset *
isolux_presets_demand (IsoluxPresets *self,
                       const gchar   *id,
                       const gchar   *word,
                       GError       **error)
{
  const IsoluxPreset        *preset = isolux_presets_get (self, id);
  const IsoluxPreset *const *list = isolux_presets_list (self);
  GString                   *names;

  if (preset)
    return preset;
  names = g_string_new (NULL);
  for (; *list; list++)
    if ((*list)->kind != ISOLUX_PRESET_LAST)
      g_string_append_printf (names, ", \"%s\"", (*list)->id);
  g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
               _("There is no window preset \"%s\". There are: \"%s\"%s."), id,
               word, names->str);
  g_string_free (names, TRUE);
  return NULL;
}

void
isolux_presets_apply (IsoluxPresets      *self,
                      const IsoluxPreset *preset,
                      GObject            *config)
{
  const Item *item = item_of (self, preset);

  g_return_if_fail (item != NULL);
  g_object_freeze_notify (config);
  for (gint i = 0; i < self->n_parameters; i++)
    set_property (config, self->parameters + i, item->settings[i]);
  g_object_thaw_notify (config);
}

static gboolean
matches (IsoluxPresets *self, const Item *item, const Setting *settings)
{
  for (gint i = 0; i < self->n_parameters; i++)
    if (! are_same (item->settings[i], settings[i]))
      return FALSE;
  return TRUE;
}

const IsoluxPreset *
isolux_presets_find (IsoluxPresets          *self,
                     GObject                *config,
                     const IsoluxRealValues *values)
{
  Setting            *settings = get_settings (self, config);
  const IsoluxPreset *found = NULL;

  for (guint i = 0; i < self->items->len && ! found; i++)
    {
      const Item *item = self->items->pdata[i];

      if (item->shown.kind != ISOLUX_PRESET_LAST &&
          isolux_preset_fits (&item->shown, values) &&
          matches (self, item, settings))
        found = &item->shown;
    }
  g_free (settings);
  return found;
}

/* ---- Writing ------------------------------------------------------ */

/* A file that may be changed and written again */
static GKeyFile *
open_file (IsoluxPresets *self, const gchar *path, GError **error)
{
  GKeyFile *file = g_key_file_new ();
  GError   *broken = NULL;
  gchar    *name;

  if (load_file (self, path, file, &broken))
    {
      if (! g_key_file_has_group (file, HEAD))
        g_key_file_set_string (file, HEAD, HEAD_PROCEDURE, self->procedure);
      return file;
    }

  name = g_filename_display_name (path);
  g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE,
               _("The presets in \"%s\" cannot be read (%s), so nothing is "
                 "written over them. Repair the file in a text editor, or "
                 "move it away, and try again."),
               name, broken->message);
  g_free (name);
  g_error_free (broken);
  g_key_file_unref (file);
  return NULL;
}

/* The old file stays when this fails */
static gboolean
write_file (GKeyFile *file, const gchar *path, GError **error)
{
  gchar   *folder = g_path_get_dirname (path);
  gchar   *text;
  gsize    size;
  gboolean success;

  /* what is wrong with the folder is told when the file is written */
  (void) g_mkdir_with_parents (folder, 0755);
  g_free (folder);
  text = g_key_file_to_data (file, &size, NULL);
  success = g_file_set_contents_full (path, text, (gssize) size,
                                      G_FILE_SET_CONTENTS_CONSISTENT, 0644,
                                      error);
  g_free (text);
  if (! success)
    g_prefix_error (error, _("The presets cannot be written: "));
  return success;
}

static void
put_settings (IsoluxPresets *self,
              GKeyFile      *file,
              const gchar   *group,
              const Setting *settings)
{
  for (gint i = 0; i < self->n_parameters; i++)
    {
      gchar *text = write_setting (self->parameters + i, settings[i]);

      g_key_file_set_string (file, group, self->parameters[i].name, text);
      g_free (text);
    }
}

static void
put_text (GKeyFile    *file,
          const gchar *group,
          const gchar *key,
          const gchar *text)
{
  if (text && *text)
    g_key_file_set_string (file, group, key, text);
  else
    g_key_file_remove_key (file, group, key, NULL);
}

static void
put_item (IsoluxPresets *self,
          GKeyFile      *file,
          const gchar   *group,
          const Item    *item)
{
  put_text (file, group, KEY_NAME, item->name);
  put_text (file, group, KEY_UNIT, item->unit);
  put_text (file, group, KEY_MODALITY, item->modality);
  put_settings (self, file, group, item->settings);
}

/* The unit that is to be kept with the settings; "" for none */
static const gchar *
unit_of (IsoluxPresets          *self,
         const Setting          *settings,
         const IsoluxRealValues *values)
{
  return values && have_unit (self, settings) ? values->unit : "";
}

/* A group's name for a preset, which no other has */
static gchar *
new_group (GKeyFile *file, const gchar *name)
{
  gchar *group = g_strdup (name), *start = group;
  gchar *unique;

  for (; *start; start++)
    if (*start == '[' || *start == ']' || g_ascii_iscntrl (*start))
      *start = '_';

  unique = g_strdup (group);
  for (gint i = 2; g_key_file_has_group (file, unique) ||
                   ! g_ascii_strcasecmp (unique, HEAD);
       i++)
    {
      g_free (unique);
      unique = g_strdup_printf ("%s %d", group, i);
    }
  g_free (group);
  return unique;
}

/* Stripped, and fit to be one; to be freed */
static gchar *
check_name (const gchar *name, GError **error)
{
  gchar *text = g_strstrip (g_strdup (name ? name : ""));

  if (! g_utf8_validate (text, -1, NULL) || ! *text ||
      strlen (text) > NAME_MOST || strpbrk (text, "\r\n"))
    {
      g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                   _("A preset needs a name of one line, of at most %d "
                     "letters."),
                   NAME_MOST);
      g_clear_pointer (&text, g_free);
    }
  return text;
}

static gboolean
check_free (IsoluxPresets *self, const gchar *name, GError **error)
{
  if (! find_user (self, name))
    return TRUE;
  g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
               _("There is a preset \"%s\" already. Choose another name, or "
                 "save over it."),
               name);
  return FALSE;
}

static gboolean
check_user (const Item *item, GError **error)
{
  if (item && item->shown.kind == ISOLUX_PRESET_USER)
    return TRUE;
  g_set_error_literal (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                       _("Only presets of your own can be changed."));
  return FALSE;
}

gboolean
isolux_presets_save (IsoluxPresets          *self,
                     const gchar            *name,
                     GObject                *config,
                     const IsoluxRealValues *values,
                     gboolean                replace,
                     GError                **error)
{
  gchar    *text = check_name (name, error);
  GKeyFile *file = NULL;
  Item     *old;
  gboolean  success = FALSE;

  if (! text)
    return FALSE;
  isolux_presets_reload (self);
  if (replace || check_free (self, text, error))
    file = open_file (self, self->user, error);
  if (file)
    {
      Setting *settings = get_settings (self, config);
      gchar   *group;

      old = find_user (self, text);
      group = old ? g_strdup (old->id) : new_group (file, text);
      put_text (file, group, KEY_NAME, text);
      put_text (file, group, KEY_UNIT, unit_of (self, settings, values));
      put_settings (self, file, group, settings);
      success = write_file (file, self->user, error);
      g_free (group);
      g_free (settings);
      g_key_file_unref (file);
      isolux_presets_reload (self);
    }
  g_free (text);
  return success;
}

gboolean
isolux_presets_rename (IsoluxPresets      *self,
                       const IsoluxPreset *preset,
                       const gchar        *name,
                       GError            **error)
{
  Item     *item = item_of (self, preset);
  gchar    *text;
  GKeyFile *file = NULL;
  gboolean  success = FALSE;

  if (! check_user (item, error))
    return FALSE;
  text = check_name (name, error);
  if (! text)
    return FALSE;

  if (! strcmp (text, item->name) || check_free (self, text, error))
    file = open_file (self, self->user, error);
  if (file)
    {
      put_text (file, item->id, KEY_NAME, text);
      success = write_file (file, self->user, error);
      g_key_file_unref (file);
      isolux_presets_reload (self);
    }
  g_free (text);
  return success;
}

gboolean
isolux_presets_delete (IsoluxPresets      *self,
                       const IsoluxPreset *preset,
                       GError            **error)
{
  Item     *item = item_of (self, preset);
  GKeyFile *file;
  gboolean  success;

  if (! check_user (item, error))
    return FALSE;
  file = open_file (self, self->user, error);
  if (! file)
    return FALSE;

  g_key_file_remove_group (file, item->id, NULL);
  success = write_file (file, self->user, error);
  g_key_file_unref (file);
  isolux_presets_reload (self);
  return success;
}

/* ---- Other files -------------------------------------------------- */

/* All presets of a file, none of which may be damaged; NULL and @error */
static GPtrArray *
read_foreign (IsoluxPresets *self, const gchar *path, GError **error)
{
  GKeyFile  *file = g_key_file_new ();
  GPtrArray *items = g_ptr_array_new_with_free_func (item_free);
  gchar    **groups = NULL;
  gboolean   good = g_file_test (path, G_FILE_TEST_EXISTS);

  if (! good)
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                         _("there is no such file"));
  good = good && load_file (self, path, file, error);
  if (good)
    groups = g_key_file_get_groups (file, NULL);
  for (gint i = 0; good && groups[i]; i++)
    if (strcmp (groups[i], HEAD))
      {
        Item *item =
          read_item (self, file, groups[i], ISOLUX_PRESET_USER, error);

        if (item)
          g_ptr_array_add (items, item);
        else
          {
            gchar *group = g_utf8_make_valid (groups[i], -1);

            g_prefix_error (error, "%s: ", group);
            g_free (group);
            good = FALSE;
          }
      }
  if (good && items->len == 0)
    {
      g_set_error_literal (error, G_KEY_FILE_ERROR,
                           G_KEY_FILE_ERROR_GROUP_NOT_FOUND,
                           _("there are no presets in it"));
      good = FALSE;
    }
  g_strfreev (groups);
  g_key_file_unref (file);
  if (! good)
    g_clear_pointer (&items, g_ptr_array_unref);
  return items;
}

/* A name that none of the user's and of those before it has */
static void
make_unique (IsoluxPresets *self, GPtrArray *items, guint place)
{
  Item    *item = items->pdata[place];
  gchar   *plain = g_strdup (item->name);
  gboolean taken = TRUE;

  for (gint i = 2; taken; i++)
    {
      taken = find_user (self, item->name) != NULL;
      for (guint k = 0; k < place && ! taken; k++)
        taken = ! strcmp (((Item *) items->pdata[k])->name, item->name);
      if (taken)
        {
          g_free (item->name);
          item->name = g_strdup_printf ("%s (%d)", plain, i);
        }
    }
  g_free (plain);
}

gint
isolux_presets_import (IsoluxPresets *self, const gchar *path, GError **error)
{
  GPtrArray *items = read_foreign (self, path, error);
  GKeyFile  *file;
  gint       n = -1;

  if (! items)
    {
      gchar *name = g_filename_display_name (path);

      g_prefix_error (error, _("\"%s\" cannot be imported: "), name);
      g_free (name);
      return -1;
    }
  isolux_presets_reload (self);
  file = open_file (self, self->user, error);
  if (file)
    {
      for (guint i = 0; i < items->len; i++)
        {
          Item  *item = items->pdata[i];
          gchar *group;

          make_unique (self, items, i);
          group = new_group (file, item->name);
          put_item (self, file, group, item);
          g_free (group);
        }
      if (write_file (file, self->user, error))
        n = (gint) items->len;
      g_key_file_unref (file);
    }
  g_ptr_array_unref (items);
  isolux_presets_reload (self);
  return n;
}

gboolean
isolux_presets_export (IsoluxPresets      *self,
                       const IsoluxPreset *preset,
                       const gchar        *path,
                       GError            **error)
{
  GKeyFile *file = g_key_file_new ();
  gboolean  success;
  guint     n = 0;

  g_key_file_set_string (file, HEAD, HEAD_PROCEDURE, self->procedure);
  for (guint i = 0; i < self->items->len; i++)
    {
      const Item *item = self->items->pdata[i];

      if (preset ? &item->shown == preset
                 : item->shown.kind == ISOLUX_PRESET_USER)
        {
          gchar *group = new_group (file, item->name);

          put_item (self, file, group, item);
          g_free (group);
          n++;
        }
    }
  if (n > 0)
    success = write_file (file, path, error);
  else
    {
      g_set_error_literal (error, G_KEY_FILE_ERROR,
                           G_KEY_FILE_ERROR_GROUP_NOT_FOUND,
                           _("There are no presets of your own yet."));
      success = FALSE;
    }
  g_key_file_unref (file);
  return success;
}

/* ---- Used last ---------------------------------------------------- */

/* Takes away those like the new one, and the oldest that are too many */
static void
forget (IsoluxPresets *self,
        GKeyFile      *file,
        const Setting *settings,
        const gchar   *unit)
{
  gint kept = 0;

  for (guint i = 0; i < self->items->len; i++)
    {
      const Item *item = self->items->pdata[i];

      if (item->shown.kind != ISOLUX_PRESET_LAST)
        continue;
      if (kept >= LAST_MOST - 1 ||
          (matches (self, item, settings) && ! strcmp (item->shown.unit, unit)))
        g_key_file_remove_group (file, item->id, NULL);
      else
        kept++;
    }
}

gboolean
isolux_presets_remember (IsoluxPresets          *self,
                         GObject                *config,
                         const IsoluxRealValues *values,
                         GError                **error)
{
  Setting     *settings = get_settings (self, config);
  const gchar *unit = unit_of (self, settings, values);
  GKeyFile    *file;
  gboolean     success = FALSE;

  isolux_presets_reload (self);
  file = open_file (self, self->last, error);
  if (file)
    {
      /* two may come in one second */
      gint64 time = g_get_real_time () / G_USEC_PER_SEC;
      gchar *group;

      for (guint i = 0; i < self->items->len; i++)
        time = MAX (time, ((Item *) self->items->pdata[i])->time + 1);
      forget (self, file, settings, unit);
      group = new_group (file, "last");
      put_text (file, group, KEY_UNIT, unit);
      g_key_file_set_int64 (file, group, KEY_TIME, time);
      put_settings (self, file, group, settings);
      success = write_file (file, self->last, error);
      g_free (group);
      g_key_file_unref (file);
    }
  g_free (settings);
  isolux_presets_reload (self);
  return success;
}
