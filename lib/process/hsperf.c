/* SPDX-License-Identifier: MIT */
/*
 * hsperf.c - read the performance data that HotSpot keeps in /tmp
 *
 * A header of 32 bytes, in the JVM's byte order but for the magic number:
 *
 *    0  CA FE C0 C0                4  u8 byte order: 0 big, 1 little
 *    5  u8 major 2, u8 minor 0     7  u8 accessible: 0 while the JVM starts
 *    8  i32 bytes in use          12  i32 bytes that found no room
 *   16  i64 modification stamp    24  i32 offset of the first entry
 *   28  i32 number of entries
 *
 * and entries, whose offsets count from the entry's start:
 *
 *    0  i32 length                 4  i32 offset of the name, ending in NUL
 *    8  i32 elements, 0: a scalar 12  u8 type: a letter of JVM signatures
 *   13  u8 flags, units, variability
 *   16  i32 offset of the data
 *
 * A string is an array of bytes that ends in NUL.
 */
#include "process/hsperf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_SIZE 32u
#define ENTRY_SIZE  20u

/* A JVM has about 250 entries in 32 KB; -XX:PerfDataMemorySize can ask for more. */
#define MAX_ENTRIES 10000u
#define MAX_FILE    (4u << 20)

/* Directories hsperfdata_* that are looked into. */
/* Of /tmp, which anybody can fill. */
#define MAX_IN_TMP 20000

#define MAX_DIRECTORIES 10000u

/* How often a file that changes while it is read is read again. */
#define MAX_READS 3

#define DIRECTORY_PREFIX "hsperfdata_"

struct region {
	const uint8_t *bytes;
	size_t len;
	bool little;
};

/* Is there room for n bytes at this offset? */
static bool has_room(const struct region *r, size_t at, size_t n)
{
	return at <= r->len && n <= r->len - at;
}

/* The caller knows that there is room. */
static uint32_t u32_at(const struct region *r, size_t at)
{
	const uint8_t *p = r->bytes + at;

	if (r->little)
		return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t i64_at(const struct region *r, size_t at)
{
	uint64_t first = u32_at(r, at), second = u32_at(r, at + 4);

	return (int64_t)(r->little ? second << 32 | first : first << 32 | second);
}

/* A string of at most `room` bytes with its NUL inside the entry; NULL if it is not. */
static const char *string_at(const struct region *entry, size_t at, size_t room)
{
	if (at > entry->len)
		return NULL;
	if (room > entry->len - at)
		room = entry->len - at;
	return memchr(entry->bytes + at, '\0', room) ? (const char *)entry->bytes + at : NULL;
}

static const char **slot_for(struct hsperf *h, const char *name)
{
	const struct {
		const char *name;
		const char **slot;
	} wanted[] = {
		{ "sun.rt.javaCommand", &h->command },
		{ "java.rt.vmArgs", &h->arguments },
		{ "java.property.java.version", &h->java_version },
		{ "java.property.java.vm.specification.version", &h->spec_version },
		{ "java.property.java.vm.version", &h->vm_version },
		{ "java.property.java.vm.name", &h->vm_name },
		{ "java.property.java.vm.vendor", &h->vm_vendor },
		{ "java.property.java.home", &h->home },
		{ "sun.rt.jvmCapabilities", &h->capabilities },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (strcmp(wanted[i].name, name) == 0)
			return wanted[i].slot;
	}
	return NULL;
}

/* False if it is neither a string nor a number, or not as it should be. */
static bool read_entry(struct hsperf_entry *e, const struct region *entry)
{
	const char *name = string_at(entry, u32_at(entry, 4), SIZE_MAX);
	uint32_t count = u32_at(entry, 8), at = u32_at(entry, 16);
	char type = (char)entry->bytes[12];

	*e = (struct hsperf_entry){ .name = name };
	if (type == 'B' && count > 0)
		e->text = string_at(entry, at, count);
	else if (type == 'J' && count == 0 && has_room(entry, at, 8))
		e->number = i64_at(entry, at);
	else
		return false;
	return name && (e->text || type == 'J');
}

static void take_entry(void *ctx, const struct hsperf_entry *e)
{
	const char **slot = e->text ? slot_for(ctx, e->name) : NULL;

	if (slot)
		*slot = e->text;
}

static bool parse_header(struct hsperf *h, struct region *r)
{
	static const uint8_t magic[] = { 0xca, 0xfe, 0xc0, 0xc0 };
	const uint8_t *b = r->bytes;
	uint32_t used;

	if (r->len < HEADER_SIZE || memcmp(b, magic, sizeof(magic)) != 0 || b[4] > 1 || b[5] != 2)
		return false;
	r->little = b[4] == 1;
	h->accessible = b[7] == 1;
	h->is_overfull = u32_at(r, 12) != 0;
	used = u32_at(r, 8);
	if (used >= HEADER_SIZE && used < r->len)
		r->len = used;
	return true;
}

static void each_entry(const struct region *r, hsperf_entry_fn *fn, void *ctx)
{
	uint32_t count = u32_at(r, 28), size;
	size_t at = u32_at(r, 24);
	struct hsperf_entry e;

	for (uint32_t i = 0; i < count && i < MAX_ENTRIES && has_room(r, at, ENTRY_SIZE); i++) {
		size = u32_at(r, at);
		if (size < ENTRY_SIZE || !has_room(r, at, size))
			break;
		if (read_entry(&e, &(struct region){ r->bytes + at, size, r->little }))
			fn(ctx, &e);
		at += size;
	}
}

bool hsperf_parse(struct hsperf *h, const void *bytes, size_t len)
{
	struct region r = { .bytes = bytes, .len = len };

	*h = (struct hsperf){ .len = len };
	if (!parse_header(h, &r))
		return false;
	each_entry(&r, take_entry, h);
	return true;
}

void hsperf_each(const void *bytes, size_t len, hsperf_entry_fn *fn, void *ctx)
{
	struct region r = { .bytes = bytes, .len = len };
	struct hsperf h;

	if (!parse_header(&h, &r))
		return;
	each_entry(&r, fn, ctx);
	fn(ctx, &(struct hsperf_entry){ "sun.perfdata.majorVersion", NULL, r.bytes[5] });
	fn(ctx, &(struct hsperf_entry){ "sun.perfdata.minorVersion", NULL, r.bytes[6] });
	fn(ctx, &(struct hsperf_entry){ "sun.perfdata.overflow", NULL, (int32_t)u32_at(&r, 12) });
	fn(ctx, &(struct hsperf_entry){ "sun.perfdata.size", NULL, (int64_t)len });
	fn(ctx, &(struct hsperf_entry){ "sun.perfdata.timestamp", NULL, i64_at(&r, 16) });
	fn(ctx, &(struct hsperf_entry){ "sun.perfdata.used", NULL, (int32_t)u32_at(&r, 8) });
}

/* Files -------------------------------------------------------------------------------------- */

/* A JVM's own, and not one that another user put there. */
static bool is_trusted(int fd, const struct process *p, size_t *size)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1 ||
	    st.st_uid != p->status.euid || st.st_size < (off_t)HEADER_SIZE || st.st_size > MAX_FILE)
		return false;
	*size = (size_t)st.st_size;
	return true;
}

