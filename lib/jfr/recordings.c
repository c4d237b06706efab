/* SPDX-License-Identifier: MIT */
/*
 * recordings.c - parse the list of recordings that JFR.check prints
 *
 * A name may hold all that the rest of its line is made of: blanks, "=" and
 * parentheses, and, if it was not we who gave it, a line feed.  So what
 * follows the name is read from the right.
 */
#include "jfr/recordings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"

struct jfrec_jfr_recordings {
	struct jfrec_jfr_recording *items;
	size_t count, room;
	struct arena arena;
};

/* What is left of the text. */
struct rest {
	const char *at, *end;
};

static const char *line_end(const char *at, const char *end)
{
	const char *lf = memchr(at, '\n', (size_t)(end - at));

	return lf ? lf : end;
}

static const char *next_line(const char *at, const char *end)
{
	const char *lf = line_end(at, end);

	return lf < end ? lf + 1 : end;
}

/* "Recording 7: name=", at the beginning of a line.  *name is what follows. */
static bool is_head(const char *at, const char *end, uint64_t *id, const char **name)
{
	static const char before[] = "Recording ", between[] = ": name=";
	size_t len = sizeof(before) - 1;

	if ((size_t)(end - at) < len || memcmp(at, before, len) != 0)
		return false;
	at += len;
	*id = 0;
	if (at == end || !isdigit((unsigned char)*at))
		return false;
	for (; at < end && isdigit((unsigned char)*at); at++) {
		if (__builtin_mul_overflow(*id, 10, id) ||
		    __builtin_add_overflow(*id, (uint64_t)(*at - '0'), id))
			return false;
	}
	len = sizeof(between) - 1;
	if ((size_t)(end - at) < len || memcmp(at, between, len) != 0)
		return false;
	*name = at + len;
	return true;
}

/* Cut " (running)" off the line's end. */
static bool take_state(const char *at, const char **end, enum jfrec_jfr_state *state)
{
	static const char *const texts[] = {
		[JFREC_JFR_NEW] = " (new)",	    [JFREC_JFR_DELAYED] = " (delayed)",
		[JFREC_JFR_RUNNING] = " (running)", [JFREC_JFR_STOPPED] = " (stopped)",
		[JFREC_JFR_CLOSED] = " (closed)",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		size_t len = strlen(texts[i]);

		if ((size_t)(*end - at) >= len && memcmp(*end - len, texts[i], len) == 0) {
			*end -= len;
			*state = (enum jfrec_jfr_state)i;
			return true;
		}
	}
	return false;
}

/* Cut " maxage=90m" off the line's end, if that is its last word.  NULL if memory is gone. */
static bool take_limit(struct arena *a, const char *at, const char **end, const char *label,
		       const char **value)
{
	const char *blank = memrchr(at, ' ', (size_t)(*end - at));
	size_t len = strlen(label);

	*value = NULL;
	if (!blank || (size_t)(*end - blank - 1) <= len || memcmp(blank + 1, label, len) != 0)
		return true;
	*value = arena_strndup(a, blank + 1 + len, (size_t)(*end - blank - 1) - len);
	*end = blank;
	return *value != NULL;
}

/* The head of a recording: all up to its state.  False: the text broke off. */
static bool find_state(struct rest *rest, const char *name, const char **end,
		       enum jfrec_jfr_state *state)
{
	for (const char *line = rest->at; line < rest->end; line = next_line(line, rest->end)) {
		*end = line_end(line, rest->end);
		if (*end >= name && take_state(name, end, state)) {
			rest->at = next_line(line, rest->end);
			return true;
		}
	}
	return false;
}

/* The lines up to the next recording, without empty ones around them; "" if there are none. */
static const char *take_settings(struct arena *a, struct rest *rest)
{
	const char *from = rest->at, *to, *name;
	uint64_t id;

	while (rest->at < rest->end && !is_head(rest->at, rest->end, &id, &name))
		rest->at = next_line(rest->at, rest->end);
	to = rest->at;
	while (from < to && *from == '\n')
		from++;
	while (to > from && to[-1] == '\n')
		to--;
	return arena_strndup(a, from, (size_t)(to - from));
}

static struct jfrec_jfr_recording *add(struct jfrec_jfr_recordings *list)
{
	if (!array_reserve(list->items, list->count, list->room))
		return NULL;
	list->items[list->count] = (struct jfrec_jfr_recording){ 0 };
	return &list->items[list->count++];
}

/* Read the recording that begins at rest->at. 0, or -1 with *err set. */
static int read_one(struct jfrec_jfr_recordings *list, struct rest *rest, uint64_t id,
		    const char *name, struct jfrec_error *err)
{
	struct jfrec_jfr_recording *r = add(list);
	struct arena *a = &list->arena;
	const char *end;

	if (!r)
		return jfrec_fail_memory(err);
	r->id = id;
	if (!find_state(rest, name, &end, &r->state))
		return jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET,
				  "the JVM's list of recordings was cut short");
	if (!take_limit(a, name, &end, "maxage=", &r->max_age) ||
	    !take_limit(a, name, &end, "maxsize=", &r->max_size) ||
	    !take_limit(a, name, &end, "duration=", &r->duration) ||
	    !(r->name = arena_strndup(a, name, (size_t)(end - name))) ||
	    !(r->settings = take_settings(a, rest)))
		return jfrec_fail_memory(err);
	if (!*r->settings)
		r->settings = NULL;
	return 0;
}

struct jfrec_jfr_recordings *recordings_none(struct jfrec_error *err)
{
	struct jfrec_jfr_recordings *list = calloc(1, sizeof(*list));

	if (!list)
		jfrec_fail_memory(err);
	return list;
}

struct jfrec_jfr_recordings *recordings_read(const char *text, size_t len, struct jfrec_error *err)
{
	struct jfrec_jfr_recordings *list = recordings_none(err);
	struct rest rest = { text, text + len };
	const char *name;
	uint64_t id;

	while (list && rest.at < rest.end) {
		if (!is_head(rest.at, rest.end, &id, &name)) {
			rest.at = next_line(rest.at, rest.end);
			continue;
		}
		if (read_one(list, &rest, id, name, err) < 0) {
			jfrec_jfr_recordings_free(list);
			return NULL;
		}
	}
	return list;
}

void jfrec_jfr_recordings_free(struct jfrec_jfr_recordings *list)
{
	if (!list)
		return;
	arena_fini(&list->arena);
	free(list->items);
	free(list);
}

size_t jfrec_jfr_recordings_count(const struct jfrec_jfr_recordings *list)
{
	return list->count;
}

const struct jfrec_jfr_recording *jfrec_jfr_recordings_get(const struct jfrec_jfr_recordings *list,
							   size_t i)
{
	return i < list->count ? &list->items[i] : NULL;
}
