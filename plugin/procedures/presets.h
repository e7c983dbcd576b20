/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * presets.h: named settings of a procedure: those that come with Isolux,
 * the user's own, and those used last.  Knows no widgets.
 *
 * A file holds the presets of one procedure (PROCEDURE.ini); people may edit
 * it.  It is a key file (GKeyFile, UTF-8): a group is a preset, its keys are
 * the names of the operation's properties, numbers in C's locale, choices by
 * their words, true and false:
 *
 *   [ct-lung]
 *   Name=Lung            what people read; without it, the group's name
 *   Unit=HU              (may be missing) the unit that its numbers are in
 *   Modality=CT          (may be missing) for what kinds of images it is:
 *                        DICOM's words, with spaces in between
 *   mode=window
 *   center=-600
 *   width=1500
 *
 * A property that is not named gets its default.  A group "Isolux" is none
 * of them: its key "Procedure" tells whose presets the file has.
 *
 * Isolux' own lie in a folder that is read only, and their names are
 * translated; the user's in "isolux/presets" of GIMP's directory.  A file
 * that is damaged is left alone: its readable presets are listed, what is
 * wrong is told, and nothing is written over it.
 */
#ifndef ISOLUX_PRESETS_H
#define ISOLUX_PRESETS_H

#include <glib-object.h>

#include "real-values.h"

/* The presets of one procedure */
typedef struct _IsoluxPresets IsoluxPresets;

typedef enum
{
  ISOLUX_PRESET_SHIPPED, /* comes with Isolux; read only */
  ISOLUX_PRESET_USER,
  ISOLUX_PRESET_LAST /* used last; its name is the date and time */
} IsoluxPresetKind;

/*
 * IsoluxPreset: belongs to its #IsoluxPresets
 * @kind: whose it is
 * @id: the group in its file, the same in every language
 * @name: for people, translated
 * @summary: what it sets, in a few words: "clip 2 · 8 × 8", "W 400 · L 40"
 * @unit: the unit of its numbers; "" when they have none, or it does not
 *   matter
 * @modality: DICOM's words (CT, MR, ...) for the images that it is made for,
 *   with spaces in between; "" for any
 */
typedef struct
{
  IsoluxPresetKind kind;
  const gchar     *id;
  const gchar     *name;
  const gchar     *summary;
  const gchar     *unit;
  const gchar     *modality;
} IsoluxPreset;

/*
 * isolux_presets_new: reads them.  Never fails: what cannot be read is told
 * by isolux_presets_get_problem().
 * @procedure: "plug-in-isolux-clahe"
 * @operation: "isolux:clahe", whose parameters are set
 *
 * Returns: (transfer full): to be freed with isolux_presets_free()
 */
IsoluxPresets *
isolux_presets_new (const gchar *procedure, const gchar *operation);

/*
 * isolux_presets_new_in: the same from other folders
 * @shipped: (nullable): Isolux' own
 * @user: (nullable): the user's; made when something is to be written
 */
IsoluxPresets *isolux_presets_new_in (const gchar *procedure,
                                      const gchar *operation,
                                      const gchar *shipped,
                                      const gchar *user);

void isolux_presets_free (IsoluxPresets *presets);

/*
 * isolux_presets_list: shipped ones first, then the user's, in the order of
 * their files, then those used last, the latest first.
 *
 * Returns: (transfer none): %NULL-terminated; it and the presets are valid
 *   until the next call that changes or reloads them
 */
const IsoluxPreset *const *isolux_presets_list (IsoluxPresets *presets);

/* Reads all files again: the user may have edited them */
void isolux_presets_reload (IsoluxPresets *presets);

/*
 * isolux_presets_get_problem:
 *
 * Returns: (nullable): what could not be read and what to do about it, in
 *   words for the user; %NULL when all is well
 */
const gchar *isolux_presets_get_problem (IsoluxPresets *presets);

