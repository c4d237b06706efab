/* SPDX-License-Identifier: MIT */
/* test_amount.c - sizes and durations as people type them */
#include "jfrec-tool.h"

#include "test.h"

static const struct {
	const char *text;
	int64_t value; /* -1: refused */
} sizes[] = {
	{ "1", 1 },
	{ "4096", 4096 },
	{ "1k", 1 << 10 },
	{ "1K", 1 << 10 },
	{ "500M", INT64_C(500) << 20 },
	{ "2GB", INT64_C(2) << 30 },
	{ "2gb", INT64_C(2) << 30 },
	{ "2GiB", INT64_C(2) << 30 },
	{ "64kib", 64 << 10 },
	{ "1i", -1 },
	{ "1ki", -1 },
	{ "1kiBB", -1 },
	{ "3T", INT64_C(3) << 40 },
	{ "8388607t", INT64_C(8388607) << 40 },
	{ "8388608t", -1 },
	{ "0", -1 },
	{ "0k", -1 },
	{ "", -1 },
	{ "k", -1 },
	{ "-1", -1 },
	{ "+1", -1 },
	{ " 1", -1 },
	{ "1 k", -1 },
	{ "1kk", -1 },
	{ "1kbb", -1 },
	{ "1b", -1 },
	{ "1.5k", -1 },
	{ "1p", -1 },
	{ "99999999999999999999", -1 },
}, durations[] = {
	{ "1ns", 1 },
	{ "2us", 2000 },
	{ "3ms", 3000000 },
	{ "90s", INT64_C(90000000000) },
	{ "1.5h", INT64_C(5400000000000) },
	{ "10m", INT64_C(600000000000) },
	{ "1d", INT64_C(86400000000000) },
	{ "20 ms", 20000000 },
	{ "106751d", INT64_C(9223286400000000000) },
	{ "106752d", -1 },
	{ "0s", -1 },
	{ "", -1 },
	{ "s", -1 },
	{ "10", -1 },
	{ "-1s", -1 },
	{ "+1s", -1 },
	{ "1S", -1 },
	{ "1s1", -1 },
	{ "1y", -1 },
};

int main(void)
{
	int64_t ns;
	uint64_t bytes;

	test_begin("sizes");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		CHECK_INT(jfrec_parse_size(sizes[i].text, &bytes) ? (int64_t)bytes : -1,
			  sizes[i].value);
	test_begin("durations");
	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++)
		CHECK_INT(jfrec_parse_duration(durations[i].text, &ns) ? ns : -1,
			  durations[i].value);
	return test_end();
}
