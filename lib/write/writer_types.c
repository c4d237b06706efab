/* SPDX-License-Identifier: MIT */
/*
 * writer_types.c - the types that the public writer declares
 *
 * Types of the JVM have the fields that JDK 25 gives them, in its order: some
 * readers know them by heart.
 */
#include "write/writer_types.h"

#include <string.h>

#include "format/content.h"
#include "format/metadata_writer.h"

/* What a type has; the last field has no name. */
struct field {
	const char *name, *label;
	enum writer_type type;
	enum { PLAIN, KEY, ARRAY } kind;
};

#define MAX_FIELDS 6

struct type {
	const char *name, *label, *description;
	enum { STRUCT, SIMPLE, ANNOTATION, CONTENT } kind; /* the last: what says what a value is */
	struct field fields[MAX_FIELDS + 1];
};

/* clang-format off */
#define VALUE { { "value", NULL, W_STRING, PLAIN } }

static const struct type types[] = {
	[W_BOOLEAN] = { .name = "boolean" },
	[W_BYTE] = { .name = "byte" },
	[W_CHAR] = { .name = "char" },
	[W_SHORT] = { .name = "short" },
	[W_INT] = { .name = "int" },
	[W_LONG] = { .name = "long" },
	[W_FLOAT] = { .name = "float" },
	[W_DOUBLE] = { .name = "double" },
	[W_STRING] = { .name = "java.lang.String" },
	[W_THREAD] = { "java.lang.Thread", "Thread", NULL, STRUCT, {
		{ "osName", "OS Thread Name", W_STRING, PLAIN },
		{ "osThreadId", "OS Thread Id", W_LONG, PLAIN },
		{ "javaName", "Java Thread Name", W_STRING, PLAIN },
		{ "javaThreadId", "Java Thread Id", W_LONG, PLAIN },
		{ "group", "Java Thread Group", W_THREAD_GROUP, KEY },
		{ "virtual", "Virtual Thread", W_BOOLEAN, PLAIN } } },
	[W_THREAD_GROUP] = { "jdk.types.ThreadGroup", "Thread Group", NULL, STRUCT, {
		{ "parent", "Parent", W_THREAD_GROUP, KEY },
		{ "name", "Name", W_STRING, PLAIN } } },
	[W_CLASS] = { "java.lang.Class", "Java Class", NULL, STRUCT, {
		{ "classLoader", "Class Loader", W_CLASS_LOADER, KEY },
		{ "name", "Name", W_SYMBOL, KEY },
		{ "package", "Package", W_PACKAGE, KEY },
		{ "modifiers", "Access Modifiers", W_INT, PLAIN },
		{ "hidden", "Hidden", W_BOOLEAN, PLAIN } } },
	[W_CLASS_LOADER] = { "jdk.types.ClassLoader", "Java Class Loader", NULL, STRUCT, {
		{ "type", "Type", W_CLASS, KEY },
		{ "name", "Name", W_SYMBOL, KEY } } },
	[W_PACKAGE] = { "jdk.types.Package", "Package", NULL, STRUCT, {
		{ "name", "Name", W_SYMBOL, KEY },
		{ "module", "Module", W_MODULE, KEY },
		{ "exported", "Exported", W_BOOLEAN, PLAIN } } },
	[W_MODULE] = { "jdk.types.Module", "Module", NULL, STRUCT, {
		{ "name", "Name", W_SYMBOL, KEY },
		{ "version", "Version", W_SYMBOL, KEY },
		{ "location", "Location", W_SYMBOL, KEY },
		{ "classLoader", "Class Loader", W_CLASS_LOADER, KEY } } },
	[W_SYMBOL] = { "jdk.types.Symbol", "Symbol", NULL, SIMPLE, {
		{ "string", "String", W_STRING, PLAIN } } },
	[W_METHOD] = { "jdk.types.Method", "Java Method", NULL, STRUCT, {
		{ "type", "Type", W_CLASS, KEY },
		{ "name", "Name", W_SYMBOL, KEY },
		{ "descriptor", "Descriptor", W_SYMBOL, KEY },
		{ "modifiers", "Access Modifiers", W_INT, PLAIN },
		{ "hidden", "Hidden", W_BOOLEAN, PLAIN } } },
	[W_STACK_TRACE] = { "jdk.types.StackTrace", "Stacktrace", NULL, STRUCT, {
		{ "truncated", "Truncated", W_BOOLEAN, PLAIN },
		{ "frames", "Stack Frames", W_STACK_FRAME, ARRAY } } },
	[W_STACK_FRAME] = { "jdk.types.StackFrame", NULL, NULL, STRUCT, {
		{ "method", "Java Method", W_METHOD, KEY },
		{ "lineNumber", "Line Number", W_INT, PLAIN },
		{ "bytecodeIndex", "Bytecode Index", W_INT, PLAIN },
		{ "type", "Frame Type", W_FRAME_TYPE, KEY } } },
	[W_FRAME_TYPE] = { "jdk.types.FrameType", "Frame type", NULL, SIMPLE, {
		{ "description", "Description", W_STRING, PLAIN } } },
	[W_CONTENT_TYPE] = { "jdk.jfr.ContentType", "Content Type",
		"Semantic meaning of a value", ANNOTATION, { { 0 } } },
	[W_LABEL] = { "jdk.jfr.Label", NULL, NULL, ANNOTATION, VALUE },
	[W_DESCRIPTION] = { "jdk.jfr.Description", NULL, NULL, ANNOTATION, VALUE },
	[W_CATEGORY] = { "jdk.jfr.Category", NULL, NULL, ANNOTATION, {
		{ "value", NULL, W_STRING, ARRAY } } },
	[W_TIMESTAMP] = { "jdk.jfr.Timestamp", "Timestamp", "A point in time", CONTENT, VALUE },
	[W_TIMESPAN] = { "jdk.jfr.Timespan", "Timespan",
		"A duration, measured in nanoseconds by default", CONTENT, VALUE },
	[W_DATA_AMOUNT] = { "jdk.jfr.DataAmount", "Data Amount", "Amount of data", CONTENT, VALUE },
	[W_FREQUENCY] = { "jdk.jfr.Frequency", "Frequency",
		"Measure of how often something occurs, in Hertz", CONTENT, { { 0 } } },
	[W_ADDRESS] = { "jdk.jfr.MemoryAddress", "Memory Address",
		"Represents a physical memory address", CONTENT, { { 0 } } },
	[W_PERCENTAGE] = { "jdk.jfr.Percentage", "Percentage",
		"Percentage, represented as a number between 0 and 1", CONTENT, { { 0 } } },
	[W_UNSIGNED] = { "jdk.jfr.Unsigned", "Unsigned Value",
		"Value should be interpreted as unsigned data type", CONTENT, { { 0 } } },
	[W_FLAG] = { "jdk.jfr.BooleanFlag", "Flag", NULL, CONTENT, { { 0 } } },
};
/* clang-format on */

