/* SPDX-License-Identifier: MIT */
/*
 * debug_files.c - find the file with the debug information of a module, by its build ID
 *
 *	DIR/.build-id/xx/yyyy.debug     as distributions and debuggers keep them
 *	DIR/NAME                        any file in the directory that has that build ID
 *	/usr/lib/debug/.build-id/xx/yyyy.debug
 *
 * Only the build ID counts: files that a recording names are not opened.  Files may belong to
 * anyone: they must be regular ones.
 */
#include "symbols/debug_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/small_file.h"
#include "symbols/libdw.h"

#define SYSTEM_DIRECTORY "/usr/lib/debug"
#define MOST_ENTRIES	 20000u /* of a directory, that are looked at */

struct known_file {
	struct build_id id;
	char *name;
};

struct directory {
	char *path;
	int fd;
	bool is_system;
	bool was_read;
	struct known_file *files;
	size_t count, room;
};

struct jfrec_debug_files {
	struct directory *directories; /* the system's last */
	size_t count, room;
};

/* Build IDs ------------------------------------------------------------------------------------ */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

struct build_id build_id_parse(const char *digits)
{
	struct build_id id = { 0 };
	size_t len = strlen(digits);

	if (len % 2 || len > 2 * BUILD_ID_MAX)
		return id;
	for (size_t i = 0; i < len; i += 2) {
		int high = digit_of(digits[i]), low = digit_of(digits[i + 1]);

		if (high < 0 || low < 0)
			return (struct build_id){ 0 };
		id.bytes[i / 2] = (uint8_t)(high << 4 | low);
	}
	id.size = (unsigned)len / 2;
	return id;
}

static bool is_same(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && a->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* ".build-id/xx/yyyy.debug" */
static void build_id_path(struct build_id id, char *to, size_t size)
{
	int at = snprintf(to, size, ".build-id/%02x/", id.bytes[0]);

	for (unsigned i = 1; i < id.size; i++)
		at += snprintf(to + at, size - (size_t)at, "%02x", id.bytes[i]);
	snprintf(to + at, size - (size_t)at, ".debug");
}

/* Directories ---------------------------------------------------------------------------------- */

static int add(struct jfrec_debug_files *f, const char *path, bool is_system,
	       struct jfrec_error *err)
{
	struct directory d = { .is_system = is_system };

	d.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d.fd < 0)
		return jfrec_fail_errno(err, errno);
	d.path = strdup(path);
	if (d.path && array_push(f->directories, f->count, f->room, d))
		return 0;
	free(d.path);
	close(d.fd);
	return jfrec_fail_memory(err);
}

struct jfrec_debug_files *jfrec_debug_files_new(struct jfrec_error *err)
{
	struct jfrec_debug_files *f;

	if (!libdw_load(err))
		return NULL;
	f = calloc(1, sizeof(*f));
	if (!f)
		jfrec_fail_memory(err);
	return f;
}

int jfrec_debug_files_add(struct jfrec_debug_files *f, const char *path, struct jfrec_error *err)
{
	return add(f, path, false, err);
}

int jfrec_debug_files_add_system(struct jfrec_debug_files *f, struct jfrec_error *err)
{
	/* Most systems have none. */
	return add(f, SYSTEM_DIRECTORY, true, err) < 0 && err->code == JFREC_ENOMEM ? -1 : 0;
}

static void fini(struct directory *d)
{
	for (size_t i = 0; i < d->count; i++)
		free(d->files[i].name);
	free(d->files);
	free(d->path);
	close(d->fd);
}

void jfrec_debug_files_free(struct jfrec_debug_files *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		fini(&f->directories[i]);
	free(f->directories);
	free(f);
}

static struct debug_info *open_in(const struct directory *d, const char *name,
				  struct jfrec_error *err)
{
	int fd = small_file_open(d->fd, name, err);

	return fd < 0 ? NULL : debug_info_open(fd, err);
}

