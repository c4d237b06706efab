/* SPDX-License-Identifier: MIT */
/*
 * exercise_ask.c - ask all questions of a recording: expressions, views, stacks, rules, metrics, cost
 */
#include "exercise_parts.h"
#include "jfrec-tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Metrics ----------------------------------------------------------------------------------------- */

#define PAGE_END "# EOF\n"

/* Keeps the end of it. */
static int write_page(void *ctx, const void *data, size_t len)
{
	static const size_t size = sizeof(PAGE_END) - 1;

	if (len >= size)
		memcpy(ctx, (const char *)data + (len - size), size);
	return 0;
}

void exercise_metrics(void)
{
	static const int64_t windows[] = { 0, 60000000000, INT64_MAX };
	struct jfrec_metrics *m[3] = { NULL };
	struct jfrec_reader *r = open_reader();
	const struct jfrec_event *ev;
	char end[sizeof(PAGE_END)] = "";

	for (unsigned i = 0; i < 3; i++)
		insist((m[i] = jfrec_metrics_new("a \"source\"\n", NULL, windows[i], NULL)) != NULL,
		       "there is memory");
	for (unsigned n = 0; r && n < MAX_EVENTS && jfrec_reader_next(r, &ev, NULL) > 0; n++) {
		for (unsigned i = 0; i < 3; i++)
			insist(jfrec_metrics_event(m[i], ev, NULL) == 0, "an event is taken");
		if (n % 7 == 0)
			jfrec_metrics_flush(m[n % 3], jfrec_event_start_ns(ev));
	}
	insist(jfrec_metrics_print((const struct jfrec_metrics *const *)m, 3, write_page, end,
				   NULL) == 0 &&
		       strcmp(end, PAGE_END) == 0,
	       "they are printed");
	for (unsigned i = 0; i < 3; i++)
		jfrec_metrics_free(m[i]);
	jfrec_reader_close(r);
}

/* Stacks ---------------------------------------------------------------------------------------- */

/* The weights at the ends of lines. */
struct line_sum {
	int64_t sum, number;
	bool in_number;
};

static int add_lines(void *ctx, const void *data, size_t len)
{
	struct line_sum *s = ctx;
	const char *text = data;

	for (size_t i = 0; i < len; i++) {
		if (text[i] >= '0' && text[i] <= '9' && s->in_number) {
			s->number = s->number * 10 + (text[i] - '0');
			continue;
		}
		if (text[i] == '\n' && s->in_number)
			s->sum += s->number;
		s->in_number = text[i] == ' ';
		s->number = 0;
	}
	return 0;
}

static int add_length(void *ctx, const void *data, size_t len)
{
	(void)data;
	*(size_t *)ctx += len;
	return 0;
}

/* What holds several profiles. */
static void write_all(struct jfrec_stacks *s)
{
	static const char *const formats[] = { "html", "json", "firefox", "pprof", "otlp" };

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		size_t len = 0;

		insist(jfrec_stacks_write(s, JFREC_STACKS_ALL, formats[i], 0, add_length, &len,
					  NULL) == 0,
		       "the profiles are written");
		insist(len > 0, "each format has something to say");
	}
}

static void write_one(struct jfrec_stacks *s, size_t i)
{
	const struct jfrec_stack_text how = {
		.struct_size = sizeof(how),
		.width = 80,
		.methods = 20,
		.paths = 20,
	};
	size_t len = 0;

	insist(jfrec_stacks_print(s, i, &how, add_length, &len, NULL) == 0, "the text is written");
	if (jfrec_stacks_get(s, 0, i)->samples)
		insist(jfrec_stacks_write(s, i, "svg", 0, add_length, &len, NULL) == 0 && len > 0,
		       "the picture is drawn");
}

/* The recording compared with itself. */
static void exercise_comparison(const char *const *profiles, size_t count)
{
	struct jfrec_stacks *s = jfrec_stacks_new(NULL, NULL);
	int ret = 0;

	insist(s != NULL, "there is memory");
	for (size_t i = 0; i < count; i++)
		insist(jfrec_stacks_add(s, profiles[i], NULL) == 0, "the profile is known");
	for (unsigned side = 0; side < 2 && ret == 0; side++) {
		struct jfrec_reader *r = open_reader();

		ret = r ? jfrec_stacks_read(s, side, r, NULL) : -1;
		jfrec_reader_close(r);
	}
	for (size_t i = 0; ret == 0 && i < count; i++) {
		struct jfrec_stacks_changes *c = jfrec_stacks_compare(s, i, i % 2, JFREC_STACKS_SHARES, NULL);

		insist(c != NULL, "the profiles are compared");
		for (size_t j = 0; j < jfrec_stacks_changes_count(c); j++) {
			const struct jfrec_stacks_change *change = jfrec_stacks_changes_get(c, j);

			insist(change->before == change->after, "there is no difference");
		}
		jfrec_stacks_changes_free(c);
	}
	if (ret == 0 && jfrec_stacks_difference(s, NULL) == 0) {
		size_t len = 0;

		insist(jfrec_stacks_write(s, JFREC_STACKS_ALL, "html", 0, add_length, &len, NULL) == 0,
		       "the difference is written");
	}
	jfrec_stacks_free(s);
}

