/* SPDX-License-Identifier: MIT */
/*
 * test_pressure.c - what control groups and processes count, in trees that are laid out like hosts
 */
#include "process/pressure.h"

#include "process/cpu_use.h"
#include "host_tree.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/jfrec-pressure-XXXXXX";

static void put(const char *path, const char *text)
{
	tree_put(root, path, text);
}

static void clear(void)
{
	tree_clear(root);
}

static struct process process(void)
{
	struct process p = PROCESS_NONE;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/4711", root);
	p.pid = 4711;
	p.dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return p;
}

/* Control groups ------------------------------------------------------------------------------- */

static void put_v2(void)
{
	clear();
	put("proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n");
	put("proc/4711/cgroup", "0::/pod/container\n");
	put("sys/fs/cgroup/pod/container/cpu.stat",
	    "usage_usec 5\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n");
	put("sys/fs/cgroup/pod/cpu.stat",
	    "usage_usec 5\nnr_periods 1000\nnr_throttled 100\nthrottled_usec 4000000\n");
	put("sys/fs/cgroup/cpu.stat", "usage_usec 5\nuser_usec 5\n");
	put("sys/fs/cgroup/pod/container/memory.events", "low 0\nhigh 0\nmax 7\noom 2\noom_kill 2\n");
	put("sys/fs/cgroup/pod/memory.events", "low 0\noom_kill 9\n");
}

static void put_v1(void)
{
	clear();
	put("proc/self/mountinfo",
	    "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
	    "33 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
	put("proc/4711/cgroup", "9:cpu,cpuacct:/app\n11:memory:/\n");
	put("sys/fs/cgroup/cpu,cpuacct/app/cpu.stat",
	    "nr_periods 50\nnr_throttled 25\nthrottled_time 2000000000\n");
	put("sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 6\n");
}

static struct pressure *begun(void)
{
	static struct pressure p;
	struct process of = process();

	pressure_begin(&p, &of, root);
	process_close(&of);
	return &p;
}

static void test_v2(void)
{
	struct pressure *p;
	struct throttling t;
	char file[PATH_MAX];
	int64_t kills, before;

	test_begin("v2_counts_since_the_group_was_made");
	put_v2();
	p = begun();
	CHECK(pressure_worst(p, &t, file));
	CHECK_INT(t.periods, 1000);
	CHECK_INT(t.throttled, 100);
	CHECK_INT(t.ns, 4000000000);
	CHECK(strstr(file, "/sys/fs/cgroup/pod/cpu.stat"));
	CHECK(pressure_kills(p, &kills, &before, file));
	CHECK_INT(kills, 0);
	CHECK_INT(before, 2);
	CHECK(strstr(file, "/pod/container/memory.events"));

	test_begin("v2_counts_between_two_readings");
	put("sys/fs/cgroup/pod/cpu.stat", "nr_periods 1300\nnr_throttled 400\nthrottled_usec 9000000\n");
	put("sys/fs/cgroup/pod/container/memory.events", "oom_kill 5\n");
	pressure_again(p);
	CHECK(pressure_worst(p, &t, file));
	CHECK_INT(t.periods, 300);
	CHECK_INT(t.throttled, 300);
	CHECK_INT(t.ns, 5000000000);
	CHECK(pressure_kills(p, &kills, &before, file));
	CHECK_INT(kills, 3);
	CHECK_INT(before, 2);

	test_begin("a_group_that_is_made_anew_or_gone_says_nothing");
	put("sys/fs/cgroup/pod/cpu.stat", "nr_periods 10\nnr_throttled 10\nthrottled_usec 1\n");
	put("sys/fs/cgroup/pod/container/memory.events", "oom_kill 0\n");
	pressure_again(p);
	CHECK(!pressure_worst(p, &t, file));
	CHECK(!pressure_kills(p, &kills, &before, file));
	clear();
	pressure_again(p);
	CHECK(!pressure_worst(p, &t, file));
	CHECK(!pressure_kills(p, &kills, &before, file));
}

static void test_v1(void)
{
	struct pressure *p;
	struct throttling t;
	char file[PATH_MAX];
	int64_t kills, before;

	test_begin("v1_has_times_in_ns");
	put_v1();
	p = begun();
	CHECK(pressure_worst(p, &t, file));
	CHECK_INT(t.periods, 50);
	CHECK_INT(t.throttled, 25);
	CHECK_INT(t.ns, 2000000000);

	test_begin("what_the_root_group_counted_before_is_of_anybody");
	CHECK(pressure_kills(p, &kills, &before, file));
	CHECK_INT(kills, 0);
	CHECK_INT(before, 0);
	put("sys/fs/cgroup/memory/memory.oom_control", "oom_kill 7\n");
	pressure_again(p);
	CHECK(pressure_kills(p, &kills, &before, file));
	CHECK_INT(kills, 1);
}

static void test_nonsense(void)
{
	struct pressure *p;
	struct throttling t;
	char file[PATH_MAX];

	test_begin("more_throttled_than_periods_is_not_believed");
	put_v2();
	put("sys/fs/cgroup/pod/cpu.stat", "nr_periods 5\nnr_throttled 18446744073709551615\n");
	p = begun();
	CHECK(!pressure_worst(p, &t, file));
	put("sys/fs/cgroup/pod/cpu.stat", "nr_periods 5\nnr_throttled 6\nthrottled_usec 1\n");
	p = begun();
	CHECK(!pressure_worst(p, &t, file));

	test_begin("without_groups_nothing_is_known");
	clear();
	put("proc/4711/cgroup", "garbage\n");
	p = begun();
	CHECK(!p->has_cpu);
	CHECK(!pressure_worst(p, &t, file));
}

/* Processes ------------------------------------------------------------------------------------ */

static void put_process(int pid, const char *name, int user, int system, int start)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	snprintf(text, sizeof(text),
		 "%d (%s) S 1 %d %d 0 -1 4194304 1 2 3 4 %d %d 0 0 20 0 12 0 %d 1 2 3\n", pid, name, pid,
		 pid, user, system, start);
	put(path, text);
}

