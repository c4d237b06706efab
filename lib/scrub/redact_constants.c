/* SPDX-License-Identifier: MIT */
/*
 * redact_constants.c - which constants are secret for the fields that lead to them
 *
 * Constants belong to no event, and many may lead to one.  The first pass notes those that a
 * field with a secret's name leads to; then all their texts are secret.
 */
#include "scrub/redact.h"

#include "base/cursor.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* Constants in constants: longer ways nobody writes. */
#define MAX_DEPTH 8

static struct digest digest_of(const struct redactor *r, const struct jfrec_type *t, uint64_t key)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, r->chunk->extent.offset);
	digest_word(&d, r->chunk->extent.size);
	digest_word(&d, t->index);
	digest_word(&d, key);
	return d;
}

bool redact_is_marked(const struct redactor *r, const struct jfrec_type *t, uint64_t key)
{
	const struct digest_map *m = r->collecting ? &r->marked : &r->all->secret_constants;

	return m->count && digest_map_get(m, digest_of(r, t, key));
}

static void mark(struct redactor *r, const struct jfrec_type *t, uint64_t key, unsigned depth);

static void mark_inside(struct redactor *r, const struct jfrec_type *t, struct cursor c,
			unsigned depth)
{
	const struct plan *plan = plan_of(t);

	for (unsigned i = 0; i < plan->step_count && !c.bad; i++) {
		const struct step *s = &plan->steps[i];
		uint64_t n;

		switch ((enum wire)s->wire) {
		case WIRE_KEY:
			n = cursor_varint(&c);
			if (s->field && !c.bad)
				mark(r, s->field->type, n, depth + 1);
			break;
		case WIRE_STRING:
			string_skip(&c);
			break;
		case WIRE_ARRAY:
			for (n = cursor_varint(&c); n && !c.bad; n--)
				plan_skip(s->element, &c);
			break;
		case WIRE_NONE:
		case WIRE_BOOLEAN:
		case WIRE_BYTE:
		case WIRE_CHAR:
		case WIRE_SHORT:
		case WIRE_INT:
		case WIRE_LONG:
		case WIRE_FLOAT:
		case WIRE_DOUBLE:
			wire_skip((enum wire)s->wire, &c);
		}
	}
}

static void mark(struct redactor *r, const struct jfrec_type *t, uint64_t key, unsigned depth)
{
	uint64_t *known;
	uint32_t entry;

	if (depth == MAX_DEPTH || rule_paths_is_jvm(t) || plan_of(t)->fault)
		return;
	known = digest_map_put(&r->marked, digest_of(r, t, key));
	if (!known) {
		r->failed = true;
		return;
	}
	if (*known)
		return;
	*known = 1;
	entry = pool_find(&r->chunk->pools, t, key);
	if (entry != POOL_NONE)
		mark_inside(r, t,
			    (struct cursor){ .pos = pool_entry(&r->chunk->pools, t, entry)->value,
					     .end = r->chunk->end },
			    depth);
}

void redact_mark_constant(struct redactor *r, const struct jfrec_type *t, uint64_t key)
{
	mark(r, t, key, 0);
}

void redact_keep_marks(struct redactor *r)
{
	pthread_mutex_lock(&r->all->lock);
	for (size_t i = 0; r->marked.count && i <= r->marked.mask; i++) {
		const struct digest_slot *slot = &r->marked.slots[i];
		uint64_t *kept = slot->value
					 ? digest_map_put(&r->all->secret_constants, slot->digest)
					 : NULL;

		if (kept)
			*kept = 1;
		else
			r->failed |= slot->value != 0;
	}
	pthread_mutex_unlock(&r->all->lock);
}
