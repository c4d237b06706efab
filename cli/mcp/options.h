/* SPDX-License-Identifier: MIT */
/*
 * options.h - what the server may do, as its command line says
 */
#ifndef JFREC_CLI_MCP_OPTIONS_H
#define JFREC_CLI_MCP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct mcp_options {
	const char *root, *out; /* directories; NULL: none */
	const char *log;	/* a file; NULL: none */
	const char *salt;	/* of the tokens that stand for secrets; NULL: a random one */
	bool live, skill;
	uint64_t max_reply, max_disk; /* bytes */
	int64_t max_time_ns;
};

/* Serve on standard input and output until the input ends. Returns an exit code. */
int mcp_serve(const struct mcp_options *o);

#endif
