/* SPDX-License-Identifier: MIT */
/*
 * document.c - the report as JSON: jfrec-report(5)
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/write_json.h"
#include "page/json_out.h"
#include "report/pauses.h"
#include "report/timeline.h"
#include "stacks/methods.h"

/* Methods of a profile. */
#define MOST_METHODS 20

/* A document that is being written. */
struct document_out {
	struct jfrec_report *report;
	struct out *out;
	bool has_any; /* in the object or list at hand */
};

/* Pieces --------------------------------------------------------------------------------------- */

static void put(struct document_out *d, const char *json)
{
	json_put(d->out, json);
}

/* A comma, if something is before it. */
static void next(struct document_out *d)
{
	json_put_comma(d->out, &d->has_any);
}

static void key(struct document_out *d, const char *name)
{
	next(d);
	json_put_string(d->out, name);
	out_char(d->out, ':');
}

static void begin(struct document_out *d, char bracket)
{
	out_char(d->out, bracket);
	d->has_any = false;
}

static void end(struct document_out *d, char bracket)
{
	out_char(d->out, bracket);
	d->has_any = true;
}

static void put_integer(struct document_out *d, const char *name, int64_t v)
{
	key(d, name);
	json_put_integer(d->out, v);
}

static void put_real_value(struct document_out *d, double v)
{
	char text[40];

	if (!isfinite(v))
		strcpy(text, "null");
	else if (v == floor(v) && fabs(v) < 9e15)
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)v);
	else
		snprintf(text, sizeof(text), "%.15g", v);
	put(d, text);
}

static void put_real(struct document_out *d, const char *name, double v)
{
	if (isnan(v))
		return;
	key(d, name);
	put_real_value(d, v);
}

/* A text of ours. */
static void put_word(struct document_out *d, const char *name, const char *text)
{
	if (!text)
		return;
	key(d, name);
	json_put_string(d->out, text);
}

/* A text of the recording. */
static void put_text(struct document_out *d, const char *name, const char *text)
{
	put_word(d, name, text ? report_redact(d->report, text) : NULL);
}

/* JVMs ----------------------------------------------------------------------------------------- */

static void put_jvm_facts(struct document_out *d, size_t i)
{
	const struct jfrec_analyzed_jvm *v = jfrec_analysis_jvm_get(d->report->analysis, i);

	put_word(d, "key", (const char[]){ (char)('A' + i % 26), '\0' });
	put_text(d, "name", report_jvm_name(d->report, i));
	if (v->pid >= 0)
		put_integer(d, "pid", v->pid);
	put_integer(d, "startNanos", v->start_ns);
	put_integer(d, "endNanos", v->end_ns);
	put_integer(d, "recordedNanos", v->recorded_ns);
	put_integer(d, "chunks", (int64_t)v->chunks);
	put_integer(d, "events", (int64_t)v->events);
	put_integer(d, "lostBytes", (int64_t)v->lost_bytes);
	put_text(d, "vm", v->vm);
	put_text(d, "version", v->version);
	put_text(d, "collector", v->collector);
	if (v->heap_max > 0)
		put_integer(d, "maxHeap", v->heap_max);
	if (v->hw_threads > 0)
		put_integer(d, "hwThreads", v->hw_threads);
}

static void put_figures(struct document_out *d, size_t jvm)
{
	struct figure figures[MAX_FIGURES];
	size_t n = report_figures(d->report, jvm, figures);

	key(d, "figures");
	begin(d, '[');
	for (size_t i = 0; i < n; i++) {
		next(d);
		begin(d, '{');
		put_word(d, "id", figures[i].id);
		put_word(d, "unit", measure_name(figures[i].unit));
		put_real(d, "value", figures[i].value);
		put_real(d, "peak", figures[i].peak);
		end(d, '}');
	}
	end(d, ']');
}

static const char *redacted(void *report, const char *text)
{
	return report_redact(report, text);
}

static int put_findings(struct document_out *d, size_t jvm)
{
	const struct jfrec_finding_texts texts = { .shown = redacted, .ctx = d->report };
	int ret = 0;

	put_text(d, "verdict", jfrec_analysis_jvm_get(d->report->analysis, jvm)->verdict);
	key(d, "findings");
	begin(d, '[');
	for (size_t i = 0; i < jfrec_analysis_finding_count(d->report->analysis, jvm) && ret == 0;
	     i++) {
		next(d);
		ret = finding_put_json(d->out,
				       jfrec_analysis_finding_get(d->report->analysis, jvm, i),
				       &texts);
	}
	end(d, ']');
	return ret;
}

