/* SPDX-License-Identifier: MIT */
/*
 * lost_returns_input.h - read an input as it was before each CR LF in it became LF
 */
#ifndef JFREC_FORMAT_LOST_RETURNS_INPUT_H
#define JFREC_FORMAT_LOST_RETURNS_INPUT_H

#include "format/problem.h"
#include "input/input.h"

/*
 * How many bytes the chunk at that offset lacks, by where the next one begins or the input ends;
 * *len: those that are left of it.  0 where nothing lacks, where so much does that it is something
 * else, and where no chunk begins: *len bytes are to be passed on then.  Reads all of the chunk of
 * a stream.
 */
uint64_t returns_lacking(struct input *in, uint64_t offset, uint64_t *len);

/*
 * Is it carriage returns that chunks lack: is there no CR LF in them where one should be by chance,
 * and can most of the first ones be put back for certain?  Of a stream the first chunk tells.
 */
bool returns_fit(struct input *in);

/*
 * Each chunk comes with the carriage returns that it lacks; doubts are reported.
 * *problems must live as long as the input.  0, or -1 with *err set.
 */
int returns_read(struct input *in, struct problems *problems, struct jfrec_error *err);

#endif
