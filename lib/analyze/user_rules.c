/* SPDX-License-Identifier: MIT */
/*
 * user_rules.c - judge by a rule that a user wrote: events in groups, each measured
 *
 * A group is made of a window of time and of what its events share. Memory is bounded: events that
 * would make more groups than MAX_GROUPS are only counted, and a percentile is that of buckets,
 * each 2 % wide, which keep the greatest value that fell into them.
 */
#include "analyze/user_rules.h"

#include <stdlib.h>

/* Of percentiles. */
#define MAX_BUCKETS  100000
#define BUCKET_WIDTH 0.0198 /* ln(1.02) */

struct state {
	const struct user_rule *rule;
	struct groups groups; /* window, window, part, part */
	struct groups buckets; /* group, bucket */
	struct idmap numbers;  /* a number to its text */
	char *misfit;	       /* what the event of this JVM lacks; or NULL */
	bool no_memory;
};

const size_t user_rule_state_size = sizeof(struct state);

void user_rule_init(void *state, const struct user_rule *rule)
{
	struct state *s = state;

	s->rule = rule;
	s->buckets.limit = MAX_BUCKETS;
}

void user_rule_fini(void *state)
{
	struct state *s = state;

	groups_fini(&s->groups);
	groups_fini(&s->buckets);
	idmap_fini(&s->numbers);
	free(s->misfit);
}

/* Chunks --------------------------------------------------------------------------------------- */

static bool note_misfit(struct state *s, const char *what)
{
	if (!s->misfit &&
	    asprintf(&s->misfit, "%s (%s, line %u)", what, s->rule->file, s->rule->line) < 0) {
		s->misfit = NULL;
		return false;
	}
	return true;
}

static bool note_lacking(struct state *s, const char *path)
{
	char what[300];

	snprintf(what, sizeof(what), "%.100s of this JVM has no field %.100s", s->rule->event, path);
	return note_misfit(s, what);
}

/* The fields that it cannot do without: are they there, and of the right kind? */
static bool check_fields(struct state *s, const struct listener *l)
{
	const struct user_rule *r = s->rule;
	char what[300];

	for (unsigned i = USER_RULE_FIRST_FIELD; r->inputs[0].fields[i]; i++) {
		if (l->getters[i].how == GET_NOTHING && !note_lacking(s, r->inputs[0].fields[i]))
			return false;
		if (r->field != r->inputs[0].fields[i] || !r->is_plain || s->misfit)
			continue;
		snprintf(what, sizeof(what), "%.100s of %.100s is %sa time span, its limits are not",
			 r->field, r->event, r->is_span ? "not " : "");
		if (r->is_span)
			snprintf(what, sizeof(what),
				 "%.100s of %.100s is not a time span, as its limits are", r->field,
				 r->event);
		if ((l->getters[i].how == GET_SPAN) != r->is_span && !note_misfit(s, what))
			return false;
	}
	return true;
}

bool user_rule_listen(const struct user_rule *rule, struct chunk_view *v, size_t who)
{
	return chunk_view_listen(v, &rule->inputs[0], 0, user_rule_take, who, false);
}

static void take_nothing(void *state, const struct event *e)
{
	(void)state;
	(void)e;
}

bool user_rule_enter(void *state, struct chunk_view *v, size_t who, struct where *where,
		     const struct recording *recording)
{
	struct state *s = state;
	const struct jfrec_type *t = view_type_named(v->chunk->metadata, s->rule->event);
	struct listener *l = t ? chunk_view_listener(v, t, who) : NULL;
	struct jfrec_error err;

	if (!l)
		return true;
	if (where && where_enter_type(where, v->chunk, recording, t, &err) < 0) {
		l->take = take_nothing;
		return err.code != JFREC_ENOMEM && note_misfit(s, err.text);
	}
	l->where = where;
	return check_fields(s, l);
}

/* Events --------------------------------------------------------------------------------------- */

/* The text of a number, of which there are no more than groups. */
static uint32_t number_text(struct state *s, const struct event *e, int64_t n)
{
	uint32_t known = idmap_get(&s->numbers, (uint64_t)n);
	char text[24];

	if (known != IDMAP_NONE)
		return known;
	if (s->numbers.count >= MAX_GROUPS)
		return 0;
	snprintf(text, sizeof(text), "%lld", (long long)n);
	known = event_put_text(e, text);
	if (!idmap_put(&s->numbers, (uint64_t)n, known))
		event_no_memory(e);
	return known;
}

static uint32_t field_key(struct state *s, const struct event *e, unsigned field)
{
	const struct getter *g = &e->listener->getters[field];
	uint32_t text;
	int64_t n;

	if (g->how == GET_STACK)
		return event_top_own(e, event_stack(e, field));
	text = event_text(e, field);
	if (text)
		return text;
	n = event_long(e, field);
	if (n == NO_NUMBER)
		return 0;
	if (g->wire == WIRE_BOOLEAN)
		return event_put_text(e, n ? "true" : "false");
	return number_text(s, e, n);
}

