/* SPDX-License-Identifier: MIT */
/*
 * doctor.c - jfrec doctor: find out why a JVM cannot be attached to or recorded
 */
#include <inttypes.h>
#include <string.h>

#include "base/beside.h"
#include "base/report.h"
#include "jfrec-tool.h"
#include "jvm/from_repository.h"
#include "jvm/self_check.h"
#include "opts/attach_opts.h"
#include "opts/target.h"

struct options {
	const struct command *command;
	struct target target;
	struct attach_opts attach;
	bool may_signal, self, json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "attach", "start the JVM's attach listener if necessary", struct options, may_signal),
	OPT_FLAG(0, "self", "check jfrec itself, and which JVMs were tested", struct options, self),
	OPT_GROUP(target_rows, struct options, target),
	OPT_GROUP(attach_rows, struct options, attach),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	{ 0 },
};
/* clang-format on */

/* Findings ------------------------------------------------------------------------------------- */

static const char *state_name(enum jfrec_finding_state state)
{
	switch (state) {
	case JFREC_FINDING_OK:
		return "ok";
	case JFREC_FINDING_NOTE:
		return "note";
	case JFREC_FINDING_WRONG:
		return "wrong";
	default:
		return "unknown";
	}
}

/* The columns where what was looked at and what was found begin. */
#define CHECK_COLUMN 8
#define TEXT_COLUMN  (CHECK_COLUMN + 12)

static void print_finding(const struct jfrec_finding *f)
{
	printf("%-*s%-*s", CHECK_COLUMN, state_name(f->state), TEXT_COLUMN - CHECK_COLUMN,
	       f->check);
	put_name(stdout, f->text);
	putchar('\n');
	if (!f->remedy)
		return;
	printf("%*sto fix it: ", TEXT_COLUMN, "");
	put_name(stdout, f->remedy);
	putchar('\n');
}

/* Those from number `from` on, as soon as they are known: the next may take its time. */
static void print_findings(const struct jfrec_diagnosis *d, size_t from)
{
	for (size_t i = from; i < jfrec_diagnosis_count(d); i++)
		print_finding(jfrec_diagnosis_get(d, i));
	fflush(stdout);
}

static json_t *finding_json(const struct jfrec_finding *f)
{
	json_t *code = f->code == JFREC_OK ? json_null() : json_integer(exit_of(f->code));

	return json_pack("{s:s, s:s, s:o, s:o, s:o}", "check", f->check, "state",
			 state_name(f->state), "text", text_json(f->text), "remedy",
			 text_json(f->remedy), "exitCode", code);
}

static json_t *findings_json(const struct jfrec_diagnosis *d)
{
	json_t *array = json_array();

	for (size_t i = 0; i < jfrec_diagnosis_count(d); i++)
		json_array_append_new(array, finding_json(jfrec_diagnosis_get(d, i)));
	return array;
}

/* EXIT_FAILED if something is wrong. */
static int status_of(const struct jfrec_diagnosis *d)
{
	for (size_t i = 0; i < jfrec_diagnosis_count(d); i++) {
		if (jfrec_diagnosis_get(d, i)->state == JFREC_FINDING_WRONG)
			return EXIT_FAILED;
	}
	return EXIT_DONE;
}

/* One JVM -------------------------------------------------------------------------------------- */

static int examine(const struct options *w, const struct jfrec_jvm *jvm, struct jfrec_diagnosis *d,
		   struct jfrec_error *err)
{
	struct jfrec_session_options options = attach_opts_session(&w->attach, jvm);
	size_t seen;

	options.no_signal = !w->may_signal;
	if (jfrec_diagnosis_jvm(d, jvm, err) < 0)
		return -1;
	seen = jfrec_diagnosis_count(d);
	if (!w->json)
		print_findings(d, 0);
	if (jfrec_diagnosis_ask(d, jvm, &options, err) < 0)
		return -1;
	if (!w->json)
		print_findings(d, seen);
	return 0;
}

static void print_heading(const struct jfrec_jvm *jvm)
{
	printf("Process %d, ", jvm->pid);
	put_name(stdout, jvm->main);
	puts(":");
}

