/* SPDX-License-Identifier: MIT */
/*
 * retention.c - choose the old files to delete, by age and total size
 */
#include "collect/retention.h"

#include <stdlib.h>

/* What there is while so many of the oldest are gone. */
struct sum {
	uint64_t bytes, files, disk;
};

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool fits_limits(const struct collect_limits *l, const struct sum *s)
{
	return (!l->size || s->bytes <= l->size) && (!l->files || s->files <= l->files);
}

/* Nothing can be written where there is no room, whatever is to be left. */
static bool fits_disk(const struct collect_limits *l, const struct sum *s, uint64_t coming)
{
	return s->disk >= plus(coming, l->free);
}

bool retention_is_old(const struct collect_limits *l, const struct state_file *f, int64_t now_ns)
{
	return l->age_ns && f->end_ns < now_ns - l->age_ns;
}

/* Whose files they are, and how much that is. */
struct owner {
	int64_t uid;
	uint64_t bytes, files;
	size_t oldest; /* of those that stay */
};

struct owners {
	struct owner *items;
	size_t count;
};

static struct owner *owner_of(struct owners *o, int64_t uid)
{
	for (size_t i = 0; i < o->count; i++) {
		if (o->items[i].uid == uid)
			return &o->items[i];
	}
	o->items[o->count] = (struct owner){ .uid = uid };
	return &o->items[o->count++];
}

static void count_owners(struct owners *o, const struct state *s, const struct retention_room *room)
{
	struct owner *at = owner_of(o, room->owner);

	at->bytes = room->bytes;
	at->files = room->files;
	for (size_t i = 0; i < s->file_count; i++) {
		at = owner_of(o, s->files[i].owner);
		at->bytes = plus(at->bytes, s->files[i].bytes);
		at->files++;
	}
}

/* Files that were noted without an owner are in no share: they are deleted first. */
static bool has_more(const struct owner *a, const struct owner *b, bool by_files)
{
	if ((a->uid == NO_OWNER) != (b->uid == NO_OWNER))
		return a->uid == NO_OWNER;
	return by_files ? a->files > b->files : a->bytes > b->bytes;
}

/* The oldest file of who has most, of those who have one; the newcomer is the first in the list. */
static size_t next_to_go(struct owners *o, const struct state *s, const bool *drop, bool by_files)
{
	const struct owner *most = NULL;

	for (size_t i = 0; i < o->count; i++) {
		struct owner *at = &o->items[i];

		while (at->oldest < s->file_count &&
		       (drop[at->oldest] || s->files[at->oldest].owner != at->uid))
			at->oldest++;
		/* Who has less than the newcomer loses nothing to him. */
		if (at->oldest < s->file_count &&
		    (i == 0 || has_more(at, &o->items[0], by_files)) &&
		    (!most || has_more(at, most, by_files)))
			most = at;
	}
	return most ? most->oldest : s->file_count;
}

static void choose(struct owners *o, const struct state *s, const struct collect_limits *limits,
		   struct sum *sum, uint64_t coming, bool *drop)
{
	for (;;) {
		bool fits = fits_limits(limits, sum);
		size_t i;

		/* For a full disk files are deleted only with a limit for what is to be free. */
		if (fits && (!limits->free || fits_disk(limits, sum, coming)))
			return;
		i = next_to_go(o, s, drop, !fits && (!limits->size || sum->bytes <= limits->size));
		if (i == s->file_count)
			return;
		drop[i] = true;
		sum->bytes -= s->files[i].bytes;
		sum->files--;
		sum->disk = plus(sum->disk, s->files[i].bytes);
		owner_of(o, s->files[i].owner)->bytes -= s->files[i].bytes;
		owner_of(o, s->files[i].owner)->files--;
	}
}

enum retention_result retention_choose(const struct state *s, const struct collect_limits *limits,
				       const struct retention_room *room, bool *drop)
{
	struct sum sum = { room->bytes, plus(s->file_count, room->files), room->disk };
	struct owners o = { .items = calloc(s->file_count + 1, sizeof(*o.items)) };

	if (!o.items)
		return RETENTION_NO_MEMORY;
	for (size_t i = 0; i < s->file_count; i++) {
		sum.bytes = plus(sum.bytes, s->files[i].bytes);
		drop[i] = false;
	}
	count_owners(&o, s, room);
	choose(&o, s, limits, &sum, room->bytes, drop);
	free(o.items);
	if (!fits_disk(limits, &sum, room->bytes))
		return RETENTION_FULL;
	return fits_limits(limits, &sum) ? RETENTION_FITS : RETENTION_TOO_LARGE;
}
