/* SPDX-License-Identifier: MIT */
/*
 * crash_files.c - the files that a crashing JVM leaves
 *
 * Any user may have made a file of such a name.  It is reported only if it is a regular file, of a
 * JVM's directory only if it belongs to the JVM's user, and what is looked for is not opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/shell_word.h"
#include "jfrec-tool.h"
#include "process/identity.h"
#include "process/opener.h"
#include "process/probe.h"
#include "process/root.h"

#define PREFIX "hs_err_pid"

/* Entries of a directory that are looked at, and files that are kept. */
#define MOST_ENTRIES 10000
#define MOST_FILES   256

/* Where they may be. */
struct searched_directory {
	int dir; /* O_PATH; -1: it could not be opened */
	char *path;
	bool is_of_jvm, is_elsewhere;
	uid_t uid; /* of a JVM, as all that follows */
	gid_t gid;
	int pid; /* as it knows itself */
	int64_t since_ns;
	char *log; /* a name that -XX:ErrorFile gives; or NULL */
};

struct jfrec_crash_files {
	struct searched_directory *places;
	size_t place_count, place_room;
	struct jfrec_crash_file *files;
	size_t count, room;
	/* While they are looked for. */
	const struct searched_directory *place;
	enum jfrec_crash_of whose;
	int pid;
	bool no_memory;
};

struct jfrec_crash_files *jfrec_crash_files_new(struct jfrec_error *err)
{
	struct jfrec_crash_files *c = calloc(1, sizeof(*c));

	if (!c)
		jfrec_fail_memory(err);
	return c;
}

static void forget_files(struct jfrec_crash_files *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free((char *)c->files[i].path);
		free((char *)c->files[i].word);
	}
	c->count = 0;
}

static void place_fini(struct searched_directory *p)
{
	if (p->dir >= 0)
		close(p->dir);
	free(p->path);
	free(p->log);
}

void jfrec_crash_files_free(struct jfrec_crash_files *c)
{
	if (!c)
		return;
	forget_files(c);
	for (size_t i = 0; i < c->place_count; i++)
		place_fini(&c->places[i]);
	free(c->places);
	free(c->files);
	free(c);
}

/* Places --------------------------------------------------------------------------------------- */

/* p->path is a copy, or NULL when memory is gone.  Takes what p has. */
static bool add_place(struct jfrec_crash_files *c, struct searched_directory *p)
{
	if (p->path && array_push(c->places, c->place_count, c->place_room, *p))
		return true;
	c->no_memory = true;
	place_fini(p);
	return false;
}

void jfrec_crash_files_add_directory(struct jfrec_crash_files *c, const char *path)
{
	struct searched_directory p = { .dir = opener_open_named(path), .path = strdup(path) };

	add_place(c, &p);
}

/* A pattern of -XX:ErrorFile: %p is the pid, %% is %.  To be freed. */
static char *expanded(const char *pattern, int pid)
{
	char *to = malloc(strlen(pattern) + 32), *at = to;
	bool has_pid = false;

	if (!to)
		return NULL;
	for (; *pattern; pattern++) {
		if (*pattern == '%' && pattern[1] == 'p' && !has_pid) {
			at += sprintf(at, "%d", pid);
			has_pid = true;
			pattern++;
		} else {
			pattern += *pattern == '%' && pattern[1] == '%';
			*at++ = *pattern;
		}
	}
	*at = '\0';
	return to;
}

/* What follows an option among the words of a command line; the last one counts. */
static const char *option_of(const char *bytes, size_t len, const char *option)
{
	const char *found = NULL;

	for (const char *at = bytes; at < bytes + len; at += strlen(at) + 1) {
		if (strncmp(at, option, strlen(option)) == 0)
			found = at + strlen(option);
	}
	return found && *found ? found : NULL;
}

/* The directory of -XX:ErrorFile, in the JVM's root, and the name in it. */
static void add_error_file(struct jfrec_crash_files *c, const struct searched_directory *cwd,
			   struct jvm_root *r)
{
	size_t len = 0;
	char *words = process_read(&r->process, "cmdline", 2u << 20, &len);
	const char *pattern = words ? option_of(words, len, "-XX:ErrorFile=") : NULL;
	char *name = pattern ? expanded(pattern, cwd->pid) : NULL, *slash, path[PATH_MAX + 4];
	struct searched_directory p = *cwd;

