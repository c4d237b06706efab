/* SPDX-License-Identifier: MIT */
/*
 * keep.c - how much is kept: which old files have to go
 */
#include "collect/keep.h"

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

bool keep_is_old(const struct collect_limits *l, const struct state_file *f, int64_t now_ns)
{
	return l->age_ns && f->end_ns < now_ns - l->age_ns;
}

bool keep_choose(const struct state *s, const struct collect_limits *limits,
		 const struct keep_room *room, size_t *drop, bool *full)
{
	struct sum sum = { room->bytes, plus(s->file_count, room->files), room->disk };

	for (size_t i = 0; i < s->file_count; i++)
		sum.bytes = plus(sum.bytes, s->files[i].bytes);
	for (*drop = 0; *drop < s->file_count; ++*drop) {
		const struct state_file *f = &s->files[*drop];

		/* For a full disk files go only if it was said what is to be free. */
		if (fits_limits(limits, &sum) &&
		    (!limits->free || fits_disk(limits, &sum, room->bytes)))
			break;
		sum.bytes -= f->bytes;
		sum.files--;
		sum.disk = plus(sum.disk, f->bytes);
	}
	*full = !fits_disk(limits, &sum, room->bytes);
	return !*full && fits_limits(limits, &sum);
}
