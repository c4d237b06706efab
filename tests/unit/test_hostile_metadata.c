/* SPDX-License-Identifier: MIT */
/*
 * test_hostile_metadata.c - damaged metadata, impossible types, times
 */
#include "hostile.h"

/* Metadata --------------------------------------------------------------------------------------- */

/* A chunk of this metadata, then a good one. */
static void metadata_element(struct craft *c, const char *element)
{
	craft_chunk(c);
	tick(c, 1);
	craft_metadata_of(c, element);
	craft_end(c);
	foreign_ticks(c, 3);
}

static void metadata_words(struct craft *c, const char *words)
{
	craft_chunk(c);
	tick(c, 1);
	c->metadata = craft_event(c, "0", "1000 0 1 %s", words);
	craft_end(c);
	foreign_ticks(c, 3);
}

static void string_count_too_large(struct craft *c)
{
	metadata_words(c, "1000000000000 'root' 0 0 0");
}

static void string_count_negative(struct craft *c)
{
	metadata_words(c, "-1 'root' 0 0 0");
}

static void metadata_string_too_long(struct craft *c)
{
	metadata_words(c, "1 x03 1000 x726f 0 0 0");
}

static void metadata_string_is_a_key(struct craft *c)
{
	metadata_words(c, "2 k1 'root' 1 0 0");
}

static void metadata_without_element(struct craft *c)
{
	metadata_words(c, "1 'root'");
}

static void attribute_count_too_large(struct craft *c)
{
	metadata_element(c, "(root attributes:1000000)");
}

static void child_count_too_large(struct craft *c)
{
	metadata_element(c, "(root (metadata children:1000000))");
}

static void string_index_too_large(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=@1000 id=20)))");
}

static void element_name_index_too_large(struct craft *c)
{
	metadata_element(c, "(@1000)");
}

/* No JVM writes a null string: where it stands for a name, something was lost. */
static void element_name_null(struct craft *c)
{
	metadata_words(c, "1 null  0 0 0");
}

static void class_without_name(struct craft *c)
{
	metadata_element(c, "(root (metadata (class id=20)))");
}

static void field_without_name(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=20 (field class=7))))");
}

static void class_id_of_letters(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=20x)))");
}

static void class_id_empty(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id='')))");
}

static void class_id_with_blank(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=' 20')))");
}

static void class_id_too_large(struct craft *c)
{
	metadata_element(c, "(root (metadata (class name=t.Tick id=9223372036854775808)))");
}

/* One bad type beside those that are used: it costs itself. */
static void beside(struct craft *c, const char *class)
{
	struct bytes classes = { 0 };

	craft_chunk(c);
	tick(c, 1);
	bytes_copy(&classes, TICK_TYPE, strlen(TICK_TYPE));
	bytes_copy(&classes, class, strlen(class) + 1);
	craft_metadata(c, (const char *)classes.data);
	bytes_free(&classes);
	craft_end(c);
	ticks(c, 3);
}

static void nameless_class_beside_others(struct craft *c)
{
	beside(c, "(class id=40 (field name=a class=7))");
}

static void nameless_field_beside_others(struct craft *c)
{
	beside(c, "(class name=t.Other id=40 superType=jdk.jfr.Event (field class=7))");
}

static void class_without_number_beside_others(struct craft *c)
{
	beside(c, "(class name=t.Other id=many superType=jdk.jfr.Event (field name=a class=7))");
}

static void field_of_no_number_beside_others(struct craft *c)
{
	beside(c, "(class name=t.Other id=40 superType=jdk.jfr.Event (field name=a class=x))");
}

static void annotation_of_no_number_beside_others(struct craft *c)
{
	beside(c, "(class name=t.Other id=40 (annotation class=x value=a) (field name=a class=7))");
}

static void strings_that_are_not_there_beside_others(struct craft *c)
{
	beside(c, "(class name=t.Other id=40 (annotation class=@9000 value=@9001) (setting name=@9002))");
}

/* A type, a field, a label of 100,000 bytes; and they are read, though not to their ends. */
static void long_names_beside_others(struct craft *c)
{
	static const char *const before[] = { "(class id=40 superType=jdk.jfr.Event name=",
					      " (field class=7 name=", ") (annotation class=41 value=" };
	struct bytes class = { 0 };

	for (size_t i = 0; i < 3; i++) {
		bytes_copy(&class, before[i], strlen(before[i]));
		for (int k = 0; k < 100000; k++)
			bytes_copy(&class, &"abc"[i], 1);
	}
	bytes_copy(&class, "))", 3);
	beside(c, (const char *)class.data);
	bytes_free(&class);
}

