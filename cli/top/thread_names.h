/* SPDX-License-Identifier: MIT */
/*
 * thread_names.h - the names of Java threads by their native ids, from a thread dump
 */
#ifndef JFREC_CLI_TOP_THREAD_NAMES_H
#define JFREC_CLI_TOP_THREAD_NAMES_H

#include <jansson.h>
#include <stddef.h>

/* Of a line that is longer, what is beyond is not looked at. */
#define THREAD_LINE_MAX 4096

/* Takes a dump piece by piece. All zero at first, but for `names`: an object. */
struct thread_names {
	json_t *names; /* "4711": the name */
	char line[THREAD_LINE_MAX];
	size_t len;
};

/* A jfrec_write_fn. 0, or ENOMEM. */
int thread_names_take(void *names, const void *data, size_t len);

#endif
