/* SPDX-License-Identifier: MIT */
/*
 * recording_archive.h - the recordings in an archive, each a file of the recording
 */
#ifndef JFREC_FORMAT_RECORDING_ARCHIVE_H
#define JFREC_FORMAT_RECORDING_ARCHIVE_H

#include "format/recording.h"

/*
 * Put the recordings in the archive that is the open file in its place, in the order of time.  The
 * input is closed.  0, or -1 with *err set: it has none.
 */
int recording_expand(struct recording *r, struct jfrec_error *err);

/* What the names of its recordings begin with, before ": ". */
const char *recording_archive_name(const char *path);

/* Have references to the members of another recording of the same files. */
int recording_copy_members(const struct recording *r, struct recording *again);

/* Tell what could not be read of archives, once. */
void recording_tell_archives(struct recording *r);

/* Tell nothing of that. */
void recording_forget_told(struct recording *r);

/* Forget all about them. */
void recording_forget_archives(struct recording *r);

#endif
