/* SPDX-License-Identifier: MIT */
/*
 * rule_windows.c - judge what a JVM records, window by window, and tell which rules turn
 */
#include "stream/rule_windows.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/analyze.h"
#include "base/clock_now.h"
#include "jfrec-tool.h"

/* Windows without the finding after which a rule has recovered. */
#define GOOD_WINDOWS 2

/* The JVM's files are looked for at this interval, so that they can be read when it has ended. */
#define HOLD_NS (10 * INT64_C(1000000000))

/* A rest that is shorter says nothing. */
#define SHORTEST_NS INT64_C(1000000000)

/* Of one rule. */
struct rule_state {
	enum jfrec_severity severity; /* 0: it has not turned */
	unsigned good;		      /* windows in a row without the finding */
	int64_t since_ns;	      /* the start of the window in which it turned */
};

struct rule_windows {
	struct rule_windows_of of;
	int64_t from_ns, to_ns; /* the next window begins; all was recorded up to here */
	int64_t began_ns;	/* the first one */
	struct jfrec_repository *held;
	int64_t held_at_ns; /* monotonic */
	struct rule_state *states;
	size_t rule_count;
	struct zone zone;
	bool has_zone;
};

/* Reading -------------------------------------------------------------------------------------- */

/* The chunks there are now; those of a JVM that has ended are still held. */
static void hold(struct rule_windows *j)
{
	struct jfrec_error err;

	if (!j->of.jvm || (j->held && monotonic_now_ns() - j->held_at_ns < HOLD_NS))
		return;
	j->held_at_ns = monotonic_now_ns();
	jfrec_repository_again(&j->held, j->of.jvm, &err);
}

static struct jfrec_repository *chunks_of(struct rule_windows *j, struct jfrec_error *err)
{
	if (!j->of.jvm)
		return jfrec_repository_open(j->of.source, err);
	if (jfrec_repository_again(&j->held, j->of.jvm, err) < 0) {
		if (!j->held)
			return NULL;
		jfrec_repository_refresh(j->held);
	}
	j->held_at_ns = monotonic_now_ns();
	return jfrec_repository_copy(j->held, 0, jfrec_repository_count(j->held), err);
}

static bool is_file(const struct rule_windows *j)
{
	struct stat st;

	return !j->of.jvm && stat(j->of.source, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* A reader of what was recorded in that time; NULL: there is nothing. */
static struct jfrec_reader *open_window(struct rule_windows *j, int64_t from_ns, int64_t to_ns)
{
	struct jfrec_repository *r;
	struct jfrec_reader *reader = NULL;
	struct jfrec_error err;

	if (is_file(j))
		return jfrec_reader_open(j->of.source, NULL, &err);
	r = chunks_of(j, &err);
	if (!r)
		return NULL;
	jfrec_repository_select_span(r, &from_ns, &to_ns);
	if (jfrec_repository_describe(r)->chunks)
		reader = jfrec_repository_read(r, &err);
	jfrec_repository_close(r);
	return reader;
}

/* When the first window begins, if that is where the recording does. */
static void find_start(struct rule_windows *j)
{
	struct jfrec_reader *r = open_window(j, INT64_MIN, INT64_MAX);
	struct jfrec_error err;
	int64_t start, end;

	if (r && jfrec_reader_span(r, &start, &end, &err) == 0)
		j->from_ns = j->began_ns = start;
	jfrec_reader_close(r);
}

static void find_zone(struct rule_windows *j, const struct jfrec_reader *r)
{
	struct jfrec_error err;

	if (j->has_zone)
		return;
	j->has_zone = true;
	if (j->of.zone)
		j->zone = *j->of.zone;
	else
		j->zone.is_fixed = jfrec_reader_zone(r, &j->zone.offset_s, &err) == 0;
}

/* Telling -------------------------------------------------------------------------------------- */

/* A rule that has turned, or recovered. */
struct turn {
	const struct jfrec_rule_finding *finding;
	const char *change; /* "warning", "info", "recovered" */
	int64_t from_ns, to_ns, since_ns;
};

static void put_tag(FILE *f, const struct rule_windows *j)
{
	if (j->of.is_tagged)
		fprintf(f, "[%s] ", j->of.source);
}

static void put_text(FILE *f, struct rule_windows *j, const struct turn *t)
{
	bool is_over = strcmp(t->change, "recovered") == 0;
	char at[64], since[64];

	put_tag(f, j);
	fprintf(f, "%s %s %s: ", zone_time(at, sizeof(at), &j->zone, t->to_ns), t->change,
		t->finding->rule->id);
	if (is_over)
		fprintf(f, "it had turned in the window from %s; now: ",
			zone_time(since, sizeof(since), &j->zone, t->since_ns));
	put_name(f, t->finding->summary);
	putc('\n', f);
	if (is_over || !t->finding->advice)
		return;
	put_tag(f, j);
	fputs("    \u2192 ", f);
	put_name(f, t->finding->advice);
	putc('\n', f);
}

static json_t *time_of(int64_t ns)
{
	char text[40];

	return json_string(iso_time(text, sizeof(text), ns));
}

static char *json_of(const struct rule_windows *j, const struct turn *t)
{
	struct analyze_report r = { .operand = j->of.source };
	json_t *finding = finding_json(&r, t->finding);
	json_t *o = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o}", "source", text_json(j->of.source),
			      "main", text_json(j->of.jvm ? j->of.jvm->main : NULL), "change",
			      t->change, "from", time_of(t->from_ns), "to", time_of(t->to_ns),
			      "since", time_of(t->since_ns));
	char *text = NULL;

	if (o && finding && json_object_update(o, finding) == 0)
		text = json_dumps(o, JSON_COMPACT);
	json_decref(finding);
	json_decref(o);
	return text;
}

