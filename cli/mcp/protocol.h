/* SPDX-License-Identifier: MIT */
/*
 * protocol.h - messages of the Model Context Protocol, in the revisions from 2024-11-05 on
 *
 * Until 2025-11-25 a connection begins with the request `initialize`, which settles the revision;
 * from 2026-07-28 on each request names it, and nothing is settled. What comes first decides which
 * of both a connection speaks.
 */
#ifndef JFREC_CLI_MCP_PROTOCOL_H
#define JFREC_CLI_MCP_PROTOCOL_H

#include <jansson.h>
#include <stdbool.h>

/* Error codes of JSON-RPC, and of the revision 2026-07-28. */
enum {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_NO_METHOD = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_UNSUPPORTED_REVISION = -32022,
};

enum era { ERA_UNKNOWN, ERA_HANDSHAKE, ERA_STATELESS };

struct connection {
	enum era era;
	bool is_initialized;  /* ERA_HANDSHAKE: `initialize` was answered, */
	const char *revision; /* with this one */
};

/* Answers, as one line on standard output.  A result becomes the message's. */
void protocol_result(const struct connection *c, const json_t *id, json_t *result);
/* `id` NULL: it is not known. */
void protocol_error(const struct connection *c, const json_t *id, int code, const char *text,
		    json_t *data);
void protocol_progress(const json_t *token, double seconds);

/* The same for results that may be kept by the client: `ttl_ms`, and for everybody. */
void protocol_lasting_result(const struct connection *c, const json_t *id, json_t *result);

/*
 * May the request be served?  Decides which revisions the connection speaks, if this is its first
 * request. False: an error was answered.
 */
bool protocol_admits(struct connection *c, const json_t *id, const char *method,
		     const json_t *params);

/* What the server says of itself. */
json_t *protocol_initialize(struct connection *c, const json_t *params);
json_t *protocol_discover(void);

/* The progress token of a request; NULL: it wants none. */
json_t *protocol_token(const json_t *params);

#endif
