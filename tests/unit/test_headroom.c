/* SPDX-License-Identifier: MIT */
/*
 * test_headroom.c - cgroups and limits, in trees of files that are laid out like hosts
 *
 * What cannot be set on a host that others use: version 2, threads-max, pid_max.
 */
#include "process/headroom.h"

#include "process/cgroup.h"
#include "process/frozen.h"
#include "host_tree.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/jfrec-headroom-XXXXXX";

/* Trees ---------------------------------------------------------------------------------------- */

static void put(const char *path, const char *text)
{
	tree_put(root, path, text);
}

static void clear(void)
{
	tree_clear(root);
}

/* The process of the tree: 4711, of uid 1000. */
static struct process process(void)
{
	struct process p = PROCESS_NONE;
	char path[PATH_MAX];

	p.pid = 4711;
	p.status.ruid = p.status.euid = 1000;
	p.status.state = 'S';
	snprintf(path, sizeof(path), "%s/proc/4711", root);
	p.dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return p;
}

static void put_host(void)
{
	put("proc/loadavg", "0.20 0.18 0.12 1/80 11206\n");
	put("proc/sys/kernel/threads-max", "100000\n");
	put("proc/sys/kernel/pid_max", "32768\n");
	put("proc/4711/limits", "Limit                     Soft Limit  Hard Limit  Units\n"
				"Max processes             unlimited   unlimited   processes\n"
				"Max open files            1024        4096        files\n");
}

