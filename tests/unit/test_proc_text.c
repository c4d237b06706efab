/* SPDX-License-Identifier: MIT */
/* test_proc_text.c - what the files of /proc/PID say */
#include "process/proc_text.h"

#include "test.h"

/* A JVM of another user in a container, seen from the host. */
static const char status[] = "Name:\tjava\n"
			     "Umask:\t0022\n"
			     "State:\tS (sleeping)\n"
			     "Tgid:\t4711\n"
			     "Ngid:\t0\n"
			     "Pid:\t4711\n"
			     "PPid:\t1\n"
			     "TracerPid:\t0\n"
			     "Uid:\t1000\t1001\t1002\t1003\n"
			     "Gid:\t2000\t2001\t2002\t2003\n"
			     "Groups:\t4 20 \n"
			     "NStgid:\t4711\t23\t1\n"
			     "NSpid:\t4711\t23\t1\n"
			     "VmSize:\t 4000000 kB\n"
			     "VmRSS:\t   81920 kB\n"
			     "VmSwap:\t    1024 kB\n"
			     "Threads:\t37\n"
			     "SigBlk:\t0000000000000000\n"
			     "SigIgn:\t0000000000001000\n"
			     "SigCgt:\t2000000181005ccf\n"
			     "CapEff:\t00000000a80425fb\n";

static void test_status(void)
{
	struct proc_status s;

	test_begin("status_of_a_jvm");
	CHECK(proc_status_parse(&s, status));
	CHECK_INT(s.state, 'S');
	CHECK_INT(s.tgid, 4711);
	CHECK_INT(s.ns_pid, 1);
	CHECK_INT(s.ns_depth, 3);
	CHECK_INT(s.tracer, 0);
	CHECK_INT(s.ruid, 1000);
	CHECK_INT(s.euid, 1001);
	CHECK_INT(s.suid, 1002);
	CHECK_INT(s.rgid, 2000);
	CHECK_INT(s.egid, 2001);
	CHECK_INT(s.sgid, 2002);
	CHECK_INT(s.threads, 37);
	CHECK_INT((int64_t)s.blocked, 0);
	CHECK_INT((int64_t)s.ignored, 0x1000);
	CHECK_INT((int64_t)s.caught, INT64_C(0x2000000181005ccf));
	CHECK_INT((int64_t)s.capabilities, 0xa80425fb);
	CHECK(s.has_memory);
	CHECK_INT((int64_t)s.resident, 80 << 20);
	CHECK_INT((int64_t)s.swapped, 1 << 20);
}

/* What every Linux has, and nothing more. */
#define OLD                           \
	"State:\tZ (zombie)\n"        \
	"Tgid:\t5\n"                  \
	"Uid:\t0\t0\t0\t0\n"          \
	"Gid:\t0\t0\t0\t0\n"          \
	"SigIgn:\t0000000000000004\n" \
	"SigCgt:\t0000000000000000\n"

static void test_other_statuses(void)
{
	struct proc_status s;

	test_begin("status_without_namespaces");
	CHECK(proc_status_parse(&s, "Name:\ta\n" OLD));
	CHECK_INT(s.state, 'Z');
	CHECK_INT(s.ns_pid, 5);
	CHECK_INT(s.ns_depth, 1);
	CHECK(!s.has_memory);

	test_begin("a_name_cannot_add_lines");
	CHECK(proc_status_parse(&s, "Name:\tx\nUid:\t77\t77\t77\t77\nSigCgt:\tff\n" OLD));
	CHECK_INT(s.euid, 0);
	CHECK_INT((int64_t)s.caught, 0);
	CHECK_INT((int64_t)s.ignored, 4);

	test_begin("a_status_cut_short_is_none");
	CHECK(!proc_status_parse(&s, ""));
	CHECK(!proc_status_parse(&s, "\n\n"));
	CHECK(!proc_status_parse(&s, "State:"));
	CHECK(!proc_status_parse(&s, "State:\tR\nTgid:\t1\nUid:\t0\t0\n"));

	test_begin("numbers_too_great_are_none");
	CHECK(!proc_status_parse(&s,
				 "Name:\ta\nState:\tR\nTgid:\t99999999999\n"
				 "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nSigIgn:\t0\nSigCgt:\t0\n"));
	CHECK(!proc_status_parse(&s, "Name:\ta\nState:\tR\nTgid:\t1\n"
				     "Uid:\t0\t4294967296\t0\t0\nGid:\t0\t0\t0\t0\nSigIgn:\t0\n"
				     "SigCgt:\t0\n"));
	CHECK(!proc_status_parse(&s, "Name:\ta\nState:\tR\nTgid:\t1\n"
				     "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nSigIgn:\t0\n"
				     "SigCgt:\t10000000000000000\n"));
}

#define BEHIND_NAME " S 1 4711 4711 0 -1 1077936128 1 2 3 4 5 6 7 8 20 0 37 0 123456 4000 50\n"

static const struct {
	const char *name, *text;
	bool good;
	uint64_t ticks;
} stats[] = {
	{ "stat", "4711 (java)" BEHIND_NAME, true, 123456 },
	{ "stat_of_a_name_that_lies", "4711 (a) R 1 ()" BEHIND_NAME, true, 123456 },
	{ "stat_of_a_name_with_line_feeds", "4711 (\n)\n)" BEHIND_NAME, true, 123456 },
	{ "stat_of_a_name_of_odd_bytes", "4711 (\xff\x80 \x01)" BEHIND_NAME, true, 123456 },
	{ "stat_of_no_name", "4711 ()" BEHIND_NAME, true, 123456 },
	{ "stat_cut_short", "4711 (java) S 1 4711 4711 0", false, 0 },
	{ "stat_without_name", "4711", false, 0 },
	{ "stat_empty", "", false, 0 },
};

