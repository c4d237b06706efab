/* SPDX-License-Identifier: MIT */
/*
 * rescue.c - recover chunks without metadata or header, and events after damage
 *
 * Each chunk declares its types, but one JVM numbers them alike in all of its
 * chunks.  A chunk that ends before its metadata (8 and 11 write it last) can be
 * read with a neighbour's, if that fits so well that it cannot be chance.
 */
#include "format/rescue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "format/event_rows.h"
#include "format/fit.h"
#include "format/headless.h"

/*
 * That few events fit may be chance: on one host JVMs share the clock, and
 * number their types from the same start.
 */
#define ENOUGH_EVENTS 20

/* Of so many events in a row one may be of a type that the producer did not declare. */
#define MOST_FIT 200

/* What was lost with the metadata, of a chunk that may be small. */
#define MUCH_METADATA (256u << 10)

/* A chunk that looks for metadata. */
struct orphan {
	const struct extent *extent;
	const uint8_t *bytes, *end;
	uint64_t fitting, kept; /* events and bytes, by its own metadata */
};

/* How sure it is that the metadata is of the chunk's JVM. */
enum kinship { MAYBE_SAME, GIVEN, SAME };

static bool are_enough(const struct stretches *s, enum kinship kin)
{
	if (kin == SAME)
		return s->fitting > 0 && s->odd * MOST_FIT <= s->fitting;
	if (kin == GIVEN)
		return s->fitting > 0 && s->odd <= s->fitting;
	return s->fitting >= ENOUGH_EVENTS && s->types >= ENOUGH_TYPES &&
	       s->odd * MOST_FIT <= s->fitting;
}

/* Judge the chunk by that metadata: what is there, and in how many bytes.  False without memory. */
static bool judge_by(struct metadata *m, const struct orphan *o, struct stretches *s,
		     uint64_t *kept)
{
	struct damaged_chunk chunk = {
		.bytes = o->bytes,
		.end = o->end,
		.metadata = m,
		.header = &o->extent->header,
		.is_cut = o->extent->state == JFREC_TRUNCATED,
	};
	bool ret = event_rows_find(&chunk, s) == 0;

	*kept = 0;
	for (size_t i = 0; i < s->count; i++)
		*kept += s->items[i].to - s->items[i].from;
	/* Only how much there is is asked. */
	free(s->items);
	s->items = NULL;
	return ret;
}

/*
 * Do its events fit, and are they many?  If it is certain that the JVM is the same, a single one is
 * enough.  What damage took beside the metadata may be missing; but what stands in a row and does
 * not fit shows that these are other types.  A page of another chunk has many events in few bytes:
 * metadata that is better than the chunk's own explains no fewer of these.
 */
static bool fits(struct metadata *m, const struct orphan *o, enum kinship kin, uint64_t *kept)
{
	struct stretches s;

	return judge_by(m, o, &s, kept) && are_enough(&s, kin) && s.fitting > o->fitting &&
	       *kept >= o->kept && (uint64_t)(o->end - o->bytes) <= 2 * *kept + MUCH_METADATA;
}

/* What all JVMs write: a size of four bytes, and the type in one. */
#define METADATA_HEAD 5

/* A JVM's metadata has some hundred kilobytes. */
#define LONGEST_METADATA ((uint64_t)16 << 20)

/* Does an event of the chunk begin where the metadata ends, or nothing at all? */
static bool is_followed(const struct metadata *m, const uint8_t *at, const uint8_t *end)
{
	struct cursor c = { .pos = at, .end = end };
	struct raw_event e;

	if (at == end)
		return true;
	return walk_next(&c, &e) == 1 &&
	       (e.type_id == TYPE_METADATA || e.type_id == TYPE_CHECKPOINT ||
		metadata_type(m, e.type_id));
}

