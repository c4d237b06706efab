/* SPDX-License-Identifier: MIT */
/*
 * reply.c - classify the replies of JFR commands
 *
 * Texts of HotSpot 8, 11, 17, 21, 25, 26 and 28.  They are English everywhere.
 */
#include "jfr/reply.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/glob.h"
#include "jfr/option.h"

#define START	  (1u << JFREC_JFR_START)
#define STOP	  (1u << JFREC_JFR_STOP)
#define DUMP	  (1u << JFREC_JFR_DUMP)
#define CHECK	  (1u << JFREC_JFR_CHECK)
#define CONFIGURE (1u << JFREC_JFR_CONFIGURE)
#define ANY	  (START | STOP | DUMP | CHECK | CONFIGURE)

#define WARNING "Warning! "

/* 8 and 11 put it before the messages of their own parser of options. */
#define EXCEPTION "java.lang.IllegalArgumentException: "

/* As far as a line is compared. */
#define LINE_MAX_KNOWN 1024

static const char broken[] = "Flight Recorder of this JVM is broken until the JVM is restarted";
static const char see_check[] = "`jfrec check` lists the recordings";
static const char no_memory[] = "the JVM is out of memory";
static const char no_thread[] = "its process is at its limit of threads";
static const char goes_on[] = "the recording continues";

