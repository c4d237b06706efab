/* SPDX-License-Identifier: MIT */
/*
 * operand.h - operands that are recordings, or a JVM that is recording
 *
 * A command that reads recordings takes a JVM, too: the last minutes of its repository, without
 * attaching, or a recording that is made for it, and leaves nothing behind or is kept.
 */
#ifndef JFREC_CLI_RECORDING_OPERAND_H
#define JFREC_CLI_RECORDING_OPERAND_H

#include "base/confine.h"
#include "base/outname.h"
#include "base/report.h"

struct operand_opts {
	const char *jvm;     /* --jvm: the operand is one, whatever it looks like */
	int64_t max_age_ns;  /* 0: the default of 10 minutes */
	int64_t duration_ns; /* 0: read what is there */
	bool cpu_time;	     /* with duration_ns: CPU-time samples, where the JVM has them */
	bool watch;	     /* look at what the host shows of the JVM, too */
	bool keep;	     /* with duration_ns: the recording stays; its name is reported */
	const char *output;  /* of that, as `jfrec record -o` takes it; NULL: a name is made up */
	bool force;	     /* and may replace a file */
};

/* A group for the table of a command. */
extern const struct opt operand_rows[];

/* What was opened. */
struct operand {
	struct jfrec_reader *reader;
	/* of o->watch, what was seen; to be freed with the reader; or NULL */
	struct jfrec_host *host;
	char name[256];	 /* for messages and titles: of a file without its directory */
	bool is_jvm;	 /* the reader is of its repository */
	char path[OUTNAME_MAX]; /* of a recording that was kept; "": none was */
	int64_t from_ns; /* of a repository: where the minutes begin, since 1970; else INT64_MIN */
};

/*
 * Are these operands for a recording (`-`, anything with a slash, the name of a file), or do they
 * mean a JVM?
 */
bool operand_is_jvm(const struct operand_opts *o, char *const *operands, int count);

/*
 * Open what the operands mean, and give up what reading does not need. settings: what is recorded
 * with --duration, a name of `jfrec settings list`. Returns an exit code, after saying what is
 * wrong; after EXIT_DONE the reader is to be closed with jfrec_reader_close(). What a recording of
 * its own leaves on the disk is gone by then, unless it is kept.
 */
int operand_open(struct operand *in, const struct command *c, const struct operand_opts *o,
	       const char *settings, enum confinement how, char *const *operands, int count);

/* Have JSON documents name what was opened, and what is damaged in it. */
void operand_in_envelope(const struct operand *in, char *const *operands, int count);

struct event_opts;

/*
 * Have the reader give the events that were asked for, of a JVM no older ones than its minutes.
 * Returns an exit code, after saying what is wrong.
 */
int operand_select(const struct operand *in, const struct command *c, struct event_opts *s);

/* What pages and documents call one of the operands: standard input and JVMs have no path. */
const char *operand_shown(const struct operand *in, const char *path);

/* Where no zone was asked for: the recording's own, in which its owner saw what happened. */
void operand_use_zone(const struct operand *in, struct event_opts *s);

#endif
