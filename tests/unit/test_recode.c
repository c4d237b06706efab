/* SPDX-License-Identifier: MIT */
/*
 * test_recode.c - ticks of one clock as those of another; ids, keys and digests
 */
#include "edit/recode.h"

#include "base/digest.h"
#include "edit/renumber.h"
#include "test.h"
#include "write/pool_writer.h"

static struct clock clock_at(int64_t start_ns, int64_t start_ticks, int64_t ticks_per_second)
{
	struct chunk_header h = { .start_ns = start_ns,
				  .start_ticks = start_ticks,
				  .ticks_per_second = ticks_per_second };

	return clock_of(&h);
}

static void test_times(void)
{
	static const int64_t rates[] = { 1000000000, 2799998858, 1600000000, 3400000000 };
	const struct clock to = clock_at(1795168089499531730, 2423597104, 2799998858);

	test_begin("the_same_nanosecond_by_another_clock");
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		const struct clock from = clock_at(1795168089999531730, 99, rates[i]);

		for (int64_t t = -5000; t < INT64_C(100000000000); t = t * 3 + 10007) {
			int64_t other = rebase_time(&from, &to, t);

			CHECK_INT(clock_time_ns(&to, other), clock_time_ns(&from, t));
			other = rebase_span(&from, &to, t);
			CHECK_INT(clock_span_ns(&to, other), clock_span_ns(&from, t));
		}
	}
	test_begin("what_is_no_time_stays");
	CHECK_INT(rebase_time(&to, &to, INT64_MIN), INT64_MIN);
	CHECK_INT(rebase_span(&to, &to, INT64_MIN), INT64_MIN);
	CHECK_INT(rebase_span(&to, &to, INT64_MAX), INT64_MAX);
	CHECK_INT(rebase_span(&to, &to, 0), 0);
}

/* Where the JDK keeps a type: the upper bits of this. */
static uint64_t place_of(uint64_t id)
{
	return id * UINT64_C(0x9e3779b97f4a7c15);
}

static void test_type_ids(void)
{
	test_begin("type_ids_keep_their_order_in_the_table_of_the_jdk");
	for (uint64_t id = 1; id < 3000; id++) {
		for (uint64_t other = 1; other < id; other += 7) {
			for (uint32_t jvm = 1; jvm < 20; jvm += 6)
				CHECK((place_of(id) < place_of(other)) ==
				      (place_of(new_type_id(jvm, id)) <
				       place_of(new_type_id(jvm, other))));
		}
	}
	test_begin("type_ids_of_different_jvms_differ");
	CHECK_INT((int64_t)new_type_id(0, 101), 101);
	CHECK(new_type_id(1, 101) != 101);
	CHECK(new_type_id(1, 101) != new_type_id(2, 101));
	CHECK(new_type_id(0, UINT32_MAX) != new_type_id(1, UINT32_MAX));
	CHECK(new_type_id(3, 5) != new_type_id(1, new_type_id(2, 5)));
}

static struct digest digest_of(uint64_t n)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, n);
	return d;
}

static void test_kept_keys(void)
{
	struct new_pool p = { 0 };
	bool is_new;

	test_begin("small_keys_are_kept_where_they_are_free");
	CHECK_INT((int64_t)new_pool_keep_key(&p, digest_of(1), 0, &is_new), 1);
	CHECK(is_new);
	CHECK_INT((int64_t)new_pool_keep_key(&p, digest_of(1), 9, &is_new), 1);
	CHECK(!is_new);
	CHECK_INT((int64_t)new_pool_keep_key(&p, digest_of(2), 63, &is_new), 64);
	CHECK(new_pool_keep_key(&p, digest_of(3), 63, &is_new) > 64);
	CHECK(new_pool_keep_key(&p, digest_of(4), UINT64_MAX, &is_new) > 65);
	new_pool_fini(&p);
}

static void test_strings(void)
{
	struct jfrec_output *o = output_open_fd(-1, NULL);
	struct chunk_header h = { .major = 2 };
	struct chunk_writer w = { 0 };

	test_begin("strings_end_their_checkpoint");
	CHECK(o);
	chunk_writer_begin(&w, o, &h);
	chunk_writer_strings(&w, 20);
	chunk_writer_constant(&w, 30, 1, "a", 1);
	chunk_writer_constant(&w, 20, 1, "", 1);
	chunk_writer_constant(&w, 20, 2, "", 1);
	CHECK_INT((int64_t)w.pool_count, 1);
	CHECK_INT((int64_t)w.header.checkpoint, 0);
	chunk_writer_constant(&w, 30, 2, "b", 1);
	CHECK_INT((int64_t)w.pool_count, 0);
	CHECK(w.header.checkpoint != 0);
	chunk_writer_fini(&w);
	jfrec_output_close(o);
}

static void test_digests(void)
{
	struct digest_map m = { 0 };

	test_begin("digests_tell_apart");
	for (uint64_t i = 1; i <= 100000; i++) {
		struct digest d = DIGEST_INIT;
		uint64_t *value;

		digest_bytes(&d, &i, i % 8 + 1);
		digest_word(&d, i >> 8);
		value = digest_map_put(&m, d);
		CHECK(value && *value == 0);
		if (value)
			*value = i;
	}
	CHECK_INT((int64_t)m.count, 100000);
	digest_map_clear(&m);
	CHECK_INT((int64_t)m.count, 0);
	digest_map_fini(&m);

	test_begin("where_bytes_are_parted_matters");
	{
		struct digest a = DIGEST_INIT, b = DIGEST_INIT;

		digest_bytes(&a, "a", 1);
		digest_bytes(&a, "bc", 2);
		digest_bytes(&b, "ab", 2);
		digest_bytes(&b, "c", 1);
		CHECK(a.a != b.a && a.b != b.b);
	}
}

int main(void)
{
	test_times();
	test_type_ids();
	test_kept_keys();
	test_strings();
	test_digests();
	return test_end();
}
