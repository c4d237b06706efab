/* SPDX-License-Identifier: MIT */
/*
 * memory.c - map the region, and hand out its buffers without locks
 */
#include "recorder/ground/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "recorder/ground/filter.h"
#include "recorder/ground/kept_directories.h"

/* Beside what memory_size asks for: two for each of so many threads. */
#define MOST_THREADS 4096u

/* Each thread has one buffer for itself, and one for its signal handlers. */
#define BUFFERS_OF_THREAD 2u

/* Memory in which no process has begun to record after this long has none. */
#define STILLBORN_S 60

#define OWN_SIZE 4096u

/* What a process has at first, if it has no events of its own; and nothing of what is not here. */
#define FIRST_BUFFERS 16u
#define FIRST_ROWS    64u

/* A thread that waits for a buffer does so for a second. */
#define MOMENT_NS 100000
#define MOMENTS	  10000

#define LEAST_LOOK_NS 1000000u
#define MOST_LOOK_NS  12000000u
#define SMALL_LOOK_NS 2000000u

/* 2 MB, beyond which writing more at once is not faster. */
#define MOST_OF_ROUND 256u

#define FOLDER "/dev/shm"
#define PREFIX "jfrec-recorder-"

struct region *region;

static struct {
	struct held held; /* none: private memory, or the program closed it */
	uint32_t base; /* buffers for memory_size */
	uint64_t size;
	char path[64];
	bool is_unlinked;
	bool is_shared; /* the file is what is mapped */
	_Atomic bool is_small; /* only what comes first has space, and is given out */
	_Atomic bool is_whole; /* all is given out, and so has space */
	bool is_rest_private;
} file = { .held = HELD_NONE };

/*
 * A page that a child of fork() or clone() finds empty, handlers or not: so each event can ask
 * without a system call whether the region is this process's.  Before Linux 4.14 it takes one.
 */
static struct {
	_Atomic uint32_t *here;
	bool is_wiped;
} own;

static void open_own(void)
{
	void *page = own.here;

	if (!page) {
		page = mmap(NULL, OWN_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
		if (page == MAP_FAILED)
			return;
		own.is_wiped = madvise(page, OWN_SIZE, MADV_WIPEONFORK) == 0;
		own.here = page;
	}
	atomic_store(own.here, 1);
}

bool memory_is_here(void)
{
	if (own.is_wiped)
		return atomic_load_explicit(own.here, memory_order_relaxed);
	return region && region->pid == (uint32_t)getpid();
}

/* Mapping -------------------------------------------------------------------------------------- */

/* Field 22, after the name, which may have blanks and brackets in it. */
static uint64_t read_start(void)
{
	char text[1024], *at;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	at = strrchr(text, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static uint64_t process_start(void)
{
	static uint64_t start;
	static pid_t of;

	if (of != getpid())
		start = read_start();
	of = getpid();
	return start;
}

/* Is it the memory of a program of this user that is gone, and had a chunk? */
static bool read_left(int fd, struct region *r)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && S_ISREG(st.st_mode) &&
	       flock(fd, LOCK_EX | LOCK_NB) == 0 && pread(fd, r, sizeof(*r), 0) == sizeof(*r) &&
	       memchr(r->chunk_path, '\0', sizeof(r->chunk_path)) && r->chunk_path[0];
}

/* Is it the memory of a process that is gone, as is its repository? */
static bool is_forgotten(int fd)
{
	struct region r;
	char *slash;

	if (!read_left(fd, &r))
		return false;
	/* The last chunk may not be there yet, or be deleted, where others still are. */
	slash = strrchr(r.chunk_path, '/');
	if (slash && slash > r.chunk_path)
		*slash = '\0';
	return access(r.chunk_path, F_OK) && errno == ENOENT;
}

/*
 * Has its process been killed before it recorded anything?  Between making it and locking it there
 * is a moment, so a young one may belong to a process that has just begun.
 */
static bool is_stillborn(int fd)
{
	struct region r = { .version = REGION_VERSION };
	struct stat st;

	if (fstat(fd, &st) || st.st_uid != geteuid() || !S_ISREG(st.st_mode) ||
	    time(NULL) - st.st_mtime < STILLBORN_S || flock(fd, LOCK_EX | LOCK_NB) ||
	    pread(fd, &r, sizeof(r), 0) < 0)
		return false;
	/* Of another version nothing is known. */
	return !r.magic[0] || (r.version == REGION_VERSION && !r.chunk_path[0]);
}

void memory_remove_forgotten(void)
{
	DIR *d = opendir(FOLDER);
	struct dirent *e;
	int fd;

	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)))
			continue;
		fd = openat(dirfd(d), e->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_forgotten(fd) || is_stillborn(fd))
			unlinkat(dirfd(d), e->d_name, 0);
		close(fd);
	}
	if (d)
		closedir(d);
}

