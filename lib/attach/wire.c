/* SPDX-License-Identifier: MIT */
/*
 * wire.c - encode and decode HotSpot's attach protocol, without any I/O
 */
#include "attach/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

/* Digits of the greatest int32. */
#define MAX_DIGITS 10

bool wire_fits_v1(const char *const *arguments, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(arguments[i]) > WIRE_ARGUMENT_MAX)
			return false;
	}
	return count <= WIRE_ARGUMENTS;
}

/* Checks --------------------------------------------------------------------------------------- */

static int check_text(const char *argument, struct jfrec_error *err)
{
	size_t n;

	for (const char *s = argument; *s; s += n) {
		unsigned char c = (unsigned char)*s;

		n = utf8_length(s);
		if (c < 0x20 || c == 0x7f)
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "control byte 0x%02x in an argument", c);
		if (!n)
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "byte 0x%02x in an argument is not UTF-8", c);
	}
	return 0;
}

static int check(const char *name, const char *const *arguments, size_t count,
		 struct jfrec_error *err)
{
	if (!*name || strlen(name) > WIRE_NAME_MAX)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "the name of an operation must have 1 to %d "
				  "bytes", WIRE_NAME_MAX);
	if (check_text(name, err) < 0)
		return -1;
	if (count > WIRE_ARGUMENTS)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "an operation has at most %d arguments", WIRE_ARGUMENTS);
	for (size_t i = 0; i < count; i++) {
		if (check_text(arguments[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Requests ------------------------------------------------------------------------------------- */

static void append(struct wire_request *r, const char *text)
{
	size_t len = strlen(text) + 1;

	memcpy(r->bytes + r->len, text, len);
	r->len += len;
}

/* Version 1 has all three arguments, whether they are used or not. */
static size_t argument_count(int version, size_t count)
{
	return version == 1 ? WIRE_ARGUMENTS : count;
}

static size_t body_size(int version, const char *name, const char *const *arguments, size_t count)
{
	size_t size = strlen(name) + 1;

	for (size_t i = 0; i < argument_count(version, count); i++)
		size += (i < count ? strlen(arguments[i]) : 0) + 1;
	return size;
}

int wire_request_init(struct wire_request *r, int version, const char *name,
		      const char *const *arguments, size_t count, struct jfrec_error *err)
{
	char prefix[24];
	size_t size;

	*r = (struct wire_request){ 0 };
	if (check(name, arguments, count, err) < 0)
		return -1;
	size = body_size(version, name, arguments, count);
	if (version == 1 && !wire_fits_v1(arguments, count))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "an argument exceeds the limit of this JVM, %d bytes",
				  WIRE_ARGUMENT_MAX);
	if (size > WIRE_SIZE_MAX)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a request of %zu bytes exceeds the limit of JVMs, %d "
				  "bytes", size,
				  WIRE_SIZE_MAX);
	r->bytes = malloc(size + 2 * sizeof(prefix));
	if (!r->bytes)
		return jfrec_fail_memory(err);
	snprintf(prefix, sizeof(prefix), "%d", version);
	append(r, prefix);
	if (version > 1) {
		snprintf(prefix, sizeof(prefix), "%zu", size);
		append(r, prefix);
	}
	append(r, name);
	for (size_t i = 0; i < argument_count(version, count); i++)
		append(r, i < count ? arguments[i] : "");
	return 0;
}

void wire_request_fini(struct wire_request *r)
{
	free(r->bytes);
	*r = (struct wire_request){ 0 };
}

/* Replies -------------------------------------------------------------------------------------- */

static enum wire_state end_status(struct wire_reply *r)
{
	int64_t status = r->negative ? -r->magnitude : r->magnitude;

	if (!r->digits || status < INT32_MIN || status > INT32_MAX)
		return WIRE_BAD;
	r->status = (int)status;
	return WIRE_PAYLOAD;
}

static enum wire_state take_status_byte(struct wire_reply *r, uint8_t c)
{
	bool first = r->state == WIRE_NOTHING;

	if (c == '\n')
		return end_status(r);
	if (first && c == '-') {
		r->negative = true;
		return WIRE_STATUS;
	}
	if (c < '0' || c > '9' || r->digits == MAX_DIGITS)
		return WIRE_BAD;
	r->magnitude = r->magnitude * 10 + (c - '0');
	r->digits++;
	return WIRE_STATUS;
}

enum wire_state wire_reply_take(struct wire_reply *r, const uint8_t *bytes, size_t len,
				const uint8_t **payload, size_t *payload_len)
{
	size_t i = 0;

	while (i < len && (r->state == WIRE_NOTHING || r->state == WIRE_STATUS))
		r->state = take_status_byte(r, bytes[i++]);
	*payload = bytes + i;
	*payload_len = r->state == WIRE_PAYLOAD ? len - i : 0;
	return r->state;
}

int wire_version(int status, const char *payload)
{
	int version = status == 0 ? atoi(payload) : 1;

	return version > 1 ? version : 1;
}
