/* SPDX-License-Identifier: MIT */
/*
 * chunk.c - load one chunk: its bytes, its types, its constants
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
#include "format/constants.h"
#include "format/rescue.h"
#include "format/sound.h"

#define SMALL_EVENT 1024

struct jfrec_chunk_info chunk_info(const struct extent *x, const struct metadata *m)
{
	return (struct jfrec_chunk_info){
		.offset = x->offset,
		.size = x->size,
		.major = x->is_v0 ? 0 : x->header.major,
		.minor = x->is_v0 ? x->v0 : x->header.minor,
		.start_ns = x->header.start_ns,
		.duration_ns = x->header.duration_ns,
		.start_ticks = x->header.start_ticks,
		.ticks_per_second = x->header.ticks_per_second,
		.utc_offset_s = m ? m->utc_offset_s : 0,
		.state = x->state,
		.final = x->header.flags & CHUNK_FINAL,
	};
}

/*
 * Have the bytes at that offset that say how long an event is, and of what type; all of it, if it
 * is as small as most checkpoints of a flush.  Their number.
 */
static uint64_t fetch_start(const struct chunk *c, uint64_t offset)
{
	uint64_t left = (uint64_t)(c->end - c->bytes) - offset;
	uint64_t len = left < SMALL_EVENT ? left : SMALL_EVENT;

	return growing_fetch(c->growing, offset, len) ? len : 0;
}

bool chunk_event_at(const struct chunk *c, uint64_t offset, uint64_t type_id, struct raw_event *e)
{
	struct cursor at = { .pos = c->bytes, .end = c->end };
	uint64_t have = 0;

	if (offset < CHUNK_HEADER_SIZE)
		return false;
	cursor_seek(&at, c->bytes, offset);
	if (at.bad)
		return false;
	if (c->growing)
		have = fetch_start(c, offset);
	return walk_next(&at, e) == 1 && e->type_id == type_id &&
	       (!c->growing || e->size <= have || growing_fetch(c->growing, offset, e->size));
}

struct cursor chunk_from(const struct chunk *c, uint64_t offset)
{
	struct cursor at = { .pos = c->bytes, .end = c->end };

	cursor_take(&at, offset);
	return at;
}

/* Metadata ------------------------------------------------------------------------------------- */

static struct metadata *parse_metadata(struct recording *r, const struct raw_event *e,
				       struct jfrec_error *err)
{
	return metadata_parse(e->start, e->size, r->metadata, err);
}

/* Keep the last one that can be parsed; one that is sound, if there is one. */
static void try_metadata(struct recording *r, const struct raw_event *e, struct metadata **found)
{
	struct metadata *m = parse_metadata(r, e, NULL);

	if (m && *found && m->doubt && !(*found)->doubt) {
		metadata_unref(m);
	} else if (m) {
		metadata_unref(*found);
		*found = m;
	}
}

/*
 * A JVM writes its types first and last, and again with what it has declared since. In a file of
 * gigabytes only its ends are looked through, and holes are passed over.
 */
#define METADATA_SEARCH ((uint64_t)64 << 20)
#define METADATA_WINDOW ((uint64_t)1 << 20)

/* The metadata events that begin at these places of the chunk, by their looks. */
static void search_by_looks(struct recording *r, struct chunk *c, uint64_t from, uint64_t to,
			    struct metadata **found)
{
	uint64_t offset = c->extent.offset;

	while ((from = input_skip_hole(&r->in, offset + from) - offset) < to) {
		const uint8_t *place = c->bytes + from, *limit;
		struct raw_event e;

		limit = c->bytes + (to - from < METADATA_WINDOW ? to : from + METADATA_WINDOW);
		while (next_like_metadata(&place, limit, c->end, &e)) {
			try_metadata(r, &e, found);
			place = e.start + e.size;
		}
		from = (uint64_t)(place - c->bytes);
	}
}

/* The metadata event that is not where the header says, by walking; or else by its looks. */
static struct metadata *search_metadata(struct recording *r, struct chunk *c)
{
	struct cursor at = chunk_from(c, CHUNK_HEADER_SIZE);
	struct metadata *found = NULL;
	uint64_t size = (uint64_t)(c->end - c->bytes), first, last;
	struct raw_event e;
	int got;

