/* SPDX-License-Identifier: MIT */
/*
 * hostile.h - check how damaged, truncated and malicious recordings are read
 *
 * Each case makes a recording with a defect.  All formats must print all intact
 * events and nothing else, tell what is wrong and where, and end soon; the
 * document must be well-formed.  Events are told apart by their field `n`.
 */
#ifndef JFREC_TEST_HOSTILE_H
#define JFREC_TEST_HOSTILE_H

#include <stdlib.h>

#include "printed.h"
#include "test.h"

#define TICK "20"
#define NAMED "21"
#define LISTED "22"
#define EMPTY "30"
#define NODE "31"

/* Types that most cases share. */
#define TICK_TYPE EVENT(TICK, "t.Tick", START FIELD("n", T_INT))
#define NAMED_TYPE EVENT(NAMED, "t.Named", START FIELD("n", T_STRING))

struct hostile_case {
	const char *name;
	void (*make)(struct craft *c);
	const char *values; /* the `n` of all events that must be printed, in their order */
	unsigned damage;    /* how often damage is told: not at all means exit status 0 */
	unsigned summary_damage;
	const char *told[3];
	const char *stepped; /* where jfrec_reader_next() has damaged events, too */
	const char *in_text; /* where text, ordered by nanoseconds that wrap, differs */
};

#define CASE(name) #name, name

/* The processor's seconds a case may take, on a slow machine with sanitizers. */
#define MAX_SECONDS 10

static inline void tick(struct craft *c, int n)
{
	craft_event(c, TICK, "%d %d", 1000 + n, n);
}

/* End a chunk whose only event type is t.Tick. */
static inline void end_ticks(struct craft *c)
{
	craft_checkpoint(c, "0");
	craft_metadata(c, TICK_TYPE NAMED_TYPE);
	craft_end(c);
}

/* A sound chunk of two events. */
static inline void ticks(struct craft *c, int n)
{
	craft_chunk(c);
	tick(c, n);
	tick(c, n + 1);
	end_ticks(c);
}

/*
 * The same of another JVM, an hour later: a chunk without metadata cannot be
 * read with its neighbour's, which would be right for one JVM's.
 */
static inline void foreign_ticks(struct craft *c, int n)
{
	ticks(c, n);
	craft_set(c, CRAFT_START_NS, UINT64_C(1700003600000000000));
}

static inline void check_told(const struct printed *p, const char *const told[3])
{
	for (int i = 0; i < 3 && told[i]; i++) {
		if (!CHECK(strstr(printed_problems(p), told[i])))
			printf("# not told: %s\n", told[i]);
	}
	CHECK((p->problems.len == 0) == !told[0]);
}

/* Was that printed without a failure, and soon? */
static inline void check_values(const struct printed *p, const char *got, const char *values)
{
	CHECK_INT(p->status, 0);
	CHECK_TEXT(got, strlen(got), values);
	CHECK(p->seconds < MAX_SECONDS);
}

static inline void check_hostile(const struct hostile_case *hostile)
{
	struct printed p = { 0 };
	struct bytes values = { 0 };
	struct jfrec_summary *s;
	struct craft c = { 0 };

	test_begin(hostile->name);
	hostile->make(&c);
	for (int f = JFREC_TEXT; f <= JFREC_XML; f++) {
		print_craft(&p, &c, (enum jfrec_format)f);
		printed_values(&p, (enum jfrec_format)f, &values);
		check_values(&p, (const char *)values.data,
			     hostile->in_text && (f == JFREC_TEXT || f == JFREC_EXACT)
				     ? hostile->in_text
				     : hostile->values);
		CHECK(is_well_formed(&p, (enum jfrec_format)f));
		CHECK_INT((int64_t)p.damage, hostile->damage);
		check_told(&p, hostile->told);
	}
	step_craft(&p, &c);
	check_values(&p, printed_text(&p), hostile->stepped ? hostile->stepped : hostile->values);
	summarize_craft(&p, &c, &s);
	CHECK(s != NULL);
	CHECK_INT((int64_t)p.damage, hostile->summary_damage);
	CHECK(p.seconds < MAX_SECONDS);
	jfrec_summary_free(s);
	print_craft_types(&p, &c);
	CHECK_INT(p.status, 0);
	CHECK(p.seconds < MAX_SECONDS);
	printed_free(&p);
	bytes_free(&values);
	craft_free(&c);
}

#endif
