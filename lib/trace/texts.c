/* SPDX-License-Identifier: MIT */
/*
 * texts.c - what fields of events say, in few words
 */
#include "trace/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/human.h"
#include "format/slot.h"
#include "stacks/frame_names.h"

/* The text up to where there is room; cut between characters. */
static void put(char to[static TEXT_MOST], const char *text)
{
	size_t len = strlen(text);

	if (len >= TEXT_MOST) {
		len = TEXT_MOST - 4;
		while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
		memcpy(to, text, len);
		memcpy(to + len, "...", 4);
		return;
	}
	memcpy(to, text, len + 1);
}

static void append(char to[static TEXT_MOST], const char *before, const char *text)
{
	char both[3 * TEXT_MOST];

	snprintf(both, sizeof(both), "%s%s%s%s", to, *to ? ", " : "", before, text);
	put(to, both);
}

void thread_text(struct objects *o, struct object thread, char to[static TEXT_MOST])
{
	const char *name = object_text(o, thread, "javaName", NULL);
	int64_t id = object_number(thread, "javaThreadId", 0);

	if (!name || !*name)
		name = object_text(o, thread, "osName", NULL);
	to[0] = '\0';
	if (name && *name)
		put(to, name);
	else if (id > 0)
		snprintf(to, TEXT_MOST, "thread %" PRId64, id);
}

static void class_text(struct objects *o, struct object class, char to[static TEXT_MOST])
{
	static const struct naming naming = { .with_dots = true };
	size_t len = 0;
	const char *symbol = object_text(o, class, "name", &len);
	const char *name =
		symbol ? frame_class_name(&naming, symbol, len, &o->scratch, &len) : NULL;

	to[0] = '\0';
	if (name)
		put(to, name);
}

static void struct_text(struct objects *o, struct object event, const struct jfrec_field *f,
			char to[static TEXT_MOST])
{
	const char *text;

	to[0] = '\0';
	if (f->type->known == KNOWN_THREAD) {
		thread_text(o, object_member(o, event, f->name), to);
	} else if (f->type->known == KNOWN_CLASS) {
		class_text(o, object_member(o, event, f->name), to);
	} else if ((text = object_text(o, event, f->name, NULL)) != NULL) {
		put(to, text);
	}
}

static enum jfrec_kind number_text(struct objects *o, const struct jfrec_field *f, int64_t value,
				   char to[static TEXT_MOST], int64_t *number)
{
	const struct clock *clock = &o->chunk->clock;

	*number = value;
	if (f->timespan) {
		*number = span_in_ns(f, clock, value);
		human_span(to, (double)*number);
		return JFREC_KIND_SPAN;
	}
	if (f->timestamp) {
		*number = time_in_ns(f, clock, value);
		human_iso(to, *number, 0);
		return JFREC_KIND_TIME;
	}
	if (f->type->wire == WIRE_BOOLEAN) {
		put(to, value ? "true" : "false");
		return JFREC_KIND_BOOL;
	}
	if (f->unit == JFREC_UNIT_BYTES)
		human_bytes(to, (double)value);
	else
		snprintf(to, TEXT_MOST, "%" PRId64, value);
	return JFREC_KIND_INT;
}

enum jfrec_kind field_text(struct objects *o, struct object event, const struct jfrec_field *f,
			   char to[static TEXT_MOST], int64_t *number)
{
	uint16_t step = plan_of(event.type)->first_step[f->index];
	enum wire wire = field_wire(f);

	to[0] = '\0';
	*number = 0;
	if (f->array || !f->type)
		return JFREC_KIND_NULL;
	switch (wire) {
	case WIRE_FLOAT:
		human_number(to, (double)slot_float(event.slots[step]));
		return JFREC_KIND_STRING;
	case WIRE_DOUBLE:
		human_number(to, slot_double(event.slots[step]));
		return JFREC_KIND_STRING;
	case WIRE_BOOLEAN:
	case WIRE_BYTE:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_LONG:
		return number_text(o, f, slot_number(f, wire, event.slots[step]), to, number);
	default:
		struct_text(o, event, f, to);
		return *to ? JFREC_KIND_STRING : JFREC_KIND_NULL;
	}
}

bool is_own_field(const struct jfrec_field *f)
{
	static const char *const common[] = { "startTime", "duration", "eventThread",
					      "stackTrace" };

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
		if (strcmp(f->name, common[i]) == 0)
			return false;
	}
	return true;
}

static void known_detail(struct objects *o, const struct kind_row *row, struct object event,
			 char to[static TEXT_MOST])
{
	char text[TEXT_MOST];
	int64_t number;

	for (unsigned i = 0; i < DETAIL_FIELDS && row->details[i].field; i++) {
		const struct jfrec_field *f = object_field(event.type, row->details[i].field);

		if (!f)
			continue;
		field_text(o, event, f, text, &number);
		if (*text)
			append(to, row->details[i].before, text);
	}
}

static void own_detail(struct objects *o, struct object event, char to[static TEXT_MOST])
{
	unsigned shown = 0;

	for (unsigned i = 0; i < event.type->field_count && shown < DETAIL_FIELDS; i++) {
		const struct jfrec_field *f = &event.type->fields[i];
		char text[TEXT_MOST], before[80];
		int64_t number;

		if (!is_own_field(f))
			continue;
		field_text(o, event, f, text, &number);
		if (!*text)
			continue;
		snprintf(before, sizeof(before), "%.60s ", f->name);
		append(to, before, text);
		shown++;
	}
}

void detail_text(struct objects *o, const struct kind_row *row, struct object event,
		 char to[static TEXT_MOST])
{
	to[0] = '\0';
	if (row->kind == JFREC_TRACE_SPAN)
		own_detail(o, event, to);
	else
		known_detail(o, row, event, to);
}
