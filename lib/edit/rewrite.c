/* SPDX-License-Identifier: MIT */
/*
 * rewrite.c - write a chunk again with some of its events
 */
#include "edit/rewrite.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/mark.h"

/* A constant that has another value now. */
struct replaced {
	size_t at, len; /* in job.values */
};

/* What becomes of the events of a type. */
struct fate {
	uint32_t row; /* of the tally */
	bool drop;    /* all of them */
	bool look;    /* at each one's bytes */
	bool decode;  /* each one */
	bool replace;
};

struct job {
	struct chunk_source *source;
	struct chunk *chunk;
	const struct rewrite *how;
	struct chunk_writer *writer;
	struct jfrec_output *out;
	struct tally *tally;
	struct fate *fates; /* by the index of the type */
	struct marks marks;
	struct jfrec_event event;
	bool begun;
	/* Events that stay and lie side by side, to be written at once. */
	const uint8_t *run, *run_end;
	struct buffer event_bytes, metadata_bytes; /* of replacements */
	/* Constants that were replaced, by type index << 32 | entry. */
	struct idmap replaced_at;
	struct replaced *replaced;
	size_t replaced_count, replaced_room;
	struct buffer values;
	struct jfrec_error *err;
};

/* Events --------------------------------------------------------------------------------------- */

static void begin(struct job *j)
{
	if (j->begun)
		return;
	chunk_writer_begin(j->writer, j->out, &j->chunk->extent.header);
	if (j->marks.string)
		chunk_writer_strings(j->writer, j->marks.string->id);
	j->begun = true;
}

static void end_run(struct job *j)
{
	if (j->run != j->run_end)
		chunk_writer_event(j->writer, j->run, (size_t)(j->run_end - j->run));
	j->run = j->run_end;
}

/* Add an event to the output; what it refers to is marked elsewhere. */
static void add_event(struct job *j, const struct raw_event *e)
{
	if (e->start != j->run_end || !j->begun) {
		begin(j);
		end_run(j);
		j->run = e->start;
	}
	j->run_end = e->start + e->size;
}

static void write_event(struct job *j, const struct raw_event *e)
{
	add_event(j, e);
	marks_event(&j->marks, j->event.type, j->event.slots, e->start + e->size);
}

/* Put a replacement in the place of the event; it must be a whole one of its type. */
static int write_replacement(struct job *j)
{
	struct cursor at = cursor_over(j->event_bytes.data, j->event_bytes.len), payload;
	const struct plan *plan = plan_of(j->event.type);
	struct raw_event e;

	if (j->event_bytes.failed)
		return jfrec_fail_memory(j->err);
	if (walk_next(&at, &e) != 1 || cursor_left(&at) || e.type_id != j->event.raw.type_id)
		return jfrec_fail(j->err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a replacement is not an event of type "
				  "%.80s",
				  j->event.type->name);
	payload = (struct cursor){ .pos = e.payload, .end = e.start + e.size };
	if (!plan_decode(plan, &payload, j->event.slots) || cursor_left(&payload))
		return jfrec_fail(j->err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a replacement of type %.80s has other fields",
				  j->event.type->name);
	write_event(j, &e);
	end_run(j); /* its bytes are the next one's */
	return 0;
}

static int keep_event(struct job *j, const struct fate *fate)
{
	int replaced = 0;

	if (fate->replace || j->how->no_tails) {
		buffer_clear(&j->event_bytes);
		replaced = j->how->replace(j->how->ctx, &j->event, &j->event_bytes, j->err);
	}
	if (replaced == 0)
		write_event(j, &j->event.raw);
	return replaced <= 0 ? replaced : write_replacement(j);
}

static int drop_event(struct jfrec_edit_row *row, const struct jfrec_event *e)
{
	row->dropped++;
	row->dropped_bytes += e->raw.size;
	return 0;
}

static void count_kept(struct jfrec_edit_row *row, const struct jfrec_event *e)
{
	row->kept++;
	row->kept_bytes += e->raw.size;
}

static bool stays_unread(const struct job *j, const struct fate *fate)
{
	const struct rewrite *how = j->how;

	return !fate->decode || (!how->selects && how->leaves &&
				 how->leaves(how->ctx, j->event.type, &j->event.raw));
}

