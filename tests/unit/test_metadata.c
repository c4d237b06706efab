/* SPDX-License-Identifier: MIT */
/* test_metadata.c - the types that a chunk declares, and how to decode them */
#include "builder.h"
#include "format/metadata.h"
#include "format/plan.h"
#include "test.h"

#include <stdlib.h>

/* The metadata of these classes; what it was made of stays in *c. */
static struct metadata *parse(struct craft *c, const char *classes, struct metadata *previous)
{
	struct jfrec_error err = { 0 };
	struct metadata *m;

	craft_chunk(c);
	craft_metadata(c, classes);
	m = metadata_parse(c->bytes.data + c->chunk + c->metadata, c->bytes.len - c->chunk - c->metadata,
			   previous, &err);
	if (!CHECK(m))
		printf("# %s\n", err.text);
	return m;
}

static void end(struct craft *c, struct metadata *m)
{
	metadata_unref(m);
	craft_free(c);
}

static void test_types(void)
{
	static const char classes[] =
		EVENT("1000000000001", "t.Event", ANNOTATION(T_LABEL, "value='A Label'")
		      ANNOTATION(T_CATEGORY, "value-0=Outer value-1='Inner Part'")
		      "(setting name=enabled class=2 defaultValue=true)"
		      FIELD("late", "41") FIELD("key", "41", KEY) FIELD("list", "41", ARRAY)
		      FIELD("dimension0", "41", "dimension=0") FIELD("lost", "77"))
		CLASS("41", "t.Late", SIMPLE FIELD("x", T_INT));
	struct craft c = { 0 };
	struct metadata *m = parse(&c, classes, NULL);
	const struct jfrec_type *t = metadata_type(m, 1000000000001), *late = metadata_type(m, 41);
	const struct jfrec_annotation *a;

	test_begin("type");
	CHECK(t == metadata_type_named(m, "t.Event"));
	CHECK(t->is_event);
	CHECK(strcmp(jfrec_type_label(t), "A Label") == 0);
	CHECK(!jfrec_type_description(t));
	CHECK(strcmp(jfrec_type_super(t), "jdk.jfr.Event") == 0);
	CHECK(!metadata_type(m, 999) && !metadata_type_named(m, "t.None"));
	CHECK(jfrec_type_is_simple(late) && !jfrec_type_is_simple(t));

	test_begin("annotation_of_an_array");
	CHECK_INT(jfrec_type_annotation_count(t), 2);
	a = jfrec_type_annotation_get(t, 1);
	CHECK(strcmp(jfrec_annotation_name(a), "jdk.jfr.Category") == 0);
	CHECK_INT(jfrec_annotation_member_count(a), 2);
	CHECK(strcmp(jfrec_annotation_member_name(a, 1), "value-1") == 0);
	CHECK(strcmp(jfrec_annotation_member_value(a, 1), "Inner Part") == 0);
	CHECK(!jfrec_annotation_member_value(a, 2) && !jfrec_annotation_member_name(a, 2));

	test_begin("setting");
	CHECK_INT(jfrec_type_setting_count(t), 1);
	CHECK(strcmp(jfrec_field_name(jfrec_type_setting_get(t, 0)), "enabled") == 0);
	CHECK(strcmp(jfrec_field_default(jfrec_type_setting_get(t, 0)), "true") == 0);
	CHECK(!jfrec_type_setting_get(t, 1));

	test_begin("field");
	CHECK_INT(jfrec_type_field_count(t), 5);
	CHECK(jfrec_field_type(jfrec_type_field(t, "late")) == late); /* declared further down */
	CHECK(!jfrec_field_is_constant(jfrec_type_field(t, "late")));
	CHECK(jfrec_field_is_constant(jfrec_type_field(t, "key")));
	CHECK(jfrec_field_is_array(jfrec_type_field(t, "list")));
	CHECK(!jfrec_field_is_array(jfrec_type_field(t, "dimension0")));
	CHECK(!jfrec_field_type(jfrec_type_field(t, "lost")));
	CHECK(!jfrec_type_field(t, "none") && !jfrec_type_field_get(t, 5));
	end(&c, m);
}

