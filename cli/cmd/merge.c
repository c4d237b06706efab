/* SPDX-License-Identifier: MIT */
/*
 * merge.c - jfrec merge: merge recordings into one
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/human.h"
#include "base/progress.h"
#include "opts/event_opts.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"

struct options {
	struct output_opts to;
	struct jfrec_merge_options merge;
	struct event_opts select; /* of times only */
	bool json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP(output_rows, struct options, to),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(zone_rows, struct options, select),
	OPT_SIZE(0, "max-size", "SIZE", "only the newest chunks, as 500M", struct options, merge.max_size),
	OPT_DURATION(0, "max-age", "SPAN", "only chunks of the last, as 10m or 2h", struct options, merge.max_age_ns),
	OPT_FLAG(0, "compact", "combine many small chunks into few large ones", struct options, merge.compact),
	OPT_FLAG(0, "plain", "do not convert chunks of different JVMs", struct options, merge.plain),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG('j', "json", "print a report as one JSON document", struct options, json),
	{ 0 },
};
/* clang-format on */

/* Results -------------------------------------------------------------------------------------- */

/* A key and its value are a line. */
/* clang-format off */
static json_t *report_json(const struct options *s, const struct jfrec_merged *m)
{
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "output", text_json(s->to.path),
			 "bytes", (json_int_t)jfrec_output_size(s->to.output),
			 "inputBytes", (json_int_t)m->bytes,
			 "inputChunks", (json_int_t)m->chunks,
			 "chunks", (json_int_t)m->written,
			 "copied", (json_int_t)m->copied,
			 "completed", (json_int_t)m->completed,
			 "rewritten", (json_int_t)m->rewritten,
			 "packed", (json_int_t)m->packed,
			 "duplicates", (json_int_t)m->duplicates,
			 "leftOut", (json_int_t)m->left_out,
			 "jvmCount", (json_int_t)m->jvms);
}
/* clang-format on */

static void print_count(FILE *to, size_t n, const char *what)
{
	if (n)
		fprintf(to, ", %zu %s", n, what);
}

static int print_text(const struct options *s, const struct jfrec_merged *m)
{
	FILE *to = output_opts_results(&s->to);
	uint64_t size = jfrec_output_size(s->to.output);
	char out[HUMAN_MAX], in[HUMAN_MAX];

	fprintf(to, "%s: %zu chunk%s, %s", s->to.path, m->written, m->written == 1 ? "" : "s",
		human_bytes(out, (double)size));
	print_count(to, m->completed, "of them completed");
	print_count(to, m->rewritten, "of them rewritten");
	print_count(to, m->duplicates, "duplicates dropped");
	print_count(to, m->left_out, "left out");
	if (s->merge.compact)
		fprintf(to, "; %zu chunks of %s before, %.0f %% saved", m->chunks,
			human_bytes(in, (double)m->bytes),
			m->bytes ? 100 - 100 * (double)size / (double)m->bytes : 0.0);
	fputc('\n', to);
	return finish_stdout();
}

/* ---------------------------------------------------------------------------------------------- */

static int merge_into(struct options *s, struct jfrec_reader *r)
{
	struct jfrec_merged *m = NULL;
	struct jfrec_error err;
	int status;

	if (event_opts_select(&s->select, r, &err) == 0) {
		/* They are known only now: times may count from the recording's start. */
		s->merge.from_ns = s->select.from_ns;
		s->merge.to_ns = s->select.to_ns;
		m = jfrec_write_merged(r, &s->merge, s->to.output, &err);
	}
	progress_end();
	if (!m && err.code == JFREC_ENOEVENT && event_opts_found_nothing(&s->select, r, 0))
		status = EXIT_FAILED;
	else
		status = m ? output_opts_commit(&s->to) : output_opts_failure(&s->to, r, &err);
	if (status == EXIT_DONE && m)
		status = s->json ? print_document("merge", report_json(s, m)) : print_text(s, m);
	jfrec_merged_free(m);
	return status == EXIT_DONE ? report_damage(r) : status;
}

static int merge(struct options *s, char *const *paths, int count)
{
	struct jfrec_reader *r;
	int status = EXIT_FAILED;

	confine_writes(s->to.path);
	r = open_confined(CONFINE_WRITING, paths, count);
	if (r && output_opts_open(&s->to) == EXIT_DONE) {
		if (s->json)
			envelope_read(r, paths, count);
		progress_begin_writing(r);
		status = merge_into(s, r);
	}
	output_opts_close(&s->to);
	jfrec_reader_close(r);
	return status;
}

/* A pattern that nothing but that name matches.  NULL when out of memory. */
static char *quoted(const char *name)
{
	char *pattern = malloc(2 * strlen(name) + 1), *to = pattern;

	while (to && *name) {
		if (strchr("*?[]\\", *name))
			*to++ = '\\';
		*to++ = *name++;
	}
	if (to)
		*to = '\0';
	return pattern;
}

/*
 * Names with * in them that the shell left alone, be it because nothing matches
 * or because there is no shell; a file of exactly that name comes first.
 */
static int merge_globs(struct options *s, char *const *words, int count)
{
	glob_t found = { 0 };
	int status, flags = GLOB_NOCHECK;

	for (int i = 0; i < count; i++) {
		char *name = access(words[i], F_OK) == 0 ? quoted(words[i]) : NULL;
		int failed = glob(name ? name : words[i], flags, NULL, &found);

		free(name);
		if (failed)
			break;
		flags |= GLOB_APPEND;
	}
	status = merge(s, found.gl_pathv, (int)found.gl_pathc);
	globfree(&found);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options s = { .merge.struct_size = sizeof(s.merge) };
	int status;

	if (!opt_parse(&p, &s))
		return p.status;
	if (s.merge.compact && s.merge.plain)
		return report_usage(self, "--compact cannot be combined with --plain");
	if (!has_operands(self, &p, "the recordings to merge") ||
	    output_opts_check(&s.to, self, s.json) != EXIT_DONE)
		return EXIT_USAGE;
	status = event_opts_use_config(&s.select);
	if (status != EXIT_DONE)
		return status;
	return merge_globs(&s, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_merge = {
	.name = "merge",
	.args = "RECORDING... -o FILE",
	.examples = "  jfrec merge monday.jfr tuesday.jfr -o week.jfr\n"
		    "  jfrec merge chunks/ -o all.jfr\n",
	.summary = "merge recordings into one",
	.about =
		"Merge recordings, or the chunk files of a JVM's repository: sort the chunks by\n"
		"time, drop duplicates, and complete unfinished chunks.  Chunks of different JVMs\n"
		"are converted so that every tool reads them correctly.",
	.opts = opts,
	.run = run,
};
