/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: Markdown as it comes, JSON at the end. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const gchar *const section_names[] = { "cpu", "device", "rows" };

/* ---- Markdown ----------------------------------------------------------- */

#define CASE_HEAD "| operation      | image         | size    | data     "
#define CASE_LINE "| -------------- | ------------- | ------- | -------- "

void
report_section (Section section)
{
  static gboolean begun[N_SECTIONS];

  if (begun[section])
    return;
  begun[section] = TRUE;
  switch (section)
    {
      case SECTION_CPU:
        puts ("\n## Calls on the CPU, milliseconds\n");
        puts (CASE_HEAD "| threads | median |  least | spread |  floor | "
                        "share | peer                     | median |  least "
                        "| times |");
        puts (CASE_LINE "| ------: | -----: | -----: | -----: | -----: | "
                        "----: | ------------------------ | -----: | -----: "
                        "| ----: |");
        break;
      case SECTION_DEVICE:
        puts ("\n## Calls on the GPU, pixels there before and after, "
              "microseconds\n");
        puts (CASE_HEAD "| nodes |  median |   least | spread |   floor | "
                        "share | peer |  median | times |");
        puts (CASE_LINE "| ----: | ------: | ------: | -----: | ------: | "
                        "----: | ---- | ------: | ----: |");
        break;
      default:
        puts ("\n## From host memory to host memory, milliseconds\n");
        puts (CASE_HEAD "| on   | threads |  median |   least | spread |    "
                        "read | operate |   write |   floor |");
        puts (CASE_LINE "| ---- | ------: | ------: | ------: | -----: | "
                        "------: | ------: | ------: | ------: |");
        break;
    }
  fflush (stdout);
}

static void
print_case (const Case *c)
{
  const IsoluxImage         image = case_source_image (c);
  static const gchar *const colors[] = { "", "gray", "gray-a", "rgb", "rgba" };
  gchar                     text[32];

  g_snprintf (text, sizeof text, "%s %s%s%s", colors[image.components],
              type_names[c->type], c->layout == LAYOUT_PLAIN ? "" : " ",
              c->layout == LAYOUT_PLAIN ? "" : layout_names[c->layout]);
  printf ("| %-14s | %-13s | %-7s | %-8s ", c->operation->name, text,
          c->size.name, data_names[c->data]);
}

static gdouble
spread_of (const Times *t)
{
  return t->median > 0.0 ? 100.0 * (t->high - t->low) / t->median : 0.0;
}

static void
print_number (gdouble v, gint width, gint decimals, const gchar *unit)
{
  if (isnan (v))
    printf ("| %*s ", width, "-");
  else
    printf ("| %*.*f%s ", width - (gint) strlen (unit), decimals, v, unit);
}

static void
print_cpu (const Row *row)
{
  const Times *t = &row->times, *p = &row->peer_times;

  printf ("| %7d ", row->threads);
  print_number (t->median, 6, 2, "");
  print_number (t->least, 6, 2, "");
  print_number (spread_of (t), 6, 0, "%");
  print_number (row->floor, 6, 2, "");
  print_number (100.0 * row->floor / t->median, 5, 0, "%");
  printf ("| %-24s ", row->peer && p->n ? row->peer : "-");
  print_number (p->n ? p->median : NAN, 6, p->median < 1000.0 ? 2 : 0, "");
  print_number (p->n ? p->least : NAN, 6, p->least < 1000.0 ? 2 : 0, "");
  /* of the least ones: less depends on what else the machine does */
  print_number (p->n ? p->least / t->least : NAN, 5, 1, "");
}

static void
print_device (const Row *row)
{
  const Times *t = &row->times;

  printf ("| %5u ", row->launches);
  print_number (t->median * 1000.0, 7, 1, "");
  print_number (t->least * 1000.0, 7, 1, "");
  print_number (spread_of (t), 6, 1, "%");
  print_number (row->floor * 1000.0, 7, 1, "");
  print_number (100.0 * row->floor / t->median, 5, 0, "%");
  printf ("| %-4s ", row->peer ? row->peer : "-");
  print_number (row->peer ? row->peer_times.median * 1000.0 : NAN, 7, 1, "");
  print_number (row->peer ? row->peer_times.median / t->median : NAN, 5, 1, "");
}

static void
print_rows (const Row *row)
{
  const Times *t = &row->times;

  printf ("| %-4s | %7d ", row->where, row->threads);
  print_number (t->median, 7, 2, "");
  print_number (t->least, 7, 2, "");
  print_number (spread_of (t), 6, 0, "%");
  for (gint i = 0; i < 3; i++)
    print_number (row->parts[i], 7, 2, "");
  print_number (row->floor, 7, 2, "");
}

