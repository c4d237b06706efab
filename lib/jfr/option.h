/* SPDX-License-Identifier: MIT */
/*
 * option.h - names, types and limits of the options of JFR commands
 *
 * What a JVM makes of a wrong option differs from version to version: an error,
 * a warning and a recording with other settings than were asked for, or
 * silence.  So options are checked before they are sent.
 */
#ifndef JFREC_JFR_OPTION_H
#define JFREC_JFR_OPTION_H

#include "jfrec.h"

/* The JDK from which JFR.start takes the options and event settings of .jfc files. */
#define JDK_OF_SETTINGS 17

/* Any JDK: what a version has or lacks is not asked. */
#define ANY_JDK 0

/* "JFR.start" */
const char *jfr_command_name(enum jfrec_jfr_command command);

/*
 * Is it an option of that command, may it be given to this JDK (8, 17 ..., or
 * ANY_JDK), and is its value well-formed?  0, or -1 with *err set (JFREC_EINVAL).
 *
 * version: the JVM's, for the sentence; NULL with ANY_JDK.
 */
int jfr_option_check(enum jfrec_jfr_command command, const struct jfrec_jfr_option *option, int jdk,
		     const char *version, struct jfrec_error *err);

/* Do all JDKs have that option?  Then it need not be known which one it is. */
bool jfr_option_is_everywhere(enum jfrec_jfr_command command,
			      const struct jfrec_jfr_option *option);

/*
 * The value in the JVM's words: "250m" of "250MiB", which it does not know; others as they are.  In
 * `to`, or the option's own.
 */
#define JFR_VALUE_MAX 32
const char *jfr_option_for_jvm(const struct jfrec_jfr_option *option,
			       char to[static JFR_VALUE_MAX]);

/* Is the value a path for the JVM to write at, and has it that character? */
bool jfr_option_is_path(const struct jfrec_jfr_option *option, char with);

/*
 * "10m" in nanoseconds, "250MB" ("250m") in bytes, as the JVM reads them, and "250MiB", for which
 * see jfr_option_for_jvm().  False if it would refuse them, or if they are more than it can hold.
 */
bool jfr_parse_time(const char *text, int64_t *ns);
bool jfr_parse_size(const char *text, int64_t *bytes);

#endif
