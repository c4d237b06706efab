/* SPDX-License-Identifier: MIT */
/*
 * archive.c - read the files in a zip or tar archive where they are
 */
#include "input/archive.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/archive_parts.h"
#include "input/stream.h"

#define STEP (64u << 10)

/* What is being listed, with the archives in it. */
struct list {
	struct listing listing; /* first: of the archive at hand */
	archive_fn *fn;
	void *ctx;
	struct archive *archive;
	size_t looked_at, taken;
	bool is_full; /* ARCHIVE_MOST was reached */
	uint8_t head[ARCHIVE_HEAD];
};

static const char *kind_of(const uint8_t *head, size_t len)
{
	if (len >= 4 && (memcmp(head, "PK\3\4", 4) == 0 || memcmp(head, "PK\5\6", 4) == 0))
		return "zip";
	return len >= 512 && tar_is_header(head) ? "tar" : NULL;
}

const char *archive_kind(struct input *in)
{
	uint8_t head[ARCHIVE_HEAD];
	size_t got;

	return input_read(in, 0, head, sizeof(head), &got, NULL) < 0 ? NULL : kind_of(head, got);
}

static int list_region(struct list *l, const char *kind, struct jfrec_error *err)
{
	return strcmp(kind, "zip") == 0 ? zip_list(&l->listing, err) : tar_list(&l->listing, err);
}

/* Archives in archives ------------------------------------------------------------------------- */

/* Unpack all of an input after what is stored already.  0, or -1 with *err set. */
static int put_aside(struct list *l, struct input *in, struct jfrec_error *err)
{
	struct kept *aside = &l->archive->aside;
	size_t got = 1, room;
	uint64_t at = 0;
	uint8_t *to;

	while (got) {
		input_forget(in, at);
		if (aside->len >= KEPT_AT_MOST)
			return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
					  "unpacks to more than 2 GiB, with other archives in "
					  "the archive; unpack it first");
		if (kept_room(aside, &to, &room, err) < 0 ||
		    input_read(in, at, to, room < STEP ? room : STEP, &got, err) < 0 ||
		    kept_add(aside, got, err) < 0)
			return -1;
		at += got;
	}
	return 0;
}

/* Where its bytes are, unpacked.  0, or -1 with *err set. */
static int region_of(struct list *l, const struct member *m, struct region *region,
		     struct jfrec_error *err)
{
	struct kept *aside = &l->archive->aside;
	uint64_t before = aside->len;
	struct input in;
	int ret = 0;

	if (member_open(&in, m, l->archive->base.waiting, err) < 0)
		return -1;
	*region = (struct region){ l->archive, m->is_aside, m->offset, m->len };
	if (in.stream) {
		ret = put_aside(l, &in, err);
		*region = (struct region){ l->archive, true, before, aside->len - before };
	}
	if (in.fault.code)
		listing_note(&l->listing, "%s after %" PRIu64 " bytes", in.fault.text, in.size);
	input_close(&in);
	return ret;
}

/* What cannot be unpacked does not keep the others from being read. */
static int note_failure(struct list *l, const char *name, const struct jfrec_error *why,
			struct jfrec_error *err)
{
	if (why->code == JFREC_ENOMEM || why->code == JFREC_ECANCELED || why->sys == EINTR) {
		if (err)
			*err = *why;
		return -1;
	}
	listing_note(&l->listing, "%s: %s", name, why->text);
	return 0;
}

/* An archive in the archive.  As struct listing's take(). */
static int list_inside(struct list *l, const struct entry *e, const char *kind,
		       struct jfrec_error *err)
{
	struct kept *aside = &l->archive->aside;
	struct listing outer = l->listing;
	uint64_t before = aside->len;
	size_t taken = l->taken;
	struct jfrec_error why;
	int ret;

	if (outer.inside) {
		listing_note(&l->listing,
			     "%s is an archive in an archive in an archive; unpack it "
			     "first",
			     e->name);
		return 0;
	}
	l->listing.inside = e->name;
	if (region_of(l, &e->member, &l->listing.region, &why) < 0) {
		l->listing = outer;
		aside->len = before;
		return note_failure(l, e->name, &why, err);
	}
	ret = list_region(l, kind, err);
	l->listing = outer;
	if (l->taken == taken)
		aside->len = before;
	return ret < 0 ? ret : l->is_full;
}

/* Files ---------------------------------------------------------------------------------------- */

