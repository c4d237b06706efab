/* SPDX-License-Identifier: MIT */
/*
 * batch_pool.c - batches of tables that are used again, by any thread
 */
#include "tables/batch_pool.h"

#include <stdlib.h>

bool batch_pool_init(struct batch_pool *p, size_t tables)
{
	pthread_mutex_init(&p->lock, NULL);
	p->of = calloc(tables + 1, sizeof(struct spare_batch *));
	p->count = p->of ? tables : 0;
	return p->of;
}

void batch_pool_fini(struct batch_pool *p)
{
	struct spare_batch *s;

	for (size_t i = 0; i < p->count; i++) {
		while ((s = p->of[i])) {
			p->of[i] = s->next;
			batch_fini(&s->batch);
			free(s);
		}
	}
	free(p->of);
	pthread_mutex_destroy(&p->lock);
}

void batch_pool_take(struct batch_pool *p, size_t table, struct batch *b)
{
	struct spare_batch *s;

	pthread_mutex_lock(&p->lock);
	s = p->of[table];
	if (s)
		p->of[table] = s->next;
	pthread_mutex_unlock(&p->lock);
	if (!s)
		return;
	batch_fini(b);
	*b = s->batch;
	free(s);
}

void batch_pool_put(struct batch_pool *p, size_t table, struct batch *b)
{
	struct spare_batch *s = b->out_of_memory ? NULL : malloc(sizeof(*s));

	if (!s) {
		batch_fini(b);
		return;
	}
	batch_empty(b);
	s->batch = *b;
	*b = (struct batch){ 0 };
	pthread_mutex_lock(&p->lock);
	s->next = p->of[table];
	p->of[table] = s;
	pthread_mutex_unlock(&p->lock);
}