static void exercise_profiles(const struct jfrec_stack_options *options,
			      const char *const *profiles, size_t count)
{
	struct jfrec_stacks *s = jfrec_stacks_new(options, NULL);
	struct jfrec_reader *r = open_reader();

	insist(s != NULL, "there is memory");
	for (size_t i = 0; i < count; i++)
		insist(jfrec_stacks_add(s, profiles[i], NULL) == 0, "the profile is known");
	for (size_t i = 0; r && jfrec_stacks_read(s, 0, r, NULL) == 0 && i < count; i++) {
		const struct jfrec_stack_profile *p = jfrec_stacks_get(s, 0, i);
		struct line_sum lines = { 0 };

		insist(jfrec_stacks_write(s, i, "collapsed", 0, add_lines, &lines, NULL) == 0,
		       "the lines are written");
		/* A stack without frames has no line, and jfrconv lets names end lines. */
		insist(options->is_jfrconv || !options->counts ||
			       (uint64_t)lines.sum <= p->samples,
		       "lines have no more than the profile");
		write_one(s, i);
		if (i == 0 && options->keeps_times)
			write_all(s);
	}
	jfrec_stacks_free(s);
	jfrec_reader_close(r);
}

/* All profiles, or only the first that has samples; NULL: the recording cannot be read. */
static struct jfrec_stacks *all_profiles(bool only_first)
{
	struct jfrec_stack_options o = { .struct_size = sizeof(o), .only_first = only_first };
	struct jfrec_stacks *s = jfrec_stacks_new(&o, NULL);
	struct jfrec_reader *r = open_reader();

	insist(s != NULL, "there is memory");
	for (size_t i = 0; i < jfrec_stacks_names_count(); i++)
		insist(jfrec_stacks_add(s, jfrec_stacks_names_get(i), NULL) == 0,
		       "the profile is known");
	if (!r || jfrec_stacks_read(s, 0, r, NULL) < 0) {
		jfrec_stacks_free(s);
		s = NULL;
	}
	jfrec_reader_close(r);
	return s;
}

/* The first profile is the same whether or not the others are read. */
static void exercise_first(void)
{
	struct jfrec_stacks *all = all_profiles(false), *first = all_profiles(true);
	size_t i = 0, count = all && first ? jfrec_stacks_count(all) : 0;

	insist(!all == !first, "both are read");
	while (i < count && !jfrec_stacks_get(all, 0, i)->samples)
		i++;
	for (size_t k = 0; k < count; k++) {
		const struct jfrec_stack_profile *a = jfrec_stacks_get(all, 0, k);
		const struct jfrec_stack_profile *f = jfrec_stacks_get(first, 0, k);

		insist(k != i || (f->samples == a->samples && f->value == a->value),
		       "the first profile is whole");
		insist(k == i || !f->samples, "the others are empty");
	}
	jfrec_stacks_free(all);
	jfrec_stacks_free(first);
}

void exercise_stacks(void)
{
	static const char *const jfrconv[] = { "", "cpu", "wall", "cpu-time", "alloc", "live",
					       "lock", "nativelock", "nativemem", "trace" };
	const char *ours[32];
	size_t count = 0;
	struct jfrec_stack_options o = { .struct_size = sizeof(o), .is_jfrconv = true,
					 .with_threads = true, .with_lines = true };

	exercise_profiles(&o, jfrconv, sizeof(jfrconv) / sizeof(*jfrconv));
	while (count < 32 && (ours[count] = jfrec_stacks_names_get(count)) != NULL)
		count++;
	exercise_profiles(&(struct jfrec_stack_options){ .struct_size = sizeof(o), .counts = true,
							 .with_threads = true,
							 .keeps_times = true },
			  ours, count);
	exercise_comparison(ours, count);
	exercise_profiles(&(struct jfrec_stack_options){ .struct_size = sizeof(o),
							 .is_reversed = true, .with_bci = true,
							 .is_simple = true, .depth = 3,
							 .exclude = "e", .packs_times = true,
							 .keeps_times = true },
			  ours, count);
	exercise_first();
}

