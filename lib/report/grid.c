/* SPDX-License-Identifier: MIT */
/*
 * grid.c - tables and forms of the page
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/shown_texts.h"

/* Rows of a table that says nothing of how many it has. */
#define MOST_ROWS 500

/* Cells ---------------------------------------------------------------------------------------- */

/* What a script sorts by. */
static void put_key(struct html *h, const struct jfrec_cell *c)
{
	if (c->kind == JFREC_KIND_INT || c->kind == JFREC_KIND_BOOL)
		html_putf(h, " data-v=\"%" PRId64 "\"", c->i);
	else if (c->kind == JFREC_KIND_FLOAT && isfinite(c->d))
		html_putf(h, " data-v=\"%.9g\"", c->d);
}

static void put_value(struct html *h, struct jfrec_answer *t, const struct table_info *info,
		      size_t row, unsigned column)
{
	struct cell_spot spot;
	const char *text;
	size_t len;

	cell_spot_init(&spot, t, info, row, column);
	text = table_cell_text(t, row, column, &len);
	if (text)
		html_put_text_at(h, &spot.spot, text, len);
}

static void put_cell(struct html *h, struct jfrec_answer *t, const struct table_info *info,
		     size_t row, unsigned column)
{
	struct jfrec_cell c = jfrec_answer_cell(t, row, column);
	bool is_text = jfrec_answer_column_get(t, column)->kind == JFREC_KIND_STRING;

	html_put(h, is_text ? "<td class=\"l\"" : "<td");
	put_key(h, &c);
	html_put(h, ">");
	put_value(h, t, info, row, column);
}

static void put_header(struct html *h, struct jfrec_answer *t)
{
	html_put(h, "<thead><tr>");
	for (size_t i = 0; i < jfrec_answer_column_count(t); i++) {
		const struct jfrec_answer_column *c = jfrec_answer_column_get(t, i);

		html_put(h, c->kind == JFREC_KIND_STRING ? "<th scope=\"col\" class=\"l\">"
							  : "<th scope=\"col\">");
		markup_put_text(h->out, c->label);
		html_put(h, "</th>");
	}
	html_put(h, "</tr></thead><tbody>\n");
}

/* When the event of a row began, by which a script hides it; of the first column with a time. */
static void put_row_time(struct html *h, struct jfrec_answer *t, size_t row)
{
	for (unsigned i = 0; i < jfrec_answer_column_count(t); i++) {
		struct jfrec_cell c = jfrec_answer_cell(t, row, i);

		if (jfrec_answer_column_get(t, i)->kind != JFREC_KIND_TIME ||
		    c.kind != JFREC_KIND_INT)
			continue;
		html_putf(h, " data-at=\"%.3f\"", (double)c.i / 1e6);
		return;
	}
}

static void put_rows(struct html *h, struct jfrec_answer *t, const struct table_info *info,
		     const char *title, size_t jvm)
{
	size_t rows = jfrec_answer_row_count(t), shown = rows < MOST_ROWS ? rows : MOST_ROWS;

	html_put(h, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
	markup_put_text(h->out, title);
	if (report_jvms(h->report) > 1) {
		html_put(h, ", ");
		html_put_text(h, report_jvm_label(h->report, jvm));
	}
	html_put(h, "\"><table class=\"grid\">");
	put_header(h, t);
	for (size_t row = 0; row < shown; row++) {
		html_put(h, "<tr");
		put_row_time(h, t, row);
		html_put(h, ">");
		for (unsigned i = 0; i < jfrec_answer_column_count(t); i++)
			put_cell(h, t, info, row, i);
		html_put(h, "\n");
	}
	html_put(h, "</tbody></table></div>\n");
	if (shown < rows)
		html_putf(h, "<p class=\"soft\">The first %zu of %zu rows.</p>\n", shown, rows);
}

static void put_form(struct html *h, struct jfrec_answer *t, const struct table_info *info)
{
	html_put(h, "<dl class=\"form\">\n");
	for (unsigned i = 0; i < jfrec_answer_column_count(t); i++) {
		html_put(h, "<div><dt>");
		markup_put_text(h->out, jfrec_answer_column_get(t, i)->label);
		html_put(h, "</dt><dd>");
		put_value(h, t, info, 0, i);
		html_put(h, "</dd></div>\n");
	}
	html_put(h, "</dl>\n");
}

/* Sections ------------------------------------------------------------------------------------- */

/* The tables of later JVMs have their number in their ids. */
static void put_id(struct html *h, const struct table_info *info, size_t jvm)
{
	html_putf(h, " id=\"t-%s", info->view);
	if (jvm)
		html_putf(h, "-%zu", jvm + 1);
	html_put(h, "\">");
}

static void put_table(struct html *h, struct jfrec_answer *t, const struct table_info *info,
		      size_t jvm)
{
	const char *title = report_table_title(h->report, info);

	table_for_people(t, h->report->options.zone, h->report->options.zone_ctx);
	if (info->is_long) {
		html_put(h, "<details class=\"table\"");
		put_id(h, info, jvm);
		html_put(h, "<summary>");
		html_put_heading(h, title, jvm);
		if (!jfrec_answer_is_form(t))
			html_putf(h, " (%zu)", jfrec_answer_row_count(t));
		html_put(h, "</summary>\n");
	} else {
		html_put(h, "<h3");
		put_id(h, info, jvm);
		html_put_heading(h, title, jvm);
		html_put(h, "</h3>\n");
	}
	if (jfrec_answer_is_form(t))
		put_form(h, t, info);
	else
		put_rows(h, t, info, title, jvm);
	if (info->is_long)
		html_put(h, "</details>\n");
}

/* Was that reason given already, for a table before? Tables of one event share theirs. */
static bool was_said(struct jfrec_report *r, size_t jvm, size_t table)
{
	const struct table_info *info = &table_infos[table];
	const char *why;

	for (size_t i = 0; i < table; i++) {
		if (table_infos[i].section == info->section && table_infos[i].event &&
		    info->event && strcmp(table_infos[i].event, info->event) == 0 &&
		    !report_table(r, jvm, i, &why) && why)
			return true;
	}
	return false;
}

static void put_reasons(struct html *h, enum section section)
{
	struct reasons list = { .h = h };

	for (size_t i = 0; i < table_count; i++) {
		const char *why[REPORT_JVMS];

		if (table_infos[i].section != section)
			continue;
		for (size_t jvm = 0; jvm < report_jvms(h->report); jvm++) {
			if (report_table(h->report, jvm, i, &why[jvm]) ||
			    was_said(h->report, jvm, i))
				why[jvm] = NULL;
		}
		html_put_reasons(&list, report_table_title(h->report, &table_infos[i]), why);
	}
	html_end_reasons(&list);
}

void html_put_tables(struct html *h, enum section section)
{
	const char *why;

	for (size_t i = 0; i < table_count; i++) {
		for (size_t jvm = 0; jvm < report_jvms(h->report); jvm++) {
			struct jfrec_answer *t = table_infos[i].section == section
							? report_table(h->report, jvm, i, &why)
							: NULL;

			if (t)
				put_table(h, t, &table_infos[i], jvm);
		}
	}
	put_reasons(h, section);
}
