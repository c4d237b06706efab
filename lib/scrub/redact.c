/* SPDX-License-Identifier: MIT */
/*
 * redact.c - remove secrets from the strings of events and constants
 */
#include "scrub/redact.h"

#include <string.h>

#include "base/error.h"
#include "scrub/secret_words.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* What fits into a size of one byte, and of four. */
#define SMALL_EVENT 127
#define LARGE_EVENT ((1u << 28) - 1)

/* Values --------------------------------------------------------------------------------------- */

/* A value that is gone through; what has not changed is copied at once. */
struct value {
	struct redactor *redactor;
	const struct jfrec_type *type;
	const struct rule_paths_type *paths;
	const char *name; /* see struct spot */
	size_t name_len;
	const uint8_t *copied; /* up to here */
	struct buffer *to;
	bool is_event;	/* which ends where its bytes do */
	bool is_secret; /* a constant that secret fields lead to */
	bool changed;
};

/* What has been read of a struct, or of an array's element. */
struct inside {
	const struct rule_paths_type *own; /* of its type; or NULL */
	const unsigned *fixed; /* the step that all of an array is; NULL: each its own */
	struct word name;      /* the text that may say what the next one is */
};

/* Of the name of a value so much is looked at. */
#define MAX_NAME 1024

/* The string where it lies, of a key too. */
static struct string resolve(const struct redactor *r, struct string s)
{
	struct cursor c;
	uint32_t entry;

	if (s.encoding != STRING_KEY)
		return s;
	entry = r->string ? pool_find(&r->chunk->pools, r->string, s.key) : POOL_NONE;
	if (entry == POOL_NONE)
		return (struct string){ .encoding = STRING_NULL };
	c = (struct cursor){ .pos = pool_entry(&r->chunk->pools, r->string, entry)->value,
			     .end = r->chunk->end };
	s = string_read(&c);
	return s.encoding == STRING_KEY ? (struct string){ .encoding = STRING_NULL } : s;
}

/* Can it be the name of a class, method, package, module, or a descriptor? */
static bool is_java_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    !(c & 0x80) && (!c || !strchr("_$/.;<>()[-+", c)))
			return false;
	}
	return true;
}

static struct spot spot_of(const struct value *v, unsigned step)
{
	return (struct spot){
		.of = v->type, .step = step, .name = v->name, .name_len = v->name_len
	};
}

/* Rules whose name fits, for names of values are few. */
static void keep_named(const struct redactor *r, rule_set *rules, const struct spot *spot)
{
	for (unsigned i = 0; i < r->rules->count; i++) {
		if (rule_set_has(rules, i) &&
		    !rule_is_for(&r->rules->rules[i], spot->name, spot->name_len)) {
			rule_set one = { 0 };

			rule_set_add(&one, i);
			rule_set_drop(rules, &one);
		}
	}
}

static void replace(struct value *v, const uint8_t *start, const uint8_t *end)
{
	buffer_put(v->to, v->copied, (size_t)(start - v->copied));
	v->copied = end;
	v->changed = true;
}

/* A constant, which its event shares with others.  What else is in it is dealt with there. */
static const struct buffer *redact_shared(struct value *v, rule_set rules, struct spot *spot,
					  uint64_t key, struct string *s)
{
	struct redactor *r = v->redactor;

	rule_set_keep(&rules, &r->paths.specific);
	if (!rule_set_is_empty(&rules))
		keep_named(r, &rules, spot);
	if (rule_set_is_empty(&rules))
		return NULL;
	*s = resolve(r, *s);
	return s->len ? redact_pooled(r, rules, spot, &(struct pooled){ key, *s }) : NULL;
}

static const struct buffer *redact_own(struct value *v, rule_set rules, struct spot *spot,
				       struct string s)
{
	struct redactor *r = v->redactor;
	size_t len;
	const char *text = s.len ? string_text(&r->scratch, s, &len) : NULL;

	if (!text) {
		v->to->failed |= s.len > 0;
		return NULL;
	}
	if (rule_paths_is_symbol(v->type) && is_java_name(text, len)) {
		spot->is_name = true;
		rule_set_keep(&rules, &r->paths.specific);
	}
	return redact_text(r, rules, spot, text, len);
}

