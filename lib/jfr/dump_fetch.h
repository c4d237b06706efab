/* SPDX-License-Identifier: MIT */
/*
 * dump_fetch.h - check that a dump is complete, and copy it out
 */
#ifndef JFREC_JFR_DUMP_FETCH_H
#define JFREC_JFR_DUMP_FETCH_H

#include "attach/session.h"

/* A file that a JVM writes. */
struct jfrec_dump {
	struct jfrec_session *s;
	char path[SESSION_PATH_MAX]; /* in the JVM's root; "" if there is no file */
	int fd;
	uint64_t size;
};

/* One without a file, to be freed with jfrec_dump_free(), or NULL with *err set. */
struct jfrec_dump *fetch_new(struct jfrec_session *s, struct jfrec_error *err);

/*
 * Is the file a row of finished chunks whose sizes add up to its own?  On a full
 * disk a JVM leaves one that breaks off, and may call that a success.
 *
 * 0 with *size set, or -1 with *err set: JFREC_ERESULT, JFREC_EIO.
 */
int fetch_check(int fd, uint64_t *size, struct jfrec_error *err);

/*
 * Hand size bytes of the file to write, from its beginning on.  0, or -1 with *err set:
 * JFREC_EOUTPUT, JFREC_EIO, JFREC_ERESULT if it has become shorter, JFREC_ENOMEM.
 */
int fetch_copy(int fd, uint64_t size, jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

#endif
