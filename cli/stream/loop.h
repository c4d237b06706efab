/* SPDX-License-Identifier: MIT */
/*
 * loop.h - the event loop of `jfrec stream`, and the JVMs it follows
 */
#ifndef JFREC_CLI_STREAM_LOOP_H
#define JFREC_CLI_STREAM_LOOP_H

#include "opts/target.h"
#include "stream/http.h"
#include "stream/source.h"

/* What was asked for, and what has become of it. */
struct loop {
	struct streaming all;
	struct target target; /* without a name */
	char *const *names;
	int name_count;
	bool follows;	    /* JVMs that are started later, too */
	bool once;	    /* what there is now, and no more */
	const char *listen; /* where to serve what is measured; NULL: print it at the end */
	const char *file;   /* or write it to this file, ... */
	int64_t every_ns;   /* ... again and again; 0: at the end */
	int64_t written_at_ns;
	struct jfrec_streams *streams;
	struct http http;
	struct pollfd *fds; /* to wait for */
	size_t fd_room;
	int64_t to_ns; /* when nothing more is looked out for, if all.for_ns */
	int status;
};

/* A name of JVMs has no slash, and there is no file of that name. */
bool loop_is_path(const char *name);

/* Until all has ended, or a signal comes.  Returns the exit code. */
int loop_run(struct loop *w, const struct command *c);

#endif
