/* SPDX-License-Identifier: MIT */
/*
 * owner.c - match JVMs with their repositories, without attaching
 */
#include "repository/owner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "process/root.h"
#include "repository/directory.h"
#include "repository/name.h"

/* While it is looked at, a JVM may go on to its next file. */
#define MAX_TRIES 3

/* What it has open ----------------------------------------------------------------------------- */

struct open_files {
	const struct process *p;
	owner_open_fn *fn;
	void *ctx;
	struct jfrec_error *err;
	int result;
	struct owned_repository *found; /* the first one is all that is wanted */
};

static void take_found(struct owned_repository *r, const struct process *p, int number,
		       const char *path, const char *directory, bool deleted)
{
	r->deleted = deleted;
	r->number = number;
	snprintf(r->path, sizeof(r->path), "%s", root_name(p, directory));
	snprintf(r->name, sizeof(r->name), "%s", strrchr(path, '/') + 1);
}

/* A descriptor, if it is of a file of its repository. */
static int take_link(void *ctx, int number, const char *link)
{
	struct open_files *o = ctx;
	char path[PATH_MAX], directory[PATH_MAX];
	bool deleted;
	int fd;

	snprintf(path, sizeof(path), "%s", link);
	snprintf(directory, sizeof(directory), "%s", link);
	if (!name_parse_chunk_path(directory, o->p->status.ns_pid, &deleted))
		return 0;
	if (deleted)
		path[strlen(path) - strlen(REPOSITORY_DELETED)] = '\0';
	if (o->found) {
		if (!*o->found->path)
			take_found(o->found, o->p, number, path, directory, deleted);
		return 0;
	}
	fd = process_open_descriptor(o->p, number);
	if (fd >= 0)
		o->result = o->fn(o->ctx, fd, path, o->err);
	else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
		o->result = jfrec_fail_sys(o->err, errno, "cannot read the list of open files of "
							  "process %d",
					   o->p->pid);
	return o->result;
}

void owner_find_repository(struct owned_repository *r, const struct process *p)
{
	struct open_files o = { .p = p, .found = r };

	*r = (struct owned_repository){ .number = -1 };
	r->denied = process_each_descriptor(p, take_link, &o) < 0;
}

int owner_each_open_file(const struct process *p, owner_open_fn *fn, void *ctx,
			 struct jfrec_error *err)
{
	struct open_files o = { .p = p, .fn = fn, .ctx = ctx, .err = err };

	/* What is not to be seen, or gone, has none; too few descriptors prove nothing. */
	if (process_each_descriptor(p, take_link, &o) < 0 && o.result == 0 &&
	    (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
		return jfrec_fail_sys(err, errno, "cannot read the list of open files of process "
						  "%d",
				      p->pid);
	return o.result;
}

/* Its directory -------------------------------------------------------------------------------- */

/* Is the file that the JVM has open in there, by the name that the kernel has for it? */
static int is_in(struct opener *o, const struct process *p, const struct owned_repository *r,
		 int directory, struct jfrec_error *err)
{
	struct opener_file here, its;
	int fd, found = opener_look(o, directory, r->name, &here, err);

	if (found <= 0)
		return found;
	fd = opener_open_descriptor(o, p, r->number, OPENER_DIRECT, &its, err);
	if (fd < 0)
		return errno == ETIMEDOUT ? -1 : 0;
	close(fd);
	return here.dev == its.dev && here.ino == its.ino;
}

static int fail_gone(const struct process *p, struct jfrec_error *err)
{
	jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
		   "the repository of process %d was removed or replaced", p->pid);
	errno = ENOENT;
	return -1;
}

int owner_open_repository(struct opener *o, const struct process *p, struct owned_repository *r,
			  struct jfrec_error *err)
{
	for (int tries = 0; tries < MAX_TRIES && *r->path; tries++) {
		int fd, is;

		if (r->deleted)
			break;
		fd = opener_open_directory(o, o->root_fd, r->path, 0, NULL, err);
		if (fd < 0 && errno == ETIMEDOUT)
			return -1;
		is = fd < 0 ? 0 : is_in(o, p, r, fd, err);
		if (is > 0)
			return fd;
		if (fd >= 0)
			close(fd);
		if (is < 0) {
			errno = ETIMEDOUT;
			return -1;
		}
		owner_find_repository(r, p);
	}
	return fail_gone(p, err);
}

/* Who has it open ------------------------------------------------------------------------------ */

/* As owner_of_directory(), of one JVM that may be it. */
static int try_writer(const struct jfrec_jvm *jvm, int directory, struct process *p)
{
	struct jfrec_error err;
	struct owned_repository r;
	struct opener opener;
	int fd = -1, is;

	if (process_open(p, jvm->pid, jvm->start_ticks, &err) < 0)
		return err.code == JFREC_EPERMISSION ? -1 : 0;
	owner_find_repository(&r, p);
	if (*r.path && opener_start(&opener, p, NULL) == 0) {
		fd = owner_open_repository(&opener, p, &r, NULL);
		opener_stop(&opener);
	}
	is = directory_is_same(fd, directory);
	if (fd >= 0)
		close(fd);
	if (r.denied && !process_has_exited(p))
		is = -1;
	if (is <= 0)
		process_close(p);
	return is;
}

int owner_of_directory(const char *path, struct process *p)
{
	const struct jfrec_jvm_query query = { .struct_size = sizeof(query),
					       .without_names = true };
	int ns_pid = name_repository_pid(path), is = 0;
	int directory = ns_pid ? directory_open(path) : -1;
	struct jfrec_jvms *list = directory >= 0 ? jfrec_jvms_find(&query, NULL) : NULL;
	bool denied = false;

	for (size_t i = 0; i < (list ? jfrec_jvms_count(list) : 0) && is <= 0; i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);

		if (jvm->ns_pid == ns_pid)
			is = try_writer(jvm, directory, p);
		denied |= is < 0;
	}
	jfrec_jvms_free(list);
	if (directory >= 0)
		close(directory);
	return is > 0 ? 1 : denied ? -1 : 0;
}
