/* SPDX-License-Identifier: MIT */
/*
 * zip.c - find the files in a zip archive
 *
 * All numbers are little-endian.  The list of contents is at the end, and has an entry for each
 * file; sizes and offsets of ffffffff are in a field of the entry's extra bytes instead (zip64):
 *
 *    0  "PK\1\2"                 8  u16 flags; bit 0: encrypted
 *   10  u16 method              16  u32 CRC
 *   20  u32 size as packed      24  u32 size
 *   28  u16 length of the name  30  u16 of the extra bytes   32  u16 of a comment
 *   38  u32 attributes; the upper half is a mode of Unix
 *   42  u32 offset of the file's own header
 *   46  name, extra bytes, comment
 *
 * Each file has a header of its own before its bytes, with the same fields, where they were known:
 *
 *    0  "PK\3\4"                 6  u16 flags; bit 3: CRC and sizes are after the bytes
 *    8  u16 method              14  u32 CRC
 *   18  u32 size as packed      22  u32 size
 *   26  u16 length of the name  28  u16 of the extra bytes
 *   30  name, extra bytes
 *
 * The list counts.  Where it is lost, since the archive is truncated, the headers of the files are
 * followed from one to the next.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cursor.h"
#include "base/error.h"
#include "input/archive_parts.h"

enum {
	CENTRAL_SIZE = 46,
	LOCAL_SIZE = 30,
	END_SIZE = 22,
	LOCATOR_SIZE = 20,
	END64_SIZE = 56,
	EXTRA_MOST = 0xffff,
	END_MOST = END_SIZE + 0xffff, /* with the comment of the archive */
	WINDOW = 64 << 10,
	MORE_SIZE = 24, /* of sizes after a file, at most */
};

enum { ENCRYPTED = 1, SIZES_FOLLOW = 8 };

#define IN_EXTRA UINT32_MAX

/* What a header or an entry of the list says. */
struct zip_entry {
	uint16_t flags, method, name_len, extra_len, comment_len;
	uint32_t crc;
	uint64_t packed, size;
	uint64_t header; /* where the file's own header is */
	bool is_other;	 /* a link or a device */
};

struct range {
	uint64_t from, to;
};

struct zip {
	struct listing *l;
	const struct region *r;
	struct range *ranges; /* which each file takes up, by the list; in order */
	size_t range_count, range_room;
	bool overlaps;
	struct entry entry;
	uint8_t window[WINDOW + MORE_SIZE];
};

static uint16_t le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t le32(const uint8_t *p)
{
	return le16(p) | (uint32_t)le16(p + 2) << 16;
}

static uint64_t le64(const uint8_t *p)
{
	return le32(p) | (uint64_t)le32(p + 4) << 32;
}

/* Are so many bytes there?  1, 0, or -1 with *err set. */
static int take(const struct zip *z, uint64_t at, void *to, size_t len, struct jfrec_error *err)
{
	size_t got;

	if (region_read(z->r, at, to, len, &got, err) < 0)
		return -1;
	return got == len;
}

/* What is in the entry's extra bytes because it is too large for its field. */
static void take_large(struct zip_entry *s, const uint8_t *extra, size_t len)
{
	uint64_t *const wanted[] = { &s->size, &s->packed, &s->header };
	struct cursor c = cursor_over(extra, len);
	const uint8_t *head, *p;

	while ((head = cursor_take(&c, 4)) != NULL) {
		p = cursor_take(&c, le16(head + 2));
		if (p && le16(head) == 1) {
			struct cursor field = cursor_over(p, le16(head + 2));

			for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
				if (*wanted[i] == IN_EXTRA && (p = cursor_take(&field, 8)))
					*wanted[i] = le64(p);
			}
			return;
		}
	}
}

/* Name and extra bytes of a header at that offset.  1, 0 if they are not there, or -1. */
static int take_name(struct zip *z, uint64_t at, struct zip_entry *s, struct jfrec_error *err)
{
	int got = take(z, at, z->window, s->name_len, err);

	if (got <= 0)
		return got;
	entry_name(&z->entry, z->window, s->name_len);
	got = take(z, at + s->name_len, z->window, s->extra_len, err);
	if (got > 0)
		take_large(s, z->window, s->extra_len);
	return got;
}

/* Files ---------------------------------------------------------------------------------------- */