/* The first line, without warnings and EXCEPTION, decides; the first row that fits. */
static const struct {
	unsigned commands;
	const char *line; /* a glob */
	enum reply_meaning meaning;
	enum jfrec_code code;
	const char *advice;
} patterns[] = {
	{ START, "Started recording *.*", REPLY_DONE, JFREC_OK, NULL },
	{ START, "Recording * scheduled to start in *.*", REPLY_SCHEDULED, JFREC_OK, NULL },
	{ CHECK, "Recording *: name=*", REPLY_DONE, JFREC_OK, NULL },
	{ CHECK, "No available recordings.", REPLY_NONE, JFREC_OK, NULL },
	{ DUMP, "Dumped recording*written to:", REPLY_DONE, JFREC_OK, NULL },
	{ STOP, "Stopped recording \"*\".", REPLY_DONE, JFREC_OK, NULL },
	{ STOP, "Stopped recording \"*\"*written to:", REPLY_DONE, JFREC_OK, NULL },
	/* One that its duration has ended; it stays in the list until the JVM ends. */
	{ STOP, "Can't stop an already stopped recording.*", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Current configuration:", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Repository path: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Dump path: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Stack depth: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Global buffer count: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Global buffer size: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Thread buffer size: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Memory size: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Max chunk size: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Sample threads: *", REPLY_DONE, JFREC_OK, NULL },
	{ CONFIGURE, "Preserve repository: *", REPLY_DONE, JFREC_OK, NULL },

	/* There is no Flight Recorder. */
	{ ANY, "Flight Recorder is disabled.*", REPLY_FAILED, JFREC_ENOJFR,
	  "start the JVM without -XX:-FlightRecorder" },
	{ ANY, "Module jdk.jfr not found.*", REPLY_FAILED, JFREC_ENOJFR,
	  "its Java runtime was created without the module jdk.jfr" },
	{ ANY, "Flight Recorder can not be enabled.*", REPLY_FAILED, JFREC_ENOJFR, NULL },
	{ ANY, "Java Flight Recorder not enabled.*", REPLY_FAILED, JFREC_ENOJFR,
	  "this Oracle JVM needs -XX:+UnlockCommercialFeatures -XX:+FlightRecorder" },
	{ ANY, "Unknown diagnostic command*", REPLY_FAILED, JFREC_ENOJFR,
	  "this JVM was built without Flight Recorder, or is older than 8u262" },
	{ ANY, "Could not initialize class *", REPLY_FAILED, JFREC_ENOJFR, broken },
	{ ANY, "*NoClassDefFoundError*", REPLY_FAILED, JFREC_ENOJFR, broken },
	/* 8 and 11, once their repository was deleted, although they make it again. */
	{ ANY, "not finished chunk *", REPLY_FAILED, JFREC_ENOJFR,
	  "its repository directory was deleted; Flight Recorder of this JVM is broken until the "
	  "JVM is restarted" },
	/* It has no memory, or no thread, for what it was told to do. */
	{ START, "Unable to create native recording thread for JFR*", REPLY_FAILED, JFREC_EREFUSED,
	  no_thread },
	{ ANY, "unable to create native thread*", REPLY_FAILED, JFREC_EREFUSED, no_thread },
	{ ANY, "java.lang.OutOfMemoryError: unable to create native thread*", REPLY_FAILED,
	  JFREC_EREFUSED, no_thread },
	{ ANY, "java.lang.OutOfMemoryError*", REPLY_NO_MEMORY, JFREC_EREFUSED, no_memory },
	{ ANY, "Java heap space*", REPLY_NO_MEMORY, JFREC_EREFUSED, no_memory },
	{ ANY, "GC overhead limit exceeded*", REPLY_NO_MEMORY, JFREC_EREFUSED, no_memory },
	{ ANY, "Metaspace*", REPLY_NO_MEMORY, JFREC_EREFUSED, no_memory },
	{ ANY, "Compressed class space*", REPLY_NO_MEMORY, JFREC_EREFUSED, no_memory },
	{ DUMP, "Dump failed. Could not copy recording data. Java heap space*", REPLY_NO_MEMORY,
	  JFREC_EREFUSED, no_memory },

	/* The parsers of options. */
	{ ANY, "Unknown argument *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "The option *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "The argument *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "Option name can only be specified once.*", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "Duplicates in diagnostic command arguments*", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "Integer parsing error *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "Parsing error *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "Boolean parsing error *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "Expected delimiter, *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ ANY, "Format error in diagnostic command arguments*", REPLY_FAILED, JFREC_EREFUSED,
	  NULL },
	{ ANY, "Error! Did you mean *", REPLY_FAILED, JFREC_EREFUSED, NULL },

	{ START, "Could not * file *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ START, "Could not start recording, *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ START, "Name of recording can't be numeric*", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ START, "Filename can only be set *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ START, "No settings specified*", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ START, "Flush can only be set *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ START, "Incorrect value *", REPLY_FAILED, JFREC_EREFUSED, NULL },

	{ DUMP, "Dump failed. No data found in the specified interval.*", REPLY_NO_DATA,
	  JFREC_EREFUSED, NULL },
	{ DUMP, "Dump failed. Could not copy recording data. Recording * has not started*",
	  REPLY_FAILED, JFREC_EREFUSED, "it has not started yet" },
	{ DUMP, "Dump failed. Could not copy recording data. No space left on device*",
	  REPLY_FAILED, JFREC_EREFUSED, goes_on },
	{ DUMP, "Dump failed. Could not copy recording data. *", REPLY_FAILED, JFREC_EREFUSED,
	  "check the free space in its /tmp; the recording continues" },
	{ DUMP, "Dump failed*", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ DUMP, "No recordings to dump from.*", REPLY_FAILED, JFREC_EREFUSED,
	  "`jfrec record` starts one and fetches it" },
	{ DUMP | STOP, "No available recordings.", REPLY_FAILED, JFREC_EREFUSED,
	  "`jfrec record` starts one and fetches it" },
	{ DUMP | STOP | CHECK, "Could not find *", REPLY_FAILED, JFREC_EREFUSED, see_check },
	{ STOP, "Could not stop recording *", REPLY_FAILED, JFREC_EREFUSED, see_check },
	{ STOP, "Could not write recording *", REPLY_FAILED, JFREC_EREFUSED, goes_on },
	{ STOP, "Recording must be started before it can be stopped.*", REPLY_FAILED,
	  JFREC_EREFUSED, "a JVM cannot cancel a recording that has not started yet" },

	{ CONFIGURE, "Could not use *", REPLY_FAILED, JFREC_EREFUSED, NULL },
	{ CONFIGURE, "Could not set *", REPLY_FAILED, JFREC_EREFUSED, NULL },
};

