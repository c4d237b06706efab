/* SPDX-License-Identifier: MIT */
/*
 * test.h - all that a unit test needs
 *
 *	test_begin("varint_of_nine_bytes");     named for its case
 *	CHECK(c.bad);                           a failed check is told, and the test goes on
 *	CHECK_TEXT(buf, end - buf, "128");
 *	...
 *	return test_end();                      from main
 *
 * The output is TAP: a line for each test, at the end their number.
 */
#ifndef JFREC_TEST_H
#define JFREC_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition) test_check((condition), __FILE__, __LINE__, #condition)

#define CHECK_INT(got, want) test_check_int(__FILE__, __LINE__, (got), (want))

/* `got` has no NUL, but a length. */
#define CHECK_TEXT(got, len, want) test_check_text(__FILE__, __LINE__, (got), (size_t)(len), (want))

static struct {
	const char *name;
	int count, failed;
	bool bad;
} test;

static inline void test_finish(void)
{
	if (!test.name)
		return;
	printf("%s %d - %s\n", test.bad ? "not ok" : "ok", ++test.count, test.name);
	test.failed += test.bad;
}

/* Begins a test, and ends the one before. */
static inline void test_begin(const char *name)
{
	test_finish();
	test.name = name;
	test.bad = false;
}

static inline int test_end(void)
{
	test_finish();
	printf("1..%d\n", test.count);
	return test.failed > 0;
}

static inline bool test_check(bool good, const char *file, int line, const char *what)
{
	if (!good) {
		printf("# %s:%d: %s: not so: %s\n", file, line, test.name, what);
		test.bad = true;
	}
	return good;
}

static inline bool test_check_int(const char *file, int line, int64_t got, int64_t want)
{
	char what[64];

	snprintf(what, sizeof(what), "%" PRId64 " is %" PRId64, got, want);
	return test_check(got == want, file, line, what);
}

static inline bool test_check_text(const char *file, int line, const char *got, size_t len,
				   const char *want)
{
	char what[1024];

	snprintf(what, sizeof(what), "\"%.*s\" is \"%s\"", (int)len, got, want);
	return test_check(len == strlen(want) && !memcmp(got, want, len), file, line, what);
}

#endif
