/* SPDX-License-Identifier: MIT */
/*
 * constant.c - format constants once, and cache their text
 */
#include <inttypes.h>
#include <stdlib.h>

#include "print/render.h"

/* Constants in constants; the JVM's chains of old objects have up to 400. */
#define MAX_NESTING 1000

/*
 * Constants that refer to the next one twice make text that doubles at each
 * step.  No event of any JVM comes near this.
 */
#define MAX_EVENT_TEXT (256u << 20)

/*
 * Stack traces are long and most are used once or twice: their text is kept
 * from the third use on.  Until then memo[entry] counts, a number too small to
 * be an address.
 */
#define LATE_USES 2

static bool is_fragment(const struct fragment *f)
{
	return (uintptr_t)f > LATE_USES;
}

/* Put it where *before is. False: another thread has put something there, now *before. */
#define put_shared(place, before, value)                                                        \
	__atomic_compare_exchange_n(place, before, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)

static struct fragment **memo_of(struct chunk_render *v, const struct site *s)
{
	struct fragment **memo, **others = NULL;

	if (s->index >= MAX_MEMO_SITES)
		return NULL;
	memo = SHARED_GET(v->memo[s->index]);
	if (memo)
		return memo;
	memo = calloc(pool_at(&v->chunk->pools, s->type->index)->count, sizeof(*memo));
	if (!memo || put_shared(&v->memo[s->index], &others, memo))
		return memo;
	free(memo);
	return others;
}

/*
 * The one place that decides whether a text is kept.  It never changes what is
 * printed: a text is kept only if it is whole in the output buffer, and would
 * be the same wherever the constant is used.
 */
static bool keep_fragment(struct render *r, const struct site *s, struct fragment **slot,
			  struct fragment *before, size_t len)
{
	uintptr_t uses = (uintptr_t)before;

	if (is_fragment(before))
		return false;
	if (s->type->known == KNOWN_STACK_TRACE && uses < LATE_USES) {
		put_shared(slot, &before, (struct fragment *)(uses + 1));
		return false;
	}
	return __atomic_load_n(&r->home->memory_used, __ATOMIC_RELAXED) + len <= r->memory;
}

static void keep(struct render *r, const struct site *s, uint32_t entry, uint64_t mark)
{
	struct fragment **memo = memo_of(r->current, s), *before, *f;
	struct arena *arena = &r->current->fragments[r->number];
	size_t len, total = arena->total;

	if (!memo || mark < r->out.flushed)
		return;
	len = (size_t)(out_total(&r->out) - mark);
	before = SHARED_GET(memo[entry]);
	if (!keep_fragment(r, s, &memo[entry], before, len))
		return;
	/* Padded, so that short ones are copied as literals are. */
	f = arena_alloc(arena, sizeof(*f) + len + OUT_STEP);
	if (!f)
		return;
	if (arena->total != total)
		__atomic_fetch_add(&r->home->memory_used, arena->total - total, __ATOMIC_RELAXED);
	f->len = (uint32_t)len;
	memcpy(f->text, r->out.pos - len, len);
	put_shared(&memo[entry], &before, f);
}

/* The same constant around this one, or NULL. */
static const struct active *around(const struct render *r, const struct jfrec_type *t,
				   uint32_t entry)
{
	const struct active *a = r->active;

	while (a && (a->type != t || a->entry != entry))
		a = a->outer;
	return a;
}

static void put_null(struct render *r)
{
	out_put(&r->out, r->format->null, strlen(r->format->null));
}

static void render_body(struct render *r, const struct site *s, const struct pool_entry *e)
{
	uint64_t *slots = slots_take(r, s->plan->step_count);

	if (!slots) {
		r->cut = 0;
		put_null(r);
		return;
	}
	plan_decode_again(s->plan, e->value, r->current->chunk->pools.end, slots);
	s->render(r, s, slots, e->key);
	slots_release(r, s->plan->step_count);
}

static void render_anew(struct render *r, const struct site *s, uint32_t entry)
{
	struct active self = { r->active, s->type, entry, r->active ? r->active->depth + 1 : 1 };
	/* A path ends, whatever it leads through: it neither makes a circle nor is part of one. */
	bool is_path = s->path.count > 0;
	const struct active *again = is_path ? NULL : around(r, s->type, entry);
	uint64_t mark = out_total(&r->out);
	unsigned cut = r->cut;

	if (again || self.depth > MAX_NESTING) {
		unsigned depth = again ? again->depth : 0;

		if (depth < r->cut)
			r->cut = depth;
		put_null(r);
		return;
	}
	if (!is_path)
		r->active = &self;
	r->cut = UINT32_MAX;
	render_body(r, s, pool_entry(&r->current->chunk->pools, s->type, entry));
	r->active = self.outer;
	/*
	 * What was cut short because of a constant further out is right only in
	 * there, and a circle looks different from each constant it is entered by.
	 */
	if (r->cut > self.depth)
		keep(r, s, entry, mark);
	if (r->cut >= self.depth || cut < r->cut)
		r->cut = cut;
}

void tell_too_long(struct chunk_render *v)
{
	const struct chunk *c = v->chunk;

	if (!v->told_too_long)
		problem_damage(
			c->problems, c->extent.offset, 0,
			"chunk %" PRIu64 " at byte %" PRIu64
			": an event has more than 256 MiB of text; further constants are omitted",
			c->extent.number, c->extent.offset);
	v->told_too_long = true;
}

/* Is the event's text too long for another constant?  Told once for a chunk. */
static bool is_too_long(struct render *r)
{
	if (out_total(&r->out) - r->event_start <= MAX_EVENT_TEXT)
		return false;
	r->is_too_long = true;
	if (r == r->home)
		tell_too_long(r->current);
	return true;
}

static inline bool constant_text(struct render *r, const struct site *s, uint32_t entry)
{
	struct fragment *f = NULL, **memo = NULL;

	if (entry == POOL_NONE)
		return false;
	if (s->index < MAX_MEMO_SITES)
		memo = SHARED_GET(r->current->memo[s->index]);
	if (memo)
		f = SHARED_GET(memo[entry]);
	if (r->out.error || is_too_long(r)) {
		r->cut = 0;
		put_null(r);
	} else if (!is_fragment(f)) {
		render_anew(r, s, entry);
	} else {
		out_literal(&r->out, f->text, f->len);
	}
	return true;
}

void render_constant(struct render *r, const struct site *s, uint64_t key)
{
	if (!constant_text(r, s, pool_find(&r->current->chunk->pools, s->type, key)))
		put_null(r);
}

void put_constant(struct render *r, const struct op *op, const uint64_t *slots)
{
	render_constant(r, op->site, slots[op->slot]);
}

bool render_constant_if_any(struct render *r, const struct op *op, uint64_t key)
{
	uint32_t entry = pool_find(&r->current->chunk->pools, op->site->type, key);

	if (entry == POOL_NONE)
		return false;
	out_put(&r->out, op->before, op->before_len);
	return constant_text(r, op->site, entry);
}

const uint64_t *constant_slots(struct render *r, const struct jfrec_type *t, uint64_t key)
{
	const struct pools *pools = &r->current->chunk->pools;
	const struct plan *plan = plan_of(t);
	uint32_t entry = pool_find(pools, t, key);
	uint64_t *slots;

	if (entry == POOL_NONE || !(slots = slots_take(r, plan->step_count)))
		return NULL;
	plan_decode_again(plan, pool_entry(pools, t, entry)->value, pools->end, slots);
	return slots;
}
