/* SPDX-License-Identifier: MIT */
/*
 * dumps.h - thread dumps in the order in which they were added
 */
#ifndef JFREC_THREADS_DUMPS_H
#define JFREC_THREADS_DUMPS_H

#include "threads/dump.h"

struct jfrec_thread_dumps {
	struct dump **items; /* each allocated: what is in them points into it */
	size_t count, room;
	char **texts;
	size_t text_count, text_room;
};

#endif
