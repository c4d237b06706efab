/* SPDX-License-Identifier: MIT */
/*
 * top.c - show what all JVMs use, at an interval
 *
 *	look (every interval) --> rows, sorted --> table, or the page of one JVM --> screen or pipe
 *	children, now and then --> verdicts, hot methods, names of threads ---^
 *
 * This process only reads numbers; what JVMs recorded is read by children.  It waits for keys, and
 * for an epoll that tells of children, at the same time.
 */
#include "top/top.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "base/keys.h"
#include "base/many_files.h"
#include "base/report.h"
#include "base/screen.h"
#include "top/document.h"
#include "top/jvm_list.h"
#include "top/jvm_table.h"
#include "top/jvm_page.h"

/* The first interval on a screen is shorter: who types the command wants to see something. */
#define FIRST_NS (500 * NS_PER_MS)

/* Once: so long findings are waited for. */
#define ONCE_NS (10 * NS_PER_SECOND)

/* A look takes no more than one part of so many of a processor, however many JVMs there are. */
#define PACE 20

struct top {
	struct top_request *request;
	struct jfrec_loads *loads;
	struct verdicts verdicts;
	struct jvm_page page;
	struct row *rows; /* sorted */
	size_t count, room;
	int64_t looked_ns, interval_ns; /* the last look, and what it is of; monotonic */
	int64_t cost_ns; /* of a processor, for the last look */
	unsigned looks, tables;
	bool on_screen;
	bool is_over; /* nobody reads what is written any more */
	struct jvm_list list;
	int wait_fd;
};

/* Rows ----------------------------------------------------------------------------------------- */

/* After a look, and when a verdict has come. */
static void take_rows(struct top *t)
{
	const struct jfrec_load *l;

	t->count = 0;
	for (size_t i = 0; (l = jfrec_loads_get(t->loads, i)) != NULL; i++) {
		struct row row = { l, verdicts_find(&t->verdicts, l->jvm), i };

		if (!array_push(t->rows, t->count, t->room, row))
			break;
	}
	rows_sort(t->rows, t->count, t->request->sort);
	t->list.rows = t->rows;
	t->list.count = t->count;
}

static const struct row *row_of(const struct top *t, int pid)
{
	for (size_t i = 0; i < t->count; i++) {
		if (t->rows[i].load->jvm->pid == pid)
			return &t->rows[i];
	}
	return NULL;
}

/* The JVM of the page; one that has ended, or another one of its pid, closes it. */
static const struct row *page_row(struct top *t)
{
	const struct row *row = t->page.is_open ? row_of(t, t->page.pid) : NULL;

	if (row && row->load->jvm->start_ticks == t->page.start_ticks)
		return row;
	jvm_page_close(&t->page);
	return NULL;
}

static int look(struct top *t)
{
	int64_t began_ns = monotonic_now_ns(), used_ns = clock_now_ns(CLOCK_PROCESS_CPUTIME_ID);
	struct jfrec_error err;
	const struct row *row;

	if (jfrec_loads_look(&t->loads, &t->request->target.query, &err) < 0)
		return report_jvm_failure(0, &err);
	t->interval_ns = t->looks++ ? began_ns - t->looked_ns : 0;
	t->looked_ns = began_ns;
	take_rows(t);
	row = page_row(t);
	if (row)
		jvm_page_look(&t->page, t->loads, row->number);
	t->cost_ns = clock_now_ns(CLOCK_PROCESS_CPUTIME_ID) - used_ns;
	return EXIT_DONE;
}

/* What children have to do, and what they have done. */
static void step(struct top *t)
{
	const struct row *row;

	if (!t->request->without_findings)
		verdicts_step(&t->verdicts, t->loads);
	take_rows(t);
	row = page_row(t);
	if (row)
		jvm_page_step(&t->page, row);
}

/* Text ----------------------------------------------------------------------------------------- */

/* With the day, where a table stays when the next one comes. */
static void write_time(FILE *to, bool with_day)
{
	char text[64];
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, sizeof(text), with_day ? "%Y-%m-%d %H:%M:%S %z" : "%H:%M:%S", &tm);
	fputs(text, to);
}

/* Not in place. */
static int print_table(struct top *t)
{
	fputs(t->tables++ ? "\n" : "", stdout);
	if (!t->request->is_once) {
		write_time(stdout, true);
		putchar('\n');
	}
	if (!t->count)
		puts("no JVM is running");
	jvm_table_write(stdout, t->rows, t->count, 0);
	jvm_table_remarks(stdout, t->rows, t->count, SIZE_MAX);
	return finish_stdout();
}

