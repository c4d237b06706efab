/* SPDX-License-Identifier: MIT */
/*
 * symbolize.c - jfrec symbolize: name the frames of native programs afterwards
 */
#include <inttypes.h>

#include "base/human.h"
#include "base/progress.h"
#include "opts/jobs_opts.h"
#include "recording/filter_report.h"
#include "recording/open_recordings.h"

struct options {
	struct output_opts to;
	struct opt_list directories;
	bool no_system, json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_LIST(0, "debug-dir", "DIR", "look for debug information in DIR", struct options, directories),
	OPT_FLAG(0, "no-system", "do not look in /usr/lib/debug", struct options, no_system),
	OPT_GROUP(output_rows, struct options, to),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG('j', "json", "print one JSON document: what was found, by module", struct options, json),
	{ 0 },
};
/* clang-format on */

/* What was done -------------------------------------------------------------------------------- */

/* A key and its value are a line. */
/* clang-format off */
static json_t *module_json(const struct jfrec_symbolized_module *m)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I}",
			 "name", text_json(m->name),
			 "buildId", text_json(m->build_id),
			 "file", text_json(m->file),
			 "fault", text_json(m->fault),
			 "places", (json_int_t)m->places,
			 "nameless", (json_int_t)m->nameless,
			 "named", (json_int_t)m->named,
			 "lines", (json_int_t)m->lines);
}

static json_t *report_json(const struct options *o, const struct jfrec_symbolized *s)
{
	json_t *modules = json_array();

	for (size_t i = 0; i < jfrec_symbolized_module_count(s); i++)
		json_array_append_new(modules, module_json(jfrec_symbolized_module_get(s, i)));
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:o}",
			 "output", text_json(o->to.path),
			 "bytes", (json_int_t)jfrec_output_size(o->to.output),
			 "chunks", (json_int_t)s->chunks,
			 "chunksWithoutModules", (json_int_t)s->chunks_without_modules,
			 "places", (json_int_t)s->places,
			 "named", (json_int_t)s->named,
			 "lines", (json_int_t)s->lines,
			 "modules", modules);
}
/* clang-format on */

static void print_module(FILE *to, const struct jfrec_symbolized_module *m)
{
	fprintf(to, "%9" PRIu64 " %9" PRIu64 " %9" PRIu64 "  ", m->places, m->named, m->lines);
	put_name(to, m->name);
	if (m->file) {
		fputs("  ", to);
		put_name(to, m->file);
	}
	if (m->fault) {
		fputs(": ", to);
		put_name(to, m->fault);
	}
	if (*m->build_id && !m->file) {
		fputs(", ", to);
		put_name(to, m->build_id);
	}
	fputc('\n', to);
}

static void print_modules(FILE *to, const struct jfrec_symbolized *s)
{
	fputs("\n   places     named  with line  module, its debug information\n", to);
	for (size_t i = 0; i < jfrec_symbolized_module_count(s); i++)
		print_module(to, jfrec_symbolized_module_get(s, i));
}

static int tell(const struct options *o, const struct jfrec_symbolized *s)
{
	FILE *to = output_opts_results(&o->to);
	char size[HUMAN_MAX];

	if (o->json)
		return print_document("symbolize", report_json(o, s));
	fprintf(to,
		"%s: %" PRIu64 " places in code; %" PRIu64 " got a name, %" PRIu64 " a line; %s\n",
		o->to.path, s->places, s->named, s->lines,
		human_bytes(size, (double)jfrec_output_size(o->to.output)));
	print_modules(to, s);
	return finish_stdout();
}

/* Without modules, or with nothing known of any, the output would be the input. */
static int refuse(const struct options *o, const struct jfrec_symbolized *s, const char *path)
{
	if (!jfrec_symbolized_module_count(s)) {
		say(path, "it has no stacks of a native program with jfrec.Module events, which "
			  "libjfrec-recorder writes");
		return EXIT_FAILED;
	}
	say(path, "no debug information was found; nothing was written");
	if (!o->json)
		print_modules(stderr, s);
	return EXIT_FAILED;
}

/* ---------------------------------------------------------------------------------------------- */

static int symbolize_into(struct options *o, struct jfrec_reader *r, struct jfrec_debug_files *f,
			  const char *path)
{
	struct jfrec_symbolized *s;
	struct jfrec_error err;
	int status;

	s = jfrec_write_symbolized(r, f, o->to.output, &err);
	progress_end();
	if (!s)
		status = output_opts_failure(&o->to, r, &err);
	else if (!s->named && !s->lines)
		status = refuse(o, s, path);
	else
		status = output_opts_commit(&o->to);
	if (status == EXIT_DONE)
		status = tell(o, s);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_symbolized_free(s);
	return status;
}

static int symbolize(struct options *o, struct jfrec_debug_files *f, char *const *paths, int count)
{
	struct jfrec_reader *r;
	int status = EXIT_FAILED;

	for (size_t i = 0; i < o->directories.count; i++)
		confine_reads(o->directories.texts[i]);
	if (!o->no_system)
		confine_reads("/usr/lib/debug");
	confine_writes(o->to.path);
	r = open_confined(CONFINE_WRITING, paths, count);
	if (r && o->json)
		envelope_read(r, paths, count);
	if (r && output_opts_open(&o->to) == EXIT_DONE) {
		jobs_use_with_results(r);
		progress_begin_writing(r);
		status = symbolize_into(o, r, f, paths[0]);
	}
	output_opts_close(&o->to);
	jfrec_reader_close(r);
	return status;
}

/* NULL: the reason was reported. */
static struct jfrec_debug_files *debug_files(const struct options *o)
{
	struct jfrec_error err;
	struct jfrec_debug_files *f = jfrec_debug_files_new(&err);
	const char *failed = f ? NULL : "symbolize";

	for (size_t i = 0; !failed && i < o->directories.count; i++)
		if (jfrec_debug_files_add(f, o->directories.texts[i], &err) < 0)
			failed = o->directories.texts[i];
	if (!failed && !o->no_system && jfrec_debug_files_add_system(f, &err) < 0)
		failed = "/usr/lib/debug";
	if (!failed)
		return f;
	say(failed, failure_text(&err));
	jfrec_debug_files_free(f);
	return NULL;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };
	struct jfrec_debug_files *f;
	int status = EXIT_FAILED;

	if (!opt_parse(&p, &o)) {
		opt_list_fini(&o.directories);
		return p.status;
	}
	if (!has_operands(self, &p, "the recording to symbolize") ||
	    output_opts_check(&o.to, self, o.json) != EXIT_DONE) {
		opt_list_fini(&o.directories);
		return EXIT_USAGE;
	}
	f = debug_files(&o);
	if (f)
		status = symbolize(&o, f, argv + p.first_operand, argc - p.first_operand);
	jfrec_debug_files_free(f);
	opt_list_fini(&o.directories);
	return status;
}

const struct command cmd_symbolize = {
	.name = "symbolize",
	.args = "RECORDING... -o FILE",
	.examples = "  jfrec symbolize native.jfr -o named.jfr\n"
		    "  jfrec symbolize --debug-dir symbols/ native.jfr -o named.jfr\n",
	.summary = "add names and lines to stacks of native programs",
	.about = "Write a recording in which the stacks of a native program have the names of\n"
		 "functions and the line numbers that its debug information has.  Functions that\n"
		 "were inlined become frames of their own.  The input is never changed.\n"
		 "\n"
		 "Debug information is found by build ID: in DIR/.build-id, in the files of DIR,\n"
		 "and in /usr/lib/debug.",
	.opts = opts,
	.run = run,
};
