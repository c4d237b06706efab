/* SPDX-License-Identifier: MIT */
/*
 * leftover.c - find repositories of JVMs that have exited
 *
 * The order is: which chunks there are; then which processes have any of them open (owners.h); then
 * one repository after the other is opened again.  So what is not finished, was there before, and
 * was open nowhere, is dead.
 */
#include "repository/leftover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "base/error.h"
#include "jfrec-tool.h"
#include "process/process.h"
#include "repository/name.h"

/*
 * Where there may be JVMs that we do not see, a chunk must not have changed for so long: from JDK
 * 17 on they are written each second, and before they are not readable anyway.
 */
#define QUIET_NS INT64_C(60000000000)

/* Entries of a base, repositories of one user, and files of one of them that are looked at. */
#define MAX_ENTRIES	 200000
#define MAX_REPOSITORIES 1000
#define MAX_FILES	 20000

/* To list what one user's repositories have in them, before others are looked at. */
#define LIST_NS (5 * NS_PER_SECOND)

/* Rights --------------------------------------------------------------------------------------- */

static struct opener *become(struct leftovers *l, uint32_t uid, uint32_t gid,
			     struct jfrec_error *err)
{
	struct leftover_user *u = &l->user;

	if (u->is_set && u->uid == uid)
		return &u->opener;
	if (u->is_set)
		opener_stop(&u->opener);
	*u = (struct leftover_user){ .opener = OPENER_NONE, .uid = uid };
	u->is_set = opener_start_user(&u->opener, uid, gid, err) == 0;
	return u->is_set ? &u->opener : NULL;
}

/* Bases ---------------------------------------------------------------------------------------- */

static bool is_same(const struct opener_file *a, const struct opener_file *b)
{
	return a->ino == b->ino && a->dev == b->dev;
}

/* The descriptor is then its own. */
static void add_base(struct leftovers *l, const struct leftover_base *base)
{
	for (size_t i = 0; i < l->base_count; i++) {
		const struct leftover_base *b = &l->bases[i];

		/* Two users may see different things in it. */
		if (is_same(&b->self, &base->self) && (b->is_own || b->uid == base->uid))
			goto out;
	}
	if (!array_push(l->bases, l->base_count, l->base_room, *base))
		goto out;
	return;
out:
	close(base->fd);
}

void leftovers_add_base(struct leftovers *l, const char *path)
{
	struct leftover_base b = { .is_own = true, .jvms = JFREC_LEFTOVER_HERE };
	struct stat st;

	b.fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (b.fd < 0)
		return;
	fstat(b.fd, &st);
	b.self = (struct opener_file){ .dev = st.st_dev,
				       .ino = st.st_ino,
				       .mode = st.st_mode,
				       .uid = st.st_uid,
				       .gid = st.st_gid };
	b.uid = geteuid();
	b.gid = getegid();
	add_base(l, &b);
}

void leftovers_add_base_of(struct leftovers *l, const struct jfrec_jvm *jvm, const char *path,
			   size_t jvms)
{
	struct leftover_base b = { .fd = -1, .uid = jvm->uid, .gid = jvm->gid, .jvms = jvms };
	const char *slash = strrchr(path, '/');
	char around[PATH_MAX];
	struct process p;
	struct opener opener;

	if (!slash || (size_t)(slash - path) >= sizeof(around) ||
	    process_open(&p, jvm->pid, jvm->start_ticks, NULL) < 0)
		return;
	/* Cut from the text, not "..": so it is looked up in the JVM's root as its user would. */
	snprintf(around, sizeof(around), "%.*s", slash > path ? (int)(slash - path) : 1, path);
	if (opener_start(&opener, &p, NULL) == 0) {
		b.fd = opener_open_directory(&opener, opener.root_fd, around, OPENER_ANYBODYS,
					     &b.self, NULL);
		opener_stop(&opener);
	}
	process_close(&p);
	if (b.fd >= 0)
		add_base(l, &b);
}

/* Finding -------------------------------------------------------------------------------------- */

