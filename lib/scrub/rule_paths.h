/* SPDX-License-Identifier: MIT */
/*
 * rule_paths.h - find which scrub rules apply to which strings of a chunk
 *
 * A rule names events and paths of fields, such as `message` or
 * `eventThread.javaName`.  A path may lead into constants, which belong to no
 * event: all constants of the type are then looked at.  What is found here holds
 * for the metadata that it is made of.
 */
#ifndef JFREC_SCRUB_RULE_PATHS_H
#define JFREC_SCRUB_RULE_PATHS_H

#include "format/metadata.h"
#include "format/plan.h"
#include "scrub/rules.h"

/* The longest path of a field that is compared and shown. */
#define RULE_PATH_MAX 256

/* What a step is, but for the rules that look at it. */
enum {
	STEP_NAME = 1,	 /* a text that may say what the next one is */
	STEP_VALUE = 2,	 /* the next one */
	STEP_NUMBER = 4, /* a number with a secret's name */
	STEP_KEY = 8,	 /* a key of a constant all of which is secret */
};

struct text_scan;

struct rule_paths_type {
	rule_set *rules;	/* by step: bits of rules */
	rule_set all;		/* of all steps */
	uint8_t *marks;		/* by step */
	const char **paths;	/* by step; NULL until asked for */
	struct text_scan *scan; /* known_texts.c; NULL until asked for */
	uint16_t name_step;	/* the field `key`, `name` or the like, or PLAN_NO_STEP */
	bool has_text;		/* some step is, or has, a string or a secret number */
};

struct rule_paths {
	struct metadata *metadata; /* a reference; NULL: nothing yet */
	const struct jfrec_scrub_rules *rules;
	struct rule_paths_type *types; /* by index */
	struct arena arena;
	/* Rules that look at all strings, and those that name what they look at. */
	rule_set general, specific;
	rule_set texts, names;		      /* rules for labels and for names in the metadata */
	rule_set secret_fields, behind_names; /* rules with these flags */
	uint64_t visited;
};

/*
 * Make it for these types, unless it is.  0, or -1 with *err set: JFREC_EINVAL
 * when paths lead to more than can be looked at.
 */
int rule_paths_make(struct rule_paths *r, const struct jfrec_scrub_rules *rules, struct metadata *m,
		    struct jfrec_error *err);
void rule_paths_fini(struct rule_paths *r);

/* Is it a type of the JVM's own, with fields such as `token` for what is none? */
bool rule_paths_is_jvm(const struct jfrec_type *t);

/* Is it one of names of Java's, as they are stored in the pool? */
bool rule_paths_is_symbol(const struct jfrec_type *t);

/* The path of a step of a type. */
const char *rule_paths_path(struct rule_paths *r, const struct jfrec_type *t, unsigned step);

#endif
