/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "palette.h"

#include <math.h>
#include <string.h>

/* 0xRRGGBB */
static const guint32 colors[ISOLUX_N_PALETTES][ISOLUX_N_ROLES] = {
  [ISOLUX_PALETTE_DARK] = {
    [ISOLUX_ROLE_BEFORE] = 0xf0f0f0,
    [ISOLUX_ROLE_AFTER] = 0x3f94d1,
    [ISOLUX_ROLE_CUMULATIVE] = 0xf5dc6a,
    [ISOLUX_ROLE_CURVE] = 0x63e6b6,
    [ISOLUX_ROLE_MARK] = 0xff7f50,
    [ISOLUX_ROLE_RED] = 0xf2604f,
    [ISOLUX_ROLE_GREEN] = 0x6fe3a1,
    [ISOLUX_ROLE_BLUE] = 0x6f9bff,
    [ISOLUX_ROLE_PLOT] = 0x242424,
    [ISOLUX_ROLE_GRID] = 0x4a4a4a,
    [ISOLUX_ROLE_TEXT] = 0xc8c8c8,
  },
  [ISOLUX_PALETTE_LIGHT] = {
    [ISOLUX_ROLE_BEFORE] = 0x1c1c1c,
    [ISOLUX_ROLE_AFTER] = 0x4a90cc,
    [ISOLUX_ROLE_CUMULATIVE] = 0x7a3a9a,
    [ISOLUX_ROLE_CURVE] = 0x006b52,
    [ISOLUX_ROLE_MARK] = 0xc4400c,
    [ISOLUX_ROLE_RED] = 0xb3261e,
    [ISOLUX_ROLE_GREEN] = 0x35a068,
    [ISOLUX_ROLE_BLUE] = 0x2457c5,
    [ISOLUX_ROLE_PLOT] = 0xfafafa,
    [ISOLUX_ROLE_GRID] = 0xd4d4d4,
    [ISOLUX_ROLE_TEXT] = 0x3a3a3a,
  },
  [ISOLUX_PALETTE_HIGH_CONTRAST] = {
    [ISOLUX_ROLE_BEFORE] = 0x000000,
    [ISOLUX_ROLE_AFTER] = 0x5a9bd8,
    [ISOLUX_ROLE_CUMULATIVE] = 0x6a1b8a,
    [ISOLUX_ROLE_CURVE] = 0x005540,
    [ISOLUX_ROLE_MARK] = 0xb02a00,
    [ISOLUX_ROLE_RED] = 0xa3000f,
    [ISOLUX_ROLE_GREEN] = 0x1f8a50,
    [ISOLUX_ROLE_BLUE] = 0x0033a8,
    [ISOLUX_ROLE_PLOT] = 0xffffff,
    [ISOLUX_ROLE_GRID] = 0x8a8a8a,
    [ISOLUX_ROLE_TEXT] = 0x000000,
  },
};

/* ---- Which set ---- */

static gdouble
linear (gdouble component)
{
  return component <= 0.04045 ? component / 12.92
                              : pow ((component + 0.055) / 1.055, 2.4);
}

static gdouble
luminance_of (const GdkRGBA *color)
{
  return 0.2126 * linear (color->red) + 0.7152 * linear (color->green) +
         0.0722 * linear (color->blue);
}

void
isolux_palette_background (GtkWidget *widget, GdkRGBA *color)
{
  GtkWidget       *at;
  GtkStyleContext *context = gtk_widget_get_style_context (widget);

  for (at = widget; at; at = gtk_widget_get_parent (at))
    {
      GtkStyleContext *style = gtk_widget_get_style_context (at);
      GdkRGBA         *found = NULL;
      gboolean         opaque;

      gtk_style_context_get (style, gtk_style_context_get_state (style),
                             GTK_STYLE_PROPERTY_BACKGROUND_COLOR, &found, NULL);
      opaque = found && found->alpha > 0.5;
      if (opaque)
        *color = *found;
      g_clear_pointer (&found, gdk_rgba_free);
      if (opaque)
        {
          color->alpha = 1.0;
          return;
        }
    }

  /* it stands nowhere yet, or in a theme that paints with pictures */
  if (! gtk_style_context_lookup_color (context, "theme_bg_color", color))
    {
      GdkRGBA text;
      gdouble gray;

      gtk_style_context_get_color (context,
                                   gtk_style_context_get_state (context),
                                   &text);
      gray = luminance_of (&text) > 0.3 ? 0.2 : 0.93;
      color->red = color->green = color->blue = gray;
    }
  color->alpha = 1.0;
}

