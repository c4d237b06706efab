/* SPDX-License-Identifier: MIT */
/*
 * request.h - what a client of the attach socket asks for
 *
 *	1\0 operation\0 argument\0 argument\0 argument\0
 *	2\0 size\0 operation[ options]\0 argument\0 ...		size: of what follows
 *	operation jcmd, first argument: "JFR.start name=a settings="x y.jfc"", or several lines
 *
 * Both parsers change what they are given: what they find are pieces of it.
 */
#ifndef JFREC_RECORDER_CONTROL_REQUEST_H
#define JFREC_RECORDER_CONTROL_REQUEST_H

#include <stddef.h>

#define REQUEST_MAX   (64u << 10)
#define REQUEST_ARGS  8u
#define COMMAND_ARGS 64u

struct request {
	const char *operation;
	char *args[REQUEST_ARGS]; /* "" where there are fewer */
};

enum request_state {
	REQUEST_PARTIAL,
	REQUEST_WHOLE,
	REQUEST_UNKNOWN_VERSION,
	REQUEST_BAD,
};

enum request_state request_parse(struct request *r, char *bytes, size_t len);

struct argument {
	const char *key, *value; /* value: NULL if there is no "=" */
};

struct command {
	const char *name; /* "": an empty line */
	struct argument args[COMMAND_ARGS];
	size_t count;
};

/* One line.  NULL, or what is wrong with it. */
const char *command_parse(struct command *c, char *line);

#endif
