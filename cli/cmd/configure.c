/* SPDX-License-Identifier: MIT */
/*
 * configure.c - jfrec configure: change the options of Flight Recorder itself
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "jvm/for_each_jvm.h"
#include "opts/jfr_opts.h"

struct options {
	struct for_each_jvm each;
	struct jfr_opts args;
};

/* clang-format off */
static const struct opt opts[] = {
	JFR_ROW(0, "repository-path", "PATH", "where the JVM keeps what it records", struct options, args, JFREC_JFR_CONFIGURE, "repositorypath"),
	JFR_ROW(0, "dump-path", "PATH", "where it writes a recording when it crashes", struct options, args, JFREC_JFR_CONFIGURE, "dumppath"),
	JFR_ROW(0, "preserve-repository", "BOOL", "keep the repository at exit (JDK 21)", struct options, args, JFREC_JFR_CONFIGURE, "preserve-repository"),
	JFR_ROW(0, "stack-depth", "N", "frames of stack traces", struct options, args, JFREC_JFR_CONFIGURE, "stackdepth"),
	JFR_ROW(0, "max-chunk-size", "SIZE", "size of a file of the repository", struct options, args, JFREC_JFR_CONFIGURE, "maxchunksize"),
	JFR_ROW(0, "memory-size", "SIZE", "size of all buffers", struct options, args, JFREC_JFR_CONFIGURE, "memorysize"),
	JFR_ROW(0, "global-buffer-count", "N", "number of shared buffers", struct options, args, JFREC_JFR_CONFIGURE, "globalbuffercount"),
	JFR_ROW(0, "global-buffer-size", "SIZE", "size of a shared buffer", struct options, args, JFREC_JFR_CONFIGURE, "globalbuffersize"),
	JFR_ROW(0, "thread-buffer-size", "SIZE", "size of a thread's buffer", struct options, args, JFREC_JFR_CONFIGURE, "thread_buffer_size"),
	JFR_ROW(0, "sample-threads", "BOOL", "take samples of methods (JDK 8 to 17)", struct options, args, JFREC_JFR_CONFIGURE, "samplethreads"),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

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
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .each.command = self };

	if (!opt_parse(&p, &o))
		return p.status;
	return for_each_jvm(&o.each, &p, configure, &o.args);
}

const struct command cmd_configure = {
	.name = "configure",
	.args = "TARGET",
	.examples = "  jfrec configure Shop\n"
		    "  jfrec configure --stack-depth 128 Shop\n",
	.summary = "show or change the options of Flight Recorder itself",
	.about =
		"Show the options of Flight Recorder itself, or change those that are given.\n"
		"Most can be changed only before the first recording.  TARGET is a pid, or a\n"
		"part of the main class or jar; paths are those that the JVM sees.",
	.opts = opts,
	.run = run,
};
