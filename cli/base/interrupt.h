/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h - wait, and end cleanly on Ctrl-C
 */
#ifndef JFREC_CLI_BASE_INTERRUPT_H
#define JFREC_CLI_BASE_INTERRUPT_H

#include <signal.h>

#include "jfrec.h"

/* What the signals did before. */
struct interrupt {
	struct sigaction on_int, on_term;
};

/* From now on SIGINT and SIGTERM are only noted. */
void interrupt_hold(struct interrupt *i);

/* As before; another one kills. */
void interrupt_release(const struct interrupt *i);

/* The signal that was noted, or 0. */
int interrupt_noted(void);

enum wait_end {
	WAIT_DONE,
	WAIT_INTERRUPTED,
	WAIT_DIED, /* the process ended */
};

/*
 * Wait, unless the process ends or a signal comes, and show on a terminal how far it is.
 * Meanwhile `look` is called twice a second.
 */
enum wait_end interrupt_wait(int pid, int64_t ns, void (*look)(void *ctx), void *ctx);

#endif
