/* SPDX-License-Identifier: MIT */
/*
 * pieces.c - cut a recording into files that a mail or a ticket takes
 *
 * usage: pieces KILOBYTES RECORDING NAME
 *
 * Writes NAME-1.jfr.zst and so on.  Each file appears when it is complete, or not at all.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <jfrec/edit.h>
#include <jfrec/output.h>

struct pieces {
	const char *name;
	struct jfrec_output *open; /* the piece that is written */
};

/* The piece that is open is complete; 0 without one. */
static int finish(struct pieces *p, struct jfrec_error *err)
{
	int ret = 0;

	if (p->open && (ret = jfrec_output_seal(p->open, err)) == 0) {
		printf("%" PRIu64 " bytes\n", jfrec_output_size(p->open));
		ret = jfrec_output_commit(p->open, err);
	}
	jfrec_output_close(p->open);
	p->open = NULL;
	return ret;
}

static struct jfrec_output *next(void *ctx, size_t index, size_t count, struct jfrec_error *err)
{
	struct pieces *p = ctx;
	char path[4096];

	snprintf(path, sizeof(path), "%s-%zu.jfr.zst", p->name, index + 1);
	if (finish(p, err) < 0)
		return NULL;
	p->open = jfrec_output_open(path, false, JFREC_ZSTD, err);
	if (p->open)
		printf("%zu of %zu: ", index + 1, count);
	return p->open;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: pieces KILOBYTES RECORDING NAME" };
	struct jfrec_split_limits limits = { .struct_size = sizeof(limits) };
	struct jfrec_reader *r = argc == 4 ? jfrec_reader_open(argv[2], NULL, &err) : NULL;
	struct pieces p = { .name = argv[3] };
	struct jfrec_split *done = NULL;
	int ret = -1;

	if (r) {
		limits.bytes = strtoull(argv[1], NULL, 10) << 10;
		done = jfrec_write_split(r, &limits, next, &p, &err);
	}
	if (done)
		ret = finish(&p, &err);
	if (ret < 0)
		fprintf(stderr, "pieces: %s\n", err.text);
	jfrec_output_close(p.open);
	jfrec_split_free(done);
	jfrec_reader_close(r);
	return ret < 0;
}
