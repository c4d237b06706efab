/* SPDX-License-Identifier: MIT */
/*
 * crash_file.c - what a killed native program had recorded, but not flushed
 *
 * The recorder keeps its buffers in a file on a tmpfs (recorder/ground/region.h), which the file
 * .buffers of its repository names.  The events there that are in no chunk yet become a chunk of
 * their own, with the types, threads and texts that the file has, too.  All of that may be forged
 * by any user who may write to the repository: names, places and sizes are checked, and what comes
 * out is read like any recording.
 */
#include "repository/crash_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/tmpfile.h"
#include "format/chunk_header.h"
#include "recorder/ground/region.h"
#include "repository/directory.h"

#define FOLDER	     "/dev/shm"
#define PREFIX	     "/dev/shm/jfrec-recorder-"
/*
 * The largest memory_size, and two buffers for each of so many threads (recorder/ground/memory.c).
 */
#define MOST_BYTES   (((uint64_t)4 << 30) + 2 * 4096 * (uint64_t)BUFFER_SIZE)
/* What is larger goes to a disk: its size is the choice of whoever was killed. */
#define MOST_IN_MEMORY ((uint64_t)64 << 20)
#define PIECE	       ((size_t)1 << 20)
#define TYPE_DATA    2u /* jdk.DataLoss: startTime, amount, total */
#define SHORTEST     3u /* a size of a byte, a type, a time */
#define METADATA_MIN 16u

struct crash {
	int fd, directory;
	struct region region;
	struct chunk_header last; /* of the chunk that was being written */
	bool is_committed;	  /* what was pending is in it */
	struct thread_row row;
	uint8_t *needed; /* rows of threads that have events here */
	uint64_t events, last_ticks;
	uint64_t damaged; /* bytes that make no sense */
	int to;
	struct buffer out; /* what is not in that file yet */
	uint64_t written;  /* what is */
	struct jfrec_error *err;
	uint8_t data[BIG_SIZE];
};

static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	uint8_t *p = to;

	while (size) {
		ssize_t n = pread(fd, p, size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		at += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

/* The file ------------------------------------------------------------------------------------- */

/* Nothing else in the file system can be named so. */
static bool is_its_name(const char *name)
{
	size_t pid, start;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return false;
	name += strlen(PREFIX);
	pid = strspn(name, "0123456789");
	if (!pid || name[pid] != '-')
		return false;
	start = strspn(name + pid + 1, "0123456789");
	return start && !name[pid + 1 + start];
}

/* A plain file of that user, which is not waited for. */
static int open_owned(int directory, const char *name, uint32_t owner)
{
	int fd = directory_open_file(directory, name);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && st.st_uid == owner))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/* Of the folder in which all recorders have theirs. */
static int open_in_folder(const char *name, uint32_t owner)
{
	int folder = directory_open(FOLDER), fd, error;

	if (folder < 0)
		return -1;
	fd = open_owned(folder, name, owner);
	error = errno;
	close(folder);
	errno = error;
	return fd;
}

/* What .buffers of the directory says: 1; 0: there is none; -1 with *err set. */
static int read_name(int directory, uint32_t owner, char name[static 128], struct jfrec_error *err)
{
	int fd = directory_open_file(directory, ".buffers");
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? 0 : jfrec_fail_sys(err, errno, "cannot open .buffers");
	n = fstat(fd, &st) < 0 ? -1 : read(fd, name, 127);
	close(fd);
	if (n < 0)
		return jfrec_fail_sys(err, errno, "cannot read .buffers");
	name[n] = '\0';
	name[strcspn(name, "\n")] = '\0';
	if (st.st_uid == owner && is_its_name(name))
		return 1;
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
			  ".buffers does not name the memory of a program of the directory's owner");
}

