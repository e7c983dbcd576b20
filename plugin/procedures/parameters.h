/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parameters.h: the parameters of the GEGL operations.
 *
 * An operation's properties are the one place where its parameters are
 * declared.  make-parameters asks them of GEGL when Isolux is built and
 * writes them down as the tables described here, so that no process of the
 * plug-in has to load GEGL's modules (0.1 s) to know its own arguments.
 */
#ifndef ISOLUX_PARAMETERS_H
#define ISOLUX_PARAMETERS_H

#include <glib.h>

typedef enum
{
  ISOLUX_PARAMETER_CHOICE,
  ISOLUX_PARAMETER_DOUBLE,
  ISOLUX_PARAMETER_INT,
  ISOLUX_PARAMETER_BOOLEAN
} IsoluxParameterType;

/*
 * IsoluxWord: one value of a choice
 * @word: what scripts write and files hold
 * @label: what people read, not yet translated
 */
typedef struct
{
  const gchar *word;
  const gchar *label;
} IsoluxWord;

/*
 * IsoluxParameter:
 * @name: the property's name, %NULL ends a table
 * @nick: its label, not yet translated
 * @blurb: one sentence about it, not yet translated
 * @type: see #IsoluxParameterType
 * @minimum, @maximum: valid values, both included
 * @value: the default
 * @ui_minimum, @ui_maximum, @ui_gamma: what a slider covers, and how
 * @step, @page: small and large steps
 * @digits: decimal places to show
 * @word: choice: the default
 * @words: choice: all values, ended by a %NULL word
 * @sensitive: (nullable): expression that says whether it can be changed now,
 *   see expression.h: the key "isolux-sensitive", else GEGL's "sensitive"
 * @visible: (nullable): whether it is shown now: "isolux-visible", "visible"
 * @unit: (nullable): what it is measured in, not yet translated: "isolux-unit"
 * @chain: (nullable): the parameter that usually has the same value and
 *   follows in the table: "isolux-chain"
 * @advanced: whether few people need it: "isolux-advanced"
 */
typedef struct
{
  const gchar        *name;
  const gchar        *nick;
  const gchar        *blurb;
  IsoluxParameterType type;
  gdouble             minimum;
  gdouble             maximum;
  gdouble             value;
  gdouble             ui_minimum;
  gdouble             ui_maximum;
  gdouble             ui_gamma;
  gdouble             step;
  gdouble             page;
  gint                digits;
  const gchar        *word;
  const IsoluxWord   *words;
  const gchar        *sensitive;
  const gchar        *visible;
  const gchar        *unit;
  const gchar        *chain;
  gboolean            advanced;
} IsoluxParameter;

/*
 * Returns the table of an operation ("isolux:equalize"), ended by a %NULL
 * name; %NULL for an operation that is none of ours.
 */
const IsoluxParameter *isolux_parameters (const gchar *operation);

#endif /* ISOLUX_PARAMETERS_H */
