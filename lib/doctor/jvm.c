/* SPDX-License-Identifier: MIT */
/*
 * jvm.c - check from outside what affects attaching to a JVM
 *
 * Nothing is sent to it, not even a connection is made.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/handshake.h"
#include "attach/helper.h"
#include "base/error.h"
#include "doctor/crashes.h"
#include "doctor/diagnosis.h"
#include "jfr/disk_space.h"
#include "jfrec-tool.h"
#include "process/attach_socket.h"
#include "process/identity.h"
#include "process/jdk.h"
#include "process/listening.h"
#include "process/preflight.h"
#include "process/pressure.h"
#include "process/probe.h"
#include "process/rights.h"
#include "process/root.h"
#include "repository/owner.h"

#define MB (INT64_C(1) << 20)

/* What a recording without limits gets from the JVM: maxsize=250MB. */
#define DEFAULT_LIMIT (250 * MB)

/* Of /proc/self/uid_map, which has 340 lines at most. */
#define MAX_MAP (64u << 10)

/* Less than a recording takes at its start. */
#define LITTLE_MEMORY (UINT64_C(48) << 20)

/* Of HotSpot, once it listens. */
#define LISTENER_THREAD "Attach Listener"

struct patient {
	struct jfrec_diagnosis *d;
	const struct jfrec_jvm *jvm;
	struct jvm_root root;
	struct probe probe;
	struct ready_facts facts;
	struct owned_repository repository;
	bool has_socket;
};

static const struct process *process_of(const struct patient *t)
{
	return &t->root.process;
}

/* Who it is, and who we are -------------------------------------------------------------------- */

static void add_kind(const struct patient *t, const char *kind)
{
	const struct jfrec_jvm *jvm = t->jvm;

	if (t->probe.loaded.deleted)
		diagnosis_add(t->d, "process", JFREC_FINDING_NOTE,
			      "%s%s%s; its JDK has been replaced or removed since it was started",
			      kind, jvm->version ? ", Java " : "",
			      jvm->version ? jvm->version : "");
	else
		diagnosis_add(t->d, "process", JFREC_FINDING_OK, "%s%s%s", kind,
			      jvm->version ? ", Java " : "", jvm->version ? jvm->version : "");
}

/* One with a recorder of its own, which claims to be a JVM. */
static bool is_native_program(const struct patient *t)
{
	const char *name = t->probe.perf.vm_name;

	return name && strcmp(name, "jfrec native recorder") == 0;
}

/* False if there is nothing more to look at. */
static bool check_kind(const struct patient *t)
{
	struct jfrec_error why;

	if (t->facts.kind == JFREC_JVM_NATIVE && t->has_socket) {
		add_kind(t, is_native_program(t) ? "a native program with libjfrec-recorder"
						 : "a native image that listens");
		return true;
	}
	if (ready_check_kind(process_of(t), t->facts.kind, &why) == 0) {
		add_kind(t, "HotSpot");
		return true;
	}
	/* What has just been started may yet become a JVM. */
	if (t->facts.kind == JFREC_JVM_MAYBE)
		ready_check_started(process_of(t), &t->facts, &why);
	diagnosis_fail(t->d, "process", &why);
	return false;
}

/* In a user namespace users that it does not know all look like one. */
static bool has_number(uint32_t uid)
{
	struct process self;
	size_t len = 0;
	char *map = NULL;
	bool has;

	if (process_open(&self, getpid(), 0, NULL) < 0)
		return true;
	map = process_read(&self, "uid_map", MAX_MAP, &len);
	has = !map || !*map || proc_map_has(map, uid);
	free(map);
	process_close(&self);
	return has;
}

