/* SPDX-License-Identifier: MIT */
/*
 * archive.h - read the files in a zip or tar archive where they are
 *
 * Nothing is unpacked by its name.  A file in an archive is a part of the archive's bytes, and what
 * packs it is a decoder; it is opened as any input is.  Of an archive that is compressed as a
 * whole, or comes through a pipe, or lies packed in another one, the bytes are kept (kept.h).
 */
#ifndef JFREC_INPUT_ARCHIVE_H
#define JFREC_INPUT_ARCHIVE_H

#include "input/input.h"

struct archive;

enum packing { PACKED_NOT, PACKED_DEFLATE, PACKED_BZIP2, PACKED_ZSTD, PACKED_XZ };

/* Where a file in an archive is.  All zero: there is none. */
struct member {
	struct archive *of;
	bool is_aside; /* in what was unpacked of the archive */
	uint64_t offset, len;
	enum packing packing;
	struct stream_promise promise;
};

/* Longer names are cut at their front. */
#define ARCHIVE_NAME_ROOM 512

/* So much of a file is enough to know it by. */
#define ARCHIVE_HEAD 512

/* More files than this in an archive, with those in it, are not looked at. */
#define ARCHIVE_MOST 100000

struct archive_file {
	const char *name; /* as the archive has it, so it may be anything but a path to open */
	struct member member;
	const uint8_t *head; /* how it begins once it is unpacked: head_len bytes */
	size_t head_len;
};

/* Why not all of an archive could be read: sentences without its name. */
struct archive_notes {
	char *texts[16];
	size_t count;
	size_t more; /* that had no room */
};

void archive_notes_fini(struct archive_notes *notes);

/* Does the input begin like an archive?  "zip", "tar", or NULL. */
const char *archive_kind(struct input *in);

/*
 * Call fn(ctx, file, err) for each file in the archive, and in archives that lie in it, which is 1
 * if it keeps the member, 0, or -1 with *err set, which ends it.  The input is the archive's from
 * then on, also if this fails, and there is at least one reference more for each member that is
 * kept.  0, or -1 with *err set.
 */
typedef int archive_fn(void *ctx, const struct archive_file *file, struct jfrec_error *err);
int archive_list(struct input *in, archive_fn *fn, void *ctx, struct archive_notes *notes,
		 struct jfrec_error *err);

/* Each copy of a member that is kept has a reference of its own.  Of no member they do nothing. */
void member_ref(const struct member *m);
void member_unref(struct member *m);

/* Open it; what is compressed once more is decompressed.  0, or -1 with *err set. */
int member_open(struct input *in, const struct member *m, const struct waiting *waiting,
		struct jfrec_error *err);

/* The file of the archive, which stays the archive's; -1: it is in memory. */
int member_archive_fd(const struct member *m);

#endif
