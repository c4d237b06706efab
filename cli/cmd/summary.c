/* SPDX-License-Identifier: MIT */
/*
 * summary.c - jfrec summary: count the events of each type
 */
#include <inttypes.h>
#include <string.h>

#include "base/beside.h"
#include "base/human.h"
#include "base/report.h"
#include "opts/jobs_opts.h"
#include "recording/open_recordings.h"

/* The narrowest column of names. */
#define MIN_NAME_WIDTH 11

struct options {
	bool json, counts;
};

static const struct opt opts[] = {
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG(0, "counts", "only types that have events, without sizes", struct options, counts),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	{ 0 },
};

static int64_t total_duration(const struct jfrec_summary *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < jfrec_summary_chunk_count(s); i++)
		sum += (uint64_t)jfrec_summary_chunk_get(s, i)->duration_ns;
	return (int64_t)sum;
}

static int print_text(const struct jfrec_summary *s)
{
	const struct jfrec_chunk_info *first = jfrec_summary_chunk_get(s, 0);
	int64_t duration = total_duration(s);
	int width =
		(int)(jfrec_summary_longest_name(s) > MIN_NAME_WIDTH ? jfrec_summary_longest_name(s)
								     : MIN_NAME_WIDTH);
	char date[HUMAN_MAX];

	printf("\n Version: %u.%u\n Chunks: %zu\n Start: %s (UTC)\n Duration: %" PRId64 " s\n\n",
	       first->major, first->minor, jfrec_summary_chunk_count(s),
	       human_time(date, first->start_ns, 0),
	       (duration + 500000000) / 1000000000);
	printf("%-*s      Count  Size (bytes) \n", width, " Event Type");
	for (int i = 0; i < width + 26; i++)
		putchar('=');
	putchar('\n');
	for (size_t i = 0; i < jfrec_summary_type_count(s); i++) {
		const struct jfrec_type_summary *t = jfrec_summary_type_get(s, i);
		int padding = width > (int)t->name_width ? width - (int)t->name_width : 0;

		putchar(' ');
		print_name(t->name);
		printf("%*s%10" PRIu64 "  %12" PRIu64 "\n", padding, "", t->count, t->bytes);
	}
	return finish_stdout();
}

static const char *state_name(enum jfrec_chunk_state state)
{
	return state == JFREC_FINISHED	  ? "finished"
	       : state == JFREC_TRUNCATED ? "truncated"
					  : "unfinished";
}

/* A key and its value are a line. */
/* clang-format off */
static json_t *chunk_json(const struct jfrec_chunk_info *c)
{
	char start[40];

	return json_pack("{s:I, s:I, s:o, s:s, s:I, s:I, s:I, s:s, s:b}",
			 "offset", (json_int_t)c->offset,
			 "size", (json_int_t)c->size,
			 "version", json_sprintf("%u.%u", c->major, c->minor),
			 "start", iso_time(start, sizeof(start), c->start_ns),
			 "startNanos", (json_int_t)c->start_ns,
			 "durationNanos", (json_int_t)c->duration_ns,
			 "ticksPerSecond", (json_int_t)c->ticks_per_second,
			 "state", state_name(c->state),
			 "final", c->final);
}

/* The time of an event, or null where there was none. */
static json_t *time_json(const struct jfrec_type_summary *t, int64_t ns)
{
	char text[40];

	return t->count ? json_string(iso_time(text, sizeof(text), ns)) : json_null();
}

static json_t *type_json(const struct jfrec_type_summary *t)
{
	return json_pack("{s:I, s:o, s:o, s:I, s:I, s:o, s:o}",
			 "id", (json_int_t)t->id,
			 "name", text_json(t->name),
			 "label", text_json(t->label),
			 "count", (json_int_t)t->count,
			 "bytes", (json_int_t)t->bytes,
			 "first", time_json(t, t->first_ns),
			 "last", time_json(t, t->last_ns));
}

