/* SPDX-License-Identifier: MIT */
/*
 * class_loader_leak.c - are there more and more class loaders of one class?
 */
#include <stdlib.h>

#include "analyze/rules.h"
#include "base/array.h"
#include "base/idmap.h"

/* Fewer snapshots do not show growth. */
#define ENOUGH_SNAPSHOTS 3
#define MAX_ROWS	 500000

/* Rows further apart are of another snapshot, where the period is not known. */
#define GAP_NS INT64_C(500000000)

/*
 * In one snapshot: so many loaders of the same classes, which are kept, as collections have shown.
 */
#define ALIKE	   0.9
#define MOST_NEW   0.5
#define GOES_ON	   0.2
#define FEW_GONE   0.1

enum { TYPE, CHUNK_SIZE, CLASSES };

static const struct reads inputs[] = {
	READS("jdk.ClassLoaderStatistics", PERIODIC, "classLoader.type", "chunkSize", "classCount"),
	READS("jdk.ClassLoadingStatistics", HELPS),
	READS("jdk.GarbageCollection", HELPS),
	{ 0 },
};

/* A loader in a snapshot. */
struct row {
	int64_t at_ns;
	uint32_t class;
	double bytes;
	int64_t classes;
};

struct state {
	struct row *rows;
	size_t count, room;
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	struct row row = { .at_ns = e->start_ns };

	/* The others are only to be there. */
	if (e->input)
		return;
	row.class = event_text(e, TYPE);
	row.bytes = fmax(0, event_number(e, CHUNK_SIZE));
	row.classes = event_long(e, CLASSES);
	if (row.class && s->count < MAX_ROWS && !array_push(s->rows, s->count, s->room, row))
		event_no_memory(e);
}

static void fini(void *state)
{
	free(((struct state *)state)->rows);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return (x->class > y->class) - (x->class < y->class);
}

/* What was seen of the loaders of a class. */
struct seen {
	uint32_t class;
	uint32_t in_snapshot, first, last, most; /* loaders */
	unsigned snapshots, grown;
	double bytes;
	int64_t first_ns, last_ns;
};

struct seen_list {
	struct seen *list;
	size_t count, room;
	struct idmap by_class; /* place in the list */
};

static struct seen *seen_of(struct seen_list *l, uint32_t class)
{
	uint32_t place = idmap_get(&l->by_class, class);

	if (place != IDMAP_NONE)
		return &l->list[place];
	if (l->count == MAX_GROUPS ||
	    !array_push(l->list, l->count, l->room, (struct seen){ .class = class }))
		return NULL;
	if (!idmap_put(&l->by_class, class, (uint32_t)l->count - 1))
		return NULL;
	return &l->list[l->count - 1];
}

static void end_class(struct seen *s, int64_t at_ns)
{
	if (!s || !s->in_snapshot)
		return;
	if (!s->snapshots++) {
		s->first = s->in_snapshot;
		s->first_ns = at_ns;
	} else if (s->in_snapshot > s->last) {
		s->grown++;
	}
	s->last = s->in_snapshot;
	s->last_ns = at_ns;
	s->most = s->last > s->most ? s->last : s->most;
	s->in_snapshot = 0;
}

/* Of the classes of these rows. */
static void end_snapshot(const struct state *s, struct seen_list *l, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		end_class(seen_of(l, s->rows[i].class), s->rows[to - 1].at_ns);
}

/* Each row has a time of its own: those of one snapshot lie close together. */
static void count_loaders(struct state *s, int64_t gap, struct seen_list *l)
{
	size_t from = 0;

	if (s->count)
		qsort(s->rows, s->count, sizeof(*s->rows), compare_rows);
	for (size_t i = 0; i < s->count; i++) {
		struct seen *seen;

		if (i && s->rows[i].at_ns - s->rows[i - 1].at_ns > gap) {
			end_snapshot(s, l, from, i);
			from = i;
		}
		seen = seen_of(l, s->rows[i].class);
		if (!seen)
			continue;
		if (!seen->in_snapshot++)
			seen->bytes = 0;
		seen->bytes += s->rows[i].bytes;
	}
	end_snapshot(s, l, from, s->count);
}

/* The JDK makes many of these, one for each reflective call that it speeds up. */
static bool is_many_by_nature(const char *class)
{
	return strstr(class, "DelegatingClassLoader") != NULL;
}

static const struct seen *worst_of(const struct judging *j, const struct seen_list *l)
{
	const struct seen *worst = NULL;

	for (size_t i = 0; i < l->count; i++) {
		const struct seen *s = &l->list[i];

		if (s->snapshots < ENOUGH_SNAPSHOTS || s->grown < 2 || s->last <= s->first ||
		    is_many_by_nature(text_at(j, s->class)))
			continue;
		if (!worst || s->last > worst->last)
			worst = s;
	}
	return worst;
}

static void judge_worst(struct judging *j, const struct seen *w)
{
	judge_by(j, (double)w->last);
	summarize(j, "The number of %s class loaders grew from %u to %u in %s %s",
		  text_at(j, w->class), w->first, w->last,
		  span_text(j, (double)(w->last_ns - w->first_ns)), limit_text(j));
	show_range(j, "measured", w->first_ns, w->last_ns);
	show_name(j, JFREC_EVIDENCE_CLASS, "class of the loaders", text_at(j, w->class), NAN);
	show_quantity(j, "memory of their classes", w->bytes, JFREC_UNIT_BYTES);
	show_command(j, "query 'SELECT classLoader.type, COUNT(*) FROM jdk.ClassLoaderStatistics "
			"GROUP BY classLoader.type'");
}

