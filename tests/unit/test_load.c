/* SPDX-License-Identifier: MIT */
/* test_load.c - what a JVM uses, as /proc, control groups and performance data tell it */
#include <fcntl.h>

#include "load/counters.h"
#include "load/quotas.h"
#include "load/stat.h"

#include "host_tree.h"
#include "perf_file.h"
#include "test.h"

/* /proc/PID/stat ------------------------------------------------------------------------------- */

#define REST                                                                                       \
	" S 1 4711 4711 0 -1 4194560 9 0 0 0 250 50 0 0 20 0 33 0 86400 4096 7 18446744073709551615"

static void test_stat(void)
{
	struct stat_line s;

	test_begin("stat_of_a_thread");
	CHECK(stat_parse(&s, "4711 (java)" REST));
	CHECK(strcmp(s.name, "java") == 0 && s.state == 'S');
	CHECK(s.ticks == 300 && s.threads == 33 && s.start_ticks == 86400);
	CHECK(s.resident == 7 * (uint64_t)sysconf(_SC_PAGESIZE));
	test_begin("stat_of_a_name_that_forges_one");
	CHECK(stat_parse(&s, "4711 (a) R 1 2 (b)" REST));
	CHECK(strcmp(s.name, "a) R 1 2 (b") == 0 && s.state == 'S' && s.ticks == 300);
	test_begin("stat_cut_short");
	CHECK(!stat_parse(&s, "4711 (java) S 1 4711"));
	CHECK(!stat_parse(&s, "4711 java"));
	CHECK(!stat_parse(&s, ")("));
	CHECK(!stat_parse(&s, ""));
}

/* Performance data ----------------------------------------------------------------------------- */

#define SECOND INT64_C(1000000000)

static void put_collector(struct file *f, int n, int64_t count, int64_t time, int64_t in, int64_t out)
{
	const char *names[] = { "invocations", "time", "lastEntryTime", "lastExitTime" };
	const int64_t numbers[] = { count, time, in, out };
	char name[64];

	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "sun.gc.collector.%d.%s", n, names[i]);
		put_number(f, name, numbers[i]);
	}
}

static struct file heap(void)
{
	struct file f = new_file(false);

	put_number(&f, "sun.os.hrt.frequency", SECOND);
	put_number(&f, "sun.gc.generation.0.capacity", 1000);
	put_number(&f, "sun.gc.generation.0.space.0.capacity", 900);
	put_number(&f, "sun.gc.generation.0.space.0.used", 300);
	put_number(&f, "sun.gc.generation.0.space.1.used", 30);
	put_number(&f, "sun.gc.generation.1.capacity", 5000);
	put_number(&f, "sun.gc.generation.1.space.0.used", 3);
	put_number(&f, "sun.gc.generation.2.capacity", 70000);
	put_number(&f, "sun.gc.generation.2.space.0.used", 70000);
	return f;
}

static struct counters parsed(const struct file *f)
{
	struct counters c;

	CHECK(counters_parse(&c, f->bytes, f->len));
	return c;
}

static struct counters collected(int64_t count, int64_t time, int64_t in, int64_t out)
{
	struct file f = heap();

	put_collector(&f, 0, count, time, in, out);
	put_collector(&f, 1, 2, 2 * SECOND, 5, 6);
	return parsed(&f);
}

static void test_heap(void)
{
	struct file f = heap();
	struct counters c = parsed(&f);

	test_begin("heap_is_two_generations");
	CHECK(c.has_heap && c.used == 333 && c.committed == 6000);
	CHECK(!c.has_collectors);
	test_begin("heap_of_a_jvm_that_starts");
	f.bytes[7] = 0;
	CHECK(!counters_parse(&c, f.bytes, f.len));
	test_begin("heap_of_no_counters");
	f = new_file(true);
	CHECK(!parsed(&f).has_heap);
}

static void test_collections(void)
{
	struct counters a = collected(10, 3 * SECOND, 100, 200);
	struct counters b = collected(13, 3 * SECOND + SECOND / 2, 300, 400);
	struct counters in = collected(13, 3 * SECOND, 500, 400);

	test_begin("collections_between_two_readings");
	CHECK(counters_share(&a, &b, 2) == 0.25);
	CHECK(counters_rate(&a, &b, 2) == 1.5);
	test_begin("a_collection_that_goes_on_in_both_is_all_of_the_time");
	CHECK(counters_share(&in, &in, 2) == 1);
	CHECK(counters_share(&a, &in, 2) == 0);
	test_begin("a_share_is_never_more_than_the_time");
	b = collected(13, 900 * SECOND, 300, 400);
	CHECK(counters_share(&a, &b, 2) == 1);
	test_begin("counters_that_go_back_count_as_none");
	CHECK(counters_share(&b, &a, 2) == 0 && counters_rate(&b, &a, 2) == 0);
	test_begin("no_time_no_share");
	CHECK(counters_share(&a, &b, 0) == -1 && counters_rate(&a, &b, 0) == -1);
}

