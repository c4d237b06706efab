/* SPDX-License-Identifier: MIT */
/*
 * v0_metadata.c - declare in 2.1 what a chunk of version 0.x declares
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/metadata.h"
#include "format/metadata_writer.h"
#include "format/v0_write.h"

/* After the types of constants. */
#define FIRST_STRUCTURE (UINT64_C(1) << 34)

/* Annotations, by the order of their ids. */
enum note {
	LABEL,
	DESCRIPTION,
	CATEGORY,
	TIMESTAMP,
	TIMESPAN,
	AMOUNT,
	ADDRESS,
	PERCENTAGE,
	UNSIGNED,
	FROM,
	NOTES,
};

static const char *const note_names[NOTES] = {
	"Label",      "Description",   "Category",   "Timestamp", "Timespan",
	"DataAmount", "MemoryAddress", "Percentage", "Unsigned",  "TransitionFrom",
};

/* What is declared of a field before its annotations. */
struct field {
	const char *name;
	uint64_t type;
	bool is_constant, is_array;
};

struct declarer {
	struct v0_writer *w;
	struct metadata_writer m;
	struct digest_map names;	   /* of types: those that are taken */
	const struct v0_structure **inner; /* those that are parts of others */
	struct digest_map inner_at;	   /* their indices, plus 1 */
	size_t inner_count;
};

static void declare_note(struct declarer *d, enum note n, const char *value)
{
	metadata_element(&d->m, "annotation", value ? 2 : 1);
	metadata_attribute_id(&d->m, "class", V0_TYPE_NOTES + (uint64_t)n);
	if (value)
		metadata_attribute(&d->m, "value", value);
	metadata_children(&d->m, 0);
}

/* Its annotations follow. */
static void begin_field(struct declarer *d, struct field f, unsigned notes)
{
	metadata_element(&d->m, "field", 2u + f.is_constant + f.is_array);
	metadata_attribute(&d->m, "name", f.name);
	metadata_attribute_id(&d->m, "class", f.type);
	if (f.is_constant)
		metadata_attribute(&d->m, "constantPool", "true");
	if (f.is_array)
		metadata_attribute(&d->m, "dimension", "1");
	metadata_children(&d->m, notes);
}

/* A field without a unit. */
static void declare_field(struct declarer *d, struct field f, const char *label)
{
	begin_field(d, f, label ? 1 : 0);
	if (label)
		declare_note(d, LABEL, label);
}

static bool take_name(struct declarer *d, const char *name)
{
	struct digest digest = DIGEST_INIT;
	uint64_t *place;
	bool is_new;

	digest_bytes(&digest, name, strlen(name));
	place = digest_map_put(&d->names, digest);
	if (!place) {
		d->w->failed = true;
		return true;
	}
	is_new = !*place;
	*place = 1;
	return is_new;
}

/* Children follow. */
static void begin_class(struct declarer *d, const char *name, uint64_t id, const char *super,
			bool is_simple, unsigned children)
{
	take_name(d, name);
	metadata_element(&d->m, "class", 2u + (super != NULL) + is_simple);
	metadata_attribute_id(&d->m, "id", id);
	metadata_attribute(&d->m, "name", name);
	if (super)
		metadata_attribute(&d->m, "superType", super);
	if (is_simple)
		metadata_attribute(&d->m, "simpleType", "true");
	metadata_children(&d->m, children);
}

/* What each chunk has ------------------------------------------------------------------------- */

#define PRIMITIVES 8u

static void declare_primitives(struct declarer *d)
{
	static const char *const names[PRIMITIVES] = {
		"boolean", "byte", "short", "int", "long", "float", "double", "java.lang.String"
	};

	for (unsigned i = 0; i < PRIMITIVES; i++)
		begin_class(d, names[i], V0_TYPE_BOOLEAN + i, NULL, false, 0);
}

static void declare_notes(struct declarer *d)
{
	char name[64];

	for (unsigned i = 0; i < NOTES; i++) {
		bool has_value = i <= AMOUNT;

		snprintf(name, sizeof(name), "jdk.jfr.%s", note_names[i]);
		begin_class(d, name, V0_TYPE_NOTES + i, "java.lang.annotation.Annotation", false,
			    has_value);
		if (has_value)
			declare_field(d,
				      (struct field){ "value", V0_TYPE_TEXT, false, i == CATEGORY },
				      NULL);
	}
}

#define POOL(p) (V0_TYPE_POOLS + (uint64_t)V0_POOL_##p)

