/* SPDX-License-Identifier: MIT */
/*
 * report.c - read a recording, once, for all that a report has
 */
#include "report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "format/clock.h"

/* Light stacks of larger trees are folded: nobody sees them on one page. */
#define MAX_NODES 200000

/* The profiles of the page, in their order. */
static const char *const profile_names[] = { "cpu", "alloc", "lock", "exceptions", "io", "wall",
					     "live", "native-memory" };

/* Making --------------------------------------------------------------------------------------- */

static struct jfrec_stacks *make_stacks(const struct jfrec_report_options *o,
					struct jfrec_error *err)
{
	struct jfrec_stack_options how = {
		.struct_size = sizeof(how),
		.from_ns = o->from_ns,
		.to_ns = o->to_ns,
		.packs_times = true,
		.zone = o->zone,
		.zone_ctx = o->zone_ctx,
		.max_nodes = MAX_NODES,
	};
	struct jfrec_stacks *s = jfrec_stacks_new(&how, err);

	/* Shorter spans would be packed for nothing. */
	if (s)
		s->gathering.most_spans = REPORT_SPANS;
	for (size_t i = 0; s && i < sizeof(profile_names) / sizeof(*profile_names); i++) {
		if (jfrec_stacks_add(s, profile_names[i], err) < 0) {
			jfrec_stacks_free(s);
			return NULL;
		}
	}
	return s;
}

static struct jfrec_analysis *make_analysis(const struct jfrec_report_options *o,
					    struct jfrec_error *err)
{
	struct jfrec_analysis_options how = {
		.struct_size = sizeof(how),
		.from_ns = o->from_ns,
		.to_ns = o->to_ns,
		.zone = o->zone,
		.zone_ctx = o->zone_ctx,
		.is_live = o->is_live,
		.host = o->host,
	};
	struct jfrec_analysis *a = jfrec_analysis_new(&how, err);

	if (a) {
		a->watch = &lines_watch;
		if (o->shows_secrets)
			secrets_fini(&a->secrets);
	}
	return a;
}

static int make_parts(struct jfrec_report *r, struct jfrec_error *err)
{
	const char *title = r->options.title ? r->options.title : "Recording";

	r->title = strdup(title);
	if (!r->title)
		return jfrec_fail_memory(err);
	r->options.title = r->title;
	r->views = jfrec_views_all(err);
	r->analysis = r->views ? make_analysis(&r->options, err) : NULL;
	r->secrets = r->analysis ? &r->analysis->secrets : NULL;
	r->stacks = r->analysis ? make_stacks(&r->options, err) : NULL;
	return r->stacks ? 0 : -1;
}

struct jfrec_report *jfrec_report_new(const struct jfrec_report_options *options,
				      struct jfrec_error *err)
{
	struct jfrec_report *r = calloc(1, sizeof(*r));

	if (!r) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (options_take(&r->options, sizeof(r->options), options, err) == 0 &&
	    make_parts(r, err) == 0)
		return r;
	jfrec_report_free(r);
	return NULL;
}

void jfrec_report_free(struct jfrec_report *r)
{
	if (!r)
		return;
	jfrec_query_free(r->query);
	jfrec_stacks_free(r->stacks);
	jfrec_analysis_free(r->analysis);
	jfrec_views_free(r->views);
	for (size_t i = 0; i < r->recording_count; i++)
		free(r->recordings[i]);
	free(r->recordings);
	damage_fini(&r->problems);
	free(r->title);
	arena_fini(&r->words);
	free(r);
}

int jfrec_report_add_problem(struct jfrec_report *r, const struct jfrec_problem *problem,
			     struct jfrec_error *err)
{
	return damage_add(&r->problems, problem) < 0 ? jfrec_fail_memory(err) : 0;
}

int jfrec_report_add_recording(struct jfrec_report *r, const char *name, struct jfrec_error *err)
{
	char *copy = strdup(name);

	if (copy && array_push(r->recordings, r->recording_count, r->recording_room, copy))
		return 0;
	free(copy);
	return jfrec_fail_memory(err);
}

/* Reading -------------------------------------------------------------------------------------- */

static int add_query(struct jfrec_report *r, size_t i, struct jfrec_error *err)
{
	const struct table_info *t = &table_infos[i];
	const struct jfrec_view *view = t->query ? NULL : jfrec_views_find(r->views, t->view);

	r->queries[i] = -1;
	if (t->is_environment && !r->options.with_environment)
		return 0;
	if (!t->query && !view)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there is no view %s", t->view);
	r->queries[i] = view ? jfrec_query_add_view(r->query, view, err)
			     : jfrec_query_add(r->query, t->query, err);
	return r->queries[i] < 0 ? -1 : 0;
}

static int ask(struct jfrec_report *r, struct jfrec_reader *reader, struct jfrec_error *err)
{
	r->query = jfrec_query_new(reader, err);
	if (!r->query)
		return -1;
	if (r->options.from_ns || r->options.to_ns)
		jfrec_query_set_span(r->query, r->options.from_ns, r->options.to_ns);
	for (size_t i = 0; i < table_count; i++) {
		if (add_query(r, i, err) < 0)
			return -1;
	}
	return 0;
}

