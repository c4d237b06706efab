/* SPDX-License-Identifier: MIT */
/*
 * metadata.c - describe the types in the way of recordings
 *
 *	size 0 start duration version, strings, element "root"
 *	element: name, attributes (key value), children; each is the number of a string or a count
 *
 * The strings are the words below, in their order, and after them those of types.
 */
#include "recorder/types/metadata.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "recorder/ground/gate.h"
#include "recorder/types/types.h"

enum word {
	W_ROOT,
	W_METADATA,
	W_CLASS,
	W_FIELD,
	W_SETTING,
	W_ANNOTATION,
	W_REGION,
	W_NAME,
	W_ID,
	W_SUPER_TYPE,
	W_CONSTANT_POOL,
	W_DEFAULT_VALUE,
	W_VALUE,
	W_TRUE,
	W_FALSE,
	W_LOCALE,
	W_EN_US,
	W_GMT_OFFSET,
	W_DST,
	W_ZERO,
	W_EVENT,
	W_ANNOTATION_TYPE,
	W_SETTING_CONTROL,
	W_START_TIME,
	W_START_TIME_LABEL,
	W_DURATION,
	W_DURATION_LABEL,
	W_EVENT_THREAD,
	W_EVENT_THREAD_LABEL,
	W_TICKS,
	W_ENABLED,
	W_THRESHOLD,
	W_PARENT,
	W_OS_NAME,
	W_OS_THREAD_ID,
	W_JAVA_NAME,
	W_JAVA_THREAD_ID,
	W_GROUP,
	W_VIRTUAL,
	W_PERIOD,
	W_TRUNCATED,
	W_FRAMES,
	W_DIMENSION,
	W_ONE,
	W_METHOD,
	W_LINE_NUMBER,
	W_BYTECODE_INDEX,
	W_TYPE,
	W_DESCRIPTOR,
	W_MODIFIERS,
	W_HIDDEN,
	W_CLASS_LOADER,
	W_PACKAGE,
	W_EXPORTED,
	W_STRING,
	W_DESCRIPTION,
	W_SIMPLE_TYPE,
	W_STACK_TRACE,
	W_STACK_TRACE_LABEL,
	WORDS
};

static const char *const words[WORDS] = {
	[W_ROOT] = "root",
	[W_METADATA] = "metadata",
	[W_CLASS] = "class",
	[W_FIELD] = "field",
	[W_SETTING] = "setting",
	[W_ANNOTATION] = "annotation",
	[W_REGION] = "region",
	[W_NAME] = "name",
	[W_ID] = "id",
	[W_SUPER_TYPE] = "superType",
	[W_CONSTANT_POOL] = "constantPool",
	[W_DEFAULT_VALUE] = "defaultValue",
	[W_VALUE] = "value",
	[W_TRUE] = "true",
	[W_FALSE] = "false",
	[W_LOCALE] = "locale",
	[W_EN_US] = "en_US",
	[W_GMT_OFFSET] = "gmtOffset",
	[W_DST] = "dst",
	[W_ZERO] = "0",
	[W_EVENT] = "jdk.jfr.Event",
	[W_ANNOTATION_TYPE] = "java.lang.annotation.Annotation",
	[W_SETTING_CONTROL] = "jdk.jfr.SettingControl",
	[W_START_TIME] = "startTime",
	[W_START_TIME_LABEL] = "Start Time",
	[W_DURATION] = "duration",
	[W_DURATION_LABEL] = "Duration",
	[W_EVENT_THREAD] = "eventThread",
	[W_EVENT_THREAD_LABEL] = "Event Thread",
	[W_TICKS] = "TICKS",
	[W_ENABLED] = "enabled",
	[W_THRESHOLD] = "threshold",
	[W_PARENT] = "parent",
	[W_OS_NAME] = "osName",
	[W_OS_THREAD_ID] = "osThreadId",
	[W_JAVA_NAME] = "javaName",
	[W_JAVA_THREAD_ID] = "javaThreadId",
	[W_GROUP] = "group",
	[W_VIRTUAL] = "virtual",
	[W_PERIOD] = "period",
	[W_TRUNCATED] = "truncated",
	[W_FRAMES] = "frames",
	[W_DIMENSION] = "dimension",
	[W_ONE] = "1",
	[W_METHOD] = "method",
	[W_LINE_NUMBER] = "lineNumber",
	[W_BYTECODE_INDEX] = "bytecodeIndex",
	[W_TYPE] = "type",
	[W_DESCRIPTOR] = "descriptor",
	[W_MODIFIERS] = "modifiers",
	[W_HIDDEN] = "hidden",
	[W_CLASS_LOADER] = "classLoader",
	[W_PACKAGE] = "package",
	[W_EXPORTED] = "exported",
	[W_STRING] = "string",
	[W_DESCRIPTION] = "description",
	[W_SIMPLE_TYPE] = "simpleType",
	[W_STACK_TRACE] = "stackTrace",
	[W_STACK_TRACE_LABEL] = "Stack Trace",
};

