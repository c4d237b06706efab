/* SPDX-License-Identifier: MIT */
/*
 * leftovers.c - the public view of repositories of JVMs that have exited
 */
#include <stdlib.h>

#include "base/clock_now.h"
#include "base/error.h"
#include "base/options.h"
#include "jfrec-tool.h"
#include "process/user.h"
#include "repository/chunk_files.h"
#include "repository/leftover.h"

struct jfrec_leftovers {
	struct leftovers list;
	struct owners owners;
	struct jfrec_leftover *seen; /* as many as there are in the list */
};

struct jfrec_leftovers *jfrec_leftovers_new(struct jfrec_error *err)
{
	struct jfrec_leftovers *l = calloc(1, sizeof(*l));

	if (!l)
		jfrec_fail_memory(err);
	return l;
}

void jfrec_leftovers_free(struct jfrec_leftovers *l)
{
	if (!l)
		return;
	leftovers_fini(&l->list);
	owners_fini(&l->owners);
	free(l->seen);
	free(l);
}

void jfrec_leftovers_add_directory(struct jfrec_leftovers *l, const char *path)
{
	leftovers_add_base(&l->list, path);
}

void jfrec_leftovers_add_beside(struct jfrec_leftovers *l, const struct jfrec_jvm *jvm,
				const struct jfrec_repository *r, size_t origin)
{
	if (r->dir_fd >= 0)
		leftovers_add_base_of(&l->list, jvm, r->path, origin);
}

int jfrec_leftovers_find(struct jfrec_leftovers *l, jfrec_leftover_failed_fn *failed, void *ctx,
			 struct jfrec_error *err)
{
	/* First the chunks, then who writes them: what is unfinished and has no writer is dead. */
	if (leftovers_find(&l->list, failed, ctx, err) < 0 || owners_find(&l->owners, err) < 0)
		return -1;
	l->seen = calloc(l->list.count + 1, sizeof(*l->seen));
	if (!l->seen)
		return jfrec_fail_memory(err);
	for (size_t i = 0; i < l->list.count; i++) {
		const struct leftover *at = &l->list.items[i];

		l->seen[i] = (struct jfrec_leftover){ .name = at->name,
						      .uid = at->self.uid,
						      .origin = l->list.bases[at->base].jvms,
						      .device = at->self.dev,
						      .inode = at->self.ino,
						      .touched_ns = at->touched_ns,
						      .files = at->file_count };
	}
	return 0;
}

size_t jfrec_leftovers_count(const struct jfrec_leftovers *l)
{
	return l->seen ? l->list.count : 0;
}

const struct jfrec_leftover *jfrec_leftovers_get(const struct jfrec_leftovers *l, size_t i)
{
	return i < jfrec_leftovers_count(l) ? &l->seen[i] : NULL;
}

bool jfrec_leftovers_is_dead(const struct jfrec_leftovers *l, size_t i)
{
	return leftover_is_dead(&l->list.items[i], &l->owners);
}

bool jfrec_leftovers_is_of_user(const struct jfrec_leftovers *l, size_t i, const char *user)
{
	uint32_t uid;

	return user_find(user, &uid) && uid == l->seen[i].uid;
}

/* Opening -------------------------------------------------------------------------------------- */

struct opening {
	const struct jfrec_leftovers *leftovers;
	const struct leftover *at;
	struct jfrec_leftover_filter filter;
};

static bool selects(void *ctx, const struct jfrec_repository *r, const struct repository_chunk *c)
{
	const struct opening *o = ctx;
	struct jfrec_repository_chunk seen;

	if (o->filter.is_final &&
	    !leftover_is_final(o->at, c, &o->leftovers->owners, real_now_ns()))
		return false;
	seen = chunk_files_see(c);
	return !o->filter.selects || o->filter.selects(o->filter.ctx, r, &seen);
}

struct jfrec_repository *jfrec_leftovers_open(struct jfrec_leftovers *l, size_t i,
					      const struct jfrec_leftover_filter *filter,
					      struct jfrec_error *err)
{
	struct opening o = { .leftovers = l, .at = &l->list.items[i] };
	struct repository_filter inner = { .selects = selects, .ctx = &o };

	if (options_take(&o.filter, sizeof(o.filter), filter, err) < 0)
		return NULL;
	inner.most = o.filter.most;
	return leftover_open(&l->list, o.at, &inner, err);
}

/* Removing ------------------------------------------------------------------------------------- */

bool jfrec_leftovers_may_remove(const struct jfrec_leftovers *l, size_t i)
{
	return leftover_may_go(&l->list.items[i], &l->owners);
}

int jfrec_leftovers_remove(struct jfrec_leftovers *l, size_t i, const struct jfrec_repository *r,
			   struct jfrec_error *err)
{
	return leftover_remove(&l->list, &l->list.items[i], r, err);
}