static uint32_t part_key(struct state *s, const struct event *e, const struct user_rule_part *p,
			 unsigned field)
{
	if (p->path)
		return field_key(s, e, field);
	return p->is_thread ? event_thread(e, USER_RULE_THREAD_FIELD)
			    : event_top_own(e, event_stack(e, USER_RULE_STACK_FIELD));
}

static void key_of(struct state *s, const struct event *e, uint32_t key[4])
{
	const struct user_rule *r = s->rule;
	unsigned field = USER_RULE_FIRST_FIELD;
	int64_t window;

	if (r->window_ns) {
		window = e->start_ns / r->window_ns - (e->start_ns % r->window_ns < 0);
		key[0] = (uint32_t)((uint64_t)window >> 32);
		key[1] = (uint32_t)window;
	}
	for (unsigned i = 0; i < r->part_count; i++) {
		key[2 + i] = part_key(s, e, &r->parts[i], field);
		field += r->parts[i].path != NULL;
	}
}

/* What is measured of the event; NAN: it has no such value. */
static double value_of(const struct user_rule *r, const struct event *e)
{
	unsigned field = USER_RULE_FIRST_FIELD;
	double v;

	if (!r->field)
		return (double)event_duration(e);
	while (r->inputs[0].fields[field] != r->field)
		field++;
	v = event_number(e, field);
	/* A time without end cannot be added to others. */
	return r->is_span && v >= 9.2e18 ? NAN : v;
}

/* Equal or near values have the same bucket; those below zero have the high ones. */
static uint32_t bucket_of(double v)
{
	double size = v == 0 ? 0 : 100000 + floor(log(fabs(v)) / BUCKET_WIDTH);

	return v < 0 ? UINT32_MAX - (uint32_t)size : (uint32_t)size;
}

void user_rule_take(void *state, const struct event *e)
{
	struct state *s = state;
	double v = value_of(s->rule, e);
	uint32_t key[4] = { 0 };
	struct group *g;
	bool is_most;

	if (s->misfit || isnan(v))
		return;
	key_of(s, e, key);
	g = groups_add(&s->groups, e, key, v, &is_most);
	if (!g)
		return;
	if (is_most) {
		g->most_stack = event_stack(e, USER_RULE_STACK_FIELD);
		g->most_thread = event_thread(e, USER_RULE_THREAD_FIELD);
	}
	if (s->rule->how == USER_RULE_PERCENTILE)
		groups_add(&s->buckets, e,
			   (uint32_t[4]){ (uint32_t)(g - s->groups.list), bucket_of(v) }, v, NULL);
}

/* Measures ------------------------------------------------------------------------------------- */

/* A group with its measure. */
struct measured {
	const struct group *group;
	double value;
};

struct bucket {
	uint32_t group;
	double most;
	uint64_t count;
};

static int compare_buckets(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->most > y->most) - (x->most < y->most);
}

/* The least value that so many per cent of a group's values do not exceed, for each group. */
static bool measure_percentiles(const struct state *s, struct measured *list)
{
	size_t n = s->buckets.count;
	struct bucket *all = malloc((n + 1) * sizeof(*all));

	if (!all)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct group *b = &s->buckets.list[i];

		all[i] = (struct bucket){ b->key[0], b->most, b->count };
	}
	qsort(all, n, sizeof(*all), compare_buckets);
	for (size_t i = 0; i < n;) {
		uint32_t group = all[i].group;
		uint64_t count = 0, seen = 0;
		size_t end = i;
		double rank;

		for (; end < n && all[end].group == group; end++)
			count += all[end].count;
		rank = ceil((double)count * s->rule->percentile / 100);
		for (; i < end && (double)seen < rank; i++) {
			seen += all[i].count;
			list[group].value = all[i].most;
		}
		i = end;
	}
	free(all);
	return true;
}

static double measure(const struct user_rule *r, struct judging *j, const struct group *g)
{
	double ns = (double)(r->window_ns ? window_ns(j, r->window_ns) : recorded_ns(j));

	switch (r->how) {
	case USER_RULE_COUNT:
		return (double)g->count;
	case USER_RULE_RATE:
		if (r->is_span)
			return g->sum / ns;
		return (r->field ? g->sum : (double)g->count) / (ns / 1e9);
	case USER_RULE_MEAN:
		return g->sum / (double)g->count;
	case USER_RULE_MAX:
		return g->most;
	default:
		return g->sum;
	}
}

