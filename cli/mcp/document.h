/* SPDX-License-Identifier: MIT */
/*
 * document.h - the JSON document of an answer, as much of it at a time as there is room for
 *
 * A document has an array that all of it is about: rows, types, findings. What does not fit waits
 * for the next reply, item by item; the rest of the document is in each.
 */
#ifndef JFREC_CLI_MCP_DOCUMENT_H
#define JFREC_CLI_MCP_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Change a text, which it frees; the new one is to be freed. */
typedef char *document_text_fn(void *ctx, char *text);

/*
 * The document in these bytes, with all its texts as fn() leaves them; NULL if they are none. Texts
 * and keys are harmless, as those of harmless_copy().
 */
json_t *document_read(const char *bytes, size_t len, document_text_fn *fn, void *ctx);

/* Bytes that it takes. */
size_t document_size(const json_t *value);

/*
 * Leave of the document, which must be nobody else's, what there is room for, without the first
 * `skip` items of its array.  *next: how many items this and earlier replies have; it is whole if
 * true is returned.
 */
bool document_fit(json_t *document, uint64_t skip, size_t room, uint64_t *next);

#endif