/* Adds to the array, or prints. */
static int examine_one(const struct options *w, const struct jfrec_jvm *jvm, json_t *array)
{
	struct jfrec_error err;
	struct jfrec_diagnosis *d = jfrec_diagnosis_new(&err);
	int status;

	if (!w->json)
		print_heading(jvm);
	if (!d || examine(w, jvm, d, &err) < 0) {
		jfrec_diagnosis_free(d);
		return report_jvm_failure(jvm->pid, &err);
	}
	status = status_of(d);
	if (array)
		json_array_append_new(array,
				      json_pack("{s:i, s:o, s:b, s:o}", "pid", jvm->pid, "main",
						text_json(jvm->main), "good", status == EXIT_DONE,
						"findings", findings_json(d)));
	jfrec_diagnosis_free(d);
	return status;
}

static int examine_jvms(const struct options *w)
{
	struct jfrec_jvms *list;
	json_t *array;
	int status = target_select(w->command, &w->target, &list), one, printed;

	if (status == EXIT_NO_JVM)
		from_repository_name_if_gone(w->target.query.target);
	if (status != EXIT_DONE)
		return status;
	array = w->json || beside_is_wanted() ? json_array() : NULL;
	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		if (i && !w->json)
			putchar('\n');
		one = examine_one(w, jfrec_jvms_get(list, i), array);
		if (status == EXIT_DONE)
			status = one;
	}
	printed = w->json ? print_document("doctor", json_pack("{s:O}", "jvms", array))
			  : finish_stdout();
	if (!w->json && beside_begin()) {
		print_document("doctor", json_pack("{s:O}", "jvms", array));
		beside_end();
	}
	json_decref(array);
	jfrec_jvms_free(list);
	return status == EXIT_DONE ? printed : status;
}

/* The host ------------------------------------------------------------------------------------- */

/* What is not ours, or speaks another protocol, is as it should be. */
static enum jfrec_finding_state state_of(const struct jfrec_jvm *jvm)
{
	if (jvm->attachable)
		return jvm->note ? JFREC_FINDING_NOTE : JFREC_FINDING_OK;
	return jvm->why_not == JFREC_EPERMISSION || jvm->kind != JFREC_JVM_HOTSPOT
		       ? JFREC_FINDING_NOTE
		       : JFREC_FINDING_WRONG;
}

static const char *remark_on(const struct jfrec_jvm *jvm)
{
	return jvm->attachable ? jvm->note : jvm->reason;
}

static void print_jvm(const struct jfrec_jvm *jvm)
{
	printf("%-*s%-*d", CHECK_COLUMN, state_name(state_of(jvm)), TEXT_COLUMN - CHECK_COLUMN,
	       jvm->pid);
	put_name(stdout, jvm->main);
	if (remark_on(jvm)) {
		fputs(": ", stdout);
		put_name(stdout, remark_on(jvm));
	}
	putchar('\n');
}

static json_t *jvm_json(const struct jfrec_jvm *jvm)
{
	json_t *code = jvm->attachable ? json_null() : json_integer(exit_of(jvm->why_not));

	return json_pack("{s:i, s:o, s:s, s:o, s:o}", "pid", jvm->pid, "main", text_json(jvm->main),
			 "state", state_name(state_of(jvm)), "text", text_json(remark_on(jvm)),
			 "exitCode", code);
}

static int report_host(const struct options *w, const struct jfrec_diagnosis *d,
		       const struct jfrec_jvms *list)
{
	json_t *jvms = json_array();

	if (!w->json) {
		puts("This host:");
		print_findings(d, 0);
		puts(jfrec_jvms_count(list) ? "\nJVMs on this host; for details, run `jfrec doctor PID`:"
					    : "\nNo JVM is visible to this user.");
	}
	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		if (w->json)
			json_array_append_new(jvms, jvm_json(jfrec_jvms_get(list, i)));
		else
			print_jvm(jfrec_jvms_get(list, i));
	}
	if (w->json)
		return print_document("doctor", json_pack("{s:o, s:o}", "host", findings_json(d),
							"jvms", jvms));
	json_decref(jvms);
	return finish_stdout();
}

static int status_of_host(const struct jfrec_diagnosis *d, const struct jfrec_jvms *list)
{
	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		if (state_of(jfrec_jvms_get(list, i)) == JFREC_FINDING_WRONG)
			return EXIT_FAILED;
	}
	return status_of(d);
}

static int examine_host(const struct options *w)
{
	struct jfrec_error err;
	struct jfrec_diagnosis *d = jfrec_diagnosis_new(&err);
	struct jfrec_jvms *list = NULL;
	int status, printed;

	if (d && jfrec_diagnosis_host(d, &err) == 0)
		list = target_find(&w->target, &err);
	if (!list) {
		if (d && !w->json)
			print_findings(d, 0);
		jfrec_diagnosis_free(d);
		return report_jvm_failure(0, &err);
	}
	status = status_of_host(d, list);
	printed = report_host(w, d, list);
	jfrec_jvms_free(list);
	jfrec_diagnosis_free(d);
	return status == EXIT_DONE ? printed : status;
}