	while ((got = chunk_step(c, &at, &e)) == 1) {
		if (e.type_id == TYPE_METADATA)
			try_metadata(r, &e, &found);
	}
	/* After a break may be a newer one, which declares more. */
	if (c->growing || (got == 0 && found && !found->doubt))
		return found;
	first = size < METADATA_SEARCH ? size : METADATA_SEARCH;
	last = size - first < METADATA_SEARCH ? first : size - METADATA_SEARCH;
	search_by_looks(r, c, CHUNK_HEADER_SIZE, first, &found);
	search_by_looks(r, c, last, size, &found);
	return found;
}

/* Nothing of the chunk can be read, unless another recording has its types. */
static void tell_unreadable(const struct recording *r, struct chunk *c, const char *why)
{
	const struct chunk_header *h = &c->extent.header;
	struct loss loss = { c->extent.offset, c->extent.size, h->start_ns,
			     long_add(h->start_ns, h->duration_ns) };

	problem_loss(c->problems, &loss,
		     "chunk %" PRIu64 " at byte %" PRIu64
		     ": %s, and without it none of its %" PRIu64 " bytes can be read%s",
		     c->extent.number, c->extent.offset, why, c->extent.size,
		     r->given_count || c->growing
			     ? ""
			     : "; --types-from with a recording of the same JVM may help");
}

static void tell_doubtful(struct chunk *c, const char *why)
{
	problem_damage(c->problems, c->extent.offset, 0,
		       "chunk %" PRIu64 " at byte %" PRIu64
		       ": %s: the metadata is damaged; types it misdescribes cannot be read",
		       c->extent.number, c->extent.offset, why);
}

static void tell_found(struct chunk *c, const char *why)
{
	problem_notice(c->problems, c->extent.offset, 0,
		       "chunk %" PRIu64 " at byte %" PRIu64
		       ": %s; the one found among its events is used",
		       c->extent.number, c->extent.offset, why);
}

static void tell_rescued(struct chunk *c, const char *why, const char *whose)
{
	problem_damage(c->problems, c->extent.offset, 0,
		       "chunk %" PRIu64 " at byte %" PRIu64 ": %s; %s matches and is used",
		       c->extent.number, c->extent.offset, why, whose);
}

/* The metadata event where the header says; or NULL, and *why tells what is there instead. */
static struct metadata *named_metadata(struct recording *r, struct chunk *c,
				       struct jfrec_error *why)
{
	uint64_t offset = c->extent.header.metadata;
	struct raw_event e;

	if (chunk_event_at(c, offset, TYPE_METADATA, &e))
		return parse_metadata(r, &e, why);
	if (offset)
		snprintf(why->text, sizeof(why->text), "there is no metadata event at byte %" PRIu64,
			 c->extent.offset + offset);
	else
		snprintf(why->text, sizeof(why->text),
			 "its header does not refer to a metadata event");
	return NULL;
}

/* What is left of its own metadata, or another chunk's or recording's that fits: told; or NULL. */
static struct metadata *rescued_metadata(struct recording *r, struct chunk *c, const char *why)
{
	const char *whose = "the metadata in the bytes there";
	struct metadata *m;

	m = rescue_own_metadata(r, c->bytes, c->end, c->extent.header.metadata);
	if (!m)
		m = rescue_metadata(r, &c->extent, c->bytes, c->end, NULL, &whose);
	if (m)
		tell_rescued(c, why, whose);
	return m;
}

/*
 * NULL: it has none that can be read, which was reported, or memory is gone (*err, else untouched).
 */
static struct metadata *find_metadata(struct recording *r, struct chunk *c,
				      struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	struct metadata *doubtful = named_metadata(r, c, &why), *m;

	if (doubtful && !doubtful->doubt)
		return doubtful;
	if (!doubtful && why.code == JFREC_ENOMEM) {
		jfrec_fail_memory(err);
		return NULL;
	}
	m = search_metadata(r, c);
	if (m && m->doubt) {
		metadata_unref(doubtful);
		doubtful = m;
		m = NULL;
	}
	if (doubtful)
		snprintf(why.text, sizeof(why.text), "its metadata %s", doubtful->doubt);
	if (m)
		tell_found(c, why.text);
	else if (!c->growing) /* what is written now has its own in the next flush */
		m = rescued_metadata(r, c, why.text);
	if (m) {
		metadata_unref(doubtful);
		return m;
	}
	if (doubtful)
		tell_doubtful(c, why.text);
	else if (!extent_is_fresh(&c->extent))
		tell_unreadable(r, c, why.text);
	return doubtful;
}

