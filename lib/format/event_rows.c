/* SPDX-License-Identifier: MIT */
/*
 * event_rows.c - decide which bytes of a damaged chunk are events
 *
 * Events have no mark but their size, and bytes that were overwritten have sizes, too: who
 * believes one of these jumps over events that are whole, or into the middle of one.  So each place
 * is weighed: how many bits speak for it that an event begins there.  A row of events has the sum
 * of theirs, and is certain when that is more than chance can give in a chunk.
 */
#include "format/event_rows.h"

#include <stdlib.h>

#include "base/array.h"
#include "format/clock.h"
#include "format/fit.h"
#include "format/pool.h"
#include "format/string.h"

/* What speaks for an event, in bits; measured on random bytes, and on those of events. */
#define BITS_FITS	8
#define BITS_HEAD	12 /* a checkpoint's, or of metadata: delta, counts, the first type */
#define BITS_IN_TIME	10
#define BITS_CERTAIN	36
#define BITS_MOST	255

/* To end where an event is known to begin makes one that is in time certain, and no other. */
#define BITS_KNOWN (BITS_CERTAIN - BITS_FITS - BITS_IN_TIME)

#define PAGE_ZEROS 4096

/* Events are seldom larger, and what is larger is not looked at bit by bit. */
#define MOST_MENDED 4096

/* Smaller ones do not have enough of others in them to be certain of these. */
#define LEAST_HIDING 48

/* The names of a few types, their fields and what they are made of. */
#define LEAST_STRINGS 8

/* So many places are weighed together. */
#define WINDOW (64u << 10)

/* Events may share bytes while they are weighed; each byte is looked at as often at most. */
#define MAX_LOOKS 32

/* A larger event is not decoded to weigh it, unless it is of the chunk's time. */
#define MOST_UNTIMELY 1024

/* What stepping over strings and arrays costs, beside one look. */
#define LOOK_BYTES 8

/* Where a size that was overwritten leads beyond this, sound events would have shown before. */
#define MOST_HUNTED (1u << 20)

/* Outside of a chunk's span are whole rows of sound events; alone, one is none. */
#define ROW_OUT_OF_TIME 8

/* Before damage this many are doubted. */
#define DOUBTED 3

/*
 * Sizes in a text lead on from word to word, and after some time into a row of events.  A producer
 * that writes what it does not declare, or not as it declares it, writes events between.
 */
#define MOST_ODD 8

/*
 * How far from the chunk's span its clock may be.  Ticks may count from the JVM's start: in its
 * first seconds so much would make every small number a time, so it is a part of them at most.
 */
#define SLACK_S 1
#define SLACK_PART 4

/* Ticks that clocks may differ by, however young the JVM is. */
#define SLACK_LEAST 1000

struct row_finder {
	const struct damaged_chunk *chunk;
	const uint8_t *bytes, *end;
	int64_t first, last; /* ticks of the chunk's span */
	uint64_t slack; /* ticks that events may be beside that, or one of a row beside the next */
	uint64_t *anchors; /* the chunk's, as far as they are credible */
	size_t anchor_count;
	uint64_t budget;
	uint8_t *bits; /* WINDOW + 1 */
	struct stretches *found;
	const struct jfrec_type *types[ENOUGH_TYPES];
	/* The row that is being followed. */
	const uint8_t *from;
	const uint8_t *doubtful; /* the first of its last events that are, so many of them */
	unsigned recent_count, recent_fitting;
	int64_t recent_start; /* when they began: a row that is another chunk's has its times */
	const uint8_t *apart; /* the first of its last events that did not, so many of them */
	unsigned apart_count;
	/* What is known of where sizes lead from here: to an anchor, or to a break. */
	const uint8_t *chained_to, *breaks_at;
};

static bool is_in_time(const struct row_finder *j, int64_t start, int64_t duration)
{
	int64_t end = long_add(start, duration);

	return duration >= 0 && start <= j->last && end >= j->first && end <= j->last;
}

