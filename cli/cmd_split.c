/* SPDX-License-Identifier: MIT */
/*
 * cmd_split.c - jfrec split: the chunks of a recording in several files
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"
#include "writing.h"

enum {
	OPT_CHUNKS = 256,
	OPT_SIZE,
	OPT_EVENTS,
	OPT_DURATION,
};

static const struct opt opts[] = {
	{ 'o', "output", "DIR", "write to this directory (default: the current one)" },
	{ OPT_CHUNKS, "chunks", "N", "at most N chunks in a file (default: 1)" },
	{ OPT_SIZE, "size", "SIZE", "files of at most this size, as 100M" },
	{ OPT_EVENTS, "events", "N", "at most N events in a file" },
	{ OPT_DURATION, "duration", "SPAN", "files of at most this time, as 10m" },
	{ OPT_COMPRESS, "compress", "HOW", "compress by gzip or zstd" },
	{ OPT_FORCE, "force", NULL, "replace files that exist" },
	{ 'j', "json", NULL, "print one JSON document: the files" },
	{ 0 },
};

struct settings {
	struct writing to; /* .path: the directory */
	struct jfrec_split_limits limits;
	bool json;
	/* The files. */
	char *base; /* "app" of /tmp/app.jfr.gz */
	struct jfrec_output **outputs;
	char **names;
	size_t count, opened;
	const char *failed; /* the name of the one that could not be written */
};

/* Names ---------------------------------------------------------------------------------------- */

static void cut_suffix(char *name, const char *suffix)
{
	size_t len = strlen(name), n = strlen(suffix);

	if (len > n && strcmp(name + len - n, suffix) == 0)
		name[len - n] = '\0';
}

static char *base_name(const char *path)
{
	char *copy = strdup(path), *base, *slash;

	while (copy && (slash = strrchr(copy, '/')) && slash > copy && !slash[1])
		*slash = '\0';
	slash = copy ? strrchr(copy, '/') : NULL;
	base = copy ? strdup(slash && slash[1] ? slash + 1 : copy) : NULL;
	free(copy);
	if (!base)
		return NULL;
	cut_suffix(base, ".gz");
	cut_suffix(base, ".zst");
	cut_suffix(base, ".jfr");
	return base;
}

static const char *suffix(const struct settings *s)
{
	return s->to.how == JFREC_GZIP ? ".gz" : s->to.how == JFREC_ZSTD ? ".zst" : "";
}

/* As many digits as the last number has: app_00.jfr ... app_41.jfr. */
static char *make_name(const struct settings *s, size_t i)
{
	int digits = snprintf(NULL, 0, "%zu", s->count - 1);
	const char *directory = s->to.path ? s->to.path : "";
	size_t len = strlen(directory);
	char *name;

	if (asprintf(&name, "%s%s%s_%0*zu.jfr%s", directory,
		     len && directory[len - 1] != '/' ? "/" : "", s->base, digits, i,
		     suffix(s)) < 0)
		return NULL;
	return name;
}

static int fail(struct jfrec_error *err, enum jfrec_code code, int sys, const char *text)
{
	err->code = code;
	err->sys = sys;
	snprintf(err->text, sizeof(err->text), "%s", text);
	return -1;
}

/* Nothing is written if one of the files exists. */
static int make_names(struct settings *s, size_t count, struct jfrec_error *err)
{
	s->count = count;
	s->outputs = calloc(count, sizeof(*s->outputs));
	s->names = calloc(count, sizeof(*s->names));
	for (size_t i = 0; i < count; i++) {
		if (!s->outputs || !s->names || !(s->names[i] = make_name(s, i)))
			return fail(err, JFREC_ENOMEM, 0, "out of memory");
		if (!s->to.force && access(s->names[i], F_OK) == 0) {
			s->failed = s->names[i];
			return fail(err, JFREC_EOUTPUT, EEXIST, "it exists; --force replaces it");
		}
	}
	return 0;
}

static struct jfrec_output *open_file(void *ctx, size_t index, size_t count,
				      struct jfrec_error *err)
{
	struct settings *s = ctx;

	if (index == 0 && make_names(s, count, err) < 0)
		return NULL;
	s->failed = s->names[index];
	s->outputs[index] = jfrec_output_open(s->names[index], s->to.force, s->to.how, err);
	s->opened = index + 1;
	return s->outputs[index];
}

/* ---------------------------------------------------------------------------------------------- */

