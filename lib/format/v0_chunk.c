/* SPDX-License-Identifier: MIT */
/*
 * v0_chunk.c - turn a chunk of version 0.x into one of 2.1
 */
#include "format/v0_chunk.h"

#include <inttypes.h>
#include <stdlib.h>

#include "format/clock.h"

/* Size, type and end: the least event. */
#define LEAST_EVENT 16u

enum { TYPE_OF_METADATA, TYPE_OF_CHECKPOINT, TYPE_OF_LOSS };

bool v0_is_header(const uint8_t bytes[static V0_HEADER_SIZE])
{
	return chunk_header_is_magic(bytes) && be16(bytes + 4) == 0 && be16(bytes + 6) == 9;
}

uint64_t v0_metadata_offset(const uint8_t bytes[static V0_HEADER_SIZE])
{
	return be64(bytes + 8);
}

/* One chunk on its way. */
struct translation {
	const uint8_t *bytes;
	uint64_t size, offset; /* offset: in the input */
	uint64_t end;	       /* of the events */
	struct problems *problems;
	struct v0_series *series;
	struct v0_types types;
	struct v0_constants constants;
	struct v0_writer writer;
	struct clock clock;
	int64_t last_ticks;		/* that any event of the chunk can have */
	int64_t ticks;			/* of the event before; 0: there is none */
	uint64_t misfits, first_misfit; /* events whose values do not fit */
};

static int64_t ms_to_ns(int64_t ms)
{
	int64_t ns;

	return __builtin_mul_overflow(ms, 1000000, &ns) ? 0 : ns;
}

/* Metadata ------------------------------------------------------------------------------------- */

/* Is there a metadata event that reaches from `at` to the chunk's end? */
static bool ends_chunk(const struct translation *t, uint64_t at)
{
	return at >= V0_HEADER_SIZE && t->size - at >= 8 && be32(t->bytes + at) == t->size - at &&
	       be32(t->bytes + at + 4) == TYPE_OF_METADATA;
}

static bool take_metadata(struct translation *t, uint64_t at)
{
	if (at > t->size || !ends_chunk(t, at) ||
	    v0_types_init(&t->types, t->bytes + at, t->size - at, NULL) < 0)
		return false;
	t->end = at;
	return true;
}

/* Bytes that look like one, and are none, are an attack. */
#define MAX_TRIES 16

/* It is the last event, whatever the header says: look for it from the end. */
static bool search_metadata(struct translation *t)
{
	unsigned tries = 0;

	for (uint64_t at = t->size; at-- > V0_HEADER_SIZE && tries < MAX_TRIES;) {
		if (!ends_chunk(t, at))
			continue;
		if (take_metadata(t, at))
			return true;
		tries++;
	}
	return false;
}

int v0_metadata_copy(struct v0_metadata *m, const uint8_t *bytes, size_t size)
{
	uint8_t *copy = realloc(m->bytes, size + 1);

	if (!copy)
		return -1;
	*m = (struct v0_metadata){ memcpy(copy, bytes, size), size };
	return 0;
}

/* Another chunk's, or another recording's: what its JVM declares is the same. */
static bool borrow_metadata(struct translation *t)
{
	const struct v0_metadata *m = t->series->last.bytes ? &t->series->last : t->series->lent;

	if (!m->bytes || v0_types_init(&t->types, m->bytes, m->size, NULL) < 0)
		return false;
	t->end = t->size;
	return true;
}

static void tell_unreadable(const struct translation *t)
{
	problem_damage(
		t->problems, t->offset, t->size,
		"chunk of version 0.9 at byte %" PRIu64
		": its types, which are at its end, are missing or damaged, and without them none "
		"of its %" PRIu64 " bytes can be read; --types-from with a recording of the same "
		"JVM may help",
		t->offset, t->size);
}

