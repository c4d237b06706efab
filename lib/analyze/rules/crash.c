/* SPDX-License-Identifier: MIT */
/*
 * crash.c - did the JVM die?
 *
 * A JVM that ends says so, and finishes its chunk; one that crashes writes a last dump. One that
 * the kernel kills can do neither. Its last chunk looks like that of a JVM that was running when it
 * was copied, so the finding names both possibilities; what it had of its memory speaks for the
 * one.
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "DumpReason", "Fatal Errors", NULL };

/* So much of what it may have, and the kernel is the likely one. */
#define NEAR 0.8

enum { DUMP, SHUTDOWN, LIMIT, CONTAINER, RESIDENT, DIRECT };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.DumpReason", OCCURS, "reason"),
	READS_EITHER(1, "jdk.Shutdown", OCCURS, "reason"),
	READS("jdk.ContainerConfiguration", HELPS, "memoryLimit", "hostTotalMemory"),
	READS("jdk.ContainerMemoryUsage", HELPS, "memoryUsage"),
	READS("jdk.ResidentSetSize", HELPS, "size"),
	READS("jdk.DirectBufferStatistics", HELPS, "memoryUsed"),
	{ 0 },
};

/* The last reading. */
struct reading {
	int64_t at_ns, bytes;
};

struct state {
	uint32_t fatal, end; /* reasons */
	int64_t fatal_ns, end_ns;
	bool is_out_of_memory;
	int64_t limit, host;
	struct reading container, resident, direct;
};

static bool has_word(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

static void keep_last(struct reading *r, const struct event *e)
{
	int64_t bytes = event_long(e, 0);

	if (bytes >= 0 && (e->start_ns >= r->at_ns || !r->bytes))
		*r = (struct reading){ e->start_ns, bytes };
}

static void take_memory(struct state *s, const struct event *e)
{
	switch (e->input) {
	case LIMIT:
		if (event_long(e, 0) > s->limit)
			s->limit = event_long(e, 0);
		if (event_long(e, 1) > s->host)
			s->host = event_long(e, 1);
		break;
	case CONTAINER:
		keep_last(&s->container, e);
		break;
	case RESIDENT:
		keep_last(&s->resident, e);
		break;
	default:
		keep_last(&s->direct, e);
	}
}

static void take_end(struct state *s, const struct event *e)
{
	uint32_t reason = event_text(e, 0);
	const char *text = event_text_of(e, reason);
	bool out = has_word(text, "out of memory");

	if ((e->input == DUMP && (out || has_word(text, "crash") || has_word(text, "core dump"))) ||
	    (e->input == SHUTDOWN && has_word(text, "VM Error"))) {
		s->fatal = reason;
		s->fatal_ns = e->start_ns;
		s->is_out_of_memory |= out;
	} else if (e->input == SHUTDOWN) {
		s->end = reason;
		s->end_ns = e->start_ns;
	}
}

static void take(void *state, const struct event *e)
{
	if (e->input > SHUTDOWN)
		take_memory(state, e);
	else
		take_end(state, e);
}

/* What the JVM is known to have had of memory at last: at least that. */
static int64_t memory_of(const struct judging *j, const struct state *s)
{
	const struct facts *f = j->facts;
	int64_t heap = f->heap_count ? f->heap[f->heap_count - 1].committed : 0, most;

	most = (heap > 0 && heap < INT64_MAX / 4 ? heap : 0) +
	       (s->direct.bytes < INT64_MAX / 4 ? s->direct.bytes : 0);
	if (s->container.bytes > most)
		most = s->container.bytes;
	return s->resident.bytes > most ? s->resident.bytes : most;
}

static void judge_without_end(struct judging *j, const struct state *s)
{
	bool has_limit = s->limit > 0 && (s->host <= 0 || s->limit < s->host);
	int64_t memory = memory_of(j, s);
	double share = has_limit ? (double)memory / (double)s->limit : 0;

	judge_at_least(j, share >= NEAR ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
	if (share >= NEAR)
		summarize(j, "The JVM was killed, or still ran: the recording stops at %s without an "
			     "end, when %s of %s of its container were in use",
			  time_text(j, j->facts->end_ns), bytes_text(j, (double)memory),
			  bytes_text(j, (double)s->limit));
	else
		summarize(j, "The JVM was killed, or still ran: the recording stops at %s without an "
			     "end",
			  time_text(j, j->facts->end_ns));
	advise(j, "If it ran no longer: see the log of the kernel (dmesg) and memory.events of its "
		  "control group for whether it had too much memory; hs_err_pid*.log lies beside "
		  "it if it crashed");
	if (s->resident.bytes)
		show_quantity(j, "resident memory at last", (double)s->resident.bytes,
			      JFREC_UNIT_BYTES);
	if (s->container.bytes)
		show_quantity(j, "memory of the container at last", (double)s->container.bytes,
			      JFREC_UNIT_BYTES);
	if (s->direct.bytes)
		show_quantity(j, "direct buffers at last", (double)s->direct.bytes,
			      JFREC_UNIT_BYTES);
	if (has_limit)
		show_quantity(j, "limit of the container", (double)s->limit, JFREC_UNIT_BYTES);
	show_command(j, "summary");
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;

	if (s->fatal) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		if (s->end && s->is_out_of_memory)
			summarize(j, "The JVM ended at %s (%s), after threads of it had run out of "
				     "memory",
				  time_text(j, s->end_ns), text_at(j, s->end));
		else
			summarize(j, "The JVM died at %s: %s", time_text(j, s->fatal_ns),
				  text_at(j, s->fatal));
		show_range(j, "when", s->fatal_ns, s->fatal_ns);
		show_command_if(j, "jdk.Shutdown", "print --events jdk.Shutdown");
		show_command_if(j, "jdk.DumpReason", "print --events jdk.DumpReason");
		if (s->is_out_of_memory)
			advise(j, "See live-set-growth and heap-exhausted for what filled its memory");
		return;
	}
	if (s->end)
		summarize(j, "The JVM ended at %s: %s", time_text(j, s->end_ns), text_at(j, s->end));
	else if (has_no_end(j))
		judge_without_end(j, s);
	else
		summarize(j, "Nothing says that the JVM died");
}

const struct rule rule_crash = {
	.info = {
		.id = "crash",
		.jmc = jmc,
		.question = "Did the JVM die?",
		.matters = "A crash loses all that was in memory. Its cause is in files that "
			   "are easily overlooked.",
		.computes = "Looks for a crash or lack of memory in jdk.DumpReason, and for an error "
			    "of the JVM in jdk.Shutdown. A normal end is ok. Where there is neither, and "
			    "the last chunk was never finished, the JVM was killed, or still ran "
			    "when its recording was copied: info, and a warning if it had 80 % of "
			    "the memory of its container.",
		.advice = "Read hs_err_pid*.log in the directory in which the JVM was started",
		.beware = "Of a JVM that the kernel kills, a recording that was completed or dumped "
			  "does not show that.",
		.differs = "JDK Mission Control calls the normal end of a program info.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
};
