/* SPDX-License-Identifier: MIT */
/*
 * dictionary.h - look up what each JDK version can record
 */
#ifndef JFREC_CLI_OPTS_DICTIONARY_H
#define JFREC_CLI_OPTS_DICTIONARY_H

#include "base/command.h"

/*
 * The dictionary of a JDK, or (0) the newest; says so if another one has to stand for
 * it.  NULL after a failure, which was reported.
 */
struct jfrec_dictionary *open_dictionary(int jdk);

/* The value of --jdk, a version such as 17; its destination is an int, 0 at first. */
opt_take_fn take_jdk;

/* Enough for 32 JDKs, each a range of its own. */
#define JDK_RANGE_MAX 256

/* "JDK 17 and later", "JDK 8 and 11", "JDK 25 only", of jfrec_dictionary_presence(). */
const char *jdk_range(const struct jfrec_dictionary *d, uint32_t presence, char to[JDK_RANGE_MAX]);

/* Say what failed with a dictionary.  Returns an exit code. */
int report_dictionary(const struct jfrec_error *err);

/*
 * "+SocketRead#threshold" is "+jdk.SocketRead#threshold", where JDKs have such an event and the
 * name has no dot.  To be freed; NULL: no memory.
 */
char *setting_key(const char *key, size_t len);

#endif
