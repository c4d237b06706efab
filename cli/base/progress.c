/* SPDX-License-Identifier: MIT */
/*
 * progress.c - show the progress of a command on a terminal
 */
#include "base/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/human.h"

/* Before the first line, and between two. */
#define PATIENCE_S 1.0
#define PAUSE_S	   0.2

static struct jfrec_reader *reader; /* for the signal handler */
static volatile sig_atomic_t interrupted;
static double began, shown;

static double now(void)
{
	return (double)monotonic_now_ns() / NS_PER_SECOND;
}

static void show(void *ctx, uint64_t bytes, uint64_t total, uint64_t events)
{
	double t = now(), elapsed = t - began;
	char text[HUMAN_MAX];

	(void)ctx;
	if (elapsed < PATIENCE_S || t - shown < PAUSE_S)
		return;
	shown = t;
	fputs("\r\033[K", stderr);
	if (events)
		fprintf(stderr, "%" PRIu64 " events, ", events);
	fputs(human_bytes(text, (double)bytes), stderr);
	if (total && bytes) {
		fprintf(stderr, " of %s", human_bytes(text, (double)total));
		fprintf(stderr, ", %.0f s left", elapsed * ((double)total / (double)bytes - 1));
	}
}

static void on_interrupt(int signal)
{
	interrupted = signal;
	if (reader)
		jfrec_reader_stop(reader);
}

void progress_begin(struct jfrec_reader *r)
{
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };

	reader = r;
	began = now();
	sigaction(SIGINT, &action, NULL);
	if (isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO))
		jfrec_reader_on_progress(r, show, NULL);
}

void progress_begin_writing(struct jfrec_reader *r)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction action = { .sa_handler = on_interrupt }, before;

	reader = r;
	began = now();
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		/* A signal that the caller has us ignore stays so, as nohup wants it. */
		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
	}
	if (isatty(STDERR_FILENO))
		jfrec_reader_on_progress(r, show, NULL);
}

void progress_begin_printing(struct jfrec_reader *r)
{
	struct sigaction action = { .sa_handler = on_interrupt,
				    .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
	struct sigaction before;

	/* Who serves has handlers of its own; a signal that the caller has us ignore stays so. */
	if (sigaction(SIGINT, NULL, &before) < 0 ||
	    (before.sa_handler != SIG_DFL && before.sa_handler != on_interrupt))
		return;
	reader = r;
	sigaction(SIGINT, &action, NULL);
}

int progress_signal(void)
{
	return interrupted;
}

bool progress_is_interrupted(void)
{
	return interrupted;
}

bool progress_end(void)
{
	signal(SIGINT, SIG_DFL);
	if (shown > 0)
		fputs("\r\033[K", stderr);
	return interrupted;
}
