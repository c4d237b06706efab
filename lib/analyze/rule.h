/* SPDX-License-Identifier: MIT */
/*
 * rule.h - what a rule is, what it sees of events, and how it says what it found
 *
 * A rule is a file of its own and a row in rules.h. It names the events and fields that it reads,
 * takes each such event into its state, in any order, and in the end judges:
 *
 *	enum { PAUSE, TARGET };              the events, by their place in `inputs`
 *	struct state { ... };
 *
 *	static void take(void *state, const struct event *e)
 *	{
 *		if (e->input == PAUSE)
 *			spans_add(&s->pauses, e, e->start_ns, e->end_ns);
 *	}
 *
 *	static void judge(void *state, struct judging *j)
 *	{
 *		judge_by(j, share);
 *		summarize(j, "GC stopped the application for %s", percent_text(j, share));
 *	}
 *
 * Whether events could be there at all is decided before judge() is called, from what `inputs`
 * says. Facts that several rules need (facts.h) are gathered once. A rule never looks at the order
 * in which events come; all numbers of texts, threads and stacks mean the same in all chunks.
 */
#ifndef JFREC_ANALYZE_RULE_H
#define JFREC_ANALYZE_RULE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/collect.h"
#include "analyze/facts.h"
#include "base/code_owner.h"
#include "jfrec.h"

#define MAX_FIELDS 12
#define MAX_INPUTS 12

/* An event type that is read, and the paths of fields, "evacuationFailed.objectCount". */
struct reads {
	const char *type;
	uint8_t need;	/* enum jfrec_rule_need */
	uint8_t either; /* of several with the same number one is enough; 0: it is needed itself */
	/* Not of this type, but of those of other producers that stand for it (equivalents.h). */
	bool is_of_others;
	const char *fields[MAX_FIELDS];
};

