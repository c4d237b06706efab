/* SPDX-License-Identifier: MIT */
/*
 * kinds.c - what events say about the time of a thread
 */
#include "trace/kinds.h"

#include <string.h>
#include <strings.h>

#include "format/equivalents.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* clang-format off */
static const struct kind_row rows[] = {
	{ "jdk.GCPhasePause", JFREC_TRACE_GC, true, NULL, { { "name", "" } } },
	{ "jdk.ZAllocationStall", JFREC_TRACE_GC, false, NULL, { { "type", "" } } },
	{ "jdk.ExecuteVMOperation", JFREC_TRACE_SAFEPOINT, true, "safepoint", { { "operation", "" } } },
	{ "jdk.SafepointBegin", JFREC_TRACE_SAFEPOINT, true, NULL, { { 0 } } },
	{ "jdk.SafepointStateSynchronization", JFREC_TRACE_SAFEPOINT, true, NULL, { { 0 } } },
	{ "jdk.VirtualThreadPinned", JFREC_TRACE_PINNED, false, NULL, { { "blockingOperation", "" }, { "pinnedReason", "" } } },
	{ "jdk.JavaMonitorEnter", JFREC_TRACE_LOCK, false, NULL, { { "monitorClass", "" }, { "previousOwner", "held by " } } },
	{ "profiler.NativeLock", JFREC_TRACE_LOCK, false, NULL, { { 0 } } },
	{ "jdk.SocketRead", JFREC_TRACE_SOCKET, false, NULL, { { "host", "" }, { "address", "" }, { "port", "port " } } },
	{ "jdk.SocketWrite", JFREC_TRACE_SOCKET, false, NULL, { { "host", "" }, { "address", "" }, { "port", "port " } } },
	{ "jdk.SocketConnect", JFREC_TRACE_SOCKET, false, NULL, { { "host", "" }, { "address", "" }, { "port", "port " } } },
	{ "jdk.FileRead", JFREC_TRACE_FILE, false, NULL, { { "path", "" } } },
	{ "jdk.FileWrite", JFREC_TRACE_FILE, false, NULL, { { "path", "" } } },
	{ "jdk.FileForce", JFREC_TRACE_FILE, false, NULL, { { "path", "" } } },
	{ "jdk.ThreadSleep", JFREC_TRACE_SLEEP, false, NULL, { { 0 } } },
	{ "jdk.ThreadPark", JFREC_TRACE_WAIT, false, NULL, { { "parkedClass", "" } } },
	{ "jdk.JavaMonitorWait", JFREC_TRACE_WAIT, false, NULL, { { "monitorClass", "" }, { "notifier", "notified by " } } },
};
/* clang-format on */

static const struct kind_row span = { .kind = JFREC_TRACE_SPAN };

const struct kind_row *kind_row_of(const char *type)
{
	char buffer[JDK_NAME_MAX];
	const char *name = jdk_name_of(type, buffer);

	for (size_t i = 0; i < COUNT(rows); i++) {
		if (strcmp(rows[i].type, name) == 0)
			return &rows[i];
	}
	return &span;
}

/* Threads are parked for all kinds of reasons; these classes are locks. */
static bool is_lock(const char *class)
{
	static const char *const locks[] = { "ReentrantLock", "ReentrantReadWriteLock",
					     "StampedLock" };

	for (size_t i = 0; i < COUNT(locks); i++) {
		if (strstr(class, locks[i]))
			return true;
	}
	return false;
}

enum jfrec_trace_kind kind_of_event(const struct kind_row *row, struct objects *o,
				    struct object event)
{
	const char *class;

	if (row->only && object_field(event.type, row->only) &&
	    !object_number(event, row->only, 1))
		return JFREC_TRACE_SPAN;
	if (row->kind != JFREC_TRACE_WAIT || strcmp(row->details[0].field, "parkedClass") != 0)
		return row->kind;
	class = object_text(o, object_member(o, event, "parkedClass"), "name", NULL);
	return class && is_lock(class) ? JFREC_TRACE_LOCK : row->kind;
}

/* The words are looked for in the name without its package. */
static bool is_called_request(const char *type)
{
	static const char *const words[] = { "request", "http",	    "servlet",	   "endpoint",
					     "span",	"transaction", "invocation", "rpc" };
	const char *dot = strrchr(type, '.'), *name = dot ? dot + 1 : type;

	for (size_t i = 0; i < COUNT(words); i++) {
		if (strcasestr(name, words[i]))
			return true;
	}
	return false;
}

enum likeness likeness_of(const char *type)
{
	char buffer[JDK_NAME_MAX];

	if (strncmp(jdk_name_of(type, buffer), "jdk.", 4) == 0 || kind_row_of(type) != &span)
		return IS_OF_JVM;
	return is_called_request(type) ? IS_REQUEST : IS_OF_APP;
}
