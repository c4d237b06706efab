/* SPDX-License-Identifier: MIT */
/* jfrec/base.h - what all of libjfrec has in common: its version, errors, where output goes */
#ifndef JFREC_BASE_H
#define JFREC_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Around the declarations of each header: C linkage for C++, and the default visibility, so that
 * the library exports exactly these.
 */
#ifdef __cplusplus
#define JFREC_BEGIN_DECLS extern "C" { _Pragma("GCC visibility push(default)")
#define JFREC_END_DECLS _Pragma("GCC visibility pop") }
#else
#define JFREC_BEGIN_DECLS _Pragma("GCC visibility push(default)")
#define JFREC_END_DECLS _Pragma("GCC visibility pop")
#endif

JFREC_BEGIN_DECLS

/* The version of these headers: 0.1.0 is 0x000100, and a later version is a greater number. */
#define JFREC_VERSION_MAJOR 0
#define JFREC_VERSION_MINOR 9
#define JFREC_VERSION_PATCH 0
#define JFREC_VERSION_NUMBER \
	(JFREC_VERSION_MAJOR << 16 | JFREC_VERSION_MINOR << 8 | JFREC_VERSION_PATCH)

/* The version of the library that the program runs with, such as "0.1.0".  Static. */
const char *jfrec_version(void);

/* The same as a number, to be compared with JFREC_VERSION_NUMBER. */
unsigned jfrec_version_number(void);

/* Free a string that a function of the library returned for the caller to free. */
void jfrec_free(void *p);

#define JFREC_NO_OFFSET UINT64_MAX

/* Why a call failed.  Numbers never change; what is new gets the next one. */
enum jfrec_code {
	JFREC_OK = 0,
	JFREC_EIO = 1,		/* the system refused to read; .sys is errno */
	JFREC_EOUTPUT = 2,	/* the caller's write function failed; .sys is what it returned */
	JFREC_EFORMAT = 3,	/* not a recording, or a damaged one */
	JFREC_EUNSUPPORTED = 4, /* an unsupported kind of recording */
	JFREC_EINVAL = 5,	/* an invalid argument or request */
	JFREC_ENOMEM = 6,
	JFREC_ECANCELED = 7,   /* jfrec_reader_stop() was called */
	JFREC_EEXPRESSION = 8, /* an expression or query: .offset is the byte in its text */
	JFREC_ELEAK = 9,       /* jfrec_write_scrubbed(): .offset is the byte in the output */
	/* Of JVMs; the tool's exit codes 3 to 9, 11 and 1, jfrec(1). */
	JFREC_ENOJVM = 10,	/* no such process, or not a JVM that the library supports */
	JFREC_EPERMISSION = 11, /* the JVM belongs to another user */
	/* attaching is disabled, broken, or not ready; detected before any harm */
	JFREC_EATTACH = 12,
	JFREC_ETIMEOUT = 13,	/* no reply in time; the JVM may still carry out the command */
	JFREC_EDIED = 14,	/* the JVM exited, or its reply was cut short */
	JFREC_ENOJFR = 15,	/* the JVM has no Flight Recorder, or it is disabled */
	JFREC_ERESULT = 16,	/* the file that the JVM wrote is missing or incomplete */
	JFREC_EREFUSED = 17,	/* the JVM replied that the command failed */
	JFREC_ENOEVENT = 18,	/* none of the requested events is in the recording */
	JFREC_EHARM = 19,	/* asking would harm the JVM: it is at a limit; nothing was sent */
};

/* Filled by the call that failed.  Every `err` argument may be NULL. */
struct jfrec_error {
	enum jfrec_code code;
	/*
	 * errno for JFREC_EIO and JFREC_EOUTPUT; ENOMEM for JFREC_EREFUSED if the JVM has no memory
	 * to do what it was asked; else 0.
	 */
	int sys;
	uint64_t offset; /* byte in the input, or JFREC_NO_OFFSET */
	char text[384];	 /* one sentence without the input's name; ends in NUL */
};

/*
 * Fill *err, which may be NULL, and return -1: for programs whose own functions fail as the
 * library's do, so that `return jfrec_fail(...)` reads straight.
 */
int jfrec_fail(struct jfrec_error *err, enum jfrec_code code, uint64_t offset, const char *format,
	       ...) __attribute__((format(printf, 4, 5)));