/* The types of a JVM's constants, in the order of v0_write.c. */
static const struct pool_class {
	const char *name;
	uint64_t id;
	bool is_simple;
	struct {
		struct field field;
		const char *label;
	} fields[6];
} pool_classes[] = {
	{ "java.lang.Thread",
	  POOL(THREAD),
	  false,
	  { { { "osName", V0_TYPE_TEXT, false, false }, "OS Thread Name" },
	    { { "osThreadId", V0_TYPE_LONG, false, false }, "OS Thread Id" },
	    { { "javaName", V0_TYPE_TEXT, false, false }, "Java Thread Name" },
	    { { "javaThreadId", V0_TYPE_LONG, false, false }, "Java Thread Id" },
	    { { "group", POOL(GROUP), true, false }, "Java Thread Group" } } },
	{ "jdk.types.ThreadGroup",
	  POOL(GROUP),
	  false,
	  { { { "parent", POOL(GROUP), true, false }, "Parent" },
	    { { "name", V0_TYPE_TEXT, false, false }, "Name" } } },
	{ "jdk.types.ClassLoader",
	  POOL(LOADER),
	  false,
	  { { { "type", POOL(CLASS), true, false }, "Type" },
	    { { "name", POOL(SYMBOL), true, false }, "Name" } } },
	{ "java.lang.Class",
	  POOL(CLASS),
	  false,
	  { { { "classLoader", POOL(LOADER), true, false }, "Class Loader" },
	    { { "name", POOL(SYMBOL), true, false }, "Name" },
	    { { "modifiers", V0_TYPE_INT, false, false }, "Access Modifiers" },
	    { { "hidden", V0_TYPE_BOOLEAN, false, false }, "Hidden" } } },
	{ "jdk.types.Method",
	  POOL(METHOD),
	  false,
	  { { { "type", POOL(CLASS), true, false }, "Type" },
	    { { "name", POOL(SYMBOL), true, false }, "Name" },
	    { { "descriptor", POOL(SYMBOL), true, false }, "Descriptor" },
	    { { "modifiers", V0_TYPE_INT, false, false }, "Access Modifiers" },
	    { { "hidden", V0_TYPE_BOOLEAN, false, false }, "Hidden" } } },
	{ "jdk.types.Symbol",
	  POOL(SYMBOL),
	  true,
	  { { { "string", V0_TYPE_TEXT, false, false }, "String" } } },
	{ "jdk.types.StackTrace",
	  POOL(STACK),
	  false,
	  { { { "truncated", V0_TYPE_BOOLEAN, false, false }, "Truncated" },
	    { { "frames", V0_TYPE_FRAME, false, true }, "Stack Frames" } } },
};

#define POOL_CLASSES (sizeof(pool_classes) / sizeof(*pool_classes))

static void declare_pool_class(struct declarer *d, const struct pool_class *p)
{
	unsigned fields = 0;

	while (fields < 6 && p->fields[fields].label)
		fields++;
	begin_class(d, p->name, p->id, NULL, p->is_simple, fields);
	for (unsigned i = 0; i < fields; i++)
		declare_field(d, p->fields[i].field, p->fields[i].label);
}

/* The pool of the type of a frame is one of the chunk's own, whatever its number. */
static uint64_t frame_type(const struct v0_types *t)
{
	const struct v0_structure *stack = t->stacks ? t->stacks->structure : NULL, *frame = NULL;
	int frames = stack ? v0_value_named(stack, "frames") : -1, type;

	if (frames >= 0)
		frame = stack->values[frames].structure;
	type = frame ? v0_value_named(frame, "type") : -1;
	return type >= 0 && frame->values[type].pool
		       ? v0_pool_type_id(v0_pool_of(frame->values[type].pool))
		       : POOL(SYMBOL);
}

static void declare_frame(struct declarer *d)
{
	begin_class(d, "jdk.types.StackFrame", V0_TYPE_FRAME, NULL, false, 4);
	declare_field(d, (struct field){ "method", POOL(METHOD), true, false }, "Java Method");
	declare_field(d, (struct field){ "lineNumber", V0_TYPE_INT, false, false }, "Line Number");
	declare_field(d, (struct field){ "bytecodeIndex", V0_TYPE_INT, false, false },
		      "Bytecode Index");
	declare_field(d, (struct field){ "type", frame_type(d->w->types), true, false },
		      "Frame Type");
}

