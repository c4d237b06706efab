/* SPDX-License-Identifier: MIT */
/*
 * dump.c - jfrec dump: fetch what a JVM has recorded so far
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "base/report.h"
#include "jvm/crashed.h"
#include "jvm/dump_file.h"
#include "jvm/from_repository.h"
#include "jvm/recordings.h"

struct options {
	struct for_each_jvm each;
	const char *name;
	struct output_opts output;
	struct jfr_opts args;
	bool from_repository, full_speed;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP(outfile_rows, struct options, output),
	OPT_STRING('n', "name", "NAME", "only this recording, by name or id (default: all)", struct options, name),
	JFR_ROW(0, "begin", "TIME", "start of the range: 09:30, -10m, 2026-11-20T08:30Z", struct options, args, JFREC_JFR_DUMP, "begin"),
	JFR_ROW(0, "end", "TIME", "end of the range", struct options, args, JFREC_JFR_DUMP, "end"),
	JFR_ROW(0, "max-age", "TIME", "only data younger than this", struct options, args, JFREC_JFR_DUMP, "maxage"),
	JFR_ROW(0, "max-size", "SIZE", "about this much at most, such as 50m", struct options, args, JFREC_JFR_DUMP, "maxsize"),
	JFR_ROW_IS(0, "path-to-gc-roots", "find references that keep old objects alive", struct options, args, JFREC_JFR_DUMP, "path-to-gc-roots", "true"),
	OPT_FLAG(0, "from-repository", "copy its files on disk, without attaching", struct options, from_repository),
	OPT_FLAG(0, "full-speed", "with --from-repository: do not yield the processor", struct options, full_speed),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

/* The options of the command, and which recording. */
static int dump_selected(struct each_jvm *j, const struct options *w, struct outfile *o,
			 struct dump_fetched *f)
{
	struct jfrec_jfr_option options[JFR_OPTS_MAX + 1];
	size_t count = w->args.count;
	char number[24];
	uint64_t id;
	int status;

	for (size_t i = 0; i < count; i++)
		options[i] = w->args.options[i];
	if (w->name) {
		status = recordings_select(j, w->name, &id);
		if (status != EXIT_DONE)
			return status;
		/* By its id: a name may be there twice. */
		snprintf(number, sizeof(number), "%" PRIu64, id);
		options[count++] = (struct jfrec_jfr_option){ "name", number };
	}
	status = dump_file_fetch(j, options, count, o, f);
	if (status == EXIT_DONE)
		dump_file_report(j, o, f->size);
	return status;
}

/* What only the JVM could do. */
static bool needs_jvm(const struct options *w)
{
	return w->name || jfr_opts_get(&w->args, "path-to-gc-roots");
}

static int dump_repository(const struct each_jvm *j, const struct options *w, struct outfile *o)
{
	struct repository_part part;
	int status = from_repository_part(&part, j->each->command, &w->args);

	part.gives_way = !w->full_speed;
	return status == EXIT_DONE ? from_repository_copy(j, &part, o) : status;
}

/* Is it one that cannot do it now, rather than one that refuses? */
static bool is_unable(int status)
{
	return status == EXIT_ATTACH || status == EXIT_TIMEOUT || status == EXIT_HARM;
}

/* It cannot reply, or did not, which was reported: most of what it has recorded is on its disk. */
static int dump_instead(const struct each_jvm *j, const struct options *w, struct outfile *o,
			int status)
{
	if (needs_jvm(w))
		return status;
	fprintf(stderr,
		"jfrec: process %d: copying its files on disk instead, as with --from-repository\n",
		j->jvm->pid);
	return dump_repository(j, w, o) == EXIT_DONE ? EXIT_DONE : status;
}

static int dump_without(const struct each_jvm *j, const struct options *w, struct outfile *o)
{
	int status = for_each_jvm_fail(j, j->why);

	return j->jvm->stopped || is_unable(status) ? dump_instead(j, w, o, status) : status;
}

static int dump_into(struct each_jvm *j, const struct options *w, struct outfile *o)
{
	struct dump_fetched f = { 0 };
	int status;

	if (w->from_repository)
		return dump_repository(j, w, o);
	if (!j->session)
		return dump_without(j, w, o);
	status = dump_selected(j, w, o, &f);
	return is_unable(status) || f.no_memory ? dump_instead(j, w, o, status) : status;
}

