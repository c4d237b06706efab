/* SPDX-License-Identifier: MIT */
/*
 * otlp.c - profiles as OpenTelemetry transports them (ProfilesData of OTLP)
 *
 * opentelemetry/proto/profiles/v1development/profiles.proto, which is in development: as of 1.10,
 * where the fields of Sample have other numbers than in 1.9. Numbers of fields:
 *
 *    ProfilesData        1 resource_profiles  2 dictionary
 *    ResourceProfiles    1 resource (1 attributes: KeyValue 1 key 2 value)  2 scope_profiles
 *    ScopeProfiles       1 scope (1 name 2 version)  2 profiles
 *    Profile             1 sample_type  2 samples  3 time_unix_nano (fixed64)  4 duration_nano
 *                        5 period_type  6 period  11 attribute_indices
 *    ValueType           1 type  2 unit
 *    Sample              1 stack_index  2 attribute_indices  4 values
 *    ProfilesDictionary  1 mapping_table  2 location_table  3 function_table  4 link_table
 *                        5 string_table  6 attribute_table  7 stack_table
 *    Location            1 mapping_index  3 lines  4 attribute_indices
 *    Line                1 function_index  2 line          Function  1 name  3 filename
 *    Stack               1 location_indices (leaf first)   Link      1 trace_id  2 span_id
 *    KeyValueAndUnit     1 key  2 value (1 text, 3 whole number)
 *
 * The first entry of each table of the dictionary is its zero value and stands for "none"; no entry
 * occurs twice, and each is used. So a table is a set of encoded messages. A profile
 * has one sample type, and what is one stack with one set of attributes is one sample, the sum of
 * all. Texts are numbers in the string table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/protobuf.h"
#include "profiles/sample_types.h"
#include "profiles/unseen.h"
#include "stacks/stacks.h"

/* What is being written. */
struct otlp {
	struct jfrec_stacks *stacks;
	struct buffer part, message, sample; /* of the innermost message, of that around it, ... */
	struct buffer profile, scope;	     /* the profile at hand; all of them */
	struct name_set strings, attributes, functions, locations, traces;
	uint32_t *location; /* by frame: its number in `locations`, or 0 */
	uint32_t *path;	    /* frames from the root on */
	/* Of the profile at hand. */
	struct name_set samples; /* without their values */
	int64_t *values;	 /* by sample */
	size_t value_room;
	struct tree *tree;
	size_t kind;
	bool failed;
};

/* Tables --------------------------------------------------------------------------------------- */

/* The number of a message in a table, which it is made for. */
static uint32_t table_put(struct otlp *o, struct name_set *table, struct buffer *message)
{
	uint32_t number = NAME_NONE;

	if (!message->failed)
		number = name_set_put(table, message->len ? (const char *)message->data : "",
				      message->len);
	buffer_clear(message);
	if (number == NAME_NONE)
		o->failed = true;
	return number;
}

static uint32_t string_number(struct otlp *o, const char *text, size_t len)
{
	uint32_t number = name_set_put(&o->strings, text, len);

	if (number == NAME_NONE)
		o->failed = true;
	return number;
}

static uint32_t text_number(struct otlp *o, const char *text)
{
	return string_number(o, text, strlen(text));
}

/* The value is in o->part. */
static uint32_t attribute(struct otlp *o, const char *key)
{
	protobuf_number(&o->message, 1, text_number(o, key));
	protobuf_message(&o->message, 2, &o->part);
	buffer_clear(&o->part);
	return table_put(o, &o->attributes, &o->message);
}

static uint32_t text_attribute(struct otlp *o, const char *key, const char *text, size_t len)
{
	protobuf_bytes(&o->part, 1, text, len);
	return attribute(o, key);
}

/* AnyValue is a choice: a whole number that is 0 has to be there. */
static uint32_t number_attribute(struct otlp *o, const char *key, uint64_t number)
{
	protobuf_choice(&o->part, 3, number);
	return attribute(o, key);
}

/* Locations ------------------------------------------------------------------------------------ */

