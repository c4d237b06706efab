/* SPDX-License-Identifier: MIT */
/*
 * mangled.h - recognise a recording that was sent as text, and undo what that did to it
 *
 *	0a -> 0d 0a		kubectl exec -t, docker exec -t, FTP, a mail program
 *	0d 0a -> 0a		git with text=auto: few bytes are missing, and the events show where
 *	80..ff -> c2 80..c3 bf	Latin-1 taken for text and written as UTF-8
 *	80..ff -> ef bf bd	bytes that are not UTF-8, each replaced by U+FFFD; cannot be undone
 */
#ifndef JFREC_FORMAT_MANGLED_H
#define JFREC_FORMAT_MANGLED_H

#include "format/problem.h"
#include "input/input.h"

enum mangling {
	MANGLED_NOT,
	MANGLED_CR_ADDED,
	MANGLED_CR_LOST,
	MANGLED_AS_LATIN1,
	MANGLED_REPLACED,
};

/*
 * What happened to the input.  MANGLED_NOT for a file whose chunks have the sizes that their
 * headers say; what can be undone is said of a file only if the sizes fit then.  Of a pipe or a
 * compressed file the first bytes tell; of a pipe they do not tell that carriage
 * returns were lost.
 */
enum mangling mangled_how(struct input *in);

/*
 * Read the input as it was before, where that can be undone; nothing happens otherwise.  Doubts are
 * reported: *problems must live as long as the input.  0, or -1 with *err set.
 */
int mangled_undo(struct input *in, enum mangling how, struct problems *problems,
		 struct jfrec_error *err);

/* The message about it; NULL: none. */
const char *mangled_words(enum mangling how);

#endif
