/* SPDX-License-Identifier: MIT */
/*
 * java.h - format threads, classes, methods and stack frames
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

/* Its methods, from the top: `A.c();A.b();A.a()` */
site_fn java_stack_methods;

/*
 * The name of a class, as it is recorded: `[Ljava/lang/String;`, or of a class loader:
 * `app`, or its class's.  Valid until the event is done; NULL if there is none.
 */
const char *java_class_name(struct render *r, const struct jfrec_type *t, const uint64_t *slots);
const char *java_loader_name(struct render *r, const struct jfrec_type *t, const uint64_t *slots);

/* Write the name of a class as people do: `java.lang.String[]` */
void java_put_class_name(struct render *r, const char *name);

/*
 * An old object and the chain of references that keeps it: ` [`, a line for
 * each, `]`.  array_elements is the length of the object, if it is an array.
 */
void java_old_object(struct render *r, const struct jfrec_type *t, const uint64_t *slots,
		     unsigned indent, int64_t array_elements);

#endif