/* All of the file, or what there is of one that was truncated meanwhile. */
static ssize_t read_whole(int fd, uint8_t *bytes, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = pread(fd, bytes + len, size - len, (off_t)len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : (ssize_t)len;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

/* Has the JVM added entries since these bytes were read? */
static bool has_grown(int fd, const uint8_t *bytes)
{
	uint8_t now[HEADER_SIZE];

	if (pread(fd, now, sizeof(now), 0) != (ssize_t)sizeof(now))
		return false;
	return memcmp(now + 4, bytes + 4, 8) != 0 || memcmp(now + 28, bytes + 28, 4) != 0;
}

static void *read_file(struct hsperf *h, int fd, size_t size)
{
	uint8_t *bytes = malloc(size);
	ssize_t len = -1;

	for (int i = 0; bytes && i < MAX_READS; i++) {
		len = read_whole(fd, bytes, size);
		if (len < (ssize_t)HEADER_SIZE || !has_grown(fd, bytes))
			break;
	}
	if (len >= (ssize_t)HEADER_SIZE && hsperf_parse(h, bytes, (size_t)len))
		return bytes;
	free(bytes);
	return NULL;
}

/* Its user's directory, in /tmp: nothing there is followed. */
static int open_in(const struct process *p, struct opener *o, int tmp, const char *directory,
		   struct opener_file *f)
{
	char name[NAME_MAX + 16];

	if (strchr(directory, '/'))
		return -1;
	snprintf(name, sizeof(name), "%s/%d", directory, p->status.ns_pid);
	return opener_open_file(o, tmp, name, 0, f, NULL);
}

void *hsperf_read_open(struct hsperf *h, const struct process *p, int fd)
{
	size_t size;

	return is_trusted(fd, p, &size) ? read_file(h, fd, size) : NULL;
}

void *hsperf_read_from(struct hsperf *h, const struct process *p, struct opener *o, int tmp,
		       const char *directory)
{
	int fd = open_in(p, o, tmp, directory, NULL);
	void *bytes = fd >= 0 ? hsperf_read_open(h, p, fd) : NULL;

	if (fd >= 0)
		close(fd);
	return bytes;
}

/* What the opener gives of a file system that may hang is a copy, which does not change. */
static bool is_itself(int fd, const struct opener_file *f)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->ino;
}

static int open_from(const struct process *p, struct opener *o, int tmp, const char *directory)
{
	struct opener_file f = { 0 };
	int fd = open_in(p, o, tmp, directory, &f);
	size_t size;

	if (fd >= 0 && is_itself(fd, &f) && is_trusted(fd, p, &size))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

struct search {
	struct hsperf *h; /* NULL: it is only to be opened */
	const struct process *p;
	struct opener *opener;
	int tmp, fd;
	unsigned tried;
	void *bytes;
};

static int try_directory(void *ctx, const char *name, const struct opener_file *f)
{
	struct search *s = ctx;

	if (strncmp(name, DIRECTORY_PREFIX, strlen(DIRECTORY_PREFIX)) != 0 || !S_ISDIR(f->mode))
		return 0;
	if (s->h)
		s->bytes = hsperf_read_from(s->h, s->p, s->opener, s->tmp, name);
	else
		s->fd = open_from(s->p, s->opener, s->tmp, name);
	return s->bytes || s->fd >= 0 || ++s->tried >= MAX_DIRECTORIES ? -1 : 0;
}

/*
 * The directory is named for the user, and only the JVM's own root knows how
 * (JDK 28 says uid1000 where there is no such name): all are tried.
 */
void *hsperf_read(struct hsperf *h, const struct process *p, struct opener *o, int tmp)
{
	struct search s = { .h = h, .p = p, .opener = o, .tmp = tmp, .fd = -1 };

	opener_list(o, tmp, MAX_IN_TMP, try_directory, &s, NULL);
	return s.bytes;
}

int hsperf_open(const struct process *p, struct opener *o, int tmp, const char *directory)
{
	struct search s = { .p = p, .opener = o, .tmp = tmp, .fd = -1 };

	if (directory)
		return open_from(p, o, tmp, directory);
	opener_list(o, tmp, MAX_IN_TMP, try_directory, &s, NULL);
	return s.fd;
}
