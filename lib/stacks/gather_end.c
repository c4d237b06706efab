/* SPDX-License-Identifier: MIT */
/*
 * gather_end.c - the rows of one chunk, as weighted stacks
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "read/label_spans.h"
#include "stacks/chains.h"
#include "stacks/classify.h"
#include "stacks/coarsen.h"
#include "stacks/gather_parts.h"

/* PATH_NONE: memory is gone. */
static uint32_t step(struct gathered_chunk *out, uint32_t from, uint32_t frame)
{
	return from == PATH_NONE || frame == FRAME_NONE ? PATH_NONE
							: paths_step(&out->paths, from, frame);
}

/* jfrconv shows classes of allocations outside of a buffer as it shows kernel frames. */
static enum frame_kind leaf_kind(const struct gather *g, const struct taker *k, bool is_outside)
{
	if (!g->gathering->naming.is_jfrconv)
		return FRAME_CLASS;
	if (is_outside)
		return FRAME_KERNEL;
	if (k->source->value_from != VALUE_FIELD || strcmp(k->source->value, "tlabSize") == 0 ||
	    strcmp(k->source->type, "profiler.LiveObject") == 0)
		return FRAME_INLINED;
	return FRAME_KERNEL;
}

/* Of an object its class. */
static uint32_t leaf_frame(struct gather *g, const struct taker *k, const struct row_key *of)
{
	uint64_t key = of->leaf;
	const struct jfrec_type *type = k->leaf_type;

	if (k->leaf_is_text)
		return (uint32_t)(key - 1);
	if (object_field(type, "type") && !object_field(type, "name")) {
		struct object o = object_constant(&g->traces.objects, type, key);
		const struct jfrec_field *f = object_field(type, "type");

		if (!object_key(o, "type", &key))
			key = 0;
		type = f->type;
	}
	return traces_class_frame(&g->traces, type, key, leaf_kind(g, k, row_is_outside(of)));
}

/* A trace is walked over once, however many rows it has that begin alike. */
static uint32_t step_over_trace(struct gather *g, struct gathered_chunk *out, uint32_t from,
				const struct trace *t)
{
	uint32_t *end = idmap_put(&g->ends, (uint64_t)from << 32 | t->number, PATH_NONE - 1);

	if (from == PATH_NONE || !end)
		return PATH_NONE;
	if (*end != PATH_NONE - 1)
		return *end;
	for (uint32_t i = t->count; i > 0; i--)
		from = step(out, from, t->frames[i - 1]);
	return *end = from;
}

/* In place of the stack trace that a row lacks. */
static uint32_t note_frame(struct gather *g, const struct row *r)
{
	return traces_note_frame(&g->traces, row_is_failed(&r->key) ? "[failed sample]" : "[no stack]");
}

/* jfrconv multiplies where the JDK divides: some sums differ by one nanosecond. */
static int64_t duration_ns(const struct gather *g, int64_t ticks)
{
	int64_t rate = g->chunk->extent.header.ticks_per_second;

	if (g->gathering->naming.is_jfrconv && rate > 0)
		return rate == 1000000000 ? ticks
					  : double_to_long((double)ticks * (1e9 / (double)rate));
	return clock_span_ns(&g->chunk->clock, ticks);
}

/* A weight with its value in the profile's unit. */
static struct weight scaled(const struct gather *g, const struct taker *k, struct weight w)
{
	switch (k->source->value_from) {
	case VALUE_PERIOD:
		w.value = periods_value(&g->periods, k->type, k->source->value, w.samples);
		break;
	case VALUE_DURATION:
		if (g->gathering->naming.is_jfrconv)
			w.value = duration_ns(g, w.value);
		break;
	case VALUE_FIELD:
		if (g->gathering->naming.is_jfrconv && k->timespan)
			w.value = periods_span_ns(&g->chunk->clock, k->timespan, w.value);
		break;
	case VALUE_TICKS:
		break;
	default:
		w.value = 0;
	}
	return w;
}

static int push_row(struct gathered_chunk *out, struct gathered row)
{
	return row.end != PATH_NONE && array_push(out->rows, out->row_count, out->row_room, row)
		       ? 0
		       : -1;
}

/* What keeps an object alive, and its class. Without a chain there is nothing to show. */
static int end_kept(struct gather *g, struct gathered_chunk *out, const struct row *r)
{
	const struct taker *k = &g->takers[row_taker(&r->key)];
	struct gathered row = { .kind = k->kind, .rank = k->source->rank, .weight = r->weight };
	struct holder chain[CHAIN_MAX];
	uint32_t n = chain_get(&g->traces, k->stack_type, r->key.stack, k->root_type, r->key.leaf,
			       chain);

	if (!n)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		row.end = step(out, row.end, chain[i].frame);
	if (chain[n - 1].class != FRAME_NONE)
		row.end = step(out, row.end, chain[n - 1].class);
	return push_row(out, row);
}

