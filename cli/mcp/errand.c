/* SPDX-License-Identifier: MIT */
/*
 * errand.c - a command of jfrec in a process of its own, which is killed when it takes too long
 */
#include "mcp/errand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock_now.h"

/* What it says on standard error is little, or not worth reading. */
#define MOST_SAID 8192

/* Of a larger document only the text is shown. */
#define MOST_DOCUMENT (2u << 20)

#define GRACE_NS NS_PER_SECOND

static void limit(const struct work *work)
{
	struct rlimit none = { 0, 0 }, size = { work->file_max, work->file_max };

	setrlimit(RLIMIT_CORE, &none);
	if (work->file_max)
		setrlimit(RLIMIT_FSIZE, &size);
}

/*
 * The command gets its recordings as descriptors 3 and 4, and 5 for its document; all others of the
 * server are closed.
 */
static void give_files(const struct work *work, int document)
{
	const int given[] = { work->files[0], work->files[1], document };
	int kept[sizeof(given) / sizeof(*given)];

	/* First out of each other's way. */
	for (unsigned i = 0; i < sizeof(given) / sizeof(*given); i++)
		kept[i] = given[i] < 0 ? -1
				       : fcntl(given[i], F_DUPFD_CLOEXEC, ERRAND_DOCUMENT_FD + 1);
	for (unsigned i = 0; i < sizeof(given) / sizeof(*given); i++) {
		if (kept[i] >= 0)
			dup2(kept[i], 3 + (int)i);
	}
}

static _Noreturn void be_child(const struct work *work, int pipes[ERRAND_TEXTS][2], pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	/* A recording that runs is ended with us, and the JVM keeps nothing of it. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(126);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setpgid(0, 0);
	limit(work);
	dup2(null, STDIN_FILENO);
	dup2(pipes[ERRAND_PRINTED][1], STDOUT_FILENO);
	dup2(pipes[ERRAND_SAID][1], STDERR_FILENO);
	give_files(work, pipes[ERRAND_DOCUMENT][1]);
	if (work->run)
		_exit(work->run(work->ctx));
	execv("/proc/self/exe", (char *const *)work->argv);
	_exit(127);
}

/* The ends that the child has, or those that the server has. */
static void close_ends(int pipes[ERRAND_TEXTS][2], unsigned end, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		close(pipes[i][end]);
}

/* 0, or errno. */
static int open_pipes(int pipes[ERRAND_TEXTS][2])
{
	for (unsigned i = 0; i < ERRAND_TEXTS; i++) {
		int failed = pipe2(pipes[i], O_CLOEXEC) < 0 ? errno : 0;

		if (!failed)
			continue;
		close_ends(pipes, 0, i);
		close_ends(pipes, 1, i);
		return failed;
	}
	return 0;
}

int errand_start(struct errand *w, const struct work *work, size_t most)
{
	pid_t parent = getpid();
	int pipes[ERRAND_TEXTS][2], failed;

	errand_fini(w);
	*w = (struct errand){ .pipes = ERRAND_NO_PIPES, .most = most };
	failed = open_pipes(pipes);
	if (failed)
		return failed;
	w->pid = fork();
	failed = errno;
	if (w->pid == 0)
		be_child(work, pipes, parent);
	close_ends(pipes, 1, ERRAND_TEXTS);
	for (unsigned i = 0; i < ERRAND_TEXTS; i++)
		w->pipes[i] = pipes[i][0];
	w->until_ns = monotonic_now_ns() + work->time_ns;
	if (w->pid > 0)
		return 0;
	w->pid = 0;
	errand_fini(w);
	return failed;
}

static void close_pipe(struct errand *w, enum errand_text pipe)
{
	if (w->pipes[pipe] >= 0)
		close(w->pipes[pipe]);
	w->pipes[pipe] = -1;
}

void errand_read(struct errand *w, enum errand_text pipe)
{
	const size_t all_most[] = { w->most, MOST_SAID, MOST_DOCUMENT };
	size_t most = all_most[pipe];
	char bytes[65536];
	ssize_t n = read(w->pipes[pipe], bytes, sizeof(bytes));

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		close_pipe(w, pipe);
		return;
	}
	if (w->texts[pipe].len < most && grown_text_append(&w->texts[pipe], bytes, (size_t)n) != 0)
		w->is_full = true;
	if (w->texts[pipe].len < most)
		return;
	/* Half a document is none. The command has printed its text by then. */
	if (pipe == ERRAND_DOCUMENT)
		close_pipe(w, pipe);
	if (pipe != ERRAND_PRINTED || w->is_full)
		return;
	w->is_full = true;
	errand_end(w);
}

/* SIGTERM first: a command that records ends that in the JVM. */
void errand_end(struct errand *w)
{
	int64_t soon = monotonic_now_ns() + GRACE_NS;

	if (!w->pid || w->is_done)
		return;
	kill(-w->pid, SIGTERM);
	kill(w->pid, SIGTERM);
	if (w->until_ns > soon)
		w->until_ns = soon;
}

static void look_at_time(struct errand *w)
{
	int64_t now = monotonic_now_ns();

	if (now < w->until_ns)
		return;
	if (!w->is_late && !w->is_full) {
		w->is_late = true;
		errand_end(w);
		w->until_ns = now + GRACE_NS;
	} else {
		kill(-w->pid, SIGKILL);
		kill(w->pid, SIGKILL);
	}
}

void errand_look(struct errand *w)
{
	int status;

	if (!w->pid || w->is_done)
		return;
	if (waitpid(w->pid, &status, WNOHANG) != w->pid) {
		look_at_time(w);
		return;
	}
	/* What it left in the pipes. */
	for (unsigned i = 0; i < ERRAND_TEXTS; i++) {
		if (w->pipes[i] >= 0)
			fcntl(w->pipes[i], F_SETFL, O_NONBLOCK);
		while (w->pipes[i] >= 0)
			errand_read(w, i);
	}
	w->is_done = true;
	w->pid = 0;
	w->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void errand_fini(struct errand *w)
{
	for (unsigned i = 0; i < ERRAND_TEXTS; i++) {
		close_pipe(w, i);
		free(w->texts[i].bytes);
	}
	*w = (struct errand){ .pipes = ERRAND_NO_PIPES };
}
