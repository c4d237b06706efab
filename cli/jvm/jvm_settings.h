/* SPDX-License-Identifier: MIT */
/*
 * jvm_settings.h - adapt settings to the version and the collector of a JVM
 */
#ifndef JFREC_CLI_JVM_JVM_SETTINGS_H
#define JFREC_CLI_JVM_JVM_SETTINGS_H

#include <jansson.h>

#include "opts/attach_opts.h"
#include "opts/jfr_opts.h"

/* What of the arguments is for the JVM, and the files to be carried to it. */
struct jvm_settings {
	struct jfrec_jfr_option options[JFR_OPTS_MAX];
	size_t count;
	struct jfrec_jfr_settings files[JFR_OPTS_FILES_MAX];
	size_t file_count;
	char *made[JFR_OPTS_FILES_MAX]; /* what belongs to us */
	const struct jfr_opts *args;	/* the arguments themselves */
	json_t *left_out; /* what the JVM does not get, and why; NULL: not looked at */
};

/*
 * Make .jfc files of profiles and YAML, for the JDK of that JVM, with what is --set in them; with
 * trace set, say which events and settings that JDK lacks.  Of our profiles, also without what its
 * garbage collector does not bear.
 * Returns an exit code, after saying what failed; jvm_settings_fini() in any case.
 */
int jvm_settings_prepare(struct jfrec_session *session, const struct jfrec_jvm *jvm, bool trace,
			 const struct jfr_opts *a, struct jvm_settings *c);

void jvm_settings_fini(struct jvm_settings *c);

#endif
