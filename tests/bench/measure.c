/* SPDX-License-Identifier: MIT */
/*
 * measure.c - runs commands in turn and tells what each of them took
 *
 *    measure [-l] [-n RUNS] [-t SECONDS] [-o FILE | -p PIPE] -- COMMAND... [-- COMMAND...]...
 *
 * Prints a line for each command, with tabs between
 *
 *    wall s   CPU s   peak memory in KB   exit status   runs   bytes
 *
 * which are the medians, with -l the least, of wall and of CPU time (user and system,
 * children included), the greatest memory and the worst status.  Commands alternate, so
 * that all of them meet the same load of the machine.  One that has taken
 * SECONDS in all is not run again.
 *
 * Output goes to /dev/null, or to FILE, which is removed before each run, or
 * into a pipe of PIPE bytes (0: as the system makes it), where it is read,
 * counted as bytes and dropped.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_COMMANDS 16
#define MAX_RUNS     200
#define READ_SIZE    (256 * 1024)

extern char **environ;

struct command {
	char **argv;
	int runs, status;
	long memory;
	uint64_t bytes;
	double spent;
	double wall[MAX_RUNS], cpu[MAX_RUNS];
};

struct settings {
	bool least;
	int runs;
	double seconds;
	const char *file;
	int pipe; /* bytes, or -1 for no pipe */
};

static void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static uint64_t drain(int fd)
{
	static char buf[READ_SIZE];
	uint64_t bytes = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))
		bytes += n > 0 ? (uint64_t)n : 0;
	return bytes;
}

/* Where the next run writes to.  *from is the end to read from, or -1. */
static int open_output(const struct settings *s, int *from)
{
	int fd, ends[2];

	*from = -1;
	if (s->pipe >= 0) {
		if (pipe2(ends, O_CLOEXEC) < 0)
			die("pipe");
		if (s->pipe > 0 && fcntl(ends[1], F_SETPIPE_SZ, s->pipe) < 0)
			die("pipe size");
		*from = ends[0];
		return ends[1];
	}
	if (s->file)
		unlink(s->file);
	fd = open(s->file ? s->file : "/dev/null", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		die(s->file ? s->file : "/dev/null");
	return fd;
}

static pid_t start(char **argv, int out)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error) {
		errno = error;
		die(argv[0]);
	}
	return pid;
}

static void run(struct command *c, const struct settings *s)
{
	struct rusage used;
	int from, status, out = open_output(s, &from);
	double begin = now();
	pid_t pid = start(c->argv, out);

	close(out);
	if (from >= 0) {
		c->bytes = drain(from);
		close(from);
	}
	while (wait4(pid, &status, 0, &used) < 0) {
		if (errno != EINTR)
			die("wait4");
	}
	c->wall[c->runs] = now() - begin;
	c->cpu[c->runs] = seconds(used.ru_utime) + seconds(used.ru_stime);
	c->spent += c->wall[c->runs++];
	if (used.ru_maxrss > c->memory)
		c->memory = used.ru_maxrss;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (status > c->status)
		c->status = status;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double of_runs(double *v, int n, bool least)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	if (least)
		return v[0];
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Part the arguments into commands, each with a NULL at its end. */
static int parse_commands(struct command *commands, char **argv)
{
	int count = 0;

	while (*argv) {
		if (count == MAX_COMMANDS) {
			fprintf(stderr, "measure: more than %d commands\n", MAX_COMMANDS);
			exit(2);
		}
		commands[count++].argv = argv;
		while (*argv && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv)
			*argv++ = NULL;
	}
	return count;
}

int main(int argc, char **argv)
{
	static struct command commands[MAX_COMMANDS];
	struct settings s = { .runs = 5, .seconds = 60, .pipe = -1 };
	bool again = true;
	int letter, count;

	while ((letter = getopt(argc, argv, "+ln:t:o:p:")) != -1) {
		switch (letter) {
		case 'l':
			s.least = true;
			break;
		case 'n':
			s.runs = atoi(optarg);
			break;
		case 't':
			s.seconds = atof(optarg);
			break;
		case 'o':
			s.file = optarg;
			break;
		case 'p':
			s.pipe = atoi(optarg);
			break;
		default:
			return 2;
		}
	}
	count = parse_commands(commands, argv + optind);
	if (s.runs < 1 || s.runs > MAX_RUNS || count == 0) {
		fprintf(stderr, "usage: measure [-l] [-n RUNS] [-t SECONDS] [-o FILE | -p PIPE] "
				"-- COMMAND... [-- COMMAND...]...\n");
		return 2;
	}
	for (int round = 0; round < s.runs && again; round++) {
		again = false;
		for (int i = 0; i < count; i++) {
			if (round > 0 && commands[i].spent >= s.seconds)
				continue;
			run(&commands[i], &s);
			again = true;
		}
	}
	for (int i = 0; i < count; i++) {
		struct command *c = &commands[i];

		printf("%.6f\t%.6f\t%ld\t%d\t%d\t%llu\n", of_runs(c->wall, c->runs, s.least),
		       of_runs(c->cpu, c->runs, s.least), c->memory, c->status, c->runs,
		       (unsigned long long)c->bytes);
	}
	if (s.file)
		unlink(s.file);
	return 0;
}
