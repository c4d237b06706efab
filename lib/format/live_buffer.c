/* SPDX-License-Identifier: MIT */
/*
 * live_buffer.c - a window on the bytes of a growing chunk
 */
#include "format/live_buffer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

/* Addresses cost nothing; but a limit of them (ulimit -v) may leave only a few. */
#define MOST_ROOM \
	((uint64_t)(SIZE_MAX / 2 < UINT64_C(16) << 30 ? SIZE_MAX / 8 : UINT64_C(16) << 30))
#define LEAST_ROOM (UINT64_C(64) << 20)

/* What a walk fetches at once: it stays in the cache of a processor. */
#define WINDOW (64u << 10)

/* Making memory accessible costs a call, and this much of it costs nothing. */
#define STEP (UINT64_C(1) << 20)

int growing_init(struct growing *g, struct input *in, uint64_t offset, struct jfrec_error *err)
{
	*g = (struct growing){ .in = in, .offset = offset };
	for (g->room = MOST_ROOM; g->room >= LEAST_ROOM; g->room /= 2) {
		void *at = mmap(NULL, (size_t)g->room, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (at != MAP_FAILED) {
			g->bytes = at;
			return 0;
		}
	}
	g->room = 0;
	return jfrec_fail_memory(err);
}

void growing_fini(struct growing *g)
{
	if (g->room)
		munmap(g->bytes, (size_t)g->room);
	free(g->window);
	*g = (struct growing){ 0 };
}

static uint64_t page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

int growing_extend(struct growing *g, uint64_t size, struct jfrec_error *err)
{
	uint64_t usable;

	if (size > g->room)
		return jfrec_fail(err, JFREC_EUNSUPPORTED, 0,
				  "a chunk of %" PRIu64 " bytes is too large to follow; print "
							"the file when it is finished",
				  size);
	usable = (size + STEP - 1) / STEP * STEP;
	if (usable > g->usable) {
		if (mprotect(g->bytes, (size_t)usable, PROT_READ | PROT_WRITE) < 0)
			return jfrec_fail_memory(err);
		g->usable = usable;
	}
	g->size = size;
	return 0;
}

static bool has(const struct growing *g, uint64_t offset, uint64_t len)
{
	return offset <= g->size && len <= g->size - offset;
}

bool growing_fetch(struct growing *g, uint64_t offset, uint64_t len)
{
	size_t got;

	return has(g, offset, len) &&
	       input_read(g->in, g->offset + offset, g->bytes + offset, (size_t)len, &got, NULL) ==
		       0 &&
	       got == len;
}

/*
 * Make room at once, not by a fault for each page; where the kernel cannot (before 5.14), by those.
 */
static void populate(const struct growing *g, uint64_t offset, uint64_t len)
{
#ifdef MADV_POPULATE_WRITE
	uint64_t first = offset / page_size() * page_size();

	madvise(g->bytes + first, (size_t)(offset + len - first), MADV_POPULATE_WRITE);
#else
	(void)g, (void)offset, (void)len;
#endif
}

/* Fill the window with what is at that offset. */
static bool refill(struct growing *g, uint64_t offset)
{
	uint64_t left = g->size - offset;
	size_t len = left < WINDOW ? (size_t)left : WINDOW, got = 0;

	g->is_dense = g->placed > (g->to - g->from) / 4;
	g->from = g->to = offset;
	g->placed = 0;
	if (!g->window)
		g->window = malloc(WINDOW);
	if (!g->window ||
	    input_read(g->in, g->offset + offset, g->window, len, &got, NULL) < 0 || got < len)
		return false;
	g->to = offset + len;
	if (g->is_dense)
		populate(g, offset, len);
	return true;
}

static bool is_in_window(const struct growing *g, uint64_t offset, uint64_t len)
{
	return offset >= g->from && offset <= g->to && len <= g->to - offset;
}

struct cursor growing_look(struct growing *g, uint64_t offset)
{
	uint64_t left = has(g, offset, 0) ? g->size - offset : 0;
	uint64_t least = left < GROWING_HEAD ? left : GROWING_HEAD;

	if (!left || (!is_in_window(g, offset, least) && !refill(g, offset)))
		return (struct cursor){ 0 };
	return cursor_over(g->window + (offset - g->from), g->to - offset);
}

bool growing_walk(struct growing *g, uint64_t offset, uint64_t len)
{
	if (!has(g, offset, len))
		return false;
	if (len > WINDOW) {
		populate(g, offset, len);
		return growing_fetch(g, offset, len);
	}
	if (!is_in_window(g, offset, len) && !refill(g, offset))
		return false;
	memcpy(g->bytes + offset, g->window + (offset - g->from), (size_t)len);
	g->placed += len;
	return true;
}

uint64_t growing_release(struct growing *g, uint64_t from, uint64_t to)
{
	uint64_t page = page_size(), first = (from + page - 1) / page * page;

	to = to / page * page;
	if (first >= to)
		return from;
	madvise(g->bytes + first, (size_t)(to - first), MADV_DONTNEED);
	return to;
}
