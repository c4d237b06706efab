/* SPDX-License-Identifier: MIT */
/*
 * base64.h - encode and decode Base64
 */
#ifndef JFREC_BASE_BASE64_H
#define JFREC_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The letter of six bits; `for_urls`: with - and _ in place of + and /. */
char base64_letter(unsigned six, bool for_urls);

/* The six bits of a letter of either alphabet, or -1. */
int base64_bits(char c);

/*
 * Decode letters of either alphabet up to the first other character, into at
 * most len / 4 * 3 + 2 bytes at `to`.  Returns how many there are.
 */
size_t base64_decode(const char *letters, size_t len, uint8_t *to);

#endif
