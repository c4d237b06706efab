/* SPDX-License-Identifier: MIT */
/*
 * user_rules.h - rules that a user wrote in YAML, after the built-in ones
 *
 *	user_rules_read.c   YAML --> struct user_rule, checked against what JDKs can record
 *	user_rules.c        events --> groups --> finding
 */
#ifndef JFREC_ANALYZE_USER_RULES_H
#define JFREC_ANALYZE_USER_RULES_H

#include "analyze/engine.h"
#include "read/chunk_source.h"
#include "read/where.h"

enum user_rule_measure {
	USER_RULE_COUNT,
	USER_RULE_RATE,
	USER_RULE_SUM,
	USER_RULE_MEAN,
	USER_RULE_MAX,
	USER_RULE_PERCENTILE
};

/* What events share that are measured together, besides the time. */
struct user_rule_part {
	const char *name; /* as it was written */
	const char *path; /* of the field; NULL: the thread, or the method */
	bool is_thread;	  /* else without a path: the topmost method of the application */
};

/* So many fit into the key of a group, beside the window. */
#define USER_RULE_PARTS 2

struct user_rule {
	struct rule rule; /* the first member: what all rules have */
	struct reads inputs[2];
	struct user_rule *next;
	const char *event, *where; /* where: NULL: all of its events */
	const char *summary, *field;
	enum user_rule_measure how;
	double percentile;
	int64_t window_ns; /* 0: the whole recording */
	struct user_rule_part parts[USER_RULE_PARTS];
	unsigned part_count;
	bool is_span; /* the field is taken for a time span */
	bool is_plain; /* its unit is unknown until a recording is read: an event of a program's */
	/* Where it stands. */
	const char *file;
	unsigned line;
};

struct jfrec_user_rules {
	struct arena arena;
	struct user_rule *first, *last;
	size_t count;
	struct jfrec_dictionary *newest;
};

/* Of the inputs' fields: these, then the parts that have a path, then the measured one. */
enum { USER_RULE_THREAD_FIELD, USER_RULE_STACK_FIELD, USER_RULE_FIRST_FIELD };

/* The functions of struct rule, the same for all of them. */
void user_rule_take(void *state, const struct event *e);
void user_rule_judge(void *state, struct judging *j);
void user_rule_fini(void *state);

/* To be called once, before anything else is done with the state. */
void user_rule_init(void *state, const struct user_rule *rule);
extern const size_t user_rule_state_size;

/* Have the events of a chunk given to the rule, whose state is that of `who`. False: no memory. */
bool user_rule_listen(const struct user_rule *rule, struct chunk_view *v, size_t who);

/*
 * Before the first of them is given: only those that pass `where`, which may be NULL; none if it
 * does not fit their type, which the rule then tells. False: no memory.
 */
bool user_rule_enter(void *state, struct chunk_view *v, size_t who, struct where *where,
		     const struct recording *recording);

/* Add the rule that a node of YAML describes; file: its name, which lives as long as the rules. */
struct jfrec_yaml_node;
int user_rule_read(struct jfrec_user_rules *rules, const struct jfrec_yaml_node *n,
		   const char *file, struct jfrec_error *err);

/* Limits, as all rules take them: asking.c. */
bool limit_parse(const char *text, enum jfrec_unit unit, double *v);
const char *limit_example(enum jfrec_unit unit);

#endif
