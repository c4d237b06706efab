/* SPDX-License-Identifier: MIT */
/*
 * foreign.h - know what people take for a recording by its first bytes
 */
#ifndef JFREC_FORMAT_FOREIGN_H
#define JFREC_FORMAT_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

/* So many bytes are enough to know it by. */
#define FOREIGN_HEAD 512

/*
 * What it is and what to do with it, half a sentence that follows the file's name; NULL: unknown.
 */
const char *foreign_words(const uint8_t *head, size_t len);

#endif