/* The first anchor after `at`, or the chunk's end: no event goes beyond. */
static const uint8_t *limit_of(const struct row_finder *j, const uint8_t *at)
{
	uint64_t offset = (uint64_t)(at - j->bytes);
	size_t low = 0, high = j->anchor_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (j->anchors[middle] <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < j->anchor_count ? j->bytes + j->anchors[low] : j->end;
}

/* Does an event begin, or the chunk end, at this place whatever stands before it? */
static bool is_known(const struct row_finder *j, const uint8_t *at)
{
	if (at == j->end)
		return !j->chunk->is_cut;
	return at > j->bytes && limit_of(j, at - 1) == at;
}

/* Weighing ------------------------------------------------------------------------------------- */

static bool frame(const struct row_finder *j, const uint8_t *at, struct raw_event *e)
{
	struct cursor c = { .pos = at, .end = j->end };

	return at < j->end && walk_next(&c, e) == 1 && e->size <= (uint64_t)(limit_of(j, at) - at);
}

/* A constant's type that can be; checkpoints begin with one. */
static bool begins_pool(const struct row_finder *j, struct cursor *c)
{
	const struct jfrec_type *t = metadata_type(j->chunk->metadata, cursor_varint(c));

	return t && !t->is_event && !c->bad;
}

static unsigned weigh_checkpoint(const struct row_finder *j, const struct raw_event *e)
{
	struct cursor c = cursor_over(e->payload, e->size - (uint64_t)(e->payload - e->start));
	uint64_t offset = (uint64_t)(e->start - j->bytes), pools;
	int64_t start = (int64_t)cursor_varint(&c), duration = (int64_t)cursor_varint(&c);
	int64_t delta = (int64_t)cursor_varint(&c);
	uint8_t kind = cursor_u8(&c);

	pools = cursor_varint(&c);
	if (c.bad || delta > 0 || -(uint64_t)delta > offset - CHUNK_HEADER_SIZE || kind > 31 ||
	    pools > cursor_left(&c) || (pools && !begins_pool(j, &c)))
		return 0;
	return BITS_HEAD + (is_in_time(j, start, duration) ? BITS_IN_TIME : 0);
}

/* The names in metadata are so many strings in a row. */
static bool has_names(const struct raw_event *e, int64_t *start, int64_t *duration)
{
	struct cursor c = cursor_over(e->payload, e->size - (uint64_t)(e->payload - e->start));
	uint64_t strings;

	*start = (int64_t)cursor_varint(&c);
	*duration = (int64_t)cursor_varint(&c);
	cursor_varint(&c); /* id */
	strings = cursor_varint(&c);
	if (strings < LEAST_STRINGS || strings > cursor_left(&c))
		return false;
	for (; strings && !c.bad; strings--)
		string_skip(&c);
	return !c.bad;
}

static unsigned weigh_metadata(const struct row_finder *j, const struct raw_event *e)
{
	int64_t start, duration;

	if (!has_names(e, &start, &duration))
		return 0;
	return BITS_HEAD + (is_in_time(j, start, duration) ? BITS_IN_TIME : 0);
}

/* Most events begin with their time, and go on with their duration if they have one. */
static bool event_in_time(const struct row_finder *j, const struct jfrec_type *t,
			  const struct raw_event *e, const uint8_t *bytes_end)
{
	const struct plan *plan = plan_of(t);
	struct cursor c = { .pos = e->payload, .end = bytes_end };
	int64_t start = (int64_t)cursor_varint(&c), duration = 0;

	if (plan->start_step != 0)
		return false;
	if (plan->duration_step == 1)
		duration = (int64_t)cursor_varint(&c);
	return is_in_time(j, start, duration);
}

/* The bits that speak for an event at that place; 0: none can be there, or memory of it is gone. */
static unsigned weigh(struct row_finder *j, const uint8_t *at, struct raw_event *e)
{
	const struct jfrec_type *t;
	bool timely;

	if (!frame(j, at, e))
		return 0;
	if (e->type_id == TYPE_CHECKPOINT)
		return weigh_checkpoint(j, e);
	if (e->type_id == TYPE_METADATA)
		return weigh_metadata(j, e);
	t = metadata_type(j->chunk->metadata, e->type_id);
	if (!t || !t->is_event)
		return 0;
	timely = event_in_time(j, t, e, j->end);
	if ((!timely && e->size > MOST_UNTIMELY) || e->size / LOOK_BYTES > j->budget)
		return 0;
	if (!plan_of(t)->only_varints)
		j->budget -= e->size / LOOK_BYTES;
	if (!fits_type(t, e, j->end))
		return 0;
	return BITS_FITS + (timely ? BITS_IN_TIME : 0);
}

static bool is_timely(const struct raw_event *e, unsigned bits)
{
	return bits >= (e->type_id <= TYPE_CHECKPOINT ? BITS_HEAD : BITS_FITS) + BITS_IN_TIME;
}

/* The bits of the row that begins there, as far as it is needed. */
static unsigned weigh_row(struct row_finder *j, const uint8_t *at)
{
	unsigned sum = 0, bits;
	struct raw_event e;

	while (sum < BITS_CERTAIN) {
		if (is_known(j, at))
			return sum + BITS_KNOWN;
		bits = weigh(j, at, &e);
		if (!bits)
			break;
		sum += bits;
		at += e.size;
	}
	return sum;
}

/* Can a row begin with this event?  One that joins a row by chance has another time. */
static bool can_begin(struct row_finder *j, const uint8_t *at)
{
	struct raw_event e;

	for (unsigned n = 0; n < ROW_OUT_OF_TIME; n++) {
		unsigned bits = weigh(j, at, &e);

		if (!bits)
			return false;
		if (is_timely(&e, bits))
			return n == 0;
		at += e.size;
	}
	return true;
}

/* Hunting -------------------------------------------------------------------------------------- */

/* From the end to the front, since a place is as good as what it leads to. */
static const uint8_t *hunt_window(struct row_finder *j, const uint8_t *from, const uint8_t *to)
{
	size_t len = (size_t)(to - from);

	j->bits[len] = (uint8_t)weigh_row(j, to);
	for (size_t at = len; at-- > 0;) {
		struct raw_event e;
		unsigned bits = weigh(j, from + at, &e);

		if (bits)
			bits += e.size <= len - at ? j->bits[at + e.size]
						   : weigh_row(j, e.start + e.size);
		j->bits[at] = (uint8_t)(bits < BITS_MOST ? bits : BITS_MOST);
	}
	for (size_t at = 0; at < len; at++) {
		if (j->bits[at] >= BITS_CERTAIN && can_begin(j, from + at))
			return from + at;
	}
	return to;
}

/* No event begins with a zero, and of those there may be gigabytes. */
static const uint8_t *skip_zeros(const uint8_t *from, const uint8_t *to)
{
	static const uint8_t zeros[PAGE_ZEROS];

	while ((uint64_t)(to - from) >= sizeof(zeros) && memcmp(from, zeros, sizeof(zeros)) == 0)
		from += sizeof(zeros);
	return from;
}

/* The first place from `from` on where a certain row begins; `to` if there is none. */
static const uint8_t *hunt(struct row_finder *j, const uint8_t *from, const uint8_t *to)
{
	while ((from = skip_zeros(from, to)) < to) {
		const uint8_t *stop = (uint64_t)(to - from) < WINDOW ? to : from + WINDOW, *at;

		at = hunt_window(j, from, stop);
		if (at < stop)
			return at;
		from = stop;
	}
	return to;
}

/* Following ------------------------------------------------------------------------------------ */

/* Bytes that no name has and events have. */
static bool has_controls(struct string s)
{
	bool is_text = s.encoding == STRING_UTF8 || s.encoding == STRING_LATIN1;

	for (uint64_t i = 0; is_text && i < s.len; i++) {
		if (s.bytes[i] < ' ' && !strchr("\t\n\r", s.bytes[i]))
			return true;
	}
	return false;
}

/* Has it a part that takes whatever bytes there are, and are they unlike what belongs there? */
static bool may_swallow(const struct constant *one)
{
	struct cursor c = { .pos = one->value, .end = one->end };
	const struct plan *plan = plan_of(one->type);

	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct step *step = &plan->steps[i];

		if (step->wire == WIRE_ARRAY)
			return step->element->min_size == 1 &&
			       step->element->steps->wire == WIRE_BYTE;
		if (step->wire != WIRE_STRING)
			wire_skip(step->wire, &c);
		else if (has_controls(string_read(&c)))
			return true;
	}
	return false;
}

