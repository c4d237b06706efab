/* SPDX-License-Identifier: MIT */
/*
 * blocked.c - see where threads wait, without a signal
 *
 * The kernel says of a thread that waits where its stack and its code are:
 *
 *	/proc/self/task/TID/syscall	"running", or the call, its arguments, stack pointer and
 *					address
 *
 * The stack is copied, and the file is read again: if it says the same, the copy is what the thread
 * waits with, or one that is as good, since it has come back to the same place.  The frame pointer
 * is not there: where code has one, it is worked out from how the function begins (prologue.c), or
 * known from JFREC_BLOCKING (wait.c).
 */
#include "recorder/threads/blocked.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "recorder/ground/memory.h"
#include "recorder/stack/modules.h"
#include "recorder/threads/thread.h"

#define AT_ONCE 8u
#define COPIED	65536u
#define LINE	256u

static uint32_t last; /* the thread that was looked at last */
static uint8_t stack[COPIED];

/* A line; "": it cannot be read. */
static void read_state(uint32_t tid, char line[LINE])
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%u/syscall", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, line, LINE - 1);
	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
}

/* The last two numbers: false: it runs. */
static bool parse_state(const char *line, uint64_t *sp, uint64_t *pc)
{
	const char *at = strrchr(line, ' '), *before = at;

	if (!at || !strncmp(line, "running", 7))
		return false;
	while (before > line && before[-1] != ' ')
		before--;
	*pc = strtoull(at + 1, NULL, 16);
	*sp = strtoull(before, NULL, 16);
	return *pc && *sp;
}

static uint64_t copy_from(uint64_t address)
{
	uint64_t size = COPIED;
	struct iovec here = { stack, COPIED }, there = { (void *)(uintptr_t)address, COPIED };
	ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

	/* A stack that ends before: as many pages as are there. */
	while (n < 0 && size > 4096) {
		size /= 2;
		there.iov_len = here.iov_len = size - address % 4096;
		n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	}
	return n < 0 ? 0 : (uint64_t)n;
}

static bool read_code_at(uint64_t address, uint8_t *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)(uintptr_t)address, size };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* fp: 0 is not known. */
static void unwind_from(uint64_t pc, uint64_t sp, uint64_t fp, struct frames *frames)
{
	struct snapshot s = { .stack = stack,
			      .stack_address = sp,
			      .stack_size = copy_from(sp),
			      .without_fp = fp ? NULL : read_code_at };

	s.registers[REGISTER_PC] = pc;
	s.registers[REGISTER_SP] = sp;
	s.registers[REGISTER_FP] = fp;
	frames->count = 0;
	if (s.stack_size)
		unwind(&s, modules_find_tables, NULL, frames);
	/* Nor is the register known that has the address of the caller. */
	if (REGISTER_RETURN != REGISTER_PC && !fp)
		frames->is_whole = false;
}

/*
 * By the place that the thread itself has stored.  False: there is none, or it has changed
 * meanwhile.
 */
static bool look_by_anchor(struct blocked *b)
{
	struct thread_row *row = memory_row(b->row);
	uint64_t pc = atomic_load_explicit(&row->wait[0], memory_order_acquire), sp, fp;

	sp = atomic_load_explicit(&row->wait[1], memory_order_acquire);
	fp = atomic_load_explicit(&row->wait[2], memory_order_acquire);
	if (!pc)
		return false;
	unwind_from(pc, sp, fp, &b->frames);
	return atomic_load_explicit(&row->wait[0], memory_order_acquire) == pc &&
	       atomic_load_explicit(&row->wait[1], memory_order_acquire) == sp;
}

/* Whole, or as much as there is; false: it does not wait. */
static bool look_at(struct blocked *b)
{
	char before[LINE], after[LINE];
	struct blocked by_anchor = *b;
	bool is_same = false;
	uint64_t sp, pc;

	read_state(b->tid, before);
	if (*before && !parse_state(before, &sp, &pc))
		return false;
	if (*before) {
		unwind_from(pc, sp, 0, &b->frames);
		read_state(b->tid, after);
		is_same = !strcmp(before, after);
	}
	if (is_same && b->frames.is_whole)
		return true;
	if (!look_by_anchor(&by_anchor))
		return is_same;
	if (!is_same || by_anchor.frames.is_whole || by_anchor.frames.count > b->frames.count)
		b->frames = by_anchor.frames;
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The numbers of threads, sorted; in memory that the caller frees. */
static uint32_t *list(size_t *count)
{
	DIR *d = opendir("/proc/self/task");
	uint32_t *tids = NULL, *grown;
	struct dirent *e;
	size_t room = 0;

	*count = 0;
	while (d && (e = readdir(d))) {
		if (e->d_name[0] < '0' || e->d_name[0] > '9')
			continue;
		if (*count == room) {
			room = room ? 2 * room : 64;
			grown = realloc(tids, room * sizeof(*tids));
			if (!grown)
				break;
			tids = grown;
		}
		tids[(*count)++] = (uint32_t)strtoul(e->d_name, NULL, 10);
	}
	if (d)
		closedir(d);
	if (tids)
		qsort(tids, *count, sizeof(*tids), by_number);
	return tids;
}

void blocked_look(bool (*is_own)(uint32_t tid), blocked_found *found, struct blocked_counts *counts)
{
	size_t count, first = 0, looked = 0;
	uint32_t *tids = list(&count);

	*counts = (struct blocked_counts){ 0 };
	while (first < count && tids[first] <= last)
		first++;
	for (size_t i = 0; i < count && looked < AT_ONCE; i++) {
		struct blocked b = { .tid = tids[(first + i) % count] };

		if (is_own(b.tid) || !thread_see(b.tid, &b.row, &b.key))
			continue;
		last = b.tid;
		looked++;
		if (!look_at(&b))
			continue;
		counts->cut += b.frames.is_cut;
		counts->failed += !b.frames.count;
		if (b.frames.count && !found(&b))
			break;
	}
	free(tids);
}