/*
 * isolux_preset_fits: whether a preset is made for such an image: its
 * numbers are in the image's unit, or have none.  The modality is not looked
 * at.
 * @values: (nullable): what codes stand for; %NULL for an image without
 */
gboolean
isolux_preset_fits (const IsoluxPreset *preset, const IsoluxRealValues *values);

/*
 * isolux_presets_get: by its id, or else its name, translated or not.
 *
 * Returns: (nullable) (transfer none): the preset; the user's comes first
 */
const IsoluxPreset *
isolux_presets_get (IsoluxPresets *presets, const gchar *id);

/*
 * isolux_presets_demand: the same; where there is none, @error says which
 * there are.
 * @word: what may be said instead of a preset's name
 *
 * Returns: (nullable) (transfer none): the preset; %NULL and @error
 */
const IsoluxPreset *isolux_presets_demand (IsoluxPresets *presets,
                                           const gchar   *id,
                                           const gchar   *word,
                                           GError       **error);

/*
 * isolux_presets_apply: sets all parameters of the operation.
 * @config: a GimpProcedureConfig, or any object with properties of their
 *   names; those that it lacks are left out
 */
void isolux_presets_apply (IsoluxPresets      *presets,
                           const IsoluxPreset *preset,
                           GObject            *config);

/*
 * isolux_presets_find: which preset gives the present settings: one that
 * fits, shipped ones first; not one used last.
 *
 * Returns: (nullable) (transfer none): the preset
 */
const IsoluxPreset *isolux_presets_find (IsoluxPresets          *presets,
                                         GObject                *config,
                                         const IsoluxRealValues *values);

/*
 * isolux_presets_save: keeps the present settings as the user's.
 * @name: for people; any text that is not empty and has one line
 * @values: (nullable): the image's; their unit is kept with the preset when
 *   the operation has a parameter in units
 * @replace: whether one of the user's presets may be written over that has
 *   the same name; else that is an error
 *
 * Returns: FALSE and @error, in words: the file is then as it was
 */
gboolean isolux_presets_save (IsoluxPresets          *presets,
                              const gchar            *name,
                              GObject                *config,
                              const IsoluxRealValues *values,
                              gboolean                replace,
                              GError                **error);

/*
 * isolux_presets_rename, isolux_presets_delete: of the user's.
 *
 * Returns: FALSE and @error, in words: the file is then as it was
 */
gboolean isolux_presets_rename (IsoluxPresets      *presets,
                                const IsoluxPreset *preset,
                                const gchar        *name,
                                GError            **error);
gboolean isolux_presets_delete (IsoluxPresets      *presets,
                                const IsoluxPreset *preset,
                                GError            **error);

/*
 * isolux_presets_import: adds the presets of another file to the user's.  A
 * name that is taken gets a number behind it.  All or nothing: a file with a
 * damaged preset, or of another procedure, is refused.
 * @path: the file
 *
 * Returns: how many; -1 and @error, in words
 */
gint isolux_presets_import (IsoluxPresets *presets,
                            const gchar   *path,
                            GError       **error);

/*
 * isolux_presets_export: writes presets to a file of their own, which is
 * replaced when it is there.
 * @preset: (nullable): which; %NULL for all of the user's
 *
 * Returns: FALSE and @error, in words
 */
gboolean isolux_presets_export (IsoluxPresets      *presets,
                                const IsoluxPreset *preset,
                                const gchar        *path,
                                GError            **error);

/*
 * isolux_presets_remember: adds the present settings to those used last, of
 * which the latest five are kept.  Settings that are there already move to
 * the front.
 *
 * Returns: FALSE and @error, in words: nothing is lost then
 */
gboolean isolux_presets_remember (IsoluxPresets          *presets,
                                  GObject                *config,
                                  const IsoluxRealValues *values,
                                  GError                **error);

#endif /* ISOLUX_PRESETS_H */
