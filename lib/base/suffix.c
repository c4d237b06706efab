/* SPDX-License-Identifier: MIT */
/*
 * suffix.c - what the end of a file's name says: compression, recording, stem
 */
#include "base/suffix.h"

#include <string.h>

/* Each compression that is read, and how it is written: JFREC_BY_NAME is not at all. */
static const struct {
	const char *suffix;
	enum jfrec_compression how;
} compressions[] = {
	{ ".gz", JFREC_GZIP },	  { ".zst", JFREC_ZSTD },   { ".lz4", JFREC_BY_NAME },
	{ ".xz", JFREC_BY_NAME }, { ".bz2", JFREC_BY_NAME },
};
#define COMPRESSIONS (sizeof(compressions) / sizeof(*compressions))

/* What is behind the stem of a file, in front of a compression. */
static const char kinds[] = ".jfr .hprof .html .md .json";

static bool ends_in(const char *text, size_t len, const char *end, size_t end_len)
{
	return len >= end_len && memcmp(text + len - end_len, end, end_len) == 0;
}

bool ends_with(const char *text, const char *end)
{
	return ends_in(text, strlen(text), end, strlen(end));
}

/* The length of the end that it has, if something is left in front; 0: none of them. */
static size_t end_of(const char *text, size_t len, const char *ends)
{
	for (size_t n; *ends; ends += n + (ends[n] != '\0')) {
		n = strcspn(ends, " ");
		if (n < len && ends_in(text, len, ends, n))
			return n;
	}
	return 0;
}

bool ends_with_any(const char *text, const char *ends)
{
	return end_of(text, strlen(text), ends) > 0;
}

/* The compression that a name of that length says; COMPRESSIONS: none. */
static size_t compression_of(const char *name, size_t len)
{
	size_t i = 0;

	while (i < COMPRESSIONS && !end_of(name, len, compressions[i].suffix))
		i++;
	return i;
}

static size_t without_compression(const char *name)
{
	size_t len = strlen(name), i = compression_of(name, len);

	return i < COMPRESSIONS ? len - strlen(compressions[i].suffix) : len;
}

enum jfrec_compression suffix_compression(const char *name)
{
	size_t i = compression_of(name, strlen(name));

	return i < COMPRESSIONS && compressions[i].how != JFREC_BY_NAME ? compressions[i].how
									 : JFREC_PLAIN;
}

const char *suffix_of_compression(enum jfrec_compression how)
{
	for (size_t i = 0; i < COMPRESSIONS; i++) {
		if (how != JFREC_BY_NAME && compressions[i].how == how)
			return compressions[i].suffix;
	}
	return "";
}

bool suffix_is_recording(const char *name)
{
	return *name != '.' && end_of(name, without_compression(name), ".jfr") > 0;
}

size_t suffix_stem(const char *name)
{
	size_t len = without_compression(name);

	return len - end_of(name, len, kinds);
}
