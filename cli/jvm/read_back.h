/* SPDX-License-Identifier: MIT */
/*
 * read_back.h - does a recording that was started record what was asked for?
 */
#ifndef JFREC_CLI_JVM_READ_BACK_H
#define JFREC_CLI_JVM_READ_BACK_H

#include "jvm/for_each_jvm.h"
#include "jvm/jvm_settings.h"

/*
 * Compare the settings that the JVM was given with those that it has, and look for the threads that
 * it needs.  What is missing is reported, and added to the JSON result.
 *
 * EXIT_DONE, or EXIT_FAILED if the JVM does not record what it could.
 */
int read_back(const struct each_jvm *j, const struct jvm_settings *c,
	      const struct jfrec_jfr_started *started);

#endif
