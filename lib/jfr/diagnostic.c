/* SPDX-License-Identifier: MIT */
/*
 * diagnostic.c - run any diagnostic command, and recognise its failures
 */
#include <stdlib.h>
#include <string.h>

#include "attach/session.h"
#include "base/error.h"
#include "jfr/option.h"
#include "jfr/reply.h"

/* What all commands of Flight Recorder begin with. */
#define JFR "JFR."

/* What a refusal is cut to. */
#define MAX_REFUSAL (1u << 20)

/* Where an answer goes once its status is known. */
struct passing {
	struct jfrec_session *session;
	jfrec_write_fn *write;
	void *ctx;
	int status;
	struct session_reply refusal;
};

static int pass_on(void *ctx, const void *data, size_t len)
{
	struct passing *p = ctx;

	if (p->status == 0)
		return p->write(p->ctx, data, len);
	if (p->refusal.len + len > MAX_REFUSAL)
		return 0;
	return session_reply_take(&p->refusal, data, len);
}

static int fail_status(const char *command, int status, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
			  "the JVM answered %.*s with status %d", (int)strcspn(command, " "),
			  command, status);
}

static int run_native(struct jfrec_session *s, const char *command, jfrec_write_fn *write,
		      void *ctx, char **refusal, struct jfrec_error *err)
{
	struct passing p = { .session = s, .write = write, .ctx = ctx };
	int result = session_run(s, "jcmd", &command, 1, SESSION_LONG_TIMEOUT_MS, pass_on, &p,
				 &p.status, err);

	if (result < 0 || p.status == 0) {
		session_reply_fini(&p.refusal);
		return result;
	}
	*refusal = p.refusal.text;
	return fail_status(command, p.status, err);
}

/* Flight Recorder ------------------------------------------------------------------------------ */

static bool begins_with_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	return strncmp(text, word, len) == 0 && (text[len] == ' ' || text[len] == '\0');
}

/* JDK 25 explains any command that has such an argument. */
static bool asks_for_help(const char *command)
{
	static const char *const words[] = { "-h", "-help", "--help" };

	for (const char *at = command; (at = strchr(at, ' ')) != NULL;) {
		at++;
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
			if (begins_with_word(at, words[i]))
				return true;
		}
	}
	return false;
}

/* What JFR.probe says instead of a view. */
static bool says_no_data(const char *text)
{
	static const char no_data[] = "No recording data ";

	return strncmp(text, no_data, strlen(no_data)) == 0;
}

/*
 * A command whose answers are not in the table of known ones (JFR.probe, or
 * one that is newer than we are) fails only by what every command may say.
 */
static int judge(const char *command, const struct session_reply *a, struct jfrec_error *err)
{
	static const enum jfrec_jfr_command known[] = { JFREC_JFR_START, JFREC_JFR_STOP,
							JFREC_JFR_DUMP, JFREC_JFR_CHECK,
							JFREC_JFR_CONFIGURE };
	enum jfrec_jfr_command as = JFREC_JFR_CHECK;
	bool is_known = false;
	struct reply r;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known) && !is_known; i++) {
		is_known = begins_with_word(command, jfr_command_name(known[i]));
		as = is_known ? known[i] : as;
	}
	r = reply_read(as, a->status, a->text, a->len);
	if (r.code == JFREC_OK)
		return 0;
	if (a->status == 0 && r.meaning == REPLY_UNKNOWN &&
	    (asks_for_help(command) || (!is_known && !says_no_data(a->text))))
		return 0;
	return reply_fail(as, &r, err);
}

static int run_jfr(struct jfrec_session *s, const char *command, jfrec_write_fn *write, void *ctx,
		   char **refusal, struct jfrec_error *err)
{
	struct session_reply answer;
	int error;

	if (session_jcmd(s, command, SESSION_LONG_TIMEOUT_MS, &answer, err) < 0)
		return -1;
	if (judge(command, &answer, err) < 0) {
		*refusal = answer.text;
		return -1;
	}
	error = write(ctx, answer.text, answer.len);
	session_reply_fini(&answer);
	return error ? jfrec_fail_output(err, error) : 0;
}

int jfrec_session_jcmd(struct jfrec_session *s, const char *command, jfrec_write_fn *write,
		       void *ctx, char **refusal, struct jfrec_error *err)
{
	*refusal = NULL;
	command += strspn(command, " ");
	if (strncmp(command, JFR, strlen(JFR)) == 0)
		return run_jfr(s, command, write, ctx, refusal, err);
	session_trace(s, "asking: %s", command);
	return run_native(s, command, write, ctx, refusal, err);
}
