/* SPDX-License-Identifier: MIT */
/*
 * constants.c - find the checkpoints of a chunk and index their constants
 *
 * The header points to the newest one, from which a chain leads back to the
 * oldest.  Where that fails, they are searched for among the events.
 */
#include "format/constants.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/missing.h"
#include "format/stray.h"

static int add_anchor(struct chunk *c, uint64_t offset)
{
	if (!array_push(c->anchors, c->anchor_count, c->anchor_room, offset))
		return -1;
	return 0;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* What is wrong with the constants of a chunk: one sentence for all of it. */
struct constant_damage {
	uint64_t checkpoints, lost, first_at;
	struct jfrec_error first;
};

/* Add one checkpoint's constants; damaged ones are left out. -1 only without memory. */
static int add_checkpoint(struct chunk *c, const struct raw_event *e, int64_t *delta,
			  struct constant_damage *damage)
{
	struct jfrec_error why;

	if (pools_add_checkpoint(&c->pools, c->metadata, e->start, e->size, delta, &why) == 0)
		return 0;
	if (why.code == JFREC_ENOMEM)
		return -1;
	if (damage->checkpoints++ == 0) {
		damage->first = why;
		damage->first_at = chunk_offset(c, e->start);
	}
	damage->lost += e->size - why.offset;
	return 0;
}

/* "; 7 constants that it refers to are missing and shown as null" */
#define MISSING_MAX 100

static void put_missing(char text[static MISSING_MAX], uint64_t missing)
{
	*text = '\0';
	if (missing)
		snprintf(text, MISSING_MAX,
			 "; %" PRIu64 " %s that it refers to %s missing and shown as null", missing,
			 one_or_more(missing, "constant", "constants"),
			 one_or_more(missing, "is", "are"));
}

static void tell_constant_damage(struct chunk *c, const struct constant_damage *damage,
				 uint64_t missing)
{
	char text[MISSING_MAX];

	put_missing(text, missing);
	problem_damage(c->problems, damage->first_at, damage->lost,
		       "chunk %" PRIu64 " at byte %" PRIu64 ": %" PRIu64
		       " of its checkpoints are damaged, and %" PRIu64
		       " bytes of constants are lost; the first, at byte %" PRIu64 ": %s%s",
		       c->extent.number, c->extent.offset, damage->checkpoints, damage->lost,
		       damage->first_at, damage->first.text, text);
}

/* Nothing is lost by that alone. */
static void tell_broken_chain(struct chunk *c, uint64_t missing)
{
	char text[MISSING_MAX];

	put_missing(text, missing);
	(missing ? problem_damage : problem_notice)(
		c->problems, c->extent.offset, 0,
		"chunk %" PRIu64 " at byte %" PRIu64
		": its chain of checkpoints is broken; those found among its events are used%s",
		c->extent.number, c->extent.offset, text);
}

/*
 * Follow the chain from the newest checkpoint to the oldest after `from`.  1: it ended as
 * it should; 0: it led astray; -1: out of memory.  Each link must lie before
 * the last one, so it ends.
 */
static int follow_chain(struct chunk *c, uint64_t from, struct constant_damage *damage)
{
	uint64_t offset = c->extent.header.checkpoint;
	struct raw_event e;
	int64_t delta;

	if (offset < from)
		return 0;
	do {
		if (!chunk_event_at(c, offset, TYPE_CHECKPOINT, &e))
			return 0;
		if (add_anchor(c, offset) < 0 || add_checkpoint(c, &e, &delta, damage) < 0)
			return -1;
		if (delta == 0)
			return 1;
		if (delta > 0 || -(uint64_t)delta > offset)
			return 0;
		offset = (uint64_t)((int64_t)offset + delta);
	} while (offset >= from);
	return from > CHUNK_HEADER_SIZE;
}

/* Is it among these anchors, those of the chain?  They descend. */
static bool is_chained(const struct chunk *c, uint64_t offset, size_t low, size_t count)
{
	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (c->anchors[middle] == offset)
			return true;
		if (c->anchors[middle] > offset)
			low = middle + 1;
		else
			count = middle;
	}
	return false;
}

/*
 * Find the checkpoints after `from` that the chain, whose anchors begin at `first`, missed, and
 * add them from the newest to the oldest.
 */
static int search_checkpoints(struct chunk *c, uint64_t from, size_t first,
			      struct constant_damage *damage)
{
	size_t chained = c->anchor_count;
	struct cursor at = chunk_from(c, from);
	struct raw_event e;
	int64_t delta;

	while (chunk_step(c, &at, &e) == 1) {
		uint64_t offset = (uint64_t)(e.start - c->bytes);

		if (e.type_id == TYPE_CHECKPOINT && !is_chained(c, offset, first, chained) &&
		    add_anchor(c, offset) < 0)
			return -1;
	}
	for (size_t i = c->anchor_count; i > chained; i--) {
		if (chunk_event_at(c, c->anchors[i - 1], TYPE_CHECKPOINT, &e) &&
		    add_checkpoint(c, &e, &delta, damage) < 0)
			return -1;
	}
	return 0;
}

