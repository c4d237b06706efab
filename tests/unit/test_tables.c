/* SPDX-License-Identifier: MIT */
/* test_tables.c - events as tables: kinds, names, the union over chunks, values */
#include "builder.h"
#include "tables/columns.h"
#include "test.h"

#include <math.h>

#define UNIT(unit) ANNOTATION(T_TIMESTAMP, "value=" unit)

static const struct {
	const char *name;
	enum jfrec_kind a, b, both;
} kinds[] = {
	{ "the_same", JFREC_KIND_STACK, JFREC_KIND_STACK, JFREC_KIND_STACK },
	{ "wider", JFREC_KIND_INT8, JFREC_KIND_INT64, JFREC_KIND_INT64 },
	{ "both_without_sign", JFREC_KIND_UINT8, JFREC_KIND_UINT32, JFREC_KIND_UINT32 },
	{ "a_sign_takes_a_bit", JFREC_KIND_INT32, JFREC_KIND_UINT32, JFREC_KIND_INT64 },
	{ "no_room_for_the_sign", JFREC_KIND_INT8, JFREC_KIND_UINT64, JFREC_KIND_INT64 },
	{ "boolean_and_number", JFREC_KIND_BOOL, JFREC_KIND_INT8, JFREC_KIND_INT8 },
	{ "floats", JFREC_KIND_FLOAT32, JFREC_KIND_FLOAT64, JFREC_KIND_FLOAT64 },
	{ "int_and_float", JFREC_KIND_INT32, JFREC_KIND_FLOAT32, JFREC_KIND_FLOAT64 },
	{ "long_and_double", JFREC_KIND_INT64, JFREC_KIND_FLOAT64, JFREC_KIND_STRING },
	{ "time_and_number", JFREC_KIND_TIME, JFREC_KIND_INT64, JFREC_KIND_STRING },
	{ "texts", JFREC_KIND_CLASS, JFREC_KIND_STRING, JFREC_KIND_STRING },
};

static void test_kinds(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		test_begin(kinds[i].name);
		CHECK_INT(kind_of_both(kinds[i].a, kinds[i].b), kinds[i].both);
		CHECK_INT(kind_of_both(kinds[i].b, kinds[i].a), kinds[i].both);
	}
}

static struct jfrec_tables *tables;
static struct jfrec_rows *rows;
static char told[1024];

static void tell(void *ctx, const struct jfrec_problem *problem)
{
	(void)ctx;
	snprintf(told, sizeof(told), "%s", problem->text);
}

static const struct jfrec_table_column *column(const char *name)
{
	return jfrec_tables_column_get(tables, 0,
				       (size_t)jfrec_tables_find_column(tables, 0, name));
}

static struct jfrec_table_value value(const char *name)
{
	struct jfrec_table_value v;

	jfrec_rows_value(rows, (size_t)jfrec_tables_find_column(tables, 0, name), &v);
	return v;
}

static void check_text(const char *name, const char *text)
{
	struct jfrec_table_value v = value(name);

	CHECK(!v.is_null);
	if (!v.is_null)
		CHECK_TEXT(v.text, v.len, text);
}

/* What two chunks say of one type, and names that a table cannot have as they are. */
static void two_chunks(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, "50", "1500 250 7 -1 'a' 1 2 f1.5 k5 2 8 9");
	craft_checkpoint(c, "1 " T_STRING " 1 5 'pooled'");
	craft_metadata(c, EVENT("50", "t.All", START DURATION FIELD("wide", T_INT)
				FIELD("big", T_LONG, UNSIGNED) FIELD("mixed", T_STRING)
				FIELD("n", T_INT) FIELD("N", T_INT) FIELD("r", T_FLOAT)
				FIELD("text", T_STRING) FIELD("list", T_INT, ARRAY)));
	craft_end(c);
	craft_chunk(c);
	craft_event(c, "51", "1600 9223372036854775807 4294967296 12 3 4 d-0.5 'x' 1");
	craft_metadata(c, EVENT("51", "t.All", START DURATION FIELD("wide", T_LONG)
				FIELD("mixed", T_INT) FIELD("n", T_INT) FIELD("n", T_INT)
				FIELD("r", T_DOUBLE) FIELD("text", T_STRING)
				FIELD("new", T_BOOLEAN)));
	craft_end(c);
}

static void test_first_row(void)
{
	struct jfrec_table_value v;

	test_begin("values_of_the_first_chunk");
	CHECK_INT(jfrec_rows_next(rows, NULL), 1);
	CHECK_INT(value("startTime").i, INT64_C(1700000000000000500));
	CHECK_INT(value("duration").i, 250);
	CHECK_INT(value("wide").i, 7);
	CHECK(value("big").i == -1);
	check_text("mixed", "a");
	CHECK_INT(value("n").i, 1);
	CHECK_INT(value("N_2").i, 2);
	CHECK(value("r").d == 1.5);
	check_text("text", "pooled");
	check_text("list", "[8,9]");
	v = value("new");
	CHECK(v.is_null);
	CHECK(value("n_3").is_null);
}

