/* SPDX-License-Identifier: MIT */
/*
 * class_loading.c - does loading of classes take long, and are some loaded over and over?
 */
#include "analyze/rules.h"

#define MANY 25

/* So many a second, for a minute after start-up: code that is generated anew each time. */
#define STORM	    250
#define GREAT_STORM 1000
#define WINDOW_NS   INT64_C(60000000000)
#define SHORTEST_NS INT64_C(10000000000)

static const char *const jmc[] = { "ClassLoading", "ClassLeak", "biasedLockingRevocation", NULL };

enum { LOAD, UNLOAD, REVOCATION };
enum { CLASS, DEFINING, INITIATING };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ClassLoad", OCCURS, "loadedClass", "definingClassLoader",
		     "initiatingClassLoader"),
	READS("jdk.ClassUnload", HELPS, "unloadedClass"),
	READS("jdk.BiasedLockClassRevocation", HELPS, "revokedClass", "disableBiasing"),
	READS_EITHER(1, "jdk.ClassLoadingStatistics", PERIODIC),
	{ 0 },
};

struct state {
	double total_ns, longest_ns;
	int64_t longest_at, longest_to;
	uint32_t longest;
	uint64_t loads, revoked;
	struct groups classes;	/* name: loads */
	struct groups unloaded; /* name */
	uint32_t revoked_class;
};

/* Hidden classes have a number after their name. */
static uint32_t stem_of(const struct event *e, uint32_t class)
{
	const char *name = event_text_of(e, class), *cut = strstr(name, "/0x");
	char stem[512];

	if (!cut)
		cut = strstr(name, "+0x");
	if (!cut || (size_t)(cut - name) >= sizeof(stem))
		return class;
	memcpy(stem, name, (size_t)(cut - name));
	stem[cut - name] = '\0';
	return event_put_text(e, stem);
}

/*
 * The JVM makes such for each use of a lambda, or of reflection: it is not one class loaded over
 * and over.
 */
static bool is_made_by_jdk(const char *name)
{
	static const char *const begins[] = { "java.lang.invoke.", "jdk.internal.reflect.",
					      "sun.reflect.", "jdk.proxy", "com.sun.proxy." };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	}
	return strstr(name, "$$Lambda") != NULL;
}

static void take_load(struct state *s, const struct event *e)
{
	double ns = (double)event_duration(e);
	uint32_t class = event_text(e, CLASS);

	s->loads++;
	s->total_ns += ns;
	if (ns > s->longest_ns) {
		s->longest_ns = ns;
		s->longest_at = e->start_ns;
		s->longest_to = e->end_ns;
		s->longest = class;
	}
	/* Each loader that asked has an event; only one of them made the class. */
	if (event_key(e, DEFINING) == event_key(e, INITIATING) &&
	    !is_made_by_jdk(event_text_of(e, class)))
		groups_add(&s->classes, e, (uint32_t[4]){ stem_of(e, class) }, 1, NULL);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == LOAD) {
		take_load(s, e);
	} else if (e->input == UNLOAD) {
		groups_add(&s->unloaded, e, (uint32_t[4]){ stem_of(e, event_text(e, CLASS)) }, 1,
			   NULL);
	} else if (e->input == REVOCATION && event_long(e, 1) == 1) {
		s->revoked++;
		s->revoked_class = event_text(e, 0);
	}
}

static void fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->classes);
	groups_fini(&s->unloaded);
}

/* The class of which most are left, and how many. */
static double most_left(const struct state *s, uint32_t *name)
{
	double most = 0;

	for (uint32_t i = 0; i < s->classes.count; i++) {
		const struct group *g = &s->classes.list[i];
		const struct group *gone = groups_find(&s->unloaded, g->key);
		double left = g->sum - (gone ? gone->sum : 0);

		if (left > most) {
			most = left;
			*name = g->key[0];
		}
	}
	return most;
}

/* Classes by the second, by jdk.ClassLoadingStatistics. */
struct storm {
	double rate; /* NAN: not known */
	int64_t from_ns, to_ns;
	double loaded, unloaded; /* in all that was recorded */
};

static double grown(const struct series *s)
{
	return s->count > 1 ? s->list[s->count - 1].value - s->list[0].value : 0;
}

/* A start loads thousands of classes, too, but drops none of them. */
static int64_t judged_from(const struct judging *j, const struct storm *storm)
{
	const struct facts *f = j->facts;
	int64_t began = f->jvm_start_ns > 0 ? f->jvm_start_ns : f->start_ns;

	return storm->unloaded > storm->loaded / 2 ? f->start_ns : began + WINDOW_NS;
}

static struct storm find_storm(const struct judging *j)
{
	const struct series *s = &j->facts->loaded;
	struct storm storm = { NAN, 0, 0, grown(s), grown(&j->facts->unloaded) };
	int64_t from = judged_from(j, &storm), width;
	size_t first = 0, i;

