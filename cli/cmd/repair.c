/* SPDX-License-Identifier: MIT */
/*
 * repair.c - jfrec repair: make a valid recording from a damaged one
 */
#include <inttypes.h>

#include "base/human.h"
#include "base/progress.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"

struct options {
	struct output_opts to;
	bool json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP(output_rows, struct options, to),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG('j', "json", "print a report as one JSON document", struct options, json),
	{ 0 },
};
/* clang-format on */

/* Bytes that were promised or there, and are not in the output. */
static uint64_t lost_bytes(void)
{
	uint64_t lost = 0;
	json_t *p;
	size_t i;

	json_array_foreach(envelope_damage(), i, p)
	{
		if (json_is_true(json_object_get(p, "damage")))
			lost += (uint64_t)json_integer_value(json_object_get(p, "lost"));
	}
	return lost;
}

/* What is damaged, and yet costs no bytes, is metadata or a header that others stand in for. */
static bool is_damaged(void)
{
	json_t *p;
	size_t i;

	json_array_foreach(envelope_damage(), i, p)
	{
		if (json_is_true(json_object_get(p, "damage")))
			return true;
	}
	return false;
}

static uint64_t filter_report_events(const struct jfrec_repaired *repair)
{
	uint64_t n = 0;

	for (size_t i = 0; i < jfrec_repaired_row_count(repair); i++)
		n += jfrec_repaired_row_get(repair, i)->kept;
	return n;
}

static size_t lost_chunks(const struct jfrec_repaired *repair)
{
	size_t n = 0;

	for (size_t i = 0; i < jfrec_repaired_chunk_count(repair); i++)
		n += jfrec_repaired_chunk_get(repair, i)->fate == JFREC_LOST;
	return n;
}

/* JSON ----------------------------------------------------------------------------------------- */

static const char *fate_name(enum jfrec_fate fate)
{
	static const char *const names[] = {
		[JFREC_COPIED] = "copied",
		[JFREC_COMPLETED] = "completed",
		[JFREC_REWRITTEN] = "rewritten",
		[JFREC_LOST] = "lost",
	};

	return names[fate];
}

static json_t *time_json(bool is_known, int64_t ns)
{
	char text[40];

	return is_known ? json_string(iso_time(text, sizeof(text), ns)) : json_null();
}

/* A key and its value are a line. */
/* clang-format off */
static json_t *chunk_json(const struct jfrec_repaired_chunk *c)
{
	return json_pack("{s:o, s:I, s:I, s:I, s:s, s:o, s:o, s:I, s:o, s:o}",
			 "input", text_json(c->input),
			 "offset", (json_int_t)c->info.offset,
			 "size", (json_int_t)c->info.size,
			 "promisedSize", (json_int_t)c->promised,
			 "fate", fate_name(c->fate),
			 "start", time_json(true, c->info.start_ns),
			 "end", time_json(true, c->info.start_ns + c->info.duration_ns),
			 "events", (json_int_t)c->events,
			 "first", time_json(c->events, c->first_ns),
			 "last", time_json(c->events, c->last_ns));
}

static json_t *row_json(const struct jfrec_edit_row *row)
{
	return json_pack("{s:o, s:I, s:I, s:I}",
			 "name", text_json(row->name),
			 "events", (json_int_t)row->kept,
			 "bytes", (json_int_t)row->kept_bytes,
			 "unreadable", (json_int_t)row->unreadable);
}

static json_t *report_json(const struct options *s, const struct jfrec_repaired *repair)
{
	json_t *chunks = json_array(), *types = json_array();

	for (size_t i = 0; i < jfrec_repaired_chunk_count(repair); i++)
		json_array_append_new(chunks, chunk_json(jfrec_repaired_chunk_get(repair, i)));
	for (size_t i = 0; i < jfrec_repaired_row_count(repair); i++)
		json_array_append_new(types, row_json(jfrec_repaired_row_get(repair, i)));
	return json_pack("{s:o, s:I, s:I, s:I, s:o, s:o}",
			 "output", text_json(s->to.path),
			 "bytes", (json_int_t)jfrec_output_size(s->to.output),
			 "events", (json_int_t)filter_report_events(repair),
			 "lostBytes", (json_int_t)lost_bytes(),
			 "chunks", chunks,
			 "types", types);
}
/* clang-format on */

