/* SPDX-License-Identifier: MIT */
/*
 * field.c - a field of an event type, by its name in a query
 */
#include "query/field.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "format/content.h"

#define MAX_DEPTH 32

const struct jfrec_type *real_type(const struct jfrec_type *t)
{
	for (unsigned depth = 0; t && depth < MAX_DEPTH; depth++) {
		if (!t->simple || t->field_count != 1 || t->fields[0].array)
			break;
		t = t->fields[0].type;
	}
	return t;
}

/* A field whose whole name is the path goes before one whose name ends at a dot. */
const struct jfrec_field *field_of_path(const struct jfrec_type *t, const char *path,
					const char **rest)
{
	size_t len = strcspn(path, ".");
	const struct jfrec_field *first = NULL;

	for (unsigned i = 0; i < t->field_count; i++) {
		const char *name = t->fields[i].name;

		if (strcmp(name, path) == 0) {
			*rest = NULL;
			return &t->fields[i];
		}
		if (!first && strncmp(name, path, len) == 0 && !name[len] && path[len])
			first = &t->fields[i];
	}
	*rest = first ? path + len + 1 : NULL;
	return first;
}

static const struct jfrec_field *find_last(const struct jfrec_type *t, const char *path)
{
	for (unsigned depth = 0; t && depth < MAX_DEPTH; depth++) {
		const struct jfrec_field *f = field_of_path(t, path, &path);

		if (!f || !path)
			return f;
		t = f->array ? NULL : real_type(f->type);
	}
	return NULL;
}

enum top_frame top_frame_of(const char *path, const char **rest)
{
	static const char *const names[] = {
		[TOP_FRAME] = "topFrame",
		[TOP_APPLICATION_FRAME] = "topApplicationFrame",
		[TOP_NOT_INIT_FRAME] = "topNotInitFrame",
	};
	size_t len = strcspn(path, ".");

	for (int i = TOP_FRAME; i <= TOP_NOT_INIT_FRAME; i++) {
		if (strlen(names[i]) == len && strncmp(names[i], path, len) == 0) {
			*rest = path[len] ? path + len + 1 : NULL;
			return (enum top_frame)i;
		}
	}
	return TOP_NONE;
}

/* stackTrace.topFrame...: its `last` is the field of frames, or the one that is asked for. */
static bool find_frame(const struct jfrec_type *event, const char *path, struct field *f)
{
	const struct jfrec_field *trace, *frames;
	const char *rest;

	trace = find_last(event, "stackTrace");
	if (!trace || !trace->type || top_frame_of(path, &rest) == TOP_NONE)
		return false;
	frames = find_last(trace->type, "frames");
	if (!frames || !frames->type)
		return false;
	f->pseudo = PSEUDO_FRAME;
	f->last = rest ? find_last(frames->type, rest) : frames;
	return f->last != NULL;
}

bool field_find(const struct jfrec_type *event, const char *path, struct field *f)
{
	*f = (struct field){ .event = event, .path = path };
	if (strcmp(path, "eventType.label") == 0) {
		f->pseudo = PSEUDO_LABEL;
		return true;
	}
	if (strcmp(path, "eventType.name") == 0) {
		f->pseudo = PSEUDO_NAME;
		return true;
	}
	if (strncmp(path, "stackTrace.top", 14) == 0 && find_frame(event, path + 11, f))
		return true;
	f->last = find_last(event, path);
	if (f->last && strcmp(event->name, "jdk.ActiveSetting") == 0 && strcmp(path, "id") == 0)
		f->pseudo = PSEUDO_SETTING;
	return f->last != NULL;
}

/* Looks ---------------------------------------------------------------------------------------- */

