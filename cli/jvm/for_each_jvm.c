/* SPDX-License-Identifier: MIT */
/*
 * for_each_jvm.c - run a command for each selected JVM
 */
#include "jvm/for_each_jvm.h"

#include <stdlib.h>
#include <string.h>

#include "base/hints.h"
#include "base/report.h"
#include "jvm/parallel_ask.h"

/* clang-format off */
const struct opt for_each_jvm_rows[] = {
	OPT_GROUP(target_rows, struct for_each_jvm, target),
	OPT_GROUP(attach_rows, struct for_each_jvm, attach),
	OPT_FLAG('j', "json", "print one JSON document", struct for_each_jvm, json),
	{ 0 },
};

const struct opt for_each_jvm_whole_rows[] = {
	OPT_GROUP(target_rows, struct for_each_jvm, target),
	OPT_GROUP(attach_whole_rows, struct for_each_jvm, attach),
	OPT_FLAG('j', "json", "print one JSON document", struct for_each_jvm, json),
	{ 0 },
};
/* clang-format on */

/* Some sentences begin by the process themselves. */
static bool names_process(const char *text)
{
	return strncmp(text, "process ", 8) == 0;
}

int for_each_jvm_fail(const struct each_jvm *j, const struct jfrec_error *err)
{
	return report_jvm_failure(names_process(err->text) ? 0 : j->jvm->pid, err);
}

void for_each_jvm_begin_line(const struct each_jvm *j)
{
	if (j->each->target.all)
		printf("%d ", j->jvm->pid);
}

/* One that is stopped would not answer, and is not made to wait for it. */
static void open_session(struct each_jvm *j, struct jfrec_error *err)
{
	if (j->each->manages && j->jvm->stopped && j->jvm->reason) {
		*err = (struct jfrec_error){ .code = j->jvm->why_not };
		snprintf(err->text, sizeof(err->text), "%s", j->jvm->reason);
	} else {
		j->session = attach_opts_open(&j->each->attach, j->jvm, err);
	}
	j->why = j->session ? NULL : err;
}

/* Was it for want of time?  One that is stopped would not reply later, either. */
static bool has_timed_out(const struct each_jvm *j, int status)
{
	return status == EXIT_TIMEOUT &&
	       (!j->session || jfrec_session_look(j->session, NULL) == 0);
}

static int run_one(struct each_jvm *j, int (*fn)(struct each_jvm *j, void *ctx), void *ctx)
{
	struct jfrec_error err;
	int status;

	if (!j->each->apart)
		open_session(j, &err);
	status = j->why && !j->each->manages ? for_each_jvm_fail(j, &err) : fn(j, ctx);
	j->timed_out = has_timed_out(j, status);
	jfrec_session_close(j->session);
	return status;
}

/* Several at once ------------------------------------------------------------------------------ */

struct side {
	const struct for_each_jvm *each;
	const struct jfrec_jvms *list;
	json_t *results;
	bool timed_out; /* one of them */
	int (*fn)(struct each_jvm *j, void *ctx);
	void *ctx;
};

static int print_one(void *ctx, size_t i)
{
	const struct side *s = ctx;
	struct each_jvm j = { .each = s->each, .jvm = jfrec_jvms_get(s->list, i) };
	int status;

	if (s->each->json)
		j.result = json_pack("{s:i}", "pid", j.jvm->pid);
	status = run_one(&j, s->fn, s->ctx);
	if (json_object_size(j.result) > 1)
		json_dumpf(j.result, stdout, JSON_COMPACT);
	json_decref(j.result);
	return status;
}

static void take_one(void *ctx, size_t i, int status, const char *out, size_t len)
{
	struct side *s = ctx;

	(void)i;
	s->timed_out |= status == EXIT_TIMEOUT;
	if (!s->each->json)
		fwrite(out, 1, len, stdout);
	else if (len)
		json_array_append_new(s->results, json_loadb(out, len, JSON_ALLOW_NUL, NULL));
}

/* One after the other -------------------------------------------------------------------------- */

/* Results are kept to be printed together. */
static int run_all(struct side *s)
{
	int first = EXIT_DONE;

	for (size_t i = 0; i < jfrec_jvms_count(s->list); i++) {
		struct each_jvm j = { .each = s->each, .jvm = jfrec_jvms_get(s->list, i) };
		int status;

		if (s->each->json)
			j.result = json_pack("{s:i}", "pid", j.jvm->pid);
		status = run_one(&j, s->fn, s->ctx);
		s->timed_out |= j.timed_out;
		if (json_object_size(j.result) > 1)
			json_array_append(s->results, j.result);
		json_decref(j.result);
		if (first == EXIT_DONE)
			first = status;
	}
	return first;
}

/* Of one JVM that failed there is nothing to tell. */
static int print_results(const struct for_each_jvm *e, json_t *results)
{
	if (!e->target.all && !json_array_size(results))
		return EXIT_DONE;
	return print_document_of(e->command->name, json_pack("{s:O}", "jvms", results));
}

static int fail_several(const struct for_each_jvm *e, const struct opt_parser *p)
{
	if (hints_operands(e->command->name, p->argc - p->first_operand,
			   p->argv + p->first_operand))
		return EXIT_USAGE;
	return report_usage(e->command, "name one JVM%s",
			    target_has_all(e->command) ? "; --all selects every JVM that matches"
						       : " at a time");
}

int for_each_jvm(struct for_each_jvm *e, const struct opt_parser *p,
		 int (*fn)(struct each_jvm *j, void *ctx), void *ctx)
{
	struct jfrec_jvms *list;
	struct side s;
	json_t *results;
	int status, printed;

	if (p->argc - p->first_operand > 1)
		return fail_several(e, p);
	e->target.query.target = p->argv[p->first_operand];
	status = target_select(e->command, &e->target, &list);
	if (status != EXIT_DONE)
		return status;
	results = json_array();
	s = (struct side){ .each = e, .list = list, .results = results, .fn = fn, .ctx = ctx };
	if (e->in_parallel && jfrec_jvms_count(list) > 1)
		status = ask_in_parallel(&(struct parallel_ask){ print_one, take_one, &s, 0 },
					 jfrec_jvms_count(list));
	else
		status = run_all(&s);
	if (s.timed_out)
		fputs("jfrec: --timeout sets how long to wait, such as --timeout 5m\n", stderr);
	printed = e->json ? print_results(e, results) : finish_stdout();
	json_decref(results);
	jfrec_jvms_free(list);
	return status == EXIT_DONE ? printed : status;
}
