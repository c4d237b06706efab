/* SPDX-License-Identifier: MIT */
/*
 * recording_archive.c - the recordings in an archive, each a file of the recording
 *
 * An archive is taken for a directory of recordings: what begins as one does is read in the order
 * of time, and all else is passed over, but for what has the name of a recording.
 */
#include "format/recording_archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "input/archive.h"

struct found {
	char *name;
	struct member member;
	bool is_doubtful;	    /* by its name alone, or of no size */
	struct chunk_header header; /* of its first chunk, if it is not */
	size_t order;		    /* in the archive */
};

struct finds {
	struct found *items;
	size_t count, room;
};

/* Finding -------------------------------------------------------------------------------------- */

/* What is hidden is not a recording, but what other systems keep beside one. */
static bool is_named_as_recording(const char *name)
{
	const char *slash = strrchr(name, '/'), *suffix = strrchr(name, '.');

	return suffix && strcmp(suffix, ".jfr") == 0 && (slash ? slash[1] : *name) != '.';
}

static int take(void *ctx, const struct archive_file *file, struct jfrec_error *err)
{
	struct finds *f = ctx;
	bool begins = file->head_len >= 4 && chunk_header_is_magic(file->head);
	struct found found = { .member = file->member, .is_doubtful = true, .order = f->count };

	if (begins && file->head_len >= CHUNK_HEADER_SIZE) {
		found.header = chunk_header_parse(file->head);
		found.is_doubtful = found.header.size < CHUNK_HEADER_SIZE;
	} else if (!begins && !is_named_as_recording(file->name)) {
		return 0;
	}
	found.name = strdup(file->name);
	if (!found.name || !array_push(f->items, f->count, f->room, found)) {
		free(found.name);
		return jfrec_fail_memory(err);
	}
	member_ref(&found.member);
	return 1;
}

static int compare(const void *x, const void *y)
{
	const struct found *a = x, *b = y;
	int order = a->is_doubtful - b->is_doubtful;

	if (order == 0)
		order = chunk_header_order(&a->header, &b->header);
	return order ? order : a->order < b->order ? -1 : 1;
}

static void finds_fini(struct finds *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].name);
		member_unref(&f->items[i].member);
	}
	free(f->items);
}

/* What is to be told --------------------------------------------------------------------------- */

struct archive_told {
	char *input;
	struct archive_notes notes;
	struct archive_told *next;
};

/* 0 with the notes kept and none left, or -1. */
static int keep_notes(struct recording *r, struct archive_notes *notes)
{
	struct archive_told **end = &r->archives_told, *told;

	if (notes->count + notes->more == 0)
		return 0;
	told = calloc(1, sizeof(*told));
	if (told)
		told->input = strdup(r->paths[r->current]);
	if (!told || !told->input) {
		free(told);
		return -1;
	}
	told->notes = *notes;
	*notes = (struct archive_notes){ 0 };
	while (*end)
		end = &(*end)->next;
	*end = told;
	return 0;
}

static void tell(struct recording *r, const struct archive_told *told)
{
	const char *input = r->problems.input;

	r->problems.input = told->input;
	for (size_t i = 0; i < told->notes.count; i++)
		problem_damage(&r->problems, 0, 0, "%s", told->notes.texts[i]);
	if (told->notes.more)
		problem_damage(&r->problems, 0, 0,
			       "%zu more of its files cannot be read, or not "
			       "whole",
			       told->notes.more);
	r->problems.input = input;
}

static void forget_first(struct recording *r)
{
	struct archive_told *told = r->archives_told;

	r->archives_told = told->next;
	archive_notes_fini(&told->notes);
	free(told->input);
	free(told);
}

void recording_tell_archives(struct recording *r)
{
	for (; r->archives_told; forget_first(r))
		tell(r, r->archives_told);
}

/* The files ------------------------------------------------------------------------------------ */

const char *recording_archive_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* "archive.zip: inner/name.jfr" */
static int name_all(const struct recording *r, struct finds *f, struct jfrec_error *err)
{
	const char *archive = recording_archive_name(r->paths[r->current]);
	for (size_t i = 0; i < f->count; i++) {
		char *name;

		if (asprintf(&name, "%s: %s", archive, f->items[i].name) < 0)
			return jfrec_fail_memory(err);
		free(f->items[i].name);
		f->items[i].name = name;
	}
	return 0;
}

static int put_files(struct recording *r, struct finds *f, struct jfrec_error *err)
{
	size_t at = r->current;

	if (name_all(r, f, err) < 0 || recording_make_room(r, f->count, err) < 0)
		return -1;
	if (r->spools[at] >= 0)
		close(r->spools[at]);
	r->spools[at] = -1;
	free(r->paths[at]);
	for (size_t i = 0; i < f->count; i++) {
		r->paths[at + i] = f->items[i].name;
		r->members[at + i] = f->items[i].member;
	}
	/* They are the recording's now. */
	f->count = 0;
	return 0;
}

/*
 * Those that begin as a recording does are good, and a single one, whatever it is; a rescue may
 * repair others.
 */
static int check(const struct recording *r, const char *kind, const struct finds *f,
		 const struct archive_notes *notes, struct jfrec_error *err)
{
	if (f->count && (f->count == 1 || !f->items[0].is_doubtful || r->is_rescue))
		return 0;
	if (f->count)
		return jfrec_fail(
			err, JFREC_EFORMAT, JFREC_NO_OFFSET,
			"is a %s archive without recordings that can be read; %.100s in it "
			"does not begin as one",
			kind, f->items[0].name);
	if (notes->count)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "is a %s archive without recordings that can be read: %.160s",
				  kind, notes->texts[0]);
	return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "is a %s archive without recordings",
			  kind);
}

int recording_expand(struct recording *r, struct jfrec_error *err)
{
	const char *kind = archive_kind(&r->in);
	struct archive_notes notes = { 0 };
	struct finds f = { 0 };
	int ret = archive_list(&r->in, take, &f, &notes, err);

	if (ret == 0 && f.count)
		qsort(f.items, f.count, sizeof(*f.items), compare);
	if (ret == 0)
		ret = check(r, kind, &f, &notes, err);
	if (ret == 0 && keep_notes(r, &notes) < 0)
		ret = jfrec_fail_memory(err);
	if (ret == 0)
		ret = put_files(r, &f, err);
	archive_notes_fini(&notes);
	finds_fini(&f);
	return ret;
}

int recording_copy_members(const struct recording *r, struct recording *again)
{
	if (!r->members)
		return 0;
	if (recording_make_members(again) < 0)
		return -1;
	for (size_t i = 0; i < r->member_count && i < again->member_count; i++) {
		again->members[i] = r->members[i];
		member_ref(&again->members[i]);
	}
	return 0;
}

void recording_forget_told(struct recording *r)
{
	while (r->archives_told)
		forget_first(r);
}

void recording_forget_archives(struct recording *r)
{
	recording_forget_told(r);
	for (size_t i = 0; i < r->member_count; i++)
		member_unref(&r->members[i]);
	free(r->members);
	r->members = NULL;
	r->member_count = 0;
}
