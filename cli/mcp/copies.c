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

void copies_end(struct copies *c)
{
	for (unsigned i = 0; i < c->count; i++)
		close(c->kept[i].fd);
	rmdir(c->directory);
	*c = (struct copies){ 0 };
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

int copies_find(struct copies *c, const struct stat *of)
{
	for (unsigned i = 0; i < c->count; i++) {
		if (!is_same(&c->kept[i].of, of))
			continue;
		c->kept[i].used = ++c->clock;
		return fcntl(c->kept[i].fd, F_DUPFD_CLOEXEC, 3);
	}
	return -1;
}

void copies_keep(struct copies *c, const struct stat *of, int fd)
{
	struct copy *to = &c->kept[0];

	for (unsigned i = 1; i < c->count; i++) {
		if (c->kept[i].used < to->used)
			to = &c->kept[i];
	}
	if (c->count < KEPT_COPIES)
		to = &c->kept[c->count++];
	else
		close(to->fd);
	*to = (struct copy){ .of = *of, .fd = fd, .used = ++c->clock };
}
