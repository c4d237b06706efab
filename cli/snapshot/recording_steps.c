/* SPDX-License-Identifier: MIT */
/*
 * recording_steps.c - steps that other commands do: recordings, scrubbed, and the report of them
 */
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/report.h"
#include "snapshot/taking.h"

/* What is to be scrubbed: hidden, so that nobody takes it for a part of the snapshot. */
#define RAW ".raw.jfr"

/* A command line. */
struct line {
	const char *words[24];
	int count;
};

static void add(struct line *l, const char *word)
{
	l->words[l->count++] = word;
}

static int run(const struct command *c, struct line *l)
{
	int status;

	l->words[l->count] = NULL;
	status = c->run(c, l->count, (char **)l->words);
	fflush(stdout);
	return status;
}

/* From the raw recording to the file of the step.  The process is confined from then on. */
static int scrub(const struct step_call *c)
{
	struct line l = { .words = { "scrub", "--mode", "600", "-o", c->step->file, RAW }, .count = 6 };

	return run(&cmd_scrub, &l);
}

/* A recording that damage or the end of its JVM cut short is as good as there is. */
static int finish(const struct step_call *c, int status)
{
	int scrubbed;

	if (access(RAW, F_OK) != 0)
		return status == EXIT_DONE ? EXIT_FAILED : status;
	if (c->opts->raw)
		return rename(RAW, c->step->file) == 0 ? status : EXIT_FAILED;
	scrubbed = scrub(c);
	unlink(RAW);
	if (scrubbed != EXIT_DONE && access(c->step->file, F_OK) != 0)
		fputs("it could not be scrubbed, and is left out; --raw takes it\n", stderr);
	return status == EXIT_DONE ? scrubbed : status;
}

static void put_seconds(char to[24], int64_t ns)
{
	snprintf(to, 24, "%" PRId64 "s", (ns + NS_PER_SECOND - 1) / NS_PER_SECOND);
}

/* The last of its repository, without attaching. */
static int copy_repository(const struct step_call *c, int64_t age_ns)
{
	struct line l = { .words = { "dump", "--from-repository", "--full-speed", "-o", RAW,
				     "--max-age" },
			  .count = 6 };
	char pid[16], age[24];

	put_seconds(age, age_ns);
	snprintf(pid, sizeof(pid), "%d", c->jvm->pid);
	add(&l, age);
	add(&l, pid);
	return run(&cmd_dump, &l);
}

int take_repository(const struct step_call *c)
{
	struct jfrec_error err;
	struct jfrec_repository *r = jfrec_repository_of_jvm(c->jvm, &err);

	if (!r && err.code == JFREC_EREFUSED)
		return step_fail(&err), EXIT_NOTHING;
	if (!r)
		return step_fail(&err);
	jfrec_repository_close(r);
	return finish(c, copy_repository(c, c->opts->max_age_ns ? c->opts->max_age_ns
								: SNAPSHOT_MAX_AGE_NS));
}

static bool has_repository(const struct step_call *c)
{
	struct jfrec_repository *r = jfrec_repository_of_jvm(c->jvm, NULL);

	jfrec_repository_close(r);
	return r != NULL;
}

int take_recording(const struct step_call *c)
{
	struct line l = { .words = { "record", "--settings", "analyze", "--compress", "none", "-o", RAW,
				     "--timeout", "60s", "--duration" },
			  .count = 10 };
	char pid[16], duration[24];
	int status;

	if (jfrec_jvm_has_ended(c->jvm)) {
		fputs("the JVM has ended\n", stderr);
		return EXIT_DIED;
	}
	put_seconds(duration, snapshot_duration_ns(c->opts));
	snprintf(pid, sizeof(pid), "%d", c->jvm->pid);
	add(&l, duration);
	if (c->opts->attach.anyway)
		add(&l, "--attach-anyway");
	add(&l, pid);
	status = run(&cmd_record, &l);
	/* One that did not answer any more has most of it on its disk. */
	if (status != EXIT_DONE && access(RAW, F_OK) != 0 && has_repository(c))
		copy_repository(c, snapshot_duration_ns(c->opts) + NS_PER_SECOND);
	return finish(c, status);
}

int take_report(const struct step_call *c)
{
	static const char *const names[] = { "repository.jfr", "recording.jfr" };
	struct line l = { .words = { "report", "-o", c->step->file }, .count = 3 };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (access(names[i], F_OK) == 0)
			add(&l, names[i]);
	}
	if (l.count == 3) {
		fputs("there is no recording to make a page of\n", stderr);
		return EXIT_NOTHING;
	}
	return run(&cmd_report, &l);
}
