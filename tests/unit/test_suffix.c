/* SPDX-License-Identifier: MIT */
/* test_suffix.c - what the end of a file's name says */

#include "base/suffix.h"
#include "test.h"

static const struct {
	const char *name;
	size_t stem;
	bool is_recording;
	enum jfrec_compression how;
} rows[] = {
	{ "a.jfr", 1, true, JFREC_PLAIN },
	{ "a.jfr.gz", 1, true, JFREC_GZIP },
	{ "a.jfr.zst", 1, true, JFREC_ZSTD },
	{ "a.jfr.lz4", 1, true, JFREC_PLAIN },
	{ "a.jfr.xz", 1, true, JFREC_PLAIN },
	{ "a.jfr.bz2", 1, true, JFREC_PLAIN },
	{ "a.zst", 1, false, JFREC_ZSTD },
	{ "a.hprof.gz", 1, false, JFREC_GZIP },
	{ "a.b.html", 3, false, JFREC_PLAIN },
	{ "a.jfr.jfr", 5, true, JFREC_PLAIN },
	{ "a.gz.xz", 4, false, JFREC_PLAIN },
	{ "a.jfr.part", 10, false, JFREC_PLAIN },
	{ "ajfr", 4, false, JFREC_PLAIN },
	{ ".jfr", 4, false, JFREC_PLAIN },
	{ ".hidden.jfr", 7, false, JFREC_PLAIN },
	{ ".gz", 3, false, JFREC_PLAIN },
	{ ".jfr.gz", 4, false, JFREC_GZIP },
	{ "", 0, false, JFREC_PLAIN },
};

static void test_names(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(*rows[i].name ? rows[i].name : "no_name");
		CHECK_INT(suffix_stem(rows[i].name), rows[i].stem);
		CHECK_INT(suffix_is_recording(rows[i].name), rows[i].is_recording);
		CHECK_INT(suffix_compression(rows[i].name), rows[i].how);
	}
}

static void test_ends(void)
{
	test_begin("ends");
	CHECK(ends_with("a.jfr", ".jfr"));
	CHECK(ends_with(".jfr", ".jfr"));
	CHECK(!ends_with("jfr", ".jfr"));
	CHECK(ends_with_any("a.folded", ".collapsed .folded"));
	CHECK(ends_with_any("a.pb.gz", ".pb.gz .pprof"));
	CHECK(!ends_with_any(".folded", ".collapsed .folded"));
	CHECK(!ends_with_any("a.fold", ".collapsed .folded"));
	test_begin("of_a_compression");
	CHECK_TEXT(suffix_of_compression(JFREC_GZIP), 3, ".gz");
	CHECK_TEXT(suffix_of_compression(JFREC_ZSTD), 4, ".zst");
	CHECK(!*suffix_of_compression(JFREC_PLAIN));
	CHECK(!*suffix_of_compression(JFREC_BY_NAME));
}

int main(void)
{
	test_names();
	test_ends();
	return test_end();
}