static int take_event(struct job *j)
{
	struct jfrec_event *e = &j->event;
	const struct fate *fate = &j->fates[e->type->index];
	struct jfrec_edit_row *row = &j->tally->rows[fate->row];
	const struct rewrite *how = j->how;

	if (fate->drop || (fate->look && !how->selects_raw(how->ctx, e->type, &e->raw, e->slots)))
		return drop_event(row, e);
	/* What is not read need not be decoded. */
	if (stays_unread(j, fate) && marks_scan(&j->marks, e->type, &e->raw) &&
	    !(how->no_tails && j->marks.scan_end != e->raw.start + e->raw.size)) {
		count_kept(row, e);
		add_event(j, &e->raw);
		return 0;
	}
	if (!chunk_decode(j->chunk, e->type, &e->raw, e->slots)) {
		row->unreadable++;
		return 0;
	}
	if (how->selects && !how->selects(how->ctx, e))
		return drop_event(row, e);
	count_kept(row, e);
	return keep_event(j, fate);
}

/* How many events go by between two looks at the stop flag. */
#define STEP 4096

static int take_events(struct job *j)
{
	struct chunk_walk walk = chunk_walk(j->chunk);
	struct event_room *room = source_room(j->source);
	unsigned n = 0;

	while (chunk_walk_next(&walk, &j->event.raw, &j->event.type)) {
		if (++n % STEP == 0 && source_check_stop(j->source, j->err) < 0)
			return -1;
		if (take_event(j) < 0)
			return -1;
		event_room_clear(room);
	}
	return 0;
}

/* Constants ------------------------------------------------------------------------------------ */

/* The bytes of a constant as it is in the chunk. */
static struct cursor value_of(const struct job *j, uint32_t type, uint32_t entry)
{
	const struct jfrec_type *t = &j->chunk->metadata->types[type];
	const uint8_t *value = pool_entry(&j->chunk->pools, t, entry)->value;
	struct cursor c = { .pos = value, .end = j->chunk->end };

	plan_skip(plan_of(t), &c);
	return (struct cursor){ .pos = value, .end = c.pos };
}

static int keep_replaced(struct job *j, struct mark_place place, size_t at)
{
	uint64_t id = (uint64_t)place.type << 32 | place.entry;

	if (!array_reserve(j->replaced, j->replaced_count, j->replaced_room))
		return jfrec_fail_memory(j->err);
	if (j->values.failed || !idmap_put(&j->replaced_at, id, (uint32_t)j->replaced_count))
		return jfrec_fail_memory(j->err);
	j->replaced[j->replaced_count++] = (struct replaced){ at, j->values.len - at };
	return 0;
}