/* The structures; ids of enum structure_type are among them. */
enum {
	ID_BOOLEAN = 600,
	ID_BYTE,
	ID_CHAR,
	ID_SHORT,
	ID_INT,
	ID_LONG,
	ID_FLOAT,
	ID_DOUBLE,
	ID_LABEL = 620,
	ID_DESCRIPTION,
	ID_CATEGORY,
	ID_TIMESTAMP,
	ID_TIMESPAN,
	ID_DATA_AMOUNT,
	ID_PERCENTAGE,
	ID_MEMORY_ADDRESS,
	ID_FREQUENCY,
	ID_UNSIGNED,
	ID_ENABLED = 640,
	ID_THRESHOLD,
	ID_PERIOD,
	ID_STACK_TRACE,
};

static const struct {
	unsigned id;
	const char *name;
} primitives[] = {
	{ ID_BOOLEAN, "boolean" }, { ID_BYTE, "byte" },	  { ID_CHAR, "char" },
	{ ID_SHORT, "short" },	   { ID_INT, "int" },	  { ID_LONG, "long" },
	{ ID_FLOAT, "float" },	   { ID_DOUBLE, "double" }, { TYPE_STRING, "java.lang.String" },
};

static const struct {
	unsigned id;
	const char *name;
	unsigned value; /* the type of its member value; 0: it has none */
	bool is_array;
} annotations[] = {
	{ ID_LABEL, "jdk.jfr.Label", TYPE_STRING, false },
	{ ID_DESCRIPTION, "jdk.jfr.Description", TYPE_STRING, false },
	{ ID_CATEGORY, "jdk.jfr.Category", TYPE_STRING, true },
	{ ID_TIMESTAMP, "jdk.jfr.Timestamp", TYPE_STRING, false },
	{ ID_TIMESPAN, "jdk.jfr.Timespan", TYPE_STRING, false },
	{ ID_DATA_AMOUNT, "jdk.jfr.DataAmount", TYPE_STRING, false },
	{ ID_PERCENTAGE, "jdk.jfr.Percentage", 0, false },
	{ ID_MEMORY_ADDRESS, "jdk.jfr.MemoryAddress", 0, false },
	{ ID_FREQUENCY, "jdk.jfr.Frequency", 0, false },
	{ ID_UNSIGNED, "jdk.jfr.Unsigned", 0, false },
};

/* Numbers of types and annotations are in most elements, so each of these is a string once. */
#define FIRST_NUMBER 600u
#define NUMBERS	     64u

struct document {
	struct bytes strings, elements;
	uint32_t count;
	uint32_t numbers[NUMBERS]; /* where they are; 0: nowhere yet */
};

/* The number of a new string. */
static uint32_t string(struct document *d, const char *text)
{
	bytes_text(&d->strings, text);
	return d->count++;
}

static uint32_t string_of(struct document *d, const char *text, size_t len)
{
	bytes_text_of(&d->strings, text, len);
	return d->count++;
}

static uint32_t new_number(struct document *d, unsigned n)
{
	char text[12], *at = text + sizeof(text);

	do
		*--at = (char)('0' + n % 10);
	while (n /= 10);
	return string_of(d, at, (size_t)(text + sizeof(text) - at));
}

static uint32_t number(struct document *d, unsigned n)
{
	uint32_t *known = n - FIRST_NUMBER < NUMBERS ? &d->numbers[n - FIRST_NUMBER] : NULL;

	if (known && *known)
		return *known;
	if (known)
		return *known = new_number(d, n);
	return new_number(d, n);
}

