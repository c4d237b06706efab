/* SPDX-License-Identifier: MIT */
/*
 * parallel_ask.c - query many JVMs at once and print their answers in order
 *
 * Each is asked by a child process, which prints into two files in memory; nothing that a JVM does
 * not answer then holds up the others.  cli/collect/recorders.c asks side by side, too, but goes on
 * with other work meanwhile and remembers from pass to pass who was silent.
 */
#include "jvm/parallel_ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/report.h"

struct job {
	pid_t child;  /* 0: not begun; -1: it has ended */
	int result;   /* the end of a pipe, which has a byte when the child is done */
	int out, err; /* what it prints */
	int status;
	char *said, *printed;
	size_t said_len, printed_len;
};

/* The child ------------------------------------------------------------------------------------ */

static void serve(const struct parallel_ask *a, size_t i, const struct job *job, int to,
		  pid_t parent)
{
	unsigned char status = EXIT_FAILED;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && dup2(job->out, STDOUT_FILENO) >= 0 &&
	    dup2(job->err, STDERR_FILENO) >= 0) {
		status = (unsigned char)a->ask(a->ctx, i);
		if (fflush(stdout) == EOF)
			status = EXIT_FAILED;
	}
	_exit(write(to, &status, 1) == 1 ? 0 : 1);
}

static bool make_files(struct job *job, int *ends)
{
	job->out = memfd_create("jfrec-out", MFD_CLOEXEC);
	job->err = memfd_create("jfrec-err", MFD_CLOEXEC);
	return job->out >= 0 && job->err >= 0 && pipe2(ends, O_CLOEXEC) == 0;
}

static void close_files(const struct job *job)
{
	if (job->out >= 0)
		close(job->out);
	if (job->err >= 0)
		close(job->err);
}

static void fail(struct job *job, const char *what, int sys)
{
	fprintf(stderr, "jfrec: cannot %s: %s\n", what, strerror(sys));
	job->child = -1;
	job->status = EXIT_FAILED;
}

/* Whether it could be or not, it has begun. */
static bool begin(const struct parallel_ask *a, size_t i, struct job *job)
{
	pid_t parent = getpid();
	int ends[2] = { -1, -1 };

	if (!make_files(job, ends)) {
		fail(job, "make a file in memory", errno);
		close_files(job);
		return false;
	}
	fflush(stdout);
	job->child = fork();
	if (job->child == 0)
		serve(a, i, job, ends[1], parent);
	close(ends[1]);
	job->result = ends[0];
	if (job->child > 0)
		return true;
	fail(job, "start a helper process", errno);
	close(ends[0]);
	close_files(job);
	return false;
}

/* Its answers ---------------------------------------------------------------------------------- */

static char *read_all(int fd, size_t *len)
{
	struct stat st;
	char *text;
	ssize_t got;

	*len = 0;
	if (fstat(fd, &st) < 0 || !(text = malloc((size_t)st.st_size + 1)))
		return NULL;
	while (*len < (size_t)st.st_size) {
		got = pread(fd, text + *len, (size_t)st.st_size - *len, (off_t)*len);
		if (got <= 0)
			break;
		*len += (size_t)got;
	}
	text[*len] = '\0';
	return text;
}

/* It has written its byte, or ended without. */
static void end(struct job *job)
{
	unsigned char status;

	job->status = read(job->result, &status, 1) == 1 ? status : EXIT_FAILED;
	job->printed = read_all(job->out, &job->printed_len);
	job->said = read_all(job->err, &job->said_len);
	if (!job->printed || !job->said)
		job->status = EXIT_FAILED;
	close(job->result);
	close_files(job);
	waitpid(job->child, NULL, 0);
	job->child = -1;
}

/* Wait until one of those from `first` has ended; end all that have.  Returns how many. */
static size_t wait_for_some(struct job *jobs, size_t first, size_t begun)
{
	struct pollfd fds[ABREAST_MAX];
	struct job *of[ABREAST_MAX];
	nfds_t count = 0;
	size_t ended = 0;

	for (size_t i = first; i < begun && count < ABREAST_MAX; i++) {
		if (jobs[i].child <= 0)
			continue;
		of[count] = &jobs[i];
		fds[count++] = (struct pollfd){ .fd = jobs[i].result, .events = POLLIN };
	}
	if (poll(fds, count, -1) <= 0)
		return 0;
	for (nfds_t i = 0; i < count; i++) {
		if (!fds[i].revents)
			continue;
		end(of[i]);
		ended++;
	}
	return ended;
}

static void hand_over(const struct parallel_ask *a, size_t i, struct job *job)
{
	if (job->said_len) {
		fflush(stdout);
		fwrite(job->said, 1, job->said_len, stderr);
	}
	a->take(a->ctx, i, job->status, job->printed ? job->printed : "", job->printed_len);
	free(job->said);
	free(job->printed);
	job->said = job->printed = NULL;
}

/*
 * ------------------------------------------------------------------------------------------------
 */

static int ask_all(const struct parallel_ask *a, struct job *jobs, size_t count)
{
	size_t begun = 0, running = 0, most = a->most ? a->most : ABREAST_MAX;
	int first = EXIT_DONE;

	for (size_t taken = 0; taken < count;) {
		for (; begun < count && running < most; begun++)
			running += begin(a, begun, &jobs[begun]);
		if (jobs[taken].child > 0) {
			running -= wait_for_some(jobs, taken, begun);
			continue;
		}
		hand_over(a, taken, &jobs[taken]);
		if (first == EXIT_DONE)
			first = jobs[taken].status;
		taken++;
	}
	return first;
}

int ask_in_parallel(const struct parallel_ask *a, size_t count)
{
	struct job *jobs = calloc(count ? count : 1, sizeof(*jobs));
	int status;

	if (!jobs) {
		fputs("jfrec: out of memory\n", stderr);
		return EXIT_FAILED;
	}
	status = ask_all(a, jobs, count);
	free(jobs);
	return status;
}
