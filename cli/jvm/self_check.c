/* SPDX-License-Identifier: MIT */
/*
 * self_check.c - is this jfrec whole, and does it know the JVMs that are here?
 */
#include "jvm/self_check.h"

#include <stdio.h>
#include <string.h>

#include "base/version.h"

/* The JDKs that the tests with JVMs ran on (tests/live), and the format of what they write. */
static const struct {
	int jdk;
	const char *format;
} tested[] = {
	{ 8, "2.0" },  { 11, "2.0" }, { 17, "2.1" }, { 21, "2.1" },
	{ 25, "2.1" }, { 26, "2.1" }, { 28, "2.1" },
};

#define TESTED_COUNT (sizeof(tested) / sizeof(*tested))

size_t self_check_count(void)
{
	return 1 + jfrec_library_count();
}

static struct self_finding finding_of_library(const struct jfrec_library *library)
{
	struct self_finding f = { .state = JFREC_FINDING_OK, .check = library->name };

	if (library->missing) {
		f.state = JFREC_FINDING_WRONG;
		snprintf(f.text, sizeof(f.text), "missing, so there is none of: %s", library->does);
		f.remedy = library->missing;
	} else {
		snprintf(f.text, sizeof(f.text), "%s: %s", library->version, library->does);
	}
	return f;
}

struct self_finding self_check_build(size_t i)
{
	struct self_finding f = { .state = JFREC_FINDING_OK, .check = "version" };
	struct jfrec_library library;

	if (i) {
		library = jfrec_library_get(i - 1);
		return finding_of_library(&library);
	}
	snprintf(f.text, sizeof(f.text), "jfrec %s, %s", jfrec_version(), version_system());
	return f;
}

/* Of a JDK that was tested; NULL: it was not, and what it writes is not known. */
static const char *format_of(int jdk)
{
	for (size_t i = 0; i < TESTED_COUNT; i++) {
		if (tested[i].jdk == jdk)
			return tested[i].format;
	}
	return NULL;
}

static void describe_java(struct self_finding *f, const struct jfrec_jvm *jvm)
{
	int newest = tested[TESTED_COUNT - 1].jdk;
	const char *format = format_of(jvm->jdk);
	const char *version = jvm->version ? jvm->version : "of unknown version";

	if (format) {
		snprintf(f->text, sizeof(f->text),
			 "Java %s, recordings of format %s: tested with JDK %d", version, format,
			 jvm->jdk);
		return;
	}
	f->state = JFREC_FINDING_NOTE;
	if (jvm->jdk > newest)
		snprintf(f->text, sizeof(f->text),
			 "Java %s: newer than JDK %d, the newest that was tested; events that are "
			 "new in it are printed, but in no view or rule",
			 version, newest);
	else
		snprintf(f->text, sizeof(f->text),
			 "Java %s: tests ran with other versions, but not with JDK %d",
			 version, jvm->jdk);
}

struct self_finding self_check_jvm(const struct jfrec_jvm *jvm)
{
	struct self_finding f = { .state = JFREC_FINDING_OK, .check = "" };

	if (jvm->kind == JFREC_JVM_HOTSPOT && jvm->jdk) {
		describe_java(&f, jvm);
		return f;
	}
	f.state = JFREC_FINDING_NOTE;
	snprintf(f.text, sizeof(f.text), "%s",
		 jvm->kind == JFREC_JVM_NATIVE ? "a program that has the recorder for native programs" :
		 jvm->kind == JFREC_JVM_OPENJ9 ? "OpenJ9 has no Flight Recorder that jfrec can control" :
						 "which Java it runs could not be found out");
	return f;
}