	while (first < s->count && s->list[first].at_ns < from)
		first++;
	if (first == s->count)
		return storm;
	/* All of what is shorter than a minute. */
	width = s->list[s->count - 1].at_ns - s->list[first].at_ns;
	width = width < WINDOW_NS ? width : WINDOW_NS;
	if (width < SHORTEST_NS)
		return storm;
	for (i = first; i < s->count; i++) {
		double rate;

		while (s->list[i].at_ns - s->list[first + 1].at_ns >= width)
			first++;
		if (s->list[i].at_ns - s->list[first].at_ns < width)
			continue;
		rate = (s->list[i].value - s->list[first].value) /
		       ((double)(s->list[i].at_ns - s->list[first].at_ns) / 1e9);
		if (isnan(storm.rate) || rate > storm.rate) {
			storm.rate = rate;
			storm.from_ns = s->list[first].at_ns;
			storm.to_ns = s->list[i].at_ns;
		}
	}
	return storm;
}

/* By the statistics alone: classes have no names there. */
static void tell_storm(struct judging *j, const struct storm *storm)
{
	judge_at_least(j,
		       storm->rate >= GREAT_STORM ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	/* What it leads to, exceptions of loaders that ask their parents first, has one, too. */
	j->finding->score = fmin(99, 25 + 50 * (storm->rate - STORM) / (GREAT_STORM - STORM));
	summarize(j, "%s classes a second were loaded for %s (limit %d)", count_text(j, storm->rate),
		  span_text(j, (double)(storm->to_ns - storm->from_ns)), STORM);
	advise(j, "Look for what generates classes: scripts and expressions that are compiled for each "
		  "call, proxies and serializers that are made for each use; keep what was made once");
	show_range(j, "most", storm->from_ns, storm->to_ns);
	show_quantity(j, "classes loaded", storm->loaded, JFREC_UNIT_NONE);
	show_quantity(j, "classes unloaded", storm->unloaded, JFREC_UNIT_NONE);
	show_command_if(j, "jdk.ClassLoaderStatistics", "view class-loaders");
}

static void tell_nothing_found(struct judging *j, const struct state *s, const struct storm *storm)
{
	enum presence p = type_presence(j, "jdk.ClassLoad");

	if (p == TYPE_HAS_EVENTS || p == TYPE_SILENT)
		summarize(j, "%llu classes were loaded in %s", (unsigned long long)s->loads,
			  span_text(j, s->total_ns));
	else if (j->facts->loaded.count > 1)
		summarize(j, "%s classes were loaded; which, and for how long, was not recorded "
			     "(jdk.ClassLoad)",
			  count_text(j, storm->loaded));
	else
		too_few(j, "One value of jdk.ClassLoadingStatistics says nothing, and jdk.ClassLoad was "
			   "off");
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	struct storm storm = find_storm(j);
	double share, left;
	uint32_t name = 0;

	groups_sort(&s->classes);
	left = most_left(s, &name);
	share = s->total_ns / (double)recorded_ns(j);
	judge_by(j, left);
	if (s->longest_ns > 1e9 || share > 0.1 || s->revoked)
		judge_at_least(j, JFREC_SEVERITY_INFO);
	if (left >= j->info)
		summarize(j, "%s was loaded %s times more than it was unloaded %s", text_at(j, name),
			  count_text(j, left), limit_text(j));
	else if (storm.rate >= STORM)
		tell_storm(j, &storm);
	else if (s->longest_ns > 1e9 || share > 0.1)
		summarize(j, "Loading classes took %s, %s of the recording; the longest, %s, took %s",
			  span_text(j, s->total_ns), percent_text(j, share),
			  text_at(j, s->longest), span_text(j, s->longest_ns));
	else if (s->revoked) {
		summarize(j, "Biased locking was given up for %llu classes, among them %s",
			  (unsigned long long)s->revoked, text_at(j, s->revoked_class));
		advise(j, "Use -XX:-UseBiasedLocking, or JDK 18 or later");
	} else
		tell_nothing_found(j, s, &storm);
	if (s->loads) {
		show_quantity(j, "time of loading", s->total_ns, JFREC_UNIT_NS);
		show_name(j, JFREC_EVIDENCE_CLASS, "longest", text_at(j, s->longest), NAN);
		show_range(j, "when", s->longest_at, s->longest_to);
		show_command(j, "view longest-class-loading");
	}
}

const struct rule rule_class_loading = {
	.info = {
		.id = "class-loading",
		.jmc = jmc,
		.question = "Does loading classes take long, and are some loaded repeatedly?",
		.matters = "Loading classes makes a start slow. Loading the same ones over and "
			   "over means that a part of the program is made again each time.",
		.computes = "Counts, for each name, the classes that were loaded and not unloaded "
			    "(jdk.ClassLoad by the loader that made them, jdk.ClassUnload). Loading "
			    "for more than a second at once, or a tenth of all time, is info. So are "
			    "250 classes a second for a minute after start-up "
			    "(jdk.ClassLoadingStatistics); 1000 are a warning. Up to JDK 17, so are "
			    "classes for which biased locking was given up.",
		.measures = "loaded classes of one name",
		.unit = JFREC_UNIT_NONE,
		.info = MANY,
		.warning = INFINITY,
		.advice = "Find out who loads it: class loaders that are never dropped "
			  "(class-loader-leak), or start-up without class data sharing (-Xshare)",
		.beware = "jdk.ClassLoad and jdk.ClassUnload are off in the JDK's settings; the "
			  "statistics are on, and have no names.",
		.differs = "JDK Mission Control counts an event for each loader that asked its parent, "
			   "so it can blame java.lang.Object.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
