/* SPDX-License-Identifier: MIT */
/*
 * idmap.h - map 64-bit ids to small consecutive numbers
 *
 * Ids of recordings are sparse and chosen by the producer, so no array can be
 * sized by them.
 */
#ifndef JFREC_BASE_IDMAP_H
#define JFREC_BASE_IDMAP_H

#include <stdbool.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap_slot {
	uint64_t id;
	uint32_t value; /* IDMAP_NONE: empty */
};

/* All zero is an empty map. */
struct idmap {
	struct idmap_slot *slots;
	uint32_t count;
	uint32_t mask; /* slots - 1, a power of two less one */
	uint8_t shift; /* 64 - log2(slots) */
};

/* Spread by the golden ratio: neighbouring ids, and ids with low zeros, part well. */
static inline uint32_t idmap_home(const struct idmap *m, uint64_t id)
{
	return (uint32_t)((id * 0x9e3779b97f4a7c15u) >> m->shift);
}

/* Ask for the memory in which idmap_get() will look. */
static inline void idmap_prefetch(const struct idmap *m, uint64_t id)
{
	if (m->slots)
		__builtin_prefetch(&m->slots[idmap_home(m, id)]);
}

static inline uint32_t idmap_get(const struct idmap *m, uint64_t id)
{
	if (!m->slots)
		return IDMAP_NONE;
	for (uint32_t i = idmap_home(m, id);; i = (i + 1) & m->mask) {
		const struct idmap_slot *s = &m->slots[i];

		if (s->id == id || s->value == IDMAP_NONE)
			return s->value;
	}
}

/*
 * The place of the id's value, for reading and changing; a new id gets
 * `value`, which must not be IDMAP_NONE.  NULL when memory is gone.
 */
uint32_t *idmap_put(struct idmap *m, uint64_t id, uint32_t value);

/* Make room for so many ids at once.  False when memory is gone: the map is as it was. */
bool idmap_reserve(struct idmap *m, uint32_t count);

void idmap_fini(struct idmap *m);

#endif
