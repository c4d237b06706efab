/* SPDX-License-Identifier: MIT */
/*
 * loaded.h - find the libjvm.so that a process has loaded
 */
#ifndef JFREC_PROCESS_LOADED_H
#define JFREC_PROCESS_LOADED_H

#include "process/process.h"

struct loaded {
	enum jfrec_jvm_kind kind; /* JFREC_JVM_MAYBE: none of those we know */
	bool denied;		  /* we may not see what it has loaded */
	bool deleted;		  /* the library's file has been replaced since */
	char *library;		  /* path of libjvm.so as the kernel has it, or NULL */
	char *perf;		  /* "hsperfdata_app", if its performance data is mapped, or NULL */
	char *tmp;		  /* the directory that is in, as the kernel has it, or NULL */
	int ns_pid;		  /* by which it names its performance data; 0: any will do */
};

/* Look through /proc/PID/maps. 0, or -1: no memory. */
int loaded_read(struct loaded *l, const struct process *p);

/* What a line of it adds.  Changes the line. 0, or -1: no memory. */
int loaded_take_line(struct loaded *l, char *line);

/* What all lines say together. */
void loaded_conclude(struct loaded *l);

/* Frees what is in it. A zeroed one is allowed. */
void loaded_fini(struct loaded *l);

#endif
