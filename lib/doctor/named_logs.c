/* SPDX-License-Identifier: MIT */
/*
 * named_logs.c - the logs of the garbage collector that a JVM names
 *
 * The options say how they are called, with %p and %t in it and perhaps a number after it; which
 * file that is the JVM's own descriptors tell, by which they are opened.  Nothing is opened by
 * name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/glob.h"
#include "jfrec-tool.h"
#include "process/opener.h"
#include "process/probe.h"
#include "process/root.h"

/* Options that name one, and logs that are taken. */
#define MOST_NAMES 16
#define MOST_LOGS  8

struct named {
	struct process process;
	struct opener opener;
	uid_t uid;
	char *names[MOST_NAMES]; /* globs of what the kernel calls them: the last name only */
	size_t count, taken;
	dev_t devices[MOST_LOGS];
	ino_t inodes[MOST_LOGS];
	jfrec_named_log_fn *fn;
	void *ctx;
};

/* Names ---------------------------------------------------------------------------------------- */

/* "gc-%p.log" as a glob: what stands for a pid, a time or a host may be anything. */
static void add_name(struct named *n, const char *name, size_t len)
{
	const char *slash = memrchr(name, '/', len);
	char *glob, *to;

	if (slash) {
		len -= (size_t)(slash + 1 - name);
		name = slash + 1;
	}
	if (!len || n->count == MOST_NAMES)
		return;
	glob = to = malloc(len + 3);
	for (size_t i = 0; glob && i < len; i++) {
		if (name[i] == '%' && i + 1 < len && strchr("pthn", name[i + 1])) {
			*to++ = '*';
			i++;
		} else {
			*to++ = name[i];
		}
	}
	if (!glob)
		return;
	*to++ = '*'; /* ".0", ".0.current", " (deleted)" */
	*to = '\0';
	n->names[n->count++] = glob;
}

/* -Xlog:gc*:file=/var/log/gc.log:time:filecount=5, or "file", with quotes or without. */
static void take_unified(struct named *n, const char *what, const char *end)
{
	const char *output = memchr(what, ':', (size_t)(end - what)), *stop;
	char quote;

	if (!output || !memmem(what, (size_t)(output - what), "gc", 2))
		return;
	output++;
	if (end - output > 5 && strncmp(output, "file=", 5) == 0)
		output += 5;
	quote = output < end && *output == '"' ? '"' : ':';
	output += quote == '"';
	stop = memchr(output, quote, (size_t)(end - output));
	if (!stop)
		stop = end;
	if ((size_t)(stop - output) == 6 &&
	    (strncmp(output, "stdout", 6) == 0 || strncmp(output, "stderr", 6) == 0))
		return;
	add_name(n, output, (size_t)(stop - output));
}

static void take_word(struct named *n, const char *word, size_t len)
{
	if (len > 6 && strncmp(word, "-Xlog:", 6) == 0)
		take_unified(n, word + 6, word + len);
	else if (len > 8 && strncmp(word, "-Xloggc:", 8) == 0)
		add_name(n, word + 8, len - 8);
}

/* The value of a variable with options: words parted by blanks. */
static void take_options(struct named *n, const char *at)
{
	for (; *at; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		take_word(n, at, strcspn(at, " "));
	}
}

/*
 * What the JVM tells in its performance data, files of options included.  Its user may write
 * anything there; but it is only used to choose among what the JVM has open.
 */
static void read_told(struct named *n, const struct jfrec_jvm *jvm)
{
	struct jvm_root r;
	struct probe v;

	if (jvm_root_open(&r, jvm->pid, jvm->start_ticks, jvm->tmp, NULL) < 0)
		return;
	if (probe_init(&v, &r.process, NULL) == 0) {
		probe_add_perf(&v, &r);
		if (v.perf.arguments)
			take_options(n, v.perf.arguments);
		probe_fini(&v);
	}
	jvm_root_close(&r);
}

