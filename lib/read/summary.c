/* SPDX-License-Identifier: MIT */
/*
 * summary.c - count the events of each type and their bytes
 *
 * Reads only the size and type of each event, and its start, through a window
 * of 256 KB; constants are gone through, so that none is lost without a word.  A chunk that turns out
 * to be damaged is counted again with what printing knows of it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/stray.h"
#include "read/reader.h"

/* Copied, not mapped: what a page of a mapping costs is more than its copy does. */
#define WINDOW (256u << 10)

/* Size, type id and start of an event: three varints. */
#define EVENT_HEAD (3 * VARINT_MAX)

struct counter {
	struct jfrec_type_summary row;
	bool declared;
	/* Of the chunk that is being counted. */
	uint64_t count, bytes;
	int64_t first_ticks, last_ticks;
	char *owned_name, *owned_label;
};

struct place {
	uint64_t offset, size;
};

struct counting {
	struct chunk_source *source;
	bool merge_ids;
	struct counter *rows;
	uint32_t count, room;
	struct idmap by_id; /* the rows of this chunk's types; of all chunks', with merge_ids */
	uint32_t small[SMALL_IDS]; /* the same for small ids, once they were met: row + 1, or 0 */
	struct idmap by_name;	   /* all rows, by id and name; not with merge_ids */
	size_t longest_name;
	struct jfrec_chunk_info *chunks;
	size_t chunk_count, chunk_room;
	struct span window;
	uint64_t window_at; /* offset of the window in the input */
	/* Of the chunk that is being counted: where they are in the input. */
	struct place *checkpoints;
	size_t checkpoint_count, checkpoint_room;
};

static int add_row(struct counting *k, uint64_t id)
{
	if (!array_push(k->rows, k->count, k->room, (struct counter){ .row.id = id }))
		return -1;
	return 0;
}

static struct counter *new_row(struct counting *k, uint64_t id)
{
	uint32_t *at = idmap_put(&k->by_id, id, k->count);

	if (!at || (*at == k->count && add_row(k, id) < 0))
		return NULL;
	if (id < SMALL_IDS)
		k->small[id] = *at + 1;
	return &k->rows[*at];
}

static inline struct counter *row_of(struct counting *k, uint64_t id)
{
	uint32_t known = id < SMALL_IDS ? k->small[id] - 1 : idmap_get(&k->by_id, id);

	return known != IDMAP_NONE ? &k->rows[known] : new_row(k, id);
}

/* FNV-1a over the id and the name. */
static uint64_t name_key(uint64_t id, const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u ^ id;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
	return hash;
}

/* Have this chunk's events of the id counted in the row that has this name. */
static struct counter *row_named(struct counting *k, uint64_t id, const char *name)
{
	uint32_t *named, *current;

	if (k->merge_ids)
		return row_of(k, id);
	named = idmap_put(&k->by_name, name_key(id, name), k->count);
	if (!named || (*named == k->count && add_row(k, id) < 0))
		return NULL;
	current = idmap_put(&k->by_id, id, *named);
	if (!current)
		return NULL;
	*current = *named;
	if (id < SMALL_IDS)
		k->small[id] = *named + 1;
	return &k->rows[*named];
}

/* Java's String.length(). */
static size_t utf16_length(const char *s)
{
	size_t n = 0;

	for (; *s; s++) {
		n += (*s & 0xc0) != 0x80; /* the first byte of a character */
		n += (uint8_t)*s >= 0xf0; /* one beyond the BMP */
	}
	return n;
}

/* Give the id a name: that of the first chunk that declares it, with merge_ids. */
static int declare(struct counting *k, uint64_t id, const char *name, const char *label)
{
	struct counter *c = row_named(k, id, name);

	if (!c)
		return -1;
	if (id > TYPE_CHECKPOINT && utf16_length(name) > k->longest_name)
		k->longest_name = utf16_length(name);
	if (c->declared)
		return 0;
	c->declared = true;
	c->owned_name = strdup(name);
	c->owned_label = label ? strdup(label) : NULL;
	return c->owned_name && (!label || c->owned_label) ? 0 : -1;
}

static int declare_types(struct counting *k, const struct metadata *m, unsigned major)
{
	bool jdk9 = major == 1;

	if (!k->merge_ids) {
		idmap_fini(&k->by_id);
		memset(k->small, 0, sizeof(k->small));
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];

		if (t->is_event && declare(k, t->id, t->name, t->label) < 0)
			return -1;
	}
	if (declare(k, TYPE_METADATA, jdk9 ? "com.oracle.jdk.Metadata" : "jdk.Metadata", NULL) < 0)
		return -1;
	return declare(k, TYPE_CHECKPOINT, jdk9 ? "com.oracle.jdk.Checkpoint" : "jdk.Checkpoint",
		       NULL);
}