/* Text ----------------------------------------------------------------------------------------- */

static void print_unreadable(FILE *to, const struct jfrec_repaired *repair)
{
	for (size_t i = 0; i < jfrec_repaired_row_count(repair); i++) {
		const struct jfrec_edit_row *row = jfrec_repaired_row_get(repair, i);

		if (!row->unreadable)
			continue;
		fprintf(to, "  %" PRIu64 " events of type ", row->unreadable);
		if (to == stdout)
			print_name(row->name);
		else
			fputs(row->name, to);
		fputs(" could not be read\n", to);
	}
}

/* The time that a chunk should cover, but no event does any more. */
static void print_span(FILE *to, const struct jfrec_repaired_chunk *c)
{
	int64_t end_ns = c->info.start_ns + c->info.duration_ns;
	char from[40], until[40];

	if (c->fate != JFREC_LOST && c->promised <= c->info.size)
		return;
	if (!c->events)
		fprintf(to, "  nothing could be recovered from %s to %s\n",
			iso_time(from, sizeof(from), c->info.start_ns),
			iso_time(until, sizeof(until), end_ns));
	else if (c->last_ns < end_ns)
		fprintf(to, "  of %s to %s, events up to %s were recovered\n",
			iso_time(from, sizeof(from), c->info.start_ns),
			iso_time(until, sizeof(until), end_ns),
			iso_time((char[40]){ 0 }, 40, c->last_ns));
}

static int print_text(const struct options *s, const struct jfrec_repaired *repair)
{
	FILE *to = output_opts_results(&s->to);
	char size[HUMAN_MAX], lost[HUMAN_MAX];
	uint64_t lost_n = lost_bytes();

	fprintf(to, "%s: %zu of %zu chunks, %" PRIu64 " events, %s; %s%s\n", s->to.path,
		jfrec_repaired_chunk_count(repair) - lost_chunks(repair),
		jfrec_repaired_chunk_count(repair), filter_report_events(repair),
		human_bytes(size, (double)jfrec_output_size(s->to.output)),
		lost_n ? human_bytes(lost, (double)lost_n) : "",
		lost_n ? " are lost"
		: is_damaged()
			? "no event is known to be lost, but parts were replaced or could not be read"
			: "nothing is lost");
	for (size_t i = 0; i < jfrec_repaired_chunk_count(repair); i++)
		print_span(to, jfrec_repaired_chunk_get(repair, i));
	print_unreadable(to, repair);
	return finish_stdout();
}

/* The command ---------------------------------------------------------------------------------- */

static int repair_into(struct options *s, struct jfrec_reader *r)
{
	struct jfrec_error err;
	struct jfrec_repaired *repair = jfrec_write_repaired(r, s->to.output, &err);
	int status;

	progress_end();
	status = repair ? output_opts_commit(&s->to) : output_opts_failure(&s->to, r, &err);
	if (status == EXIT_DONE && repair)
		status = s->json ? print_document("repair", report_json(s, repair))
				 : print_text(s, repair);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_repaired_free(repair);
	return status;
}

static int repair(struct options *s, char *const *paths, int count)
{
	struct jfrec_reader *r;
	int status = EXIT_FAILED;

	confine_writes(s->to.path);
	r = rescue_recordings(paths, count);
	if (r && output_opts_open(&s->to) == EXIT_DONE) {
		envelope_read(r, paths, count);
		progress_begin_writing(r);
		status = repair_into(s, r);
	}
	output_opts_close(&s->to);
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options s = { 0 };

	if (!opt_parse(&p, &s))
		return p.status;
	if (!has_operands(self, &p, "the recording to repair") ||
	    output_opts_check(&s.to, self, s.json) != EXIT_DONE)
		return EXIT_USAGE;
	return repair(&s, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_repair = {
	.name = "repair",
	.args = "RECORDING... -o FILE",
	.examples = "  jfrec repair crashed.jfr -o whole.jfr\n"
		    "  jfrec repair --json crashed.jfr -o whole.jfr\n",
	.summary = "make a valid recording from a damaged one",
	.about =
		"Recover all readable events of a recording that was truncated, overwritten in\n"
		"part, or never finished by its JVM, and write a recording that every tool reads.\n"
		"The input is never changed.",
	.opts = opts,
	.run = run,
};
