/* SPDX-License-Identifier: MIT */
/*
 * crowd.c - how many threads waited for the same thing at once, where that was worst
 */
#include "analyze/crowd.h"

#include "format/clock.h"

#define WINDOW_NS INT64_C(10000000000)
#define MAX_SLOTS 100000

/* What threads wait, of their time, if so many do at once, and so often each. */
#define SHARE		0.9
#define AT_ONCE_INFO	1.5 /* two, for most of it */
#define AT_ONCE_WARNING 2.5
#define OFTEN		5

/* So many at once are a line, even if others of their pool wait for something else meanwhile. */
#define SHARE_LINE 0.7
#define LINE	   5

double span_within(const struct span_of *span, int64_t from_ns, int64_t to_ns)
{
	int64_t from = span->start_ns > from_ns ? span->start_ns : from_ns;
	int64_t to = span->end_ns < to_ns ? span->end_ns : to_ns;

	return to > from ? (double)(to - from) : 0;
}

bool crowd_room_init(struct judging *j, struct crowd_room *room, const struct spans *waits)
{
	*room = (struct crowd_room){ .waits = waits };
	for (size_t i = 0; i < waits->count; i++) {
		if (waits->list[i].thread >= room->threads)
			room->threads = waits->list[i].thread + 1;
	}
	room->slots = judging_memory(j, (MAX_SLOTS + 1) * sizeof(*room->slots));
	room->marks = judging_memory(j, ((size_t)room->threads + 1) * sizeof(*room->marks));
	room->whole = judging_memory(j, (MAX_SLOTS + 1) * sizeof(*room->whole));
	return room->slots && room->marks && room->whole;
}

/* Slots of one width. */
struct slots {
	int64_t start_ns, width_ns;
	size_t count;
};

static double within_slot(const struct span_of *o, const struct slots *s, size_t k)
{
	int64_t from = s->start_ns + (int64_t)k * s->width_ns;

	return span_within(o, from, from + s->width_ns);
}

/* All slots between the first and the last get the same, which is added at the end. */
static void add_wait(struct crowd_room *room, const struct slots *s, const struct span_of *o)
{
	size_t first =
		o->start_ns > s->start_ns ? (size_t)((o->start_ns - s->start_ns) / s->width_ns) : 0;
	size_t last;

	if (o->end_ns <= s->start_ns || first >= s->count)
		return;
	last = (size_t)(long_subtract(o->end_ns - 1, s->start_ns) / s->width_ns);
	last = last < s->count ? last : s->count - 1;
	room->slots[first] += within_slot(o, s, first);
	if (last <= first)
		return;
	room->slots[last] += within_slot(o, s, last);
	room->whole[first + 1]++;
	room->whole[last]--;
}

static void add_whole(struct crowd_room *room, const struct slots *s)
{
	int32_t whole = 0;

	for (size_t k = 0; k < s->count; k++) {
		whole += room->whole[k];
		room->slots[k] += (double)whole * (double)s->width_ns;
	}
}

/* Two neighbouring slots are the window: the one in which threads waited most. */
static void find_window(const struct judging *j, struct crowd_room *room, uint32_t what,
			struct crowd *crowd)
{
	int64_t start = j->facts->start_ns, length = j->facts->end_ns - start;
	int64_t width = window_ns(j, WINDOW_NS) / 2;
	size_t count, most = 0;

	if (length / MAX_SLOTS > width)
		width = length / MAX_SLOTS + 1;
	width = width > 0 ? width : 1;
	count = (size_t)(length > 0 ? length / width : 0) + 1;
	count = count < MAX_SLOTS ? count : MAX_SLOTS;
	memset(room->slots, 0, (count + 1) * sizeof(*room->slots));
	memset(room->whole, 0, (count + 1) * sizeof(*room->whole));
	for (size_t i = 0; i < room->waits->count; i++) {
		if (room->waits->list[i].what == what)
			add_wait(room, &(struct slots){ start, width, count },
				 &room->waits->list[i]);
	}
	add_whole(room, &(struct slots){ start, width, count });
	for (size_t k = 0; k < count; k++) {
		if (room->slots[k] + room->slots[k + 1] > room->slots[most] + room->slots[most + 1])
			most = k;
	}
	crowd->from_ns = start + (int64_t)most * width;
	crowd->to_ns = crowd->from_ns + 2 * width;
}

struct crowd crowd_worst(const struct judging *j, struct crowd_room *room, uint32_t what)
{
	const struct spans *waits = room->waits;
	struct crowd crowd = { 0 };
	uint64_t within = 0, all = 0;

	find_window(j, room, what, &crowd);
	memset(room->marks, 0, room->threads * sizeof(*room->marks));
	for (size_t i = 0; i < waits->count; i++) {
		const struct span_of *o = &waits->list[i];
		double ns = o->what == what ? span_within(o, crowd.from_ns, crowd.to_ns) : 0;

		if (ns <= 0)
			continue;
		crowd.threads += !room->marks[o->thread];
		room->marks[o->thread] = 1;
		crowd.waited_ns += ns;
		within++;
	}
	for (size_t i = 0; i < waits->count; i++)
		all += waits->list[i].what == what && room->marks[waits->list[i].thread];
	if (!crowd.threads)
		return crowd;
	crowd.at_once = crowd.waited_ns / (double)(crowd.to_ns - crowd.from_ns);
	crowd.share = fmin(1, crowd.at_once / crowd.threads);
	crowd.waits_each = (double)all / crowd.threads;
	crowd.waits_then = (double)within / crowd.threads;
	return crowd;
}

enum jfrec_severity crowd_severity(const struct crowd *crowd)
{
	if (crowd->waits_then >= OFTEN && crowd->share >= SHARE_LINE && crowd->at_once >= LINE)
		return JFREC_SEVERITY_WARNING;
	if (crowd->waits_then < OFTEN || crowd->share < SHARE || crowd->at_once < AT_ONCE_INFO)
		return JFREC_SEVERITY_OK;
	return crowd->at_once >= AT_ONCE_WARNING ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO;
}