static bool is_settled(int fd, struct region *r)
{
	return read_left(fd, r) && r->version == REGION_VERSION && r->is_settled;
}

bool memory_find_settled(char chunk[REGION_PATH], uint32_t *pid)
{
	DIR *d = opendir(FOLDER);
	struct dirent *e;
	struct region r;
	bool found = false;
	int fd;

	while (d && !found && (e = readdir(d))) {
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)))
			continue;
		fd = openat(dirfd(d), e->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		found = is_settled(fd, &r) && unlinkat(dirfd(d), e->d_name, 0) == 0;
		close(fd);
	}
	if (d)
		closedir(d);
	if (!found)
		return false;
	memcpy(chunk, r.chunk_path, REGION_PATH);
	*pid = r.pid;
	return true;
}

static void name_file(char path[64])
{
	snprintf(path, 64, FOLDER "/" PREFIX "%d-%" PRIu64, (int)getpid(), process_start());
}

bool memory_find_former(char chunk[REGION_PATH], bool *keep)
{
	struct region r;
	char path[64];
	bool found;
	int fd;

	name_file(path);
	fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	found = fd >= 0 && read_left(fd, &r);
	if (fd >= 0)
		close(fd);
	if (!found)
		return false;
	memcpy(chunk, r.chunk_path, REGION_PATH);
	*keep = r.keeps_repository;
	return true;
}

const char *memory_folder(void)
{
	struct statfs fs;
	int place = directory_open_of(FOLDER "/"), ret;

	if (place < 0)
		return NULL;
	ret = fstatfs(place, &fs);
	close(place);
	return ret == 0 && fs.f_type == TMPFS_MAGIC ? FOLDER : NULL;
}

/* Of a file in the folder, which another root may not have. */
static int open_in_folder(const char *path, int flags)
{
	int place = directory_open_of(path), fd;

	if (place < 0)
		return -1;
	fd = openat(place, name_in_directory(path), flags | O_NOFOLLOW | O_CLOEXEC, 0600);
	close(place);
	return fd;
}

static int unlink_in_folder(const char *path)
{
	int place = directory_open_of(path), ret;

	if (place < 0)
		return -1;
	ret = unlinkat(place, name_in_directory(path), 0);
	close(place);
	return ret;
}

/* A piece of the region, and how much of it a process has at first. */
struct part {
	uint64_t at, first, size;
};

#define PARTS 3u

static void list_parts(const struct region *r, struct part parts[PARTS])
{
	uint64_t buffers = file.base < FIRST_BUFFERS ? file.base : FIRST_BUFFERS;
	const struct part all[PARTS] = {
		{ 0, r->rows_at + FIRST_ROWS * sizeof(struct thread_row), r->slots_at },
		{ r->slots_at, 0, r->buffers_at - r->slots_at },
		{ r->buffers_at, buffers * BUFFER_SIZE, (uint64_t)file.base * BUFFER_SIZE },
	};

	memcpy(parts, all, sizeof(all));
}

