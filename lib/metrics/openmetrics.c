/* SPDX-License-Identifier: MIT */
/*
 * openmetrics.c - write metrics in the OpenMetrics 1.0 format
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/out.h"
#include "metrics/metrics.h"

/* OpenMetrics counts the longest as a quantile, too. */
static const struct {
	double share;
	const char *label;
} quantiles[] = {
	{ 0.5, "quantile=\"0.5\"" },
	{ 0.9, "quantile=\"0.9\"" },
	{ 0.99, "quantile=\"0.99\"" },
	{ 1, "quantile=\"1.0\"" },
};

static void put_text(struct out *o, const char *text)
{
	out_put(o, text, strlen(text));
}

/* To the nanosecond, without zeros at the end. */
static void put_double(struct out *o, double v)
{
	char text[NUMBER_MAX], *end;

	if (!isfinite(v)) {
		put_text(o, v > 0 ? "+Inf" : v < 0 ? "-Inf" : "NaN");
		return;
	}
	end = put_java_fixed(text, v, 9);
	while (end[-1] == '0')
		end--;
	if (end[-1] == '.')
		end--;
	out_put(o, text, (size_t)(end - text));
}

/* {source="4711",name="shop.jar",label} */
static void put_labels(struct out *o, const struct jfrec_metrics *m, const char *label)
{
	size_t len = strlen(m->labels);

	if (!len && !*label)
		return;
	out_char(o, '{');
	out_put(o, m->labels, len && !*label ? len - 1 : len);
	put_text(o, label);
	out_char(o, '}');
}

static void put_name(struct out *o, enum family_id id, const char *ending)
{
	put_text(o, families[id].name);
	put_text(o, ending);
}

static void put_sample(struct out *o, const struct jfrec_metrics *m, enum family_id id,
		       const char *label, double value)
{
	put_name(o, id, families[id].kind == COUNTER ? "_total" : "");
	put_labels(o, m, label);
	out_char(o, ' ');
	put_double(o, value);
	out_char(o, '\n');
}

static int put_pauses(struct out *o, const struct jfrec_metrics *m)
{
	size_t count;
	double *pauses = metrics_pauses(m, &count);

	if (!pauses)
		return count ? -1 : 0;
	for (size_t i = 0; count && i < sizeof(quantiles) / sizeof(*quantiles); i++) {
		size_t rank = (size_t)ceil(quantiles[i].share * (double)count);

		put_sample(o, m, GC_PAUSE, quantiles[i].label, pauses[rank - 1]);
	}
	free(pauses);
	put_name(o, GC_PAUSE, "_count");
	put_labels(o, m, "");
	out_char(o, ' ');
	put_double(o, (double)m->pause_count);
	out_char(o, '\n');
	put_name(o, GC_PAUSE, "_sum");
	put_labels(o, m, "");
	out_char(o, ' ');
	put_double(o, m->pause_s);
	out_char(o, '\n');
	return 0;
}

static void put_event(struct out *o, const struct jfrec_metrics *m, enum family_id id,
		      const struct event_count *c)
{
	put_sample(o, m, id, c->label,
		   id == EVENTS ? (double)c->total
				: rate_sum(m, &c->rate) / metrics_covered_s(m));
}

static void put_events(struct out *o, const struct jfrec_metrics *m, enum family_id id)
{
	for (size_t i = 0; i < m->event_count; i++)
		put_event(o, m, id, &m->events[i]);
	if (m->other.label)
		put_event(o, m, id, &m->other);
}

static void put_series(struct out *o, const struct jfrec_metrics *m, enum family_id id)
{
	for (size_t i = 0; i < m->series_count; i++) {
		const struct series *s = &m->series[i];

		if (s->family == id)
			put_sample(o, m, id, s->label, s->value);
	}
}

static bool has_series(const struct jfrec_metrics *m, enum family_id id)
{
	for (size_t i = 0; i < m->series_count; i++) {
		if (m->series[i].family == id)
			return true;
	}
	return false;
}

static bool has_samples(const struct jfrec_metrics *m, enum family_id id)
{
	switch (id) {
	case GC_PAUSE:
		return m->pause_count > 0;
	case ALLOCATION_RATE:
		return has_series(m, ALLOCATED);
	case EVENTS:
	case EVENT_RATE:
		return m->event_count > 0;
	case LAST_FLUSH:
		return m->flushed_ns != INT64_MIN;
	default:
		return has_series(m, id);
	}
}

static int put_samples(struct out *o, const struct jfrec_metrics *m, enum family_id id)
{
	if (!has_samples(m, id))
		return 0;
	switch (id) {
	case GC_PAUSE:
		return put_pauses(o, m);
	case ALLOCATION_RATE:
		put_sample(o, m, id, "", rate_sum(m, &m->allocated) / metrics_covered_s(m));
		return 0;
	case EVENTS:
	case EVENT_RATE:
		put_events(o, m, id);
		return 0;
	case LAST_FLUSH:
		put_sample(o, m, id, "", (double)(m->flushed_ns / 1000000) / 1000);
		return 0;
	default:
		put_series(o, m, id);
		return 0;
	}
}

static void put_comment(struct out *o, const char *what, const char *name, const char *text)
{
	put_text(o, what);
	put_text(o, name);
	out_char(o, ' ');
	put_text(o, text);
	out_char(o, '\n');
}

static int put_family(struct out *o, const struct jfrec_metrics *const *all, size_t count,
		      enum family_id id)
{
	static const char *const kinds[] = { "gauge", "counter", "summary" };
	const struct family *f = &families[id];
	bool is_there = false;

	for (size_t i = 0; i < count && !is_there; i++)
		is_there = has_samples(all[i], id);
	if (!is_there)
		return 0;
	put_comment(o, "# TYPE ", f->name, kinds[f->kind]);
	if (f->unit)
		put_comment(o, "# UNIT ", f->name, f->unit);
	put_comment(o, "# HELP ", f->name, f->help);
	for (size_t i = 0; i < count; i++) {
		if (put_samples(o, all[i], id) < 0)
			return -1;
	}
	return 0;
}

int jfrec_metrics_print(const struct jfrec_metrics *const *all, size_t count, jfrec_write_fn *write,
			void *ctx, struct jfrec_error *err)
{
	struct out o;
	int ret = 0;

	if (out_init(&o, write, ctx, err) < 0)
		return -1;
	for (int id = 0; id < FAMILY_COUNT && ret == 0; id++)
		ret = put_family(&o, all, count, (enum family_id)id);
	OUT_STR(&o, "# EOF\n");
	out_flush(&o);
	if (ret < 0)
		jfrec_fail_memory(err);
	else if (o.error)
		ret = out_fail(&o, err);
	out_fini(&o);
	return ret;
}
