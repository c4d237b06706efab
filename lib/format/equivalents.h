/* SPDX-License-Identifier: MIT */
/*
 * equivalents.h - event types of other producers that say what one of the JDK's says
 *
 * JDK 9 and 10 call all of the JDK's types com.oracle.jdk.X. Datadog's profiler has types of its
 * own where the JDK has some already: with other names of fields, and with weights. What this table
 * says is all that stacks, rules and views have to know of them.
 *
 * It lies beside the metadata, the lowest place where names of types mean something, since what
 * reads, shows and judges events all asks it.
 */
#ifndef JFREC_FORMAT_EQUIVALENTS_H
#define JFREC_FORMAT_EQUIVALENTS_H

#include <stdbool.h>
#include <stddef.h>

#define EQUIVALENT_FIELDS 4

struct equivalent {
	const char *type;    /* "datadog.ExecutionSample" */
	const char *jdk;     /* the one whose part it takes, "jdk.ExecutionSample" */
	const char *profile; /* that its stacks make, by its name on the command line: "cpu" */
	/* What an event weighs in that profile. NULL: that is not said. */
	const char *samples; /* field: it stands for so many; NULL: for one */
	const char *setting; /* of the type: the time that a sample stands for */
	const char *value;   /* field: bytes, or a time */
	const char *factor;  /* field: such values that it stands for; NULL: for one */
	/* Fields that have other names than the JDK's. */
	struct {
		const char *jdk, *own;
	} fields[EQUIVALENT_FIELDS];
	const char *producer; /* as users know it: "Datadog" */
};

/* All, in a fixed order; NULL after the last. */
const struct equivalent *equivalent_at(size_t i);

/* Of a type of another producer; NULL: it is none of these. */
const struct equivalent *equivalent_of(const char *type);

/* What it calls a field of the JDK's type: the same name, if the table has no other. */
const char *equivalent_field(const struct equivalent *e, const char *jdk_field);

/* Whose types have names like this one's, "Datadog"; NULL: it is none of these producers. */
const char *producer_of(const char *type);

/* Names of JDK 9 and 10 ------------------------------------------------------------------------ */

/* Room for such a name; longer ones do not exist. */
#define JDK_NAME_MAX 128

/* Do JDK 9 and 10 call the JDK's type `jdk_name`, "jdk.X", by `name`? */
bool is_jdk9_name(const char *name, const char *jdk_name);

/* "jdk.X" of "com.oracle.jdk.X", in the buffer; any other name is its own. */
const char *jdk_name_of(const char *name, char buffer[JDK_NAME_MAX]);

/* "com.oracle.jdk.X" of "jdk.X", in the buffer; any other name is its own. */
const char *jdk9_name_of(const char *jdk_name, char buffer[JDK_NAME_MAX]);

/* What JDK 9 and 10 write before a name that begins with "jdk.". */
#define JDK9_BEFORE "com.oracle."

#endif
