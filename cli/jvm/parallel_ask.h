/* SPDX-License-Identifier: MIT */
/*
 * parallel_ask.h - query many JVMs at once and print their answers in order
 */
#ifndef JFREC_CLI_JVM_PARALLEL_ASK_H
#define JFREC_CLI_JVM_PARALLEL_ASK_H

#include <stdbool.h>
#include <stddef.h>

/* At a time; JVMs that do not answer cost one timeout for so many of them. */
#define ABREAST_MAX 32

struct parallel_ask {
	/* Ask number i, and print to stdout and stderr.  Runs in a child.  Returns an exit code. */
	int (*ask)(void *ctx, size_t i);

	/*
	 * The caller is given what number i printed to stdout: 0, 1, 2… in this order, each as
	 * soon as all before it are through.  What it wrote to stderr has been passed on.
	 */
	void (*take)(void *ctx, size_t i, int status, const char *out, size_t len);

	void *ctx;
	size_t most; /* at a time; 0: ABREAST_MAX, and never more */
};

/* For 0 to count - 1.  Returns EXIT_DONE, or the first other exit code in their order. */
int ask_in_parallel(const struct parallel_ask *a, size_t count);

#endif