/* Its attributes follow, then the number of its children, then these. */
static void element(struct document *d, enum word name, unsigned attributes)
{
	bytes_varint(&d->elements, name);
	bytes_varint(&d->elements, attributes);
}

static void attribute(struct document *d, enum word key, uint32_t value)
{
	bytes_varint(&d->elements, key);
	bytes_varint(&d->elements, value);
}

static void children(struct document *d, size_t count)
{
	bytes_varint(&d->elements, count);
}

/* value: the number of a string. */
static void annotation_of(struct document *d, unsigned id, uint32_t value)
{
	element(d, W_ANNOTATION, 2);
	attribute(d, W_CLASS, number(d, id));
	attribute(d, W_VALUE, value);
	children(d, 0);
}

static void annotation(struct document *d, unsigned id, const char *value)
{
	if (value) {
		annotation_of(d, id, string(d, value));
		return;
	}
	element(d, W_ANNOTATION, 1);
	attribute(d, W_CLASS, number(d, id));
	children(d, 0);
}

/* "App,Database": an array of two, which are attributes value-0 and value-1. */
static void category(struct document *d, const char *path)
{
	char key[] = "value-0";
	unsigned count = 1;

	for (const char *c = path; *c && count < 10; c++)
		count += *c == ',';
	element(d, W_ANNOTATION, 1 + count);
	attribute(d, W_CLASS, number(d, ID_CATEGORY));
	for (unsigned i = 0; i < count; i++, key[sizeof(key) - 2]++) {
		size_t len = strcspn(path, ",");

		bytes_varint(&d->elements, string(d, key));
		bytes_varint(&d->elements, string_of(d, path, len < 100 ? len : 100));
		path += len + (path[len] == ',');
	}
	children(d, 0);
}

/* Types of structures -------------------------------------------------------------------------- */

static void class_of(struct document *d, unsigned id, const char *name, int super)
{
	element(d, W_CLASS, super < 0 ? 2 : 3);
	attribute(d, W_NAME, string(d, name));
	if (super >= 0)
		attribute(d, W_SUPER_TYPE, (uint32_t)super);
	attribute(d, W_ID, number(d, id));
}

static void plain_field(struct document *d, uint32_t name, unsigned type, bool is_constant)
{
	element(d, W_FIELD, is_constant ? 3 : 2);
	attribute(d, W_NAME, name);
	attribute(d, W_CLASS, number(d, type));
	if (is_constant)
		attribute(d, W_CONSTANT_POOL, W_TRUE);
}

static void simple_field(struct document *d, enum word name, unsigned type, bool is_constant)
{
	plain_field(d, name, type, is_constant);
	children(d, 0);
}

struct member {
	enum word name;
	unsigned type;
	bool is_constant;
};

static void structure(struct document *d, unsigned id, const char *name,
		      const struct member *members, size_t count)
{
	class_of(d, id, name, -1);
	children(d, count);
	for (size_t i = 0; i < count; i++)
		simple_field(d, members[i].name, members[i].type, members[i].is_constant);
}

/* Readers take its one member, a text, for the whole. */
static void simple(struct document *d, unsigned id, const char *name, enum word member)
{
	element(d, W_CLASS, 3);
	attribute(d, W_NAME, string(d, name));
	attribute(d, W_ID, number(d, id));
	attribute(d, W_SIMPLE_TYPE, W_TRUE);
	children(d, 1);
	simple_field(d, member, TYPE_STRING, false);
}

