/* SPDX-License-Identifier: MIT */
/*
 * operand.c - operands that are recordings, or a JVM that is recording
 */
#include "recording/operand.h"

#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/clock_now.h"
#include "base/many_files.h"
#include "opts/event_opts.h"
#include "opts/target.h"
#include "recording/open_recordings.h"
#include "recording/recorded.h"

#define DEFAULT_AGE_NS (600 * (int64_t)1000000000)

/* clang-format off */
const struct opt operand_rows[] = {
	OPT_ONCE(0, "jvm", "TARGET", "read this JVM: a pid, or a part of its main class", struct operand_opts, jvm),
	OPT_DURATION(0, "max-age", "TIME", "for a JVM: read the last TIME (default: 10m)", struct operand_opts, max_age_ns),
	OPT_DURATION(0, "duration", "TIME", "for a JVM: record for this long first, such as 30s", struct operand_opts, duration_ns),
	{ 0 },
};
/* clang-format on */

bool operand_is_jvm(const struct operand_opts *o, char *const *operands, int count)
{
	if (o->jvm)
		return true;
	return count == 1 && strcmp(operands[0], "-") != 0 && !strchr(operands[0], '/') &&
	       access(operands[0], F_OK) != 0 &&
	       !(strlen(operands[0]) > 4 && strstr(operands[0], ".jfr"));
}

static void on_problem(void *ctx, const struct jfrec_problem *problem)
{
	const struct operand *in = ctx;

	/* That the last chunk is not finished is what a JVM that records looks like. */
	if (problem->damage)
		say(in->name, problem->text);
}

/* The one JVM that is meant. Returns an exit code, after saying why there is none. */
static int find_jvm(const struct command *c, const char *name, struct jfrec_jvms **list)
{
	struct target target = {
		.query = { .struct_size = sizeof(target.query), .target = name },
	};

	return target_select(c, &target, list);
}

/* Its repository ------------------------------------------------------------------------------- */

static int fail_without_recording(const struct jfrec_jvm *jvm, const struct jfrec_error *err)
{
	int status = report_jvm_failure(jvm->pid, err);

	if (err->code == JFREC_EREFUSED)
		fprintf(stderr,
			"To start a recording: jfrec start %d; to record for this command only: "
			"--duration 30s\n",
			jvm->pid);
	return status;
}

static int read_repository(struct operand *in, struct jfrec_repository *r, int pid)
{
	struct jfrec_error err;

	jfrec_repository_select_span(r, &in->from_ns, NULL);
	if (jfrec_repository_describe(r)->chunks == 0) {
		say(in->name, jfrec_repository_describe(r)->unreadable
				      ? "its chunk is not finished, and JDK 8 and 11 write chunks that "
					"cannot be read until they are finished; use --duration 30s"
				      : "its repository has no data of that time yet");
		return EXIT_FAILED;
	}
	in->reader = jfrec_repository_read(r, &err);
	if (!in->reader)
		return report_jvm_failure(pid, &err);
	jfrec_reader_on_problem(in->reader, on_problem, in);
	return EXIT_DONE;
}

static int open_repository(struct operand *in, const struct command *c,
			   const struct operand_opts *o, const char *name)
{
	struct jfrec_repository *r;
	struct jfrec_jvms *list;
	struct jfrec_error err;
	const struct jfrec_jvm *jvm;
	int status = find_jvm(c, name, &list);

	if (status != EXIT_DONE)
		return status;
	jvm = jfrec_jvms_get(list, 0);
	snprintf(in->name, sizeof(in->name), "%s (process %d)", jvm->main ? jvm->main : "JVM",
		 jvm->pid);
	in->from_ns = real_now_ns() - (o->max_age_ns ? o->max_age_ns : DEFAULT_AGE_NS);
	in->is_jvm = true;
	if (o->watch)
		in->host = jfrec_host_watch(jvm, NULL);
	allow_many_files();
	budget_begin();
	r = jfrec_repository_of_jvm(jvm, &err);
	status = r ? read_repository(in, r, jvm->pid) : fail_without_recording(jvm, &err);
	jfrec_repository_close(r);
	jfrec_jvms_free(list);
	return status;
}

/* Beside the recording ------------------------------------------------------------------------- */

/*
 * Look for the first time.  Without a word: where none is meant, or several, the command that
 * records says so.
 */
