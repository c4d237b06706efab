/* SPDX-License-Identifier: MIT */
/* test_wire.c - the attach protocol as bytes */
#include "attach/wire.h"

#include "test.h"

#include <stdlib.h>

/* Requests ------------------------------------------------------------------------------------- */

#define BYTES(literal) literal, sizeof(literal) - 1

static const struct {
	const char *name;
	int version;
	const char *operation;
	size_t count;
	const char *arguments[3];
	const char *bytes;
	size_t len;
} requests[] = {
	{ "v1_has_three_arguments",
	  1,
	  "jcmd",
	  1,
	  { "VM.version" },
	  BYTES("1\0jcmd\0VM.version\0\0\0") },
	{ "v1_without_arguments", 1, "properties", 0, { 0 }, BYTES("1\0properties\0\0\0\0") },
	{ "v1_with_all", 1, "load", 3, { "a", "", "c" }, BYTES("1\0load\0a\0\0c\0") },
	{ "v2_has_its_size",
	  2,
	  "jcmd",
	  1,
	  { "VM.version" },
	  BYTES("2\0"
		"16\0jcmd\0VM.version\0") },
	{ "v2_without_arguments",
	  2,
	  "properties",
	  0,
	  { 0 },
	  BYTES("2\0"
		"11\0properties\0") },
	{ "text_is_utf8",
	  1,
	  "jcmd",
	  1,
	  { "name=\xc3\xa4" },
	  BYTES("1\0jcmd\0name=\xc3\xa4\0\0\0") },
};

static void test_requests(void)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		struct wire_request r;
		struct jfrec_error err;

		test_begin(requests[i].name);
		if (!CHECK_INT(wire_request_init(&r, requests[i].version, requests[i].operation,
						 requests[i].arguments, requests[i].count, &err),
			       0))
			continue;
		CHECK_INT(r.len, requests[i].len);
		CHECK(r.len == requests[i].len && !memcmp(r.bytes, requests[i].bytes, r.len));
		wire_request_fini(&r);
	}
}

static const struct {
	const char *name, *operation, *argument;
} refused[] = {
	{ "line_feed_would_be_another_command", "jcmd", "VM.version\nVM.uptime" },
	{ "carriage_return", "jcmd", "a\r" },
	{ "tab", "jcmd", "a\tb" },
	{ "delete", "jcmd", "a\x7f" },
	{ "stray_continuation", "jcmd", "a\x80" },
	{ "cut_utf8", "jcmd", "a\xc3" },
	{ "long_form", "jcmd", "\xc0\x80" },
	{ "surrogate", "jcmd", "\xed\xa0\x80" },
	{ "beyond_unicode", "jcmd", "\xf4\x90\x80\x80" },
	{ "empty_name", "", "" },
	{ "name_of_17_bytes", "aaaaaaaaaaaaaaaaa", "" },
	{ "line_feed_in_name", "jcmd\n", "" },
};

static void test_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct wire_request r;
		struct jfrec_error err = { 0 };

		test_begin(refused[i].name);
		CHECK_INT(wire_request_init(&r, 1, refused[i].operation, &refused[i].argument, 1,
					    &err),
			  -1);
		CHECK_INT(err.code, JFREC_EINVAL);
		CHECK(!r.bytes);
	}
}

/* One argument of that length. */
static int try_length(int version, size_t len, struct jfrec_error *err)
{
	char *argument = malloc(len + 1);
	const char *const arguments[] = { argument };
	struct wire_request r;
	int result;

	memset(argument, 'a', len);
	argument[len] = '\0';
	result = wire_request_init(&r, version, "jcmd", arguments, 1, err);
	if (result == 0)
		CHECK(r.len > len);
	wire_request_fini(&r);
	free(argument);
	return result;
}