static uint32_t label_frame(struct gather *g, uint32_t label)
{
	return traces_note_frame(&g->traces, label == NO_LABEL
						     ? "[none]"
						     : source_label_text(g->source, label));
}

/* The path of a row: its label, its thread, what that was doing, the trace, the class. */
static uint32_t end_of(struct gather *g, struct gathered_chunk *out, const struct row *r,
		       const struct trace *trace)
{
	const struct taker *k = &g->takers[row_taker(&r->key)];
	uint32_t at = PATH_ROOT;

	if (g->source)
		at = step(out, at, label_frame(g, row_label(&r->key)));
	if (g->gathering->with_threads && k->thread != NO_STEP)
		at = step(out, at, traces_thread_frame(&g->traces, k->thread_type, r->key.thread));
	if (g->gathering->with_category && trace)
		at = step(out, at, classify(&g->traces, trace));
	at = trace ? step_over_trace(g, out, at, trace) : step(out, at, note_frame(g, r));
	if (r->key.leaf && k->source->leaf)
		at = step(out, at, leaf_frame(g, k, &r->key));
	return at;
}

static int end_row(struct gather *g, struct gathered_chunk *out, const struct row *r)
{
	const struct taker *k = &g->takers[row_taker(&r->key)];
	struct doubts *d = &out->doubts[k->kind];
	struct gathered row = { .kind = k->kind, .rank = k->source->rank };
	struct trace trace = { 0 };
	bool has_trace = !k->source->kept &&
			 traces_get(&g->traces, k->stack_type, r->key.stack, &trace);

	if (k->source->kept)
		return end_kept(g, out, r);
	/* Of leaks, what weighs nothing yet is kept: its frames may be wanted. */
	if (g->gathering->grain > 0 && !r->weight.samples &&
	    !g->gathering->kinds[k->kind]->is_leaks)
		return 0;
	row.weight = scaled(g, k, r->weight);
	row.is_stackless = !has_trace;
	d->failed += row_is_failed(&r->key) ? r->weight.samples : 0;
	d->truncated += trace.is_truncated ? r->weight.samples : 0;
	d->stackless += !has_trace && !row_is_failed(&r->key) ? r->weight.samples : 0;
	if (!has_trace && g->gathering->drops_stackless)
		return 0;
	row.end = end_of(g, out, r, has_trace ? &trace : NULL);
	return push_row(out, row);
}

/* What moments are turned into samples with. */
struct weighing {
	const struct gather *gather;
	const uint32_t *numbers; /* of the rows, as they are now */
	struct weight *so_far;	 /* by row: as the field has it */
	struct weight *before;	 /* by row: what its samples weigh */
	struct sample_list *to;
};

static int weigh_moment(void *ctx, const struct sample *m)
{
	const struct weighing *g = ctx;
	uint32_t row = m->place;
	struct weight *before = &g->before[row], w;

	weight_add(&g->so_far[row], m->weight);
	w = scaled(g->gather, &g->gather->takers[row_taker(&g->gather->rows[row].key)],
		   g->so_far[row]);
	if (g->numbers[row] != NODE_NONE &&
	    sample_list_add(g->to, (struct sample){
				       clock_time_ns(&g->gather->chunk->clock, m->time),
				       { w.samples - before->samples,
					 long_subtract(w.value, before->value) },
				       g->numbers[row],
			       }) < 0)
		return -1;
	*before = w;
	return 0;
}

/*
 * From moments to samples. What a sample weighs is the difference that it made to its row, so that
 * rounding makes no sum of samples differ from the row.
 */
static int end_samples(struct gather *g, struct gathered_chunk *out, const uint32_t *numbers)
{
	struct weighing w = { .gather = g, .numbers = numbers, .to = &out->samples };
	int ret = -1;

	w.so_far = calloc((size_t)g->row_count + 1, sizeof(*w.so_far));
	w.before = calloc((size_t)g->row_count + 1, sizeof(*w.before));
	if (w.so_far && w.before)
		ret = sample_list_each(&g->moments, weigh_moment, &w);
	free(w.so_far);
	free(w.before);
	sample_list_fini(&g->moments);
	return ret;
}

/* What scales the times of rows to the profile's unit. */
struct rescaling {
	const struct gather *gather;
	const uint32_t *numbers; /* of the rows, as they are now */
	struct times *to;
};

static int rescale(void *ctx, int64_t at_ns, uint32_t row, int64_t weight)
{
	const struct rescaling *r = ctx;
	const struct gather *g = r->gather;
	const struct taker *k = &g->takers[row_taker(&g->rows[row].key)];
	bool counts = g->gathering->counts || g->units[k->kind] == UNIT_SAMPLES;

	if (r->numbers[row] == NODE_NONE)
		return 0;
	if (!counts)
		weight = scaled(g, k, (struct weight){ (uint64_t)weight, weight }).value;
	return times_add(r->to, at_ns, r->numbers[row], weight);
}

