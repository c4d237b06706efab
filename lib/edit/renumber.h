/* SPDX-License-Identifier: MIT */
/*
 * renumber.h - give the types of a JVM new ids
 */
#ifndef JFREC_EDIT_RENUMBER_H
#define JFREC_EDIT_RENUMBER_H

#include "base/buffer.h"
#include "format/metadata.h"

/*
 * The id that a type has in the output.  jvm: its number there, other ids for each;
 * those of JVM 0 stay.
 *
 * The JDK looks at types in the order of its hash table, where the upper bits of id *
 * 0x9e3779b97f4a7c15 are the place, and it cannot read an event type that it meets before a simple
 * type that is part of it and not a constant.  Thus the order stays as it is: ids of JVMs differ by
 * a number that nearly is a multiple of the table's size when multiplied, as every 30th Fibonacci
 * number or so is.
 */
uint64_t new_type_id(uint32_t jvm, uint64_t old);

/*
 * Append the content of a metadata event with other ids of types, and another
 * one of its own.
 */
void renumber_metadata(const struct metadata *m, uint32_t jvm, uint64_t metadata_id,
		       struct buffer *to);

#endif
