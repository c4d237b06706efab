/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h - wait, and end cleanly on Ctrl-C
 */
#ifndef JFREC_CLI_COMMON_INTERRUPT_H
#define JFREC_CLI_COMMON_INTERRUPT_H

#include <signal.h>

#include "jfrec.h"

/* What the signals did before. */
struct interrupts {
	struct sigaction on_int, on_term;
};

/* From now on SIGINT and SIGTERM are only noted. */
void interrupts_hold(struct interrupts *i);

/* As before; another one kills. */
void interrupts_release(const struct interrupts *i);

/* The signal that was noted, or 0. */
int interrupts_noted(void);

enum wait_end {
	WAIT_DONE,
	WAIT_INTERRUPTED,
	WAIT_DIED, /* the process ended */
};

/*
 * Wait, unless the process ends or a signal comes, and show on a terminal how far it is.
 * Meanwhile `look` is called twice a second.
 */
enum wait_end wait_for(int pid, int64_t ns, void (*look)(void *ctx), void *ctx);

#endif