	slash = name ? strrchr(name, '/') : NULL;
	if (slash && slash[1] && (size_t)(slash - name) < PATH_MAX) {
		snprintf(path, sizeof(path), "%.*s/.", (int)(slash - name), name);
		p.dir = opener_open_directory(&r->opener, *name == '/' ? r->root_fd : r->cwd_fd,
					      path, OPENER_ANYBODYS, NULL, NULL);
		*slash = '\0';
		p.path = *name == '/' ? strdup(name) : NULL;
		if (!p.path && *name != '/' && asprintf(&p.path, "%s/%s", cwd->path, name) < 0)
			p.path = NULL;
		p.log = strdup(slash + 1);
		add_place(c, &p);
	} else if (name && *name && !slash) {
		p.dir = fcntl(cwd->dir, F_DUPFD_CLOEXEC, 3);
		p.path = strdup(cwd->path);
		p.log = strdup(name);
		add_place(c, &p);
	}
	free(name);
	free(words);
}

int jfrec_crash_files_add_jvm(struct jfrec_crash_files *c, const struct jfrec_jvm *jvm,
			      struct jfrec_error *err)
{
	char cwd[PATH_MAX];
	struct jvm_root r;
	struct searched_directory p = { .is_of_jvm = true,
					.uid = jvm->uid,
					.gid = jvm->gid,
					.since_ns = jvm->started_ns };

	if (jvm_root_open(&r, jvm->pid, jvm->start_ticks, jvm->tmp, err) < 0)
		return -1;
	p.pid = r.process.status.ns_pid;
	p.is_elsewhere = !r.is_plain && !identity_is_at_home(&r.process);
	p.dir = fcntl(r.cwd_fd, F_DUPFD_CLOEXEC, 3);
	if (!process_link(&r.process, "cwd", cwd))
		*cwd = '\0';
	p.path = strdup(root_name(&r.process, cwd));
	if (p.dir >= 0 && add_place(c, &p))
		add_error_file(c, &p, &r);
	else if (p.dir < 0)
		place_fini(&p);
	jvm_root_close(&r);
	return c->no_memory ? jfrec_fail_memory(err) : 0;
}

/* Files ---------------------------------------------------------------------------------------- */

/* The pid in hs_err_pid4711.jfr or .log; 0: it is not such a name. */
static int pid_in(const char *name, bool *is_recording)
{
	const char *digits = name + strlen(PREFIX);
	char *end;
	long pid;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || *digits < '1' || *digits > '9')
		return 0;
	pid = strtol(digits, &end, 10);
	*is_recording = strcmp(end, ".jfr") == 0;
	return pid <= INT_MAX && (*is_recording || strcmp(end, ".log") == 0) ? (int)pid : 0;
}

static void add_file(struct jfrec_crash_files *c, const char *name, const struct opener_file *f,
		     int pid, bool is_recording)
{
	const struct searched_directory *p = c->place;
	struct jfrec_crash_file file = {
		.is_recording = is_recording,
		.is_elsewhere = p->is_elsewhere,
		.pid = pid,
		.uid = f->uid,
		.modified_ns = f->modified_ns,
		.size = f->size,
	};
	char *path = NULL;

	if (!S_ISREG(f->mode) || !f->size || (p->is_of_jvm && f->uid != p->uid) ||
	    c->count == MOST_FILES)
		return;
	if (asprintf(&path, "%s%s%s", p->path, strcmp(p->path, "/") == 0 ? "" : "/", name) < 0)
		path = NULL;
	file.path = path;
	file.word = path ? shell_word(path) : NULL;
	if (file.word && array_push(c->files, c->count, c->room, file))
		return;
	c->no_memory = true;
	free((char *)file.word);
	free(path);
}

/* Does a process run that has this number, so that its files may be those of one before it? */
static bool runs(const struct searched_directory *p, int pid)
{
	struct process process;
	bool is_zombie;

	if (p->is_elsewhere || (kill(pid, 0) < 0 && errno == ESRCH))
		return false;
	if (process_open(&process, pid, 0, NULL) < 0)
		return true;
	is_zombie = process_is_zombie(&process);
	process_close(&process);
	return !is_zombie;
}

static int take_entry(void *ctx, const char *name, const struct opener_file *f)
{
	struct jfrec_crash_files *c = ctx;
	const struct searched_directory *p = c->place;
	bool is_recording;
	int pid = pid_in(name, &is_recording);

	if (!pid || (c->pid && pid != c->pid))
		return 0;
	/* What is older than the JVM is of one before it, which may have had its number. */
	if (p->is_of_jvm && pid == p->pid ? f->modified_ns < p->since_ns : !runs(p, pid))
		add_file(c, name, f, pid, is_recording);
	return 0;
}

