/* SPDX-License-Identifier: MIT */
/* test_out.c - one output buffer and few writes */
#include "base/out.h"

#include "test.h"

#include <errno.h>
#include <stdlib.h>

struct sink {
	char *data;
	size_t len;
	int writes;
	int fail_at; /* this write fails; 0: none does */
};

static int write_sink(void *ctx, const void *data, size_t len)
{
	struct sink *s = ctx;

	if (++s->writes == s->fail_at)
		return ENOSPC;
	s->data = realloc(s->data, s->len + len);
	memcpy(s->data + s->len, data, len);
	s->len += len;
	return 0;
}

static void begin(struct out *o, struct sink *s, const char *name)
{
	test_begin(name);
	*s = (struct sink){ 0 };
	CHECK_INT(out_init(o, write_sink, s, NULL), 0);
}

static void end(struct out *o, struct sink *s)
{
	out_fini(o);
	free(s->data);
}

static void test_all_ways(void)
{
	static const char literal[2 * OUT_STEP] = "a literal of more than thirty-two bytes";
	struct sink s;
	struct out o;
	char *at;

	begin(&o, &s, "all_ways_to_write");
	OUT_STR(&o, "one ");
	out_char(&o, '2');
	at = out_room(&o);
	*at++ = ' ';
	out_end(&o, at);
	out_literal(&o, literal, strlen(literal));
	out_literal(&o, literal, 3);
	CHECK_INT((int64_t)out_total(&o), 6 + 39 + 3);
	CHECK_INT(s.writes, 0);
	out_flush(&o);
	CHECK_TEXT(s.data, s.len, "one 2 a literal of more than thirty-two bytesa l");
	CHECK_INT((int64_t)out_total(&o), 48);
	out_flush(&o);
	CHECK_INT(s.writes, 1);
	end(&o, &s);
}

/* Pieces of all sizes around that of the buffer: nothing is lost, nothing is written twice. */
static void test_sizes(void)
{
	static const size_t sizes[] = { 1, OUT_SLACK, OUT_BUFFER - 1, OUT_BUFFER, OUT_BUFFER + 1, 3,
					OUT_BUFFER + OUT_SLACK, 5 * OUT_BUFFER, 2, 700000, 0 };
	char *piece = malloc(5 * OUT_BUFFER);
	struct sink s;
	struct out o;
	size_t total = 0, checked = 0;
	bool same = true;

	begin(&o, &s, "pieces_around_the_size_of_the_buffer");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		memset(piece, 'a' + (int)i, sizes[i]);
		out_put(&o, piece, sizes[i]);
		total += sizes[i];
		CHECK_INT((int64_t)out_total(&o), (int64_t)total);
	}
	out_flush(&o);
	CHECK_INT((int64_t)s.len, (int64_t)total);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (size_t k = 0; k < sizes[i]; k++)
			same &= s.data[checked++] == (char)('a' + i);
	}
	CHECK(same);
	free(piece);
	end(&o, &s);
}

static void test_many_small(void)
{
	struct sink s;
	struct out o;

	begin(&o, &s, "many_small_pieces_are_few_writes");
	for (int i = 0; i < 1000000; i++) {
		out_char(&o, 'x');
		OUT_STR(&o, "yz");
	}
	out_flush(&o);
	CHECK_INT((int64_t)s.len, 3000000);
	CHECK(s.writes < 20);
	end(&o, &s);
}

static void test_error_sticks(void)
{
	struct jfrec_error err;
	struct sink s;
	struct out o;

	begin(&o, &s, "errors_stick");
	s.fail_at = 2;
	for (int i = 0; i < 10; i++) {
		OUT_STR(&o, "some text");
		out_flush(&o);
	}
	CHECK_INT(o.error, ENOSPC);
	CHECK_INT(s.writes, 2);
	CHECK_INT((int64_t)s.len, 9);
	CHECK_INT(out_fail(&o, &err), -1);
	CHECK_INT(err.code, JFREC_EOUTPUT);
	CHECK_INT(err.sys, ENOSPC);
	CHECK_INT(out_fail(&o, NULL), -1);
	end(&o, &s);
}

int main(void)
{
	test_all_ways();
	test_sizes();
	test_many_small();
	test_error_sticks();
	return test_end();
}