/* Rows of `inputs`: READS("jdk.GCPhasePause", OCCURS, "gcId", "name"); the last is { 0 }. */
#define READS(event, how, ...) \
	{ .type = event, .need = JFREC_RULE_##how, .fields = { __VA_ARGS__ } }
#define READS_EITHER(number, event, how, ...) \
	{ .type = event, .need = JFREC_RULE_##how, .either = number, .fields = { __VA_ARGS__ } }

/*
 * The same of other producers' events, by the JDK's names of type and fields. What they weigh is
 * asked by event_samples() and event_bytes(). Both may be in one recording and tell of the same:
 * they are never added up.
 */
#define READS_OTHERS(event, how, ...) \
	{ .type = event, .need = JFREC_RULE_##how, .is_of_others = true, .fields = { __VA_ARGS__ } }
#define READS_OTHERS_EITHER(number, event, how, ...)                                          \
	{ .type = event, .need = JFREC_RULE_##how, .either = number, .is_of_others = true,   \
	  .fields = { __VA_ARGS__ } }

/* How the score grows between the limits. */
enum curve {
	NO_CURVE,
	CURVE, /* 25 at `info`, 75 at `warning`; without a warning, 74 at most */
};

/* What a finding is about: the first is shown first, within its class. */
enum about {
	ABOUT_CAUSE,	 /* something to mend */
	ABOUT_SYMPTOM,	 /* what it leads to: time that is lost, a resource that is used up */
	ABOUT_EXPOSURE,	 /* open to others, or will break some day: no harm yet */
	ABOUT_RECORDING, /* how far it can be trusted, and what it gives away */
};

struct rule {
	struct jfrec_rule_info info;
	enum curve curve;
	enum about about;
	bool is_of_java; /* it asks what only a JVM has, of events that other programs have, too */
	bool is_doubt; /* it says what is a doubt of all others: it does not doubt itself */
	const struct reads *inputs; /* the last has no type */
	size_t state_size;
	/* May be NULL: events are counted, or the facts are enough. */
	void (*take)(void *state, const struct event *e);
	void (*judge)(void *state, struct judging *j);
	void (*fini)(void *state); /* NULL: the state has nothing to free */
};

/* All rules, NULL after the last. */
extern const struct rule *const all_rules[];

/* Events --------------------------------------------------------------------------------------- */

struct chunk_view;
struct equivalent;
struct listener;

/* An event that a rule reads. */
struct event {
	unsigned input; /* place of its type in the rule's inputs */
	int64_t start_ns, end_ns;
	const struct listener *listener;
	const uint64_t *slots;
	const uint8_t *at; /* where it lies in the chunk */
	struct chunk_view *view;
};

static inline int64_t event_duration(const struct event *e)
{
	return e->end_ns > e->start_ns ? e->end_ns - e->start_ns : 0;
}

/* Field number `field` of the input. A number, a boolean, a time or a span in ns; NO_NUMBER. */
#define NO_NUMBER INT64_MIN
int64_t event_long(const struct event *e, unsigned field);

/* The same as a double; NAN. */
double event_number(const struct event *e, unsigned field);

/* Of another producer's event: so many samples, or bytes, that it stands for; 0: none. */
double event_samples(const struct event *e);
double event_bytes(const struct event *e);

/*
 * A string, the name of a class ("java.util.HashMap"), of a method with its class, of a thread, or
 * of what a constant stands for: its number for text_at(). 0: there is none.
 */
uint32_t event_text(const struct event *e, unsigned field);

/* Numbers for thread_of() and stack_of(); 0: there is none. */
uint32_t event_thread(const struct event *e, unsigned field);
bool event_thread_is_virtual(const struct event *e, uint32_t thread);
uint32_t event_stack(const struct event *e, unsigned field);

/* A reference that keeps the object of a jdk.OldObjectSample alive (stacks/chains.h). */
struct event_holder {
	uint32_t what, class; /* texts; class: of what it refers to, 0: not known */
	int64_t size;	      /* elements of that; -1 */
};

/*
 * What keeps the object alive: fields `object` and `root` of the input. The first that are of the
 * chain, from the root on, `room` at most; returns how many.
 */
size_t event_holders(const struct event *e, unsigned object, unsigned root, struct event_holder *to,
		     size_t room);

/* The key of a constant in its chunk: equal keys are the same thing there. */
uint64_t event_key(const struct event *e, unsigned field);

/*
 * Of a stack: the method on top; the topmost that is not of the JDK, or the top if all are; the
 * topmost whose class is not in java.lang or java.util themselves. Numbers of texts; 0: none.
 */
uint32_t event_top_method(const struct event *e, uint32_t stack);
uint32_t event_top_own(const struct event *e, uint32_t stack);
uint32_t event_top_without(const struct event *e, uint32_t stack);
bool event_stack_has(const struct event *e, uint32_t stack, const char *prefix);
/*
 * Is there a method of the application, neither the JDK's nor a library's? Also where there is
 * none.
 */
bool event_is_of_app(const struct event *e, uint32_t stack);
/* The method of frame i, the top is 0; 0 beyond the last. */
uint32_t event_method(const struct event *e, uint32_t stack, size_t i);
size_t event_stack_depth(const struct event *e, uint32_t stack);
bool event_stack_is_truncated(const struct event *e, uint32_t stack);

/* For take(): the text of a number. */
const char *event_text_of(const struct event *e, uint32_t text);

/*
 * Of a long text, such as a thread dump: what begins with `from`, where that is first found, of at
 * most so many bytes. NULL: it is not found. Valid until the next call with that `from`;
 * the text is not kept.
 */
const char *event_excerpt(const struct event *e, unsigned field, const char *from, size_t most);

/* Remove what is secret in a text of the event from all findings; name: of a value, or NULL. */
void event_learn_secrets(const struct event *e, const char *type, const char *field,
			 const char *name, const char *text);

/* The number of a text of the rule's own. */
uint32_t event_put_text(const struct event *e, const char *text);

/* Memory is gone: the analysis fails. */
void event_no_memory(const struct event *e);

/* Judging -------------------------------------------------------------------------------------- */

/* A rule being judged for one JVM. */
struct judging {
	const struct rule *rule;
	const struct facts *facts;
	struct jfrec_analysis *analysis;
	struct jvm *jvm;
	struct jfrec_rule_finding *finding;
	double info, warning; /* the limits */
};

/* The type of another producer that stands for that one, and has events; NULL. */
const struct equivalent *other_met(const struct judging *j, const char *type);

/* Texts, threads, stacks. */
const char *text_at(const struct judging *j, uint32_t text);
/* How many texts there are: their numbers are less. */
size_t text_count(const struct judging *j);
struct thread_name {
	const char *name; /* "#id" of a thread without one */
	int64_t java_id, os_id;
	bool is_virtual;
};
struct thread_name thread_of(const struct judging *j, uint32_t thread);
size_t stack_depth(const struct judging *j, uint32_t stack);
bool stack_is_truncated(const struct judging *j, uint32_t stack);
/* The method of frame i, the top is 0; "" beyond the last. */
const char *stack_method(const struct judging *j, uint32_t stack, size_t i);
/* The number of the text of the same; 0. */
uint32_t stack_method_text(const struct judging *j, uint32_t stack, size_t i);
unsigned stack_line(const struct judging *j, uint32_t stack, size_t i);
/* The first frame that is not of the JDK; the top if all are. SIZE_MAX: no frames. */
size_t stack_first_own(const struct judging *j, uint32_t stack);
/*
 * From frame i on, the first of the application, neither the JDK's nor a library's; SIZE_MAX: none.
 */
size_t stack_first_app(const struct judging *j, uint32_t stack, size_t i);
/* Is there a frame whose name begins so? */
bool stack_has(const struct judging *j, uint32_t stack, const char *prefix);

/* Set the severity by the limits and the score by the curve; v is what is compared. */
void judge_by(struct judging *j, double v);
/* The severity alone: for what has no limits, or more than one criterion. Never lowers it. */
void judge_at_least(struct judging *j, enum jfrec_severity s);
/* Lower it to this, if it is higher. */
void judge_at_most(struct judging *j, enum jfrec_severity s);
static inline bool is_found(const struct judging *j)
{
	return j->finding->severity >= JFREC_SEVERITY_INFO;
}

#define PRINTF_2 __attribute__((format(printf, 2, 3)))

void summarize(struct judging *j, const char *format, ...) PRINTF_2;
void advise(struct judging *j, const char *format, ...) PRINTF_2;
/* Why it is less sure: sentences add up. */
void doubt(struct judging *j, const char *format, ...) PRINTF_2;

/* The question is not for this JVM; there were too few; the reason is the caller's text. */
void not_for_this_jvm(struct judging *j, const char *format, ...) PRINTF_2;
void too_few(struct judging *j, const char *format, ...) PRINTF_2;
/* It was on, but something that the rule needs did not come. */
void none_came(struct judging *j, const char *format, ...) PRINTF_2;

/*
 * Is the threshold of an event type above the limit for info, so that nothing can be said? Then
 * that is the finding.
 */
bool hidden_by_threshold(struct judging *j, const char *type, double limit_ns);

/* " for longer than 20 ms", of the threshold of an event type; "": it has none. */
const char *longer_than_threshold(struct judging *j, const char *type);

/* Evidence, in the order in which it is to be shown. share: of all, 0 to 1; NAN: not said. */
void show_quantity(struct judging *j, const char *label, double value, enum jfrec_unit unit);
void show_range(struct judging *j, const char *label, int64_t from_ns, int64_t to_ns);
void show_thread(struct judging *j, const char *label, uint32_t thread, double share);
void show_stack(struct judging *j, const char *label, uint32_t stack, double share);
void show_name(struct judging *j, enum jfrec_evidence_kind kind, const char *label,
	       const char *name, double share);
void show_note(struct judging *j, const char *format, ...) PRINTF_2;
/* Arguments of jfrec, "view gc-pauses"; the recording is added by who prints it. */
void show_command(struct judging *j, const char *format, ...) PRINTF_2;
/* The same, if there are events of this type: without them the command would show nothing. */
void show_command_if(struct judging *j, const char *type, const char *command);
/* The command that prints the events of a type within a span, and of a where expression or NULL. */
void show_events(struct judging *j, const char *type, int64_t from_ns, int64_t to_ns,
		 const char *where);

/* Zeroed memory, and text, with a life as long as the finding's; NULL: the analysis fails. */
void *judging_memory(struct judging *j, size_t size);
const char *textf(struct judging *j, const char *format, ...) PRINTF_2;
const char *percent_text(struct judging *j, double share);  /* "18.2 %" */
const char *span_text(struct judging *j, double ns);	  /* "412 ms" */
const char *bytes_text(struct judging *j, double bytes);  /* "480 MiB" */
const char *count_text(struct judging *j, double n);	  /* "10868", "0.21" */
const char *unit_text(struct judging *j, double v, enum jfrec_unit unit);
const char *time_text(struct judging *j, int64_t ns);	  /* "10:15:53" */
/* "(limit 10 %)" of the class that was reached; of info, if none was. */
const char *limit_text(struct judging *j);

/* "", "s" */
static inline const char *plural(double n)
{
	return n == 1 ? "" : "s";
}

/* The length of what was recorded of the JVM, in ns, at least 1. */
int64_t recorded_ns(const struct judging *j);
/* How wide a window of that width is at most: no wider than what was recorded. */
int64_t window_ns(const struct judging *j, int64_t width);

/*
 * Does the recording stop in the middle, as that of a JVM does that was killed, or that ran when it
 * was copied? Not if the JVM is known to run, if only a part was asked for, or if it is damaged.
 */
bool has_no_end(const struct judging *j);

#endif
