/* SPDX-License-Identifier: MIT */
/*
 * hsperf.h - read the performance data that HotSpot keeps in /tmp
 *
 * A hint, not a proof: the file outlives a killed JVM, is missing with
 * -XX:-UsePerfData, and belongs to the JVM's user, who may write anything to it.
 */
#ifndef JFREC_PROCESS_HSPERF_H
#define JFREC_PROCESS_HSPERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/opener.h"

/* Strings are NULL if they are not there; else they point into the bytes, and end in NUL. */
struct hsperf {
	bool accessible;  /* the JVM has been initialised */
	bool is_overfull; /* some entries found no room */

	const char *command;	  /* main class or jar, and its arguments; cut at 1024 bytes */
	const char *arguments;	  /* options of the JVM, wherever they come from; cut, too */
	const char *java_version; /* "17.0.15" */
	const char *spec_version; /* "17"; "1.8" */
	const char *vm_version;	  /* "17.0.15+6-Debian-1deb12u1" */
	const char *vm_name;	  /* "OpenJDK 64-Bit Server VM" */
	const char *vm_vendor;
	const char *home;	  /* java.home */
	const char *capabilities; /* characters 0 and 1; the first: may attach */

	size_t len; /* of the bytes */
};

/* An entry: a string that ends in NUL, or else a number. */
struct hsperf_entry {
	const char *name;
	const char *text; /* NULL: a number */
	int64_t number;
};

typedef void hsperf_entry_fn(void *ctx, const struct hsperf_entry *entry);

/*
 * Understand what was read of a file.  False if it is not of version 2, the only
 * one there is.  Entries that are not as they should be are passed over.
 */
bool hsperf_parse(struct hsperf *h, const void *bytes, size_t len);

/* Hand over each entry of what was read, and the header's numbers by the names that the JDK has. */
void hsperf_each(const void *bytes, size_t len, hsperf_entry_fn *fn, void *ctx);

/*
 * Read the file of a process below /tmp of its root.  Nothing is believed but a
 * regular file with one name, of the process's user, read as it is at one moment.
 *
 * tmp: that /tmp, O_PATH, and *o what opens files there.  Returns the bytes, to be freed when *h is
 * no longer needed, or NULL: there is no such file, or we may not read it.
 */
void *hsperf_read(struct hsperf *h, const struct process *p, struct opener *o, int tmp);

/* The same where its directory is known, such as "hsperfdata_app". */
void *hsperf_read_from(struct hsperf *h, const struct process *p, struct opener *o, int tmp,
		       const char *directory);

/*
 * Open the file, to be read at any interval: directory as above, or NULL, and then it is looked
 * for. A descriptor, or -1: there is none, we may not read it, or its file system may hang.
 */
int hsperf_open(const struct process *p, struct opener *o, int tmp, const char *directory);

/*
 * Read what is behind such a descriptor now, if it still is what can be believed. To be freed when
 * *h is no longer needed; NULL.
 */
void *hsperf_read_open(struct hsperf *h, const struct process *p, int fd);

#endif
