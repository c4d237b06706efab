/* SPDX-License-Identifier: MIT */
/*
 * summary.c - count the events of each type and their bytes
 *
 * A chunk that turns out to be damaged is counted again with what printing knows of it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/equivalents.h"
#include "format/event_time.h"
#include "read/reader.h"
#include "read/summary_crew.h"

struct counter {
	struct jfrec_type_summary row;
	bool declared;
	char *owned_name, *owned_label;
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
	struct chunk_count one; /* the chunk at hand */
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
	const char *metadata = "jdk.Metadata", *checkpoint = "jdk.Checkpoint";
	char names[2][JDK_NAME_MAX];

	if (!k->merge_ids) {
		idmap_fini(&k->by_id);
		memset(k->small, 0, sizeof(k->small));
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];

		if (t->is_event && declare(k, t->id, t->name, t->label) < 0)
			return -1;
	}
	if (major == 1) {
		metadata = jdk9_name_of(metadata, names[0]);
		checkpoint = jdk9_name_of(checkpoint, names[1]);
	}
	if (declare(k, TYPE_METADATA, metadata, NULL) < 0)
		return -1;
	return declare(k, TYPE_CHECKPOINT, checkpoint, NULL);
}

static int add_chunk_info(struct counting *k, const struct jfrec_chunk_info *info)
{
	if (!array_push(k->chunks, k->chunk_count, k->chunk_room, *info))
		return -1;
	return 0;
}

/* Add what the chunk has to the rows; ticks are its own. */
static int add_found(void *counting, const struct found *f, const struct clock *clock)
{
	struct counting *k = counting;

	if (add_chunk_info(k, &f->info) < 0 ||
	    declare_types(k, f->metadata, f->extent->header.major) < 0)
		return -1;
	source_note_span(k->source, f->metadata, &f->info);
	for (uint32_t i = 0; i < f->row_count; i++) {
		const struct type_count *t = &f->rows[i];
		struct counter *c = row_of(k, t->id);
		int64_t first = clock_time_ns(clock, t->first_ticks);
		int64_t last = clock_time_ns(clock, t->last_ticks);

		if (!c)
			return -1;
		if (c->row.count == 0 || first < c->row.first_ns)
			c->row.first_ns = first;
		if (c->row.count == 0 || last > c->row.last_ns)
			c->row.last_ns = last;
		c->row.count += t->count;
		c->row.bytes += t->bytes;
	}
	return 0;
}

/* Count what can be read of a damaged chunk, as printing does. */
static int count_damaged(struct counting *k, const struct extent *x, struct jfrec_error *err)
{
	struct recording *r = &k->source->recording;
	struct jfrec_chunk_info info = chunk_info(x, NULL);
	struct clock clock;
	struct chunk *chunk;
	struct chunk_walk w;
	struct raw_event e;
	int ret = chunk_load(r, x, &chunk, err);

	if (ret <= 0)
		return ret < 0 || add_chunk_info(k, &info) == 0 ? ret : jfrec_fail_memory(err);
	chunk_measure(chunk);
	chunk_count_begin(&k->one);
	w = chunk_walk(chunk);
	while (ret > 0 && chunk_walk_any(&w, &e)) {
		if (!chunk_count_add(&k->one, e.type_id, e.size, event_payload(&e, chunk->end)))
			ret = -1;
	}
	clock = recording_clock(r, &x->header);
	if (ret > 0)
		ret = add_found(k, &(struct found){ x, chunk->info, chunk->metadata, k->one.rows,
						    k->one.row_count },
				&clock);
	chunk_unref(chunk);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}

static int count_chunk(struct counting *k, const struct extent *x, struct jfrec_error *err)
{
	struct recording *r = &k->source->recording;
	int counted = chunk_count_sound(&k->one, x, err);
	struct clock clock;

	if (counted < 0)
		return -1;
	if (counted == 0)
		return count_damaged(k, x, err);
	/* The next chunk may be damaged, and lack what this one has. */
	metadata_unref(r->metadata);
	r->metadata = metadata_ref(k->one.metadata);
	clock = recording_clock(r, &x->header);
	return add_found(k, &(struct found){ x, chunk_info(x, k->one.metadata), k->one.metadata,
					     k->one.rows, k->one.row_count },
			 &clock) < 0
		       ? jfrec_fail_memory(err)
		       : 0;
}

static int count_in_turn(struct counting *k, struct jfrec_error *err)
{
	struct chunk_source *source = k->source;
	int got;

	while ((got = recording_next(&source->recording, &source->extent, err)) > 0) {
		if (count_chunk(k, &source->extent, err) < 0)
			return -1;
	}
	return got;
}

/* The result ----------------------------------------------------------------------------------- */

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

static void counting_fini(struct counting *k)
{
	for (uint32_t i = 0; i < k->count; i++) {
		free(k->rows[i].owned_name);
		free(k->rows[i].owned_label);
	}
	free(k->rows);
	free(k->chunks);
	chunk_count_fini(&k->one);
	idmap_fini(&k->by_id);
	idmap_fini(&k->by_name);
}

static struct counting counting_new(struct chunk_source *s, bool merge_ids)
{
	return (struct counting){
		.source = s,
		.merge_ids = merge_ids,
		.one = { .recording = &s->recording, .has_times = !merge_ids },
	};
}

struct jfrec_summary *jfrec_summarize(struct jfrec_reader *r, bool merge_ids,
				      struct jfrec_error *err)
{
	struct counting k = counting_new(&r->source, merge_ids);
	struct jfrec_summary *s = NULL;
	int ret = 0;

	if (!count_together(&r->source, !merge_ids, add_found, &k)) {
		counting_fini(&k);
		k = counting_new(&r->source, merge_ids);
		r->source.overlaps = (struct chunk_overlaps){ 0 };
		ret = count_in_turn(&k, err);
	}
	if (ret == 0)
		source_tell_overlaps(&r->source);
	if (ret == 0) {
		s = result(&k);
		if (!s)
			jfrec_fail_memory(err);
	}
	counting_fini(&k);
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