/* False if we are not that user, and may not be. */
static bool check_user(const struct patient *t, const struct process *p)
{
	const struct proc_status *s = &p->status;
	struct jfrec_error why;

	if (!has_number(s->euid)) {
		jfrec_fail(
			&why, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			"it belongs to a user who is not mapped into our user namespace; run "
			"jfrec on the host, or in the JVM's user namespace: nsenter --user "
			"--target %d",
			p->pid);
		diagnosis_fail(t->d, "user", &why);
	} else if (rights_check(p, &why) < 0) {
		diagnosis_fail(t->d, "user", &why);
		if (geteuid() == 0)
			diagnosis_mend(t->d, "start the container with --cap-add SETUID --cap-add "
					     "SETGID");
		else
			diagnosis_mend(t->d, "sudo jfrec doctor %d", p->pid);
	} else {
		diagnosis_add(t->d, "user", JFREC_FINDING_OK, "uid %u, gid %u, %s", s->euid,
			      s->egid,
			      s->euid == geteuid() && s->egid == getegid()
				      ? "as jfrec has"
				      : "which jfrec can switch to");
		return true;
	}
	return false;
}

static void check_state(const struct patient *t, const struct process *p)
{
	struct jfrec_error why;

	if (ready_check_running(p, &why) == 0) {
		diagnosis_add(t->d, "state", JFREC_FINDING_OK, "it is running");
		return;
	}
	diagnosis_fail(t->d, "state", &why);
	if (process_is_stopped(p) && !p->status.tracer)
		diagnosis_mend(t->d, "kill -CONT %d", p->pid);
}

/* Its root ------------------------------------------------------------------------------------- */

static void fail_root(const struct patient *t, const struct jfrec_error *why)
{
	diagnosis_fail(t->d, "root", why);
	if (why->code == JFREC_EPERMISSION && geteuid() == 0)
		diagnosis_mend(t->d, "start the container with --cap-add SYS_PTRACE");
}

static void check_root(const struct patient *t)
{
	if (t->root.is_plain)
		diagnosis_add(
			t->d, "root", JFREC_FINDING_NOTE,
			"it is hidden, because the JVM has capabilities, but seems to be the "
			"same as jfrec's");
	else
		diagnosis_add(t->d, "root", JFREC_FINDING_OK, "its files are accessible");
}

/* Is it in another namespace of that kind?  -1: that is hidden. */
static int is_apart(const struct process *p, const char *kind)
{
	char path[32], own[32] = "", its[32] = "";

	snprintf(path, sizeof(path), "ns/%s", kind);
	if (readlinkat(p->dir_fd, path, its, sizeof(its) - 1) < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	if (readlink(path, own, sizeof(own) - 1) < 0)
		return -1;
	return strcmp(own, its) != 0;
}

static void check_namespaces(const struct patient *t)
{
	static const char *const kinds[] = { "pid", "mnt", "net", "ipc", "user" };
	char names[64] = "";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		int apart = is_apart(process_of(t), kinds[i]);
		size_t at = strlen(names);

		if (apart < 0) {
			diagnosis_add(t->d, "namespace", JFREC_FINDING_UNKNOWN,
				      "its namespaces are hidden from this user");
			return;
		}
		if (apart)
			snprintf(names + at, sizeof(names) - at, "%s%s", at ? ", " : "", kinds[i]);
	}
	if (*names)
		diagnosis_add(t->d, "namespace", JFREC_FINDING_OK,
			      "its own: %s; inside it is process %d", names,
			      process_of(t)->status.ns_pid);
	else
		diagnosis_add(t->d, "namespace", JFREC_FINDING_OK, "the same as jfrec's");
}

/* Attach --------------------------------------------------------------------------------------- */

static void check_allowed(const struct patient *t)
{
	struct jfrec_error why;

	if (ready_check_allowed(process_of(t), &t->facts, &why) < 0)
		diagnosis_fail(t->d, "attach", &why);
	else if (!t->has_socket && ready_check_started(process_of(t), &t->facts, &why) < 0)
		diagnosis_fail(t->d, "attach", &why);
	else
		diagnosis_add(t->d, "attach", JFREC_FINDING_OK, "it is allowed");
}

