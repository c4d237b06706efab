/* SPDX-License-Identifier: MIT */
/*
 * sound.c - whether all bytes of a chunk are events
 *
 * Each event of each chunk that is loaded comes by here, so what a type's events must be like is
 * kept in a few bytes by their id, and asked of the type only once.
 */
#include "format/sound.h"

#include <stdlib.h>

#include "format/event_rows.h"
#include "format/fit.h"
#include "format/stray.h"

/* A mapping's pages are not in any cache yet: ask for the bytes early. */
#define AHEAD 4096

/* How events of an id are checked: as may_fit() does. */
struct check {
	enum check_kind { CHECK_UNKNOWN, CHECK_SIZE, CHECK_VARINTS, CHECK_SLOWLY } kind : 8;
	uint16_t least; /* bytes of the payload; or how many varints */
	uint32_t time;	/* bits that the first four bytes of the payload have if they are a time */
};

/* A time of so many ticks has five bytes or more, and is unlike text. */
#define LONG_TICKS ((int64_t)1 << 28)
#define LONG_TIME  0x80808080u

/*
 * Longer metadata is not parsed to see whether it is some; and of what is shorter there is little.
 */
#define SHORT_METADATA 4096
#define MANY_METADATA  64

struct look {
	struct metadata *metadata;
	const uint8_t *bytes, *end;
	uint32_t time; /* as that of a check */
	unsigned short_metadata;
	size_t checkpoints;
	struct chunk_pages *pages;
	struct chunk_page page;
	struct check checks[SMALL_IDS];
};

static struct check check_of(const struct look *l, uint64_t id)
{
	const struct jfrec_type *t = metadata_type(l->metadata, id);
	const struct plan *plan = t && t->is_event ? plan_of(t) : NULL;

	if (!plan || plan->fault)
		return (struct check){ CHECK_SLOWLY, 0, 0 };
	if (plan->only_varints)
		return (struct check){ CHECK_VARINTS, (uint16_t)plan->step_count, 0 };
	if (plan->min_size > LARGE_EVENT)
		return (struct check){ CHECK_SLOWLY, 0, 0 };
	return (struct check){ CHECK_SIZE, (uint16_t)plan->min_size,
			       plan->start_step == 0 ? l->time : 0 };
}

/* Something else, whose type was hit, would be taken for metadata and passed over. */
static bool is_metadata(struct look *l, const struct raw_event *e)
{
	struct metadata *m;
	bool ret;

	/* The chunk's own, as it almost always is, has been parsed. */
	if (!l->metadata->doubt && l->metadata->type_count &&
	    metadata_is_of(l->metadata, e->start, e->size))
		return true;
	if (!has_metadata_names(e))
		return false;
	if (e->size > SHORT_METADATA)
		return true;
	if (++l->short_metadata > MANY_METADATA)
		return false;
	m = metadata_parse(e->start, e->size, l->metadata, NULL);
	ret = m && !m->doubt && m->type_count;
	metadata_unref(m);
	return ret;
}

/*
 * What the table does not say: metadata, checkpoints, large events, and the first one of an id, by
 * which it is seen whether the type is as it was declared.
 */
static bool is_sound_otherwise(struct look *l, const struct raw_event *e)
{
	if (e->type_id == TYPE_CHECKPOINT) {
		l->checkpoints++;
		return true;
	}
	if (e->type_id < TYPE_CHECKPOINT)
		return is_metadata(l, e);
	if (e->type_id < SMALL_IDS && l->checks[e->type_id].kind == CHECK_UNKNOWN) {
		l->checks[e->type_id] = check_of(l, e->type_id);
		met_types_add(&l->pages->met, e->type_id);
		return fitting_type(l->metadata, e, l->end);
	}
	return may_fit(l->metadata, e, l->end);
}

/*
 * What is seldom asked is told of an event by its parts: a struct would be stored in memory for
 * each event, for those few.
 */
