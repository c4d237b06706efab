/* SPDX-License-Identifier: MIT */
/*
 * recordings.c - the recordings of this process, and what each of them keeps
 */
#include "recorder/control/recordings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/control/subscriptions.h"

#define USUAL_FLUSH_NS	1000000000u
#define UNLIMITED_BYTES (250ull << 20)

static struct recording all[MOST_RECORDINGS];
static uint64_t last_id;

struct recording *recordings_at(size_t place)
{
	return place < MOST_RECORDINGS ? &all[place] : NULL;
}

struct recording *recordings_add(void)
{
	for (size_t i = 0; i < MOST_RECORDINGS; i++) {
		if (all[i].id)
			continue;
		all[i] = (struct recording){ .id = ++last_id };
		return &all[i];
	}
	return NULL;
}

void recordings_remove(struct recording *r)
{
	subscriptions_end(r->id);
	free(r->name);
	free(r->filename);
	settings_fini(&r->settings);
	*r = (struct recording){ 0 };
}

/* Their memory is left alone: another thread of the parent may have been at it. */
void recordings_forget(void)
{
	static struct recording left[MOST_RECORDINGS] __attribute__((used));

	memcpy(left, all, sizeof(left));
	memset(all, 0, sizeof(all));
}

struct recording *recordings_find(const char *name)
{
	char id[24];

	for (size_t i = 0; i < MOST_RECORDINGS; i++) {
		snprintf(id, sizeof(id), "%llu", (unsigned long long)all[i].id);
		if (all[i].id && !strcmp(id, name))
			return &all[i];
	}
	for (size_t i = 0; i < MOST_RECORDINGS; i++)
		if (all[i].id && !strcmp(all[i].name, name))
			return &all[i];
	return NULL;
}

struct recording *recordings_of_program(void)
{
	for (size_t i = 0; i < MOST_RECORDINGS; i++)
		if (all[i].id && all[i].is_programs)
			return &all[i];
	return NULL;
}

static bool is_running(const struct recording *r)
{
	return r->id && r->state == RECORDING_RUNNING;
}

size_t recordings_running(void)
{
	size_t count = 0;

	for (size_t i = 0; i < MOST_RECORDINGS; i++)
		count += is_running(&all[i]);
	return count;
}

uint64_t recordings_flush_ns(void)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < MOST_RECORDINGS; i++)
		if (is_running(&all[i]) && all[i].flush_ns && all[i].flush_ns < least)
			least = all[i].flush_ns;
	return least == UINT64_MAX ? USUAL_FLUSH_NS : least;
}

void recordings_use_settings(void)
{
	struct used used[MOST_RECORDINGS];
	size_t count = 0;

	for (size_t i = 0; i < MOST_RECORDINGS; i++)
		if (is_running(&all[i]))
			used[count++] = (struct used){ &all[i].settings,
						       all[i].is_programs ? types_program_settings()
									  : NULL };
	types_use(used, count);
}

uint64_t recordings_most_bytes(void)
{
	uint64_t most = 0;

	for (size_t i = 0; i < MOST_RECORDINGS; i++)
		if (is_running(&all[i]) && all[i].max_size > most)
			most = all[i].max_size;
	return most ? most : UNLIMITED_BYTES;
}

/* The first chunk that it needs, from which on it needs all. */
static size_t first_needed(const struct recording *r, const struct repository *repository,
			   uint64_t now_ns)
{
	uint64_t oldest = r->max_age_ns && r->max_age_ns < now_ns ? now_ns - r->max_age_ns : 0;
	uint64_t bytes = 0;
	size_t i = repository->count;

	for (; i; i--) {
		const struct closed *c = &repository->chunks[i - 1];

		bytes += c->size;
		if (c->end_ns <= r->start_ns || c->end_ns < oldest ||
		    (r->max_size && bytes > r->max_size))
			break;
	}
	return i;
}

void recordings_purge(struct repository *repository, uint64_t now_ns)
{
	size_t first = repository->count, needed;

	for (size_t i = 0; i < MOST_RECORDINGS; i++) {
		if (!is_running(&all[i]))
			continue;
		needed = first_needed(&all[i], repository, now_ns);
		if (needed < first)
			first = needed;
	}
	for (; first; first--)
		repository_drop_oldest(repository);
}
