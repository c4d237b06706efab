/* SPDX-License-Identifier: MIT */
/*
 * jvm_root.h - open the directories through which a JVM's files are reached
 *
 * They are opened once, with the rights of the caller, and used by descriptor
 * from then on: so neither pid, mount, network and user namespaces nor another
 * root directory are in the way, and rights may be given up in between.
 */
#ifndef JFREC_PROCESS_JVM_ROOT_H
#define JFREC_PROCESS_JVM_ROOT_H

#include "process/opener.h"

struct jvm_root {
	struct process process;
	struct opener opener; /* what touches what is below: as the JVM's user */
	int root_fd, tmp_fd; /* O_PATH */
	char tmp[PATH_MAX];  /* tmp_fd as the JVM knows it: "/tmp"; tmpdir.h */
	int cwd_fd;	     /* O_PATH, or -1 where that is denied */
	bool cwd_deleted;
	bool is_plain;	  /* its root is denied, and our own taken to be the same */
	char socket[24];  /* ".java_pid1": names in tmp_fd */
	char trigger[24]; /* ".attach_pid1": in cwd_fd or tmp_fd */
};

/* What can be closed. */
#define JVM_ROOT_NONE                                \
	((struct jvm_root){ .process = PROCESS_NONE, \
			    .opener = OPENER_NONE,         \
			    .root_fd = -1,           \
			    .tmp_fd = -1,            \
			    .cwd_fd = -1 })

/*
 * 0, or -1 with *err set and nothing to close: JFREC_ENOJVM, JFREC_EPERMISSION, JFREC_EATTACH
 * (no directory for its socket), JFREC_EIO, JFREC_ENOMEM.
 *
 * tmp: what tmpdir_find() said of the process, or NULL, and then it is asked.
 */
int jvm_root_open(struct jvm_root *r, int pid, uint64_t start_ticks, const char *tmp,
		  struct jfrec_error *err);

/* JVM_ROOT_NONE is allowed. */
void jvm_root_close(struct jvm_root *r);

#endif
