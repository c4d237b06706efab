/* SPDX-License-Identifier: MIT */
/*
 * lost_returns.c - put back the carriage returns that a chunk lost, where each CR LF became LF
 */
#include "format/lost_returns.h"

#include <stdlib.h>

#include "base/array.h"
#include "format/chunk_header.h"
#include "format/clock.h"
#include "format/fit.h"
#include "format/record_reach.h"

/* By chance one in 64 KB; text of Windows has more. */
#define LOST_OF	  2048
#define LOST_MORE 64

/* Of an event with so many, none is searched for: the event was made to cost time. */
#define MAX_IN_EVENT 64

/*
 * After so many places that lead no further than before, those before them do not, either:
 * where one did, and where none did.
 */
#define VAIN_BEHIND 16
#define VAIN	    64

/* Bytes that may be looked at, a few seconds' work. */
#define MAX_LOOKED_AT (UINT64_C(4) << 30)

/*
 * How long before its chunk an event may have begun, and how long after its end the clock may be.
 */
#define SLACK_NS 3600e9

struct ticks {
	int64_t first, last;
};

struct lacking {
	const uint8_t *bytes, *end; /* what is left of the chunk */
	struct chunk_header header;
	struct ticks ticks;
	struct metadata *metadata;
	const uint8_t *metadata_at;
	uint64_t metadata_lacks; /* bytes */
	uint64_t lacks_before_metadata;
	const struct known_keys *keys; /* or NULL */
	uint64_t budget;
	struct buffer *out;
	struct returned *told;
};

uint64_t most_returns(uint64_t size)
{
	return size / LOST_OF + LOST_MORE;
}

static void put_returns(struct lacking *l, uint64_t n, bool is_sure)
{
	if (n && !is_sure && l->told->unsure == 0)
		l->told->first_unsure = l->out->len;
	l->told->unsure += is_sure ? 0 : n;
	l->told->count += n;
	for (; n; n--)
		buffer_u8(l->out, '\r');
}

/* One event ------------------------------------------------------------------------------------ */

/* What is left of an event, and the places in it where the bytes that it lacks could be. */
struct record {
	struct lacking *of;
	const uint8_t *bytes;
	uint64_t len, type_id;
	unsigned lacks;
	uint64_t *feeds; /* offsets of its line feeds */
	size_t feed_count, feed_room;
	uint64_t places[MAX_IN_EVENT]; /* those that were chosen */
	unsigned chosen;
	bool is_unsure;
	struct buffer tried;
};

/* How far it can be read with what was chosen, and with another one at `place`. */
static struct reach reach_with(struct record *r, const uint64_t *place)
{
	struct lacking *l = r->of;
	uint64_t from = 0;

	buffer_clear(&r->tried);
	for (unsigned i = 0; i < r->chosen + (place != NULL); i++) {
		uint64_t to = i < r->chosen ? r->places[i] : *place;

		buffer_put(&r->tried, r->bytes + from, to - from);
		buffer_u8(&r->tried, '\r');
		from = to;
	}
	buffer_put(&r->tried, r->bytes + from, r->len - from);
	l->budget -= l->budget < r->tried.len ? l->budget : r->tried.len;
	if (r->tried.failed || l->budget == 0)
		return (struct reach){ 0 };
	return reach_of(l->metadata, l->keys, r->type_id, r->tried.data, r->tried.len);
}

static bool is_better(const struct reach *a, const struct reach *b)
{
	return a->len > b->len || (a->len == b->len && a->odd < b->odd);
}

/*
 * Choose one more place: after those that were chosen, and before where reading ends without
 * it, the one that leads furthest. False if none leads further.
 */
static bool choose(struct record *r)
{
	struct reach now = reach_with(r, NULL), best = { 0 };
	uint64_t stop = now.len - (now.len < r->chosen ? now.len : r->chosen), place = 0;
	size_t first = 0, i = r->feed_count;
	unsigned vain = 0, alike = 0;

	while (first < r->feed_count && r->chosen && r->feeds[first] <= r->places[r->chosen - 1])
		first++;
	while (i > first && r->feeds[i - 1] > stop + VARINT_MAX)
		i--;
	for (; i > first && vain < (best.len > now.len ? VAIN_BEHIND : VAIN); i--) {
		struct reach with = reach_with(r, &r->feeds[i - 1]);

		vain = with.len <= now.len + 1 ? vain + 1 : 0;
		if (is_better(&with, &best)) {
			best = with;
			place = r->feeds[i - 1];
			alike = 0;
		} else if (best.len == with.len && best.odd == with.odd) {
			alike++;
		}
	}
	if (best.len <= now.len)
		return false;
	r->is_unsure |= alike > 0;
	r->places[r->chosen++] = place;
	return true;
}

