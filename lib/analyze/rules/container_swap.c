/* SPDX-License-Identifier: MIT */
/*
 * container_swap.c - was memory swapped out while the JVM ran?
 */
#include "analyze/readings.h"
#include "analyze/rules.h"

enum { CONTAINER, HOST };
enum { MEMORY, WITH_SWAP };
enum { TOTAL, FREE };

/* A collection that takes so long while memory is swapped out walks through swapped memory. */
#define LONG_PAUSE_NS INT64_C(1000000000)

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ContainerMemoryUsage", OCCURS, "memoryUsage", "swapMemoryUsage"),
	READS_EITHER(1, "jdk.SwapSpace", OCCURS, "totalSize", "freeSize"),
	{ 0 },
};

struct state {
	struct readings by[2];
};

static void take(void *state, const struct event *e)
{
	readings_add(&((struct state *)state)->by[e->input], e);
}

static void fini(void *state)
{
	struct state *s = state;

	readings_fini(&s->by[CONTAINER]);
	readings_fini(&s->by[HOST]);
}

/* The field with swap includes memory, and equals it without swap. */
static double swapped(const struct reading *r, unsigned input)
{
	int64_t all = r->value[input == CONTAINER ? WITH_SWAP : TOTAL];
	int64_t rest = r->value[input == CONTAINER ? MEMORY : FREE];

	return all > 0 && rest >= 0 && all > rest ? (double)(all - rest) : 0;
}

struct growth {
	double bytes;
	int64_t from_ns, to_ns;
	bool met_pause;
};

/* When the last long pause ended of those that began by then; *next goes on from call to call. */
static int64_t long_pause_end(const struct spans *pauses, int64_t to_ns, size_t *next,
			      int64_t before)
{
	for (; *next < pauses->count && pauses->list[*next].start_ns <= to_ns; ++*next) {
		const struct span_of *p = &pauses->list[*next];

		if (p->end_ns - p->start_ns >= LONG_PAUSE_NS && p->end_ns > before)
			before = p->end_ns;
	}
	return before;
}

static struct growth grown(const struct judging *j, struct readings *r, unsigned input)
{
	int64_t pause_end = INT64_MIN;
	struct growth g = { 0 };
	size_t pause = 0;

	readings_sort(r);
	for (size_t i = 1; i < r->count; i++) {
		const struct reading *a = &r->list[i - 1], *b = &r->list[i];
		double more = swapped(b, input) - swapped(a, input);

		if (more <= 0)
			continue;
		if (g.bytes == 0)
			g.from_ns = a->at_ns;
		g.to_ns = b->at_ns;
		g.bytes += more;
		pause_end = long_pause_end(&j->facts->pauses, b->at_ns, &pause, pause_end);
		g.met_pause |= pause_end >= a->at_ns;
	}
	return g;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	struct growth of[2];
	unsigned worse;

	if (s->by[CONTAINER].count < 2 && s->by[HOST].count < 2) {
		too_few(j, "Two readings are needed of jdk.ContainerMemoryUsage or jdk.SwapSpace");
		return;
	}
	if (j->facts->system == SYSTEM_WINDOWS) {
		not_for_this_jvm(j, "jdk.SwapSpace on Windows is memory that is promised, not memory that "
				    "was swapped out");
		return;
	}
	of[CONTAINER] = grown(j, &s->by[CONTAINER], CONTAINER);
	of[HOST] = grown(j, &s->by[HOST], HOST);
	worse = of[CONTAINER].bytes > 0 ? CONTAINER : HOST;
	judge_by(j, of[worse].bytes);
	summarize(j, "%s of %s were swapped out while it was recorded %s",
		  bytes_text(j, of[worse].bytes), worse == CONTAINER ? "the container" : "the machine",
		  limit_text(j));
	if (!is_found(j))
		return;
	show_range(j, "swapped out", of[worse].from_ns, of[worse].to_ns);
	if (worse == HOST)
		advise(j, "Give the machine more memory, or its processes less; a heap must not be "
			  "swapped out");
	if (of[worse].met_pause) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		show_note(j, "a collection stopped the application for a second or more meanwhile: it "
			     "walked through swapped memory");
	}
}

const struct rule rule_container_swap = {
	.info = {
		.id = "container-swap",
		.question = "Was memory swapped out while the JVM ran?",
		.matters = "A heap that lies on disk makes each collection take seconds.",
		.computes = "Adds up by how much swapped memory rose: of the container "
			    "(jdk.ContainerMemoryUsage), else of the machine (jdk.SwapSpace, JDK 25 "
			    "and later). A GC pause of a second in that time makes it a warning.",
		.measures = "memory swapped out",
		.unit = JFREC_UNIT_BYTES,
		.info = 16 << 20,
		.warning = INFINITY,
		.advice = "Give the machine more memory, lower -Xmx, or switch swap off for the "
			  "container: a heap must not be swapped out",
		.beware = "Of the machine's swap, other processes may be the reason.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
