/* SPDX-License-Identifier: MIT */
/*
 * dump_threads.c - make a JVM write its threads as JSON, with the virtual ones, and fetch that
 *
 * As with heap dumps, the JVM writes into its own /tmp, into a file that was made before, which no
 * other user may read.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/session.h"
#include "jfr/dump_fetch.h"
#include "jfr/jfr.h"
#include "jfrec-tool.h"

/* From here on there is such a command, and there are virtual threads. */
#define JDK_WITH_VIRTUAL 21

/* A million virtual threads, one after the other. */
#define THREADS_TIMEOUT_MS (60 * 1000)

static int prepare(struct jfrec_dump *h, struct jfrec_error *err)
{
	char path[SESSION_PATH_MAX];
	int fd;

	if (session_temp_path(h->s, ".json", path, err) < 0)
		return -1;
	fd = session_create_file(h->s, path, err);
	if (fd < 0)
		return -1;
	close(fd);
	strcpy(h->path, path);
	return 0;
}

static int ask(struct jfrec_dump *h, struct jfrec_error *err)
{
	char command[SESSION_PATH_MAX + 64];
	struct session_reply reply;
	int ret = 0;

	snprintf(command, sizeof(command), "Thread.dump_to_file -format=json -overwrite %s", h->path);
	session_trace(h->s, "asking: %s", command);
	if (session_jcmd(h->s, command, THREADS_TIMEOUT_MS, &reply, err) < 0)
		return -1;
	if (reply.status != 0 || !strstr(reply.text, "Created "))
		ret = jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET, "the JVM said: %.*s",
				 (int)strcspn(reply.text, "\n"), *reply.text ? reply.text : "nothing");
	session_reply_fini(&reply);
	return ret;
}

static int run(struct jfrec_dump *h, struct jfrec_error *err)
{
	struct jfrec_jvm_version version;
	struct stat st;

	if (jfr_version(h->s, &version, err) < 0)
		return -1;
	if (version.jdk < JDK_WITH_VIRTUAL)
		return jfrec_fail(err, JFREC_EREFUSED, JFREC_NO_OFFSET,
				  "JDK %d has no virtual threads, which there are from JDK 21 on",
				  version.jdk);
	if (prepare(h, err) < 0 || ask(h, err) < 0)
		return -1;
	h->fd = session_open_file(h->s, h->path, err);
	if (h->fd < 0)
		return -1;
	if (fstat(h->fd, &st) < 0 || st.st_size <= 0)
		return jfrec_fail(err, JFREC_ERESULT, JFREC_NO_OFFSET,
				  "the JVM wrote an empty thread dump; is there room in its /tmp?");
	h->size = (uint64_t)st.st_size;
	return 0;
}

struct jfrec_dump *jfrec_thread_dump_write(struct jfrec_session *s, struct jfrec_error *err)
{
	struct jfrec_dump *h = fetch_new(s, err);

	if (!h || run(h, err) == 0)
		return h;
	jfrec_dump_free(h);
	return NULL;
}