static void test_second_row(void)
{
	test_begin("values_of_the_second_chunk");
	CHECK_INT(jfrec_rows_next(rows, NULL), 1);
	CHECK_INT(value("duration").i, INT64_MAX);
	CHECK_INT(value("wide").i, INT64_C(4294967296));
	CHECK(value("big").is_null);
	check_text("mixed", "12");
	CHECK_INT(value("n").i, 3);
	CHECK(value("N_2").is_null);
	CHECK_INT(value("n_3").i, 4);
	CHECK(value("r").d == -0.5);
	check_text("text", "x");
	CHECK(value("list").is_null);
	CHECK_INT(value("new").i, 1);
	CHECK_INT(jfrec_rows_next(rows, NULL), 0);
}

static void test_columns(void)
{
	test_begin("columns_of_both_chunks");
	CHECK_INT(jfrec_tables_count(tables), 1);
	CHECK_INT(jfrec_tables_find(tables, "T.ALL"), 0);
	CHECK_INT(jfrec_tables_find(tables, "all"), 0);
	CHECK_INT(jfrec_tables_find(tables, "al"), -1);
	CHECK_INT(column("startTime")->kind, JFREC_KIND_TIME);
	CHECK_INT(column("duration")->kind, JFREC_KIND_SPAN);
	CHECK(strcmp(column("duration")->unit, "ns") == 0);
	CHECK_INT(column("wide")->kind, JFREC_KIND_INT64);
	CHECK(strcmp(column("wide")->other_type, "long") == 0);
	CHECK_INT(column("big")->kind, JFREC_KIND_UINT64);
	CHECK(column("big")->is_nullable);
	CHECK(!column("n")->is_nullable);
	CHECK_INT(column("mixed")->kind, JFREC_KIND_STRING);
	CHECK_INT(column("r")->kind, JFREC_KIND_FLOAT64);
	CHECK_INT(column("list")->kind, JFREC_KIND_JSON);
	CHECK(column("new")->is_nullable);
	CHECK(strstr(told, "in some chunks") != NULL);
}

static void test_again(void)
{
	test_begin("a_second_pass_of_one_column");
	rows = jfrec_rows_new(tables, NULL);
	CHECK(rows != NULL);
	jfrec_rows_want(rows, 0, (size_t[]){ 2 }, 1, NULL);
	jfrec_rows_set_span(rows, INT64_C(1700000000000000600), INT64_MAX);
	CHECK_INT(jfrec_rows_next(rows, NULL), 1);
	CHECK_INT(jfrec_rows_chunk(rows), 2);
	CHECK_INT(value("wide").i, INT64_C(4294967296));
	CHECK(value("n").is_null);
	CHECK_INT(jfrec_rows_next(rows, NULL), 0);
	jfrec_rows_free(rows);
}

/* A pass over chunks from `first` on. */
static void begin_part(uint64_t first, uint64_t count)
{
	rows = jfrec_rows_new(tables, NULL);
	CHECK(rows != NULL);
	jfrec_rows_want(rows, 0, NULL, 0, NULL);
	jfrec_rows_set_chunks(rows, first, count);
}

static void test_parts(const struct jfrec_reader *r)
{
	struct jfrec_chunk_place *places;
	size_t count = 0;

	test_begin("chunks_and_passes_over_some");
	places = jfrec_reader_chunks(r, &count, NULL);
	CHECK_INT(count, 2);
	CHECK(places && places[0].offset == 0 && places[1].offset == places[0].size);
	jfrec_free(places);
	begin_part(1, 1);
	test_first_row();
	CHECK_INT(jfrec_rows_next(rows, NULL), 0);
	jfrec_rows_free(rows);
	begin_part(2, UINT64_MAX);
	test_second_row();
	jfrec_rows_free(rows);
	begin_part(3, 1);
	CHECK_INT(jfrec_rows_next(rows, NULL), 0);
	jfrec_rows_free(rows);
}

static void test_union(void)
{
	struct craft c = { 0 };
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r;

	two_chunks(&c);
	r = craft_open(&c, &err);
	jfrec_reader_on_problem(r, tell, NULL);
	tables = jfrec_tables_new(r, &err);
	rows = tables ? jfrec_rows_new(tables, &err) : NULL;
	test_begin("opened");
	CHECK(rows != NULL);
	if (rows) {
		jfrec_rows_want(rows, 0, NULL, 0, NULL);
		test_columns();
		test_first_row();
		test_second_row();
		jfrec_rows_free(rows);
		test_again();
		test_parts(r);
	}
	jfrec_tables_free(tables);
	jfrec_reader_close(r);
	craft_free(&c);
}

int main(void)
{
	test_kinds();
	test_union();
	return test_end();
}
