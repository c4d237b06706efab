/* SPDX-License-Identifier: MIT */
/*
 * export_end.c - the files of an export are ended, by several threads
 *
 * The largest come first, so that no thread is left with one of them.  What failed is what one
 * thread would have met first: it ends the files in their order.
 */
#include <stdlib.h>

#include "base/error.h"
#include "parquet/export_files.h"
#include "tables/row_crew.h"

struct ending {
	size_t file;
	size_t size; /* of its batch */
};

struct ended {
	int ret;
	struct jfrec_error err;
};

struct end_crew {
	struct export *e;
	struct ending *order;
	struct ended *ended; /* by the file */
	pthread_mutex_t lock, opening;
	size_t next;   /* in the order */
	size_t failed; /* the first file that did: those after it are of no use */
};

static int by_size(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return (x->file > y->file) - (x->file < y->file);
}

/* The number of the next file to be ended; false: there is none. */
static bool next_file(struct end_crew *k, size_t *file)
{
	bool found = false;

	pthread_mutex_lock(&k->lock);
	while (!found && k->next < k->e->count) {
		*file = k->order[k->next++].file;
		found = *file < k->failed;
	}
	pthread_mutex_unlock(&k->lock);
	return found;
}

static void end_files(struct end_crew *k, struct file_writer *w)
{
	size_t i;

	while (next_file(k, &i)) {
		struct ended *to = &k->ended[i];

		to->ret = table_file_end(k->e->files[i], w, &to->err);
		if (to->ret == 0)
			continue;
		pthread_mutex_lock(&k->lock);
		k->failed = i < k->failed ? i : k->failed;
		pthread_mutex_unlock(&k->lock);
	}
}

/* Where there is no memory for another thread's room, the others do its work. */
static void *help(void *crew)
{
	struct end_crew *k = crew;
	const struct file_writer *all = &k->e->writer;
	struct file_writer w = {
		.directory = all->directory,
		.options = all->options,
		.tables = all->tables,
		.made = all->made,
		.opening = all->opening,
	};

	if (parquet_scratch_init(&w.scratch, NULL) == 0)
		end_files(k, &w);
	parquet_scratch_fini(&w.scratch);
	return NULL;
}

static void end_together(struct end_crew *k, unsigned jobs)
{
	pthread_t threads[MAX_JOBS];
	unsigned helpers = 0;

	while (helpers + 1 < jobs && helpers + 1 < k->e->count &&
	       crew_start_thread(&threads[helpers], help, k))
		helpers++;
	end_files(k, &k->e->writer);
	for (unsigned i = 0; i < helpers; i++)
		pthread_join(threads[i], NULL);
}

/* What was met first, in the order of the files. */
static int first_failure(struct end_crew *k, struct jfrec_error *err)
{
	for (size_t i = 0; i < k->e->count; i++) {
		if (table_file_count(k->e->files[i], &k->e->writer, err) < 0)
			return -1;
		if (k->ended[i].ret < 0 && err)
			*err = k->ended[i].err;
		if (k->ended[i].ret < 0)
			return -1;
	}
	return 0;
}

static int end_alone(struct export *e, struct jfrec_error *err)
{
	for (size_t i = 0; i < e->count; i++) {
		int ret = table_file_end(e->files[i], &e->writer, err);

		if (table_file_count(e->files[i], &e->writer, err) < 0 || ret < 0)
			return -1;
	}
	return 0;
}

int export_end_files(struct export *e, unsigned jobs, struct jfrec_error *err)
{
	struct end_crew k = { .e = e, .failed = e->count };
	int ret;

	if (jobs < 2 || e->count < 2)
		return end_alone(e, err);
	k.order = calloc(e->count, sizeof(*k.order));
	k.ended = calloc(e->count, sizeof(*k.ended));
	for (size_t i = 0; k.order && i < e->count; i++)
		k.order[i] = (struct ending){ i, batch_size(&e->files[i]->filler.batch) };
	if (k.order && k.ended) {
		qsort(k.order, e->count, sizeof(*k.order), by_size);
		pthread_mutex_init(&k.lock, NULL);
		pthread_mutex_init(&k.opening, NULL);
		e->writer.opening = &k.opening;
		end_together(&k, jobs);
		e->writer.opening = NULL;
		pthread_mutex_destroy(&k.opening);
		pthread_mutex_destroy(&k.lock);
		ret = first_failure(&k, err);
	} else {
		ret = jfrec_fail_memory(err);
	}
	free(k.order);
	free(k.ended);
	return ret;
}