static json_t *summary_json(const struct jfrec_summary *s)
{
	const struct jfrec_chunk_info *first = jfrec_summary_chunk_get(s, 0);
	json_t *chunks = json_array(), *types = json_array();
	char start[40];

	for (size_t i = 0; i < jfrec_summary_chunk_count(s); i++)
		json_array_append_new(chunks, chunk_json(jfrec_summary_chunk_get(s, i)));
	for (size_t i = 0; i < jfrec_summary_type_count(s); i++)
		json_array_append_new(types, type_json(jfrec_summary_type_get(s, i)));
	return json_pack("{s:o, s:s, s:I, s:I, s:o, s:o}",
			 "formatVersion", json_sprintf("%u.%u", first->major, first->minor),
			 "start", iso_time(start, sizeof(start), first->start_ns),
			 "startNanos", (json_int_t)first->start_ns,
			 "durationNanos", (json_int_t)total_duration(s),
			 "chunks", chunks,
			 "types", types);
}

/* clang-format on */

/* Counts --------------------------------------------------------------------------------------- */

/* What the recording stores about itself are no events that anybody recorded. */
static bool is_counted(const struct jfrec_type_summary *t)
{
	return t->count && strcmp(t->name, "jdk.Metadata") != 0 &&
	       strcmp(t->name, "jdk.Checkpoint") != 0;
}

static int print_counts(const struct jfrec_summary *s)
{
	char date[HUMAN_MAX];

	printf("Start: %s (UTC)\nDuration: %" PRId64 " s\n\n     Count  Event Type\n",
	       human_time(date, jfrec_summary_chunk_get(s, 0)->start_ns, 0),
	       (total_duration(s) + 500000000) / 1000000000);
	for (size_t i = 0; i < jfrec_summary_type_count(s); i++) {
		const struct jfrec_type_summary *t = jfrec_summary_type_get(s, i);

		if (!is_counted(t))
			continue;
		printf("%10" PRIu64 "  ", t->count);
		print_name(t->name);
		putchar('\n');
	}
	return finish_stdout();
}

static json_t *counts_json(const struct jfrec_summary *s)
{
	const struct jfrec_chunk_info *first = jfrec_summary_chunk_get(s, 0);
	json_t *types = json_array(), *type;
	char start[40];

	for (size_t i = 0; i < jfrec_summary_type_count(s); i++) {
		if (!is_counted(jfrec_summary_type_get(s, i)))
			continue;
		type = type_json(jfrec_summary_type_get(s, i));
		json_object_del(type, "bytes");
		json_array_append_new(types, type);
	}
	return json_pack("{s:s, s:I, s:I, s:o}", "start",
			 iso_time(start, sizeof(start), first->start_ns), "startNanos",
			 (json_int_t)first->start_ns, "durationNanos",
			 (json_int_t)total_duration(s), "types", types);
}

/* ---------------------------------------------------------------------------------------------- */

static int print_json_of(const struct options *o, const struct jfrec_summary *s)
{
	return o->counts ? print_document("counts", counts_json(s))
			 : print_document("summary", summary_json(s));
}

static int print(const struct options *o, const struct jfrec_summary *s)
{
	int status;

	if (o->json)
		return print_json_of(o, s);
	status = o->counts ? print_counts(s) : print_text(s);
	if (status == EXIT_DONE && beside_begin()) {
		status = print_json_of(o, s);
		beside_end();
	}
	return status;
}

static int summarize(const struct options *o, char *const *paths, int count)
{
	struct jfrec_reader *r = open_confined(CONFINE_READING, paths, count);
	struct jfrec_summary *s = NULL;
	struct jfrec_error err;
	int status;

	if (!r)
		return EXIT_FAILED;
	if (o->json || beside_is_wanted())
		envelope_read(r, paths, count);
	jobs_use(r);
	tell_overlaps(r);
	s = jfrec_summarize(r, !o->json && !o->counts, &err);
	if (!s)
		status = report_failure(r, &err);
	else
		status = print(o, s);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_summary_free(s);
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };

	if (!opt_parse(&p, &o))
		return p.status;
	if (!has_operands(self, &p, "the recording to count"))
		return EXIT_USAGE;
	return summarize(&o, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_summary = {
	.name = "summary",
	.args = "RECORDING...",
	.examples = "  jfrec summary app.jfr\n"
		    "  jfrec summary --json app.jfr\n",
	.summary = "count the events of each type",
	.about =
		"Print the number and the size of the events of each type, exactly as\n"
		"`jfr summary` of JDK 25 does.",
	.opts = opts,
	.run = run,
};
