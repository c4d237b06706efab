/* SPDX-License-Identifier: MIT */
/*
 * cmd_filter.c - jfrec filter: a recording of some of another one's events
 */
#include <inttypes.h>
#include <string.h>

#include "choice.h"
#include "progress.h"
#include "writing.h"

static const struct opt opts[] = {
	CHOICE_OPTS,
	SCRUB_OPTS,
	WRITING_OPTS,
	{ 'j', "json", NULL, "print one JSON object: what was kept and removed" },
	{ 0 },
};

struct settings {
	struct choice choice;
	struct writing to;
	bool json;
};

/* All types together. */
static struct jfrec_edit_row total_of(const struct jfrec_filtered *f)
{
	struct jfrec_edit_row total = { .name = "total" };

	for (size_t i = 0; i < f->row_count; i++) {
		total.kept += f->rows[i].kept;
		total.kept_bytes += f->rows[i].kept_bytes;
		total.dropped += f->rows[i].dropped;
		total.dropped_bytes += f->rows[i].dropped_bytes;
		total.unreadable += f->rows[i].unreadable;
	}
	return total;
}

/* JSON ----------------------------------------------------------------------------------------- */

/* A key and its value are a line. */
/* clang-format off */
static json_t *row_json(const struct jfrec_edit_row *row)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}",
			 "name", row->name,
			 "events", (json_int_t)row->kept,
			 "bytes", (json_int_t)row->kept_bytes,
			 "removedEvents", (json_int_t)row->dropped,
			 "removedBytes", (json_int_t)row->dropped_bytes,
			 "unreadable", (json_int_t)row->unreadable);
}

static json_t *report_json(const struct settings *s, const struct jfrec_filtered *f)
{
	struct jfrec_edit_row total = total_of(f);
	json_t *types = json_array();

	for (size_t i = 0; i < f->row_count; i++)
		json_array_append_new(types, row_json(&f->rows[i]));
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:o}",
			 "output", s->to.path,
			 "bytes", (json_int_t)jfrec_output_size(s->to.output),
			 "chunks", (json_int_t)f->chunks_kept,
			 "removedChunks", (json_int_t)f->chunks_removed,
			 "events", (json_int_t)total.kept,
			 "removedEvents", (json_int_t)total.dropped,
			 "types", types);
}
/* clang-format on */

/* Text ----------------------------------------------------------------------------------------- */

static void print_row(FILE *to, const struct jfrec_edit_row *row)
{
	char kept[32], dropped[32];

	fprintf(to, "%11" PRIu64 " %10s %11" PRIu64 " %10s  ", row->kept,
		size_text(kept, sizeof(kept), row->kept_bytes), row->dropped,
		size_text(dropped, sizeof(dropped), row->dropped_bytes));
	if (to == stdout)
		print_name(row->name);
	else
		fputs(row->name, to);
	if (row->unreadable)
		fprintf(to, "; %" PRIu64 " unreadable", row->unreadable);
	fputc('\n', to);
}

static int print_text(const struct settings *s, const struct jfrec_filtered *f)
{
	FILE *to = writing_results(&s->to);
	struct jfrec_edit_row total = total_of(f);
	char size[32];

	fprintf(to,
		"%s: %" PRIu64 " of %" PRIu64 " events, %" PRIu64 " of %" PRIu64 " chunks, %s\n",
		s->to.path, total.kept, total.kept + total.dropped + total.unreadable,
		f->chunks_kept, f->chunks_kept + f->chunks_removed,
		size_text(size, sizeof(size), jfrec_output_size(s->to.output)));
	if (f->row_count == 0)
		return finish_stdout();
	fputs("\n       kept       size     removed       size  event type\n", to);
	for (size_t i = 0; i < f->row_count; i++)
		print_row(to, &f->rows[i]);
	print_row(to, &total);
	return finish_stdout();
}

/* ---------------------------------------------------------------------------------------------- */

static int failure(const struct settings *s, const struct command *self,
		   const struct jfrec_reader *r, const struct jfrec_error *err)
{
	if (err->code == JFREC_EEXPRESSION)
		return choice_failure(&s->choice, self, r, err);
	return writing_failure(&s->to, r, err);
}

static int filter_into(const struct command *self, struct settings *s, struct jfrec_reader *r)
{
	struct jfrec_filtered *f;
	struct jfrec_error err;
	int status;

	f = jfrec_write_filtered(r, s->choice.from_ns, s->choice.to_ns, s->to.output, &err);
	progress_end();
	status = f ? writing_commit(&s->to) : failure(s, self, r, &err);
	if (status == EXIT_DONE && f)
		status = s->json ? print_json(report_json(s, f)) : print_text(s, f);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_filtered_free(f);
	return status;
}

static int filter(const struct command *self, struct settings *s, char *const *paths, int count)
{
	struct jfrec_reader *r = open_recordings(paths, count);
	struct jfrec_error err;
	int status = EXIT_FAILED;

	if (r && choice_make(&s->choice, r, &err) < 0) {
		status = choice_failure(&s->choice, self, r, &err);
	} else if (r && writing_open(&s->to) == EXIT_DONE) {
		progress_begin_writing(r);
		status = filter_into(self, s, r);
	}
	writing_close(&s->to);
	jfrec_reader_close(r);
	return status;
}

/* Keep an option, whosever it is.  As choice_take_option(). */
static int take_option(struct settings *s, const struct command *self, int letter,
		       const char *value)
{
	int taken = choice_take_option(&s->choice, self, letter, value);

	return taken ? taken : writing_take_option(&s->to, self, letter, value);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = "filter", .opts = opts, .argc = argc, .argv = argv };
	struct settings s = { 0 };
	int letter;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (letter == 'j')
			s.json = true;
		else if (take_option(&s, self, letter, p.value) <= 0)
			return EXIT_USAGE;
	}
	if (!has_operands(self, &p, "the recording to filter") ||
	    writing_check(&s.to, self, s.json) != EXIT_DONE)
		return EXIT_USAGE;
	return filter(self, &s, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_filter = {
	.name = "filter",
	.args = "RECORDING... -o FILE",
	.summary = "write a recording of some of another one's events",
	.about = "Write a recording of the events that pass all filters, with the constants they\n"
		 "refer to and nothing else. Says what was kept and removed of each event type.\n"
		 "The input is never changed.\n"
		 "\n"
		 "A FILTER is a list of names parted by commas, in which * stands for any text\n"
		 "and ? for one character. jfrec-where(7) describes what EXPR can be.",
	.opts = opts,
	.run = run,
};
