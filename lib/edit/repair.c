/* SPDX-License-Identifier: MIT */
/*
 * repair.c - make a valid recording from a damaged one
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "edit/copy.h"
#include "edit/rewrite.h"

struct jfrec_repaired {
	size_t chunk_count;
	struct jfrec_repaired_chunk *chunks;
	size_t row_count;
	struct jfrec_edit_row *rows;
};

struct repair {
	struct chunk_source *source;
	struct jfrec_output *out;
	struct jfrec_repaired *report;
	size_t chunk_room;
	struct tally tally;
	struct chunk_writer writer;
	uint64_t events; /* so far */
};

static struct jfrec_repaired_chunk *add_chunk(struct repair *p, const struct extent *x)
{
	struct jfrec_repaired *report = p->report;
	struct jfrec_repaired_chunk *c;

	if (!array_reserve(report->chunks, report->chunk_count, p->chunk_room))
		return NULL;
	c = &report->chunks[report->chunk_count];
	*c = (struct jfrec_repaired_chunk){
		.input = strdup(source_problems(p->source)->input),
		.info = chunk_info(x, NULL),
		.promised = x->header.size,
		.fate = JFREC_LOST,
	};
	if (!c->input)
		return NULL;
	report->chunk_count++;
	return c;
}

/* Looking -------------------------------------------------------------------------------------- */

static void see_event(struct jfrec_repaired_chunk *seen, const struct jfrec_event *e)
{
	int64_t start = jfrec_event_start_ns(e);
	int64_t end = long_add(start, jfrec_event_duration_ns(e));

	if (seen->events == 0 || start < seen->first_ns)
		seen->first_ns = start;
	if (seen->events == 0 || end > seen->last_ns)
		seen->last_ns = end;
	seen->events++;
}

/* Look at every event.  False if some of the chunk cannot be read. */
static bool look_at_events(struct repair *p, struct chunk *c, const uint32_t *rows,
			   struct jfrec_repaired_chunk *seen)
{
	const atomic_int *stop = source_stop_flag(p->source);
	uint64_t told = source_problem_count(p->source);
	struct jfrec_event e = event_in(source_room(p->source), c);
	struct chunk_walk walk = chunk_walk(c);
	bool fits = true;

	while (!*stop && chunk_walk_next(&walk, &e.raw, &e.type)) {
		struct jfrec_edit_row *row = &p->tally.rows[rows[e.type->index]];

		if (!chunk_decode(c, e.type, &e.raw, e.slots)) {
			row->unreadable++;
			fits = false;
			continue;
		}
		row->kept++;
		row->kept_bytes += e.raw.size;
		see_event(seen, &e);
	}
	chunk_tell_end(c);
	return fits && told == source_problem_count(p->source);
}

/* Writing -------------------------------------------------------------------------------------- */

/* Its problems were reported when it was examined. */
static int rewrite_quietly(struct repair *p, struct chunk *c, struct jfrec_error *err)
{
	static const struct rewrite keep_all;
	struct source_quiet before = source_quiet(p->source);
	struct tally again = { 0 };
	int ret;

	ret = rewrite_chunk(p->source, c, &keep_all, &p->writer, p->out, &again, err);
	tally_fini(&again);
	source_loud(p->source, &before);
	return ret;
}

static int write_chunk(struct repair *p, struct chunk *c, bool is_whole,
		       struct jfrec_repaired_chunk *seen, struct jfrec_error *err)
{
	const struct extent *x = &c->extent;

	if (is_whole && x->state == JFREC_FINISHED) {
		seen->fate = JFREC_COPIED;
		return copy_chunk(source_recording(p->source), x, p->out, err);
	}
	if (seen->events == 0)
		return 0;
	if (is_whole && x->state == JFREC_UNFINISHED) {
		seen->fate = JFREC_COMPLETED;
		return copy_finished(source_recording(p->source), x, p->out, err);
	}
	seen->fate = JFREC_REWRITTEN;
	return rewrite_quietly(p, c, err) < 0 ? -1 : 0;
}