/* All groups with their measures; NULL: memory is gone, which the analysis knows. */
static struct measured *measure_all(const struct state *s, struct judging *j)
{
	struct measured *list = judging_memory(j, (s->groups.count + 1) * sizeof(*list));

	if (!list)
		return NULL;
	for (uint32_t i = 0; i < s->groups.count; i++)
		list[i] = (struct measured){ &s->groups.list[i],
					     measure(s->rule, j, &s->groups.list[i]) };
	if (s->rule->how == USER_RULE_PERCENTILE && !measure_percentiles(s, list)) {
		j->analysis->names.no_memory = true;
		return NULL;
	}
	return list;
}

/* Names ---------------------------------------------------------------------------------------- */

static const char *part_text(struct judging *j, const struct user_rule_part *p, uint32_t key)
{
	return p->is_thread && key ? thread_of(j, key).name : text_at(j, key);
}

/* The worst first; of equal ones the earliest, then by name: never by the order of events. */
static bool is_worse(struct judging *j, const struct user_rule *r, const struct measured *a,
		     const struct measured *b)
{
	if (a->value != b->value)
		return a->value > b->value;
	if (a->group->first_ns != b->group->first_ns)
		return a->group->first_ns < b->group->first_ns;
	for (unsigned i = 0; i < r->part_count; i++) {
		int order = strcmp(part_text(j, &r->parts[i], a->group->key[2 + i]),
				   part_text(j, &r->parts[i], b->group->key[2 + i]));

		if (order)
			return order < 0;
	}
	return false;
}

/* The worst of them to the front, so many of them. */
static void put_worst_first(struct judging *j, const struct user_rule *r, struct measured *list,
			    uint32_t count, uint32_t wanted)
{
	for (uint32_t i = 0; i < count && i < wanted; i++) {
		uint32_t worst = i;
		struct measured m;

		for (uint32_t k = i + 1; k < count; k++) {
			if (is_worse(j, r, &list[k], &list[worst]))
				worst = k;
		}
		m = list[i];
		list[i] = list[worst];
		list[worst] = m;
	}
}

static int64_t window_start(const struct user_rule *r, const struct group *g)
{
	int64_t n = (int64_t)((uint64_t)g->key[0] << 32 | g->key[1]), ns;

	return __builtin_mul_overflow(n, r->window_ns, &ns) ? g->first_ns : ns;
}

/* " in the minute from 10:04:00, host db" */
static const char *group_text(struct judging *j, const struct user_rule *r, const struct group *g)
{
	const char *text = "";

	if (r->window_ns)
		text = textf(j, " in the %s from %s",
			     r->window_ns == INT64_C(60000000000) ? "minute"
			     : r->window_ns == INT64_C(3600000000000)
				     ? "hour"
				     : span_text(j, (double)r->window_ns),
			     time_text(j, window_start(r, g)));
	for (unsigned i = 0; i < r->part_count; i++) {
		const char *value = part_text(j, &r->parts[i], g->key[2 + i]);

		text = textf(j, "%s, %s %s", text, r->parts[i].name, *value ? value : "not known");
	}
	return text;
}

/* "12 jdk.SocketRead events", "the sum of bytesRead of jdk.SocketRead events is 12 MB" */
static const char *measure_words(struct judging *j, const struct user_rule *r, double v)
{
	const char *value = unit_text(j, v, r->rule.info.unit);
	const char *the = r->summary ? "the" : "The"; /* after the rule's own words */

	switch (r->how) {
	case USER_RULE_COUNT:
		return textf(j, "%s %s event%s", value, r->event, plural(v));
	case USER_RULE_RATE:
		if (!r->field)
			return textf(j, "%s %s events per second", count_text(j, v), r->event);
		return r->is_span ? textf(j, "%s of %s events makes up %s of the time", r->field,
					  r->event, value)
				  : textf(j, "%s of %s events adds up to %s", r->field, r->event,
					  value);
	case USER_RULE_SUM:
		return textf(j, "%s sum of %s of %s events is %s", the, r->field, r->event, value);
	case USER_RULE_MEAN:
		return textf(j, "%s mean of %s of %s events is %s", the, r->field, r->event, value);
	case USER_RULE_MAX:
		return textf(j, "%s greatest %s of %s events is %s", the, r->field, r->event, value);
	default:
		return textf(j, "%g %% of %s events have a %s of at most %s", r->percentile, r->event,
			     r->field, value);
	}
}

static void tell(struct judging *j, const struct user_rule *r, const struct measured *m)
{
	const char *lead = is_found(j) && r->summary ? textf(j, "%s: ", r->summary) : "";

	summarize(j, "%s%s%s %s", lead, measure_words(j, r, m->value), group_text(j, r, m->group),
		  limit_text(j));
}

/* Evidence ------------------------------------------------------------------------------------- */

