/* SPDX-License-Identifier: MIT */
/*
 * read_back.c - does a recording that was started record what was asked for?
 *
 * A JVM does not say which events of a settings file it does not know, and JFR.start succeeds even
 * if it could not start the thread that takes its samples.  So JFR.check is asked, which prints of
 * each event type
 *
 *	 Method Profiling Sample (jdk.ExecutionSample)
 *	   [enabled=true,period=10 ms]
 *
 * Only what is named jdk.* is looked for: other events are there once their classes are loaded.
 */
#include "jvm/read_back.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/report.h"
#include "jvm/hidden_settings.h"

static const char prefix[] = "jdk.";

/* How many names a sentence has. */
#define SHOWN 5

/* An event that settings are about. */
struct requested_event {
	char *name;
	bool enabled;  /* by all settings that say something of it */
	bool by_name;  /* by --set */
	bool is_there; /* the JVM knows it */
	bool records;
};

struct back {
	const struct each_jvm *j;
	struct requested_event *events;
	size_t count, room;
	bool no_memory;
};

static void back_fini(struct back *b)
{
	for (size_t i = 0; i < b->count; i++)
		free(b->events[i].name);
	free(b->events);
}

static struct requested_event *find(const struct back *b, const char *name, size_t len)
{
	for (size_t i = 0; i < b->count; i++) {
		if (strncmp(b->events[i].name, name, len) == 0 && !b->events[i].name[len])
			return &b->events[i];
	}
	return NULL;
}

/* What was asked ------------------------------------------------------------------------------- */

/* Where two files differ, it depends on the JDK which of them counts. */
static void ask(struct back *b, const char *name, size_t len, const char *value, bool by_name)
{
	bool enabled = strcmp(value, "true") == 0;
	struct requested_event *at = find(b, name, len);

	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return;
	if (at) {
		at->enabled = enabled && (at->enabled || by_name);
		at->by_name |= by_name;
		return;
	}
	if (!array_push(b->events, b->count, b->room,
			(struct requested_event){ strndup(name, len), enabled, by_name, false,
						  false })) {
		b->no_memory = true;
		return;
	}
	if (!b->events[b->count - 1].name) {
		b->count--;
		b->no_memory = true;
	}
}

/* What the JVM sets in it by itself: options of settings files. */
static void set_options(struct jfrec_settings *s, const struct jvm_settings *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct jfrec_jfr_option *o = &c->options[i];

		if (!strchr(o->key, '#') && !jfrec_jfr_option_known(JFREC_JFR_START, o->key))
			jfrec_settings_set(s, o->key, o->value, NULL);
	}
}

static void ask_file(struct back *b, const struct jvm_settings *c, size_t file)
{
	struct jfrec_settings *s =
		jfrec_settings_parse(c->files[file].text, c->files[file].len, NULL);

	if (!s)
		return;
	set_options(s, c);
	if (jfrec_settings_list(s, NULL) < 0)
		b->no_memory = true;
	for (size_t i = 0; i < jfrec_settings_count(s); i++) {
		const struct jfrec_setting *at = jfrec_settings_get(s, i);

		if (strcmp(at->name, "enabled") == 0)
			ask(b, at->event, strlen(at->event), at->value, false);
	}
	jfrec_settings_free(s);
}

/* "jdk.FileRead#enabled", perhaps with a "+" before it. */
static void ask_option(struct back *b, const struct jfrec_jfr_option *o)
{
	const char *name = o->key + (o->key[0] == '+'), *sign = strchr(name, '#');

	if (sign && strcmp(sign, "#enabled") == 0)
		ask(b, name, (size_t)(sign - name), o->value, true);
}

static void ask_all(struct back *b, const struct jvm_settings *c)
{
	for (size_t i = 0; i < c->file_count; i++)
		ask_file(b, c, i);
	for (size_t i = 0; i < c->count; i++)
		ask_option(b, &c->options[i]);
}

/* What it has ---------------------------------------------------------------------------------- */

/* Is one of "[stackTrace=true,enabled=true]" that? */
static bool has_value(const char *line, size_t len, const char *text)
{
	size_t n = strlen(text);
	const char *at = memmem(line, len, text, n);

	for (; at; at = memmem(at + 1, len - (size_t)(at + 1 - line), text, n)) {
		if ((at == line || strchr("[, ", at[-1])) && strchr(",]\n", at[n]))
			return true;
	}
	return false;
}

/* An event with a period is not sampled if that is none, or a moment of a chunk. */
static bool has_no_period(const char *line, size_t len)
{
	static const char *const none[] = { "period=0 ns",     "period=0 ms",	 "period=0 s",
					    "period=everyChunk", "period=beginChunk",
					    "period=endChunk",	 "throttle=off", "throttle=0/s" };

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		if (has_value(line, len, none[i]))
			return true;
	}
	return false;
}

/* " Method Profiling Sample (jdk.ExecutionSample)" */
static const char *name_in(const char *line, size_t len, size_t *name_len)
{
	const char *open = memrchr(line, '(', len);

	if (!open || line[len - 1] != ')')
		return NULL;
	*name_len = (size_t)(line + len - 1 - (open + 1));
	return open + 1;
}

static void say_no_sampler(const struct back *b, const char *event)
{
	fprintf(stderr,
		"jfrec: process %d: the JVM could not start its sampler thread, so no %s will be "
		"recorded; its process is probably at its limit of threads (`jfrec doctor %d`)\n",
		b->j->jvm->pid, event, b->j->jvm->pid);
}

