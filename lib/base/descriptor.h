/* SPDX-License-Identifier: MIT */
/*
 * descriptor.h - parse JVM type descriptors such as "[[Ljava/lang/String;" or "I"
 */
#ifndef JFREC_BASE_DESCRIPTOR_H
#define JFREC_BASE_DESCRIPTOR_H

#include <stddef.h>

struct descriptor {
	const char *name; /* "java/lang/String", "int" */
	size_t len;
	unsigned dimensions; /* of an array */
};

/* Read one type; returns the end of what was read.  At the end of the text there is no name. */
const char *descriptor_read(const char *text, struct descriptor *d);

/* Write java/lang/String as java.lang.String.  Returns its end. */
char *put_dotted(char *at, const char *name, size_t len);

/* Leave out the package. */
void descriptor_simplify(struct descriptor *d);

#endif
