/* SPDX-License-Identifier: MIT */
/*
 * proc_text.h - parse the files of /proc/PID
 *
 * Functions of text alone.  The text is half the process's own: its name and
 * the paths of its files may hold any byte, line feeds and parentheses
 * included, and need not be UTF-8.
 */
#ifndef JFREC_PROCESS_PROC_TEXT_H
#define JFREC_PROCESS_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of /proc/PID/status, what matters to us. */
struct proc_status {
	char state;	   /* 'R', 'S', 'D', 'T' stopped, 't' traced, 'Z' and 'X' ended, ... */
	int tgid;	   /* the process that a thread belongs to: its own pid */
	int ns_pid;	   /* its pid in the innermost namespace */
	unsigned ns_depth; /* pid namespaces from ours to that: 1 is ours */
	int tracer;	   /* the pid of its debugger, or 0 */
	uint32_t ruid, euid, suid;
	uint32_t rgid, egid, sgid;
	uint64_t blocked, ignored, caught; /* signal n is bit n - 1 */
	uint64_t pending;  /* for its first thread or all of it: sent, and not taken yet */
	uint64_t switches; /* how often its first thread has gone to sleep */
	int threads;
	uint64_t capabilities; /* effective; capability n is bit n */
	bool has_memory;       /* else a kernel thread, or ended */
	uint64_t resident, swapped; /* bytes of its pages in memory, and swapped out */
};

/* False if a line that every Linux has is missing. */
bool proc_status_parse(struct proc_status *s, const char *text);

/*
 * Of /proc/PID/status: the supplementary groups, of which *groups is then a list to be freed, or
 * NULL if there are none.  False if memory is short.
 */
bool proc_status_groups(const char *text, uint32_t **groups, size_t *count);

/* Of /proc/PID/stat: when the process was started, in clock ticks since boot. */
bool proc_stat_start(const char *text, uint64_t *ticks);

/* The same, and more of what changes when a process becomes another program. */
struct proc_look {
	char name[64]; /* of the program; 15 bytes, but of the kernel's own */
	bool has_ended;
	uint64_t threads, start_ticks;
};
bool proc_stat_look(const char *text, struct proc_look *look);

/*
 * The path that a line of /proc/PID/maps ends in, a piece of the line, or NULL.
 * Line feeds in it are written as \012.  A " (deleted)" after it is removed, and reported.
 */
const char *proc_maps_path(char *line, bool *deleted);

/*
 * Of /proc/self/mountinfo: does the /proc that counts hide processes?  Then *how is the value of
 * its option hidepid.
 */
bool proc_mounts_hidepid(const char *text, char *how, size_t size);

/* Of /proc/PID/uid_map: has that number, of the namespace where it is read, one inside? */
bool proc_map_has(const char *text, uint32_t id);

#endif
