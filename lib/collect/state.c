/* SPDX-License-Identifier: MIT */
/*
 * state.c - what has been collected
 *
 * A line for each thing, and one at the end that shows that none is missing:
 *
 *	jfrec-collect 1
 *	chunk START_NS START_TICKS SEEN_S REPOSITORY/FILE
 *	file BYTES END_NS STEP NAME             STEP: written, named, done
 *	end
 */
#include "collect/state.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#define FIRST_LINE "jfrec-collect 1"
#define LAST_LINE  "end"
#define NAME	   "state"
#define NEW_NAME   "state.new"

/* Ten years of a chunk each second would be a third of that. */
#define MAX_STATE (UINT64_C(64) << 30)

/* A repository that is not seen may come back, as that of a container that is stopped. */
#define FORGET_S (7 * 86400)

/* What is only seen again need not be written each time. */
#define SEEN_STEP_S 3600

static const char *const steps[] = {
	[FILE_WRITTEN] = "written",
	[FILE_NAMED] = "named",
	[FILE_DONE] = "done",
};

void state_fini(struct state *s)
{
	for (size_t i = 0; i < s->chunk_count; i++)
		free(s->chunks[i].name);
	for (size_t i = 0; i < s->file_count; i++)
		free(s->files[i].name);
	free(s->chunks);
	free(s->files);
	*s = (struct state){ 0 };
}

/* Chunks --------------------------------------------------------------------------------------- */

static int compare(const struct state_chunk *c, int64_t start_ns, int64_t start_ticks,
		   const char *name)
{
	if (c->start_ns != start_ns)
		return c->start_ns < start_ns ? -1 : 1;
	if (c->start_ticks != start_ticks)
		return c->start_ticks < start_ticks ? -1 : 1;
	return strcmp(c->name, name);
}

/* Where it is, or belongs. */
static size_t place(const struct state *s, int64_t start_ns, int64_t start_ticks, const char *name,
		    bool *found)
{
	size_t low = 0, high = s->chunk_count;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(&s->chunks[middle], start_ns, start_ticks, name);

		if (order == 0)
			*found = true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool state_knows(struct state *s, int64_t start_ns, int64_t start_ticks, const char *name,
		 int64_t now_s)
{
	bool found;
	size_t i = place(s, start_ns, start_ticks, name, &found);

	if (found && now_s - s->chunks[i].seen_s >= SEEN_STEP_S) {
		s->chunks[i].seen_s = now_s;
		s->changed = true;
	}
	return found;
}

int state_add_chunk(struct state *s, int64_t start_ns, int64_t start_ticks, const char *name,
		    int64_t now_s, struct jfrec_error *err)
{
	struct state_chunk c = { start_ns, start_ticks, now_s, NULL };
	bool found;
	size_t i = place(s, start_ns, start_ticks, name, &found);

	if (found)
		return 0;
	if (s->chunk_count == s->chunk_room) {
		size_t room = s->chunk_room ? s->chunk_room * 2 : 64;
		struct state_chunk *chunks = reallocarray(s->chunks, room, sizeof(*chunks));

		if (!chunks)
			return jfrec_fail_memory(err);
		s->chunks = chunks;
		s->chunk_room = room;
	}
	c.name = strdup(name);
	if (!c.name)
		return jfrec_fail_memory(err);
	memmove(&s->chunks[i + 1], &s->chunks[i], (s->chunk_count - i) * sizeof(*s->chunks));
	s->chunks[i] = c;
	s->chunk_count++;
	s->changed = true;
	return 0;
}

void state_forget(struct state *s, int64_t now_s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->chunk_count; i++) {
		if (now_s - s->chunks[i].seen_s > FORGET_S)
			free(s->chunks[i].name);
		else
			s->chunks[kept++] = s->chunks[i];
	}
	s->changed = s->changed || kept < s->chunk_count;
	s->chunk_count = kept;
}

/* Files ---------------------------------------------------------------------------------------- */

int state_add_file(struct state *s, const char *name, uint64_t bytes, int64_t end_ns,
		   enum file_step step, struct jfrec_error *err)
{
	struct state_file f = { .bytes = bytes, .end_ns = end_ns, .step = step };

	if (s->file_count == s->file_room) {
		size_t room = s->file_room ? s->file_room * 2 : 64;
		struct state_file *files = reallocarray(s->files, room, sizeof(*files));

		if (!files)
			return jfrec_fail_memory(err);
		s->files = files;
		s->file_room = room;
	}
	f.name = strdup(name);
	if (!f.name)
		return jfrec_fail_memory(err);
	s->files[s->file_count++] = f;
	s->changed = true;
	return 0;
}

struct state_file *state_file(const struct state *s, const char *name)
{
	for (size_t i = 0; i < s->file_count; i++) {
		if (strcmp(s->files[i].name, name) == 0)
			return &s->files[i];
	}
	return NULL;
}

void state_drop_file(struct state *s, size_t i)
{
	free(s->files[i].name);
	s->file_count--;
	memmove(&s->files[i], &s->files[i + 1], (s->file_count - i) * sizeof(*s->files));
	s->changed = true;
}

/* Reading -------------------------------------------------------------------------------------- */

/* A number from *text on, and the blank behind it. */
static bool take_number(char **text, int64_t *n)
{
	char *end;

	if (!isdigit((unsigned char)**text) && **text != '-')
		return false;
	errno = 0;
	*n = strtoll(*text, &end, 10);
	if (errno || end == *text || *end != ' ')
		return false;
	*text = end + 1;
	return true;
}