static int print_form(struct top *t)
{
	switch (t->request->form) {
	case TOP_JSON:
		return document_print(t->rows, t->count, t->interval_ns);
	case TOP_NDJSON:
		return document_print_lines(t->rows, t->count);
	default:
		return print_table(t);
	}
}

static int print(struct top *t)
{
	int status = print_form(t);

	t->is_over = ferror(stdout) != 0;
	return status;
}

/* The screen ----------------------------------------------------------------------------------- */

#define LIST_KEYS                                                                                  \
	"q quit, Enter open; sort: c)pu m)emory h)eap g)c t)hreads f)inding n)ame p)id"
#define PAGE_KEYS "q quit, Esc back, d names of Java threads, by a thread dump of the JVM"

static void write_title(FILE *to, const struct top *t)
{
	fprintf(to, "jfrec top, ");
	write_time(to, false);
	fprintf(to, ", %zu JVM%s, by %s, every %g s\n", t->count, t->count == 1 ? "" : "s",
		sorting_name(t->request->sort), (double)t->request->every_ns / NS_PER_SECOND);
}

static void write_page(FILE *to, struct top *t, const struct row *row)
{
	fprintf(to, "%d ", t->page.pid);
	put_name(to, row_name(row));
	if (row->load->jvm->jdk)
		fprintf(to, ", JDK %d", row->load->jvm->jdk);
	if (row->load->jvm->user) {
		fputs(", user ", to);
		put_name(to, row->load->jvm->user);
	}
	fputs(", ", to);
	write_time(to, false);
	putc('\n', to);
	jvm_page_write(to, &t->page, row, screen_rows() - 2);
}

/* The last line is that of the keys, whatever stands above it. */
static int draw_text(const char *text, size_t len, const char *keys, int marked)
{
	unsigned lines = screen_rows();
	char *all = malloc(len + lines + strlen(keys) + 1), *to = all;
	int error;

	if (!all)
		return ENOMEM;
	for (unsigned i = 1; i < lines; i++) {
		const char *end = len ? memchr(text, '\n', len) : NULL;
		size_t n = end ? (size_t)(end - text) : len;

		memcpy(to, text, n);
		to += n;
		*to++ = '\n';
		n += end ? 1 : 0;
		text += n;
		len -= n;
	}
	strcpy(to, keys);
	error = screen_draw_marked(all, (size_t)(to - all) + strlen(keys), marked);
	free(all);
	return error;
}

static int draw(struct top *t)
{
	const struct row *row = page_row(t);
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	int marked = -1, error;

	if (!to)
		return report_write_failure(ENOMEM);
	if (row) {
		write_page(to, t, row);
	} else {
		write_title(to, t);
		marked = jvm_list_write(to, &t->list);
	}
	fclose(to);
	/* Below the title. */
	error = draw_text(text, len, row ? PAGE_KEYS : LIST_KEYS, marked < 0 ? -1 : marked + 1);
	free(text);
	t->is_over = error != 0;
	return error ? report_write_failure(error) : EXIT_DONE;
}

static int show(struct top *t)
{
	return t->on_screen ? draw(t) : EXIT_DONE;
}

/* Keys ----------------------------------------------------------------------------------------- */

static void sort_by(struct top *t, enum sorting by)
{
	t->request->sort = by;
	rows_sort(t->rows, t->count, by);
	t->list.first = 0;
	t->list.marked_pid = 0;
}

static void open_marked(struct top *t)
{
	const struct row *row = t->count ? &t->rows[jvm_list_marked(&t->list)] : NULL;

	if (!row)
		return;
	jvm_page_open(&t->page, row->load->jvm);
	jvm_page_look(&t->page, t->loads, row->number);
}

static void press_in_list(struct top *t, int key)
{
	static const struct {
		char key;
		enum sorting sort;
	} sorts[] = {
		{ 'c', SORT_CPU },     { 'm', SORT_MEMORY },  { 'h', SORT_HEAP }, { 'g', SORT_GC },
		{ 't', SORT_THREADS }, { 'f', SORT_FINDING }, { 'n', SORT_NAME }, { 'p', SORT_PID },
	};

	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++) {
		if (key == sorts[i].key)
			sort_by(t, sorts[i].sort);
	}
	if (key == KEY_ENTER || key == KEY_RIGHT)
		open_marked(t);
	else
		jvm_list_move(&t->list, key);
}

static void press_in_page(struct top *t, int key)
{
	const struct row *row = page_row(t);

	if (key == KEY_ESCAPE || key == KEY_BACKSPACE || key == KEY_LEFT)
		jvm_page_close(&t->page);
	else if (key == 'd' && row)
		jvm_page_ask_names(&t->page, row);
}