static void redact_string(struct value *v, unsigned step, rule_set rules, struct cursor *c)
{
	const uint8_t *start = c->pos;
	struct string s = string_read(c);
	struct spot spot = spot_of(v, step);
	const struct buffer *now = s.encoding == STRING_KEY
					   ? redact_shared(v, rules, &spot, s.key, &s)
					   : redact_own(v, rules, &spot, s);

	if (!now)
		return;
	replace(v, start, c->pos);
	redact_encode(v->to, s.encoding, now);
}

/* Keep what the string says, for the value that follows. */
static void note_name(struct value *v, struct inside *in, struct cursor c)
{
	struct string s = resolve(v->redactor, string_read(&c));

	s.len = s.len < MAX_NAME ? s.len : MAX_NAME;
	in->name = (struct word){ 0 };
	if (s.len)
		in->name.text = string_text(&v->redactor->scratch, s, &in->name.len);
}

/* The rules for a step: with that for values of secrets, if the name says that it is one. */
static rule_set rules_for(const struct value *v, const struct inside *in, unsigned i, unsigned step)
{
	const struct rule_paths *paths = &v->redactor->paths;
	rule_set rules = v->paths->rules[step];

	if (v->is_secret)
		rule_set_unite(&rules, &paths->secret_fields);
	if (in->own && in->own->marks[i] & STEP_VALUE && in->name.text &&
	    text_is_secret_name(in->name.text, in->name.len))
		rule_set_unite(&rules, &paths->behind_names);
	return rules;
}

/* A number becomes 0, which takes no more bytes. */
static void redact_number(struct value *v, const struct inside *in, unsigned i, unsigned step,
			  enum wire wire, struct cursor *c)
{
	const struct rule_paths *paths = &v->redactor->paths;
	const uint8_t *start = c->pos;
	unsigned marks = in->own ? in->own->marks[i] : 0;
	struct spot spot = spot_of(v, step);
	bool named = marks & STEP_VALUE && in->name.text &&
		     text_is_secret_number(in->name.text, in->name.len);

	wire_skip(wire, c);
	if (!(named || marks & STEP_NUMBER) || c->bad || v->redactor->collecting ||
	    (c->pos - start == 1 && *start == 0))
		return;
	replace(v, start, c->pos);
	buffer_u8(v->to, 0);
	redact_note_number(v->redactor, named ? paths->behind_names : paths->secret_fields, &spot);
}

/* The constant that a field with a secret's name leads to is secret. */
static void note_key(struct value *v, const struct inside *in, const struct step *s, unsigned i,
		     uint64_t key)
{
	if (v->redactor->collecting && in->own && in->own->marks[i] & STEP_KEY && s->field)
		redact_mark_constant(v->redactor, s->field->type, key);
}

static void redact_steps(struct value *v, const struct plan *plan, struct inside *in,
			 struct cursor *c);

/* What an array of numbers or strings has as elements, or WIRE_NONE for other arrays. */
static enum wire packed_wire(const struct plan *element)
{
	const struct step *s = element->steps;

	return element->step_count == 1 && !s->field ? (enum wire)s->wire : WIRE_NONE;
}

/* The count of the array, which is at `start`, was read. */
static void redact_packed(struct value *v, enum wire wire, unsigned step, rule_set rules,
			  uint64_t n, const uint8_t *start, struct cursor *c)
{
	struct redactor *r = v->redactor;
	struct spot spot = spot_of(v, step);
	struct cursor at = *c;
	size_t before = r->array.len;

	if (wire == WIRE_BYTE)
		cursor_take(c, n);
	else
		cursor_skip_varints(c, n);
	if (c->bad || n == 0)
		return;
	if (wire == WIRE_BYTE ? redact_bytes(r, rules, &spot, at.pos, n, &r->array)
			      : redact_numbers(r, rules, &spot, at, n, &r->array)) {
		replace(v, start, c->pos);
		buffer_put(v->to, r->array.data + before, r->array.len - before);
	}
	v->to->failed |= r->array.failed;
	r->array.len = before;
}

/* The text at *c if it is short: who looks at a list of words looks at no longer ones. */
static struct word peek_word(struct value *v, struct cursor c)
{
	struct string s = resolve(v->redactor, string_read(&c));
	struct word w = { 0 };

	if (s.len && s.len <= MAX_NAME)
		w.text = string_text(&v->redactor->scratch, s, &w.len);
	return w;
}

