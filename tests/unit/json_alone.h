/* SPDX-License-Identifier: MIT */
/*
 * json_alone.h - what cli/base/json.c needs of the tool, for programs that only make JSON with it
 */
#ifndef JFREC_TEST_JSON_ALONE_H
#define JFREC_TEST_JSON_ALONE_H

#include "base/progress.h"
#include "base/report.h"

void progress_begin_printing(struct jfrec_reader *r)
{
	(void)r;
}

int progress_signal(void)
{
	return 0;
}

int report_write_failure(int error)
{
	return error;
}

void say_out_of_memory(void)
{
}

int write_stdout(void *ctx, const void *data, size_t len)
{
	(void)ctx, (void)data, (void)len;
	return 0;
}

#endif
