/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arguments.h: from the parameters of an operation to the arguments of a
 * procedure, and back.
 */
#ifndef ISOLUX_ARGUMENTS_H
#define ISOLUX_ARGUMENTS_H

#include <libgimp/gimp.h>

/* The mnemonics of the dialog's own buttons: OK, Cancel, Reset, Load, Save,
 * Help; what @taken starts with */
#define ISOLUX_TAKEN_MNEMONICS "ocrlsh"

/*
 * isolux_with_mnemonic: a label with a mnemonic: the first letter of a word,
 * or else any letter, that is not in @taken yet, which gets it.
 */
gchar *isolux_with_mnemonic (const gchar *label, GString *taken);

/*
 * isolux_add_arguments: one argument for each parameter of an operation that
 * the procedure does not have yet.
 */
void isolux_add_arguments (GimpProcedure *procedure,
                           const gchar   *operation,
                           GString       *taken);

/*
 * isolux_check_words: checks the words; GIMP has checked the numbers.
 * @repair: an unknown one (from a settings file) becomes the default, else
 *   it is refused
 */
gboolean isolux_check_words (GimpProcedureConfig *config,
                             const gchar         *operation,
                             gboolean             repair,
                             GError             **error);

/*
 * isolux_get_choice: the number of a checked word, which is the value of the
 * property's enum.
 */
gint isolux_get_choice (GimpProcedureConfig *config,
                        const gchar         *operation,
                        const gchar         *name);

#endif /* ISOLUX_ARGUMENTS_H */