static void test_lengths(void)
{
	struct jfrec_error err;

	test_begin("v1_argument_of_1024_bytes");
	CHECK_INT(try_length(1, WIRE_ARGUMENT_MAX, &err), 0);
	test_begin("v1_argument_of_1025_bytes_is_refused");
	CHECK_INT(try_length(1, WIRE_ARGUMENT_MAX + 1, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);
	test_begin("v2_up_to_its_limit");
	CHECK_INT(try_length(2, WIRE_SIZE_MAX - strlen("jcmd") - 2, &err), 0);
	test_begin("v2_beyond_its_limit_is_refused");
	CHECK_INT(try_length(2, WIRE_SIZE_MAX - strlen("jcmd") - 1, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);
}

static void test_four_arguments(void)
{
	static const char *const four[] = { "a", "b", "c", "d" };
	struct wire_request r;

	test_begin("four_arguments_are_refused");
	CHECK(!wire_fits_v1(four, 4));
	CHECK_INT(wire_request_init(&r, 1, "jcmd", four, 4, NULL), -1);
}

/* Replies -------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *bytes;
	enum wire_state state;
	int status;
	const char *payload;
} replies[] = {
	{ "nothing", "", WIRE_NOTHING, 0, "" },
	{ "ok", "0\nhello\n", WIRE_PAYLOAD, 0, "hello\n" },
	{ "ok_and_empty", "0\n", WIRE_PAYLOAD, 0, "" },
	{ "negative", "-1\nUnknown diagnostic command", WIRE_PAYLOAD, -1,
	  "Unknown diagnostic command" },
	{ "unknown_version", "101\nv2 is unsupported", WIRE_PAYLOAD, 101, "v2 is unsupported" },
	{ "payload_may_look_like_a_status", "0\n-1\n", WIRE_PAYLOAD, 0, "-1\n" },
	{ "status_cut_short", "10", WIRE_STATUS, 0, "" },
	{ "sign_alone", "-", WIRE_STATUS, 0, "" },
	{ "least_status", "-2147483648\n", WIRE_PAYLOAD, INT32_MIN, "" },
	{ "greatest_status", "2147483647\n", WIRE_PAYLOAD, INT32_MAX, "" },
	{ "status_too_great", "2147483648\n", WIRE_BAD, 0, "" },
	{ "status_too_small", "-2147483649\n", WIRE_BAD, 0, "" },
	{ "status_too_long", "00000000000\n", WIRE_BAD, 0, "" },
	{ "no_status", "\nhello", WIRE_BAD, 0, "" },
	{ "sign_without_digits", "-\nhello", WIRE_BAD, 0, "" },
	{ "two_signs", "--1\n", WIRE_BAD, 0, "" },
	{ "sign_behind_digits", "1-\n", WIRE_BAD, 0, "" },
	{ "plus", "+1\n", WIRE_BAD, 0, "" },
	{ "blank", " 0\n", WIRE_BAD, 0, "" },
	{ "carriage_return_in_status", "0\r\n", WIRE_BAD, 0, "" },
	{ "http", "HTTP/1.1 400\n", WIRE_BAD, 0, "" },
};

/* In pieces of that size; what it says must not depend on them. */
static void take_in_pieces(const char *bytes, size_t piece, enum wire_state state, int status,
			   const char *payload)
{
	struct wire_reply r = { 0 };
	size_t len = strlen(bytes), got = 0;
	char all[64];

	for (size_t i = 0; i < len; i += piece) {
		const uint8_t *at;
		size_t n;

		wire_reply_take(&r, (const uint8_t *)bytes + i, len - i < piece ? len - i : piece,
				&at, &n);
		memcpy(all + got, at, n);
		got += n;
	}
	CHECK_INT(r.state, state);
	if (state == WIRE_PAYLOAD)
		CHECK_INT(r.status, status);
	CHECK_TEXT(all, got, payload);
}

static void test_replies(void)
{
	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		test_begin(replies[i].name);
		for (size_t piece = 1; piece < 20; piece++)
			take_in_pieces(replies[i].bytes, piece, replies[i].state, replies[i].status,
				       replies[i].payload);
	}
}

static void test_versions(void)
{
	test_begin("version_of_jdk_17");
	CHECK_INT(wire_version(-1, "Operation getversion not recognized!"), 1);
	test_begin("version_of_jdk_24");
	CHECK_INT(wire_version(0, "2"), 2);
	test_begin("version_of_jdk_25");
	CHECK_INT(wire_version(0, "2 streaming"), 2);
	test_begin("version_of_jdk_25_with_compat");
	CHECK_INT(wire_version(0, "1 streaming"), 1);
	test_begin("version_of_nobody");
	CHECK_INT(wire_version(0, ""), 1);
}

int main(void)
{
	test_requests();
	test_refused();
	test_lengths();
	test_four_arguments();
	test_replies();
	test_versions();
	return test_end();
}