static struct jfrec_host *watch(const struct operand_opts *o, const char *target)
{
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = target,
				     .without_names = true };
	struct jfrec_jvms *list = o->watch ? jfrec_jvms_find(&q, NULL) : NULL;
	struct jfrec_host *host = NULL;

	if (list && jfrec_jvms_count(list) == 1)
		host = jfrec_host_watch(jfrec_jvms_get(list, 0), NULL);
	jfrec_jvms_free(list);
	return host;
}

/* A recording of its own ----------------------------------------------------------------------- */

/* Its findings name commands that read the file, so it stays. */
static int open_kept(struct operand *in, const struct operand_opts *o, const char *target,
		     const char *settings, enum confinement how)
{
	struct jfrec_host *host = watch(o, target);
	int status = record_and_keep(o, target, settings, in->path);
	const char *slash = strrchr(in->path, '/');
	char *path = in->path;

	jfrec_host_look(host);
	in->host = host;
	/* Ended early by Ctrl-C: what there is counts. */
	if (status != EXIT_DONE && status != EXIT_INTERRUPTED)
		return status;
	snprintf(in->name, sizeof(in->name), "%.255s", slash ? slash + 1 : path);
	in->reader = open_confined(how, &path, 1);
	return in->reader ? EXIT_DONE : EXIT_FAILED;
}

static int open_brief(struct operand *in, const struct operand_opts *o, const char *target,
		      const char *settings)
{
	int status;

	in->host = watch(o, target);
	snprintf(in->name, sizeof(in->name), "%s", target);
	status = record_briefly(o, target, settings, &in->reader);
	jfrec_host_look(in->host);
	return status;
}

/* Operands ------------------------------------------------------------------------------------- */

const char *operand_shown(const struct operand *in, const char *path)
{
	if (in->is_jvm)
		return in->name;
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

void operand_in_envelope(const struct operand *in, char *const *operands, int count)
{
	if (in->is_jvm)
		envelope_name(in->name);
	for (int i = 0; !in->is_jvm && i < count; i++)
		envelope_name(operands[i]);
	envelope_watch(in->reader);
}

static int open_files(struct operand *in, enum confinement how, char *const *operands, int count)
{
	const char *slash = strrchr(operands[0], '/');
	const char *name = operand_shown(in, slash && slash[1] ? slash + 1 : operands[0]);

	if (count > 1)
		snprintf(in->name, sizeof(in->name), "%.230s and %d more", name, count - 1);
	else
		snprintf(in->name, sizeof(in->name), "%s", name);
	in->reader = open_confined(how, operands, count);
	return in->reader ? EXIT_DONE : EXIT_FAILED;
}

int operand_open(struct operand *in, const struct command *c, const struct operand_opts *o,
	       const char *settings, enum confinement how, char *const *operands, int count)
{
	const char *target = o->jvm ? o->jvm : count ? operands[0] : NULL;
	int status;

	*in = (struct operand){ .from_ns = INT64_MIN };
	if (o->jvm && count)
		return report_usage(c, "give either a recording or --jvm");
	if (!operand_is_jvm(o, operands, count)) {
		if (o->max_age_ns || o->duration_ns)
			return report_usage(c, "--max-age and --duration are for a JVM, not for "
					       "recordings");
		return open_files(in, how, operands, count);
	}
	if (o->max_age_ns && o->duration_ns)
		return report_usage(c, "--max-age cannot be combined with --duration");
	if (o->duration_ns && o->keep)
		return open_kept(in, o, target, settings, how);
	status = o->duration_ns ? open_brief(in, o, target, settings)
				: open_repository(in, c, o, target);
	if (status == EXIT_DONE)
		confine(how);
	return status;
}

int operand_select(const struct operand *in, const struct command *c, struct event_opts *s)
{
	struct jfrec_error err = { 0 };

	if (event_opts_select(s, in->reader, &err) < 0)
		return event_opts_failure(s, c, in->reader, &err);
	if (in->is_jvm && !s->from_ns)
		s->from_ns = &in->from_ns;
	return EXIT_DONE;
}

void operand_use_zone(const struct operand *in, struct event_opts *s)
{
	struct jfrec_error err;

	if (!s->has_zone)
		s->zone.is_fixed = jfrec_reader_zone(in->reader, &s->zone.offset_s, &err) == 0;
	s->has_zone = true;
}