/* Loaders of a class in the last snapshot that have the same number of classes, those most have. */
struct alike {
	uint32_t class, loaders, of; /* of: of so many */
	int64_t classes;	     /* each */
};

/* Rows of one snapshot from `from` on, of a class. */
static struct alike alike_of(const struct state *s, size_t from, uint32_t class)
{
	struct alike best = { .class = class };

	for (size_t i = from; i < s->count; i++) {
		uint32_t n = 0;

		if (s->rows[i].class != class)
			continue;
		best.of++;
		/* What most have is had by one of the first. */
		if (s->rows[i].classes <= 0 || best.of > 8)
			continue;
		for (size_t k = from; k < s->count; k++)
			n += s->rows[k].class == class && s->rows[k].classes == s->rows[i].classes;
		if (n > best.loaders) {
			best.loaders = n;
			best.classes = s->rows[i].classes;
		}
	}
	return best;
}

/* The largest such family of the last snapshot. */
static struct alike largest_family(const struct judging *j, const struct state *s, int64_t gap)
{
	size_t from = s->count ? s->count - 1 : 0;
	struct alike most = { 0 };

	while (from && s->rows[from].at_ns - s->rows[from - 1].at_ns <= gap)
		from--;
	for (size_t i = from, kinds = 0; i < s->count && kinds < 16; i++) {
		struct alike a;

		if (i > from && s->rows[i].class == s->rows[i - 1].class)
			continue;
		kinds++;
		if (is_many_by_nature(text_at(j, s->rows[i].class)))
			continue;
		a = alike_of(s, from, s->rows[i].class);
		if (a.loaders >= ALIKE * a.of && a.loaders > most.loaders)
			most = a;
	}
	return most;
}

static double grown(const struct series *s, size_t from)
{
	return s->count > from ? s->list[s->count - 1].value - s->list[from].value : 0;
}

/* Has a collection looked at old objects in the second half, so that loaders without use went? */
static bool old_was_collected(const struct facts *f)
{
	int64_t middle = f->start_ns + (f->end_ns - f->start_ns) / 2;

	for (size_t i = 0; i < f->collection_count; i++) {
		if (f->collections[i].start_ns >= middle &&
		    f->collections[i].name != f->young_collector)
			return true;
	}
	return false;
}

/*
 * One snapshot shows no growth; but where most classes that were loaded meanwhile are those of
 * loaders that are all alike, where it went on to the end, and no class went though old objects
 * were collected, these loaders were made and kept.
 */
static bool are_kept(const struct judging *j, const struct alike *a)
{
	const struct series *loaded = &j->facts->loaded, *gone = &j->facts->unloaded;
	double more = grown(loaded, 0), late = grown(loaded, loaded->count * 2 / 3);

	return a->loaders >= j->info && loaded->count >= 10 && old_was_collected(j->facts) &&
	       (double)a->loaders * (double)a->classes >= MOST_NEW * more &&
	       more >= MOST_NEW * (double)a->loaders * (double)a->classes &&
	       late >= GOES_ON * more && grown(gone, 0) <= FEW_GONE * more;
}

static bool tell_kept(struct judging *j, const struct state *s, int64_t gap)
{
	struct alike a = largest_family(j, s, gap);

	if (!are_kept(j, &a))
		return false;
	judge_at_least(j, JFREC_SEVERITY_INFO);
	j->finding->score = 50;
	summarize(j, "%u loaders of %s have %lld class%s each, and more are made, but none went: %s "
		     "classes more in %s",
		  a.loaders, text_at(j, a.class), (long long)a.classes, a.classes == 1 ? "" : "es",
		  count_text(j, grown(&j->facts->loaded, 0)), span_text(j, (double)recorded_ns(j)));
	show_name(j, JFREC_EVIDENCE_CLASS, "class of the loaders", text_at(j, a.class), NAN);
	show_quantity(j, "loaders of this class", (double)a.of, JFREC_UNIT_NONE);
	show_command(j, "query 'SELECT classLoader.type, COUNT(*) FROM jdk.ClassLoaderStatistics "
			"GROUP BY classLoader.type'");
	return true;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	int64_t period = type_period_ns(j, "jdk.ClassLoaderStatistics");
	struct seen_list l = { 0 };
	const struct seen *worst;

	count_loaders(s, period > 0 ? period / 2 : GAP_NS, &l);
	worst = worst_of(j, &l);
	if (worst)
		judge_worst(j, worst);
	else if (!tell_kept(j, s, period > 0 ? period / 2 : GAP_NS))
		summarize(j, "No class of class loaders kept growing in number");
	free(l.list);
	idmap_fini(&l.by_class);
}

const struct rule rule_class_loader_leak = {
	.info = {
		.id = "class-loader-leak",
		.question = "Are there more and more class loaders of one class?",
		.matters = "A class loader that is kept keeps all its classes. With each "
			   "redeployment or script the JVM gets larger, until it has to be "
			   "restarted.",
		.computes = "Counts, in each snapshot of jdk.ClassLoaderStatistics, the loaders of "
			    "each class. It is a finding if their number grew at least twice in three "
			    "snapshots or more, and was higher in the end. With fewer snapshots it is info "
			    "where 50 loaders have the same number of classes each, most classes that "
			    "were loaded are theirs, and none went though old objects were collected.",
		.measures = "class loaders of one class, in the end",
		.unit = JFREC_UNIT_NONE,
		.info = 50,
		.warning = 500,
		.advice = "Take a heap dump (`jfrec heapdump`) and look at what keeps these loaders: "
			  "mostly a thread, a ThreadLocal, a listener or a static cache",
		.beware = "A snapshot comes once a chunk by default, so that a short recording has "
			  "one: set a period (`--set ClassLoaderStatistics#period=30s`).",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
