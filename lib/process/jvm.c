/* SPDX-License-Identifier: MIT */
/*
 * jvm.c - the name of a JVM, and whether it can be attached to
 */
#include "process/jvm.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock_now.h"
#include "base/error.h"
#include "process/attach_socket.h"
#include "process/jdk.h"
#include "process/preflight.h"
#include "process/probe.h"
#include "process/rights.h"
#include "process/tmpdir.h"
#include "process/version.h"

/* A `java` that has loaded no JVM after this time is another program. */
#define MAX_LOADING_MS 2000

/* Arguments that are kept. */
#define MAX_COMMAND (64u << 10)

/* The source launcher's main class, before the file that it was given. */
#define SOURCE_LAUNCHER "jdk.compiler/com.sun.tools.javac.launcher."

/* Of HotSpot, once it listens. */
#define LISTENER_THREAD "Attach Listener"

static bool begins(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static void take_version(struct jfrec_jvm *jvm, const struct probe *v, struct jvm_root *r,
			 struct arena *arena)
{
	const char *version = v->perf.java_version;

	if (version)
		jvm->version = arena_strndup(arena, version, strlen(version));
	else if (v->loaded.library && !v->loaded.deleted)
		jvm->version = jdk_version(r, v->loaded.library, arena);
	if (v->perf.spec_version)
		jvm->jdk = version_feature(v->perf.spec_version);
	if (!jvm->jdk && jvm->version)
		jvm->jdk = version_feature(jvm->version);
	if (!jvm->jdk && v->loaded.library)
		jvm->jdk = version_of_layout(v->loaded.library);
}

/* Name --------------------------------------------------------------------------------------- */

/* The words of a command line with blanks between them. */
static char *join(struct arena *arena, const char *words, const char *end)
{
	size_t len = (size_t)(end - words);
	char *text;

	if (len > MAX_COMMAND)
		len = MAX_COMMAND;
	while (len && !words[len - 1])
		len--;
	text = arena_strndup(arena, words, len);
	for (size_t i = 0; text && i < len; i++) {
		if (!text[i])
			text[i] = ' ';
	}
	return text;
}

/* Does the command say what the command line says, so that this has the whole of it? */
static bool is_same(const char *command, const char *main)
{
	size_t len = strlen(main);

	if (begins(command, SOURCE_LAUNCHER))
		return true;
	return len && begins(command, main) && (command[len] == '\0' || command[len] == ' ');
}

static char *name_program(const struct process *p, const struct cmdline *c, struct arena *arena)
{
	const char *name = base_name(c->program);
	size_t len = 0;
	char *comm, *kept;

	if (*name)
		return arena_strndup(arena, name, strlen(name));
	comm = process_read(p, "comm", 64, &len);
	kept = arena_strndup(arena, comm ? comm : "?", comm ? strcspn(comm, "\n") : 1);
	free(comm);
	return kept;
}

/*
 * The JVM itself says best what it runs, but cuts it at 1024 bytes, and does
 * not say where a jar's name with blanks ends.
 */
static void take_name(struct jfrec_jvm *jvm, const struct probe *v, const struct process *p,
		      struct arena *arena)
{
	const char *command = v->perf.command, *main = v->cmdline.main;

	if (main && (!command || !*command || is_same(command, main))) {
		jvm->main = arena_strndup(arena, main, strlen(main));
		jvm->command = join(arena, main, v->cmdline.end);
	} else if (command && *command) {
		jvm->main = arena_strndup(arena, command, strcspn(command, " "));
		jvm->command = arena_strndup(arena, command, strlen(command));
	} else {
		jvm->main = jvm->command = name_program(p, &v->cmdline, arena);
	}
}

/* Attach ------------------------------------------------------------------------------------- */

/*
 * A JVM that made a socket once and has none now.  Asked by a file and SIGQUIT it
 * makes another; by SIGQUIT alone it will not listen again until it is restarted,
 * and looks as if it never had.
 */
static void note_lost_socket(struct jfrec_jvm *jvm, const struct process *p, struct arena *arena)
{
	static const char note[] =
		"its attach socket was deleted, as jobs that clean /tmp do; the JVM will create "
		"it again, unless it is older than 2020";

	if (process_has_thread(p, LISTENER_THREAD))
		jvm->note = arena_strndup(arena, note, strlen(note));
}

/* As the session will do when it is opened. 0: yes; -1: *err says why not. */
static int check_attach(struct jfrec_jvm *jvm, const struct probe *v, struct jvm_root *r,
			struct arena *arena, struct jfrec_error *err)
{
	const struct process *p = &r->process;
	struct ready_facts facts = probe_facts(v, p);
	int found = 0, room;

	if (rights_check(p, err) < 0)
		return -1;
	if (ready_check_running(p, err) < 0)
		return -1;
	if (facts.kind != JFREC_JVM_OPENJ9)
		found = attach_socket_find(r, err);
	if (found < 0)
		return -1;
	if (!found && (ready_check(p, &facts, err) <= 0 || preflight_socket(r, err) < 0))
		return -1;
	room = found ? preflight_connection(p, err) : preflight_listener(p, err);
	if (room < 0)
		return -1;
	if (room == 0)
		jvm->note = arena_strndup(arena, err->text, strlen(err->text));
	else if (!found)
		note_lost_socket(jvm, p, arena);
	return 0;
}

static void take_verdict(struct jfrec_jvm *jvm, const struct probe *v, struct jvm_root *r,
			 struct arena *arena, struct jfrec_error *why)
{
	if (r && check_attach(jvm, v, r, arena, why) == 0) {
		jvm->attachable = true;
		return;
	}
	jvm->why_not = why->code;
	jvm->reason = arena_strndup(arena, why->text, strlen(why->text));
}

/* -------------------------------------------------------------------------------------------- */

/* Has it loaded a JVM, is it about to, or may we not know? */
static bool is_jvm(const struct probe *v, const struct process *p)
{
	if (v->loaded.kind != JFREC_JVM_MAYBE)
		return true;
	if (!v->cmdline.is_java || !p->status.has_memory)
		return false;
	return v->loaded.denied || v->age_ms < MAX_LOADING_MS;
}

/* No finer than the kernel knows it, which counts in steps of 10 ms. */
static int64_t start_time(const struct probe *v)
{
	return (real_now_ns() / NS_PER_MS - v->age_ms) / 10 * 10 * NS_PER_MS;
}

static void take_identity(struct jfrec_jvm *jvm, const struct probe *v, const struct process *p)
{
	*jvm = (struct jfrec_jvm){
		.pid = p->pid,
		.ns_pid = p->status.ns_pid,
		.start_ticks = p->start_ticks,
		.started_ns = start_time(v),
		.uid = p->status.euid,
		.gid = p->status.egid,
		.kind = v->loaded.kind,
		.stopped = process_is_stopped(p),
	};
}

/* 1, 0 or -1, as jvm_describe(). */
static int describe(struct jfrec_jvm *jvm, struct probe *v, const struct process *p,
		    struct arena *arena, struct jfrec_error *err)
{
	struct jvm_root r;
	struct jfrec_error why = { 0 };
	char tmp[PATH_MAX];
	bool reached, gone;

	tmpdir_find(p, &v->loaded, tmp);
	reached = jvm_root_open(&r, p->pid, p->start_ticks, tmp, &why) == 0;
	gone = !reached && (why.code == JFREC_ENOJVM || why.code == JFREC_EDIED);
	if (!gone) {
		if (reached)
			probe_add_perf(v, &r);
		take_identity(jvm, v, p);
		jvm->tmp = arena_strndup(arena, tmp, strlen(tmp));
		take_name(jvm, v, p, arena);
		if (reached)
			take_version(jvm, v, &r, arena);
		take_verdict(jvm, v, reached ? &r : NULL, arena, &why);
	}
	jvm_root_close(&r);
	if (gone)
		return 0;
	if (why.code == JFREC_ENOMEM || !jvm->main || !jvm->command || !jvm->tmp ||
	    (!jvm->attachable && !jvm->reason))
		return jfrec_fail_memory(err);
	return 1;
}

int jvm_describe(struct jfrec_jvm *jvm, const struct process *p, struct arena *arena,
		 struct jfrec_error *err)
{
	struct probe v;
	int ret;

	if (probe_init(&v, p, err) < 0)
		return -1;
	ret = is_jvm(&v, p) ? describe(jvm, &v, p, arena, err) : 0;
	probe_fini(&v);
	return ret;
}

bool jvm_copy(struct jfrec_jvm *to, const struct jfrec_jvm *from, struct arena *arena)
{
	const char **strings[] = { &to->version, &to->user,   &to->container, &to->main,
				   &to->command, &to->reason, &to->note, &to->tmp };

	*to = *from;
	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
		const char **s = strings[i];

		if (*s && !(*s = arena_strndup(arena, *s, strlen(*s))))
			return false;
	}
	return true;
}

bool jfrec_jvm_has_ended(const struct jfrec_jvm *jvm)
{
	struct jfrec_error why = { 0 };
	struct process p;

	/* Only if that is known: a process that is out of descriptors finds no other dead. */
	if (process_open(&p, jvm->pid, jvm->start_ticks, &why) < 0)
		return why.code == JFREC_ENOJVM || why.code == JFREC_EDIED;
	process_close(&p);
	return false;
}
