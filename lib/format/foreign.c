/* SPDX-License-Identifier: MIT */
/*
 * foreign.c - know what people take for a recording by its first bytes
 *
 * Recordings are sent in archives, kept as pointers by Git LFS, and replaced by a server's error
 * page.
 */
#include "format/foreign.h"

#include <string.h>

/* The magics are those that file(1) knows; after `at` bytes. */
static const struct foreign {
	size_t at;
	const char *magic;
	const char *words;
} known[] = {
	{ 257, "ustar",
	  "is a tar archive; to read a recording in it: tar -xOf FILE NAME | jfrec COMMAND -" },
	{ 0, "7z\xbc\xaf\x27\x1c", "is a 7-Zip archive; unpack it first" },
	{ 0, "Rar!\x1a\7", "is a RAR archive; unpack it first" },
	{ 0, "version https://git-lfs",
	  "is a pointer of Git LFS, not the recording itself; git lfs pull fetches it" },
	{ 0, "JAVA PROFILE 1.", "is a heap dump, not a recording" },
	{ 0, "<!DOCTYPE", "is a web page, not a recording; was a login needed to download it?" },
	{ 0, "<!doctype", "is a web page, not a recording; was a login needed to download it?" },
	{ 0, "<html", "is a web page, not a recording; was a login needed to download it?" },
	{ 0, "<?xml", "is XML, not a recording; is it the answer of a server that failed?" },
	{ 0, "{\"", "is JSON, not a recording; is it the answer of a server that failed?" },
	{ 0, "{\n", "is JSON, not a recording; is it the answer of a server that failed?" },
	{ 0, "{\r", "is JSON, not a recording; is it the answer of a server that failed?" },
};

const char *foreign_words(const uint8_t *head, size_t len)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t magic = strlen(known[i].magic);

		if (len >= known[i].at + magic &&
		    memcmp(head + known[i].at, known[i].magic, magic) == 0)
			return known[i].words;
	}
	return NULL;
}
