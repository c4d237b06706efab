/* SPDX-License-Identifier: MIT */
/*
 * tarball.c - the files of a directory as one tar archive
 *
 * ustar, as lib/input/tar.c draws it: of each file a header of 512 bytes, and its bytes up to a
 * multiple of that; two blocks of zeros end it.  A file has less than 8 GiB by that, or its size in
 * binary, as GNU tar writes it.
 */
#include "snapshot/tarball.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suffix.h"

enum {
	BLOCK = 512,
	NAME_LEN = 100,
	MODE = 100,
	UID = 108,
	GID = 116,
	SIZE = 124,
	TIME = 136,
	CHECKSUM = 148,
	KIND = 156,
	MAGIC = 257,
};

/* What 11 octal digits hold. */
#define OCTAL_MOST ((UINT64_C(1) << 33) - 1)

static const char *const archives[] = { ".tar.zst", ".tar.gz", ".tgz", ".tar" };

static const char *suffix_of(const char *path)
{
	for (size_t i = 0; i < sizeof(archives) / sizeof(*archives); i++) {
		if (ends_with_any(path, archives[i]))
			return archives[i];
	}
	return NULL;
}

bool tarball_is_archive(const char *path)
{
	return suffix_of(path) != NULL;
}

bool tarball_is_unknown(const char *path)
{
	return !tarball_is_archive(path) &&
	       ends_with_any(path, ".zip .zst .gz .xz .bz2 .7z .rar .tar.xz .jar");
}

int tarball_open(struct tarball *p, const char *path, bool force, struct jfrec_error *err)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *suffix = suffix_of(path);
	enum jfrec_compression how = strcmp(suffix, ".tgz") == 0 ? JFREC_GZIP : JFREC_BY_NAME;
	size_t len = strlen(base) - strlen(suffix);

	/* The longest name of a file has to fit behind it. */
	snprintf(p->prefix, sizeof(p->prefix), "%.*s", len < 60 ? (int)len : 60, base);
	p->output = jfrec_output_open(path, force, how, err);
	return p->output ? 0 : -1;
}

/* Bytes ---------------------------------------------------------------------------------------- */

static int put(struct tarball *p, const void *data, size_t len, struct jfrec_error *err)
{
	int sys = jfrec_output_write(p->output, data, len);

	if (!sys)
		return 0;
	jfrec_fail(err, JFREC_EOUTPUT, JFREC_NO_OFFSET, "cannot be written: %s", strerror(sys));
	if (err)
		err->sys = sys;
	return -1;
}

static void put_octal(char *to, int digits, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%0*" PRIo64, digits, n);
	memcpy(to, text, (size_t)digits);
}

static void put_size(char *to, uint64_t size)
{
	if (size <= OCTAL_MOST) {
		put_octal(to, 11, size);
		return;
	}
	*to = (char)0x80;
	for (int i = 0; i < 8; i++)
		to[11 - i] = (char)(size >> 8 * i);
}

static int put_header(struct tarball *p, const char *name, const struct stat *st,
		      struct jfrec_error *err)
{
	char block[BLOCK] = { 0 };
	unsigned sum = 0;

	snprintf(block, NAME_LEN, "%.60s/%.38s", p->prefix, name);
	put_octal(block + MODE, 7, 0600);
	put_octal(block + UID, 7, 0);
	put_octal(block + GID, 7, 0);
	put_size(block + SIZE, (uint64_t)st->st_size);
	put_octal(block + TIME, 11, (uint64_t)(st->st_mtime > 0 ? st->st_mtime : 0));
	memset(block + CHECKSUM, ' ', 8);
	block[KIND] = '0';
	memcpy(block + MAGIC, "ustar\0" "00", 8);
	for (int i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	put_octal(block + CHECKSUM, 6, sum);
	block[CHECKSUM + 6] = '\0';
	return put(p, block, BLOCK, err);
}

/* So many bytes as the header says. */
static int put_bytes(struct tarball *p, int fd, uint64_t size, struct jfrec_error *err)
{
	static const char zeros[BLOCK];
	char bytes[64 << 10];
	uint64_t left = size;

	while (left) {
		ssize_t n = read(fd, bytes, left < sizeof(bytes) ? (size_t)left : sizeof(bytes));

		if (n <= 0)
			return jfrec_fail_sys(err, n < 0 ? errno : EIO, "cannot read a file again");
		if (put(p, bytes, (size_t)n, err) < 0)
			return -1;
		left -= (uint64_t)n;
	}
	return size % BLOCK ? put(p, zeros, BLOCK - size % BLOCK, err) : 0;
}

int tarball_add(struct tarball *p, int directory, const char *name, struct jfrec_error *err)
{
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), ret;
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0) {
		ret = jfrec_fail_sys(err, errno, "cannot read %s again", name);
	} else {
		ret = put_header(p, name, &st, err);
		if (ret == 0)
			ret = put_bytes(p, fd, (uint64_t)st.st_size, err);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

int tarball_commit(struct tarball *p, struct jfrec_error *err)
{
	static const char end[2 * BLOCK];

	return put(p, end, sizeof(end), err) < 0 ? -1 : jfrec_output_commit(p->output, err);
}
