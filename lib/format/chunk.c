/* SPDX-License-Identifier: MIT */
/*
 * chunk.c - one chunk in memory: its bytes, its types, its constants
 *
 * The header points to the newest metadata, which declares all types, and to
 * the newest checkpoint, from which a chain leads back to the oldest.  Where
 * that fails, both are looked for among the events.
 */
#include "format/chunk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "format/rescue.h"

struct jfrec_chunk_info chunk_info(const struct extent *x, const struct metadata *m)
{
	return (struct jfrec_chunk_info){
		.offset = x->offset,
		.size = x->size,
		.major = x->header.major,
		.minor = x->header.minor,
		.start_ns = x->header.start_ns,
		.duration_ns = x->header.duration_ns,
		.start_ticks = x->header.start_ticks,
		.ticks_per_second = x->header.ticks_per_second,
		.utc_offset_s = m ? m->utc_offset_s : 0,
		.state = x->state,
		.final = x->header.flags & CHUNK_FINAL,
	};
}

/* The event of that type at that offset of the chunk, if it is whole. */
static bool event_at(const struct chunk *c, uint64_t offset, uint64_t type_id, struct raw_event *e)
{
	struct cursor at = { .pos = c->bytes, .end = c->end };

	if (offset < CHUNK_HEADER_SIZE)
		return false;
	cursor_seek(&at, c->bytes, offset);
	return !at.bad && walk_next(&at, e) == 1 && e->type_id == type_id;
}

static struct cursor body(const struct chunk *c)
{
	struct cursor at = { .pos = c->bytes, .end = c->end };

	cursor_take(&at, CHUNK_HEADER_SIZE);
	return at;
}

/* Metadata ------------------------------------------------------------------------------------- */

static struct metadata *parse_metadata(struct recording *r, const struct raw_event *e,
				       struct jfrec_error *err)
{
	return metadata_parse(e->start, e->size, r->metadata, err);
}

/* The last metadata event that can be parsed, by walking; one that is sound, if there is one. */
static struct metadata *search_metadata(struct recording *r, struct chunk *c,
					struct jfrec_error *err)
{
	struct cursor at = body(c);
	struct metadata *found = NULL;
	struct raw_event e;

	while (walk_next(&at, &e) == 1) {
		struct metadata *m;

		if (e.type_id != TYPE_METADATA)
			continue;
		m = parse_metadata(r, &e, err);
		if (m && found && m->doubt && !found->doubt) {
			metadata_unref(m);
		} else if (m) {
			metadata_unref(found);
			found = m;
		}
	}
	return found;
}

static void tell_unreadable(struct chunk *c, const char *why)
{
	const struct chunk_header *h = &c->extent.header;
	struct loss loss = { c->extent.offset, c->extent.size, h->start_ns,
			     long_add(h->start_ns, h->duration_ns) };

	problem_loss(c->problems, &loss,
		     "chunk %" PRIu64 " at byte %" PRIu64
		     ": %s, and without it none of its %" PRIu64 " bytes can be read",
		     c->extent.number, c->extent.offset, why, c->extent.size);
}

static struct metadata *find_metadata(struct recording *r, struct chunk *c)
{
	uint64_t offset = c->extent.header.metadata;
	struct jfrec_error why = { 0 };
	struct metadata *m = NULL, *doubtful;
	struct raw_event e;

	if (event_at(c, offset, TYPE_METADATA, &e))
		m = parse_metadata(r, &e, &why);
	else if (offset)
		snprintf(why.text, sizeof(why.text), "no metadata event is at byte %" PRIu64,
			 c->extent.offset + offset);
	else
		snprintf(why.text, sizeof(why.text), "its header names no metadata event");
	if (m && !m->doubt)
		return m;
	doubtful = m;
	m = search_metadata(r, c, NULL);
	if (m && m->doubt) {
		metadata_unref(doubtful);
		doubtful = m;
		m = NULL;
	}
	if (doubtful)
		snprintf(why.text, sizeof(why.text), "its metadata %s", doubtful->doubt);
	if (m) {
		metadata_unref(doubtful);
		problem_notice(c->problems, c->extent.offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64
			       ": %s; the one found among its events is used",
			       c->extent.number, c->extent.offset, why.text);
		return m;
	}
	m = rescue_metadata(r, &c->extent, c->bytes, c->end);
	if (!m && doubtful)
		problem_damage(c->problems, c->extent.offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64
			       ": %s, and so is damaged: what it got wrong cannot be read",
			       c->extent.number, c->extent.offset, why.text);
	else if (m)
		problem_damage(c->problems, c->extent.offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64
			       ": %s; its neighbour's, the same JVM's, fits and is used",
			       c->extent.number, c->extent.offset, why.text);
	else if (!extent_is_fresh(&c->extent))
		tell_unreadable(c, why.text);
	if (!m)
		return doubtful;
	metadata_unref(doubtful);
	return m;
}

