/* SPDX-License-Identifier: MIT */
/*
 * victim.c - emits numbered events until it is killed, and notes how many there were
 *
 * usage: victim COUNTS THREADS [before|after N]
 *
 * COUNTS: a file with a number of 8 bytes for each thread: the events that it has committed.  before
 * and after: it kills itself at the Nth time that the recorder writes to a chunk.
 */
#include <fcntl.h>
#include <jfrec-recorder.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MARK(F)                           \
	F(INT, worker, "Worker", PLAIN)   \
	F(LONG, number, "Number", PLAIN)  \
	F(INTERNED, kind, "Kind", PLAIN)  \
	F(STRING, text, "Text", PLAIN)
JFREC_EVENT(mark, "victim.Mark", "Mark", "Victim", MARK)

#define MOST 16

static volatile uint64_t *counts;
static long kill_at = -1;
static int kills_after;

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at);

static void kill_if(bool is_it)
{
	if (kill_at > 0 && is_it && --kill_at == 0)
		kill(getpid(), SIGKILL);
}

/* In place of libc's, also for the recorder. */
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at)
{
	ssize_t n;

	kill_if(!kills_after);
	n = syscall(SYS_pwrite64, fd, data, size, at);
	kill_if(kills_after);
	return n;
}

ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off_t at);

ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off_t at)
{
	ssize_t n;

	kill_if(!kills_after);
	n = syscall(SYS_pwritev, fd, pieces, count, at, 0);
	kill_if(kills_after);
	return n;
}

static void *emit(void *arg)
{
	long worker = (long)arg;
	char name[16], large[9000];
	uint64_t kind;

	snprintf(name, sizeof(name), "worker-%ld", worker);
	jfrec_recorder_name_thread(name);
	kind = jfrec_event_intern(name);
	memset(large, 'x', sizeof(large));
	large[sizeof(large) - 1] = '\0';
	for (uint64_t i = 0;; i++) {
		mark_emit((int32_t)worker, (int64_t)i, kind, i % 1000 == 999 ? large : "text");
		counts[worker] = i + 1;
		if (i % 200 == 199)
			usleep(500);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t ids[MOST];
	int fd = argc < 3 ? -1 : open(argv[1], O_RDWR | O_CREAT, 0600);
	long threads = argc < 3 ? 0 : atol(argv[2]);

	if (fd < 0 || ftruncate(fd, MOST * 8) || threads < 1 || threads > MOST)
		return 2;
	counts = mmap(NULL, MOST * 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		return 1;
	if (argc > 4) {
		kills_after = argv[3][0] == 'a';
		kill_at = atol(argv[4]);
	}
	for (long i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, emit, (void *)i))
			return 1;
	pause();
	return 0;
}
