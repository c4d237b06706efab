/* SPDX-License-Identifier: MIT */
/*
 * diagnosis.c - collect findings in a growing list
 */
#include "doctor/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "jfrec-tool.h"

/* Room for a sentence; longer ones are cut. */
#define MAX_TEXT 1024

struct jfrec_diagnosis {
	struct arena arena; /* of the sentences */
	struct jfrec_finding *items;
	size_t count, room;
	bool out_of_memory;
};

struct jfrec_diagnosis *jfrec_diagnosis_new(struct jfrec_error *err)
{
	struct jfrec_diagnosis *d = calloc(1, sizeof(*d));

	if (!d)
		jfrec_fail_memory(err);
	return d;
}

void jfrec_diagnosis_free(struct jfrec_diagnosis *d)
{
	if (!d)
		return;
	arena_fini(&d->arena);
	free(d->items);
	free(d);
}

size_t jfrec_diagnosis_count(const struct jfrec_diagnosis *d)
{
	return d->count;
}

const struct jfrec_finding *jfrec_diagnosis_get(const struct jfrec_diagnosis *d, size_t i)
{
	return i < d->count ? &d->items[i] : NULL;
}

static const char *keep(struct jfrec_diagnosis *d, const char *text, size_t len)
{
	const char *kept = arena_strndup(&d->arena, text, len);

	d->out_of_memory |= !kept;
	return kept ? kept : "";
}

static void append(struct jfrec_diagnosis *d, const struct jfrec_finding *f)
{
	if (!array_push(d->items, d->count, d->room, *f))
		d->out_of_memory = true;
}

void diagnosis_add(struct jfrec_diagnosis *d, const char *check, enum jfrec_finding_state state,
		   const char *format, ...)
{
	char text[MAX_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	append(d, &(struct jfrec_finding){
			  .check = check,
			  .state = state,
			  .text = keep(d, text, strlen(text)),
		  });
}

void diagnosis_fail(struct jfrec_diagnosis *d, const char *check, const struct jfrec_error *why)
{
	static const char parting[] = "; ";
	const char *end = strstr(why->text, parting);
	struct jfrec_finding f = {
		.check = check,
		.state = JFREC_FINDING_WRONG,
		.code = why->code,
	};

	if (end) {
		f.text = keep(d, why->text, (size_t)(end - why->text));
		end += strlen(parting);
		f.remedy = keep(d, end, strlen(end));
	} else {
		f.text = keep(d, why->text, strlen(why->text));
	}
	append(d, &f);
}

void diagnosis_mend(struct jfrec_diagnosis *d, const char *format, ...)
{
	char text[MAX_TEXT];
	va_list args;

	if (!d->count)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	d->items[d->count - 1].remedy = keep(d, text, strlen(text));
}

int diagnosis_check(const struct jfrec_diagnosis *d, struct jfrec_error *err)
{
	return d->out_of_memory ? jfrec_fail_memory(err) : 0;
}
