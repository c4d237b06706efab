/* SPDX-License-Identifier: MIT */
/*
 * helper.h - start the helper process and send it requests
 *
 * HotSpot takes commands from its own user and group; JDK 8 not even from root,
 * and a JVM in a user namespace does not know our root.  So the child takes on
 * the JVM's user and group, and does in its root what must be done there:
 * the handshake, connecting, files.  What it opens it hands to its parent.
 *
 * It is in a session of its own, deaf to signals, and holds none of the parent's
 * descriptors.  When the parent closes its end, or is killed, the child removes
 * and runs what it keeps for that moment, and ends.
 */
#ifndef JFREC_ATTACH_HELPER_H
#define JFREC_ATTACH_HELPER_H

#include <sys/types.h>

#include "attach/session.h"
#include "attach/trace.h"
#include "process/jvm_root.h"

enum helper_op {
	HELPER_FIND_PLACE,     /* handshake_find_place() */
	HELPER_LISTEN,	       /* handshake_start_listener() */
	HELPER_CONNECT,	       /* handshake_connect(): 1 and a descriptor, or 0 */
	HELPER_CREATE,	       /* text, a path: a new file, kept; its descriptor */
	HELPER_OPEN,	       /* text: the descriptor of a regular file */
	HELPER_OPEN_DIRECTORY, /* text: O_PATH */
	HELPER_REMOVE,	       /* text: remove a file and keep it no longer */
	HELPER_KEEP_FILE,      /* text: a number for HELPER_FORGET */
	HELPER_KEEP_COMMAND,   /* text: the same */
	HELPER_FORGET,	       /* number */
	HELPER_ABANDON,	       /* the last connection will not be read to its end */
};

struct helper_request {
	enum helper_op op;
	bool trace;	  /* tell the steps */
	bool attach_anyway; /* for HELPER_LISTEN: whatever its limits */
	int number;	  /* for HELPER_FORGET */
	int64_t deadline; /* for HELPER_LISTEN and HELPER_CONNECT; deadline.h */
	char text[SESSION_PATH_MAX];
};

/* Any number of steps, then the result; a descriptor may come with that. */
struct helper_reply {
	bool is_step; /* error.text is one */
	int result;   /* below 0: error is set */
	struct jfrec_error error;
};

struct helper {
	int channel; /* -1: there is none */
	pid_t pid;
};

#define HELPER_NONE ((struct helper){ .channel = -1 })

/*
 * Start the child.  0, or -1 with *err set and nothing to stop: JFREC_EPERMISSION if we may
 * not be that user, JFREC_EIO.
 */
int helper_start(struct helper *h, const struct jvm_root *r, struct jfrec_error *err);

/*
 * Have something done.  Returns its result, with *fd set if it has a descriptor, which is
 * the caller's; or -1 with *err set.
 */
int helper_call(const struct helper *h, const struct helper_request *request, const struct trace *t,
		int *fd, struct jfrec_error *err);

/* Have the child clear up, and wait until it has ended.  HELPER_NONE is allowed. */
void helper_stop(struct helper *h);

/* What the child does until it ends; r with descriptors from 3 on, and as it may see them. */
_Noreturn void helper_main(int channel, struct jvm_root *r);

#endif
