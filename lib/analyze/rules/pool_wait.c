/* SPDX-License-Identifier: MIT */
/*
 * pool_wait.c - do threads wait long for a pool, or for the work of others?
 *
 * One thread that waits for what it has asked for is in order. Several at the same place, most of
 * their time, are a pool that has run out or an executor that is full. How long they wait is
 * compared with what they could do in the worst ten seconds: a lull beside it hides nothing.
 */
#include <stdlib.h>

#include "analyze/crowd.h"
#include "analyze/rules.h"
#include "analyze/waiting.h"

/* Where nothing is known of a pool, threads wait this many times longer before it is trouble. */
#define OTHERS 2

/* So many threads at once, on average, are a line. */
#define LINE	  3
#define LONG_LINE 5

/* A wait for a pool that is long by itself. */
#define LONG_NS 1e9

/* So much of one thread's time in the window is noise. */
#define NOISE 0.2

/* Who waited less than so many times, on average, was a coordinator that waits for its work. */
#define REPEATED 2

#define MAX_SITES 32 /* that are looked at closely, by the time waited there */

enum { PARK, WAIT, THROWN };
enum { CLASS, STACK, THREAD, TIMEOUT, NOTIFIER };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ThreadPark", OCCURS, "parkedClass", "stackTrace", "eventThread",
		     "timeout"),
	READS_EITHER(1, "jdk.JavaMonitorWait", OCCURS, "monitorClass", "stackTrace", "eventThread",
		     "timeout", "notifier"),
	READS("jdk.JavaExceptionThrow", HELPS, "thrownClass"),
	{ 0 },
};

struct state {
	struct groups stacks;	/* stack: its kind in most_thread, its site + 1 in most_stack */
	struct groups sites;	/* what, method, kind, of a request? */
	struct groups families; /* thread: the text of its name without numbers in most_stack */
	struct groups timeouts; /* site: waits that ended by their timeout */
	struct groups waiters;	/* site, thread */
	struct groups wakers;	/* site, the thread that woke one up */
	struct groups thrown;	/* class */
	struct spans waits;	/* what: place of the site */
	struct spans idle;	/* what: family */
};

/* Taking --------------------------------------------------------------------------------------- */

/* "http-nio-8080-exec-" of "http-nio-8080-exec-17" */
static uint32_t family_of(struct state *s, const struct event *e, uint32_t thread)
{
	struct group *g = groups_add(&s->families, e, (uint32_t[4]){ thread }, 0, NULL);
	char stem[128];
	size_t len;

	if (!g || g->most_stack)
		return g ? g->most_stack : 0;
	snprintf(stem, sizeof(stem), "%s", event_text_of(e, event_text(e, THREAD)));
	len = strlen(stem);
	while (len && strchr("0123456789", stem[len - 1]))
		len--;
	stem[len] = '\0';
	g->most_stack = event_put_text(e, stem);
	return g->most_stack;
}

/* What is known of the stack; worked out once. */
static struct group *stack_of_wait(struct state *s, const struct event *e, uint32_t stack)
{
	struct group *g = groups_add(&s->stacks, e, (uint32_t[4]){ stack }, 0, NULL), *site;
	struct waiting w;

	if (!g || g->count > 1)
		return g;
	w = waiting_of(e, stack);
	g->most_thread = w.kind;
	if (w.kind == WAIT_OTHER || w.kind == WAIT_IDLE)
		return g;
	site = groups_add(&s->sites, e,
			  (uint32_t[4]){ w.what, w.site, w.kind, w.is_request }, 0, NULL);
	if (site)
		g->most_stack = (uint32_t)(site - s->sites.list) + 1;
	return g;
}

/* Is it not known of the place what is waited for there? */
static bool is_of_unknown(const struct group *site)
{
	return site->key[2] == WAIT_QUEUE || site->key[2] == WAIT_LIBRARY;
}

/*
 * Within a request the application waits for what should be done; a library may do so for others.
 */