static void declare_start(struct declarer *d)
{
	begin_field(d, (struct field){ "startTime", V0_TYPE_LONG, false, false }, 2);
	declare_note(d, LABEL, "Start Time");
	declare_note(d, TIMESTAMP, "TICKS");
}

static void declare_category(struct declarer *d, const char *const parts[], unsigned count)
{
	char key[24];

	metadata_element(&d->m, "annotation", 1 + count);
	metadata_attribute_id(&d->m, "class", V0_TYPE_NOTES + (uint64_t)CATEGORY);
	for (unsigned i = 0; i < count; i++) {
		snprintf(key, sizeof(key), "value-%u", i);
		metadata_attribute(&d->m, key, parts[i]);
	}
	metadata_children(&d->m, 0);
}

static void declare_settings(struct declarer *d)
{
	static const char *const category[] = { "Flight Recorder" };

	begin_class(d, "jdk.ActiveSetting", V0_TYPE_SETTING, "jdk.jfr.Event", false, 6);
	declare_start(d);
	declare_field(d, (struct field){ "id", V0_TYPE_LONG, false, false }, "Event Id");
	declare_field(d, (struct field){ "name", V0_TYPE_TEXT, false, false }, "Setting Name");
	declare_field(d, (struct field){ "value", V0_TYPE_TEXT, false, false }, "Setting Value");
	declare_note(d, LABEL, "Recording Setting");
	declare_category(d, category, 1);
}

static void declare_loss(struct declarer *d)
{
	static const char *const category[] = { "Flight Recorder" };

	begin_class(d, "jdk.DataLoss", V0_TYPE_LOSS, "jdk.jfr.Event", false, 4);
	declare_start(d);
	begin_field(d, (struct field){ "amount", V0_TYPE_LONG, false, false }, 2);
	declare_note(d, LABEL, "Amount");
	declare_note(d, AMOUNT, "BYTES");
	declare_note(d, LABEL, "Data Loss");
	declare_category(d, category, 1);
}

/* What this chunk has -------------------------------------------------------------------------- */

static struct digest digest_of(const struct v0_structure *s)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, (uintptr_t)s);
	return d;
}

static uint64_t structure_id(const struct declarer *d, const struct v0_structure *s)
{
	return FIRST_STRUCTURE + digest_map_get(&d->inner_at, digest_of(s));
}

static uint64_t scalar_type(uint8_t kind)
{
	static const uint8_t types[V0_KINDS] = {
		[V0_BOOLEAN] = V0_TYPE_BOOLEAN, [V0_BYTE] = V0_TYPE_BYTE,
		[V0_U1] = V0_TYPE_BYTE,		[V0_SHORT] = V0_TYPE_SHORT,
		[V0_U2] = V0_TYPE_SHORT,	[V0_INT] = V0_TYPE_INT,
		[V0_U4] = V0_TYPE_INT,		[V0_LONG] = V0_TYPE_LONG,
		[V0_U8] = V0_TYPE_LONG,		[V0_FLOAT] = V0_TYPE_FLOAT,
		[V0_DOUBLE] = V0_TYPE_DOUBLE,	[V0_UTF] = V0_TYPE_TEXT,
		[V0_STRING] = V0_TYPE_TEXT,
	};

	return types[kind];
}

static bool is_unsigned(const struct v0_value *v)
{
	return !v->pool && (v->element == V0_U1 || v->element == V0_U2 || v->element == V0_U4 ||
			    v->element == V0_U8);
}

/* The annotation that says what a number means. */
static bool note_of_unit(const struct v0_value *v, enum note *n, const char **value)
{
	static const struct {
		uint8_t unit;
		enum note note;
		const char *value;
	} units[] = {
		{ V0_BYTES, AMOUNT, "BYTES" },
		{ V0_EPOCH_MILLIS, TIMESTAMP, "MILLISECONDS_SINCE_EPOCH" },
		{ V0_MILLIS, TIMESPAN, "MILLISECONDS" },
		{ V0_NANOS, TIMESPAN, "NANOSECONDS" },
		{ V0_TICKS, TIMESPAN, "TICKS" },
		{ V0_ADDRESS, ADDRESS, NULL },
		{ V0_FRACTION, PERCENTAGE, NULL },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (v0_width(v->element) && units[i].unit == v->unit) {
			*n = units[i].note;
			*value = units[i].value;
			return true;
		}
	}
	return false;
}