static void mend_socket(const struct patient *t)
{
	/*
	 * Not by /proc/PID/root, whose links would lead through our own root, nor by programs of
	 * that root.
	 */
	diagnosis_mend(t->d, "rm %.100s/%s%s", t->root.tmp, t->root.socket,
		       identity_is_at_home(process_of(t)) ? ""
							  : " (inside the container of the JVM)");
}

/* There is a socket of the right kind: is it its own? */
static void check_listening(const struct patient *t, enum listening who)
{
	const char *socket = t->root.socket;
	struct jfrec_error why;

	if (who == LISTENING_SELF || who == LISTENING_UNKNOWN) {
		diagnosis_add(t->d, "socket", JFREC_FINDING_OK, "%s %.100s/%s",
			      who == LISTENING_SELF ? "it listens at" : "it has the socket",
			      t->root.tmp, socket);
	} else if (who == LISTENING_OTHER) {
		jfrec_fail(&why, JFREC_EATTACH, JFREC_NO_OFFSET,
			   "another process listens at %.100s/%s; give each container a /tmp of its "
			   "own",
			   t->root.tmp, socket);
		diagnosis_fail(t->d, "socket", &why);
	} else {
		jfrec_fail(&why, JFREC_EATTACH, JFREC_NO_OFFSET,
			   "no process listens at %.100s/%s; another process left it there",
			   t->root.tmp, socket);
		diagnosis_fail(t->d, "socket", &why);
		mend_socket(t);
	}
}

static void check_no_socket(const struct patient *t, enum listening who)
{
	if (who == LISTENING_SELF || process_has_thread(process_of(t), LISTENER_THREAD)) {
		diagnosis_add(t->d, "socket", JFREC_FINDING_NOTE,
			      "%.100s/%s was deleted; the next command makes the JVM create it "
			      "again, unless the "
			      "JVM is older than 2020 or was sent SIGQUIT by hand since",
			      t->root.tmp, t->root.socket);
		diagnosis_mend(t->d, "exclude %.100s/.java_pid* from jobs that clean it",
			       t->root.tmp);
	} else {
		diagnosis_add(
			t->d, "socket", JFREC_FINDING_OK,
			"it does not listen yet; the first command makes it start, with a file "
			"%s and SIGQUIT",
			t->root.trigger);
	}
}

static void check_socket(struct patient *t, const struct jfrec_error *bad)
{
	struct jfrec_error why;
	enum listening who = listening_find(process_of(t), t->root.socket, NULL);

	if (bad->code != JFREC_OK) {
		diagnosis_fail(t->d, "socket", bad);
		mend_socket(t);
	} else if (t->has_socket) {
		check_listening(t, who);
	} else if (ready_check_running(process_of(t), NULL) == 0 &&
		   preflight_socket(&t->root, &why) < 0) {
		diagnosis_fail(t->d, "socket", &why);
	} else {
		check_no_socket(t, who);
	}
}

static void add_headroom(const struct patient *t, const char *check, const struct headroom *h)
{
	if (h->left == HEADROOM_ANY)
		diagnosis_add(t->d, check, JFREC_FINDING_UNKNOWN,
			      "no limit of its %s can be seen from here", check);
	else
		diagnosis_add(t->d, check, JFREC_FINDING_OK,
			      "it has %" PRIu64 " of %" PRIu64 " (%s)", h->used, h->limit, h->what);
}

/* What it would have to create for an answer. */
static void check_limits(const struct patient *t)
{
	const struct process *p = process_of(t);
	const unsigned threads = t->has_socket ? 0 : 1 + HEADROOM_SPARE_THREADS;
	struct jfrec_error why;
	struct headroom h;

	headroom_threads(p, "", &h);
	if (h.left < threads) {
		headroom_fail(p, "threads", &h, &why);
		diagnosis_fail(t->d, "threads", &why);
	} else {
		add_headroom(t, "threads", &h);
	}
	headroom_descriptors(p, &h);
	if (h.left < (t->has_socket ? 1 : 2)) {
		headroom_fail(p, "descriptors", &h, &why);
		diagnosis_fail(t->d, "descriptors", &why);
	} else {
		add_headroom(t, "descriptors", &h);
	}
	headroom_memory(p, "", &h);
	if (h.left == HEADROOM_ANY)
		return;
	diagnosis_add(t->d, "memory", h.left < LITTLE_MEMORY ? JFREC_FINDING_NOTE : JFREC_FINDING_OK,
		      "%" PRIu64 " of %" PRIu64 " MiB are in use, less the cache (%s)", h.used >> 20,
		      h.limit >> 20, h.what);
	if (h.left < LITTLE_MEMORY)
		diagnosis_mend(t->d, "raise the limit before a recording or a heap dump is made");
}