static bool is_of_request(const struct group *site)
{
	return site->key[2] == WAIT_QUEUE && site->key[3];
}

/* The same site in threads that serve requests is another. */
static struct group *site_of(struct state *s, const struct event *e, uint32_t place)
{
	const uint32_t *key = s->sites.list[place].key;

	if (key[2] != WAIT_QUEUE || key[3] ||
	    !is_name_of_request(event_text_of(e, event_text(e, THREAD))))
		return &s->sites.list[place];
	return groups_add(&s->sites, e, (uint32_t[4]){ key[0], key[1], key[2], true }, 0, NULL);
}

static void take_wait(struct state *s, const struct event *e)
{
	uint32_t stack = event_stack(e, STACK), thread = event_thread(e, THREAD);
	double ns = (double)event_duration(e);
	int64_t timeout = event_long(e, TIMEOUT);
	bool has_timed_out = timeout > 0 && event_duration(e) >= timeout;
	struct group *g = stack ? stack_of_wait(s, e, stack) : NULL, *site;
	struct span_of span = { .start_ns = e->start_ns, .end_ns = e->end_ns, .thread = thread };

	if (g && g->most_thread == WAIT_IDLE) {
		span.what = family_of(s, e, thread);
		spans_add(&s->idle, e, span);
	}
	if (!g || !g->most_stack)
		return;
	site = site_of(s, e, g->most_stack - 1);
	if (!site)
		return;
	span.what = (uint32_t)(site - s->sites.list);
	/* The program's first thread waits for what it has begun. */
	if (site->key[2] != WAIT_POOL &&
	    strcmp(event_text_of(e, event_text(e, THREAD)), "main") == 0)
		return;
	/*
	 * Consumers wait all day; where nothing says what wakes them up, that is not a queue of
	 * waiters.
	 */
	if (is_of_unknown(site) && !is_of_request(site) && e->input == PARK)
		return;
	if (is_of_unknown(site) && e->input == WAIT) {
		groups_add(&s->waiters, e, (uint32_t[4]){ span.what, thread }, 1, NULL);
		groups_add(&s->wakers, e, (uint32_t[4]){ span.what, event_thread(e, NOTIFIER) }, 1,
			   NULL);
	}
	family_of(s, e, thread);
	/* Sites are known by their place: groups_add() would count the stack, too. */
	site->sum += ns;
	if (site->most_to_ns == site->most_from_ns || ns > site->most) {
		site->most = ns;
		site->most_from_ns = e->start_ns;
		site->most_to_ns = e->end_ns;
		site->most_stack = stack;
		site->most_thread = thread;
	}
	if (has_timed_out)
		groups_add(&s->timeouts, e, (uint32_t[4]){ span.what }, 1, NULL);
	spans_add(&s->waits, e, span);
}

/* What pools throw at those who have waited in vain. */
static bool is_of_pool(const char *class)
{
	static const char *const classes[] = {
		"java.sql.SQLTransientConnectionException",
		"java.util.concurrent.TimeoutException",
		"org.apache.tomcat.jdbc.pool.PoolExhaustedException",
		"org.apache.http.conn.ConnectionPoolTimeoutException",
		"org.apache.hc.core5.http.ConnectionRequestTimeoutException",
		"redis.clients.jedis.exceptions.JedisExhaustedPoolException",
		"com.alibaba.druid.pool.GetConnectionTimeoutException",
		"com.mongodb.MongoTimeoutException",
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strcmp(class, classes[i]) == 0)
			return true;
	}
	return false;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input != THROWN)
		take_wait(s, e);
	else if (is_of_pool(event_text_of(e, event_text(e, 0))))
		groups_add(&s->thrown, e, (uint32_t[4]){ event_text(e, 0) }, 1, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->stacks);
	groups_fini(&s->sites);
	groups_fini(&s->families);
	groups_fini(&s->timeouts);
	groups_fini(&s->waiters);
	groups_fini(&s->wakers);
	groups_fini(&s->thrown);
	spans_fini(&s->waits);
	spans_fini(&s->idle);
}

