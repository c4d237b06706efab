/* SPDX-License-Identifier: MIT */
/*
 * where_run.c - evaluate a compiled expression on an event
 */
#include <stdlib.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/glob.h"
#include "format/slot.h"
#include "format/string.h"
#include "read/code_name.h"
#include "read/select.h"
#include "read/where_program.h"

/* Comparing ------------------------------------------------------------------------------------ */

/* What no order is between: a number and NaN. */
#define UNORDERED 2

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int order_of_doubles(double a, double b)
{
	return a == a && b == b ? (a > b) - (a < b) : UNORDERED;
}

static int order_of_signed(int64_t v, const struct number *n)
{
	if (!n->whole)
		return order_of_doubles((double)v, n->d);
	return n->huge ? -1 : order_of(v, n->i);
}

static int order_of_unsigned(uint64_t v, const struct number *n)
{
	if (!n->whole)
		return order_of_doubles((double)v, n->d);
	if (!n->huge && n->i < 0)
		return 1;
	return (v > (uint64_t)n->i) - (v < (uint64_t)n->i);
}

static enum truth truth_of(bool holds)
{
	return holds ? TRUTH_YES : TRUTH_NO;
}

static enum truth ordered(enum relation relation, int order)
{
	switch (relation) {
	case RELATION_EXISTS:
		return TRUTH_YES;
	case RELATION_EQUAL:
		return truth_of(order == 0);
	case RELATION_LESS:
		return truth_of(order == -1);
	case RELATION_LESS_EQUAL:
		return truth_of(order == -1 || order == 0);
	case RELATION_GREATER:
		return truth_of(order == 1);
	case RELATION_GREATER_EQUAL:
		return truth_of(order == 1 || order == 0);
	default:
		return TRUTH_NO;
	}
}

/* Numbers -------------------------------------------------------------------------------------- */

static int64_t end_ns(const struct runner *r, const struct access *a, const uint64_t *slots)
{
	int64_t ticks = (int64_t)slots[a->slot];

	if (a->end_slot != PLAN_NO_STEP)
		ticks = long_add(ticks, (int64_t)slots[a->end_slot]);
	return clock_time_ns(&r->chunk->clock, ticks);
}

/* The least long stands for no time at all. */
static bool is_no_time(const struct access *a, uint64_t slot)
{
	return a->wire == WIRE_LONG && (int64_t)slot == INT64_MIN;
}

static int order_of_time(const struct runner *r, const struct access *a, uint64_t slot)
{
	int64_t n = slot_number(a->field, a->wire, slot);
	const struct clock *clock = &r->chunk->clock;

	return order_of(a->check == CHECK_SPAN ? span_in_ns(a->field, clock, n)
					       : time_in_ns(a->field, clock, n),
			a->ns);
}

static enum truth check_number(const struct runner *r, const struct access *a,
			       const uint64_t *slots)
{
	uint64_t slot = slots[a->slot];
	enum relation relation = a->comparison->relation;

	switch ((enum check)a->check) {
	case CHECK_THERE:
		return TRUTH_YES;
	case CHECK_BOOL:
		return truth_of((slot != 0) == (a->number.i != 0));
	case CHECK_SIGNED:
		return ordered(relation, order_of_signed((int64_t)slot, &a->number));
	case CHECK_UNSIGNED:
		return ordered(relation,
			       order_of_unsigned(without_sign(slot, a->wire), &a->number));
	case CHECK_FLOAT:
		return ordered(relation, order_of_doubles((double)slot_float(slot), a->number.d));
	case CHECK_DOUBLE:
		return ordered(relation, order_of_doubles(slot_double(slot), a->number.d));
	case CHECK_END:
		return ordered(relation, order_of(end_ns(r, a, slots), a->ns));
	default:
		if (is_no_time(a, slot))
			return TRUTH_NULL;
		return ordered(relation,
			       relation == RELATION_EXISTS ? 0 : order_of_time(r, a, slot));
	}
}

/* Text ----------------------------------------------------------------------------------------- */

