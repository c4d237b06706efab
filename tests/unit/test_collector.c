/* SPDX-License-Identifier: MIT */
/* test_collector.c - the garbage collector of a JVM, by its flags */
#include "jfr/collector.h"

#include "test.h"

#define OTHERS "-XX:CICompilerCount=2 -XX:MaxHeapSize=67108864 "

static const struct {
	const char *name, *flags;
	int jdk;
	bool is;
} rows[] = {
	{ "zgc_17", OTHERS "-XX:+UseZGC \n", 17, false },
	{ "zgc_21", OTHERS "-XX:+UseZGC \n", 21, false },
	{ "generations_21", OTHERS "-XX:+UseZGC -XX:+ZGenerational \n", 21, true },
	{ "no_generations_22", OTHERS "-XX:+UseZGC -XX:-ZGenerational\n", 22, false },
	{ "zgc_23", "-XX:+UseZGC " OTHERS "\n", 23, true },
	{ "no_generations_23", "-XX:+UseZGC -XX:-ZGenerational\n", 23, false },
	{ "zgc_25", "-XX:+UseZGC", 25, true },
	{ "serial_25", OTHERS "-XX:+UseSerialGC\n", 25, false },
	{ "not_zgc_25", OTHERS "-XX:-UseZGC\n", 25, false },
	{ "part_of_a_word", OTHERS "-XX:+UseZGCSomehow\n", 25, false },
	{ "nothing", "", 25, false },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		CHECK(collector_is_generational_zgc(rows[i].flags, rows[i].jdk) == rows[i].is);
	}
	return test_end();
}