static void seventy_thousand_fields_beside_others(struct craft *c)
{
	static const char field[] = "(field name=a class=7)";
	struct bytes class = { 0 };

	bytes_copy(&class, "(class name=t.Other id=40", strlen("(class name=t.Other id=40"));
	for (int i = 0; i < 70000; i++)
		bytes_copy(&class, field, strlen(field));
	bytes_copy(&class, ")", 2);
	beside(c, (const char *)class.data);
	bytes_free(&class);
}

static void nested(struct craft *c, int depth)
{
	struct bytes text = { 0 };

	for (int i = 0; i < depth; i++)
		bytes_copy(&text, "(x", 2);
	for (int i = 0; i < depth; i++)
		bytes_copy(&text, ")", 1);
	bytes_copy(&text, "", 1);
	metadata_element(c, (const char *)text.data);
	bytes_free(&text);
}

static void elements_nested_18_deep(struct craft *c)
{
	nested(c, 18);
}

static void elements_nested_10000_deep(struct craft *c)
{
	nested(c, 10000);
}

static void hundred_thousand_classes(struct craft *c)
{
	struct bytes element = { 0 };
	char text[64];

	craft_chunk(c);
	tick(c, 1);
	for (int i = 0; i < 100000; i++) {
		/* One name for all, and ids above those of the basic types. */
		snprintf(text, sizeof(text), "%d", 1000 + i % 500);
		bytes_copy(&element, "(class name=x id=", strlen("(class name=x id="));
		bytes_copy(&element, text, strlen(text));
		bytes_copy(&element, ")", 1);
	}
	bytes_copy(&element, TICK_TYPE, sizeof(TICK_TYPE));
	craft_metadata(c, (const char *)element.data);
	bytes_free(&element);
	craft_end(c);
}

/* Whether a field has a unit depends on the annotations of its annotations' types. */
static void annotations_times_fields(struct craft *c)
{
	static const char mark[] = ANNOTATION(T_LABEL), field[] = FIELD("x", T_INT, ANNOTATION("40"));
	static const char annotation[] = "(class name=t.Mark id=40 ", event[] = ") (class name=t.Many id=41 ";
	struct bytes classes = { 0 };

	craft_chunk(c);
	tick(c, 1);
	bytes_copy(&classes, TICK_TYPE, strlen(TICK_TYPE));
	bytes_copy(&classes, annotation, strlen(annotation));
	for (int i = 0; i < 100000; i++)
		bytes_copy(&classes, mark, strlen(mark));
	bytes_copy(&classes, event, strlen(event));
	for (int i = 0; i < 60000; i++)
		bytes_copy(&classes, field, strlen(field));
	bytes_copy(&classes, ")", 2);
	craft_metadata(c, (const char *)classes.data);
	bytes_free(&classes);
	craft_end(c);
	ticks(c, 3);
}

/* One string of a million zeros is the id of ten thousand classes. */
static void long_id_of_many_classes(struct craft *c)
{
	static const char class[] = "(class name=x id=@0)";
	struct bytes element = { 0 };

	craft_chunk(c);
	tick(c, 1);
	/* The first string of the table is the first name. */
	bytes_copy(&element, "(", 1);
	for (int i = 0; i < 1000000; i++)
		bytes_copy(&element, "0", 1);
	bytes_copy(&element, " (metadata ", 11);
	for (int i = 0; i < 10000; i++)
		bytes_copy(&element, class, strlen(class));
	bytes_copy(&element, "))", 3);
	craft_metadata_of(c, (const char *)element.data);
	bytes_free(&element);
	craft_end(c);
	foreign_ticks(c, 3);
}

static void of_two_classes_with_one_id_the_last(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_checkpoint(c, "0");
	craft_metadata(c, EVENT(TICK, "t.Wrong", START FIELD("n", T_STRING)) TICK_TYPE);
	craft_end(c);
}

static void ids_0_and_1_as_events(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_checkpoint(c, "0");
	craft_metadata(c, EVENT("0", "t.Zero", START FIELD("n", T_LONG))
		       EVENT("1", "t.One", START FIELD("n", T_LONG)) TICK_TYPE);
	craft_end(c);
}

static void wide_and_negative_ids(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_event(c, "1000000000000", "1002 2");
	craft_event(c, "-7", "1003 3");
	craft_checkpoint(c, "0");
	craft_metadata(c, TICK_TYPE EVENT("1000000000000", "t.Wide", START FIELD("n", T_INT))
		       EVENT("-7", "t.Negative", START FIELD("n", T_INT)));
	craft_end(c);
}