/* Rules ----------------------------------------------------------------------------------------- */

/* "nan %", "inf s", "-nan": as printf() writes what is no number, before a unit. */
static bool has_number_named(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
		bool begins = at == text || at[-1] == ' ' || at[-1] == '-';

		if (begins && (strncmp(at + len, " %", 2) == 0 || strncmp(at + len, " s", 2) == 0 ||
			       strncmp(at + len, " B", 2) == 0 ||
			       strncmp(at + len, " EiB", 4) == 0 || at[len] == '/'))
			return true;
	}
	return false;
}

/* No NaN where a number is shown, no infinity, no share below 0; and no text with one. */
static void check_numbers(const struct jfrec_rule_finding *f)
{
	insist(!isinf(f->value) && !isinf(f->score), "what is compared is finite");
	insist(!has_number_named(f->summary, "nan") && !has_number_named(f->summary, "inf"),
	       "a sentence has numbers");
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		if (e->kind == JFREC_EVIDENCE_QUANTITY)
			insist(isfinite(e->value) && e->value >= 0, "a quantity is a number");
		insist(isnan(e->share) || (e->share >= 0 && e->share <= 1.0001),
		       "a share is one of all");
		insist(e->from_ns == INT64_MIN || e->from_ns <= e->to_ns, "a span has an end");
	}
}

void exercise_analyze(void)
{
	struct jfrec_analysis *a = jfrec_analysis_new(NULL, NULL);
	struct jfrec_reader *r = open_reader();

	insist(a != NULL, "there is memory");
	if (r && jfrec_analysis_read(a, r, NULL) == 0) {
		insist(jfrec_analysis_finish(a, NULL) == 0, "all is judged");
		for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++) {
			insist(jfrec_analysis_finding_count(a, j) == jfrec_rule_count(),
			       "each rule has a finding");
			for (size_t i = 0; i < jfrec_rule_count(); i++) {
				const struct jfrec_rule_finding *f =
					jfrec_analysis_finding_get(a, j, i);

				insist(*f->summary, "a finding has a sentence");
				check_numbers(f);
				insist((f->severity >= JFREC_SEVERITY_INFO) == (f->advice != NULL),
				       "what is found has advice");
				insist((f->severity == JFREC_SEVERITY_NO_DATA) ==
					       (f->no_data != JFREC_DATA),
				       "what is missing has a reason");
			}
		}
	}
	jfrec_analysis_free(a);
	jfrec_reader_close(r);
}

/* Expressions ------------------------------------------------------------------------------------- */

#define MAX_TEXT 512

/* How many events pass; -1 if the expression is wrong or there are too many. */
static int64_t passing(const char *expression)
{
	struct jfrec_reader *r = open_reader();
	const struct jfrec_event *ev;
	struct jfrec_error err = { 0 };
	int got = -1;
	int64_t n = 0;

	if (r && (!expression || jfrec_reader_where(r, expression, &err) == 0)) {
		while (n < MAX_EVENTS && (got = jfrec_reader_next(r, &ev, &err)) > 0)
			n++;
	}
	if (r && got < 0) {
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
		insist(err.code != JFREC_EEXPRESSION || err.offset <= strlen(expression),
		       "it says where in the expression");
	}
	jfrec_reader_close(r);
	return got == 0 ? n : -1;
}

static void exercise_expression(const char *expression)
{
	char contrary[MAX_TEXT + 8];
	int64_t yes = passing(expression), no, all;

	if (yes < 0)
		return;
	snprintf(contrary, sizeof(contrary), "not (%s)", expression);
	no = passing(contrary);
	all = passing(NULL);
	insist(no < 0 || all < 0 || yes + no == all, "an expression holds or does not");
}

/* Take the expression in front of the recording. False if there is none. */
static bool split_file(char *expression)
{
	static char bytes[1u << 20];
	ssize_t len = pread(memory_file(), bytes, sizeof(bytes), 0);
	const char *end = len > 0 ? memchr(bytes, '\0', (size_t)len) : NULL;

	if (!end || end == bytes || end - bytes > MAX_TEXT || strcmp(bytes, "FLR") == 0)
		return false;
	strcpy(expression, bytes);
	exercise_bytes(end + 1, (size_t)(bytes + len - (end + 1)));
	return true;
}