/* The one before the event is not its own; the one after may follow its last byte. */
static int find_feeds(struct record *r)
{
	const uint8_t *end = r->bytes + r->len;

	for (const uint8_t *at = r->bytes + 1; at <= end && at < r->of->end; at++) {
		uint64_t place = (uint64_t)(at - r->bytes);

		if (*at == '\n' && !array_push(r->feeds, r->feed_count, r->feed_room, place))
			return -1;
	}
	return 0;
}

/* Is the event whole with what was chosen? */
static bool is_whole(struct record *r)
{
	return r->chosen == r->lacks && reach_with(r, NULL).len == r->len + r->lacks;
}

static void put_record(struct record *r, bool is_sure)
{
	struct lacking *l = r->of;
	uint64_t from = 0;

	for (unsigned i = 0; i < r->chosen; i++) {
		buffer_put(l->out, r->bytes + from, r->places[i] - from);
		put_returns(l, 1, is_sure);
		from = r->places[i];
	}
	buffer_put(l->out, r->bytes + from, r->len - from);
	/* Then at least what follows stands in its place. */
	put_returns(l, r->lacks - r->chosen, false);
}

/* Put what is left of an event, which lacks so many bytes. */
static int put_event(struct lacking *l, const uint8_t *bytes, uint64_t len, uint64_t lacks,
		     uint64_t type_id)
{
	struct record r = { .of = l, .bytes = bytes, .len = len, .type_id = type_id };
	int ret;

	r.lacks = (unsigned)lacks;
	ret = lacks && lacks <= MAX_IN_EVENT ? find_feeds(&r) : 0;
	while (ret == 0 && r.chosen < r.lacks && lacks <= MAX_IN_EVENT && choose(&r))
		;
	if (ret == 0)
		put_record(&r, lacks == 0 || (is_whole(&r) && !r.is_unsure));
	free(r.feeds);
	buffer_fini(&r.tried);
	return ret;
}

/* From event to event -------------------------------------------------------------------------- */

/* A time of so many ticks has five bytes or more, and is unlike text. */
#define LONG_TICKS ((int64_t)1 << 28)

static bool is_in_time(const struct lacking *l, const uint8_t *payload)
{
	struct cursor c = { .pos = payload, .end = l->end };
	int64_t start = (int64_t)cursor_varint(&c);

	return !c.bad && start >= l->ticks.first && start <= l->ticks.last &&
	       (l->header.start_ticks < LONG_TICKS || start >= LONG_TICKS);
}

/* The beginning of an event at `at`, which may lack so many bytes. */
static bool head_at(const struct lacking *l, const uint8_t *at, uint64_t lacks, struct raw_event *e)
{
	struct cursor c = { .pos = at, .end = l->end };

	*e = (struct raw_event){ .start = at };
	if (at == l->end)
		return false;
	c = walk_head(c, &e->size, &e->type_id);
	e->payload = c.pos;
	return !c.bad && e->size > (uint64_t)(c.pos - at) &&
	       e->size <= (uint64_t)(l->end - at) + lacks;
}

/* A JVM writes a size that was not known beforehand in so many bytes, of which the last is zero. */
#define PADDED_SIZE 4

/*
 * Is it the rest of a head that begins before it?  The size is smaller there, and all else as
 * likely.
 */
static bool is_rest_of_head(const struct lacking *l, const struct raw_event *e, uint64_t lacks)
{
	const uint8_t *at = e->start, *last = at;
	struct raw_event longer;

	while (*last & 0x80)
		last++;
	return *last == 0 && last - at < PADDED_SIZE - 1 && at > l->bytes + CHUNK_HEADER_SIZE &&
	       at[-1] & 0x80 && head_at(l, at - 1, lacks, &longer);
}

/* Metadata is long, since it declares what every recorder has. */
#define LEAST_METADATA 256

/* As checkpoints begin: times, where the last one is, its kind, and the type of the first pool. */
static bool may_be_checkpoint(const struct lacking *l, const struct raw_event *e)
{
	struct cursor c = { .pos = e->payload, .end = l->end };
	const struct jfrec_type *t;
	uint64_t pools;

	cursor_skip_varints(&c, 3);
	cursor_u8(&c);
	pools = cursor_varint(&c);
	if (c.bad || pools > e->size)
		return false;
	t = metadata_type(l->metadata, cursor_varint(&c));
	return pools == 0 || (t && !t->is_event);
}

/* Can an event begin there? */
static bool may_begin(const struct lacking *l, const uint8_t *at, uint64_t lacks,
		      struct raw_event *e)
{
	const struct jfrec_type *t;