static bool find_metadata(struct translation *t)
{
	uint64_t named = v0_metadata_offset(t->bytes);

	if (take_metadata(t, named))
		return true;
	if (search_metadata(t)) {
		problem_damage(t->problems, t->offset, 0,
			       "chunk of version 0.9 at byte %" PRIu64
			       ": its header says that its types are at byte %" PRIu64
			       ", but they are at byte %" PRIu64,
			       t->offset, t->offset + named, t->offset + t->end);
		return true;
	}
	if (borrow_metadata(t)) {
		problem_damage(
			t->problems, t->offset, 0,
			"chunk of version 0.9 at byte %" PRIu64
			": its types, which are at its end, are missing or damaged; those of "
			"another chunk are used, and its clock",
			t->offset);
		return true;
	}
	tell_unreadable(t);
	return false;
}

/* Events --------------------------------------------------------------------------------------- */

/* The ticks of the chunk's last millisecond, with some to spare. */
static int64_t last_ticks(const struct v0_types *t)
{
	double seconds = ((double)t->end_ms - (double)t->start_ms) / 1000 + 2;
	double ticks = (double)t->start_ticks + seconds * (double)t->ticks_per_second;

	return double_to_long(ticks);
}

struct event {
	uint64_t at;
	uint32_t size, type;
	int64_t end;
};

/* By its looks: a size within bounds, a type that is declared, a time of this chunk. */
static bool look(const struct translation *t, uint64_t at, struct event *e)
{
	const uint8_t *p = t->bytes + at;

	if (t->end - at < LEAST_EVENT)
		return false;
	*e = (struct event){
		.at = at, .size = be32(p), .type = be32(p + 4), .end = (int64_t)be64(p + 8)
	};
	if (e->size < LEAST_EVENT || e->size > t->end - at)
		return false;
	return e->type == TYPE_OF_CHECKPOINT || e->type == TYPE_OF_LOSS ||
	       (e->type != TYPE_OF_METADATA && v0_event_of(&t->types, e->type));
}

/* The same where events were damaged: any eight bytes may be a size and a type. */
static bool look_again(const struct translation *t, uint64_t at, struct event *e)
{
	struct event next;

	if (!look(t, at, e))
		return false;
	if (e->end < t->types.start_ticks || e->end > t->last_ticks)
		return false;
	return at + e->size == t->end || look(t, at + e->size, &next);
}

/* Where events continue after damage; the end, if they do not. */
static uint64_t resume(const struct translation *t, uint64_t from)
{
	struct event e;

	while (from < t->end && !look_again(t, from, &e))
		from++;
	return from;
}

static void tell_lost(const struct translation *t, uint64_t from, uint64_t to)
{
	struct loss loss = { t->offset + from, to - from, t->clock.start_ns, 0 };

	if (t->ticks)
		loss.from_ns = clock_time_ns(&t->clock, t->ticks);
	loss.to_ns = to < t->end ? clock_time_ns(&t->clock, (int64_t)be64(t->bytes + to + 8))
				 : ms_to_ns(t->types.end_ms);
	problem_loss(t->problems, &loss,
		     "chunk of version 0.9: no event can begin at byte %" PRIu64 "; %" PRIu64
		     " bytes up to byte %" PRIu64 " are lost",
		     loss.offset, loss.bytes, t->offset + to);
}

/*
 * The next event at or after *at.  One that no other follows is doubted: its size may be wrong,
 * and then there is one within it.  is_quiet: the first walk reported damage.
 */
static bool next_event(struct translation *t, uint64_t *at, struct event *e, bool is_quiet)
{
	while (*at < t->end) {
		uint64_t from = *at, behind;
		struct event next;

		if (look(t, from, e)) {
			behind = from + e->size;
			if (behind == t->end || look(t, behind, &next)) {
				*at = behind;
				return true;
			}
			*at = resume(t, from + LEAST_EVENT);
			if (*at >= behind) {
				if (!is_quiet)
					tell_lost(t, behind, *at);
				return true;
			}
		} else {
			*at = resume(t, from + 1);
		}
		if (!is_quiet)
			tell_lost(t, from, *at);
	}
	return false;
}

static struct cursor payload(const struct translation *t, const struct event *e)
{
	return cursor_over(t->bytes + e->at + LEAST_EVENT, e->size - LEAST_EVENT);
}

