/* SPDX-License-Identifier: MIT */
/*
 * copies.c - recordings without secrets, of which all questions are asked
 */
#include "mcp/copies.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool copies_begin(struct copies *c)
{
	const char *tmp = getenv("TMPDIR");

	*c = (struct copies){ 0 };
	snprintf(c->directory, sizeof(c->directory), "%.40s/jfrec-mcp-XXXXXX",
		 tmp && *tmp == '/' ? tmp : "/var/tmp");
	if (mkdtemp(c->directory))
		return true;
	snprintf(c->directory, sizeof(c->directory), "/tmp/jfrec-mcp-XXXXXX");
	return mkdtemp(c->directory) != NULL;
}

static void drop(struct copy *copy)
{
	close(copy->fd);
	free(copy->damage.bytes);
}

void copies_end(struct copies *c)
{
	for (unsigned i = 0; i < c->count; i++)
		drop(&c->kept[i]);
	rmdir(c->directory);
	*c = (struct copies){ 0 };
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

int copies_find(struct copies *c, const struct stat *of, const struct grown_text **damage)
{
	for (unsigned i = 0; i < c->count; i++) {
		if (!is_same(&c->kept[i].of, of))
			continue;
		c->kept[i].used = ++c->clock;
		*damage = &c->kept[i].damage;
		return fcntl(c->kept[i].fd, F_DUPFD_CLOEXEC, 3);
	}
	return -1;
}

void copies_keep(struct copies *c, const struct stat *of, int fd, struct grown_text *damage)
{
	struct copy *to = &c->kept[0];

	for (unsigned i = 1; i < c->count; i++) {
		if (c->kept[i].used < to->used)
			to = &c->kept[i];
	}
	if (c->count < KEPT_COPIES)
		to = &c->kept[c->count++];
	else
		drop(to);
	*to = (struct copy){ .of = *of, .fd = fd, .damage = *damage, .used = ++c->clock };
	*damage = (struct grown_text){ 0 };
}