/* Life ----------------------------------------------------------------------------------------- */

static struct chunk *chunk_new(struct recording *r, const struct extent *x)
{
	struct chunk *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->refs = 1;
	c->extent = *x;
	c->problems = &r->problems;
	c->input = &r->in;
	c->name = r->problems.input;
	return c;
}

int chunk_judge(struct chunk *c)
{
	struct damaged_chunk chunk = {
		.bytes = c->bytes,
		.end = c->end,
		.metadata = c->metadata,
		.header = &c->extent.header,
		.is_cut = c->extent.state == JFREC_TRUNCATED,
		.anchors = c->anchors,
		.anchor_count = c->anchor_count,
	};

	c->stretches = calloc(1, sizeof(*c->stretches));
	return c->stretches ? event_rows_find(&chunk, c->stretches) : -1;
}

bool chunk_is_sound(struct recording *r, const struct extent *x)
{
	struct metadata *m = recording_metadata(r, x);
	struct chunk c = { .metadata = m };
	struct chunk_pages pages = { 0 };
	size_t checkpoints;
	bool ret = false;

	if (m && !m->doubt && input_span(&r->in, x->offset, x->size, true, &c.span, NULL) == 0) {
		c.bytes = c.span.bytes;
		c.end = c.bytes + c.span.len;
		ret = c.span.len == x->size &&
		      events_are_sound(m, &x->header, c.bytes, c.end, &checkpoints, &pages) &&
		      constants_are_sound(m, c.bytes, c.end);
		input_give_back(&r->in, &c.span);
	}
	metadata_unref(m);
	free(pages.items);
	return ret;
}

/* Metadata that was overwritten in part may be parsed, and yet be another's than the events'. */
static void replace_metadata(struct recording *r, struct chunk *c)
{
	const char *whose;
	struct metadata *m =
		rescue_metadata(r, &c->extent, c->bytes, c->end, c->metadata, &whose);

	if (!m)
		return;
	problem_damage(c->problems, c->extent.offset, 0,
		       "chunk %" PRIu64 " at byte %" PRIu64
		       ": its metadata does not match its events; %s matches and is used",
		       c->extent.number, c->extent.offset, whose);
	metadata_unref(c->metadata);
	c->metadata = m;
}

/*
 * The types and constants of a chunk whose bytes are there.  As chunk_load(), but 1 sets nothing.
 */
static int explain(struct recording *r, struct chunk *c, struct jfrec_error *err)
{
	const struct extent *x = &c->extent;
	struct jfrec_error why = { 0 };
	size_t checkpoints = 0;
	bool sound;

	c->metadata = find_metadata(r, c, &why);
	if (!c->metadata)
		return why.code == JFREC_ENOMEM ? jfrec_fail_memory(err) : 0;
	sound = c->growing ||
		events_are_sound(c->metadata, &x->header, c->bytes, c->end, &checkpoints,
				 &c->pages);
	if (!sound)
		replace_metadata(r, c);
	metadata_unref(r->metadata);
	r->metadata = metadata_ref(c->metadata);
	r->end_ns = long_add(x->header.start_ns, x->header.duration_ns);
	c->clock = recording_clock(r, &x->header);
	c->info = chunk_info(x, c->metadata);
	c->misfits = calloc((size_t)c->metadata->type_count + 1, sizeof(*c->misfits));
	if (!c->misfits || pools_init(&c->pools, c->metadata, c->end) < 0 ||
	    constants_add(c, CHUNK_HEADER_SIZE) < 0)
		return jfrec_fail_memory(err);
	/* Sound chunks are walked without asking anything. */
	if (!c->growing && !c->stretches && (!sound || c->anchor_count != checkpoints) &&
	    chunk_judge(c) < 0)
		return jfrec_fail_memory(err);
	if (!sound || c->stretches || x->state != JFREC_FINISHED)
		c->pages.count = 0;
	return 1;
}

