/* SPDX-License-Identifier: MIT */
/*
 * mcp_document.c - a fuzz target: any JSON as a document that jfrec mcp shows piece by piece
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/document.h"
#include "target.h"

/* More pages than this prove nothing new. */
#define MOST_PAGES 200

static void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "mcp_document: not so: %s\n", what);
	abort();
}

static char *as_it_is(void *ctx, char *text)
{
	(void)ctx;
	return text;
}

static json_t *read_it(const uint8_t *bytes, size_t len)
{
	return document_read((const char *)bytes, len, as_it_is, NULL);
}

/* Pages get on, and end. */
static void turn_pages(const uint8_t *bytes, size_t len, size_t room)
{
	uint64_t at = 0, next;
	bool is_whole = false;

	for (unsigned page = 0; page < MOST_PAGES && !is_whole; page++) {
		json_t *document = read_it(bytes, len);

		is_whole = document_fit(document, at, room, &next);
		insist(is_whole || next > at, "a page has something");
		insist(document_size(document) > 0, "it is a document");
		insist(next <= len, "it has no more items than bytes");
		json_decref(document);
		at = next;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	json_t *document = read_it(bytes, len);
	uint64_t next;

	if (!document)
		return 0;
	insist(document_fit(document, 0, SIZE_MAX, &next), "all of it fits into all there is");
	json_decref(document);
	turn_pages(bytes, len, 100);
	turn_pages(bytes, len, len / 3 + 1);
	document = read_it(bytes, len);
	document_fit(document, UINT64_MAX, 1000, &next);
	json_decref(document);
	return 0;
}