/* The elements of a path are numbered by a digit. */
#define MAX_CATEGORY 10

/* Annotations ---------------------------------------------------------------------------------- */

static void annotation(struct metadata_writer *m, enum writer_type type, const char *value)
{
	metadata_element(m, "annotation", value ? 2 : 1);
	metadata_attribute_id(m, "class", type);
	if (value)
		metadata_attribute(m, "value", value);
	metadata_children(m, 0);
}

static unsigned texts(const char *label, const char *description)
{
	return (unsigned)(label != NULL) + (unsigned)(description != NULL);
}

static void put_texts(struct metadata_writer *m, const char *label, const char *description)
{
	if (label)
		annotation(m, W_LABEL, label);
	if (description)
		annotation(m, W_DESCRIPTION, description);
}

static unsigned path_length(const char *const *category)
{
	unsigned n = 0;

	while (category && n < MAX_CATEGORY && category[n])
		n++;
	return n;
}

static void put_category(struct metadata_writer *m, const char *const *category)
{
	unsigned n = path_length(category);
	char key[] = "value-0";

	if (!n)
		return;
	metadata_element(m, "annotation", 1 + n);
	metadata_attribute_id(m, "class", W_CATEGORY);
	for (unsigned i = 0; i < n; i++, key[6]++)
		metadata_attribute(m, key, category[i]);
	metadata_children(m, 0);
}

static enum writer_type type_named(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (types[i].name && strcmp(types[i].name, name) == 0)
			return (enum writer_type)i;
	}
	return 0;
}

/* What describes a unit: up to two annotations. */
static unsigned unit_annotations(enum jfrec_unit unit)
{
	const struct content *c = content_of(unit);

	return (unsigned)(c->annotation != NULL) + (unsigned)(c->besides != NULL);
}

