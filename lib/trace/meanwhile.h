/* SPDX-License-Identifier: MIT */
/*
 * meanwhile.h - the second pass: what happened while the requests ran
 */
#ifndef JFREC_TRACE_MEANWHILE_H
#define JFREC_TRACE_MEANWHILE_H

#include "trace/requests.h"

/* Something that happened in a request.  Texts are numbers in the names, or NAME_NONE. */
struct moment {
	int64_t begin_ns, end_ns;
	uint32_t request; /* its place among them */
	uint32_t type, label, detail, site;
	uint8_t kind; /* enum jfrec_trace_kind */
};

/* A sample in a request. */
struct ran {
	int64_t at_ns, ns; /* when, and the time it stands for */
	uint64_t samples;
	uint32_t request, site, type;
	uint8_t rank; /* of its source (sources.h): only those of the lowest count */
};

/* A field of a request. */
struct told {
	uint32_t request, place; /* among its fields */
	uint32_t name, text;
	uint8_t kind; /* enum jfrec_kind */
	int64_t number;
};

/* What a request is called: numbers in the names, or NAME_NONE. */
struct called {
	uint32_t type, label, thread;
	bool is_known;
};

/* Of more moments, or samples, the shortest are left out. */
#define MOMENTS_MAX ((size_t)1 << 20)

/* Of more texts, those that come later are "other". */
#define NAMES_MAX (1u << 17)

/* All zero is nothing. */
struct meanwhile {
	struct name_set names;
	struct moment *moments;
	size_t moment_count, moment_room;
	struct ran *samples;
	size_t sample_count, sample_room;
	struct told *fields;
	size_t field_count, field_room;
	struct called *called; /* by request */
	uint64_t left_out;
};

/* 0, or -1 with *err set: as source_each_chunk_again(); fini() it in any case. */
int meanwhile_read(struct meanwhile *w, const struct requests *q, struct jfrec_reader *r,
		   struct jfrec_error *err);
void meanwhile_fini(struct meanwhile *w);

#endif
