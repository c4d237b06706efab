/* SPDX-License-Identifier: MIT */
/*
 * own_wire.h - what own.c and its child say to each other
 */
#ifndef JFREC_PROCESS_OWN_WIRE_H
#define JFREC_PROCESS_OWN_WIRE_H

#include <limits.h>
#include <stdbool.h>
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
	OWN_MAY_CREATE, /* in the directory */
	OWN_SPACE,	/* of its file system */
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
	struct own_space space;
};

/* A piece of a list has these, each with its name after it and padded to 8 bytes. */
struct own_entry {
	struct own_file file;
	uint32_t name_len; /* without a NUL */
	uint32_t size;	   /* of all of it */
};

/* Who does it: the child, or own.c itself for OWN_HERE. */
struct own_worker {
	uid_t uid;	/* whose things are meant */
	uid_t root_uid; /* whom the root directory belongs to */
	/* Where pieces of data go.  False: they are not wanted any more. */
	bool (*put)(void *ctx, const char *bytes, size_t len);
	void *ctx;
};

/* What is asked for. 0 or an errno; *fd: a descriptor for the caller, or -1. */
int own_carry_out(const struct own_worker *w, const struct own_request *q, int dir,
		  struct own_reply *r, int *fd);

/*
 * In a child, after child_let_go(): become that user, and tell the parent.  False: the child must
 * end.  uid: whose things are meant; *channel must live as long as *w.
 */
bool own_begin(struct own_worker *w, int *channel, int root_fd, const struct identity *id,
	       uid_t uid);

/* Carry out a request that came, and answer it. */
void own_answer(const struct own_worker *w, int channel, struct own_request *q, int dir);

/* What the child does until it ends. */
_Noreturn void own_serve(int channel, int root_fd, const struct identity *id, uid_t uid);

#endif
