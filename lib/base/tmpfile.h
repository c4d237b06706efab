/* SPDX-License-Identifier: MIT */
/*
 * tmpfile.h - create an unnamed temporary file
 */
#ifndef JFREC_BASE_TMPFILE_H
#define JFREC_BASE_TMPFILE_H

/* Make one in that directory, for its owner alone.  -1 with errno set. */
int tmpfile_in(const char *directory);

#endif
