/* SPDX-License-Identifier: MIT */
/*
 * look.c - what was read, as those who write it ask for it
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

const char *report_redact(struct jfrec_report *r, const char *text)
{
	return secrets_redact(&r->secrets, &(struct text_spot){ 0 }, text);
}

struct jfrec_table *report_table(struct jfrec_report *r, size_t table, const char **why)
{
	const struct table_info *info = &table_infos[table];
	struct jfrec_table *t = r->queries[table] < 0
					? NULL
					: jfrec_query_table(r->query, r->queries[table]);

	*why = NULL;
	if (t && jfrec_table_row_count(t))
		return t;
	if (info->is_environment && !r->options.with_environment)
		*why = "Environment variables are left out; --environment shows them.";
	else if (info->event && r->analysis->jvm_count)
		*why = why_no_event(r->analysis, report_jvm(r, 0), info->event);
	return NULL;
}
