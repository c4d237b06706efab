/* SPDX-License-Identifier: MIT */
/*
 * account.c - how the time of a request adds up
 *
 * The moments of a request begin and end at edges.  Between two edges the thread did one thing: the
 * first kind, in the order of enum jfrec_trace_kind, of which a moment is open.  Where none is, it
 * ran as long as samples there stand for; what is left is unexplained.
 */
#include "trace/account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/idmap.h"

/* Orders --------------------------------------------------------------------------------------- */

static int by_request_and_time(const void *x, const void *y)
{
	const struct moment *a = x, *b = y;

	if (a->request != b->request)
		return a->request < b->request ? -1 : 1;
	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	if (a->end_ns != b->end_ns)
		return a->end_ns > b->end_ns ? -1 : 1;
	return (a->type > b->type) - (a->type < b->type);
}

static int samples_by_request_and_time(const void *x, const void *y)
{
	const struct ran *a = x, *b = y;

	if (a->request != b->request)
		return a->request < b->request ? -1 : 1;
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

static int fields_by_request(const void *x, const void *y)
{
	const struct told *a = x, *b = y;

	if (a->request != b->request)
		return a->request < b->request ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Two samplers tell of the same time: they are never added. */
static void keep_best_sampler(struct meanwhile *w)
{
	uint8_t best = UINT8_MAX;
	size_t kept = 0;

	for (size_t i = 0; i < w->sample_count; i++)
		best = w->samples[i].rank < best ? w->samples[i].rank : best;
	for (size_t i = 0; i < w->sample_count; i++) {
		if (w->samples[i].rank == best)
			w->samples[kept++] = w->samples[i];
	}
	w->sample_count = kept;
}

void account_prepare(struct meanwhile *w)
{
	keep_best_sampler(w);
	if (w->moment_count)
		qsort(w->moments, w->moment_count, sizeof(*w->moments), by_request_and_time);
	if (w->sample_count)
		qsort(w->samples, w->sample_count, sizeof(*w->samples),
		      samples_by_request_and_time);
	if (w->field_count)
		qsort(w->fields, w->field_count, sizeof(*w->fields), fields_by_request);
}

/* Time ----------------------------------------------------------------------------------------- */

struct edge {
	int64_t at_ns;
	int32_t step; /* 1: something begins; -1: it ends */
	uint32_t kind;
};

static int by_time(const void *x, const void *y)
{
	const struct edge *a = x, *b = y;

	return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

struct sweep {
	const struct request *request;
	struct jfrec_trace_request *to;
	struct edge *edges;
	size_t edge_count;
	const struct ran *samples;
	size_t sample_count, next_sample;
	bool *counts; /* by sample: it was taken where nothing else happened */
	uint64_t open[JFREC_TRACE_KINDS];
	double ran_ns;
};

/* The edges of the moments of kinds, clipped to the request. */
static void make_edges(struct sweep *s, const struct moment *moments, size_t count)
{
	const struct request *r = s->request;

	for (size_t i = 0; i < count; i++) {
		const struct moment *m = &moments[i];
		int64_t begin = m->begin_ns > r->begin_ns ? m->begin_ns : r->begin_ns;
		int64_t end = m->end_ns < r->end_ns ? m->end_ns : r->end_ns;

		if (m->kind >= JFREC_TRACE_RUNNING || end <= begin)
			continue;
		s->to->events[m->kind]++;
		s->edges[s->edge_count++] = (struct edge){ begin, 1, m->kind };
		s->edges[s->edge_count++] = (struct edge){ end, -1, m->kind };
	}
	if (s->edge_count)
		qsort(s->edges, s->edge_count, sizeof(*s->edges), by_time);
}

static unsigned open_kind(const struct sweep *s)
{
	unsigned kind = 0;

	while (kind < JFREC_TRACE_RUNNING && !s->open[kind])
		kind++;
	return kind;
}

/* From one edge to the next, in which the thread did one thing. */
static void pass_time(struct sweep *s, int64_t from_ns, int64_t to_ns)
{
	unsigned kind = open_kind(s);

	if (kind < JFREC_TRACE_RUNNING)
		s->to->ns[kind] += to_ns - from_ns;
	for (; s->next_sample < s->sample_count; s->next_sample++) {
		const struct ran *one = &s->samples[s->next_sample];

		if (one->at_ns >= to_ns)
			break;
		s->counts[s->next_sample] = kind == JFREC_TRACE_RUNNING;
		if (kind != JFREC_TRACE_RUNNING)
			continue;
		s->to->events[kind] += one->samples;
		s->ran_ns += (double)one->ns;
	}
}

/* n samples that stand for a time may be sqrt(n) more or fewer, and one at least. */
static void weigh_running(struct sweep *s)
{
	struct jfrec_trace_request *to = s->to;
	int64_t rest = to->end_ns - to->begin_ns;
	double samples = (double)to->events[JFREC_TRACE_RUNNING];

	for (unsigned i = 0; i < JFREC_TRACE_RUNNING; i++)
		rest -= to->ns[i];
	to->ns[JFREC_TRACE_RUNNING] = s->ran_ns < (double)rest ? (int64_t)s->ran_ns : rest;
	to->unexplained_ns = rest - to->ns[JFREC_TRACE_RUNNING];
	to->error_ns = samples > 0 ? (int64_t)(s->ran_ns / sqrt(samples)) : 0;
}

static void sweep(struct sweep *s)
{
	int64_t at_ns = s->request->begin_ns;

	for (size_t i = 0; i < s->edge_count; i++) {
		const struct edge *e = &s->edges[i];

		if (e->at_ns > at_ns)
			pass_time(s, at_ns, e->at_ns);
		at_ns = e->at_ns;
		s->open[e->kind] += (uint64_t)(int64_t)e->step;
	}
	pass_time(s, at_ns, s->request->end_ns);
	weigh_running(s);
}

/* Methods -------------------------------------------------------------------------------------- */

struct method {
	uint32_t site;
	uint64_t samples;
	int64_t ns;
};

static int by_samples(const void *x, const void *y)
{
	const struct method *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return (a->site > b->site) - (a->site < b->site);
}

static const char *text_of(const struct meanwhile *w, uint32_t name)
{
	return name == NAME_NONE ? NULL : w->names.list[name].text;
}

static int keep_methods(const struct meanwhile *w, struct method *list, size_t count,
			struct arena *arena, struct jfrec_trace_request *to)
{
	struct jfrec_trace_method *methods;

	if (count)
		qsort(list, count, sizeof(*list), by_samples);
	to->method_count = count < TRACE_METHODS_MAX ? count : TRACE_METHODS_MAX;
	to->methods = methods = arena_zalloc(arena, to->method_count + 1, sizeof(*methods));
	for (size_t i = 0; methods && i < to->method_count; i++)
		methods[i] = (struct jfrec_trace_method){ text_of(w, list[i].site), list[i].samples,
							  list[i].ns };
	return methods ? 0 : -1;
}

static int find_methods(const struct meanwhile *w, const struct sweep *s, struct arena *arena)
{
	struct method *list = NULL;
	size_t count = 0, room = 0;
	struct idmap places = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < s->sample_count; i++) {
		const struct ran *one = &s->samples[i];
		uint32_t *place;

		if (!s->counts[i] || one->site == NAME_NONE)
			continue;
		place = idmap_put(&places, one->site, (uint32_t)count);
		if (!place ||
		    (*place == count &&
		     !array_push(list, count, room, (struct method){ one->site, 0, 0 }))) {
			ret = -1;
			break;
		}
		list[*place].samples += one->samples;
		list[*place].ns += one->ns;
	}
	if (ret == 0)
		ret = keep_methods(w, list, count, arena, s->to);
	free(list);
	idmap_fini(&places);
	return ret;
}

/* Spans ---------------------------------------------------------------------------------------- */

static int longest_first(const void *x, const void *y)
{
	const struct moment *const *a = x, *const *b = y;
	uint64_t m = (uint64_t)(*a)->end_ns - (uint64_t)(*a)->begin_ns;
	uint64_t n = (uint64_t)(*b)->end_ns - (uint64_t)(*b)->begin_ns;

	return m != n ? (m < n) - (m > n) : (*a > *b) - (*a < *b);
}

static int as_they_began(const void *x, const void *y)
{
	const struct moment *const *a = x, *const *b = y;

	return (*a > *b) - (*a < *b);
}

/* How many of the spans before it each lies in. */
static void find_depths(struct jfrec_trace_span *spans, size_t count)
{
	int64_t ends[SPAN_DEPTH_MAX];
	unsigned depth = 0;

	for (size_t i = 0; i < count; i++) {
		while (depth && ends[depth - 1] < spans[i].end_ns)
			depth--;
		spans[i].depth = depth;
		if (depth < SPAN_DEPTH_MAX)
			ends[depth++] = spans[i].end_ns;
	}
}

static int keep_spans(const struct meanwhile *w, const struct moment *moments, size_t count,
		      struct arena *arena, struct jfrec_trace_request *to)
{
	const struct moment **list = calloc(count + 1, sizeof(*list));
	struct jfrec_trace_span *spans;

	for (size_t i = 0; list && i < count; i++)
		list[i] = &moments[i];
	to->span_count = count < SPANS_MAX ? count : SPANS_MAX;
	to->spans_left_out = count - to->span_count;
	to->spans = spans = arena_zalloc(arena, to->span_count + 1, sizeof(*spans));
	if (list && spans) {
		if (to->spans_left_out)
			qsort(list, count, sizeof(*list), longest_first);
		qsort(list, to->span_count, sizeof(*list), as_they_began);
		for (size_t i = 0; i < to->span_count; i++)
			spans[i] = (struct jfrec_trace_span){
				.type = text_of(w, list[i]->type),
				.label = text_of(w, list[i]->label),
				.detail = text_of(w, list[i]->detail),
				.site = text_of(w, list[i]->site),
				.kind = (enum jfrec_trace_kind)list[i]->kind,
				.begin_ns = list[i]->begin_ns,
				.end_ns = list[i]->end_ns,
			};
		find_depths(spans, to->span_count);
	}
	free(list);
	return list && spans ? 0 : -1;
}

/* Fields --------------------------------------------------------------------------------------- */

static int keep_fields(const struct meanwhile *w, const struct told *list, size_t count,
		       struct arena *arena, struct jfrec_trace_request *to)
{
	struct jfrec_trace_field *fields = arena_zalloc(arena, count + 1, sizeof(*fields));

	to->fields = fields;
	to->field_count = count;
	for (size_t i = 0; fields && i < count; i++)
		fields[i] = (struct jfrec_trace_field){ text_of(w, list[i].name),
							text_of(w, list[i].text),
							(enum jfrec_kind)list[i].kind,
							list[i].number };
	return fields ? 0 : -1;
}

/* Of an array; where there is nothing, there may be none. */
#define PART(array, first, count) ((count) ? (array) + (first) : NULL)

/* A request ------------------------------------------------------------------------------------ */

static int sweep_request(const struct meanwhile *w, const struct request *r,
			 const struct account_place *from, const struct account_place *to,
			 struct arena *arena, struct jfrec_trace_request *out)
{
	size_t count = to->moment - from->moment;
	struct sweep s = { .request = r, .to = out, .sample_count = to->sample - from->sample };
	int ret = -1;

	s.samples = PART(w->samples, from->sample, s.sample_count);
	s.edges = calloc(2 * count + 1, sizeof(*s.edges));
	s.counts = calloc(s.sample_count + 1, sizeof(*s.counts));
	if (s.edges && s.counts) {
		make_edges(&s, PART(w->moments, from->moment, count), count);
		sweep(&s);
		ret = find_methods(w, &s, arena);
	}
	free(s.edges);
	free(s.counts);
	return ret;
}

int account(const struct meanwhile *w, const struct requests *q, size_t place,
	    struct account_place *next, struct arena *arena, struct jfrec_trace_request *to)
{
	const struct request *r = &q->items[place];
	const struct called *called = &w->called[place];
	struct account_place from = *next;
	size_t moments, fields;

	while (next->moment < w->moment_count && w->moments[next->moment].request == place)
		next->moment++;
	while (next->sample < w->sample_count && w->samples[next->sample].request == place)
		next->sample++;
	while (next->field < w->field_count && w->fields[next->field].request == place)
		next->field++;
	moments = next->moment - from.moment;
	fields = next->field - from.field;
	*to = (struct jfrec_trace_request){ .begin_ns = r->begin_ns, .end_ns = r->end_ns };
	to->type = q->types.list[r->type].text;
	to->label = called->is_known ? text_of(w, called->label) : to->type;
	to->thread = called->is_known ? text_of(w, called->thread) : NULL;
	if (keep_spans(w, PART(w->moments, from.moment, moments), moments, arena, to) < 0 ||
	    keep_fields(w, PART(w->fields, from.field, fields), fields, arena, to) < 0)
		return -1;
	return sweep_request(w, r, &from, next, arena, to);
}
