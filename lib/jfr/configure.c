/* SPDX-License-Identifier: MIT */
/*
 * configure.c - change the options of Flight Recorder: JFR.configure
 *
 * Most can be set only before it is first used.  After that JDK 17 and earlier
 * claim to have set them, and 21 and later silently show what there is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jfr/jfr.h"

/* How an option is called in the answer. */
static const struct {
	const char *key, *label;
	bool is_late; /* can be set at any time */
} labels[] = {
	{ "repositorypath", "Repository path: ", true },
	{ "dumppath", "Dump path: ", true },
	{ "preserve-repository", "Preserve repository: ", true },
	{ "stackdepth", "Stack depth: ", false },
	{ "globalbuffercount", "Global buffer count: ", false },
	{ "globalbuffersize", "Global buffer size: ", false },
	{ "thread_buffer_size", "Thread buffer size: ", false },
	{ "memorysize", "Memory size: ", false },
	{ "maxchunksize", "Max chunk size: ", false },
	{ "samplethreads", "Sample threads: ", false },
};

#define LABEL_COUNT (sizeof(labels) / sizeof(*labels))

static size_t find(const char *key)
{
	size_t i = 0;

	while (i < LABEL_COUNT && strcmp(key, labels[i].key) != 0)
		i++;
	return i;
}

static int too_late(const char *key, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
			  "%s was not set: Flight Recorder is already in use in this JVM; set it "
			  "before the first recording, or with -XX:FlightRecorderOptions",
			  key);
}

/* 17 and earlier: has there been a recording? */
static int check_unused(struct jfrec_session *s, const char *key, struct jfrec_error *err)
{
	bool used = false;
	int ret = jfr_is_in_use(s, &used, err);

	return ret < 0 ? -1 : used ? too_late(key, err) : 0;
}

static int check_before(struct jfrec_session *s, const struct jfrec_jfr_option *options,
			size_t count, struct jfrec_error *err)
{
	for (size_t i = 0; i < count; i++) {
		size_t k = find(options[i].key);

		if (k < LABEL_COUNT && !labels[k].is_late)
			return check_unused(s, options[i].key, err);
	}
	return 0;
}

/* Was each of them taken?  Then it has a line, and the whole is not an overview. */
static int check_after(const char *text, const struct jfrec_jfr_option *options, size_t count,
		       struct jfrec_error *err)
{
	bool is_overview = strncmp(text, "Current configuration:", 22) == 0;

	for (size_t i = 0; i < count; i++) {
		size_t k = find(options[i].key);

		if (k < LABEL_COUNT && (is_overview || !reply_value(text, labels[k].label).len))
			return too_late(options[i].key, err);
	}
	return 0;
}

char *jfrec_jfr_configure(struct jfrec_session *s, const struct jfrec_jfr_option *options,
			  size_t count, struct jfrec_error *err)
{
	struct command_text text;
	struct jfr_answer a;
	char *said = NULL;

	if (jfr_compose(s, JFREC_JFR_CONFIGURE, options, count, &text, err) < 0)
		return NULL;
	if (check_before(s, options, count, err) == 0 &&
	    jfr_run(s, JFREC_JFR_CONFIGURE, text.text, &a, err) == 0) {
		if (check_after(a.reply.text, options, count, err) == 0)
			said = jfr_copy_text((struct reply_text){ a.reply.text, a.reply.len }, err);
		jfr_answer_fini(&a);
	}
	command_text_fini(&text);
	return said;
}
