/* SPDX-License-Identifier: MIT */
/*
 * state.c - remember what has been collected
 *
 * A line for each thing, and one at the end that shows that none is missing:
 *
 *	jfrec-collect 2
 *	chunk START_NS START_TICKS SEEN_S REPOSITORY/FILE
 *	file BYTES END_NS STEP OWNER NAME
 *	end
 *
 * STEP is written, named, done, reported, page or exported: how far the file has come (enum
 * file_step).  OWNER is the uid of the JVM, or -.  In names %XX stands for a control character, for
 * % and for bytes beyond ASCII.  Version 1 had plain names, and no owners; it is still read.
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

#include "base/array.h"

#define FIRST_LINE "jfrec-collect 2"
#define OLD_LINE   "jfrec-collect 1"
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
	[FILE_REPORTED] = "reported",
	[FILE_PAGE] = "page",
	[FILE_EXPORTED] = "exported",
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

/* Names ---------------------------------------------------------------------------------------- */

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

/* Names come from others: none may look like more than a name, wherever it is printed. */
static bool has_control(const char *name)
{
	while (*name && !is_control(*name))
		name++;
	return *name;
}

/* What is a name in a directory, and nothing that leads out of it. */
static bool is_plain(const char *name)
{
	return *name != '.' && !strchr(name, '/');
}

static int fail_name(struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "the name is empty, contains a control character or leads out of the directory");
}

