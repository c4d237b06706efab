/* SPDX-License-Identifier: MIT */
/*
 * tar.c - find the files in a tar archive
 *
 * It is a row of blocks of 512 bytes: a header, the bytes of its file, the next header; two blocks
 * of zeros end it.  Numbers are octal digits, or big-endian where the first bit is set:
 *
 *    0  name, 100 bytes         124  size, 12 digits
 *  148  checksum, 8 digits      156  kind of file
 *  257  "ustar"                 345  what comes before the name, 155 bytes; not of GNU tar
 *
 * A header of kind L has the name of the next file as its bytes, and one of kind x lines such as
 * "27 path=..." for it: a name, or a size, which did not fit.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/archive_parts.h"

enum {
	BLOCK = 512,
	NAME_LEN = 100,
	PREFIX = 345,
	PREFIX_LEN = 155,
	GNU_EXTENDED = 482, /* in a header of a sparse file: more blocks of its list follow */
	MORE_EXTENDED = 504,
	LINES_MOST = 64 << 10,	/* so much of a header's own bytes is read */
	SEARCH_MOST = 64 << 20, /* how far the next header is looked for */
};

#define NO_SIZE UINT64_MAX

struct tar {
	struct listing *l;
	const struct region *r;
	struct entry entry;
	bool has_name; /* for the next file, by a header before it */
	uint64_t size; /* the same; or NO_SIZE */
	bool is_sparse;
	uint64_t at;
	char lines[LINES_MOST + 1];
};

/* Headers -------------------------------------------------------------------------------------- */

static uint64_t octal(const uint8_t *p, size_t len)
{
	uint64_t n = 0;

	while (len && *p == ' ')
		p++, len--;
	for (; len && *p >= '0' && *p <= '7' && n < UINT64_MAX >> 3; p++, len--)
		n = n << 3 | (uint64_t)(*p - '0');
	return n;
}

static uint64_t size_of(const uint8_t *p)
{
	uint64_t n = 0;

	if (!(*p & 0x80))
		return octal(p, 12);
	if (*p != 0x80 || p[1] || p[2] || p[3])
		return UINT64_MAX;
	for (size_t i = 4; i < 12; i++)
		n = n << 8 | p[i];
	return n;
}

bool tar_is_header(const uint8_t block[static BLOCK])
{
	uint64_t sum = 8 * ' ';

	if (memcmp(block + 257, "ustar", 5) != 0)
		return false;
	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= 148 && i < 156 ? 0 : block[i];
	return sum == octal(block + 148, 8);
}

static bool is_zero(const uint8_t block[static BLOCK])
{
	return block[0] == 0 && memcmp(block, block + 1, BLOCK - 1) == 0;
}

static void take_name(struct tar *t, const uint8_t *b)
{
	char whole[PREFIX_LEN + NAME_LEN + 2];
	size_t prefix = b[262] == 0 ? strnlen((const char *)b + PREFIX, PREFIX_LEN) : 0;
	size_t len = strnlen((const char *)b, NAME_LEN);

	if (t->has_name)
		return;
	memcpy(whole, b + PREFIX, prefix);
	if (prefix)
		whole[prefix++] = '/';
	memcpy(whole + prefix, b, len);
	entry_name(&t->entry, whole, prefix + len);
}

/* Headers for the next one --------------------------------------------------------------------- */

static bool is_key(const char *line, size_t len, const char *key)
{
	return len >= strlen(key) && memcmp(line, key, strlen(key)) == 0;
}

/* "path=..." without its length. */
static void take_line(struct tar *t, const char *line, size_t len)
{
	if (is_key(line, len, "path=")) {
		entry_name(&t->entry, line + 5, len - 5);
		t->has_name = true;
	} else if (is_key(line, len, "size=")) {
		/* A line feed ends the digits. */
		t->size = strtoull(line + 5, NULL, 10);
	} else if (is_key(line, len, "GNU.sparse.")) {
		t->is_sparse = true;
	}
}

static void take_lines(struct tar *t, size_t len)
{
	const char *p = t->lines, *end = t->lines + len;

	while (p < end) {
		char *key;
		size_t size = strtoul(p, &key, 10);

		if (key == p || *key != ' ' || size > (size_t)(end - p) || p + size <= key + 2)
			return;
		take_line(t, key + 1, size - (size_t)(key + 1 - p) - 1);
		p += size;
	}
}

/* The bytes of a header that is about the next one.  0, or -1 with *err set. */
static int take_about_next(struct tar *t, char kind, uint64_t size, struct jfrec_error *err)
{
	size_t len = size < LINES_MOST ? (size_t)size : LINES_MOST;

	if (region_read(t->r, t->at + BLOCK, t->lines, len, &len, err) < 0)
		return -1;
	t->lines[len] = '\0';
	if (kind == 'x') {
		take_lines(t, len);
	} else {
		entry_name(&t->entry, t->lines, strnlen(t->lines, len));
		t->has_name = true;
	}
	return 0;
}