/* Constants ------------------------------------------------------------------------------------ */

static int add_anchor(struct chunk *c, uint64_t offset)
{
	if (c->anchor_count == c->anchor_room) {
		size_t room = c->anchor_room ? c->anchor_room * 2 : 64;
		uint64_t *anchors = reallocarray(c->anchors, room, sizeof(*anchors));

		if (!anchors)
			return -1;
		c->anchors = anchors;
		c->anchor_room = room;
	}
	c->anchors[c->anchor_count++] = offset;
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

static void tell_constant_damage(struct chunk *c, const struct constant_damage *damage)
{
	if (damage->checkpoints)
		problem_damage(c->problems, damage->first_at, damage->lost,
			       "chunk %" PRIu64 " at byte %" PRIu64 ": %" PRIu64
			       " of its checkpoints are damaged, and %" PRIu64
			       " bytes of constants are lost; the first, at byte %" PRIu64 ": %s",
			       c->extent.number, c->extent.offset, damage->checkpoints,
			       damage->lost, damage->first_at, damage->first.text);
}

/*
 * Follow the chain from the newest checkpoint to the oldest.  1: it ended as
 * it should; 0: it led astray; -1: out of memory.  Each link must lie before
 * the last one, so it ends.
 */
static int follow_chain(struct chunk *c, struct constant_damage *damage)
{
	uint64_t offset = c->extent.header.checkpoint;
	struct raw_event e;
	int64_t delta;

	for (;;) {
		if (!event_at(c, offset, TYPE_CHECKPOINT, &e))
			return 0;
		if (add_anchor(c, offset) < 0 || add_checkpoint(c, &e, &delta, damage) < 0)
			return -1;
		if (delta == 0)
			return 1;
		if (delta > 0 || -(uint64_t)delta > offset)
			return 0;
		offset = (uint64_t)((int64_t)offset + delta);
	}
}

/* Is it among the first `count` anchors, those of the chain?  They descend. */
static bool is_chained(const struct chunk *c, uint64_t offset, size_t count)
{
	size_t low = 0;

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

/* Find the checkpoints that the chain missed, and add them from the newest to the oldest. */
static int search_checkpoints(struct chunk *c, struct constant_damage *damage)
{
	size_t chained = c->anchor_count;
	struct cursor at = body(c);
	struct raw_event e;
	int64_t delta;

	while (walk_next(&at, &e) == 1) {
		uint64_t offset = (uint64_t)(e.start - c->bytes);

		if (e.type_id == TYPE_CHECKPOINT && !is_chained(c, offset, chained) &&
		    add_anchor(c, offset) < 0)
			return -1;
	}
	for (size_t i = c->anchor_count; i > chained; i--) {
		if (event_at(c, c->anchors[i - 1], TYPE_CHECKPOINT, &e) &&
		    add_checkpoint(c, &e, &delta, damage) < 0)
			return -1;
	}
	return 0;
}

static int load_constants(struct chunk *c)
{
	uint64_t offset = c->extent.header.checkpoint;
	struct constant_damage damage = { 0 };
	int chain;

	if (pools_init(&c->pools, c->metadata, c->end) < 0)
		return -1;
	chain = offset ? follow_chain(c, &damage) : 0;
	if (chain < 0 || ((chain == 0 || damage.checkpoints) && search_checkpoints(c, &damage) < 0))
		return -1;
	tell_constant_damage(c, &damage);
	if (chain == 0 && offset && c->extent.state != JFREC_TRUNCATED)
		problem_notice(
			c->problems, c->extent.offset, 0,
			"chunk %" PRIu64 " at byte %" PRIu64
			": its chain of checkpoints is broken; those found among its events are used",
			c->extent.number, c->extent.offset);
	if (c->anchor_count)
		qsort(c->anchors, c->anchor_count, sizeof(*c->anchors), by_value);
	return 0;
}

/* Life ----------------------------------------------------------------------------------------- */

int chunk_load(struct recording *r, const struct extent *x, struct chunk **chunk,
	       struct jfrec_error *err)
{
	struct chunk *c = calloc(1, sizeof(*c));
	int ret = -1;

	*chunk = NULL;
	if (!c)
		return jfrec_fail_memory(err);
	c->refs = 1;
	c->extent = *x;
	c->problems = &r->problems;
	c->input = &r->in;
	if (input_span(&r->in, x->offset, x->size, x->state != JFREC_UNFINISHED, &c->span, err) < 0)
		goto out;
	c->bytes = c->span.bytes;
	c->end = c->bytes + c->span.len;
	ret = 0;
	c->metadata = find_metadata(r, c);
	if (!c->metadata)
		goto out;
	metadata_unref(r->metadata);
	r->metadata = metadata_ref(c->metadata);
	r->end_ns = long_add(x->header.start_ns, x->header.duration_ns);
	c->clock = recording_clock(r, &x->header);
	c->info = chunk_info(x, c->metadata);
	c->misfits = calloc((size_t)c->metadata->type_count + 1, sizeof(*c->misfits));
	if (!c->misfits || load_constants(c) < 0) {
		ret = jfrec_fail_memory(err);
		goto out;
	}
	*chunk = c;
	return 1;
out:
	chunk_unref(c);
	return ret;
}

struct chunk *chunk_ref(struct chunk *c)
{
	c->refs++;
	return c;
}

void chunk_unref(struct chunk *c)
{
	if (!c || --c->refs)
		return;
	pools_fini(&c->pools);
	metadata_unref(c->metadata);
	input_give_back(c->input, &c->span);
	free(c->anchors);
	free(c->misfits);
	free(c);
}

/* Events --------------------------------------------------------------------------------------- */

struct chunk_walk chunk_walk(struct chunk *c)
{
	return (struct chunk_walk){ .chunk = c, .at = body(c) };
}

/* When an event began; the chunk's start or end, if it has none in front or behind. */
static int64_t time_of(const struct chunk *c, const uint8_t *event, int64_t otherwise)
{
	struct cursor at = { .pos = event, .end = c->end };

	if (!event || event == c->end)
		return otherwise;
	cursor_varint(&at); /* size */
	cursor_varint(&at); /* type */
	return clock_time_ns(&c->clock, (int64_t)cursor_varint(&at));
}

static int64_t end_of(const struct chunk *c)
{
	return long_add(c->extent.header.start_ns, c->extent.header.duration_ns);
}

/* What was between two events, or the chunk's ends.  Events are only nearly in order. */
static struct loss loss_between(const struct chunk *c, const uint8_t *before, const uint8_t *from,
				const uint8_t *to)
{
	int64_t a = time_of(c, before, c->extent.header.start_ns), b = time_of(c, to, end_of(c));

	return (struct loss){
		.offset = chunk_offset(c, from),
		.bytes = (uint64_t)(to - from),
		.from_ns = a < b ? a : b,
		.to_ns = a < b ? b : a,
	};
}

/*
 * Leave damaged bytes behind.  At the next checkpoint events begin again for
 * sure, and perhaps some lead to it.
 */
static bool walk_on(struct chunk_walk *w)
{
	const struct chunk *c = w->chunk;
	const uint8_t *from = w->at.pos, *to = c->end;
	struct loss loss;
	bool has_anchor;

	while (w->next_anchor < c->anchor_count &&
	       c->anchors[w->next_anchor] <= (uint64_t)(from - c->bytes))
		w->next_anchor++;
	has_anchor = w->next_anchor < c->anchor_count;
	if (has_anchor)
		to = c->bytes + c->anchors[w->next_anchor];
	if (has_anchor || c->extent.state != JFREC_TRUNCATED)
		to = rescue_resume(c->metadata, &c->extent.header, from, to);
	loss = loss_between(c, w->last, from, to);
	/* Of a chunk that is cut off, the last event is too; chunk_tell_end() tells. */
	if (has_anchor || c->extent.state != JFREC_TRUNCATED)
		problem_loss(c->problems, &loss,
			     "chunk %" PRIu64 ": no event can begin at byte %" PRIu64 "; %" PRIu64
			     " bytes up to byte %" PRIu64 " are lost",
			     c->extent.number, loss.offset, loss.bytes, chunk_offset(c, to));
	w->at.pos = to;
	return to < c->end;
}

bool chunk_walk_over(struct chunk_walk *w, struct raw_event *e)
{
	int got;

	while ((got = walk_next(&w->at, e)) < 0) {
		if (!walk_on(w))
			break;
	}
	if (got > 0)
		w->last = e->start;
	else
		w->chunk->last = w->last;
	return got > 0;
}

void chunk_note_undeclared(struct chunk *c, const struct raw_event *e)
{
	if (c->undeclared.count++ == 0)
		c->undeclared.first_at = chunk_offset(c, e->start);
	c->undeclared_bytes += e->size;
}

bool chunk_walk_next(struct chunk_walk *w, struct raw_event *e, struct jfrec_type **type)
{
	while (chunk_walk_any(w, e)) {
		if (e->type_id <= TYPE_CHECKPOINT)
			continue;
		*type = metadata_type(w->chunk->metadata, e->type_id);
		if (*type && (*type)->is_event)
			return true;
		chunk_note_undeclared(w->chunk, e);
	}
	return false;
}

bool chunk_decode(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
		  uint64_t *slots)
{
	const struct plan *plan = plan_of(t);
	struct cursor payload = event_payload(e, c->end);

	if (!plan->fault && plan_decode(plan, &payload, slots) && !event_overran(e, &payload))
		return true;
	if (c->misfits[t->index].count++ == 0)
		c->misfits[t->index].first_at = chunk_offset(c, e->start);
	return false;
}

/* Some JVMs leave types undeclared; metadata that is damaged has lost them. */
static void tell_undeclared(struct chunk *c)
{
	const struct misfits *m = &c->undeclared;

	(c->metadata->doubt
		 ? problem_damage
		 : problem_notice)(c->problems, m->first_at, c->undeclared_bytes,
				   "chunk %" PRIu64
				   ": events of types that are not declared, the first at byte "
				   "%" PRIu64 ": %" PRIu64 " (%" PRIu64 " bytes)",
				   c->extent.number, m->first_at, m->count, c->undeclared_bytes);
	c->undeclared.count = 0;
}

/* That bytes are missing was told when the chunk was found; now it is known since when. */
static void tell_cut(struct chunk *c)
{
	uint64_t there = c->extent.size, promised = c->extent.header.size;
	struct loss loss = loss_between(c, c->last, c->end, c->end);

	if (!c->last || promised <= there || promised > INT64_MAX ||
	    time_of(c, c->last, 0) >= end_of(c))
		return;
	loss.bytes = promised - there;
	problem_loss(c->problems, &loss,
		     "chunk %" PRIu64 " at byte %" PRIu64
		     " is cut off: what it recorded last is lost",
		     c->extent.number, c->extent.offset);
}

void chunk_tell_end(struct chunk *c)
{
	if (c->extent.state == JFREC_TRUNCATED)
		tell_cut(c);
	if (c->undeclared.count)
		tell_undeclared(c);
	for (uint32_t i = 0; i < c->metadata->type_count; i++) {
		const struct jfrec_type *t = &c->metadata->types[i];
		const struct misfits *m = &c->misfits[i];

		if (!m->count)
			continue;
		problem_damage(c->problems, m->first_at, 0,
			       "chunk %" PRIu64
			       ": events of type %.100s, the first at byte %" PRIu64
			       ", that cannot be decoded: %" PRIu64 " (%s)",
			       c->extent.number, t->name, m->first_at, m->count,
			       t->plan && t->plan->fault
				       ? t->plan->fault
				       : "their values do not fit into their size");
		c->misfits[i].count = 0;
	}
}