void
report_row (const Row *row)
{
  report_section (row->section);
  print_case (&row->c);
  if (row->section == SECTION_CPU)
    print_cpu (row);
  else if (row->section == SECTION_DEVICE)
    print_device (row);
  else
    print_rows (row);
  puts ("|");
  fflush (stdout);
}

/* ---- JSON --------------------------------------------------------------- */

static void
json_text (GString *out, const gchar *text)
{
  g_string_append_c (out, '"');
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (out, "\\%c", *text);
    else if (*text == '\n')
      g_string_append (out, "\\n");
    else if ((guchar) *text >= 0x20)
      g_string_append_c (out, *text);
  g_string_append_c (out, '"');
}

static void
json_number (GString *out, const gchar *name, gdouble v)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (v))
    g_string_append_printf (out, ", \"%s\": %s", name,
                            g_ascii_formatd (text, sizeof text, "%.6g", v));
  else
    g_string_append_printf (out, ", \"%s\": null", name);
}

static void
json_times (GString *out, const gchar *prefix, const Times *t)
{
  const gdouble      values[] = { t->n, t->median, t->least, t->low, t->high };
  static const char *names[] = { "n", "median", "least", "q1", "q3" };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      gchar *name = g_strconcat (prefix, names[i], NULL);

      json_number (out, name, values[i]);
      g_free (name);
    }
}

static void
json_row (GString *out, const Row *row)
{
  const IsoluxImage image = case_source_image (&row->c);

  g_string_append (out, "  {\"section\": ");
  json_text (out, section_names[row->section]);
  g_string_append (out, ", \"operation\": ");
  json_text (out, row->c.operation->name);
  g_string_append (out, ", \"type\": ");
  json_text (out, type_names[row->c.type]);
  g_string_append (out, ", \"data\": ");
  json_text (out, data_names[row->c.data]);
  g_string_append (out, ", \"layout\": ");
  json_text (out, layout_names[row->c.layout]);
  g_string_append (out, ", \"on\": ");
  json_text (out, row->where);
  json_number (out, "width", (gdouble) image.width);
  json_number (out, "height", (gdouble) image.height);
  json_number (out, "components", image.components);
  json_number (out, "threads", row->threads);
  json_times (out, "", &row->times);
  json_number (out, "floor", row->floor);
  if (row->section == SECTION_DEVICE)
    json_number (out, "nodes", row->launches);
  if (row->section == SECTION_ROWS)
    {
      json_number (out, "read", row->parts[0]);
      json_number (out, "operate", row->parts[1]);
      json_number (out, "write", row->parts[2]);
    }
  if (row->peer && row->peer_times.n)
    {
      g_string_append (out, ", \"peer\": ");
      json_text (out, row->peer);
      json_times (out, "peer_", &row->peer_times);
    }
  g_string_append_c (out, '}');
}

/* The cells of a row of a table in Markdown. */
static void
json_cells (GString *out, const gchar *line)
{
  gchar **cells = g_strsplit (line, "|", 0);

  g_string_append (out, "  [");
  for (gint i = 1; cells[i] && cells[i + 1]; i++)
    {
      if (i > 1)
        g_string_append (out, ", ");
      json_text (out, g_strstrip (cells[i]));
    }
  g_string_append_c (out, ']');
  g_strfreev (cells);
}

static void
json_tables (GString *out, const gchar *tables)
{
  gchar      **lines = g_strsplit (tables ? tables : "", "\n", 0);
  const gchar *comma = "";

  g_string_append (out, ",\n \"end to end\": [\n");
  for (gint i = 0; lines[i]; i++)
    if (lines[i][0] == '|' && ! g_str_has_prefix (lines[i], "| --"))
      {
        g_string_append (out, comma);
        json_cells (out, lines[i]);
        comma = ",\n";
      }
  g_string_append (out, "\n ]");
  g_strfreev (lines);
}

gboolean
report_json (const gchar        *path,
             const gchar *const *head,
             const GArray       *rows,
             const gchar        *tables,
             GError            **error)
{
  GString *out = g_string_new ("{\n");
  gboolean success;

  for (; head[0]; head += 2)
    {
      g_string_append (out, " ");
      json_text (out, head[0]);
      g_string_append (out, ": ");
      json_text (out, head[1]);
      g_string_append (out, ",\n");
    }
  g_string_append (out, " \"unit\": \"ms\",\n \"rows\": [\n");
  for (guint i = 0; i < rows->len; i++)
    {
      json_row (out, &g_array_index (rows, Row, i));
      g_string_append (out, i + 1 < rows->len ? ",\n" : "\n");
    }
  g_string_append (out, " ]");
  json_tables (out, tables);
  g_string_append (out, "\n}\n");
  success = g_file_set_contents (path, out->str, (gssize) out->len, error);
  g_string_free (out, TRUE);
  return success;
}
