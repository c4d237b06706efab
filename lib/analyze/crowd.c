/* SPDX-License-Identifier: MIT */
/*
 * crowd.c - how many threads waited for the same thing at once, where that was worst
 */
#include "analyze/crowd.h"

#define WINDOW_NS INT64_C(10000000000)
#define MAX_SLOTS 100000

/* What threads wait, of their time, if so many do at once, and so often each. */
#define SHARE		0.9
#define AT_ONCE_INFO	1.5 /* two, for most of it */
#define AT_ONCE_WARNING 2.5
#define OFTEN		5

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
	return room->slots && room->marks;
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
	for (size_t i = 0; i < room->waits->count; i++) {
		const struct span_of *o = &room->waits->list[i];
		size_t k = o->start_ns > start ? (size_t)((o->start_ns - start) / width) : 0;

		if (o->what != what)
			continue;
		for (; k < count && start + (int64_t)k * width < o->end_ns; k++)
			room->slots[k] += span_within(o, start + (int64_t)k * width,
						      start + (int64_t)(k + 1) * width);
	}
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
	if (crowd->waits_then < OFTEN || crowd->share < SHARE || crowd->at_once < AT_ONCE_INFO)
		return JFREC_SEVERITY_OK;
	return crowd->at_once >= AT_ONCE_WARNING ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO;
}
