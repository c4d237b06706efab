/* SPDX-License-Identifier: MIT */
/*
 * words.h - what the kinds of time are called
 */
#ifndef JFREC_CLI_TRACE_WORDS_H
#define JFREC_CLI_TRACE_WORDS_H

#include "jfrec-tool.h"

/* "lock"; the same in texts and documents. */
const char *kind_word(enum jfrec_trace_kind kind);

#endif
