/* SPDX-License-Identifier: MIT */
/*
 * environment.c - start the recorder as the variable JFREC_RECORD asks for
 *
 * In the words of -XX:StartFlightRecording.  Programs that run with more rights than their caller
 * do not look at it.
 */
#include "recorder/control/environment.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/control/attach.h"
#include "recorder/control/follow.h"
#include "recorder/files/paths.h"
#include "recorder/ground/amounts.h"
#include "recorder/jfrec-recorder.h"

#define SECOND_NS 1000000000u

enum flag { UNSET, NO, YES };

/* What the variable says. */
struct start_options {
	struct jfrec_recorder_options o;
	const char *attach, *first_pid;
	enum flag disk, dumps_at_exit, keeps_repository, has_roots, follows_forks, blocks;
};

#define AT(field) offsetof(struct start_options, field)

/* path-to-gc-roots is accepted, since scripts have it: there is no heap. */
static const struct option {
	const char *key;
	enum { TEXT, TIME, SIZE, FLAG } kind;
	size_t at;
} options[] = {
	{ "name", TEXT, AT(o.name) },
	{ "filename", TEXT, AT(o.filename) },
	{ "settings", TEXT, AT(o.settings) },
	{ "delay", TIME, AT(o.delay_ns) },
	{ "duration", TIME, AT(o.duration_ns) },
	{ "maxage", TIME, AT(o.max_age_ns) },
	{ "maxsize", SIZE, AT(o.max_size) },
	{ "disk", FLAG, AT(disk) },
	{ "dumponexit", FLAG, AT(dumps_at_exit) },
	{ "flush-interval", TIME, AT(o.flush_ns) },
	{ "repository", TEXT, AT(o.repository) },
	{ "maxchunksize", SIZE, AT(o.max_chunk) },
	{ "memorysize", SIZE, AT(o.memory_size) },
	{ "preserve-repository", FLAG, AT(keeps_repository) },
	{ "attach", TEXT, AT(attach) },
	{ "fork", FLAG, AT(follows_forks) },
	{ "block", FLAG, AT(blocks) },
	{ "path-to-gc-roots", FLAG, AT(has_roots) },
	{ "first-pid", TEXT, AT(first_pid) },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

static int unknown(const char *key, struct jfrec_recorder_error *err)
{
	char names[200] = "";
	size_t len = 0;

	for (size_t i = 0; i < OPTIONS && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s", i ? ", " : "",
					options[i].key);
	return recorder_fail(err, EINVAL, "unknown option %.20s; there are %s and EVENT#SETTING", key, names);
}

static int take_amount(bool good, const char *key, const char *value,
		       struct jfrec_recorder_error *err)
{
	return good ? 0 : recorder_fail(err, EINVAL, "%s=%.80s is invalid; write for example %s", key, value,
					strstr(key, "size") ? "250m" : "20s");
}

static int take_flag(const char *key, const char *value, enum flag *flag,
		     struct jfrec_recorder_error *err)
{
	*flag = !strcmp(value, "true") ? YES : NO;
	if (*flag == YES || !strcmp(value, "false"))
		return 0;
	return recorder_fail(err, EINVAL, "%s=%.80s is invalid; write true or false", key, value);
}

/* settings=, which may be there several times: a list with commas. */
static char profiles[1024];

static int take_profile(const char *value, struct jfrec_recorder_error *err)
{
	size_t len = strlen(profiles);

	if (len + strlen(value) + 2 > sizeof(profiles))
		return recorder_fail(err, ENAMETOOLONG, "the paths of all settings are longer than %zu bytes",
				     sizeof(profiles) - 2);
	snprintf(profiles + len, sizeof(profiles) - len, "%s%s", len ? "," : "", value);
	return 0;
}

static int take_option(struct start_options *start, const struct option *o, const char *value,
		       struct jfrec_recorder_error *err)
{
	void *at = (char *)start + o->at;

	switch (o->kind) {
	case TIME:
		return take_amount(amount_parse_time(value, at), o->key, value, err);
	case SIZE:
		return take_amount(amount_parse_size(value, at), o->key, value, err);
	case FLAG:
		return take_flag(o->key, value, at, err);
	case TEXT:
		break;
	}
	if (!*value)
		return recorder_fail(err, EINVAL, "%s= has no value; write %s=VALUE", o->key, o->key);
	if (!strcmp(o->key, "settings") && take_profile(value, err))
		return -1;
	*(const char **)at = strcmp(o->key, "settings") ? value : profiles;
	return 0;
}

static int take(struct start_options *start, const char *key, const char *value,
		struct jfrec_recorder_error *err)
{
	const char *hash = strchr(key, '#');
	char event[256];

	if (hash) {
		/* A + adds what a .jfc file lacks: here that is not different. */
		key += *key == '+';
		snprintf(event, sizeof(event), "%.*s", (int)(hash - key), key);
		return jfrec_recorder_set(event, hash + 1, value, err);
	}
	for (size_t i = 0; i < OPTIONS; i++)
		if (!strcmp(options[i].key, key))
			return take_option(start, &options[i], value, err);
	return unknown(key, err);
}

static int parse(struct start_options *start, char *text, struct jfrec_recorder_error *err)
{
	char *rest = NULL, *equals;

	for (char *row = strtok_r(text, ",", &rest); row; row = strtok_r(NULL, ",", &rest)) {
		equals = strchr(row, '=');
		if (!equals)
			return recorder_fail(err, EINVAL, "'%.80s' has no value; write %.80s=VALUE", row, row);
		*equals = '\0';
		if (take(start, row, equals + 1, err))
			return -1;
	}
	return 0;
}

static int check_times(const struct start_options *a, struct jfrec_recorder_error *err)
{
	if (a->o.delay_ns && a->o.delay_ns < SECOND_NS)
		return recorder_fail(err, EINVAL, "delay must be at least 1s");
	if (a->o.duration_ns && a->o.duration_ns < SECOND_NS)
		return recorder_fail(err, EINVAL, "duration must be at least 1s");
	return 0;
}

/* In a child of fork(): where the program was when it began, which the child may have left. */
static const char *first_directory;

/* False: too long. */
static bool from_there(char path[PATH_ROOM], const char **name)
{
	int n;

	if (!first_directory || !*name || **name == '/')
		return true;
	n = snprintf(path, PATH_ROOM, "%s/%s", first_directory, *name);
	*name = path;
	return n > 0 && n < (int)PATH_ROOM;
}

/* Has a process that started this one the file?  A program that it executes itself has it still. */
static bool is_of_other(const struct start_options *a)
{
	return first_directory || (a->first_pid && strtol(a->first_pid, NULL, 10) != getpid());
}

/* recording.jfr is its parent's: it has recording-PID.jfr. */
static bool add_pid(char path[PATH_ROOM])
{
	char *base = strrchr(path, '/') + 1, *dot = strrchr(base, '.'), end[PATH_ROOM], pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	if (strstr(base, pid))
		return true;
	snprintf(end, sizeof(end), "%s", dot ? dot : "");
	if (!dot)
		dot = base + strlen(base);
	return snprintf(dot, PATH_ROOM - (size_t)(dot - path), "-%s%s", pid, end) <
	       (int)(PATH_ROOM - (size_t)(dot - path));
}

/* The file to which it is written, made absolute: the program may go elsewhere. */
static int complete_filename(struct start_options *a, char path[PATH_ROOM],
			     struct jfrec_recorder_error *err)
{
	char generated[128], joined[PATH_ROOM];
	const char *name = a->o.filename;

	/* One that ends by itself has to be written somewhere, and so has one at the exit. */
	if (!name && (a->o.duration_ns || a->dumps_at_exit == YES)) {
		path_generate(generated, sizeof(generated), 0);
		name = generated;
	}
	if (!from_there(joined, &name) ||
	    (name && (!path_complete(path, name, 0) || (is_of_other(a) && !add_pid(path)))))
		return recorder_fail(err, ENAMETOOLONG, "filename=%.100s is too long", name);
	a->o.filename = name ? path : NULL;
	return 0;
}

static int complete(struct start_options *a, char path[PATH_ROOM], struct jfrec_recorder_error *err)
{
	static char repository[PATH_ROOM];

	const char *name = a->o.name;

	if (name && !name[strspn(name, "0123456789")])
		return recorder_fail(err, EINVAL, "name=%.80s is invalid; a name is not a number", name);
	if (a->attach && strcmp(a->attach, "true") && strcmp(a->attach, "false") && strcmp(a->attach, "only"))
		return recorder_fail(err, EINVAL, "attach=%.80s is invalid; write true, false or only", a->attach);
	if (check_times(a, err))
		return -1;
	if (!from_there(repository, &a->o.repository))
		return recorder_fail(err, ENAMETOOLONG, "repository=%.100s is too long", a->o.repository);
	a->o.no_attach = a->attach && !strcmp(a->attach, "false");
	a->o.keep_repository = a->keeps_repository == YES;
	a->o.in_memory = a->disk == NO;
	a->o.no_exit_dump = a->dumps_at_exit == NO;
	a->o.block = a->blocks == YES;
	return complete_filename(a, path, err);
}

static bool follows;

int environment_apply(const char *text, struct jfrec_recorder_error *err)
{
	struct start_options start = { .o.struct_size = sizeof(start.o) };
	char *copy = strdup(text), path[PATH_ROOM];
	int ret;

	profiles[0] = '\0';
	ret = copy ? parse(&start, copy, err) : recorder_fail(err, ENOMEM, "no memory for options");
	follows = !ret && start.follows_forks == YES;
	/* attach=only: listen, and record nothing yet. */
	if (!ret)
		ret = complete(&start, path, err);
	if (!ret && start.attach && !strcmp(start.attach, "only"))
		ret = attach_open_soon(err);
	else if (!ret)
		ret = jfrec_recorder_start(&start.o, err);
	free(copy);
	return ret;
}

int environment_apply_in_child(const char *text, const char *directory,
			       struct jfrec_recorder_error *err)
{
	first_directory = directory;
	return environment_apply(text, err);
}

/* Programs that this one starts ---------------------------------------------------------------- */

/* Is there a file that all of them would write to? */
static bool names_one_file(const char *text)
{
	static const char file[] = "filename=", first[] = "first-pid=";
	bool names = false;

	for (const char *at = text; *at; at += strspn(at, ",")) {
		size_t len = strcspn(at, ",");

		if (!strncmp(at, first, strlen(first)))
			return false;
		if (!strncmp(at, file, strlen(file)))
			names = !memmem(at, len, "%p", 2);
		at += len;
	}
	return names;
}

/* The environment is everybody's: only at the start of a program it is this thread's alone. */
static bool is_only_thread(void)
{
	struct stat st;

	return stat("/proc/self/task", &st) == 0 && st.st_nlink == 3;
}

/* They inherit the variable, and would replace the file; now they know that it is not theirs. */
static void tell_others(const char *text)
{
	char *told;

	if (!names_one_file(text) || !is_only_thread() ||
	    asprintf(&told, "%s,first-pid=%d", text, (int)getpid()) < 0)
		return;
	setenv("JFREC_RECORD", told, 1);
	free(told);
}

void environment_start(void)
{
	const char *text = secure_getenv("JFREC_RECORD");
	struct jfrec_recorder_error err = { 0 };

	if (!text || !*text)
		return;
	fail_report_from_now();
	tell_others(text);
	if (environment_apply(text, &err))
		fail_report(&err);
	else if (follows)
		follow_forks(text, environment_apply_in_child);
}
