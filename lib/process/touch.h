/* SPDX-License-Identifier: MIT */
/*
 * touch.h - open files by the rules of opener.h, with the caller's rights
 *
 * For the child processes only: anything here may hang.  All return -1 with errno set as opener.h
 * says.
 */
#ifndef JFREC_PROCESS_TOUCH_H
#define JFREC_PROCESS_TOUCH_H

#include <sys/stat.h>

#include "process/opener_wire.h"

/* From what stat() says. */
void touch_take(struct opener_file *f, const struct stat *st);

/* What the descriptor stands for. */
int touch_fstat(int fd, struct opener_file *f);

/* Whatever has that name, O_PATH, with *f set; also a link. */
int touch_find(int dir, const char *path, struct opener_file *f);

int touch_directory(const struct opener_worker *w, int dir, const char *path, int flags,
		    struct opener_file *f);
int touch_file(const struct opener_worker *w, int dir, const char *path, int flags,
	       struct opener_file *f);

/* The same of what an O_PATH descriptor stands for, which stays open. */
int touch_reopen(const struct opener_worker *w, int fd, int flags, struct opener_file *f);

int touch_remove(const struct opener_worker *w, int dir, const char *name,
		 const struct opener_file *expected);
int touch_connect(const struct opener_worker *w, int dir, const char *name, struct opener_file *f);

/* To the very socket that an O_PATH descriptor stands for, whatever has its name by now. */
int touch_connect_to(int socket_fd);

/*
 * May the caller make a file in the directory?  0, or -1: EROFS, EACCES, ENOSPC where no file more
 * has room.
 */
int touch_may_create(int dir);

/* What its file system has room for. */
int touch_space(int dir, struct opener_space *s);

/* Make a file of a socket in the directory, and remove it: the proof. 0 or -1. */
int touch_try_socket(int dir);

/* Is the file system one that may not answer? */
bool touch_may_hang(int fd);

#endif
