/* SPDX-License-Identifier: MIT */
/*
 * chunk_files.c - the public view of the chunk files of a repository
 */
#include "repository/chunk_files.h"

#include <unistd.h>

#include "jfrec-tool.h"
#include "repository/name.h"

struct jfrec_repository_chunk chunk_files_see(const struct repository_chunk *c)
{
	return (struct jfrec_repository_chunk){
		.name = c->name,
		.start_ns = c->header.start_ns,
		.end_ns = repository_chunk_end_ns(c),
		.start_ticks = c->header.start_ticks,
		.bytes = repository_chunk_bytes(c),
		.is_open = repository_chunk_is_open(c),
		.is_empty = repository_chunk_is_empty(c),
		.is_hollow = repository_chunk_is_hollow(c),
		.is_jvms = name_is_own_chunk(c->name),
		.is_read = c->fd < 0,
	};
}

const char *jfrec_repository_path(const struct jfrec_repository *r)
{
	return r->path;
}

size_t jfrec_repository_count(const struct jfrec_repository *r)
{
	return r->count;
}

const struct jfrec_repository_chunk *jfrec_repository_get(struct jfrec_repository *r, size_t i)
{
	if (i >= jfrec_repository_count(r))
		return NULL;
	r->chunks[i].seen = chunk_files_see(&r->chunks[i]);
	return &r->chunks[i].seen;
}

bool jfrec_repository_was_removed(const struct jfrec_repository *r, size_t i)
{
	struct stat st;

	return r->chunks[i].fd >= 0 && fstat(r->chunks[i].fd, &st) == 0 && st.st_nlink == 0;
}

struct selecting {
	jfrec_repository_select_fn *selects;
	void *ctx;
};

static bool is_selected(void *ctx, const struct jfrec_repository *r,
			const struct repository_chunk *c)
{
	const struct selecting *s = ctx;
	struct jfrec_repository_chunk seen = chunk_files_see(c);

	return s->selects(s->ctx, r, &seen);
}

void jfrec_repository_select(struct jfrec_repository *r, jfrec_repository_select_fn *selects,
			     void *ctx)
{
	struct selecting s = { selects, ctx };

	repository_select(r, is_selected, &s);
}

void jfrec_repository_skip(struct jfrec_repository *r, size_t i)
{
	if (r->chunks[i].fd >= 0)
		close(r->chunks[i].fd);
	r->chunks[i].fd = -1;
}

struct jfrec_repository *jfrec_repository_copy(const struct jfrec_repository *r, size_t first,
					       size_t count, struct jfrec_error *err)
{
	return repository_copy(r, first, count, err);
}