static int hand_out(struct list *l, const struct entry *e, size_t head_len, struct jfrec_error *err)
{
	char whole[2 * ARCHIVE_NAME_ROOM + 2];
	struct archive_file f = {
		.name = e->name,
		.member = e->member,
		.head = l->head,
		.head_len = head_len,
	};
	int ret;

	if (l->listing.inside) {
		snprintf(whole, sizeof(whole), "%s: %s", l->listing.inside, e->name);
		f.name = whole;
	}
	ret = l->fn(l->ctx, &f, err);
	if (ret > 0)
		l->taken++;
	return ret < 0 ? ret : 0;
}

/* No more is unpacked than that: there may be many files. */
static int read_head(struct input *in, uint8_t head[static ARCHIVE_HEAD], size_t *len,
		     struct jfrec_error *err)
{
	struct jfrec_error why;
	size_t got = 1;

	if (!in->stream)
		return input_read(in, 0, head, ARCHIVE_HEAD, len, err);
	for (*len = 0; *len < ARCHIVE_HEAD && got; *len += got) {
		if (stream_read(in->stream, head + *len, ARCHIVE_HEAD - *len, &got, &why) == 0)
			continue;
		if (why.code != JFREC_EFORMAT) {
			*err = why;
			return -1;
		}
		got = 0;
	}
	return 0;
}

static int look_at(struct list *l, const struct entry *e, struct jfrec_error *err)
{
	struct jfrec_error why;
	struct input in;
	const char *kind;
	size_t got;
	int ret;

	if (member_open(&in, &e->member, l->archive->base.waiting, &why) < 0)
		return note_failure(l, e->name, &why, err);
	ret = read_head(&in, l->head, &got, &why);
	input_close(&in);
	if (ret < 0)
		return note_failure(l, e->name, &why, err);
	kind = kind_of(l->head, got);
	return kind ? list_inside(l, e, kind, err) : hand_out(l, e, got, err);
}

static bool is_stopped(const struct list *l)
{
	const struct waiting *w = l->archive->base.waiting;

	return w && w->stop && *w->stop;
}

/* What has an obstacle is reported if it may be a recording: by its name. */
static int take_entry(struct listing *listing, const struct entry *e, struct jfrec_error *err)
{
	struct list *l = (struct list *)listing;

	if (is_stopped(l))
		return jfrec_fail(err, JFREC_ECANCELED, JFREC_NO_OFFSET, "interrupted");
	if (++l->looked_at > ARCHIVE_MOST) {
		if (!l->is_full)
			listing_note(listing, ARCHIVE_TOO_MANY, ARCHIVE_MOST);
		l->is_full = true;
		return 1;
	}
	if (e->obstacle) {
		if (strstr(e->name, ".jfr"))
			listing_note(listing, "%s %s", e->name, e->obstacle);
		return 0;
	}
	return e->member.len ? look_at(l, e, err) : 0;
}

/* The archive ---------------------------------------------------------------------------------- */

/* All that a stream has is kept.  0, or -1 with *err set. */
static int read_all(struct input *in, struct jfrec_error *err)
{
	struct jfrec_error why;
	uint64_t have;

	if (!in->stream || input_available(in, 0, UINT64_MAX, &have, &why) == 0)
		return 0;
	if (why.code == JFREC_EUNSUPPORTED)
		return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
				  "is an archive of more than 2 GiB that is compressed or comes "
				  "through a pipe; unpack it to files first");
	if (err)
		*err = why;
	return -1;
}

static struct archive *archive_of(struct input *in, struct jfrec_error *err)
{
	struct archive *a;

	if (read_all(in, err) < 0)
		return NULL;
	a = calloc(1, sizeof(*a));
	if (!a) {
		jfrec_fail_memory(err);
		return NULL;
	}
	atomic_init(&a->refs, 1);
	a->base = *in;
	*in = (struct input){ .fd = -1 };
	return a;
}

int archive_list(struct input *in, archive_fn *fn, void *ctx, struct archive_notes *notes,
		 struct jfrec_error *err)
{
	const char *kind = archive_kind(in);
	struct list *l = calloc(1, sizeof(*l));
	int ret = -1;

	if (!l)
		jfrec_fail_memory(err);
	else
		l->archive = archive_of(in, err);
	if (!l || !l->archive)
		goto out;
	l->fn = fn;
	l->ctx = ctx;
	l->listing.region = (struct region){ l->archive, false, 0, l->archive->base.size };
	l->listing.notes = notes;
	l->listing.take = take_entry;
	if (l->archive->base.fault.code)
		listing_note(&l->listing, "%s after %" PRIu64 " bytes of the archive",
			     l->archive->base.fault.text, l->archive->base.size);
	ret = kind ? list_region(l, kind, err) : 0;
	member_unref(&(struct member){ .of = l->archive });
out:
	input_close(in);
	free(l);
	return ret;
}