static void test_encodings(void)
{
	test_begin("strings_in_each_encoding");
	for (int encoding = 3; encoding <= 5; encoding++) {
		struct craft c = { .string_encoding = encoding };
		struct metadata *m = parse(&c, CLASS("40", "t.Type", FIELD("x", T_INT)), NULL);

		CHECK(metadata_type_named(m, "t.Type"));
		end(&c, m);
	}
}

static void test_previous(void)
{
	struct craft c = { 0 };
	struct metadata *a = parse(&c, CLASS("40", "t.A"), NULL), *b, *other;

	test_begin("same_content_is_parsed_once");
	b = parse(&c, CLASS("40", "t.A"), a);
	CHECK(a == b);
	test_begin("same_id_with_other_content_is_not_the_same");
	other = parse(&c, CLASS("40", "t.B"), a);
	CHECK(other != a && other->id == a->id);
	metadata_unref(a);
	metadata_unref(b);
	end(&c, other);
	metadata_unref(NULL);
}

static const struct {
	const char *name, *region;
	int32_t offset;
} regions[] = {
	{ "region_without_attributes", "(region)", 0 },
	{ "region_east", "(region gmtOffset=19800000)", 19800 },
	{ "region_west_in_summer", "(region gmtOffset=-12600000 dst=3600000)", -9000 },
	{ "no_region", "", 0 },
	{ "region_beyond_java", "(region gmtOffset=64801000)", 0 },
	{ "region_that_overflows", "(region gmtOffset=9223372036854775807 dst=1)", 0 },
};

static void check_region(size_t i)
{
	struct craft c = { 0 };
	struct jfrec_error err;
	struct metadata *m;
	char element[200];

	snprintf(element, sizeof(element), "(root (metadata) %s)", regions[i].region);
	craft_chunk(&c);
	craft_metadata_of(&c, element);
	m = metadata_parse(c.bytes.data + c.metadata, c.bytes.len - c.metadata, NULL, &err);
	CHECK_INT(m->utc_offset_s, regions[i].offset);
	end(&c, m);
}

/* Plans ---------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *classes; /* the type of id 40 */
	unsigned steps, least;
	const char *fault; /* or a part of it */
} plans[] = {
	{ "plan_of_nothing", CLASS("40", "t.T"), 0, 0, NULL },
	{ "plan_of_all_wires",
	  CLASS("40", "t.T", FIELD("a", T_BOOLEAN) FIELD("b", T_BYTE) FIELD("c", T_CHAR) FIELD("d", T_SHORT)
		FIELD("e", T_INT) FIELD("f", T_LONG) FIELD("g", T_FLOAT) FIELD("h", T_DOUBLE)
		FIELD("i", T_STRING) FIELD("j", T_INT, KEY) FIELD("k", T_INT, ARRAY)), 11, 21, NULL },
	{ "plan_of_structs_in_structs",
	  CLASS("40", "t.T", FIELD("a", "41") FIELD("b", T_INT) FIELD("c", "41"))
	  CLASS("41", "t.U", FIELD("x", "42") FIELD("y", T_LONG)) CLASS("42", "t.V", FIELD("z", T_DOUBLE)),
	  5, 19, NULL },
	{ "plan_of_a_key_of_itself", CLASS("40", "t.T", FIELD("next", "40", KEY)), 1, 1, NULL },
	{ "plan_of_an_array_of_keys_of_itself",
	  CLASS("40", "t.T", FIELD("next", "40", KEY ARRAY)), 1, 1, NULL },
	{ "plan_of_1024_values", NULL, 1024, 1024, NULL },
	{ "plan_of_1025_values", NULL, 0, 0, "more than 1024" },
	{ "plan_of_itself", CLASS("40", "t.T", FIELD("self", "40")), 0, 0, "nested" },
	{ "plan_of_an_array_of_itself", CLASS("40", "t.T", FIELD("self", "40", ARRAY)), 0, 0, "itself" },
	{ "plan_of_arrays_of_each_other",
	  CLASS("40", "t.T", FIELD("u", "41", ARRAY)) CLASS("41", "t.U", FIELD("t", "40", ARRAY)),
	  0, 0, "itself" },
	{ "plan_of_an_array_of_nothing",
	  CLASS("40", "t.T", FIELD("u", "41", ARRAY)) CLASS("41", "t.U"), 0, 0, "take no bytes" },
	{ "plan_of_an_array_of_nested_nothing",
	  CLASS("40", "t.T", FIELD("u", "41", ARRAY)) CLASS("41", "t.U", FIELD("v", "42"))
	  CLASS("42", "t.V"), 0, 0, "take no bytes" },
	{ "plan_of_an_undeclared_type", CLASS("40", "t.T", FIELD("u", "77")), 0, 0, "not declared" },
	{ "plan_of_an_array_of_an_undeclared_type",
	  CLASS("40", "t.T", FIELD("u", "77", ARRAY)), 0, 0, "not declared" },
};