static int write_turn(struct rule_windows *j, const struct turn *t, const char *json)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return EXIT_FAILED;
	if (j->of.is_json)
		fprintf(f, "%s\n", json);
	else
		put_text(f, j, t);
	if (fclose(f) == 0)
		sink_write(j->of.sink, text, len);
	free(text);
	return EXIT_DONE;
}

static int tell(struct rule_windows *j, const struct turn *t)
{
	struct rule_opts *o = j->of.opts;
	const struct trigger_event e = {
		.source = j->of.source,
		.main = j->of.jvm ? j->of.jvm->main : NULL,
		.type = t->finding->rule->id,
		.change = t->change,
	};
	char *json = json_of(j, t);
	int status = json ? write_turn(j, t, json) : EXIT_FAILED;

	if (status != EXIT_DONE)
		say_out_of_memory();
	else if (o->turned.trigger.command)
		turned_add(&o->turned, &e, json, strlen(json));
	free(json);
	return status;
}

/* Windows -------------------------------------------------------------------------------------- */

/* A finding of a window: has its rule turned, or recovered? */
static int note(struct rule_windows *j, struct rule_state *s, const struct jfrec_rule_finding *f,
		int64_t from_ns, int64_t to_ns, bool is_whole)
{
	struct rule_opts *o = j->of.opts;
	struct turn t = { .finding = f, .from_ns = from_ns, .to_ns = to_ns };
	unsigned least = o->least ? o->least : JFREC_SEVERITY_WARNING;

	if (f->severity == JFREC_SEVERITY_IGNORED || f->no_data == JFREC_NOT_IN_JVM ||
	    f->no_data == JFREC_SWITCHED_OFF)
		return EXIT_DONE;
	if (f->severity >= least) {
		s->good = 0;
		if (f->severity <= s->severity)
			return EXIT_DONE;
		if (!s->severity)
			s->since_ns = from_ns;
		s->severity = f->severity;
		o->has_failed |= o->fail_on && f->severity >= o->fail_on;
		t.change = jfrec_severity_name(f->severity);
	} else if (s->severity && is_whole && ++s->good == GOOD_WINDOWS) {
		s->severity = 0;
		t.change = "recovered";
	}
	t.since_ns = s->since_ns;
	return t.change ? tell(j, &t) : EXIT_DONE;
}

