/* SPDX-License-Identifier: MIT */
/*
 * fail.c - fill the error of a caller, who may not want it
 */
#include "recorder/ground/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_OF_PATH 90u

int recorder_fail(struct jfrec_recorder_error *err, int sys, const char *format, ...)
{
	va_list args;

	if (!err)
		return -1;
	err->sys = sys;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}

const char *fail_tail(const char *path)
{
	size_t len = strlen(path);

	return len > MOST_OF_PATH ? path + len - MOST_OF_PATH : path;
}