static void metadata_without_region(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_metadata_of(c, "(root (metadata (class name=int id=6) (class name=long id=7)"
			  TICK_TYPE "))");
	craft_end(c);
}

static void region_beyond_the_earth(struct craft *c)
{
	craft_chunk(c);
	tick(c, 1);
	craft_metadata_of(c, "(root (metadata (class name=int id=6) (class name=long id=7)"
			  TICK_TYPE ") (region gmtOffset=9223372036854775807 dst=9223372036854775807))");
	craft_end(c);
}

/* Types that cannot be ----------------------------------------------------------------------------- */

/* An event with a field of the type 40 of these classes, between two ticks. */
static void with_type(struct craft *c, const char *classes)
{
	struct bytes text = { 0 };
	static const char event[] = TICK_TYPE EVENT(LISTED, "t.Listed", START FIELD("x", "40"));

	craft_chunk(c);
	tick(c, 1);
	craft_event(c, LISTED, "1002 1 1 1 1 1 1 1 1");
	tick(c, 3);
	craft_checkpoint(c, "0");
	bytes_copy(&text, event, strlen(event));
	bytes_copy(&text, classes, strlen(classes) + 1);
	craft_metadata(c, (const char *)text.data);
	bytes_free(&text);
	craft_end(c);
}

static void struct_inside_itself(struct craft *c)
{
	with_type(c, CLASS("40", "t.Self", FIELD("self", "40")));
}

static void structs_inside_each_other(struct craft *c)
{
	with_type(c, CLASS("40", "t.A", FIELD("b", "41")) CLASS("41", "t.B", FIELD("a", "40")));
}

static void struct_with_array_of_itself(struct craft *c)
{
	with_type(c, CLASS("40", "t.Self", FIELD("selves", "40", ARRAY)));
}

static void field_of_undeclared_type(struct craft *c)
{
	with_type(c, CLASS("41", "t.Unused"));
}

static void key_of_undeclared_type(struct craft *c)
{
	with_type(c, CLASS("40", "t.A", FIELD("b", "999", KEY)));
}

/* One level less deep than is allowed: nothing but the number of structs can stop it. */
static void doubling(struct craft *c, int levels, const char *more, const char *end)
{
	struct bytes classes = { 0 };
	char text[200];
	int n;

	for (int i = 40; i < 40 + levels; i++) {
		n = snprintf(text, sizeof(text),
			     "(class name=t.D id=%d (field name=a class=%d %s) (field name=b class=%d %s))",
			     i, i + 1, more, i + 1, more);
		bytes_copy(&classes, text, (size_t)n);
	}
	n = snprintf(text, sizeof(text), "(class name=t.End id=%d %s)", 40 + levels, end);
	bytes_copy(&classes, text, (size_t)n + 1);
	with_type(c, (const char *)classes.data);
	bytes_free(&classes);
}

static void structs_that_double(struct craft *c)
{
	doubling(c, 30, "", FIELD("x", T_INT));
}

/* At its end there is nothing: no bytes and no values, but as much work. */
static void structs_that_double_to_nothing(struct craft *c)
{
	doubling(c, 30, "", "");
}

/* Each array is short to decode, but the template of its elements doubles. */
static void arrays_that_double(struct craft *c)
{
	doubling(c, 30, ARRAY, FIELD("x", T_INT));
}

/* Sixty levels of one field each; arrays of arrays of arrays. */
static void chain(struct craft *c, const char *more)
{
	struct bytes classes = { 0 };
	char text[200];

	for (int i = 40; i < 100; i++) {
		int n = snprintf(text, sizeof(text), "(class name=t.C id=%d (field name=a class=%d %s))",
				 i, i + 1, more);

		bytes_copy(&classes, text, (size_t)n);
	}
	bytes_copy(&classes, CLASS("100", "t.End", FIELD("x", T_INT)),
		   sizeof(CLASS("100", "t.End", FIELD("x", T_INT))));
	with_type(c, (const char *)classes.data);
	bytes_free(&classes);
}

static void structs_60_deep(struct craft *c)
{
	chain(c, "");
}

static void arrays_60_deep(struct craft *c)
{
	chain(c, ARRAY);
}

/* Time ------------------------------------------------------------------------------------------- */

static void frequency_zero(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_FREQUENCY, 0);
}

static void frequency_negative(struct craft *c)
{
	ticks(c, 1);
	craft_set(c, CRAFT_FREQUENCY, (uint64_t)-1);
}

