/* SPDX-License-Identifier: MIT */
/*
 * heat.c - what each thread did when, in bounded memory
 */
#include "report/heat.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SLOT_NS INT64_C(1000000)

/* Slots are at most so wide: 2^36 ms is two years. */
#define MAX_WIDTH 36

enum {
	EXECUTION,
	CPU_TIME,
	MONITOR_ENTER,
	SOCKET_READ,
	SOCKET_WRITE,
	FILE_READ,
	FILE_WRITE,
	PARK,
	MONITOR_WAIT,
	SLEEP,
};

const struct reads heat_inputs[] = {
	READS("jdk.ExecutionSample", HELPS, "sampledThread", "state"),
	READS("jdk.CPUTimeSample", HELPS, "eventThread", "samplingPeriod"),
	READS("jdk.JavaMonitorEnter", HELPS, "eventThread"),
	READS("jdk.SocketRead", HELPS, "eventThread"),
	READS("jdk.SocketWrite", HELPS, "eventThread"),
	READS("jdk.FileRead", HELPS, "eventThread"),
	READS("jdk.FileWrite", HELPS, "eventThread"),
	READS("jdk.ThreadPark", HELPS, "eventThread"),
	READS("jdk.JavaMonitorWait", HELPS, "eventThread"),
	READS("jdk.ThreadSleep", HELPS, "eventThread"),
	{ 0 },
};

/* Slots ---------------------------------------------------------------------------------------- */

static int64_t slot_ns(const struct heat *h)
{
	return SLOT_NS << h->width;
}

/* Which slot a time is in, counted from 1970. */
static int64_t slot_of(const struct heat *h, int64_t at_ns)
{
	return at_ns / SLOT_NS >> h->width;
}

int64_t heat_slot_ns(const struct heat *h, size_t i)
{
	return (h->first + (int64_t)i) * slot_ns(h);
}

/* Each slot takes what two had; the first one may have had one only. */
static void widen_thread(struct heat_thread *t, int64_t odd)
{
	for (int64_t i = 0; i < HEAT_SLOTS; i++) {
		int64_t from = 2 * i - odd;
		float sums[HEAT_STATES] = { 0 }, sampled = 0;

		for (int64_t k = from < 0 ? 0 : from; k < from + 2 && k < HEAT_SLOTS; k++) {
			for (unsigned s = 0; s < HEAT_STATES; s++)
				sums[s] += t->slots[k][s];
			sampled += t->sampled[k];
		}
		memcpy(t->slots[i], sums, sizeof(sums));
		t->sampled[i] = sampled;
	}
}

static void widen(struct heat *h)
{
	int64_t odd = h->first & 1;

	for (size_t i = 0; i < h->count; i++)
		widen_thread(h->threads[i], odd);
	h->first = (h->first - odd) / 2;
	h->width++;
}

/* The first slot of all moves back, as far as nothing falls out at the end. */
static bool move_back(struct heat *h, int64_t by, size_t used)
{
	if (by > (int64_t)(HEAT_SLOTS - used))
		return false;
	for (size_t i = 0; i < h->count; i++) {
		struct heat_thread *t = h->threads[i];

		memmove(t->slots + by, t->slots, used * sizeof(*t->slots));
		memset(t->slots, 0, (size_t)by * sizeof(*t->slots));
		memmove(t->sampled + by, t->sampled, used * sizeof(*t->sampled));
		memset(t->sampled, 0, (size_t)by * sizeof(*t->sampled));
	}
	h->first -= by;
	return true;
}

/* So many slots have something in some thread. */
static size_t used_slots(const struct heat *h)
{
	size_t used = 0;

	for (size_t i = 0; i < h->count; i++) {
		for (size_t k = HEAT_SLOTS; k > used; k--) {
			const float *s = h->threads[i]->slots[k - 1];

			if (s[0] > 0 || s[1] > 0 || s[2] > 0 || s[3] > 0 ||
			    h->threads[i]->sampled[k - 1] > 0)
				used = k;
		}
	}
	return used;
}

/* The place of the slot of a time; slots are widened until there is one. -1: none. */
static int64_t place_of(struct heat *h, int64_t at_ns)
{
	if (at_ns < 0 || at_ns >= INT64_MAX / 2)
		return -1;
	if (!h->has_any) {
		h->first = slot_of(h, at_ns);
		h->has_any = true;
	}
	while (h->width < MAX_WIDTH) {
		int64_t place = slot_of(h, at_ns) - h->first;

		if (place >= 0 && place < HEAT_SLOTS)
			return place;
		if (place < 0 && move_back(h, -place, used_slots(h)))
			return 0;
		widen(h);
	}
	return -1;
}

/* Threads -------------------------------------------------------------------------------------- */

