/* SPDX-License-Identifier: MIT */
/*
 * screen.c - show text in place on a terminal, and wait for keys and signals
 *
 * The terminal's second screen is used, so that what was on it comes back. Only a few sequences are
 * needed, which every terminal of the last decades knows.
 */
#include "view/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/harmless.h"

/* The second screen, without a cursor, and long lines are cut. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

/* Of each, no more is drawn. */
#define MOST_ROWS 1000

static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
#define SIGNALS (sizeof(signals) / sizeof(*signals))

static struct {
	bool is_open, has_keys, is_held;
	struct termios before;
	struct sigaction actions[SIGNALS];
	sigset_t mask;
	char *lines[MOST_ROWS]; /* as they are drawn */
	unsigned rows, columns;
} s;

static volatile sig_atomic_t ending, resized, stopped;

static void note(int signal)
{
	if (signal == SIGWINCH)
		resized = 1;
	else if (signal == SIGTSTP)
		stopped = 1;
	else
		ending = signal;
}

/* All or an error. */
static int put(const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(STDOUT_FILENO, data, len);

		if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static void forget_lines(void)
{
	for (size_t i = 0; i < MOST_ROWS; i++) {
		free(s.lines[i]);
		s.lines[i] = NULL;
	}
}

static void measure(void)
{
	struct winsize size;

	s.rows = 24;
	s.columns = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
		return;
	s.rows = size.ws_row < MOST_ROWS ? size.ws_row : MOST_ROWS;
	s.columns = size.ws_col;
}

/* Keys come one by one and are not shown; Ctrl-C and Ctrl-Z are signals as ever. */
static void take_keys(void)
{
	struct termios t;

	s.has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &s.before) == 0;
	if (!s.has_keys)
		return;
	t = s.before;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &t);
}

static void enter(void)
{
	take_keys();
	put(ENTER, strlen(ENTER));
	measure();
	forget_lines();
}

static void leave(void)
{
	put(LEAVE, strlen(LEAVE));
	if (s.has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &s.before);
}

/* They are let in only while we wait. */
static void hold_signals(void)
{
	struct sigaction action = { .sa_handler = note };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < SIGNALS; i++) {
		/* Ctrl-Z stops us by itself where there is nothing to restore. */
		if (signals[i] == SIGTSTP && !s.is_open)
			continue;
		sigaddset(&set, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &set, &s.mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &s.actions[i]);
		/* One that the caller has us ignore stays so, as nohup wants it. */
		if (sigismember(&set, signals[i]) && s.actions[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	s.is_held = true;
}

static void release_signals(void)
{
	if (!s.is_held)
		return;
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &s.actions[i], NULL);
	sigprocmask(SIG_SETMASK, &s.mask, NULL);
	s.is_held = false;
}

bool screen_begin(void)
{
	const char *kind = getenv("TERM");

	ending = resized = stopped = 0;
	s.is_open = isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
	hold_signals();
	if (s.is_open)
		enter();
	return s.is_open;
}

void screen_end(void)
{
	if (s.is_open)
		leave();
	s.is_open = false;
	forget_lines();
	release_signals();
}

void screen_forget(void)
{
	s.is_open = false;
	release_signals();
}

/* Ctrl-Z: the shell has its terminal until we go on. */
static void stop(void)
{
	sigset_t one, before;

	stopped = 0;
	leave();
	signal(SIGTSTP, SIG_DFL);
	sigemptyset(&one);
	sigaddset(&one, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &one, &before);
	/* Here it stands, and goes on. */
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGTSTP, &(struct sigaction){ .sa_handler = note }, NULL);
	enter();
}

/* Is it the one that ends? Other keys mean nothing. */
static bool is_quit(void)
{
	char keys[64];
	ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));

	/* The terminal is gone. */
	if (n == 0 || (n < 0 && errno == EIO))
		s.has_keys = false;
	return n > 0 && (memchr(keys, 'q', (size_t)n) || memchr(keys, 'Q', (size_t)n));
}

/* WOKEN_TIME: nothing. */
static enum woken look_at_signals(void)
{
	if (ending)
		return WOKEN_SIGNAL;
	if (stopped) {
		stop();
		return WOKEN_RESIZED;
	}
	if (!resized)
		return WOKEN_TIME;
	resized = 0;
	if (!s.is_open)
		return WOKEN_TIME;
	measure();
	forget_lines();
	return WOKEN_RESIZED;
}

enum woken screen_wait(int fd, int64_t until_ns)
{
	int64_t left;

	while ((left = until_ns - monotonic_now_ns()) > 0) {
		struct pollfd p[2] = { { .fd = fd, .events = POLLIN },
				       { .fd = s.is_open && s.has_keys ? STDIN_FILENO : -1,
					 .events = POLLIN } };
		struct timespec patience = { left / NS_PER_SECOND, left % NS_PER_SECOND };
		int ready = ppoll(p, 2, &patience, &s.mask);
		enum woken woken = look_at_signals();

		if (woken != WOKEN_TIME)
			return woken;
		if (ready > 0 && p[1].revents && is_quit())
			return WOKEN_QUIT;
		if (ready > 0 && p[0].revents)
			return WOKEN_READY;
	}
	return WOKEN_TIME;
}

int screen_signal(void)
{
	return ending;
}

unsigned screen_columns(void)
{
	return s.is_open ? s.columns : 0;
}

/* Drawing -------------------------------------------------------------------------------------- */

/* As many characters as fit; to be freed. */
static char *make_line(const char *text, size_t len)
{
	struct harmless h = { 0 };
	char *line = malloc(HARMLESS_GROWTH * (len + 3) + 1);
	size_t size, end = 0;
	unsigned count = 0;

	if (!line)
		return NULL;
	size = harmless_text(&h, text, len, false, line);
	size += harmless_end(&h, line + size);
	while (end < size) {
		if (((unsigned char)line[end] & 0xc0) != 0x80 && ++count > s.columns)
			break;
		end++;
	}
	line[end] = '\0';
	return line;
}

/* An empty line of the screen is one that was never drawn. */
static int draw_line(unsigned row, const char *text, size_t len)
{
	char *line = make_line(text, len), move[32];
	int n, error;

	if (!line || strcmp(s.lines[row] ? s.lines[row] : "", line) == 0) {
		free(line);
		return 0;
	}
	n = snprintf(move, sizeof(move), "\033[%u;1H", row + 1);
	error = put(move, (size_t)n);
	if (!error)
		error = put(line, strlen(line));
	if (!error)
		error = put("\033[K", 3);
	free(s.lines[row]);
	s.lines[row] = line;
	return error;
}

int screen_draw(const char *text, size_t len)
{
	const char *end = text + len;
	bool is_empty = true;
	int error = 0;

	for (unsigned i = 0; i < MOST_ROWS && is_empty; i++)
		is_empty = !s.lines[i];
	if (is_empty)
		error = put("\033[2J", 4);
	for (unsigned row = 0; row < s.rows && !error; row++) {
		const char *line_end = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
		size_t line = (size_t)((line_end ? line_end : end) - text);

		error = draw_line(row, text, line);
		text += line_end ? line + 1 : line;
	}
	return error;
}
