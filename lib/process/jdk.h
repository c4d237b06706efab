/* SPDX-License-Identifier: MIT */
/*
 * jdk.h - find the version of the JDK that a libjvm.so belongs to
 */
#ifndef JFREC_PROCESS_JDK_H
#define JFREC_PROCESS_JDK_H

#include "base/arena.h"
#include "process/jvm_root.h"
#include "process/version.h"

/*
 * The version in the file `release`, in one of the directories above the library
 * that the process has loaded.  NULL if there is none.
 */
char *jdk_version(struct jvm_root *r, const char *library, struct arena *arena);

/* Does that JDK have Flight Recorder? */
enum jdk_part jdk_find_recorder(struct jvm_root *r, const char *library);

#endif
