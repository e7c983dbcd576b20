/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-private.h: what the parts of the dialog share.
 *
 * All of it belongs to the main thread.
 */
#ifndef ISOLUX_DIALOG_PRIVATE_H
#define ISOLUX_DIALOG_PRIVATE_H

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

#include "dialog.h"
#include "display.h"
#include "engine.h"
#include "gate.h"
#include "histogram-model.h"
#include "histogram-view.h"
#include "image-preview.h"
#include "presets.h"
#include "preview.h"
#include "real-values.h"
#include "rows.h"
#include "source.h"

/* Sizes at 96 dpi, see the layout of the dialog */
#define ISOLUX_WIDTH 1152
#define ISOLUX_HEIGHT 690
#define ISOLUX_COMPACT_WIDTH 426
#define ISOLUX_COMPACT_HEIGHT 716
#define ISOLUX_COLUMN 352
#define ISOLUX_COLUMN_NARROW 340
#define ISOLUX_NARROW_WIDTH 1100 /* below, the column is narrow */
#define ISOLUX_LOW_HEIGHT 620    /* below, the numbers are folded */
#define ISOLUX_LANE_ROOM 28      /* for a second axis of values */

/* What the legend can switch */
typedef enum
{
  ISOLUX_CHIP_BEFORE,
  ISOLUX_CHIP_AFTER,
  ISOLUX_CHIP_RED,
  ISOLUX_CHIP_GREEN,
  ISOLUX_CHIP_BLUE,
  ISOLUX_CHIP_CUMULATIVE,
  ISOLUX_CHIP_CURVE,
  ISOLUX_CHIP_MARKS,
  ISOLUX_N_CHIPS
} IsoluxChip;

/* Lines of the table of numbers, at most */
#define ISOLUX_NUMBERS 6

/*
 * IsoluxMemory: what is remembered of a procedure's dialog, see
 * dialog-memory.c
 */
typedef struct
{
  gint     width;
  gint     height;
  gint     compact_width;
  gint     compact_height;
  gint     pane;
  gboolean compact;
  gdouble  zoom; /* 0.0 = fitted */
  gboolean split;
  gboolean grid;
  gint     logarithmic; /* -1: as the data suggest */
  gboolean chips[ISOLUX_N_CHIPS];
  gboolean numbers; /* in a low window: unfolded */
  gchar   *driver;  /* reason why the GPU is off that has been told */
} IsoluxMemory;

/* Why there is an information bar */
typedef enum
{
  ISOLUX_NOTICE_NONE,
  ISOLUX_NOTICE_GPU,     /* the CPU took over */
  ISOLUX_NOTICE_ERROR,   /* no result */
  ISOLUX_NOTICE_CHANGED, /* the layer is read again */
  ISOLUX_NOTICE_EMPTY,   /* nothing counts */
  ISOLUX_NOTICE_DEPTH,   /* a hint about the data */
  ISOLUX_NOTICE_SAY,     /* what an action of the user's came to */
  ISOLUX_NOTICE_CLOSED   /* the image is gone */
} IsoluxNotice;

typedef struct _IsoluxDialog IsoluxDialog;

struct _IsoluxDialog
{
  /* what it is about */
  GimpProcedure       *procedure;
  const gchar         *name;
  GimpImage           *image;
  GPtrArray           *targets;
  IsoluxTarget        *target; /* the first */
  const IsoluxEffect  *effect;
  GimpProcedureConfig *config;
  GimpProcedureConfig *initial; /* the settings it was opened with */
  IsoluxOperationKind  kind;
  gint64               began;
  gboolean             verbose;
  IsoluxMemory         memory;

  /* what it knows of the drawable before it is read */
  gchar   *file_name;
  gchar   *image_name;
  gchar   *item_text; /* layer "Actin" */
  gchar   *item_name;
  gint     width;
  gint     height;
  gint     depth; /* bits; negative: floating point */
  gboolean is_rgb;
  gboolean has_alpha;
  gboolean has_selection;

  /* parts */
  GMainLoop            *loop;
  gint                  response;
  IsoluxGate           *gate;
  IsoluxSource         *source; /* being read, or the last one */
  IsoluxEngine         *engine;
  IsoluxEngineResult   *result; /* the last one with numbers */
  IsoluxEngineResult   *shown;  /* the last one with pixels */
  IsoluxHistogramModel *model;
  IsoluxPreview        *preview; /* on the canvas */
  IsoluxPresets        *presets;
  IsoluxDisplay        *display;
  IsoluxRealValues      values;
  gboolean              is_real; /* values have a unit or are scaled */

  /* reading */
  gboolean        opened; /* the source is open */
  gboolean        loaded; /* all rows are there */
  gint            in_flight;
  gint64          rows_read;
  gboolean        closed;
  gboolean        failed; /* cannot be read */
  gboolean        has_print;
  gdouble         print[8];
  IsoluxRectangle next_box;
  gint64          print_cost; /* microseconds */
  gboolean        told_exact;
  gboolean        told_depth;
  gboolean        made_room;
  gint            own_pane; /* where we have put the divider */
  gchar          *fallback; /* the warning that has been told */
  guint           poll;
  guint           quiet;