struct look {
	struct leftovers *leftovers;
	size_t base;
	jfrec_leftover_failed_fn *fn;
	void *ctx;
	bool no_memory;
	/* The user whose repositories are being looked at, from what time on: */
	uint32_t uid;
	int64_t began_ns;
	size_t failed; /* of his */
	bool is_late;  /* there is no time for the rest */
};

static struct leftover *add(struct leftovers *l)
{
	if (!array_reserve(l->items, l->count, l->room))
		return NULL;
	return &l->items[l->count++];
}

static bool is_sticky(const struct opener_file *f)
{
	return (f->mode & S_ISVTX) && (f->mode & S_IWOTH);
}

/*
 * Only root and the JVM's own user know all that matters of its processes.  In a directory that
 * somebody else may change, what belongs to another user need not be where he left it.
 */
static bool is_trusted(const struct leftover_base *b, const struct opener_file *f)
{
	if (geteuid() != 0 && f->uid != geteuid())
		return false;
	if (b->self.uid == f->uid || is_sticky(&b->self))
		return true;
	return b->is_own && b->self.uid == 0;
}

static int take_name(void *ctx, const char *name, const struct opener_file *f)
{
	struct look *look = ctx;
	struct leftovers *l = look->leftovers;
	struct leftover *at;

	if (!name_repository_pid(name) || !S_ISDIR(f->mode) ||
	    !is_trusted(&l->bases[look->base], f))
		return 0;
	at = add(l);
	if (at)
		*at = (struct leftover){ .name = strdup(name),
					 .base = look->base,
					 .self = *f,
					 .touched_ns = f->modified_ns };
	if (at && at->name)
		return 0;
	l->count -= at != NULL;
	look->no_memory = true;
	return -1;
}

static void __attribute__((format(printf, 3, 4)))
tell(const struct look *look, const char *name, const char *format, ...)
{
	struct jfrec_error err = { .code = JFREC_EREFUSED, .offset = JFREC_NO_OFFSET };
	va_list args;

	va_start(args, format);
	vsnprintf(err.text, sizeof(err.text), format, args);
	va_end(args);
	look->fn(look->ctx, name, &err);
}

static void find_names(struct look *look)
{
	struct leftovers *l = look->leftovers;
	const struct leftover_base *b = &l->bases[look->base];
	struct jfrec_error err = { 0 };
	struct opener *opener = become(l, b->uid, b->gid, &err);
	int ret = opener ? opener_list(opener, b->fd, MAX_ENTRIES, take_name, look, &err) : -1;

	if (ret < 0 && !look->no_memory)
		look->fn(look->ctx, NULL, &err);
	else if (ret > 0)
		tell(look, NULL,
		     "a directory of repositories has too many entries; some were not examined");
}

/* Each base once, and of each user together, so that only one process is needed for him. */
static int by_user(const void *x, const void *y)
{
	const struct leftover *a = x, *b = y;

	if (a->self.uid != b->self.uid)
		return a->self.uid < b->self.uid ? -1 : 1;
	if (a->self.ino != b->self.ino)
		return a->self.ino < b->self.ino ? -1 : 1;
	if (a->self.dev != b->self.dev)
		return a->self.dev < b->self.dev ? -1 : 1;
	return a->base < b->base ? -1 : a->base > b->base;
}

static void leftover_fini(struct leftover *l)
{
	free(l->name);
	free(l->files);
}

static void tell_too_many(const struct look *look, uint32_t uid)
{
	tell(look, NULL, "user %u has more than %d repositories; the others are ignored", uid,
	     MAX_REPOSITORIES);
}

/* What two JVMs led to, and what is more than one user may have. */
static void sort(struct look *look)
{
	struct leftovers *l = look->leftovers;
	size_t kept = 0, of_user = 0;

	if (l->count)
		qsort(l->items, l->count, sizeof(*l->items), by_user);
	for (size_t i = 0; i < l->count; i++) {
		struct leftover *at = &l->items[i], *before = kept ? &l->items[kept - 1] : NULL;

		of_user = before && before->self.uid == at->self.uid ? of_user : 0;
		if (before && is_same(&before->self, &at->self)) {
			leftover_fini(at);
		} else if (of_user >= MAX_REPOSITORIES) {
			if (of_user++ == MAX_REPOSITORIES)
				tell_too_many(look, at->self.uid);
			leftover_fini(at);
		} else {
			l->items[kept++] = *at;
			of_user++;
		}
	}
	l->count = kept;
}

