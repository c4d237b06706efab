/* SPDX-License-Identifier: MIT */
/*
 * jfr.c - what the JFR commands share; the version of a JVM
 */
#include "jfr/jfr.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jfr/option.h"

/* The JDK from which a JVM says by a property where its repository is, once it has one. */
#define JDK_OF_PROPERTY 17

/* The JDK from which "%p" and "%t" in a file name mean something, and "%%" a percent sign. */
#define JDK_OF_PERCENT 18

int jfr_version(struct jfrec_session *s, struct jfrec_jvm_version *version,
		struct jfrec_error *err)
{
	struct session_reply reply;
	int ret;

	if (session_jcmd(s, "VM.version", SESSION_TIMEOUT_MS, &reply, err) < 0)
		return -1;
	ret = reply_version(reply.text, version, err);
	session_reply_fini(&reply);
	return ret;
}

struct jfrec_jvm_version *jfrec_session_version(struct jfrec_session *s, struct jfrec_error *err)
{
	struct jfrec_jvm_version *version = calloc(1, sizeof(*version));

	if (!version) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (jfr_version(s, version, err) == 0)
		return version;
	free(version);
	return NULL;
}

/* Putting together ----------------------------------------------------------------------------- */

static int check_options(struct jfrec_session *s, enum jfrec_jfr_command command,
			 const struct jfrec_jfr_option *options, size_t count,
			 struct jfrec_jvm_version *v, struct jfrec_error *err)
{
	bool matters = false;

	for (size_t i = 0; i < count; i++) {
		if (jfrec_jfr_option_valid(command, &options[i], err) < 0)
			return -1;
		matters = matters || !jfr_option_is_everywhere(command, &options[i]) ||
			  jfr_option_is_path(&options[i], '%');
	}
	if (!matters)
		return 0;
	if (jfr_version(s, v, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (jfr_option_check(command, &options[i], v->jdk, v->version, err) < 0)
			return -1;
	}
	return 0;
}

/* A path that has a percent sign. */
static int add_percent(struct command_text *text, const struct jfrec_jfr_option *o,
		       const struct jfrec_jvm_version *v, struct jfrec_error *err)
{
	size_t len = 0;
	char *path;
	int ret;

	if (v->jdk < JDK_OF_PERCENT)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "this is JDK %s, whose reply fails at a %% in the path %s",
				  v->version, o->value);
	path = malloc(2 * strlen(o->value) + 1);
	if (!path)
		return jfrec_fail_memory(err);
	for (const char *from = o->value; *from; from++) {
		path[len++] = *from;
		if (*from == '%')
			path[len++] = '%';
	}
	path[len] = '\0';
	ret = command_text_add(text, o->key, path, err);
	free(path);
	return ret;
}

int jfr_compose(struct jfrec_session *s, enum jfrec_jfr_command command,
		const struct jfrec_jfr_option *options, size_t count, struct command_text *text,
		struct jfrec_error *err)
{
	struct jfrec_jvm_version v = { 0 };

	*text = (struct command_text){ 0 };
	if (check_options(s, command, options, count, &v, err) < 0 ||
	    command_text_begin(text, jfr_command_name(command), err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct jfrec_jfr_option *o = &options[i];
		char value[JFR_VALUE_MAX];
		int ret =
			jfr_option_is_path(o, '%')
				? add_percent(text, o, &v, err)
				: command_text_add(text, o->key, jfr_option_for_jvm(o, value), err);

		if (ret < 0) {
			command_text_fini(text);
			return -1;
		}
	}
	return 0;
}

const char *jfr_option_value(const struct jfrec_jfr_option *options, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(options[i].key, key) == 0)
			return options[i].value;
	}
	return NULL;
}

/* Asking --------------------------------------------------------------------------------------- */

/* Kept by the JVM from the first recording on. */
static int has_repository(struct jfrec_session *s, bool *has, struct jfrec_error *err)
{
	struct session_reply reply;

	if (session_jcmd(s, "VM.system_properties", SESSION_TIMEOUT_MS, &reply, err) < 0)
		return -1;
	*has = reply_value(reply.text, "jdk.jfr.repository=").len > 0;
	session_reply_fini(&reply);
	return 0;
}

/* On 8 and 11 this is harmless, even where starting would not be. */
static int was_used(struct jfrec_session *s, bool *used, struct jfrec_error *err)
{
	struct session_reply reply;
	struct reply r;

	if (session_jcmd(s, "JFR.check", SESSION_TIMEOUT_MS, &reply, err) < 0)
		return -1;
	r = reply_read(JFREC_JFR_CHECK, reply.status, reply.text, reply.len);
	session_reply_fini(&reply);
	*used = r.meaning == REPLY_DONE || r.meaning == REPLY_NONE;
	return 0;
}

int jfr_is_in_use(struct jfrec_session *s, bool *used, struct jfrec_error *err)
{
	struct jfrec_jvm_version v;

	if (jfr_version(s, &v, err) < 0)
		return -1;
	return v.jdk >= JDK_OF_PROPERTY ? has_repository(s, used, err) : was_used(s, used, err);
}

int jfr_refuse_harm(struct jfrec_session *s, struct jfrec_error *err)
{
	bool used;

	if (!session_cwd_is_deleted(s))
		return 0;
	session_trace(s, "its working directory was removed; checking whether Flight Recorder is "
			 "in use");
	if (jfr_is_in_use(s, &used, err) < 0)
		return -1;
	if (used)
		return 0;
	return jfrec_fail(err, JFREC_ENOJFR, JFREC_NO_OFFSET,
			  "its working directory was removed, so the first Flight Recorder "
			  "command would disable Flight Recorder for good; restart the JVM in a "
			  "permanent directory");
}

static int timeout_of(enum jfrec_jfr_command command)
{
	return command == JFREC_JFR_DUMP || command == JFREC_JFR_STOP ? SESSION_LONG_TIMEOUT_MS
								      : SESSION_TIMEOUT_MS;
}

int jfr_ask(struct jfrec_session *s, enum jfrec_jfr_command command, const char *text,
	    struct jfr_answer *a, struct jfrec_error *err)
{
	*a = (struct jfr_answer){ 0 };
	if (jfr_refuse_harm(s, err) < 0 ||
	    session_jcmd(s, text, timeout_of(command), &a->reply, err) < 0)
		return -1;
	a->r = reply_read(command, a->reply.status, a->reply.text, a->reply.len);
	return 0;
}

int jfr_run(struct jfrec_session *s, enum jfrec_jfr_command command, const char *text,
	    struct jfr_answer *a, struct jfrec_error *err)
{
	if (jfr_ask(s, command, text, a, err) < 0)
		return -1;
	if (reply_is_success(&a->r))
		return 0;
	reply_fail(command, &a->r, err);
	jfr_answer_fini(a);
	return -1;
}

void jfr_answer_fini(struct jfr_answer *a)
{
	session_reply_fini(&a->reply);
}

char *jfr_copy_text(struct reply_text text, struct jfrec_error *err)
{
	char *copy = strndup(text.at, text.len);

	if (!copy)
		jfrec_fail_memory(err);
	return copy;
}