struct constants_seen {
	const uint8_t *end;
	bool may_swallow;
};

static int see_constant(void *ctx, const struct constant *one)
{
	struct constants_seen *seen = ctx;

	seen->end = one->end;
	seen->may_swallow = seen->may_swallow || may_swallow(one);
	return 0;
}

/* Does a certain row of events begin in it?  Then its head was overwritten, or is another's. */
static bool hides_row(struct row_finder *j, const struct raw_event *e)
{
	const uint8_t *end = e->start + (e->size < MOST_HUNTED ? e->size : MOST_HUNTED);

	return hunt(j, e->start + 1, end) < end;
}

/*
 * Do the constants end where the checkpoint does?  It has no other end to go by.  Where bytes are
 * missing, its last text or array of bytes may take those of the events that follow.
 */
static bool checkpoint_fits(struct row_finder *j, const struct raw_event *e)
{
	struct constants_seen seen = { .end = e->start + e->size };
	int64_t delta;

	return pools_each_constant(j->chunk->metadata, e->start, e->size, &delta, see_constant,
				   &seen, NULL, NULL) == 0 &&
	       seen.end == e->start + e->size && !(seen.may_swallow && hides_row(j, e));
}

static bool metadata_fits(const struct row_finder *j, const struct raw_event *e)
{
	struct metadata *m = metadata_parse(e->start, e->size, j->chunk->metadata, NULL);
	bool fits = m && !m->doubt && m->used_len == m->content_len;

	metadata_unref(m);
	return fits;
}