struct metadata *rescue_own_metadata(struct recording *r, const uint8_t *bytes, const uint8_t *end,
				     uint64_t offset)
{
	static const uint8_t head[METADATA_HEAD] = { 0x80, 0x80, 0x80, 0x00, TYPE_METADATA };
	uint64_t len = (uint64_t)(end - bytes);
	struct buffer event = { 0 };
	const uint8_t *start;
	struct metadata *m;

	if (len <= METADATA_HEAD || offset < CHUNK_HEADER_SIZE || offset >= len - METADATA_HEAD)
		return NULL;
	start = bytes + offset;
	len = (uint64_t)(end - start) - METADATA_HEAD;
	buffer_put(&event, head, METADATA_HEAD);
	buffer_put(&event, start + METADATA_HEAD, len < LONGEST_METADATA ? len : LONGEST_METADATA);
	m = event.failed ? NULL : metadata_parse(event.data, event.len, NULL, NULL);
	if (m && m->doubt) {
		/* Now it is known where it ends: how it looks without what follows. */
		len = event.len - m->content_len + m->used_len;
		metadata_unref(m);
		m = metadata_parse(event.data, len, r->metadata, NULL);
		if (m && (m->doubt || !is_followed(m, start + len, end))) {
			metadata_unref(m);
			m = NULL;
		}
	}
	buffer_fini(&event);
	if (m && m->type_count)
		return m;
	metadata_unref(m);
	return NULL;
}

/* The metadata event at that offset of a chunk. */
static struct metadata *metadata_at(const uint8_t *bytes, uint64_t len, uint64_t offset)
{
	struct cursor at = cursor_over(bytes, len);
	struct raw_event e;

	cursor_seek(&at, bytes, offset);
	if (at.bad || offset < CHUNK_HEADER_SIZE || walk_next(&at, &e) != 1 ||
	    e.type_id != TYPE_METADATA)
		return NULL;
	return metadata_parse(e.start, e.size, NULL, NULL);
}

/* The header at this offset; false if none begins there. */
static bool header_at(struct recording *r, uint64_t offset, struct chunk_header *h)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	size_t got;

	if (input_read(&r->in, offset, bytes, sizeof(bytes), &got, NULL) < 0 ||
	    got < sizeof(bytes) || !chunk_header_is_magic(bytes))
		return false;
	*h = chunk_header_parse(bytes);
	return true;
}

/* The metadata of the chunk at this offset, if it is the same JVM's, and *next where it ends. */
static struct metadata *kin_metadata(struct recording *r, const struct extent *x, uint64_t offset,
				     uint64_t *next)
{
	struct clock own = clock_of(&x->header);
	struct chunk_header h;
	struct metadata *m;
	struct span span;
	uint64_t have;

	*next = offset + CHUNK_HEADER_SIZE;
	if (!header_at(r, offset, &h) || !clock_agrees(&own, &h) || h.metadata > h.size ||
	    input_available(&r->in, offset, h.size, &have, NULL) < 0 || have < h.size ||
	    input_span(&r->in, offset, h.size, true, &span, NULL) < 0)
		return NULL;
	*next = offset + h.size;
	m = metadata_at(span.bytes, span.len, h.metadata);
	span_fini(&span);
	return m;
}

/* What hit the end of a chunk may have hit the beginning of the next one as well. */
#define LATER_CHUNKS 3

/* Metadata of a later chunk that fits, or NULL. */
static struct metadata *later_metadata(struct recording *r, const struct orphan *o)
{
	uint64_t at = o->extent->offset + o->extent->size, kept;

	for (unsigned i = 0; i < LATER_CHUNKS; i++) {
		struct metadata *m = kin_metadata(r, o->extent, at, &at);

		if (m && fits(m, o, MAYBE_SAME, &kept))
			return m;
		metadata_unref(m);
		if (r->in.stream || !recording_find_chunk(r, at, &at))
			break;
	}
	return NULL;
}

/* Of other recordings, that which explains most; or NULL. */
static struct metadata *given_metadata(const struct recording *r, const struct orphan *o)
{
	struct metadata *best = NULL;
	uint64_t most = 0, kept;

