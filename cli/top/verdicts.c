/* SPDX-License-Identifier: MIT */
/*
 * verdicts.c - the worst that rules find in the last window of each JVM that records
 *
 * The repository is read, nothing is asked of the JVM. A confined child reads it and judges; what
 * it says is data of a stranger, too.
 */
#include "top/verdicts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "base/json.h"
#include "top/window.h"

/* A child has this long. */
#define PATIENCE_NS (10 * NS_PER_SECOND)

/* How it is recorded, and since when, says nothing of the JVM. */
#define NOT_OF_JVM "recording-short,recording-settings"

/* In the child --------------------------------------------------------------------------------- */

/* Those come first that are the worst; of these, what explains others before what it explains. */
static const struct jfrec_rule_finding *worst_of(const struct jfrec_analysis *a)
{
	const struct jfrec_rule_finding *first = jfrec_analysis_finding_get(a, 0, 0), *f;

	for (size_t i = 0; (f = jfrec_analysis_finding_get(a, 0, i)) != NULL; i++) {
		if (f->severity != first->severity)
			break;
		if (!f->explained_by)
			return f;
	}
	return first;
}

static json_t *tell(const struct jfrec_rule_finding *f)
{
	const char *severity =
		jfrec_severity_name(f ? f->severity : JFREC_SEVERITY_NO_DATA);

	if (!f || f->severity <= JFREC_SEVERITY_OK)
		return json_pack("{s:s}", "severity", severity);
	return json_pack("{s:s, s:o, s:o, s:o}", "severity", severity, "rule",
			 text_json(f->rule->id), "summary", text_json(f->summary), "advice",
			 text_json(f->advice));
}

static json_t *judge(void *jvm)
{
	struct window w = { 0 };
	json_t *answer = window_open(&w, jvm, VERDICT_NS);
	struct jfrec_analysis_options how = {
		.struct_size = sizeof(how),
		.from_ns = &w.from_ns,
		.is_live = true,
	};
	struct jfrec_analysis *a;
	struct jfrec_error err;

	if (answer)
		return answer;
	a = jfrec_analysis_new(&how, &err);
	if (!a || jfrec_analysis_ignore(a, NOT_OF_JVM, NULL, &err) < 0 ||
	    jfrec_analysis_read(a, w.reader, &err) < 0 || jfrec_analysis_finish(a, &err) < 0)
		answer = window_failure(&err);
	else
		answer = tell(worst_of(a));
	jfrec_analysis_free(a);
	return answer;
}

/* In the parent -------------------------------------------------------------------------------- */

static void forget(struct verdict *v)
{
	free(v->summary);
	free(v->advice);
	free(v->error);
	v->summary = v->advice = v->error = NULL;
	v->rule[0] = '\0';
}

void verdicts_fini(struct verdicts *v)
{
	inquiry_end(&v->at_work);
	for (size_t i = 0; i < v->count; i++)
		forget(&v->list[i]);
	free(v->list);
	*v = (struct verdicts){ .wait_fd = v->wait_fd };
}

static struct verdict *find(const struct verdicts *v, int pid, uint64_t start_ticks)
{
	for (size_t i = 0; i < v->count; i++) {
		if (v->list[i].pid == pid && v->list[i].start_ticks == start_ticks)
			return &v->list[i];
	}
	return NULL;
}

const struct verdict *verdicts_find(const struct verdicts *v, const struct jfrec_jvm *jvm)
{
	const struct verdict *found = find(v, jvm->pid, jvm->start_ticks);

	return found && found->is_judged ? found : NULL;
}

static char *text_of(const json_t *answer, const char *name)
{
	const char *text = json_string_value(json_object_get(answer, name));

	return text ? strdup(text) : NULL;
}

static enum jfrec_severity severity_of(const json_t *answer)
{
	const char *name = json_string_value(json_object_get(answer, "severity"));
	enum jfrec_severity s = JFREC_SEVERITY_WARNING;

