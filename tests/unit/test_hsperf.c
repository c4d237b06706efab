/* SPDX-License-Identifier: MIT */
/* test_hsperf.c - the performance data that a HotSpot JVM leaves in /tmp */
#include "process/hsperf.h"

#include "perf_file.h"
#include "test.h"

#include <stdlib.h>

/* From memory that ends where the file does, so that sanitizers see a byte too far. */
static bool parse(struct hsperf *h, const struct file *f, size_t len)
{
	static uint8_t *copy;

	free(copy);
	copy = malloc(len ? len : 1);
	memcpy(copy, f->bytes, len);
	return hsperf_parse(h, copy, len);
}

static bool is(const char *got, const char *want)
{
	return got && strcmp(got, want) == 0;
}

static void test_good(bool big)
{
	struct file f = new_file(big);
	struct hsperf h;

	test_begin(big ? "big_endian" : "little_endian");
	put_entry(&f, "sun.rt.createVmBeginTime", 'J', "\1\2\3\4\5\6\7\10", 8);
	put_string(&f, "sun.rt.javaCommand", "a.Main x y");
	put_string(&f, "java.property.java.version", "17.0.15");
	put_string(&f, "java.property.java.vm.specification.version", "17");
	put_string(&f, "java.property.java.vm.name", "OpenJDK 64-Bit Server VM");
	put_string(&f, "sun.rt.jvmCapabilities", "1000");
	put_string(&f, "java.property.java.home", "/usr/lib/jvm/17");
	CHECK(parse(&h, &f, f.len));
	CHECK(h.accessible);
	CHECK(!h.is_overfull);
	CHECK(is(h.command, "a.Main x y"));
	CHECK(is(h.java_version, "17.0.15"));
	CHECK(is(h.spec_version, "17"));
	CHECK(is(h.vm_name, "OpenJDK 64-Bit Server VM"));
	CHECK(is(h.capabilities, "1000"));
	CHECK(is(h.home, "/usr/lib/jvm/17"));
	CHECK(!h.vm_vendor);
}

static void test_header(void)
{
	struct file f = new_file(false);
	struct hsperf h;

	put_string(&f, "sun.rt.javaCommand", "Main");
	test_begin("starting");
	f.bytes[7] = 0;
	CHECK(parse(&h, &f, f.len));
	CHECK(!h.accessible);
	CHECK(is(h.command, "Main"));

	test_begin("overfull");
	put32(&f, 12, 100);
	CHECK(parse(&h, &f, f.len));
	CHECK(h.is_overfull);

	test_begin("other_version");
	f.bytes[5] = 1;
	CHECK(!parse(&h, &f, f.len));
	f.bytes[5] = 2;

	test_begin("other_byte_order");
	f.bytes[4] = 2;
	CHECK(!parse(&h, &f, f.len));
	f.bytes[4] = 1;

	test_begin("other_magic");
	f.bytes[0] = 0;
	CHECK(!parse(&h, &f, f.len));
	f.bytes[0] = 0xca;

	test_begin("shorter_than_a_header");
	for (size_t len = 0; len < 32; len++)
		CHECK(!parse(&h, &f, len));
	CHECK(parse(&h, &f, 32));
	CHECK(!h.command);
}

/* A file with one good entry behind the one that row i spoils. */
static void test_spoilt(const char *name, uint32_t field, uint32_t value, bool second)
{
	struct file f = new_file(false);
	uint32_t at = put_string(&f, "java.property.java.version", "17");
	struct hsperf h;

	test_begin(name);
	put_string(&f, "sun.rt.javaCommand", "Main");
	put32(&f, at + field, value);
	CHECK(parse(&h, &f, f.len));
	CHECK(!h.java_version);
	CHECK_INT(is(h.command, "Main"), second);
}

static void test_entries(void)
{
	struct file f = new_file(false);
	struct hsperf h;

	test_spoilt("length_0", 0, 0, false);
	test_spoilt("length_less_than_an_entry", 0, 19, false);
	test_spoilt("length_beyond_the_file", 0, 100000, false);
	test_spoilt("length_negative", 0, UINT32_MAX, false);
	test_spoilt("name_beyond_the_entry", 4, 100000, true);
	test_spoilt("name_negative", 4, UINT32_MAX, true);
	test_spoilt("data_beyond_the_entry", 16, 100000, true);
	test_spoilt("data_negative", 16, UINT32_MAX, true);
	test_spoilt("data_at_the_end", 16, 56, true);
	test_spoilt("no_elements", 8, 0, true);
	test_spoilt("string_without_nul", 8, 2, true);

	test_begin("elements_beyond_the_entry");
	put32(&f, put_string(&f, "sun.rt.javaCommand", "Main") + 8, UINT32_MAX);
	CHECK(parse(&h, &f, f.len));
	CHECK(is(h.command, "Main"));

	test_begin("first_entry_beyond_the_file");
	put32(&f, 24, UINT32_MAX);
	CHECK(parse(&h, &f, f.len));
	CHECK(!h.command);
	put32(&f, 24, 32);

	test_begin("more_entries_than_there_are");
	put32(&f, 28, UINT32_MAX);
	CHECK(parse(&h, &f, f.len));
	CHECK(is(h.command, "Main"));

	test_begin("used_beyond_the_file");
	put32(&f, 8, UINT32_MAX);
	CHECK(parse(&h, &f, f.len));
	CHECK(is(h.command, "Main"));

	test_begin("cut_short_everywhere");
	for (size_t len = 32; len < f.len; len++) {
		CHECK(parse(&h, &f, len));
		CHECK(!h.command || len + 8 > f.len);
	}
}

int main(void)
{
	test_good(false);
	test_good(true);
	test_header();
	test_entries();
	return test_end();
}
