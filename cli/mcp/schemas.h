/* SPDX-License-Identifier: MIT */
/*
 * schemas.h - what replies look like, as JSON Schema
 */
#ifndef JFREC_CLI_MCP_SCHEMAS_H
#define JFREC_CLI_MCP_SCHEMAS_H

#include "mcp/tools.h"

/* The schema of a tool's structured results: what reply.c writes. NULL when memory is gone. */
json_t *schema_of_reply(const struct tool *t);

#endif