int chunk_load(struct recording *r, const struct extent *x, struct chunk **chunk,
	       struct jfrec_error *err)
{
	struct chunk *c = chunk_new(r, x);
	int ret;

	*chunk = NULL;
	if (!c)
		return jfrec_fail_memory(err);
	ret = input_span(&r->in, x->offset, x->size, x->state != JFREC_UNFINISHED, &c->span, err);
	if (ret == 0) {
		c->bytes = c->span.bytes;
		c->end = c->bytes + c->span.len;
		ret = explain(r, c, err);
	}
	if (ret <= 0)
		chunk_unref(c);
	else
		*chunk = c;
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
	if (c->growing)
		growing_fini(c->growing);
	else
		input_give_back(c->input, &c->span);
	free(c->growing);
	free(c->anchors);
	if (c->stretches)
		stretches_fini(c->stretches);
	free(c->stretches);
	free(c->misfits);
	free(c->pages.items);
	free(c);
}

/* Growth --------------------------------------------------------------------------------------- */

static int extend(struct chunk *c, const struct extent *x, struct jfrec_error *err)
{
	if (growing_extend(c->growing, x->size, err) < 0)
		return -1;
	c->extent = *x;
	c->bytes = c->growing->bytes;
	c->end = c->bytes + x->size;
	c->pools.end = c->end;
	return 0;
}

int chunk_load_growing(struct recording *r, const struct extent *x, struct chunk **chunk,
		       struct jfrec_error *err)
{
	struct chunk *c = chunk_new(r, x);
	int ret = -1;

	*chunk = NULL;
	if (c)
		c->growing = calloc(1, sizeof(*c->growing));
	if (!c || !c->growing)
		jfrec_fail_memory(err);
	else if (growing_init(c->growing, &r->in, x->offset, err) == 0 && extend(c, x, err) == 0)
		ret = explain(r, c, err);
	if (ret <= 0)
		chunk_unref(c);
	else
		*chunk = c;
	return ret;
}

/* Newer metadata declares more; indexes of types change, so what goes by them is made anew. */
static int change_metadata(struct recording *r, struct chunk *c, struct metadata *m)
{
	chunk_tell_end(c);
	metadata_unref(c->metadata);
	c->metadata = m;
	metadata_unref(r->metadata);
	r->metadata = metadata_ref(m);
	free(c->misfits);
	c->misfits = calloc((size_t)m->type_count + 1, sizeof(*c->misfits));
	return c->misfits ? constants_again(c) : -1;
}

static int grow_metadata(struct recording *r, struct chunk *c)
{
	struct jfrec_error why = { 0 };
	struct metadata *m = NULL;
	struct raw_event e;

	if (chunk_event_at(c, c->extent.header.metadata, TYPE_METADATA, &e))
		m = parse_metadata(r, &e, &why);
	if (m && !m->doubt && m != c->metadata)
		return change_metadata(r, c, m);
	if (!m && why.code == JFREC_ENOMEM)
		return -1;
	if (!m || m->doubt)
		problem_damage(c->problems, c->extent.offset + c->extent.header.metadata, 0,
			       "chunk %" PRIu64
			       ": no readable metadata event at byte %" PRIu64
			       "; types that are declared only there cannot be read",
			       c->extent.number, c->extent.offset + c->extent.header.metadata);
	metadata_unref(m);
	return 0;
}

int chunk_grow(struct recording *r, struct chunk *c, const struct extent *x,
	       struct jfrec_error *err)
{
	uint64_t from = c->extent.size, metadata = c->extent.header.metadata;

	if (extend(c, x, err) < 0)
		return -1;
	r->end_ns = long_add(x->header.start_ns, x->header.duration_ns);
	if ((x->header.metadata != metadata && grow_metadata(r, c) < 0) ||
	    (x->size > from && constants_add(c, from) < 0))
		return jfrec_fail_memory(err);
	c->info = chunk_info(x, c->metadata);
	return 0;
}