static int add_chunk_info(struct counting *k, const struct jfrec_chunk_info *info)
{
	if (!array_push(k->chunks, k->chunk_count, k->chunk_room, *info))
		return -1;
	return 0;
}

/* The bytes at an offset of the chunk: `want`, or fewer at its end. */
static int look(struct counting *k, const struct extent *x, uint64_t offset, size_t want,
		struct cursor *c, struct jfrec_error *err)
{
	struct input *in = &k->source->recording.in;
	uint64_t left = x->offset + x->size - offset, at = offset - k->window_at;

	if (left > want)
		left = want;
	if (offset < k->window_at || at > k->window.len || left > k->window.len - at) {
		uint64_t len = x->offset + x->size - offset;

		input_give_back(in, &k->window);
		k->window_at = offset;
		if (input_span(in, offset, len < WINDOW ? len : WINDOW, false,
			       &k->window, err) < 0)
			return -1;
		at = 0;
		if (left > k->window.len)
			left = k->window.len;
	}
	*c = cursor_over(k->window.bytes + at, left);
	return 0;
}

static void note_time(struct counter *c, int64_t ticks)
{
	if (c->count == 0 || ticks < c->first_ticks)
		c->first_ticks = ticks;
	if (c->count == 0 || ticks > c->last_ticks)
		c->last_ticks = ticks;
}

/* The JDK's summary has no times of events, and they cost a third of the walk. */
static inline void count_event(const struct counting *k, struct counter *c, uint64_t size,
			       struct cursor *payload)
{
	if (!k->merge_ids)
		note_time(c, (int64_t)cursor_varint(payload));
	c->count++;
	c->bytes += size;
}

/* Add what the chunk has to the rows; ticks are its own. */
static void add_counts(struct counting *k, const struct extent *x)
{
	struct clock clock = recording_clock(&k->source->recording, &x->header);

	for (uint32_t i = 0; i < k->count; i++) {
		struct counter *c = &k->rows[i];
		int64_t first, last;

		if (!c->count)
			continue;
		first = clock_time_ns(&clock, c->first_ticks);
		last = clock_time_ns(&clock, c->last_ticks);
		if (c->row.count == 0 || first < c->row.first_ns)
			c->row.first_ns = first;
		if (c->row.count == 0 || last > c->row.last_ns)
			c->row.last_ns = last;
		c->row.count += c->count;
		c->row.bytes += c->bytes;
		c->count = c->bytes = 0;
	}
}

/* Forget what was counted of the chunk. */
static void drop_counts(struct counting *k)
{
	for (uint32_t i = 0; i < k->count; i++)
		k->rows[i].count = k->rows[i].bytes = 0;
}

static int note_checkpoint(struct counting *k, uint64_t offset, uint64_t size)
{
	struct place place = { offset, size };

	return array_push(k->checkpoints, k->checkpoint_count, k->checkpoint_room, place) ? 0 : -1;
}

/*
 * Count the events whose heads are in the window, from *at on.  1: *at is the
 * next event; 0: no event can begin there; -1: out of memory.
 *
 * pos never passes the window's end: an event that ends there or further on is the last one that
 * is counted here, and pos stays at its head.
 */
static int count_window(struct counting *k, struct cursor c, uint64_t *at, uint64_t end)
{
	const uint8_t *pos = c.pos;
	uint64_t left = end - *at; /* of the chunk */
	int ret = 1;

	while (left && ((uint64_t)(c.end - pos) >= EVENT_HEAD || (uint64_t)(c.end - pos) == left)) {
		struct cursor head = { .pos = pos, .end = c.end };
		uint64_t size = cursor_varint(&head), id = cursor_varint(&head);
		struct counter *row;

		/* The start may be cut off: not all events have one. */
		if (head.bad || size < (uint64_t)(head.pos - pos) || size > left) {
			ret = 0;
			break;
		}
		row = row_of(k, id);
		if (!row || (id == TYPE_CHECKPOINT && note_checkpoint(k, end - left, size) < 0)) {
			ret = -1;
			break;
		}
		count_event(k, row, size, &head);
		left -= size;
		if (size >= (uint64_t)(c.end - pos))
			break;
		pos += size;
	}
	*at = end - left;
	return ret;
}

/* All events of the chunk.  1; 0 where no event can begin; -1 with *err set. */
static int count_events(struct counting *k, const struct extent *x, struct jfrec_error *err)
{
	uint64_t at = x->offset + CHUNK_HEADER_SIZE, end = x->offset + x->size;
	int more = 1;

	while (at < end && more > 0) {
		struct cursor c;

		if (look(k, x, at, WINDOW, &c, err) < 0)
			return -1;
		if (cursor_left(&c) < EVENT_HEAD && cursor_left(&c) < end - at)
			return 0; /* the file shrank */
		more = count_window(k, c, &at, end);
	}
	return more < 0 ? jfrec_fail_memory(err) : more;
}