static void put_v1(void)
{
	put_host();
	put("proc/self/mountinfo",
	    "21 1 0:20 / /proc rw - proc proc rw\n"
	    "30 24 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n"
	    "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
	    "32 30 0:28 / /sys/fs/cgroup/pids rw,nosuid shared:9 - cgroup cgroup rw,pids\n"
	    "33 30 0:29 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	    "34 30 0:30 / /sys/fs/cgroup/with\\040blank rw - cgroup cgroup rw,freezer\n"
	    "35 30 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	put("proc/4711/cgroup", "12:pids:/a/b\n11:memory:/docker/abc/inner\n10:freezer:/a\n"
				"9:cpu,cpuacct:/\n1:name=systemd:/x\n0::/x\n");
	put("sys/fs/cgroup/pids/a/b/pids.max", "max\n");
	put("sys/fs/cgroup/pids/a/b/pids.current", "12\n");
	put("sys/fs/cgroup/pids/a/pids.max", "20\n");
	put("sys/fs/cgroup/pids/a/pids.current", "18\n");
	put("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "104857600\n");
	put("sys/fs/cgroup/memory/inner/memory.usage_in_bytes", "104800000\n");
	put("sys/fs/cgroup/memory/inner/memory.stat",
	    "cache 1\ninactive_file 1\ntotal_inactive_file 40000000\ntotal_active_file 4857600\n");
	put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("sys/fs/cgroup/memory/memory.usage_in_bytes", "104800000\n");
	put("sys/fs/cgroup/with blank/a/freezer.state", "THAWED\n");
	put("sys/fs/cgroup/unified/x/cgroup.freeze", "0\n");
	put("sys/fs/cgroup/unified/x/cgroup.events", "populated 1\nfrozen 0\n");
}

static void put_v2(void)
{
	put_host();
	put("proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n");
	put("proc/4711/cgroup", "0::/pod/container\n");
	put("sys/fs/cgroup/pod/container/pids.max", "100\n");
	put("sys/fs/cgroup/pod/container/pids.current", "60\n");
	put("sys/fs/cgroup/pod/pids.max", "64\n");
	put("sys/fs/cgroup/pod/pids.current", "64\n");
	put("sys/fs/cgroup/pod/container/memory.max", "max\n");
	put("sys/fs/cgroup/pod/container/memory.current", "1\n");
	put("sys/fs/cgroup/pod/memory.max", "1000000000\n");
	put("sys/fs/cgroup/pod/memory.current", "900000000\n");
	put("sys/fs/cgroup/pod/memory.stat",
	    "anon 1\nactive_file 300000000\ninactive_file 200000000\nslab_reclaimable 100000000\n");
	put("sys/fs/cgroup/pod/container/cgroup.freeze", "0\n");
	put("sys/fs/cgroup/pod/container/cgroup.events", "populated 1\nfrozen 0\n");
	put("sys/fs/cgroup/pod/cgroup.freeze", "0\n");
}

/* Tests ---------------------------------------------------------------------------------------- */

static void expect_threads(uint64_t left, const char *what)
{
	struct process p = process();
	struct headroom h;

	headroom_threads(&p, root, &h);
	CHECK_INT(h.left, left);
	CHECK(strstr(h.what, what));
	process_close(&p);
}

static void test_v1(void)
{
	struct process p;
	struct headroom h;

	put_v1();
	test_begin("v1_the_group_above_leaves_least");
	expect_threads(2, "pids.max of its cgroup /a");

	test_begin("v1_memory_less_the_cache_below_what_is_mounted");
	p = process();
	headroom_memory(&p, root, &h);
	CHECK_INT(h.limit, 104857600);
	CHECK_INT(h.used, 104800000 - 44857600);

	test_begin("v1_frozen");
	CHECK(!frozen_by_cgroup(&p, root));
	put("sys/fs/cgroup/with blank/a/freezer.state", "FREEZING\n");
	CHECK(frozen_by_cgroup(&p, root));
	put("sys/fs/cgroup/with blank/a/freezer.state", "THAWED\n");

	test_begin("v1_and_frozen_by_v2");
	put("sys/fs/cgroup/unified/x/cgroup.events", "populated 1\nfrozen 1\n");
	CHECK(frozen_by_cgroup(&p, root));

	test_begin("a_group_above_our_namespace_is_not_seen");
	put("proc/4711/cgroup", "12:pids:/../other\n");
	expect_threads(32768 - 300 - 80, "pid_max");

	test_begin("a_group_that_begins_alike_is_another");
	put("proc/4711/cgroup", "11:memory:/docker/abcd\n");
	headroom_memory(&p, root, &h);
	CHECK_INT(h.left, HEADROOM_ANY);
	process_close(&p);
	clear();
}

static void test_v2(void)
{
	struct process p;
	struct headroom h;

	put_v2();
	test_begin("v2_the_group_above_is_full");
	expect_threads(0, "pids.max of its cgroup /pod");

	test_begin("v2_memory_less_the_cache");
	p = process();
	headroom_memory(&p, root, &h);
	CHECK_INT(h.left, 700000000);

	test_begin("v2_frozen_by_the_group_above");
	CHECK(!frozen_by_cgroup(&p, root));
	put("sys/fs/cgroup/pod/cgroup.freeze", "1\n");
	CHECK(frozen_by_cgroup(&p, root));
	process_close(&p);

	test_begin("a_long_name_is_shown_by_its_end");
	put("proc/4711/cgroup",
	    "0::/pod/0123456789012345678901234567890123456789012345678901234567890123456789end\n");
	put("sys/fs/cgroup/pod/"
	    "0123456789012345678901234567890123456789012345678901234567890123456789end/pids.max",
	    "64\n");
	put("sys/fs/cgroup/pod/"
	    "0123456789012345678901234567890123456789012345678901234567890123456789end/pids.current",
	    "70\n");
	expect_threads(0, "cgroup ...");
	expect_threads(0, "6789end");
	clear();
}

static void test_host(void)
{
	put_host();
	test_begin("without_cgroups_the_host_counts");
	expect_threads(32768 - 300 - 80, "kernel.pid_max");

	test_begin("threads_max");
	put("proc/sys/kernel/threads-max", "82\n");
	expect_threads(2, "kernel.threads-max");

	test_begin("numbers_that_make_no_sense_do_not_count");
	put("proc/sys/kernel/threads-max", "none\n");
	put("proc/sys/kernel/pid_max", "\n");
	put("proc/loadavg", "x\n");
	expect_threads(HEADROOM_ANY, "");
	clear();
}

static void put_user(const char *limit)
{
	put_host();
	put("proc/4711/limits", limit);
	put("proc/4711/status", "Name:\tjava\nState:\tS (sleeping)\nTgid:\t4711\n"
				"Uid:\t1000\t1000\t1000\t1000\nGid:\t1\t1\t1\t1\nThreads:\t20\n"
				"SigIgn:\t0\nSigCgt:\t0\n");
	put("proc/1/status", "Name:\tinit\nState:\tS (sleeping)\nTgid:\t1\nUid:\t0\t0\t0\t0\n"
			     "Gid:\t0\t0\t0\t0\nThreads:\t50\nSigIgn:\t0\nSigCgt:\t0\n");
	put("proc/4712/status", "Name:\tsh\nState:\tS (sleeping)\nTgid:\t4712\n"
				"Uid:\t1000\t0\t0\t0\nGid:\t1\t1\t1\t1\nThreads:\t1\n"
				"SigIgn:\t0\nSigCgt:\t0\n");
}

static void test_user(void)
{
	struct process p;
	struct headroom h;

	put_user("Max processes             22                   22                   processes\n");
	test_begin("threads_of_the_real_user");
	expect_threads(1, "RLIMIT_NPROC (ulimit -u) for uid 1000");

	test_begin("root_is_not_bound");
	p = process();
	p.status.ruid = 0;
	headroom_threads(&p, root, &h);
	CHECK_INT(h.left, 32768 - 300 - 80);

	test_begin("a_capability_sets_it_free");
	p.status.ruid = 1000;
	p.status.capabilities = UINT64_C(1) << CAP_SYS_RESOURCE;
	headroom_threads(&p, root, &h);
	CHECK_INT(h.left, 32768 - 300 - 80);
	process_close(&p);
	clear();
}

/* Of this process, which is real. */
static void test_descriptors(void)
{
	struct process p;
	struct headroom before, after;
	int fd;

	test_begin("descriptors");
	CHECK_INT(process_open(&p, getpid(), 0, NULL), 0);
	headroom_descriptors(&p, &before);
	fd = dup(0);
	headroom_descriptors(&p, &after);
	CHECK_INT(after.used, before.used + 1);
	CHECK_INT(after.left, before.left - 1);
	close(fd);
	process_close(&p);
}

static void test_mounts(void)
{
	static const char *const bad[] = { "", "31 24 0:27 / /x rw", "31 24 0:27 / - cgroup",
					   " - ", "a - b c d" };
	struct cgroup_mount m;
	char line[100];

	test_begin("lines_that_are_no_mounts");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		strcpy(line, bad[i]);
		CHECK(!cgroup_parse_mount(line, &m));
	}
}

int main(void)
{
	if (!mkdtemp(root))
		abort();
	test_v1();
	test_v2();
	test_host();
	test_user();
	test_descriptors();
	test_mounts();
	clear();
	rmdir(root);
	return test_end();
}
