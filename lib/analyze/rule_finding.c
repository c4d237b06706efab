/* SPDX-License-Identifier: MIT */
/*
 * rule_finding.c - what a rule says of a JVM: severity, score, sentences
 */
#include <stdarg.h>
#include <stdio.h>

#include "analyze/engine.h"
#include "base/of_program.h"

/* Severity ------------------------------------------------------------------------------------- */

/* It rises from 0 towards c, and is y where v is x. */
static double rise(double v, double c, double x, double y)
{
	return c * (1 - pow(1 - y / c, v / x));
}

static double score_of(const struct judging *j, double v)
{
	double a = j->info, b = j->warning;

	if (j->rule->curve == NO_CURVE || isnan(v))
		return NAN;
	if (v <= 0)
		return 0;
	if (isinf(b))
		return isinf(a) || a <= 0 ? 0 : rise(v, 74, a, 25);
	if (v < a && a > 0)
		return 25 * v / a;
	return b > a ? 25 + rise(v - a, 75, b - a, 50) : v >= b ? 75 : 25;
}

void judge_by(struct judging *j, double v)
{
	struct jfrec_rule_finding *f = j->finding;

	f->value = v;
	f->score = score_of(j, v);
	if (v >= j->warning)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	else if (v >= j->info)
		judge_at_least(j, JFREC_SEVERITY_INFO);
}

void judge_at_least(struct judging *j, enum jfrec_severity s)
{
	if (j->finding->severity < s)
		j->finding->severity = s;
}

void judge_at_most(struct judging *j, enum jfrec_severity s)
{
	if (j->finding->severity > s)
		j->finding->severity = s;
}

/* Sentences ------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 0)))
static const char *formatted(struct judging *j, const char *format, va_list args)
{
	va_list again;
	char *text;
	int len;

	if (j->facts->is_native)
		format = of_program(&j->jvm->arena, format);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = len < 0 ? NULL : arena_alloc(&j->jvm->arena, (size_t)len + 1);
	if (!text) {
		j->analysis->names.no_memory = true;
		return "";
	}
	vsnprintf(text, (size_t)len + 1, format, args);
	return text;
}

#define FORMATTED(text, j, format)                       \
	do {                                             \
		va_list args;                            \
                                                         \
		va_start(args, format);                  \
		text = formatted(j, format, args);       \
		va_end(args);                            \
	} while (0)

const char *textf(struct judging *j, const char *format, ...)
{
	const char *text;

	FORMATTED(text, j, format);
	return text;
}

void *judging_memory(struct judging *j, size_t size)
{
	void *memory = arena_zalloc(&j->jvm->arena, 1, size);

	if (!memory)
		j->analysis->names.no_memory = true;
	return memory;
}

void summarize(struct judging *j, const char *format, ...)
{
	const char *text, *shown;

	FORMATTED(text, j, format);
	shown = secrets_redact(&j->analysis->secrets, &(struct text_spot){ 0 }, text);
	j->finding->summary = shown == text ? text : textf(j, "%s", shown);
}

void advise(struct judging *j, const char *format, ...)
{
	FORMATTED(j->finding->advice, j, format);
}

void doubt(struct judging *j, const char *format, ...)
{
	const char *text, *before = j->finding->doubt;

	FORMATTED(text, j, format);
	j->finding->doubt = before ? textf(j, "%s; %s", before, text) : text;
}

static void no_data(struct judging *j, enum jfrec_no_data why)
{
	j->finding->severity = JFREC_SEVERITY_NO_DATA;
	j->finding->no_data = why;
	j->finding->score = NAN;
	j->finding->advice = NULL;
}

void not_for_this_jvm(struct judging *j, const char *format, ...)
{
	FORMATTED(j->finding->summary, j, format);
	no_data(j, JFREC_NOT_IN_JVM);
}

void too_few(struct judging *j, const char *format, ...)
{
	FORMATTED(j->finding->summary, j, format);
	no_data(j, JFREC_TOO_FEW);
}

void none_came(struct judging *j, const char *format, ...)
{
	FORMATTED(j->finding->summary, j, format);
	no_data(j, JFREC_NONE_CAME);
}

bool hidden_by_threshold(struct judging *j, const char *type, double limit_ns)
{
	double threshold = (double)type_threshold_ns(j, type);

	if (threshold <= limit_ns)
		return false;
	summarize(j, "%s was recorded from %s on, which hides those from the limit of %s on; use "
		     "`jfrec start --set '%s#threshold=%s'`",
		  type, span_text(j, threshold), span_text(j, limit_ns), type,
		  span_text(j, limit_ns));
	no_data(j, JFREC_SWITCHED_OFF);
	return true;
}

const char *longer_than_threshold(struct judging *j, const char *type)
{
	double threshold = (double)type_threshold_ns(j, type);

	return threshold > 0 ? textf(j, " for longer than %s", span_text(j, threshold)) : "";
}

uint64_t damaged_places(const struct judging *j)
{
	return j->analysis->damage;
}

/* Length --------------------------------------------------------------------------------------- */

