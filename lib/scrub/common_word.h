/* SPDX-License-Identifier: MIT */
/*
 * common_word.h - tell words as people and programs write them
 */
#ifndef JFREC_SCRUB_COMMON_WORD_H
#define JFREC_SCRUB_COMMON_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* "header", "SHA-256", "utf8mb4", "client_credentials". */
bool is_common(const char *text, size_t len);

/* "zebra-fence-11", as people make passwords; but not "SHA-256". */
bool has_words_and_number(const char *text, size_t len);

#endif