static const char *obstacle_of(const struct zip_entry *s, enum packing *packing)
{
	if (s->flags & ENCRYPTED || s->method == 99)
		return "is encrypted; decrypt it first (7z x, or unzip -P)";
	switch (s->method) {
	case 0:
		*packing = PACKED_NOT;
		return NULL;
	case 8:
		*packing = PACKED_DEFLATE;
		return NULL;
	case 12:
		*packing = PACKED_BZIP2;
		return NULL;
	case 93:
		*packing = PACKED_ZSTD;
		return NULL;
	case 95:
		*packing = PACKED_XZ;
		return NULL;
	case 9:
		return "is packed with Deflate64, which cannot be read; unpack it first";
	case 14:
		return "is packed with LZMA, which cannot be read; unpack it first";
	default:
		return "is packed in a way that cannot be read; unpack it first";
	}
}

static bool is_directory(const struct entry *e)
{
	size_t len = strlen(e->name);

	return len == 0 || e->name[len - 1] == '/';
}

/* Hand out the file whose bytes begin at `data`.  As struct listing's take(). */
static int give(struct zip *z, const struct zip_entry *s, uint64_t data, bool is_sized,
		struct jfrec_error *err)
{
	struct entry *e = &z->entry;
	enum packing packing = PACKED_NOT;

	if (is_directory(e) || s->is_other)
		return 0;
	e->obstacle = obstacle_of(s, &packing);
	e->member = region_member(z->r, data, s->packed);
	e->member.packing = packing;
	if (e->member.len < s->packed && is_sized)
		listing_note(z->l, "%s is truncated: of %" PRIu64 " bytes %" PRIu64 " are there",
			     e->name, s->packed, e->member.len);
	else if (packing == PACKED_NOT && !e->obstacle && s->size != s->packed)
		listing_note(z->l,
			     "%s has %" PRIu64 " bytes, not the %" PRIu64 " that its archive says",
			     e->name, s->packed, s->size);
	else if (packing != PACKED_NOT && is_sized)
		e->member.promise = (struct stream_promise){ true, s->size, s->crc };
	return z->l->take(z->l, e, err);
}

/* The list of contents ------------------------------------------------------------------------- */

/* By the mode of the file, which what was packed on Unix has. */
static bool is_other(uint32_t mode)
{
	return mode & S_IFMT && !S_ISREG(mode);
}

/* 1: it is there; 0: it is none, or not all of it; -1 with *err set. */
static int take_central(struct zip *z, uint64_t at, struct zip_entry *s, struct jfrec_error *err)
{
	uint8_t b[CENTRAL_SIZE];
	int got = take(z, at, b, sizeof(b), err);

	if (got <= 0 || memcmp(b, "PK\1\2", 4) != 0)
		return got < 0 ? got : 0;
	*s = (struct zip_entry){
		.flags = le16(b + 8),
		.method = le16(b + 10),
		.crc = le32(b + 16),
		.packed = le32(b + 20),
		.size = le32(b + 24),
		.name_len = le16(b + 28),
		.extra_len = le16(b + 30),
		.comment_len = le16(b + 32),
		.header = le32(b + 42),
		.is_other = is_other(le32(b + 38) >> 16),
	};
	return take_name(z, at + CENTRAL_SIZE, s, err);
}

static uint64_t central_len(const struct zip_entry *s)
{
	return CENTRAL_SIZE + (uint64_t)s->name_len + s->extra_len + s->comment_len;
}

static int add_range(struct zip *z, const struct zip_entry *s, struct jfrec_error *err)
{
	struct range range = { s->header, 0 };
	uint64_t len = LOCAL_SIZE + (uint64_t)s->name_len;

	if (__builtin_add_overflow(s->header, len, &range.to) ||
	    __builtin_add_overflow(range.to, s->packed, &range.to))
		range.to = UINT64_MAX;
	return array_push(z->ranges, z->range_count, z->range_room, range) ? 0
									   : jfrec_fail_memory(err);
}

static int by_start(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	return a->from < b->from ? -1 : a->from > b->from;
}

/* Have in ranges, for the files that share bytes with others, those with a length of zero. */
static void find_overlaps(struct zip *z)
{
	uint64_t end = 0;

	if (z->range_count)
		qsort(z->ranges, z->range_count, sizeof(*z->ranges), by_start);
	for (size_t i = 0; i < z->range_count; i++) {
		struct range *r = &z->ranges[i];
		uint64_t to = r->to;
		bool with_next = i + 1 < z->range_count && z->ranges[i + 1].from < to;

		if (with_next || r->from < end) {
			r->to = r->from;
			z->overlaps = true;
		}
		end = to > end ? to : end;
	}
}

