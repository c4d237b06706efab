/* SPDX-License-Identifier: MIT */
/*
 * kept_directories.c - directories that stay in reach when the root changes
 */
#include "recorder/ground/kept_directories.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/ground/held.h"

/* The repository's and the file's, and those of another start. */
#define PLACES 4u

static struct {
	struct kept_directory {
		char *path;
		struct held held;
	} places[PLACES];
	unsigned next;
	pthread_mutex_t lock;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int open_path(const char *path)
{
	return open(*path ? path : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static struct kept_directory *find(const char *path)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (kept.places[i].path && !strcmp(kept.places[i].path, path))
			return &kept.places[i];
	return NULL;
}

static bool is_good(const struct kept_directory *p)
{
	return held_is_there(&p->held) && !held_is_unlinked(&p->held);
}

static void forget(struct kept_directory *p)
{
	char *path = p->path;

	p->path = NULL;
	held_close_in_child(&p->held);
	free(path);
}

void directory_keep(const char *directory)
{
	struct kept_directory *p;

	pthread_mutex_lock(&kept.lock);
	p = find(directory);
	if (!p || !is_good(p)) {
		if (!p)
			p = &kept.places[kept.next++ % PLACES];
		if (p->path)
			forget(p);
		p->held = held_take(open_path(directory));
		p->path = p->held.fd < 0 ? NULL : strdup(directory);
	}
	pthread_mutex_unlock(&kept.lock);
}

static char *directory_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? strndup(file, (size_t)(slash - file)) : strdup(".");
}

void directory_keep_of(const char *file)
{
	char *directory = directory_of(file);

	if (directory)
		directory_keep(directory);
	free(directory);
}

/* -1: it is not kept. */
static int open_kept(const char *path)
{
	struct kept_directory *p;
	int fd = -1;

	pthread_mutex_lock(&kept.lock);
	p = find(path);
	if (p && is_good(p))
		fd = fcntl(p->held.fd, F_DUPFD_CLOEXEC, p->held.fd);
	pthread_mutex_unlock(&kept.lock);
	return fd;
}

int directory_open_of(const char *file)
{
	char *directory = directory_of(file);
	int fd = directory ? open_kept(directory) : -1;

	if (fd < 0 && directory)
		fd = open_path(directory);
	free(directory);
	return fd;
}

const char *name_in_directory(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

void directory_look_after(void)
{
	int saved = errno;

	/* Another thread has it: it looks, too. */
	if (pthread_mutex_trylock(&kept.lock))
		return;
	for (unsigned i = 0; i < PLACES; i++) {
		struct kept_directory *p = &kept.places[i];

		if (p->path && !held_is_there(&p->held))
			p->held = held_take(open_path(p->path));
	}
	pthread_mutex_unlock(&kept.lock);
	errno = saved;
}

void directory_after_fork(bool keep)
{
	/* Their names are left alone: a signal handler that forks may have stopped in malloc(). */
	static const char *left[PLACES] __attribute__((used));

	pthread_mutex_init(&kept.lock, NULL);
	for (unsigned i = 0; i < PLACES && !keep; i++) {
		if (!kept.places[i].path)
			continue;
		left[i] = kept.places[i].path;
		kept.places[i].path = NULL;
		held_close_in_child(&kept.places[i].held);
	}
}
