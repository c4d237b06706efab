/* SPDX-License-Identifier: MIT */
/*
 * json.h - JSON documents of commands
 */
#ifndef JFREC_CLI_BASE_JSON_H
#define JFREC_CLI_BASE_JSON_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* A string of JSON; bytes that are not UTF-8 become U+FFFD.  Null for NULL. */
json_t *text_json(const char *text);

/* A copy in which each byte that is not UTF-8 is U+FFFD; to be freed. NULL when memory is gone. */
char *valid_text(const char *text);

/* Print a document, indented, and free it. Returns an exit code. */
int print_json(json_t *document);

/* "2026-11-20T09:47:05.651208645Z", in a buffer of at least 40 bytes. */
const char *iso_time(char *to, size_t size, int64_t ns);

#endif