int64_t recorded_ns(const struct judging *j)
{
	return j->facts->recorded_ns > 0 ? j->facts->recorded_ns : 1;
}

int64_t window_ns(const struct judging *j, int64_t width)
{
	int64_t ns = recorded_ns(j);

	return ns < width ? ns : width;
}

bool has_no_end(const struct judging *j)
{
	const struct facts *f = j->facts;

	return f->chunk_count && f->chunks[f->chunk_count - 1].is_unfinished && f->is_hotspot &&
	       !f->is_async_profiler && !j->analysis->is_live && !j->analysis->damage &&
	       j->analysis->bounds.to_ns == INT64_MAX;
}

/* One rule of one JVM -------------------------------------------------------------------------- */

/* What holds for all that was read of the JVM; a rule that says just that does not doubt it. */
static void doubt_recording(struct judging *j)
{
	const struct facts *f = j->facts;

	if (j->rule->is_doubt)
		return;

	if (f->lost_events && f->lost_from_ns != INT64_MAX)
		doubt(j, "the JVM lost events from %s on", time_text(j, f->lost_from_ns));
	if (j->analysis->damage)
		doubt(j, "the recording is damaged");
	if (clock_jumped(&f->overlaps))
		doubt(j, "the clock jumped, as waits of one thread show that overlap");
	if (recorded_ns(j) < INT64_C(20000000000))
		doubt(j, "only %s were recorded", span_text(j, (double)recorded_ns(j)));
}

static bool fits_jdk(struct judging *j)
{
	const struct jfrec_rule_info *r = &j->rule->info;
	int jdk = j->facts->jdk;

	if (j->facts->is_native && j->rule->is_of_java) {
		not_for_this_jvm(j, "This is for Java; libjfrec-recorder made the recording");
		return false;
	}

	if (jdk && r->jdk_from && jdk < r->jdk_from) {
		not_for_this_jvm(j, "This is for JDK %d and later; the JVM is JDK %d", r->jdk_from,
				 jdk);
		return false;
	}
	if (jdk && r->jdk_until && jdk > r->jdk_until) {
		not_for_this_jvm(j, "This is for JDK %d and older; the JVM is JDK %d", r->jdk_until,
				 jdk);
		return false;
	}
	return true;
}

void judge_rule(struct jfrec_analysis *a, struct jvm *jvm, size_t rule,
		struct jfrec_rule_finding *f)
{
	const struct rule_choice *choice = &a->choices[rule];
	struct judging j = {
		.rule = choice->rule,
		.facts = &jvm->facts,
		.analysis = a,
		.jvm = jvm,
		.finding = f,
		.info = choice->info,
		.warning = choice->warning,
	};

	*f = (struct jfrec_rule_finding){
		.rule = &choice->rule->info,
		.severity = JFREC_SEVERITY_OK,
		.score = NAN,
		.value = NAN,
		.info = choice->info,
		.warning = choice->warning,
		.summary = "Nothing was found",
	};
	if (fits_jdk(&j) && inputs_are_there(&j)) {
		choice->rule->judge(jvm->states[rule], &j);
		if (f->severity >= JFREC_SEVERITY_INFO) {
			doubt_recording(&j);
			if (!f->advice)
				f->advice = choice->rule->info.advice;
		}
	}
	if (f->severity < JFREC_SEVERITY_INFO)
		f->advice = NULL;
	f->unignored = f->severity;
	if (choice->is_ignored) {
		f->severity = JFREC_SEVERITY_IGNORED;
		f->ignored_because = choice->ignored_because;
	}
}
