/* SPDX-License-Identifier: MIT */
/*
 * redact_cache.c - remember how each text was redacted
 */
#include "scrub/redact_cache.h"
#include "base/array.h"

#include <stdlib.h>

/* Then it begins anew. */
#define MAX_BYTES (8u << 20)
#define MAX_COUNT (64u << 10)

/* Long texts are not repeated much. */
#define MAX_KEY (4u << 10)

bool redact_cache_takes(const struct buffer *key)
{
	return !key->failed && key->len <= MAX_KEY;
}

static struct digest digest_of(const struct buffer *key)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, key->data, key->len);
	return d;
}

struct redact_cache_entry *redact_cache_find(const struct redact_cache *m,
					     const struct buffer *key)
{
	struct redact_cache_entry *e;
	uint64_t at;

	if (m->count == 0 || !redact_cache_takes(key))
		return NULL;
	at = digest_map_get(&m->known, digest_of(key));
	if (!at || at > m->count)
		return NULL;
	e = &m->entries[at - 1];
	/* Digests can be contrived to be equal; secrets must not slip through by that. */
	return e->key_len == key->len && memcmp(m->bytes.data + e->key, key->data, key->len) == 0
		       ? e
		       : NULL;
}

static bool has_room(struct redact_cache *m)
{
	if (m->bytes.len > MAX_BYTES || m->count == MAX_COUNT)
		redact_cache_clear(m);
	if (!array_reserve(m->entries, m->count, m->room))
		return false;
	return true;
}

void redact_cache_add(struct redact_cache *m, const struct buffer *key, struct redact_cache_entry e,
		      const struct buffer *now)
{
	struct redact_cache_entry *known = now ? NULL : redact_cache_find(m, key);
	uint64_t *at;

	if (known) { /* in an earlier round it stayed as well */
		known->round = m->round;
		return;
	}
	if (!redact_cache_takes(key) || (now && now->failed) || !has_room(m))
		return;
	at = digest_map_put(&m->known, digest_of(key));
	if (!at)
		return;
	e.key = m->bytes.len;
	e.key_len = key->len;
	buffer_put(&m->bytes, key->data, key->len);
	e.now = m->bytes.len;
	e.now_len = now ? now->len : 0;
	if (now)
		buffer_put(&m->bytes, now->data, now->len);
	e.changed = now != NULL;
	e.round = m->round;
	m->entries[m->count++] = e;
	*at = m->count;
	/* Without memory nothing is known; the map's values must not stay 0. */
	if (m->bytes.failed)
		redact_cache_fini(m);
}

void redact_cache_clear(struct redact_cache *m)
{
	digest_map_clear(&m->known);
	m->count = 0;
	buffer_clear(&m->bytes);
}

void redact_cache_fini(struct redact_cache *m)
{
	digest_map_fini(&m->known);
	free(m->entries);
	buffer_fini(&m->bytes);
	*m = (struct redact_cache){ 0 };
}
