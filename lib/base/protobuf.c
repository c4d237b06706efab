/* SPDX-License-Identifier: MIT */
/*
 * protobuf.c - write messages of Protocol Buffers
 */
#include "base/protobuf.h"

enum wire_type {
	WIRE_TYPE_VARINT = 0,
	WIRE_TYPE_FIXED64 = 1,
	WIRE_TYPE_LENGTH = 2,
};

void protobuf_choice(struct buffer *b, unsigned field, uint64_t v)
{
	buffer_leb128(b, field << 3 | WIRE_TYPE_VARINT);
	buffer_leb128(b, v);
}

void protobuf_number(struct buffer *b, unsigned field, uint64_t v)
{
	if (v)
		protobuf_choice(b, field, v);
}

void protobuf_fixed64(struct buffer *b, unsigned field, uint64_t v)
{
	if (!v)
		return;
	buffer_leb128(b, field << 3 | WIRE_TYPE_FIXED64);
	for (unsigned i = 0; i < 8; i++)
		buffer_u8(b, (uint8_t)(v >> 8 * i));
}

void protobuf_bytes(struct buffer *b, unsigned field, const void *bytes, size_t len)
{
	buffer_leb128(b, field << 3 | WIRE_TYPE_LENGTH);
	buffer_leb128(b, len);
	buffer_put(b, bytes, len);
}

void protobuf_message(struct buffer *b, unsigned field, const struct buffer *message)
{
	if (message->failed)
		b->failed = true;
	else
		protobuf_bytes(b, field, message->data, message->len);
}
