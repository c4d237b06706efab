/* SPDX-License-Identifier: MIT */
/*
 * redact_collect.c - the first pass: collect what is secret
 */
#include <stdlib.h>

#include "base/error.h"
#include "scrub/encoded.h"
#include "scrub/redact.h"

/* Each secret has some ten other forms: of more secrets they are not looked for. */
#define MAX_ENCODED 100000

static int collect_event(struct redactor *r, struct jfrec_event *ev, struct jfrec_error *err)
{
	if (!redact_touches(r, ev->type) || redact_leaves(r, ev->type, &ev->raw) ||
	    !chunk_decode(r->chunk, ev->type, &ev->raw, ev->slots))
		return 0;
	return redact_event(r, ev, &r->event, err);
}

static int collect_constants(struct redactor *r, const struct jfrec_type *t,
			     struct jfrec_error *err)
{
	const struct pool *pool = pool_at(&r->chunk->pools, t->index);

	for (uint32_t i = 0; redact_touches(r, t) && i < pool->count; i++) {
		const uint8_t *value = pool->entries[i].value;

		if (redact_constant(r, t, pool->entries[i].key, value,
				    (size_t)(r->chunk->end - value), &r->event, err) < 0)
			return -1;
	}
	return 0;
}

static bool has_failed(struct redactor *r)
{
	bool failed;

	pthread_mutex_lock(&r->all->lock);
	failed = r->all->secrets.failed;
	pthread_mutex_unlock(&r->all->lock);
	return failed || r->failed || r->decoded.failed || r->texts[0].failed;
}

int redact_collect(struct redactor *r, struct chunk_source *s, struct jfrec_error *err)
{
	struct jfrec_event ev = event_in(source_room(s), r->chunk);
	const atomic_int *stop = source_stop_flag(s);
	struct chunk_walk walk = chunk_walk(r->chunk);
	const struct metadata *m = r->chunk->metadata;

	while (chunk_walk_next(&walk, &ev.raw, &ev.type)) {
		if (*stop)
			return source_check_stop(s, err);
		if (collect_event(r, &ev, err) < 0)
			return -1;
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (collect_constants(r, &m->types[i], err) < 0)
			return -1;
	}
	redact_keep_marks(r);
	return has_failed(r) ? jfrec_fail_memory(err) : 0;
}

int redact_collect_metadata(struct redactor *r, struct jfrec_error *err)
{
	redact_learn(r, r->chunk->metadata);
	return has_failed(r) || r->all->vocabulary.failed ? jfrec_fail_memory(err) : 0;
}

/* What is secret is secret in base64, too. */
static int add_encoded(struct redaction *all)
{
	for (size_t i = 0; i < all->secret_count && i < MAX_ENCODED; i++) {
		struct text_set_text t = all->secrets.texts[i];

		encoded_add(&all->secrets, t.bytes, t.len);
	}
	if (all->secret_count > MAX_ENCODED)
		all->unencoded_count = all->secret_count - MAX_ENCODED;
	return text_set_ready(&all->secrets);
}

int redact_ready(struct redaction *all, struct jfrec_error *err)
{
	static const char masks[] = RULES_MASK " " RULES_NAME_MASK " null none None undefined "
					       "localhost 127.0.0.1 0.0.0.0 unknown default";

	all->collecting = false;
	redact_cache_next_round(&all->cache);
	buffer_put(&all->vocabulary, masks, sizeof(masks) - 1);
	if (all->vocabulary.failed || all->secrets.failed || text_set_ready(&all->secrets) < 0 ||
	    text_set_forget(&all->secrets, all->vocabulary.data, all->vocabulary.len) < 0)
		return jfrec_fail_memory(err);
	all->secret_count = all->secrets.count;
	return add_encoded(all) < 0 ? jfrec_fail_memory(err) : 0;
}
