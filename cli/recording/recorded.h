/* SPDX-License-Identifier: MIT */
/*
 * recorded.h - record a JVM for a command that then reads the recording
 */
#ifndef JFREC_CLI_RECORDING_RECORDED_H
#define JFREC_CLI_RECORDING_RECORDED_H

#include "recording/operand.h"

/*
 * Record the JVM that target names for o->duration_ns, with these settings.  Both return the exit
 * code of `jfrec record`, after saying what failed; EXIT_INTERRUPTED where Ctrl-C ended it early.
 */

/* Nothing of it is left on the disk.  With EXIT_DONE, *reader is to be closed. */
int record_briefly(const struct operand_opts *o, const char *target, const char *settings,
		   struct jfrec_reader **reader);

/*
 * It is written where o says, in the current directory or that of the configuration, or, if nothing
 * can be written there, in one for temporary files.  Says where it is; path is "" if nowhere.
 */
int record_and_keep(const struct operand_opts *o, const char *target, const char *settings,
		    char path[OUTNAME_MAX]);

#endif
