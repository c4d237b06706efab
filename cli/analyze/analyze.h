/* SPDX-License-Identifier: MIT */
/*
 * analyze.h - findings as text, as documents, and explained
 */
#ifndef JFREC_CLI_ANALYZE_ANALYZE_H
#define JFREC_CLI_ANALYZE_ANALYZE_H

#include "common/operand.h"
#include "opts/event_opts.h"

/* What to show of an analysis that is finished. */
struct analyze_report {
	const struct jfrec_analysis *analysis;
	const char *name;    /* of the recording, as messages call it */
	const char *operand; /* that commands are given to read it again */
	struct zone *zone;
	enum jfrec_severity least; /* findings below it are not shown */
	bool all;		   /* ok and no-data, too; all evidence */
	unsigned width;		   /* columns of text */
	bool damaged;
	json_t *damage; /* what is damaged, for documents; or NULL */
};

/* The number of findings of a JVM of a severity. */
size_t count_findings(const struct jfrec_analysis *a, size_t jvm, enum jfrec_severity s);

/* Print findings to be read. */
void analyze_text(const struct analyze_report *r);

/* One document, or an object for each finding. Returns an exit code. */
int analyze_json(const struct analyze_report *r);
int analyze_ndjson(const struct analyze_report *r);

/* --list: all rules, a line each; or as a document. */
int analyze_list(bool json);

/* --explain: what a rule asks, how it finds out, and what to do; limits as they are set. */
void analyze_explain(const struct jfrec_analysis *a, const struct jfrec_rule_info *rule);

/* Text in lines of `width` columns, each but the first indented; the cursor is at `indent`. */
void print_wrapped(const char *text, unsigned indent, unsigned width);

/* "20 %", "125 ms": a limit, in a buffer. */
const char *measure_text(char *to, size_t size, double v, enum jfrec_measure m);

/* "1 min 30 s" */
const char *length_text(char *to, size_t size, int64_t ns);

/* The arguments of a command of evidence, the recording added; to be freed. */
char *command_text(const struct analyze_report *r, const struct jfrec_evidence *e);

#endif
