/* SPDX-License-Identifier: MIT */
/*
 * perfdata.h - the file by which jps, jcmd -l and jfrec list find a process
 */
#ifndef JFREC_RECORDER_OBSERVE_PERFDATA_H
#define JFREC_RECORDER_OBSERVE_PERFDATA_H

#define RECORDER_VM_NAME "jfrec native recorder"

/* As which Java version it answers: so tools know what they may ask. */
#define RECORDER_JAVA "25"

/* Write and map it.  Without it, tools that are given the pid can still attach. */
void perfdata_open(void);

/* Remove it; in the child of a fork(): forget it. */
void perfdata_close(void);
void perfdata_forget(void);

/* The command line, its arguments separated by blanks; "": it cannot be read. */
void command_line(char *text, unsigned size);

#endif