/* 100 ticks a second, as everywhere. */
static double used(const struct cpu_use *before, const struct cpu_use *after, int pid)
{
	const struct cpu_user *u = cpu_use_find(after, pid);

	return u ? cpu_use_of(before, after, u) : -1;
}

static bool is_near(double a, double b)
{
	return a > b - 0.001 && a < b + 0.001;
}

static void test_processes(void)
{
	long hertz = sysconf(_SC_CLK_TCK);
	struct cpu_use a, b;

	test_begin("processors_that_processes_used");
	clear();
	put("proc/stat", "cpu  100 0 100 1000 0 0 0 0 0 0\ncpu0 1 1\ncpu1 1 1\nintr 5 cpu2\n");
	put_process(4711, "java", 100, 0, 7);
	put_process(5, "a ) S 1 (b", 0, 50, 8);
	put_process(6, "again", 5000, 0, 9);
	put("proc/7/stat", "7 (cut");
	cpu_use_read(&a, root);
	CHECK_INT(a.count, 3);
	CHECK_INT(a.cpus, 2);
	put("proc/stat", "cpu  400 0 200 1600 0 0 0 0 0 0\ncpu0 1 1\ncpu1 1 1\n");
	put_process(4711, "java", 100 + (int)(10 * hertz), 0, 7);
	put_process(5, "a ) S 1 (b", 0, 50, 8);
	put_process(6, "again", (int)(5 * hertz), 0, 99);
	put_process(8, "new", (int)hertz, 0, 100);
	cpu_use_read(&b, root);
	b.at_ns = a.at_ns + 10000000000;
	CHECK(is_near(used(&a, &b, 4711), 1));
	CHECK(is_near(used(&a, &b, 5), 0));
	CHECK(is_near(used(&a, &b, 6), 0.5));
	CHECK(is_near(used(&a, &b, 8), 0.1));
	CHECK(strcmp(cpu_use_find(&b, 5)->name, "a ) S 1 (b") == 0);
	CHECK(is_near(cpu_use_busy(&a, &b), 0.8));

	test_begin("counters_that_go_back_say_nothing");
	CHECK_INT(cpu_use_busy(&b, &a), -1);
	b.total = a.total;
	CHECK_INT(cpu_use_busy(&a, &b), -1);
	CHECK(used(&b, &b, 4711) == 0);
	cpu_use_fini(&a);
	cpu_use_fini(&b);

	test_begin("a_host_without_proc");
	clear();
	cpu_use_read(&a, root);
	CHECK_INT(a.count, 0);
	CHECK_INT(cpu_use_busy(&a, &a), -1);
	cpu_use_fini(&a);
}

int main(void)
{
	if (!mkdtemp(root))
		abort();
	test_v2();
	test_v1();
	test_nonsense();
	test_processes();
	clear();
	rmdir(root);
	return test_end();
}
