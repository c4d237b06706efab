/* SPDX-License-Identifier: MIT */
/*
 * mcp_messages.c - a fuzz target: any bytes as messages for jfrec mcp, in pieces of any length
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/messages.h"
#include "target.h"

static void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "mcp_messages: not so: %s\n", what);
	abort();
}

/* What came of the bytes: kinds of messages and faults, in order. */
struct seen {
	size_t count;
	unsigned sum;
};

static void note(struct seen *s, unsigned what)
{
	s->count++;
	s->sum = s->sum * 31 + what;
}

static void take(void *ctx, const struct message *m)
{
	insist(m->method != NULL, "it has a method");
	insist(!m->id || json_is_string(m->id) || json_is_integer(m->id), "its id is one");
	insist(!m->params || json_is_object(m->params), "its parameters are an object");
	note(ctx, (unsigned)strlen(m->method) + (m->id != NULL));
}

static void refuse(void *ctx, const json_t *id, int code, const char *text)
{
	insist(*text && code <= -32600 && code >= -32700, "what is wrong is said");
	insist(!id || json_is_string(id) || json_is_integer(id), "the id is one");
	note(ctx, (unsigned)-code);
}

static struct seen feed(const uint8_t *bytes, size_t len, size_t piece)
{
	struct seen seen = { 0 };
	struct messages m = { .take = take, .refuse = refuse, .ctx = &seen };

	insist(messages_init(&m), "there is memory");
	while (len) {
		size_t room, n = len < piece ? len : piece;
		char *to = messages_room(&m, &room);

		insist(room > 0, "there is room");
		n = n < room ? n : room;
		memcpy(to, bytes, n);
		messages_come(&m, n);
		bytes += n;
		len -= n;
	}
	messages_fini(&m);
	return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct seen whole = feed(bytes, len, len), pieces = feed(bytes, len, len ? bytes[0] % 17 + 1 : 1);

	insist(whole.count == pieces.count && whole.sum == pieces.sum,
	       "how it comes makes no difference");
	return 0;
}
