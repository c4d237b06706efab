/* SPDX-License-Identifier: MIT */
/*
 * frame_names.h - the names of classes and methods in frames
 */
#ifndef JFREC_STACKS_FRAME_NAMES_H
#define JFREC_STACKS_FRAME_NAMES_H

#include <stdbool.h>

#include "base/arena.h"

/* How names are written. All zero: as class files have them, java/util/HashMap.put */
struct naming {
	bool with_dots;	 /* java.util.HashMap.put */
	bool is_simple;	 /* HashMap.put */
	bool normalizes; /* hidden classes and lambdas without what differs from run to run */
	bool is_jfrconv; /* `normalizes` cuts only what jfrconv 4.5 cuts */
};

/*
 * The name of a class as a frame shows it, from its symbol, in an arena. An array's symbol gives
 * "byte[]". NULL when memory is gone.
 */
const char *frame_class_name(const struct naming *n, const char *symbol, size_t len,
			     struct arena *arena, size_t *out_len);

/*
 * The name of a method as a frame shows it: with its class if there is one. Either may be NULL or
 * empty. NULL when memory is gone.
 */
const char *frame_method_name(const struct naming *n, const char *class_symbol, size_t class_len,
			      const char *method, size_t method_len, struct arena *arena,
			      size_t *out_len);

/* For frame_file_path(). */
#define FRAME_PATH_MAX 512

/*
 * The source file of a method, if it has its class's name: java/util/HashMap.java for
 * java.util.HashMap$Node.next. False: the name says nothing of one.
 */
bool frame_file_path(const char *name, size_t len, char path[static FRAME_PATH_MAX]);

struct thread_text {
	const char *text;
	size_t len;
	const char *id; /* whose digits a bracket ends; "": it has none */
};

/* "[main tid=3]" is the thread "main" with the id 3. A text of another form is all name. */
struct thread_text frame_thread_name(const char *text, size_t len);

#endif
