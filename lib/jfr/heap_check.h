/* SPDX-License-Identifier: MIT */
/*
 * heap_check.h - is a heap dump whole?
 */
#ifndef JFREC_JFR_HEAP_CHECK_H
#define JFREC_JFR_HEAP_CHECK_H

#include "jfrec.h"

/*
 * Go through the records of the file, from header to end.  0, and *size is the file's; -1 if it is
 * not a heap dump, or an incomplete one (JFREC_ERESULT), or cannot be read.
 */
int heap_check(int fd, uint64_t *size, struct jfrec_error *err);

#endif
