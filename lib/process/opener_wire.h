/* SPDX-License-Identifier: MIT */
/*
 * opener_wire.h - what opener.c and its child say to each other
 */
#ifndef JFREC_PROCESS_OPENER_WIRE_H
#define JFREC_PROCESS_OPENER_WIRE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "process/identity.h"
#include "process/opener.h"

/* Bytes of a file or of a list that go into one message. */
#define OPENER_PIECE (32u << 10)

enum opener_op {
	OPENER_LOOK,
	OPENER_OPEN_DIRECTORY,
	OPENER_OPEN_FILE,
	OPENER_REOPEN, /* the descriptor that comes with it */
	OPENER_READ,
	OPENER_LIST,
	OPENER_REMOVE,
	OPENER_CONNECT,
	OPENER_MAY_CREATE, /* in the directory */
	OPENER_SPACE,	/* of its file system */
};

/* With a descriptor: of the directory, mostly. */
struct opener_request {
	enum opener_op op;
	int flags;
	uint64_t limit;
	struct opener_file expected;
	char path[PATH_MAX];
};

/*
 * The answer; a descriptor may come with it.  Before that, for OPENER_READ and OPENER_LIST, any
 * number of messages with a piece of the data: a reply whose `bytes` is not 0, and so many bytes
 * after it.
 */
struct opener_reply {
	int result; /* 0, 1, or -1 with error set */
	int error;
	uint32_t bytes;
	struct opener_file file;
	struct opener_space space;
};

/* A piece of a list has these, each with its name after it and padded to 8 bytes. */
struct opener_entry {
	struct opener_file file;
	uint32_t name_len; /* without a NUL */
	uint32_t size;	   /* of all of it */
};

/* Who does it: the child, or opener.c itself for OPENER_HERE. */
struct opener_worker {
	uid_t uid;	/* whose things are meant */
	uid_t root_uid; /* whom the root directory belongs to */
	/* Where pieces of data go.  False: they are not wanted any more. */
	bool (*put)(void *ctx, const char *bytes, size_t len);
	void *ctx;
};

/* What is asked for. 0 or an errno; *fd: a descriptor for the caller, or -1. */
int opener_carry_out(const struct opener_worker *w, const struct opener_request *q, int dir,
		     struct opener_reply *r, int *fd);

/*
 * In a child, after child_let_go(): become that user, and tell the parent.  False: the child must
 * end.  uid: whose things are meant; *channel must live as long as *w.
 */
bool opener_begin(struct opener_worker *w, int *channel, int root_fd, const struct identity *id,
		  uid_t uid);

/* Carry out a request that came, and answer it. */
void opener_answer(const struct opener_worker *w, int channel, struct opener_request *q, int dir);

/* What the child does until it ends. */
_Noreturn void opener_serve(int channel, int root_fd, const struct identity *id, uid_t uid);

#endif
