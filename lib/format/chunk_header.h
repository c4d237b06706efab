/* SPDX-License-Identifier: MIT */
/*
 * chunk_header.h - parse the 68-byte header of a chunk
 *
 * Integers in the header are big-endian, whatever the events use:
 *
 *    0  "FLR\0"                    4  u16 major, u16 minor
 *    8  u64 size, header included
 *   16  u64 last checkpoint event 24  u64 last metadata event (from the chunk's start)
 *   32  u64 start, ns since 1970  40  u64 duration, ns
 *   48  u64 start, ticks          56  u64 ticks per second
 *   64  u8  generation: 0 finished, 255 being rewritten, else in flight
 *   65  u8  0
 *   66  u16 flags; bit 0: integers in events are varints; bit 1: final chunk
 */
#ifndef JFREC_FORMAT_CHUNK_HEADER_H
#define JFREC_FORMAT_CHUNK_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#define CHUNK_HEADER_SIZE 68

/* In the place of the generation while a header is being rewritten, which takes microseconds. */
#define CHUNK_GENERATION_GUARD 0xff

enum {
	CHUNK_COMPRESSED_INTS = 1,
	CHUNK_FINAL = 2,
};

struct chunk_header {
	uint16_t major, minor;
	uint64_t size;
	uint64_t checkpoint;
	uint64_t metadata;
	int64_t start_ns, duration_ns;
	int64_t start_ticks, ticks_per_second;
	uint8_t generation;
	uint16_t flags;
};

/* Do the bytes begin with the magic? */
bool chunk_header_is_magic(const uint8_t bytes[static 4]);

/* Take the fields from the bytes; nothing is checked. */
struct chunk_header chunk_header_parse(const uint8_t bytes[static CHUNK_HEADER_SIZE]);

/*
 * Can its clock be one?  Those of JVMs have between a million and some billion ticks per second.
 * Where it cannot, ticks are read as nanoseconds.
 */
bool chunk_header_has_clock(const struct chunk_header *h);

/* The reverse: the 68 bytes of these fields. */
void chunk_header_put(const struct chunk_header *h, uint8_t to[static CHUNK_HEADER_SIZE]);

/* Read the header that a file begins with, be it rewritten meanwhile.  False if there is none. */
bool chunk_header_read(int fd, uint8_t bytes[static CHUNK_HEADER_SIZE]);

/*
 * Which of two chunks of one JVM was begun first: below 0, the first one.  By time, then by
 * ticks: from JDK 17 on, a JVM whose clock is set back lets time stand still for its chunks; with
 * JDK 8 and 11 it goes back, and only of a JVM that still runs it is known that ticks decide.
 */
int chunk_header_order(const struct chunk_header *a, const struct chunk_header *b);

#endif
