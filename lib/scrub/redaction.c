/* SPDX-License-Identifier: MIT */
/*
 * redaction.c - what threads that redact chunks share, and what each has for itself
 */
#include <stdlib.h>

#include "base/error.h"
#include "scrub/redact.h"

void redaction_init(struct redaction *all, const struct jfrec_scrub_rules *rules)
{
	*all = (struct redaction){ .rules = rules, .collecting = true };
	pthread_mutex_init(&all->lock, NULL);
}

static void redactor_free(struct redactor *r)
{
	rule_paths_fini(&r->paths);
	known_texts_fini(&r->known);
	digest_map_fini(&r->marked);
	findings_fini(&r->redacted.findings);
	buffer_fini(&r->texts[0]);
	buffer_fini(&r->texts[1]);
	buffer_fini(&r->key);
	buffer_fini(&r->event);
	buffer_fini(&r->array);
	buffer_fini(&r->units);
	buffer_fini(&r->line);
	buffer_fini(&r->decoded);
	arena_fini(&r->scratch);
	free(r);
}

void redaction_fini(struct redaction *all)
{
	while (all->spare) {
		struct redactor *r = all->spare;

		all->spare = r->next;
		redactor_free(r);
	}
	redact_cache_fini(&all->cache);
	text_set_fini(&all->secrets);
	digest_map_fini(&all->secret_constants);
	digest_map_fini(&all->counted);
	buffer_fini(&all->vocabulary);
	metadata_unref(all->learnt);
	pthread_mutex_destroy(&all->lock);
}

/* One of the spare ones, or a new one; NULL when memory is gone. */
static struct redactor *any(struct redaction *all)
{
	struct redactor *r;

	pthread_mutex_lock(&all->lock);
	r = all->spare;
	if (r)
		all->spare = r->next;
	pthread_mutex_unlock(&all->lock);
	return r ? r : calloc(1, sizeof(*r));
}

struct redactor *redactor_take(struct redaction *all, struct chunk *c, uint64_t number,
			       struct jfrec_error *err)
{
	struct redactor *r = any(all);

	if (!r) {
		jfrec_fail_memory(err);
		return NULL;
	}
	r->all = all;
	r->rules = all->rules;
	r->collecting = all->collecting;
	r->chunk = c;
	/* What it knows of texts is not of this chunk, or of the first pass. */
	r->chunk_number = 2 * number + (all->collecting ? 1 : 2);
	r->string = metadata_type_named(c->metadata, "java.lang.String");
	if (rule_paths_make(&r->paths, r->rules, c->metadata, err) == 0)
		return r;
	redactor_give_back(r);
	return NULL;
}

void redactor_give_back(struct redactor *r)
{
	digest_map_clear(&r->marked);
	pthread_mutex_lock(&r->all->lock);
	r->next = r->all->spare;
	r->all->spare = r;
	pthread_mutex_unlock(&r->all->lock);
}