/* All, or what comes first, or what comes after that. */
enum what { ALL, FIRST, REST };

static bool reserve_parts(const struct region *r, enum what what)
{
	struct part parts[PARTS];
	bool done = true;

	list_parts(r, parts);
	for (unsigned i = 0; i < PARTS && done; i++) {
		uint64_t from = what == REST ? parts[i].first : 0;
		uint64_t to = what == FIRST ? parts[i].first : parts[i].size;

		done = from == to || fallocate(file.held.fd, 0, (off_t)(parts[i].at + from),
					       (off_t)(to - from)) == 0;
	}
	return done;
}

/* A limit of the size of files refuses it, and is no reason to end the program. */
static bool reserve(const struct region *r, enum what what)
{
	struct quiet q;
	bool done;

	quiet_begin(&q);
	done = (what == REST || ftruncate(file.held.fd, (off_t)r->size) == 0) &&
	       reserve_parts(r, what);
	quiet_end(&q);
	return done;
}

/*
 * A disk would make writers wait whenever the kernel writes pages back; a tmpfs never does.  Its
 * space is reserved before it is used: a page for which there is none kills the process.
 */
static int open_file(const struct region *r, enum what what)
{
	name_file(file.path);
	if (!memory_folder())
		return -1;
	directory_keep(FOLDER);
	unlink_in_folder(file.path);
	file.held = held_take(open_in_folder(file.path, O_RDWR | O_CREAT | O_EXCL));
	if (file.held.fd < 0)
		return -1;
	/*
	 * As long as it is mapped, descriptor or not: who reads it then knows that nobody writes
	 * it.
	 */
	if (flock(file.held.fd, LOCK_EX) == 0) {
		if (reserve(r, what))
			return 0;
		memory_remove_forgotten();
		if (reserve(r, what))
			return 0;
	}
	held_close(&file.held);
	unlink_in_folder(file.path);
	return -1;
}

static bool open_again(void)
{
	int fd;

	if (held_is_there(&file.held))
		return true;
	fd = file.is_unlinked ? -1 : open_in_folder(file.path, O_RDWR | O_NONBLOCK);
	if (fd >= 0 && held_is_same(&file.held, fd)) {
		file.held = held_take(fd);
		return file.held.fd >= 0;
	}
	if (fd >= 0)
		close(fd);
	return false;
}

static bool reserve_more(uint32_t from, uint32_t to)
{
	return to <= from || file.is_rest_private ||
	       (open_again() &&
		fallocate(file.held.fd, 0,
			  (off_t)(region->buffers_at + (uint64_t)from * BUFFER_SIZE),
			  (off_t)((uint64_t)(to - from) * BUFFER_SIZE)) == 0);
}

static void *map(uint64_t size, int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;

	/* After a fork() the parent's place is used again: threads of old may look there. */
	return mmap(region, size, PROT_READ | PROT_WRITE,
		    flags | MAP_NORESERVE | (region ? MAP_FIXED : 0), fd, 0);
}

/* Give out what has space. */
static void give_first(void)
{
	atomic_store(&region->limit, file.base < FIRST_BUFFERS ? file.base : FIRST_BUFFERS);
	atomic_store(&region->row_limit, FIRST_ROWS);
}

/* Buffers that are fresh are touched when they are used first. */
static void give_all(void)
{
	uint32_t first = region->buffer_max;

	for (uint32_t i = first; i < first + BIG_COUNT; i++) {
		memory_buffer(i)->index = i;
		memory_buffer(i)->size = BIG_SIZE - BUFFER_HEADER;
		atomic_store(&memory_buffer(i)->next, i + 1 == first + BIG_COUNT ? 0 : i + 2);
	}
	atomic_store(&region->text_limit, TEXTS_SIZE);
	atomic_store(&region->row_limit, THREAD_ROWS);
	atomic_store(&region->free_big, (uint64_t)first + 1);
	atomic_store(&region->limit, file.base);
	atomic_store(&file.is_whole, true);
	buffers_give();
}

