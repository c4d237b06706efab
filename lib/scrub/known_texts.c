/* SPDX-License-Identifier: MIT */
/*
 * known_texts.c - know events whose texts were all looked at and stay as they are
 */
#include "scrub/known_texts.h"

#include <stdlib.h>
#include <string.h>

#include "format/string.h"

#define PLACE_BITS 15

/* Events with more texts are not looked at here. */
#define MAX_TEXTS 16

/*
 * Nor are longer texts.  As UTF-8 they have three times as many bytes at most: so all that is known
 * here is short enough for the cache, too, and neither changes how often a text is looked at.
 */
#define MAX_TEXT 1000
#define MAX_NAME 250

/* Plans ---------------------------------------------------------------------------------------- */

/* The number of the rules among those that are known, or MAX_CONTEXTS: there are too many. */
static unsigned context_of(struct known_texts *k, const rule_set *rules)
{
	unsigned i = 0;

	while (i < k->context_count && memcmp(&k->contexts[i], rules, sizeof(*rules)) != 0)
		i++;
	if (i == k->context_count && i < MAX_CONTEXTS)
		k->contexts[k->context_count++] = *rules;
	return i;
}

/* Can the value be a part of this step, as the next one? */
static bool goes_into(const struct text_scan_step *scan, const struct step *s)
{
	return !scan->is_text &&
	       (!scan->bytes || wire_size((enum wire)s->wire) || s->wire == WIRE_STRING);
}

/* False if there is more in the value than a text by itself, or a number that stays. */
static bool add_step(struct known_texts *k, struct text_scan_step *scan, const struct step *s,
		     const rule_set *rules)
{
	unsigned context;

	if (s->wire == WIRE_ARRAY)
		return false;
	if (s->wire != WIRE_STRING) {
		scan->bytes += wire_size((enum wire)s->wire);
		scan->varints += !wire_size((enum wire)s->wire);
		return true;
	}
	context = context_of(k, rules);
	scan->is_text = true;
	scan->context = (uint16_t)context;
	return context < MAX_CONTEXTS;
}

static bool make_steps(struct known_texts *k, struct text_scan *scan,
		       const struct rule_paths_type *t, const struct plan *plan)
{
	struct text_scan_step *at = scan->steps;
	unsigned texts = 0;

	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];

		if (!goes_into(at, s))
			at++;
		if (t->marks[i] || !add_step(k, at, s, &t->rules[i]))
			return false;
		at->step = (uint16_t)i;
		texts += at->is_text;
	}
	scan->count = (unsigned)(at - scan->steps) + 1;
	return texts <= MAX_TEXTS;
}

/* NULL when memory is gone: then nothing is known. */
static struct text_scan *scan_of(struct known_texts *k, const struct known_place *at)
{
	struct rule_paths_type *t = &at->paths->types[at->type->index];
	const struct plan *plan = plan_of(at->type);
	struct text_scan *scan;

	if (t->scan)
		return t->scan;
	scan = arena_zalloc(&at->paths->arena, 1, sizeof(*scan));
	if (!scan)
		return NULL;
	scan->steps =
		arena_zalloc(&at->paths->arena, (size_t)plan->step_count + 1, sizeof(*scan->steps));
	if (!scan->steps)
		return NULL;
	scan->cannot =
		plan->fault || rule_paths_is_symbol(at->type) || !make_steps(k, scan, t, plan);
	scan->has_name = t->name_step != PLAN_NO_STEP;
	t->scan = scan;
	return scan;
}

/* Texts ---------------------------------------------------------------------------------------- */

/* A text as it lies in the event: its encoding, its length, and its bytes or its key. */
struct raw_text {
	const uint8_t *bytes;
	size_t len;
	struct text_scan_step *step;
};

struct raw_texts {
	struct raw_text all[MAX_TEXTS], name;
	unsigned count;
};

/* Is the text the last one?  It says itself how long it is. */
static bool is_last(const struct text_scan_step *s, const uint8_t *pos, const uint8_t *end,
		    uint64_t chunk)
{
	return s->last_chunk == chunk && (size_t)(end - pos) >= s->last_len &&
	       memcmp(pos, s->last, s->last_len) == 0;
}

/*
 * Find the texts of the event, without those that are the last ones.  False if it does not end
 * where its last field does.  As in marks_scan() eight bytes can be read wherever a step begins:
 * nine follow the event.
 */