static int take_file(void *ctx, const char *name, const struct opener_file *f)
{
	struct leftover *l = ctx;

	if (f->modified_ns > l->touched_ns)
		l->touched_ns = f->modified_ns;
	if (!S_ISREG(f->mode) || f->uid != l->self.uid || !name_is_own_chunk(name))
		return 0;
	if (!array_push(l->files, l->file_count, l->file_room,
			(struct leftover_file){ f->dev, f->ino }))
		return -1;
	return 0;
}

static int by_file(const void *x, const void *y)
{
	const struct leftover_file *a = x, *b = y;

	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	return a->dev < b->dev ? -1 : a->dev > b->dev;
}

/* Open the directory, if it is the one that was found. */
static int open_directory(struct leftovers *l, const struct leftover *at, struct opener **opener,
			  struct jfrec_error *err)
{
	struct opener_file now;
	int fd;

	*opener = become(l, at->self.uid, at->self.gid, err);
	if (!*opener)
		return -1;
	fd = opener_open_directory(*opener, l->bases[at->base].fd, at->name, 0, &now, err);
	if (fd < 0 || (is_same(&now, &at->self) && now.uid == at->self.uid))
		return fd;
	close(fd);
	return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "it was replaced meanwhile");
}

/* Of the user before, what was only counted; then it is the turn of this one. */
static void change_user(struct look *look, uint32_t uid)
{
	if (look->failed > 1)
		tell(look, NULL, "user %u: %zu more of their repositories cannot be read",
		     look->uid, look->failed - 1);
	if (look->is_late)
		tell(look, NULL,
		     "user %u: listing their repositories took more than %d s; the rest of them "
		     "are not examined",
		     look->uid, (int)(LIST_NS / NS_PER_SECOND));
	look->uid = uid;
	look->began_ns = monotonic_now_ns();
	look->failed = 0;
	look->is_late = false;
}

/* The first one of a user, in full. */
static void tell_unread(struct look *look, const struct leftover *at, int ret,
			const struct jfrec_error *err)
{
	if (look->failed++)
		return;
	if (ret > 0)
		tell(look, at->name, "it has too many files to be a repository, and is ignored");
	else
		look->fn(look->ctx, at->name, err);
}

/* False: it is left out, which was told. */
static bool find_files(struct look *look, struct leftover *at)
{
	struct jfrec_error err = { 0 };
	struct opener *opener;
	int fd, ret = -1;

	if (monotonic_now_ns() - look->began_ns > LIST_NS) {
		look->is_late = true;
		return false;
	}
	fd = open_directory(look->leftovers, at, &opener, &err);
	if (fd >= 0) {
		ret = opener_list(opener, fd, MAX_FILES, take_file, at, &err);
		close(fd);
	}
	if (ret == 0) {
		if (at->file_count)
			qsort(at->files, at->file_count, sizeof(*at->files), by_file);
		return true;
	}
	tell_unread(look, at, ret, &err);
	return false;
}

static void find_all_files(struct look *look)
{
	struct leftovers *l = look->leftovers;
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct leftover *at = &l->items[i];

		if (i == 0 || look->uid != at->self.uid)
			change_user(look, at->self.uid);
		if (find_files(look, at))
			l->items[kept++] = *at;
		else
			leftover_fini(at);
	}
	change_user(look, 0);
	l->count = kept;
}

int leftovers_find(struct leftovers *l, jfrec_leftover_failed_fn *failed, void *ctx,
		   struct jfrec_error *err)
{
	struct look look = { .leftovers = l, .fn = failed, .ctx = ctx };