static int dump(struct each_jvm *j, void *ctx)
{
	const struct options *w = ctx;
	struct crash_watch crash;
	struct outfile o;
	int status = outfile_open(&o, &w->output, j->jvm);

	if (status != EXIT_DONE)
		return status;
	crashed_watch(&crash, j->jvm);
	status = dump_into(j, w, &o);
	if (status == EXIT_DIED || status == EXIT_NO_JVM)
		crashed_say(&crash, j->jvm->pid);
	crashed_fini(&crash);
	outfile_close(&o);
	return status;
}

static int check(const struct command *self, const struct for_each_jvm *e, struct options *w)
{
	if (jfr_opts_get(&w->args, "maxage") &&
	    (jfr_opts_get(&w->args, "begin") || jfr_opts_get(&w->args, "end")))
		return report_usage(self, "--max-age cannot be combined with --begin or --end");
	if (w->from_repository && needs_jvm(w))
		return report_usage(self,
				    "--from-repository cannot be combined with --name or "
				    "--path-to-gc-roots, which need the JVM");
	if (w->full_speed && !w->from_repository)
		return report_usage(self, "--full-speed is for --from-repository");
	return outfile_check(&w->output, self, e->target.all, e->json);
}

static int run_directory(const struct command *self, const char *path, struct options *w,
			 const struct for_each_jvm *e)
{
	struct repository_part part;

	if (needs_jvm(w))
		return report_usage(self,
				    "--name and --path-to-gc-roots need a JVM, and %s is a "
				    "directory",
				    path);
	if (from_repository_part(&part, self, &w->args) != EXIT_DONE)
		return EXIT_USAGE;
	return from_repository_copy_directory(self, path, &part, &w->output, e->json);
}

/* Of a JVM that was killed. */
static int run_gone(const struct command *self, int pid, struct options *w, const char *operand,
		    bool json)
{
	struct repository_part part;
	int status;

	if (from_repository_part(&part, self, &w->args) != EXIT_DONE)
		return EXIT_USAGE;
	status = from_repository_copy_left(self, pid, &part, &w->output, json);
	if (status != EXIT_NO_JVM)
		return status;
	fprintf(stderr, "jfrec: there is no process %s, and no repository of it in /tmp that this "
			"user may read\n",
		operand);
	from_repository_say_where(pid);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .each.command = self };
	int status, pid;

	if (!opt_parse(&p, &w))
		return p.status;
	status = check(self, &w.each, &w);
	if (status != EXIT_DONE)
		return status;
	if (p.argc - p.first_operand == 1 && from_repository_is_path(argv[p.first_operand]))
		return run_directory(self, argv[p.first_operand], &w, &w.each);
	if (w.from_repository && p.argc - p.first_operand == 1 &&
	    from_repository_is_gone(argv[p.first_operand], &pid))
		return run_gone(self, pid, &w, argv[p.first_operand], w.each.json);
	w.each.apart = w.from_repository;
	if (w.from_repository && !w.full_speed)
		from_repository_give_way();
	w.each.manages = true;
	status = for_each_jvm(&w.each, &p, dump, &w);
	if (status == EXIT_NO_JVM && p.first_operand < argc)
		from_repository_name_if_gone(argv[p.first_operand]);
	return status;
}

const struct command cmd_dump = {
	.name = "dump",
	.args = "TARGET|DIR",
	.examples = "  jfrec dump Shop\n"
		    "  jfrec dump --begin -10m -o shop.jfr Shop\n",
	.summary = "fetch what a JVM has recorded so far",
	.about =
		"Copy what a JVM has recorded so far into a file; its recordings continue.\n"
		"TARGET is a pid, or a part of the main class or jar; DIR/ is the repository of a\n"
		"JVM that has exited.  If a JVM does not respond, its repository is copied.  In\n"
		"FILE, %p is the pid, %t the time, %h the host and %n the main class.  Prints the\n"
		"name of the file.",
	.opts = opts,
	.run = run,
};