/* What stacks are made of, with the fields of the JDK's types; what is written is in stacks.c. */
static size_t stack_structures(struct document *d)
{
	static const struct member frame[] = { { W_METHOD, TYPE_METHOD, true },
					       { W_LINE_NUMBER, ID_INT, false },
					       { W_BYTECODE_INDEX, ID_INT, false },
					       { W_TYPE, TYPE_FRAME_TYPE, true } };
	static const struct member method[] = { { W_TYPE, TYPE_CLASS, true },
						{ W_NAME, TYPE_SYMBOL, true },
						{ W_DESCRIPTOR, TYPE_SYMBOL, true },
						{ W_MODIFIERS, ID_INT, false },
						{ W_HIDDEN, ID_BOOLEAN, false } };
	static const struct member class[] = { { W_CLASS_LOADER, TYPE_CLASS_LOADER, true },
					       { W_NAME, TYPE_SYMBOL, true },
					       { W_PACKAGE, TYPE_PACKAGE, true },
					       { W_MODIFIERS, ID_INT, false },
					       { W_HIDDEN, ID_BOOLEAN, false } };
	static const struct member loader[] = { { W_TYPE, TYPE_CLASS, true },
						{ W_NAME, TYPE_SYMBOL, true } };
	static const struct member package[] = { { W_NAME, TYPE_SYMBOL, true },
						 { W_EXPORTED, ID_BOOLEAN, false } };

	class_of(d, TYPE_STACK_TRACE, "jdk.types.StackTrace", -1);
	children(d, 2);
	simple_field(d, W_TRUNCATED, ID_BOOLEAN, false);
	element(d, W_FIELD, 3);
	attribute(d, W_NAME, W_FRAMES);
	attribute(d, W_CLASS, number(d, TYPE_STACK_FRAME));
	attribute(d, W_DIMENSION, W_ONE);
	children(d, 0);
	structure(d, TYPE_STACK_FRAME, "jdk.types.StackFrame", frame, 4);
	structure(d, TYPE_METHOD, "jdk.types.Method", method, 5);
	structure(d, TYPE_CLASS, "java.lang.Class", class, 5);
	structure(d, TYPE_CLASS_LOADER, "jdk.types.ClassLoader", loader, 2);
	structure(d, TYPE_PACKAGE, "jdk.types.Package", package, 2);
	simple(d, TYPE_SYMBOL, "jdk.types.Symbol", W_STRING);
	simple(d, TYPE_FRAME_TYPE, "jdk.types.FrameType", W_DESCRIPTION);
	simple(d, TYPE_THREAD_STATE, "jdk.types.ThreadState", W_NAME);
	return 9;
}

static size_t structures(struct document *d)
{
	size_t count = 0;

	for (; count < sizeof(primitives) / sizeof(primitives[0]); count++) {
		class_of(d, primitives[count].id, primitives[count].name, -1);
		children(d, 0);
	}
	class_of(d, TYPE_THREAD, "java.lang.Thread", -1);
	children(d, 6);
	simple_field(d, W_OS_NAME, TYPE_STRING, false);
	simple_field(d, W_OS_THREAD_ID, ID_LONG, false);
	simple_field(d, W_JAVA_NAME, TYPE_STRING, false);
	simple_field(d, W_JAVA_THREAD_ID, ID_LONG, false);
	simple_field(d, W_GROUP, TYPE_THREAD_GROUP, true);
	simple_field(d, W_VIRTUAL, ID_BOOLEAN, false);
	class_of(d, TYPE_THREAD_GROUP, "jdk.types.ThreadGroup", -1);
	children(d, 2);
	simple_field(d, W_PARENT, TYPE_THREAD_GROUP, true);
	simple_field(d, W_NAME, TYPE_STRING, false);
	count += stack_structures(d);
	class_of(d, ID_ENABLED, "jdk.jfr.internal.settings.EnabledSetting", W_SETTING_CONTROL);
	children(d, 0);
	class_of(d, ID_THRESHOLD, "jdk.jfr.internal.settings.ThresholdSetting", W_SETTING_CONTROL);
	children(d, 0);
	class_of(d, ID_PERIOD, "jdk.jfr.internal.settings.PeriodSetting", W_SETTING_CONTROL);
	children(d, 0);
	class_of(d, ID_STACK_TRACE, "jdk.jfr.internal.settings.StackTraceSetting", W_SETTING_CONTROL);
	children(d, 0);
	count += 6;
	for (size_t i = 0; i < sizeof(annotations) / sizeof(annotations[0]); i++, count++) {
		class_of(d, annotations[i].id, annotations[i].name, W_ANNOTATION_TYPE);
		children(d, annotations[i].value ? 1 : 0);
		if (!annotations[i].value)
			continue;
		element(d, W_FIELD, annotations[i].is_array ? 3 : 2);
		attribute(d, W_NAME, W_VALUE);
		attribute(d, W_CLASS, number(d, annotations[i].value));
		if (annotations[i].is_array) {
			attribute(d, W_DIMENSION, W_ONE);
		}
		children(d, 0);
	}
	return count;
}

