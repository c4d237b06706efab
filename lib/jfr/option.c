/* SPDX-License-Identifier: MIT */
/*
 * option.c - names, types and limits of the options of JFR commands
 */
#include "jfr/option.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "base/clock_now.h"
#include "base/error.h"
#include "base/timeparse.h"
#include "jfr/quote.h"

/* What a value must look like. */
enum kind {
	TEXT, /* anything that can be written */
	SETTING, /* the same, of an option of the JDK's settings files */
	NAME, /* not only digits: that would be an id */
	PATH, /* of a file in the JVM's root, from its beginning on */
	FOLDER,
	TIME,	/* 10s; a bare 0 for none */
	PERIOD, /* the same, but at least a second */
	SIZE,	/* 250m */
	BOOL,	/* true, false; a bare key means true on 8 and 11 and fails later */
	COUNT,	/* 64 */
	MOMENT, /* 09:30, 2026-11-20T09:30:00, 2026-11-20T09:30:00Z, -10m */
};

#define START	  (1u << JFREC_JFR_START)
#define STOP	  (1u << JFREC_JFR_STOP)
#define DUMP	  (1u << JFREC_JFR_DUMP)
#define CHECK	  (1u << JFREC_JFR_CHECK)
#define CONFIGURE (1u << JFREC_JFR_CONFIGURE)

/*
 * Every option, and the JDK that has it first and last; 0: from 8 on, until
 * today.  Servers of 8, 11, 17, 21, 25, 26 and 28 were asked, so 17 means 12 to 17.
 */
static const struct known {
	const char *key;
	unsigned commands;
	enum kind kind;
	int since, until;
} known[] = {
	{ "name", START, NAME, 0, 0 },
	{ "name", STOP | DUMP | CHECK, TEXT, 0, 0 },
	{ "settings", START, TEXT, 0, 0 },
	{ "delay", START, PERIOD, 0, 0 },
	{ "duration", START, PERIOD, 0, 0 },
	{ "disk", START, BOOL, 0, 0 },
	{ "filename", START | STOP | DUMP, PATH, 0, 0 },
	{ "maxage", START | DUMP, TIME, 0, 0 },
	{ "maxsize", START | DUMP, SIZE, 0, 0 },
	{ "flush-interval", START, TIME, 17, 0 },
	{ "dumponexit", START, BOOL, 0, 0 },
	{ "path-to-gc-roots", START | DUMP, BOOL, 0, 0 },
	{ "begin", DUMP, MOMENT, 0, 0 },
	{ "end", DUMP, MOMENT, 0, 0 },
	{ "verbose", CHECK, BOOL, 0, 0 },
	/* of the .jfc files that come with the JDK */
	{ "gc", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "allocation-profiling", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "compiler", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "method-profiling", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "thread-dump", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "exceptions", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "memory-leaks", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "locking-threshold", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "file-threshold", START, SETTING, JDK_OF_SETTINGS, 24 },
	{ "socket-threshold", START, SETTING, JDK_OF_SETTINGS, 24 },
	{ "class-loading", START, SETTING, JDK_OF_SETTINGS, 0 },
	{ "method-timing", START, SETTING, 25, 0 },
	{ "method-trace", START, SETTING, 25, 0 },
	/* Taken only by -XX:StartFlightRecording; JFR.start would warn and start without. */
	{ "report-on-exit", 0, TEXT, 0, 0 },
	{ "repositorypath", CONFIGURE, FOLDER, 0, 0 },
	{ "dumppath", CONFIGURE, FOLDER, 0, 0 },
	{ "stackdepth", CONFIGURE, COUNT, 0, 0 },
	{ "globalbuffercount", CONFIGURE, COUNT, 0, 0 },
	{ "globalbuffersize", CONFIGURE, SIZE, 0, 0 },
	{ "thread_buffer_size", CONFIGURE, SIZE, 0, 0 },
	{ "memorysize", CONFIGURE, SIZE, 0, 0 },
	{ "maxchunksize", CONFIGURE, SIZE, 0, 0 },
	/* 21 and later take it without a word and do nothing. */
	{ "samplethreads", CONFIGURE, BOOL, 0, 20 },
	{ "preserve-repository", CONFIGURE, BOOL, 21, 0 },
};

const char *jfr_command_name(enum jfrec_jfr_command command)
{
	static const char *const names[] = {
		[JFREC_JFR_START] = "JFR.start",	 [JFREC_JFR_STOP] = "JFR.stop",
		[JFREC_JFR_DUMP] = "JFR.dump",		 [JFREC_JFR_CHECK] = "JFR.check",
		[JFREC_JFR_CONFIGURE] = "JFR.configure",
	};

	return names[command];
}

/* Values --------------------------------------------------------------------------------------- */

bool jfr_parse_time(const char *text, int64_t *ns)
{
	struct time_scale scale;
	const char *unit;

	if (!parse_whole(text, &unit, ns))
		return false;
	if (!*unit)
		return *ns == 0;
	return time_scale_named(unit, strlen(unit), &scale) && time_scale_ns(&scale, *ns, 0, ns);
}

bool jfr_parse_size(const char *text, int64_t *bytes)
{
	return parse_bytes(text, "kmg", bytes);
}

/* Does the text look like the pattern, where 0 stands for a digit?  *end is what follows. */
static bool looks_like(const char *text, const char *pattern, const char **end)
{
	for (; *pattern; pattern++, text++) {
		if (*pattern == '0' ? !isdigit((unsigned char)*text) : *pattern != *text)
			return false;
	}
	*end = text;
	return true;
}

/* "09:30", "09:30:05", "09:30:05.123" */
static bool parse_clock(const char *text, const char **end)
{
	if (!looks_like(text, "00:00", end))
		return false;
	if (looks_like(*end, ":00", end) && looks_like(*end, ".0", end))
		*end += strspn(*end, "0123456789");
	return true;
}