/* As the semantic conventions call it; NULL: it is not code. */
static const char *frame_type(const struct frame *f, const struct name *name)
{
	switch (f->kind) {
	case FRAME_KERNEL:
		return "kernel";
	case FRAME_CPP:
		return "native";
	case FRAME_NATIVE: /* a method of Java has a class */
		return memchr(name->text, '.', name->len) ? "jvm" : "native";
	case FRAME_CLASS:
	case FRAME_THREAD:
	case FRAME_NOTE:
		return NULL;
	}
	return "jvm";
}

static uint32_t function_of(struct otlp *o, const struct name *name, bool has_file)
{
	char path[FRAME_PATH_MAX];

	protobuf_number(&o->part, 1, string_number(o, name->text, name->len));
	if (has_file && frame_file_path(name->text, name->len, path))
		protobuf_number(&o->part, 3, text_number(o, path));
	return table_put(o, &o->functions, &o->part);
}

static uint32_t location_of(struct otlp *o, uint32_t number)
{
	const struct frame *f = &o->stacks->book.frames.list[number];
	const struct name *name = &o->stacks->book.names.list[f->name];
	const char *type = frame_type(f, name);
	uint32_t function, attribute = 0;

	if (o->location[number])
		return o->location[number];
	function = function_of(o, name, type && strcmp(type, "jvm") == 0);
	if (type)
		attribute = text_attribute(o, "profile.frame.type", type, strlen(type));
	protobuf_number(&o->part, 1, function);
	protobuf_number(&o->part, 2, f->line);
	protobuf_message(&o->message, 3, &o->part);
	buffer_clear(&o->part);
	if (attribute) {
		buffer_leb128(&o->part, attribute);
		protobuf_message(&o->message, 4, &o->part);
		buffer_clear(&o->part);
	}
	o->location[number] = table_put(o, &o->locations, &o->message);
	return o->location[number];
}

/* Samples -------------------------------------------------------------------------------------- */

static uint32_t stack_of(struct otlp *o, unsigned first, unsigned depth)
{
	/* Locations are messages, too: they have to be there before a list of them begins. */
	for (unsigned i = first; i <= depth; i++)
		location_of(o, o->path[i]);
	for (unsigned i = depth; i >= first; i--)
		buffer_leb128(&o->part, location_of(o, o->path[i]));
	if (depth >= first)
		protobuf_message(&o->message, 1, &o->part);
	buffer_clear(&o->part);
	return table_put(o, &o->traces, &o->message);
}

/* What is known of the sample besides its stack: frames before those of code; NULL: none. */
static void put_attributes(struct otlp *o, const struct frame *label, const struct frame *thread)
{
	const struct name *names = o->stacks->book.names.list;
	uint32_t list[3];
	unsigned count = 0;

	if (label)
		list[count++] = text_attribute(o, o->stacks->label, names[label->name].text,
					       names[label->name].len);
	if (thread) {
		struct thread_text t =
			frame_thread_name(names[thread->name].text, names[thread->name].len);

		list[count++] = text_attribute(o, "thread.name", t.text, t.len);
		if (*t.id)
			list[count++] =
				number_attribute(o, "thread.id", strtoull(t.id, NULL, 10));
	}
	for (unsigned i = 0; i < count; i++)
		buffer_leb128(&o->part, list[i]);
	protobuf_message(&o->sample, 2, &o->part);
	buffer_clear(&o->part);
}

/* Add to the sample that o->sample begins. */
static void add_value(struct otlp *o, int64_t value)
{
	uint32_t before = o->samples.count, number = table_put(o, &o->samples, &o->sample);

	if (o->failed || !array_reserve(o->values, o->samples.count - 1, o->value_room)) {
		o->failed = true;
		return;
	}
	if (number == before)
		o->values[number] = 0;
	if (__builtin_add_overflow(o->values[number], value, &o->values[number]))
		o->values[number] = value < 0 ? INT64_MIN : INT64_MAX;
}

