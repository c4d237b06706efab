/* SPDX-License-Identifier: MIT */
/* test_value.c - typed access to the fields of an event, through jfrec.h alone */
#include "builder.h"
#include "test.h"

#include <math.h>

#define POINT "40"
#define NODE "41"
#define COLOR "42"
#define ALL "50"

#define UNIT(unit) ANNOTATION(T_TIMESTAMP, "value=" unit)

static const char classes[] =
	CLASS(POINT, "t.Point", FIELD("x", T_INT) FIELD("y", T_LONG))
	CLASS(NODE, "t.Node", FIELD("name", T_STRING) FIELD("next", NODE, KEY) FIELD("at", POINT))
	CLASS(COLOR, "t.Color", SIMPLE FIELD("name", T_STRING))
	EVENT(ALL, "t.All", START DURATION
	      FIELD("boolean", T_BOOLEAN) FIELD("byte", T_BYTE) FIELD("char", T_CHAR) FIELD("short", T_SHORT)
	      FIELD("int", T_INT) FIELD("long", T_LONG) FIELD("float", T_FLOAT) FIELD("double", T_DOUBLE)
	      FIELD("ubyte", T_BYTE, UNSIGNED) FIELD("ushort", T_SHORT, UNSIGNED)
	      FIELD("uint", T_INT, UNSIGNED) FIELD("ulong", T_LONG, UNSIGNED)
	      FIELD("ticks", T_LONG, SPAN("TICKS")) FIELD("nanos", T_LONG, SPAN("NANOSECONDS"))
	      FIELD("micros", T_LONG, SPAN("MICROSECONDS")) FIELD("millis", T_INT, SPAN("MILLISECONDS"))
	      FIELD("seconds", T_LONG, SPAN("SECONDS")) FIELD("forever", T_LONG, SPAN("SECONDS"))
	      FIELD("never", T_LONG, SPAN("TICKS")) FIELD("whenTicks", T_LONG, UNIT("TICKS"))
	      FIELD("whenMillis", T_LONG, UNIT("MILLISECONDS_SINCE_EPOCH"))
	      FIELD("text", T_STRING) FIELD("empty", T_STRING) FIELD("none", T_STRING)
	      FIELD("pooled", T_STRING) FIELD("lost", T_STRING)
	      FIELD("point", POINT) FIELD("node", NODE, KEY) FIELD("lostNode", NODE, KEY)
	      FIELD("color", COLOR) FIELD("colorKey", COLOR, KEY) FIELD("lostColor", COLOR, KEY)
	      FIELD("ints", T_INT, ARRAY) FIELD("nothing", T_INT, ARRAY) FIELD("strings", T_STRING, ARRAY)
	      FIELD("points", POINT, ARRAY) FIELD("nodes", NODE, KEY ARRAY) FIELD("last", T_INT))
	EVENT("51", "t.Bare", FIELD("n", T_INT));

static const struct jfrec_event *ev;

static void all(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, ALL, "1500 250  b1 b-56 20013 65535 4294967295 -9223372036854775808 f1.5 d-2.5"
		    "  b-1 65535 4294967295 -1"
		    "  2000 7 7 4294967295 10000000000 9223372036854775807 -9223372036854775808 1007 1234"
		    "  'text' '' null k5 k6"
		    "  4294967295 2 7 8 'red' 9 10"
		    "  3 1 2 4294967295  0  5 'a' null '' k5 k6"
		    "  2 1 2 3 4  2 7 8  77");
	craft_event(c, "51", "5");
	craft_checkpoint(c, "3 " T_STRING " 1 5 'from the pool'  " COLOR " 1 9 'green'  "
			 NODE " 1 7 'seven' 7 10 11");
	craft_metadata(c, classes);
	craft_end(c);
}

static struct jfrec_value field(const char *name)
{
	return jfrec_event_value(ev, jfrec_type_field(jfrec_event_type(ev), name));
}