static bool has_only_varints(const struct row_finder *j, uint64_t type_id)
{
	return plan_of(metadata_type(j->chunk->metadata, type_id))->only_varints;
}

/*
 * Is what was weighed as long as it says?  A long text takes all bytes that follow its head, also
 * those of whole events.
 */
static bool is_exact(struct row_finder *j, const struct raw_event *e, unsigned bits)
{
	if (!bits)
		return false;
	if (e->type_id == TYPE_METADATA)
		return metadata_fits(j, e);
	if (e->type_id == TYPE_CHECKPOINT)
		return checkpoint_fits(j, e);
	return e->size < LEAST_HIDING || has_only_varints(j, e->type_id) || !hides_row(j, e);
}

/*
 * Do sizes alone lead from the event that is not as it should be to an anchor or the end?  Each
 * row is gone through once.  pos never passes the end: frame() only accepts events that lie before
 * it.
 */
static bool is_chained(struct row_finder *j, const uint8_t *at)
{
	struct raw_event e;
	const uint8_t *pos = at;

	if (j->chained_to && at <= j->chained_to)
		return true;
	if (j->breaks_at && at <= j->breaks_at)
		return false;
	while (!is_known(j, pos) && frame(j, pos, &e))
		pos += e.size;
	if (is_known(j, pos))
		j->chained_to = pos;
	else
		j->breaks_at = pos;
	return j->chained_to == pos;
}

/* Would an event of these bytes be of a declared type, as long as its fields, and in time? */
static bool is_event(const struct row_finder *j, const uint8_t *bytes, uint64_t size)
{
	const uint8_t *end = bytes + size;
	struct cursor at = { .pos = bytes, .end = end };
	const struct jfrec_type *t;
	struct raw_event e;

	if (walk_next(&at, &e) != 1 || e.size != size)
		return false;
	t = fitting_type(j->chunk->metadata, &e, end);
	return t && event_in_time(j, t, &e, end);
}

/* Was one bit of its size or type overwritten, which makes it one of a type that does not fit? */
static bool is_type_hit(const struct row_finder *j, const struct raw_event *e)
{
	const struct jfrec_type *t = metadata_type(j->chunk->metadata, e->type_id);
	uint8_t copy[MOST_MENDED];
	bool found = false;

	if ((t && t->is_event) || e->size > sizeof(copy))
		return false;
	memcpy(copy, e->start, e->size);
	for (const uint8_t *at = e->start; at < e->payload; at++) {
		for (unsigned bit = 0; bit < 8 && !found; bit++) {
			copy[at - e->start] ^= (uint8_t)(1u << bit);
			found = is_event(j, copy, e->size);
			copy[at - e->start] ^= (uint8_t)(1u << bit);
		}
	}
	return found;
}

/* Could a producer have written it, wrongly, or of a type that it did not declare? */
static bool is_possible(const struct row_finder *j, const struct raw_event *e)
{
	const struct jfrec_type *t = metadata_type(j->chunk->metadata, e->type_id);
	struct cursor c = { .pos = e->payload, .end = e->start + e->size };

	return e->type_id <= TYPE_CHECKPOINT || (t && t->is_event) ||
	       (is_in_time(j, (int64_t)cursor_varint(&c), 0) && !c.bad);
}

