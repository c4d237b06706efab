/* SPDX-License-Identifier: MIT */
/*
 * builder.h - recordings that no JVM writes, byte by byte
 *
 *	struct craft c = {0};
 *
 *	craft_chunk(&c);
 *	craft_event(&c, "20", "1500 7");                  startTime 1500, n 7
 *	craft_checkpoint(&c, "1  " T_STRING " 1  7 'seven'");
 *	craft_metadata(&c, EVENT("20", "t.Tick", START FIELD("n", T_INT)));
 *	craft_end(&c);
 *	craft_set(&c, CRAFT_SIZE, 1000);                  a lie
 *	reader = craft_open(&c, &err);
 *	...
 *	craft_free(&c);
 *
 * Bytes are given as words with blanks between them, in printf's format:
 *
 *	123  -1         a varint of 64 bits
 *	4:123           a varint padded to 4 bytes
 *	b-1             one byte
 *	x0080ff         these bytes
 *	f1.5  d-0.5     float, double
 *	'text'  ''      a string in UTF-8; the empty string
 *	l'text'         a string in ISO 8859-1
 *	u0041.d83d      a string of these UTF-16 units
 *	k7              a string that is a key
 *	null            no string
 *
 * Metadata is given as elements, (name attribute=value... element...), and
 * these are macros that make such text.  What has blanks is put in 'quotes'.
 * A name, attribute or value `@7` is the string of index 7, be there one or
 * not; `attributes:7` and `children:7` promise as many.
 */
#ifndef JFREC_TEST_BUILDER_H
#define JFREC_TEST_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "jfrec.h"

struct bytes {
	uint8_t *data;
	size_t len, room;
};

/* Add words. What cannot be one, or memory that is gone, ends the test program. */
void bytes_add(struct bytes *b, const char *words, ...) __attribute__((format(printf, 2, 3)));
void bytes_copy(struct bytes *b, const void *data, size_t len);
void bytes_free(struct bytes *b);

/* All zero is an empty file. */
struct craft {
	struct bytes bytes;
	size_t chunk;      /* where the last chunk begins */
	size_t checkpoint; /* the last checkpoint and metadata, from the chunk's start */
	size_t metadata;
	int size_width;      /* events pad their size to so many bytes; 0: not at all */
	int string_encoding; /* of the strings in metadata: 3, 4 or 5; 0: UTF-8 */
	int fd;              /* of the file, once opened */
};

/* Begin a chunk: version 2.1, at 1700000000 s and tick 1000, lasting a second of 1e9 ticks. */
void craft_chunk(struct craft *c);

/* End it: its header gets the size and the offsets of the last checkpoint and metadata. */
void craft_end(struct craft *c);

/* The fields of a chunk header, by their offset. */
enum craft_field {
	CRAFT_MAGIC = 0,
	CRAFT_VERSION = 4, /* major << 16 | minor */
	CRAFT_SIZE = 8,
	CRAFT_CHECKPOINT = 16,
	CRAFT_METADATA = 24,
	CRAFT_START_NS = 32,
	CRAFT_DURATION_NS = 40,
	CRAFT_START_TICKS = 48,
	CRAFT_FREQUENCY = 56,
	CRAFT_GENERATION = 64,
	CRAFT_FLAGS = 66,
};

/* Change a field of the header of the chunk begun last. */
void craft_set(struct craft *c, enum craft_field field, uint64_t value);

/* These return the offset of what they add from the start of the chunk. */
size_t craft_event(struct craft *c, const char *type, const char *words, ...)
	__attribute__((format(printf, 3, 4)));
size_t craft_event_of(struct craft *c, const char *type, const struct bytes *payload);

/* A checkpoint after the last one, with the words from the number of pools on. */
size_t craft_checkpoint(struct craft *c, const char *words, ...)
	__attribute__((format(printf, 2, 3)));
size_t craft_checkpoint_of(struct craft *c, const struct bytes *pools);

/* The checkpoint that ends a flush, and the header of a chunk that goes on. */
size_t craft_flush(struct craft *c, const char *words, ...) __attribute__((format(printf, 2, 3)));

/* The types below, these classes, and a region. */
size_t craft_metadata(struct craft *c, const char *classes);

/* A metadata event of this element, whatever it is. */
size_t craft_metadata_of(struct craft *c, const char *element);

/* Anything. */
size_t craft_raw(struct craft *c, const char *words, ...) __attribute__((format(printf, 2, 3)));

/* Leave out the last n bytes. */
void craft_cut(struct craft *c, size_t n);

/* A path of a file that lives as long as the craft. */
const char *craft_path(struct craft *c);
struct jfrec_reader *craft_open(struct craft *c, struct jfrec_error *err);
void craft_free(struct craft *c);

/* Metadata ------------------------------------------------------------------------------------- */

#define T_BOOLEAN "2"
#define T_BYTE "3"
#define T_CHAR "4"
#define T_SHORT "5"
#define T_INT "6"
#define T_LONG "7"
#define T_FLOAT "8"
#define T_DOUBLE "9"
#define T_STRING "10"
#define T_TIMESTAMP "11"
#define T_TIMESPAN "12"
#define T_UNSIGNED "13"
#define T_CONTENT_TYPE "14"
#define T_CATEGORY "15"
#define T_LABEL "16"

#define CLASS(id, name, ...) "(class name=" name " id=" id " " __VA_ARGS__ ")"
#define EVENT(id, name, ...) "(class name=" name " id=" id " superType=jdk.jfr.Event " __VA_ARGS__ ")"

/* Behind the type come KEY, ARRAY and annotations, all without commas. */
#define FIELD(name, type, ...) "(field name=" name " class=" type " " __VA_ARGS__ ")"
#define KEY " constantPool=true "
#define ARRAY " dimension=1 "
#define SIMPLE " simpleType=true "
#define ANNOTATION(type, ...) "(annotation class=" type " " __VA_ARGS__ ")"
#define TICKS ANNOTATION(T_TIMESTAMP, "value=TICKS")
#define SPAN(unit) ANNOTATION(T_TIMESPAN, "value=" unit)
#define UNSIGNED ANNOTATION(T_UNSIGNED)

#define START FIELD("startTime", T_LONG, TICKS)
#define DURATION FIELD("duration", T_LONG, SPAN("TICKS"))

#endif