	for (size_t i = 0; i < r->given_count; i++) {
		if (fits(r->given[i], o, GIVEN, &kept) && kept > most) {
			best = r->given[i];
			most = kept;
		}
	}
	return best;
}

struct metadata *rescue_metadata(struct recording *r, const struct extent *x, const uint8_t *bytes,
				 const uint8_t *end, struct metadata *own, const char **whose)
{
	struct orphan o = { .extent = x, .bytes = bytes, .end = end };
	struct metadata *m = r->metadata;
	/* A JVM's chunk begins at the nanosecond at which the last one ended. */
	bool is_next = x->header.start_ns == r->end_ns;
	struct stretches found;
	uint64_t kept;

	if (end - bytes < CHUNK_HEADER_SIZE)
		return NULL;
	if (own && judge_by(own, &o, &found, &o.kept))
		o.fitting = found.fitting;
	*whose = "the metadata of its neighbour, from the same JVM,";
	if (m && m != own && r->has_clock && clock_agrees(&r->clock, &x->header) &&
	    fits(m, &o, is_next ? SAME : MAYBE_SAME, &kept))
		return metadata_ref(m);
	m = later_metadata(r, &o);
	if (m)
		return m;
	*whose = "the metadata of the other recording";
	m = given_metadata(r, &o);
	return m ? metadata_ref(m) : NULL;
}

/* After damage --------------------------------------------------------------------------------- */

/* Places may share their events' bytes; beyond this many looks at each, no more is tried. */
#define MAX_LOOKS 64

/*
 * How long before its chunk an event may have begun, and how long after its end the clock may be.
 */
#define SLACK_S 3600

/* Ticks that events of the chunk can have begun at. */
struct tick_range {
	int64_t first, last;
};

static struct tick_range ticks_of(const struct chunk_header *h)
{
	struct clock clock = clock_of(h);
	double slack = SLACK_S * 1e9 * clock.ticks_per_ns;
	double length = (double)h->duration_ns * clock.ticks_per_ns;

	return (struct tick_range){
		.first = double_to_long((double)h->start_ticks - slack),
		.last = double_to_long((double)h->start_ticks + length + slack),
	};
}

static bool is_in_time(const struct raw_event *e, const struct tick_range *range)
{
	struct cursor payload = { .pos = e->payload, .end = e->start + e->size };
	int64_t start = (int64_t)cursor_varint(&payload);

	return !payload.bad && start >= range->first && start <= range->last;
}

/* One bit for each place: events lead from it to the end. */
static bool leads_to_end(const uint8_t *bits, uint64_t place)
{
	return bits[place / 8] >> place % 8 & 1;
}

/*
 * From the end to the front: a place is good if an event fits there and ends at
 * a good place.  So each place is looked at once.
 */
const uint8_t *rescue_resume(const struct metadata *m, const struct chunk_header *h,
			     const uint8_t *from, const uint8_t *to)
{
	struct tick_range range = ticks_of(h);
	uint64_t len = (uint64_t)(to - from), first = len, budget = MAX_LOOKS * len;
	uint8_t *bits = calloc(len / 8 + 1, 1);

	if (!bits)
		return to;
	bits[len / 8] |= (uint8_t)(1 << len % 8);
	for (uint64_t place = len; place-- > 1;) {
		struct cursor at = { .pos = from + place, .end = to };
		struct raw_event e;

		if (walk_next(&at, &e) != 1 || !leads_to_end(bits, place + e.size) ||
		    !is_in_time(&e, &range))
			continue;
		if (e.size > budget)
			break;
		budget -= e.size;
		if (!fitting_type(m, &e, to))
			continue;
		bits[place / 8] |= (uint8_t)(1 << place % 8);
		first = place;
	}
	free(bits);
	return from + first;
}

/* Headers -------------------------------------------------------------------------------------- */

#define WINDOW (256u << 10)