static void forget_about_next(struct tar *t)
{
	t->has_name = t->is_sparse = false;
	t->size = NO_SIZE;
}

/* Files ---------------------------------------------------------------------------------------- */

/* Hand out the file whose header is at hand.  As struct listing's take(). */
static int give(struct tar *t, uint64_t size, struct jfrec_error *err)
{
	struct entry *e = &t->entry;

	e->obstacle = t->is_sparse ? "is stored as a sparse file; unpack it first (tar -xf)" : NULL;
	e->member = region_member(t->r, t->at + BLOCK, size);
	if (e->member.len < size)
		listing_note(t->l, "%s is truncated: of %" PRIu64 " bytes %" PRIu64 " are there",
			     e->name, size, e->member.len);
	return t->l->take(t->l, e, err);
}

/* A sparse file of GNU tar: the list of its parts may continue in blocks after the header. */
static int pass_extended(struct tar *t, const uint8_t *header, struct jfrec_error *err)
{
	uint8_t block[BLOCK];
	bool more = header[GNU_EXTENDED];
	size_t got;

	while (more) {
		if (region_read(t->r, t->at + BLOCK, block, BLOCK, &got, err) < 0)
			return -1;
		if (got < BLOCK)
			return 0;
		t->at += BLOCK;
		more = block[MORE_EXTENDED];
	}
	return 0;
}

/* Skip the bytes of the file; where there is nothing, at the end. */
static void pass(struct tar *t, uint64_t size)
{
	uint64_t left = t->r->len - t->at - BLOCK;

	if (size > left || left - size < BLOCK)
		t->at = t->r->len;
	else
		t->at += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
}

/* One header.  0: go on; 1: that is enough; -1 with *err set. */
static int take_header(struct tar *t, const uint8_t *b, struct jfrec_error *err)
{
	char kind = (char)b[156];
	bool is_file = kind == '0' || kind == '\0' || kind == '7' || kind == 'S';
	uint64_t size = size_of(b + 124);
	int ret = 0;

	if (kind == 'x' || kind == 'L') {
		ret = take_about_next(t, kind, size, err);
		pass(t, size);
		return ret;
	}
	if (kind == 'g' || kind == 'K') {
		pass(t, size);
		return 0;
	}
	/* Links, directories and devices have no bytes. */
	if (kind >= '1' && kind <= '6')
		size = 0;
	else if (t->size != NO_SIZE)
		size = t->size;
	take_name(t, b);
	t->is_sparse |= kind == 'S';
	if (kind == 'S')
		ret = pass_extended(t, b, err);
	if (ret == 0 && is_file && size)
		ret = give(t, size, err);
	forget_about_next(t);
	pass(t, size);
	return ret;
}

/* The next header, after what is not one.  1; 0: there is none; -1 with *err set. */
static int find_header(struct tar *t, uint8_t block[static BLOCK], struct jfrec_error *err)
{
	uint64_t from = t->at;
	size_t got;

	listing_note(t->l,
		     "the tar archive is damaged at byte %" PRIu64 ", where the header of a "
		     "file should be",
		     from);
	forget_about_next(t);
	while (t->at - from < SEARCH_MOST) {
		t->at += BLOCK;
		if (region_read(t->r, t->at, block, BLOCK, &got, err) < 0)
			return -1;
		if (got < BLOCK)
			return 0;
		if (tar_is_header(block))
			return 1;
	}
	return 0;
}

/* Two blocks of zeros, or nothing more. */
static bool is_end(const struct tar *t, const uint8_t block[static BLOCK])
{
	uint8_t next[BLOCK];
	size_t got;

	return is_zero(block) && (region_read(t->r, t->at + BLOCK, next, BLOCK, &got, NULL) < 0 ||
				  got < BLOCK || is_zero(next));
}

int tar_list(struct listing *l, struct jfrec_error *err)
{
	struct tar *t = calloc(1, sizeof(*t));
	uint8_t block[BLOCK];
	size_t got;
	int ret = t ? 0 : jfrec_fail_memory(err);

	if (!t)
		return ret;
	t->l = l;
	t->r = &l->region;
	t->size = NO_SIZE;
	while (ret == 0) {
		ret = region_read(t->r, t->at, block, BLOCK, &got, err);
		if (ret < 0 || got < BLOCK || is_end(t, block))
			break;
		if (is_zero(block)) {
			t->at += BLOCK;
			continue;
		}
		if (!tar_is_header(block)) {
			int found = find_header(t, block, err);

			if (found <= 0) {
				ret = found;
				break;
			}
		}
		ret = take_header(t, block, err);
	}
	free(t);
	return ret < 0 ? ret : 0;
}
