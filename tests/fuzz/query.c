/* SPDX-License-Identifier: MIT */
/*
 * query.c - a fuzz target: any text as a query of a small recording, and its answer in each form
 */
#include <jfrec.h>
#include <stdlib.h>
#include <string.h>

#include "stack_types.h"
#include "target.h"

#define T_AMOUNT "105"
#define T_PERCENT "106"

static void build(struct craft *c, int chunk)
{
	craft_chunk(c);
	craft_event(c, "30", "1000 5000000 1 1 %d 512 1024", chunk);
	craft_event(c, "30", "100001000 20000000 2 2 -5 2048 8192");
	craft_event(c, "31", "900001000 f0.75 d2.5 1500 b1 'a*c' 3 d0.5 2 'one' null 7");
	craft_event(c, "31", "900002000 f-0.0 d0 -9223372036854775808 b0 null 0 d1 0 0");
	craft_checkpoint(c, STACK_CONSTANTS);
	craft_metadata(c,
		STACK_TYPES
		CLASS("25", "t.Pair", FIELD("x", T_INT) FIELD("y", T_DOUBLE))
		CLASS(T_AMOUNT, "jdk.jfr.DataAmount")
		CLASS(T_PERCENT, "jdk.jfr.Percentage")
		EVENT("30", "t.Work", START DURATION FIELD("eventThread", T_THREAD, KEY)
		      FIELD("stackTrace", T_TRACE, KEY) FIELD("n", T_LONG)
		      FIELD("bytes", T_LONG, ANNOTATION(T_AMOUNT, "value=BYTES"))
		      FIELD("rate", T_LONG, ANNOTATION(T_AMOUNT, "value=BITS")))
		EVENT("31", "t.Load", START FIELD("load", T_FLOAT, ANNOTATION(T_PERCENT)) FIELD("d", T_DOUBLE)
		      FIELD("span", T_LONG, SPAN("MILLISECONDS")) FIELD("flag", T_BOOLEAN) FIELD("text", T_STRING)
		      FIELD("pair", "25") FIELD("names", T_STRING, ARRAY) FIELD("klass", T_KLASS, KEY)));
	craft_end(c);
}

static void *nothing(void)
{
	abort();
}

static int sink(void *ctx, const void *data, size_t len)
{
	const uint8_t *text = data;
	uint64_t *sum = ctx;

	for (size_t i = 0; i < len; i++)
		*sum += text[i];
	return 0;
}

static void look(struct jfrec_answer *t)
{
	struct jfrec_answer_options o = { .struct_size = sizeof(o), .verbose = true };
	uint64_t sum = 0;

	for (size_t row = 0; row < jfrec_answer_row_count(t); row++) {
		for (size_t i = 0; i < jfrec_answer_column_count(t); i++) {
			struct jfrec_cell c = jfrec_answer_cell(t, row, i);

			if (c.kind == JFREC_KIND_STRING && c.text[c.len])
				nothing(); /* texts end in NUL */
			sum += (uint64_t)c.i;
		}
	}
	for (int width = 0; width < 60; width += 19) {
		o.width = width;
		o.cell_height = width / 10;
		if (jfrec_answer_print(t, &o, sink, &sum, NULL) < 0)
			nothing(); /* it goes to memory */
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct craft c;
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r;
	struct jfrec_query *q;
	char *text = malloc(len + 1);
	int n;

	if (!text)
		abort();
	memcpy(text, bytes, len);
	text[len] = '\0';
	for (int i = 0; !c.bytes.len && i < 2; i++)
		build(&c, i);
	r = jfrec_reader_open_memory(c.bytes.data, c.bytes.len, NULL, &err);
	q = r ? jfrec_query_new(r, &err) : nothing();
	n = q ? jfrec_query_add(q, text, &err) : -1;
	if (n < 0 && (err.code != JFREC_EEXPRESSION || !err.text[0] || err.offset > len))
		nothing(); /* a refusal says why, and where */
	if (n >= 0 && jfrec_query_fault(q, n, &err) == 0 && jfrec_query_run(q, &err) == 0)
		look(jfrec_query_answer(q, n));
	else if (n >= 0 && err.offset > len && err.offset != JFREC_NO_OFFSET)
		nothing();
	jfrec_query_free(q);
	jfrec_reader_close(r);
	free(text);
	return 0;
}
