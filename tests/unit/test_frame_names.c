/* SPDX-License-Identifier: MIT */
/* test_frame_names.c - the names of classes and methods in frames */
#include "stacks/frame_names.h"

#include "test.h"

enum how { AS_IS, DOTTED, SIMPLE, JFRCONV, NORMALIZED };

static const struct naming namings[] = {
	[AS_IS] = { 0 },
	[DOTTED] = { .with_dots = true },
	[SIMPLE] = { .is_simple = true },
	[JFRCONV] = { .normalizes = true, .is_jfrconv = true },
	[NORMALIZED] = { .with_dots = true, .normalizes = true },
};

static const struct {
	const char *name;
	enum how how;
	const char *class, *method, *want;
} rows[] = {
	{ "slashes", AS_IS, "java/util/HashMap", "put", "java/util/HashMap.put" },
	{ "dots", DOTTED, "java/util/HashMap", "put", "java.util.HashMap.put" },
	{ "without_package", SIMPLE, "java/util/HashMap", "put", "HashMap.put" },
	{ "no_class", AS_IS, NULL, "memcpy", "memcpy" },
	{ "empty_class", AS_IS, "", "memcpy", "memcpy" },
	{ "no_method", AS_IS, "java/util/HashMap", NULL, "java/util/HashMap" },
	{ "neither", AS_IS, NULL, NULL, "" },
	{ "digit_after_the_last_slash_is_no_package", SIMPLE, "a/Foo$$Lambda/0x01", "get",
	  "Foo$$Lambda/0x01.get" },
	{ "only_a_slash", SIMPLE, "/", "get", "/.get" },
	{ "hidden_of_jdk_21", JFRCONV, "a/Foo$$Lambda+0x00007f8177090218/543846639", "get",
	  "a/Foo$$Lambda.get" },
	{ "hidden_of_jdk_17", JFRCONV, "a/Foo$$Lambda$14/0x0000000800066840", "get",
	  "a/Foo$$Lambda$14.get" },
	{ "number_of_a_lambda_stays_in_jfrconv", JFRCONV, "a/Foo$$Lambda$14", "get",
	  "a/Foo$$Lambda$14.get" },
	{ "number_of_a_lambda", NORMALIZED, "a/Foo$$Lambda$14/0x0000000800066840", "get",
	  "a.Foo$$Lambda.get" },
	{ "number_of_a_proxy", NORMALIZED, "jdk/proxy2/$Proxy7", "run", "jdk.proxy2.$Proxy.run" },
	{ "number_of_an_accessor", NORMALIZED, "jdk/internal/reflect/GeneratedMethodAccessor12",
	  "invoke", "jdk.internal.reflect.GeneratedMethodAccessor.invoke" },
	{ "number_of_a_class_stays", NORMALIZED, "a/Sha256", "add", "a.Sha256.add" },
	{ "nested_class_stays", NORMALIZED, "a/Shop$1", "run", "a.Shop$1.run" },
	{ "package_that_is_a_number_is_a_suffix", JFRCONV, "a/1", "run", "a.run" },
};

static void test_methods(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = { 0 };
		size_t len = 0;
		const char *got;

		test_begin(rows[i].name);
		got = frame_method_name(&namings[rows[i].how], rows[i].class,
					rows[i].class ? strlen(rows[i].class) : 0, rows[i].method,
					rows[i].method ? strlen(rows[i].method) : 0, &arena, &len);
		CHECK(got && strlen(got) == len);
		CHECK_TEXT(got, len, rows[i].want);
		arena_fini(&arena);
	}
}

static void test_class(const char *name, const char *symbol, const char *want)
{
	struct arena arena = { 0 };
	size_t len = 0;
	const char *got;

	test_begin(name);
	got = frame_class_name(&namings[AS_IS], symbol, strlen(symbol), &arena, &len);
	CHECK(got && strlen(got) == len);
	CHECK_TEXT(got, len, want);
	arena_fini(&arena);
}

int main(void)
{
	test_methods();
	test_class("class_always_has_dots", "java/lang/String", "java.lang.String");
	test_class("array_of_bytes", "[B", "byte[]");
	test_class("array_of_arrays", "[[Ljava/lang/String;", "java.lang.String[][]");
	test_class("array_of_nothing", "[", "[]");
	test_class("empty_class_name", "", "");
	return test_end();
}