bool memory_is_whole(void)
{
	return atomic_load(&file.is_whole);
}

int memory_open(uint64_t memory_size, enum memory_kind kind, struct jfrec_recorder_error *err)
{
	struct region r;
	void *at;

	file.base = (uint32_t)(memory_size / BUFFER_SIZE);
	region_lay_out(&r, file.base + BUFFERS_OF_THREAD * MOST_THREADS);
	r.pid = (uint32_t)getpid();
	if (region && r.size != file.size)
		return recorder_fail(err, 0, "memory_size cannot change within one process");
	file.held = HELD_NONE;
	if (kind != MEMORY_PRIVATE)
		open_file(&r, kind == MEMORY_FILE_SMALL ? FIRST : ALL);
	file.is_shared = file.held.fd >= 0;
	at = map(r.size, file.held.fd);
	if (at == MAP_FAILED)
		return recorder_fail(err, errno, "no memory for the recorder's buffers: %s", strerror(errno));
	memcpy(at, &r, sizeof(r));
	region = at;
	file.is_unlinked = file.is_rest_private = false;
	file.size = r.size;
	atomic_store(&file.is_small, file.is_shared && kind == MEMORY_FILE_SMALL);
	atomic_store(&file.is_whole, false);
	if (atomic_load(&file.is_small))
		give_first();
	else
		give_all();
	open_own();
	/* From here on it can be read after a crash. */
	atomic_thread_fence(memory_order_release);
	memcpy(region->magic, REGION_MAGIC, sizeof(region->magic));
	return 0;
}

bool memory_is_small(void)
{
	return atomic_load_explicit(&file.is_small, memory_order_relaxed);
}

/* Nobody has been there yet.  A crash loses what will be in it. */
static bool make_rest_private(void)
{
	struct part parts[PARTS];

	list_parts(region, parts);
	/* Those of threads, too, which memory_grow() gives out. */
	parts[PARTS - 1].size = region->size - region->buffers_at;
	for (unsigned i = 0; i < PARTS; i++)
		if (mmap((char *)region + parts[i].at + parts[i].first,
			 parts[i].size - parts[i].first, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
			 0) == MAP_FAILED)
			return false;
	file.is_rest_private = true;
	return true;
}

void memory_reserve_all(void)
{
	if (!region || !atomic_exchange(&file.is_small, false))
		return;
	if ((open_again() && reserve(region, REST)) || make_rest_private())
		give_all();
}

const char *memory_path(void)
{
	return file.is_shared && !file.is_unlinked ? file.path : NULL;
}

void memory_unlink(void)
{
	if (file.is_shared && !file.is_unlinked)
		file.is_unlinked = unlink_in_folder(file.path) == 0;
}

void memory_drop_small(void)
{
	if (memory_is_small() && !atomic_load(&region->fresh))
		unlink(file.path);
}

/*
 * Buffers are given back, and no one is in use.  Who emits yet writes to pages that nobody reads.
 */
void memory_retire(bool settled)
{
	if (!region || !file.is_shared || file.is_unlinked)
		return;
	atomic_store(&region->fresh, 0);
	atomic_store(&region->fresh_row, 0);
	madvise((char *)region + region->big_at, file.size - region->big_at, MADV_REMOVE);
	region->is_settled = settled;
}

/* All that was ever used; the rest is zeros in the new file, too. */
static int copy_region(int to)
{
	uint64_t fresh = atomic_load(&region->fresh);
	uint64_t size = region->buffers_at +
			(fresh < region->buffer_max ? fresh : region->buffer_max) * BUFFER_SIZE;
	ssize_t n;

	for (uint64_t at = 0; at < size; at += (uint64_t)n) {
		n = pwrite(to, (char *)region + at, size - at, (off_t)at);
		if (n <= 0)
			return -1;
	}
	return 0;
}