/* jfrec itself --------------------------------------------------------------------------------- */

static struct jfrec_finding as_finding(const struct self_finding *f)
{
	return (struct jfrec_finding){ .check = f->check, .state = f->state, .text = f->text,
				       .remedy = f->remedy };
}

/* Adds to `array`, or prints.  EXIT_FAILED if something is missing. */
static int report_build(json_t *array)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < self_check_count(); i++) {
		const struct self_finding found = self_check_build(i);
		const struct jfrec_finding f = as_finding(&found);

		if (f.state == JFREC_FINDING_WRONG)
			status = EXIT_FAILED;
		if (array)
			json_array_append_new(array, finding_json(&f));
		else
			print_finding(&f);
	}
	return status;
}

static void report_known(json_t *array, const struct jfrec_jvm *jvm)
{
	const struct self_finding found = self_check_jvm(jvm);

	if (array) {
		json_array_append_new(array, json_pack("{s:i, s:o, s:s, s:s, s:n}", "pid", jvm->pid,
						       "main", text_json(jvm->main), "state",
						       state_name(found.state), "text", found.text,
						       "exitCode"));
		return;
	}
	printf("%-*s%-*d", CHECK_COLUMN, state_name(found.state), TEXT_COLUMN - CHECK_COLUMN,
	       jvm->pid);
	put_name(stdout, jvm->main);
	printf(": %s\n", found.text);
}

static int print_self(const struct options *w, const struct jfrec_diagnosis *rights,
		      const struct jfrec_jvms *list)
{
	json_t *build = w->json ? json_array() : NULL, *jvms = w->json ? json_array() : NULL;
	int status, printed;

	if (!w->json)
		puts("This jfrec:");
	status = report_build(build);
	if (!w->json) {
		puts("\nThis host, and what this user may do:");
		print_findings(rights, 0);
		puts(jfrec_jvms_count(list) ? "\nJVMs on this host:"
					    : "\nNo JVM is visible to this user.");
	}
	for (size_t i = 0; i < jfrec_jvms_count(list); i++)
		report_known(jvms, jfrec_jvms_get(list, i));
	printed = w->json ? print_document("doctor", json_pack("{s:o, s:o, s:o}", "build", build,
							       "host", findings_json(rights), "jvms",
							       jvms))
			  : finish_stdout();
	return status == EXIT_DONE ? printed : status;
}

/* Nothing is sent to any JVM. */
static int examine_self(const struct options *w)
{
	struct jfrec_error err;
	struct jfrec_diagnosis *rights = jfrec_diagnosis_new(&err);
	struct jfrec_jvms *list = NULL;
	int status;

	if (rights && jfrec_diagnosis_host(rights, &err) == 0)
		list = target_find(&w->target, &err);
	status = list ? print_self(w, rights, list) : report_jvm_failure(0, &err);
	jfrec_jvms_free(list);
	jfrec_diagnosis_free(rights);
	return status;
}

/* ---------------------------------------------------------------------------------------------- */

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .command = self };

	if (!opt_parse(&p, &w))
		return p.status;
	if (argc - p.first_operand > 1)
		return report_usage(self, "give one JVM, or none to check this host");
	w.target.query.target = argv[p.first_operand];
	if (w.self && (!target_is_any(&w.target) || w.target.all || w.may_signal))
		return report_usage(self, "--self checks jfrec, not one JVM");
	if (w.self)
		return examine_self(&w);
	if (!target_is_any(&w.target) || w.target.all)
		return examine_jvms(&w);
	if (w.may_signal)
		return report_usage(self, "--attach needs a JVM, or --all");
	return examine_host(&w);
}

const struct command cmd_doctor = {
	.name = "doctor",
	.args = "[TARGET]",
	.examples = "  jfrec doctor\n"
		    "  jfrec doctor Shop\n",
	.summary = "find out why a JVM cannot be attached to or recorded",
	.about =
		"Check everything that is needed to attach to a JVM, to record it, and to fetch\n"
		"the recording; report each problem with its remedy.  This does not affect the\n"
		"JVM.  Without TARGET, check this host; with --self, this jfrec.",
	.opts = opts,
	.run = run,
};