/* It has the event, with these settings. */
static void take(struct back *b, const char *name, size_t name_len, const char *line, size_t len,
		 json_t *missing)
{
	struct requested_event *at = find(b, name, name_len);
	bool records = has_value(line, len, "enabled=true");
	char event[64];

	if (at) {
		at->is_there = true;
		at->records |= records;
	}
	if (!missing || !records || name_len >= sizeof(event) || has_no_period(line, len))
		return;
	memcpy(event, name, name_len);
	event[name_len] = '\0';
	if (jfrec_jfr_has_sampler(b->j->session, event) != 0)
		return;
	/* Native methods are sampled by the same thread, which was reported. */
	if (json_array_size(missing) == 0 || strcmp(event, "jdk.NativeMethodSample") != 0)
		say_no_sampler(b, event);
	json_array_append_new(missing, text_json(event));
}

/* missing: for events whose thread is not there; NULL: it was not to be started yet. */
static void take_settings(struct back *b, const char *settings, json_t *missing)
{
	const char *name = NULL;
	size_t name_len = 0, len;

	for (const char *line = settings; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (name && strncmp(line, "   [", 4) == 0)
			take(b, name, name_len, line, len, missing);
		name = name_in(line, len, &name_len);
	}
}

/* What is missing ------------------------------------------------------------------------------ */

static bool is_missing(const struct requested_event *at, bool is_there)
{
	return at->enabled && !at->records && at->is_there == is_there;
}

/* "jdk.A, jdk.B and 3 more" of those; false: there is none. */
static bool put_names(const struct back *b, bool is_there, const char *before)
{
	size_t count = 0;

	for (size_t i = 0; i < b->count; i++) {
		if (!is_missing(&b->events[i], is_there))
			continue;
		if (count == 0)
			fprintf(stderr, "jfrec: process %d: %s: ", b->j->jvm->pid, before);
		if (count < SHOWN) {
			fputs(count ? ", " : "", stderr);
			put_name(stderr, b->events[i].name);
		}
		count++;
	}
	if (count > SHOWN)
		fprintf(stderr, " and %zu more", count - SHOWN);
	return count > 0;
}

/* An event that only other JDKs have is not a failure, unless it was selected by its name. */
static int say_missing(const struct back *b, json_t *missing)
{
	int status = EXIT_DONE;

	if (put_names(b, false, "the settings ask for events that this JVM does not have"))
		fputc('\n', stderr);
	if (put_names(b, true, "the JVM did not enable events that the settings ask for"))
		fputs("; `jfrec jcmd` with JFR.check verbose=true shows what it records\n", stderr);
	for (size_t i = 0; i < b->count; i++) {
		const struct requested_event *at = &b->events[i];

		if (!at->enabled || at->records)
			continue;
		json_array_append_new(missing, text_json(at->name));
		if (at->is_there || at->by_name)
			status = EXIT_FAILED;
	}
	return status;
}

static int compare(struct back *b, const struct jvm_settings *c, const char *settings, bool runs,
		   json_t *missing)
{
	int status;

	ask_all(b, c);
	take_settings(b, settings, runs ? missing : NULL);
	status = json_array_size(missing) ? EXIT_FAILED : EXIT_DONE;
	if (b->no_memory)
		say_out_of_memory();
	else if (say_missing(b, missing) != EXIT_DONE)
		status = EXIT_FAILED;
	return status;
}

/* It has begun all the same. */
static int say_unknown(const struct each_jvm *j, uint64_t id, const struct jfrec_error *err)
{
	fprintf(stderr,
		"jfrec: process %d: recording %" PRIu64 " was started, but not whether it records "
		"all that was asked for: ",
		j->jvm->pid, id);
	put_name(stderr, failure_text(err));
	fputc('\n', stderr);
	return EXIT_DONE;
}

/* Settings that hide what was requested are not a failure: the JVM did what it was told. */
static void say_hidden(const struct each_jvm *j, const struct jvm_settings *c, const char *settings)
{
	json_t *hidden = hidden_settings_say(j->jvm->pid, c->args, settings);

	if (j->result)
		json_object_set(j->result, "hidden", hidden);
	json_decref(hidden);
}

int read_back(const struct each_jvm *j, const struct jvm_settings *c,
	      const struct jfrec_jfr_started *started)
{
	struct back b = { .j = j };
	struct jfrec_jfr_recordings *list;
	const struct jfrec_jfr_recording *r;
	json_t *missing = json_array();
	struct jfrec_error err;
	int status = EXIT_DONE;
	char id[24];

	snprintf(id, sizeof(id), "%" PRIu64, started->id);
	list = jfrec_jfr_list(j->session, id, true, &err);
	r = list ? jfrec_jfr_recordings_get(list, 0) : NULL;
	if (!list)
		status = say_unknown(j, started->id, &err);
	else if (r)
		status = compare(&b, c, r->settings ? r->settings : "", !started->scheduled,
				 missing);
	if (r)
		say_hidden(j, c, r->settings ? r->settings : "");
	if (j->result) {
		json_object_set(j->result, "notRecorded", missing);
		json_object_set_new(j->result, "leftOut",
				    c->left_out ? json_incref(c->left_out) : json_array());
	}
	json_decref(missing);
	jfrec_jfr_recordings_free(list);
	back_fini(&b);
	return status;
}