/* Its type is declared and has a time, which is not the chunk's: these bytes are another's. */
static bool is_mistimed(const struct row_finder *j, const struct raw_event *e)
{
	const struct jfrec_type *t = metadata_type(j->chunk->metadata, e->type_id);

	return e->type_id > TYPE_CHECKPOINT && t && t->is_event && plan_of(t)->start_step == 0 &&
	       !event_in_time(j, t, e, j->end);
}

/* Sound recordings have large events outside of their span, too, where others follow. */
static bool is_large_in_row(struct row_finder *j, const struct raw_event *e)
{
	const uint8_t *next = e->start + e->size;

	return e->size > MOST_UNTIMELY && e->type_id > TYPE_CHECKPOINT &&
	       fitting_type(j->chunk->metadata, e, j->end) &&
	       (is_known(j, next) || weigh_row(j, next) >= BITS_CERTAIN) && !hides_row(j, e);
}

/*
 * An event that does not fit stands in an unbroken row if its size leads on, and no event that is
 * certain begins in it.
 */
static bool stands_in_row(struct row_finder *j, const struct raw_event *e)
{
	const uint8_t *next = e->start + e->size;

	if (!is_known(j, next) && weigh_row(j, next) < BITS_CERTAIN &&
	    !(is_possible(j, e) && is_chained(j, next)))
		return false;
	return !is_mistimed(j, e) && !hides_row(j, e);
}

static int add_stretch(struct row_finder *j, const uint8_t *to)
{
	struct stretches *s = j->found;

	if (to == j->from)
		return 0;
	if (!array_reserve(s->items, s->count, s->room))
		return -1;
	s->items[s->count++] = (struct stretch){ .from = (uint64_t)(j->from - j->bytes),
						 .to = (uint64_t)(to - j->bytes) };
	return 0;
}

static void count_fitting(struct row_finder *j, uint64_t type_id)
{
	const struct jfrec_type *t = metadata_type(j->chunk->metadata, type_id);
	struct stretches *s = j->found;

	if (type_id <= TYPE_CHECKPOINT)
		return;
	s->fitting++;
	for (unsigned i = 0; i < s->types; i++) {
		if (j->types[i] == t)
			return;
	}
	if (s->types < ENOUGH_TYPES)
		j->types[s->types++] = t;
}

static bool are_near(const struct row_finder *j, int64_t a, int64_t b)
{
	return (a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b) <= j->slack;
}

/* Did it begin when the other doubtful ones did?  More than a few that did not are a row, too. */
static void see_start(struct row_finder *j, const struct raw_event *e)
{
	struct cursor c = { .pos = e->payload, .end = e->start + e->size };
	int64_t start = (int64_t)cursor_varint(&c);

	if (j->recent_count > 1 && j->apart_count < DOUBTED &&
	    !are_near(j, start, j->recent_start)) {
		if (j->apart_count++ == 0)
			j->apart = e->start;
		return;
	}
	j->recent_start = start;
	j->apart_count = 0;
}

/*
 * Doubtful events at the end of a row go with the damage; many that fit are believed, but for the
 * last ones if these are of neither the chunk's time nor the row's.
 */
static void doubt(struct row_finder *j, const struct raw_event *e, bool is_fitting)
{
	if (j->recent_count++ == 0)
		j->doubtful = e->start;
	j->recent_fitting += is_fitting;
	see_start(j, e);
}

static void doubt_none(struct row_finder *j)
{
	j->recent_count = j->recent_fitting = j->apart_count = 0;
}

/* Where the row ended for sure, before a break at that place. */
static const uint8_t *certain_end(const struct row_finder *j, const uint8_t *at)
{
	if (j->recent_count && j->recent_fitting <= DOUBTED)
		return j->doubtful;
	return j->apart_count ? j->apart : at;
}

/* Skip the row, and find the next one. */
static const uint8_t *leave_row(struct row_finder *j, const uint8_t *at)
{
	const uint8_t *limit = limit_of(j, at);

	if (add_stretch(j, certain_end(j, at)) < 0)
		return NULL;
	doubt_none(j);
	j->chained_to = j->breaks_at = NULL;
	j->from = hunt(j, at + 1, limit);
	return j->from;
}