/* Types of events ------------------------------------------------------------------------------ */

static unsigned type_of(unsigned kind)
{
	static const unsigned types[] = {
		[JFREC_EVENT_LONG] = ID_LONG,	    [JFREC_EVENT_ULONG] = ID_LONG,
		[JFREC_EVENT_INT] = ID_INT,	    [JFREC_EVENT_UINT] = ID_INT,
		[JFREC_EVENT_SHORT] = ID_SHORT,	    [JFREC_EVENT_BYTE] = ID_BYTE,
		[JFREC_EVENT_BOOL] = ID_BOOLEAN,    [JFREC_EVENT_FLOAT] = ID_FLOAT,
		[JFREC_EVENT_DOUBLE] = ID_DOUBLE,   [JFREC_EVENT_STRING] = TYPE_STRING,
		[JFREC_EVENT_INTERNED] = TYPE_STRING,
		[KIND_THREAD] = TYPE_THREAD,	    [KIND_STACK] = TYPE_STACK_TRACE,
		[KIND_THREAD_STATE] = TYPE_THREAD_STATE,
		[KIND_CLASS] = TYPE_CLASS,
	};

	return types[kind];
}

static const struct {
	unsigned id; /* 0: no annotation */
	const char *value;
} units[] = {
	[JFREC_EVENT_PLAIN] = { 0, NULL },
	[JFREC_EVENT_BYTES] = { ID_DATA_AMOUNT, "BYTES" },
	[JFREC_EVENT_NANOSECONDS] = { ID_TIMESPAN, "NANOSECONDS" },
	[JFREC_EVENT_MILLISECONDS] = { ID_TIMESPAN, "MILLISECONDS" },
	[JFREC_EVENT_EPOCH_MILLIS] = { ID_TIMESTAMP, "MILLISECONDS_SINCE_EPOCH" },
	[JFREC_EVENT_PERCENTAGE] = { ID_PERCENTAGE, NULL },
	[JFREC_EVENT_ADDRESS] = { ID_MEMORY_ADDRESS, NULL },
	[JFREC_EVENT_HERTZ] = { ID_FREQUENCY, NULL },
	[UNIT_MICROSECONDS] = { ID_TIMESPAN, "MICROSECONDS" },
	[UNIT_BITS_A_SECOND] = { ID_DATA_AMOUNT, "BITS" },
};

static void field(struct document *d, const struct jfrec_event_field *f)
{
	bool is_unsigned = f->kind == JFREC_EVENT_ULONG || f->kind == JFREC_EVENT_UINT;
	bool is_rate = (unsigned)f->unit == UNIT_BITS_A_SECOND;

	plain_field(d, string(d, f->name), type_of((unsigned)f->kind),
		    (unsigned)f->kind >= KIND_THREAD);
	children(d, (units[f->unit].id != 0) + is_rate + (f->label != NULL) + is_unsigned);
	if (f->label)
		annotation(d, ID_LABEL, f->label);
	if (units[f->unit].id)
		annotation(d, units[f->unit].id, units[f->unit].value);
	if (is_rate)
		annotation(d, ID_FREQUENCY, NULL);
	if (is_unsigned)
		annotation(d, ID_UNSIGNED, NULL);
}

/* startTime and duration, of which readers expect that they come first. */
static void time_field(struct document *d, enum word name, enum word label, unsigned kind)
{
	plain_field(d, name, ID_LONG, false);
	children(d, 2);
	annotation_of(d, ID_LABEL, label);
	annotation_of(d, kind, W_TICKS);
}

static void setting(struct document *d, enum word name, unsigned type, uint32_t value)
{
	element(d, W_SETTING, 3);
	attribute(d, W_NAME, name);
	attribute(d, W_CLASS, number(d, type));
	attribute(d, W_DEFAULT_VALUE, value);
	children(d, 0);
}