/* What of the expression says which group it is; NULL: it cannot be said. */
static const char *part_condition(struct judging *j, const struct user_rule_part *p, uint32_t key)
{
	const char *text = part_text(j, p, key), *path = p->path ? p->path : "thread";

	if (!*text || strpbrk(text, "\"'") || strlen(text) > 500 || (!p->path && !p->is_thread))
		return NULL;
	/* A thread without a name is shown by its number. */
	if (p->is_thread && text[0] == '#')
		return NULL;
	return textf(j, "%s = \"%s\"", path, text);
}

static void show_command_of(struct judging *j, const struct user_rule *r, const struct group *g)
{
	const char *where = r->where ? textf(j, r->part_count ? "(%s)" : "%s", r->where) : NULL;
	int64_t from = g->first_ns, to = g->last_ns;

	for (unsigned i = 0; i < r->part_count; i++) {
		const char *condition = part_condition(j, &r->parts[i], g->key[2 + i]);

		if (condition)
			where = where ? textf(j, "%s and %s", where, condition) : condition;
	}
	show_events(j, r->event, r->window_ns ? from : INT64_MAX, to, where);
}

static void show_others(struct judging *j, const struct user_rule *r, const struct measured *list,
			uint32_t count)
{
	uint32_t reached = 0;

	for (uint32_t i = 0; i < count; i++)
		reached += list[i].value >= fmin(j->info, j->warning);
	if (reached > 1)
		show_note(j, "%u of %u reach the limit", reached, count);
	for (uint32_t i = 1; i < count && i < 3 && i < reached; i++)
		show_note(j, "next: %s%s", unit_text(j, list[i].value, r->rule.info.unit),
			  group_text(j, r, list[i].group));
}

static void show(struct judging *j, const struct state *s, const struct measured *list)
{
	const struct user_rule *r = s->rule;
	const struct group *g = list[0].group;

	if (r->window_ns)
		show_range(j, "worst", g->first_ns, g->last_ns);
	if (r->how != USER_RULE_COUNT)
		show_quantity(j, "events", (double)g->count, JFREC_UNIT_NONE);
	show_others(j, r, list, s->groups.count);
	show_thread(j, r->field || g->most > 0 ? "thread of the greatest" : "thread of the first",
		    g->most_thread, NAN);
	show_stack(j, r->field || g->most > 0 ? "the greatest" : "the first", g->most_stack, NAN);
	show_command_of(j, r, g);
}

/* What the JVM did not record of these events. */
static void doubt_settings(struct judging *j, const struct user_rule *r)
{
	const char *throttle = type_setting(j, r->event, SETTING_THROTTLE);
	int64_t threshold = type_threshold_ns(j, r->event);
	bool is_duration = r->field && strcmp(r->field, "duration") == 0;

	if (throttle && strchr(throttle, '/') && strcmp(r->event, "jdk.ObjectAllocationSample") != 0 &&
	    (r->how == USER_RULE_COUNT || r->how == USER_RULE_RATE || r->how == USER_RULE_SUM))
		doubt(j, "at most %s of these events are recorded: there may be more", throttle);
	if (threshold > 0 && is_duration &&
	    (r->how == USER_RULE_MEAN || r->how == USER_RULE_PERCENTILE))
		doubt(j, "only those of at least %s are recorded", span_text(j, (double)threshold));
}

static void judge_none(struct judging *j, const struct user_rule *r)
{
	bool is_longest = r->how == USER_RULE_MAX || r->how == USER_RULE_PERCENTILE;

	if (is_longest && r->field && strcmp(r->field, "duration") == 0 &&
	    hidden_by_threshold(j, r->event, fmin(j->info, j->warning)))
		return;
	judge_by(j, 0);
	summarize(j, "No %s event%s", r->event, r->where ? " fits the expression" : " was recorded");
}

void user_rule_judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct user_rule *r = s->rule;
	struct measured *list;

	if (s->misfit) {
		not_for_this_jvm(j, "%s", s->misfit);
		return;
	}
	if (!s->groups.count) {
		judge_none(j, r);
		return;
	}
	list = measure_all(s, j);
	if (!list)
		return;
	put_worst_first(j, r, list, s->groups.count, 3);
	judge_by(j, list[0].value);
	tell(j, r, &list[0]);
	if (!is_found(j))
		return;
	show(j, s, list);
	doubt_settings(j, r);
	if (s->groups.others)
		doubt(j, "%s events were of more than %d groups and are in none",
		      count_text(j, (double)s->groups.others), MAX_GROUPS);
	if (s->buckets.others)
		doubt(j, "the values are of more than %d sizes: the percentiles leave out %s of them",
		      MAX_BUCKETS, count_text(j, (double)s->buckets.others));
}