/* The event at that place, or where events go on after damage.  NULL when memory is gone. */
static const uint8_t *follow(struct row_finder *j, const uint8_t *at)
{
	struct raw_event e;
	unsigned bits = weigh(j, at, &e);

	if (is_exact(j, &e, bits) || (!bits && frame(j, at, &e) && is_large_in_row(j, &e))) {
		count_fitting(j, e.type_id);
		if (is_timely(&e, bits))
			doubt_none(j);
		else
			doubt(j, &e, true);
		return at + e.size;
	}
	if (j->recent_count - j->recent_fitting >= MOST_ODD || !frame(j, at, &e) ||
	    !stands_in_row(j, &e))
		return leave_row(j, at);
	if (is_type_hit(j, &e)) {
		if (add_stretch(j, at) < 0)
			return NULL;
		j->from = at + e.size;
		return j->from;
	}
	if (e.type_id > TYPE_CHECKPOINT) {
		j->found->odd++;
		doubt(j, &e, false);
	} else {
		doubt_none(j);
	}
	return at + e.size;
}

static void find_span(struct row_finder *j)
{
	const struct chunk_header *h = j->chunk->header;
	struct clock clock = clock_of(h);
	double slack = SLACK_S * 1e9 * clock.ticks_per_ns;
	double length = (double)h->duration_ns * clock.ticks_per_ns;
	double most = (double)h->start_ticks / SLACK_PART;

	if (slack > most && most > 0)
		slack = most > SLACK_LEAST ? most : SLACK_LEAST;
	j->slack = (uint64_t)double_to_long(slack);
	j->first = double_to_long((double)h->start_ticks - slack);
	j->last = double_to_long((double)h->start_ticks + length + slack);
}

/*
 * A link that was overwritten may lead to bytes that look like a checkpoint's: into the size of
 * one, for example.
 */
static void take_anchors(struct row_finder *j)
{
	for (size_t i = 0; i < j->chunk->anchor_count; i++) {
		struct raw_event e = { 0 };
		unsigned bits = weigh(j, j->bytes + j->chunk->anchors[i], &e);

		if (e.type_id == TYPE_CHECKPOINT && is_exact(j, &e, bits))
			j->anchors[j->anchor_count++] = j->chunk->anchors[i];
	}
}

static int find_all(struct row_finder *j)
{
	const uint8_t *at = j->bytes + CHUNK_HEADER_SIZE;

	find_span(j);
	take_anchors(j);
	j->from = at;
	while (at && at < j->end)
		at = follow(j, at);
	return at ? add_stretch(j, at) : -1;
}

int event_rows_find(const struct damaged_chunk *chunk, struct stretches *found)
{
	struct row_finder j = {
		.chunk = chunk,
		.bytes = chunk->bytes,
		.end = chunk->end,
		.anchors = malloc((chunk->anchor_count + 1) * sizeof(*j.anchors)),
		.budget = MAX_LOOKS * (uint64_t)(chunk->end - chunk->bytes),
		.bits = malloc(WINDOW + 1),
		.found = found,
	};
	int ret = -1;

	*found = (struct stretches){ 0 };
	if (j.anchors && j.bits)
		ret = find_all(&j);
	free(j.anchors);
	free(j.bits);
	return ret;
}

bool next_like_metadata(const uint8_t **at, const uint8_t *limit, const uint8_t *end,
			struct raw_event *e)
{
	uint64_t budget = MAX_LOOKS * (uint64_t)(end - *at);
	int64_t start, duration;

	for (; *at < limit; ++*at) {
		struct cursor c = { .pos = *at, .end = end };

		/* No event is so short; and zeros are what there may be much of. */
		if (!**at)
			continue;
		if (walk_next(&c, e) != 1 || e->type_id != TYPE_METADATA || e->size > budget)
			continue;
		budget -= e->size / LOOK_BYTES;
		if (has_names(e, &start, &duration))
			return true;
	}
	return false;
}

bool has_metadata_names(const struct raw_event *e)
{
	int64_t start, duration;

	return has_names(e, &start, &duration);
}

void stretches_fini(struct stretches *s)
{
	free(s->items);
	*s = (struct stretches){ 0 };
}
