/* SPDX-License-Identifier: MIT */
/*
 * class_loading.c - does loading of classes take long, and are some loaded over and over?
 */
#include "analyze/rules.h"

#define MANY 25

static const char *const jmc[] = { "ClassLoading", "ClassLeak", "biasedLockingRevocation", NULL };

enum { LOAD, UNLOAD, REVOCATION };
enum { CLASS, DEFINING, INITIATING };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ClassLoad", OCCURS, "loadedClass", "definingClassLoader",
		     "initiatingClassLoader"),
	READS("jdk.ClassUnload", HELPS, "unloadedClass"),
	READS_EITHER(1, "jdk.BiasedLockClassRevocation", OCCURS, "revokedClass", "disableBiasing"),
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
	if (event_key(e, DEFINING) == event_key(e, INITIATING))
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
	} else if (event_long(e, 1) == 1) {
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

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
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
	else if (s->longest_ns > 1e9 || share > 0.1)
		summarize(j, "Loading classes took %s, %s of the recording; the longest, %s, took %s",
			  span_text(j, s->total_ns), percent_text(j, share),
			  text_at(j, s->longest), span_text(j, s->longest_ns));
	else if (s->revoked) {
		summarize(j, "Biased locking was given up for %llu classes, among them %s",
			  (unsigned long long)s->revoked, text_at(j, s->revoked_class));
		advise(j, "Use -XX:-UseBiasedLocking, or JDK 18 or later");
	} else
		summarize(j, "%llu classes were loaded in %s", (unsigned long long)s->loads,
			  span_text(j, s->total_ns));
	if (s->loads) {
		show_quantity(j, "time of loading", s->total_ns, JFREC_MEASURE_NS);
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
			    "for more than a second at once, or a tenth of all time, is info. Up to "
			    "JDK 17, so are classes for which biased locking was given up.",
		.measures = "loaded classes of one name",
		.unit = JFREC_MEASURE_NUMBER,
		.info = MANY,
		.warning = INFINITY,
		.advice = "Find out who loads it: class loaders that are never dropped "
			  "(class-loader-leak), or start-up without class data sharing (-Xshare)",
		.beware = "Both events are off in the JDK's settings.",
		.differs = "JDK Mission Control counts an event for each loader that asked its parent, "
			   "so it can blame java.lang.Object.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
