/* SPDX-License-Identifier: MIT */
/*
 * pool_writer.c - collect and write the constants of one type
 */
#include "write/pool_writer.h"

uint64_t new_pool_key(struct new_pool *p, struct digest d, bool *is_new)
{
	uint64_t *key = digest_map_put(&p->keys, d);

	*is_new = key && !*key;
	if (*is_new)
		*key = ++p->last_key;
	return key ? *key : 0;
}

uint64_t new_pool_keep_key(struct new_pool *p, struct digest d, uint64_t key, bool *is_new)
{
	uint64_t *known = digest_map_put(&p->keys, d);

	*is_new = known && !*known;
	if (*is_new && key < 64 && !(p->kept >> key & 1)) {
		p->kept |= UINT64_C(1) << key;
		*known = key + 1;
	} else if (*is_new) {
		*known = 64 + ++p->last_key;
	}
	return known ? *known : 0;
}

void new_pool_add(struct new_pool *p, uint64_t key, const void *value, size_t len)
{
	buffer_varint(&p->records, key);
	buffer_varint(&p->records, len);
	buffer_put(&p->records, value, len);
}

uint64_t new_pool_intern(struct new_pool *p, const void *value, size_t len)
{
	struct digest d = DIGEST_INIT;
	bool is_new;
	uint64_t key;

	digest_bytes(&d, value, len);
	key = new_pool_key(p, d, &is_new);
	if (is_new)
		new_pool_add(p, key, value, len);
	return p->records.failed ? 0 : key;
}

void new_pool_write(struct new_pool *p, struct chunk_writer *w)
{
	struct cursor c = { 0 };

	if (p->records.len)
		c = cursor_over(p->records.data, p->records.len);
	while (cursor_left(&c)) {
		uint64_t key = cursor_varint(&c), len = cursor_varint(&c);

		chunk_writer_constant(w, p->type_id, key, cursor_take(&c, len), len);
	}
	buffer_clear(&p->records);
	digest_map_clear(&p->keys);
	p->kept = 0;
}

void new_pool_fini(struct new_pool *p)
{
	digest_map_fini(&p->keys);
	buffer_fini(&p->records);
}