/* False: it is the one that ends. */
static bool press(struct top *t, int key)
{
	if (key == 'q' || key == 'Q')
		return false;
	if (t->page.is_open)
		press_in_page(t, key);
	else
		press_in_list(t, key);
	return true;
}

/* The loop ------------------------------------------------------------------------------------- */

/* Until the next look. -1: go on; else the exit code of the end. */
static int wait_until(struct top *t, int64_t ns)
{
	int status = EXIT_DONE;

	while (status == EXIT_DONE && !t->is_over) {
		switch (screen_wait(t->wait_fd, ns)) {
		case WOKEN_TIME:
			return -1;
		case WOKEN_SIGNAL:
			return EXIT_INTERRUPTED;
		case WOKEN_READY:
			step(t);
			break;
		case WOKEN_KEY:
			if (!press(t, screen_key()))
				return EXIT_DONE;
			step(t);
			break;
		case WOKEN_RESIZED:
			break;
		}
		status = show(t);
	}
	return status;
}

/* When to look next: not so often that looking itself would be felt. */
static int64_t next_look(const struct top *t, bool is_first)
{
	int64_t every = t->request->every_ns;

	/* The first look opens files, which no other one does. */
	if (is_first)
		return t->looked_ns + (t->on_screen && every > FIRST_NS ? FIRST_NS : every);
	return t->looked_ns + (every > PACE * t->cost_ns ? every : PACE * t->cost_ns);
}

/* That no JVM is there is an answer, but not where one was named. */
static int report_none(const struct top *t)
{
	const struct target *target = &t->request->target;

	return target_is_any(target) ? EXIT_DONE : target_report_none(t->request->command, target);
}

static bool is_pid(const char *target)
{
	return target && strspn(target, "0123456789") == strlen(target);
}

static int say_ended(const struct top *t)
{
	if (t->on_screen)
		screen_end();
	fprintf(stderr, "jfrec top: process %s has ended\n", t->request->target.query.target);
	return EXIT_DONE;
}

static int loop(struct top *t)
{
	int status;

	do {
		bool is_first = t->looks == 0;

		status = look(t);
		if (status == EXIT_DONE && !t->count && is_first)
			status = report_none(t);
		if (status != EXIT_DONE)
			return status;
		if (!t->count && is_pid(t->request->target.query.target))
			return say_ended(t);
		step(t);
		/* What is per time is not known yet: that is for a screen only. */
		if (t->on_screen || !is_first)
			status = t->on_screen ? draw(t) : print(t);
		if (status != EXIT_DONE || t->is_over)
			return status;
		status = wait_until(t, next_look(t, is_first));
	} while (status < 0);
	return status;
}

/* Findings take their time, but not for ever. */
static int wait_for_verdicts(struct top *t)
{
	int64_t until_ns = monotonic_now_ns() + ONCE_NS;
	int status = -1;

	step(t);
	while (status < 0 && !t->request->without_findings &&
	       !verdicts_are_complete(&t->verdicts, t->loads)) {
		if (monotonic_now_ns() >= until_ns)
			break;
		status = wait_until(t, monotonic_now_ns() + 50 * NS_PER_MS);
		step(t);
	}
	return status;
}

static int show_once(struct top *t)
{
	int status = look(t);

	if (status != EXIT_DONE)
		return status;
	if (!t->count && (status = report_none(t)) != EXIT_DONE)
		return status;
	step(t);
	status = wait_until(t, t->looked_ns + t->request->every_ns);
	if (status < 0)
		status = look(t) == EXIT_DONE ? -1 : EXIT_FAILED;
	if (status < 0)
		status = wait_for_verdicts(t);
	return status < 0 ? print(t) : status;
}

static void end(struct top *t)
{
	jvm_page_close(&t->page);
	verdicts_fini(&t->verdicts);
	jfrec_loads_free(t->loads);
	free(t->rows);
	close(t->wait_fd);
}

int top_show(struct top_request *request)
{
	struct top t = { .request = request, .wait_fd = epoll_create1(EPOLL_CLOEXEC) };
	int status, sig;

	if (t.wait_fd < 0) {
		fprintf(stderr, "jfrec: cannot prepare to wait: %m\n");
		return EXIT_FAILED;
	}
	t.verdicts.wait_fd = t.page.wait_fd = t.wait_fd;
	allow_many_files();
	request->target.query.struct_size = sizeof(request->target.query);
	tzset();
	t.on_screen = screen_begin(request->form == TOP_TEXT && !request->is_once);
	status = request->is_once ? show_once(&t) : loop(&t);
	sig = screen_signal();
	screen_end();
	end(&t);
	/* By the usual way: as if it had never been caught. */
	if (sig == SIGTERM || sig == SIGHUP)
		raise(sig);
	return status;
}
