/* SPDX-License-Identifier: MIT */
/*
 * own_wire.h - what own.c and its child say to each other
 */
#ifndef JFREC_PROCESS_OWN_WIRE_H
#define JFREC_PROCESS_OWN_WIRE_H

#include <limits.h>
#include <stdint.h>

#include "process/identity.h"
#include "process/own.h"

/* Bytes of a file or of a list that go into one message. */
#define OWN_PIECE (32u << 10)

enum own_op {
	OWN_LOOK,
	OWN_OPEN_DIRECTORY,
	OWN_OPEN_FILE,
	OWN_REOPEN, /* the descriptor that comes with it */
	OWN_READ,
	OWN_LIST,
	OWN_REMOVE,
	OWN_CONNECT,
};

/* With a descriptor: of the directory, mostly. */
struct own_request {
	enum own_op op;
	int flags;
	uint64_t limit;
	struct own_file expected;
	char path[PATH_MAX];
};

/*
 * The answer; a descriptor may come with it.  Before that, for OWN_READ and OWN_LIST, any number of
 * messages with a piece of the data: a reply whose `bytes` is not 0, and so many bytes after it.
 */
struct own_reply {
	int result; /* 0, 1, or -1 with error set */
	int error;
	uint32_t bytes;
	struct own_file file;
};

/* A piece of a list has these, each with its name after it and padded to 8 bytes. */
struct own_entry {
	struct own_file file;
	uint32_t name_len; /* without a NUL */
	uint32_t size;	   /* of all of it */
};

/* What the child does until it ends. */
_Noreturn void own_serve(int channel, int root_fd, const struct identity *id);

#endif
