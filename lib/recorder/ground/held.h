/* SPDX-License-Identifier: MIT */
/*
 * held.h - descriptors that the recorder keeps in a program which may close them
 *
 * A daemon closes all that it inherits, and its next file has the number of ours.  So each is
 * looked at before it is used, and has a high number, which few programs come to.
 */
#ifndef JFREC_RECORDER_GROUND_HELD_H
#define JFREC_RECORDER_GROUND_HELD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct held {
	int fd; /* -1: none */
	dev_t device;
	ino_t inode;
	uint64_t cookie; /* of a socket */
};

#define HELD_NONE ((struct held){ .fd = -1 })

/*
 * Keep this one, which is the caller's no more: it moves.  Without fstat() it is closed, and none
 * is kept.
 */
struct held held_take(int fd);

/* Is it still what it was when it was taken? */
bool held_is_there(const struct held *h);

/* Is it the same file as this one, whether it is there or not? */
bool held_is_same(const struct held *h, int fd);

/* Was its file deleted?  False as well if it is not there. */
bool held_is_unlinked(const struct held *h);

/* Close it, unless the number is the program's by now.  0, or -1 and errno. */
int held_close(struct held *h);

/*
 * The same in a child of fork(); where a filter of system calls may forbid it, it is closed by
 * exec.
 */
void held_close_in_child(struct held *h);

/*
 * Around what writes files in a thread of the program: a limit of their size and a pipe without a
 * reader are errors, and not the program's end.
 */
struct quiet {
	sigset_t before, added;
};
void quiet_begin(struct quiet *q);
void quiet_end(const struct quiet *q);

#endif