/* The same for a system call (JFREC_EIO); ": " and the text of errno value `sys` follow. */
int jfrec_fail_sys(struct jfrec_error *err, int sys, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same when memory is exhausted (JFREC_ENOMEM). */
int jfrec_fail_memory(struct jfrec_error *err);

/*
 * Structs that tell a function what to do begin with size_t struct_size.  The program sets it to
 * the size that it was compiled with, so that they can grow:
 *
 *	struct jfrec_print_options o = { .struct_size = sizeof(o), .format = JFREC_JSON };
 *
 * What is left out is 0 or NULL, the default; a NULL pointer to them means that of all.
 * JFREC_EINVAL if the size is not set, or the program uses what this library does not have yet.
 */

/*
 * What a value is: of an event, of a cell of an answer, of a column of a table, of a field that a
 * program writes.  Each of these says which kinds it can have.
 */
enum jfrec_kind {
	JFREC_KIND_NULL = 0,	 /* no value: a null string, or a constant that is missing */
	JFREC_KIND_BOOL = 1,	 /* 0 or 1 */
	JFREC_KIND_INT = 2,	 /* a whole number of any size */
	JFREC_KIND_UINT = 3,	 /* the same without a sign */
	JFREC_KIND_FLOAT = 4,	 /* a floating-point number of any size; also NaN and infinities */
	JFREC_KIND_CHAR = 5,	 /* a UTF-16 unit */
	JFREC_KIND_INT8 = 6,	 /* numbers of one size */
	JFREC_KIND_INT16 = 7,
	JFREC_KIND_INT32 = 8,
	JFREC_KIND_INT64 = 9,
	JFREC_KIND_UINT8 = 10,
	JFREC_KIND_UINT16 = 11,
	JFREC_KIND_UINT32 = 12,
	JFREC_KIND_UINT64 = 13,
	JFREC_KIND_FLOAT32 = 14,
	JFREC_KIND_FLOAT64 = 15,
	JFREC_KIND_TIME = 16,	 /* ns since 1970, UTC */
	JFREC_KIND_SPAN = 17,	 /* ns; INT64_MIN: none, INT64_MAX: without end */
	JFREC_KIND_STRING = 18,	 /* a text, as are those that follow up to _JSON */
	JFREC_KIND_CLASS = 19,	 /* "java.lang.String[]" */
	JFREC_KIND_LOADER = 20,	 /* of classes: "app", or its class */
	JFREC_KIND_METHOD = 21,	 /* "java.lang.String.indexOf(int, int)" */
	JFREC_KIND_FRAME = 22,	 /* the same, and " line: 12" */
	JFREC_KIND_STACK = 23,	 /* methods from the top, separated by semicolons */
	JFREC_KIND_THREAD = 24,	 /* its name */
	JFREC_KIND_JSON = 25,	 /* an array or a struct as a text */
	JFREC_KIND_STRUCT = 26,	 /* fields with names */
	JFREC_KIND_ARRAY = 27,	 /* any number of elements */
};

/* What a number means. */
enum jfrec_unit {
	JFREC_UNIT_NONE = 0,	 /* a number of something */
	JFREC_UNIT_TIME = 1,	 /* a point in time, ns since 1970 */
	JFREC_UNIT_TIME_MS = 2,	 /* the same in ms */
	JFREC_UNIT_NS = 3,	 /* spans of time */
	JFREC_UNIT_US = 4,
	JFREC_UNIT_MS = 5,
	JFREC_UNIT_S = 6,
	JFREC_UNIT_BYTES = 7,
	JFREC_UNIT_BITS = 8,
	JFREC_UNIT_BYTES_PER_S = 9,
	JFREC_UNIT_BITS_PER_S = 10,
	JFREC_UNIT_HERTZ = 11,	 /* per second */
	JFREC_UNIT_PERCENT = 12, /* a share: 0.5 is 50 % */
	JFREC_UNIT_ADDRESS = 13, /* in memory */
	JFREC_UNIT_FLAG = 14,	 /* a boolean that is a setting of the JVM's */
};

/* Write all of data.  0, or an errno value, after which it is not called again. */
typedef int jfrec_write_fn(void *ctx, const void *data, size_t len);

/* How many seconds local time is ahead of UTC at that time (seconds since 1970, UTC). */
typedef int32_t jfrec_zone_fn(void *ctx, int64_t seconds);

JFREC_END_DECLS

#endif
