/* SPDX-License-Identifier: MIT */
/*
 * trace.c - the slowest requests, and what their threads did meanwhile
 *
 *	requests_find() --> meanwhile_read() --> account() of each
 */
#include <stdlib.h>

#include "base/error.h"
#include "read/chunk_source.h"
#include "trace/account.h"

/* What the caller gets, and the memory that it points into. */
struct trace_memory {
	struct jfrec_trace trace; /* first: it is what is freed */
	struct requests requests;
	struct meanwhile meanwhile;
	struct arena arena;
};

void jfrec_trace_free(struct jfrec_trace *t)
{
	struct trace_memory *m = (struct trace_memory *)t;

	if (!m)
		return;
	requests_fini(&m->requests);
	meanwhile_fini(&m->meanwhile);
	arena_fini(&m->arena);
	free(m);
}

static int slowest_first(const void *x, const void *y)
{
	const struct jfrec_trace_request *a = x, *b = y;
	uint64_t m = (uint64_t)a->end_ns - (uint64_t)a->begin_ns;
	uint64_t n = (uint64_t)b->end_ns - (uint64_t)b->begin_ns;

	if (m != n)
		return m < n ? 1 : -1;
	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

/* 0, or -1 when memory is gone. */
static int account_all(struct trace_memory *m)
{
	struct account_place next = { 0 };
	size_t count = m->requests.count;
	struct jfrec_trace_request *list = arena_zalloc(&m->arena, count + 1, sizeof(*list));

	if (!list)
		return -1;
	account_prepare(&m->meanwhile);
	for (size_t i = 0; i < count; i++) {
		if (account(&m->meanwhile, &m->requests, i, &next, &m->arena, &list[i]) < 0)
			return -1;
	}
	qsort(list, count, sizeof(*list), slowest_first);
	m->trace = (struct jfrec_trace){
		.requests = list,
		.count = count,
		.found = m->requests.found,
		.inner = m->requests.inner,
		.without_thread = m->requests.without_thread,
		.left_out = m->meanwhile.left_out,
	};
	if (m->meanwhile.sample_count)
		m->trace.sampler = m->meanwhile.names.list[m->meanwhile.samples[0].type].text;
	return 0;
}

struct jfrec_trace *jfrec_trace_read(struct jfrec_reader *r, const struct jfrec_trace_options *o,
				     struct jfrec_error *err)
{
	struct trace_memory *m = calloc(1, sizeof(*m));

	if (!m) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (source_spool(reader_source(r), err) == 0 &&
	    requests_find(&m->requests, r, o, err) == 0 &&
	    meanwhile_read(&m->meanwhile, &m->requests, r, err) == 0) {
		if (account_all(m) == 0)
			return &m->trace;
		jfrec_fail_memory(err);
	}
	jfrec_trace_free(&m->trace);
	return NULL;
}
