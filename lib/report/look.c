/* SPDX-License-Identifier: MIT */
/*
 * look.c - what was read, as those who write it ask for it
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/of_program.h"
#include "format/clock.h"
#include "report/report.h"

struct jvm *report_jvm(const struct jfrec_report *r, size_t jvm)
{
	return r->analysis->jvms[jvm];
}

const char *report_text(const struct jfrec_report *r, uint32_t text)
{
	return text ? r->analysis->names.book.names.list[text].text : NULL;
}

/* "com.example.shop.Main --port 80": of the first word, without the path of a jar. */
const char *report_jvm_name(struct jfrec_report *r, size_t jvm)
{
	const struct facts *f = &report_jvm(r, jvm)->facts;
	const struct lines *l = report_jvm(r, jvm)->watched;
	const char *arguments = report_text(r, l->program);
	static _Thread_local char name[128];
	size_t len = arguments ? strcspn(arguments, " ") : 0, from = 0;

	for (size_t i = 0; i + 1 < len; i++) {
		if (arguments[i] == '/')
			from = i + 1;
	}
	len -= from;
	if (len)
		snprintf(name, sizeof(name), "%.*s", (int)(len < 100 ? len : 100), arguments + from);
	else if (f->pid >= 0)
		snprintf(name, sizeof(name), "process %" PRId64, f->pid);
	else
		snprintf(name, sizeof(name), "JVM %zu", jvm + 1);
	return name;
}

const char *report_words(struct jfrec_report *r, const char *text)
{
	size_t jvms = report_jvms(r), native = 0;

	for (size_t i = 0; i < jvms; i++)
		native += report_jvm(r, i)->facts.is_native;
	return native && native == jvms ? of_program(&r->words, text) : text;
}

const char *report_jvm_label(struct jfrec_report *r, size_t jvm)
{
	static _Thread_local char label[160];

	snprintf(label, sizeof(label), "%c: %s", (char)('A' + jvm % 26), report_jvm_name(r, jvm));
	return label;
}

size_t report_jvms(const struct jfrec_report *r)
{
	size_t jvms = jfrec_analysis_jvm_count(r->analysis);

	return jvms < REPORT_JVMS ? jvms : REPORT_JVMS;
}

unsigned report_part(const struct jfrec_report *r, size_t jvm)
{
	const struct lines *l = report_jvm(r, jvm)->watched;

	return l->part ? l->part - 1 : UINT_MAX;
}

/* How long a sample of HotSpot's stands for, where the recording does not say. */
#define SAMPLE_NS INT64_C(20000000)

size_t report_threads(struct jfrec_report *r, size_t jvm,
		      const struct heat_thread *to[REPORT_THREADS])
{
	struct jvm *v = report_jvm(r, jvm);
	struct judging j = { .facts = &v->facts, .analysis = r->analysis, .jvm = v };
	struct heat *heat = &((struct lines *)v->watched)->heat;
	int64_t period_ns = type_period_ns(&j, "jdk.ExecutionSample");

	if (period_ns <= 0)
		period_ns = setting_ns(type_setting(&j, "jdk.ExecutionSample", SETTING_INTERVAL));
	heat_weigh(heat, period_ns > 0 ? period_ns : SAMPLE_NS);
	return heat_busiest(heat, to, REPORT_THREADS);
}

const char *report_thread_name(const struct jfrec_report *r, const struct heat_thread *t)
{
	const char *name;

	if (!t->thread)
		return "(virtual threads)";
	name = report_text(r, r->analysis->names.threads.list[t->thread].name);
	return name && *name ? name : "(no name)";
}

bool report_has_profile(const struct jfrec_report *r, size_t jvm, size_t kind)
{
	unsigned part = report_part(r, jvm);

	return part < REPORT_JVMS && stacks_side_has(r->stacks, part, kind, JFREC_STACKS_ALL);
}

/* Chunks that follow each other have no gap of this length. */
#define GAP_NS INT64_C(1000000000)

bool report_next_gap(const struct facts *f, struct recorded_gap *gap)
{
	for (; gap->chunk < f->chunk_count; gap->chunk++) {
		const struct chunk_fact *c = &f->chunks[gap->chunk], *before = c - 1;
		int64_t end_ns = gap->end_ns;

		if (!gap->chunk || c->end_ns > end_ns)
			gap->end_ns = c->end_ns;
		/* Until when a chunk lasts that is not finished is not known. */
		if (gap->chunk && !before->is_unfinished &&
		    long_subtract(c->start_ns, end_ns) > GAP_NS) {
			gap->from_ns = end_ns;
			gap->to_ns = c->start_ns;
			gap->chunk++;
			return true;
		}
	}
	return false;
}

const char *report_redact(struct jfrec_report *r, const char *text)
{
	return secrets_redact(r->secrets, &(struct text_spot){ 0 }, text);
}

struct jfrec_answer *report_table(struct jfrec_report *r, size_t jvm, size_t table,
				  const char **why)
{
	const struct table_info *info = &table_infos[table];
	struct jfrec_answer *t = r->queries[table] < 0
					? NULL
					: query_table_of(r->query, r->queries[table],
							 report_part(r, jvm));

	*why = NULL;
	if (t && jfrec_answer_row_count(t))
		return t;
	if (info->is_environment && !r->options.with_environment)
		*why = "Environment variables are left out; --environment shows them.";
	else if (info->event)
		*why = why_no_event(r->analysis, report_jvm(r, jvm), info->event);
	else if (info->section == SECTION_EVENTS)
		*why = "There are no events";
	return NULL;
}