static void note_span(struct jfrec_report *r)
{
	r->start_ns = INT64_MAX;
	r->end_ns = INT64_MIN;
	for (size_t i = 0; i < jfrec_analysis_jvm_count(r->analysis); i++) {
		const struct jfrec_analyzed_jvm *jvm = jfrec_analysis_jvm_get(r->analysis, i);

		if (jvm->start_ns < r->start_ns)
			r->start_ns = jvm->start_ns;
		if (jvm->end_ns > r->end_ns)
			r->end_ns = jvm->end_ns;
	}
	if (r->end_ns < r->start_ns)
		r->start_ns = r->end_ns = 0;
}

/* JVMs ----------------------------------------------------------------------------------------- */

_Static_assert(REPORT_JVMS <= MAX_QUERY_PARTS && REPORT_JVMS <= MAX_SIDES,
	       "JVMs have tables and profiles of their own");

/* Whose chunk it is: the JVMs are counted as they come. */
static unsigned part_of(void *ctx, const struct chunk_task *task)
{
	struct jfrec_report *r = ctx;
	struct jvm *jvm = analysis_jvm_of(r->analysis, task->chunk);
	struct lines *l = jvm ? jvm->watched : NULL;

	if (l && !l->part)
		l->part = ++r->part_count;
	return l ? l->part - 1 : UINT_MAX;
}

static double seconds_of(void *ctx, unsigned part)
{
	const struct jfrec_analysis *a = ((struct jfrec_report *)ctx)->analysis;

	for (size_t i = 0; i < a->jvm_count; i++) {
		const struct facts *f = &a->jvms[i]->facts;

		if (((struct lines *)a->jvms[i]->watched)->part == part + 1)
			return f->end_ns > f->start_ns
				       ? (double)long_subtract(f->end_ns, f->start_ns) / 1e9
				       : 0;
	}
	return 0;
}

/* The first of those who look tells what is damaged: the queries take most types. */
static int read_once(struct jfrec_report *r, struct jfrec_reader *reader, struct jfrec_error *err)
{
	const struct query_parts parts = { part_of, seconds_of, r };
	struct reading_side side = { .side_of = part_of, .ctx = r };
	struct chunk_rider others[2];

	if (stacks_ride(r->stacks, &side, &others[0], err) < 0)
		return -1;
	analysis_ride(r->analysis, reader_source(reader), &others[1]);
	return query_run_with(r->query, &parts, others, 2, err);
}

/* Tables that are sorted and cut in another way than their views. */
static int arrange(struct jfrec_report *r, struct jfrec_error *err)
{
	for (size_t n = 0; n < table_count * REPORT_JVMS; n++) {
		size_t i = n / REPORT_JVMS;
		struct jfrec_answer *t = r->queries[i] < 0
						? NULL
						: query_table_of(r->query, r->queries[i],
								 (unsigned)(n % REPORT_JVMS));
		int column = t && table_infos[i].sort
				     ? jfrec_answer_find_column(t, table_infos[i].sort)
				     : -1;

		if (column >= 0 &&
		    jfrec_answer_sort(t, (size_t)column, JFREC_DESCENDING, err) < 0)
			return -1;
		if (t && table_infos[i].rows)
			jfrec_answer_limit(t, table_infos[i].rows);
	}
	return 0;
}

int jfrec_report_read(struct jfrec_report *r, struct jfrec_reader *reader, struct jfrec_error *err)
{
	if (r->is_read)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "a report is read once");
	r->is_read = true;
	if (jfrec_reader_spool(reader, err) < 0 || ask(r, reader, err) < 0 ||
	    read_once(r, reader, err) < 0 || arrange(r, err) < 0)
		return -1;
	r->damage = jfrec_reader_damage(reader);
	r->analysis->damage = r->damage;
	if (jfrec_analysis_finish(r->analysis, err) < 0)
		return -1;
	for (size_t i = 0; i < r->analysis->jvm_count; i++)
		lines_finish(r->analysis->jvms[i]->watched);
	note_span(r);
	return 0;
}

/* Writing -------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	int (*write)(struct jfrec_report *r, struct out *out);
} formats[] = {
	{ "html", page_write },
	{ "json", document_write },
	{ "markdown", markdown_write },
};

size_t jfrec_report_formats_count(void)
{
	return sizeof(formats) / sizeof(*formats);
}

const char *jfrec_report_formats_get(size_t i)
{
	return i < jfrec_report_formats_count() ? formats[i].name : NULL;
}

static int write_as(struct jfrec_report *r, size_t format, jfrec_write_fn *write, void *ctx,
		    struct jfrec_error *err)
{
	struct out out;
	int ret;

	if (out_init(&out, write, ctx, err) < 0)
		return -1;
	ret = formats[format].write(r, &out);
	if (ret < 0)
		jfrec_fail_memory(err);
	else
		out_flush(&out);
	if (ret == 0 && out.error)
		ret = out_fail(&out, err);
	out_fini(&out);
	return ret;
}

int jfrec_report_write(struct jfrec_report *r, const char *format, jfrec_write_fn *write, void *ctx,
		       struct jfrec_error *err)
{
	if (!r->is_read)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "nothing was read");
	for (size_t i = 0; i < jfrec_report_formats_count(); i++) {
		if (strcmp(formats[i].name, format) == 0)
			return write_as(r, i, write, ctx, err);
	}
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "unknown format '%s'", format);
}
