/* SPDX-License-Identifier: MIT */
/*
 * recording_files.c - the files that make up a recording, one open at a time
 */
#include "format/recording_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "format/mangled.h"
#include "format/metadata.h"
#include "format/recording_archive.h"
#include "format/v0_input.h"

int recording_add(struct recording *r, const char *path, struct jfrec_error *err)
{
	if (strcmp(path, "-") != 0 && access(path, R_OK) < 0)
		return jfrec_fail_sys(err, errno, "cannot open");
	return recording_add_found(r, path, err);
}

static int open_current(struct recording *r, struct jfrec_error *err);

static bool is_spooled(const struct recording *r, size_t i)
{
	return recording_spool(r, i) >= 0;
}

static int open_input(struct recording *r, struct jfrec_error *err)
{
	int ret;

	if (is_spooled(r, r->current))
		ret = input_open_fd(&r->in, r->spools[r->current], r->waiting, err);
	else if (recording_member(r, r->current))
		ret = member_open(&r->in, recording_member(r, r->current), r->waiting, err);
	else if (recording_is_in_memory(r, r->current))
		ret = input_open_memory(&r->in, r->memory, r->memory_len, err);
	else
		ret = input_open(&r->in, r->paths[r->current], r->waiting, err);
	r->in.unmapped = r->is_unmapped;
	return ret;
}

int recording_read_v0(struct recording *r, uint64_t offset, struct jfrec_error *err)
{
	return v0_read(&r->in, offset, &r->problems, &r->given_v0, err);
}

/* Can it be read only once, from front to back? */
bool recording_is_once_at(const struct recording *r, size_t i)
{
	if (is_spooled(r, i))
		return input_is_once_fd(r->spools[i]);
	if (recording_member(r, i))
		return false;
	return !recording_is_in_memory(r, i) && input_is_once(r->paths[i]);
}

/* What was sent as text is read as it was, if that is known. */
static int undo_mangling(struct recording *r, struct jfrec_error *err)
{
	enum mangling how = mangled_how(&r->in);

	r->mangled = mangled_words(how);
	return mangled_undo(&r->in, how, &r->problems, err);
}

/* 0: it can be read; 1: it is an archive; -1 with *err set. */
static int check_current(struct recording *r, struct jfrec_error *err)
{
	if (r->is_rescue || recording_is_unchecked(r))
		return archive_kind(&r->in) != NULL;
	return recording_check_first(r, err);
}

/*
 * The archive's first recording that can be opened is the current file then; those before it are
 * reported when their turn comes.
 */
static int open_archive(struct recording *r, struct jfrec_error *err)
{
	size_t first = r->current, behind = r->path_count - first - 1;

	if (recording_expand(r, err) < 0)
		return -1;
	for (; open_current(r, err) < 0; r->current++) {
		if (r->current + behind + 1 == r->path_count)
			return -1;
	}
	if (r->current != first)
		recording_swap(r, first);
	return 0;
}

/* Open the current file, whose first header must be one. */
static int open_current(struct recording *r, struct jfrec_error *err)
{
	bool is_v0;
	int checked;

	r->next = r->number = r->tried = 0;
	r->mangled = NULL;
	if (r->clock_by_file)
		r->has_clock = false;
	r->problems.input = r->paths[r->current];
	if (open_input(r, err) < 0)
		return -1;
	is_v0 = v0_is_in(&r->in);
	if (undo_mangling(r, err) < 0) {
		input_close(&r->in);
		return -1;
	}
	if (is_v0) {
		/* It is read when damage can be reported. */
		if (recording_read_v0(r, 0, err) == 0)
			return 0;
		input_close(&r->in);
		return -1;
	}
	checked = check_current(r, err);
	/* What is an archive in one was looked into when the outer one was. */
	if (checked > 0 && !recording_member(r, r->current))
		return open_archive(r, err);
	if (checked >= 0)
		return 0;
	input_close(&r->in);
	return r->mangled ? jfrec_fail(err, JFREC_EFORMAT, 0, "%s", r->mangled) : -1;
}

/* Go on with the next file that is a recording. 1; 0 when there is none. */
int recording_open_next(struct recording *r)
{
	struct jfrec_error why;

	if (r->in.fault.code)
		problem_damage(&r->problems, r->in.size, 0,
			       "%s after %" PRIu64 " bytes of recording", r->in.fault.text,
			       r->in.size);
	r->before += r->next;
	input_close(&r->in);
	while (r->current + 1 < r->path_count) {
		r->current++;
		if (open_current(r, &why) == 0)
			return 1;
		problem_damage(&r->problems, 0, 0, "%s", why.text);
	}
	r->ended = true;
	return 0;
}

