/* SPDX-License-Identifier: MIT */
/*
 * page.h - write a report on a collected file, in a process of its own
 */
#ifndef JFREC_CLI_COLLECT_PAGE_H
#define JFREC_CLI_COLLECT_PAGE_H

#include "collect/config.h"

/* Larger pages are given up. */
#define PAGE_MAX (UINT64_C(64) << 20)

/*
 * Read the recording that is open as `recording`, and write the page into a file in memory, which
 * the caller closes. The process that does so can do nothing else, and has how->timeout_ms.
 *
 * 1 with *page set; 0: the recording has not what how asks for; -1 with *err set: JFREC_EREFUSED
 * if it was not done in time or failed, with what it said.
 */
int page_make(const struct collect_report *how, int recording, const char *name, int *page,
	      struct jfrec_error *err);

#endif