/* Set *c to the value that is to be written. */
static int replace_constant(struct job *j, struct mark_place place, struct cursor *c)
{
	const struct jfrec_type *t = &j->chunk->metadata->types[place.type];
	uint64_t key = pool_entry(&j->chunk->pools, t, place.entry)->key;
	size_t at = j->values.len;
	struct cursor whole;
	int replaced = j->how->replace_constant(j->how->ctx, t, key, c->pos, cursor_left(c),
						&j->values, j->err);

	if (replaced <= 0)
		return replaced;
	if (keep_replaced(j, place, at) < 0)
		return -1;
	*c = whole = cursor_over(j->values.data + at, j->values.len - at);
	if (!plan_skip(plan_of(t), &whole) || cursor_left(&whole))
		return jfrec_fail(j->err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a replacement is not a constant of type %.80s", t->name);
	return 0;
}

static int follow_marks(struct job *j)
{
	struct mark_place place;

	while (marks_next(&j->marks, &place)) {
		struct cursor c = value_of(j, place.type, place.entry);

		if (j->how->replace_constant && replace_constant(j, place, &c) < 0)
			return -1;
		marks_value(&j->marks, plan_of(&j->chunk->metadata->types[place.type]), &c);
	}
	return j->marks.failed ? jfrec_fail_memory(j->err) : 0;
}

static bool next_added(const struct job *j, const struct jfrec_type *t, size_t i,
		       struct added_constant *added)
{
	return j->how->added && j->how->added(j->how->ctx, t, i, added);
}

/* What is added may refer to what nothing else does. */
static void mark_added(struct job *j, const struct jfrec_type *t)
{
	struct added_constant added;

	for (size_t i = 0; next_added(j, t, i, &added); i++) {
		struct cursor c = cursor_over(added.value, added.len);

		marks_value(&j->marks, plan_of(t), &c);
	}
}

static int follow_references(struct job *j)
{
	marks_frame_types(&j->marks);
	if (follow_marks(j) < 0)
		return -1;
	for (uint32_t i = 0; j->how->added && i < j->chunk->metadata->type_count; i++)
		mark_added(j, &j->chunk->metadata->types[i]);
	return follow_marks(j);
}

static void write_constant(struct job *j, const struct jfrec_type *t, uint32_t entry)
{
	struct cursor c = value_of(j, t->index, entry);
	uint32_t i = idmap_get(&j->replaced_at, (uint64_t)t->index << 32 | entry);

	if (i != IDMAP_NONE)
		c = cursor_over(j->values.data + j->replaced[i].at, j->replaced[i].len);
	chunk_writer_constant(j->writer, t->id, pool_entry(&j->chunk->pools, t, entry)->key, c.pos,
			      cursor_left(&c));
}

static void write_added(struct job *j, const struct jfrec_type *t)
{
	struct added_constant added;

	for (size_t i = 0; next_added(j, t, i, &added); i++)
		chunk_writer_constant(j->writer, t->id, added.key, added.value, added.len);
}

static void write_constants(struct job *j)
{
	for (uint32_t i = 0; i < j->chunk->metadata->type_count; i++) {
		const struct pool *pool = pool_at(&j->chunk->pools, i);

		for (uint32_t k = 0; j->marks.bits[i] && k < pool->count; k++) {
			if (marks_has(&j->marks, i, k))
				write_constant(j, &j->chunk->metadata->types[i], k);
		}
		write_added(j, &j->chunk->metadata->types[i]);
	}
}

/* All together --------------------------------------------------------------------------------- */

static struct fate fate_of(const struct rewrite *how, const struct jfrec_type *t)
{
	struct fate f = {
		.drop = how->selects_type && !how->selects_type(how->ctx, t),
		.look = how->selects_raw && !(how->selects_all && how->selects_all(how->ctx, t)),
		.replace = how->replace && (!how->replaces_type || how->replaces_type(how->ctx, t)),
	};

	f.decode = how->selects || f.replace;
	return f;
}

/* 0, or -1 when memory is gone. */
static int find_fates(struct job *j)
{
	const struct metadata *m = j->chunk->metadata;
	uint32_t *rows = tally_rows(j->tally, m);

	j->fates = calloc((size_t)m->type_count + 1, sizeof(*j->fates));
	for (uint32_t i = 0; rows && j->fates && i < m->type_count; i++) {
		j->fates[i] = fate_of(j->how, &m->types[i]);
		j->fates[i].row = rows[i];
	}
	free(rows);
	return rows && j->fates ? 0 : -1;
}

static int write_metadata(struct job *j)
{
	const struct metadata *m = j->chunk->metadata;
	int64_t ticks = j->chunk->extent.header.start_ticks;
	int replaced = 0;

	if (j->how->replace_metadata)
		replaced = j->how->replace_metadata(j->how->ctx, m, &j->metadata_bytes, j->err);
	if (replaced < 0)
		return -1;
	if (replaced)
		chunk_writer_metadata(j->writer, ticks, j->metadata_bytes.data,
				      j->metadata_bytes.len);
	else
		chunk_writer_metadata(j->writer, ticks, m->content, m->used_len);
	return 0;
}

static int write_chunk(struct job *j)
{
	if (find_fates(j) < 0 || marks_init(&j->marks, j->chunk) < 0)
		return jfrec_fail_memory(j->err);
	if (take_events(j) < 0)
		return -1;
	end_run(j);
	chunk_tell_end(j->chunk);
	if (j->how->even_empty)
		begin(j);
	if (!j->begun)
		return 0;
	if (follow_references(j) < 0)
		return -1;
	write_constants(j);
	if (write_metadata(j) < 0)
		return -1;
	return chunk_writer_end(j->writer, j->err) < 0 ? -1 : 1;
}

int rewrite_chunk(struct chunk_source *s, struct chunk *c, const struct rewrite *how,
		  struct chunk_writer *w, struct jfrec_output *out, struct tally *tally,
		  struct jfrec_error *err)
{
	struct job j = {
		.source = s,
		.chunk = c,
		.how = how,
		.writer = w,
		.out = out,
		.tally = tally,
		.event = event_in(source_room(s), c),
		.err = err,
	};
	int ret = write_chunk(&j);

	marks_fini(&j.marks);
	idmap_fini(&j.replaced_at);
	buffer_fini(&j.event_bytes);
	buffer_fini(&j.metadata_bytes);
	buffer_fini(&j.values);
	free(j.replaced);
	free(j.fates);
	return ret;
}
