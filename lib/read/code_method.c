/* SPDX-License-Identifier: MIT */
/*
 * code_method.c - what a method is called that may be a function of C++ or Rust
 */
#include "read/code_method.h"

#include <string.h>

#include "demangle/demangle.h"

/* No method of Java is of this type. */
static bool is_of_async_profiler(struct objects *o, struct object method)
{
	const char *descriptor = object_text(o, method, "descriptor", NULL);

	return descriptor && strcmp(descriptor, "()L;") == 0;
}

const char *code_method_name(struct objects *o, struct object method, size_t *len)
{
	const char *name = object_text(o, method, "name", len), *shown = NULL;

	if (name && is_mangled(name, *len) &&
	    (method.type->metadata->is_native || is_of_async_profiler(o, method)))
		shown = demangle(&o->scratch, name, *len, len);
	return shown ? shown : name;
}
