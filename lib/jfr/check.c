/* SPDX-License-Identifier: MIT */
/*
 * check.c - list the recordings of a JVM: JFR.check
 */
#include "base/error.h"
#include "jfr/jfr.h"
#include "jfr/recordings.h"

static struct jfrec_jfr_recordings *read_list(const struct jfr_answer *a, const char *name,
					      struct jfrec_error *err)
{
	if (a->r.meaning == REPLY_DONE)
		return recordings_read(a->reply.text, a->reply.len, err);
	if (!name)
		return recordings_none(err);
	jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET, "there is no recording %s, and no other "
							 "one",
		   name);
	return NULL;
}

/* *is_empty: the JVM printed nothing. */
static struct jfrec_jfr_recordings *ask(struct jfrec_session *s, const char *name, bool verbose,
					bool *is_empty, struct jfrec_error *err)
{
	struct jfrec_jfr_recordings *list = NULL;
	struct jfrec_jfr_option options[2];
	struct command_text text;
	struct jfr_answer a;
	size_t count = 0;

	if (name)
		options[count++] = (struct jfrec_jfr_option){ "name", name };
	if (verbose)
		options[count++] = (struct jfrec_jfr_option){ "verbose", "true" };
	if (jfr_compose(s, JFREC_JFR_CHECK, options, count, &text, err) < 0)
		return NULL;
	if (jfr_ask(s, JFREC_JFR_CHECK, text.text, &a, err) == 0) {
		*is_empty = a.r.meaning == REPLY_EMPTY;
		if (reply_is_success(&a.r))
			list = read_list(&a, name, err);
		else
			reply_fail(JFREC_JFR_CHECK, &a.r, err);
		jfr_answer_fini(&a);
	}
	command_text_fini(&text);
	return list;
}

/* Verbosely, JDK 17 and later print nothing where there is no recording, instead of saying so. */
struct jfrec_jfr_recordings *jfrec_jfr_list(struct jfrec_session *s, const char *name,
					    bool verbose, struct jfrec_error *err)
{
	bool is_empty = false;
	struct jfrec_jfr_recordings *list = ask(s, name, verbose, &is_empty, err);

	return !list && is_empty && verbose ? ask(s, name, false, &is_empty, err) : list;
}
