/* SPDX-License-Identifier: MIT */
/*
 * borrowed.h - types of the JDK that native programs may have, too
 */
#ifndef JFREC_RECORDER_TYPES_BORROWED_H
#define JFREC_RECORDER_TYPES_BORROWED_H

#include <stdbool.h>

#include "recorder/jfrec-recorder.h"

/* Is it one of them, with the fields that the JDK's has, in its order? */
bool borrowed_is_sound(const struct jfrec_event_type *t);

/* Their names, from 0 on; NULL: no more. */
const char *borrowed_name(unsigned i);

#endif
