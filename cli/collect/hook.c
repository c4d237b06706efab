/* SPDX-License-Identifier: MIT */
/*
 * hook.c - run the user's command for each new file
 */
#include "collect/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/budget.h"
#include "collect/child.h"

static void become(char *const *argv)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	/* A group of its own, so that all of it can be killed. */
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	budget_end();
	execv(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

static int judge(const char *name, int status, struct jfrec_error *err)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFSIGNALED(status))
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "%.150s was killed by signal %d", name, WTERMSIG(status));
	if (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 126)
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "%.150s cannot be run, or exited with status %d", name,
				  WEXITSTATUS(status));
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET, "%.150s exited with status %d",
			  name, WEXITSTATUS(status));
}

static int run(char *const *argv, int timeout_ms, struct jfrec_error *err)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return jfrec_fail_sys(err, errno, "cannot start %.150s", argv[0]);
	if (pid == 0)
		become(argv);
	setpgid(pid, pid);
	if (child_wait(pid, timeout_ms, &status))
		return judge(argv[0], status, err);
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
			  "%.150s did not finish in %d s, and was killed", argv[0],
			  timeout_ms / 1000);
}

int hook_run(const char *const *words, const char *path, int timeout_ms, struct jfrec_error *err)
{
	size_t count = 0;
	char **argv;
	int ret;

	while (words[count])
		count++;
	argv = calloc(count + 2, sizeof(*argv));
	if (!argv)
		return jfrec_fail_memory(err);
	for (size_t i = 0; i < count; i++)
		argv[i] = (char *)words[i];
	argv[count] = (char *)path;
	ret = run(argv, timeout_ms, err);
	free(argv);
	return ret;
}