static void put_pauses(struct document_out *d, size_t jvm)
{
	struct pause_histogram p = pauses_of(d->report, jvm);

	key(d, "gcPauses");
	begin(d, '[');
	for (size_t i = 0; i < PAUSE_CLASSES; i++) {
		if (!p.count[i])
			continue;
		next(d);
		begin(d, '{');
		if (pause_bound_ns(i) != INT64_MAX)
			put_integer(d, "upToNanos", pause_bound_ns(i));
		put_integer(d, "count", (int64_t)p.count[i]);
		put_integer(d, "totalNanos", p.total_ns[i]);
		end(d, '}');
	}
	end(d, ']');
}

/* The timeline --------------------------------------------------------------------------------- */

static void put_column(struct document_out *d, const char *name, const struct timeline_line *l,
		       size_t count, bool high)
{
	key(d, name);
	begin(d, '[');
	for (size_t i = 0; i < count; i++) {
		const struct history_column *c = &l->columns[i];

		next(d);
		put_real_value(d, !c->has_value ? NAN : high ? c->high : c->low);
	}
	end(d, ']');
}

static void put_line(struct document_out *d, const struct timeline_line *l, size_t columns)
{
	static const char *const kinds[] = { "gauge", "events", "rate", "rate" };

	next(d);
	begin(d, '{');
	put_word(d, "name", l->line->name);
	put_word(d, "kind", kinds[l->kind]);
	put_integer(d, "events", (int64_t)l->history->events);
	if (l->kind == HISTORY_GAUGE || l->kind == HISTORY_EVENTS)
		put_real(d, "lowest", l->history->low);
	put_real(d, "highest", l->most);
	put_real(d, "average", l->mean);
	if (l->most > 0)
		put_integer(d, "highestNanos", l->most_ns);
	if (l->kind == HISTORY_GAUGE)
		put_column(d, "low", l, columns, false);
	put_column(d, "high", l, columns, true);
	end(d, '}');
}

static void put_threads(struct document_out *d, size_t jvm)
{
	static const char *const names[HEAT_STATES] = { "runningNanos", "blockedNanos", "ioNanos",
							"waitingNanos" };
	const struct heat_thread *list[REPORT_THREADS];
	size_t count = report_threads(d->report, jvm, list);

	key(d, "threads");
	begin(d, '[');
	for (size_t i = 0; i < count; i++) {
		next(d);
		begin(d, '{');
		put_text(d, "name", report_thread_name(d->report, list[i]));
		for (unsigned s = 0; s < HEAT_STATES; s++)
			put_real(d, names[s], list[i]->total[s]);
		end(d, '}');
	}
	end(d, ']');
}

static void put_gaps(struct document_out *d, size_t jvm)
{
	struct recorded_gap gap = { 0 };

	key(d, "gaps");
	begin(d, '[');
	while (report_next_gap(&report_jvm(d->report, jvm)->facts, &gap)) {
		next(d);
		begin(d, '{');
		put_integer(d, "fromNanos", gap.from_ns);
		put_integer(d, "toNanos", gap.to_ns);
		end(d, '}');
	}
	end(d, ']');
}

static void put_axis(struct document_out *d, const struct timeline_axis *a)
{
	key(d, "axis");
	begin(d, '[');
	for (unsigned i = 0; i < a->part_count; i++) {
		next(d);
		begin(d, '{');
		put_integer(d, "fromNanos", a->parts[i].from_ns);
		put_integer(d, "toNanos", a->parts[i].to_ns);
		put_integer(d, "firstColumn", (int64_t)a->parts[i].first);
		put_integer(d, "columns", (int64_t)a->parts[i].count);
		end(d, '}');
	}
	end(d, ']');
}