static gboolean
theme_is_high_contrast (GtkWidget *widget)
{
  /* the variable has precedence for GTK, too */
  const gchar *forced = g_getenv ("GTK_THEME");
  gchar       *name = NULL;
  gboolean     is;

  if (! forced || ! *forced)
    g_object_get (gtk_widget_get_settings (widget), "gtk-theme-name", &name,
                  NULL);
  else
    name = g_strdup (forced);
  is = name && g_ascii_strncasecmp (name, "HighContrast", 12) == 0;
  g_free (name);
  return is;
}

IsoluxPalette
isolux_palette_of (GtkWidget *widget)
{
  GdkRGBA background;

  isolux_palette_background (widget, &background);
  /* before high contrast: its inverse theme is dark, and so may GIMP's be */
  if (luminance_of (&background) < 0.3)
    return ISOLUX_PALETTE_DARK;
  if (theme_is_high_contrast (widget))
    return ISOLUX_PALETTE_HIGH_CONTRAST;
  return ISOLUX_PALETTE_LIGHT;
}

void
isolux_palette_get (IsoluxPalette palette, IsoluxRole role, GdkRGBA *color)
{
  guint32 value = colors[palette][role];

  color->red = (value >> 16) / 255.0;
  color->green = (value >> 8 & 255) / 255.0;
  color->blue = (value & 255) / 255.0;
  color->alpha = 1.0;
}

void
isolux_palette_set_source (cairo_t      *cr,
                           IsoluxPalette palette,
                           IsoluxRole    role,
                           gdouble       alpha)
{
  GdkRGBA color;

  isolux_palette_get (palette, role, &color);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, alpha);
}

/* ---- Swatches ---- */

#define SWATCH_WIDTH 22
#define SWATCH_HEIGHT 14

static gboolean
draw_swatch (GtkWidget *widget, cairo_t *cr, gpointer data)
{
  IsoluxRole    role = GPOINTER_TO_INT (data);
  IsoluxPalette palette = isolux_palette_of (widget);
  gdouble       middle = SWATCH_HEIGHT / 2.0;

  cairo_translate (cr,
                   floor ((gtk_widget_get_allocated_width (widget) -
                           SWATCH_WIDTH) /
                          2.0),
                   floor ((gtk_widget_get_allocated_height (widget) -
                           SWATCH_HEIGHT) /
                          2.0));
  isolux_palette_set_source (cr, palette, ISOLUX_ROLE_PLOT, 1.0);
  cairo_rectangle (cr, 0, 0, SWATCH_WIDTH, SWATCH_HEIGHT);
  cairo_fill (cr);
  cairo_rectangle (cr, 0, 0, SWATCH_WIDTH, SWATCH_HEIGHT);
  cairo_clip (cr);

  isolux_palette_set_source (cr, palette, role, 1.0);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, 2.0);
  switch (role)
    {
      case ISOLUX_ROLE_BEFORE: /* an outline */
        cairo_set_line_width (cr, 1.25);
        cairo_move_to (cr, 2, 11.5);
        cairo_curve_to (cr, 7, 11.5, 7, 3, 10, 3);
        cairo_curve_to (cr, 13, 3, 13, 10, 20, 11);
        cairo_stroke (cr);
        break;

      case ISOLUX_ROLE_CUMULATIVE: /* dashes */
        {
          const gdouble dashes[] = { 6, 3 };

          cairo_set_dash (cr, dashes, 2, 0);
          cairo_set_line_width (cr, 1.5);
          cairo_move_to (cr, 2, 11.5);
          cairo_curve_to (cr, 8, 11, 11, 4, 20, 3);
          cairo_stroke (cr);
        }
        break;

      case ISOLUX_ROLE_CURVE: /* a thick line */
        cairo_move_to (cr, 2, 11.5);
        cairo_curve_to (cr, 12, 11.5, 9, 2.5, 20, 2.5);
        cairo_stroke (cr);
        break;

      case ISOLUX_ROLE_MARK: /* a level line */
        cairo_move_to (cr, 2, middle);
        cairo_line_to (cr, 20, middle);
        cairo_stroke (cr);
        break;

      default: /* a fill */
        cairo_rectangle (cr, 4, 2, SWATCH_WIDTH - 8, SWATCH_HEIGHT - 4);
        cairo_fill (cr);
    }
  return FALSE;
}

GtkWidget *
isolux_swatch_new (IsoluxRole role)
{
  GtkWidget *swatch = gtk_drawing_area_new ();
  AtkObject *accessible = gtk_widget_get_accessible (swatch);

  gtk_widget_set_size_request (swatch, SWATCH_WIDTH, SWATCH_HEIGHT);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  /* the text beside it says it all */
  atk_object_set_role (accessible, ATK_ROLE_FILLER);
  g_signal_connect (swatch, "draw", G_CALLBACK (draw_swatch),
                    GINT_TO_POINTER (role));
  return swatch;
}
