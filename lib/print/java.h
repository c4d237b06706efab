/* SPDX-License-Identifier: MIT */
/*
 * java.h - threads, classes, methods and stack traces as the text format shows them
 */
#ifndef JFREC_PRINT_JAVA_H
#define JFREC_PRINT_JAVA_H

#include "print/render.h"

/* `"main" (javaThreadId = 1)` */
site_fn java_thread;

/* `java.lang.String (classLoader = bootstrap)` */
site_fn java_class;

/* `jdk.internal.loader.ClassLoaders$AppClassLoader (id = 3)` */
site_fn java_class_loader;

/* `java.lang.String.indexOf(int, int)` */
site_fn java_method;

/* The same, and ` line: 12` */
site_fn java_frame;

/* The lines of the event's stack trace, brackets included. */
site_fn java_stack_trace;

/*
 * An old object and the chain of references that keeps it: ` [`, a line for
 * each, `]`.  array_elements is the length of the object, if it is an array.
 */
void java_old_object(struct render *r, const struct jfrec_type *t, const uint64_t *slots,
		     unsigned indent, int64_t array_elements);

#endif