static struct heat_thread *thread_at(struct heat *h, const struct event *e, uint32_t thread)
{
	uint32_t number = e->view->names->threads.list[thread].is_virtual ? 0 : thread;
	uint32_t *place = idmap_put(&h->by_thread, number, (uint32_t)h->count);
	struct heat_thread *t;

	if (!place) {
		event_no_memory(e);
		return NULL;
	}
	if (*place < h->count)
		return h->threads[*place];
	if (h->count == HEAT_THREADS) {
		h->left_out++;
		return NULL;
	}
	t = calloc(1, sizeof(*t));
	if (!t || !array_push(h->threads, h->count, h->room, t)) {
		free(t);
		event_no_memory(e);
		return NULL;
	}
	t->thread = number;
	*place = (uint32_t)(h->count - 1);
	return t;
}

/* A span of a state is spread over the slots that it touches. */
static void spread(struct heat *h, struct heat_thread *t, enum heat_state state, int64_t from_ns,
		   int64_t to_ns)
{
	int64_t first = place_of(h, from_ns), last = first < 0 ? -1 : place_of(h, to_ns);

	/* What made room for the end may have moved the beginning. */
	first = last < 0 ? -1 : place_of(h, from_ns);
	if (first < 0 || last < first)
		return;
	for (int64_t i = first; i <= last; i++) {
		int64_t begin_ns = heat_slot_ns(h, (size_t)i), end_ns = begin_ns + slot_ns(h);

		begin_ns = begin_ns < from_ns ? from_ns : begin_ns;
		end_ns = end_ns > to_ns ? to_ns : end_ns;
		t->slots[i][state] += (float)(end_ns - begin_ns);
	}
	t->total[state] += (double)(to_ns - from_ns);
}

static void add_sample(struct heat *h, struct heat_thread *t, const struct event *e)
{
	int64_t place = place_of(h, e->start_ns), period_ns;
	const char *state;

	if (place < 0)
		return;
	if (e->input == CPU_TIME) {
		period_ns = event_long(e, 1);
		if (period_ns <= 0)
			return;
		h->has_weights = true;
		t->slots[place][HEAT_RUNNING] += (float)period_ns;
		t->total[HEAT_RUNNING] += (double)period_ns;
		return;
	}
	/* async-profiler also samples threads that sleep. */
	state = event_text_of(e, event_text(e, 1));
	if (state && strcmp(state, "STATE_SLEEPING") == 0)
		return;
	t->sampled[place]++;
	t->sampled_total++;
}

void heat_take(struct heat *h, const struct event *e)
{
	static const enum heat_state states[] = {
		[MONITOR_ENTER] = HEAT_BLOCKED, [SOCKET_READ] = HEAT_IO, [SOCKET_WRITE] = HEAT_IO,
		[FILE_READ] = HEAT_IO,		[FILE_WRITE] = HEAT_IO,	 [PARK] = HEAT_WAITING,
		[MONITOR_WAIT] = HEAT_WAITING,	[SLEEP] = HEAT_WAITING,
	};
	uint32_t thread = event_thread(e, 0);
	struct heat_thread *t = thread ? thread_at(h, e, thread) : NULL;

	if (!t)
		return;
	if (e->input <= CPU_TIME)
		add_sample(h, t, e);
	else if (e->end_ns > e->start_ns)
		spread(h, t, states[e->input], e->start_ns, e->end_ns);
}

/* Results -------------------------------------------------------------------------------------- */

void heat_weigh(struct heat *h, int64_t period_ns)
{
	for (size_t i = 0; i < h->count && !h->has_weights; i++) {
		struct heat_thread *t = h->threads[i];

		for (size_t k = 0; k < HEAT_SLOTS; k++)
			t->slots[k][HEAT_RUNNING] = t->sampled[k] * (float)period_ns;
		t->total[HEAT_RUNNING] = t->sampled_total * (double)period_ns;
	}
}

/* Waiting is what most threads do most of the time: it decides only where all else is equal. */
static double activity(const struct heat_thread *t)
{
	return t->total[HEAT_RUNNING] + t->total[HEAT_BLOCKED] + t->total[HEAT_IO] +
	       1e-6 * t->total[HEAT_WAITING];
}

static int by_activity(const void *a, const void *b)
{
	const struct heat_thread *x = *(struct heat_thread *const *)a;
	const struct heat_thread *y = *(struct heat_thread *const *)b;
	double p = activity(x), q = activity(y);

	if (p != q)
		return p > q ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

size_t heat_busiest(struct heat *h, const struct heat_thread **to, size_t most)
{
	size_t n = 0;

	if (h->count)
		qsort(h->threads, h->count, sizeof(struct heat_thread *), by_activity);
	for (; n < h->count && n < most && activity(h->threads[n]) > 0; n++)
		to[n] = h->threads[n];
	return n;
}

void heat_fini(struct heat *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->threads[i]);
	free(h->threads);
	idmap_fini(&h->by_thread);
	*h = (struct heat){ 0 };
}
