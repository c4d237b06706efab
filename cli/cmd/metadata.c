/* SPDX-License-Identifier: MIT */
/*
 * metadata.c - jfrec metadata: print the event types that a recording declares
 */
#include <string.h>

#include "base/report.h"
#include "opts/dictionary.h"
#include "recording/open_recordings.h"

struct options {
	bool json;
	const char *events, *categories;
	int jdk; /* 0: of a recording */
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	OPT_ONCE('e', "events", "FILTER", "only events of these types, such as jdk.GC*,CPULoad", struct options, events),
	OPT_ONCE('c', "categories", "FILTER", "only events of a category that matches", struct options, categories),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_CALL(0, "jdk", "VERSION", "the types of this JDK, without a recording", take_jdk, struct options, jdk),
	{ 0 },
};
/* clang-format on */

/* A key and its value are a line. */
/* clang-format off */
static json_t *annotation_json(const struct jfrec_annotation *a)
{
	json_t *values = json_object();

	for (unsigned i = 0; i < jfrec_annotation_member_count(a); i++) {
		const char *value = jfrec_annotation_member_value(a, i);

		json_object_set_new(values, jfrec_annotation_member_name(a, i),
				    text_json(value));
	}
	return json_pack("{s:o, s:o}", "type", text_json(jfrec_annotation_name(a)), "values",
			 values);
}

static json_t *field_annotations_json(const struct jfrec_field *f)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < jfrec_field_annotation_count(f); i++)
		json_array_append_new(list, annotation_json(jfrec_field_annotation_get(f, i)));
	return list;
}

static const char *type_name(const struct jfrec_field *f)
{
	const struct jfrec_type *t = jfrec_field_type(f);

	return t ? jfrec_type_name(t) : NULL;
}

static json_t *field_json(const struct jfrec_field *f)
{
	return json_pack("{s:o, s:o, s:b, s:b, s:o, s:o, s:o}",
			 "name", text_json(jfrec_field_name(f)),
			 "type", text_json(type_name(f)),
			 "array", jfrec_field_is_array(f),
			 "constantPool", jfrec_field_is_constant(f),
			 "label", text_json(jfrec_field_label(f)),
			 "description", text_json(jfrec_field_description(f)),
			 "annotations", field_annotations_json(f));
}

static json_t *setting_json(const struct jfrec_field *f)
{
	return json_pack("{s:o, s:o, s:o, s:o}",
			 "name", text_json(jfrec_field_name(f)),
			 "type", text_json(type_name(f)),
			 "defaultValue", text_json(jfrec_field_default(f)),
			 "annotations", field_annotations_json(f));
}

/* The path of the @Category, or null. */
static json_t *category_json(const struct jfrec_type *t)
{
	for (unsigned i = 0; i < jfrec_type_annotation_count(t); i++) {
		const struct jfrec_annotation *a = jfrec_type_annotation_get(t, i);
		json_t *path;

		if (strcmp(jfrec_annotation_name(a), "jdk.jfr.Category") != 0)
			continue;
		path = json_array();
		for (unsigned k = 0; k < jfrec_annotation_member_count(a); k++) {
			const char *element = jfrec_annotation_member_value(a, k);

			if (element)
				json_array_append_new(path, text_json(element));
		}
		return path;
	}
	return json_array();
}

static json_t *type_json(const struct jfrec_type *t, bool has_ids)
{
	json_t *annotations = json_array(), *settings = json_array(), *fields = json_array();

	for (unsigned i = 0; i < jfrec_type_annotation_count(t); i++)
		json_array_append_new(annotations,
				      annotation_json(jfrec_type_annotation_get(t, i)));
	for (unsigned i = 0; i < jfrec_type_setting_count(t); i++)
		json_array_append_new(settings, setting_json(jfrec_type_setting_get(t, i)));
	for (unsigned i = 0; i < jfrec_type_field_count(t); i++)
		json_array_append_new(fields, field_json(jfrec_type_field_get(t, i)));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}",
			 "id", has_ids ? json_integer((json_int_t)jfrec_type_id(t)) : json_null(),
			 "name", text_json(jfrec_type_name(t)),
			 "superType", text_json(jfrec_type_super(t)),
			 "label", text_json(jfrec_type_label(t)),
			 "description", text_json(jfrec_type_description(t)),
			 "category", category_json(t),
			 "simpleType", jfrec_type_is_simple(t),
			 "annotations", annotations,
			 "settings", settings,
			 "fields", fields);
}

/* clang-format on */

static int types_json(const struct jfrec_types *types, bool has_ids)
{
	json_t *list = json_array();

	for (size_t i = 0; i < jfrec_types_count(types); i++)
		json_array_append_new(list, type_json(jfrec_types_get(types, i), has_ids));
	return print_document("metadata", json_pack("{s:o}", "types", list));
}

static int metadata_json(struct jfrec_reader *r, struct jfrec_error *err)
{
	const struct jfrec_types *types = jfrec_reader_types(r, err);

	return types ? types_json(types, true) : -1;
}

static int print_metadata(const struct options *o, char *const *paths, int count)
{
	struct jfrec_reader *r = open_confined(CONFINE_READING, paths, count);
	struct jfrec_error err;
	int status = -1;

	if (!r)
		return EXIT_FAILED;
	if (o->json)
		envelope_read(r, paths, count);
	if (jfrec_reader_select(r, o->events, o->categories, &err) == 0)
		status = o->json ? metadata_json(r, &err)
				 : jfrec_print_metadata(r, write_stdout, NULL, &err);
	if (status < 0)
		status = report_failure(r, &err);
	else if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_reader_close(r);
	return status;
}

/* Without a recording -------------------------------------------------------------------------- */

static int print_selected(const struct jfrec_dictionary *d, bool json, struct jfrec_error *err)
{
	const struct jfrec_types *types = jfrec_dictionary_types(d);

	if (json)
		return types_json(types, false);
	return jfrec_print_types(types, write_stdout, NULL, err);
}

static int print_dictionary(const struct options *o)
{
	struct jfrec_error err;
	struct jfrec_dictionary *d = open_dictionary(o->jdk);
	int status = -1;

	if (!d)
		return EXIT_FAILED;
	if (jfrec_dictionary_select(d, o->events, o->categories, &err) == 0)
		status = print_selected(d, o->json, &err);
	jfrec_dictionary_free(d);
	return status < 0 ? report_dictionary(&err) : status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };

	if (!opt_parse(&p, &o))
		return p.status;
	if (o.jdk && p.first_operand < argc)
		return report_usage(self, "with --jdk there is no recording to read");
	if (o.jdk)
		return print_dictionary(&o);
	if (!has_operands(self, &p, "the recording whose types to print"))
		return EXIT_USAGE;
	return print_metadata(&o, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_metadata = {
	.name = "metadata",
	.args = "RECORDING...",
	.examples = "  jfrec metadata --events GCPhasePause app.jfr\n"
		    "  jfrec metadata --jdk 21\n",
	.summary = "print the event types that a recording declares",
	.about = "Print the types of a recording with their fields and annotations, exactly as\n"
		 "`jfr metadata` of JDK 25 does. With a filter, only event types are printed.\n"
		 "With --jdk no recording is needed.",
	.opts = opts,
	.run = run,
};