static int enter(void *ctx, uint32_t node, unsigned depth)
{
	struct otlp *o = ctx;
	const struct node *n = &o->tree->nodes[node];
	const struct frame *frames = o->stacks->book.frames.list;
	unsigned first;

	o->path[depth] = n->frame;
	if (!n->self.samples)
		return 1;
	first = stacks_has_labels(o->stacks) ? 2 : 1;
	if (depth >= first && frames[o->path[first]].kind == FRAME_THREAD)
		first++;
	protobuf_number(&o->sample, 1, stack_of(o, first, depth));
	if (depth && first > 1)
		put_attributes(o, stacks_has_labels(o->stacks) ? &frames[o->path[1]] : NULL,
			       frames[o->path[first - 1]].kind == FRAME_THREAD
				       ? &frames[o->path[first - 1]]
				       : NULL);
	add_value(o, stacks_weight(o->stacks, o->kind, n->self));
	return o->failed ? -1 : 1;
}

static void put_samples(struct otlp *o)
{
	for (uint32_t i = 0; i < o->samples.count; i++) {
		buffer_clear(&o->sample);
		buffer_put(&o->sample, o->samples.list[i].text, o->samples.list[i].len);
		buffer_leb128(&o->part, (uint64_t)o->values[i]);
		protobuf_message(&o->sample, 4, &o->part);
		buffer_clear(&o->part);
		protobuf_message(&o->profile, 2, &o->sample);
	}
	buffer_clear(&o->sample);
}

/* Profiles ------------------------------------------------------------------------------------- */

static void put_type(struct otlp *o, unsigned field)
{
	const struct profile_kind *k = o->stacks->kinds[o->kind];
	enum profile_unit unit = stacks_unit(o->stacks, o->kind);
	struct sample_types types = sample_types_of(k);
	const char *value = types.value && strcmp(types.value, "value") != 0 ? types.value
									      : types.count;

	protobuf_number(&o->message, 1,
			text_number(o, unit == UNIT_SAMPLES ? types.count : value));
	protobuf_number(&o->message, 2, text_number(o, sample_unit(unit)));
	protobuf_message(&o->profile, field, &o->message);
	buffer_clear(&o->message);
}

/* What one sample stands for, on the average; receivers want it, and want it above 0. */
static uint64_t period_of(const struct otlp *o)
{
	struct weight all = o->tree->nodes[0].total;
	int64_t value = stacks_weight(o->stacks, o->kind, all);

	return all.samples && value > 0 && (uint64_t)value > all.samples
		       ? (uint64_t)value / all.samples
		       : 1;
}

static void put_times(struct otlp *o)
{
	const struct span_ns *s = &o->stacks->spans[0];

	if (s->end_ns <= s->start_ns)
		return;
	protobuf_fixed64(&o->profile, 3, (uint64_t)s->start_ns);
	protobuf_number(&o->profile, 4, (uint64_t)(s->end_ns - s->start_ns));
}

static void put_unseen(struct otlp *o)
{
	struct unseen unseen[UNSEEN_MAX];
	size_t count = unseen_of(o->stacks, o->kind, unseen);
	uint32_t numbers[UNSEEN_MAX];
	char key[64];

	for (size_t i = 0; i < count; i++) {
		snprintf(key, sizeof(key), "jfrec.unseen.%s", unseen[i].key);
		numbers[i] = number_attribute(o, key, unseen[i].count);
	}
	for (size_t i = 0; i < count; i++)
		buffer_leb128(&o->part, numbers[i]);
	if (count)
		protobuf_message(&o->profile, 11, &o->part);
	buffer_clear(&o->part);
}

static int put_profile(struct otlp *o)
{
	struct stacks_walk walk = {
		.stacks = o->stacks, .tree = o->tree, .enter = enter, .ctx = o
	};

	put_type(o, 1);
	if (stacks_visit(&walk) < 0)
		return -1;
	put_samples(o);
	put_times(o);
	put_type(o, 5);
	protobuf_number(&o->profile, 6, period_of(o));
	put_unseen(o);
	protobuf_message(&o->scope, 2, &o->profile);
	buffer_clear(&o->profile);
	name_set_fini(&o->samples);
	return 0;
}

static int put_profiles(struct otlp *o, size_t only)
{
	protobuf_bytes(&o->message, 1, "jfrec", strlen("jfrec"));
	protobuf_bytes(&o->message, 2, jfrec_version(), strlen(jfrec_version()));
	protobuf_message(&o->scope, 1, &o->message);
	buffer_clear(&o->message);
	for (size_t i = 0; i < o->stacks->kind_count; i++) {
		o->kind = i;
		o->tree = stacks_tree(o->stacks, 0, i);
		if (stacks_has(o->stacks, i, only) && put_profile(o) < 0)
			return -1;
	}
	return 0;
}