/* Could there be a chunk with this header at `at`, with its metadata before `to`? */
static bool leads_to_metadata(struct recording *r, const struct chunk_header *h, uint64_t at,
			      uint64_t to)
{
	return !recording_unsupported(h) && h->metadata < to - at &&
	       recording_has_metadata(r, at, h->metadata);
}

/* Where the beginning of a chunk is missing, so much of it at most. */
#define MOST_BEHEADED (64u << 10)

/* This many bytes of it, after where its header would be now, are missing. */
static void behead(struct chunk_header *h, uint64_t lost)
{
	h->size -= lost;
	h->metadata -= lost;
	h->checkpoint = h->checkpoint > lost ? h->checkpoint - lost : 0;
}

/*
 * The copy of a header at `copy`: it is the last thing in its checkpoint, and says the size of the
 * chunk up to there.  So the chunk's start is known; one before `from` is that of a chunk whose
 * first bytes are missing.
 */
static bool is_copy(struct recording *r, const uint8_t *bytes, uint64_t copy, uint64_t from,
		    uint64_t to, struct chunk_header *h, uint64_t *start, uint64_t *missing)
{
	/* What is left may begin with an event, before which the header would be. */
	uint64_t first = from > CHUNK_HEADER_SIZE ? from - CHUNK_HEADER_SIZE : from;
	uint64_t end = copy + CHUNK_HEADER_SIZE, lost = 0;

	*h = chunk_header_parse(bytes);
	if (!chunk_header_is_magic(bytes) || h->size < 2 * CHUNK_HEADER_SIZE)
		return false;
	if (h->size > end - first)
		lost = h->size - (end - first);
	if (lost > MOST_BEHEADED || h->metadata < lost + CHUNK_HEADER_SIZE)
		return false;
	behead(h, lost);
	*start = end - h->size;
	*missing = *start < from ? lost + (from - *start) : lost;
	return leads_to_metadata(r, h, *start, to);
}

/*
 * Look through the bytes for the last copy of the header of the first chunk that has one, of which
 * so many bytes may be missing in front.
 */
static bool find_copy(struct recording *r, uint64_t from, uint64_t to, struct extent *x,
		      uint64_t *missing)
{
	uint8_t *window = malloc(WINDOW);
	bool found = false;
	size_t got;

	for (uint64_t at = from; window && at + CHUNK_HEADER_SIZE <= to;
	     at += got - CHUNK_HEADER_SIZE + 1) {
		const uint8_t *p = window, *last;
		size_t want;

		at = input_skip_hole(&r->in, at);
		if (at >= to)
			break;
		want = to - at < WINDOW ? (size_t)(to - at) : WINDOW;
		if (input_read(&r->in, at, window, want, &got, NULL) < 0 || got < CHUNK_HEADER_SIZE)
			break;
		last = window + got - CHUNK_HEADER_SIZE;
		for (; p <= last && (p = memmem(p, (size_t)(last + 4 - p), "FLR", 4)); p++) {
			struct chunk_header h;
			uint64_t start, gone;

			if (!is_copy(r, p, at + (uint64_t)(p - window), from, to, &h, &start,
				     &gone) ||
			    (found && start != x->offset))
				continue;
			found = true;
			*missing = gone;
			x->header = h;
			x->offset = start;
		}
	}
	free(window);
	return found;
}

bool rescue_has_copy(struct recording *r, uint64_t to)
{
	struct extent x = { 0 };
	uint64_t missing;
	uint8_t magic[4];
	size_t got;

	return input_read(&r->in, 0, magic, sizeof(magic), &got, NULL) == 0 &&
	       got == sizeof(magic) && chunk_header_is_magic(magic) &&
	       find_copy(r, 0, to, &x, &missing);
}

static bool mend(struct recording *r, uint64_t from, uint64_t to, struct extent *x)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	size_t got;

	if (input_read(&r->in, from, bytes, sizeof(bytes), &got, NULL) < 0 || got < sizeof(bytes))
		return false;
	x->header = chunk_header_parse(bytes);
	x->offset = from;
	return chunk_header_has_clock(&x->header) && leads_to_metadata(r, &x->header, from, to);
}

