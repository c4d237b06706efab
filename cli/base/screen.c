/* SPDX-License-Identifier: MIT */
/*
 * screen.c - show text in place on a terminal, and wait for keys and signals
 *
 * The terminal's second screen is used, so that what was on it comes back. Only a few sequences are
 * needed, which every terminal of the last decades knows.
 */
#include "base/screen.h"

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
#include "base/keys.h"

/* The second screen, without a cursor, and long lines are cut. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

/* A line that is marked; what follows is not. */
#define MARK   "\033[7m"
#define UNMARK "\033[m"

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
	bool is_ascii; /* the terminal is taken to know nothing else */
	char typed[64]; /* read, and not taken yet */
	size_t typed_len, typed_at;
	int key;
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

/* As the C library finds it; a terminal of another encoding than UTF-8 gets letters of ASCII. */
static bool knows_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && (!value || !*value); i++)
		value = getenv(names[i]);
	return value && (strcasestr(value, "UTF-8") || strcasestr(value, "UTF8"));
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
	s.is_ascii = !knows_utf8();
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

bool screen_begin(bool is_wanted)
{
	const char *kind = getenv("TERM");

	ending = resized = stopped = 0;
	s.is_open = is_wanted && isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
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

/* False: the terminal is gone. */
static bool read_keys(void)
{
	ssize_t n = read(STDIN_FILENO, s.typed, sizeof(s.typed));

	s.typed_at = 0;
	s.typed_len = n > 0 ? (size_t)n : 0;
	return n > 0 || (n < 0 && errno != EIO);
}

/* The next one of those that were read; others mean nothing. */
static bool take_key(void)
{
	s.key = KEY_OTHER;
	while (s.typed_at < s.typed_len && s.key == KEY_OTHER)
		s.typed_at += key_decode(s.typed + s.typed_at, s.typed_len - s.typed_at, &s.key);
	return s.key != KEY_OTHER;
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

	if (s.is_open && take_key())
		return WOKEN_KEY;
	while ((left = until_ns - monotonic_now_ns()) > 0) {
		struct pollfd p[2] = { { .fd = fd, .events = POLLIN },
				       { .fd = s.is_open && s.has_keys ? STDIN_FILENO : -1,
					 .events = POLLIN } };
		struct timespec patience = { left / NS_PER_SECOND, left % NS_PER_SECOND };
		int ready = ppoll(p, 2, &patience, &s.mask);
		enum woken woken = look_at_signals();

		if (woken != WOKEN_TIME)
			return woken;
		if (ready > 0 && p[1].revents && !read_keys())
			s.has_keys = false;
		if (take_key())
			return WOKEN_KEY;
		if (ready > 0 && p[0].revents)
			return WOKEN_READY;
	}
	return WOKEN_TIME;
}

int screen_signal(void)
{
	return ending;
}

int screen_key(void)
{
	return s.key;
}

unsigned screen_rows(void)
{
	return s.is_open ? s.rows : 0;
}

unsigned screen_columns(void)
{
	return s.is_open ? s.columns : 0;
}

/* Drawing -------------------------------------------------------------------------------------- */

/* A question mark for each character that is not of ASCII. Returns how long it is then. */
static size_t make_ascii(char *line, size_t len)
{
	size_t to = 0;

	for (size_t i = 0; i < len; i++) {
		if ((line[i] & 0xc0) == 0x80)
			continue;
		line[to++] = line[i] & 0x80 ? '?' : line[i];
	}
	return to;
}

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
	if (s.is_ascii)
		size = make_ascii(line, size);
	while (end < size) {
		if (((unsigned char)line[end] & 0xc0) != 0x80 && ++count > s.columns)
			break;
		end++;
	}
	line[end] = '\0';
	return line;
}

/* Across the screen, so that the mark has no ragged end. */
static char *mark_line(char *line)
{
	char *marked = NULL;
	unsigned count = 0;
	int n;

	for (const char *c = line; *c; c++)
		count += (*c & 0xc0) != 0x80;
	n = asprintf(&marked, MARK "%s%*s" UNMARK, line, (int)(s.columns - count), "");
	free(line);
	return n < 0 ? NULL : marked;
}

/* An empty line of the screen is one that was never drawn. */
static int draw_line(unsigned row, const char *text, size_t len, bool is_marked)
{
	char *line = make_line(text, len), move[32];
	int n, error;

	if (line && is_marked)
		line = mark_line(line);
	if (!line || strcmp(s.lines[row] ? s.lines[row] : "", line) == 0) {
		free(line);
		return 0;
	}
	n = snprintf(move, sizeof(move), "\033[%u;1H", row + 1);
	error = put(move, (size_t)n);
	if (!error)
		error = put(line, strlen(line));
	if (!error && !is_marked)
		error = put("\033[K", 3);
	free(s.lines[row]);
	s.lines[row] = line;
	return error;
}

int screen_draw_marked(const char *text, size_t len, int marked)
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

		error = draw_line(row, text, line, (int)row == marked);
		text += line_end ? line + 1 : line;
	}
	return error;
}

int screen_draw(const char *text, size_t len)
{
	return screen_draw_marked(text, len, -1);
}