/*
 * Where one is damaged, links cannot be believed: take the checkpoints that stand among the chunk's
 * events, from the newest to the oldest.
 */
static int take_all_checkpoints(struct chunk *c, struct constant_damage *damage)
{
	struct chunk_walk walk;
	struct raw_event e;
	int64_t delta;

	if (c->anchor_count)
		qsort(c->anchors, c->anchor_count, sizeof(*c->anchors), by_value);
	if (chunk_judge(c) < 0)
		return -1;
	pools_fini(&c->pools);
	if (pools_init(&c->pools, c->metadata, c->end) < 0)
		return -1;
	c->anchor_count = 0;
	*damage = (struct constant_damage){ 0 };
	walk = chunk_walk(c);
	walk.is_quiet = true;
	while (chunk_walk_any(&walk, &e)) {
		if (e.type_id == TYPE_CHECKPOINT &&
		    add_anchor(c, (uint64_t)(e.start - c->bytes)) < 0)
			return -1;
	}
	for (size_t i = c->anchor_count; i; i--) {
		if (chunk_event_at(c, c->anchors[i - 1], TYPE_CHECKPOINT, &e) &&
		    add_checkpoint(c, &e, &delta, damage) < 0)
			return -1;
	}
	return 0;
}

/* From the checkpoints that were found. */
static int read_again(struct chunk *c, const struct pool_stray *stray)
{
	struct constant_damage damage = { 0 };
	struct raw_event e;
	int64_t delta;

	pools_fini(&c->pools);
	if (pools_init(&c->pools, c->metadata, c->end) < 0)
		return -1;
	if (stray)
		c->pools.stray = *stray;
	for (size_t i = c->anchor_count; i; i--) {
		if (chunk_event_at(c, c->anchors[i - 1], TYPE_CHECKPOINT, &e) &&
		    add_checkpoint(c, &e, &delta, &damage) < 0)
			return -1;
	}
	return 0;
}

static void tell_missing(struct chunk *c, const struct pool_stray *stray)
{
	problem_damage(
		c->problems, c->extent.offset, 0,
		"chunk %" PRIu64 " at byte %" PRIu64 ": %" PRIu64
		" constants of type %.80s that it refers to are missing and shown as null; they are"
		" stored under another type",
		c->extent.number, c->extent.offset, stray->missing, stray->type->name);
}

/* Give constants that are stored under the type of others their own. */
static int return_strays(struct chunk *c)
{
	struct missing_constants missing;
	struct pool_stray stray;
	bool found;

	if (!strays_possible(c->metadata, &c->pools.blocks, &c->pages.met))
		return 0;
	if (missing_constants_find(c, &missing) < 0)
		return -1;
	found = stray_find(c->metadata, &c->pools, missing.keys, &stray);
	missing_constants_fini(&missing);
	if (!found)
		return 0;
	if (!stray.block.from) {
		tell_missing(c, &stray);
		return 0;
	}
	problem_damage(c->problems, chunk_offset(c, stray.block.from), 0,
		       "chunk %" PRIu64 " at byte %" PRIu64 ": the constants at byte %" PRIu64
		       " (%" PRIu64
		       ") are stored as %.80s, but what refers to them shows that they are %.80s;"
		       " they are read as that",
		       c->extent.number, c->extent.offset, chunk_offset(c, stray.block.from),
		       stray.block.count, stray.block.type->name, stray.type->name);
	return read_again(c, &stray);
}

int constants_add(struct chunk *c, uint64_t from)
{
	uint64_t newest = c->extent.header.checkpoint;
	struct constant_damage damage = { 0 };
	size_t first = c->anchor_count;
	uint64_t missing = 0;
	int chain, searched = 0;

	if (first && c->anchors[first - 1] == newest)
		return 0;
	chain = newest ? follow_chain(c, from, &damage) : 0;

	if (chain == 0 || damage.checkpoints)
		searched = c->growing ? search_checkpoints(c, from, first, &damage)
				      : take_all_checkpoints(c, &damage);
	if (chain < 0 || searched < 0)
		return -1;
	/* What was in checkpoints that are lost shows where something refers to it. */
	if (!c->growing && newest && (chain == 0 || damage.checkpoints) &&
	    missing_count(c, &missing) < 0)
		return -1;
	if (damage.checkpoints)
		tell_constant_damage(c, &damage, missing);
	if (chain == 0 && newest && (missing || c->extent.state != JFREC_TRUNCATED))
		tell_broken_chain(c, damage.checkpoints ? 0 : missing);
	if (c->anchor_count)
		qsort(c->anchors, c->anchor_count, sizeof(*c->anchors), by_value);
	return chain > 0 && !damage.checkpoints && !c->growing ? return_strays(c) : 0;
}

int constants_again(struct chunk *c)
{
	return read_again(c, NULL);
}

size_t constants_first_behind(const struct chunk *c, uint64_t offset)
{
	size_t low = 0, high = c->anchor_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->anchors[middle] < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