static void put_escaped(FILE *to, const char *name)
{
	for (; *name; name++) {
		if (is_control(*name) || *name == '%' || (unsigned char)*name >= 0x80)
			fprintf(to, "%%%02X", (unsigned char)*name);
		else
			fputc(*name, to);
	}
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Undo put_escaped(), in place. */
static bool unescape(char *name)
{
	char *to = name;

	for (; *name; name++) {
		int high, low;

		if (*name != '%') {
			*to++ = *name;
			continue;
		}
		high = digit_of(name[1]);
		low = high < 0 ? -1 : digit_of(name[2]);
		if (low < 0)
			return false;
		*to++ = (char)(high << 4 | low);
		name += 2;
	}
	*to = '\0';
	return true;
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
	if (!*name || has_control(name))
		return fail_name(err);
	if (!array_reserve(s->chunks, s->chunk_count, s->chunk_room))
		return jfrec_fail_memory(err);
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

int state_add_file(struct state *s, const char *name, int64_t owner, uint64_t bytes,
		   int64_t end_ns, enum file_step step, struct jfrec_error *err)
{
	struct state_file f = { .owner = owner, .bytes = bytes, .end_ns = end_ns, .step = step };

	if (!*name || has_control(name) || !is_plain(name))
		return fail_name(err);
	if (!array_reserve(s->files, s->file_count, s->file_room))
		return jfrec_fail_memory(err);
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

struct reading {
	struct state *state;
	bool is_old; /* version 1 */
	struct jfrec_error *err;
};

/* A number from *text on, and the blank after it. */
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

static bool take_owner(char **text, int64_t *owner)
{
	if (strncmp(*text, "- ", 2) != 0)
		return take_number(text, owner) && *owner >= 0 && *owner <= UINT32_MAX;
	*owner = NO_OWNER;
	*text += 2;
	return true;
}

static bool take_name(const struct reading *r, char *name)
{
	return (r->is_old || unescape(name)) && *name && !has_control(name);
}

static int take_chunk(struct reading *r, char *text)
{
	int64_t ns, ticks, seen;

	if (!take_number(&text, &ns) || !take_number(&text, &ticks) || !take_number(&text, &seen) ||
	    !take_name(r, text) || seen < 0)
		return 1;
	return state_add_chunk(r->state, ns, ticks, text, seen, r->err);
}

static int take_file(struct reading *r, char *text)
{
	int64_t bytes, end_ns, owner = NO_OWNER;
	size_t step = 0, len;

	if (!take_number(&text, &bytes) || !take_number(&text, &end_ns) || bytes < 0)
		return 1;
	len = strcspn(text, " ");
	while (step <= FILE_EXPORTED &&
	       (strlen(steps[step]) != len || strncmp(steps[step], text, len) != 0))
		step++;
	if (step > FILE_EXPORTED || !text[len])
		return 1;
	text += len + 1;
	if ((!r->is_old && !take_owner(&text, &owner)) || !take_name(r, text) || !is_plain(text))
		return 1;
	return state_add_file(r->state, text, owner, (uint64_t)bytes, end_ns, (enum file_step)step,
			      r->err);
}

/* 0; 1: the line makes no sense; -1: *err is set. */
static int take_line(struct reading *r, char *line, size_t len)
{
	if (memchr(line, '\0', len))
		return 1;
	if (strncmp(line, "chunk ", 6) == 0)
		return take_chunk(r, line + 6);
	if (strncmp(line, "file ", 5) == 0)
		return take_file(r, line + 5);
	return 1;
}

static int fail_line(struct jfrec_error *err, size_t number, const char *why)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "line %zu: %s; restore the file from a copy, or remove it: then "
			  "everything that the JVMs still have is collected again",
			  number, why);
}

/* The next line, with a NUL in the place of its end; NULL after the last. */
static char *next_line(char **text, const char *end, size_t *len)
{
	char *line = *text, *feed;

	if (line >= end)
		return NULL;
	feed = memchr(line, '\n', (size_t)(end - line));
	*len = (size_t)((feed ? feed : end) - line);
	line[*len] = '\0';
	*text = line + *len + 1;
	return line;
}

/* One that makes no sense costs itself: whatever it was, the rest is as good as before. */
static int take_lines(struct reading *r, char *text, const char *end)
{
	struct state *s = r->state;
	size_t number = 1, len, last = 0;
	char *line = next_line(&text, end, &len);

	r->is_old = line && strcmp(line, OLD_LINE) == 0;
	if (!line || (!r->is_old && strcmp(line, FIRST_LINE) != 0))
		return fail_line(r->err, 1, "not a jfrec collect state file, or one written by a "
					    "newer version");
	while ((line = next_line(&text, end, &len)) != NULL) {
		int ret;

		number++;
		if (len == strlen(LAST_LINE) && memcmp(line, LAST_LINE, len) == 0) {
			last = number;
			continue;
		}
		ret = take_line(r, line, len);
		if (ret < 0)
			return -1;
		if (ret > 0 && s->bad_lines++ == 0)
			s->first_bad = number;
	}
	return last ? 0 : fail_line(r->err, number, "the file is truncated");
}

int state_parse(struct state *s, const char *text, size_t len, struct jfrec_error *err)
{
	struct reading r = { .state = s, .err = err };
	char *copy = malloc(len + 1);
	int ret;

	*s = (struct state){ 0 };
	if (!copy)
		return jfrec_fail_memory(err);
	memcpy(copy, text, len);
	copy[len] = '\0';
	ret = take_lines(&r, copy, copy + len);
	free(copy);
	if (ret < 0)
		state_fini(s);
	s->changed = s->bad_lines > 0;
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
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "not a state file");
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

		fprintf(to, "chunk %" PRId64 " %" PRId64 " %" PRId64 " ", c->start_ns,
			c->start_ticks, c->seen_s);
		put_escaped(to, c->name);
		fputc('\n', to);
	}
	for (size_t i = 0; i < s->file_count; i++) {
		const struct state_file *f = &s->files[i];

		fprintf(to, "file %" PRIu64 " %" PRId64 " %s ", f->bytes, f->end_ns,
			steps[f->step]);
		if (f->owner == NO_OWNER)
			fputs("- ", to);
		else
			fprintf(to, "%" PRId64 " ", f->owner);
		put_escaped(to, f->name);
		fputc('\n', to);
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
