/* SPDX-License-Identifier: MIT */
/*
 * split_files.h - write the output files of `jfrec split`
 */
#ifndef JFREC_CLI_RECORDING_SPLIT_FILES_H
#define JFREC_CLI_RECORDING_SPLIT_FILES_H

#include "opts/output_opts.h"

/* All zero at first but for the options. */
struct split_files {
	/* Options. */
	const struct output_opts *to; /* .path: the directory, or NULL: the current one */
	/* The files. */
	char *base; /* "app" of /tmp/app.jfr.gz */
	struct jfrec_output **outputs;
	char **names;
	size_t count; /* 0 until it is known how many there will be */
	size_t opened;
	bool made_directory, committed;
	const char *failed; /* the name of the one that could not be written */
};

/*
 * Split a recording into files named after it, all or none: app_0.jfr, app_1.jfr,
 * ...  Returns 0, or -1 with *err set: JFREC_EOUTPUT if it is about p->failed, with
 * .sys EEXIST if that exists.  To be closed in any case.
 */
int split_files_write(struct split_files *p, struct jfrec_reader *r, const char *path,
		      const struct jfrec_split_limits *limits, struct jfrec_error *err);

/* Before the recording is opened confined: they may be written where they belong. */
void split_files_confine(const struct split_files *p);

/* What was not committed is removed. */
void split_files_close(struct split_files *p);

#endif