void exercise_where(void)
{
	static const char *const expressions[] = {
		"stackTrace =~ '*a*' or eventThread.javaName =~ '*'",
		"stackTrace.frames[1].method.type = 'java.lang.Object' or stackTrace = 'x()'",
		"duration > 1ns and startTime < +1s",
		"endTime >= 2023-11-14 or thread is null and not event =~ 't.*'",
		"a = 'from the pool' or b is null or c != 'x'",
		"longs > 0 or strings[0] = 'a' or pairs.x < 8 or booleans = false",
		"ms > 1ms or at < 1700000000 or bytes >= 1TB or load < 10% or count = 255",
		"node.next.other.name =~ '*e*' or node.next.next.next is null",
		"node.left.right.left.right.left is null or node.n1.n2.n3.n4.n5.n6.n7 is not null",
		"object.type = 'a.B' or object.referrer.object.referrer.array.index = 3",
		"string = 'a' or number > 3 or value =~ '*1*' or klass =~ 'java.*'",
	};
	char expression[MAX_TEXT + 1];

	if (split_file(expression)) {
		exercise_expression(expression);
		return;
	}
	/* Some of them, others for other lengths: a fuzzer comes back often. */
	for (size_t i = 0; i < 3; i++)
		exercise_expression(
			expressions[(exercise_len() + i) % (sizeof(expressions) / sizeof(*expressions))]);
}

/* Views ---------------------------------------------------------------------------------------- */

static void read_cells(struct jfrec_answer *t)
{
	size_t columns = jfrec_answer_column_count(t), rows = jfrec_answer_row_count(t);

	for (size_t i = 0; i < columns; i++)
		touch(jfrec_answer_column_get(t, i)->label);
	for (size_t row = 0; row < rows && row < 100; row++) {
		for (size_t i = 0; i < columns; i++) {
			struct jfrec_cell c = jfrec_answer_cell(t, row, i);
			size_t frames = jfrec_answer_frame_count(t, row, i);

			if (c.kind == JFREC_KIND_STRING)
				insist(strlen(c.text) <= c.len, "a text is as long as it says");
			for (size_t n = 0; n < frames; n++)
				touch(jfrec_answer_frame_get(t, row, i, n));
		}
	}
}

static void print_tables(struct jfrec_query *q, int count)
{
	static const struct jfrec_answer_options options[] = {
		{ .struct_size = sizeof(options[0]) },
		{ .struct_size = sizeof(options[0]),
		  .width = 30,
		  .cell_height = 3,
		  .truncate_beginning = true,
		  .verbose = true },
	};

	for (int i = 0; i < count; i++) {
		struct jfrec_answer *t = jfrec_query_answer(q, i);
		struct output o = empty_output(false);

		insist(!t == !!jfrec_query_missing(q, i), "a query has a table, or lacks something");
		if (!t)
			continue;
		read_cells(t);
		for (size_t n = 0; n < 2; n++)
			jfrec_answer_print(t, &options[n], write_output, &o, NULL);
		if (jfrec_answer_column_count(t))
			jfrec_answer_sort(t, 0, JFREC_DESCENDING, NULL);
		jfrec_answer_limit(t, 1);
		insist(jfrec_answer_row_count(t) <= 1, "a limit holds");
	}
}

/* Returns how many queries there are. */
static int add_queries(struct jfrec_query *q, const struct jfrec_views *views)
{
	size_t count = jfrec_views_count(views), types = jfrec_query_type_count(q);
	int last = -1;

	for (size_t i = 0; i < count; i++)
		last = jfrec_query_add_view(q, jfrec_views_get(views, i), NULL);
	for (size_t i = 0; i < types && i < 40; i++) {
		int added = jfrec_query_add_type(q, jfrec_query_type_name(q, i), true, NULL);

		last = added < 0 ? last : added;
	}
	return jfrec_query_add(q,
			       "SELECT eventType.name, COUNT(*), LIST(startTime), SET(eventThread), "
			       "UNIQUE(stackTrace), MEDIAN(duration), STDEV(duration), P999(duration), "
			       "MIN(startTime), FIRST(stackTrace) FROM * GROUP BY eventType.name",
			       NULL) < 0
		       ? last + 1
		       : last + 2;
}

