/* SPDX-License-Identifier: MIT */
/*
 * rule_set.h - a set of scrub rules, by their numbers
 *
 * Each step of each type has one, and each text that is looked up: so it is a few words.
 */
#ifndef JFREC_SCRUB_RULE_SET_H
#define JFREC_SCRUB_RULE_SET_H

#include <stdbool.h>
#include <stdint.h>

#define RULES_MAX	192
#define RULE_SET_WORDS (RULES_MAX / 64)

/* All zero is empty. */
typedef struct rule_set {
	uint64_t words[RULE_SET_WORDS];
} rule_set;

static inline void rule_set_add(rule_set *s, unsigned i)
{
	s->words[i / 64] |= (uint64_t)1 << i % 64;
}

static inline bool rule_set_has(const rule_set *s, unsigned i)
{
	return s->words[i / 64] >> i % 64 & 1;
}

static inline bool rule_set_is_empty(const rule_set *s)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < RULE_SET_WORDS; i++)
		all |= s->words[i];
	return !all;
}

/* Add those of the other set. */
static inline void rule_set_unite(rule_set *s, const rule_set *other)
{
	for (unsigned i = 0; i < RULE_SET_WORDS; i++)
		s->words[i] |= other->words[i];
}

/* Keep those that are in the other set, too. */
static inline void rule_set_keep(rule_set *s, const rule_set *other)
{
	for (unsigned i = 0; i < RULE_SET_WORDS; i++)
		s->words[i] &= other->words[i];
}

/* Drop those of the other set. */
static inline void rule_set_drop(rule_set *s, const rule_set *other)
{
	for (unsigned i = 0; i < RULE_SET_WORDS; i++)
		s->words[i] &= ~other->words[i];
}

#endif