/* Judging -------------------------------------------------------------------------------------- */

/* Those who waited at a site. */
struct line {
	const struct group *site;
	uint32_t place; /* of the site */
	struct crowd crowd;
	bool is_due; /* neither a pause nor a wait for the next task */
	enum jfrec_severity severity;
};

#define MAX_FAMILIES 16

/* Was a thread idle then that is of the same pool as those who waited? */
static bool has_idle(const struct state *s, const struct crowd *crowd,
		     const struct crowd_room *room)
{
	uint32_t families[MAX_FAMILIES], count = 0;
	double idle = 0;

	/* Not all were kept: it is not known. */
	if (s->idle.beyond)
		return true;
	for (uint32_t i = 0; i < s->families.count && count < MAX_FAMILIES; i++) {
		const struct group *g = &s->families.list[i];
		uint32_t k = 0;

		if (g->key[0] >= room->threads || !room->marks[g->key[0]])
			continue;
		while (k < count && families[k] != g->most_stack)
			k++;
		if (k == count)
			families[count++] = g->most_stack;
	}
	for (size_t i = 0; i < s->idle.count; i++) {
		for (uint32_t k = 0; k < count; k++) {
			if (s->idle.list[i].what == families[k])
				idle += span_within(&s->idle.list[i], crowd->from_ns, crowd->to_ns);
		}
	}
	return idle > crowd->waited_ns / 10;
}

static enum jfrec_severity of_pool(const struct judging *j, const struct line *line)
{
	const struct crowd *c = &line->crowd;

	if ((c->share >= j->warning && c->threads > 1 && c->at_once >= 1) ||
	    c->at_once >= LONG_LINE)
		return JFREC_SEVERITY_WARNING;
	return c->share >= j->info || c->at_once >= 1 || line->site->most >= LONG_NS
		       ? JFREC_SEVERITY_INFO
		       : JFREC_SEVERITY_OK;
}

/* Of work that others do: it may just take its time. */
static enum jfrec_severity of_work(const struct judging *j, const struct line *line, bool has_idle)
{
	const struct crowd *c = &line->crowd;
	bool is_repeated = c->waits_each >= REPEATED;

	if (c->share < OTHERS * j->info || c->threads < 2 || c->at_once < 1 ||
	    (!is_repeated && c->threads < LONG_LINE))
		return JFREC_SEVERITY_OK;
	return c->share >= OTHERS * j->warning && c->at_once >= LINE && is_repeated && !has_idle &&
			       line->site->key[2] != WAIT_PEER
		       ? JFREC_SEVERITY_WARNING
		       : JFREC_SEVERITY_INFO;
}

/*
 * Do those who wait wake each other up, as they do who give a thing back to a pool? Who waits for
 * tasks or messages is woken up by others.
 */
static bool wake_each_other(const struct state *s, uint32_t place)
{
	uint64_t by_waiters = 0, all = 0;

	for (uint32_t i = 0; i < s->wakers.count; i++) {
		const struct group *g = &s->wakers.list[i];

		if (g->key[0] != place || !g->key[1])
			continue;
		all += g->count;
		by_waiters += groups_find(&s->waiters, g->key) ? g->count : 0;
	}
	return all && by_waiters * 2 > all;
}

/* Is what they wait for work that should have been done? */
static bool is_due(const struct state *s, const struct line *line, uint64_t waits)
{
	const struct group *ended = groups_find(&s->timeouts, (uint32_t[4]){ line->place });

	if (!is_of_unknown(line->site))
		return true;
	if (!is_of_request(line->site) && !wake_each_other(s, line->place))
		return false;
	/* Waits that nearly all end by their timeout, without harm, are pauses. */
	return s->thrown.count || !ended || ended->count < 0.9 * (double)waits;
}

static uint64_t waits_at(const struct state *s, uint32_t place)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->waits.count; i++)
		n += s->waits.list[i].what == place;
	return n;
}