/* What the kernel did to its control groups since they were made. */
static void check_pressure(const struct patient *t)
{
	struct pressure p;
	struct throttling worst;
	char file[PATH_MAX];
	int64_t kills, before;

	pressure_begin(&p, process_of(t), "");
	if (pressure_worst(&p, &worst, file) && worst.throttled >= worst.periods / 20 + 1) {
		diagnosis_add(t->d, "quota", JFREC_FINDING_NOTE,
			      "the kernel has stopped it in %" PRId64 " of %" PRId64
			      " periods of its CPU quota (%.300s)",
			      worst.throttled, worst.periods, file);
		diagnosis_mend(t->d, "raise its CPU limit, if `jfrec analyze --duration 30s %d` finds "
				     "that, too",
			       t->jvm->pid);
	} else if (p.has_cpu) {
		diagnosis_add(t->d, "quota", JFREC_FINDING_OK,
			      "the kernel has hardly ever stopped it for its CPU quota");
	}
	if (!pressure_kills(&p, &kills, &before, file))
		return;
	diagnosis_add(t->d, "kills", before ? JFREC_FINDING_NOTE : JFREC_FINDING_OK,
		      "the kernel has killed %" PRId64 " processes of its control group for want of "
		      "memory (%.300s)",
		      before, file);
}

static void check_signal(const struct patient *t)
{
	struct jfrec_error why;

	if (ready_check_handler(process_of(t), &why) == 0) {
		diagnosis_add(t->d, "signal", JFREC_FINDING_OK, "it handles SIGQUIT");
	} else if (t->has_socket) {
		diagnosis_add(t->d, "signal", JFREC_FINDING_NOTE,
			      "it does not handle SIGQUIT (-Xrs): if its socket is deleted, "
			      "nothing can make it listen again");
		diagnosis_mend(t->d, "exclude %.100s/.java_pid* from jobs that clean it",
			       t->root.tmp);
	} else {
		diagnosis_fail(t->d, "signal", &why);
	}
}

/* As the JVM's user, which is also the proof that we may be that. */
static int find_place(struct jvm_root *r, struct jfrec_error *err)
{
	static const struct trace silent;
	struct helper_request q = { .op = HELPER_FIND_PLACE };
	struct helper h;
	int fd, place;

	if (helper_start(&h, r, err) < 0)
		return -1;
	place = helper_call(&h, &q, &silent, &fd, err);
	helper_stop(&h);
	return place;
}

static void check_trigger(struct patient *t)
{
	struct jfrec_error why;
	int place = find_place(&t->root, &why);

	if (place >= 0) {
		diagnosis_add(t->d, "trigger", JFREC_FINDING_OK, "%s can be created in its %s",
			      t->root.trigger, place ? t->root.tmp : "working directory");
	} else if (t->has_socket && why.code == JFREC_EATTACH) {
		diagnosis_add(t->d, "trigger", JFREC_FINDING_NOTE,
			      "%s; if its socket is deleted, nothing can make it listen again",
			      why.text);
	} else {
		diagnosis_fail(t->d, "trigger", &why);
		if (why.code == JFREC_EATTACH && !strstr(why.text, "; "))
			diagnosis_mend(t->d, "give its root directory a /tmp that its user can "
					     "write to");
	}
}

/* Recording ------------------------------------------------------------------------------------ */