static const struct {
	const char *path;
	enum jfrec_kind kind;
	int64_t i;
	double d;
	const char *text;
} rows[] = {
	{ "startTime", JFREC_KIND_TIME, INT64_C(1700000000000000500), 0, NULL },
	{ "duration", JFREC_KIND_SPAN, 250, 0, NULL },
	{ "boolean", JFREC_KIND_BOOL, 1, 0, NULL },
	{ "byte", JFREC_KIND_INT, -56, 0, NULL },
	{ "char", JFREC_KIND_CHAR, 0x4e2d, 0, "\xe4\xb8\xad" },
	{ "short", JFREC_KIND_INT, -1, 0, NULL },
	{ "int", JFREC_KIND_INT, -1, 0, NULL },
	{ "long", JFREC_KIND_INT, INT64_MIN, 0, NULL },
	{ "float", JFREC_KIND_FLOAT, 0, 1.5, NULL },
	{ "double", JFREC_KIND_FLOAT, 0, -2.5, NULL },
	{ "ubyte", JFREC_KIND_UINT, 255, 0, NULL },
	{ "ushort", JFREC_KIND_UINT, 65535, 0, NULL },
	{ "uint", JFREC_KIND_UINT, UINT32_MAX, 0, NULL },
	{ "ulong", JFREC_KIND_UINT, -1, 0, NULL },
	{ "ticks", JFREC_KIND_SPAN, 2000, 0, NULL },
	{ "nanos", JFREC_KIND_SPAN, 7, 0, NULL },
	{ "micros", JFREC_KIND_SPAN, 7000, 0, NULL },
	{ "millis", JFREC_KIND_SPAN, -1000000, 0, NULL },
	{ "seconds", JFREC_KIND_SPAN, INT64_MAX, 0, NULL }, /* saturates */
	{ "forever", JFREC_KIND_SPAN, INT64_MAX, 0, NULL },
	{ "never", JFREC_KIND_SPAN, INT64_MIN, 0, NULL },
	{ "whenTicks", JFREC_KIND_TIME, INT64_C(1700000000000000007), 0, NULL },
	{ "whenMillis", JFREC_KIND_TIME, 1234000000, 0, NULL },
	{ "text", JFREC_KIND_STRING, 0, 0, "text" },
	{ "empty", JFREC_KIND_STRING, 0, 0, "" },
	{ "none", JFREC_KIND_NULL, 0, 0, NULL },
	{ "pooled", JFREC_KIND_STRING, 0, 0, "from the pool" },
	{ "lost", JFREC_KIND_NULL, 0, 0, NULL },
	{ "point", JFREC_KIND_STRUCT, 0, 0, NULL },
	{ "point.x", JFREC_KIND_INT, -1, 0, NULL },
	{ "point.y", JFREC_KIND_INT, 2, 0, NULL },
	{ "point.z", JFREC_KIND_NULL, 0, 0, NULL },
	{ "point.x.y", JFREC_KIND_NULL, 0, 0, NULL },
	{ "node", JFREC_KIND_STRUCT, 0, 0, NULL },
	{ "node.name", JFREC_KIND_STRING, 0, 0, "seven" },
	{ "node.next.next.next.at.y", JFREC_KIND_INT, 11, 0, NULL },
	{ "lostNode", JFREC_KIND_NULL, 0, 0, NULL },
	{ "lostNode.name", JFREC_KIND_NULL, 0, 0, NULL },
	{ "color", JFREC_KIND_STRING, 0, 0, "red" },
	{ "colorKey", JFREC_KIND_STRING, 0, 0, "green" },
	{ "lostColor", JFREC_KIND_NULL, 0, 0, NULL },
	{ "ints", JFREC_KIND_ARRAY, 3, 0, NULL },
	{ "nothing", JFREC_KIND_ARRAY, 0, 0, NULL },
	{ "strings", JFREC_KIND_ARRAY, 5, 0, NULL },
	{ "points", JFREC_KIND_ARRAY, 2, 0, NULL },
	{ "nodes", JFREC_KIND_ARRAY, 2, 0, NULL },
	{ "last", JFREC_KIND_INT, 77, 0, NULL },
	{ "poin", JFREC_KIND_NULL, 0, 0, NULL },
	{ "", JFREC_KIND_NULL, 0, 0, NULL },
	{ ".", JFREC_KIND_NULL, 0, 0, NULL },
	{ "point.", JFREC_KIND_NULL, 0, 0, NULL },
};

