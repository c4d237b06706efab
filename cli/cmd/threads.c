/* SPDX-License-Identifier: MIT */
/*
 * threads.c - jfrec threads: what the threads of a JVM do, and who waits for whom
 */
#include <string.h>

#include "base/beside.h"
#include "base/confine.h"
#include "base/report.h"
#include "jvm/reply_lines.h"
#include "recording/operand.h"
#include "threads/ask.h"
#include "threads/document.h"
#include "threads/text.h"
#include "threads/texts.h"

enum fail_on { FAIL_NEVER, FAIL_ON_DEADLOCK };

struct options {
	struct for_each_jvm each;
	struct ask_threads ask;
	unsigned fail_on;
	bool raw;
};

static const struct opt_choice failures[] = {
	{ "deadlock", FAIL_ON_DEADLOCK },
	{ "never", FAIL_NEVER },
	{ 0 },
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "raw", "print the thread dump as the JVM writes it", struct options, raw),
	OPT_FLAG(0, "virtual", "look at virtual threads, too (JDK 21 on)", struct options, ask.virtual),
	OPT_FLAG(0, "locks", "list who holds j.u.c. locks: walks the heap", struct options, ask.locks),
	OPT_COUNT(0, "samples", "N", "take N dumps of a JVM (default: 1)", struct options, ask.samples),
	OPT_DURATION(0, "interval", "TIME", "take them so far apart (default: 1s)", struct options, ask.interval_ns),
	OPT_CHOICE(0, "fail-on", "deadlock|never", "exit with 20 if there is a deadlock", struct options, fail_on, failures),
	OPT_GROUP(for_each_jvm_rows, struct options, each),
	{ 0 },
};
/* clang-format on */

static int answer(const struct options *o, const struct threads_seen *s, json_t *to)
{
	if (to)
		threads_to_json(s, to);
	else
		threads_print(s, o->ask.samples > 0);
	return o->fail_on == FAIL_ON_DEADLOCK && threads_seen_deadlock(s) ? EXIT_LIMIT : EXIT_DONE;
}

/* A JVM ---------------------------------------------------------------------------------------- */

static void show_beside(const struct each_jvm *j, const struct threads_seen *s)
{
	json_t *of_jvm = json_pack("{s:i}", "pid", j->jvm->pid);

	if (of_jvm && beside_begin()) {
		threads_to_json(s, of_jvm);
		print_document("threads", json_pack("{s:[O]}", "jvms", of_jvm));
		beside_end();
	}
	json_decref(of_jvm);
}

static int show_jvm(struct each_jvm *j, void *ctx)
{
	const struct options *o = ctx;
	struct threads_seen s;
	int status;

	if (o->raw)
		return ask_threads_raw(j, &o->ask);
	status = threads_seen_init(&s);
	if (status == EXIT_DONE)
		status = ask_threads(j, &o->ask, &s);
	if (status == EXIT_DONE)
		status = threads_seen_finish(&s);
	if (status == EXIT_DONE && !j->result && j->each->target.all)
		printf("Process %d:\n", j->jvm->pid);
	if (status == EXIT_DONE)
		status = answer(o, &s, j->result);
	if (status == EXIT_DONE && !j->result)
		show_beside(j, &s);
	threads_seen_fini(&s);
	return status;
}

/* Files ---------------------------------------------------------------------------------------- */

static int print_raw(const struct dump_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		write_stdout(NULL, texts->items[i].text, texts->items[i].len);
	return finish_stdout();
}

static json_t *names_json(char *const *paths, int count)
{
	json_t *names = json_array();

	for (int i = 0; i < count; i++)
		json_array_append_new(names, text_json(strcmp(paths[i], "-") == 0 ? "standard input"
										   : paths[i]));
	return names;
}

/* All files together are the dumps of one JVM. */
static int answer_files(const struct options *o, struct dump_texts *texts, json_t *to)
{
	struct threads_seen s;
	int status = threads_seen_init(&s), printed;

	if (status == EXIT_DONE)
		status = dump_texts_add(texts, &s);
	if (status == EXIT_DONE)
		status = threads_seen_finish(&s);
	if (status == EXIT_DONE) {
		status = answer(o, &s, to);
		printed = to ? print_document("threads", json_pack("{s:[O]}", "files", to)) : finish_stdout();
		status = status == EXIT_DONE ? printed : status;
	}
	threads_seen_fini(&s);
	return status;
}

static int show_files(const struct options *o, char *const *paths, int count)
{
	struct dump_texts texts = { 0 };
	json_t *to = o->each.json ? json_pack("{s:o}", "names", names_json(paths, count)) : NULL;
	int status = dump_texts_read(&texts, paths, count);

	/* What is in them is hostile. */
	if (status == EXIT_DONE)
		confine(CONFINE_READING);
	if (status == EXIT_DONE)
		status = o->raw ? print_raw(&texts) : answer_files(o, &texts, to);
	dump_texts_fini(&texts);
	json_decref(to);
	return status;
}

/* The command ---------------------------------------------------------------------------------- */

static bool asks_for_jvm(const struct options *o)
{
	return o->ask.samples || o->ask.interval_ns || o->ask.locks || o->ask.virtual ||
	       !target_is_any(&o->each.target) || o->each.target.all;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .each = { .command = self, .in_parallel = true } };
	char **operands;
	int count;

	if (!opt_parse(&p, &o))
		return p.status;
	operands = argv + p.first_operand;
	count = argc - p.first_operand;
	if (o.raw && (o.each.json || o.fail_on))
		return report_usage(self, "--raw prints the dump, without --json and --fail-on");
	if (count && !operand_is_jvm(&(struct operand_opts){ 0 }, operands, count)) {
		if (asks_for_jvm(&o))
			return report_usage(self, "--samples, --interval, --locks, --virtual and options that select "
						  "JVMs are not for files");
		return show_files(&o, operands, count);
	}
	if (o.ask.locks && o.ask.virtual)
		return report_usage(self, "--virtual cannot be combined with --locks");
	o.ask.samples = o.ask.samples ? o.ask.samples : o.ask.interval_ns ? 2 : 1;
	o.ask.interval_ns = o.ask.interval_ns ? o.ask.interval_ns : 1000000000;
	return for_each_jvm(&o.each, &p, show_jvm, &o);
}

const struct command cmd_threads = {
	.name = "threads",
	.args = "TARGET|FILE...|-",
	.examples = "  jfrec threads Shop\n"
		    "  jfrec threads --samples 3 --interval 2s Shop\n",
	.summary = "say what the threads of a JVM do, and who waits for whom",
	.about =
		"Say what the threads of a JVM do: deadlocks first, then who waits for whom,\n"
		"which threads take CPU, what pools do, and which threads have the same stack.\n"
		"TARGET is a pid, or a part of the main class or jar; the JVM writes a thread\n"
		"dump (Thread.print), which pauses it for some milliseconds.  FILE has thread\n"
		"dumps of HotSpot, also within a log, or one of Thread.dump_to_file\n"
		"-format=json, which has virtual threads, too.",
	.opts = opts,
	.run = run,
};
