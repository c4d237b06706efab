/* SPDX-License-Identifier: MIT */
/*
 * metrics.c - compute metrics from the events of a JVM
 */
#include "metrics/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock_now.h"
#include "base/error.h"
#include "format/clock.h"

/* So that differences of numbers of slots are far from overflowing. */
#define MIN_WINDOW (RATE_SLOTS * INT64_C(1000000))

/* Labels --------------------------------------------------------------------------------------- */

/* name="value", and what follows it; NULL when memory is gone. */
static char *label_of(const char *name, const char *value, const char *behind)
{
	char *label = malloc(strlen(name) + 2 * strlen(value) + strlen(behind) + 4), *at = label;

	if (!label)
		return NULL;
	at = stpcpy(stpcpy(at, name), "=\"");
	for (; *value; value++) {
		if (*value == '"' || *value == '\\' || *value == '\n')
			*at++ = '\\';
		*at++ = *value == '\n' ? 'n' : *value;
	}
	*at++ = '"';
	strcpy(at, behind);
	return label;
}

/* Both, if there are both; takes what it gets. */
static char *join(char *a, char *b)
{
	char *both = a && b ? malloc(strlen(a) + strlen(b) + 1) : NULL;

	if (both)
		strcpy(stpcpy(both, a), b);
	free(a);
	free(b);
	return both;
}

struct jfrec_metrics *jfrec_metrics_new(const char *source, const char *name, int64_t window_ns,
					struct jfrec_error *err)
{
	struct jfrec_metrics *m = calloc(1, sizeof(*m));

	if (m)
		m->labels = join(source ? label_of("source", source, ",") : strdup(""),
				 name ? label_of("name", name, ",") : strdup(""));
	if (!m || !m->labels) {
		free(m);
		jfrec_fail_memory(err);
		return NULL;
	}
	m->window_ns = window_ns > MIN_WINDOW ? window_ns : MIN_WINDOW;
	m->slot_ns = m->window_ns / RATE_SLOTS;
	m->first_ns = INT64_MAX;
	m->last_ns = m->flushed_ns = INT64_MIN;
	return m;
}

void jfrec_metrics_free(struct jfrec_metrics *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->series_count; i++)
		free(m->series[i].label);
	for (size_t i = 0; i < m->event_count; i++) {
		free(m->events[i].name);
		free(m->events[i].label);
	}
	free(m->other.label);
	free(m->series);
	free(m->events);
	free(m->pauses);
	free(m->labels);
	free(m);
}

/* Windows -------------------------------------------------------------------------------------- */

static int64_t slot_of(const struct jfrec_metrics *m, int64_t ns)
{
	int64_t slot = ns / m->slot_ns;

	return ns % m->slot_ns < 0 ? slot - 1 : slot;
}

static double *slot_at(struct rate *r, int64_t slot)
{
	return &r->slots[(uint64_t)slot % RATE_SLOTS];
}

static void rate_add(const struct jfrec_metrics *m, struct rate *r, int64_t ns, double value)
{
	int64_t slot = slot_of(m, ns);

	if (slot - r->latest >= RATE_SLOTS) {
		memset(r->slots, 0, sizeof(r->slots));
		r->latest = slot;
	}
	while (r->latest < slot)
		*slot_at(r, ++r->latest) = 0;
	if (r->latest - slot < RATE_SLOTS)
		*slot_at(r, slot) += value;
}

double rate_sum(const struct jfrec_metrics *m, const struct rate *r)
{
	int64_t now = slot_of(m, m->last_ns);
	double sum = 0;

	for (int64_t slot = r->latest; slot > r->latest - RATE_SLOTS; slot--) {
		if (slot > now - RATE_SLOTS && slot <= now)
			sum += r->slots[(uint64_t)slot % RATE_SLOTS];
	}
	return sum;
}

double metrics_covered_s(const struct jfrec_metrics *m)
{
	double known = (double)m->last_ns - (double)m->first_ns, window = (double)m->window_ns;

	return fmax(1, fmin(known, window) / NS_PER_SECOND);
}

static void know(struct jfrec_metrics *m, int64_t ns)
{
	if (ns < m->first_ns)
		m->first_ns = ns;
	if (ns > m->last_ns)
		m->last_ns = ns;
}

/* Pauses --------------------------------------------------------------------------------------- */