static int add_checkpoint(struct translation *t, const struct event *e)
{
	struct cursor c = payload(t, e);
	const uint8_t *at = c.pos;
	int got;

	cursor_be64(&c);
	got = c.bad ? 1 : v0_constants_add(&t->constants, &t->types, e->end, &c, &at);
	if (got > 0) {
		uint64_t offset = (uint64_t)(at - t->bytes);

		problem_damage(t->problems, t->offset + offset, e->at + e->size - offset,
			       "chunk of version 0.9: the constants from byte %" PRIu64
			       " to byte %" PRIu64 " are damaged and lost",
			       t->offset + offset, t->offset + e->at + e->size);
	}
	return got < 0 ? -1 : 0;
}

static int collect_constants(struct translation *t)
{
	uint64_t at = V0_HEADER_SIZE;
	struct event e;

	while (next_event(t, &at, &e, false)) {
		t->ticks = e.end;
		if (e.type == TYPE_OF_CHECKPOINT && add_checkpoint(t, &e) < 0)
			return -1;
	}
	return v0_constants_end(&t->constants);
}

static int write_events(struct translation *t)
{
	uint64_t at = V0_HEADER_SIZE;
	struct event e;

	while (next_event(t, &at, &e, true)) {
		struct cursor c = payload(t, &e);
		bool fits;

		if (e.type == TYPE_OF_CHECKPOINT)
			continue;
		fits = e.type == TYPE_OF_LOSS
			       ? v0_write_loss(&t->writer, e.end, c)
			       : v0_write_event(&t->writer, v0_event_of(&t->types, e.type), e.end,
						c);
		if (t->writer.failed)
			return -1;
		if (!fits && t->misfits++ == 0)
			t->first_misfit = e.at;
	}
	if (t->misfits)
		problem_damage(
			t->problems, t->offset + t->first_misfit, 0,
			"chunk of version 0.9: events whose values do not match their size, the "
			"first at byte %" PRIu64 ": %" PRIu64,
			t->offset + t->first_misfit, t->misfits);
	return 0;
}

/* The chunk ------------------------------------------------------------------------------------ */

static struct chunk_header header_of(const struct translation *t)
{
	return (struct chunk_header){
		.major = 2,
		.minor = 1,
		.start_ns = ms_to_ns(t->types.start_ms),
		.duration_ns = ms_to_ns(long_subtract(t->types.end_ms, t->types.start_ms)),
		.start_ticks = t->types.start_ticks,
		.ticks_per_second = t->types.ticks_per_second,
		.flags = CHUNK_COMPRESSED_INTS,
	};
}

/* header, events, constants, metadata */
static int write_chunk(struct translation *t, struct buffer *to)
{
	struct chunk_header h = header_of(t);
	size_t begin = to->len;

	t->clock = clock_of(&h);
	t->last_ticks = last_ticks(&t->types);
	buffer_room(to, CHUNK_HEADER_SIZE);
	to->len += to->failed ? 0 : CHUNK_HEADER_SIZE;
	if (to->failed || collect_constants(t) < 0 ||
	    v0_writer_init(&t->writer, &t->types, &t->constants, to, t->series->last_key) < 0 ||
	    write_events(t) < 0)
		return -1;
	h.checkpoint = to->len - begin;
	v0_write_constants(&t->writer);
	h.metadata = to->len - begin;
	v0_write_metadata(&t->writer, ++t->series->number);
	if (t->writer.failed || to->failed)
		return -1;
	h.size = to->len - begin;
	chunk_header_put(&h, to->data + begin);
	return 0;
}

int v0_translate(const uint8_t *chunk, uint64_t size, uint64_t offset, struct v0_series *series,
		 struct problems *problems, struct buffer *to)
{
	struct translation t = {
		.bytes = chunk,
		.size = size,
		.offset = offset,
		.problems = problems,
		.series = series,
	};
	int ret = 0;

	if (!find_metadata(&t))
		return 0;
	if ((t.end < size && v0_metadata_copy(&series->last, chunk + t.end, size - t.end) < 0) ||
	    write_chunk(&t, to) < 0)
		ret = -1;
	v0_writer_fini(&t.writer);
	v0_constants_fini(&t.constants);
	v0_types_fini(&t.types);
	return ret;
}
