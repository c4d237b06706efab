/* SPDX-License-Identifier: MIT */
/*
 * finish.c - what follows from a thread dump that has been read
 */
#include "threads/dump.h"

bool dump_finish(struct dump *d)
{
	void (*const steps[])(struct dump *d) = {
		dump_point, dump_find_sites, dump_find_holders, dump_find_deadlocks,
		dump_find_groups, dump_find_pools,
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && d->count && !d->no_memory; i++)
		steps[i](d);
	d->is.threads = d->threads;
	d->is.count = d->count;
	d->is.deadlocks = d->deadlocks.items;
	d->is.deadlock_count = d->deadlocks.count;
	return !d->no_memory;
}
