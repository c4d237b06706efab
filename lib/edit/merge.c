/* SPDX-License-Identifier: MIT */
/*
 * merge.c - merge recordings into one
 *
 * Finished chunks are copied untouched, since joining recordings is joining
 * their bytes.  The rest of this file is about chunks that this is not enough
 * for: cut by time, never finished, there twice, or of another JVM.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/options.h"
#include "edit/copy.h"
#include "edit/repack.h"
#include "format/spool.h"

/* A finished chunk that ended so long before is not even looked at. */
#define SLACK_NS INT64_C(60000000000)

struct merge {
	struct chunk_source *source;
	const struct jfrec_merge_options *options;
	struct jfrec_output *out;
	struct jfrec_merged *report;
	struct pieces pieces;
	struct jvm_groups jvms;
	struct pack pack;
	struct chunk_writer writer;
	struct rewrite how;
	struct clock clock; /* of the first chunk */
	uint64_t done;	    /* bytes */
};

/* Choosing events ------------------------------------------------------------------------------ */

static bool touches_span(void *ctx, const struct jfrec_event *ev)
{
	const struct jfrec_merge_options *o = ctx;
	const struct plan *plan = plan_of(ev->type);
	int64_t start = 0, end;

	if (plan->start_step != PLAN_NO_STEP)
		start = (int64_t)ev->slots[plan->start_step];
	end = start;
	if (plan->duration_step != PLAN_NO_STEP)
		end = long_add(end, (int64_t)ev->slots[plan->duration_step]);
	return (!o->from_ns || clock_time_ns(&ev->chunk->clock, end) >= *o->from_ns) &&
	       (!o->to_ns || clock_time_ns(&ev->chunk->clock, start) < *o->to_ns);
}

static bool is_cut(const struct merge *m)
{
	return m->options->from_ns || m->options->to_ns;
}

/* Did everything in it end before the span? */
static bool is_outside(const struct merge *m, const struct piece *p)
{
	return m->options->from_ns && p->extent.state == JFREC_FINISHED &&
	       p->extent.header.duration_ns > 0 &&
	       piece_end_ns(p) < long_subtract(*m->options->from_ns, SLACK_NS);
}

/* What can be done without writing events anew. */
enum check {
	CHECK_NOTHING, /* no event stays */
	CHECK_SOME,    /* some do, or the chunk is damaged */
	CHECK_ALL,     /* all do, and it is whole */
};

static enum check look_at(struct merge *m, struct chunk *c, bool is_whole)
{
	const atomic_int *stop = source_stop_flag(m->source);
	uint64_t told = source_problem_count(m->source), kept = 0;
	struct jfrec_event e = event_in(source_room(m->source), c);
	struct chunk_walk walk = chunk_walk(c);
	bool all = is_whole && header_is_whole(&c->extent.header);

	while (!*stop && chunk_walk_next(&walk, &e.raw, &e.type)) {
		if (chunk_decode(c, e.type, &e.raw, e.slots) &&
		    (!m->how.selects || m->how.selects(m->how.ctx, &e)))
			kept++;
		else
			all = false;
	}
	chunk_tell_end(c);
	all = all && told == source_problem_count(m->source);
	return all ? CHECK_ALL : kept ? CHECK_SOME : CHECK_NOTHING;
}

/* Writing -------------------------------------------------------------------------------------- */

static int rewrite(struct merge *m, struct chunk *c, struct jfrec_error *err)
{
	/* Its problems were reported when it was looked at. */
	struct source_quiet before = source_quiet(m->source);
	struct tally tally = { 0 };
	int ret;

	ret = rewrite_chunk(m->source, c, &m->how, &m->writer, m->out, &tally, err);
	source_loud(m->source, &before);
	tally_fini(&tally);
	m->report->rewritten += ret > 0;
	m->report->written += ret > 0;
	m->report->left_out += ret == 0;
	return ret < 0 ? -1 : 0;
}

static int copy(struct merge *m, const struct extent *x, struct jfrec_error *err)
{
	m->report->written++;
	if (x->state == JFREC_FINISHED) {
		m->report->copied++;
		return copy_chunk(source_recording(m->source), x, m->out, err);
	}
	m->report->completed++;
	return copy_finished(source_recording(m->source), x, m->out, err);
}