/* Text ----------------------------------------------------------------------------------------- */

static struct reply_text line_of(const char *at, const char *end)
{
	const char *lf = memchr(at, '\n', (size_t)(end - at));
	size_t len = (size_t)((lf ? lf : end) - at);

	return (struct reply_text){ at, len };
}

static const char *behind(struct reply_text line, const char *end)
{
	return line.at + line.len < end ? line.at + line.len + 1 : end;
}

static bool begins(struct reply_text t, const char *with)
{
	return t.len >= strlen(with) && memcmp(t.at, with, strlen(with)) == 0;
}

static bool ends(struct reply_text t, const char *with)
{
	size_t len = strlen(with);

	return t.len >= len && memcmp(t.at + t.len - len, with, len) == 0;
}

static bool fits(struct reply_text line, const char *glob)
{
	char text[LINE_MAX_KNOWN + 1];
	size_t len = line.len < LINE_MAX_KNOWN ? line.len : LINE_MAX_KNOWN;

	memcpy(text, line.at, len);
	text[len] = '\0';
	return glob_match(glob, strlen(glob), text);
}

/* The last line that is not empty, if there is one after the first. */
static struct reply_text last_line(const char *at, const char *end)
{
	struct reply_text last = { at, 0 }, line = line_of(at, end);

	for (at = behind(line, end); at < end; at = behind(line, end)) {
		line = line_of(at, end);
		if (line.len)
			last = line;
	}
	return last;
}

/* Up to the first empty line. */
static struct reply_text paragraph(const char *at, const char *end)
{
	const char *p = at;
	struct reply_text line = line_of(p, end);

	while (line.len) {
		p = behind(line, end);
		line = line_of(p, end);
	}
	while (p > at && p[-1] == '\n')
		p--;
	return (struct reply_text){ at, (size_t)(p - at) };
}

struct reply_text reply_value(const char *text, const char *label)
{
	const char *end = text + strlen(text);
	struct reply_text line;

	for (const char *at = text; at < end; at = behind(line, end)) {
		line = line_of(at, end);
		if (begins(line, label))
			return (struct reply_text){ at + strlen(label), line.len - strlen(label) };
	}
	return (struct reply_text){ end, 0 };
}

/* Meaning -------------------------------------------------------------------------------------- */

/* The number in "Started recording 7." or "Recording 7 scheduled". */
static bool read_id(struct reply_text line, uint64_t *id)
{
	const char *p = memchr(line.at, ' ', line.len), *end = line.at + line.len;

	if (begins(line, "Started "))
		p = memchr(p + 1, ' ', (size_t)(end - p - 1));
	*id = 0;
	if (!p || ++p == end || !isdigit((unsigned char)*p))
		return false;
	for (; p < end && isdigit((unsigned char)*p); p++) {
		if (__builtin_mul_overflow(*id, 10, id) ||
		    __builtin_add_overflow(*id, (uint64_t)(*p - '0'), id))
			return false;
	}
	return p < end && (*p == '.' || *p == ' ');
}

/* What a success brings along. */
static void read_details(struct reply *r, enum jfrec_jfr_command command, struct reply_text line,
			 const char *end)
{
	if (command == JFREC_JFR_START && !read_id(line, &r->id))
		r->meaning = REPLY_UNKNOWN;
	if (ends(line, "written to:")) {
		r->path = last_line(line.at, end);
		if (!r->path.len)
			r->meaning = REPLY_CUT;
	}
	if (r->meaning == REPLY_NONE && begins(last_line(line.at, end), "Use JFR.start "))
		r->meaning = REPLY_NEVER_USED;
}

static void judge(struct reply *r, enum jfrec_jfr_command command, struct reply_text line)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		if ((patterns[i].commands & (1u << command)) && fits(line, patterns[i].line)) {
			r->meaning = patterns[i].meaning;
			r->code = patterns[i].code;
			r->advice = patterns[i].advice;
			return;
		}
	}
}