void exercise_view(void)
{
	struct jfrec_reader *r = open_reader();
	struct jfrec_views *views = jfrec_views_all(NULL);
	struct jfrec_query *q = r ? jfrec_query_new(r, NULL) : NULL;
	int count;

	insist(views != NULL, "the views are there");
	if (q && jfrec_query_count_types(q, NULL) == 0) {
		count = add_queries(q, views);
		if (jfrec_query_run(q, NULL) == 0)
			print_tables(q, count);
	}
	jfrec_query_free(q);
	jfrec_views_free(views);
	jfrec_reader_close(r);
}

/* What it takes -------------------------------------------------------------------------------- */

static void read_active(void)
{
	struct jfrec_reader *r = jfrec_reader_open(exercise_path(), NULL, NULL);
	struct jfrec_active *a = r ? jfrec_active_read(r, NULL) : NULL;

	for (size_t i = 0; a && i < jfrec_active_setting_count(a); i++) {
		const struct jfrec_active_setting *s = jfrec_active_setting_get(a, i);

		if (i && strcmp(s[-1].event, s->event) > 0)
			abort();
		if (s->until_ns && (i + 1 == jfrec_active_setting_count(a) || jfrec_active_setting_get(a, i + 1)->since_ns != s->until_ns))
			abort();
	}
	jfrec_active_free(a);
	jfrec_reader_close(r);
}

static void check_change(const struct jfrec_cost *c, const struct jfrec_cost_change *change)
{
	bool fewer = strcmp(change->setting ? change->setting : "", "period") != 0;

	/* A byte for each of what was rounded. */
	if (change->bytes_saved > change->event_bytes + 1 || change->event_bytes > (double)c->bytes + 1)
		abort();
	if (fewer && (change->events_saved < 0 || change->sizes.raw > (double)c->bytes + 1))
		abort();
	if (change->events_saved > (double)change->events)
		abort();
}

static void read_cost(const char *const *changes, size_t count)
{
	struct jfrec_reader *r = jfrec_reader_open(exercise_path(), NULL, NULL);
	struct jfrec_cost *c = r ? jfrec_cost_read(r, changes, count, NULL) : NULL;
	double bytes = c ? (double)c->metadata_bytes + (double)c->spare_bytes : 0;

	for (size_t i = 0; c && i < jfrec_cost_type_count(c); i++)
		bytes += (double)jfrec_cost_type_get(c, i)->event_bytes + jfrec_cost_type_get(c, i)->constant_bytes;
	if (c && bytes > (double)c->bytes + 1)
		abort();
	for (size_t i = 0; c && i < jfrec_cost_change_count(c); i++)
		check_change(c, jfrec_cost_change_get(c, i));
	jfrec_cost_free(c);
	jfrec_reader_close(r);
}

void exercise_cost(void)
{
	static const char *const changes[] = {
		"*#threshold=1 ms", "*#period=7 ms",   "*#stackTrace=false",
		"*#throttle=3/s",   "*#enabled=false", "*#period=everyChunk",
	};

	read_active();
	read_cost(NULL, 0);
	/* A recording without such a setting refuses the change, but has been tried by then. */
	read_cost(changes, sizeof(changes) / sizeof(*changes));
}

/* Reports --------------------------------------------------------------------------------------- */

/* No text of a recording opens an element: scripts are ours, which have no such name. */
struct elements {
	size_t len, scripts;
};

static int count_scripts(void *ctx, const void *data, size_t len)
{
	struct elements *e = ctx;
	const char *text = data;

	e->len += len;
	for (const char *at = text; len >= 7 && (at = memmem(at, len - (size_t)(at - text), "<script", 7));
	     at++)
		e->scripts++;
	return 0;
}

void exercise_report(void)
{
	const struct jfrec_report_options options = { .struct_size = sizeof(options),
						      .with_environment = true };
	struct jfrec_report *report = jfrec_report_new(&options, NULL);
	struct jfrec_reader *r = open_reader();

	insist(report != NULL, "there is memory");
	if (r && jfrec_report_read(report, r, NULL) == 0) {
		struct elements page = { 0 }, again = { 0 };
		size_t len = 0;

		insist(jfrec_report_write(report, "html", count_scripts, &page, NULL) == 0 &&
			       jfrec_report_write(report, "html", count_scripts, &again, NULL) == 0,
		       "the page is written");
		insist(page.len == again.len && page.scripts <= 5, "it is the same, with our scripts");
		insist(jfrec_report_write(report, "json", add_length, &len, NULL) == 0 && len > 0,
		       "the document is written");
		len = 0;
		insist(jfrec_report_write(report, "markdown", add_length, &len, NULL) == 0 && len > 0,
		       "the short form is written");
	}
	jfrec_report_free(report);
	jfrec_reader_close(r);
}
