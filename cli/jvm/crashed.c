/* SPDX-License-Identifier: MIT */
/*
 * crashed.c - name the files that a crashed JVM left
 */
#include "jvm/crashed.h"

#include <inttypes.h>
#include <pwd.h>
#include <unistd.h>

#include "base/report.h"
#include "jfrec-tool.h"

void crashed_watch(struct crash_watch *w, const struct jfrec_jvm *jvm)
{
	*w = (struct crash_watch){ .files = jfrec_crash_files_new(NULL) };
	if (w->files)
		jfrec_crash_files_add_jvm(w->files, jvm, NULL);
	w->host = jfrec_host_watch(jvm, NULL);
}

void crashed_fini(struct crash_watch *w)
{
	jfrec_crash_files_free(w->files);
	jfrec_host_free(w->host);
	*w = (struct crash_watch){ 0 };
}

/* Anybody may have made a file of that name where all may write. */
static void put_owner(uint32_t uid)
{
	const struct passwd *owner = uid == geteuid() ? NULL : getpwuid(uid);

	if (owner) {
		fputs(" (of user ", stderr);
		put_name(stderr, owner->pw_name);
		fputc(')', stderr);
	} else if (uid != geteuid()) {
		fprintf(stderr, " (of uid %" PRIu32 ")", uid);
	}
}

static void say_file(int pid, const struct jfrec_crash_file *f)
{
	const char *where = f->is_elsewhere ? " in its container" : "";

	if (f->is_recording) {
		fprintf(stderr, "jfrec: process %d crashed and left what it had recorded%s", pid, where);
		put_owner(f->uid);
		fputs("; to read it:\n  jfrec analyze ", stderr);
		put_name(stderr, f->word);
	} else {
		fprintf(stderr, "jfrec: process %d crashed and left a log of it%s", pid, where);
		put_owner(f->uid);
		fputs(": ", stderr);
		put_name(stderr, f->path);
	}
	fputc('\n', stderr);
}

static void say_files(int pid, const struct jfrec_crash_files *files)
{
	for (size_t i = 0; i < jfrec_crash_files_count(files); i++)
		say_file(pid, jfrec_crash_files_get(files, i));
}

static void say_kills(int pid, struct jfrec_host *host)
{
	const struct jfrec_host_facts *h;

	jfrec_host_look(host);
	h = jfrec_host_get(host);
	if (!h || !h->kills_file || h->kills <= 0)
		return;
	fprintf(stderr,
		"jfrec: process %d: the kernel killed %" PRId64 " process%s of its control group for "
		"want of memory meanwhile (oom_kill in ",
		pid, h->kills, h->kills == 1 ? "" : "es");
	put_name(stderr, h->kills_file);
	fputs(")\n", stderr);
}

void crashed_say(struct crash_watch *w, int pid)
{
	if (w->files && jfrec_crash_files_find(w->files, JFREC_CRASH_OF_JVM, 0, NULL) == 0)
		say_files(pid, w->files);
	say_kills(pid, w->host);
}

/* What runs now may have been started where the one before it crashed. */
void crashed_say_gone(int pid)
{
	struct jfrec_jvm_query all = { .struct_size = sizeof(all), .without_names = true };
	struct jfrec_jvms *list = jfrec_jvms_find(&all, NULL);
	struct jfrec_crash_files *files = jfrec_crash_files_new(NULL);

	for (size_t i = 0; files && list && i < jfrec_jvms_count(list); i++)
		jfrec_crash_files_add_jvm(files, jfrec_jvms_get(list, i), NULL);
	if (files) {
		jfrec_crash_files_add_directory(files, ".");
		jfrec_crash_files_add_directory(files, "/tmp");
		if (jfrec_crash_files_find(files, JFREC_CRASH_OF_OTHERS, pid, NULL) == 0)
			say_files(pid, files);
	}
	jfrec_crash_files_free(files);
	jfrec_jvms_free(list);
}
