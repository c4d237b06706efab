/* SPDX-License-Identifier: MIT */
/*
 * environment.c - start the recorder as the variable JFREC_RECORD asks for
 *
 * In the words of -XX:StartFlightRecording.  Programs that run with more rights than their caller do
 * not look at it.
 */
#include "native/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "native/amounts.h"

/* "shop-%p.jfr": the pid. */
static char *expand(const char *pattern)
{
	char pid[24], *text, *to;
	size_t len = strlen(pattern), n;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	n = strlen(pid);
	text = malloc(len * 12 + 1);
	for (to = text; text && *pattern; pattern++) {
		if (pattern[0] == '%' && pattern[1] == 'p') {
			memcpy(to, pid, n);
			to += n;
			pattern++;
		} else {
			*to++ = *pattern;
		}
	}
	if (text)
		*to = '\0';
	return text;
}

static int take_amount(bool good, const char *key, const char *value, struct jfrec_recorder_error *err)
{
	return good ? 0 : recorder_fail(err, EINVAL, "%s=%s is invalid; write for example 250m or 20s", key, value);
}

static int take_boolean(const char *key, const char *value, bool *on, struct jfrec_recorder_error *err)
{
	*on = !strcmp(value, "true");
	if (*on || !strcmp(value, "false"))
		return 0;
	return recorder_fail(err, EINVAL, "%s=%s is invalid; write true or false", key, value);
}

/* attach=only: listen, and record nothing yet. */
static bool only_attach;

static int take_attach(struct jfrec_recorder_options *o, const char *value,
		       struct jfrec_recorder_error *err)
{
	only_attach = !strcmp(value, "only");
	o->no_attach = !strcmp(value, "false");
	if (only_attach || o->no_attach || !strcmp(value, "true"))
		return 0;
	return recorder_fail(err, EINVAL, "attach=%s is invalid; write true, false or only", value);
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

static int take(struct jfrec_recorder_options *o, const char *key, const char *value,
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
	if (!strcmp(key, "name"))
		o->name = value;
	else if (!strcmp(key, "filename"))
		o->filename = value;
	else if (!strcmp(key, "repository"))
		o->repository = value;
	else if (!strcmp(key, "settings"))
		return take_profile(value, err);
	else if (!strcmp(key, "maxage"))
		return take_amount(amount_parse_time(value, &o->max_age_ns), key, value, err);
	else if (!strcmp(key, "flush-interval"))
		return take_amount(amount_parse_time(value, &o->flush_ns), key, value, err);
	else if (!strcmp(key, "maxsize"))
		return take_amount(amount_parse_size(value, &o->max_size), key, value, err);
	else if (!strcmp(key, "maxchunksize"))
		return take_amount(amount_parse_size(value, &o->max_chunk), key, value, err);
	else if (!strcmp(key, "memorysize"))
		return take_amount(amount_parse_size(value, &o->memory_size), key, value, err);
	else if (!strcmp(key, "preserve-repository"))
		return take_boolean(key, value, &o->keep_repository, err);
	else if (!strcmp(key, "attach"))
		return take_attach(o, value, err);
	else
		return recorder_fail(err, EINVAL,
				     "unknown option %s; there are name, filename, settings, repository, "
				     "maxage, maxsize, maxchunksize, memorysize, flush-interval, "
				     "preserve-repository, attach and EVENT#SETTING",
				     key);
	return 0;
}

static int parse(struct jfrec_recorder_options *o, char *text, struct jfrec_recorder_error *err)
{
	char *rest = NULL, *equals;

	for (char *row = strtok_r(text, ",", &rest); row; row = strtok_r(NULL, ",", &rest)) {
		equals = strchr(row, '=');
		if (!equals)
			return recorder_fail(err, EINVAL, "'%s' has no value; write %s=VALUE", row, row);
		*equals = '\0';
		if (take(o, row, equals + 1, err))
			return -1;
	}
	return 0;
}

int environment_apply(const char *text, struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o) };
	char *copy = strdup(text), *filename = NULL;
	int ret;

	profiles[0] = '\0';
	ret = copy ? parse(&o, copy, err) : recorder_fail(err, ENOMEM, "no memory for options");
	if (profiles[0])
		o.settings = profiles;
	if (!ret && o.filename) {
		filename = expand(o.filename);
		o.filename = filename;
		if (!filename)
			ret = recorder_fail(err, ENOMEM, "no memory for a file name");
	}
	if (!ret)
		ret = only_attach ? jfrec_recorder_attach(err) : jfrec_recorder_start(&o, err);
	free(filename);
	free(copy);
	return ret;
}

static bool is_recording;

void environment_report(const struct jfrec_recorder_error *err)
{
	if (is_recording)
		fprintf(stderr, "jfrec-recorder: JFREC_RECORD: %s\n", err->text);
}

void environment_start(void)
{
	const char *text = secure_getenv("JFREC_RECORD");
	struct jfrec_recorder_error err = { 0 };

	if (!text || !*text)
		return;
	is_recording = true;
	if (environment_apply(text, &err))
		environment_report(&err);
}