static bool is_text_type(const char *name)
{
	static const char *const names[] = {
		"java.lang.String",	"java.lang.Thread",	 "java.lang.Class",
		"jdk.types.ThreadGroup", "jdk.types.ClassLoader", "jdk.types.Method",
		"jdk.types.StackFrame",	"jdk.types.StackTrace",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static struct look text_look(const char *type)
{
	return (struct look){
		.type = type, .is_left = true, .sorts_as_text = true, .may_grow = true
	};
}

/* The unit of a number, whether or not its annotation is marked as a unit. */
static void look_at_unit(const struct jfrec_field *f, struct look *l)
{
	enum jfrec_unit unit = (enum jfrec_unit)f->unit;
	const struct content *c = content_of(unit);

	l->is_amount = c->is_amount;
	l->is_bits = c->amount & AMOUNT_BITS;
	l->is_frequency = unit == JFREC_UNIT_HERTZ || (c->amount & AMOUNT_PER_SECOND);
	l->is_address = unit == JFREC_UNIT_ADDRESS;
	l->is_percentage = l->is_descending = unit == JFREC_UNIT_PERCENT;
}

static struct look number_look(const struct jfrec_field *f, const struct jfrec_type *t)
{
	bool is_number = t->wire == WIRE_BOOLEAN ||
			 (t->wire >= WIRE_BYTE && t->wire <= WIRE_DOUBLE && t->wire != WIRE_CHAR);
	struct look l = { .type = t->name, .is_left = !is_number || f->array };

	look_at_unit(f, &l);
	if (l.is_address)
		l.is_left = true;
	if (f->array)
		return l;
	if (f->timestamp && t->wire != WIRE_NONE) {
		l.type = "instant";
		l.is_time = l.is_left = true;
	} else if (f->timespan && t->wire != WIRE_NONE) {
		l.type = "duration";
		l.is_left = false;
		l.is_span = l.is_descending = true;
	}
	return l;
}

struct look field_look(const struct field *f)
{
	const struct jfrec_type *t;

	if (f->pseudo == PSEUDO_LABEL || f->pseudo == PSEUDO_NAME || f->pseudo == PSEUDO_SETTING)
		return text_look("java.lang.String");
	t = real_type(f->last->type);
	if (!t)
		return (struct look){ .type = "", .is_left = true };
	if (f->pseudo == PSEUDO_FRAME && f->last->array) {
		struct look l = text_look(t->name);

		l.may_grow = is_text_type(t->name);
		return l;
	}
	if (!f->last->array && is_text_type(t->name))
		return text_look(t->name);
	return number_look(f->last, t);
}

/* Labels --------------------------------------------------------------------------------------- */

static bool has_duration(const struct jfrec_type *t)
{
	const char *rest;
	const struct jfrec_field *f = field_of_path(t, "duration", &rest);

	return f && !rest;
}

static const char *own_label(const struct field *f)
{
	const struct jfrec_field *last = f->last;

	if (!last || f->pseudo == PSEUDO_SETTING)
		return "Event Type";
	if (f->pseudo == PSEUDO_FRAME && strcmp(last->name, "frames") == 0)
		return "Method";
	if (!last->label)
		return last->name;
	if (strcmp(last->name, "gcId") == 0)
		return "GC ID";
	if (strcmp(last->name, "compilerId") == 0)
		return "Compiler ID";
	if (strcmp(last->name, "startTime") == 0 && !has_duration(f->event))
		return "Time";
	return last->label;
}

/* What of ours stands before and after the label. NULL: no memory. */
static const char *own_function_label(struct arena *a, const char *label,
				      const struct select_item *item)
{
	const char *before = item->function, *after = "";
	size_t size;
	char *text;

	if (item->aggregator == AGGREGATE_COUNT)
		label = "Events";
	if (item->measure) {
		before = item->measure == MEASURE_SHARE ? "Share of" : "";
		after = item->measure == MEASURE_RATE ? " per Second" : "";
	}
	size = strlen(before) + strlen(label) + strlen(after) + 2;
	text = arena_alloc(a, size);
	if (text)
		snprintf(text, size, "%s%s%s%s", before, *before ? " " : "", label, after);
	return text;
}

static const char *label_of(struct arena *a, const char *label, const struct select_item *item)
{
	enum aggregator aggregator = item ? (enum aggregator)item->aggregator : AGGREGATE_NONE;
	const char *before = aggregator_names[aggregator].label, *after = "";
	char *text;
	size_t size;

	if (item && item->function)
		return own_function_label(a, label, item);
	if (aggregator == AGGREGATE_COUNT)
		return "Count";
	if (aggregator == AGGREGATE_LIST || aggregator == AGGREGATE_SET)
		after = "s";
	if (!before)
		before = "";
	size = strlen(before) + strlen(label) + strlen(after) + 1;
	text = arena_alloc(a, size);
	if (text)
		snprintf(text, size, "%s%s%s", before, label, after);
	return text;
}

const char *field_label(struct arena *a, const struct field *f, const struct select_item *item)
{
	return label_of(a, own_label(f), item);
}

const char *calculation_label(struct arena *a, const struct select_item *item)
{
	return label_of(a, item->field, item);
}
