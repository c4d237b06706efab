/* SPDX-License-Identifier: MIT */
/*
 * top.c - jfrec top: what all JVMs use, at an interval
 */
#include "top/top.h"

#include "base/report.h"

/* Shorter intervals cost more than they show: the kernel counts in hundredths of a second. */
#define LEAST_EVERY_NS INT64_C(100000000)
#define EVERY_NS       INT64_C(2000000000)

struct options {
	struct top_request request;
	const char *jvm;
	bool json, ndjson;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_DURATION(0, "every", "TIME", "look again after each TIME (default: 2s)", struct options, request.every_ns),
	OPT_CHOICE(0, "sort", "COLUMN", "cpu, memory, heap, gc, threads, finding, name or pid", struct options, request.sort, sortings),
	OPT_FLAG(0, "once", "print one table, of one TIME", struct options, request.is_once),
	OPT_FLAG(0, "no-findings", "do not judge what JVMs record", struct options, request.without_findings),
	OPT_ONCE(0, "jvm", "TARGET", "show this JVM: a pid, or a part of its main class", struct options, jvm),
	OPT_GROUP(narrow_rows, struct options, request.target),
	OPT_FLAG('j', "json", "print one JSON document, with --once", struct options, json),
	OPT_FLAG(0, "ndjson", "print a line of JSON for each JVM and TIME", struct options, ndjson),
	{ 0 },
};
/* clang-format on */

static int check(const struct command *self, struct options *w)
{
	if (w->json && w->ndjson)
		return report_usage(self, "--json and --ndjson are two forms; choose one");
	if (w->json && !w->request.is_once)
		return report_usage(self, "--json is one document, of --once; --ndjson has no end");
	if (w->request.every_ns < LEAST_EVERY_NS)
		return report_usage(self, "--every takes 100ms or more");
	w->request.form = w->json ? TOP_JSON : w->ndjson ? TOP_NDJSON : TOP_TEXT;
	return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .request = { .command = self, .every_ns = EVERY_NS } };
	int status;

	if (!opt_parse(&p, &w))
		return p.status;
	status = check(self, &w);
	if (status != EXIT_DONE)
		return status;
	if (argc - p.first_operand + (w.jvm != NULL) > 1)
		return report_usage(self, "name one JVM, or none for all");
	w.request.target.query.target = w.jvm ? w.jvm : argv[p.first_operand];
	return top_show(&w.request);
}

const struct command cmd_top = {
	.name = "top",
	.args = "[TARGET]",
	.examples = "  jfrec top Shop\n"
		    "  jfrec top --once --sort gc\n",
	.summary = "show what all JVMs use, at an interval",
	.about =
		"Show the JVMs of this host, a line each, on a terminal in place: processors,\n"
		"memory, heap, garbage collection, threads, and the worst finding in what they\n"
		"record.  Keys sort and open one JVM; q quits.  JVMs are only observed from\n"
		"outside.  TARGET is a pid, or a part of the main class or jar.",
	.opts = opts,
	.run = run,
};
