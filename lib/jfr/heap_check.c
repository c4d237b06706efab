/* SPDX-License-Identifier: MIT */
/*
 * heap_check.c - is a heap dump whole?
 *
 * A JVM whose disk is full may call half a dump a success.  The file is one that a JVM wrote, which
 * may be of any user, so nothing that it says is believed before it is compared with its size.
 *
 *    "JAVA PROFILE 1.0.2\0"   u4 size of ids   u8 time
 *    then records: u1 kind, u4 time, u4 length, that many bytes; the last is HEAP DUMP END
 */
#include "jfr/heap_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#define HEADER_MAX  64
#define RECORD_SIZE 9
#define DUMP_END    0x2c
#define WINDOW	    ((size_t)256 << 10)

static const char magic[] = "JAVA PROFILE 1.0.";

/* The file, a window at a time. */
struct window {
	int fd;
	uint64_t size, at; /* of the file; of the window in it */
	size_t len;
	uint8_t *bytes;
};

/* `len` bytes at `at`, or NULL: the file does not have them. */
static const uint8_t *see(struct window *w, uint64_t at, size_t len)
{
	ssize_t n;

	if (at > w->size || len > w->size - at)
		return NULL;
	if (at >= w->at && at - w->at <= w->len && len <= w->len - (at - w->at))
		return w->bytes + (at - w->at);
	do
		n = pread(w->fd, w->bytes, WINDOW, (off_t)at);
	while (n < 0 && errno == EINTR);
	w->at = at;
	w->len = n < 0 ? 0 : (size_t)n;
	return w->len >= len ? w->bytes : NULL;
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int incomplete(struct jfrec_error *err, uint64_t at)
{
	return jfrec_fail(err, JFREC_ERESULT, at,
			  "the JVM wrote an incomplete heap dump: it ends at byte %" PRIu64
			  "; check the free space on its disk",
			  at);
}

static int check_records(struct window *w, struct jfrec_error *err)
{
	const uint8_t *p = see(w, 0, HEADER_MAX);
	const uint8_t *end = p ? memchr(p, 0, HEADER_MAX - 12) : NULL;
	uint64_t at = end ? (uint64_t)(end - p) + 1 + 12 : 0;
	unsigned kind = 0;

	if (!end || memcmp(p, magic, sizeof(magic) - 1) != 0)
		return jfrec_fail(err, JFREC_ERESULT, 0, "the JVM did not write a heap dump");
	while (at < w->size) {
		p = see(w, at, RECORD_SIZE);
		if (!p || be32(p + 5) > w->size - at - RECORD_SIZE)
			return incomplete(err, w->size);
		kind = p[0];
		at += RECORD_SIZE + (uint64_t)be32(p + 5);
	}
	return kind == DUMP_END ? 0 : incomplete(err, w->size);
}

int heap_check(int fd, uint64_t *size, struct jfrec_error *err)
{
	struct window w = { .fd = fd };
	struct stat st;
	int ret;

	if (fstat(fd, &st) < 0)
		return jfrec_fail_sys(err, errno, "cannot inspect the file that the JVM wrote");
	w.size = *size = (uint64_t)st.st_size;
	w.bytes = malloc(WINDOW);
	if (!w.bytes)
		return jfrec_fail_memory(err);
	ret = check_records(&w, err);
	free(w.bytes);
	return ret;
}