struct text {
	const char *s; /* does not end in NUL */
	size_t len;
};

static bool fetch(struct runner *r, const struct access *a, const uint64_t *slots, uint64_t *room,
		  struct text *t);

/* The string in a slot; one that is a key leads to the pool of its type, and no further. */
static bool fetch_string(struct runner *r, const struct access *a, uint64_t slot, struct text *t)
{
	const struct pools *pools = &r->chunk->pools;
	struct cursor c = { .pos = slot_bytes(slot), .end = pools->end };
	struct string s = string_read(&c);

	if (s.encoding == STRING_KEY) {
		uint32_t entry = pool_find(pools, a->type, s.key);

		if (entry == POOL_NONE)
			return false;
		c = (struct cursor){ .pos = pool_entry(pools, a->type, entry)->value,
				     .end = pools->end };
		s = string_read(&c);
	}
	if (s.encoding == STRING_NULL || s.encoding == STRING_KEY)
		return false;
	t->s = string_text(&r->scratch, s, &t->len);
	r->out_of_memory |= !t->s;
	return t->s;
}

static char *put(char *at, const char *s, size_t len)
{
	memcpy(at, s, len);
	return at + len;
}

/* More brackets than any class file may have are not shown. */
#define MAX_DIMENSIONS 255

static char *put_type(char *at, const struct descriptor *d)
{
	at = put_dotted(at, d->name, d->len);
	for (unsigned i = 0; i < d->dimensions && i < MAX_DIMENSIONS; i++)
		at = put(at, "[]", 2);
	return at;
}

/* Text of at most that length, to be filled; NULL when memory is gone. */
static char *text_room(struct runner *r, size_t len)
{
	char *s = arena_alloc(&r->scratch, len + 1);

	r->out_of_memory |= !s;
	return s;
}

/* A class as Java writes it: java.lang.String, byte[][]. */
static bool make_class(struct runner *r, struct text *t)
{
	char *s, *end;

	if (t->len && t->s[0] == '[') {
		char *copy = arena_strndup(&r->scratch, t->s, t->len);
		struct descriptor d;

		if (!copy || !(s = text_room(r, t->len + 40 + 2 * MAX_DIMENSIONS)))
			return false;
		descriptor_read(copy, &d);
		end = put_type(s, &d);
	} else {
		s = text_room(r, t->len);
		if (!s)
			return false;
		end = put_dotted(s, t->s, t->len);
	}
	t->s = s;
	t->len = (size_t)(end - s);
	return true;
}

/* The parameters of a method, from the descriptor in `text`: "(int, String[])". */
static char *put_parameters(char *at, const char *text, const char *text_end)
{
	bool first = true;

	*at++ = '(';
	for (text++; text < text_end && *text && *text != ')'; first = false) {
		struct descriptor d;

		text = descriptor_read(text, &d);
		descriptor_simplify(&d);
		if (!first)
			at = put(at, ", ", 2);
		at = put_type(at, &d);
	}
	*at++ = ')';
	return at;
}

/* Each letter of a descriptor can be the longest name of those that have one. */
#define MAX_PER_LETTER 40

/* Functions of native programs by what their symbols stand for, unless one is asked for. */
static struct text called(struct runner *r, const struct compare *c, struct text name)
{
	if (memmem(c->value.text, c->value.len, "_Z", 2) ||
	    memmem(c->value.text, c->value.len, "_R", 2))
		return name;
	name.s = code_name(r->chunk->metadata, &r->scratch, name.s, &name.len);
	return name;
}

/*
 * In the name of a function of C++ brackets mean nothing; "()" after all of it are its parameters.
 */
static bool has_parameters(const struct runner *r, const struct compare *c)
{
	static const char call[] = "operator()";
	size_t len = c->value.len, n = sizeof(call) - 1;

	if (!r->chunk->metadata->is_native)
		return memchr(c->value.text, '(', len);
	return len > 2 && memcmp(c->value.text + len - 2, "()", 2) == 0 &&
	       (len < n || memcmp(c->value.text + len - n, call, n) != 0);
}