static void check_directory(const struct patient *t)
{
	struct jfrec_error why;

	if (!t->root.cwd_deleted) {
		diagnosis_add(t->d, "directory", JFREC_FINDING_OK,
			      "its working directory exists");
	} else if (*t->repository.path) {
		diagnosis_add(t->d, "directory", JFREC_FINDING_NOTE,
			      "its working directory was removed, but Flight Recorder must have "
			      "been in use before");
	} else {
		jfrec_fail(&why, JFREC_ENOJFR, JFREC_NO_OFFSET,
			   "its working directory was removed, so the first Flight Recorder "
			   "command would disable Flight Recorder for good; restart the JVM in a "
			   "permanent directory");
		diagnosis_fail(t->d, "directory", &why);
	}
}

static void fail_recorder(const struct patient *t, const char *text)
{
	struct jfrec_error why;

	jfrec_fail(&why, JFREC_ENOJFR, JFREC_NO_OFFSET, "%s", text);
	diagnosis_fail(t->d, "recorder", &why);
}

static void check_recorder(struct patient *t)
{
	const char *library = t->probe.loaded.library;
	enum jdk_part part = JDK_PART_UNKNOWN;

	if (library && !t->probe.loaded.deleted)
		part = jdk_find_recorder(&t->root, library);
	if (probe_has_option(&t->probe, process_of(t), t->probe.cmdline.recorder_disabled,
			     "-XX:-FlightRecorder"))
		fail_recorder(t,
			      "it is disabled by -XX:-FlightRecorder; restart the JVM without "
			      "this option");
	else if (part == JDK_PART_MISSING && t->jvm->jdk == 8)
		fail_recorder(t, "this JDK 8 does not have it; use 8u262 or later");
	else if (part == JDK_PART_MISSING)
		fail_recorder(
			t, "this Java runtime does not have it; create it with jlink "
			   "--add-modules jdk.jfr");
	else if (is_native_program(t) || part == JDK_PART_THERE)
		diagnosis_add(t->d, "recorder", JFREC_FINDING_OK, "it has %s%s",
			      is_native_program(t) ? "a recorder of its own" : "Flight Recorder",
			      *t->repository.path ? ", and is recording" : "");
	else
		diagnosis_add(t->d, "recorder", JFREC_FINDING_UNKNOWN,
			      "cannot find out whether its Java runtime has Flight Recorder");
}

/* Where the repository would be made, up to a comma; or NULL: where that is cannot be seen. */
static const char *future_repository(const struct probe *v)
{
	const struct cmdline *c = &v->cmdline;

	if (c->repository)
		return c->repository;
	if (c->tmpdir)
		return c->tmpdir;
	return v->cmdline_bytes ? "/tmp" : NULL;
}

static int open_repository(struct patient *t)
{
	char path[PATH_MAX];
	const char *future = future_repository(&t->probe);

	if (*t->repository.path)
		return opener_open_directory(&t->root.opener, t->root.root_fd, t->repository.path,
					     0, NULL, NULL);
	if (!future || *future != '/')
		return -1;
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(future, ","), future);
	return opener_open_directory(&t->root.opener, t->root.root_fd, path, OPENER_ANYBODYS, NULL,
				     NULL);
}

static void check_repository(const struct patient *t, const struct disk_space *r)
{
	struct jfrec_error why;
	int64_t limit;

	if (t->repository.deleted) {
		jfrec_fail(&why, JFREC_EREFUSED, JFREC_NO_OFFSET,
			   "%s was deleted while the JVM is recording to it; "
			   "%s", t->repository.path,
			   t->jvm->jdk && t->jvm->jdk < 17
				   ? "with JDK 11 and earlier, the JVM must be restarted"
				   : "a dump makes the JVM create a new one: jfrec dump");
		diagnosis_fail(t->d, "repository", &why);
	} else if (r->repository == DISK_SPACE_UNKNOWN) {
		diagnosis_add(t->d, "repository", JFREC_FINDING_UNKNOWN,
			      "cannot find the directory to which it would record");
	} else if (disk_space_limit(r, &limit, &why) < 0) {
		diagnosis_fail(t->d, "repository", &why);
	} else if (disk_space_for_recording(r, DEFAULT_LIMIT, &why) < 0) {
		diagnosis_add(t->d, "repository", JFREC_FINDING_NOTE,
			      "%" PRId64 " MiB are free there, too little for a recording with "
					 "the default limit of 250 MiB",
			      r->repository / MB);
		diagnosis_mend(t->d, "jfrec start --max-size %" PRId64 "m %d", limit / MB,
			       t->jvm->pid);
	} else {
		diagnosis_add(t->d, "repository", JFREC_FINDING_OK, "%" PRId64 " MiB are free in %s",
			      r->repository / MB,
			      *t->repository.path ? t->repository.path
						  : "the directory in which it would be created");
	}
}

