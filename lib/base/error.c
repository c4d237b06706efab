/* SPDX-License-Identifier: MIT */
/*
 * error.c - fill in struct jfrec_error where the failure occurs
 */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 5, 0))) static void set(struct jfrec_error *err, enum jfrec_code code,
						      int sys, uint64_t offset, const char *format,
						      va_list args)
{
	err->code = code;
	err->sys = sys;
	err->offset = offset;
	vsnprintf(err->text, sizeof(err->text), format, args);
}

int jfrec_fail(struct jfrec_error *err, enum jfrec_code code, uint64_t offset, const char *format,
	       ...)
{
	va_list args;

	if (!err)
		return -1;
	va_start(args, format);
	set(err, code, 0, offset, format, args);
	va_end(args);
	return -1;
}

int jfrec_fail_sys(struct jfrec_error *err, int sys, const char *format, ...)
{
	va_list args;
	size_t len;

	if (!err)
		return -1;
	va_start(args, format);
	set(err, JFREC_EIO, sys, JFREC_NO_OFFSET, format, args);
	va_end(args);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", strerror(sys));
	return -1;
}

int jfrec_fail_errno(struct jfrec_error *err, int sys)
{
	jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "%s", strerror(sys));
	if (err)
		err->sys = sys;
	return -1;
}

int jfrec_fail_output(struct jfrec_error *err, int sys)
{
	if (sys == EOVERFLOW) {
		jfrec_fail(err, JFREC_EOUTPUT, JFREC_NO_OFFSET,
			   "the output would be larger than its limit");
		if (err)
			err->sys = sys;
		return -1;
	}
	jfrec_fail_sys(err, sys, "cannot write the output");
	if (err)
		err->code = JFREC_EOUTPUT;
	return -1;
}

int jfrec_fail_memory(struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_ENOMEM, JFREC_NO_OFFSET, "out of memory");
}