	if (!head_at(l, at, lacks, e) || !is_in_time(l, e->payload) || is_rest_of_head(l, e, lacks))
		return false;
	if (e->type_id == TYPE_METADATA)
		return e->size >= LEAST_METADATA;
	if (!l->metadata)
		return true;
	if (e->type_id == TYPE_CHECKPOINT)
		return may_be_checkpoint(l, e);
	t = metadata_type(l->metadata, e->type_id);
	return t && t->is_event && e->size >= (uint64_t)(e->payload - at) + plan_of(t)->min_size;
}

/* Can there be one, and another after it, or the end? */
static bool may_begin_row(const struct lacking *l, const uint8_t *at, const uint8_t *end,
			  uint64_t lacks)
{
	struct raw_event e, next;

	return may_begin(l, at, lacks, &e) && e.size <= (uint64_t)(end - at) &&
	       (at + e.size == end || may_begin(l, at + e.size, lacks, &next));
}

/* Is the event, which lacks nothing, as long as its fields? */
static bool is_whole_event(const struct lacking *l, const struct raw_event *e)
{
	return reach_of(l->metadata, NULL, e->type_id, e->start, e->size).len == e->size;
}

/*
 * How many bytes the event lacks, so that another can follow, up to `most`; -1: none could.  One
 * that lacks nothing is whole, or it is damaged otherwise.
 */
static int64_t event_lacks(const struct lacking *l, const struct raw_event *e, const uint8_t *end,
			   uint64_t most)
{
	uint64_t head = (uint64_t)(e->payload - e->start);
	int64_t ret = -1;

	if (e->start == l->metadata_at)
		return (int64_t)l->metadata_lacks;
	for (uint64_t n = 0; n <= most && e->size > head + n; n++) {
		const uint8_t *stop;
		struct raw_event next;

		if (e->size - n > (uint64_t)(end - e->start))
			continue;
		stop = e->start + (e->size - n);
		if (stop == end ? n != most : !may_begin(l, stop, most - n, &next))
			continue;
		if (n || most == 0 || is_whole_event(l, e))
			return (int64_t)n;
		ret = 0;
	}
	return ret;
}

/* Where two events follow each other, after `at`; `end` if nowhere. */
static const uint8_t *next_events(const struct lacking *l, const uint8_t *at, const uint8_t *end)
{
	do
		at++;
	while (at < end && !may_begin_row(l, at, end, 0));
	return at;
}

/* Put n where something is missing, and it is not known in which event. */
static void insert_returns(struct lacking *l, size_t at, uint64_t n)
{
	if (!buffer_room(l->out, n))
		return;
	memmove(l->out->data + at + n, l->out->data + at, l->out->len - at);
	memset(l->out->data + at, '\r', n);
	l->out->len += n;
	if (l->told->unsure == 0 || at < l->told->first_unsure)
		l->told->first_unsure = at;
	l->told->count += n;
	l->told->unsure += n;
}

/* Put the events from `at` to `end`, which lack so many bytes together. */
static int put_events(struct lacking *l, const uint8_t *at, const uint8_t *end, uint64_t lacks)
{
	size_t gap = 0;

	while (at < end) {
		struct raw_event e;
		int64_t n = head_at(l, at, lacks, &e) ? event_lacks(l, &e, end, lacks) : -1;
		uint64_t len =
			n < 0 ? (uint64_t)(next_events(l, at, end) - at) : e.size - (uint64_t)n;

		if (put_event(l, at, len, n < 0 ? 0 : (uint64_t)n, e.type_id) < 0)
			return -1;
		if (n < 0)
			gap = l->out->len;
		lacks -= n < 0 ? 0 : (uint64_t)n;
		at += len;
	}
	if (lacks)
		insert_returns(l, gap ? gap : l->out->len, lacks);
	return l->out->failed ? -1 : 0;
}

/* Metadata ------------------------------------------------------------------------------------- */

/* Find it before where the header says, by as many bytes as are missing up to there. */
static bool find_metadata(struct lacking *l, uint64_t lacks, struct raw_event *found)
{
	uint64_t len = (uint64_t)(l->end - l->bytes), best = 0;

	for (uint64_t n = 0; n <= lacks && n < l->header.metadata; n++) {
		uint64_t at = l->header.metadata - n;
		struct raw_event e;
		struct reach r;

		if (at < CHUNK_HEADER_SIZE || at >= len ||
		    !head_at(l, l->bytes + at, lacks - n, &e) || e.type_id != TYPE_METADATA)
			continue;
		r = reach_of(NULL, NULL, TYPE_METADATA, e.start, (uint64_t)(l->end - e.start));
		if (r.len <= best)
			continue;
		best = r.len;
		*found = e;
		l->metadata_at = e.start;
		l->lacks_before_metadata = n;
	}
	return best > 0;
}

