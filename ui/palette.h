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

G_BEGIN_DECLS

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
 * isolux_palette_of: the set that fits where a widget stands: dark by the
 * background's luminance (below 30 %), else high contrast by the theme's name,
 * else light.
 */
IsoluxPalette isolux_palette_of (GtkWidget *widget);

/* The color behind a widget, opaque */
void isolux_palette_background (GtkWidget *widget, GdkRGBA *color);

/*
 * isolux_palette_get: a color of a set, opaque.
 */
void
isolux_palette_get (IsoluxPalette palette, IsoluxRole role, GdkRGBA *color);

/* The same as the source of a drawing; @alpha 0.0 to 1.0 */
void isolux_palette_set_source (cairo_t      *cr,
                                IsoluxPalette palette,
                                IsoluxRole    role,
                                gdouble       alpha);

/*
 * isolux_swatch_new: a small picture of a role for legends, drawn as the
 * histogram draws it, on a tile of the plot's color.
 */
GtkWidget *isolux_swatch_new (IsoluxRole role);

G_END_DECLS

#endif /* ISOLUX_PALETTE_H */
