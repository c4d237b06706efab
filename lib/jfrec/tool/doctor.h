/* SPDX-License-Identifier: MIT */
/* jfrec/tool/doctor.h - why a JVM cannot be attached to or recorded */
#ifndef JFREC_TOOL_DOCTOR_H
#define JFREC_TOOL_DOCTOR_H

#include "jfrec/session.h"

enum jfrec_finding_state {
	JFREC_FINDING_OK = 0,
	JFREC_FINDING_NOTE = 1,	   /* nothing fails for it now, but it may matter */
	JFREC_FINDING_WRONG = 2,   /* commands fail because of it, or it may cause harm */
	JFREC_FINDING_UNKNOWN = 3, /* it could not be checked */
};

/* The result of one check.  The strings live as long as their diagnosis. */
struct jfrec_finding {
	const char *check; /* "socket": one word, the same whatever was found */
	enum jfrec_finding_state state;
	enum jfrec_code code; /* what commands fail with; JFREC_OK: none does */
	const char *text;     /* what was found, one sentence */
	const char *remedy;   /* how to fix it, if possible a command; NULL: nothing to fix */
};

/* A list of findings that grows. */
struct jfrec_diagnosis;

/* An empty one, to be freed with jfrec_diagnosis_free(), or NULL with *err set (JFREC_ENOMEM). */
struct jfrec_diagnosis *jfrec_diagnosis_new(struct jfrec_error *err);

/* Free the diagnosis and its findings. */
void jfrec_diagnosis_free(struct jfrec_diagnosis *d);

/* How many findings it has. */
size_t jfrec_diagnosis_count(const struct jfrec_diagnosis *d);

/* Finding number i; NULL beyond the last.  Valid until more are added. */
const struct jfrec_finding *jfrec_diagnosis_get(const struct jfrec_diagnosis *d, size_t i);

/*
 * All that follow add findings, good and bad ones.  0, or -1 with *err set: JFREC_ENOMEM,
 * JFREC_EIO.
 *
 * Of this host, and of our own rights on it.
 */
int jfrec_diagnosis_host(struct jfrec_diagnosis *d, struct jfrec_error *err);

/* Of a JVM, from outside: nothing is sent to it. */
int jfrec_diagnosis_jvm(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm,
			struct jfrec_error *err);

/*
 * Ask the JVM whether it answers and what it records, unless something that keeps it from that has
 * been found before, or it does not listen yet and options->no_signal is set.  That changes
 * nothing in the JVM, unless it has to be made to listen; Flight Recorder is not loaded for it.
 */
int jfrec_diagnosis_ask(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm,
			const struct jfrec_session_options *options, struct jfrec_error *err);

#endif
