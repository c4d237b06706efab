/* SPDX-License-Identifier: MIT */
/*
 * groups.c - the groups of GROUP BY, by their keys
 */
#include "query/groups.h"

#include "query/list.h"

static bool grow(struct groups *g, struct arena *a)
{
	uint32_t size = g->index_size ? g->index_size * 2 : 16;
	uint32_t *index = arena_zalloc(a, size, sizeof(*index));

	if (!index)
		return false;
	for (uint32_t n = 0; n < g->count; n++) {
		uint32_t i = (uint32_t)value_spread(&g->items[n].key) & (size - 1);

		while (index[i])
			i = (i + 1) & (size - 1);
		index[i] = n + 1;
	}
	g->index = index;
	g->index_size = size;
	return true;
}

/* Without GROUP BY there is but one, and events of a thread or a site often come in rows. */
static inline bool is_latest(const struct groups *g, const struct value *key)
{
	const struct value *latest = g->count ? &g->items[g->latest].key : NULL;

	if (!latest || latest->kind != key->kind)
		return false;
	return key->kind == VALUE_NULL ||
	       (key->kind == VALUE_OBJECT && latest->object == key->object);
}

struct group *groups_get(struct groups *g, const struct value *key, unsigned cells, struct arena *a)
{
	struct group *items;
	uint32_t i;

	if (is_latest(g, key)) {
		g->seen_again = true;
		return &g->items[g->latest];
	}
	if (g->count * 2 >= g->index_size && !grow(g, a))
		return NULL;
	i = (uint32_t)value_spread(key) & (g->index_size - 1);
	for (; g->index[i]; i = (i + 1) & (g->index_size - 1)) {
		if (value_is_same(&g->items[g->index[i] - 1].key, key)) {
			g->seen_again = true;
			g->latest = g->index[i] - 1;
			return &g->items[g->latest];
		}
	}
	items = list_more(a, g->items, g->count, sizeof(*items));
	if (!items)
		return NULL;
	g->items = items;
	items[g->count] = (struct group){ *key, arena_zalloc(a, cells + 1, sizeof(struct cell)) };
	if (!items[g->count].cells)
		return NULL;
	g->seen_again = false;
	g->latest = g->count;
	g->index[i] = ++g->count;
	return &items[g->latest];
}

/*
 * Java's order ---------------------------------------------------------------------------------
 *
 * Buckets are chains.  As groups are looked up with computeIfAbsent(), the
 * table doubles before a look-up, once it has more entries than 3/4 of its
 * buckets, and a new entry goes to the head of its chain.
 */

struct java_map {
	uint32_t *heads; /* number + 1 */
	uint32_t *nexts;
	uint32_t *hashes;
	uint32_t size, count;
};

#define FEW_BUCKETS 64
#define LONG_CHAIN  7

/* Part each chain by the next bit of the hash; both keep their order. */
static bool java_double(struct java_map *m, struct arena *a)
{
	uint32_t size = m->size * 2;
	uint32_t *heads = arena_zalloc(a, size, sizeof(*heads));
	uint32_t *tails = arena_zalloc(a, size, sizeof(*tails));

	if (!heads || !tails)
		return false;
	for (uint32_t i = 0; i < m->size; i++) {
		for (uint32_t n = m->heads[i], next; n; n = next) {
			uint32_t to = m->hashes[n - 1] & (size - 1);

			next = m->nexts[n - 1];
			m->nexts[n - 1] = 0;
			if (tails[to])
				m->nexts[tails[to] - 1] = n;
			else
				heads[to] = n;
			tails[to] = n;
		}
	}
	m->heads = heads;
	m->size = size;
	return true;
}

/* What each look-up begins with. */
static bool java_look_up(struct java_map *m, struct arena *a)
{
	return m->count <= m->size / 4 * 3 || java_double(m, a);
}

static bool java_insert(struct java_map *m, uint32_t n, struct arena *a)
{
	uint32_t i = m->hashes[n] & (m->size - 1), length = 0;

	for (uint32_t at = m->heads[i]; at; at = m->nexts[at - 1])
		length++;
	m->nexts[n] = m->heads[i];
	m->heads[i] = n + 1;
	m->count++;
	if (length >= LONG_CHAIN && m->size < FEW_BUCKETS)
		return java_double(m, a);
	return true;
}

uint32_t *groups_java_order(const struct groups *g, struct arena *a)
{
	struct java_map m = {
		.heads = arena_zalloc(a, 16, sizeof(uint32_t)),
		.nexts = arena_zalloc(a, g->count + 1, sizeof(uint32_t)),
		.hashes = arena_zalloc(a, g->count + 1, sizeof(uint32_t)),
		.size = 16,
	};
	uint32_t *order = arena_alloc(a, (g->count + (size_t)1) * sizeof(*order)), count = 0;
	bool ok = m.heads && m.nexts && m.hashes && order;

	for (uint32_t i = 0; i < g->count && ok; i++) {
		uint32_t h = (uint32_t)value_java_hash(&g->items[i].key);

		m.hashes[i] = h ^ h >> 16;
		ok = java_look_up(&m, a) && java_insert(&m, i, a);
	}
	if (ok && g->seen_again)
		ok = java_look_up(&m, a);
	for (uint32_t i = 0; i < m.size && ok; i++) {
		for (uint32_t n = m.heads[i]; n; n = m.nexts[n - 1])
			order[count++] = n - 1;
	}
	return ok ? order : NULL;
}
