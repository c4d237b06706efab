/* SPDX-License-Identifier: MIT */
/*
 * filter_report.c - report how many events a command kept and removed
 */
#include "base/human.h"
#include "recording/filter_report.h"

#include <inttypes.h>

struct jfrec_edit_row filter_report_total(const struct jfrec_filtered *f)
{
	struct jfrec_edit_row total = { .name = "total" };

	for (size_t i = 0; i < jfrec_filtered_row_count(f); i++) {
		total.kept += jfrec_filtered_row_get(f, i)->kept;
		total.kept_bytes += jfrec_filtered_row_get(f, i)->kept_bytes;
		total.dropped += jfrec_filtered_row_get(f, i)->dropped;
		total.dropped_bytes += jfrec_filtered_row_get(f, i)->dropped_bytes;
		total.unreadable += jfrec_filtered_row_get(f, i)->unreadable;
	}
	return total;
}

/* JSON ----------------------------------------------------------------------------------------- */

/* A key and its value are a line. */
/* clang-format off */
static json_t *row_json(const struct jfrec_edit_row *row)
{
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}",
			 "name", text_json(row->name),
			 "events", (json_int_t)row->kept,
			 "bytes", (json_int_t)row->kept_bytes,
			 "removedEvents", (json_int_t)row->dropped,
			 "removedBytes", (json_int_t)row->dropped_bytes,
			 "unreadable", (json_int_t)row->unreadable);
}

json_t *filter_report_json(const struct output_opts *w, const struct jfrec_filtered *f)
{
	struct jfrec_edit_row total = filter_report_total(f);
	json_t *types = json_array();

	for (size_t i = 0; i < jfrec_filtered_row_count(f); i++)
		json_array_append_new(types, row_json(jfrec_filtered_row_get(f, i)));
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:o}",
			 "output", text_json(w->path),
			 "bytes", (json_int_t)(w->output ? jfrec_output_size(w->output) : 0),
			 "chunks", (json_int_t)f->chunks_kept,
			 "removedChunks", (json_int_t)f->chunks_removed,
			 "events", (json_int_t)total.kept,
			 "removedEvents", (json_int_t)total.dropped,
			 "types", types);
}
/* clang-format on */

/* Text ----------------------------------------------------------------------------------------- */

void filter_report_print_name(FILE *to, const char *name)
{
	if (to == stdout)
		print_name(name);
	else
		fputs(name, to);
}

void filter_report_print_total(FILE *to, const struct output_opts *w,
			       const struct jfrec_filtered *f)
{
	struct jfrec_edit_row total = filter_report_total(f);
	char size[HUMAN_MAX];

	fprintf(to,
		"%s: %" PRIu64 " of %" PRIu64 " events, %" PRIu64 " of %" PRIu64 " chunks, %s\n",
		w->path, total.kept, total.kept + total.dropped + total.unreadable, f->chunks_kept,
		f->chunks_kept + f->chunks_removed,
		human_bytes(size, (double)jfrec_output_size(w->output)));
}

static void print_row(FILE *to, const struct jfrec_edit_row *row)
{
	char kept[HUMAN_MAX], dropped[HUMAN_MAX];

	fprintf(to, "%11" PRIu64 " %10s %11" PRIu64 " %10s  ", row->kept,
		human_bytes(kept, (double)row->kept_bytes), row->dropped,
		human_bytes(dropped, (double)row->dropped_bytes));
	filter_report_print_name(to, row->name);
	if (row->unreadable)
		fprintf(to, "; %" PRIu64 " unreadable", row->unreadable);
	fputc('\n', to);
}

void filter_report_print_types(FILE *to, const struct jfrec_filtered *f)
{
	struct jfrec_edit_row total = filter_report_total(f);

	if (jfrec_filtered_row_count(f) == 0)
		return;
	fputs("\n       kept       size     removed       size  event type\n", to);
	for (size_t i = 0; i < jfrec_filtered_row_count(f); i++)
		print_row(to, jfrec_filtered_row_get(f, i));
	print_row(to, &total);
}