	for (look.base = 0; look.base < l->base_count && !look.no_memory; look.base++)
		find_names(&look);
	if (look.no_memory)
		return jfrec_fail_memory(err);
	sort(&look);
	find_all_files(&look);
	return 0;
}

void leftovers_fini(struct leftovers *l)
{
	for (size_t i = 0; i < l->count; i++)
		leftover_fini(&l->items[i]);
	for (size_t i = 0; i < l->base_count; i++)
		close(l->bases[i].fd);
	if (l->user.is_set)
		opener_stop(&l->user.opener);
	free(l->items);
	free(l->bases);
	*l = (struct leftovers){ 0 };
}

struct jfrec_repository *leftover_open(struct leftovers *l, const struct leftover *at,
				       const struct repository_filter *filter,
				       struct jfrec_error *err)
{
	struct repository_filter mine = *filter;
	struct opener *opener;
	int fd = open_directory(l, at, &opener, err);

	if (fd < 0)
		return NULL;
	mine.own_names = true;
	mine.owner = &at->self.uid;
	return repository_of_owned(opener, fd, at->name, &mine, err);
}

/* Alive or dead -------------------------------------------------------------------------------- */

static bool is_written(const struct leftover *l, const struct owners *w)
{
	for (size_t i = 0; i < l->file_count; i++) {
		if (owners_have(w, l->files[i].dev, l->files[i].ino))
			return true;
	}
	return false;
}

static bool was_there(const struct leftover *l, const struct repository_chunk *c)
{
	struct leftover_file f = { c->dev, c->ino };

	return l->file_count &&
	       bsearch(&f, l->files, l->file_count, sizeof(*l->files), by_file) != NULL;
}

bool leftover_is_dead(const struct leftover *l, const struct owners *w)
{
	return !is_written(l, w) &&
	       !owners_may_live(w, name_repository_pid(l->name), l->touched_ns, false);
}

bool leftover_is_final(const struct leftover *l, const struct repository_chunk *c,
		       const struct owners *w, int64_t now_ns)
{
	if (!repository_chunk_is_open(c))
		return true;
	return was_there(l, c) && !owners_have(w, c->dev, c->ino) &&
	       (w->sees_all || now_ns - l->touched_ns > QUIET_NS);
}

bool leftover_may_go(const struct leftover *l, const struct owners *w)
{
	return w->sees_all && !is_written(l, w) &&
	       !owners_may_live(w, name_repository_pid(l->name), l->touched_ns, true);
}

/* Removing ------------------------------------------------------------------------------------- */

struct removing {
	struct opener *opener;
	const struct leftover *leftover;
	const struct jfrec_repository *repository;
	int directory;
};

static bool is_in(const struct jfrec_repository *r, const char *name, const struct opener_file *f)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct repository_chunk *c = &r->chunks[i];

		if (c->ino == f->ino && c->dev == f->dev)
			return strcmp(c->name, name) == 0;
	}
	return false;
}

/* What was collected, and what is empty; anything else keeps the directory from going. */
static int remove_file(void *ctx, const char *name, const struct opener_file *f)
{
	const struct removing *r = ctx;

	if (S_ISREG(f->mode) && f->uid == r->leftover->self.uid &&
	    (name_is_own_chunk(name) || name_is_part(name)) &&
	    (f->size == 0 || is_in(r->repository, name, f)))
		opener_remove(r->opener, r->directory, name, f, NULL);
	return 0;
}

int leftover_remove(struct leftovers *all, const struct leftover *l,
		    const struct jfrec_repository *r, struct jfrec_error *err)
{
	struct removing removing = { .leftover = l, .repository = r };
	int ret;

	removing.directory = open_directory(all, l, &removing.opener, err);
	if (removing.directory < 0)
		return -1;
	ret = opener_list(removing.opener, removing.directory, MAX_FILES, remove_file, &removing,
			  err);
	close(removing.directory);
	if (ret < 0)
		return -1;
	return opener_remove(removing.opener, all->bases[l->base].fd, l->name, &l->self, err);
}