static bool shares(const struct zip *z, uint64_t header)
{
	const struct range key = { header, 0 };
	const struct range *r =
		z->overlaps ? bsearch(&key, z->ranges, z->range_count, sizeof(*z->ranges), by_start)
			    : NULL;

	return r && r->to == r->from;
}

/* Is all of the list there?  1: then its files are in ranges; 0; -1 with *err set. */
static int survey(struct zip *z, uint64_t from, uint64_t to, struct jfrec_error *err)
{
	struct zip_entry s;
	int got = 1;

	while (from < to && z->range_count <= ARCHIVE_MOST) {
		got = take_central(z, from, &s, err);
		if (got <= 0)
			return got;
		if (add_range(z, &s, err) < 0)
			return -1;
		from += central_len(&s);
	}
	find_overlaps(z);
	return 1;
}

/* Where the bytes of a file begin, by its own header.  1, 0, or -1 with *err set. */
static int find_data(struct zip *z, const struct zip_entry *s, uint64_t *data,
		     struct jfrec_error *err)
{
	uint8_t b[LOCAL_SIZE];
	int got = take(z, s->header, b, sizeof(b), err);

	if (got <= 0 || memcmp(b, "PK\3\4", 4) != 0)
		return got < 0 ? got : 0;
	*data = s->header + LOCAL_SIZE + le16(b + 26) + le16(b + 28);
	return 1;
}

static int give_listed(struct zip *z, const struct zip_entry *s, struct jfrec_error *err)
{
	uint64_t data;
	int got;

	if (shares(z, s->header)) {
		listing_note(z->l,
			     "%s shares its bytes with other files, as in an archive that is "
			     "made to do harm; it is left out",
			     z->entry.name);
		return 0;
	}
	got = find_data(z, s, &data, err);
	if (got == 0)
		listing_note(z->l, "%s is not where the archive says that it is", z->entry.name);
	return got > 0 ? give(z, s, data, true, err) : got;
}

static int follow_list(struct zip *z, uint64_t from, uint64_t to, struct jfrec_error *err)
{
	struct zip_entry s;
	size_t count = 0;
	int got = 1;

	while (from < to && (got = take_central(z, from, &s, err)) > 0) {
		int ret;

		/* Those after it are not in ranges. */
		if (++count > ARCHIVE_MOST) {
			listing_note(z->l, ARCHIVE_TOO_MANY, ARCHIVE_MOST);
			break;
		}
		ret = give_listed(z, &s, err);
		if (ret)
			return ret < 0 ? ret : 0;
		from += central_len(&s);
	}
	return got < 0 ? got : 0;
}

/* The end of the archive ----------------------------------------------------------------------- */

/* With offsets of 64 bits, from the record that is named before the end. */
static void take_end64(const struct zip *z, uint64_t end, uint64_t *size, uint64_t *at)
{
	uint8_t b[END64_SIZE];

	if (end < LOCATOR_SIZE || take(z, end - LOCATOR_SIZE, b, LOCATOR_SIZE, NULL) <= 0 ||
	    memcmp(b, "PK\6\7", 4) != 0 || take(z, le64(b + 8), b, sizeof(b), NULL) <= 0 ||
	    memcmp(b, "PK\6\6", 4) != 0)
		return;
	*size = le64(b + 40);
	*at = le64(b + 48);
}

/* Is there a list of contents for this end?  Empty ones are. */
static bool is_end(const struct zip *z, uint64_t end, const uint8_t *b, struct range *list)
{
	uint64_t size = le32(b + 12), at = le32(b + 16);
	uint8_t magic[4];

	take_end64(z, end, &size, &at);
	if (at > end || size > end - at)
		return false;
	*list = (struct range){ at, at + size };
	return size == 0 ||
	       (take(z, at, magic, sizeof(magic), NULL) > 0 && memcmp(magic, "PK\1\2", 4) == 0);
}