/* What is a name in a directory, and nothing that leads out of it. */
static bool is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static int take_chunk(struct state *s, char *text, struct jfrec_error *err)
{
	int64_t ns, ticks, seen;

	if (!take_number(&text, &ns) || !take_number(&text, &ticks) || !take_number(&text, &seen) ||
	    !*text || seen < 0)
		return 1;
	return state_add_chunk(s, ns, ticks, text, seen, err);
}

static int take_file(struct state *s, char *text, struct jfrec_error *err)
{
	int64_t bytes, end_ns;
	size_t step = 0, len;

	if (!take_number(&text, &bytes) || !take_number(&text, &end_ns) || bytes < 0)
		return 1;
	len = strcspn(text, " ");
	while (step <= FILE_DONE &&
	       (strlen(steps[step]) != len || strncmp(steps[step], text, len) != 0))
		step++;
	if (step > FILE_DONE || !text[len] || !is_plain(text + len + 1))
		return 1;
	return state_add_file(s, text + len + 1, (uint64_t)bytes, end_ns, (enum file_step)step,
			      err);
}

/* 0; 1: the line makes no sense; -1: *err is set. */
static int take_line(struct state *s, char *line, struct jfrec_error *err)
{
	if (strncmp(line, "chunk ", 6) == 0)
		return take_chunk(s, line + 6, err);
	if (strncmp(line, "file ", 5) == 0)
		return take_file(s, line + 5, err);
	return 1;
}

static int fail_line(struct jfrec_error *err, size_t number, const char *why)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "line %zu: %s; put the file back from a copy, or remove it: then what "
			  "the JVMs still have is collected once more",
			  number, why);
}

static int take_lines(struct state *s, char *text, struct jfrec_error *err)
{
	char *line = strsep(&text, "\n");
	size_t number = 1;
	int ret = 0;

	if (strcmp(line, FIRST_LINE) != 0)
		return fail_line(err, 1, "this is no state of jfrec collect, or of a newer one");
	while ((line = strsep(&text, "\n")) != NULL && (*line || text)) {
		number++;
		if (strcmp(line, LAST_LINE) == 0)
			return text && !*text ? 0 : fail_line(err, number + 1, "there is more");
		ret = take_line(s, line, err);
		if (ret)
			return ret < 0 ? -1 : fail_line(err, number, "makes no sense");
	}
	return fail_line(err, number, "it breaks off");
}

int state_parse(struct state *s, const char *text, size_t len, struct jfrec_error *err)
{
	char *copy = strndup(text, len);
	int ret;

	*s = (struct state){ 0 };
	if (!copy)
		return jfrec_fail_memory(err);
	ret = strlen(copy) == len ? take_lines(s, copy, err)
				  : fail_line(err, 1, "there is a NUL in it");
	free(copy);
	if (ret < 0)
		state_fini(s);
	s->changed = false;
	return ret;
}

static int read_fd(struct state *s, int fd, struct jfrec_error *err)
{
	struct stat st;
	size_t len = 0;
	ssize_t n = 1;
	char *text;
	int ret;

	if (fstat(fd, &st) < 0)
		return jfrec_fail_sys(err, errno, "cannot read it");
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > MAX_STATE)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "it is no state");
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		return jfrec_fail_memory(err);
	while (n > 0 && len < (size_t)st.st_size) {
		n = read(fd, text + len, (size_t)st.st_size - len);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			len += (size_t)n;
	}
	ret = n < 0 ? jfrec_fail_sys(err, errno, "cannot read it") : state_parse(s, text, len, err);
	free(text);
	return ret;
}

int state_load(struct state *s, int dir, struct jfrec_error *err)
{
	int fd = openat(dir, NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), ret;

	*s = (struct state){ 0 };
	if (fd < 0)
		return errno == ENOENT ? 0 : jfrec_fail_sys(err, errno, "cannot open it");
	ret = read_fd(s, fd, err);
	close(fd);
	return ret;
}

/* Writing -------------------------------------------------------------------------------------- */

static void print(FILE *to, const struct state *s)
{
	fputs(FIRST_LINE "\n", to);
	for (size_t i = 0; i < s->chunk_count; i++) {
		const struct state_chunk *c = &s->chunks[i];

		fprintf(to, "chunk %" PRId64 " %" PRId64 " %" PRId64 " %s\n", c->start_ns,
			c->start_ticks, c->seen_s, c->name);
	}
	for (size_t i = 0; i < s->file_count; i++) {
		const struct state_file *f = &s->files[i];

		fprintf(to, "file %" PRIu64 " %" PRId64 " %s %s\n", f->bytes, f->end_ns,
			steps[f->step], f->name);
	}
	fputs(LAST_LINE "\n", to);
}

char *state_text(const struct state *s, size_t *len)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	bool good;

	if (!to)
		return NULL;
	print(to, s);
	good = !ferror(to);
	if (fclose(to) == 0 && good)
		return text;
	free(text);
	return NULL;
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return fsync(fd);
}

static int write_new(int dir, const char *text, size_t len)
{
	int fd = openat(dir, NEW_NAME, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	int ret, error;

	if (fd < 0)
		return -1;
	ret = write_all(fd, text, len);
	error = errno;
	if (close(fd) < 0 && ret == 0)
		return -1;
	errno = error;
	return ret;
}

int state_save(struct state *s, int dir, struct jfrec_error *err)
{
	size_t len;
	char *text = state_text(s, &len);
	int ret;

	if (!text)
		return jfrec_fail_memory(err);
	ret = write_new(dir, text, len);
	if (ret == 0)
		ret = renameat(dir, NEW_NAME, dir, NAME);
	if (ret == 0)
		ret = fsync(dir);
	if (ret < 0)
		ret = jfrec_fail_sys(err, errno, "cannot write the state");
	else
		s->changed = false;
	free(text);
	return ret;
}