static int repair_loaded(struct repair *p, struct chunk *c, bool is_whole,
			 struct jfrec_repaired_chunk *seen, struct jfrec_error *err)
{
	uint32_t *rows = tally_rows(&p->tally, c->metadata);

	if (!rows)
		return jfrec_fail_memory(err);
	seen->info = c->info;
	is_whole =
		look_at_events(p, c, rows, seen) && is_whole && header_is_whole(&c->extent.header);
	free(rows);
	if (source_check_stop(p->source, err) < 0)
		return -1;
	return write_chunk(p, c, is_whole, seen, err);
}

static int repair_chunk(struct repair *p, const struct extent *x, struct jfrec_error *err)
{
	uint64_t told = source_problem_count(p->source);
	struct jfrec_repaired_chunk *seen = add_chunk(p, x);
	struct chunk *c;
	int ret;

	if (!seen)
		return jfrec_fail_memory(err);
	ret = chunk_load(source_recording(p->source), x, &c, err);
	if (ret <= 0)
		return ret;
	ret = repair_loaded(p, c, told == source_problem_count(p->source), seen, err);
	chunk_unref(c);
	p->events += seen->events;
	source_progress(p->source, p->events);
	return ret;
}

static int repair_all(struct repair *p, struct jfrec_error *err)
{
	int got = copy_check_inputs(source_recording(p->source), p->out, err) < 0 ? -1 : 1;
	struct extent x;

	output_stop_at(p->out, source_stop_flag(p->source));
	while (got > 0 && (got = source_find(p->source, &x, err)) > 0) {
		if (repair_chunk(p, &x, err) < 0)
			got = -1;
	}
	if (got == 0 && output_at(p->out) == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "no chunk could be recovered%s",
				  source_recording(p->source)->given_count
					  ? ""
					  : "; --types-from with a recording of the same JVM may help");
	return got;
}

struct jfrec_repaired *jfrec_write_repaired(struct jfrec_reader *r, struct jfrec_output *o,
					    struct jfrec_error *err)
{
	struct repair p = {
		.source = reader_source(r), .out = o, .report = calloc(1, sizeof(*p.report))
	};
	int ret = p.report ? repair_all(&p, err) : jfrec_fail_memory(err);

	output_stop_at(o, NULL);
	chunk_writer_fini(&p.writer);
	tally_finish(&p.tally);
	if (p.report) {
		p.report->rows = p.tally.rows;
		p.report->row_count = p.tally.count;
		p.tally = (struct tally){ .by_name = p.tally.by_name };
	}
	tally_fini(&p.tally);
	if (ret == 0)
		return p.report;
	jfrec_repaired_free(p.report);
	return NULL;
}

void jfrec_repaired_free(struct jfrec_repaired *repair)
{
	if (!repair)
		return;
	for (size_t i = 0; i < repair->chunk_count; i++)
		free((char *)repair->chunks[i].input);
	for (size_t i = 0; i < repair->row_count; i++)
		free((char *)repair->rows[i].name);
	free(repair->chunks);
	free(repair->rows);
	free(repair);
}

size_t jfrec_repaired_chunk_count(const struct jfrec_repaired *repair)
{
	return repair->chunk_count;
}

const struct jfrec_repaired_chunk *jfrec_repaired_chunk_get(const struct jfrec_repaired *repair,
							    size_t i)
{
	return i < repair->chunk_count ? &repair->chunks[i] : NULL;
}

size_t jfrec_repaired_row_count(const struct jfrec_repaired *repair)
{
	return repair->row_count;
}

const struct jfrec_edit_row *jfrec_repaired_row_get(const struct jfrec_repaired *repair, size_t i)
{
	return i < repair->row_count ? &repair->rows[i] : NULL;
}