/* Keep the beginning of the word, and redact the password after it. */
static void mask_word(struct value *v, unsigned step, struct word w, size_t prefix,
		      struct cursor *c)
{
	struct redactor *r = v->redactor;
	const uint8_t *start = c->pos;
	struct spot spot = spot_of(v, step);
	struct buffer kept = { 0 };
	const struct buffer *now;
	struct string s = string_read(c);

	now = redact_text(r, r->paths.behind_names, &spot, w.text + prefix, w.len - prefix);
	if (!now)
		return;
	buffer_put(&kept, w.text, prefix);
	buffer_put(&kept, now->data, now->len);
	replace(v, start, c->pos);
	redact_encode(v->to, s.encoding == STRING_KEY ? STRING_UTF8 : s.encoding, &kept);
	buffer_fini(&kept);
}

static void add_to_line(struct buffer *line, struct word w)
{
	buffer_u8(line, ' ');
	if (w.text)
		buffer_put(line, w.text, w.len);
}

/* Texts in a list are read like a command line, or like names and values in turn. */
static void redact_words(struct value *v, unsigned step, rule_set rules, uint64_t n,
			 struct cursor *c)
{
	struct redactor *r = v->redactor;
	struct word before = { 0 };
	bool reads = n > 1 && !rule_set_is_empty(&r->paths.behind_names);

	buffer_clear(&r->line);
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		struct word w = reads ? peek_word(v, *c) : before;
		size_t prefix = 0;

		add_to_line(&r->line, w);
		if (before.text && w.text &&
		    (redact_is_password(r, before, w, &prefix) ||
		     (n % 2 == 0 && i % 2 && text_is_secret_name(before.text, before.len) &&
		      plausible_value_of_token(w.text, w.len))))
			mask_word(v, step, w, prefix, c);
		else
			redact_string(v, step, rules, c);
		before = w;
	}
	v->to->failed |= r->line.failed;
}

/* All that is in an array is its step. */
static void redact_array(struct value *v, const struct step *s, unsigned step, rule_set rules,
			 struct cursor *c)
{
	const struct plan *element = s->element;
	const uint8_t *start = c->pos;
	uint64_t n = cursor_varint(c);
	enum wire packed = packed_wire(element);
	const struct jfrec_type *t = s->field ? s->field->type : NULL;
	struct inside in = { .fixed = &step };

	if (n > cursor_left(c))
		cursor_spoil(c);
	if (packed >= WIRE_BYTE && packed <= WIRE_LONG) {
		redact_packed(v, packed, step, rules, n, start, c);
		return;
	}
	if (packed == WIRE_STRING) {
		redact_words(v, step, rules, n, c);
		return;
	}
	if (t && !s->field->constant && plan_of(t) == element)
		in.own = &v->redactor->paths.types[t->index];
	for (; n && !c->bad; n--) {
		in.name = (struct word){ 0 };
		redact_steps(v, element, &in, c);
	}
}

static void redact_step(struct value *v, const struct step *s, struct inside *in, unsigned i,
			struct cursor *c)
{
	unsigned step = in->fixed ? *in->fixed : i;
	struct cursor at = *c;

	switch ((enum wire)s->wire) {
	case WIRE_STRING:
		redact_string(v, step, rules_for(v, in, i, step), c);
		if (in->own && in->own->marks[i] & STEP_NAME)
			note_name(v, in, at);
		break;
	case WIRE_ARRAY:
		redact_array(v, s, step, rules_for(v, in, i, step), c);
		break;
	case WIRE_KEY:
		note_key(v, in, s, i, cursor_varint(c));
		break;
	case WIRE_BYTE:
	case WIRE_CHAR:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_LONG:
		redact_number(v, in, i, step, (enum wire)s->wire, c);
		break;
	case WIRE_NONE:
	case WIRE_BOOLEAN:
	case WIRE_FLOAT:
	case WIRE_DOUBLE:
		wire_skip((enum wire)s->wire, c);
	}
}

static void redact_steps(struct value *v, const struct plan *plan, struct inside *in,
			 struct cursor *c)
{
	for (unsigned i = 0; i < plan->step_count && !c->bad; i++)
		redact_step(v, &plan->steps[i], in, i, c);
}

