/* SPDX-License-Identifier: MIT */
/*
 * json_pull.h - read JSON where it stands, value by value
 *
 *	if (pull_enter(&j, '{')) {
 *		for (char *name; (name = pull_member(&j)) != NULL;) {
 *			if (strcmp(name, "tid") == 0)
 *				tid = pull_number(&j);
 *			else
 *				pull_skip(&j);
 *		}
 *	}
 *
 * Texts are unescaped in place, so that nothing is copied.  What is not JSON makes the reader fail:
 * from then on there is no more of anything.
 */
#ifndef JFREC_THREADS_JSON_PULL_H
#define JFREC_THREADS_JSON_PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_pull {
	char *at, *end; /* *end is NUL */
	bool failed;
};

/* Step into the object or array that begins here.  False: something else is here, and is skipped.
 */
bool pull_enter(struct json_pull *j, char open);

/* The name of the next member, whose value is to be read next; NULL: the object ends. */
char *pull_member(struct json_pull *j);

/* Is there a next item, to be read next?  False: the array ends. */
bool pull_item(struct json_pull *j);

/* A text; NULL: something else is here, and is skipped. */
char *pull_text(struct json_pull *j);

/* A number, also as a text; 0: something else. */
uint64_t pull_number(struct json_pull *j);

/* Is it true? */
bool pull_true(struct json_pull *j);

void pull_skip(struct json_pull *j);

#endif