static void times_at_the_edges(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, TICK, "-9223372036854775808 1");
	craft_event(c, TICK, "9223372036854775807 2");
	end_ticks(c);
	craft_set(c, CRAFT_START_NS, INT64_MAX);
	craft_set(c, CRAFT_DURATION_NS, INT64_MAX);
	craft_set(c, CRAFT_START_TICKS, (uint64_t)INT64_MIN);
	craft_set(c, CRAFT_FREQUENCY, 1);
}

static const struct hostile_case cases[] = {
	{ CASE(string_count_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event declares more strings than it has bytes" } },
	{ CASE(string_count_negative), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event declares more strings than it has bytes" } },
	{ CASE(metadata_string_too_long), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the strings of the metadata event are truncated" } },
	{ CASE(metadata_string_is_a_key), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event refers to a string pool" } },
	{ CASE(metadata_without_element), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(attribute_count_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata event is damaged" } },
	{ CASE(child_count_too_large), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: an element of the metadata declares more children than it has bytes" } },
	{ CASE(string_index_too_large), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has types or fields without a name",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(element_name_index_too_large), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata refers to strings that it does not have",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(element_name_null), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has invalid strings",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(class_without_name), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has types or fields without a name",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(field_without_name), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has types or fields without a name",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(class_id_of_letters), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has a class without an id",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(class_id_empty), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has a class without an id",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(class_id_with_blank), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has a class without an id",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(class_id_too_large), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has a class without an id",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(elements_nested_18_deep), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata is nested too deeply" } },
	{ CASE(elements_nested_10000_deep), "3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: the metadata is nested too deeply" } },
	{ CASE(nameless_class_beside_others), "1 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has types or fields without a name" } },
	{ CASE(nameless_field_beside_others), "1 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has types or fields without a name" } },
	{ CASE(class_without_number_beside_others), "1 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has a class without an id" } },
	{ CASE(field_of_no_number_beside_others), "1 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has texts where numbers belong" } },
	{ CASE(annotation_of_no_number_beside_others), "1 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has texts where numbers belong" } },
	{ CASE(strings_that_are_not_there_beside_others), "1 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has types or fields without a name" } },
	{ CASE(seventy_thousand_fields_beside_others), "1 3 4 ", 1, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has a class of more than 65535 fields" } },
	{ CASE(long_names_beside_others), "1 3 4 ", 0, 0, .told = { NULL } },
	{ CASE(hundred_thousand_classes), "1 ", 0, 0, .told = { NULL } },
	{ CASE(annotations_times_fields), "1 3 4 ", 0, 0, .told = { NULL } },
	{ CASE(long_id_of_many_classes), "3 4 ", 2, 1,
	  .told = { "damage at 0: chunk 1 at byte 0: its metadata has a class without an id",
		    "events of types that are not declared, the first at byte " } },
	{ CASE(of_two_classes_with_one_id_the_last), "1 ", 0, 0, .told = { NULL } },
	{ CASE(ids_0_and_1_as_events), "1 ", 0, 0, .told = { NULL } },
	{ CASE(wide_and_negative_ids), "1 2 3 ", 0, 0, .told = { NULL } },
	{ CASE(metadata_without_region), "1 ", 0, 0, .told = { NULL } },
	{ CASE(region_beyond_the_earth), "1 ", 0, 0, .told = { NULL } },
	{ CASE(struct_inside_itself), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(structs_inside_each_other), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(struct_with_array_of_itself), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (it contains itself)" }, .stepped = "1 3 " },
	{ CASE(field_of_undeclared_type), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (a field's type is not declared)" }, .stepped = "1 3 " },
	{ CASE(key_of_undeclared_type), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (a field's type is not declared)" }, .stepped = "1 3 " },
	{ CASE(structs_that_double), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs expand to more than 1024 values)" }, .stepped = "1 3 " },
	{ CASE(structs_that_double_to_nothing), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs expand to more than 1024 values)" }, .stepped = "1 3 " },
	{ CASE(arrays_that_double), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs expand to more than 1024 values)" }, .stepped = "1 3 " },
	{ CASE(structs_60_deep), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its structs are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(arrays_60_deep), "1 3 ", 1, 0,
	  .told = { "that cannot be decoded: 1 (its arrays are nested more than 32 deep)" }, .stepped = "1 3 " },
	{ CASE(frequency_zero), "1 2 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0 has 0 ticks per second" } },
	{ CASE(frequency_negative), "1 2 ", 0, 0,
	  .told = { "notice at 0: chunk 1 at byte 0 has -1 ticks per second" } },
	{ CASE(times_at_the_edges), "1 2 ", 0, 0, .told = { NULL }, .in_text = "2 1 " },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_hostile(&cases[i]);
	return test_end();
}
