/* SPDX-License-Identifier: MIT */
/*
 * error.h - fill in struct jfrec_error where the failure occurs
 */
#ifndef JFREC_BASE_ERROR_H
#define JFREC_BASE_ERROR_H

#include "jfrec.h"

/* Fill *err (may be NULL) and return -1, so that `return jfrec_fail(...)` reads straight. */
int jfrec_fail(struct jfrec_error *err, enum jfrec_code code, uint64_t offset, const char *format,
	       ...) __attribute__((format(printf, 4, 5)));

/* The same for a system call; the sentence gets ": <errno's text>". */
int jfrec_fail_sys(struct jfrec_error *err, int sys, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* For a write function of the caller that returned `sys`. */
int jfrec_fail_output(struct jfrec_error *err, int sys);

int jfrec_fail_memory(struct jfrec_error *err);

#endif