static bool find_texts(const struct text_scan *scan, const struct known_place *at,
		       struct raw_texts *found)
{
	const uint8_t *pos = at->raw->payload, *end = at->raw->start + at->raw->size;
	uint16_t name_step = at->paths->types[at->type->index].name_step;

	for (struct text_scan_step *s = scan->steps; s < scan->steps + scan->count; s++) {
		struct cursor c;

		for (unsigned n = s->varints; n && pos <= end; n--)
			pos = varint_step(pos);
		if (end - pos < s->bytes)
			return false;
		pos += s->bytes;
		if (!s->is_text)
			continue;
		if (!scan->has_name && is_last(s, pos, end, at->chunk)) {
			pos += s->last_len;
			continue;
		}
		c = (struct cursor){ .pos = pos, .end = end };
		string_skip(&c);
		if (c.bad)
			return false;
		found->all[found->count] = (struct raw_text){ pos, (size_t)(c.pos - pos), s };
		if (s->step == name_step)
			found->name = found->all[found->count];
		found->count++;
		pos = c.pos;
	}
	return pos == end;
}

/* Eight bytes can be read wherever a text ends. */
static struct known_text *place_of(struct known_texts *k, const struct raw_text *t)
{
	static const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = (t->step->context + t->len * MAX_CONTEXTS) * factor, eight;
	size_t i = 0;

	for (; i + sizeof(eight) <= t->len; i += sizeof(eight)) {
		memcpy(&eight, t->bytes + i, sizeof(eight));
		hash = (hash ^ eight ^ hash >> 32) * factor;
	}
	if (i < t->len) {
		memcpy(&eight, t->bytes + i, sizeof(eight));
		eight &= (UINT64_C(1) << 8 * (t->len - i)) - 1;
		hash = (hash ^ eight ^ hash >> 32) * factor;
	}
	return &k->all[hash >> (64 - PLACE_BITS)];
}

static bool is_known(struct known_texts *k, const struct raw_text *t, const struct raw_text *name,
		     uint64_t chunk)
{
	const struct known_text *known;

	if (*t->bytes == STRING_NULL || *t->bytes == STRING_EMPTY)
		return true;
	known = place_of(k, t);
	return known->chunk == chunk && known->context == t->step->context &&
	       known->len == t->len && known->name_len == name->len &&
	       memcmp(known->bytes, t->bytes, t->len) == 0 &&
	       (!name->len || memcmp(known->name, name->bytes, name->len) == 0);
}

/* Are nine bytes of the chunk left after the event? */
static bool has_room(const struct known_place *at)
{
	return at->chunk_end - (at->raw->start + at->raw->size) >= VARINT_MAX;
}

bool known_texts_are_all(struct known_texts *k, const struct known_place *at)
{
	const struct text_scan *scan = scan_of(k, at);
	struct raw_texts found;

	found.name = (struct raw_text){ 0 };
	found.count = 0;
	if (!k->all || !scan || scan->cannot || !has_room(at) || !find_texts(scan, at, &found))
		return false;
	for (unsigned i = 0; i < found.count; i++) {
		const struct raw_text *t = &found.all[i];

		if (!is_known(k, t, &found.name, at->chunk))
			return false;
		t->step->last = t->bytes;
		t->step->last_len = t->len;
		t->step->last_chunk = at->chunk;
	}
	return true;
}

void known_texts_learn(struct known_texts *k, const struct known_place *at)
{
	const struct text_scan *scan = scan_of(k, at);
	struct raw_texts found = { .count = 0 };

	if (!k->all)
		k->all = calloc((size_t)1 << PLACE_BITS, sizeof(*k->all));
	if (!k->all || !scan || scan->cannot || !has_room(at) || !find_texts(scan, at, &found) ||
	    found.name.len > MAX_NAME)
		return;
	for (unsigned i = 0; i < found.count; i++) {
		const struct raw_text *t = &found.all[i];

		if (t->len <= MAX_TEXT)
			*place_of(k, t) = (struct known_text){
				.bytes = t->bytes,
				.name = found.name.bytes,
				.len = (uint16_t)t->len,
				.name_len = (uint16_t)found.name.len,
				.context = t->step->context,
				.chunk = at->chunk,
			};
	}
}

void known_texts_fini(struct known_texts *k)
{
	free(k->all);
	*k = (struct known_texts){ 0 };
}
