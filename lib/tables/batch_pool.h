/* SPDX-License-Identifier: MIT */
/*
 * batch_pool.h - batches of tables that are used again, by any thread
 */
#ifndef JFREC_TABLES_BATCH_POOL_H
#define JFREC_TABLES_BATCH_POOL_H

#include <pthread.h>

#include "tables/batch.h"

struct spare_batch {
	struct spare_batch *next;
	struct batch batch;
};

struct batch_pool {
	pthread_mutex_t lock;
	struct spare_batch **of; /* by the table */
	size_t count;
};

/* For so many tables.  False: memory is gone; batch_pool_fini() may follow in any case. */
bool batch_pool_init(struct batch_pool *p, size_t tables);
void batch_pool_fini(struct batch_pool *p);

/* Put one of the table in the place of an empty batch, if there is one. */
void batch_pool_take(struct batch_pool *p, size_t table, struct batch *b);

/* Take a batch over, and forget its rows. */
void batch_pool_put(struct batch_pool *p, size_t table, struct batch *b);

#endif