/* "java.util.HashMap.put", with parameters if the expression has them. */
static bool fetch_method(struct runner *r, const struct access *a, const uint64_t *slots,
			 uint64_t *room, struct text *t)
{
	struct text class = { "", 0 }, name = { "", 0 }, descriptor = { "()", 2 };
	bool has_class = a->first && fetch(r, a->first, slots, room, &class);
	bool has_name = a->second && fetch(r, a->second, slots, room, &name);
	bool with_parameters = has_parameters(r, a->comparison);
	char *s, *end, *copy;

	if (!has_class && !has_name)
		return false;
	name = called(r, a->comparison, name);
	if (with_parameters && a->third)
		fetch(r, a->third, slots, room, &descriptor);
	copy = arena_strndup(&r->scratch, descriptor.s, descriptor.len);
	s = end = text_room(r, class.len + 1 + name.len + MAX_PER_LETTER * (descriptor.len + 1));
	if (!copy || !s)
		return false;
	end = put(end, class.s, class.len);
	if (has_class && has_name)
		*end++ = '.';
	end = put(end, name.s, name.len);
	if (with_parameters)
		end = put_parameters(end, copy, copy + descriptor.len);
	*t = (struct text){ s, (size_t)(end - s) };
	return true;
}

static bool fetch_either(struct runner *r, const struct access *a, const uint64_t *slots,
			 uint64_t *room, struct text *t)
{
	bool found = fetch(r, a->first, slots, room, t);
	struct text second;

	if (found && t->len)
		return true;
	if (!fetch(r, a->second, slots, room, &second))
		return found;
	*t = second;
	return true;
}

static bool fetch_here(struct runner *r, const struct access *a, const uint64_t *slots,
		       uint64_t *room, struct text *t)
{
	char *s;

	switch ((enum check)a->check) {
	case CHECK_TEXT:
		return fetch_string(r, a, slots[a->slot], t);
	case CHECK_CLASS:
		return fetch_string(r, a, slots[a->slot], t) && make_class(r, t);
	case CHECK_METHOD:
		return fetch_method(r, a, slots, room, t);
	case CHECK_EITHER:
		return fetch_either(r, a, slots, room, t);
	case CHECK_CHAR:
		s = text_room(r, UTF8_MAX);
		if (!s)
			return false;
		t->s = s;
		t->len = (size_t)(put_utf8(s, (uint32_t)slots[a->slot]) - s);
		return true;
	default:
		return false;
	}
}

/* Constants ------------------------------------------------------------------------------------ */

/* The slots of a constant; NULL if there is none. */
static const uint64_t *constant_slots(struct runner *r, const struct const_query *q, uint32_t entry,
				      uint64_t *room)
{
	const struct pools *pools = &r->chunk->pools;

	plan_decode_again(q->plan, pool_entry(pools, q->type, entry)->value, pools->end, room);
	return room;
}

/* The text at the end of accesses through constants only. */
static bool fetch(struct runner *r, const struct access *a, const uint64_t *slots, uint64_t *room,
		  struct text *t)
{
	while (a->kind == ACCESS_KEY) {
		const struct const_query *q = a->query;
		uint32_t entry = pool_find(&r->chunk->pools, q->type, slots[a->slot]);

		if (entry == POOL_NONE)
			return false;
		slots = constant_slots(r, q, entry, room);
		room += q->plan->step_count;
		a = q->rest;
	}
	return a->kind == ACCESS_CHECK && fetch_here(r, a, slots, room, t);
}

static int order_of_texts(struct text a, struct text b)
{
	int order = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	return order ? (order > 0) - (order < 0) : (a.len > b.len) - (a.len < b.len);
}

