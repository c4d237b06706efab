/* SPDX-License-Identifier: MIT */
/*
 * exercise_parts.h - what the files of exercise.h share
 */
#ifndef JFREC_EXERCISE_PARTS_H
#define JFREC_EXERCISE_PARTS_H

#include <stdbool.h>

#include "exercise.h"
#include "jfrec.h"

/* Events looked at in one recording. */
#define MAX_EVENTS 20000

/* Abort unless it is so. */
void insist(bool good, const char *what);

/* The length of the recording, and the file in memory that holds it. */
size_t exercise_len(void);
int memory_file(void);

/* Read a text, although nobody needs it. */
void touch(const char *text);

/* A problem must have a text. */
void on_problem(void *ctx, const struct jfrec_problem *p);

/* Read all values of an event. */
void read_event(const struct jfrec_event *ev);

/* Open a recording; problems must have a text, and a failure must say why. */
extern const struct jfrec_open_options rescuing;
struct jfrec_reader *open_with(const struct jfrec_open_options *options, const char *path);
struct jfrec_reader *open_reader(void);

/* A disk that is full after a while: the first output is kept, the second compared with it. */
struct output {
	size_t len, limit;
	bool compare;
};

struct output empty_output(bool compare);
int write_output(void *output, const void *data, size_t len);

#endif