static void put_unit(struct metadata_writer *m, enum jfrec_unit unit)
{
	const struct content *c = content_of(unit);

	if (c->annotation)
		annotation(m, type_named(c->annotation), c->value);
	if (c->besides)
		annotation(m, type_named(c->besides), NULL);
}

/* Built-in types ------------------------------------------------------------------------------- */

static void put_field_head(struct metadata_writer *m, const char *name, enum writer_type type,
			   bool key, bool array)
{
	metadata_element(m, "field", 2 + (unsigned)key + (unsigned)array);
	metadata_attribute(m, "name", name);
	metadata_attribute_id(m, "class", type);
	if (key)
		metadata_attribute(m, "constantPool", "true");
	if (array)
		metadata_attribute(m, "dimension", "1");
}

static void put_type_field(struct metadata_writer *m, const struct field *f)
{
	put_field_head(m, f->name, f->type, f->kind == KEY, f->kind == ARRAY);
	metadata_children(m, texts(f->label, NULL));
	put_texts(m, f->label, NULL);
}

static void put_type(struct metadata_writer *m, enum writer_type id)
{
	const struct type *t = &types[id];
	unsigned fields = 0;

	while (t->fields[fields].name)
		fields++;
	metadata_element(m, "class", t->kind == STRUCT ? 2 : 3);
	metadata_attribute(m, "name", t->name);
	if (t->kind == SIMPLE)
		metadata_attribute(m, "simpleType", "true");
	else if (t->kind != STRUCT)
		metadata_attribute(m, "superType", "java.lang.annotation.Annotation");
	metadata_attribute_id(m, "id", id);
	metadata_children(m, fields + texts(t->label, t->description) +
				     (unsigned)(t->kind == CONTENT));
	for (unsigned i = 0; i < fields; i++)
		put_type_field(m, &t->fields[i]);
	if (t->kind == CONTENT)
		annotation(m, W_CONTENT_TYPE, NULL);
	put_texts(m, t->label, t->description);
}

/* Events --------------------------------------------------------------------------------------- */

/* What a field of each kind is in Java; no type: there is none. */
static const struct written {
	enum writer_type type;
	bool is_unsigned, is_key;
} written[] = {
	[JFREC_KIND_BOOL] = { .type = W_BOOLEAN },
	[JFREC_KIND_CHAR] = { .type = W_CHAR },
	[JFREC_KIND_INT8] = { .type = W_BYTE },
	[JFREC_KIND_INT16] = { .type = W_SHORT },
	[JFREC_KIND_INT32] = { .type = W_INT },
	[JFREC_KIND_INT64] = { .type = W_LONG },
	[JFREC_KIND_UINT8] = { .type = W_BYTE, .is_unsigned = true },
	[JFREC_KIND_UINT16] = { .type = W_SHORT, .is_unsigned = true },
	[JFREC_KIND_UINT32] = { .type = W_INT, .is_unsigned = true },
	[JFREC_KIND_UINT64] = { .type = W_LONG, .is_unsigned = true },
	[JFREC_KIND_FLOAT32] = { .type = W_FLOAT },
	[JFREC_KIND_FLOAT64] = { .type = W_DOUBLE },
	[JFREC_KIND_STRING] = { .type = W_STRING },
	[JFREC_KIND_CLASS] = { .type = W_CLASS, .is_key = true },
	[JFREC_KIND_STACK] = { .type = W_STACK_TRACE, .is_key = true },
	[JFREC_KIND_THREAD] = { .type = W_THREAD, .is_key = true },
};

bool new_field_is_known(const struct jfrec_new_field *f)
{
	return (size_t)f->kind < sizeof(written) / sizeof(*written) && written[f->kind].type;
}

enum writer_type new_field_type(const struct jfrec_new_field *f)
{
	return written[f->kind].type;
}

static void put_event_field(struct metadata_writer *m, const struct jfrec_new_field *f)
{
	const struct written *as = &written[f->kind];

	put_field_head(m, f->name, as->type, as->is_key, false);
	metadata_children(m, unit_annotations(f->unit) + (unsigned)as->is_unsigned +
				     texts(f->label, f->description));
	put_unit(m, f->unit);
	if (as->is_unsigned)
		annotation(m, W_UNSIGNED, NULL);
	put_texts(m, f->label, f->description);
}