static uint64_t type_of_value(const struct declarer *d, const struct v0_value *v)
{
	if (v->structure)
		return structure_id(d, v->structure);
	if (!v->pool)
		return scalar_type(v->element);
	if (v->is_loader && v->pool->role == V0_CLASS)
		return POOL(LOADER);
	return v0_pool_type_id(v0_pool_of(v->pool));
}

static void declare_value(struct declarer *d, const struct v0_value *v, const char *name)
{
	const char *label = v0_words(&d->w->arena, v->label), *unit = NULL;
	const char *description = v0_words(&d->w->arena, v->description);
	enum note n = NOTES;
	bool has_unit = !v->pool && !v->structure && note_of_unit(v, &n, &unit);
	bool has_label = label && *label, is_described = description && *description;

	begin_field(d,
		    (struct field){ name, type_of_value(d, v), v->pool != NULL,
				    v->kind == V0_ARRAY || v->kind == V0_STRUCTS },
		    0u + has_label + is_described + is_unsigned(v) + has_unit + v->is_from);
	if (has_label)
		declare_note(d, LABEL, label);
	if (is_described)
		declare_note(d, DESCRIPTION, description);
	if (is_unsigned(v))
		declare_note(d, UNSIGNED, NULL);
	if (has_unit)
		declare_note(d, n, unit);
	if (v->is_from)
		declare_note(d, FROM, NULL);
}

static bool declare_values(struct declarer *d, const struct v0_structure *s,
			   const struct v0_field *fields)
{
	for (uint32_t i = 0; fields && i < s->count; i++)
		declare_value(d, &s->values[fields[i].value], fields[i].name);
	return fields;
}

/* A name that no other type has: with a number after it, if need be. */
static const char *unique_name(struct declarer *d, const char *name)
{
	char numbered[600];
	unsigned n = 2;

	if (!name || take_name(d, name))
		return name;
	/* The number of all names is in it, so that of many equal ones each is new at once. */
	do
		snprintf(numbered, sizeof(numbered), "%.512s_%zu_%u", name, d->names.count, n++);
	while (!take_name(d, numbered));
	return arena_strndup(&d->w->arena, numbered, strlen(numbered));
}

static bool declare_event(struct declarer *d, const struct v0_event *e)
{
	const struct v0_plan *plan = &d->w->plans[e->index];
	struct arena *a = &d->w->arena;
	const char *name = v0_type_name(a, e), *label = v0_words(a, e->label);
	const char *description = v0_words(a, e->description), *category[8];
	unsigned categories = 0;
	bool is_described = description && *description;

	if (plan->is_setting)
		return true;
	name = unique_name(d, name);
	while (categories < 8 && (category[categories] = v0_category(a, e, categories)) != NULL)
		categories++;
	if (categories == 0)
		category[categories++] = "Event";
	if (!name || !label)
		return false;
	begin_class(d, name, v0_event_type_id(d->w, e), "jdk.jfr.Event", false,
		    1u + e->has_start + e->has_thread + e->has_stack + e->structure->count + 2 +
			    is_described);
	declare_start(d);
	if (e->has_start) {
		begin_field(d, (struct field){ "duration", V0_TYPE_LONG, false, false }, 2);
		declare_note(d, LABEL, "Duration");
		declare_note(d, TIMESPAN, "TICKS");
	}
	if (e->has_thread)
		declare_field(d, (struct field){ "eventThread", POOL(THREAD), true, false },
			      "Event Thread");
	if (e->has_stack)
		declare_field(d, (struct field){ "stackTrace", POOL(STACK), true, false },
			      "Stack Trace");
	declare_values(d, e->structure, plan->fields);
	declare_note(d, LABEL, label);
	if (is_described)
		declare_note(d, DESCRIPTION, description);
	declare_category(d, category, categories);
	return true;
}

/* JDK 8's early builds say capacity where 2.x says committed. */
static void rename_sizes(const struct v0_structure *s, const char *type, struct v0_field *fields)
{
	if (fields && s->count && strcmp(type, "jdk.types.MetaspaceSizes") == 0)
		fields[0].name = "committed";
}

static bool declare_structure(struct declarer *d, const struct v0_structure *s, const char *name,
			      uint64_t id, bool is_constant)
{
	struct v0_field *fields = v0_fields_of(&d->w->arena, s, NULL);
	const char *type = unique_name(d, name);

	if (!fields || !type)
		return false;
	if (!is_constant)
		rename_sizes(s, name, fields);
	begin_class(d, type, id, NULL, is_constant && s->count == 1, s->count);
	return declare_values(d, s, fields);
}

