/* SPDX-License-Identifier: MIT */
/*
 * content.h - what annotations of a field say its numbers mean, in one table
 *
 * A new annotation of the JDK is a row in content.c.  If no unit fits, it also takes a new one in
 * enum jfrec_unit: CONTRIBUTING.md lists who else has to know that.
 */
#ifndef JFREC_FORMAT_CONTENT_H
#define JFREC_FORMAT_CONTENT_H

#include "format/metadata.h"

struct content {
	const char *annotation; /* "jdk.jfr.DataAmount"; NULL: no unit */
	const char *value;	/* of the annotation, or NULL */
	const char *besides;	/* one more annotation, or NULL */
	const char *name;	/* of the unit, as columns of tables say it, or NULL */
	bool is_amount;		/* of data */
	unsigned amount;	/* for put_amount(): AMOUNT_BITS, AMOUNT_PER_SECOND */
	unsigned strength;	/* of several the strongest counts; 0: of times and flags */
};

/* The row of that unit; never NULL. */
const struct content *content_of(enum jfrec_unit unit);

/* May an annotation of that name give a unit? */
bool content_gives_unit(const char *annotation);

/* The unit that a field's annotations give its numbers, apart from times; or JFREC_UNIT_NONE. */
enum jfrec_unit content_unit(const struct jfrec_field *f);

#endif
