/* SPDX-License-Identifier: MIT */
/* answer.c - ask a recording a question, and walk the answer: answer QUERY RECORDING */
#include <inttypes.h>
#include <jfrec.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct jfrec_error err = { JFREC_OK, 0, 0, "usage: answer QUERY RECORDING" };
	struct jfrec_reader *r = argc == 3 ? jfrec_reader_open(argv[2], NULL, &err) : NULL;
	struct jfrec_query *q = r ? jfrec_query_new(r, &err) : NULL;
	int n = q ? jfrec_query_add(q, argv[1], &err) : -1;
	struct jfrec_answer *t = n >= 0 && jfrec_query_run(q, &err) == 0 ? jfrec_query_answer(q, n) : NULL;

	for (size_t row = 0; t && row < jfrec_answer_row_count(t); row++) {
		for (size_t i = 0; i < jfrec_answer_column_count(t); i++) {
			struct jfrec_cell c = jfrec_answer_cell(t, row, i);

			c.text ? (void)printf("%s\t", c.text) : (void)printf("%" PRId64 "\t", c.i);
		}
		putchar('\n');
	}
	if (!t)
		fprintf(stderr, "%s\n", q && n >= 0 && jfrec_query_missing(q, n) ? jfrec_query_missing(q, n) : err.text);
	jfrec_query_free(q);
	jfrec_reader_close(r);
	return t ? 0 : 1;
}
