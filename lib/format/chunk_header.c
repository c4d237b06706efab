/* SPDX-License-Identifier: MIT */
/*
 * chunk_header.c - parse the 68-byte header of a chunk
 */
#include "format/chunk_header.h"

#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

#define MOST_TICKS INT64_C(1000000000000)

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

bool chunk_header_has_clock(const struct chunk_header *h)
{
	return h->ticks_per_second > 0 && h->ticks_per_second <= MOST_TICKS;
}

void chunk_header_put(const struct chunk_header *h, uint8_t to[static CHUNK_HEADER_SIZE])
{
	memcpy(to, "FLR", 4);
	put_be(to + 4, h->major, 2);
	put_be(to + 6, h->minor, 2);
	put_be(to + 8, h->size, 8);
	put_be(to + 16, h->checkpoint, 8);
	put_be(to + 24, h->metadata, 8);
	put_be(to + 32, (uint64_t)h->start_ns, 8);
	put_be(to + 40, (uint64_t)h->duration_ns, 8);
	put_be(to + 48, (uint64_t)h->start_ticks, 8);
	put_be(to + 56, (uint64_t)h->ticks_per_second, 8);
	to[64] = h->generation;
	to[65] = 0;
	put_be(to + 66, h->flags, 2);
}

bool chunk_header_read(int fd, uint8_t bytes[static CHUNK_HEADER_SIZE])
{
	return pread(fd, bytes, CHUNK_HEADER_SIZE, 0) == CHUNK_HEADER_SIZE &&
	       chunk_header_is_magic(bytes);
}

int chunk_header_order(const struct chunk_header *a, const struct chunk_header *b)
{
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->start_ticks < b->start_ticks ? -1 : a->start_ticks > b->start_ticks;
}
