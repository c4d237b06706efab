/* SPDX-License-Identifier: MIT */
/*
 * histogram.c - jfrec histogram: objects on the heap, by class
 */
#include <inttypes.h>
#include <string.h>

#include "base/report.h"
#include "jvm/reply_lines.h"

struct options {
	struct for_each_jvm each;
	bool unreachable;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "unreachable", "include unreachable objects", struct options, unreachable),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

/* "   1:       3456    123456  [B (java.base@17.0.15)" */
static void take_line(void *ctx, char *line)
{
	uint64_t rank, instances, bytes;
	int at = 0;
	char *module;

	if (sscanf(line, " %" SCNu64 ": %" SCNu64 " %" SCNu64 " %n", &rank, &instances, &bytes,
		   &at) != 3 ||
	    !at)
		return;
	module = strstr(line + at, " (");
	if (module) {
		*module = '\0';
		module += 2;
		module[strcspn(module, ")")] = '\0';
	}
	line[at + (int)strcspn(line + at, "\r")] = '\0';
	json_array_append_new(ctx, json_pack("{s:I, s:I, s:o, s:o}", "instances",
					     (json_int_t)instances, "bytes", (json_int_t)bytes,
					     "class", text_json(line + at), "module",
					     text_json(module)));
}

static int show(struct each_jvm *j, void *ctx)
{
	const bool *unreachable = ctx;
	json_t *rows = j->result ? json_array() : NULL;
	int status = reply_lines(j, *unreachable ? "GC.class_histogram -all" : "GC.class_histogram",
				 take_line, rows);

	if (status == EXIT_DONE && j->result)
		json_object_set(j->result, "classes", rows);
	json_decref(rows);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .each = { .command = self, .in_parallel = true } };

	if (!opt_parse(&p, &o))
		return p.status;
	return for_each_jvm(&o.each, &p, show, &o.unreachable);
}

const struct command cmd_histogram = {
	.name = "histogram",
	.args = "TARGET",
	.examples = "  jfrec histogram Shop\n"
		    "  jfrec histogram --unreachable Shop\n",
	.summary = "count the objects on a JVM's heap by class",
	.about =
		"Show the number and the size of the objects of each class on a JVM's heap.  The\n"
		"JVM pauses meanwhile, and runs a garbage collection first, unless --unreachable\n"
		"is given.  TARGET is a pid, or a part of the main class or jar.",
	.opts = opts,
	.run = run,
};
