/* SPDX-License-Identifier: MIT */
/*
 * wire.h - encode and decode HotSpot's attach protocol, without any I/O
 *
 * One connection carries one request and one reply.
 *
 *   request, version 1 (all JDKs)
 *      "1" NUL  name NUL  argument NUL  argument NUL  argument NUL
 *   request, version 2 (JDK 24)
 *      "2" NUL  size NUL  name NUL  (argument NUL)*
 *      size: of all that follows it, in decimal
 *   reply
 *      status LF  payload  end of stream
 *      status: a decimal int32; 0, -1, 101 for an unknown version, ...
 *
 * There are no lengths in a reply: the end of the stream is its end.
 */
#ifndef JFREC_ATTACH_WIRE_H
#define JFREC_ATTACH_WIRE_H

#include "jfrec.h"

/* Longer ones make the JVM hang up without a word. */
#define WIRE_NAME_MAX	  16
#define WIRE_ARGUMENT_MAX 1024
#define WIRE_ARGUMENTS	  3
#define WIRE_SIZE_MAX	  262144

struct wire_request {
	uint8_t *bytes;
	size_t len;
};

/* Can version 1 carry these? */
bool wire_fits_v1(const char *const *arguments, size_t count);

/*
 * Make a request of that version, to be freed with wire_request_fini().
 *
 * Arguments are UTF-8 without control bytes: a line feed would begin another command.
 * 0, or -1 with *err set (JFREC_EINVAL, JFREC_ENOMEM) and nothing to free.
 */
int wire_request_init(struct wire_request *r, int version, const char *name,
		      const char *const *arguments, size_t count, struct jfrec_error *err);

/* A zeroed request is allowed. */
void wire_request_fini(struct wire_request *r);

enum wire_state {
	WIRE_NOTHING, /* no byte has come */
	WIRE_STATUS,  /* in the status line */
	WIRE_PAYLOAD, /* after it: the end may come */
	WIRE_BAD,     /* this is not a reply */
};

/* A reply as far as it has come; zeroed at first. */
struct wire_reply {
	enum wire_state state;
	int status; /* valid in WIRE_PAYLOAD */
	/* private */
	bool negative;
	unsigned digits;
	int64_t magnitude;
};

/*
 * Take the next bytes.  *payload and *payload_len are set to those of them that belong
 * to the payload.  Returns the new state; nothing leads out of WIRE_BAD.
 */
enum wire_state wire_reply_take(struct wire_reply *r, const uint8_t *bytes, size_t len,
				const uint8_t **payload, size_t *payload_len);

/* The version that a reply to "getversion" offers: "2 streaming" is 2.  1 if it offers none. */
int wire_version(int status, const char *payload);

#endif
