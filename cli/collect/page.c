/* SPDX-License-Identifier: MIT */
/*
 * page.c - write a report on a collected file, in a process of its own
 *
 * The collector may be root, and a recording is hostile: a process without privileges reads it,
 * which can only write to the page and say why it failed. It ends with one of these.
 */
#include "collect/page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/child.h"
#include "common/confine.h"

enum { WRITTEN, NOT_WANTED, FAILED };

/* Is it wanted? -------------------------------------------------------------------------------- */

/* 1: there is such an event, or none was asked for; 0; -1 with *err set. */
static int has_event(const struct collect_report *how, int recording, struct jfrec_error *err)
{
	const struct jfrec_event *e;
	struct jfrec_reader *r;
	int got = -1;

	if (!how->events)
		return 1;
	r = jfrec_reader_open_fd(recording, NULL, err);
	if (r && jfrec_reader_select(r, how->events, NULL, err) == 0 &&
	    (!how->where || jfrec_reader_where(r, how->where, err) == 0))
		got = jfrec_reader_next(r, &e, err);
	jfrec_reader_close(r);
	return got;
}

static bool is_found(const struct jfrec_analysis *a, enum jfrec_severity least)
{
	for (size_t j = 0; j < jfrec_analysis_jvm_count(a); j++) {
		for (size_t i = 0; i < jfrec_analysis_finding_count(a, j); i++) {
			if (jfrec_analysis_finding(a, j, i)->severity >= least)
				return true;
		}
	}
	return false;
}

/* The same of a finding of that severity. */
static int has_finding(const struct collect_report *how, int recording, struct jfrec_error *err)
{
	struct jfrec_analysis *a;
	struct jfrec_reader *r;
	int got = -1;

	if (!how->finding)
		return 1;
	a = jfrec_analysis_new(NULL, err);
	r = a ? jfrec_reader_open_fd(recording, NULL, err) : NULL;
	if (r && jfrec_analysis_read(a, r, err) == 0 && jfrec_analysis_finish(a, err) == 0)
		got = is_found(a, how->finding);
	jfrec_reader_close(r);
	jfrec_analysis_free(a);
	return got;
}

/* The page ------------------------------------------------------------------------------------- */

/* A jfrec_write_fn. */
static int write_page(void *page, const void *data, size_t len)
{
	return fwrite(data, 1, len, page) == len ? 0 : -1;
}

static int write_report(const struct collect_report *how, int recording, const char *name,
			FILE *page, struct jfrec_error *err)
{
	struct jfrec_report_options options = { .struct_size = sizeof(options), .title = name };
	struct jfrec_report *report = jfrec_report_new(&options, err);
	struct jfrec_reader *r = report ? jfrec_reader_open_fd(recording, NULL, err) : NULL;
	int ret = -1;

	if (r && jfrec_report_add_recording(report, name, err) == 0 &&
	    jfrec_report_read(report, r, err) == 0 &&
	    jfrec_report_write(report, how->format, write_page, page, err) == 0)
		ret = fflush(page) == 0 ? 0 : jfrec_fail_sys(err, errno, "cannot write the page");
	jfrec_report_free(report);
	jfrec_reader_close(r);
	return ret;
}

static int work(const struct collect_report *how, int recording, const char *name, int to,
		struct jfrec_error *err)
{
	FILE *page;
	int wanted = has_event(how, recording, err);

	if (wanted > 0)
		wanted = has_finding(how, recording, err);
	if (wanted <= 0)
		return wanted < 0 ? FAILED : NOT_WANTED;
	page = fdopen(to, "w");
	if (!page) {
		jfrec_fail_sys(err, errno, "cannot write the page");
		return FAILED;
	}
	return write_report(how, recording, name, page, err) == 0 ? WRITTEN : FAILED;
}

/* The process ---------------------------------------------------------------------------------- */

static void run(const struct collect_report *how, int recording, const char *name, int to, int said)
{
	struct rlimit size = { PAGE_MAX, PAGE_MAX }, none = { 0, 0 };
	struct jfrec_error err = { .text = "it failed" };
	int status;

	setpgid(0, 0);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &size);
	setrlimit(RLIMIT_CORE, &none);
	confine(CONFINE_READING);
	status = work(how, recording, name, to, &err);
	if (status == FAILED)
		(void)!write(said, err.text, strlen(err.text));
	_exit(status);
}

static int judge(int status, int said, struct jfrec_error *err)
{
	char text[200];
	ssize_t len;

	if (WIFEXITED(status) && WEXITSTATUS(status) != FAILED)
		return WEXITSTATUS(status) == WRITTEN;
	if (WIFSIGNALED(status))
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "no report was written: its process was killed by signal %d",
				  WTERMSIG(status));
	len = read(said, text, sizeof(text) - 1);
	text[len > 0 ? len : 0] = '\0';
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET, "no report was written: %s", text);
}

static int run_apart(const struct collect_report *how, int recording, const char *name, int to,
		     const int said[2], struct jfrec_error *err)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return jfrec_fail_sys(err, errno, "cannot start a process for the report");
	if (pid == 0)
		run(how, recording, name, to, said[1]);
	setpgid(pid, pid);
	if (child_wait(pid, how->timeout_ms, &status))
		return judge(status, said[0], err);
	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
			  "no report was written: it was not done in %g s",
			  how->timeout_ms / 1000.0);
}

int page_make(const struct collect_report *how, int recording, const char *name, int *page,
	      struct jfrec_error *err)
{
	int said[2], made;

	*page = memfd_create("report", MFD_CLOEXEC);
	if (*page < 0)
		return jfrec_fail_sys(err, errno, "cannot make a file in memory");
	if (pipe2(said, O_CLOEXEC | O_NONBLOCK) < 0) {
		close(*page);
		return jfrec_fail_sys(err, errno, "cannot make a pipe");
	}
	made = run_apart(how, recording, name, *page, said, err);
	close(said[0]);
	close(said[1]);
	if (made <= 0)
		close(*page);
	return made;
}