/* By its name, without looking at all that is there. */
static void look_for(struct jfrec_crash_files *c, struct opener *opener, const char *name, int pid,
		     bool is_recording)
{
	struct opener_file f;

	if (opener_look(opener, c->place->dir, name, &f, NULL) > 0 &&
	    (c->whose == JFREC_CRASH_OF_OTHERS || f.modified_ns >= c->place->since_ns))
		add_file(c, name, &f, pid, is_recording);
}

static void look_for_pid(struct jfrec_crash_files *c, struct opener *opener, int pid)
{
	char name[64];

	snprintf(name, sizeof(name), PREFIX "%d.jfr", pid);
	look_for(c, opener, name, pid, true);
	snprintf(name, sizeof(name), PREFIX "%d.log", pid);
	look_for(c, opener, name, pid, false);
}

static void look_into(struct jfrec_crash_files *c, struct opener *opener)
{
	const struct searched_directory *p = c->place;

	if (c->whose == JFREC_CRASH_OF_JVM && p->log)
		look_for(c, opener, p->log, p->pid, false);
	else if (c->whose == JFREC_CRASH_OF_JVM)
		look_for_pid(c, opener, p->pid);
	else if (c->pid)
		look_for_pid(c, opener, c->pid);
	else
		opener_list(opener, p->dir, MOST_ENTRIES, take_entry, c, NULL);
}

static void look_at(struct jfrec_crash_files *c, const struct searched_directory *p)
{
	struct opener opener = OPENER_HERE;

	if (p->dir < 0)
		return;
	c->place = p;
	if (p->is_of_jvm && geteuid() == 0 && opener_start_user(&opener, p->uid, p->gid, NULL) < 0)
		return;
	look_into(c, &opener);
	opener_stop(&opener);
}

static int compare(const void *a, const void *b)
{
	const struct jfrec_crash_file *x = a, *y = b;

	if (x->is_recording != y->is_recording)
		return x->is_recording ? -1 : 1;
	if (x->modified_ns != y->modified_ns)
		return x->modified_ns > y->modified_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Directories that are the same have the same files. */
static void drop_doubles(struct jfrec_crash_files *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (kept && strcmp(c->files[i].path, c->files[kept - 1].path) == 0) {
			free((char *)c->files[i].path);
			free((char *)c->files[i].word);
			continue;
		}
		c->files[kept++] = c->files[i];
	}
	c->count = kept;
}

int jfrec_crash_files_find(struct jfrec_crash_files *c, enum jfrec_crash_of whose, int pid,
			   struct jfrec_error *err)
{
	forget_files(c);
	c->whose = whose;
	c->pid = pid;
	for (size_t i = 0; i < c->place_count; i++) {
		if (whose == JFREC_CRASH_OF_OTHERS || c->places[i].is_of_jvm)
			look_at(c, &c->places[i]);
	}
	if (c->count)
		qsort(c->files, c->count, sizeof(*c->files), compare);
	drop_doubles(c);
	return c->no_memory ? jfrec_fail_memory(err) : 0;
}

/* Where the file is; NULL: not in a place of a JVM.  *name points into its path. */
static const struct searched_directory *place_of(const struct jfrec_crash_files *c,
						 const char *path, const char **name)
{
	size_t len = (size_t)(strrchr(path, '/') - path);

	*name = path + len + 1;
	for (size_t i = 0; i < c->place_count; i++) {
		const struct searched_directory *p = &c->places[i];
		size_t own = strcmp(p->path, "/") == 0 ? 0 : strlen(p->path);

		if (p->is_of_jvm && p->dir >= 0 && own == len && strncmp(p->path, path, len) == 0)
			return p;
	}
	return NULL;
}

int jfrec_crash_files_open(const struct jfrec_crash_files *c, size_t i, struct jfrec_error *err)
{
	struct opener opener = OPENER_HERE;
	const struct searched_directory *p;
	struct opener_file f;
	const char *name;
	int fd;

	p = place_of(c, c->files[i].path, &name);
	if (!p)
		return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "%.200s is not a JVM's",
				  c->files[i].path);
	if (geteuid() == 0 && opener_start_user(&opener, p->uid, p->gid, err) < 0)
		return -1;
	fd = opener_open_file(&opener, p->dir, name, 0, &f, err);
	opener_stop(&opener);
	if (fd < 0 || (f.uid == p->uid && f.links <= 1))
		return fd;
	close(fd);
	return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			  "%.200s is not a file of uid %u alone", c->files[i].path, p->uid);
}

size_t jfrec_crash_files_count(const struct jfrec_crash_files *c)
{
	return c->count;
}

const struct jfrec_crash_file *jfrec_crash_files_get(const struct jfrec_crash_files *c, size_t i)
{
	return i < c->count ? &c->files[i] : NULL;
}
