/* SPDX-License-Identifier: MIT */
/*
 * preload.h - what the parts of jfrec-record-preload.so share
 *
 * Each wrapper has the name and the type of a function of libc, calls it, and emits an event of
 * what it has waited for.  errno and the result are those of the function.
 */
#ifndef JFREC_PRELOAD_PRELOAD_H
#define JFREC_PRELOAD_PRELOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "recorder/stack/unwind.h"

#define EXPORT __attribute__((visibility("default")))

/* The function of that name that this library stands before; it is looked up once. */
void *preload_find(_Atomic(void *) *found, const char *name);

#define REAL(name)                                                                       \
	__extension__({                                                                  \
		static _Atomic(void *) found_;                                           \
		void *p_ = atomic_load_explicit(&found_, memory_order_acquire);          \
		(__typeof__(&name))(uintptr_t)(p_ ? p_ : preload_find(&found_, #name));  \
	})

/* A system call without libc.  -1: errno. */
long preload_call_kernel(long number, const long of[6]);

/* Does this thread look up a function?  What that calls must not look up others. */
extern __thread bool preload_is_looking;

/* Does this system call take from the program where the recorder writes? */
bool gives_up_rights(long number);

/* What a descriptor is, for the fields of events. */
enum described_kind { DESCRIBED_NOTHING, DESCRIBED_FILE, DESCRIBED_INTERNET, DESCRIBED_UNIX };

#define DESCRIBED_TEXT 1024u

struct description {
	enum described_kind kind;
	int port;
	char text[DESCRIBED_TEXT]; /* the path, or the address */
};

/* now: of jfrec_recorder_now(); what is older than a second is looked up again. */
void descriptor_describe(int fd, uint64_t now, struct description *d);

/* Of a message that has an address of its own. */
void descriptor_describe_address(const struct sockaddr *a, socklen_t size, struct description *d);

/*
 * From now on a filter may forbid to look: what is open is looked up now and remembered, and what
 * is opened later is a file without a path.
 */
void descriptor_remember_all(uint64_t now);

/* The descriptor will be another one. */
void descriptor_forget(int fd);
void descriptor_forget_range(unsigned from, unsigned to);

#endif
