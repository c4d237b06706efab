/* SPDX-License-Identifier: MIT */
/*
 * test_budget.c - how much text of constants is kept never changes the output
 *
 * usage: test_budget RECORDING|DIRECTORY...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jfrec.h"
#include "test.h"

struct text {
	char *data;
	size_t len;
};

static int append(void *ctx, const void *data, size_t len)
{
	struct text *t = ctx;
	char *more = realloc(t->data, t->len + len);

	if (!more)
		return 1;
	memcpy(more + t->len, data, len);
	t->data = more;
	t->len += len;
	return 0;
}

static struct text print(const char *path, enum jfrec_format format, size_t memory)
{
	struct jfrec_print_options options = { .struct_size = sizeof(options),
					       .format = format,
					       .stack_depth = 64,
					       .memory = memory };
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, NULL);
	struct text t = { 0 };

	if (CHECK(r != NULL))
		CHECK_INT(jfrec_print(r, &options, append, &t, NULL), 0);
	jfrec_reader_close(r);
	return t;
}

static void check(const char *path, enum jfrec_format format)
{
	static const size_t budgets[] = { 1, 10000, 1 << 30 };
	struct text usual = print(path, format, 0);

	CHECK(usual.len > 0);
	for (size_t i = 0; i < sizeof(budgets) / sizeof(*budgets); i++) {
		struct text t = print(path, format, budgets[i]);

		CHECK(t.len == usual.len && memcmp(t.data, usual.data, t.len) == 0);
		free(t.data);
	}
	free(usual.data);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/');

		test_begin(slash ? slash + 1 : argv[i]);
		check(argv[i], JFREC_TEXT);
		check(argv[i], JFREC_JSON);
		check(argv[i], JFREC_XML);
	}
	return test_end();
}
