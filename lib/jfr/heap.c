/* SPDX-License-Identifier: MIT */
/*
 * heap.c - make a JVM write a heap dump, and fetch it
 *
 * As with recordings, the JVM writes into its own /tmp, under a name that cannot be guessed.
 * From JDK 17 on the file is made before, by its user, and no other may read it; older ones make
 * it themselves (mode 0600) and would not replace one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "attach/session.h"
#include "base/error.h"
#include "jfr/dump_fetch.h"
#include "jfr/heap_check.h"
#include "jfr/jfr.h"
#include "jfrec-tool.h"
#include "process/process.h"

/* A heap of some GB on a slow disk; the JVM stands still meanwhile. */
#define HEAP_TIMEOUT_MS (10 * 60 * 1000)

/* From here on it replaces a file, if it is told to. */
#define JDK_THAT_REPLACES 17

/* From here on it writes several files at once, unless it is told not to. */
#define JDK_IN_PARALLEL 22

/* Room ----------------------------------------------------------------------------------------- */

/* The pages of the JVM that are in memory or swapped: its heap is no more than these. */
static uint64_t memory_of(const struct jfrec_jvm *jvm)
{
	struct process p;
	uint64_t sum;

	if (process_open(&p, jvm->pid, jvm->start_ticks, NULL) < 0)
		return 0;
	sum = p.status.resident + p.status.swapped;
	process_close(&p);
	return sum;
}

static int check_room(struct jfrec_session *s, struct jfrec_error *err)
{
	uint64_t need = memory_of(session_jvm(s)), room;
	int tmp = session_open_directory(s, session_tmp(s), err);
	struct statvfs fs;
	bool known;

	if (tmp < 0)
		return -1;
	known = fstatvfs(tmp, &fs) == 0;
	close(tmp);
	room = known ? (uint64_t)fs.f_bavail * fs.f_frsize : 0;
	if (!known || room >= need)
		return 0;
	jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET,
		   "no room for the heap dump: it may take %" PRIu64 " MiB, and %" PRIu64
		   " MiB are free in the JVM's /tmp; free some space there",
		   need >> 20, room >> 20);
	if (err)
		err->sys = ENOSPC;
	return -1;
}

uint64_t jfrec_heap_estimate(const struct jfrec_jvm *jvm)
{
	return memory_of(jvm);
}

/* Dumping -------------------------------------------------------------------------------------- */

/* The file that will be written, so that it goes in the end whatever happens. */
static int prepare(struct jfrec_dump *h, int jdk, struct jfrec_error *err)
{
	char path[SESSION_PATH_MAX];
	int fd;

	if (session_temp_path(h->s, ".hprof", path, err) < 0)
		return -1;
	if (jdk < JDK_THAT_REPLACES) {
		if (session_keep_file(h->s, path, err) < 0)
			return -1;
	} else {
		fd = session_create_file(h->s, path, err);
		if (fd < 0)
			return -1;
		close(fd);
	}
	strcpy(h->path, path);
	return 0;
}

/* "File exists", and what else it may say. */
static int fail_refused(const struct session_reply *r, struct jfrec_error *err)
{
	size_t len = strcspn(r->text, "\n");

	return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET, "the JVM said: %.*s",
			  (int)(len < 150 ? len : 150), *r->text ? r->text : "nothing");
}

static int run(struct jfrec_dump *h, bool unreachable, struct jfrec_error *err)
{
	static const char done[] = "Heap dump file created";
	struct jfrec_jvm_version version;
	struct session_reply reply;
	char command[SESSION_PATH_MAX + 64];
	int ret;

	if (jfr_version(h->s, &version, err) < 0 || check_room(h->s, err) < 0 ||
	    prepare(h, version.jdk, err) < 0)
		return -1;
	snprintf(command, sizeof(command), "GC.heap_dump %s%s%s%s", unreachable ? "-all " : "",
		 version.jdk >= JDK_THAT_REPLACES ? "-overwrite " : "",
		 version.jdk >= JDK_IN_PARALLEL ? "-parallel=1 " : "", h->path);
	session_trace(h->s, "asking: %s", command);
	if (session_jcmd(h->s, command, HEAP_TIMEOUT_MS, &reply, err) < 0)
		return -1;
	ret = reply.status == 0 && strstr(reply.text, done) ? 0 : fail_refused(&reply, err);
	session_reply_fini(&reply);
	if (ret < 0)
		return -1;
	h->fd = session_open_file(h->s, h->path, err);
	return h->fd < 0 ? -1 : heap_check(h->fd, &h->size, err);
}

struct jfrec_dump *jfrec_heap_dump(struct jfrec_session *s, bool unreachable,
				   struct jfrec_error *err)
{
	struct jfrec_dump *h = fetch_new(s, err);

	if (!h || run(h, unreachable, err) == 0)
		return h;
	jfrec_dump_free(h);
	return NULL;
}