  /* window */
  GtkWidget   *window;
  GtkWidget   *bars; /* information bars */
  GtkWidget   *bar;
  IsoluxNotice notice;
  GtkWidget   *main;
  GtkWidget   *pane;
  GtkWidget   *left_top;
  GtkWidget   *left_bottom;
  GtkWidget   *column;
  GtkWidget   *settings; /* in the column */
  GtkWidget   *scrolled;
  GtkWidget   *ok;
  GtkWidget   *reset_menu;
  gboolean     compact;
  gboolean     narrow;
  gboolean     low;
  guint        fit_source;

  /* header */
  GtkWidget *subtitle;
  GtkWidget *backend_button;
  GtkWidget *backend_stack;
  GtkWidget *backend_label;
  GtkWidget *backend_radios[3];
  GtkWidget *backend_text;
  GtkWidget *preview_toggle;
  gboolean   busy;
  gdouble    milliseconds;

  /* image */
  GtkWidget       *view;
  GtkWidget       *strip;
  GtkWidget       *strip_label;
  GtkWidget       *strip_bar;
  GtkWidget       *strip_text;
  GtkWidget       *zoom_label;
  GtkWidget       *fit;
  GtkWidget       *original;
  GtkWidget       *split;
  GtkWidget       *grid;
  GtkWidget       *stretch;
  GtkWidget       *compare;
  GtkWidget       *pixel;
  gboolean         comparing;
  gint64           pixel_x;
  gint64           pixel_y;
  gint64           pick_x;
  gint64           pick_y;
  gboolean         stretch_set; /* by the user */
  gdouble          drag_center;
  gdouble          drag_width;
  gboolean         dragging;
  cairo_surface_t *before_surface;
  IsoluxRectangle  before_part;
  gdouble          before_range[2];
  gdouble          before_read;

  /* histogram */
  GtkWidget *histogram;
  GtkWidget *histogram_bar;
  GtkWidget *legend;
  GtkWidget *channel;
  GtkWidget *linear;
  GtkWidget *logarithmic;
  GtkWidget *range;
  GtkWidget *range_popover;
  GtkWidget *range_from;
  GtkWidget *range_to;
  GtkWidget *histogram_menu;
  GtkWidget *chips[ISOLUX_N_CHIPS];
  GtkWidget *chip_labels[ISOLUX_N_CHIPS];
  GtkWidget *read_out;
  gchar     *read_out_text;
  gchar     *read_out_brief;
  gint       read_out_width;
  guint      fit_legend;
  gint       range_kind;
  gboolean   range_filled;
  gboolean   scale_set;    /* linear or not by the user */
  gboolean   orientations; /* HOG: bars of orientations, not values */

  /* numbers */
  GtkWidget *numbers_box;
  GtkWidget *numbers_frame;
  GtkWidget *numbers_expander;
  GtkWidget *numbers_content;
  GtkWidget *numbers[ISOLUX_NUMBERS][3];
  GtkWidget *numbers_heads[2];
  GtkWidget *measure_row;
  GtkWidget *measure_label;
  gboolean   measured;

  /* settings */
  GtkWidget *rows;
  GtkWidget *clip_units;
  GtkWidget *tissues;
  GtkWidget *canvas;
  GtkWidget *merge;
  GtkWidget *record;

  /* presets */
  GtkWidget *presets_button;
  GtkWidget *presets_label;
  GtkWidget *presets_popover;
  GtkWidget *presets_list;
  GtkWidget *presets_own[3];
  GtkWidget *presets_export;
  GtkWidget *presets_stack;
  GtkWidget *presets_name_label;
  GtkWidget *presets_entry;
  gint       presets_use;
  gchar     *preset_id; /* the one chosen or saved last */

  /* measuring */
  gint64 stall_last;
  gint64 stall_longest;
  gint64 work_last;
  gint64 work_longest;
  gint   results;
  gint64 results_since;
  guint  stall_source;
};

/* ---- dialog.c ---- */

/* Reads the settings and hands them to the engine */
void isolux_dialog_settings_changed (IsoluxDialog *dialog);

/* Another channel, or orientations in place of values */
void isolux_dialog_set_compact (IsoluxDialog *dialog, gboolean compact);

/* Shows the original, in image and histogram, as long as something is held */
void isolux_dialog_compare (IsoluxDialog *dialog, gboolean compare);

/* Reads the drawable again */
void isolux_dialog_reload (IsoluxDialog *dialog);
void isolux_dialog_make_room (IsoluxDialog *dialog);

/* The graphics card has been told to be free again */
void isolux_dialog_try_gpu (IsoluxDialog *dialog);

void isolux_dialog_respond (IsoluxDialog *dialog, gint response);

void isolux_dialog_log (IsoluxDialog *dialog, const gchar *format, ...)
  G_GNUC_PRINTF (2, 3);

