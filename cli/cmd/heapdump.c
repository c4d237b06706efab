/* SPDX-License-Identifier: MIT */
/*
 * heapdump.c - jfrec heapdump: fetch a heap dump of a JVM
 */
#include "base/report.h"
#include "jfrec-tool.h"
#include "jvm/dump_file.h"

struct options {
	struct for_each_jvm each;
	bool unreachable;
	struct output_opts output;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP(outfile_rows, struct options, output),
	OPT_FLAG(0, "unreachable", "include unreachable objects", struct options, unreachable),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

static int dump_into(const struct each_jvm *j, const struct options *w, struct outfile *o)
{
	struct jfrec_error err;
	struct jfrec_dump *h;
	int status = outfile_check_room(o, jfrec_heap_estimate(j->jvm));

	if (status != EXIT_DONE)
		return status;
	h = jfrec_heap_dump(j->session, w->unreachable, &err);
	if (!h)
		return for_each_jvm_fail(j, &err);
	status = dump_file_copy(j, h, o);
	if (status == EXIT_DONE)
		dump_file_report(j, o, jfrec_dump_size(h));
	jfrec_dump_free(h);
	return status;
}

static int dump(struct each_jvm *j, void *ctx)
{
	const struct options *w = ctx;
	struct outfile o;
	int status = outfile_open(&o, &w->output, j->jvm);

	if (status != EXIT_DONE)
		return status;
	status = dump_into(j, w, &o);
	outfile_close(&o);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .each.command = self, .output.name = "heap-%p-%t.hprof" };
	int status;

	if (!opt_parse(&p, &w))
		return p.status;
	status = outfile_check(&w.output, self, w.each.target.all, w.each.json);
	return status == EXIT_DONE ? for_each_jvm(&w.each, &p, dump, &w) : status;
}

const struct command cmd_heapdump = {
	.name = "heapdump",
	.args = "TARGET",
	.examples = "  jfrec heapdump Shop\n"
		    "  jfrec heapdump -o shop.hprof Shop\n",
	.summary = "fetch a heap dump of a JVM",
	.about =
		"Make a JVM write a heap dump (HPROF), copy it into a file, and leave nothing on\n"
		"the JVM's disk.  The JVM pauses while it writes, and runs a garbage collection\n"
		"first, unless --unreachable is given.  TARGET is a pid, or a part of the main\n"
		"class or jar.  In FILE, %p is the pid, %t the time, %h the host and %n the main\n"
		"class.  Prints the name of the file.",
	.opts = opts,
	.run = run,
};
