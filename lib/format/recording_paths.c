/* SPDX-License-Identifier: MIT */
/*
 * recording_paths.c - the list of a recording's files, and what is known of each
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "format/recording.h"

int recording_add_found(struct recording *r, const char *path, struct jfrec_error *err)
{
	if (!array_reserve(r->paths, r->path_count, r->path_room))
		return jfrec_fail_memory(err);
	r->paths[r->path_count] = strdup(path);
	return r->paths[r->path_count++] ? 0 : jfrec_fail_memory(err);
}

int recording_make_spools(struct recording *r, struct jfrec_error *err)
{
	int *spools = reallocarray(r->spools, r->path_count + 1, sizeof(*spools));

	if (!spools)
		return jfrec_fail_memory(err);
	r->spools = spools;
	while (r->spool_count < r->path_count)
		spools[r->spool_count++] = -1;
	return 0;
}

int recording_make_members(struct recording *r)
{
	struct member *members = reallocarray(r->members, r->path_count + 1, sizeof(*members));

	if (!members)
		return -1;
	r->members = members;
	while (r->member_count < r->path_count)
		members[r->member_count++] = (struct member){ 0 };
	return 0;
}

/* Have room for more of each.  0, or -1; then nothing has changed but that. */
static int make_larger(struct recording *r, size_t more)
{
	size_t count = r->path_count + more;
	char **paths = reallocarray(r->paths, count, sizeof(*paths));
	int *spools = reallocarray(r->spools, count, sizeof(*spools));
	struct member *members = reallocarray(r->members, count, sizeof(*members));

	if (paths) {
		r->paths = paths;
		r->path_room = count;
	}
	r->spools = spools ? spools : r->spools;
	r->members = members ? members : r->members;
	return paths && spools && members ? 0 : -1;
}

/* Put n items that are zero before the last ones. */
static void put_zeros(void *items, size_t at, size_t n, size_t behind, size_t size)
{
	char *first = (char *)items + at * size;

	memmove(first + n * size, first, behind * size);
	memset(first, 0, n * size);
}

int recording_make_room(struct recording *r, size_t n, struct jfrec_error *err)
{
	size_t at = r->current + 1, behind = r->path_count - at, more = n - 1;

	if (recording_make_spools(r, err) < 0)
		return -1;
	if (recording_make_members(r) < 0 || make_larger(r, n) < 0)
		return jfrec_fail_memory(err);
	put_zeros(r->paths, at, more, behind, sizeof(*r->paths));
	put_zeros(r->spools, at, more, behind, sizeof(*r->spools));
	put_zeros(r->members, at, more, behind, sizeof(*r->members));
	for (size_t i = 0; i < more; i++)
		r->spools[at + i] = -1;
	r->path_count += more;
	r->spool_count = r->member_count = r->path_count;
	return 0;
}

void recording_swap(struct recording *r, size_t with)
{
	struct member member = r->members[with];
	char *path = r->paths[with];
	int spool = r->spools[with];

	r->members[with] = r->members[r->current];
	r->paths[with] = r->paths[r->current];
	r->spools[with] = r->spools[r->current];
	r->members[r->current] = member;
	r->paths[r->current] = path;
	r->spools[r->current] = spool;
	r->current = with;
	r->problems.input = r->paths[with];
}

/* One of them ---------------------------------------------------------------------------------- */

static void leave_out(struct recording *r, size_t i)
{
	free(r->paths[i]);
	if (i < r->spool_count && r->spools[i] >= 0)
		close(r->spools[i]);
	if (i < r->member_count)
		member_unref(&r->members[i]);
}

/* Path i becomes the first one, with what is known of it. */
static void put_first(struct recording *r, size_t i)
{
	r->paths[0] = r->paths[i];
	r->path_count = 1;
	if (i < r->spool_count)
		r->spools[0] = r->spools[i];
	r->spool_count = i < r->spool_count;
	if (i < r->member_count)
		r->members[0] = r->members[i];
	r->member_count = i < r->member_count;
}

void recording_leave_out_others(struct recording *r, size_t i)
{
	for (size_t k = 0; k < r->path_count; k++) {
		if (k != i)
			leave_out(r, k);
	}
	put_first(r, i);
}