static void check_value(struct jfrec_value v, size_t i)
{
	size_t len = 99;
	const char *text;

	CHECK_INT(v.kind, rows[i].kind);
	if (v.kind == JFREC_KIND_FLOAT)
		CHECK(v.d == rows[i].d);
	else if (v.kind != JFREC_KIND_NULL && v.kind != JFREC_KIND_STRING &&
		 v.kind != JFREC_KIND_STRUCT)
		CHECK_INT(v.i, rows[i].i);
	text = jfrec_value_text(&v, &len);
	CHECK(!text == !rows[i].text);
	if (text && rows[i].text) {
		CHECK_TEXT(text, len, rows[i].text);
		CHECK(jfrec_value_text(&v, NULL) != NULL);
	}
}

static void test_elements(void)
{
	struct jfrec_value ints = field("ints"), strings = field("strings"), points = field("points");
	struct jfrec_value nodes = field("nodes"), v, x;

	test_begin("elements_of_numbers");
	v = jfrec_value_element(&ints, 2);
	CHECK_INT(v.kind, JFREC_KIND_INT);
	CHECK_INT(v.i, -1);
	test_begin("elements_beyond_the_last");
	v = jfrec_value_element(&ints, 3);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
	v = jfrec_value_element(&ints, UINT64_MAX);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
	test_begin("elements_of_strings");
	v = jfrec_value_element(&strings, 0);
	CHECK_TEXT(jfrec_value_text(&v, NULL), 1, "a");
	v = jfrec_value_element(&strings, 1);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
	v = jfrec_value_element(&strings, 3);
	CHECK_TEXT(jfrec_value_text(&v, NULL), 13, "from the pool");
	v = jfrec_value_element(&strings, 4);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
	test_begin("elements_that_are_structs");
	v = jfrec_value_element(&points, 1);
	x = jfrec_value_member(&v, jfrec_type_field(v.type, "x"));
	CHECK_INT(x.i, 3);
	x = jfrec_value_member(&v, jfrec_type_field(v.type, "y"));
	CHECK_INT(x.i, 4);
	test_begin("elements_that_are_keys");
	v = jfrec_value_element(&nodes, 0);
	x = jfrec_value_member(&v, jfrec_type_field(v.type, "name"));
	CHECK_TEXT(jfrec_value_text(&x, NULL), 5, "seven");
	v = jfrec_value_element(&nodes, 1);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
	test_begin("element_of_what_is_no_array");
	v = field("int");
	v = jfrec_value_element(&v, 0);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
}

static void test_wrong_fields(void)
{
	const struct jfrec_field *x;
	struct jfrec_value point = field("point"), number = field("int"), v;

	test_begin("field_of_another_type");
	x = jfrec_type_field(point.type, "x");
	CHECK_INT(jfrec_event_value(ev, x).kind, JFREC_KIND_NULL);
	v = jfrec_value_member(&number, x);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
	test_begin("no_field");
	CHECK_INT(jfrec_event_value(ev, NULL).kind, JFREC_KIND_NULL);
	v = jfrec_value_member(&point, NULL);
	CHECK_INT(v.kind, JFREC_KIND_NULL);
}

static void test_event(const struct craft *c)
{
	const struct jfrec_chunk_info *chunk = jfrec_event_chunk(ev);

	test_begin("event");
	CHECK_INT(jfrec_event_start_ns(ev), INT64_C(1700000000000000500));
	CHECK_INT(jfrec_event_duration_ns(ev), 250);
	CHECK_INT((int64_t)jfrec_event_offset(ev), 68);
	CHECK_INT((int64_t)jfrec_type_id(jfrec_event_type(ev)), 50);
	CHECK_INT((int64_t)chunk->size, (int64_t)c->bytes.len);
	CHECK_INT(chunk->state, JFREC_FINISHED);
}

