/* SPDX-License-Identifier: MIT */
/*
 * problem.c - report damage in a recording to the caller
 */
#include "format/problem.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/timetext.h"

#define TEXT_MAX 512

/* " (2026-11-20T09:47:05.651208645Z to ...)" */
static void put_times(char *at, size_t room, const struct loss *loss)
{
	struct second_text second = { 0 };
	char from[TIMETEXT_MAX + 1], to[TIMETEXT_MAX + 1];

	*put_full_time(from, &second, timespan_from_ns(loss->from_ns), 0) = '\0';
	*put_full_time(to, &second, timespan_from_ns(loss->to_ns), 0) = '\0';
	snprintf(at, room, " (%s to %s)", from, to);
}

__attribute__((format(printf, 4, 0))) static void tell(struct problems *p, bool damage,
						       const struct loss *loss, const char *format,
						       va_list args)
{
	char text[TEXT_MAX];
	struct jfrec_problem problem = {
		.damage = damage,
		.input = p->input,
		.offset = loss->offset,
		.lost = loss->bytes,
		.from_ns = loss->from_ns,
		.to_ns = loss->to_ns,
		.text = text,
	};
	int len;

	p->damage += damage;
	p->told++;
	if (!p->fn)
		return;
	len = vsnprintf(text, sizeof(text), format, args);
	if ((loss->from_ns || loss->to_ns) && len > 0 && len < TEXT_MAX)
		put_times(text + len, sizeof(text) - (size_t)len, loss);
	p->fn(p->ctx, &problem);
}

void problem_tell(struct problems *p, const struct jfrec_problem *problem)
{
	p->damage += problem->damage;
	p->told++;
	if (p->fn)
		p->fn(p->ctx, problem);
}

void problem_loss(struct problems *p, const struct loss *loss, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(p, true, loss, format, args);
	va_end(args);
}

void problem_gap(struct problems *p, const struct loss *loss, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(p, false, loss, format, args);
	va_end(args);
}

void problem_damage(struct problems *p, uint64_t offset, uint64_t lost, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(p, true, &(struct loss){ .offset = offset, .bytes = lost }, format, args);
	va_end(args);
}

void problem_notice(struct problems *p, uint64_t offset, uint64_t lost, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(p, false, &(struct loss){ .offset = offset, .bytes = lost }, format, args);
	va_end(args);
}