/*
 * No file can be given its name again, so there is a new one, with the same content at the same
 * place.  All types are off; the event of a thread that was interrupted in it since the last
 * recording may be lost here.
 */
void memory_keep_again(void)
{
	struct held old = file.held;
	uint32_t limit = atomic_load(&region->limit);

	if (!file.is_shared || !file.is_unlinked)
		return;
	file.is_unlinked = false;
	if (open_file(region, ALL) == 0 && reserve_more(file.base, limit) &&
	    copy_region(file.held.fd) == 0 && map(file.size, file.held.fd) != MAP_FAILED) {
		held_close(&old);
		file.is_rest_private = false;
		if (atomic_exchange(&file.is_small, false))
			give_all();
		return;
	}
	if (file.held.fd >= 0) {
		unlink_in_folder(file.path);
		held_close(&file.held);
	}
	file.held = old;
	file.is_unlinked = true;
}

void memory_leave(void)
{
	if (!region)
		return;
	held_close_in_child(&file.held);
	file.is_shared = false;
	atomic_store(&file.is_small, false);
	/* Types are off: it stays as it is. */
	if (!filter_is_expected())
		map(file.size, -1);
}

void memory_grow(void)
{
	uint32_t limit = atomic_load(&region->limit);
	uint32_t wanted = file.base + BUFFERS_OF_THREAD * atomic_load(&region->live_threads);

	if (wanted > region->buffer_max)
		wanted = region->buffer_max;
	if (wanted <= limit || memory_is_small())
		return;
	if (file.is_shared && !reserve_more(limit, wanted))
		return;
	atomic_store(&region->limit, wanted);
	buffers_give();
}

/* Lists ---------------------------------------------------------------------------------------- */

/*
 * A stack of indices; the upper half counts changes, so that a head that came back is not the same.
 */
static void push(_Atomic uint64_t *list, _Atomic uint32_t *next, uint32_t index)
{
	uint64_t head = atomic_load_explicit(list, memory_order_relaxed), changed;

	do {
		atomic_store_explicit(next, (uint32_t)head, memory_order_relaxed);
		changed = ((head >> 32) + 1) << 32 | (index + 1);
	} while (!atomic_compare_exchange_weak_explicit(list, &head, changed, memory_order_acq_rel,
							memory_order_relaxed));
}

typedef _Atomic uint32_t *next_of(uint32_t index);

static _Atomic uint32_t *next_buffer(uint32_t index)
{
	return &memory_buffer(index)->next;
}

static _Atomic uint32_t *next_row(uint32_t index)
{
	return &memory_row(index)->next;
}

