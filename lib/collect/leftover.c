/* SPDX-License-Identifier: MIT */
/*
 * leftover.c - repositories that no JVM writes any more
 */
#include "collect/leftover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "format/reader.h"
#include "repository/directory.h"
#include "repository/name.h"

/*
 * Where there may be JVMs that we do not see, a chunk must not have changed for so long: from JDK
 * 17 on they are written each second, and before they are not readable anyway.
 */
#define QUIET_NS INT64_C(60000000000)

static int64_t mtime_ns(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Finding -------------------------------------------------------------------------------------- */

int leftovers_add_base(struct leftovers *l, int fd, size_t jvms, struct jfrec_error *err)
{
	struct leftover_base b = { .fd = fd, .jvms = jvms };

	if (fd < 0 || fstat(fd, &b.st) < 0)
		goto out;
	for (size_t i = 0; i < l->base_count; i++) {
		if (l->bases[i].st.st_ino == b.st.st_ino && l->bases[i].st.st_dev == b.st.st_dev)
			goto out;
	}
	if (l->base_count == l->base_room) {
		size_t room = l->base_room ? l->base_room * 2 : 8;
		struct leftover_base *bases = reallocarray(l->bases, room, sizeof(*bases));

		if (!bases) {
			close(fd);
			return jfrec_fail_memory(err);
		}
		l->bases = bases;
		l->base_room = room;
	}
	l->bases[l->base_count++] = b;
	return 0;
out:
	if (fd >= 0)
		close(fd);
	return 0;
}

static struct leftover *add(struct leftovers *l)
{
	if (l->count == l->room) {
		size_t room = l->room ? l->room * 2 : 16;
		struct leftover *items = reallocarray(l->items, room, sizeof(*items));

		if (!items)
			return NULL;
		l->items = items;
		l->room = room;
	}
	return &l->items[l->count++];
}

/* Chunks that grow do not touch their directory. */
static int64_t last_touched(const struct leftover *l)
{
	int64_t last = mtime_ns(&l->st);

	for (size_t i = 0; i < l->repository->count; i++) {
		struct stat st;

		if (fstat(l->repository->chunks[i].fd, &st) == 0 && mtime_ns(&st) > last)
			last = mtime_ns(&st);
	}
	return last;
}

/* Only root and the JVM's own user know all that matters of its processes. */
static bool is_ours(const struct stat *st)
{
	return geteuid() == 0 || st->st_uid == geteuid();
}

const struct repository_filter leftover_filter = { .own_names = true };

struct look {
	struct leftovers *leftovers;
	size_t base;
};

static int open_one(void *ctx, int directory, const char *name, struct jfrec_error *err)
{
	const struct look *look = ctx;
	struct leftover l = { .base = look->base };
	struct jfrec_error why = { 0 };
	struct leftover *at;
	int fd;

	if (!repository_pid(name))
		return 0;
	fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &l.st) < 0 || !is_ours(&l.st)) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	l.repository = repository_of_directory(fd, name, &leftover_filter, &why);
	if (!l.repository)
		return why.code == JFREC_ENOMEM ? jfrec_fail_memory(err) : 0;
	l.touched_ns = last_touched(&l);
	at = add(look->leftovers);
	if (!at) {
		jfrec_repository_close(l.repository);
		return jfrec_fail_memory(err);
	}
	*at = l;
	return 0;
}

int leftovers_find(struct leftovers *l, struct jfrec_error *err)
{
	for (size_t i = 0; i < l->base_count; i++) {
		struct look look = { l, i };
		struct jfrec_error why;

		if (directory_each(l->bases[i].fd, open_one, &look, &why) < 0 &&
		    why.code == JFREC_ENOMEM)
			return jfrec_fail_memory(err);
	}
	return 0;
}

void leftovers_fini(struct leftovers *l)
{
	for (size_t i = 0; i < l->count; i++)
		jfrec_repository_close(l->items[i].repository);
	for (size_t i = 0; i < l->base_count; i++)
		close(l->bases[i].fd);
	free(l->items);
	free(l->bases);
	*l = (struct leftovers){ 0 };
}

/* Alive or dead -------------------------------------------------------------------------------- */

static bool is_written(const struct leftover *l, const struct writers *w)
{
	for (size_t i = 0; i < l->repository->count; i++) {
		const struct repository_chunk *c = &l->repository->chunks[i];

		if (writers_have(w, c->dev, c->ino))
			return true;
	}
	return false;
}

bool leftover_is_dead(struct leftover *l, const struct writers *w)
{
	if (is_written(l, w) || writers_may_live(w, l->repository->ns_pid, l->touched_ns, false))
		return false;
	for (size_t i = 0; i < l->repository->count; i++)
		repository_chunk_refresh(&l->repository->chunks[i]);
	return true;
}

bool leftover_is_final(const struct leftover *l, const struct repository_chunk *c,
		       const struct writers *w, int64_t now_ns)
{
	if (!repository_chunk_is_open(c))
		return true;
	return repository_has(l->repository, c->dev, c->ino) && !writers_have(w, c->dev, c->ino) &&
	       (w->sees_all || now_ns - l->touched_ns > QUIET_NS);
}

bool leftover_may_go(const struct leftover *l, const struct writers *w)
{
	return w->sees_all && !is_written(l, w) &&
	       !writers_may_live(w, l->repository->ns_pid, l->touched_ns, true);
}

/* Removing ------------------------------------------------------------------------------------- */

/* What we have opened, and what is empty; anything else keeps the directory from going. */
static int remove_file(void *ctx, int directory, const char *name, struct jfrec_error *err)
{
	struct stat st;

	(void)err;
	if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_size == 0 || repository_has(ctx, st.st_dev, st.st_ino)))
		unlinkat(directory, name, 0);
	return 0;
}

int leftover_remove(const struct leftovers *all, const struct leftover *l, struct jfrec_error *err)
{
	struct jfrec_repository *r = l->repository;

	if (directory_each(r->dir_fd, remove_file, r, err) < 0)
		return -1;
	if (unlinkat(all->bases[l->base].fd, r->path, AT_REMOVEDIR) < 0)
		return jfrec_fail_sys(err, errno, "cannot remove %.200s", r->path);
	return 0;
}

/* Whose it was --------------------------------------------------------------------------------- */

static void read_command(struct jfrec_reader *r, char *command, size_t size)
{
	const struct jfrec_event *ev;
	struct jfrec_value v;
	const char *text;

	if (jfrec_reader_select(r, "jdk.JVMInformation", NULL, NULL) < 0 ||
	    jfrec_reader_next(r, &ev, NULL) <= 0)
		return;
	v = jfrec_event_path(ev, "javaArguments");
	text = jfrec_value_text(&v, NULL);
	if (text && *text)
		snprintf(command, size, "%s", text);
}

void leftover_command(const struct jfrec_repository *r, char *command, size_t size)
{
	struct recording_file f = { .directory = r->path };
	struct jfrec_reader *reader;

	snprintf(command, size, "jvm");
	for (size_t i = 0; i < r->count && f.fd <= 0; i++) {
		if (repository_chunk_is_empty(&r->chunks[i]) || r->chunks[i].fd < 0)
			continue;
		f.name = r->chunks[i].name;
		f.fd = fcntl(r->chunks[i].fd, F_DUPFD_CLOEXEC, 3);
	}
	reader = f.fd > 0 ? reader_of_files(&f, 1, NULL) : NULL;
	if (reader)
		read_command(reader, command, size);
	jfrec_reader_close(reader);
}
