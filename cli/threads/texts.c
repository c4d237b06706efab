/* SPDX-License-Identifier: MIT */
/*
 * texts.c - the texts of thread dumps, from files
 */
#include "threads/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/report.h"
#include "threads/seen.h"

#define MAX_BYTES (UINT64_C(1) << 30)
#define MAX_FILES 10000

static int fail(const char *path, const char *sentence)
{
	say(path, sentence);
	return EXIT_FAILED;
}

/* All that is there, and the byte after it. */
static int read_all(int fd, const char *path, uint64_t most, struct dump_text *t)
{
	size_t room = 1 << 16;
	ssize_t n;

	*t = (struct dump_text){ .path = path, .text = malloc(room) };
	while (t->text) {
		char *more;

		if (t->len + 1 == room && (more = realloc(t->text, room *= 2)) != NULL)
			t->text = more;
		else if (t->len + 1 >= room)
			break;
		n = read(fd, t->text + t->len, room - t->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(path, strerror(errno));
		if (n == 0)
			return EXIT_DONE;
		t->len += (size_t)n;
		if (t->len > most)
			return fail(path, "it is larger than 1 GiB, which no thread dump is; cut out the "
					  "part that begins with \"Full thread dump\"");
	}
	say_out_of_memory();
	return EXIT_FAILED;
}

static uint64_t bytes_of(const struct dump_texts *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->count; i++)
		sum += t->items[i].len;
	return sum;
}

/* Does it begin as what gzip, zstd or tar write, such as a snapshot in one file? */
static bool is_packed(const struct dump_text *t)
{
	static const char gzip[] = "\x1f\x8b", zstd[] = "\x28\xb5\x2f\xfd", tar[] = "ustar";

	return (t->len > 262 && memcmp(t->text + 257, tar, 5) == 0) ||
	       (t->len > 4 && (memcmp(t->text, gzip, 2) == 0 || memcmp(t->text, zstd, 4) == 0));
}

/* Closes the file. */
static int read_one(struct dump_texts *t, int fd, const char *path)
{
	struct dump_text one;
	int status = read_all(fd, path, MAX_BYTES - bytes_of(t), &one);

	if (fd != STDIN_FILENO)
		close(fd);
	if (status == EXIT_DONE && is_packed(&one))
		status = fail(path, "it is compressed, or an archive; unpack it, as with tar -xf, and "
				    "name the directory or file that comes out");
	if (array_push(t->items, t->count, t->room, one))
		return status;
	free(one.text);
	say_out_of_memory();
	return EXIT_FAILED;
}

/* Only plain files, not by a link: others may have put something there. */
static int open_in(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

static int read_directory(struct dump_texts *t, int dir, const char *path)
{
	char name[32], *full;
	int status = EXIT_DONE, fd;

	for (int i = 1; i <= MAX_FILES && status == EXIT_DONE; i++) {
		snprintf(name, sizeof(name), "threads-%d.txt", i);
		fd = open_in(dir, name);
		if (fd < 0 && errno == ENOENT)
			return i > 1 ? EXIT_DONE
				     : fail(path, "it has no threads-1.txt, as a snapshot has; name the "
						  "files with the thread dumps");
		if (asprintf(&full, "%s/%s", path, name) < 0)
			full = NULL;
		if (!full || !array_push(t->names, t->name_count, t->name_room, full)) {
			say_out_of_memory();
			free(full);
			status = EXIT_FAILED;
		} else if (fd < 0) {
			status = fail(full, errno == EINVAL ? "it is not a plain file" : strerror(errno));
		}
		if (status == EXIT_DONE)
			status = read_one(t, fd, full);
		else if (fd >= 0)
			close(fd);
	}
	return status;
}

static int read_path(struct dump_texts *t, const char *path)
{
	struct stat st;
	int fd, status;

	if (strcmp(path, "-") == 0)
		return read_one(t, STDIN_FILENO, path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) < 0) {
		status = fail(path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return status;
	}
	if (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)) {
		close(fd);
		return fail(path, "it is a device, which has no thread dumps");
	}
	if (!S_ISDIR(st.st_mode))
		return read_one(t, fd, path);
	status = read_directory(t, fd, path);
	close(fd);
	return status;
}

int dump_texts_read(struct dump_texts *t, char *const *paths, int count)
{
	int status = EXIT_DONE;

	for (int i = 0; i < count && status == EXIT_DONE; i++)
		status = read_path(t, paths[i]);
	return status;
}

int dump_texts_add(struct dump_texts *t, struct threads_seen *s)
{
	for (size_t i = 0; i < t->count; i++) {
		struct dump_text *one = &t->items[i];
		struct jfrec_error err;
		int ret = jfrec_thread_dumps_add(s->dumps, one->text, one->len, &err);

		one->text = NULL;
		if (ret < 0)
			return fail(one->path, failure_text(&err));
	}
	return EXIT_DONE;
}

void dump_texts_fini(struct dump_texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->items[i].text);
	for (size_t i = 0; i < t->name_count; i++)
		free(t->names[i]);
	free(t->items);
	free(t->names);
}
