/* SPDX-License-Identifier: MIT */
/*
 * stdout.h - write to standard output: harmless on a terminal, given up after Ctrl-C
 */
#ifndef JFREC_CLI_BASE_STDOUT_H
#define JFREC_CLI_BASE_STDOUT_H

#include <stddef.h>

/*
 * jfrec_write_fn for standard output.  On a terminal, control characters of a
 * recording are shown as they would be typed and do nothing.
 */
int write_stdout(void *ctx, const void *data, size_t len);

/*
 * Before much output: a pipe holds 64 KB, and then writer and reader wait for each other, so ask
 * for one of 1 MB.  If it is not a pipe, or the system refuses, nothing changes.
 */
void widen_stdout(void);

/*
 * The reader of our output has what it wanted: end quietly, as done.  All other failures of writing
 * are reported.
 */
int report_write_failure(int error);

/* Flush standard output. Returns an exit code. */
int finish_stdout(void);

#endif