/* The file ------------------------------------------------------------------------------------- */

/*
 * Receivers file a profile under the name of a service: that of the recording, without its folder.
 */
static void put_resource(struct otlp *o, struct buffer *to)
{
	const char *title = o->stacks->title ? o->stacks->title : "", *slash = strrchr(title, '/');
	const char *name = slash ? slash + 1 : title, *suffix = strstr(name, ".jfr");
	size_t len = suffix && suffix > name ? (size_t)(suffix - name) : strlen(name);

	if (!len)
		return;
	protobuf_bytes(&o->part, 1, name, len);
	protobuf_bytes(&o->message, 1, "service.name", strlen("service.name"));
	protobuf_message(&o->message, 2, &o->part);
	protobuf_message(&o->sample, 1, &o->message);
	protobuf_message(to, 1, &o->sample);
	buffer_clear(&o->part);
	buffer_clear(&o->message);
	buffer_clear(&o->sample);
}

static void put_table(struct buffer *to, unsigned field, const struct name_set *table)
{
	for (uint32_t i = 0; i < table->count; i++)
		protobuf_bytes(to, field, table->list[i].text, table->list[i].len);
}

static void put_dictionary(struct otlp *o, struct buffer *to)
{
	static const uint8_t no_trace[16], no_span[8];

	protobuf_bytes(to, 1, "", 0);
	put_table(to, 2, &o->locations);
	put_table(to, 3, &o->functions);
	protobuf_bytes(&o->part, 1, no_trace, sizeof(no_trace));
	protobuf_bytes(&o->part, 2, no_span, sizeof(no_span));
	protobuf_message(to, 4, &o->part);
	buffer_clear(&o->part);
	put_table(to, 5, &o->strings);
	put_table(to, 6, &o->attributes);
	put_table(to, 7, &o->traces);
}

static int put_file(struct otlp *o, struct out *out)
{
	struct buffer file = { 0 }, inner = { 0 };
	bool is_whole;

	put_resource(o, &inner);
	protobuf_message(&inner, 2, &o->scope);
	protobuf_message(&file, 1, &inner);
	buffer_clear(&inner);
	put_dictionary(o, &inner);
	protobuf_message(&file, 2, &inner);
	is_whole = !o->failed && !file.failed && !o->profile.failed;
	if (is_whole)
		out_put(out, (const char *)file.data, file.len);
	buffer_fini(&inner);
	buffer_fini(&file);
	return is_whole ? 0 : -1;
}

/* Each table begins with its zero value. */
static void begin_tables(struct otlp *o)
{
	string_number(o, "", 0);
	table_put(o, &o->attributes, &o->message);
	table_put(o, &o->functions, &o->message);
	table_put(o, &o->locations, &o->message);
	table_put(o, &o->traces, &o->message);
}

static void otlp_fini(struct otlp *o)
{
	struct buffer *const buffers[] = { &o->part, &o->message, &o->sample, &o->profile,
					   &o->scope };
	struct name_set *const tables[] = { &o->strings,   &o->attributes, &o->functions,
					    &o->locations, &o->traces,	   &o->samples };

	for (size_t i = 0; i < sizeof(buffers) / sizeof(*buffers); i++)
		buffer_fini(buffers[i]);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		name_set_fini(tables[i]);
	free(o->values);
	free(o->path);
	free(o->location);
}

int otlp_write(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
	       struct jfrec_error *err)
{
	struct otlp o = { .stacks = s };
	int ret = -1;

	(void)minimum; /* as for pprof: receivers leave out what is small themselves */
	o.path = calloc(STACKS_MAX_DEPTH, sizeof(*o.path));
	o.location = calloc((size_t)s->book.frames.count + 1, sizeof(*o.location));
	if (o.path && o.location) {
		begin_tables(&o);
		ret = put_profiles(&o, only);
		if (ret == 0)
			ret = put_file(&o, out);
	}
	otlp_fini(&o);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}