static int end_times(struct gather *g, struct gathered_chunk *out, const uint32_t *numbers)
{
	struct rescaling r = { g, numbers, &out->times };

	out->times.most_spans = g->gathering->most_spans;
	return times_each(&g->times, rescale, &r);
}

/* Each row; *numbers: what number each has got, or NODE_NONE. */
static int end_rows(struct gather *g, struct gathered_chunk *out, uint32_t *numbers)
{
	for (uint32_t i = 0; i < g->row_count; i++) {
		size_t before = out->row_count;

		if (end_row(g, out, &g->rows[i]) < 0)
			return -1;
		numbers[i] = out->row_count > before ? (uint32_t)before : NODE_NONE;
	}
	return 0;
}

/* Fewer samples. With totals jfrconv prints values, of samples, too. */
static int coarsen_rows(struct gather *g)
{
	struct coarse_row *rows = calloc((size_t)g->row_count + 1, sizeof(*rows));
	int ret = rows ? 0 : -1;

	for (uint32_t i = 0; i < g->row_count && ret == 0; i++) {
		const struct row *r = &g->rows[i];
		const struct taker *k = &g->takers[row_taker(&r->key)];
		bool is_allocation =
			k->source->leaf && leaf_kind(g, k, row_is_outside(&r->key)) == FRAME_KERNEL;

		rows[i] = (struct coarse_row){ (int32_t)r->key.stack, (int32_t)r->key.thread,
					       (int32_t)r->key.leaf, is_allocation, r->weight };
		if (g->units[k->kind] == UNIT_SAMPLES)
			rows[i].weight.value = (int64_t)r->weight.samples;
	}
	if (ret == 0)
		ret = coarsen(rows, g->row_count, g->gathering->grain);
	for (uint32_t i = 0; i < g->row_count && ret == 0; i++) {
		struct row *r = &g->rows[i];

		r->weight = rows[i].weight;
		if (!g->gathering->counts &&
		    g->units[g->takers[row_taker(&r->key)].kind] == UNIT_SAMPLES)
			r->weight.samples = (uint64_t)r->weight.value;
	}
	free(rows);
	return ret;
}

static int end_blocks(struct gather *g, struct gathered_chunk *out, const uint32_t *numbers)
{
	if (!g->blocks.count)
		return 0;
	if (block_list_settle(&g->blocks) < 0)
		return -1;
	for (size_t i = 0; i < g->blocks.count; i++) {
		struct block *b = &g->blocks.list[i];

		b->row = b->row == NODE_NONE ? NODE_NONE : numbers[b->row];
	}
	out->blocks = g->blocks;
	g->blocks = (struct block_list){ 0 };
	return 0;
}

static void end_firsts(struct gather *g, struct gathered_chunk *out, const uint32_t *numbers)
{
	first_samples_settle(&g->firsts);
	for (size_t i = 0; i < g->firsts.count; i++) {
		struct first_sample *one = &g->firsts.list[i];

		one->place = numbers[one->place];
		one->at = clock_time_ns(&g->chunk->clock, one->at);
	}
	out->firsts = g->firsts;
	g->firsts = (struct first_samples){ 0 };
}

int gather_end(struct gather *g, struct gathered_chunk *out)
{
	uint32_t *numbers = calloc((size_t)g->row_count + 1, sizeof(*numbers));
	int ret = -1;

	*out = (struct gathered_chunk){ 0 };
	out->doubts = calloc(g->gathering->kind_count + 1, sizeof(*out->doubts));
	if (numbers && out->doubts && (g->gathering->grain <= 0 || coarsen_rows(g) == 0) &&
	    end_rows(g, out, numbers) == 0 && end_blocks(g, out, numbers) == 0)
		ret = g->gathering->with_times ? end_samples(g, out, numbers)
					   : end_times(g, out, numbers);
	if (numbers)
		end_firsts(g, out, numbers);
	out->units = g->units;
	out->has_unit = g->has_unit;
	g->units = NULL;
	g->has_unit = NULL;
	out->markers = g->marking.list;
	g->marking.list = (struct marker_list){ 0 };
	free(numbers);
	for (uint32_t i = 0; out->doubts && i < g->gathering->kind_count; i++)
		out->doubts[i].data_loss = g->data_loss;
	for (uint32_t i = 0; ret == 0 && i < g->taker_count; i++) {
		if (strcmp(g->takers[i].source->type, g->lost_samples) == 0) {
			out->doubts[g->takers[i].kind].lost = g->lost_count;
			break;
		}
	}
	return g->traces.is_out_of_memory ? -1 : ret;
}

void gathered_fini(struct gathered_chunk *c)
{
	free(c->rows);
	paths_fini(&c->paths);
	sample_list_fini(&c->samples);
	marker_list_fini(&c->markers);
	free(c->doubts);
	free(c->units);
	free(c->has_unit);
	times_fini(&c->times);
	block_list_fini(&c->blocks);
	first_samples_fini(&c->firsts);
	*c = (struct gathered_chunk){ 0 };
}