int recording_visit(struct recording *r, size_t path, struct jfrec_error *err)
{
	if (r->current == path && input_is_open(&r->in))
		return 0;
	input_close(&r->in);
	r->current = path;
	return open_current(r, err);
}

int recording_keep_only(struct recording *r, size_t i, struct jfrec_error *err)
{
	if (i >= r->path_count)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "the recording has %zu file%s, so there is no number %zu",
				  r->path_count, r->path_count == 1 ? "" : "s", i);
	if (r->current || r->ended || r->number)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "one file of a recording has to be selected before it is read");
	/* What the first file is read from, and what is reported before it, go with it. */
	if (i > 0) {
		input_close(&r->in);
		recording_forget_told(r);
		r->memory = NULL;
		r->missing.code = JFREC_OK;
	}
	recording_leave_out_others(r, i);
	return recording_visit(r, 0, err);
}

uint64_t recording_total(const struct recording *r)
{
	uint64_t total = 0;

	for (size_t i = 0; i < r->path_count; i++) {
		struct stat st;
		int got;

		if (r->in.stream)
			return 0;
		if (recording_is_in_memory(r, i)) {
			total += r->memory_len;
			continue;
		}
		got = is_spooled(r, i) ? fstat(r->spools[i], &st) : stat(r->paths[i], &st);
		if (got < 0 || !S_ISREG(st.st_mode))
			return 0;
		total += (uint64_t)st.st_size;
	}
	return total;
}

bool recording_is_once(const struct recording *r)
{
	for (size_t i = 0; i < r->path_count; i++) {
		if (recording_is_once_at(r, i))
			return true;
	}
	return false;
}

bool recording_has_more(const struct recording *r)
{
	if (r->ended)
		return false;
	return r->current + 1 < r->path_count || r->in.stream || r->next < r->in.size;
}

int recording_follow(struct recording *r, const char *path, const char *name,
		     struct jfrec_error *err)
{
	input_close(&r->in);
	for (; r->path_count; r->path_count--)
		free(r->paths[r->path_count - 1]);
	r->current = 0;
	r->number++;
	r->problems.input = name;
	if (recording_add_found(r, path, err) < 0 || open_input(r, err) < 0)
		return -1;
	if (!r->in.stream)
		return 0;
	input_close(&r->in);
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "is not a JVM's own chunk file");
}

int recording_add_open(struct recording *r, const char *name, int fd, struct jfrec_error *err)
{
	if (recording_add_found(r, name, err) < 0 || recording_make_spools(r, err) < 0) {
		close(fd);
		return -1;
	}
	r->spools[r->path_count - 1] = fd;
	return 0;
}

/* Its only file so far is that descriptor. */
static int add_descriptor(struct recording *r, const char *name, int fd, struct jfrec_error *err)
{
	if (recording_add_found(r, name, err) < 0 || recording_make_spools(r, err) < 0)
		return -1;
	r->spools[0] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return r->spools[0] < 0 ? jfrec_fail_sys(err, errno, "cannot read descriptor %d", fd) : 0;
}

static int add_memory(struct recording *r, const struct recording_place *p, struct jfrec_error *err)
{
	r->memory = p->memory ? p->memory : "";
	r->memory_len = p->memory ? p->memory_len : 0;
	return recording_add_found(r, p->path, err);
}

/* Its caller knows the archive only. */
static void name_member(const struct recording *r, size_t archive_len, struct jfrec_error *err)
{
	char text[sizeof(err->text)];

	snprintf(text, sizeof(text), "%.100s: %.270s", r->paths[r->current] + archive_len + 2,
		 err->text);
	memcpy(err->text, text, sizeof(text));
}

int recording_start(struct recording *r, struct jfrec_error *err)
{
	size_t len = r->path_count ? strlen(recording_archive_name(r->paths[0])) : 0;

	if (open_current(r, err) == 0)
		return 0;
	if (err && recording_member(r, r->current))
		name_member(r, len, err);
	recording_close(r);
	return -1;
}

int recording_open_place(struct recording *r, const struct recording_place *p,
			 struct jfrec_error *err)
{
	int ret;