/* ---- Little helpers, dialog-widgets.c ---- */

/* A label with a size relative to the user's font; @dim: less important */
GtkWidget *isolux_label_new (const gchar *text, gdouble scale, gboolean dim);

/* Has the figures of one width */
void isolux_label_tabular (GtkWidget *label);

/* A button with an icon, named by its tooltip */
GtkWidget *isolux_icon_button_new (const gchar *icon, const gchar *tooltip);
GtkWidget *isolux_icon_toggle_new (const gchar *icon, const gchar *tooltip);

GtkWidget *isolux_icon_new (const gchar *icon, gint pixels);

/* A popover with entries, as menus have them; menus themselves cannot be
 * opened by assistive technologies */
GtkWidget *isolux_menu_new (void);
/* Returns: the entry; NULL text for a line between two of them */
GtkWidget *isolux_menu_add (GtkWidget   *menu,
                            const gchar *text,
                            GCallback    func,
                            gpointer     data);

/* Buttons joined to one */
GtkWidget *isolux_linked_new (GtkWidget *first, ...) G_GNUC_NULL_TERMINATED;

void isolux_widget_add_class (GtkWidget *widget, const gchar *name);
void isolux_widget_set_name (GtkWidget *widget, const gchar *name);
void isolux_widget_set_description (GtkWidget *widget, const gchar *text);

/* The dialog's own style sheet, for the screen */
void isolux_style_add (void);

/* ---- The parts ---- */

void isolux_memory_load (IsoluxMemory *memory, const gchar *procedure);
void isolux_memory_save (const IsoluxMemory *memory, const gchar *procedure);
void isolux_memory_clear (IsoluxMemory *memory);

GtkWidget *isolux_header_new (IsoluxDialog *dialog);
void       isolux_header_update (IsoluxDialog *dialog);
void       isolux_header_update_backend (IsoluxDialog *dialog);

GtkWidget *isolux_image_pane_new (IsoluxDialog *dialog);
void       isolux_image_update (IsoluxDialog *dialog);
void       isolux_image_update_strip (IsoluxDialog *dialog);
void       isolux_image_update_pixel (IsoluxDialog *dialog);
void       isolux_image_source_opened (IsoluxDialog *dialog);
/* Whether the values of the result are of another range than those of the
 * image, so that they do not share an axis */
gboolean isolux_dialog_has_output (IsoluxDialog *dialog);
/* Whether the numbers of the result are those of codes of patterns, which the
 * picture shows scaled */
gboolean isolux_dialog_counts_codes (IsoluxDialog *dialog);
/* What the result's values go from and to */
void
isolux_dialog_get_output (IsoluxDialog *dialog, gdouble *low, gdouble *high);

GtkWidget *isolux_histogram_pane_new (IsoluxDialog *dialog);
void       isolux_histogram_update (IsoluxDialog *dialog);
void       isolux_histogram_update_marks (IsoluxDialog *dialog);
void       isolux_histogram_update_show (IsoluxDialog *dialog);
void       isolux_histogram_source_opened (IsoluxDialog *dialog);

GtkWidget *isolux_numbers_new (IsoluxDialog *dialog);
void       isolux_numbers_update (IsoluxDialog *dialog);
void       isolux_numbers_stale (IsoluxDialog *dialog);
void       isolux_numbers_fold (IsoluxDialog *dialog, gboolean fold);
/* A range of the drawable's values, as people read it: "120–3,000" */
gchar *
isolux_dialog_format_range (IsoluxDialog *dialog, gdouble low, gdouble high);
/* A value of the drawable, as people read it */
gchar *isolux_dialog_format_value (IsoluxDialog *dialog,
                                   gdouble       value,
                                   gint          more,
                                   gboolean      output);

GtkWidget *isolux_settings_new (IsoluxDialog *dialog);
GtkWidget *isolux_footer_new (IsoluxDialog *dialog);
void       isolux_settings_source_opened (IsoluxDialog *dialog);
void       isolux_settings_update_notes (IsoluxDialog *dialog);
void       isolux_footer_update (IsoluxDialog *dialog);

GtkWidget *isolux_presets_row_new (IsoluxDialog *dialog);
void       isolux_presets_row_update (IsoluxDialog *dialog);

/*
 * A line above everything; @title NULL takes it away.  One at a time: a less
 * urgent one does not replace a more urgent one.
 * @action: (nullable): of a button
 * @tip: (nullable): the tooltip, for codes and details
 */
void isolux_notice_show (IsoluxDialog *dialog,
                         IsoluxNotice  notice,
                         const gchar  *title,
                         const gchar  *text,
                         const gchar  *action,
                         const gchar  *tip);
void isolux_notice_hide (IsoluxDialog *dialog, IsoluxNotice notice);

/* Opens the help; says so when it cannot.  @parent: for a dialog of its own */
void isolux_help_show (GtkWindow *parent, const gchar *procedure);

#endif /* ISOLUX_DIALOG_PRIVATE_H */