static int put_timeline(struct document_out *d, const struct timeline_axis *a, size_t jvm)
{
	int ret = 0;

	key(d, "timeline");
	begin(d, '[');
	for (size_t i = 0; i < strip_count && ret == 0; i++) {
		struct timeline_strip s;

		ret = timeline_strip_make(d->report, jvm, a, &strips[i], &s);
		if (ret == 0 && s.strip) {
			next(d);
			begin(d, '{');
			put_word(d, "id", s.strip->id);
			put_word(d, "unit", measure_name(s.strip->unit));
			key(d, "lines");
			begin(d, '[');
			for (unsigned k = 0; k < s.line_count; k++)
				put_line(d, &s.lines[k], a->columns);
			end(d, ']');
			end(d, '}');
		}
		timeline_strip_fini(&s);
	}
	end(d, ']');
	return ret;
}

static int put_jvms(struct document_out *d)
{
	struct timeline_axis a;
	int ret = axis_make(d->report, &a);

	if (ret == 0)
		put_axis(d, &a);
	key(d, "jvms");
	begin(d, '[');
	for (size_t i = 0; i < report_jvms(d->report) && ret == 0; i++) {
		next(d);
		begin(d, '{');
		put_jvm_facts(d, i);
		put_figures(d, i);
		ret = put_findings(d, i);
		put_pauses(d, i);
		put_gaps(d, i);
		put_threads(d, i);
		if (ret == 0)
			ret = put_timeline(d, &a, i);
		end(d, '}');
	}
	end(d, ']');
	return ret;
}

/* Profiles ------------------------------------------------------------------------------------- */

static int put_methods(struct document_out *d, unsigned side, size_t kind)
{
	struct jfrec_stacks *s = d->report->stacks;
	struct method_list m;

	if (methods_of(s, kind, stacks_tree(s, side, kind), BY_SELF, &m) < 0)
		return -1;
	key(d, "methods");
	begin(d, '[');
	for (size_t i = 0; i < m.count && i < MOST_METHODS; i++) {
		next(d);
		begin(d, '{');
		put_text(d, "method", s->book.names.list[m.list[i].name].text);
		put_integer(d, "self", m.list[i].self);
		put_integer(d, "total", m.list[i].total);
		end(d, '}');
	}
	end(d, ']');
	methods_fini(&m);
	return 0;
}

static int put_profile(struct document_out *d, size_t jvm, size_t kind)
{
	static const char *const units[] = {
		[JFREC_UNIT_NONE] = "samples",
		[JFREC_UNIT_NS] = "ns",
		[JFREC_UNIT_BYTES] = "bytes",
	};
	unsigned side = report_part(d->report, jvm);
	const struct jfrec_stack_profile *p = jfrec_stacks_get(d->report->stacks, side, kind);
	int ret;

	next(d);
	begin(d, '{');
	put_word(d, "name", p->name);
	put_integer(d, "jvm", (int64_t)jvm);
	put_word(d, "unit", units[p->unit]);
	put_integer(d, "samples", (int64_t)p->samples);
	put_integer(d, "value", p->value);
	put_integer(d, "stackless", (int64_t)p->stackless);
	put_integer(d, "failed", (int64_t)p->failed);
	put_integer(d, "lost", (int64_t)p->lost);
	put_integer(d, "truncated", (int64_t)p->truncated);
	ret = put_methods(d, side, kind);
	end(d, '}');
	return ret;
}

static int put_profiles(struct document_out *d)
{
	struct jfrec_stacks *s = d->report->stacks;
	int ret = 0;

	key(d, "profiles");
	begin(d, '[');
	for (size_t i = 0; i < jfrec_stacks_count(s); i++) {
		for (size_t jvm = 0; jvm < report_jvms(d->report) && ret == 0; jvm++) {
			if (report_has_profile(d->report, jvm, i))
				ret = put_profile(d, jvm, i);
		}
	}
	end(d, ']');
	return ret;
}

/* Tables --------------------------------------------------------------------------------------- */

static void put_cell(struct document_out *d, struct jfrec_answer *t, const struct table_info *info,
		     size_t row, size_t column, const char *name)
{
	struct jfrec_cell c = jfrec_answer_cell(t, row, column);
	struct text_spot spot = { info->event, jfrec_answer_column_get(t, column)->field, name };
	const char *dot = strrchr(spot.field, '.');

	next(d);
	if (dot)
		spot.field = dot + 1;
	if (c.kind == JFREC_KIND_STRING)
		json_put_string(d->out, secrets_redact(d->report->secrets, &spot, c.text));
	else if (c.kind == JFREC_KIND_INT)
		json_put_integer(d->out, c.i);
	else if (c.kind == JFREC_KIND_BOOL)
		put(d, c.i ? "true" : "false");
	else
		put_real_value(d, c.kind == JFREC_KIND_FLOAT ? c.d : NAN);
}