static int pack(struct merge *m, struct chunk *c, const struct piece *p, struct jfrec_error *err)
{
	bool added;

	m->pack.clock = p->jvm ? &m->clock : NULL;
	if (pack_add(&m->pack, c, &m->jvms.items[p->jvm], p->jvm, &m->how, &added, err) < 0)
		return -1;
	m->report->packed += added;
	m->report->left_out += !added;
	return m->options->compact ? 0 : pack_end(&m->pack, err);
}

/* Of one file the chunks are in a deliberate order: that is left as it is. */
static bool is_one_file(const struct merge *m)
{
	return source_recording(m->source)->path_count == 1 && !m->options->compact;
}

static bool is_packed(const struct merge *m, const struct piece *p)
{
	return m->options->compact || (p->jvm > 0 && !m->options->plain && !is_one_file(m));
}

static int write_loaded(struct merge *m, struct chunk *c, const struct piece *p, bool is_whole,
			struct jfrec_error *err)
{
	enum check check;

	if (!m->options->plain)
		c->clock = jvm_clock(&m->jvms.items[p->jvm], &p->extent.header);
	if (is_packed(m, p))
		return pack(m, c, p, err);
	check = look_at(m, c, is_whole);
	if (source_check_stop(m->source, err) < 0)
		return -1;
	if (check == CHECK_ALL)
		return copy(m, &p->extent, err);
	if (check == CHECK_SOME)
		return rewrite(m, c, err);
	m->report->left_out++;
	return 0;
}

/* The chunk before one that is cut off may lend it its types; print reads it, too. */
static int read_neighbour(struct merge *m, const struct piece *p, struct jfrec_error *err)
{
	struct recording *rec = source_recording(m->source);
	struct source_quiet before = source_quiet(m->source);
	int ret = 0;

	for (size_t i = 0; i < m->pieces.count && ret == 0; i++) {
		const struct piece *other = &m->pieces.items[i];
		struct chunk *c;

		if (other->path != p->path ||
		    other->extent.offset + other->extent.size != p->extent.offset)
			continue;
		rec->has_clock = false;
		ret = chunk_load(rec, &other->extent, &c, err);
		chunk_unref(c);
	}
	source_loud(m->source, &before);
	return ret < 0 ? -1 : 0;
}

static int load_and_write(struct merge *m, const struct piece *p, struct jfrec_error *err)
{
	struct recording *rec = source_recording(m->source);
	uint64_t told = source_problem_count(m->source);
	struct chunk *c;
	int ret;

	if (p->extent.state != JFREC_FINISHED && read_neighbour(m, p, err) < 0)
		return -1;
	ret = chunk_load(rec, &p->extent, &c, err);

	if (ret == 0)
		m->report->left_out++;
	if (ret <= 0)
		return ret;
	ret = write_loaded(m, c, p, told == source_problem_count(m->source), err);
	chunk_unref(c);
	return ret;
}

static int write_piece(struct merge *m, const struct piece *p, struct jfrec_error *err)
{
	struct recording *rec = source_recording(m->source);

	if (is_outside(m, p)) {
		m->report->left_out++;
		return 0;
	}
	if (recording_visit(rec, p->path, err) < 0)
		return -1;
	if (!is_cut(m) && !is_packed(m, p) && p->extent.state == JFREC_FINISHED &&
	    header_is_whole(&p->extent.header) && chunk_is_sound(rec, &p->extent))
		return copy(m, &p->extent, err);
	return load_and_write(m, p, err);
}

static int write_pieces(struct merge *m, struct jfrec_error *err)
{
	for (size_t i = 0; i < m->pieces.count; i++) {
		if (write_piece(m, &m->pieces.items[i], err) < 0)
			return -1;
		m->done += m->pieces.items[i].extent.size;
		source_progress_of(m->source, m->done, m->report->bytes, 0);
	}
	return pack_end(&m->pack, err);
}

/* Different JVMs ------------------------------------------------------------------------------- */

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

/* Say where the chunks of another JVM are, and how long both ran. */
static void tell_jvm(struct merge *m, uint32_t number)
{
	struct recording *rec = source_recording(m->source);
	const struct jvm *first = &m->jvms.items[0], *j = &m->jvms.items[number];
	int64_t start = j->first.extent.header.start_ns;
	int64_t end = j->end_ns < first->end_ns ? j->end_ns : first->end_ns;
	char overlap[64] = "";

	if (end > start)
		snprintf(overlap, sizeof(overlap), ", which it overlaps by %.1f s",
			 seconds(end - start));
	rec->problems.input = rec->paths[j->first.path];
	problem_notice(&rec->problems, j->first.extent.offset, 0,
		       "comes from another JVM than the first recording%s; its types get new ids "
		       "and its times are converted to the clock of the first, so that the JDK's "
		       "tool shows both correctly",
		       overlap);
}

