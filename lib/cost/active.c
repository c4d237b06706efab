/* SPDX-License-Identifier: MIT */
/*
 * active.c - find the settings that were in force in a recording
 */
#include "cost/active.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "jfrec-tool.h"

/* A JVM has about 500 settings; more changes of them than this do not occur. */
#define MAX_ROWS 1000000

bool active_needs(const struct jfrec_type *t)
{
	return strcmp(t->name, "jdk.ActiveSetting") == 0 ||
	       strcmp(t->name, "jdk.ActiveRecording") == 0;
}

/* Values --------------------------------------------------------------------------------------- */

static int64_t number_of(const struct jfrec_event *ev, const char *field)
{
	struct jfrec_value v = jfrec_event_path(ev, field);

	return v.kind == JFREC_KIND_INT || v.kind == JFREC_KIND_SPAN || v.kind == JFREC_KIND_TIME
		       ? v.i
		       : 0;
}

/* A copy of the text, the same one for equal texts: each chunk says all of it again. */
static const char *keep_text(struct active *a, const char *text)
{
	struct digest d = DIGEST_INIT;
	uint64_t *at;

	digest_bytes(&d, text, strlen(text));
	at = digest_map_put(&a->texts, d);
	if (!at)
		return NULL;
	if (!*at)
		*at = (uintptr_t)arena_strndup(&a->arena, text, strlen(text));
	return (const char *)(uintptr_t)*at;
}

/* A copy of a string field; NULL if it is none. */
static const char *text_of(struct active *a, const struct jfrec_event *ev, const char *field)
{
	struct jfrec_value v = jfrec_event_path(ev, field);
	const char *text = jfrec_value_text(&v, NULL);

	return text ? keep_text(a, text) : NULL;
}

static struct digest key_of(const char *event, const char *setting)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, event, strlen(event));
	digest_bytes(&d, setting, strlen(setting));
	return d;
}

static int fail_full(size_t count, struct jfrec_error *err)
{
	return count < MAX_ROWS ? jfrec_fail_memory(err)
				: jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
					     "its settings change more than %d times", MAX_ROWS);
}

/* Settings ------------------------------------------------------------------------------------- */

/* The name of the event type of that id, in memory of ours; JVMs tell of types that they drop. */
static const char *event_name(struct active *a, const struct metadata *m, uint64_t id,
			      const char **label)
{
	const struct jfrec_type *t = metadata_type(m, id);
	char text[64];

	*label = NULL;
	if (t && t->is_event) {
		*label = t->label ? keep_text(a, t->label) : NULL;
		return keep_text(a, t->name);
	}
	snprintf(text, sizeof(text), "%" PRIu64 " (missing event metadata)", id);
	return keep_text(a, text);
}

static int add_setting(struct active *a, const struct jfrec_active_setting *s, uint64_t *latest,
		       struct jfrec_error *err)
{
	if (a->told.setting_count >= MAX_ROWS ||
	    !array_push(a->settings, a->told.setting_count, a->setting_room, *s))
		return fail_full(a->told.setting_count, err);
	*latest = a->told.setting_count;
	return 0;
}

static int note_setting(struct active *a, const struct jfrec_event *ev, struct jfrec_error *err)
{
	struct jfrec_active_setting s = {
		.type_id = (uint64_t)number_of(ev, "id"),
		.since_ns = jfrec_event_start_ns(ev),
		.name = text_of(a, ev, "name"),
		.value = text_of(a, ev, "value"),
	};
	uint64_t *latest;

	s.event = event_name(a, ev->chunk->metadata, s.type_id, &s.label);
	if (!s.event)
		return jfrec_fail_memory(err);
	if (!s.name || !s.value)
		return 0; /* a constant that got lost */
	latest = digest_map_put(&a->latest, key_of(s.event, s.name));
	if (!latest)
		return jfrec_fail_memory(err);
	if (*latest && strcmp(a->settings[*latest - 1].value, s.value) == 0)
		return 0;
	return add_setting(a, &s, latest, err);
}

const char *active_value(const struct active *a, const char *event, const char *setting)
{
	uint64_t latest = digest_map_get(&a->latest, key_of(event, setting));

	return latest ? a->settings[latest - 1].value : NULL;
}

/* Recordings ----------------------------------------------------------------------------------- */