/* Read it as if it lacked so many bytes; they are put back.  0, or -1 when memory is gone. */
static int try_metadata(struct lacking *l, const struct raw_event *e, uint64_t lacks)
{
	struct returned told = { 0 };
	struct buffer made = { 0 };
	struct lacking alone = *l;
	int ret;

	alone.out = &made;
	alone.told = &told;
	ret = put_event(&alone, e->start, e->size - lacks, lacks, TYPE_METADATA);
	l->budget = alone.budget;
	if (ret == 0 && reach_of(NULL, NULL, TYPE_METADATA, made.data, made.len).len == made.len)
		l->metadata = metadata_parse(made.data, made.len, NULL, NULL);
	l->metadata_lacks = lacks;
	buffer_fini(&made);
	return ret;
}

/*
 * Nothing is known of the other events without it: by what follows it and by itself it is judged.
 */
static int read_metadata(struct lacking *l, const struct raw_event *e, uint64_t all)
{
	uint64_t most = all < MAX_IN_EVENT ? all : MAX_IN_EVENT;
	int ret = 0;

	for (uint64_t n = 0; ret == 0 && !l->metadata && n <= most && n < e->size; n++) {
		const uint8_t *end;
		struct raw_event next;

		if (e->size - n > (uint64_t)(l->end - e->start))
			continue;
		end = e->start + (e->size - n);
		if (end == l->end ? n == all : may_begin(l, end, all - n, &next))
			ret = try_metadata(l, e, n);
	}
	return ret;
}

/* A chunk -------------------------------------------------------------------------------------- */

static int put_chunk(struct lacking *l, uint64_t lacks)
{
	buffer_clear(l->out);
	*l->told = (struct returned){ 0 };
	buffer_put(l->out, l->bytes, CHUNK_HEADER_SIZE);
	if (put_events(l, l->bytes + CHUNK_HEADER_SIZE, l->metadata_at, l->lacks_before_metadata) <
	    0)
		return -1;
	return put_events(l, l->metadata_at, l->end, lacks - l->lacks_before_metadata);
}

/* Note the constants of what was put. */
static int note_keys(const struct lacking *l, struct known_keys *keys)
{
	struct cursor at = cursor_over(l->out->data, l->out->len);
	struct raw_event e;

	cursor_seek(&at, l->out->data, CHUNK_HEADER_SIZE);
	while (walk_next(&at, &e) == 1) {
		if (e.type_id == TYPE_CHECKPOINT &&
		    known_keys_add(keys, l->metadata, e.start, e.size) < 0)
			return -1;
	}
	return 0;
}

static int put_back(struct lacking *l, uint64_t lacks)
{
	struct known_keys keys = { 0 };
	struct raw_event metadata;
	int ret;

	if (!find_metadata(l, lacks, &metadata) ||
	    read_metadata(l, &metadata, lacks - l->lacks_before_metadata) < 0 || !l->metadata) {
		buffer_put(l->out, l->bytes, (uint64_t)(l->end - l->bytes));
		return l->out->failed ? -1 : 0;
	}
	ret = put_chunk(l, lacks);
	/* What is in doubt may be seen by the constants that it refers to. */
	if (ret == 0 && l->told->unsure && note_keys(l, &keys) == 0) {
		l->keys = &keys;
		ret = put_chunk(l, lacks);
	}
	known_keys_fini(&keys);
	return ret;
}

static struct ticks ticks_of(const struct chunk_header *h)
{
	struct clock clock = clock_of(h);
	double slack = SLACK_NS * clock.ticks_per_ns;
	double length = (double)h->duration_ns * clock.ticks_per_ns;

	return (struct ticks){ double_to_long((double)h->start_ticks - slack),
			       double_to_long((double)h->start_ticks + length + slack) };
}

int returns_put_back(const uint8_t *bytes, uint64_t len, struct buffer *out, struct returned *told)
{
	struct lacking l = { .bytes = bytes,
			     .end = bytes + len,
			     .out = out,
			     .told = told,
			     .budget = MAX_LOOKED_AT };
	uint64_t size;
	int ret;

	*told = (struct returned){ 0 };
	buffer_clear(out);
	size = len < CHUNK_HEADER_SIZE ? 0 : be64(bytes + 8);
	if (size <= len || size - len > most_returns(size)) {
		buffer_put(out, bytes, len);
		return out->failed ? -1 : 0;
	}
	l.header = chunk_header_parse(bytes);
	l.ticks = ticks_of(&l.header);
	ret = put_back(&l, size - len);
	metadata_unref(l.metadata);
	return ret;
}