/* The duration is in ticks, as no other field is. */
static void put_duration(struct metadata_writer *m)
{
	put_field_head(m, "duration", W_LONG, false, false);
	metadata_children(m, 2);
	annotation(m, W_TIMESPAN, "TICKS");
	annotation(m, W_LABEL, "Duration");
}

static void put_event(struct metadata_writer *m, const struct jfrec_new_type *t, uint64_t id)
{
	static const struct jfrec_new_field
		start = { .name = "startTime",
			  .kind = JFREC_KIND_INT64,
			  .label = "Start Time",
			  .unit = JFREC_UNIT_TIME },
		thread = { .name = "eventThread",
			   .kind = JFREC_KIND_THREAD,
			   .label = "Event Thread",
			   .description = "Thread in which event was committed in" },
		stack = { .name = "stackTrace",
			  .kind = JFREC_KIND_STACK,
			  .label = "Stack Trace",
			  .description = "Stack Trace starting from the method the event was "
					 "committed in" };
	unsigned known =
		1 + (unsigned)t->has_duration + (unsigned)t->has_thread + (unsigned)t->has_stack;

	metadata_element(m, "class", 3);
	metadata_attribute(m, "name", t->name);
	metadata_attribute(m, "superType", "jdk.jfr.Event");
	metadata_attribute_id(m, "id", id);
	metadata_children(m, known + (unsigned)t->field_count + texts(t->label, t->description) +
				     (unsigned)(path_length(t->category) != 0));
	put_event_field(m, &start);
	if (t->has_duration)
		put_duration(m);
	if (t->has_thread)
		put_event_field(m, &thread);
	if (t->has_stack)
		put_event_field(m, &stack);
	for (size_t i = 0; i < t->field_count; i++)
		put_event_field(m, &t->fields[i]);
	put_category(m, t->category);
	put_texts(m, t->label, t->description);
}

/* From what it is for: the JDK takes equal ids for equal types. */
static uint64_t metadata_id(const struct metadata_writer *m)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, m->strings.data, m->strings.len);
	digest_bytes(&d, m->elements.data, m->elements.len);
	return (d.a & INT32_MAX) | 1;
}

void writer_metadata(const struct jfrec_new_type *events, size_t count, struct buffer *to)
{
	struct metadata_writer m = { 0 };

	metadata_element(&m, "root", 0);
	metadata_children(&m, 2);
	metadata_element(&m, "metadata", 0);
	metadata_children(&m, W_FIRST_EVENT - W_BOOLEAN + (unsigned)count);
	for (unsigned i = W_BOOLEAN; i < W_FIRST_EVENT; i++)
		put_type(&m, (enum writer_type)i);
	for (size_t i = 0; i < count; i++)
		put_event(&m, &events[i], W_FIRST_EVENT + i);
	/* Without one the JDK refuses the recording. */
	metadata_element(&m, "region", 3);
	metadata_attribute(&m, "locale", "en_US");
	metadata_attribute(&m, "gmtOffset", "0");
	metadata_attribute(&m, "dst", "0");
	metadata_children(&m, 0);
	metadata_content(&m, metadata_id(&m), to);
	metadata_writer_fini(&m);
}

/* Copies --------------------------------------------------------------------------------------- */

static bool copy_text(struct arena *a, const char **s)
{
	return !*s || (*s = arena_strndup(a, *s, strlen(*s)));
}

static bool copy_category(struct arena *a, struct jfrec_new_type *t)
{
	unsigned n = path_length(t->category);
	const char **copy = arena_zalloc(a, n + 1, sizeof(*copy));

	for (unsigned i = 0; copy && i < n; i++) {
		copy[i] = t->category[i];
		if (!copy_text(a, &copy[i]))
			return false;
	}
	t->category = copy;
	return copy;
}

bool new_type_copy(struct arena *a, const struct jfrec_new_type *from, struct jfrec_new_type *to)
{
	struct jfrec_new_field *fields =
		arena_zalloc(a, from->field_count + 1, sizeof(*from->fields));

	*to = *from;
	to->fields = fields;
	if (!fields || !copy_text(a, &to->name) || !copy_text(a, &to->label) ||
	    !copy_text(a, &to->description) || !copy_category(a, to))
		return false;
	for (size_t i = 0; i < from->field_count; i++) {
		fields[i] = from->fields[i];
		if (!copy_text(a, &fields[i].name) || !copy_text(a, &fields[i].label) ||
		    !copy_text(a, &fields[i].description))
			return false;
	}
	return true;
}
