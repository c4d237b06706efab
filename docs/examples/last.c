/* SPDX-License-Identifier: MIT */
/*
 * last.c - keep the last seconds of a recording, with what describes the JVM
 *
 * usage: last SECONDS RECORDING OUTPUT.jfr
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <jfrec/edit.h>

static int keep(struct jfrec_reader *r, double seconds, struct jfrec_output *o,
		struct jfrec_error *err)
{
	struct jfrec_filtered *done;
	int64_t from_ns, end_ns;

	if (jfrec_reader_span(r, &from_ns, &end_ns, err) < 0)
		return -1;
	from_ns = end_ns - (int64_t)(seconds * 1e9);
	jfrec_reader_keep_context(r);
	done = jfrec_write_filtered(r, &from_ns, NULL, o, err);
	if (!done || jfrec_output_commit(o, err) < 0) {
		jfrec_filtered_free(done);
		return -1;
	}
	for (size_t i = 0; i < jfrec_filtered_row_count(done); i++) {
		const struct jfrec_edit_row *row = jfrec_filtered_row_get(done, i);

		if (row->kept > 0)
			printf("%8" PRIu64 " of %8" PRIu64 "  %s\n", row->kept,
			       row->kept + row->dropped, row->name);
	}
	jfrec_filtered_free(done);
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: last SECONDS RECORDING OUTPUT.jfr" };
	struct jfrec_reader *r = argc == 4 ? jfrec_reader_open(argv[2], NULL, &err) : NULL;
	struct jfrec_output *o = r ? jfrec_output_open(argv[3], false, JFREC_BY_NAME, &err) : NULL;
	int ret = o ? keep(r, atof(argv[1]), o, &err) : -1;

	if (ret < 0)
		fprintf(stderr, "last: %s\n", err.text);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	return ret < 0;
}
