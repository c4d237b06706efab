/* SPDX-License-Identifier: MIT */
/*
 * protobuf.c - write messages of Protocol Buffers
 */
#include "stacks/protobuf.h"

enum wire_type {
	WIRE_TYPE_VARINT = 0,
	WIRE_TYPE_LENGTH = 2,
};

/* Theirs are of 64 bits in seven-bit groups, up to ten bytes; a recording's end after nine. */
void protobuf_varint(struct buffer *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buffer_u8(b, (uint8_t)(v | 0x80));
	buffer_u8(b, (uint8_t)v);
}

void protobuf_number(struct buffer *b, unsigned field, uint64_t v)
{
	if (!v)
		return;
	protobuf_varint(b, field << 3 | WIRE_TYPE_VARINT);
	protobuf_varint(b, v);
}

void protobuf_bytes(struct buffer *b, unsigned field, const void *bytes, size_t len)
{
	protobuf_varint(b, field << 3 | WIRE_TYPE_LENGTH);
	protobuf_varint(b, len);
	buffer_put(b, bytes, len);
}

void protobuf_message(struct buffer *b, unsigned field, const struct buffer *message)
{
	if (message->failed)
		b->failed = true;
	else
		protobuf_bytes(b, field, message->data, message->len);
}