/* What a rule found; of several JVMs in one file, the worst. NULL: it was not asked. */
static const struct jfrec_rule_finding *finding_of(const struct jfrec_analysis *a, size_t rule)
{
	const struct jfrec_rule_info *info = jfrec_analysis_rule_get(a, rule);
	const struct jfrec_rule_finding *worst = NULL;

	for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++) {
		for (size_t i = 0; i < jfrec_analysis_finding_count(a, j); i++) {
			const struct jfrec_rule_finding *f = jfrec_analysis_finding_get(a, j, i);

			if (f->rule == info && (!worst || f->severity > worst->severity))
				worst = f;
		}
	}
	return worst;
}

static int note_all(struct rule_windows *j, const struct jfrec_analysis *a, int64_t from_ns,
		    int64_t to_ns, bool is_whole)
{
	int status = EXIT_DONE;

	if (!j->states) {
		j->rule_count = jfrec_analysis_rule_count(a);
		j->states = calloc(j->rule_count, sizeof(*j->states));
		if (!j->states) {
			say_out_of_memory();
			return EXIT_FAILED;
		}
	}
	for (size_t i = 0; i < j->rule_count && status == EXIT_DONE; i++) {
		const struct jfrec_rule_finding *f = finding_of(a, i);

		if (f)
			status = note(j, &j->states[i], f, from_ns, to_ns, is_whole);
	}
	return status;
}

static int fail(const struct rule_windows *j, const struct jfrec_error *err)
{
	say(j->of.source, failure_text(err));
	return exit_of(err->code);
}

/* Judge that time. is_whole: no other window has a part of it. */
static int judge_window(struct rule_windows *j, int64_t from_ns, int64_t to_ns, bool is_whole)
{
	struct jfrec_reader *r = open_window(j, from_ns, to_ns);
	struct jfrec_analysis_options how = {
		.struct_size = sizeof(how),
		.from_ns = &from_ns,
		.to_ns = &to_ns,
		.zone = zone_offset,
		.zone_ctx = &j->zone,
		.rules = j->of.opts->asking.user_rules,
		.is_live = true,
	};
	struct jfrec_analysis *a;
	struct jfrec_error err;
	int status = EXIT_DONE;

	if (!r)
		return EXIT_DONE; /* it records nothing, or nothing any more */
	find_zone(j, r);
	a = jfrec_analysis_new(&how, &err);
	if (!a || asking_apply(&j->of.opts->asking, a, &err) < 0 ||
	    jfrec_analysis_read(a, r, &err) < 0 || jfrec_analysis_finish(a, &err) < 0)
		status = fail(j, &err);
	else
		status = note_all(j, a, from_ns, to_ns, is_whole);
	jfrec_analysis_free(a);
	jfrec_reader_close(r);
	return status;
}

int rule_windows_flush(struct rule_windows *j, int64_t ns)
{
	int64_t window = j->of.opts->window_ns;
	int status = EXIT_DONE;

	if (j->from_ns == INT64_MIN)
		find_start(j);
	hold(j);
	if (j->from_ns == INT64_MIN)
		return EXIT_DONE;
	if (ns > j->to_ns)
		j->to_ns = ns;
	while (status == EXIT_DONE && j->to_ns - j->from_ns >= window) {
		int64_t from = j->from_ns;

		j->from_ns += window;
		status = judge_window(j, from, from + window, true);
	}
	return status;
}

/* The last window ends with the recording, and may begin in the one before. */
int rule_windows_end(struct rule_windows *j)
{
	int64_t from = j->to_ns - j->of.opts->window_ns;

	if (j->from_ns == INT64_MIN || j->to_ns - j->from_ns < SHORTEST_NS)
		return EXIT_DONE;
	if (from < j->began_ns)
		from = j->began_ns;
	return judge_window(j, from, j->to_ns, false);
}

struct rule_windows *rule_windows_new(const struct rule_windows_of *of)
{
	struct rule_windows *j = calloc(1, sizeof(*j));

	if (!j) {
		say_out_of_memory();
		return NULL;
	}
	j->of = *of;
	j->from_ns = j->began_ns = of->from_ns;
	j->to_ns = INT64_MIN;
	return j;
}

void rule_windows_free(struct rule_windows *j)
{
	if (!j)
		return;
	jfrec_repository_close(j->held);
	free(j->states);
	free(j);
}
