/* SPDX-License-Identifier: MIT */
/*
 * configure.c - jfrec configure: change the options of Flight Recorder itself
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/for_each_jvm.h"
#include "common/report.h"
#include "opts/jfr_opts.h"

enum {
	OPT_REPOSITORY_PATH = 256,
	OPT_DUMP_PATH,
	OPT_STACK_DEPTH,
	OPT_GLOBAL_BUFFER_COUNT,
	OPT_GLOBAL_BUFFER_SIZE,
	OPT_THREAD_BUFFER_SIZE,
	OPT_MEMORY_SIZE,
	OPT_MAX_CHUNK_SIZE,
	OPT_SAMPLE_THREADS,
	OPT_PRESERVE_REPOSITORY,
};

/* clang-format off */
static const struct opt opts[] = {
	{ OPT_REPOSITORY_PATH, "repository-path", "PATH", "where the JVM keeps what it records" },
	{ OPT_DUMP_PATH, "dump-path", "PATH", "where it writes a recording when it crashes" },
	{ OPT_PRESERVE_REPOSITORY, "preserve-repository", "BOOL", "keep that after its end (JDK 21)" },
	{ OPT_STACK_DEPTH, "stack-depth", "N", "frames of stack traces" },
	{ OPT_MAX_CHUNK_SIZE, "max-chunk-size", "SIZE", "size of a file of the repository" },
	{ OPT_MEMORY_SIZE, "memory-size", "SIZE", "size of all buffers" },
	{ OPT_GLOBAL_BUFFER_COUNT, "global-buffer-count", "N", "number of shared buffers" },
	{ OPT_GLOBAL_BUFFER_SIZE, "global-buffer-size", "SIZE", "size of a shared buffer" },
	{ OPT_THREAD_BUFFER_SIZE, "thread-buffer-size", "SIZE", "size of a thread's buffer" },
	{ OPT_SAMPLE_THREADS, "sample-threads", "BOOL", "take samples of methods (JDK 8 to 17)" },
	FOR_EACH_JVM_OPTS,
	{ 0 },
};
/* clang-format on */

static const struct jfr_opts_row rows[] = {
	{ OPT_REPOSITORY_PATH, "repositorypath", NULL },
	{ OPT_DUMP_PATH, "dumppath", NULL },
	{ OPT_PRESERVE_REPOSITORY, "preserve-repository", NULL },
	{ OPT_STACK_DEPTH, "stackdepth", NULL },
	{ OPT_MAX_CHUNK_SIZE, "maxchunksize", NULL },
	{ OPT_MEMORY_SIZE, "memorysize", NULL },
	{ OPT_GLOBAL_BUFFER_COUNT, "globalbuffercount", NULL },
	{ OPT_GLOBAL_BUFFER_SIZE, "globalbuffersize", NULL },
	{ OPT_THREAD_BUFFER_SIZE, "thread_buffer_size", NULL },
	{ OPT_SAMPLE_THREADS, "samplethreads", NULL },
	{ 0 },
};

/* "Stack depth" is stackDepth. */
static void make_key(char *to, size_t size, const char *label, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len && n < size - 1; i++) {
		bool begins = i > 0 && label[i - 1] == ' ';

		if (label[i] != ' ')
			to[n++] = (char)(begins ? toupper((unsigned char)label[i])
						: tolower((unsigned char)label[i]));
	}
	to[n] = '\0';
}

/* Take "Stack depth: 64", a line of the JVM's. */
static void show_line(const struct each_jvm *j, const char *line)
{
	const char *sign = strstr(line, ": ");
	char key[64];

	if (!sign)
		return;
	if (j->result) {
		make_key(key, sizeof(key), line, (size_t)(sign - line));
		json_object_set_new(j->result, key, text_json(sign + 2));
		return;
	}
	for_each_jvm_begin_line(j);
	print_name(line);
	putchar('\n');
}

static int configure(struct each_jvm *j, void *ctx)
{
	const struct jfr_opts *a = ctx;
	struct jfrec_error err;
	char *said = jfrec_jfr_configure(j->session, a->options, a->count, &err);
	char *rest = said, *line;

	if (!said)
		return for_each_jvm_fail(j, &err);
	while ((line = strsep(&rest, "\n")))
		show_line(j, line);
	jfrec_free(said);
	return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct for_each_jvm e = { .command = self };
	struct jfr_opts a = { 0 };
	int letter, taken;

	while ((letter = opt_next(&p)) != OPT_END) {
		if (letter == OPT_HELP)
			return command_help(self);
		taken = jfr_opts_take(&a, self, JFREC_JFR_CONFIGURE, rows, letter, p.value);
		if (!taken)
			taken = for_each_jvm_take_option(&e, letter, p.value);
		if (taken <= 0)
			return EXIT_USAGE;
	}
	return for_each_jvm(&e, &p, configure, &a);
}

const struct command cmd_configure = {
	.name = "configure",
	.args = "TARGET",
	.summary = "show or set options of Flight Recorder in a JVM",
	.about = "Show the options of Flight Recorder itself, or set those that are given.  Most\n"
		 "can be set only before the first recording.  TARGET is a pid, or a part of the\n"
		 "main class or jar; paths are those that the JVM sees.",
	.opts = opts,
	.run = run,
};
