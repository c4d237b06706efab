/* SPDX-License-Identifier: MIT */
/*
 * packed.c - an archive of recordings, each to be judged by itself
 *
 * An archive is as hostile as a recording, so a child that gave up its rights looks into it, and
 * prints the names that it finds, each followed by a zero byte.
 */
#include "analyze/packed.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/report.h"
#include "jvm/parallel_ask.h"
#include "recording/open_recordings.h"

/* Each child looks through the whole archive, so that more would take too long. */
#define MOST_APART 64

bool packed_may_be(const char *path)
{
	int fd = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char head[4];
	struct stat st;
	bool may_be;

	if (fd < 0)
		return false;
	may_be = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		 pread(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
		 memcmp(head, "FLR", sizeof(head)) != 0;
	close(fd);
	return may_be;
}

/* The child ------------------------------------------------------------------------------------ */

/* Those that read the recordings say what is wrong, and what the kernel grants. */
static bool be_silent(void)
{
	return freopen("/dev/null", "w", stderr) != NULL;
}

/* The file's own name, without the archive's and the directories in that. */
static const char *own_name(const char *name, const char *path)
{
	const char *own = name + strlen(path), *next;

	while ((next = strstr(own, ": ")) != NULL)
		own = next + 2;
	next = strrchr(own, '/');
	return next ? next + 1 : own;
}

/* What a JVM wrote as chunks is one recording. */
static bool are_apart(const struct jfrec_reader *r, const char *path)
{
	size_t count = jfrec_reader_file_count(r);

	for (size_t i = 0; count > 1 && i < count; i++) {
		if (!folder_is_chunk(own_name(jfrec_reader_file_name(r, i), path)))
			return true;
	}
	return false;
}

/* One more than are judged apart show that there are too many. */
static void print_names(const struct jfrec_reader *r)
{
	const char *name;

	for (size_t i = 0; i <= MOST_APART && (name = jfrec_reader_file_name(r, i)); i++) {
		fputs(name, stdout);
		putchar('\0');
	}
}

struct look {
	const char *path;
	struct folder *found;
};

static int look_into(void *ctx, size_t number)
{
	const struct look *l = ctx;
	char *path = (char *)l->path;
	struct jfrec_reader *r = be_silent() ? open_confined(CONFINE_READING, &path, 1) : NULL;

	(void)number;
	if (r && are_apart(r, path))
		print_names(r);
	jfrec_reader_close(r);
	return r ? EXIT_DONE : EXIT_FAILED;
}

/* The parent ----------------------------------------------------------------------------------- */

static void forget(struct folder *f)
{
	folder_fini(f);
	*f = (struct folder){ 0 };
}

static void take_names(void *ctx, size_t number, int status, const char *out, size_t len)
{
	struct folder *f = ((struct look *)ctx)->found;
	const char *end = out + len, *zero;
	char *name;

	(void)number;
	for (; status == EXIT_DONE && (zero = memchr(out, '\0', (size_t)(end - out)));
	     out = zero + 1) {
		name = strdup(out);
		if (name && array_push(f->paths, f->count, f->room, name))
			continue;
		free(name);
		say_out_of_memory();
		forget(f);
		return;
	}
}

void packed_read(struct folder *f, const char *path)
{
	struct look look = { path, f };
	char sentence[160];

	*f = (struct folder){ 0 };
	ask_in_parallel(&(struct parallel_ask){ look_into, take_names, &look, 1 }, 1);
	if (f->count <= MOST_APART)
		return;
	snprintf(sentence, sizeof(sentence),
		 "has more than %d recordings, which are judged as one; unpack it to have each "
		 "judged by itself",
		 MOST_APART);
	say(path, sentence);
	forget(f);
}