/* The chunk's metadata, read on its own; NULL if it is not where the header says. */
static struct metadata *read_metadata(struct counting *k, const struct extent *x)
{
	struct recording *r = &k->source->recording;
	uint64_t offset = x->header.metadata, size;
	struct metadata *m = NULL;
	struct span span;
	struct cursor c;

	if (offset >= CHUNK_HEADER_SIZE && offset < x->size &&
	    look(k, x, x->offset + offset, EVENT_HEAD, &c, NULL) == 0) {
		size = cursor_varint(&c);
		if (cursor_varint(&c) == TYPE_METADATA && !c.bad && size <= x->size - offset &&
		    input_span(&r->in, x->offset + offset, size, false, &span, NULL) == 0) {
			m = metadata_parse(span.bytes, span.len, r->metadata, NULL);
			span_fini(&span);
		}
	}
	return m;
}

/*
 * Could all that was counted be events?  Sizes in damaged bytes lead to others, whose types are seldom
 * those that the chunk declares, nor as long; looking at each event would cost as much as counting.
 */
static bool are_possible(const struct counting *k, const struct metadata *m)
{
	for (uint32_t i = 0; i < k->count; i++) {
		const struct counter *c = &k->rows[i];
		const struct jfrec_type *t;

		if (!c->count || c->row.id <= TYPE_CHECKPOINT)
			continue;
		t = metadata_type(m, c->row.id);
		if (!t || !t->is_event || c->bytes / c->count < plan_of(t)->min_size)
			return false;
	}
	return true;
}

static int pass_over(void *ctx, const struct constant *one)
{
	(void)ctx;
	(void)one;
	return 0;
}

/* Has the checkpoint the constants that it says? */
static bool is_whole(const struct counting *k, const struct metadata *m, const struct place *p,
		     struct pool_blocks *blocks)
{
	struct input *in = &k->source->recording.in;
	struct span span;
	int64_t delta;
	bool ret;

	if (input_span(in, p->offset, p->size, false, &span, NULL) < 0)
		return false;
	ret = span.len == p->size && pools_each_constant(m, span.bytes, span.len, &delta, pass_over,
							 NULL, blocks, NULL) == 0;
	input_give_back(in, &span);
	return ret;
}

static struct met_types counted_types(const struct counting *k)
{
	struct met_types types = { 0 };

	for (uint32_t i = 0; i < k->count; i++) {
		if (k->rows[i].count)
			met_types_add(&types, k->rows[i].row.id);
	}
	return types;
}

/* Where most checkpoints are wrong, a tool wrote them so: damage hits a few. */
#define MOST_HIT 8

static bool are_constants_sound(const struct counting *k, const struct metadata *m)
{
	struct met_types types = counted_types(k);
	struct pool_blocks blocks = { 0 };
	size_t wrong = 0;
	bool ret;

	for (size_t i = 0; i < k->checkpoint_count; i++)
		wrong += !is_whole(k, m, &k->checkpoints[i], &blocks);
	ret = wrong ? wrong > MOST_HIT && wrong > k->checkpoint_count / 2
		    : !strays_possible(m, &blocks, &types);
	free(blocks.items);
	return ret;
}

/* Count a sound chunk. 1; 0 if it is none, and nothing was counted; -1 with *err set. */
static int count_sound(struct counting *k, const struct extent *x, struct jfrec_error *err)
{
	struct metadata *m = x->state == JFREC_TRUNCATED ? NULL : read_metadata(k, x);
	struct recording *r = &k->source->recording;
	struct jfrec_chunk_info info = chunk_info(x, m);
	int counted;

	if (!m || m->doubt) {
		metadata_unref(m);
		return 0;
	}
	metadata_unref(r->metadata);
	r->metadata = m;
	if (declare_types(k, m, x->header.major) < 0)
		return jfrec_fail_memory(err);
	k->checkpoint_count = 0;
	counted = count_events(k, x, err);
	if (counted > 0 && (!are_possible(k, m) || !are_constants_sound(k, m)))
		counted = 0;
	if (counted <= 0)
		drop_counts(k);
	else if (add_chunk_info(k, &info) < 0)
		counted = jfrec_fail_memory(err);
	return counted;
}

