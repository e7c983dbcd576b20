/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * palette.h: the colors of histograms and marks, three sets.
 *
 * Their contrast with the plot and their distances for color-blind people
 * are tested.
 */
#ifndef ISOLUX_PALETTE_H
#define ISOLUX_PALETTE_H

#include <gtk/gtk.h>

/*
 * IsoluxRole: what a color stands for
 */
typedef enum
{
  ISOLUX_ROLE_BEFORE,
  ISOLUX_ROLE_AFTER,
  ISOLUX_ROLE_CUMULATIVE,
  ISOLUX_ROLE_CURVE,
  ISOLUX_ROLE_MARK, /* clip line, window, picked tile */
  ISOLUX_ROLE_RED,
  ISOLUX_ROLE_GREEN,
  ISOLUX_ROLE_BLUE,
  ISOLUX_ROLE_PLOT, /* background of the plot */
  ISOLUX_ROLE_GRID,
  ISOLUX_ROLE_TEXT, /* on the plot */
  ISOLUX_N_ROLES
} IsoluxRole;

typedef enum
{
  ISOLUX_PALETTE_DARK,
  ISOLUX_PALETTE_LIGHT,
  ISOLUX_PALETTE_HIGH_CONTRAST,
  ISOLUX_N_PALETTES
} IsoluxPalette;

/*
 * isolux_palette_of: the set that fits where a widget stands: high contrast
 * by the theme's name, else by the background's luminance (below 30 % dark).
 */
IsoluxPalette isolux_palette_of (GtkWidget *widget);

/*
 * isolux_palette_get: a color of a set, opaque.
 */
void
isolux_palette_get (IsoluxPalette palette, IsoluxRole role, GdkRGBA *color);

/*
 * isolux_swatch_new: a small picture of a role for legends, drawn as the
 * histogram draws it, on a tile of the plot's color.
 */
GtkWidget *isolux_swatch_new (IsoluxRole role);

#endif /* ISOLUX_PALETTE_H */
