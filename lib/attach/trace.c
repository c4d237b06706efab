/* SPDX-License-Identifier: MIT */
/*
 * trace.c - report each step to the caller, for -v
 */
#include "attach/trace.h"

#include <stdarg.h>
#include <stdio.h>

void trace_step(const struct trace *t, const char *format, ...)
{
	char text[TRACE_MAX];
	va_list args;

	if (!t->fn)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	t->fn(t->ctx, text);
}