	while (name && s > JFREC_SEVERITY_NO_DATA && strcmp(jfrec_severity_name(s), name) != 0)
		s--;
	return name ? s : JFREC_SEVERITY_NO_DATA;
}

static void note(struct verdict *v, const json_t *answer)
{
	const char *rule = json_string_value(json_object_get(answer, "rule"));

	forget(v);
	v->is_judged = true;
	v->severity = severity_of(answer);
	v->summary = text_of(answer, "summary");
	v->advice = text_of(answer, "advice");
	v->error = answer ? text_of(answer, "error")
			  : strdup("judging what it records failed, or took more than 10 seconds");
	if (rule)
		strncpy(v->rule, rule, sizeof(v->rule) - 1);
}

static void take(struct verdicts *v)
{
	json_t *answer;
	struct verdict *of;

	if (!inquiry_take(&v->at_work, &answer))
		return;
	of = find(v, v->of.pid, v->of.start_ticks);
	if (of)
		note(of, answer);
	json_decref(answer);
}

static const struct jfrec_load *load_of(const struct jfrec_loads *loads, const struct verdict *v)
{
	const struct jfrec_load *l;

	for (size_t i = 0; (l = jfrec_loads_get(loads, i)) != NULL; i++) {
		if (l->jvm->pid == v->pid && l->jvm->start_ticks == v->start_ticks)
			return l;
	}
	return NULL;
}

/* Of those that ended, or stopped recording, nothing is known. */
static void sweep(struct verdicts *v, const struct jfrec_loads *loads)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->count; i++) {
		const struct jfrec_load *l = load_of(loads, &v->list[i]);

		if (l && l->recording == JFREC_LOAD_RECORDS)
			v->list[kept++] = v->list[i];
		else
			forget(&v->list[i]);
	}
	v->count = kept;
}

/* The one that has waited longest; a new one is due at once. */
static const struct jfrec_load *next_due(struct verdicts *v, const struct jfrec_loads *loads)
{
	int64_t now_ns = monotonic_now_ns(), longest = 0;
	const struct jfrec_load *l, *due = NULL;

	for (size_t i = 0; (l = jfrec_loads_get(loads, i)) != NULL; i++) {
		struct verdict one = { l->jvm->pid, l->jvm->start_ticks, now_ns, .rule = "" }, *of;

		/* One that stands still records nothing more. */
		if (l->recording != JFREC_LOAD_RECORDS || l->state != JFREC_LOAD_RUNS)
			continue;
		of = find(v, one.pid, one.start_ticks);
		if (!of && array_push(v->list, v->count, v->room, one))
			of = &v->list[v->count - 1];
		if (of && now_ns >= of->due_ns && (!due || of->due_ns < longest)) {
			due = l;
			longest = of->due_ns;
		}
	}
	return due;
}

void verdicts_step(struct verdicts *v, const struct jfrec_loads *loads)
{
	const struct jfrec_load *due;
	struct verdict *of;

	take(v);
	sweep(v, loads);
	if (inquiry_is_open(&v->at_work) || !(due = next_due(v, loads)))
		return;
	of = find(v, due->jvm->pid, due->jvm->start_ticks);
	of->due_ns = monotonic_now_ns() + VERDICT_NS;
	v->of = (struct verdict){ .pid = of->pid, .start_ticks = of->start_ticks };
	inquiry_begin(&v->at_work, judge, (void *)due->jvm, v->wait_fd, PATIENCE_NS);
}

bool verdicts_are_complete(const struct verdicts *v, const struct jfrec_loads *loads)
{
	const struct jfrec_load *l;

	for (size_t i = 0; (l = jfrec_loads_get(loads, i)) != NULL; i++) {
		if (l->recording == JFREC_LOAD_RECORDS && l->state == JFREC_LOAD_RUNS &&
		    !verdicts_find(v, l->jvm))
			return false;
	}
	return true;
}
