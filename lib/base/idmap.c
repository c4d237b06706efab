/* SPDX-License-Identifier: MIT */
/*
 * idmap.c - map 64-bit ids to small consecutive numbers
 *
 * Open addressing, linear probing, at most half full.
 */
#include "base/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/huge.h"

static uint32_t *place(struct idmap *m, uint64_t id, uint32_t value)
{
	uint32_t i = idmap_home(m, id);

	while (m->slots[i].value != IDMAP_NONE && m->slots[i].id != id)
		i = (i + 1) & m->mask;
	if (m->slots[i].value == IDMAP_NONE) {
		m->slots[i] = (struct idmap_slot){ .id = id, .value = value };
		m->count++;
	}
	return &m->slots[i].value;
}

static bool resize(struct idmap *m, uint64_t size)
{
	struct idmap bigger = { .mask = (uint32_t)(size - 1) };

	if (size > UINT32_MAX)
		return false;
	bigger.shift = (uint8_t)(64 - __builtin_ctzll(size));
	bigger.slots = malloc(size * sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	huge_pages(bigger.slots, size * sizeof(*bigger.slots));
	memset(bigger.slots, 0xff, size * sizeof(*bigger.slots));
	for (uint64_t i = 0; m->slots && i <= m->mask; i++) {
		if (m->slots[i].value != IDMAP_NONE)
			place(&bigger, m->slots[i].id, m->slots[i].value);
	}
	free(m->slots);
	*m = bigger;
	return true;
}

static bool grow(struct idmap *m)
{
	return resize(m, m->slots ? ((uint64_t)m->mask + 1) * 2 : 16);
}

bool idmap_reserve(struct idmap *m, uint32_t count)
{
	uint64_t size = m->slots ? (uint64_t)m->mask + 1 : 16;

	while (size / 2 < count)
		size *= 2;
	return (m->slots && size == (uint64_t)m->mask + 1) || resize(m, size);
}

uint32_t *idmap_put(struct idmap *m, uint64_t id, uint32_t value)
{
	if ((!m->slots || m->count > m->mask / 2) && !grow(m))
		return NULL;
	return place(m, id, value);
}

void idmap_fini(struct idmap *m)
{
	free(m->slots);
	*m = (struct idmap){ 0 };
}