/* Without startTime there is nothing to count from but the chunk's ticks. */
static void test_bare(void)
{
	test_begin("event_without_start");
	CHECK_TEXT(jfrec_type_name(jfrec_event_type(ev)), 6, "t.Bare");
	CHECK_INT(jfrec_event_start_ns(ev), INT64_C(1699999999999999000));
	CHECK_INT(jfrec_event_duration_ns(ev), 0);
	CHECK_INT(field("n").i, 5);
}

/* No reader is needed: a value is what it is. */
static void test_numbers(void)
{
	static const struct {
		const char *name;
		struct jfrec_value v;
		int64_t i;
		uint64_t u;
		double d;
	} numbers[] = {
		{ "an_int_as_a_number", { .kind = JFREC_KIND_INT, .i = -7 }, -7, (uint64_t)-7, -7 },
		{ "a_bool_as_a_number", { .kind = JFREC_KIND_BOOL, .i = 1 }, 1, 1, 1 },
		{ "a_time_as_a_number", { .kind = JFREC_KIND_TIME, .i = 5 }, 5, 5, 5 },
		{ "an_unsigned_as_one",
		  { .kind = JFREC_KIND_UINT, .u = UINT64_MAX },
		  -1,
		  UINT64_MAX,
		  0x1p64 },
		{ "a_double_as_a_number", { .kind = JFREC_KIND_FLOAT, .d = 2.75 }, 2, 2, 2.75 },
		{ "a_negative_double", { .kind = JFREC_KIND_FLOAT, .d = -2.75 }, -2, 0, -2.75 },
		{ "a_huge_double",
		  { .kind = JFREC_KIND_FLOAT, .d = 1e300 },
		  INT64_MAX,
		  UINT64_MAX,
		  1e300 },
		{ "a_very_small_one",
		  { .kind = JFREC_KIND_FLOAT, .d = -1e300 },
		  INT64_MIN,
		  0,
		  -1e300 },
	};
	const struct jfrec_value none = { .kind = JFREC_KIND_NULL };
	const struct jfrec_value nan = { .kind = JFREC_KIND_FLOAT, .d = NAN };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		test_begin(numbers[i].name);
		CHECK_INT(jfrec_value_int(&numbers[i].v), numbers[i].i);
		CHECK(jfrec_value_uint(&numbers[i].v) == numbers[i].u);
		CHECK(jfrec_value_double(&numbers[i].v) == numbers[i].d);
		CHECK_INT((int64_t)jfrec_value_count(&numbers[i].v), 0);
	}
	test_begin("what_is_no_number");
	CHECK_INT(jfrec_value_int(&none), 0);
	CHECK(isnan(jfrec_value_double(&none)));
	CHECK_INT(jfrec_value_int(&nan), 0);
	CHECK_INT((int64_t)jfrec_value_uint(&nan), 0);
}

int main(void)
{
	struct craft c = { 0 };
	struct jfrec_error err;
	struct jfrec_reader *r;

	test_numbers();
	all(&c);
	r = craft_open(&c, &err);
	test_begin("reads");
	if (!CHECK_INT(jfrec_reader_next(r, &ev, &err), 1))
		return test_end();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(*rows[i].path ? rows[i].path : "no path");
		check_value(jfrec_event_path(ev, rows[i].path), i);
		if (*rows[i].path && !strchr(rows[i].path, '.'))
			check_value(field(rows[i].path), i);
	}
	test_elements();
	test_wrong_fields();
	test_event(&c);
	CHECK_INT(jfrec_reader_next(r, &ev, &err), 1);
	test_bare();
	test_begin("ends");
	CHECK_INT(jfrec_reader_next(r, &ev, &err), 0);
	CHECK_INT((int64_t)jfrec_reader_damage(r), 0);
	jfrec_reader_close(r);
	jfrec_reader_close(NULL);
	craft_free(&c);
	return test_end();
}
