/* SPDX-License-Identifier: MIT */
/*
 * exceptions.c - is something failing, or are exceptions used to get about?
 */
#include <stdlib.h>

#include "analyze/rules.h"

#define MINUTE_NS INT64_C(60000000000)

static const char *const jmc[] = { "Exceptions", "Errors", NULL };

enum { STATISTICS, ERROR, EXCEPTION, CLASSES, ALLOCATION, OTHERS };
enum { CLASS, STACK, THREAD };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.ExceptionStatistics", PERIODIC, "throwables"),
	READS_EITHER(1, "jdk.JavaErrorThrow", OCCURS, "thrownClass", "stackTrace", "eventThread"),
	READS("jdk.JavaExceptionThrow", HELPS, "thrownClass", "stackTrace", "eventThread"),
	READS("jdk.ClassLoadingStatistics", HELPS),
	READS("jdk.ObjectAllocationSample", HELPS, "objectClass", "stackTrace"),
	READS_OTHERS("jdk.JavaExceptionThrow", HELPS, "thrownClass", "stackTrace", "eventThread"),
	{ 0 },
};

struct state {
	struct series throwables;
	struct spans errors;  /* what the class, thread the stack */
	struct groups sites;  /* class, method */
	struct groups classes;
	struct groups others; /* class, method: of another profiler's samples of exceptions */
	struct groups filled; /* class, method: samples of what their stack traces allocate */
};

/* "app.NotFound" of "app.NotFound.<init>"; 0: it is not a constructor. */
static uint32_t class_made(const struct event *e, const char *method)
{
	size_t len = strlen(method), n = strlen(".<init>");
	char name[256];

	if (len <= n || strcmp(method + len - n, ".<init>") != 0)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(len - n < sizeof(name) ? len - n : sizeof(name) - 1),
		 method);
	return event_put_text(e, name);
}

/*
 * Until JDK 22 throws can only all be recorded, and so are not. But each exception allocates its
 * stack trace, in fillInStackTrace(), below which are its constructors and who makes it.
 */
