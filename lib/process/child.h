/* SPDX-License-Identifier: MIT */
/*
 * child.h - run code that may hang, or needs other rights, in a child process
 */
#ifndef JFREC_PROCESS_CHILD_H
#define JFREC_PROCESS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* As fork(); the child begins deaf: a signal meant for its parent's group must not end it. */
pid_t child_fork(void);

/*
 * In the child: a session of its own, in the root directory, and of all descriptors only these,
 * which get new numbers from 3 on; -1 stays.  The standard streams are /dev/null.
 *
 * A pipe that the parent was called with stays open as long as any process has it, and its reader
 * would wait for us.
 */
void child_let_go(int *const fds[], size_t count);

/* Wait for its end.  False: it goes on, and is still the caller's to wait for. */
bool child_await(pid_t pid, int ms);

/*
 * It need not end, as when a file system holds it: do not wait for it.  It is waited for when other
 * children are given up.  kill_it: it has nothing to clear up.
 */
void child_give_up(pid_t pid, bool kill_it);

/*
 * Send a message of that size, with a descriptor unless that is -1. False: the other end is closed.
 */
bool child_send(int channel, const void *message, size_t size, int fd);

/*
 * Receive one.  Returns its size, 0 at the end, -1 with errno set.  *fd: what came with it, or -1;
 * the caller's.
 */
ssize_t child_receive(int channel, void *message, size_t room, int *fd);

#endif
