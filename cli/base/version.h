/* SPDX-License-Identifier: MIT */
/*
 * version.h - jfrec --version: which jfrec this is, and what is in it
 */
#ifndef JFREC_CLI_BASE_VERSION_H
#define JFREC_CLI_BASE_VERSION_H

/* argv[0] is --version; --verbose and --json may follow.  Returns an exit code. */
int version_run(int argc, char **argv);

/* "Linux x86_64, glibc 2.36": what it was built for, and the C library that it runs with. */
const char *version_system(void);

#endif
