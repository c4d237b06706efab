/* SPDX-License-Identifier: MIT */
/*
 * asking.h - which rules judge, and by which limits: options of all commands that judge
 */
#ifndef JFREC_CLI_ANALYZE_ASKING_H
#define JFREC_CLI_ANALYZE_ASKING_H

#include "base/report.h"
#include "jfrec-tool.h"

struct asking_opts {
	const char *only, *limits_file;
	struct opt_list ignore, limits, rules_files;
	/* Read before anything is confined. */
	struct jfrec_yaml *user_limits;
	struct jfrec_user_rules *user_rules;
};

/* A group for the table of a command. */
extern const struct opt asking_rows[];

/* Values of --min-severity, and of --fail-on, which has `never`, too. */
enum { ASKING_NEVER = JFREC_SEVERITY_WARNING + 1 };
extern const struct opt_choice asking_severities[], asking_failures[];

/* Was any of them given? */
bool asking_is_given(const struct asking_opts *o);

/* Read the files that they name. An exit code, after saying what is wrong. */
int asking_read(struct asking_opts *o);

/* Have the analysis, made with o->user_rules, ask what they say. 0, or -1 with *err set. */
int asking_apply(const struct asking_opts *o, struct jfrec_analysis *a, struct jfrec_error *err);

void asking_fini(struct asking_opts *o);

#endif
