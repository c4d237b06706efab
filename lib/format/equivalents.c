/* SPDX-License-Identifier: MIT */
/*
 * equivalents.c - event types of other producers that say what one of the JDK's says
 *
 * A row is what the producer's sources declare: datadog.* of Datadog's java-profiler, which writes
 * chunks of its own, and of dd-trace-java, which commits events to the JVM's recording. Allocation
 * and exceptions are samples there, too; those of exceptions do not say how many they stand for.
 *
 * OpenJ9 and GraalVM's native image need no row: what they declare has the JDK's own names.
 */
#include "format/equivalents.h"

#include <stdio.h>
#include <string.h>

#define DATADOG .producer = "Datadog"

static const struct equivalent table[] = {
	/* Samples by the CPU clock of threads, in Java and in native code. */
	{ "datadog.ExecutionSample", "jdk.ExecutionSample", "cpu", .samples = "weight",
	  .setting = "interval", .fields = { { "sampledThread", "eventThread" } }, DATADOG },
	{ "datadog.MethodSample", "profiler.WallClockSample", "wall", .samples = "weight",
	  .setting = "interval",
	  .fields = { { "sampledThread", "eventThread" }, { "samples", "weight" } }, DATADOG },
	/* An object of `size` bytes, of which it stands for `weight`. */
	{ "datadog.ObjectSample", "jdk.ObjectAllocationSample", "alloc", .value = "size",
	  .factor = "weight", DATADOG },
	{ "datadog.HeapLiveObject", "profiler.LiveObject", "live", .value = "size",
	  .factor = "weight", .fields = { { "allocationSize", "size" } }, DATADOG },
	{ "datadog.ExceptionSample", "jdk.JavaExceptionThrow", "exceptions",
	  .fields = { { "thrownClass", "type" } }, DATADOG },
	{ "datadog.NativeMemoryAllocation", "profiler.Malloc", "native-memory", .value = "size",
	  .factor = "weight", DATADOG },
	{ "datadog.NativeSocketEvent", "jdk.SocketRead", "io", .value = "duration",
	  .factor = "weight",
	  .fields = { { "host", "remoteAddress" }, { "bytesRead", "bytesTransferred" } }, DATADOG },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

const struct equivalent *equivalent_at(size_t i)
{
	return i < COUNT(table) ? &table[i] : NULL;
}

const struct equivalent *equivalent_of(const char *type)
{
	for (size_t i = 0; i < COUNT(table); i++) {
		if (strcmp(table[i].type, type) == 0)
			return &table[i];
	}
	return NULL;
}

const char *equivalent_field(const struct equivalent *e, const char *jdk_field)
{
	for (size_t i = 0; i < EQUIVALENT_FIELDS && e->fields[i].jdk; i++) {
		if (strcmp(e->fields[i].jdk, jdk_field) == 0)
			return e->fields[i].own;
	}
	return jdk_field;
}

/* That which is before the first dot of a row's type is its producer's. */
const char *producer_of(const char *type)
{
	size_t len = strcspn(type, ".") + 1;

	for (size_t i = 0; i < COUNT(table); i++) {
		if (strncmp(table[i].type, type, len) == 0)
			return table[i].producer;
	}
	return NULL;
}

/* Names of JDK 9 and 10 ------------------------------------------------------------------------ */

#define JDK_PREFIX  "jdk."
#define JDK9_PREFIX JDK9_BEFORE JDK_PREFIX

static bool begins_with(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool is_jdk9_name(const char *name, const char *jdk_name)
{
	return begins_with(jdk_name, JDK_PREFIX) && begins_with(name, JDK9_PREFIX) &&
	       strcmp(name + strlen(JDK9_BEFORE), jdk_name) == 0;
}

const char *jdk_name_of(const char *name, char buffer[JDK_NAME_MAX])
{
	if (!begins_with(name, JDK9_PREFIX))
		return name;
	snprintf(buffer, JDK_NAME_MAX, "%s", name + strlen(JDK9_BEFORE));
	return buffer;
}

const char *jdk9_name_of(const char *jdk_name, char buffer[JDK_NAME_MAX])
{
	if (!begins_with(jdk_name, JDK_PREFIX))
		return jdk_name;
	snprintf(buffer, JDK_NAME_MAX, JDK9_BEFORE "%s", jdk_name);
	return buffer;
}
