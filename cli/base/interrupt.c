/* SPDX-License-Identifier: MIT */
/*
 * interrupt.c - wait, and end cleanly on Ctrl-C
 */
#include "base/interrupt.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock_now.h"

/* Between two looks, which notice a signal that came just before the wait, too. */
#define STEP_MS 250

/* Between two looks at what the process has meanwhile. */
#define LOOK_NS (NS_PER_SECOND / 2)

static volatile sig_atomic_t noted;

static void note(int signal)
{
	noted = signal;
}

void interrupt_hold(struct interrupt *i)
{
	struct sigaction action = { .sa_handler = note };

	noted = 0;
	sigaction(SIGINT, &action, &i->on_int);
	sigaction(SIGTERM, &action, &i->on_term);
}

void interrupt_release(const struct interrupt *i)
{
	sigaction(SIGINT, &i->on_int, NULL);
	sigaction(SIGTERM, &i->on_term, NULL);
}

int interrupt_noted(void)
{
	return noted;
}

static void show(int64_t elapsed, int64_t total)
{
	fprintf(stderr, "\r\033[Krecording: %" PRId64 " of %" PRId64 " s, Ctrl-C ends it",
		elapsed / NS_PER_SECOND, total / NS_PER_SECOND);
}

static enum wait_end wait_until(int process, int64_t began, int64_t ns, bool visible,
				void (*look)(void *ctx), void *ctx)
{
	int64_t looked = began - LOOK_NS;
	struct pollfd p = { .fd = process, .events = POLLIN };
	int64_t left;

	while ((left = began + ns - monotonic_now_ns()) > 0) {
		int64_t step = left / 1000000 + 1;

		if (noted)
			return WAIT_INTERRUPTED;
		if (visible)
			show(ns - left, ns);
		if (monotonic_now_ns() - looked >= LOOK_NS) {
			look(ctx);
			looked = monotonic_now_ns();
		}
		if (poll(&p, 1, step < STEP_MS ? (int)step : STEP_MS) > 0)
			return WAIT_DIED;
	}
	return noted ? WAIT_INTERRUPTED : WAIT_DONE;
}

enum wait_end interrupt_wait(int pid, int64_t ns, void (*look)(void *ctx), void *ctx)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0); /* Linux 5.3; -1 is never ready */
	bool visible = isatty(STDERR_FILENO);
	enum wait_end end = wait_until(process, monotonic_now_ns(), ns, visible, look, ctx);

	if (visible)
		fputs("\r\033[K", stderr);
	if (process >= 0)
		close(process);
	return end;
}
