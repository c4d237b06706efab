/* SPDX-License-Identifier: MIT */
/*
 * subprocess.c - work on a collected file, in a process of its own
 */
#include "collect/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/confine.h"
#include "collect/child.h"
#include "collect/nobody.h"

/* Its status when it failed. */
#define FAILED 101

/* What it says then. */
struct failure {
	int code, sys;
	char text[200];
};

static void say(int to, const struct jfrec_error *err)
{
	struct failure failure = { .code = (int)err->code, .sys = err->sys };

	snprintf(failure.text, sizeof(failure.text), "%.*s", (int)sizeof(failure.text) - 1,
		 err->code == JFREC_ENOMEM ? budget_sentence() : err->text);
	(void)!write(to, &failure, sizeof(failure));
}

static void limit(const struct subprocess *a)
{
	struct rlimit size = { a->file_max, a->file_max }, none = { 0, 0 };
	struct stat st = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &size);
	setrlimit(RLIMIT_CORE, &none);
	fstat(a->recording, &st);
	budget_harden((uint64_t)st.st_size);
}

static _Noreturn void run(const struct subprocess *a, int to)
{
	struct jfrec_error err = { .code = JFREC_EREFUSED, .text = "it failed" };
	int status;

	setpgid(0, 0);
	limit(a);
	nobody_become(a->directory != NULL);
	confine_writes(a->directory);
	confine(a->directory ? CONFINE_WRITING : CONFINE_READING);
	status = a->work(a->ctx, &err);
	if (status < 0)
		say(to, &err);
	_exit(status < 0 ? FAILED : status);
}

/* What the child said may come from a hostile recording: callers escape it before they print it. */
static int judge(const struct subprocess *a, int status, int from, struct jfrec_error *err)
{
	struct failure failure = { .code = JFREC_EREFUSED };
	int code = JFREC_EREFUSED;

	if (WIFEXITED(status) && WEXITSTATUS(status) < FAILED)
		return WEXITSTATUS(status);
	if (WIFSIGNALED(status))
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "%s: its process was killed by signal %d", a->failed,
				  WTERMSIG(status));
	if (read(from, &failure, sizeof(failure)) == sizeof(failure) &&
	    failure.code == JFREC_EOUTPUT)
		code = JFREC_EOUTPUT;
	failure.text[sizeof(failure.text) - 1] = '\0';
	jfrec_fail(err, (enum jfrec_code)code, JFREC_NO_OFFSET, "%s: %s", a->failed, failure.text);
	if (err && code == JFREC_EOUTPUT)
		err->sys = failure.sys;
	return -1;
}

static int start(const struct subprocess *a, const int channel[2], struct jfrec_error *err)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return jfrec_fail_sys(err, errno, "%s: cannot start a process", a->failed);
	if (pid == 0)
		run(a, channel[1]);
	setpgid(pid, pid);
	if (child_wait(pid, a->timeout_ms, &status))
		return judge(a, status, channel[0], err);
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET, "%s: it was not done in %g s",
			  a->failed, a->timeout_ms / 1000.0);
}

int subprocess_run(const struct subprocess *a, struct jfrec_error *err)
{
	int channel[2], ret;

	if (pipe2(channel, O_CLOEXEC | O_NONBLOCK) < 0)
		return jfrec_fail_sys(err, errno, "cannot make a pipe");
	ret = start(a, channel, err);
	close(channel[0]);
	close(channel[1]);
	return ret;
}