static void judge_site(const struct judging *j, const struct state *s, struct line *line,
		       struct crowd_room *room)
{
	line->is_due = is_due(s, line, waits_at(s, line->place));
	if (!line->is_due)
		return;
	line->crowd = crowd_worst(j, room, line->place);
	if (line->crowd.at_once < NOISE)
		line->severity = JFREC_SEVERITY_OK;
	else if (line->site->key[2] == WAIT_POOL)
		line->severity = of_pool(j, line);
	else
		line->severity = of_work(j, line, has_idle(s, &line->crowd, room));
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->is_due != y->is_due)
		return x->is_due ? -1 : 1;
	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	if (x->crowd.waited_ns != y->crowd.waited_ns)
		return x->crowd.waited_ns > y->crowd.waited_ns ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static int compare_sums(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->site->sum != y->site->sum)
		return x->site->sum > y->site->sum ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* All sites, by the time waited at each. */
static struct line *lines_of(struct judging *j, const struct state *s, size_t *count)
{
	struct line *lines = judging_memory(j, (s->sites.count + 1) * sizeof(*lines));

	*count = 0;
	for (uint32_t i = 0; lines && i < s->sites.count; i++) {
		if (s->sites.list[i].sum > 0)
			lines[(*count)++] = (struct line){ .site = &s->sites.list[i], .place = i };
	}
	if (*count)
		qsort(lines, *count, sizeof(*lines), compare_sums);
	return lines;
}

/* The worst first; *count 0: no thread waited, or memory is gone. */
static struct line *judge_sites(struct judging *j, const struct state *s, size_t *count)
{
	struct line *lines = lines_of(j, s, count);
	struct crowd_room room;

	if (!crowd_room_init(j, &room, &s->waits))
		*count = 0;
	if (*count > MAX_SITES)
		*count = MAX_SITES;
	for (size_t i = 0; i < *count; i++)
		judge_site(j, s, &lines[i], &room);
	if (*count)
		qsort(lines, *count, sizeof(*lines), compare_lines);
	while (*count && !lines[*count - 1].is_due)
		--*count;
	return lines;
}

/* Saying --------------------------------------------------------------------------------------- */

/* "app.Orders.load:23": where the longest wait at the site was. */
static const char *place_text(struct judging *j, const struct group *site)
{
	for (size_t i = 0; i < stack_depth(j, site->most_stack); i++) {
		unsigned line = stack_line(j, site->most_stack, i);

		if (stack_method_text(j, site->most_stack, i) == site->key[1] && line)
			return textf(j, "%s:%u", text_at(j, site->key[1]), line);
	}
	return text_at(j, site->key[1]);
}

static void advise_for(struct judging *j, const struct line *line)
{
	switch (line->site->key[2]) {
	case WAIT_POOL:
		return;
	case WAIT_PEER:
		advise(j, "Look at the peer; set a timeout, so that a slow one does not hold threads");
		return;
	case WAIT_LIBRARY:
		advise(j, "Look for who holds what they wait for, and why: of a database "
			  "within the JVM that is a transaction that keeps rows locked");
		return;
	case WAIT_QUEUE:
		advise(j, "Look for who should have come: what fills the queue, gives the thing "
			  "back, or counts the latch down");
		return;
	default:
		advise(j, "See whether the threads that do the work are all taken, also by tasks "
			  "that wait for others of the same executor: give these an executor of "
			  "their own, or a larger one; else look at what makes the work slow");
	}
}

