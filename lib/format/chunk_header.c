/* SPDX-License-Identifier: MIT */
/*
 * chunk_header.c - the header in front of every chunk
 */
#include "format/chunk_header.h"

#include <string.h>

#include "base/cursor.h"

bool chunk_header_is_magic(const uint8_t bytes[static 4])
{
	return memcmp(bytes, "FLR\0", 4) == 0;
}

struct chunk_header chunk_header_parse(const uint8_t bytes[static CHUNK_HEADER_SIZE])
{
	return (struct chunk_header){
		.major = be16(bytes + 4),
		.minor = be16(bytes + 6),
		.size = be64(bytes + 8),
		.checkpoint = be64(bytes + 16),
		.metadata = be64(bytes + 24),
		.start_ns = (int64_t)be64(bytes + 32),
		.duration_ns = (int64_t)be64(bytes + 40),
		.start_ticks = (int64_t)be64(bytes + 48),
		.ticks_per_second = (int64_t)be64(bytes + 56),
		.generation = bytes[64],
		.flags = be16(bytes + 66),
	};
}