	*r = recording_none(p);
	if (p->has_memory)
		ret = add_memory(r, p, err);
	else if (p->fd >= 0)
		ret = add_descriptor(r, p->path, p->fd, err);
	else
		ret = recording_add(r, p->path, err);
	if (ret == 0)
		return recording_start(r, err);
	recording_close(r);
	return -1;
}

static int add_file(struct recording *r, const struct recording_file *f, struct jfrec_error *err)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", f->directory, f->name) < 0)
		return jfrec_fail_memory(err);
	ret = recording_add_found(r, path, err);
	free(path);
	if (ret == 0)
		ret = recording_make_spools(r, err);
	if (ret == 0)
		r->spools[r->path_count - 1] = f->fd;
	return ret;
}

int recording_open_files(struct recording *r, const struct recording_file *files, size_t count,
			 struct jfrec_error *err)
{
	size_t i = 0;
	int ret = 0;

	*r = (struct recording){ .in.fd = -1 };
	if (count == 0)
		ret = jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "there is no chunk");
	while (ret == 0 && i < count && (ret = add_file(r, &files[i], err)) == 0)
		i++;
	if (ret == 0 && open_current(r, err) == 0)
		return 0;
	while (i < count)
		close(files[i++].fd);
	recording_close(r);
	return -1;
}

/* Their descriptors, which each recording closes. */
static int copy_spools(const struct recording *r, struct recording *again)
{
	if (recording_make_spools(again, NULL) < 0)
		return -1;
	for (size_t i = 0; i < r->path_count; i++) {
		if (!is_spooled(r, i))
			continue;
		again->spools[i] = fcntl(r->spools[i], F_DUPFD_CLOEXEC, 3);
		if (again->spools[i] < 0)
			return -1;
	}
	return 0;
}

static int copy_given(const struct recording *r, struct recording *again)
{
	if (r->given_v0.bytes &&
	    v0_metadata_copy(&again->given_v0, r->given_v0.bytes, r->given_v0.size) < 0)
		return -1;
	if (r->given_count == 0)
		return 0;
	again->given = calloc(r->given_count, sizeof(struct metadata *));
	if (!again->given)
		return -1;
	for (size_t i = 0; i < r->given_count; i++)
		again->given[again->given_count++] = metadata_ref(r->given[i]);
	again->has_given_clock = r->has_given_clock;
	again->given_clock = r->given_clock;
	return 0;
}

int recording_again(const struct recording *r, struct recording *again, struct jfrec_error *err)
{
	*again = (struct recording){ .in.fd = -1,
				     .waiting = r->waiting,
				     .may_lack_header = r->may_lack_header,
				     .is_unmapped = r->is_unmapped,
				     .memory = r->memory,
				     .memory_len = r->memory_len };
	if (r->path_count == 0)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "no data to read yet");
	if (copy_given(r, again) < 0) {
		jfrec_fail_memory(err);
		goto fail;
	}
	for (size_t i = 0; i < r->path_count; i++) {
		if (recording_add_found(again, r->paths[i], err) < 0)
			goto fail;
		if (recording_is_once_at(r, i)) {
			jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				   "this requires reading the recording twice, and %.100s can be "
				   "read only once; write it to a file and name that",
				   strcmp(r->paths[i], "-") == 0 ? "standard input" : r->paths[i]);
			goto fail;
		}
	}
	if (recording_copy_members(r, again) < 0) {
		jfrec_fail_memory(err);
		goto fail;
	}
	if (r->spools && copy_spools(r, again) < 0) {
		jfrec_fail_sys(err, errno, "cannot read the input a second time");
		goto fail;
	}
	if (open_current(again, err) == 0)
		return 0;
fail:
	recording_close(again);
	return -1;
}

static void forget_given(struct recording *r)
{
	for (size_t i = 0; i < r->given_count; i++)
		metadata_unref(r->given[i]);
	free(r->given);
	free(r->given_v0.bytes);
	r->given_v0 = (struct v0_metadata){ 0 };
	r->given = NULL;
	r->given_count = 0;
}

void recording_close(struct recording *r)
{
	metadata_unref(r->metadata);
	r->metadata = NULL;
	forget_given(r);
	input_close(&r->in);
	recording_forget_archives(r);
	for (size_t i = 0; i < r->path_count; i++) {
		free(r->paths[i]);
		if (is_spooled(r, i))
			close(r->spools[i]);
	}
	free(r->paths);
	free(r->spools);
	r->spools = NULL;
	r->spool_count = 0;
	r->paths = NULL;
	r->path_count = 0;
}
