/* SPDX-License-Identifier: MIT */
/*
 * where_program.h - an expression made for one event type
 *
 * A program is an array of tests, each with the test to continue with if it is true and the one if
 * it is false.  A test has a comparison and an access: the chain from the event's slots to the
 * value that is compared, through constants and arrays.  For
 *
 *	eventThread.javaName =~ "http-*"
 *
 * it is
 *
 *	event's slots                    thread's slots
 *	[ ... | eventThread | ... ] -->  [ ... | javaName | ... ] --> CHECK_TEXT =~ "http-*"
 *	  ACCESS_KEY, slot 2      const_query    ACCESS_CHECK, slot 1
 *
 * A comparison has the same result for a constant wherever it is used, so each constant is queried
 * once per chunk (const_query.memo): a thread's name is matched once, a stack trace searched once.
 */
#ifndef JFREC_READ_WHERE_PROGRAM_H
#define JFREC_READ_WHERE_PROGRAM_H

#include "format/chunk.h"
#include "read/where_parse.h"

/* Accesses from an event to a value. */
#define MAX_ACCESS_DEPTH 24

enum access_kind {
	ACCESS_CHECK,
	ACCESS_KEY,	/* follow a constant */
	ACCESS_EACH,	/* any element of an array */
	ACCESS_ELEMENT, /* one element */
};

enum check {
	CHECK_THERE, /* it is, whatever it is */
	CHECK_BOOL,
	CHECK_SIGNED,
	CHECK_UNSIGNED,
	CHECK_FLOAT,
	CHECK_DOUBLE,
	CHECK_SPAN, /* in ns */
	CHECK_TIME, /* in ns since 1970 */
	CHECK_END,  /* the time at which the event ended */
	/* From here on, text. */
	CHECK_CHAR,
	CHECK_TEXT,
	CHECK_CLASS,  /* a string that is a class's name: java/lang/String */
	CHECK_METHOD, /* .first is its class, .second its name, .third its descriptor */
	CHECK_EITHER, /* .first, or if that is null or empty, .second */
};

struct access {
	uint8_t kind;	/* enum access_kind */
	uint8_t check;	/* enum check */
	uint8_t wire;	/* of a number */
	uint8_t height; /* of the longest chain from here to a value */
	uint16_t slot;
	const struct compare *comparison;
	const struct jfrec_field *field; /* of a number; or NULL */
	const struct jfrec_type *type;	 /* of a string */
	struct const_query *query;	 /* ACCESS_KEY */
	const struct plan *element;	 /* of arrays */
	uint64_t index;
	const struct access *next; /* after an element */
	const struct access *first, *second, *third;
	struct number number; /* to compare numbers with */
	int64_t ns;	      /* to compare times with */
	uint16_t end_slot;    /* CHECK_END: the duration's, or PLAN_NO_STEP */
};

/* A comparison with the constants of one type.  Shared by all event types. */
struct const_query {
	struct const_query *next; /* of the program's */
	const struct compare *comparison;
	unsigned segment;
	uint8_t form; /* enum check: CHECK_TEXT or CHECK_CLASS */
	bool is_unfinished;
	const struct jfrec_field *field; /* whose units it has; NULL for structs and strings */
	const struct jfrec_type *type;
	const struct plan *plan;
	const struct access *rest; /* NULL: nothing of it can be known */
	uint8_t *memo;		/* by the entry in the pool: 0, or 1 + enum truth */
};

/* What a comparison says; negation keeps TRUTH_NULL. */
enum truth { TRUTH_NULL, TRUTH_NO, TRUTH_YES };

#define PROGRAM_ACCEPT (-1)
#define PROGRAM_REJECT (-2)

struct test {
	const struct access *access;
	const struct compare *comparison;
	int32_t yes, no; /* the next test, or one of the above */
};

/* The program of an event type. */
struct program {
	int32_t entry; /* a test, or one of the above */
	/* Of the event's fields, those that the tests read, and all before them. */
	struct plan *plan;
};

/* Those of all types of one metadata. */
struct programs {
	struct metadata *metadata;
	struct arena arena;
	struct const_query *queries;
	struct program *programs; /* by the index of the type */
	struct test *tests;
	size_t test_count, test_room;
};

/* What a program is made with, besides the metadata. */
struct maker {
	struct programs *programs;
	/* When the recording began and ended; asked for the first time that matters. */
	int (*span)(void *ctx, int64_t *start_ns, int64_t *end_ns, struct jfrec_error *err);
	void *span_ctx;
	bool out_of_memory;
};

/*
 * Make the program of an event type and put it in its place.  Comparisons that mean something
 * to the type are marked `used`; of the others `failure` says what is wrong
 * with them, as far as any type saw.
 */
void program_make(struct maker *m, const struct node *root, const struct jfrec_type *t);

/* The comparison's path without what is in brackets, for messages; in a buffer of 128 bytes. */
const char *comparison_path(const struct compare *cmp, unsigned segments, char *text);

/* What is needed while programs run on the events of one chunk. */
struct runner {
	const struct chunk *chunk;
	uint64_t *slots; /* of constants and elements: MAX_ACCESS_DEPTH * PLAN_MAX_STEPS */
	struct arena scratch;
	bool out_of_memory;
};

/* Does the event of these slots pass?  `entry` is neither PROGRAM_ACCEPT nor _REJECT. */
bool program_run(struct runner *r, const struct programs *p, int32_t entry, const uint64_t *slots);

#endif
