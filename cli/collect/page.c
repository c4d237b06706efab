/* SPDX-License-Identifier: MIT */
/*
 * page.c - write a report on a collected file, in a process of its own
 *
 * That process can only write to the page, and say why it failed (subprocess.h).
 */
#include "collect/page.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/subprocess.h"

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
			if (jfrec_analysis_finding_get(a, j, i)->severity >= least)
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

/* Without memory for it, the report that needs more fails. */
static void note_problem(void *report, const struct jfrec_problem *problem)
{
	jfrec_report_add_problem(report, problem, NULL);
}

static int write_report(const struct collect_report *how, int recording, const char *name,
			FILE *page, struct jfrec_error *err)
{
	struct jfrec_report_options options = { .struct_size = sizeof(options), .title = name };
	struct jfrec_report *report = jfrec_report_new(&options, err);
	struct jfrec_reader *r = report ? jfrec_reader_open_fd(recording, NULL, err) : NULL;
	int ret = -1;

	if (r)
		jfrec_reader_on_problem(r, note_problem, report);
	if (r && jfrec_report_add_recording(report, name, err) == 0 &&
	    jfrec_report_read(report, r, err) == 0 &&
	    jfrec_report_write(report, how->format, write_page, page, err) == 0)
		ret = fflush(page) == 0 ? 0 : jfrec_fail_sys(err, errno, "cannot write the page");
	jfrec_report_free(report);
	jfrec_reader_close(r);
	return ret;
}

/* A report that is being made. */
struct task {
	const struct collect_report *how;
	int recording;
	const char *name;
	int page;
};

/* 1: it is written; 0: it is not wanted. */
static int work(void *ctx, struct jfrec_error *err)
{
	const struct task *t = ctx;
	FILE *page;
	int wanted = has_event(t->how, t->recording, err);

	if (wanted > 0)
		wanted = has_finding(t->how, t->recording, err);
	if (wanted <= 0)
		return wanted;
	page = fdopen(t->page, "w");
	if (!page)
		return jfrec_fail_sys(err, errno, "cannot write the page");
	return write_report(t->how, t->recording, t->name, page, err) == 0 ? 1 : -1;
}

int page_make(const struct collect_report *how, int recording, const char *name, int *page,
	      struct jfrec_error *err)
{
	struct task task = { how, recording, name, memfd_create("report", MFD_CLOEXEC) };
	const struct subprocess subprocess = {
		.failed = "no report was written",
		.timeout_ms = how->timeout_ms,
		.recording = recording,
		.file_max = PAGE_MAX,
		.work = work,
		.ctx = &task,
	};
	int made;

	if (task.page < 0)
		return jfrec_fail_sys(err, errno, "cannot make a file in memory");
	made = subprocess_run(&subprocess, err);
	if (made <= 0)
		close(task.page);
	*page = task.page;
	return made;
}
