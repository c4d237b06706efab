/* SPDX-License-Identifier: MIT */
/* test_chunk_header.c - the header in front of every chunk */
#include "format/chunk_header.h"

#include "test.h"

/* The example of jfrec-format(5), with another state and another flag. */
static const uint8_t bytes[CHUNK_HEADER_SIZE] = {
	0x46, 0x4c, 0x52, 0x00, 0x00, 0x02, 0x00, 0x01,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0xbb,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0xa9,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x49,
	0x17, 0x97, 0x9c, 0xfe, 0x36, 0x2a, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x3b, 0x9a, 0xca, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xe8,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xfe, 0x00, 0x00, 0x03,
};

int main(void)
{
	struct chunk_header h = chunk_header_parse(bytes);

	test_begin("all_fields");
	CHECK_INT(h.major, 2);
	CHECK_INT(h.minor, 1);
	CHECK_INT((int64_t)h.size, 443);
	CHECK_INT((int64_t)h.checkpoint, 425);
	CHECK_INT((int64_t)h.metadata, 73);
	CHECK_INT(h.start_ns, INT64_C(1700000000000000000));
	CHECK_INT(h.duration_ns, 1000000000);
	CHECK_INT(h.start_ticks, 1000);
	CHECK_INT(h.ticks_per_second, -1);
	CHECK_INT(h.generation, 254);
	CHECK_INT(h.flags, CHUNK_COMPRESSED_INTS | CHUNK_FINAL);

	test_begin("magic");
	CHECK(chunk_header_is_magic(bytes));
	CHECK(!chunk_header_is_magic(bytes + 4));
	CHECK(!chunk_header_is_magic((const uint8_t *)"FLR\1"));
	return test_end();
}