/* index + 1, or 0. */
static uint32_t pop(_Atomic uint64_t *list, next_of *next)
{
	uint64_t head = atomic_load_explicit(list, memory_order_acquire), changed;

	do {
		if (!(uint32_t)head)
			return 0;
		changed = ((head >> 32) + 1) << 32 |
			  atomic_load_explicit(next((uint32_t)head - 1), memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(list, &head, changed, memory_order_acq_rel,
							memory_order_acquire));
	return (uint32_t)head;
}

/* One that was never used.  index + 1, or 0. */
static uint32_t take_fresh(_Atomic uint32_t *fresh, uint32_t limit)
{
	uint32_t i = atomic_load_explicit(fresh, memory_order_relaxed);

	do {
		if (i >= limit)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(fresh, &i, i + 1, memory_order_acq_rel,
							memory_order_relaxed));
	return i + 1;
}

struct event_buffer *buffer_take(size_t need)
{
	struct event_buffer *b;
	uint32_t i;

	if (need > BIG_SIZE - BUFFER_HEADER)
		return NULL;
	if (need > BUFFER_ROOM) {
		i = pop(&region->free_big, next_buffer);
		return i ? memory_buffer(i - 1) : NULL;
	}
	i = pop(&region->free_list, next_buffer);
	if (i)
		return memory_buffer(i - 1);
	i = take_fresh(&region->fresh, atomic_load_explicit(&region->limit, memory_order_relaxed));
	if (!i)
		return NULL;
	b = memory_buffer(i - 1);
	b->index = i - 1;
	b->size = BUFFER_ROOM;
	return b;
}

/* Waiting is given up where nothing comes back, until something does. */
static atomic_bool blocks, waits_in_vain;

void memory_block(bool on)
{
	atomic_store(&blocks, on);
	atomic_store(&waits_in_vain, false);
}

struct event_buffer *buffer_wait(size_t need)
{
	const struct timespec moment = { 0, MOMENT_NS };
	struct event_buffer *b = NULL;
	int saved = errno;

	if (!atomic_load_explicit(&blocks, memory_order_relaxed) || need > BIG_SIZE - BUFFER_HEADER)
		return NULL;
	for (int i = 0; i < MOMENTS && !b && !atomic_load(&waits_in_vain) && memory_is_here();
	     i++) {
		nanosleep(&moment, NULL);
		b = buffer_take(need);
	}
	if (!b)
		atomic_store(&waits_in_vain, true);
	errno = saved;
	return b;
}

void buffer_push_full(struct event_buffer *b)
{
	uint32_t head = atomic_load_explicit(&region->full_list, memory_order_relaxed);

	atomic_store_explicit(&b->state, BUFFER_FULL, memory_order_release);
	do {
		atomic_store_explicit(&b->next, head, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(&region->full_list, &head, b->index + 1,
							memory_order_acq_rel,
							memory_order_relaxed));
	/* The drainer looks: to wake it would be a system call. */
	atomic_fetch_add_explicit(&region->full_count, 1, memory_order_relaxed);
}

uint32_t memory_round(void)
{
	return file.base / 4 < MOST_OF_ROUND ? file.base / 4 : MOST_OF_ROUND;
}

bool memory_is_pressed(void)
{
	return atomic_load(&region->full_count) >= memory_round() ||
	       (memory_is_whole() && !(uint32_t)atomic_load(&region->free_big));
}

bool memory_is_short(void)
{
	return atomic_load(&region->full_count) > file.base / 2;
}

uint64_t memory_look_ns(bool is_busy)
{
	uint64_t ns = (uint64_t)file.base * BUFFER_SIZE;

	if (memory_is_small())
		return SMALL_LOOK_NS;
	ns = ns > MOST_LOOK_NS ? MOST_LOOK_NS : ns;
	ns /= is_busy ? 4 : 1;
	return ns < LEAST_LOOK_NS ? LEAST_LOOK_NS : ns;
}

uint32_t buffer_take_full(void)
{
	return atomic_exchange_explicit(&region->full_list, 0, memory_order_acq_rel);
}

void buffer_recycle(struct event_buffer *b)
{
	atomic_store_explicit(&waits_in_vain, false, memory_order_relaxed);
	atomic_store_explicit(&b->state, BUFFER_FREE, memory_order_release);
	atomic_store_explicit(&b->taken, 0, memory_order_relaxed);
	atomic_store_explicit(&b->flushed, 0, memory_order_relaxed);
	atomic_store_explicit(&b->pos, 0, memory_order_release);
	push(b->size > BUFFER_SIZE ? &region->free_big : &region->free_list, &b->next, b->index);
}

void buffers_give(void)
{
	atomic_fetch_add_explicit(&region->given, 2, memory_order_release);
}

struct thread_row *row_take(void)
{
	uint32_t i = pop(&region->free_rows, next_row);

	if (!i)
		i = take_fresh(&region->fresh_row,
			       atomic_load_explicit(&region->row_limit, memory_order_relaxed));
	return i ? memory_row(i - 1) : NULL;
}

void row_free(struct thread_row *row)
{
	atomic_store_explicit(&row->state, THREAD_FREE, memory_order_release);
	push(&region->free_rows, &row->next, (uint32_t)(row - memory_row(0)));
}