static void test_stat(void)
{
	for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++) {
		uint64_t ticks = 0;

		test_begin(stats[i].name);
		if (!CHECK(proc_stat_start(stats[i].text, &ticks) == stats[i].good) ||
		    !stats[i].good)
			continue;
		CHECK_INT((int64_t)ticks, (int64_t)stats[i].ticks);
	}
}

static void test_looks(void)
{
	static const char line[] = "7 (a) (b) S 1 7 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 33 0 987654 1\n";
	struct proc_look look;

	test_begin("look_of_a_process");
	CHECK(proc_stat_look(line, &look));
	CHECK(strcmp(look.name, "a) (b") == 0);
	CHECK_INT((int64_t)look.threads, 33);
	CHECK_INT((int64_t)look.start_ticks, 987654);
	CHECK(!look.has_ended);
	test_begin("look_of_a_zombie");
	CHECK(proc_stat_look("7 (a) Z 1 7 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 9 1\n", &look));
	CHECK(look.has_ended);
	test_begin("look_cut_short");
	CHECK(!proc_stat_look("", &look));
	CHECK(!proc_stat_look("7 (a", &look));
	CHECK(!proc_stat_look("7 )a( S", &look));
	CHECK(!proc_stat_look("7 (a)", &look));
	CHECK(!proc_stat_look("7 (a) S 1 7 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 33", &look));
}

#define PLACE "7f0000000000-7f0000001000 r-xp 00000000 08:01 1234                       "

static const struct {
	const char *name, *line, *path;
	bool deleted;
} maps[] = {
	{ "maps_file", PLACE "/usr/lib/libjvm.so\n", "/usr/lib/libjvm.so", false },
	{ "maps_last_line", PLACE "/usr/lib/libjvm.so", "/usr/lib/libjvm.so", false },
	{ "maps_deleted", PLACE "/a/libjvm.so (deleted)\n", "/a/libjvm.so", true },
	{ "maps_spaces", PLACE "/a b/ c/libjvm.so\n", "/a b/ c/libjvm.so", false },
	{ "maps_line_feed", PLACE "/a\\012b\n", "/a\\012b", false },
	{ "maps_only_the_mark", PLACE "/ (deleted)\n", "/", true },
	{ "maps_stack", PLACE "[stack]\n", NULL, false },
	{ "maps_anonymous", "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n", NULL, false },
	{ "maps_shared_memory", PLACE "anon_inode:[io_uring]\n", NULL, false },
	{ "maps_cut_short", "7f0000000000-7f00", NULL, false },
	{ "maps_empty", "", NULL, false },
};

static void test_maps(void)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		char line[200];
		const char *path;
		bool deleted = false;

		test_begin(maps[i].name);
		snprintf(line, sizeof(line), "%s", maps[i].line);
		path = proc_maps_path(line, &deleted);
		CHECK(!path == !maps[i].path);
		if (path && maps[i].path)
			CHECK_TEXT(path, strlen(path), maps[i].path);
		CHECK_INT(path && deleted, maps[i].deleted);
	}
}

#define ROOT  "25 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
#define PLAIN "26 25 0:22 / /proc rw,relatime - proc proc rw\n"

static const struct {
	const char *name, *text, *how;
	bool hides;
} mounts[] = {
	{ "mounts_plain", ROOT PLAIN, "", false },
	{ "mounts_hidepid", ROOT "26 25 0:22 / /proc rw shared:5 - proc proc rw,gid=4,hidepid=2\n",
	  "2", true },
	{ "mounts_hidepid_by_name",
	  ROOT "26 25 0:22 / /proc rw - proc none rw,hidepid=invisible,gid=4\n", "invisible",
	  true },
	{ "mounts_hidepid_off", "26 25 0:22 / /proc rw - proc proc rw,hidepid=off\n", "off",
	  false },
	{ "mounts_hidepid_zero", "26 25 0:22 / /proc rw - proc proc rw,hidepid=0", "0", false },
	{ "mounts_of_another_directory",
	  PLAIN "27 25 0:23 / /srv/proc rw - proc proc rw,hidepid=2\n", "", false },
	{ "mounts_on_top", "26 25 0:22 / /proc rw - proc proc rw,hidepid=2\n" PLAIN, "", false },
	{ "mounts_empty", "", "", false },
};

static void test_mounts(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(*mounts); i++) {
		char how[16];

		test_begin(mounts[i].name);
		CHECK_INT(proc_mounts_hidepid(mounts[i].text, how, sizeof(how)), mounts[i].hides);
		CHECK_TEXT(how, strlen(how), mounts[i].how);
	}
}

static void test_map(void)
{
	static const char two[] = "         0       1000          1\n"
				  "         1     100000      65536\n";

	test_begin("map_of_all");
	CHECK(proc_map_has("         0          0 4294967295\n", 65534));
	test_begin("map_of_two_ranges");
	CHECK(proc_map_has(two, 0));
	CHECK(proc_map_has(two, 1));
	CHECK(proc_map_has(two, 65536));
	CHECK(!proc_map_has(two, 65537));
	test_begin("map_of_one");
	CHECK(!proc_map_has("0 1000 1\n", 65534));
	test_begin("map_of_nothing");
	CHECK(!proc_map_has("", 0));
	CHECK(!proc_map_has("0 0\n", 0));
}

int main(void)
{
	test_status();
	test_other_statuses();
	test_stat();
	test_looks();
	test_maps();
	test_mounts();
	test_map();
	return test_end();
}
