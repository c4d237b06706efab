/* SPDX-License-Identifier: MIT */
/*
 * archive_parts.h - what archive.c and the readers of zip and tar need of each other
 */
#ifndef JFREC_INPUT_ARCHIVE_PARTS_H
#define JFREC_INPUT_ARCHIVE_PARTS_H

#include <stdatomic.h>

#include "input/archive.h"

/* Members refer to it.  Once its files were listed nothing of it changes. */
struct archive {
	atomic_uint refs;
	struct input base;
	struct kept aside; /* what was unpacked of archives in it, one after the other */
};

/* The bytes of an archive, or of one in it. */
struct region {
	struct archive *of;
	bool is_aside;
	uint64_t offset, len;
};

/* What a reader of zip or tar finds. */
struct entry {
	char name[ARCHIVE_NAME_ROOM];
	struct member member;
	const char *obstacle; /* why it cannot be read, after its name; or NULL */
};

struct listing {
	struct region region;
	struct archive_notes *notes;
	const char *inside; /* the name of the archive in the archive; NULL: it is the outer one */
	/* 0: go on; 1: that is enough; -1 with *err set */
	int (*take)(struct listing *l, const struct entry *e, struct jfrec_error *err);
};

/* Of ARCHIVE_MOST. */
#define ARCHIVE_TOO_MANY "has more than %u files; the others are left out"

int zip_list(struct listing *l, struct jfrec_error *err);
int tar_list(struct listing *l, struct jfrec_error *err);

/* Is this the header of a file in a tar archive?  Its checksum is looked at. */
bool tar_is_header(const uint8_t block[static 512]);

/* Read len bytes; fewer (*got) only at the end.  0, or -1 with *err set. */
int region_read(const struct region *r, uint64_t at, void *to, size_t len, size_t *got,
		struct jfrec_error *err);

/* The bytes from `at` on as a member; what is beyond the end is left out. */
struct member region_member(const struct region *r, uint64_t at, uint64_t len);

/* Have a name of len bytes. */
void entry_name(struct entry *e, const void *name, size_t len);

/* Note what is wrong with the archive that is listed. */
void listing_note(struct listing *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