static void take_allocation(struct state *s, const struct event *e)
{
	uint32_t stack = event_stack(e, STACK), class = 0, method = 0;
	struct group *g;
	bool is_most;

	if (strncmp(event_text_of(e, event_top_method(e, stack)), "java.lang.Throwable.fillInStackTrace",
		    36) != 0)
		return;
	for (size_t i = 1; i < event_stack_depth(e, stack); i++) {
		const char *name = event_text_of(e, event_method(e, stack, i));
		uint32_t made = class_made(e, name);

		class = made ? made : class;
		method = event_method(e, stack, i);
		if (!made && strncmp(name, "java.lang.Throwable.", 20) != 0 && !is_jdk_method(name))
			break;
	}
	if (!class)
		return;
	g = groups_add(&s->filled, e, (uint32_t[4]){ class, method }, 1, &is_most);
	if (g && is_most)
		g->most_stack = stack;
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t class, stack;
	struct group *g;
	bool is_most;

	if (e->input == STATISTICS) {
		series_add(&s->throwables, e, e->start_ns, event_number(e, 0));
		return;
	}
	if (e->input == ALLOCATION) {
		take_allocation(s, e);
		return;
	}
	class = event_text(e, CLASS);
	stack = event_stack(e, STACK);
	if (e->input == OTHERS) {
		g = groups_add(&s->others, e, (uint32_t[4]){ class, event_top_own(e, stack) }, 1,
			       &is_most);
		if (g && is_most)
			g->most_stack = stack;
		return;
	}
	if (e->input == ERROR)
		spans_add(&s->errors, e,
			  (struct span_of){ e->start_ns, e->end_ns, 0, class, stack });
	g = groups_add(&s->sites, e, (uint32_t[4]){ class, event_top_own(e, stack) }, 1, &is_most);
	if (g && is_most)
		g->most_stack = stack;
	groups_add(&s->classes, e, (uint32_t[4]){ class }, 1, NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	series_fini(&s->throwables);
	spans_fini(&s->errors);
	groups_fini(&s->sites);
	groups_fini(&s->classes);
	groups_fini(&s->others);
	groups_fini(&s->filled);
}

/* Rates ---------------------------------------------------------------------------------------- */

/* Errors, which are in the order of their times, before a time. */
static size_t errors_until(const struct spans *errors, int64_t to_ns)
{
	size_t low = 0, high = errors->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (errors->list[middle].start_ns < to_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Errors made between two times: each counts twice in the statistics. */
static double errors_between(const struct spans *errors, int64_t from_ns, int64_t to_ns)
{
	return (double)(errors_until(errors, to_ns) - errors_until(errors, from_ns));
}

/* The counter is of all time since Flight Recorder began; a drop is another beginning. */
static struct cluster densest_rate(const struct series *s, const struct spans *errors)
{
	size_t count = 0;
	struct cluster *list = calloc(s->count + 1, sizeof(*list)), best;

	for (size_t i = 1; list && i < s->count; i++) {
		double made = s->list[i].value - s->list[i - 1].value;

		if (made < 0 || s->list[i].at_ns <= s->list[i - 1].at_ns)
			continue;
		if (errors->count < 10000)
			made -= errors_between(errors, s->list[i - 1].at_ns, s->list[i].at_ns);
		list[count++] = (struct cluster){ .start = (double)s->list[i - 1].at_ns,
						  .end = (double)s->list[i].at_ns,
						  .mass = fmax(0, made),
						  .parts = 1 };
	}
	best = cluster_densest(list, list ? count : 0);
	free(list);
	return best;
}

/* Errors --------------------------------------------------------------------------------------- */

/* The JDK itself and libraries that probe make these; nothing is wrong. */
static bool is_harmless(const struct judging *j, const struct span_of *error)
{
	const char *class = text_at(j, error->what);
	size_t len = strlen(class), n = strlen("$LookaheadSuccess");

	if (len > n && strcmp(class + len - n, "$LookaheadSuccess") == 0)
		return true;
	return stack_has(j, error->thread, "java.lang.invoke.") ||
	       stack_has(j, error->thread, "java.lang.System.loadLibrary") ||
	       stack_has(j, error->thread, "java.lang.Runtime.loadLibrary");
}

static bool is_linking(const char *class)
{
	static const char *const names[] = { "java.lang.LinkageError", "java.lang.NoClassDefFoundError",
					     "java.lang.ExceptionInInitializerError" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(class, names[i]) == 0)
			return true;
	}
	return false;
}

struct errors {
	size_t counted, linking, worst; /* of a minute */
	int64_t worst_ns;
	const struct span_of *first_linking;
};

static struct errors count_errors(const struct judging *j, const struct spans *all)
{
	int64_t warm = j->facts->warm_ns;
	struct errors n = { 0 };
	size_t from = 0, in_window = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct span_of *e = &all->list[i];

		if (is_harmless(j, e))
			continue;
		n.counted++;
		in_window++;
		while (all->list[from].start_ns < e->start_ns - MINUTE_NS) {
			in_window -= !is_harmless(j, &all->list[from]);
			from++;
		}
		if (in_window > n.worst) {
			n.worst = in_window;
			n.worst_ns = all->list[from].start_ns;
		}
		if (warm != NO_NUMBER && e->start_ns >= warm && is_linking(text_at(j, e->what))) {
			n.linking++;
			if (!n.first_linking)
				n.first_linking = e;
		}
	}
	return n;
}

/* Judging -------------------------------------------------------------------------------------- */

/* Where they are made: by the events of throws, or else by samples, or by what they allocate. */
static const struct groups *places_of(const struct state *s)
{
	return s->sites.count ? &s->sites : s->others.count ? &s->others : &s->filled;
}

static void show_sites(struct judging *j, const struct state *s)
{
	const struct groups *places = places_of(s);
	double all = (double)groups_count(places);

	for (uint32_t i = 0; i < places->count && i < 3; i++) {
		const struct group *g = &places->list[i];
		size_t app = stack_first_app(j, g->most_stack, 0);

		show_name(j, JFREC_EVIDENCE_CLASS,
			  places == &s->sites	 ? "thrown"
			  : places == &s->others ? "made, of another profiler's samples"
						 : "made, of samples of what they allocate",
			  text_at(j, g->key[0]), g->sum / all);
		show_stack(j, "made", g->most_stack, NAN);
		if (is_library_method(text_at(j, g->key[1])) && app != SIZE_MAX)
			show_name(j, JFREC_EVIDENCE_METHOD, "asked for by",
				  stack_method(j, g->most_stack, app), NAN);
	}
	if (s->sites.count || s->others.count)
		show_command(j, "flame --profile exceptions");
	else if (s->filled.count)
		show_command(j, "flame --profile alloc --include 'java.lang.Throwable.fillInStackTrace*'");
}

/* ", most in app.Orders.parse"; "" */
static const char *where_most(struct judging *j, const struct state *s)
{
	const struct groups *places = places_of(s);

	if (!places->count || places->list[0].sum < 0.5 * (double)groups_count(places))
		return "";
	return textf(j, ", most in %s", text_at(j, places->list[0].key[1]));
}

static void tell_errors(struct judging *j, const struct errors *n)
{
	if (n->linking) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		summarize(j, "%zu error%s of linking after start-up, the first %s at %s", n->linking,
			  plural((double)n->linking), text_at(j, n->first_linking->what),
			  time_text(j, n->first_linking->start_ns));
		show_stack(j, "first", n->first_linking->thread, NAN);
		advise(j, "A class or one of its parts is missing: compare the class path with what "
			  "was built");
	} else if (n->worst >= 30) {
		judge_at_least(j, n->worst >= 60 ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
		summarize(j, "%zu errors were made in the minute from %s (limit 30)", n->worst,
			  time_text(j, n->worst_ns));
	}
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	struct cluster c;
	struct errors n;
	double rate, top;

	series_sort(&s->throwables);
	spans_sort(&s->errors);
	groups_sort(&s->sites);
	groups_sort(&s->others);
	groups_sort(&s->filled);
	c = densest_rate(&s->throwables, &s->errors);
	rate = c.end > c.start ? c.mass / ((c.end - c.start) / 1e9) : 0;
	top = s->sites.count ? s->sites.list[0].sum / (double)groups_count(&s->sites) : 0;
	n = count_errors(j, &s->errors);
	judge_by(j, rate);
	summarize(j, "%s exceptions are made per second, at most, from %s on%s %s", count_text(j, rate),
		  time_text(j, c.end > c.start ? (int64_t)c.start : j->facts->start_ns),
		  is_found(j) ? where_most(j, s) : "", limit_text(j));
	if (rate >= 500 && top >= 0.9 && !is_found(j)) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "One place makes %s of %s exceptions per second",
			  percent_text(j, top), count_text(j, rate));
	}
	if (is_found(j))
		show_range(j, "when", (int64_t)c.start, (int64_t)c.end);
	if (!is_found(j) || n.linking)
		tell_errors(j, &n);
	if (is_found(j) || s->sites.count)
		show_sites(j, s);
	if (is_found(j) && !places_of(s)->count)
		advise(j, "Record with `jfrec start --settings exceptions` to see which exceptions, and "
			  "where they are made");
}

const struct rule rule_exceptions = {
	.info = {
		.id = "exceptions",
		.jmc = jmc,
		.question = "Is something failing, or are exceptions used in place of a result?",
		.matters = "Making an exception costs as much as hundreds of calls. Many of "
			   "them slow a program down, and often hide that something fails all "
			   "the time.",
		.computes = "Counts exceptions (jdk.ExceptionStatistics) in the time in which most are "
			    "made. 500 per second are info if one place makes 90 % of them. Thirty "
			    "errors in a minute (jdk.JavaErrorThrow) are info, sixty a warning; one "
			    "class that cannot be linked after start-up is a warning. Where throws are "
			    "not recorded, samples of what stack traces allocate tell where exceptions "
			    "are made.",
		.measures = "exceptions per second",
		.unit = JFREC_UNIT_HERTZ,
		.info = 5000,
		.warning = 10000,
		.advice = "Return a value where an exception is the usual case; where it is not, fix "
			  "what fails",
		.beware = "Exceptions count when they are made, thrown or not. Errors that the JVM "
			  "itself throws, StackOverflowError and OutOfMemoryError, leave no event.",
		.differs = "JDK Mission Control counts each error twice, and errors with which the JDK "
			   "and libraries probe at start-up.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