static enum truth check_text(struct runner *r, const struct access *a, const uint64_t *slots,
			     uint64_t *room)
{
	const struct literal *l = &a->comparison->value;
	struct text t;

	if (!fetch_here(r, a, slots, room, &t))
		return TRUTH_NULL;
	switch (a->comparison->relation) {
	case RELATION_MATCH:
		return truth_of(glob_match_text(l->text, l->len, t.s, t.len));
	case RELATION_LIST:
		return truth_of(list_matches(l->text, t.s, t.len));
	case RELATION_EXISTS:
		return TRUTH_YES;
	default:
		return ordered(a->comparison->relation,
			       order_of_texts(t, (struct text){ l->text, l->len }));
	}
}

/* Accesses ------------------------------------------------------------------------------------- */

static enum truth run(struct runner *r, const struct access *a, const uint64_t *slots,
		      uint64_t *room);

/* Any element that says yes will do; none, or only nulls, is null. */
static enum truth run_each(struct runner *r, const struct access *a, const uint64_t *slots,
			   uint64_t *room)
{
	struct cursor c = { .pos = slot_bytes(slots[a->slot]), .end = r->chunk->end };
	enum truth best = TRUTH_NULL;

	for (uint64_t n = cursor_varint(&c); n && best != TRUTH_YES; n--) {
		enum truth one;

		if (!plan_decode(a->element, &c, room))
			break;
		one = run(r, a->next, room, room + a->element->step_count);
		if (one > best)
			best = one;
	}
	return best;
}

static enum truth run_element(struct runner *r, const struct access *a, const uint64_t *slots,
			      uint64_t *room)
{
	struct cursor c = { .pos = slot_bytes(slots[a->slot]), .end = r->chunk->end };
	uint64_t count = cursor_varint(&c);

	if (a->index >= count)
		return TRUTH_NULL;
	for (uint64_t i = 0; i < a->index; i++)
		plan_skip(a->element, &c);
	if (!plan_decode(a->element, &c, room))
		return TRUTH_NULL;
	return run(r, a->next, room, room + a->element->step_count);
}

/* Without its memo a test of constants in constants could take forever. */
static bool has_memo(struct runner *r, struct const_query *q)
{
	if (!q->memo)
		q->memo = calloc(pool_at(&r->chunk->pools, q->type->index)->count + 1, 1);
	r->out_of_memory |= !q->memo;
	return q->memo;
}

static enum truth run_key(struct runner *r, const struct access *a, const uint64_t *slots,
			  uint64_t *room)
{
	struct const_query *q = a->query;
	uint32_t entry = pool_find(&r->chunk->pools, q->type, slots[a->slot]);
	enum truth truth;

	if (entry == POOL_NONE || !has_memo(r, q))
		return TRUTH_NULL;
	if (q->memo[entry])
		return q->memo[entry] - 1;
	truth = run(r, q->rest, constant_slots(r, q, entry, room), room + q->plan->step_count);
	q->memo[entry] = (uint8_t)(truth + 1);
	return truth;
}

static enum truth run(struct runner *r, const struct access *a, const uint64_t *slots,
		      uint64_t *room)
{
	switch ((enum access_kind)a->kind) {
	case ACCESS_KEY:
		return run_key(r, a, slots, room);
	case ACCESS_EACH:
		return run_each(r, a, slots, room);
	case ACCESS_ELEMENT:
		return run_element(r, a, slots, room);
	case ACCESS_CHECK:
		break;
	}
	return a->check >= CHECK_CHAR ? check_text(r, a, slots, room) : check_number(r, a, slots);
}

/* Null is only null: neither a comparison nor its contrary holds for it. */
static bool holds(const struct compare *cmp, enum truth truth)
{
	if (truth == TRUTH_NULL)
		return cmp->relation == RELATION_EXISTS && cmp->negated;
	return (truth == TRUTH_YES) != cmp->negated;
}

bool program_run(struct runner *r, const struct programs *p, int32_t entry, const uint64_t *slots)
{
	while (entry >= 0) {
		const struct test *t = &p->tests[entry];

		entry = holds(t->comparison, run(r, t->access, slots, r->slots)) ? t->yes : t->no;
	}
	if (r->scratch.total)
		arena_clear(&r->scratch);
	return entry == PROGRAM_ACCEPT;
}