/* Count what can be read of a damaged chunk, as printing does. */
static int count_damaged(struct counting *k, const struct extent *x, struct jfrec_error *err)
{
	struct jfrec_chunk_info info = chunk_info(x, NULL);
	struct chunk *chunk;
	struct chunk_walk w;
	struct raw_event e;
	int ret = chunk_load(&k->source->recording, x, &chunk, err);

	if (ret <= 0)
		return ret < 0 || add_chunk_info(k, &info) == 0 ? ret : jfrec_fail_memory(err);
	ret = add_chunk_info(k, &chunk->info);
	if (ret == 0)
		ret = declare_types(k, chunk->metadata, x->header.major);
	w = chunk_walk(chunk);
	while (ret == 0 && chunk_walk_any(&w, &e)) {
		struct cursor payload = event_payload(&e, chunk->end);
		struct counter *row = row_of(k, e.type_id);

		if (row)
			count_event(k, row, e.size, &payload);
		ret = row ? 0 : -1;
	}
	chunk_unref(chunk);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}

static int count_chunk(struct counting *k, const struct extent *x, struct jfrec_error *err)
{
	int counted;

	input_give_back(&k->source->recording.in, &k->window); /* the chunk may be another file's */
	counted = count_sound(k, x, err);
	if (counted == 0)
		counted = count_damaged(k, x, err);
	add_counts(k, x);
	return counted < 0 ? -1 : 0;
}

/* The result
 * --------------------------------------------------------------------------------------- */

static int compare_rows(const void *x, const void *y)
{
	const struct jfrec_type_summary *a = x, *b = y;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->name, b->name);
}

static int name_undeclared(struct counter *c)
{
	if (c->declared)
		return 0;
	return asprintf(&c->owned_name, "%" PRIu64 " (missing event metadata)", c->row.id);
}

struct jfrec_summary {
	size_t chunk_count;
	struct jfrec_chunk_info *chunks;
	size_t type_count;
	struct jfrec_type_summary *types; /* in order */
	size_t longest_name;
};

static struct jfrec_summary *result(struct counting *k)
{
	struct jfrec_summary *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->types = calloc((size_t)k->count + 1, sizeof(*s->types));
	if (!s->types) {
		free(s);
		return NULL;
	}
	for (uint32_t i = 0; i < k->count; i++) {
		if (name_undeclared(&k->rows[i]) < 0) {
			jfrec_summary_free(s);
			return NULL;
		}
		s->types[i] = k->rows[i].row;
		s->types[i].name = k->rows[i].owned_name;
		s->types[i].name_width = utf16_length(s->types[i].name);
		s->types[i].label = k->rows[i].owned_label;
		k->rows[i].owned_name = k->rows[i].owned_label = NULL;
		s->type_count++;
	}
	qsort(s->types, s->type_count, sizeof(*s->types), compare_rows);
	s->chunks = k->chunks;
	s->chunk_count = k->chunk_count;
	s->longest_name = k->longest_name;
	k->chunks = NULL;
	return s;
}

struct jfrec_summary *jfrec_summarize(struct jfrec_reader *r, bool merge_ids,
				      struct jfrec_error *err)
{
	struct chunk_source *source = &r->source;
	struct counting k = { .source = source, .merge_ids = merge_ids };
	struct jfrec_summary *s = NULL;
	int got = 1;

	while (got > 0) {
		got = recording_next(&source->recording, &source->extent, err);
		if (got > 0 && count_chunk(&k, &source->extent, err) < 0)
			got = -1;
	}
	if (got == 0) {
		s = result(&k);
		if (!s)
			jfrec_fail_memory(err);
	}
	for (uint32_t i = 0; i < k.count; i++) {
		free(k.rows[i].owned_name);
		free(k.rows[i].owned_label);
	}
	free(k.rows);
	free(k.chunks);
	free(k.checkpoints);
	span_fini(&k.window);
	idmap_fini(&k.by_id);
	idmap_fini(&k.by_name);
	return s;
}

void jfrec_summary_free(struct jfrec_summary *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->type_count; i++) {
		free((char *)s->types[i].name);
		free((char *)s->types[i].label);
	}
	free(s->types);
	free(s->chunks);
	free(s);
}

size_t jfrec_summary_chunk_count(const struct jfrec_summary *s)
{
	return s->chunk_count;
}

const struct jfrec_chunk_info *jfrec_summary_chunk_get(const struct jfrec_summary *s, size_t i)
{
	return i < s->chunk_count ? &s->chunks[i] : NULL;
}

size_t jfrec_summary_type_count(const struct jfrec_summary *s)
{
	return s->type_count;
}

const struct jfrec_type_summary *jfrec_summary_type_get(const struct jfrec_summary *s, size_t i)
{
	return i < s->type_count ? &s->types[i] : NULL;
}

size_t jfrec_summary_longest_name(const struct jfrec_summary *s)
{
	return s->longest_name;
}