static const char *kind_name(const struct jfrec_answer_column *c)
{
	static const char *const names[] = {
		[JFREC_UNIT_NS] = "ns",
		[JFREC_UNIT_TIME] = "nsSince1970",
		[JFREC_UNIT_PERCENT] = "share",
		[JFREC_UNIT_BYTES] = "bytes",
		[JFREC_UNIT_BITS] = "bits",
		[JFREC_UNIT_BYTES_PER_S] = "bytesPerSecond",
		[JFREC_UNIT_BITS_PER_S] = "bitsPerSecond",
		[JFREC_UNIT_ADDRESS] = "address",
		[JFREC_UNIT_HERTZ] = "hertz",
	};

	if ((size_t)c->unit < sizeof(names) / sizeof(*names) && names[c->unit])
		return names[c->unit];
	if (c->kind == JFREC_KIND_BOOL)
		return "boolean";
	return c->kind == JFREC_KIND_STRING ? "text" : "number";
}

static void put_columns(struct document_out *d, struct jfrec_answer *t)
{
	key(d, "columns");
	begin(d, '[');
	for (size_t i = 0; i < jfrec_answer_column_count(t); i++) {
		const struct jfrec_answer_column *c = jfrec_answer_column_get(t, i);

		next(d);
		begin(d, '{');
		put_word(d, "label", c->label);
		put_word(d, "kind", kind_name(c));
		end(d, '}');
	}
	end(d, ']');
}

static void put_row(struct document_out *d, struct jfrec_answer *t, const struct table_info *info,
		    size_t row)
{
	char name[256] = "";
	struct jfrec_cell first = jfrec_answer_cell(t, row, 0);

	/* The first column of two names what the second one has. */
	if (first.kind == JFREC_KIND_STRING)
		snprintf(name, sizeof(name), "%s", first.text);
	next(d);
	begin(d, '[');
	for (size_t i = 0; i < jfrec_answer_column_count(t); i++)
		put_cell(d, t, info, row, i, i == 1 ? name : NULL);
	end(d, ']');
}

static void put_table(struct document_out *d, size_t jvm, size_t i)
{
	const char *why;
	struct jfrec_answer *t = report_table(d->report, jvm, i, &why);

	if (!t && !why)
		return;
	next(d);
	begin(d, '{');
	put_word(d, "name", table_infos[i].view);
	put_integer(d, "jvm", (int64_t)jvm);
	put_word(d, "section", section_infos[table_infos[i].section].id);
	if (t) {
		put_columns(d, t);
		key(d, "rows");
		begin(d, '[');
		for (size_t row = 0; row < jfrec_answer_row_count(t); row++)
			put_row(d, t, &table_infos[i], row);
		end(d, ']');
	} else {
		put_word(d, "missing", why);
	}
	end(d, '}');
}

int document_write(struct jfrec_report *r, struct out *out)
{
	struct document_out d = { .report = r, .out = out };
	int ret;

	begin(&d, '{');
	put_integer(&d, "jfrec", 1);
	put_word(&d, "version", jfrec_version());
	put_word(&d, "schema", "report");
	key(&d, "recordings");
	begin(&d, '[');
	for (size_t i = 0; i < r->recording_count; i++) {
		next(&d);
		json_put_string(out, r->recordings[i]);
	}
	end(&d, ']');
	key(&d, "damage");
	damage_put(&r->problems, out);
	d.has_any = true;
	put_word(&d, "title", r->title);
	put_integer(&d, "startNanos", r->start_ns);
	put_integer(&d, "endNanos", r->end_ns);
	ret = put_jvms(&d);
	if (ret == 0)
		ret = put_profiles(&d);
	key(&d, "tables");
	begin(&d, '[');
	for (size_t i = 0; i < table_count; i++) {
		for (size_t jvm = 0; jvm < report_jvms(r); jvm++)
			put_table(&d, jvm, i);
	}
	end(&d, ']');
	end(&d, '}');
	out_char(out, '\n');
	return ret;
}
