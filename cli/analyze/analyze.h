/* SPDX-License-Identifier: MIT */
/*
 * analyze.h - findings as text, as documents, and explained
 */
#ifndef JFREC_CLI_ANALYZE_ANALYZE_H
#define JFREC_CLI_ANALYZE_ANALYZE_H

#include "jfrec-tool.h"
#include "opts/event_opts.h"
#include "recording/operand.h"

/* What to show of an analysis that is finished. */
struct analyze_report {
	const struct jfrec_analysis *analysis;
	const char *name;    /* of the recording, as messages call it */
	const char *operand; /* that commands are given to read it again */
	struct zone *zone;
	enum jfrec_severity least; /* findings below it are not shown */
	bool all;		   /* ok and no-data, too; all evidence */
	bool as_text;		   /* a document has only the findings that text has */
	unsigned width;		   /* columns of text */
	enum jfrec_severity fail_on; /* 0: not asked */
	const json_t *baseline;	     /* findings of before: baseline_read(); or NULL */
	bool damaged;
};

/* The number of findings of a JVM of a severity. */
size_t count_findings(const struct jfrec_analysis *a, size_t jvm, enum jfrec_severity s);

/* Print findings to be read. */
void analyze_text(const struct analyze_report *r);

/* A finding as an object, to be given up. Of the report only .operand counts. */
json_t *finding_json(const struct analyze_report *r, const struct jfrec_rule_finding *f);

/* One document, or an object for each finding. Returns an exit code. */
int analyze_json(const struct analyze_report *r);
int analyze_ndjson(const struct analyze_report *r);

/* For other tools. Return exit codes. */
int analyze_markdown(const struct analyze_report *r);
int analyze_sarif(const struct analyze_report *r);
int analyze_junit(const struct analyze_report *r);

/* Is it found, severe enough, and not in the baseline? */
bool report_shows(const struct analyze_report *r, const struct jfrec_rule_finding *f);

/* Take limits and rules to be ignored from a file. 0, or -1 with *err set. */
int limits_apply(struct jfrec_analysis *a, const struct jfrec_yaml *file, struct jfrec_error *err);

/* Rules of YAML files, to be freed with jfrec_user_rules_free(). NULL after saying why not. */
struct jfrec_user_rules *rules_read(const struct opt_list *files);

/* The severities of what an earlier document of --json has, by rule. NULL after saying why not. */
json_t *baseline_read(const char *path);

/* Is it worse than what the baseline has? Without one, all is new. */
bool is_new(const json_t *baseline, const struct jfrec_rule_finding *f);

/* How many findings of each severity a recording has. */
struct analyze_tally {
	size_t findings[JFREC_SEVERITY_WARNING + 1];
	bool is_known; /* else it could not be judged */
};

void analyze_count(struct analyze_tally *t, const struct jfrec_analysis *a);

/* Several recordings, each to be judged by itself. */
struct analyze_several {
	/* Judge recording i, print, and count. Runs in a child. Returns an exit code. */
	int (*judge)(void *ctx, size_t i, struct analyze_tally *tally);
	void *ctx;
	char *const *names; /* in the table */
	size_t count;
	bool is_text, is_json;
	unsigned at_once; /* so many are read at a time; 0: four */
};

/* Print what all of them say, and for text a table. Returns the first exit code that is not 0. */
int analyze_several(const struct analyze_several *what);

/* --list: all rules, a line each; or as a document. */
int analyze_list(const struct jfrec_analysis *a, bool json);

/* --explain: what a rule asks, how it finds out, and what to do; limits as they are set. */
void analyze_explain(const struct jfrec_analysis *a, const struct jfrec_rule_info *rule);

/* Text in lines of `width` columns, each but the first indented; the cursor is at `indent`. */
void print_wrapped(const char *text, unsigned indent, unsigned width);

#endif