/* -1: there is none, or *err is set. */
static int open_memory(int directory, struct jfrec_error *err)
{
	char name[128];
	struct stat st;
	int fd;

	if (fstat(directory, &st) < 0 || read_name(directory, st.st_uid, name, err) <= 0)
		return -1;
	fd = open_in_folder(name + sizeof(FOLDER), st.st_uid);
	if (fd < 0 && errno == ENOENT)
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "%s, where its program had them, is gone", name);
	if (fd < 0)
		return jfrec_fail_sys(err, errno, "cannot open %s", name);
	/* The recorder has it locked as long as it lives. */
	if (flock(fd, LOCK_SH | LOCK_NB) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Everything is where this version of the recorder puts it, and within the file. */
static bool is_sound(const struct crash *c)
{
	const struct region *r = &c->region;
	struct region wanted;
	struct stat st;

	if (memcmp(r->magic, REGION_MAGIC, sizeof(r->magic)) != 0 || r->version != REGION_VERSION ||
	    r->buffer_max > MOST_BYTES / BUFFER_SIZE || fstat(c->fd, &st) < 0)
		return false;
	region_lay_out(&wanted, r->buffer_max);
	return r->header_size == wanted.header_size && r->size == wanted.size &&
	       r->rows_at == wanted.rows_at && r->slots_at == wanted.slots_at &&
	       r->texts_at == wanted.texts_at && r->types_at == wanted.types_at &&
	       r->buffers_at == wanted.buffers_at && r->big_at == wanted.big_at &&
	       r->size <= (uint64_t)st.st_size;
}

/* The chunk that was written last: its header decides what was committed. */
static void look_at_last(struct crash *c)
{
	const char *path = c->region.chunk_path, *name;
	uint64_t pending = atomic_load(&c->region.pending_size);
	uint8_t bytes[CHUNK_HEADER_SIZE];
	struct stat st;
	int fd;

	if (!memchr(path, '\0', sizeof(c->region.chunk_path)) || fstat(c->directory, &st) < 0)
		return;
	name = strrchr(path, '/');
	fd = name && name[1] ? open_owned(c->directory, name + 1, st.st_uid) : -1;
	if (fd < 0)
		return;
	if (chunk_header_read(fd, bytes)) {
		c->last = chunk_header_parse(bytes);
		c->is_committed = pending && pending == c->last.size;
	}
	close(fd);
}

/* What comes out ------------------------------------------------------------------------------- */

static bool write_all(int fd, const uint8_t *data, size_t size, uint64_t at)
{
	while (size) {
		ssize_t n = pwrite(fd, data, size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		at += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

static uint64_t out_size(const struct crash *c)
{
	return c->written + c->out.len;
}

/* Between two events: what there is goes into the file.  0, or -1 with *c->err set. */
static int flush_out(struct crash *c)
{
	if (c->out.failed)
		return jfrec_fail_memory(c->err);
	if (!write_all(c->to, c->out.data, c->out.len, c->written))
		return jfrec_fail_sys(c->err, errno, "cannot write them to a temporary file");
	c->written += c->out.len;
	buffer_clear(&c->out);
	return 0;
}

static int put_piece(struct crash *c)
{
	return c->out.len < PIECE && !c->out.failed ? 0 : flush_out(c);
}

/* Events --------------------------------------------------------------------------------------- */

/* One event at the beginning of left bytes: its size, or 0. */
static uint32_t event_size(const uint8_t *e, uint32_t left, uint64_t *ticks)
{
	struct cursor at = { .pos = e, .end = e + left };
	uint64_t size = cursor_varint(&at), type = cursor_varint(&at);

	*ticks = cursor_varint(&at);
	if (at.bad || size < SHORTEST || size > left || type < TYPE_FIRST_OF_PROGRAM ||
	    type >= EVENT_TYPES)
		return 0;
	return (uint32_t)size;
}

/* What the program has overwritten goes no further. */
static void take_events(struct crash *c, uint32_t size)
{
	uint32_t at = 0, n;
	uint64_t ticks;

	for (; at < size; at += n) {
		n = event_size(c->data + at, size - at, &ticks);
		if (!n)
			break;
		if (ticks > c->last_ticks)
			c->last_ticks = ticks;
		c->events++;
	}
	c->damaged += size - at;
	buffer_put(&c->out, c->data, at);
}

static void take_buffer(struct crash *c, uint64_t at, uint32_t whole)
{
	struct event_buffer head;
	uint32_t from, to, row;

	if (!read_at(c->fd, &head, sizeof(head), at)) {
		c->damaged += whole;
		return;
	}
	from = atomic_load(c->is_committed ? &head.taken : &head.flushed);
	to = atomic_load(&head.pos);
	row = atomic_load(&head.row);
	if (atomic_load(&head.state) == BUFFER_FREE || from == to)
		return;
	if (from > to || to > whole - BUFFER_HEADER || row >= THREAD_ROWS ||
	    !read_at(c->fd, c->data, to - from, at + BUFFER_HEADER + from)) {
		c->damaged += whole;
		return;
	}
	c->needed[row] = 1;
	take_events(c, to - from);
}

static int take_buffers(struct crash *c)
{
	const struct region *r = &c->region;
	uint32_t fresh = atomic_load(&r->fresh);
	int ret = 0;

	for (uint32_t i = 0; i < fresh && i < r->buffer_max && ret == 0; i++) {
		take_buffer(c, r->buffers_at + (uint64_t)i * BUFFER_SIZE, BUFFER_SIZE);
		ret = put_piece(c);
	}
	for (uint32_t i = 0; i < BIG_COUNT && ret == 0; i++) {
		take_buffer(c, r->big_at + (uint64_t)i * BIG_SIZE, BIG_SIZE);
		ret = put_piece(c);
	}
	return ret;
}

/* As buffer_padded(), for what is now after `at`. */
static void end_event(struct buffer *b, size_t at)
{
	if (!b->failed)
		varint_put_padded(b->data + at, b->len - at, 4);
}

static size_t begin_event(struct buffer *b, uint32_t type, uint64_t ticks)
{
	size_t at = b->len;

	buffer_put(b, "\0\0\0", 4);
	buffer_varint(b, type);
	buffer_varint(b, ticks);
	return at;
}

/* What threads have counted for themselves is told as if they had ended. */
static void add_losses(struct crash *c)
{
	struct region *r = &c->region;
	uint32_t end = atomic_load(&r->fresh_row);

	for (uint32_t i = 0; i < end && i < THREAD_ROWS; i++) {
		if (!read_at(c->fd, &c->row, sizeof(c->row), r->rows_at + i * sizeof(c->row)))
			return;
		for (unsigned n = 0; n < 2; n++) {
			uint64_t word = atomic_load(&c->row.losses[n]);

			atomic_fetch_add(&r->lost[loss_type(word)], loss_count(word));
			atomic_fetch_add(&r->lost_bytes, loss_bytes(word));
		}
	}
}

/* Events that found no room since the last flush; of which types is not known here. */
static uint64_t tell_losses(struct crash *c)
{
	const struct region *r = &c->region;
	const _Atomic uint64_t *told = c->is_committed ? r->telling : r->told;
	uint64_t bytes = atomic_load(c->is_committed ? &r->telling_bytes : &r->told_bytes),
		 count = 0;
	size_t at;

	for (uint32_t i = 0; i < EVENT_TYPES; i++)
		if (atomic_load(&r->lost[i]) > atomic_load(&told[i]))
			count += atomic_load(&r->lost[i]) - atomic_load(&told[i]);
	if (!count)
		return 0;
	at = begin_event(&c->out, TYPE_LOSS, c->last_ticks);
	buffer_u8(&c->out, 0);
	buffer_varint(&c->out, count);
	end_event(&c->out, at);
	at = begin_event(&c->out, TYPE_DATA, c->last_ticks);
	buffer_varint(&c->out, atomic_load(&r->lost_bytes) - bytes);
	buffer_varint(&c->out, atomic_load(&r->lost_bytes));
	end_event(&c->out, at);
	return count;
}

/* Types and constants -------------------------------------------------------------------------- */

static bool is_metadata(const uint8_t *bytes, uint32_t size)
{
	struct cursor at = { .pos = bytes, .end = bytes + size };

	return cursor_varint(&at) == size && cursor_varint(&at) == 0 && !at.bad;
}

/* Of the two places the one that counts.  0, or -1 with *c->err set. */
static int put_metadata(struct crash *c)
{
	uint64_t at = c->region.types_at +
		      (atomic_load(&c->region.types_which) & 1) * (uint64_t)TYPES_SIZE;
	uint32_t size;
	uint8_t *bytes;
	bool good;

	if (!read_at(c->fd, &size, sizeof(size), at))
		return jfrec_fail_sys(c->err, errno, "cannot read their types");
	if (size < METADATA_MIN || size > TYPES_SIZE - 4)
		return jfrec_fail(c->err, JFREC_EFORMAT, JFREC_NO_OFFSET, "their types are damaged");
	bytes = malloc(size);
	if (!bytes)
		return jfrec_fail_memory(c->err);
	good = read_at(c->fd, bytes, size, at + sizeof(size)) && is_metadata(bytes, size);
	if (good)
		buffer_put(&c->out, bytes, size);
	free(bytes);
	return good ? 0 : jfrec_fail(c->err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				     "their types are damaged");
}

static void put_text(struct buffer *b, const char *text, size_t len)
{
	buffer_u8(b, len ? 3 : 1);
	if (!len)
		return;
	buffer_varint(b, len);
	buffer_put(b, text, len);
}

static uint32_t put_threads(struct crash *c, struct buffer *b)
{
	char name[THREAD_NAME];
	uint32_t count = 0;

	for (uint32_t i = 0; i < THREAD_ROWS; i++) {
		if (!c->needed[i] || !read_at(c->fd, &c->row, sizeof(c->row),
					      c->region.rows_at + i * sizeof(c->row)))
			continue;
		memcpy(name, c->row.name, sizeof(name));
		buffer_varint(b, atomic_load(&c->row.key));
		put_text(b, name, strnlen(name, sizeof(name)));
		buffer_varint(b, atomic_load(&c->row.tid));
		put_text(b, name, strnlen(name, sizeof(name)));
		buffer_varint(b, atomic_load(&c->row.key));
		buffer_u8(b, 0);
		buffer_u8(b, 0);
		count++;
	}
	return count;
}

/* The texts are in one piece of memory; a slot says where one of them is, in 8 bytes, from 1. */
static bool put_one_text(struct buffer *b, const uint8_t *texts, uint32_t place)
{
	struct text head;
	uint64_t at = (uint64_t)(place - 1) * 8;

	if (!place || at > TEXTS_SIZE - sizeof(head))
		return false;
	memcpy(&head, texts + at, sizeof(head));
	at += sizeof(head);
	if (head.size > TEXTS_SIZE - at)
		return false;
	buffer_varint(b, place);
	put_text(b, (const char *)texts + at, head.size);
	return true;
}

static uint32_t put_texts(struct crash *c, struct buffer *b)
{
	uint32_t *slots = malloc(TEXT_SLOTS * sizeof(*slots)), count = 0;
	uint8_t *texts = malloc(TEXTS_SIZE);

	b->failed |= !slots || !texts;
	if (slots && texts &&
	    read_at(c->fd, slots, TEXT_SLOTS * sizeof(*slots), c->region.slots_at) &&
	    read_at(c->fd, texts, TEXTS_SIZE, c->region.texts_at))
		/* Hostile ones are many and long: they take no more than all texts together. */
		for (uint32_t i = 0; i < TEXT_SLOTS && b->len < 2 * TEXTS_SIZE; i++)
			count += put_one_text(b, texts, slots[i]);
	free(slots);
	free(texts);
	return count;
}

static void put_pool(struct buffer *b, uint32_t type, uint32_t count, struct buffer *entries)
{
	if (count) {
		buffer_varint(b, type);
		buffer_varint(b, count);
		buffer_put(b, entries->data, entries->len);
	}
	b->failed |= entries->failed;
	buffer_fini(entries);
}

static void put_checkpoint(struct crash *c)
{
	struct buffer threads = { 0 }, texts = { 0 };
	uint32_t thread_count = put_threads(c, &threads), text_count = put_texts(c, &texts);
	size_t at = begin_event(&c->out, 1, c->last_ticks);

	buffer_varint(&c->out, 0);
	buffer_varint(&c->out, 0);
	buffer_u8(&c->out, 1);
	buffer_varint(&c->out, (thread_count != 0) + (text_count != 0));
	put_pool(&c->out, TYPE_THREAD, thread_count, &threads);
	put_pool(&c->out, TYPE_STRING, text_count, &texts);
	end_event(&c->out, at);
}

/* The chunk ------------------------------------------------------------------------------------ */

/* From the end of the last one on, by which readers know that they are of one program. */
static int put_header(struct crash *c, uint64_t checkpoint)
{
	uint8_t bytes[CHUNK_HEADER_SIZE];
	uint64_t ticks = (uint64_t)c->last.start_ticks + (uint64_t)c->last.duration_ns;
	struct chunk_header h = {
		.major = 2,
		.minor = 1,
		.size = out_size(c),
		.checkpoint = checkpoint,
		.metadata = CHUNK_HEADER_SIZE,
		.start_ns = (int64_t)(c->region.time_ns + ticks),
		.start_ticks = (int64_t)ticks,
		.duration_ns = c->last_ticks > ticks ? (int64_t)(c->last_ticks - ticks) : 0,
		.ticks_per_second = 1000000000,
		.flags = CHUNK_COMPRESSED_INTS | CHUNK_FINAL,
	};

	chunk_header_put(&h, bytes);
	return write_all(c->to, bytes, sizeof(bytes), 0)
		       ? 0
		       : jfrec_fail_sys(c->err, errno, "cannot write them to a temporary file");
}

/* Before its first flush it has no types, and nobody can have recorded anything. */
static bool has_types(const struct crash *c)
{
	return atomic_load(&c->region.fresh) || c->region.chunk_path[0];
}

/* 1; 0: there are no events; -1: *c->err is set. */
static int read_chunk(struct crash *c)
{
	static const uint8_t nothing[CHUNK_HEADER_SIZE];
	uint64_t checkpoint;

	if (!read_at(c->fd, &c->region, sizeof(c->region), 0) || !is_sound(c))
		return jfrec_fail(c->err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "the memory is not that of a recorder of this version, or is damaged");
	if (!has_types(c))
		return 0;
	look_at_last(c);
	buffer_put(&c->out, nothing, sizeof(nothing));
	if (put_metadata(c) < 0 || take_buffers(c) < 0)
		return -1;
	add_losses(c);
	if (tell_losses(c) + c->events == 0)
		return 0;
	checkpoint = out_size(c);
	put_checkpoint(c);
	return flush_out(c) < 0 || put_header(c, checkpoint) < 0 ? -1 : 1;
}

static int tell_damage(const struct crash *c)
{
	return jfrec_fail(c->err, JFREC_EFORMAT, JFREC_NO_OFFSET,
			  "%" PRIu64 " bytes of the memory are damaged", c->damaged);
}

int crash_file_write(int memory, int directory, int to, struct jfrec_error *err)
{
	struct crash *c = calloc(1, sizeof(*c));
	int ret = -1;

	if (!c)
		return jfrec_fail_memory(err);
	c->fd = memory;
	c->directory = directory;
	c->to = to;
	c->err = err;
	c->needed = calloc(THREAD_ROWS, 1);
	ret = c->needed ? read_chunk(c) : jfrec_fail_memory(err);
	if (ret >= 0 && c->damaged)
		tell_damage(c);
	free(c->needed);
	buffer_fini(&c->out);
	free(c);
	return ret;
}

/* How many bytes of its memory the program has used, if that is true. */
static uint64_t used(int memory)
{
	struct stat st;

	return fstat(memory, &st) == 0 ? (uint64_t)st.st_blocks * 512 : UINT64_MAX;
}

static int open_temporary(int memory, struct jfrec_error *err)
{
	int fd = -1;

	if (used(memory) > MOST_IN_MEMORY) {
		fd = tmpfile_in("/var/tmp");
		if (fd < 0)
			fd = tmpfile_in("/tmp");
	}
	if (fd < 0)
		fd = memfd_create("jfrec-unflushed", MFD_CLOEXEC);
	return fd < 0 ? jfrec_fail_sys(err, errno, "cannot create a temporary file") : fd;
}

/* The memory is closed. */
static int chunk_of(int memory, int directory, struct jfrec_error *err)
{
	int fd = open_temporary(memory, err);

	if (fd >= 0 && crash_file_write(memory, directory, fd, err) <= 0) {
		close(fd);
		fd = -1;
	}
	close(memory);
	return fd;
}

int crash_file_chunk(int directory, struct jfrec_error *missing)
{
	int memory;

	*missing = (struct jfrec_error){ .code = JFREC_OK };
	memory = open_memory(directory, missing);
	return memory < 0 ? -1 : chunk_of(memory, directory, missing);
}

/* The repository of the memory's owner; -1: it is gone, or is not his. */
static int open_repository(int memory)
{
	struct stat st, its;
	struct region *r = malloc(sizeof(*r));
	char *slash;
	int fd = -1;

	if (r && read_at(memory, r, sizeof(*r), 0) && fstat(memory, &st) == 0 &&
	    memchr(r->chunk_path, '\0', sizeof(r->chunk_path)) &&
	    (slash = strrchr(r->chunk_path, '/'))) {
		*slash = '\0';
		fd = directory_open(r->chunk_path);
	}
	free(r);
	if (fd >= 0 && (fstat(fd, &its) < 0 || its.st_uid != st.st_uid)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A plain file that is the memory of a recorder; -1: it is something else. */
static int open_memory_at(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	char magic[sizeof(REGION_MAGIC) - 1];
	struct stat st;

	if (fd < 0 ||
	    (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && read_at(fd, magic, sizeof(magic), 0) &&
	     memcmp(magic, REGION_MAGIC, sizeof(magic)) == 0))
		return fd;
	close(fd);
	return -1;
}

static char *name_in(const char *path)
{
	int directory = directory_open(path);
	struct jfrec_error ignored;
	char name[128] = "";
	struct stat st;

	if (directory < 0)
		return NULL;
	if (fstat(directory, &st) < 0 || read_name(directory, st.st_uid, name, &ignored) <= 0)
		name[0] = '\0';
	close(directory);
	return name[0] ? strdup(name) : NULL;
}

static char *repository_in(int memory)
{
	struct region *r = malloc(sizeof(*r));
	char *slash, *path = NULL;

	if (r && read_at(memory, r, sizeof(*r), 0) &&
	    memchr(r->chunk_path, '\0', sizeof(r->chunk_path)) &&
	    (slash = strrchr(r->chunk_path, '/')))
		path = strndup(r->chunk_path, (size_t)(slash - r->chunk_path));
	free(r);
	return path;
}

char *crash_file_beside(const char *path)
{
	int memory = open_memory_at(path), directory;
	struct jfrec_error ignored;
	char *beside, name[128];
	struct stat st;

	if (memory < 0)
		return name_in(path);
	beside = repository_in(memory);
	directory = beside ? directory_open(beside) : -1;
	/* A repository of the same user, or none: a memory may name anything. */
	if (directory < 0 || fstat(memory, &st) < 0 ||
	    read_name(directory, st.st_uid, name, &ignored) <= 0) {
		free(beside);
		beside = NULL;
	}
	if (directory >= 0)
		close(directory);
	close(memory);
	return beside;
}

int crash_file_of_memory(const char *path, int *unflushed, struct jfrec_error *missing,
			 struct jfrec_error *err)
{
	int memory = open_memory_at(path), directory;

	*unflushed = -1;
	*missing = (struct jfrec_error){ .code = JFREC_OK };
	if (memory < 0)
		return 0;
	if (flock(memory, LOCK_SH | LOCK_NB) < 0) {
		close(memory);
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "is the memory of a program that is running; `jfrec dump` writes its recording");
	}
	directory = open_repository(memory);
	*unflushed = chunk_of(memory, directory, missing);
	if (directory >= 0)
		close(directory);
	if (*unflushed >= 0)
		return 0;
	if (missing->code)
		return jfrec_fail(err, missing->code, JFREC_NO_OFFSET,
				  "its events cannot be read: %.300s", missing->text);
	return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
			  "has no events that are not in the chunks of its repository");
}