/* Where the checkpoint of that anchor ends: it is in memory, since constants lie there. */
static uint64_t checkpoint_end(const struct chunk *c, size_t anchor)
{
	struct cursor at = chunk_from(c, c->anchors[anchor]);

	return c->anchors[anchor] + cursor_varint(&at);
}

const uint8_t *chunk_forget(struct chunk *c, const uint8_t *first, const uint8_t *end)
{
	uint64_t from = (uint64_t)(first - c->bytes), to = (uint64_t)(end - c->bytes);

	if (!c->growing)
		return end;
	for (size_t i = constants_first_behind(c, from); i < c->anchor_count; i++) {
		if (c->anchors[i] >= to)
			break;
		growing_release(c->growing, from, c->anchors[i]);
		from = checkpoint_end(c, i);
	}
	if (from < to)
		from = growing_release(c->growing, from, to);
	return c->bytes + from;
}

/* Events --------------------------------------------------------------------------------------- */

struct chunk_walk chunk_walk(struct chunk *c)
{
	struct chunk_walk w = { .chunk = c, .at = chunk_from(c, CHUNK_HEADER_SIZE) };

	/* Each stretch is entered at the end of what is before it. */
	if (c->stretches)
		w.at.end = w.at.pos;
	w.page_end = c->pages.count ? c->bytes : c->end;
	return w;
}

