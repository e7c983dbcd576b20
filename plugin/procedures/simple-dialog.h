/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple-dialog.h: GIMP's standard dialog for procedures that show nothing
 * but their arguments.
 */
#ifndef ISOLUX_SIMPLE_DIALOG_H
#define ISOLUX_SIMPLE_DIALOG_H

#include <libgimp/gimp.h>

#include "parameters.h"

/*
 * IsoluxRow: an argument
 * @name: %NULL ends a table
 * @words: (nullable): of a choice, whose argument is a string
 * @only: (nullable): the row can be used when this argument, a choice,
 * @only_word: has this word
 */
typedef struct
{
  const gchar      *name;
  const IsoluxWord *words;
  const gchar      *only;
  const gchar      *only_word;
} IsoluxRow;

/* Returns: whether OK was chosen */
gboolean isolux_simple_dialog_run (GimpProcedure       *procedure,
                                   GimpProcedureConfig *config,
                                   const gchar         *title,
                                   const IsoluxRow     *rows);

/*
 * isolux_check_row_words: whether each choice has one of its words.
 *
 * Returns: FALSE and @error, in words
 */
gboolean isolux_check_row_words (GimpProcedureConfig *config,
                                 const IsoluxRow     *rows,
                                 GError             **error);

/*
 * isolux_describe_words: help for the argument of a choice: the blurb, and the
 * words in parentheses.
 */
gchar *isolux_describe_words (const gchar *blurb, const IsoluxWord *words);

#endif /* ISOLUX_SIMPLE_DIALOG_H */
