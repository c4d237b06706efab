/* SPDX-License-Identifier: MIT */
/*
 * disassemble.c - jfr disassemble: write the chunks of a recording to several files
 *
 * As `jfrec split`.  Both limits together hold both, as in the JDK from 28 on.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/many_files.h"
#include "base/progress.h"
#include "jdk/called_as.h"
#include "jfrec-tool.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"
#include "recording/split_files.h"

#define DEFAULT_CHUNKS 5

struct options {
	struct jfrec_split_limits limits;
	struct output_opts to;
	struct split_files parts;
	uint64_t chunks; /* of the recording */
};

static int print_files(const struct options *s)
{
	for (size_t i = 0; i < s->parts.opened; i++) {
		fputs("Writing ", stdout);
		jfr_print_path(s->parts.names[i]);
		printf(" ... %" PRIu64 "\n", jfrec_output_size(s->parts.outputs[i]));
	}
	return finish_stdout();
}

static int failure(const struct options *s, const struct jfrec_reader *r,
		   const struct jfrec_error *err)
{
	if (progress_signal())
		return 128 + progress_signal();
	if (err->code != JFREC_EOUTPUT)
		return report_failure(r, err);
	return jfr_fail("disassemble", "%s: %s", s->parts.failed,
			err->sys == EEXIST ? "a file with that name already exists" : err->text);
}

static int write_files(struct options *s, struct jfrec_reader *r, const char *path)
{
	struct jfrec_error err;
	int ret;

	progress_begin_writing(r);
	ret = split_files_write(&s->parts, r, path, &s->limits, &err);
	progress_end();
	if (s->parts.count)
		printf("\nFile consists of %" PRIu64
		       " chunks. The recording will be split into %zu files\n\n",
		       s->chunks, s->parts.count);
	return ret == 0 ? print_files(s) : failure(s, r, &err);
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Is there anything to split? */
static int check_and_write(struct options *s, struct jfrec_reader *r, const char *path)
{
	uint64_t size = size_of(path);
	struct jfrec_error err;

	if (jfrec_reader_count_chunks(r, &s->chunks, &err) < 0)
		return report_failure(r, &err);
	if (!s->limits.bytes && s->chunks <= s->limits.chunks)
		return jfr_fail("disassemble",
				"number of chunks in recording (%" PRIu64
				") doesn't exceed max chunks (%" PRIu64 ")",
				s->chunks, s->limits.chunks);
	if (s->limits.chunks || size > s->limits.bytes)
		return write_files(s, r, path);
	printf("\nFile size (%" PRIu64 ") does not exceed max size (%" PRIu64 ")\n", size,
	       s->limits.bytes);
	return finish_stdout();
}

static int disassemble(struct options *s, char *path)
{
	struct jfrec_reader *r;
	int status;

	s->parts.to = &s->to;
	allow_many_files(); /* all are open until all are whole */
	split_files_confine(&s->parts);
	r = open_confined(CONFINE_WRITING, &path, 1);
	if (!r)
		return EXIT_FAILED;
	fputs("\nExamining recording ", stdout);
	jfr_print_path(path);
	fputs(" ...\n", stdout);
	status = check_and_write(s, r, path);
	if (status == EXIT_DONE)
		status = report_damage(r);
	else
		finish_stdout();
	split_files_close(&s->parts);
	jfrec_reader_close(r);
	return status;
}

/* Options -------------------------------------------------------------------------------------- */

/* A value that is wrong is a failure here, not wrong usage. */

static int take_directory(const struct opt_given *g, void *to)
{
	struct stat st;

	if (stat(g->value, &st) < 0 || !S_ISDIR(st.st_mode))
		return jfr_fail("disassemble", "%s is not a directory", g->value);
	return opt_take_string(g, to);
}

static int take_chunks(const struct opt_given *g, void *to)
{
	return parse_count(g->value, to) ? EXIT_DONE
					 : jfr_fail("disassemble",
						    "max chunks must be at least 1, not %s",
						    g->value);
}

static int take_size(const struct opt_given *g, void *to)
{
	return jfrec_parse_size(g->value, to) ? EXIT_DONE
					: jfr_fail("disassemble",
						   "max size must be at least 1, not %s", g->value);
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_CALL(0, "output", "DIR", "write to this directory (default: the current one)", take_directory, struct options, to.path),
	OPT_CALL(0, "max-chunks", "N", "at most N chunks per file (default: 5)", take_chunks, struct options, limits.chunks),
	OPT_CALL(0, "max-size", "BYTES", "at most this many bytes per file", take_size, struct options, limits.bytes),
	{ 0 },
};
/* clang-format on */

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options s = { .to = { .how = JFREC_PLAIN, .is_public = true },
			     .limits.struct_size = sizeof(s.limits) };
	int count;

	if (!opt_parse(&p, &s))
		return p.status;
	count = argc - p.first_operand;
	if (count != 1)
		return report_usage(self, count ? "too many arguments" : "missing file");
	if (!s.limits.chunks && !s.limits.bytes)
		s.limits.chunks = DEFAULT_CHUNKS;
	return disassemble(&s, argv[p.first_operand]);
}

const struct command jfr_disassemble = {
	.name = "disassemble",
	.args = "FILE",
	.summary = "split a recording into several files",
	.about = "Write the chunks of FILE, whose name ends in .jfr, to files named after it:\n"
		 "app_0.jfr, app_1.jfr, ... A chunk beyond a limit has a file of its own.\n"
		 "`jfrec split` can do more.",
	.opts = opts,
	.run = run,
};