/* When an event began; the chunk's start or end, if it has none before or after. */
static int64_t time_of(const struct chunk *c, const uint8_t *event, int64_t otherwise)
{
	struct cursor at = { .pos = event, .end = c->end };

	if (!event || event == c->end)
		return otherwise;
	if (c->growing)
		fetch_start(c, (uint64_t)(event - c->bytes));
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

static void tell_damage(const struct chunk_walk *w, const uint8_t *from, const uint8_t *to)
{
	const struct chunk *c = w->chunk;
	struct loss loss = loss_between(c, w->last, from, to);

	problem_loss(c->problems, &loss,
		     "chunk %" PRIu64 ": no event can begin at byte %" PRIu64 "; %" PRIu64
		     " bytes up to byte %" PRIu64 " are lost",
		     c->extent.number, loss.offset, loss.bytes, chunk_offset(c, to));
}

/* Of a chunk that is cut off, the last event is too; chunk_tell_end() tells. */
static bool is_cut_here(const struct chunk *c, const uint8_t *at)
{
	struct cursor head = { .pos = at, .end = c->end };
	uint64_t size = cursor_varint(&head);

	return c->extent.state == JFREC_TRUNCATED && (head.bad || size > (uint64_t)(c->end - at));
}

/* Go on with the next stretch of events, if there is one. */
static bool walk_stretch(struct chunk_walk *w)
{
	struct chunk *c = w->chunk;
	const struct stretches *s = c->stretches;
	const struct stretch *next = w->next_stretch < s->count ? &s->items[w->next_stretch] : NULL;
	const uint8_t *from = w->at.pos, *to = next ? c->bytes + next->from : c->end;

	if (from != to && !next && is_cut_here(c, from))
		c->cut_bytes = (uint64_t)(to - from);
	else if (from != to && !w->is_quiet)
		tell_damage(w, from, to);
	w->at.pos = to;
	w->at.end = next ? c->bytes + next->to : c->end;
	w->next_stretch += next != NULL;
	return next;
}

/*
 * In a chunk that its JVM writes now, skip damaged bytes.  At the next checkpoint events
 * begin again for sure, and perhaps some lead to it.
 */
static bool walk_on(struct chunk_walk *w)
{
	const struct chunk *c = w->chunk;
	const uint8_t *from = w->at.pos, *to = c->end;

	while (w->next_anchor < c->anchor_count &&
	       c->anchors[w->next_anchor] <= (uint64_t)(from - c->bytes))
		w->next_anchor++;
	if (w->next_anchor < c->anchor_count)
		to = c->bytes + c->anchors[w->next_anchor];
	growing_walk(c->growing, (uint64_t)(from - c->bytes), (uint64_t)(to - from));
	to = rescue_resume(c->metadata, &c->extent.header, from, to);
	tell_damage(w, from, to);
	w->at.pos = to;
	return to < c->end;
}

bool chunk_walk_over(struct chunk_walk *w, struct raw_event *e)
{
	const struct chunk *c = w->chunk;
	int got;

	while ((got = chunk_step(c, &w->at, e)) <= 0) {
		if (c->stretches ? !walk_stretch(w) : got == 0 || !c->growing || !walk_on(w))
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
	c->undeclared.bytes += e->size;
}

bool chunk_walk_next(struct chunk_walk *w, struct raw_event *e, struct jfrec_type **type)
{
	while (chunk_walk_any(w, e)) {
		*type = chunk_type_of(w->chunk, e);
		if (*type)
			return true;
	}
	return false;
}

void chunk_walk_grow(struct chunk_walk *w)
{
	w->at.end = w->chunk->end;
}

/* size, type, start, duration, delta, kind: constants.c draws it. */
bool chunk_is_flush(const struct raw_event *e, int64_t *ticks)
{
	struct cursor c = cursor_over(e->payload, e->size - (uint64_t)(e->payload - e->start));

	if (e->type_id != TYPE_CHECKPOINT)
		return false;
	*ticks = (int64_t)cursor_varint(&c);
	cursor_varint(&c);
	cursor_varint(&c);
	return (cursor_u8(&c) & CHECKPOINT_FLUSH) && !c.bad;
}

void chunk_make_shareable(struct chunk *c)
{
	plan_make_all(c->metadata);
	for (uint32_t i = 0; i < c->metadata->type_count; i++)
		pool_at(&c->pools, i);
}

void chunk_note_misfit(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e)
{
	if (c->misfits[t->index].count++ == 0)
		c->misfits[t->index].first_at = chunk_offset(c, e->start);
	c->misfits[t->index].bytes += e->size;
}

bool chunk_can_decode(const struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
		      uint64_t *slots)
{
	const struct plan *plan = plan_of(t);
	struct cursor payload = event_payload(e, c->end);

	return !plan->fault && plan_decode(plan, &payload, slots) && !event_overran(e, &payload);
}

bool chunk_decode(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
		  uint64_t *slots)
{
	bool can = chunk_can_decode(c, t, e, slots);

	if (!can)
		chunk_note_misfit(c, t, e);
	return can;
}

/* Some JVMs leave types undeclared; metadata that is damaged has lost them. */
static void tell_undeclared(struct chunk *c)
{
	const struct misfits *m = &c->undeclared;

	(c->metadata->doubt
		 ? problem_damage
		 : problem_notice)(c->problems, m->first_at, m->bytes,
				   "chunk %" PRIu64
				   ": events of types that are not declared, the first at byte "
				   "%" PRIu64 ": %" PRIu64 " (%" PRIu64 " bytes)",
				   c->extent.number, m->first_at, m->count, m->bytes);
	c->undeclared = (struct misfits){ 0 };
}

/* How many bytes are missing was reported when the chunk was found; now it is known since when. */
static void tell_cut(struct chunk *c)
{
	uint64_t there = c->extent.size, promised = c->extent.header.size;
	struct loss loss = loss_between(c, c->last, c->end, c->end);

	if (!c->last || promised <= there || promised > INT64_MAX ||
	    time_of(c, c->last, 0) >= end_of(c))
		return;
	loss.bytes = c->cut_bytes;
	problem_loss(c->problems, &loss,
		     "chunk %" PRIu64 " at byte %" PRIu64
		     " is truncated: the newest data is lost",
		     c->extent.number, c->extent.offset);
}

static void tell_end(struct chunk *c)
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
		problem_damage(c->problems, m->first_at, m->bytes,
			       "chunk %" PRIu64
			       ": events of type %.100s, the first at byte %" PRIu64
			       ", that cannot be decoded: %" PRIu64 " (%s)",
			       c->extent.number, t->name, m->first_at, m->count,
			       t->plan && t->plan->fault
				       ? t->plan->fault
				       : "their values do not match their size");
		c->misfits[i] = (struct misfits){ 0 };
	}
}

void chunk_tell_end(struct chunk *c)
{
	const char *current = c->problems->input;

	/* The next one may be read already. */
	if (!c->growing)
		c->problems->input = c->name;
	tell_end(c);
	c->problems->input = current;
}