static void read_names(struct named *n)
{
	static const char *const variables[] = { "JAVA_TOOL_OPTIONS=", "JDK_JAVA_OPTIONS=",
						 "_JAVA_OPTIONS=" };
	size_t len = 0;
	char *bytes = process_read(&n->process, "cmdline", 2u << 20, &len);

	for (const char *at = bytes; at && at < bytes + len; at += strlen(at) + 1)
		take_word(n, at, strlen(at));
	free(bytes);
	len = 0;
	bytes = process_read(&n->process, "environ", 2u << 20, &len);
	for (const char *at = bytes; at && at < bytes + len; at += strlen(at) + 1) {
		for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
			if (strncmp(at, variables[i], strlen(variables[i])) == 0)
				take_options(n, at + strlen(variables[i]));
		}
	}
	free(bytes);
}

static bool is_named(const struct named *n, const char *link)
{
	const char *slash = strrchr(link, '/');

	for (size_t i = 0; slash && i < n->count; i++) {
		if (glob_match(n->names[i], strlen(n->names[i]), slash + 1))
			return true;
	}
	return false;
}

/* Files ---------------------------------------------------------------------------------------- */

/* Does the JVM write it?  "flags:\t0100001" of fdinfo, in octal. */
static bool is_written(const struct named *n, int number)
{
	char name[32], *text;
	const char *flags;
	size_t len = 0;
	unsigned long how = O_RDONLY;

	snprintf(name, sizeof(name), "fdinfo/%d", number);
	text = process_read(&n->process, name, 4096, &len);
	flags = text ? strstr(text, "flags:") : NULL;
	if (flags)
		how = strtoul(flags + strlen("flags:"), NULL, 8);
	free(text);
	return (how & O_ACCMODE) != O_RDONLY;
}

static bool is_new(struct named *n, const struct opener_file *f)
{
	for (size_t i = 0; i < n->taken; i++) {
		if (n->devices[i] == f->dev && n->inodes[i] == f->ino)
			return false;
	}
	n->devices[n->taken] = f->dev;
	n->inodes[n->taken] = f->ino;
	return true;
}

static int refuse(struct named *n, const char *path, const char *why)
{
	struct jfrec_error err;

	jfrec_fail(&err, JFREC_EPERMISSION, JFREC_NO_OFFSET, "%.200s was not read: %s", path, why);
	return n->fn(n->ctx, path, -1, &err);
}

static int take_descriptor(void *ctx, int number, const char *link)
{
	struct named *n = ctx;
	const char *path = root_name(&n->process, link);
	struct opener_file f;
	struct jfrec_error err;
	int fd;

	if (n->taken == MOST_LOGS || !is_named(n, link))
		return 0;
	if (!is_written(n, number))
		return refuse(n, path, "the JVM does not write it");
	fd = opener_open_descriptor(&n->opener, &n->process, number, OPENER_ANYBODYS, &f, &err);
	if (fd < 0)
		return n->fn(n->ctx, path, -1, &err);
	if (!is_new(n, &f)) {
		close(fd);
		return 0;
	}
	n->taken++;
	if (f.uid == n->uid && f.links <= 1)
		return n->fn(n->ctx, path, fd, NULL);
	close(fd);
	return refuse(n, path, f.uid != n->uid ? "it belongs to another user"
					       : "it has a second name, and may be another file's");
}

int jfrec_outside_logs(const struct jfrec_jvm *jvm, jfrec_named_log_fn *fn, void *ctx,
		       struct jfrec_error *err)
{
	struct named n = { .uid = jvm->uid, .fn = fn, .ctx = ctx };
	int ret = -1;

	if (process_open(&n.process, jvm->pid, jvm->start_ticks, err) < 0)
		return -1;
	read_names(&n);
	read_told(&n, jvm);
	if (!n.count)
		ret = 0;
	else if (opener_start(&n.opener, &n.process, err) == 0) {
		ret = process_each_descriptor(&n.process, take_descriptor, &n);
		if (ret < 0 && errno == EACCES)
			jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				   "the open files of process %d are not ours to see; run jfrec as "
				   "its user or as root",
				   jvm->pid);
		opener_stop(&n.opener);
	}
	for (size_t i = 0; i < n.count; i++)
		free(n.names[i]);
	process_close(&n.process);
	return ret < 0 ? -1 : 0;
}