/* Bytes after the last field: nobody who reads events sees them. */
static void note_tail(struct redactor *r, size_t len)
{
	if (r->collecting)
		return;
	r->redacted.tails++;
	r->redacted.tail_bytes += len;
}

/* Append the value as it is now.  1; 0 with nothing appended: as it was; -1 with *err set. */
static int redact_value(struct value *v, struct cursor c, struct jfrec_error *err)
{
	size_t before = v->to->len;
	struct inside in = { .own = v->paths };

	v->copied = c.pos;
	redact_steps(v, plan_of(v->type), &in, &c);
	if (v->is_event && cursor_left(&c)) {
		note_tail(v->redactor, cursor_left(&c));
		v->changed = true;
	}
	if (v->changed)
		buffer_put(v->to, v->copied, (size_t)(c.pos - v->copied));
	else
		v->to->len = before;
	if (v->redactor->scratch.total)
		arena_clear(&v->redactor->scratch);
	if (v->to->failed || v->redactor->redacted.findings.failed ||
	    v->redactor->texts[0].failed || v->redactor->texts[1].failed)
		return jfrec_fail_memory(err);
	return v->changed;
}

/* Events --------------------------------------------------------------------------------------- */

bool redact_touches(const struct redactor *r, const struct jfrec_type *t)
{
	return r->paths.types[t->index].has_text;
}

static struct known_place place_of(struct redactor *r, const struct jfrec_type *t,
				   const struct raw_event *e)
{
	return (struct known_place){ &r->paths, t, e, r->chunk->end, r->chunk_number };
}

/* An event that was looked at, or one that has the same texts, stays as it is. */
bool redact_leaves(struct redactor *r, const struct jfrec_type *t, const struct raw_event *e)
{
	struct known_place at = place_of(r, t, e);

	return known_texts_are_all(&r->known, &at);
}

/* The text of the event's field `key` or `name`, which lives as long as the scratch. */
static void find_name(struct value *v, const struct jfrec_event *ev)
{
	struct cursor c = { .end = ev->raw.start + ev->raw.size };
	struct string s;

	if (v->paths->name_step == PLAN_NO_STEP)
		return;
	c.pos = slot_bytes(ev->slots[v->paths->name_step]);
	s = resolve(v->redactor, string_read(&c));
	s.len = s.len < MAX_NAME ? s.len : MAX_NAME;
	v->name = s.len ? string_text(&v->redactor->scratch, s, &v->name_len) : "";
}

/* An event has its own size in front. */
static int frame(struct buffer *to, const struct jfrec_event *ev, const struct buffer *payload,
		 struct jfrec_error *err)
{
	uint64_t len = varint_size(ev->raw.type_id) + payload->len;

	if (len + 4 > LARGE_EVENT)
		return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
				  "a redacted event of type %.80s becomes too "
				  "large",
				  ev->type->name);
	if (len + 1 <= SMALL_EVENT)
		buffer_u8(to, (uint8_t)(len + 1));
	else
		buffer_padded(to, len + 4, 4);
	buffer_varint(to, ev->raw.type_id);
	buffer_put(to, payload->data, payload->len);
	return 1;
}

int redact_event(struct redactor *r, const struct jfrec_event *ev, struct buffer *to,
		 struct jfrec_error *err)
{
	struct value v = {
		.redactor = r,
		.type = ev->type,
		.is_event = true,
		.paths = &r->paths.types[ev->type->index],
		.to = &r->event,
	};
	struct cursor c = { .pos = ev->raw.payload, .end = ev->raw.start + ev->raw.size };
	struct known_place at = place_of(r, ev->type, &ev->raw);
	int changed;

	buffer_clear(&r->event);
	find_name(&v, ev);
	changed = redact_value(&v, c, err);
	if (changed == 0)
		known_texts_learn(&r->known, &at);
	return changed <= 0 ? changed : frame(to, ev, &r->event, err);
}

int redact_constant(struct redactor *r, const struct jfrec_type *t, uint64_t key,
		    const uint8_t *value, size_t len, struct buffer *to, struct jfrec_error *err)
{
	struct value v = {
		.redactor = r,
		.type = t,
		.paths = &r->paths.types[t->index],
		.is_secret = redact_is_marked(r, t, key),
		.to = to,
	};

	return v.paths->has_text ? redact_value(&v, cursor_over(value, len), err) : 0;
}
