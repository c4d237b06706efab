/* SPDX-License-Identifier: MIT */
/*
 * direct_buffers.c - are direct buffers near their limit?
 */
#include "analyze/readings.h"
#include "analyze/rules.h"

enum { BUFFERS, SYSTEM_GC };
enum { USED, LIMIT };

static const struct reads inputs[] = {
	READS("jdk.DirectBufferStatistics", PERIODIC, "memoryUsed", "maxCapacity", "count"),
	READS("jdk.SystemGC", HELPS, "stackTrace"),
	{ 0 },
};

/* Growth beyond start-up: this many values, over this many seconds, of this much of the limit. */
#define GROWTH_POINTS 4
#define GROWTH_S      10
#define GROWTH_SHARE  0.2
#define SOON_S	      3600

struct state {
	struct readings buffers;
	struct groups callers; /* stacks of System.gc() */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == BUFFERS)
		readings_add(&s->buffers, e);
	else
		groups_add(&s->callers, e, (uint32_t[4]){ event_stack(e, 0) }, 1, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	readings_fini(&s->buffers);
	groups_fini(&s->callers);
}

/* The JDK's last try before it throws: it asks for a collection that frees buffers. */
static uint64_t last_tries(const struct judging *j, const struct groups *callers)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < callers->count; i++) {
		if (stack_has(j, callers->list[i].key[0], "java.nio.Bits.reserveMemory"))
			n += callers->list[i].count;
	}
	return n;
}

/*
 * How long until the limit is reached, in seconds, if the buffers grow as they did; INFINITY. Only
 * of growth that went on from the first value to the last, and took much of the limit.
 */
static double seconds_left(const struct readings *r)
{
	size_t n = r->count, up = 0;
	double span, more, limit = (double)r->list[n - 1].value[LIMIT], rate;
	int64_t half = r->list[n / 2].value[USED];

	span = (double)(r->list[n - 1].at_ns - r->list[0].at_ns) / 1e9;
	more = (double)(r->list[n - 1].value[USED] - r->list[0].value[USED]);
	if (n < GROWTH_POINTS || span < GROWTH_S || more < GROWTH_SHARE * limit)
		return INFINITY;
	for (size_t i = 1; i < n; i++)
		up += r->list[i].value[USED] >= r->list[i - 1].value[USED];
	rate = (double)(r->list[n - 1].value[USED] - half) /
	       ((double)(r->list[n - 1].at_ns - r->list[n / 2].at_ns) / 1e9);
	/* It must not slow down, as a pool does that is nearly filled. */
	if (up * 10 < (n - 1) * 9 || rate < 0.5 * more / span)
		return INFINITY;
	return (limit - (double)r->list[n - 1].value[USED]) / rate;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct reading *most;
	uint64_t tries = last_tries(j, &s->callers);
	double share, left;

	readings_sort(&s->buffers);
	most = readings_most(&s->buffers, USED);
	if (most->value[LIMIT] <= 0) {
		too_few(j, "The limit of direct buffers is not known");
		return;
	}
	share = (double)most->value[USED] / (double)most->value[LIMIT];
	judge_by(j, share);
	if (tries)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	summarize(j, "Direct buffers took %s of at most %s at %s, %s %s",
		  bytes_text(j, (double)most->value[USED]),
		  bytes_text(j, (double)most->value[LIMIT]), time_text(j, most->at_ns),
		  percent_text(j, share), limit_text(j));
	left = seconds_left(&s->buffers);
	if (left <= SOON_S) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(
			j,
			"Direct buffers grow by %s/s: %s of at most %s are taken, which will be all in "
			"%s",
			bytes_text(j,
				   ((double)most->value[LIMIT] - (double)most->value[USED]) / left),
			bytes_text(j, (double)most->value[USED]),
			bytes_text(j, (double)most->value[LIMIT]), span_text(j, left * 1e9));
	}
	if (tries)
		show_quantity(j, "collections that the JDK asked for to free buffers", (double)tries,
			      JFREC_UNIT_NONE);
	show_quantity(j, "memory of direct buffers", (double)most->value[USED], JFREC_UNIT_BYTES);
	show_quantity(j, "their limit", (double)most->value[LIMIT], JFREC_UNIT_BYTES);
	show_command(j, "print --events jdk.DirectBufferStatistics");
}

const struct rule rule_direct_buffers = {
	.info = {
		.id = "direct-buffers",
		.question = "Are direct buffers near their limit?",
		.matters = "When direct buffers reach their limit, the JVM runs full "
			   "collections to free some, and then throws an OutOfMemoryError.",
		.computes = "Divides the greatest jdk.DirectBufferStatistics.memoryUsed by "
			    "maxCapacity (-XX:MaxDirectMemorySize, else the largest heap). A "
			    "System.gc() below java.nio.Bits.reserveMemory is the JDK's last try "
			    "before it throws: a warning. So is steady growth, by a fifth of the limit "
			    "and without slowing down, that reaches it within an hour.",
		.measures = "memory of direct buffers, as a share of their limit",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.80,
		.warning = 0.95,
		.advice = "Release or reuse direct buffers, or raise -XX:MaxDirectMemorySize",
		.beware = "Pools that take their memory by Unsafe, as Netty's may, do not count.",
		.jdk_from = 11,
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
