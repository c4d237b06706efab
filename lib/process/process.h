/* SPDX-License-Identifier: MIT */
/*
 * process.h - a handle to one process that cannot become another one
 *
 * A process is known by its pid and the time it was started.  dir_fd, of
 * /proc/PID, and pid_fd stay with the process even after its number has been
 * given away: everything is read relative to the one, and every signal sent
 * through the other.
 */
#ifndef JFREC_PROCESS_PROCESS_H
#define JFREC_PROCESS_PROCESS_H

#include <limits.h>
#include <stddef.h>

#include "jfrec.h"
#include "process/proc_text.h"

struct process {
	int pid;
	int dir_fd; /* /proc/PID, O_PATH */
	int pid_fd; /* -1 where the kernel has none, or does not let us */
	uint64_t start_ticks;
	struct proc_status status; /* as of the last process_refresh() */
};

/* What can be closed, and is not a process. */
#define PROCESS_NONE ((struct process){ .dir_fd = -1, .pid_fd = -1 })

/*
 * start_ticks: which of all processes that had this pid; 0: the present one.
 * One that has ended and whose parent has not noticed yet can be opened.
 *
 * 0, or -1 with *err set and nothing to close: JFREC_ENOJVM if there is none,
 * JFREC_EPERMISSION if it is hidden from us, JFREC_EIO, JFREC_ENOMEM.
 */
int process_open(struct process *p, int pid, uint64_t start_ticks, struct jfrec_error *err);

/* Closes both descriptors. PROCESS_NONE, and what was closed before, is allowed. */
void process_close(struct process *p);

/* Read its status again. 0, or -1 with *err set: JFREC_EDIED if it has ended. */
int process_refresh(struct process *p, struct jfrec_error *err);

/* Would SIGQUIT be handled, as of the last refresh?  Otherwise it kills, or is lost. */
bool process_catches_quit(const struct process *p);

/* Stopped or held by a debugger, as of the last refresh: signals wait. */
bool process_is_stopped(const struct process *p);

/* Ended, as of the last refresh, though its parent has not noticed. */
bool process_is_zombie(const struct process *p);

/* 0, or -1 with errno set: ESRCH if it has ended, EPERM. */
int process_signal(const struct process *p, int sig);

/* Has it ended by now?  Asks the system. */
bool process_has_exited(const struct process *p);

/* Is there a thread of that name (its first 15 bytes) now?  How many are there? */
bool process_has_thread(const struct process *p, const char *name);
size_t process_count_threads(const struct process *p, const char *name);

/*
 * Call fn(ctx, number, link) for each of its descriptors with what the kernel calls it: a path, or
 * "socket:[4711]", or a path and " (deleted)".  A negative result ends it, and is returned.  0, or -1
 * with errno set if they are not ours to see (EACCES) or it has ended (ENOENT, ESRCH).
 */
typedef int process_descriptor_fn(void *ctx, int number, const char *link);
int process_each_descriptor(const struct process *p, process_descriptor_fn *fn, void *ctx);

/* What a link of /proc/PID, such as "cwd", says; false if it is not ours to see, or too long. */
bool process_link(const struct process *p, const char *name, char path[PATH_MAX]);

/* What such a link leads to, O_PATH.  -1 with errno set. */
int process_open_link(const struct process *p, const char *name);

/* What it has open by that number, O_PATH: that has no effect on it.  -1 with errno set. */
int process_open_descriptor(const struct process *p, int number);

/*
 * All of a file of /proc/PID, such as "cmdline", up to `limit` bytes.  Ends in
 * NUL; to be freed.  NULL with errno set: EACCES, ESRCH or ENOENT if it has ended.
 */
char *process_read(const struct process *p, const char *name, size_t limit, size_t *len);

#endif