static unsigned setting_count(const struct declarer *d)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < d->w->types->event_count; i++)
		count += d->w->plans[i].is_setting;
	return count;
}

static bool declare_own(struct declarer *d)
{
	const struct v0_types *t = d->w->types;
	struct arena *a = &d->w->arena;

	for (size_t i = 0; i < d->inner_count; i++) {
		if (!declare_structure(d, d->inner[i], v0_structure_name(a, d->inner[i]),
				       FIRST_STRUCTURE + i + 1, false))
			return false;
	}
	for (uint32_t i = 0; i < t->content_count; i++) {
		const struct v0_content *k = &t->contents[i];

		if (k->role == V0_OTHER &&
		    !declare_structure(d, k->structure, v0_content_name(a, k),
				       v0_pool_type_id(v0_pool_of(k)), true))
			return false;
	}
	for (uint32_t i = 0; i < t->event_count; i++) {
		if (!declare_event(d, &t->events[i]))
			return false;
	}
	return true;
}

static unsigned own_count(const struct declarer *d)
{
	const struct v0_types *t = d->w->types;
	unsigned count = (unsigned)d->inner_count + t->event_count - setting_count(d);

	for (uint32_t i = 0; i < t->content_count; i++)
		count += t->contents[i].role == V0_OTHER;
	return count;
}

static bool find_inner_of(struct declarer *d, const struct v0_structure *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct v0_structure *inner = s->values[i].structure;
		uint64_t *place;

		if (!inner)
			continue;
		place = digest_map_put(&d->inner_at, digest_of(inner));
		if (!place)
			return false;
		if (*place)
			continue;
		d->inner[d->inner_count++] = inner;
		*place = d->inner_count;
	}
	return true;
}

static bool find_inner(struct declarer *d)
{
	const struct v0_types *t = d->w->types;

	d->inner = calloc((size_t)t->structure_count + 1, sizeof(struct v0_structure *));
	for (uint32_t i = 0; d->inner && i < t->structure_count; i++) {
		if (!find_inner_of(d, t->structures[i]))
			return false;
	}
	return d->inner;
}

/* The JDK's reader wants a language, and takes what it does not know for English. */
static void declare_region(struct declarer *d)
{
	const struct v0_types *t = d->w->types;
	const char *locale = v0_words(&d->w->arena, t->locale);
	char offset[24];

	snprintf(offset, sizeof(offset), "%" PRId32, t->gmt_offset_ms);
	metadata_element(&d->m, "region", 3);
	metadata_attribute(&d->m, "locale", locale && *locale ? locale : "en_US");
	metadata_attribute(&d->m, "gmtOffset", offset);
	metadata_attribute(&d->m, "dst", "0");
	metadata_children(&d->m, 0);
}

static bool declare_all(struct declarer *d)
{
	bool settings = setting_count(d);

	metadata_element(&d->m, "root", 0);
	metadata_children(&d->m, 2);
	metadata_element(&d->m, "metadata", 0);
	metadata_children(&d->m, PRIMITIVES + NOTES + (unsigned)POOL_CLASSES + 1 + 1 + settings +
					 own_count(d));
	declare_primitives(d);
	declare_notes(d);
	for (size_t i = 0; i < POOL_CLASSES; i++)
		declare_pool_class(d, &pool_classes[i]);
	declare_frame(d);
	declare_loss(d);
	if (settings)
		declare_settings(d);
	if (!declare_own(d))
		return false;
	declare_region(d);
	return true;
}

/* Bytes of the size in front. */
#define WIDE 5

void v0_write_metadata(struct v0_writer *w, uint64_t id)
{
	struct declarer d = { .w = w };
	struct buffer *b = w->to;
	size_t at = b->len;

	if (!find_inner(&d) || !declare_all(&d))
		w->failed = true;
	buffer_padded(b, 0, WIDE);
	buffer_varint(b, TYPE_METADATA);
	buffer_varint(b, (uint64_t)w->types->start_ticks);
	buffer_varint(b, 0);
	metadata_content(&d.m, id, b);
	if (!b->failed)
		varint_put_padded(b->data + at, b->len - at, WIDE);
	w->failed |= b->failed;
	metadata_writer_fini(&d.m);
	digest_map_fini(&d.names);
	digest_map_fini(&d.inner_at);
	free(d.inner);
}