/* Skip the warnings. */
static const char *skip_warnings(struct reply *r, const char *at, const char *end)
{
	struct reply_text line = line_of(at, end);

	r->warnings.at = at;
	while (begins(line, WARNING)) {
		r->warnings.len = (size_t)(line.at + line.len - r->warnings.at);
		at = behind(line, end);
		line = line_of(at, end);
	}
	while (at < end && *at == '\n')
		at++;
	return at;
}

struct reply reply_read(enum jfrec_jfr_command command, int status, const char *text, size_t len)
{
	struct reply r = { .meaning = REPLY_UNKNOWN, .path = { text, 0 } };
	const char *end = text + len, *at = skip_warnings(&r, text, end);

	if (begins(line_of(at, end), EXCEPTION))
		at += strlen(EXCEPTION);
	r.words = paragraph(at, end);
	if (at == end)
		r.meaning = REPLY_EMPTY;
	else
		judge(&r, command, line_of(at, end));
	if (reply_is_success(&r) && status == 0)
		read_details(&r, command, line_of(at, end), end);
	else if (reply_is_success(&r))
		r.meaning = REPLY_UNKNOWN;
	if (!reply_is_success(&r) && !r.code)
		r.code = r.meaning == REPLY_CUT ? JFREC_EDIED : JFREC_EREFUSED;
	return r;
}

/* What the JVM said, on one line. */
static const char *quote_words(struct reply_text words, char *to, size_t size)
{
	size_t len = words.len < size - 1 ? words.len : size - 1;

	for (size_t i = 0; i < len; i++)
		to[i] = words.at[i] == '\n' ? ' ' : words.at[i];
	to[len] = '\0';
	return to;
}

int reply_fail(enum jfrec_jfr_command command, const struct reply *r, struct jfrec_error *err)
{
	const char *name = jfr_command_name(command);
	char text[256];
	const char *words = quote_words(r->words, text, sizeof(text));

	switch (r->meaning) {
	case REPLY_EMPTY:
		if (command == JFREC_JFR_CHECK)
			return jfrec_fail(
				err, r->code, JFREC_NO_OFFSET,
				"the JVM did not reply to %s; JDK 8 and 11 do so if their "
				"repository directory was deleted, and %s",
				name, broken);
		return jfrec_fail(err, r->code, JFREC_NO_OFFSET,
				  "the JVM did not reply to %s, so it is unknown whether it "
				  "succeeded",
				  name);
	case REPLY_CUT:
		return jfrec_fail(err, r->code, JFREC_NO_OFFSET,
				  "the JVM's reply to %s was cut short: %s", name, words);
	case REPLY_NO_MEMORY:
	case REPLY_FAILED:
	case REPLY_NO_DATA:
		jfrec_fail(err, r->code, JFREC_NO_OFFSET, "the JVM said: %s%s%s%s", words,
				  r->advice ? " (" : "", r->advice ? r->advice : "",
				  r->advice ? ")" : "");
		if (err && r->meaning == REPLY_NO_MEMORY)
			err->sys = ENOMEM;
		return -1;
	default:
		return jfrec_fail(err, r->code, JFREC_NO_OFFSET,
				  "the JVM's reply to %s does not report success: %s", name,
				  words);
	}
}

int reply_version(const char *text, struct jfrec_jvm_version *version, struct jfrec_error *err)
{
	const char *end = text + strlen(text);
	struct reply_text vm = line_of(text, end), jdk = reply_value(text, "JDK ");
	size_t digits = 0;

	*version = (struct jfrec_jvm_version){ 0 };
	while (digits < jdk.len && digits < 4 && isdigit((unsigned char)jdk.at[digits]))
		version->jdk = version->jdk * 10 + (jdk.at[digits++] - '0');
	if (!digits || !vm.len)
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "the JVM does not report its version, but: %.200s", text);
	snprintf(version->version, sizeof(version->version), "%.*s", (int)jdk.len, jdk.at);
	snprintf(version->vm, sizeof(version->vm), "%.*s", (int)vm.len, vm.at);
	return 0;
}
