/* SPDX-License-Identifier: MIT */
/*
 * progress.h - show the progress of a command on a terminal
 */
#ifndef JFREC_CLI_BASE_PROGRESS_H
#define JFREC_CLI_BASE_PROGRESS_H

#include "jfrec.h"

/*
 * Show the reader's progress on stderr, from the second second on, if stderr
 * is a terminal and the output goes somewhere else.  Ctrl-C ends the document
 * well; a second one kills.
 */
void progress_begin(struct jfrec_reader *r);

/*
 * The same for a command that writes a file: progress is shown wherever standard
 * output goes, and no signal that can be caught ends the program before it has
 * removed what it wrote.
 */
void progress_begin_writing(struct jfrec_reader *r);

/*
 * Before a document is printed: Ctrl-C is noted, stops the reader (or NULL), and interrupts no
 * write, since stdio would lose what it was to write; a second one kills.
 */
void progress_begin_printing(struct jfrec_reader *r);

/* The signal that came, or 0. */
int progress_signal(void);

/* Was Ctrl-C pressed? */
bool progress_is_interrupted(void);

/* Remove the line. True if Ctrl-C was pressed. */
bool progress_end(void);

#endif
