/* SPDX-License-Identifier: MIT */
/*
 * cleaner.h - check whether systemd-tmpfiles would remove attach sockets
 *
 * systemd spares sockets that a process listens at, but looks for them by the name they
 * were bound to, and HotSpot renames its own after that.
 */
#ifndef JFREC_DOCTOR_CLEANER_H
#define JFREC_DOCTOR_CLEANER_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: nothing has been read yet. */
struct cleaner {
	bool decided;	/* a rule for /tmp was seen; the first one counts */
	char age[32];	/* "10d": what is older is removed from /tmp; "": nothing is */
	bool is_spared; /* attach sockets are excepted */
};

/* Take in the text of a file, in the order of the files' names. */
void cleaner_take(struct cleaner *c, const char *text);

/* Take in the files of this host. */
void cleaner_read(struct cleaner *c);

#endif
