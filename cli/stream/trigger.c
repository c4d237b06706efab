/* SPDX-License-Identifier: MIT */
/*
 * trigger.c - run a command when an event occurs: --on, --exec, --cooldown
 */
#include "stream/trigger.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/harmless.h"

/* Bytes of a variable for the command. */
#define MOST_OF_VALUE 4096

/* "EVENT" or "EVENT[WHERE]", where brackets may be, too. */
int trigger_parse(struct trigger *t, const struct command *c, const char *text)
{
	const char *bracket = strchr(text, '[');
	size_t len = bracket ? (size_t)(bracket - text) : strlen(text), where_len;

	*t = (struct trigger){ 0 };
	if (len == 0)
		return report_usage(c,
				    "--on takes an event, such as 'GarbageCollection[duration > "
				    "1s]', not '%s'",
				    text);
	where_len = bracket ? strlen(bracket + 1) : 0;
	if (bracket && (where_len < 2 || bracket[where_len] != ']'))
		return report_usage(c, "--on %s: the expression must end with ]", text);
	t->events = strndup(text, len);
	t->where = bracket ? strndup(bracket + 1, where_len - 1) : NULL;
	if (!t->events || (bracket && !t->where)) {
		trigger_fini(t);
		say_out_of_memory();
		return EXIT_FAILED;
	}
	t->select =
		(struct event_opts){ .events = t->events, .where = t->where, .where_name = "--on" };
	return EXIT_DONE;
}

void trigger_fini(struct trigger *t)
{
	free(t->events);
	free(t->where);
	*t = (struct trigger){ 0 };
}

bool trigger_is_due(struct trigger *t)
{
	if (!t->pid && (!t->ran_at_ns || monotonic_now_ns() - t->ran_at_ns >= t->cooldown_ns))
		return true;
	t->passed++;
	return false;
}

/* The command's input: a file in memory, so that a command that reads none holds up nothing. */
static int input_of(const char *json, size_t len)
{
	int fd = memfd_create("event", MFD_CLOEXEC);

	if (fd >= 0 && (write(fd, json, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * What strangers have named goes into subjects, logs and terminals: it is one line of them.  And it
 * is not long: a variable of 128 KB keeps every program from being run.
 */
static void set_foreign(const char *name, const char *text)
{
	char value[HARMLESS_GROWTH * (MOST_OF_VALUE + 3) + 1];
	struct harmless h = { 0 };
	size_t len = harmless_text(&h, text, strnlen(text, MOST_OF_VALUE), false, value);

	len += harmless_end(&h, value + len);
	value[len] = '\0';
	setenv(name, value, 1);
}

/* Only those that are set here, whatever we were given ourselves. */
static void clear_environment(void)
{
	static const char *const names[] = { "JFREC_SOURCE", "JFREC_RULE", "JFREC_CHANGE",
					     "JFREC_EVENT",  "JFREC_PASSED", "JFREC_PID",
					     "JFREC_MAIN" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unsetenv(names[i]);
}

static void set_environment(const struct trigger *t, const struct trigger_event *e)
{
	char passed[24];

	snprintf(passed, sizeof(passed), "%" PRIu64, t->passed);
	clear_environment();
	setenv("JFREC_SOURCE", e->source, 1);
	if (e->change) {
		set_foreign("JFREC_RULE", e->type);
		setenv("JFREC_CHANGE", e->change, 1);
	} else {
		set_foreign("JFREC_EVENT", e->type);
		setenv("JFREC_PASSED", passed, 1);
	}
	if (e->main) {
		setenv("JFREC_PID", e->source, 1);
		set_foreign("JFREC_MAIN", e->main);
	}
}

static void become(const struct trigger *t, const struct trigger_event *e, int input)
{
	sigset_t none;

	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(input, STDIN_FILENO);
	/* The reader of our output expects events there. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	set_environment(t, e);
	budget_end();
	execl("/bin/sh", "sh", "-c", t->command, (char *)NULL);
	_exit(127);
}

void trigger_run(struct trigger *t, const struct trigger_event *e, const char *json, size_t len)
{
	int input = input_of(json, len);
	pid_t pid = input < 0 ? -1 : fork();

	if (pid == 0)
		become(t, e, input);
	if (pid < 0)
		fprintf(stderr, "jfrec: --exec: cannot be run: %s\n", strerror(errno));
	else
		t->pid = pid;
	if (input >= 0)
		close(input);
	t->ran_at_ns = monotonic_now_ns();
	t->passed = 0;
}

void trigger_look(struct trigger *t)
{
	int status;

	if (!t->pid || waitpid(t->pid, &status, WNOHANG) != t->pid)
		return;
	t->pid = 0;
	if (WIFSIGNALED(status))
		fprintf(stderr, "jfrec: --exec: the command was killed by signal %d: %s\n",
			WTERMSIG(status), t->command);
	else if (WEXITSTATUS(status))
		fprintf(stderr, "jfrec: --exec: the command exited with status %d: %s\n",
			WEXITSTATUS(status), t->command);
}
