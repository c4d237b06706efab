/* SPDX-License-Identifier: MIT */
/*
 * test_named_classes.c - classes that filters name, in what VM.class_hierarchy prints
 */
#include "jvm/named_classes.h"

#include "base/report.h"

#include "test.h"

/* What report.c has. */
int put_name(FILE *to, const char *name)
{
	return fputs(name, to);
}

static const char classes[] = "java.lang.Object/null\n"
			      "|--com.acme.Shop/0x00007f1c5c087140\n"
			      "|  |--com.acme.Shop$$Lambda/0x000000000c041ce8/0x00007f1c5c087140\n"
			      "|  |--com.acme.Cart/0x00007f1c5c087140 (intf)\n"
			      "|--Lone/0x00007f1c5c087140\n";

static const struct {
	const char *name, *filter;
	int count;
	bool is_loaded;
	const char *near;
} rows[] = {
	{ "loaded", "com.acme.Shop::pay", 1, true, "" },
	{ "without_a_package", "Lone", 1, true, "" },
	{ "an_interface", " com.acme.Cart ", 1, true, "" },
	{ "mistyped", "com.acme.Shpo::pay", 1, false, "com.acme.Shop" },
	{ "package_missing", "Shop::pay", 1, false, "com.acme.Shop" },
	{ "other_package", "org.example.Shop", 1, false, "com.acme.Shop" },
	{ "nothing_near", "org.example.Warehouse", 1, false, "" },
	{ "annotation", "@com.acme.Timed", 0, false, "" },
	{ "any_class", "::pay", 0, false, "" },
	{ "named_twice", "Lone::a;Lone::b;;", 1, true, "" },
	{ "two", "Lone;com.acme.Shop", 2, true, "" },
};

int main(void)
{
	static struct named_classes c;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		memset(&c, 0, sizeof(c));
		named_classes_take(&c, rows[i].filter);
		CHECK_INT(c.count, rows[i].count);
		/* It arrives in pieces. */
		for (size_t at = 0; at + 1 < sizeof(classes); at += 7) {
			size_t len = sizeof(classes) - 1 - at;

			CHECK(named_classes_look(&c, classes + at, len < 7 ? len : 7) == 0);
		}
		for (size_t k = 0; k < c.count; k++) {
			CHECK(c.items[k].is_loaded == rows[i].is_loaded);
			CHECK(rows[i].is_loaded || strcmp(c.items[k].near, rows[i].near) == 0);
		}
	}
	test_begin("too_much");
	memset(&c, 0, sizeof(c));
	for (int i = 0; i < 100; i++) {
		char name[400];

		snprintf(name, sizeof(name), "C%0*d", i * 4 + 1, i);
		named_classes_take(&c, name);
		named_classes_look(&c, name, strlen(name));
	}
	CHECK(c.count <= sizeof(c.items) / sizeof(*c.items));
	return test_end();
}
