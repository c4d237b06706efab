/* SPDX-License-Identifier: MIT */
/*
 * messages.c - messages of JSON-RPC, as they come in: one in each line
 */
#include "mcp/messages.h"

#include <stdlib.h>
#include <string.h>

#include "mcp/protocol.h"

#define MOST_BYTES (1u << 20)

bool messages_init(struct messages *m)
{
	m->bytes = malloc(MOST_BYTES);
	m->len = 0;
	m->is_too_long = false;
	return m->bytes != NULL;
}

void messages_fini(struct messages *m)
{
	free(m->bytes);
	m->bytes = NULL;
}

/* A message ------------------------------------------------------------------------------------ */

/* What answers a request is for somebody who asked: we do not. */
static bool is_answer(const json_t *message)
{
	return json_object_get(message, "result") || json_object_get(message, "error");
}

static void take_message(struct messages *m, const json_t *message)
{
	const json_t *id = json_object_get(message, "id"),
		     *params = json_object_get(message, "params");
	const char *method = json_string_value(json_object_get(message, "method"));
	const char *version = json_string_value(json_object_get(message, "jsonrpc"));
	bool has_id = json_is_string(id) || json_is_integer(id);

	if (!json_is_object(message) || !version || strcmp(version, "2.0") != 0 ||
	    (id && !has_id) || (params && !json_is_object(params)))
		m->refuse(m->ctx, has_id ? id : NULL, RPC_INVALID_REQUEST,
			  "Not a message of JSON-RPC 2.0");
	else if (method)
		m->take(m->ctx, &(struct message){ id, method, params });
	else if (!is_answer(message))
		m->refuse(m->ctx, id, RPC_INVALID_REQUEST, "A message needs a method");
}

static void take_line(struct messages *m, const char *line, size_t len)
{
	json_error_t fault;
	json_t *message;

	while (len && (line[len - 1] == '\r' || line[len - 1] == ' '))
		len--;
	if (!len)
		return;
	message = json_loadb(line, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &fault);
	if (!message)
		m->refuse(m->ctx, NULL, RPC_PARSE_ERROR, "The line is not one message of JSON");
	else if (json_is_array(message) && json_array_size(message))
		for (size_t i = 0; i < json_array_size(message) && i < MOST_OF_BATCH; i++)
			take_message(m, json_array_get(message, i));
	else
		take_message(m, message);
	json_decref(message);
}

/* Lines ---------------------------------------------------------------------------------------- */

char *messages_room(struct messages *m, size_t *room)
{
	*room = MOST_BYTES - m->len;
	return m->bytes + m->len;
}

static void drop_too_long(struct messages *m)
{
	if (!m->is_too_long)
		m->refuse(m->ctx, NULL, RPC_INVALID_REQUEST, "A message is at most 1 MiB long");
	m->is_too_long = true;
	m->len = 0;
}

void messages_come(struct messages *m, size_t n)
{
	const char *at = m->bytes, *newline;

	m->len += n;
	while ((newline = memchr(at, '\n', m->len)) != NULL) {
		size_t len = (size_t)(newline - at);

		if (!m->is_too_long)
			take_line(m, at, len);
		m->is_too_long = false;
		at = newline + 1;
		m->len -= len + 1;
	}
	memmove(m->bytes, at, m->len);
	if (m->len == MOST_BYTES)
		drop_too_long(m);
}
