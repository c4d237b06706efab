/* SPDX-License-Identifier: MIT */
/*
 * getter.c - from the slots of an event to the value of a field, in one chunk
 */
#include "query/getter.h"

#include <stdlib.h>
#include <string.h>

#include "format/string.h"
#include "query/known.h"
#include "query/node.h"
#include "query/walk_path.h"

/* Paths through constants that refer to others; none that anybody writes is longer. */
#define MAX_DEPTH 64

void reading_fini(struct reading *r)
{
	for (struct follow *f = r->follows; f; f = f->next)
		free(f->memo);
	objects_fini(&r->objects);
	arena_fini(&r->arena);
	arena_fini(&r->scratch);
	*r = (struct reading){ 0 };
}

/* Constants ------------------------------------------------------------------------------------ */

struct follow *follow_of(struct reading *r, const struct jfrec_type *t, const char *path)
{
	struct follow *f = r->follows;

	while (f && !(f->type == t && (f->path == path || (path && f->path &&
							   strcmp(f->path, path) == 0))))
		f = f->next;
	if (f)
		return f;
	f = arena_zalloc(&r->arena, 1, sizeof(*f));
	if (f)
		f->memo = calloc((size_t)pool_at(&r->chunk->pools, t->index)->count + 1,
				 sizeof(*f->memo));
	if (!f || !f->memo) {
		r->out_of_memory = true;
		return NULL;
	}
	f->type = t;
	f->path = path;
	f->next = r->follows;
	r->follows = f;
	return f;
}

/* A constant that refers to itself is null in there. */
struct value follow_entry(struct reading *r, struct follow *f, uint32_t entry)
{
	struct value v = value_null();
	struct node n;

	if (!f || entry == POOL_NONE)
		return v;
	if (f->memo[entry].kind != VALUE_UNSET)
		return f->memo[entry];
	if (r->depth >= MAX_DEPTH)
		return v;
	f->memo[entry] = v;
	r->depth++;
	n = node_constant(r, f->type, entry);
	if (n.slots && f->path)
		v = walk_path(r, &n, f->path);
	else if (n.slots)
		v = known_value(r, &n, pool_entry(&r->chunk->pools, f->type, entry)->key);
	r->depth--;
	f->memo[entry] = v;
	return v;
}

struct value follow_key(struct reading *r, const struct jfrec_type *t, const char *path,
			uint64_t key)
{
	uint32_t entry = pool_find(&r->chunk->pools, t, key);

	return entry == POOL_NONE ? value_null() : follow_entry(r, follow_of(r, t, path), entry);
}

/* Getters -------------------------------------------------------------------------------------- */

static struct value text_value(struct reading *r, const char *text)
{
	if (!text)
		return value_null();
	return value_of_object(objects_string(&r->objects, text, strlen(text)));
}

static bool fixed(struct getter *g, struct value v)
{
	g->kind = GET_FIXED;
	g->fixed = v;
	return true;
}

/* Step into inline structs as far as the path leads. False: there is no such field. */
static bool begin_path(struct reading *r, const struct jfrec_type *t, const char *path,
		       struct getter *g)
{
	const struct plan *plan = plan_of(t);
	const struct jfrec_field *f;
	const char *rest;
	unsigned end;

	if (plan->fault)
		return false;
	f = field_of_path(t, path, &rest);
	if (!f || !f->type)
		return false;
	end = f->index + 1u < t->field_count ? plan->first_step[f->index + 1] : plan->step_count;
	g->slot = plan->first_step[f->index];
	g->needs = (uint16_t)end; /* no more than g->slot, of a struct without fields */
	g->field = f;
	if (f->constant && !f->array) {
		g->kind = GET_CONSTANT;
		g->follow = follow_of(r, f->type, rest);
		return g->follow != NULL;
	}
	if (!rest && !f->array && f->type->wire >= WIRE_BOOLEAN && f->type->wire <= WIRE_DOUBLE) {
		g->kind = GET_NUMBER;
		g->wire = f->type->wire;
		return true;
	}
	g->kind = !rest && !f->array && f->type->wire == WIRE_STRING ? GET_STRING : GET_STRUCT;
	g->type = t;
	g->path = path;
	return true;
}