/* A recording can say anything: at least 0, and what fits. */
static int64_t to_ns(double seconds)
{
	double ns = seconds * NS_PER_SECOND;

	if (!(ns > 0))
		return 0;
	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

static int add_pause(struct jfrec_metrics *m, int64_t end_ns, double seconds)
{
	if (!m->pauses && !(m->pauses = calloc(MAX_PAUSES, sizeof(*m->pauses))))
		return -1;
	m->pauses[m->pause_count++ % MAX_PAUSES] =
		(struct pause){ end_ns, to_ns(seconds) };
	m->pause_s += seconds;
	return 0;
}

static int compare_seconds(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double *metrics_pauses(const struct jfrec_metrics *m, size_t *count)
{
	size_t kept = m->pause_count < MAX_PAUSES ? (size_t)m->pause_count : MAX_PAUSES;
	double *seconds = kept ? malloc(kept * sizeof(*seconds)) : NULL;

	*count = 0;
	if (kept && !seconds)
		*count = 1;
	for (size_t i = 0; seconds && i < kept; i++) {
		if ((double)m->last_ns - (double)m->pauses[i].end_ns < (double)m->window_ns)
			seconds[(*count)++] = (double)m->pauses[i].ns / NS_PER_SECOND;
	}
	if (seconds)
		qsort(seconds, *count, sizeof(*seconds), compare_seconds);
	return seconds;
}

/* Series --------------------------------------------------------------------------------------- */

static int compare_series(const struct series *s, enum family_id family, const char *label)
{
	return s->family != family ? (s->family > family ? 1 : -1) : strcmp(s->label, label);
}

/* The series of that label, which is made if it is not there; NULL when memory is gone. */
static struct series *series_of(struct jfrec_metrics *m, enum family_id family, const char *label)
{
	struct series *more, made = { .family = family };
	size_t i = 0;

	while (i < m->series_count && compare_series(&m->series[i], family, label) < 0)
		i++;
	if (i < m->series_count && compare_series(&m->series[i], family, label) == 0)
		return &m->series[i];
	if (m->series_count == MAX_SERIES)
		return &m->beyond;
	more = reallocarray(m->series, m->series_count + 1, sizeof(*more));
	if (!more)
		return NULL;
	m->series = more;
	made.label = strdup(label);
	if (!made.label)
		return NULL;
	memmove(&more[i + 1], &more[i], (m->series_count++ - i) * sizeof(*more));
	more[i] = made;
	return &more[i];
}

/* Events --------------------------------------------------------------------------------------- */

/* Types that have no place of their own; NULL when memory is gone. */
static struct event_count *other_of(struct jfrec_metrics *m)
{
	if (!m->other.label)
		m->other.label = label_of("event", "other", "");
	m->other.name = m->other.label;
	return m->other.label ? &m->other : NULL;
}

static struct event_count *count_of(struct jfrec_metrics *m, const char *name)
{
	size_t from = 0, to = m->event_count;
	struct event_count *more, made = { 0 };

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = strcmp(m->events[middle].name, name);

		if (order == 0)
			return &m->events[middle];
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	/* A type of that very name would have the same label. */
	if ((m->event_count >= MAX_TYPES && !rules_of(name)) || strcmp(name, "other") == 0)
		return other_of(m);
	more = reallocarray(m->events, m->event_count + 1, sizeof(*more));
	if (!more)
		return NULL;
	m->events = more;
	made.name = strdup(name);
	made.label = label_of("event", name, "");
	if (!made.name || !made.label) {
		free(made.name);
		free(made.label);
		return NULL;
	}
	made.rules = rules_of(name);
	memmove(&more[from + 1], &more[from], (m->event_count++ - from) * sizeof(*more));
	more[from] = made;
	return &more[from];
}

/* Seconds, bytes, ratios; NAN if it says nothing. */
static double number_of(const struct jfrec_event *ev, const char *field)
{
	struct jfrec_value v;

	if (!field)
		return 1;
	v = jfrec_event_path(ev, field);
	switch (v.kind) {
	case JFREC_KIND_INT:
		return (double)v.i;
	case JFREC_KIND_UINT:
		return (double)v.u;
	case JFREC_KIND_FLOAT:
		return isfinite(v.d) ? v.d : NAN;
	case JFREC_KIND_SPAN:
		return v.i < 0 || v.i == INT64_MAX ? NAN : (double)v.i / NS_PER_SECOND;
	default:
		return NAN;
	}
}

/* Its label, to be freed; NULL when memory is gone. */
static char *label_of_rule(const struct rule *r, const struct jfrec_event *ev)
{
	struct jfrec_value v;
	const char *text;

	if (!r->label_field)
		return strdup(r->label ? r->label : "");
	v = jfrec_event_path(ev, r->label_field);
	text = jfrec_value_text(&v, NULL);
	return label_of(r->label, text ? text : "", "");
}

/* A sample stands for what was allocated since the last one; a TLAB's event for all of it. */
static bool is_counted_twice(struct jfrec_metrics *m, const char *event)
{
	if (strcmp(event, "jdk.ObjectAllocationSample") == 0)
		m->has_samples = true;
	else
		return m->has_samples;
	return false;
}

static int apply(struct jfrec_metrics *m, const struct rule *r, const struct jfrec_event *ev,
		 int64_t end_ns)
{
	double value = number_of(ev, r->field);
	struct series *s;
	char *label;

	if (isnan(value) || (r->family == ALLOCATED && is_counted_twice(m, r->event)))
		return 0;
	if (r->family == GC_PAUSE)
		return add_pause(m, end_ns, value);
	if (r->family == ALLOCATED)
		rate_add(m, &m->allocated, end_ns, value);
	label = label_of_rule(r, ev);
	s = label ? series_of(m, r->family, label) : NULL;
	free(label);
	if (s)
		s->value = r->how == ADD ? s->value + value : value;
	return s ? 0 : -1;
}

int jfrec_metrics_event(struct jfrec_metrics *m, const struct jfrec_event *ev,
			struct jfrec_error *err)
{
	int64_t end_ns = long_add(jfrec_event_start_ns(ev), jfrec_event_duration_ns(ev));
	struct event_count *c = count_of(m, jfrec_type_name(jfrec_event_type(ev)));

	if (!c)
		return jfrec_fail_memory(err);
	know(m, end_ns);
	c->total++;
	rate_add(m, &c->rate, end_ns, 1);
	for (const struct rule *r = c->rules; r && r->event && strcmp(r->event, c->name) == 0;
	     r++) {
		if (apply(m, r, ev, end_ns) < 0)
			return jfrec_fail_memory(err);
	}
	return 0;
}

void jfrec_metrics_flush(struct jfrec_metrics *m, int64_t ns)
{
	know(m, ns);
	m->flushed_ns = ns;
}