static void many_fields(struct bytes *classes, unsigned n)
{
	static const char start[] = "(class name=t.T id=40 ", field[] = FIELD("x", T_INT);

	bytes_copy(classes, start, strlen(start));
	while (n--)
		bytes_copy(classes, field, strlen(field));
	bytes_copy(classes, ")", 2);
}

static void check_plan(size_t i)
{
	struct bytes many = { 0 };
	struct craft c = { 0 };
	const struct plan *plan;
	struct metadata *m;

	if (!plans[i].classes)
		many_fields(&many, plans[i].fault ? 1025 : 1024);
	m = parse(&c, many.data ? (const char *)many.data : plans[i].classes, NULL);
	plan = plan_of(metadata_type(m, 40));
	CHECK(plan == plan_of(metadata_type(m, 40)));
	CHECK(!plan->fault == !plans[i].fault);
	if (plan->fault && plans[i].fault) {
		CHECK(strstr(plan->fault, plans[i].fault));
	} else {
		CHECK_INT(plan->step_count, plans[i].steps);
		CHECK_INT(plan->min_size, plans[i].least);
	}
	end(&c, m);
	bytes_free(&many);
}

static void test_decode(void)
{
	static const char classes[] =
		CLASS("40", "t.T", FIELD("a", T_BYTE) FIELD("b", "41") FIELD("c", "41", ARRAY) FIELD("d", T_LONG))
		CLASS("41", "t.U", FIELD("x", T_SHORT) FIELD("s", T_STRING));
	struct craft c = { 0 };
	struct metadata *m = parse(&c, classes, NULL);
	const struct plan *plan = plan_of(metadata_type(m, 40));
	uint64_t slots[8];
	struct bytes b = { 0 };
	struct cursor at;

	test_begin("decode");
	bytes_add(&b, "b-1 65535 'abc' 2 1 'x' 2 null -3");
	at = cursor_over(b.data, b.len);
	CHECK(plan_decode(plan, &at, slots));
	CHECK(at.pos == at.end);
	CHECK_INT(plan->step_count, 5);
	CHECK_INT((int64_t)slots[0], -1);
	CHECK_INT((int64_t)slots[plan->first_step[1]], -1);
	CHECK_TEXT((const char *)slot_bytes(slots[2]) + 2, 3, "abc");
	CHECK_INT(*slot_bytes(slots[plan->first_step[2]]), 2);
	CHECK_INT((int64_t)slots[plan->first_step[3]], -3);

	test_begin("decode_cut_anywhere");
	for (size_t len = 0; len < b.len; len++) {
		uint8_t *part = malloc(len + 1);
		struct cursor skipping;

		memcpy(part, b.data, len);
		at = skipping = cursor_over(part, len);
		CHECK(!plan_decode(plan, &at, slots));
		CHECK(!plan_skip(plan, &skipping));
		free(part);
	}
	bytes_free(&b);
	end(&c, m);
}

int main(void)
{
	test_types();
	test_encodings();
	test_previous();
	for (size_t i = 0; i < sizeof(regions) / sizeof(*regions); i++) {
		test_begin(regions[i].name);
		check_region(i);
	}
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++) {
		test_begin(plans[i].name);
		check_plan(i);
	}
	test_decode();
	return test_end();
}
