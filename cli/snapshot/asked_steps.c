/* SPDX-License-Identifier: MIT */
/*
 * asked_steps.c - steps that take what the JVM replies
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/report.h"
#include "snapshot/taking.h"

/* Less than the step has, so that the session ends by itself and clears up. */
static struct jfrec_session *open_session(const struct step_call *c, struct jfrec_error *err)
{
	struct attach_opts how = c->opts->attach;

	how.whole = true;
	how.trace = false;
	how.timeout_ms = (int)(c->limit_ns / NS_PER_MS * 9 / 10) + 1;
	return attach_opts_open(&how, c->jvm, err);
}

static int fail(char *refusal, const struct jfrec_error *err)
{
	if (!refusal)
		return step_fail(err);
	refusal[strcspn(refusal, "\n")] = '\0';
	fputs("the JVM replied: ", stderr);
	put_name(stderr, refusal);
	fputc('\n', stderr);
	return exit_of(err->code);
}

static int ask(const struct step_call *c)
{
	struct text_to to = { c->to, 0 };
	struct jfrec_error err;
	struct jfrec_session *s = open_session(c, &err);
	char *refusal = NULL;
	int status = EXIT_DONE;

	if (!s)
		return step_fail(&err);
	if (jfrec_session_jcmd(s, c->step->command, text_write, &to, &refusal, &err) < 0)
		status = fail(refusal, &err);
	jfrec_free(refusal);
	jfrec_session_close(s);
	return status;
}

int take_reply(const struct step_call *c)
{
	if (c->step->since && c->jvm->jdk && c->jvm->jdk < c->step->since) {
		fprintf(stderr, "JDK %d has no %s\n", c->jvm->jdk, c->step->command);
		return EXIT_NOTHING;
	}
	return ask(c);
}

/* What says that it is off is no summary. */
int take_native_memory(const struct step_call *c)
{
	char head[256];
	int status = take_reply(c);
	ssize_t n;

	if (status != EXIT_DONE)
		return status;
	n = pread(c->to, head, sizeof(head) - 1, 0);
	head[n > 0 ? n : 0] = '\0';
	if (!strstr(head, "racking is not enabled"))
		return EXIT_DONE;
	fputs("native memory tracking is off; -XX:NativeMemoryTracking=summary turns it on\n", stderr);
	return EXIT_NOTHING;
}

/* A dump has texts as they were on the heap; only --raw takes it. */
int take_heap_dump(const struct step_call *c)
{
	struct jfrec_error err;
	struct jfrec_session *s = open_session(c, &err);
	struct jfrec_dump *dump = s ? jfrec_heap_dump(s, false, &err) : NULL;
	struct jfrec_output *to =
		dump ? jfrec_output_open(c->step->file, false, JFREC_PLAIN, &err) : NULL;
	int status = EXIT_DONE;

	if (!to || jfrec_dump_copy(dump, jfrec_output_write, to, &err) < 0 ||
	    jfrec_output_commit(to, &err) < 0)
		status = step_fail(&err);
	jfrec_output_close(to);
	jfrec_dump_free(dump);
	jfrec_session_close(s);
	return status;
}
