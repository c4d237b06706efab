/* SPDX-License-Identifier: MIT */
/*
 * protobuf.h - write messages of Protocol Buffers
 *
 * A message is a row of fields, each a varint of its number and wire type, then its value; those
 * that have their default value are left out. https://protobuf.dev/programming-guides/encoding
 */
#ifndef JFREC_BASE_PROTOBUF_H
#define JFREC_BASE_PROTOBUF_H

#include "base/buffer.h"

/* A whole number; 0 is left out. */
void protobuf_number(struct buffer *b, unsigned field, uint64_t v);

/* A whole number that is one of a choice: 0 is written, too, since it says which. */
void protobuf_choice(struct buffer *b, unsigned field, uint64_t v);

/* The same as protobuf_number() where the field has eight bytes. */
void protobuf_fixed64(struct buffer *b, unsigned field, uint64_t v);

/* Text, bytes, or a message that is in another buffer. */
void protobuf_bytes(struct buffer *b, unsigned field, const void *bytes, size_t len);
void protobuf_message(struct buffer *b, unsigned field, const struct buffer *message);

#endif