/* What is repaired is whole by it; but what is only read stays damaged. */
static void tell_mended(struct recording *r, const struct extent *x, uint64_t missing)
{
	char first[64] = "";

	if (missing)
		snprintf(first, sizeof(first), " its first %" PRIu64 " bytes are missing, and", missing);
	(r->is_rescue && !missing ? problem_notice : problem_damage)(
		&r->problems, x->offset, missing,
		"chunk %" PRIu64 " at byte %" PRIu64
		":%s its header was damaged and has been reconstructed",
		x->number, x->offset, first);
}

static struct chunk_header header_of_clock(const struct clock *clock)
{
	return (struct chunk_header){
		.major = 2,
		.flags = CHUNK_COMPRESSED_INTS,
		.start_ns = clock->start_ns,
		.start_ticks = clock->start_ticks,
		.ticks_per_second = double_to_long(clock->ticks_per_ns * 1e9 + 0.5),
	};
}

/* The chunk after it, which begins at `to`, or the one before; false if neither has a clock. */
static bool find_lender(struct recording *r, uint64_t to, struct lender *lender)
{
	struct extent next = { .offset = to };

	*lender = (struct lender){ 0 };
	if (header_at(r, to, &next.header) && chunk_header_has_clock(&next.header)) {
		next.size = next.header.size;
		lender->header = next.header;
		lender->is_behind = true;
		lender->metadata = recording_metadata(r, &next);
		return true;
	}
	lender->header = header_of_clock(&r->clock);
	lender->metadata = r->metadata ? metadata_ref(r->metadata) : NULL;
	return r->has_clock;
}

/* The recording that lends its types may be of the same JVM, from before or after this one. */
static bool make_by_given(struct recording *r, uint64_t from, uint64_t to, struct chunk_header *h)
{
	struct lender lender = { .header = header_of_clock(&r->given_clock),
				 .metadata = r->given[0] };

	if (headless_header(&r->in, from, to, &lender, h))
		return true;
	lender.is_behind = true;
	return headless_header(&r->in, from, to, &lender, h);
}

static bool make_header(struct recording *r, uint64_t from, uint64_t to, struct chunk_header *h)
{
	struct lender lender;
	bool ret = find_lender(r, to, &lender) && headless_header(&r->in, from, to, &lender, h);

	metadata_unref(lender.metadata);
	return ret || (r->given_count && r->has_given_clock && make_by_given(r, from, to, h));
}

/* Where bytes are missing, what stands in the place of its header was events. */
static void tell_made(struct recording *r, const struct extent *x)
{
	problem_damage(&r->problems, x->offset, CHUNK_HEADER_SIZE,
		       "chunk %" PRIu64 " at byte %" PRIu64
		       ": it has no header; one has been made from its events, and its first %u bytes are lost",
		       x->number, x->offset, CHUNK_HEADER_SIZE);
}

bool rescue_header(struct recording *r, uint64_t from, uint64_t to, struct extent *x)
{
	struct extent found = { .offset = from };
	uint64_t missing = 0;
	bool is_there = mend(r, from, to, &found) || find_copy(r, from, to, &found, &missing);

	if (!is_there && !make_header(r, from, to, &found.header))
		return false;
	found.number = ++r->number;
	found.size = to - found.offset;
	found.state = JFREC_TRUNCATED;
	if (found.offset > from)
		problem_damage(&r->problems, from, found.offset - from,
			       "%" PRIu64 " %s at byte %" PRIu64 " %s to no chunk",
			       found.offset - from,
			       one_or_more(found.offset - from, "byte", "bytes"), from,
			       one_or_more(found.offset - from, "belongs", "belong"));
	if (is_there)
		tell_mended(r, &found, missing);
	else
		tell_made(r, &found);
	*x = found;
	r->next = to;
	return true;
}