static int commit(struct settings *s)
{
	struct jfrec_error err;

	for (size_t i = 0; i < s->opened; i++) {
		if (jfrec_output_commit(s->outputs[i], &err) == 0)
			continue;
		say(s->names[i], err.text);
		/* All or nothing, as far as nothing was replaced. */
		for (size_t k = 0; k < i && !s->to.force; k++)
			unlink(s->names[k]);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

static int print_files(const struct settings *s)
{
	json_t *files = json_array();
	char size[32];

	for (size_t i = 0; i < s->opened; i++) {
		uint64_t bytes = jfrec_output_size(s->outputs[i]);

		if (s->json)
			json_array_append_new(files, json_pack("{s:s, s:I}", "file", s->names[i],
							       "bytes", (json_int_t)bytes));
		else
			printf("%s: %s\n", s->names[i], size_text(size, sizeof(size), bytes));
	}
	if (s->json)
		return print_json(json_pack("{s:o}", "files", files));
	json_decref(files);
	return finish_stdout();
}

static int split_failure(const struct settings *s, const struct jfrec_reader *r,
			 const struct jfrec_error *err)
{
	if (progress_signal())
		return 128 + progress_signal();
	if (err->code != JFREC_EOUTPUT)
		return report_failure(r, err);
	say(s->failed, err->text);
	return EXIT_FAILED;
}

static int split_reader(struct settings *s, struct jfrec_reader *r)
{
	struct jfrec_error err;
	int ret, status;

	progress_begin_writing(r);
	ret = jfrec_split(r, &s->limits, open_file, s, &err);
	progress_end();
	status = ret == 0 ? commit(s) : split_failure(s, r, &err);
	if (status == EXIT_DONE)
		status = print_files(s);
	return status == EXIT_DONE ? report_damage(r) : status;
}

static int split(struct settings *s, char *path)
{
	struct jfrec_reader *r = open_recordings(&path, 1);
	int status = EXIT_FAILED;

	s->base = base_name(path);
	if (r && s->base)
		status = split_reader(s, r);
	for (size_t i = 0; i < s->opened; i++)
		jfrec_output_close(s->outputs[i]);
	for (size_t i = 0; s->names && i < s->count; i++)
		free(s->names[i]);
	free(s->names);
	free(s->outputs);
	free(s->base);
	jfrec_reader_close(r);
	return status;
}

/* Options -------------------------------------------------------------------------------------- */

static int set_option(const struct command *c, struct settings *s, int letter, const char *value)
{
	switch (letter) {
	case OPT_CHUNKS:
		return parse_count(value, &s->limits.chunks)
			       ? EXIT_DONE
			       : report_usage(c, "--chunks takes a number from 1 on, not %s",
					      value);
	case OPT_EVENTS:
		return parse_count(value, &s->limits.events)
			       ? EXIT_DONE
			       : report_usage(c, "--events takes a number from 1 on, not %s",
					      value);
	case OPT_SIZE:
		return parse_size(value, &s->limits.bytes)
			       ? EXIT_DONE
			       : report_usage(c, "%s is no size; write 500M or 2G", value);
	case OPT_DURATION:
		return parse_span(value, &s->limits.duration_ns)
			       ? EXIT_DONE
			       : report_usage(c, "%s is no span of time; write 10m or 2h", value);
	case 'j':
		s->json = true;
		return EXIT_DONE;
	default:
		return writing_take_option(&s->to, c, letter, value) > 0 ? EXIT_DONE : EXIT_USAGE;
	}
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = "split", .opts = opts, .argc = argc, .argv = argv };
	struct settings s = { 0 };
	int letter;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		if (set_option(self, &s, letter, p.value) != EXIT_DONE)
			return EXIT_USAGE;
	}
	if (!has_operands(self, &p, "the recording to split"))
		return EXIT_USAGE;
	if (p.argc - p.first_operand > 1)
		return report_usage(self, "one recording can be split at a time");
	if (strcmp(argv[p.first_operand], "-") == 0)
		return report_usage(self, "standard input has no name and cannot be read twice");
	if (s.to.path && !is_directory(s.to.path))
		return report_usage(self, "%s is no directory", s.to.path);
	if (!s.limits.bytes && !s.limits.events && !s.limits.duration_ns && !s.limits.chunks)
		s.limits.chunks = 1;
	return split(&s, argv[p.first_operand]);
}

const struct command cmd_split = {
	.name = "split",
	.args = "RECORDING",
	.summary = "write the chunks of a recording to several files",
	.about =
		"Write the chunks of RECORDING to files named after it: app_0.jfr, app_1.jfr, ...\n"
		"Files end where chunks do, and bytes stay as they are: `jfrec merge` makes the\n"
		"same recording of them. A chunk beyond a limit has a file of its own.",
	.opts = opts,
	.run = run,
};
