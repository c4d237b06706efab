/* SPDX-License-Identifier: MIT */
/*
 * errand.h - a command of jfrec in a process of its own, which is killed when it takes too long
 */
#ifndef JFREC_CLI_MCP_ERRAND_H
#define JFREC_CLI_MCP_ERRAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/grown_text.h"

/* All pipes of one that was not started. */
#define ERRAND_NO_PIPES { -1, -1, -1 }

#define ERRAND_FILES 2

/* What comes of it: it is printed, said on standard error, or is the document beside the text. */
enum errand_text { ERRAND_PRINTED, ERRAND_SAID, ERRAND_DOCUMENT, ERRAND_TEXTS };

/* The descriptor to which a command writes its document: the one after its files. */
#define ERRAND_DOCUMENT_FD 5

/* What it runs: one or the other. */
struct work {
	const char *const *argv; /* a command line of jfrec: argv[0] is its command */
	int files[ERRAND_FILES]; /* the command has them as descriptors 3 and 4; -1: none */
	int (*run)(void *ctx);	 /* or a function, whose status it returns */
	void *ctx;
	uint64_t file_max; /* bytes that it may write into a file; 0: any number */
	int64_t time_ns;   /* how long it may take */
};

struct errand {
	pid_t pid;		 /* 0: there is none */
	int pipes[ERRAND_TEXTS]; /* -1: closed */
	struct grown_text texts[ERRAND_TEXTS];
	size_t most; /* bytes to take of what it prints; then it is ended */
	bool is_full, is_late, is_done;
	int64_t until_ns;
	int status; /* once it is done: as of the command; 128 and more: killed by a signal */
};

/* 0, or errno. */
int errand_start(struct errand *w, const struct work *work, size_t most);

/* Take what there is so far, from the pipe of that number. */
void errand_read(struct errand *w, enum errand_text pipe);

/* Look at the time, and whether it has ended: then .is_done. */
void errand_look(struct errand *w);

/* End it: it gets a second to clean up, and is killed then. */
void errand_end(struct errand *w);

/* Free what it printed. */
void errand_fini(struct errand *w);

#endif
