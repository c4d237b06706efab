/* SPDX-License-Identifier: MIT */
/*
 * problem.c - telling the caller what is not as it should be in a recording
 */
#include "format/problem.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 5, 0))) static void tell(struct problems *p, bool damage,
						       uint64_t offset, uint64_t lost,
						       const char *format, va_list args)
{
	char text[512];
	struct jfrec_problem problem = { damage, p->input, offset, lost, text };

	p->damage += damage;
	p->told++;
	if (!p->fn)
		return;
	vsnprintf(text, sizeof(text), format, args);
	p->fn(p->ctx, &problem);
}

void problem_damage(struct problems *p, uint64_t offset, uint64_t lost, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(p, true, offset, lost, format, args);
	va_end(args);
}

void problem_notice(struct problems *p, uint64_t offset, uint64_t lost, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(p, false, offset, lost, format, args);
	va_end(args);
}