static void note_file(struct directory *d, const char *name)
{
	struct jfrec_error ignored;
	struct debug_info *info = open_in(d, name, &ignored);
	struct known_file known = { 0 };

	if (!info)
		return;
	known.id = debug_info_id(info);
	debug_info_close(info);
	known.name = known.id.size ? strdup(name) : NULL;
	if (!known.name || !array_push(d->files, d->count, d->room, known))
		free(known.name);
}

/* Which build IDs do the files in it have?  What cannot be read has none. */
static void read_directory(struct directory *d)
{
	int fd = d->was_read || d->is_system
			 ? -1
			 : openat(d->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	d->was_read = true;
	if (fd >= 0 && !stream)
		close(fd);
	for (unsigned i = 0; stream && i < MOST_ENTRIES && (e = readdir(stream)); i++)
		if (e->d_name[0] != '.')
			note_file(d, e->d_name);
	if (stream)
		closedir(stream);
}

/* Files ---------------------------------------------------------------------------------------- */

/* What is found first that has lines; of those without the first. */
struct search {
	struct jfrec_debug_files *files;
	struct build_id id;
	struct debug_info *found;
	const struct directory *where;
	char *name;
	struct jfrec_error *err; /* why the last file that should be it is none */
	bool has_failed;
};

static bool is_done(const struct search *s)
{
	return s->found && debug_info_has_lines(s->found);
}

static void consider(struct search *s, const struct directory *d, const char *name)
{
	struct jfrec_error why;
	struct debug_info *info = open_in(d, name, &why);
	struct build_id id = { 0 };

	if (!info) {
		if (faccessat(d->fd, name, F_OK, 0) == 0) {
			*s->err = why;
			s->has_failed = true;
		}
		return;
	}
	id = debug_info_id(info);
	if (!is_same(&id, &s->id) || (s->found && !debug_info_has_lines(info))) {
		debug_info_close(info);
		return;
	}
	debug_info_close(s->found);
	free(s->name);
	s->found = info;
	s->where = d;
	s->name = strdup(name);
}

static void search_directory(struct search *s, struct directory *d)
{
	char path[2 * BUILD_ID_MAX + 32];

	build_id_path(s->id, path, sizeof(path));
	consider(s, d, path);
	if (is_done(s))
		return;
	read_directory(d);
	for (size_t i = 0; i < d->count && !is_done(s); i++)
		if (is_same(&d->files[i].id, &s->id))
			consider(s, d, d->files[i].name);
}

static void search(struct search *s)
{
	for (size_t i = 0; s->id.size && i < s->files->count && !is_done(s); i++)
		search_directory(s, &s->files->directories[i]);
}

/* Debian keeps what files share below .dwz/, and writes an absolute path: its end counts. */
static struct debug_info *find_shared_part(void *files, const char *path, struct build_id id)
{
	struct jfrec_error ignored;
	struct search s = { .files = files, .id = id, .err = &ignored };
	const char *below = strstr(path, ".dwz/");

	search(&s);
	for (size_t i = 0; !is_done(&s) && below && !strstr(below, "..") && i < s.files->count; i++)
		consider(&s, &s.files->directories[i], below);
	free(s.name);
	return s.found;
}

struct debug_info *debug_files_find(struct jfrec_debug_files *f, struct build_id id, char **path,
				    struct jfrec_error *err)
{
	struct search s = { .files = f, .id = id, .err = err };
	int ret;

	*path = NULL;
	search(&s);
	if (!s.found) {
		if (!s.has_failed)
			jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
				   "there is no file with its build ID");
		return NULL;
	}
	if (!s.name || asprintf(path, "%s/%s", s.where->path, s.name) < 0)
		*path = NULL;
	free(s.name);
	err->text[0] = '\0';
	ret = debug_info_read(s.found, find_shared_part, f, err);
	if (ret == 0 && !debug_info_has_lines(s.found))
		jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
			   "the file has symbols, but no lines");
	return s.found;
}