static void event_type(struct document *d, uint32_t id, const struct type *t)
{
	bool is_span = t->flags & JFREC_EVENT_HAS_DURATION,
	     has_stack = t->flags & JFREC_EVENT_HAS_STACK;
	bool has_period = t->has_period;

	class_of(d, id, t->name, W_EVENT);
	children(d, 1 + is_span + has_period + has_stack + 1 + is_span + t->has_thread + has_stack +
			    t->field_count + (t->label != NULL) + (t->description != NULL) +
			    (t->category != NULL));
	setting(d, W_ENABLED, ID_ENABLED, t->flags & JFREC_EVENT_STARTS_OFF ? W_FALSE : W_TRUE);
	if (is_span)
		setting(d, W_THRESHOLD, ID_THRESHOLD, string(d, "0 ns"));
	if (has_period)
		setting(d, W_PERIOD, ID_PERIOD, string(d, "everyChunk"));
	if (has_stack)
		setting(d, W_STACK_TRACE, ID_STACK_TRACE, W_TRUE);
	time_field(d, W_START_TIME, W_START_TIME_LABEL, ID_TIMESTAMP);
	if (is_span)
		time_field(d, W_DURATION, W_DURATION_LABEL, ID_TIMESPAN);
	if (t->has_thread) {
		plain_field(d, W_EVENT_THREAD, TYPE_THREAD, true);
		children(d, 1);
		annotation_of(d, ID_LABEL, W_EVENT_THREAD_LABEL);
	}
	if (has_stack) {
		plain_field(d, W_STACK_TRACE, TYPE_STACK_TRACE, true);
		children(d, 1);
		annotation_of(d, ID_LABEL, W_STACK_TRACE_LABEL);
	}
	for (size_t i = 0; i < t->field_count; i++)
		field(d, &t->fields[i]);
	if (t->label)
		annotation(d, ID_LABEL, t->label);
	if (t->description)
		annotation(d, ID_DESCRIPTION, t->description);
	if (t->category)
		category(d, t->category);
}

/* Where the reader's times are local, by the string that comes last. */
static void region_of(struct document *d)
{
	element(d, W_REGION, 3);
	attribute(d, W_LOCALE, W_EN_US);
	attribute(d, W_GMT_OFFSET, d->count);
	attribute(d, W_DST, W_ZERO);
	children(d, 0);
}

static void add_offset(struct bytes *b)
{
	time_t now = time(NULL);
	struct tm tm;
	char offset[24];

	if (!gate_local_time(&now, &tm))
		tm = (struct tm){ 0 };
	snprintf(offset, sizeof(offset), "%ld", tm.tm_gmtoff * 1000);
	bytes_text(b, offset);
}

/*
 * Types never change, nor do they go: what was described stays, and each time those are added that
 * are new since.
 */
static struct {
	struct document d;
	size_t types;	 /* elements */
	uint32_t end; /* of their ids; 0: not even the structures are there */
} described;

static void describe_new(void)
{
	struct document *d = &described.d;

	if (d->strings.failed || d->elements.failed) {
		bytes_fini(&d->strings);
		bytes_fini(&d->elements);
		memset(&described, 0, sizeof(described));
	}
	if (!described.end) {
		for (size_t i = 0; i < WORDS; i++)
			string(d, words[i]);
		described.types = structures(d);
		described.end = TYPE_DATA_LOSS;
	}
	for (; described.end < types_end(); described.end++) {
		if (!types_get(described.end))
			continue;
		event_type(d, described.end, types_get(described.end));
		described.types++;
	}
}

void metadata_encode(struct bytes *b, uint64_t ticks, uint64_t version)
{
	struct document around = { 0 };
	const struct document *d = &described.d;
	size_t at;

	describe_new();
	/* The root is before them, with their number, and the region after them. */
	around.count = d->count;
	element(&around, W_ROOT, 0);
	children(&around, 2);
	element(&around, W_METADATA, 0);
	children(&around, described.types);
	at = bytes_begin(b, 0);
	bytes_varint(b, ticks);
	bytes_varint(b, 0);
	bytes_varint(b, version);
	bytes_varint(b, d->count + 1);
	bytes_add(b, d->strings.data, d->strings.size);
	add_offset(b);
	bytes_add(b, around.elements.data, around.elements.size);
	bytes_add(b, d->elements.data, d->elements.size);
	around.elements.size = 0;
	region_of(&around);
	bytes_add(b, around.elements.data, around.elements.size);
	b->failed |= d->strings.failed || d->elements.failed || around.elements.failed;
	bytes_end(b, at);
	bytes_fini(&around.elements);
}
