/* SPDX-License-Identifier: MIT */
/*
 * snapshot.c - jfrec snapshot: take what an incident needs of a JVM
 */
#include <string.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/outname.h"
#include "base/report.h"
#include "snapshot/tarball.h"
#include "snapshot/snapshot.h"

#define DEFAULT_NAME "snapshot-%p-%t"

struct options {
	struct for_each_jvm each; /* one of them */
	struct snapshot_opts how;
	struct snapshot_output to;
};

static int take_duration(const struct opt_given *g, void *to)
{
	int64_t *ns = to;

	if (jfrec_parse_duration(g->value, ns) && *ns >= NS_PER_SECOND &&
	    *ns <= 3600 * NS_PER_SECOND)
		return EXIT_DONE;
	return opt_refuse(g, "a number and a unit, 1s to 1h, such as 30s");
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_ONCE('o', "output", "PATH", "a new directory, or a .tar.zst, .tar.gz or .tar", struct options, to.path),
	OPT_FLAG(0, "force", "replace an earlier snapshot", struct options, to.force),
	OPT_CALL('d', "duration", "TIME", "record for this long (default: 30s)", take_duration, struct options, how.duration_ns),
	OPT_DURATION(0, "max-age", "TIME", "take the last TIME of its repository (default: 10m)", struct options, how.max_age_ns),
	OPT_FLAG(0, "histogram", "count its objects, too: it pauses for that", struct options, how.histogram),
	OPT_FLAG(0, "heapdump", "take its heap, too: it pauses for that; with --raw", struct options, how.heapdump),
	OPT_FLAG(0, "raw", "keep secrets", struct options, how.raw),
	OPT_GROUP(narrow_rows, struct options, each.target),
	OPT_GROUP(attach_whole_rows, struct options, each.attach),
	OPT_FLAG('j', "json", "print the manifest as one JSON document", struct options, each.json),
	{ 0 },
};
/* clang-format on */

static int take(struct each_jvm *j, void *ctx)
{
	const struct options *o = ctx;
	char path[OUTNAME_MAX];
	struct snapshot_output to = { path, o->to.force };
	struct jfrec_error err;

	if (outname_make(o->to.path ? o->to.path : DEFAULT_NAME, j->jvm, 0, path, sizeof(path),
			 &err) < 0) {
		say(o->to.path, failure_text(&err));
		return EXIT_USAGE;
	}
	return snapshot_take(j, &o->how, &to);
}

static int check(const struct command *self, struct options *o)
{
	o->how.attach = o->each.attach;
	if (o->how.heapdump && !o->how.raw)
		return report_usage(self, "a heap dump cannot be scrubbed: use --heapdump with --raw");
	if (o->to.path && strcmp(o->to.path, "-") == 0)
		return report_usage(self, "a snapshot cannot go to standard output; name a directory "
					  "or an archive");
	if (o->to.path && tarball_is_unknown(o->to.path))
		return report_usage(self, "archives end in .tar.zst, .tar.gz, .tgz or .tar, not as %s",
				    o->to.path);
	if (o->how.attach.timeout_ms &&
	    o->how.attach.timeout_ms * NS_PER_MS <= snapshot_duration_ns(&o->how))
		return report_usage(self, "--timeout must be longer than --duration, which is %lld s",
				    (long long)(snapshot_duration_ns(&o->how) / NS_PER_SECOND));
	return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .each = { .command = self, .apart = true } };
	int status;

	if (!opt_parse(&p, &o))
		return p.status;
	status = check(self, &o);
	return status == EXIT_DONE ? for_each_jvm(&o.each, &p, take, &o) : status;
}

const struct command cmd_snapshot = {
	.name = "snapshot",
	.args = "TARGET",
	.examples = "  jfrec snapshot Shop\n"
		    "  jfrec snapshot --duration 60s -o incident.tar.zst Shop\n",
	.summary = "take what an incident needs, before a restart",
	.about =
		"Take what an incident needs of a JVM into a directory or an archive, in the\n"
		"order that loses least: what /proc, control groups, counters and logs show, and\n"
		"the last minutes that it recorded; then, if attaching is safe, three thread\n"
		"dumps, flags, properties and the state of its heap; then a recording.\n"
		"report.html shows what is wrong, manifest.json what each step cost, what is\n"
		"missing, and why.  Secrets are redacted.  Ctrl-C ends it early, and what was\n"
		"taken is kept.  TARGET is a pid, or a part of the main class or jar.  In PATH,\n"
		"%p is the pid, %t the time, %h the host and %n the main class.  Prints the path.",
	.opts = opts,
	.run = run,
};
