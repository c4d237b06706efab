/* SPDX-License-Identifier: MIT */
/*
 * reply.h - classify the replies of JFR commands
 *
 * The status before a reply is 0 for nearly every failure, so only its
 * text tells.  All texts that are known stand in one table (reply.c), and one
 * that is not there is never a success.
 */
#ifndef JFREC_JFR_REPLY_H
#define JFREC_JFR_REPLY_H

#include "jfrec.h"

enum reply_meaning {
	REPLY_UNKNOWN, /* a text that we have never seen */
	REPLY_EMPTY,   /* nothing was said: it may have worked, or failed without a reason */
	REPLY_CUT,     /* it broke off */
	REPLY_FAILED,
	REPLY_NO_MEMORY, /* the JVM's heap, or what else it allocates from, is full */
	REPLY_NO_DATA, /* a dump found nothing in the interval */
	REPLY_DONE,
	REPLY_SCHEDULED,  /* a recording that will begin after its delay */
	REPLY_NONE,	  /* of JFR.check: there are no recordings */
	REPLY_NEVER_USED, /* the same on 8 and 11, before the first one was started */
};

/* A part of an answer; not ended by NUL. */
struct reply_text {
	const char *at;
	size_t len;
};

struct reply {
	enum reply_meaning meaning;
	enum jfrec_code code;	    /* of a failure; else JFREC_OK */
	const char *advice;	    /* the next step after a failure, or NULL */
	struct reply_text words;    /* what a failure says: its first paragraph */
	struct reply_text warnings; /* lines before all others */
	uint64_t id;		    /* of a recording that was started or scheduled */
	struct reply_text path;	    /* the file that the JVM says it writes; or len 0 */
};

/* Find out what the answer means.  The result points into text, which ends in NUL at len. */
struct reply reply_read(enum jfrec_jfr_command command, int status, const char *text, size_t len);

/*
 * Did the JVM do as requested, or will it after a delay?  That there are no recordings counts.
 */
static inline bool reply_is_success(const struct reply *r)
{
	return r->meaning >= REPLY_DONE;
}

/* Fill *err from a reply that is a failure. Returns -1. */
int reply_fail(enum jfrec_jfr_command command, const struct reply *r, struct jfrec_error *err);

/* The answer to VM.version.  0, or -1 with *err set. */
int reply_version(const char *text, struct jfrec_jvm_version *version, struct jfrec_error *err);

/*
 * The value in the line "Label: value" of what JFR.configure said, or in "key=value"
 * of system properties: label with its ": " or "=".  len 0: it is not there.
 */
struct reply_text reply_value(const char *text, const char *label);

#endif
