/* SPDX-License-Identifier: MIT */
/*
 * places.c - where the report shows what a finding is about
 *
 * The command that a finding suggests names a view or a profile, and the report has most of both.
 */
#include "report/places.h"

#include <string.h>

/* Of a section whose tables tell how much, the profile that tells where. */
static const char *const section_profiles[SECTION_COUNT] = {
	[SECTION_GC] = "alloc",
	[SECTION_MEMORY] = "alloc",
	[SECTION_LOCKS] = "lock",
	[SECTION_EXCEPTIONS] = "exceptions",
	[SECTION_IO] = "io",
};

static const char *command_of(const struct jfrec_rule_finding *f)
{
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		if (e->kind == JFREC_EVIDENCE_COMMAND && e->text)
			return e->text;
	}
	return "";
}

/* The word behind `before`; its length is 0 where that is not in the command. */
static const char *word_behind(const char *command, const char *before, size_t *len)
{
	const char *at = strstr(command, before);

	if (!at) {
		*len = 0;
		return command;
	}
	at += strlen(before);
	*len = strcspn(at, " ");
	return at;
}

static bool is_word(const char *word, size_t len, const char *text)
{
	return len && strlen(text) == len && strncmp(word, text, len) == 0;
}

static size_t table_of(struct jfrec_report *r, size_t jvm, const char *command)
{
	size_t len;
	const char *name = word_behind(command, "view ", &len), *why;

	for (size_t i = 0; i < table_count; i++) {
		if (is_word(name, len, table_infos[i].view) && report_table(r, jvm, i, &why))
			return i;
	}
	return table_count;
}

static const char *profile_of(struct jfrec_report *r, size_t jvm, const char *command, size_t table)
{
	size_t len;
	const char *name = word_behind(command, "--profile ", &len);
	const char *of_section =
		table < table_count ? section_profiles[table_infos[table].section] : NULL;

	for (size_t i = 0; i < jfrec_stacks_count(r->stacks); i++) {
		const char *kind = r->stacks->kinds[i]->name;

		if ((is_word(name, len, kind) ||
		     (!len && of_section && strcmp(of_section, kind) == 0)) &&
		    report_has_profile(r, jvm, i))
			return kind;
	}
	return NULL;
}

struct finding_place report_finding_place(struct jfrec_report *r, size_t jvm,
					  const struct jfrec_rule_finding *f)
{
	const char *command = command_of(f);
	size_t table = table_of(r, jvm, command);

	return (struct finding_place){ table, profile_of(r, jvm, command, table) };
}

const char *report_first_profile(struct jfrec_report *r, size_t *jvm)
{
	for (*jvm = 0; *jvm < report_jvms(r); ++*jvm) {
		for (size_t i = 0; i < jfrec_analysis_finding_count(r->analysis, *jvm); i++) {
			const struct jfrec_rule_finding *f =
				jfrec_analysis_finding_get(r->analysis, *jvm, i);
			const char *profile;

			if (f->severity < JFREC_SEVERITY_INFO)
				break;
			profile = report_finding_place(r, *jvm, f).profile;
			if (profile)
				return profile;
		}
	}
	return NULL;
}
