/* SPDX-License-Identifier: MIT */
/*
 * test_method_filter.c - filters of methods, right and wrong
 */
#include "settings/method_filter.h"

#include "test.h"

/* What is right. */
static const char *const good[] = {
	"",
	";;",
	"Shop",
	"com.acme.Shop",
	"com.acme.Shop::pay",
	"com.acme.Shop$Cart::pay",
	"com.acme.Shop::<init>",
	"com.acme.Shop::<clinit>",
	"::pay",
	"::<clinit>",
	"@com.acme.Timed",
	" com.acme.Shop::pay ;\t@Timed;",
	"com.acme.shop.work", /* may well be a class */
	"COM.Acme",
	"a.b1.$C_::d2",
	"caf\xc3\xa9.Th\xc3\xa9::infuser",
};

/* What is wrong, a part of what is said of it, and of the remedy. */
static const struct {
	const char *name, *filter, *text, *remedy;
} bad[] = {
	{ "comma", "Shop::work,java.lang.Math::abs", "comma", "write Shop::work;java.lang.Math::abs" },
	{ "dot", "Shop.work", "'Shop.work' has a dot before the method", "write Shop::work" },
	{ "dot_in_package", "com.acme.Shop.work", "dot", "write com.acme.Shop::work" },
	{ "dot_before_init", "com.acme.Shop.<init>", "dot", "write com.acme.Shop::<init>" },
	{ "one_of_several", "a.B::c;Shop.work", "'Shop.work'", "write a.B::c;Shop::work" },
	{ "all_methods", "Shop::*", "wildcard", "write Shop" },
	{ "all_methods_dot", "com.acme.Shop.*", "wildcard", "write com.acme.Shop" },
	{ "all_classes", "com.acme.*", "wildcard", "write com.acme.Shop for a class" },
	{ "part_of_a_name", "Shop::get*", "wildcard", "for a method" },
	{ "nested", "com.acme.Shop.Cart::pay", "nested", "write com.acme.Shop$Cart::pay" },
	{ "nested_and_dot", "com.acme.Shop.Cart.pay", "nested", "write com.acme.Shop$Cart::pay" },
	{ "hash", "Shop#work", "two colons", "write Shop::work" },
	{ "arrow", "Shop->work", "two colons", "write Shop::work" },
	{ "colon", "Shop:work", "two colons", "write Shop::work" },
	{ "slashes", "com/acme/Shop::work", "slashes", "write com.acme.Shop::work" },
	{ "arguments", "Shop::work(int)", "arguments", "write Shop::work" },
	{ "arguments_and_dot", "com.acme.Shop.work()", "arguments", "write com.acme.Shop::work" },
	{ "no_method", "Shop::", "no method", "write Shop" },
	{ "constructor", "Shop::new", "word", "write Shop::<init>" },
	{ "word", "com.acme.default.Shop", "word", "for a class" },
	{ "annotation_alone", "@Timed::pay", "annotation", "write @Timed" },
	{ "no_annotation", "@", "is neither", "for an annotation" },
	{ "space", "public void pay", "space", "for a method" },
	{ "digit", "1Shop", "is neither", "for a class" },
	{ "empty_part", "com..Shop", "is neither", "for a class" },
	{ "angle", "Shop::<main>", "is neither", "for a method" },
	{ "three_colons", "Shop:::work", "is neither", "for a method" },
};

int main(void)
{
	struct method_filter_fault fault;
	char filter[2000];

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		test_begin(*good[i] ? good[i] : "nothing");
		CHECK(method_filter_check(good[i], &fault));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		test_begin(bad[i].name);
		CHECK(!method_filter_check(bad[i].filter, &fault));
		CHECK(strstr(fault.text, bad[i].text));
		CHECK(strstr(fault.remedy, bad[i].remedy));
		if (!strstr(fault.text, bad[i].text) || !strstr(fault.remedy, bad[i].remedy))
			printf("# %s; %s\n", fault.text, fault.remedy);
	}
	test_begin("much_too_long");
	memset(filter, 'a', sizeof(filter));
	filter[sizeof(filter) - 1] = '\0';
	CHECK(method_filter_check(filter, &fault));
	memcpy(filter + 1000, ",", 1);
	CHECK(!method_filter_check(filter, &fault));
	for (size_t i = 0; i + 1 < sizeof(filter); i++)
		filter[i] = ":#/.A(;,"[i % 8];
	CHECK(!method_filter_check(filter, &fault));
	return test_end();
}