/* 1: *list is where the list of contents is; 0: there is none; -1 with *err set. */
static int find_list(struct zip *z, struct range *list, struct jfrec_error *err)
{
	uint64_t from = z->r->len > END_MOST ? z->r->len - END_MOST : 0;
	uint8_t *tail = malloc(END_MOST);
	size_t got;
	int found =
		tail ? region_read(z->r, from, tail, END_MOST, &got, err) : jfrec_fail_memory(err);

	for (size_t i = found == 0 && got >= END_SIZE ? got - END_SIZE + 1 : 0;
	     i-- > 0 && !found;) {
		if (memcmp(tail + i, "PK\5\6", 4) == 0 && is_end(z, from + i, tail + i, list))
			found = 1;
	}
	free(tail);
	return found;
}

/* Without a list ------------------------------------------------------------------------------- */

/* Are the sizes there, after a file's bytes?  How long they are, or 0. */
static size_t is_behind(const uint8_t *p, uint64_t packed, struct zip_entry *s)
{
	if (le32(p) != 0x08074b50)
		return 0;
	s->crc = le32(p + 4);
	if (le64(p + 8) == packed) {
		s->size = le64(p + 16);
		return 24;
	}
	s->size = le32(p + 12);
	return le32(p + 8) == packed ? 16 : 0;
}

/* The sizes after the bytes at `data`.  1; 0: they are not there; -1 with *err set. */
static int find_sizes(struct zip *z, uint64_t data, struct zip_entry *s, uint64_t *next,
		      struct jfrec_error *err)
{
	uint64_t from = data;
	size_t got, len;

	do {
		const uint8_t *p = z->window, *end;

		if (region_read(z->r, from, z->window, WINDOW + MORE_SIZE, &got, err) < 0)
			return -1;
		end = z->window + got;
		memset(z->window + got, 0, sizeof(z->window) - got);
		while (p < end && (p = memmem(p, (size_t)(end - p), "PK\7\10", 4)) != NULL &&
		       p - z->window < WINDOW) {
			s->packed = from + (uint64_t)(p - z->window) - data;
			len = is_behind(p, s->packed, s);
			*next = data + s->packed + len;
			if (len)
				return 1;
			p++;
		}
		from += WINDOW;
	} while (got == WINDOW + MORE_SIZE);
	return 0;
}

/* 1: it is there; 0: another thing is, or the end; -1 with *err set. */
static int take_local(struct zip *z, uint64_t at, struct zip_entry *s, struct jfrec_error *err)
{
	uint8_t b[LOCAL_SIZE];
	int got = take(z, at, b, sizeof(b), err);

	if (got <= 0 || memcmp(b, "PK\3\4", 4) != 0)
		return got < 0 ? got : 0;
	*s = (struct zip_entry){
		.flags = le16(b + 6),
		.method = le16(b + 8),
		.crc = le32(b + 14),
		.packed = le32(b + 18),
		.size = le32(b + 22),
		.name_len = le16(b + 26),
		.extra_len = le16(b + 28),
	};
	return take_name(z, at + LOCAL_SIZE, s, err);
}

static int follow_headers(struct zip *z, struct jfrec_error *err)
{
	uint64_t at = 0, data, next;
	struct zip_entry s;
	int got;

	while ((got = take_local(z, at, &s, err)) > 0) {
		bool is_sized = !(s.flags & SIZES_FOLLOW) || s.packed;

		data = at + LOCAL_SIZE + s.name_len + s.extra_len;
		if (!is_sized && (got = find_sizes(z, data, &s, &next, err)) < 0)
			return got;
		if (!is_sized && got == 0)
			s.packed = next = UINT64_MAX - data;
		else if (is_sized && __builtin_add_overflow(data, s.packed, &next))
			next = UINT64_MAX;
		got = give(z, &s, data, is_sized || got > 0, err);
		if (got)
			return got < 0 ? got : 0;
		at = next;
	}
	return got;
}

int zip_list(struct listing *l, struct jfrec_error *err)
{
	struct zip *z = calloc(1, sizeof(*z));
	struct range list = { 0, 0 };
	int got;

	if (!z)
		return jfrec_fail_memory(err);
	z->l = l;
	z->r = &l->region;
	got = find_list(z, &list, err);
	if (got > 0)
		got = survey(z, list.from, list.to, err);
	if (got > 0) {
		got = follow_list(z, list.from, list.to, err);
	} else if (got == 0) {
		listing_note(l, "the zip archive has lost its list of contents; it was truncated, or "
				"is damaged");
		got = follow_headers(z, err);
	}
	free(z->ranges);
	free(z);
	return got;
}