static void show_lines(struct judging *j, const struct state *s, const struct line *lines,
		       size_t count)
{
	for (size_t i = 0; i < count && i < 3; i++) {
		const struct group *g = lines[i].site;
		const struct group *ended =
			groups_find(&s->timeouts, (uint32_t[4]){ lines[i].place });

		if (i && lines[i].severity < JFREC_SEVERITY_INFO)
			break;
		show_range(j, "worst", lines[i].crowd.from_ns, lines[i].crowd.to_ns);
		show_stack(j,
			   textf(j, "%s: %u thread%s waited %s in all, at most %s",
				 text_at(j, g->key[0]), lines[i].crowd.threads,
				 plural(lines[i].crowd.threads), span_text(j, g->sum),
				 span_text(j, g->most)),
			   g->most_stack, NAN);
		show_quantity(j, "threads that waited at once, on average", lines[i].crowd.at_once,
			      JFREC_UNIT_NONE);
		if (ended)
			show_quantity(j, "waits that ended by their timeout", (double)ended->count,
				      JFREC_UNIT_NONE);
		show_thread(j, "waited longest", g->most_thread, NAN);
	}
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	size_t count;
	const struct line *lines = judge_sites(j, s, &count), *worst = lines;

	if (!count) {
		summarize(j, "No thread waited for a pool, or for the work of others%s",
			  longer_than_threshold(j, "jdk.ThreadPark"));
		return;
	}
	judge_by(j, worst->crowd.share);
	judge_at_most(j, worst->severity);
	judge_at_least(j, worst->severity);
	if (!is_found(j))
		j->finding->score = fmin(j->finding->score, 24);
	summarize(j, "%u thread%s waited for %s in %s, %s of %s from %s on, and at most for %s",
		  worst->crowd.threads, plural(worst->crowd.threads),
		  text_at(j, worst->site->key[0]), place_text(j, worst->site),
		  percent_text(j, worst->crowd.share),
		  worst->crowd.threads == 1 ? "its time" : "their time",
		  time_text(j, worst->crowd.from_ns), span_text(j, worst->site->most));
	if (!is_found(j))
		return;
	advise_for(j, worst);
	show_lines(j, s, lines, count);
	for (uint32_t i = 0; i < s->thrown.count; i++)
		show_name(j, JFREC_EVIDENCE_CLASS,
			  textf(j, "thrown %s times",
				count_text(j, (double)s->thrown.list[i].count)),
			  text_at(j, s->thrown.list[i].key[0]), NAN);
	/* The profile of locks has no waits for a notify(). */
	if (strncmp(stack_method(j, worst->site->most_stack, 0), "java.lang.Object.wait", 21) == 0)
		show_command(j, "flame --type jdk.JavaMonitorWait");
	else
		show_command(j, "flame --profile lock");
}

const struct rule rule_pool_wait = {
	.info = {
		.id = "pool-wait",
		.question = "Do threads wait long for a pool, or for the work of others?",
		.matters = "A pool of connections that has run out, or an executor whose threads "
			   "are all taken, lets requests wait that could be served. The CPU is "
			   "idle meanwhile, and no lock is to blame.",
		.computes = "Adds up by place how long threads waited (jdk.ThreadPark, "
			    "jdk.JavaMonitorWait) for a thing of a known pool, for a future, or, "
			    "in a request that a server hands to the application or in a method that "
			    "lends things, as its name says (borrow, acquire, ConnectionPool.get), at a "
			    "queue, a latch or a condition (at a monitor also where those who wait wake each "
			    "other up, in a library, too); compares that with what these threads could do "
			    "in the worst 10 s. For pools the limits are as said, and five waiting "
			    "threads on average are a warning; one wait of a second is info. For "
			    "the others they are twice as high, and it is a warning only if three "
			    "threads wait at once, repeatedly, and no thread of their pool is "
			    "idle. Workers without work, joins, and the thread main are left out.",
		.measures = "time waited at one place, of what the threads that waited there could "
			    "do in 10 s",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.10,
		.warning = 0.30,
		.advice = "Look for what holds the things of the pool for long: slow queries, a "
			  "transaction around a call of another service, a connection that is never "
			  "given back; only then make the pool larger",
		.beware = "A wait is recorded when it ends: one that never ends is not seen. Waits "
			  "that are shorter than the threshold (20 ms by default) are not either, "
			  "nor are those of virtual threads.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
