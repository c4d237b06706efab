/* SPDX-License-Identifier: MIT */
/*
 * chunk_pages.h - which types of events there are where in a chunk
 *
 * A chunk is walked over once when it is loaded, to know that it is sound.  What types were met in
 * each page of it is noted then, so that who wants events of few types steps over most pages.
 */
#ifndef JFREC_FORMAT_CHUNK_PAGES_H
#define JFREC_FORMAT_CHUNK_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/metadata.h"

/* Ids are few and dense, so their lowest bits tell most of them apart. */
struct type_set {
	uint64_t words[4];
};

static inline void type_set_add(struct type_set *s, uint64_t id)
{
	s->words[id >> 6 & 3] |= UINT64_C(1) << (id & 63);
}

/* May it be one of them? */
static inline bool type_set_may_have(const struct type_set *s, uint64_t id)
{
	return s->words[id >> 6 & 3] >> (id & 63) & 1;
}

static inline bool type_sets_meet(const struct type_set *a, const struct type_set *b)
{
	return (a->words[0] & b->words[0]) | (a->words[1] & b->words[1]) |
	       (a->words[2] & b->words[2]) | (a->words[3] & b->words[3]);
}

/* Those of which a chunk has events; of large ids that is not known. */
struct met_types {
	uint64_t words[SMALL_IDS / 64];
};

static inline void met_types_add(struct met_types *m, uint64_t id)
{
	if (id < SMALL_IDS)
		m->words[id / 64] |= UINT64_C(1) << id % 64;
}

static inline bool met_types_have(const struct met_types *m, uint64_t id)
{
	return id >= SMALL_IDS || m->words[id / 64] >> id % 64 & 1;
}

/* The smaller, the fewer other events are beside one; all take a hundredth of the chunk. */
#define CHUNK_PAGE_SIZE (4u << 10)

/* It begins with an event, and ends where the next one begins. */
struct chunk_page {
	uint64_t from; /* in the chunk */
	struct type_set types;
};

struct chunk_pages {
	struct chunk_page *items;
	size_t count, room;
	struct met_types met;
};

/* One that begins at 0 is none.  Without memory there are no pages, which costs time only. */
void chunk_pages_add(struct chunk_pages *pages, const struct chunk_page *page);

#endif