static __attribute__((noinline)) bool is_sound_slowly(struct look *l, const uint8_t *start,
						      const uint8_t *payload, uint64_t size,
						      uint64_t type_id)
{
	const struct raw_event e = { start, payload, size, type_id };

	return is_sound_otherwise(l, &e);
}

/* What does not begin with a long time may be text, of which any is long enough. */
static __attribute__((noinline)) bool fits(struct look *l, const uint8_t *start,
					   const uint8_t *payload, uint64_t size, uint64_t type_id)
{
	const struct raw_event e = { start, payload, size, type_id };

	return fitting_type(l->metadata, &e, l->end);
}

static inline bool has_bits(const uint8_t *at, uint32_t bits)
{
	uint32_t four;

	memcpy(&four, at, sizeof(four));
	return (four & bits) == bits;
}

static inline bool is_sound(struct look *l, const struct raw_event *e)
{
	struct check check = l->checks[e->type_id < SMALL_IDS ? e->type_id : 0];
	const uint8_t *stop = e->start + e->size;
	uint64_t payload = (uint64_t)(stop - e->payload);

	if (check.kind == CHECK_SIZE && e->size <= LARGE_EVENT)
		return payload >= check.least &&
		       ((payload >= sizeof(check.time) && has_bits(e->payload, check.time)) ||
			fits(l, e->start, e->payload, e->size, e->type_id));
	if (check.kind == CHECK_VARINTS && payload <= FILL_MAX && l->end - stop >= FILL_STEP)
		return varints_fill(e->payload, stop, check.least);
	return is_sound_slowly(l, e->start, e->payload, e->size, e->type_id);
}

static __attribute__((noinline)) const uint8_t *turn_page(struct look *l, const uint8_t *event)
{
	chunk_pages_add(l->pages, &l->page);
	l->page = (struct chunk_page){ .from = (uint64_t)(event - l->bytes) };
	return event + CHUNK_PAGE_SIZE;
}

static bool are_sound(struct look *l)
{
	struct cursor at = { .pos = l->bytes + CHUNK_HEADER_SIZE, .end = l->end };
	const uint8_t *page_end = l->bytes;
	struct raw_event e;
	int got;

	while ((got = walk_next(&at, &e)) > 0) {
		__builtin_prefetch(e.start + AHEAD);
		if (e.start >= page_end)
			page_end = turn_page(l, e.start);
		type_set_add(&l->page.types, e.type_id);
		if (!is_sound(l, &e))
			return false;
	}
	chunk_pages_add(l->pages, &l->page);
	return got == 0;
}

bool events_are_sound(struct metadata *m, const struct chunk_header *h, const uint8_t *bytes,
		      const uint8_t *end, size_t *checkpoints, struct chunk_pages *pages)
{
	struct look l = { .metadata = m, .bytes = bytes, .end = end, .pages = pages };
	bool ret;

	l.time = h->start_ticks >= LONG_TICKS ? LONG_TIME : 0;
	ret = end - bytes >= CHUNK_HEADER_SIZE && are_sound(&l);
	*checkpoints = l.checkpoints;
	return ret;
}

static int pass_over(void *ctx, const struct constant *one)
{
	(void)ctx;
	(void)one;
	return 0;
}

bool constants_are_sound(const struct metadata *m, const uint8_t *bytes, const uint8_t *end)
{
	struct cursor at = { .pos = bytes + CHUNK_HEADER_SIZE, .end = end };
	struct pool_blocks blocks = { 0 };
	struct met_types types = { 0 };
	bool ret = true;
	struct raw_event e;
	int64_t delta;

	while (ret && walk_next(&at, &e) > 0) {
		met_types_add(&types, e.type_id);
		if (e.type_id != TYPE_CHECKPOINT)
			continue;
		ret = pools_each_constant(m, e.start, e.size, &delta, pass_over, NULL, &blocks,
					  NULL) == 0;
	}
	ret = ret && !strays_possible(m, &blocks, &types);
	free(blocks.items);
	return ret;
}
