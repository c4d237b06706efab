/* SPDX-License-Identifier: MIT */
/*
 * random_text.h - find letters and digits that no person chose
 */
#ifndef JFREC_SCRUB_RANDOM_TEXT_H
#define JFREC_SCRUB_RANDOM_TEXT_H

#include "scrub/rules.h"

/* What a word is made of. */
struct kinds {
	size_t lower, upper, digits, others;
	size_t inner_upper; /* after a lower case letter */
	size_t turns;	    /* from one of the first three kinds to another */
	size_t digit_turns; /* those of them from or to digits */
};

/* 1: a lower case letter; 2: an upper case one; 3: a digit; 0: anything else. */
int char_kind(char c);
struct kinds kinds_of(const char *word, size_t len);

/* For rule.find: letters and digits that no person chose. */
bool find_random(const char *text, size_t len, size_t from, struct text_span *piece);

#endif
