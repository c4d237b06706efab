/* SPDX-License-Identifier: MIT */
/*
 * chunk_jvms.c - which chunks are of one JVM, so that a thread's id means the same in them
 */
#include "read/chunk_jvms.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"

void chunk_jvms_fini(struct chunk_jvms *j)
{
	free(j->clocks);
	idmap_fini(&j->by_file);
	idmap_fini(&j->by_start);
	idmap_fini(&j->by_end);
	*j = (struct chunk_jvms){ 0 };
}

static uint64_t hash_of_file(const struct chunk *c)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, c->name, c->name ? strlen(c->name) : 0);
	return d.a;
}

static int64_t end_of(const struct chunk_header *h)
{
	return long_add(h->start_ns, h->duration_ns);
}

/* The JVM of that entry, if its clock is the chunk's; else IDMAP_NONE. */
static uint32_t candidate(const struct chunk_jvms *j, const struct idmap *by, uint64_t id,
			  const struct chunk_header *h)
{
	uint32_t number = idmap_get(by, id);

	return number != IDMAP_NONE && clock_agrees(&j->clocks[number], h) ? number : IDMAP_NONE;
}

static uint32_t known_number(const struct chunk_jvms *j, uint64_t file,
			     const struct chunk_header *h)
{
	uint32_t number = candidate(j, &j->by_start, (uint64_t)h->start_ns, h);

	if (number == IDMAP_NONE)
		number = candidate(j, &j->by_file, file, h);
	if (number == IDMAP_NONE)
		number = candidate(j, &j->by_end, (uint64_t)h->start_ns, h);
	return number;
}

static bool note(struct idmap *by, uint64_t id, uint32_t number)
{
	uint32_t *at = idmap_put(by, id, number);

	if (at)
		*at = number;
	return at != NULL;
}

uint32_t chunk_jvms_number(struct chunk_jvms *j, const struct chunk *c)
{
	const struct chunk_header *h = &c->extent.header;
	uint64_t file = hash_of_file(c);
	uint32_t number = known_number(j, file, h);

	if (number == IDMAP_NONE) {
		number = (uint32_t)j->count;
		if (number == IDMAP_NONE || !array_push(j->clocks, j->count, j->room, clock_of(h)))
			return IDMAP_NONE;
	}
	return note(&j->by_start, (uint64_t)h->start_ns, number) &&
			       note(&j->by_file, file, number) &&
			       note(&j->by_end, (uint64_t)end_of(h), number)
		       ? number
		       : IDMAP_NONE;
}
