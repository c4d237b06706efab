/* SPDX-License-Identifier: MIT */
/*
 * left_behind.h - find the repository that a killed JVM left
 */
#ifndef JFREC_CLI_JVM_LEFT_BEHIND_H
#define JFREC_CLI_JVM_LEFT_BEHIND_H

#include "jfrec.h"

/*
 * Open the repository in `directory` of a JVM that had this pid and is gone; pid 0: the only one
 * there, of any JVM.  It is read with the permissions of its owner, whom a message names.  Of
 * several of one user the newest one is taken, and the others are named.  Where they belong to
 * several users, anybody may have made one of that name, so none is.
 *
 * EXIT_DONE with *r, to be closed, and *path, to be freed; EXIT_NO_JVM if there is none, which is
 * not reported; or another exit code, after saying why.
 */
int left_behind_open(const char *directory, int pid, struct jfrec_repository **r, char **path);

#endif
