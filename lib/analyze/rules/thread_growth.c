/* SPDX-License-Identifier: MIT */
/*
 * thread_growth.c - are there more and more threads, or always new ones?
 */
#include "analyze/readings.h"
#include "analyze/rules.h"

#define ENOUGH_NS INT64_C(60000000000)

/* An increase by fewer threads than this is not growth. */
#define ENOUGH_MORE 10

/* So many threads are a warning; so many new ones a second are a pool that is missing. */
#define MANY_THREADS 5000
#define MANY_STARTS  50

/* Growth that needs no minute to be seen. */
#define FAST_NS	    INT64_C(10000000000)
#define FAST_POINTS 8
#define FAST_MORE   100

enum { STATISTICS, START };
enum { ACTIVE, STARTED };

static const struct reads inputs[] = {
	READS("jdk.JavaThreadStatistics", PERIODIC, "activeCount", "accumulatedCount"),
	READS("jdk.ThreadStart", HELPS, "stackTrace", "parentThread"),
	{ 0 },
};

struct state {
	struct readings threads;
	struct series active;
	struct groups starts; /* stack */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == START) {
		groups_add(&s->starts, e, (uint32_t[4]){ event_stack(e, 0) }, 1, NULL);
		return;
	}
	readings_add(&s->threads, e);
	series_add(&s->active, e, e->start_ns, event_number(e, ACTIVE));
}

static void fini(void *state)
{
	struct state *s = state;

	readings_fini(&s->threads);
	series_fini(&s->active);
	groups_fini(&s->starts);
}

struct growth {
	double share, more, slope;
	int64_t from_ns, to_ns;
};

/* From the end of start-up on; the median slope, so that a hump does not count. */
static struct growth growth_of(const struct judging *j, struct state *s)
{
	const struct readings *r = &s->threads;
	int64_t warm = j->facts->warm_ns != NO_NUMBER ? j->facts->warm_ns : r->list[0].at_ns;
	const struct reading *last = &r->list[r->count - 1], *first = last;
	struct growth g = { 0 };

	for (size_t i = r->count; i > 0 && r->list[i - 1].at_ns >= warm; i--)
		first = &r->list[i - 1];
	series_sort(&s->active);
	g.slope = series_slope(&s->active, first->at_ns);
	g.from_ns = first->at_ns;
	g.to_ns = last->at_ns;
	g.more = (double)(last->value[ACTIVE] - first->value[ACTIVE]);
	if (first->value[ACTIVE] > 0 && g.slope > 0 && g.more >= ENOUGH_MORE &&
	    g.to_ns - g.from_ns >= ENOUGH_NS)
		g.share = g.more / (double)first->value[ACTIVE];
	return g;
}

/*
 * In less than a minute: more and more from the first value to the last, too many for a pool that
 * is being filled, and as fast in the second half as in the first.
 */
static bool grows_fast(const struct readings *r, struct growth *g)
{
	size_t n = r->count, up = 0;
	int64_t half, first, second;

	if (n < FAST_POINTS || r->list[n - 1].at_ns - r->list[0].at_ns < FAST_NS)
		return false;
	for (size_t i = 1; i < n; i++)
		up += r->list[i].value[ACTIVE] > r->list[i - 1].value[ACTIVE];
	half = r->list[n / 2].value[ACTIVE];
	first = half - r->list[0].value[ACTIVE];
	second = r->list[n - 1].value[ACTIVE] - half;
	if (first + second < FAST_MORE || second < first / 2 || up * 10 < (n - 1) * 8)
		return false;
	g->from_ns = r->list[0].at_ns;
	g->to_ns = r->list[n - 1].at_ns;
	g->more = (double)(first + second);
	g->share = r->list[0].value[ACTIVE] > 0 ? g->more / (double)r->list[0].value[ACTIVE] : 1;
	return true;
}

static void show_starts(struct judging *j, struct groups *starts)
{
	double all = (double)groups_count(starts);

	groups_sort(starts);
	for (uint32_t i = 0; i < starts->count && i < 2; i++)
		show_stack(j, "started at", starts->list[i].key[0],
			   (double)starts->list[i].count / all);
	show_command(j, "query 'SELECT parentThread, COUNT(*) FROM jdk.ThreadStart GROUP BY "
			"parentThread'");
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct reading *most;
	struct growth g;
	double span, rate;
	bool fast;

	readings_sort(&s->threads);
	most = readings_most(&s->threads, ACTIVE);
	g = growth_of(j, s);
	span = (double)(s->threads.list[s->threads.count - 1].at_ns - s->threads.list[0].at_ns) /
	       1e9;
	rate = span >= 10 ? (double)readings_rise(&s->threads, STARTED) / span : 0;
	fast = g.share < j->info && grows_fast(&s->threads, &g);
	judge_by(j, g.share);
	summarize(j, "There were up to %lld threads; their number grew by %s %s",
		  (long long)most->value[ACTIVE], percent_text(j, g.share), limit_text(j));
	if (fast) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "The number of threads grew by %s in %s, to %lld, and did not slow down",
			  count_text(j, g.more), span_text(j, (double)(g.to_ns - g.from_ns)),
			  (long long)most->value[ACTIVE]);
	}
	if (rate > MANY_STARTS && !is_found(j)) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "%s threads were started a second", count_text(j, rate));
		advise(j, "Use a pool of threads, or virtual threads");
	}
	if (most->value[ACTIVE] > MANY_THREADS) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "There were %lld threads at %s", (long long)most->value[ACTIVE],
			  time_text(j, most->at_ns));
	}
	if (!is_found(j))
		return;
	show_range(j, "measured", g.from_ns, g.to_ns);
	show_quantity(j, "threads at most", (double)most->value[ACTIVE], JFREC_UNIT_NONE);
	show_quantity(j, "started", rate, JFREC_UNIT_HERTZ);
	show_starts(j, &s->starts);
}

const struct rule rule_thread_growth = {
	.info = {
		.id = "thread-growth",
		.question = "Are there more and more threads, or always new ones?",
		.matters = "Each thread takes memory for its stack, and the system limits their "
			   "number. Threads that never end use it up.",
		.computes = "Compares jdk.JavaThreadStatistics.activeCount at the end with that after "
			    "start-up, over at least a minute and by at least ten threads. A hundred "
			    "more, steadily and without slowing down, need only ten seconds and are a "
			    "warning. More than "
			    "50 new threads a second are info, more than 5000 threads a warning.",
		.measures = "growth of the number of threads",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.2,
		.warning = INFINITY,
		.advice = "Find who starts threads that do not end (jdk.ThreadStart), and bound the "
			  "pools",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