bool getter_make(struct reading *r, const struct jfrec_type *t, const struct field *f,
		 struct getter *g)
{
	struct field own;

	*g = (struct getter){ .kind = GET_NOTHING };
	if (!field_find(t, f->path, &own))
		return false;
	if (own.pseudo == PSEUDO_LABEL)
		return fixed(g, text_value(r, t->label));
	if (own.pseudo == PSEUDO_NAME)
		return fixed(g, text_value(r, t->name));
	if (!begin_path(r, t, f->path, g))
		return false;
	if (own.pseudo == PSEUDO_SETTING && g->kind == GET_NUMBER)
		g->kind = GET_SETTING;
	return true;
}

/* The label of the event type with that id; its name where it has none. */
static struct value setting_value(struct reading *r, uint64_t id)
{
	/* Settings of types may outlive these. */
	const struct jfrec_type *t =
		r->has_own_ids ? metadata_type(r->chunk->metadata, id) : NULL;

	if (!t)
		t = schema_type_of_id(r->schema, id);
	return t && t->is_event ? text_value(r, t->label ? t->label : t->name) : value_null();
}

/* Strings -------------------------------------------------------------------------------------- */

static struct string_memo *memo_of(struct reading *r, const uint8_t *bytes, size_t len)
{
	uint64_t h = len, word = 0;

	if (!r->memos)
		r->memos = arena_zalloc(&r->arena, STRING_MEMOS, sizeof(*r->memos));
	if (!r->memos)
		return NULL;
	for (; len > sizeof(word); len -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, bytes, len);
	return &r->memos[(h ^ word) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

/* Does that string lie there?  Its bytes say how long it is, so what has them ends with them. */
static bool lies_at(const struct string_memo *m, const uint8_t *bytes, const uint8_t *end)
{
	return m && m->len <= (size_t)(end - bytes) && memcmp(m->bytes, bytes, m->len) == 0;
}

/* What lies there is a string again, or was a moment ago: what it was made of is remembered. */
static struct value string_value(struct reading *r, const struct getter *g, const uint64_t *slots)
{
	const uint8_t *bytes = slot_bytes(slots[g->slot]);
	const struct string_memo **latest = &r->latest[g->slot % LATEST_STRINGS];
	struct cursor c = { .pos = bytes, .end = r->chunk->end };
	struct string_memo *memo = NULL;
	struct string s;
	struct value v;
	size_t len;

	if (lies_at(*latest, bytes, c.end))
		return (*latest)->value;
	s = string_read(&c);
	if (c.bad || s.encoding == STRING_NULL)
		return value_null();
	len = (size_t)(c.pos - bytes);
	if (s.encoding != STRING_KEY && len <= LONGEST_MEMO_BYTES)
		memo = memo_of(r, bytes, len);
	if (memo)
		*latest = memo;
	if (memo && memo->len == len && memcmp(memo->bytes, bytes, len) == 0)
		return memo->value;
	v = value_of_field(r, g->field, &slots[g->slot]);
	if (memo)
		*memo = (struct string_memo){ bytes, len, v };
	return v;
}

/* Values --------------------------------------------------------------------------------------- */

struct value getter_get_slowly(struct reading *r, const struct getter *g, const uint64_t *slots)
{
	struct value v = value_null();
	struct node n;

	switch ((enum getter_kind)g->kind) {
	case GET_NOTHING:
		return v;
	case GET_FIXED:
		return g->fixed;
	case GET_NUMBER:
		return value_of_slot(g->field, (enum wire)g->wire, &r->chunk->clock,
				     slots[g->slot]);
	case GET_SETTING:
		return setting_value(r, slots[g->slot]);
	case GET_CONSTANT:
		v = follow_entry(r, g->follow,
				 pool_find(&r->chunk->pools, g->follow->type, slots[g->slot]));
		break;
	case GET_STRING:
		v = string_value(r, g, slots);
		break;
	case GET_STRUCT:
		n = (struct node){ g->type, slots };
		v = walk_path(r, &n, g->path);
		break;
	}
	arena_clear(&r->scratch);
	return v;
}
