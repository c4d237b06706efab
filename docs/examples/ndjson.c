/* SPDX-License-Identifier: MIT */
/*
 * ndjson.c - events as lines of JSON, the longest first
 *
 * usage: ndjson RECORDING EVENTS COUNT
 */
#include <stdio.h>
#include <stdlib.h>

#include <jfrec/print.h>

static int print(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ferror(ctx);
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: ndjson RECORDING EVENTS COUNT" };
	struct jfrec_print_options o = {
		.struct_size = sizeof(o),
		.format = jfrec_format_named("ndjson")->format,
		.by_field = "duration",
		.stack_depth = 3,
		.stacks = JFREC_STACKS_STRING,
	};
	struct jfrec_reader *r = argc == 4 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	int ret = -1;

	if (r && jfrec_reader_select(r, argv[2], NULL, &err) == 0) {
		o.limit = strtoull(argv[3], NULL, 10);
		ret = jfrec_print(r, &o, print, stdout, &err);
	}
	if (ret < 0)
		fprintf(stderr, "ndjson: %s\n", err.text);
	jfrec_reader_close(r);
	return ret < 0;
}