static void check_tmp(const struct patient *t, const struct disk_space *r)
{
	struct jfrec_error why;

	if (disk_space_for_stop(r, NULL) == 0 &&
	    disk_space_for_dump(r, DISK_SPACE_UNKNOWN, &why) < 0)
		diagnosis_fail(t->d, "tmp", &why);
	else if (r->tmp != DISK_SPACE_UNKNOWN)
		diagnosis_add(t->d, "tmp", JFREC_FINDING_OK,
			      "%" PRId64 " MiB are free in its %.100s, where dumps go%s",
			      r->tmp / MB, t->root.tmp, r->same ? "; the repository is on the same disk" : "");
}

static void check_room(struct patient *t)
{
	int repository = open_repository(t);
	struct disk_space r;

	disk_space_look_at(&r, t->root.tmp_fd, repository, repository >= 0 && *t->repository.path);
	if (repository >= 0)
		close(repository);
	check_repository(t, &r);
	check_tmp(t, &r);
}

/* ---------------------------------------------------------------------------------------------- */

static void examine_reached(struct patient *t)
{
	struct jfrec_error bad = { 0 };
	int found = attach_socket_find(&t->root, &bad);
	bool may_be;

	t->has_socket = found > 0;
	if (found >= 0)
		bad.code = JFREC_OK;
	t->facts = probe_facts(&t->probe, process_of(t));
	if (!check_kind(t))
		return;
	owner_find_repository(&t->repository, process_of(t));
	may_be = check_user(t, process_of(t));
	check_state(t, process_of(t));
	check_root(t);
	check_namespaces(t);
	check_allowed(t);
	check_socket(t, &bad);
	check_signal(t);
	check_limits(t);
	check_pressure(t);
	if (may_be)
		check_trigger(t);
	check_directory(t);
	check_recorder(t);
	check_room(t);
	if (may_be)
		crashes_check_jvm(t->d, t->jvm);
}

/* Of a process whose root is denied there is little to be seen. */
static void examine_from_afar(struct patient *t, const struct process *p,
			      const struct jfrec_error *why)
{
	bool may_be = check_user(t, p);

	check_state(t, p);
	if (may_be)
		fail_root(t, why);
}

static void examine(struct patient *t, const struct process *p)
{
	struct jfrec_error why = { 0 };

	if (jvm_root_open(&t->root, p->pid, p->start_ticks, t->jvm->tmp, &why) < 0) {
		examine_from_afar(t, p, &why);
		return;
	}
	probe_add_perf(&t->probe, &t->root);
	examine_reached(t);
	jvm_root_close(&t->root);
}

int jfrec_diagnosis_jvm(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm,
			struct jfrec_error *err)
{
	struct patient t = { .d = d, .jvm = jvm, .root = JVM_ROOT_NONE };
	struct jfrec_error why;
	struct process p;

	if (process_open(&p, jvm->pid, jvm->start_ticks, &why) < 0) {
		diagnosis_fail(d, "process", &why);
		return diagnosis_check(d, err);
	}
	if (probe_init(&t.probe, &p, err) < 0) {
		process_close(&p);
		return -1;
	}
	examine(&t, &p);
	probe_fini(&t.probe);
	process_close(&p);
	return diagnosis_check(d, err);
}
