/* SPDX-License-Identifier: MIT */
/*
 * verify.c - check that no redacted text is left in the output
 *
 * The bytes are looked at as bytes: what the other code thinks of them does not
 * count here.
 */
#include "scrub/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "format/string.h"
#include "input/input.h"

#define STEP (1u << 20)

/* Encodings ------------------------------------------------------------------------------------ */

static void add_latin1(struct text_set *to, struct string s, struct buffer *bytes)
{
	int32_t c;

	buffer_clear(bytes);
	while ((c = string_next(&s)) >= 0) {
		if (c > 0xff)
			return;
		buffer_u8(bytes, (uint8_t)c);
	}
	text_set_add(to, bytes->data, bytes->len);
}

static void add_units(struct text_set *to, struct string s, struct buffer *bytes)
{
	int32_t c;

	buffer_clear(bytes);
	while ((c = string_next(&s)) >= 0) {
		if (c > 0xffff) {
			buffer_varint(bytes, 0xd800 + ((uint32_t)(c - 0x10000) >> 10));
			buffer_varint(bytes, 0xdc00 + ((uint32_t)c & 0x3ff));
		} else {
			buffer_varint(bytes, (uint32_t)c);
		}
	}
	text_set_add(to, bytes->data, bytes->len);
}

/* ASCII is the same in all of them, and known by then. */
static int add_encodings(struct text_set *to, const struct text_set *texts)
{
	struct buffer bytes = { 0 };

	for (uint32_t i = 0; i < texts->count; i++) {
		const struct text_set_text *t = &texts->texts[i];
		struct string s = { .encoding = STRING_UTF8, .bytes = t->bytes, .len = t->len };

		text_set_add(to, t->bytes, t->len);
		add_latin1(to, s, &bytes);
		add_units(to, s, &bytes);
	}
	to->failed |= bytes.failed;
	buffer_fini(&bytes);
	return text_set_ready(to);
}

/* Reading -------------------------------------------------------------------------------------- */

/* Of longer texts so much is enough to be found. */
static size_t longest(const struct text_set *h)
{
	size_t len = TEXT_SET_MIN;

	for (uint32_t i = 0; i < h->count; i++)
		len = h->texts[i].len > len ? h->texts[i].len : len;
	return len < TEXT_SET_WINDOW ? len : TEXT_SET_WINDOW;
}

static int fail_leak(uint64_t at, size_t len, const struct text_set_text *t,
		     struct jfrec_error *err)
{
	/* Not the text itself: messages go into logs. */
	return jfrec_fail(
		err, JFREC_ELEAK, at,
		"a text of %zu bytes that was redacted, %.1s..., is still in the output at byte "
		"%" PRIu64,
		len, t->bytes[0] > ' ' && t->bytes[0] < 0x7f ? (const char *)t->bytes : "?", at);
}

/* Steps overlap by as much as a text can lie in both. */
static int look(const struct text_set *h, struct input *in, uint8_t *bytes, size_t overlap,
		struct jfrec_error *err)
{
	uint64_t at = 0;
	size_t got;

	do {
		const struct text_set_text *t;
		size_t found, equal;

		input_forget(in, at);
		if (input_read(in, at, bytes, STEP + overlap, &got, err) < 0)
			return -1;
		t = text_set_find(h, bytes, got, &found, &equal);
		if (t)
			return fail_leak(at + found, equal, t, err);
		at += STEP;
	} while (got == STEP + overlap);
	return 0;
}

static int look_into(const struct text_set *h, const char *path, struct jfrec_error *err)
{
	size_t overlap = longest(h) - 1;
	uint8_t *bytes = malloc(STEP + overlap);
	struct input in;
	int ret = -1;

	if (!bytes) {
		jfrec_fail_memory(err);
	} else if (input_open(&in, path, NULL, err) == 0) {
		ret = look(h, &in, bytes, overlap, err);
		if (ret == 0 && in.fault.code)
			ret = jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "%s", in.fault.text);
		input_close(&in);
	}
	free(bytes);
	return ret;
}

int verify_file(const struct text_set *texts, const char *path, struct jfrec_error *err)
{
	struct text_set all = { 0 };
	int ret = add_encodings(&all, texts) < 0 ? jfrec_fail_memory(err) : 0;

	if (ret == 0)
		ret = look_into(&all, path, err);
	text_set_fini(&all);
	return ret;
}