static int by_jvm(const void *x, const void *y)
{
	const struct piece *a = x, *b = y;
	int64_t one = a->extent.header.start_ns, other = b->extent.header.start_ns;

	if (a->jvm != b->jvm)
		return a->jvm < b->jvm ? -1 : 1;
	if (one != other)
		return one < other ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int prepare_jvms(struct merge *m, struct jfrec_error *err)
{
	if (m->options->plain)
		return 0;
	if (jvm_groups_find(&m->jvms, &m->pieces, m->source, err) < 0)
		return -1;
	m->report->jvms = m->jvms.count;
	m->clock = m->jvms.items[0].clock;
	for (uint32_t i = 1; i < m->jvms.count && !is_one_file(m); i++)
		tell_jvm(m, i);
	/* Chunks of one JVM only can be packed together. */
	if (m->options->compact)
		qsort(m->pieces.items, m->pieces.count, sizeof(*m->pieces.items), by_jvm);
	for (size_t i = 0; i < m->pieces.count && m->jvms.count > 1; i++) {
		const struct piece *p = &m->pieces.items[i];

		if (!is_packed(m, p) &&
		    pack_reserve_start(&m->pack, p->extent.header.start_ns, err) < 0)
			return -1;
	}
	return 0;
}

/* All together --------------------------------------------------------------------------------- */

static int choose_pieces(struct merge *m, struct jfrec_error *err)
{
	struct chunk_source *s = m->source;
	int64_t duplicates;

	if (pieces_find(&m->pieces, s, err) < 0)
		return -1;
	/* All files were read to the end; from now on they are visited. */
	input_close(&source_recording(s)->in);
	m->report->chunks = m->pieces.count;
	for (size_t i = 0; i < m->pieces.count; i++)
		m->report->bytes += m->pieces.items[i].extent.size;
	if (!is_one_file(m) || m->options->max_size)
		pieces_sort(&m->pieces);
	duplicates = pieces_drop_duplicates(&m->pieces, s, err);
	if (duplicates < 0)
		return -1;
	m->report->duplicates = (size_t)duplicates;
	m->report->left_out += pieces_drop_oldest(&m->pieces, m->options);
	if (m->pieces.count == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "there is no chunk");
	return 0;
}

static int merge(struct merge *m, struct jfrec_error *err)
{
	struct recording *rec = source_recording(m->source);

	output_stop_at(m->out, source_stop_flag(m->source));
	if (copy_check_inputs(rec, m->out, err) < 0 || spool_streams(rec, m->out->path, err) < 0 ||
	    choose_pieces(m, err) < 0 || prepare_jvms(m, err) < 0 || write_pieces(m, err) < 0)
		return -1;
	m->report->written += m->pack.written;
	m->report->bytes_written = output_at(m->out);
	if (m->report->written == 0)
		return jfrec_fail(err, JFREC_ENOEVENT, JFREC_NO_OFFSET,
				  "no event is left to write");
	return 0;
}

void jfrec_merged_free(struct jfrec_merged *m)
{
	free(m);
}

struct jfrec_merged *jfrec_write_merged(struct jfrec_reader *r,
					const struct jfrec_merge_options *given,
					struct jfrec_output *o, struct jfrec_error *err)
{
	struct jfrec_merge_options options;
	struct merge m = { .options = &options, .out = o };
	int ret;

	if (options_take(&options, sizeof(options), given, err) < 0)
		return NULL;
	m.report = calloc(1, sizeof(*m.report));
	if (!m.report) {
		jfrec_fail_memory(err);
		return NULL;
	}
	m.source = reader_source(r);
	m.pack = (struct pack){ .source = m.source, .out = o, .writer = &m.writer };
	if (is_cut(&m))
		m.how = (struct rewrite){ .selects = touches_span, .ctx = &options };
	ret = merge(&m, err);
	output_stop_at(o, NULL);
	pack_fini(&m.pack);
	jvm_groups_fini(&m.jvms);
	pieces_fini(&m.pieces);
	chunk_writer_fini(&m.writer);
	if (ret == 0)
		return m.report;
	free(m.report);
	return NULL;
}
