/* SPDX-License-Identifier: MIT */
/* test_host_rules.c - what rules say of the host that a JVM was looked at on, beside its recording */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"
#include "test.h"

#define JVM	   "25"
#define OTHER_LOAD "26"

#define S INT64_C(1000000000)
#define BEGIN_NS (INT64_C(1700000000) * S)

static const char types[] =
	EVENT(JVM, "jdk.JVMInformation",
	      START FIELD("jvmVersion", T_STRING) FIELD("jvmName", T_STRING)
		      FIELD("jvmArguments", T_STRING) FIELD("pid", T_LONG)
			      FIELD("jvmStartTime", T_LONG))
	EVENT(OTHER_LOAD, "jdk.CPULoad", START FIELD("jvmUser", T_FLOAT) FIELD("jvmSystem", T_FLOAT)
					     FIELD("machineTotal", T_FLOAT));

/* A recording of 30 s of process 7, and what is said of a host. */
static struct jfrec_analysis *analyze(const struct jfrec_host_facts *h)
{
	struct craft c = { 0 };
	struct jfrec_analysis_options how = { .struct_size = sizeof(how), .host = h };
	struct jfrec_analysis *a = jfrec_analysis_new(&how, NULL);
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r;

	craft_chunk(&c);
	craft_set(&c, CRAFT_START_NS, BEGIN_NS);
	craft_set(&c, CRAFT_DURATION_NS, 30 * S);
	craft_set(&c, CRAFT_START_TICKS, 1000);
	craft_event(&c, JVM, "1000 'OpenJDK 64-Bit Server VM (21.0.1)' 'OpenJDK 64-Bit Server VM' '' 7 5");
	craft_metadata(&c, types);
	craft_end(&c);
	r = craft_open(&c, &err);
	CHECK(a && r);
	CHECK_INT(jfrec_analysis_read(a, r, &err), 0);
	CHECK_INT(jfrec_analysis_finish(a, &err), 0);
	jfrec_reader_close(r);
	craft_free(&c);
	return a;
}

static const struct jfrec_rule_finding *find(const struct jfrec_analysis *a, const char *rule)
{
	for (size_t i = 0; i < jfrec_analysis_finding_count(a, 0); i++) {
		if (strcmp(jfrec_analysis_finding_get(a, 0, i)->rule->id, rule) == 0)
			return jfrec_analysis_finding_get(a, 0, i);
	}
	return NULL;
}

/* No sentence, no piece of evidence has what is no number. */
static void check_numbers(const struct jfrec_rule_finding *f)
{
	CHECK(!strstr(f->summary, "nan") && !strstr(f->summary, "inf"));
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		CHECK(e->kind != JFREC_EVIDENCE_QUANTITY || (isfinite(e->value) && e->value >= 0));
	}
}

/* text: part of the sentence, or of the command that shows it. */
static void expect(const struct jfrec_host_facts *h, const char *rule, enum jfrec_severity severity,
		   const char *text)
{
	struct jfrec_analysis *a = analyze(h);
	const struct jfrec_rule_finding *f = find(a, rule);
	bool said = f && strstr(f->summary, text);

	for (size_t i = 0; f && i < jfrec_finding_evidence_count(f); i++) {
		const struct jfrec_evidence *e = jfrec_finding_evidence_get(f, i);

		said |= e->kind == JFREC_EVIDENCE_COMMAND && e->is_whole && strstr(e->text, text);
	}
	if (!CHECK(f && f->severity == severity && said))
		printf("# %s: %s: %s\n", rule, f ? jfrec_severity_name(f->severity) : "?",
		       f ? f->summary : "?");
	if (f)
		check_numbers(f);
	jfrec_analysis_free(a);
}

/* A host at peace, looked at from the beginning of the recording to its end. */
static struct jfrec_host_facts peace(void)
{
	return (struct jfrec_host_facts){
		.pid = 4711,
		.ns_pid = 7,
		.from_ns = BEGIN_NS,
		.to_ns = BEGIN_NS + 30 * S,
		.has_cpu_group = true,
		.cpu_file = "/sys/fs/cgroup/app/cpu.stat",
		.periods = 300,
		.kills_file = "/sys/fs/cgroup/app/memory.events",
		.memory_limit_name = "memory.max of its cgroup /app",
		.memory_used = 50,
		.memory_limit = 100,
		.disks = { { "repository", "/tmp/r", 50 * (uint64_t)S, 100 * (uint64_t)S, false } },
		.disk_count = 1,
		.machine_cpus = 4,
		.busy_cpus = 1,
		.own_cpus = 1,
	};
}

static const char *const rules[] = { "host-throttled", "host-oom-kill", "host-memory", "host-disk",
				     "host-cpu" };

static void expect_all(const struct jfrec_host_facts *h, enum jfrec_severity severity)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		expect(h, rules[i], severity, "");
}

static void test_absent(void)
{
	struct jfrec_host_facts h = peace();

	test_begin("a_file_says_nothing_of_the_host");
	expect(NULL, "host-disk", JFREC_SEVERITY_NO_DATA, "jfrec analyze PID --duration");
	for (size_t i = 0; i < 5; i++)
		expect(NULL, rules[i], JFREC_SEVERITY_NO_DATA, "No recording says it");

	test_begin("another_process_is_not_meant");
	h.ns_pid = 8;
	h.throttled = 300;
	expect_all(&h, JFREC_SEVERITY_NO_DATA);

	test_begin("what_could_not_be_read_is_no_data");
	h = (struct jfrec_host_facts){ .pid = 4711, .ns_pid = 7 };
	expect_all(&h, JFREC_SEVERITY_NO_DATA);

	test_begin("a_host_at_peace_is_ok");
	h = peace();
	expect_all(&h, JFREC_SEVERITY_OK);
}