/* Numbers at both ends of what fits into the file. */
static void test_lies(void)
{
	struct file f = heap();
	struct counters a, b;

	test_begin("lies_overflow_nothing");
	put_number(&f, "sun.gc.generation.0.space.2.used", INT64_MAX);
	put_number(&f, "sun.gc.generation.1.space.1.used", INT64_MAX);
	put_number(&f, "sun.gc.generation.1.space.2.used", INT64_MIN);
	put_number(&f, "sun.gc.generation.99999999999999999999.capacity", 1);
	put_number(&f, "sun.gc.generation.-1.capacity", 1);
	put_number(&f, "sun.gc.collector.4294967296.time", 1);
	put_collector(&f, 0, INT64_MIN, INT64_MIN, INT64_MAX, INT64_MIN);
	a = parsed(&f);
	CHECK(a.used > 1e18 && a.committed == 6000);
	b = collected(INT64_MAX, INT64_MAX, 0, 0);
	CHECK(counters_share(&a, &b, 2) == 1);
	CHECK(counters_rate(&a, &b, 2) > 0);
}

static void test_shenandoah(void)
{
	struct file f = heap();
	struct counters c;

	test_begin("shenandoah_has_no_share");
	put_string(&f, "sun.gc.collector.1.name", "Shenandoah full");
	put_collector(&f, 1, 5, SECOND, 0, 0);
	c = parsed(&f);
	CHECK(counters_share(&c, &c, 2) == -1 && counters_rate(&c, &c, 2) == 0);
}

/* Control groups ------------------------------------------------------------------------------- */

static char root[] = "/tmp/jfrec-load-XXXXXX";

static struct process process(void)
{
	struct process p = PROCESS_NONE;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/4711", root);
	p.pid = 4711;
	p.dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return p;
}

static void find(struct quotas *q)
{
	struct process p = process();

	quotas_find(q, &p, root);
	process_close(&p);
}

static void put_v2(void)
{
	tree_put(root, "proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	tree_put(root, "proc/4711/cgroup", "0::/pod/app\n");
	tree_put(root, "sys/fs/cgroup/pod/app/cpu.max", "max 100000\n");
	tree_put(root, "sys/fs/cgroup/pod/app/memory.max", "max\n");
	tree_put(root, "sys/fs/cgroup/pod/app/cgroup.events", "populated 1\nfrozen 0\n");
	tree_put(root, "sys/fs/cgroup/pod/cpu.max", "50000 100000\n");
	tree_put(root, "sys/fs/cgroup/pod/cpu.stat",
		 "nr_periods 100\nnr_throttled 10\nthrottled_usec 1\n");
	tree_put(root, "sys/fs/cgroup/pod/memory.max", "536870912\n");
}

static void test_v2(void)
{
	struct quotas q = { 0 };

	tree_clear(root);
	put_v2();
	test_begin("quotas_of_version_2");
	find(&q);
	CHECK(q.count == 1 && q.memory_limit == 536870912);
	CHECK(quotas_throttled(&q) == -1);
	tree_put(root, "sys/fs/cgroup/pod/cpu.stat",
		 "nr_periods 120\nnr_throttled 15\nthrottled_usec 1\n");
	test_begin("quotas_found_again_go_on_counting");
	find(&q);
	CHECK(quotas_throttled(&q) == 0.25);
	CHECK(quotas_throttled(&q) == -1);
	test_begin("frozen_by_version_2");
	CHECK(!quotas_is_frozen(&q));
	tree_put(root, "sys/fs/cgroup/pod/app/cgroup.events", "populated 1\nfrozen 1\n");
	CHECK(quotas_is_frozen(&q));
	quotas_fini(&q);
}

static void test_v1(void)
{
	struct quotas q = { 0 };

	tree_clear(root);
	tree_put(root, "proc/self/mountinfo",
		 "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
		 "33 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
		 "34 30 0:30 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n");
	tree_put(root, "proc/4711/cgroup", "9:cpu,cpuacct:/app\n11:memory:/app\n12:freezer:/app\n");
	tree_put(root, "sys/fs/cgroup/cpu/app/cpu.cfs_quota_us", "-1\n");
	tree_put(root, "sys/fs/cgroup/memory/app/memory.limit_in_bytes", "9223372036854771712\n");
	tree_put(root, "sys/fs/cgroup/freezer/app/freezer.state", "FROZEN\n");
	test_begin("quotas_of_version_1_that_are_none");
	find(&q);
	CHECK(q.count == 0 && q.memory_limit == UINT64_MAX);
	CHECK(quotas_throttled(&q) == -1);
	CHECK(quotas_is_frozen(&q));
	test_begin("quotas_of_version_1");
	tree_put(root, "sys/fs/cgroup/cpu/app/cpu.cfs_quota_us", "50000\n");
	tree_put(root, "sys/fs/cgroup/cpu/app/cpu.stat",
		 "nr_periods 50\nnr_throttled 25\nthrottled_time 1\n");
	tree_put(root, "sys/fs/cgroup/memory/app/memory.limit_in_bytes", "1073741824\n");
	find(&q);
	CHECK(q.count == 1 && q.memory_limit == 1073741824);
	quotas_fini(&q);
}

static void test_no_groups(void)
{
	struct quotas q = { 0 };

	tree_clear(root);
	tree_put(root, "proc/4711/cgroup", "");
	test_begin("no_control_groups");
	find(&q);
	CHECK(q.count == 0 && q.memory_limit == UINT64_MAX && !quotas_is_frozen(&q));
	quotas_fini(&q);
}

int main(void)
{
	if (!mkdtemp(root))
		abort();
	test_stat();
	test_heap();
	test_collections();
	test_lies();
	test_shenandoah();
	test_v2();
	test_v1();
	test_no_groups();
	tree_clear(root);
	rmdir(root);
	return test_end();
}
