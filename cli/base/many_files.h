/* SPDX-License-Identifier: MIT */
/*
 * many_files.h - raise the limit of open files
 */
#ifndef JFREC_CLI_BASE_MANY_FILES_H
#define JFREC_CLI_BASE_MANY_FILES_H

/*
 * All chunks of a repository are open at once, so that none can be removed meanwhile: allow as
 * many files as may be, which is more than shells do.
 */
void allow_many_files(void);

#endif