static void test_throttled(void)
{
	struct jfrec_host_facts h = peace();

	test_begin("throttled_in_that_time");
	h.throttled = 14;
	expect(&h, "host-throttled", JFREC_SEVERITY_OK, "");
	h.throttled = 15;
	expect(&h, "host-throttled", JFREC_SEVERITY_INFO, "15 of 300");
	h.throttled = 75;
	h.throttled_ns = 5 * S;
	expect(&h, "host-throttled", JFREC_SEVERITY_WARNING, "cat /sys/fs/cgroup/app/cpu.stat");

	test_begin("a_few_periods_are_info");
	h.periods = h.throttled = 49;
	expect(&h, "host-throttled", JFREC_SEVERITY_INFO, "49 of 49");

	test_begin("throttled_since_the_group_was_made_is_info");
	h.periods = h.throttled = 1000;
	h.to_ns = h.from_ns;
	expect(&h, "host-throttled", JFREC_SEVERITY_INFO, "since the control group was made");

	test_begin("names_of_groups_are_quoted_for_the_shell");
	h.cpu_file = "/sys/fs/cgroup/$(reboot) 'x'/cpu.stat";
	expect(&h, "host-throttled", JFREC_SEVERITY_INFO,
	       "cat '/sys/fs/cgroup/$(reboot) '\\''x'\\''/cpu.stat'");
}

static void test_memory(void)
{
	struct jfrec_host_facts h = peace();

	test_begin("processes_that_were_killed");
	h.kills_before = 2;
	expect(&h, "host-oom-kill", JFREC_SEVERITY_INFO, "killed 2 processes");
	h.kills = 1;
	expect(&h, "host-oom-kill", JFREC_SEVERITY_WARNING, "killed 1 process of");

	test_begin("memory_near_its_limit");
	h.memory_used = 89;
	expect(&h, "host-memory", JFREC_SEVERITY_OK, "");
	h.memory_used = 90;
	expect(&h, "host-memory", JFREC_SEVERITY_INFO, "memory.max of its cgroup /app");
	h.memory_used = 97;
	expect(&h, "host-memory", JFREC_SEVERITY_WARNING, "jfrec doctor 4711");
}

static void test_disk(void)
{
	struct jfrec_host_facts h = peace();

	test_begin("the_fullest_disk_counts");
	h.disks[0] = (struct jfrec_host_disk){ "repository", "/r", 90, 100, false };
	h.disks[1] = (struct jfrec_host_disk){ "temporary files", "/tmp", 5, 100, false };
	h.disk_count = 2;
	expect(&h, "host-disk", JFREC_SEVERITY_INFO, "temporary files, /tmp");
	h.disks[1].free_bytes = 0;
	expect(&h, "host-disk", JFREC_SEVERITY_WARNING, "stat -f /proc/4711/root/tmp");

	test_begin("a_disk_without_inodes_is_full");
	h.disks[0].has_no_inodes = true;
	h.disks[1].free_bytes = 50;
	expect(&h, "host-disk", JFREC_SEVERITY_WARNING, "stat -f /proc/4711/root/r");

	test_begin("a_disk_with_much_left_is_not_full");
	h.disks[0].has_no_inodes = false;
	h.disks[0].free_bytes = h.disks[1].free_bytes = 5 * (uint64_t)S;
	h.disks[0].size = h.disks[1].size = 10000 * (uint64_t)S;
	expect(&h, "host-disk", JFREC_SEVERITY_OK, "");
}

static void test_cpu(void)
{
	struct jfrec_host_facts h = peace();

	test_begin("others_that_take_the_processors");
	h.busy_cpus = 4;
	h.own_cpus = 0.5;
	h.others[0] = (struct jfrec_host_process){ 99, "stress", 3 };
	h.others[1] = (struct jfrec_host_process){ 98, "cron", 0.1 };
	h.other_count = 2;
	expect(&h, "host-cpu", JFREC_SEVERITY_WARNING, "most of all stress (process 99)");
	expect(&h, "host-cpu", JFREC_SEVERITY_WARNING, "-p 99,98");

	test_begin("while_processors_are_idle_it_is_info");
	h.busy_cpus = 3.5;
	expect(&h, "host-cpu", JFREC_SEVERITY_INFO, "3.00 of 4 processors");

	test_begin("more_than_all_processors_is_all");
	h.busy_cpus = 40;
	expect(&h, "host-cpu", JFREC_SEVERITY_WARNING, "");
	h.busy_cpus = 4;
	h.own_cpus = 40;
	expect(&h, "host-cpu", JFREC_SEVERITY_OK, "");

	test_begin("one_look_is_too_few");
	h.machine_cpus = 0;
	expect(&h, "host-cpu", JFREC_SEVERITY_NO_DATA, "jfrec analyze 4711 --duration 30s");
}

int main(void)
{
	test_absent();
	test_throttled();
	test_memory();
	test_disk();
	test_cpu();
	return test_end();
}