static int note_recording(struct active *a, const struct jfrec_event *ev, struct jfrec_error *err)
{
	struct jfrec_active_recording r = {
		.id = (uint64_t)number_of(ev, "id"),
		.name = text_of(a, ev, "name"),
		.destination = text_of(a, ev, "destination"),
		.max_age_ns = number_of(ev, "maxAge"),
		.max_size = (uint64_t)number_of(ev, "maxSize"),
		.start_ns = number_of(ev, "recordingStart"),
		.duration_ns = number_of(ev, "recordingDuration"),
		.first_ns = jfrec_event_start_ns(ev),
		.last_ns = jfrec_event_start_ns(ev),
	};
	struct digest d = DIGEST_INIT;
	uint64_t *at;

	digest_word(&d, r.id);
	digest_word(&d, (uint64_t)r.start_ns);
	at = digest_map_put(&a->by_id, d);
	if (!at)
		return jfrec_fail_memory(err);
	if (*at) {
		r.first_ns = a->recordings[*at - 1].first_ns;
		a->recordings[*at - 1] = r;
		return 0;
	}
	if (a->told.recording_count >= MAX_ROWS ||
	    !array_push(a->recordings, a->told.recording_count, a->recording_room, r))
		return fail_full(a->told.recording_count, err);
	*at = a->told.recording_count;
	return 0;
}

int active_note(struct active *a, const struct jfrec_event *ev, struct jfrec_error *err)
{
	return strcmp(ev->type->name, "jdk.ActiveSetting") == 0 ? note_setting(a, ev, err)
								: note_recording(a, ev, err);
}

/* All of it ------------------------------------------------------------------------------------ */

static int by_event(const void *a, const void *b)
{
	const struct jfrec_active_setting *x = a, *y = b;
	int order = strcmp(x->event, y->event);

	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = x->since_ns < y->since_ns ? -1 : x->since_ns > y->since_ns;
	return order;
}

static bool is_same(const struct jfrec_active_setting *a, const struct jfrec_active_setting *b)
{
	return strcmp(a->event, b->event) == 0 && strcmp(a->name, b->name) == 0;
}

void active_finish(struct active *a)
{
	struct jfrec_active_setting *s = a->settings;
	size_t n = 0, count = a->told.setting_count;

	if (count)
		qsort(s, count, sizeof(*s), by_event);
	/* What was not in the order of time may be no change now. */
	for (size_t i = 0; i < count; i++) {
		if (!n || !is_same(&s[n - 1], &s[i]) || strcmp(s[n - 1].value, s[i].value) != 0)
			s[n++] = s[i];
	}
	for (size_t i = 0; i < n; i++)
		s[i].until_ns = i + 1 < n && is_same(&s[i], &s[i + 1]) ? s[i + 1].since_ns : 0;
	a->told.setting_count = n;
	a->told.settings = s;
	a->told.recordings = a->recordings;
}

void active_fini(struct active *a)
{
	free(a->settings);
	free(a->recordings);
	digest_map_fini(&a->latest);
	digest_map_fini(&a->by_id);
	digest_map_fini(&a->texts);
	arena_fini(&a->arena);
	*a = (struct active){ 0 };
}

struct jfrec_active *jfrec_active_read(struct jfrec_reader *r, struct jfrec_error *err)
{
	struct active *a = calloc(1, sizeof(*a));
	const struct jfrec_event *ev;
	int got = a ? jfrec_reader_select(r, "jdk.ActiveSetting,jdk.ActiveRecording", NULL, err)
		    : jfrec_fail_memory(err);

	while (got >= 0 && (got = jfrec_reader_next(r, &ev, err)) > 0)
		got = active_note(a, ev, err);
	if (got < 0) {
		jfrec_active_free(a ? &a->told : NULL);
		return NULL;
	}
	active_finish(a);
	return &a->told;
}

void jfrec_active_free(struct jfrec_active *told)
{
	struct active *a = (struct active *)told; /* its first member */

	if (!a)
		return;
	active_fini(a);
	free(a);
}

size_t jfrec_active_setting_count(const struct jfrec_active *a)
{
	return a->setting_count;
}

const struct jfrec_active_setting *jfrec_active_setting_get(const struct jfrec_active *a, size_t i)
{
	return i < a->setting_count ? &a->settings[i] : NULL;
}

size_t jfrec_active_recording_count(const struct jfrec_active *a)
{
	return a->recording_count;
}

const struct jfrec_active_recording *jfrec_active_recording_get(const struct jfrec_active *a,
								size_t i)
{
	return i < a->recording_count ? &a->recordings[i] : NULL;
}
