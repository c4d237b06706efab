/* SPDX-License-Identifier: MIT */
/* jfrec/tool/output.h - what jfrec needs of outputs beside jfrec/output.h */
#ifndef JFREC_TOOL_OUTPUT_H
#define JFREC_TOOL_OUTPUT_H

#include "jfrec/output.h"

/* The compression that JFREC_BY_NAME means for a file of that name. */
enum jfrec_compression jfrec_output_compression(const char *path);

/*
 * Open an output that writes nothing: jfrec_output_size() returns how much would have been written.
 * It must be closed, and cannot be sealed or committed.  NULL with *err set (JFREC_ENOMEM).
 */
struct jfrec_output *jfrec_output_measure(struct jfrec_error *err);

/*
 * Remove the unfinished files that killed processes of the same user left in the directory of
 * `path`, if its file system does not support files without names: regular files called
 * ".NAME.jfrec-XXXXXXXX" that no running process has locked.  Returns how many were removed.
 */
size_t jfrec_output_sweep(const char *path);

/* Would the output replace the file at path, directly or through a link? */
bool jfrec_output_would_replace(const struct jfrec_output *o, const char *path);

/*
 * Change the name to commit to, within the same directory: before a commit, or after one that
 * failed with EEXIST.  0, or -1 with *err set (JFREC_ENOMEM) and the name unchanged.
 */
int jfrec_output_rename(struct jfrec_output *o, const char *path, struct jfrec_error *err);

/*
 * What is copied from now on leaves the disk and the memory to others: only a few MB wait to be
 * written at any time, and what was written is not kept in the page cache.
 */
void jfrec_output_give_way(struct jfrec_output *o);

/* Remove an uncommitted file.  May be called from a signal handler, if nothing else uses o. */
void jfrec_output_abandon(struct jfrec_output *o);

#endif
