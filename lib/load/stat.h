/* SPDX-License-Identifier: MIT */
/*
 * stat.h - what /proc/PID/stat says a process, or one of its threads, has used
 */
#ifndef JFREC_LOAD_STAT_H
#define JFREC_LOAD_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat_line {
	char name[16]; /* any bytes; its first 15 */
	char state;
	uint64_t ticks;	      /* of processors, since it began */
	uint64_t threads;     /* of the process */
	uint64_t start_ticks; /* since boot */
	uint64_t resident;    /* bytes of the process */
};

/* Understand the text of such a file. False if it is not of that form. */
bool stat_parse(struct stat_line *s, const char *text);

/* Read the file of that name in a directory of /proc. False: it is gone, or not ours to see. */
bool stat_read(struct stat_line *s, int dir, const char *path);

/* Seconds that so many ticks of the file are. */
double stat_seconds(uint64_t ticks);

#endif