static bool is_moment(const char *text)
{
	const char *at = text;
	bool dated;
	int64_t ns;

	if (*text == '-')
		return jfr_parse_time(text + 1, &ns);
	dated = looks_like(text, "0000-00-00T", &at);
	if (!parse_clock(at, &at))
		return false;
	return !*at || (dated && strcmp(at, "Z") == 0);
}

static bool is_number(const char *text)
{
	const char *end;
	int64_t value;

	return parse_whole(text, &end, &value) && !*end;
}

static bool is_good(enum kind kind, const char *value)
{
	int64_t amount;

	switch (kind) {
	case NAME:
		return value[strspn(value, "0123456789")] != '\0';
	case PATH:
		return value[0] == '/' && value[strlen(value) - 1] != '/';
	case FOLDER:
		return value[0] == '/';
	case TIME:
		return jfr_parse_time(value, &amount);
	case PERIOD:
		return jfr_parse_time(value, &amount) && (amount == 0 || amount >= NS_PER_SECOND);
	case SIZE:
		return jfr_parse_size(value, &amount);
	case BOOL:
		return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
	case COUNT:
		return is_number(value);
	case MOMENT:
		return is_moment(value);
	default:
		return true;
	}
}

/* What a good value would be. */
static const char *wanted(enum kind kind)
{
	static const char *const texts[] = {
		[NAME] = "a name that does not consist of digits, because ids do",
		[PATH] = "the full path of a file as the JVM sees it",
		[FOLDER] = "the full path of a directory as the JVM sees it",
		[TIME] = "a whole number and ns, us, ms, s, m, h or d",
		[PERIOD] = "at least a second: a whole number and s, m, h or d",
		[SIZE] = "a whole number of bytes, or of k, m or g",
		[BOOL] = "true or false",
		[COUNT] = "a whole number",
		[MOMENT] = "like 09:30, 2026-11-20T09:30:00, 2026-11-20T08:30:00Z or -10m",
	};

	return texts[kind];
}

/* Options -------------------------------------------------------------------------------------- */

static const struct known *find(enum jfrec_jfr_command command, const char *key)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(key, known[i].key) == 0 && (known[i].commands & (1u << command)))
			return &known[i];
	}
	return NULL;
}

bool jfrec_jfr_option_known(enum jfrec_jfr_command command, const char *key)
{
	const struct known *o = find(command, key);

	return o && o->kind != SETTING;
}

/* JFR.start takes what a .jfc file calls an option, and settings of events; we cannot know all. */
static bool may_be_setting(enum jfrec_jfr_command command, const char *key)
{
	if (command != JFREC_JFR_START)
		return false;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(key, known[i].key) == 0)
			return false;
	}
	return true;
}

static int lacks(const char *key, const char *version, const char *who, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "this is JDK %s, which has no option %s; JDK %s have it", version, key,
			  who);
}

/* Is the JDK one of those that have it? */
static int check_jdk(const struct known *o, int jdk, const char *version, struct jfrec_error *err)
{
	char who[40];

	if (jdk < o->since) {
		snprintf(who, sizeof(who), "%d and later", o->since);
		return lacks(o->key, version, who, err);
	}
	if (o->until && jdk > o->until) {
		snprintf(who, sizeof(who), "%d and earlier", o->until);
		return lacks(o->key, version, who, err);
	}
	return 0;
}

int jfr_option_check(enum jfrec_jfr_command command, const struct jfrec_jfr_option *option, int jdk,
		     const char *version, struct jfrec_error *err)
{
	const struct known *o = find(command, option->key);

	if (quote_check(option->key, option->value, err) < 0)
		return -1;
	if (!o && !may_be_setting(command, option->key))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%s has no option %s",
				  jfr_command_name(command), option->key);
	if (!o && jdk != ANY_JDK && jdk < JDK_OF_SETTINGS)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "this is JDK %s, which does not support %s: single settings "
				  "need JDK %d or later; use a settings file",
				  version, option->key, JDK_OF_SETTINGS);
	if (!o)
		return 0;
	if (jdk != ANY_JDK && check_jdk(o, jdk, version, err) < 0)
		return -1;
	if (!is_good(o->kind, option->value))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "%s cannot be \"%s\"; it is %s", option->key, option->value,
				  wanted(o->kind));
	return 0;
}

int jfrec_jfr_option_valid(enum jfrec_jfr_command command, const struct jfrec_jfr_option *option,
			   struct jfrec_error *err)
{
	return jfr_option_check(command, option, ANY_JDK, NULL, err);
}

bool jfr_option_is_everywhere(enum jfrec_jfr_command command, const struct jfrec_jfr_option *option)
{
	const struct known *o = find(command, option->key);

	return o && !o->since && !o->until;
}

static bool is_size(const char *key)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(key, known[i].key) == 0 && known[i].kind == SIZE)
			return true;
	}
	return false;
}

const char *jfr_option_for_jvm(const struct jfrec_jfr_option *option, char to[static JFR_VALUE_MAX])
{
	const char *value = option->value;
	size_t len = strlen(value);

	if (len < 3 || len - 2 >= JFR_VALUE_MAX || strcasecmp(value + len - 2, "ib") != 0 ||
	    !is_size(option->key))
		return value;
	memcpy(to, value, len - 2);
	to[len - 2] = '\0';
	return to;
}

bool jfr_option_is_path(const struct jfrec_jfr_option *option, char with)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(option->key, known[i].key) == 0)
			return (known[i].kind == PATH || known[i].kind == FOLDER) &&
			       strchr(option->value, with);
	}
	return false;
}
