/* SPDX-License-Identifier: MIT */
/* test_analyze.c - rules around their limits, without data in four ways, over chunks in any order */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"
#include "test.h"

#define PAUSE	   "20"
#define SETTING	   "21"
#define LOSS	   "22"
#define ENTER	   "23"
#define LOAD	   "24"
#define JVM	   "25"
#define COLLECTION "26"
#define COLLECTOR  "27"
#define CLASS_NAME "40"
#define KLASS	   "41"

#define MS INT64_C(1000000)

static const char types[] =
	CLASS(CLASS_NAME, "jdk.types.Symbol", SIMPLE FIELD("string", T_STRING))
	CLASS(KLASS, "java.lang.Class", FIELD("name", CLASS_NAME, KEY))
	EVENT(PAUSE, "jdk.GCPhasePause", START DURATION FIELD("gcId", T_INT) FIELD("name", T_STRING))
	EVENT(SETTING, "jdk.ActiveSetting",
	      START FIELD("id", T_LONG) FIELD("name", T_STRING) FIELD("value", T_STRING))
	EVENT(LOSS, "jdk.DataLoss", START FIELD("amount", T_LONG) FIELD("total", T_LONG))
	EVENT(ENTER, "jdk.JavaMonitorEnter", START DURATION FIELD("monitorClass", KLASS, KEY))
	EVENT(LOAD, "jdk.CPULoad", START FIELD("jvmUser", T_FLOAT) FIELD("jvmSystem", T_FLOAT)
					     FIELD("machineTotal", T_FLOAT))
	EVENT(JVM, "jdk.JVMInformation",
	      START FIELD("jvmVersion", T_STRING) FIELD("jvmName", T_STRING)
		      FIELD("jvmArguments", T_STRING) FIELD("pid", T_LONG)
			      FIELD("jvmStartTime", T_LONG))
	EVENT(COLLECTION, "jdk.GarbageCollection",
	      START DURATION FIELD("gcId", T_INT) FIELD("name", T_STRING) FIELD("cause", T_STRING))
	EVENT(COLLECTOR, "jdk.GCConfiguration",
	      START FIELD("youngCollector", T_STRING) FIELD("oldCollector", T_STRING));

/* Recordings ----------------------------------------------------------------------------------- */

/* A chunk of 100 s that begins so many seconds after the others. */
static void begin(struct craft *c, int64_t after_s)
{
	craft_chunk(c);
	craft_set(c, CRAFT_START_NS, (uint64_t)((1700000000 + after_s) * 1000 * MS));
	craft_set(c, CRAFT_DURATION_NS, (uint64_t)(100000 * MS));
	craft_set(c, CRAFT_START_TICKS, (uint64_t)(1000 + after_s * 1000 * MS));
}

static void end(struct craft *c)
{
	craft_checkpoint(c, "2  " CLASS_NAME " 1  7 'com/shop/Cart'  " KLASS " 1  5 7");
	craft_metadata(c, types);
	craft_end(c);
}

/* Ticks are nanoseconds; all begins at tick 1000. */
static long long at(int64_t ms)
{
	return 1000 + ms * MS;
}

static void set(struct craft *c, int64_t ms, const char *type, const char *name, const char *value)
{
	craft_event(c, SETTING, "%lld %s '%s' '%s'", at(ms), type, name, value);
}

static void pause_for(struct craft *c, int64_t ms, int64_t length_ms)
{
	craft_event(c, PAUSE, "%lld %lld 1 'GC Pause'", at(ms), (long long)(length_ms * MS));
}

static struct jfrec_analysis *analyze(struct craft *c, const char *limit)
{
	struct jfrec_analysis *a = jfrec_analysis_new(NULL, NULL);
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = craft_open(c, &err);

	CHECK(a && r);
	if (limit)
		CHECK_INT(jfrec_analysis_set_limit(a, limit, &err), 0);
	CHECK_INT(jfrec_analysis_read(a, r, &err), 0);
	CHECK_INT(jfrec_analysis_finish(a, &err), 0);
	jfrec_reader_close(r);
	craft_free(c);
	*c = (struct craft){ 0 };
	return a;
}

static const struct jfrec_rule_finding *find(const struct jfrec_analysis *a, const char *rule)
{
	for (size_t i = 0; i < jfrec_analysis_finding_count(a, 0); i++) {
		const struct jfrec_rule_finding *f = jfrec_analysis_finding_get(a, 0, i);

		if (strcmp(f->rule->id, rule) == 0)
			return f;
	}
	return NULL;
}

static void check_severity(struct jfrec_analysis *a, const char *rule, enum jfrec_severity want)
{
	const struct jfrec_rule_finding *f = find(a, rule);

	if (!CHECK(f && f->severity == want))
		printf("# %s: %s: %s\n", rule, f ? jfrec_severity_name(f->severity) : "?",
		       f ? f->summary : "?");
	jfrec_analysis_free(a);
}

static void check_summary(struct jfrec_analysis *a, const char *rule, enum jfrec_no_data why,
			  const char *text)
{
	const struct jfrec_rule_finding *f = find(a, rule);

	if (!CHECK(f && f->severity == JFREC_SEVERITY_NO_DATA && f->no_data == why &&
		   strstr(f->summary, text)))
		printf("# %s: %s\n", rule, f ? f->summary : "?");
	jfrec_analysis_free(a);
}

/* Limits --------------------------------------------------------------------------------------- */

/* In a window of 60 s. */
static struct jfrec_analysis *with_pause(int64_t length_ms, const char *limit)
{
	struct craft c = { 0 };

	begin(&c, 0);
	set(&c, 0, PAUSE, "enabled", "true");
	pause_for(&c, 40000, length_ms);
	end(&c);
	return analyze(&c, limit);
}

static void test_limits(void)
{
	test_begin("share of pauses around its limits");
	check_severity(with_pause(2999, NULL), "gc-pause-share", JFREC_SEVERITY_OK);
	check_severity(with_pause(3000, NULL), "gc-pause-share", JFREC_SEVERITY_INFO);
	check_severity(with_pause(5999, NULL), "gc-pause-share", JFREC_SEVERITY_INFO);
	check_severity(with_pause(6000, NULL), "gc-pause-share", JFREC_SEVERITY_WARNING);

	test_begin("the longest pause around its limits");
	check_severity(with_pause(124, NULL), "gc-pause-longest", JFREC_SEVERITY_OK);
	check_severity(with_pause(125, NULL), "gc-pause-longest", JFREC_SEVERITY_INFO);
	check_severity(with_pause(602, NULL), "gc-pause-longest", JFREC_SEVERITY_WARNING);

	test_begin("limits of the caller");
	check_severity(with_pause(3000, "gc-pause-share.info=6%"), "gc-pause-share",
		       JFREC_SEVERITY_OK);
	check_severity(with_pause(1, "gc-pause-longest.warning=1ms"), "gc-pause-longest",
		       JFREC_SEVERITY_WARNING);
	check_severity(with_pause(6000, "gc-pause-share.warning=never"), "gc-pause-share",
		       JFREC_SEVERITY_INFO);
}

static struct jfrec_analysis *with_waits(int64_t total_ms)
{
	struct craft c = { 0 };

	begin(&c, 0);
	set(&c, 0, ENTER, "enabled", "true");
	for (int64_t i = 0; i < 10; i++)
		craft_event(&c, ENTER, "%lld %lld 5", at(1000 + i), (long long)(total_ms * MS / 10));
	end(&c);
	return analyze(&c, NULL);
}

static void test_locks(void)
{
	struct jfrec_analysis *a;
	const struct jfrec_rule_finding *f;

	test_begin("time waited for locks around its limits");
	check_severity(with_waits(4900), "lock-contention", JFREC_SEVERITY_OK);
	check_severity(with_waits(5000), "lock-contention", JFREC_SEVERITY_INFO);
	check_severity(with_waits(20900), "lock-contention", JFREC_SEVERITY_INFO);
	check_severity(with_waits(21000), "lock-contention", JFREC_SEVERITY_WARNING);

	test_begin("the class of the lock is named");
	a = with_waits(50000);
	f = find(a, "lock-contention");
	CHECK(f && strstr(f->summary, "com.shop.Cart"));
	jfrec_analysis_free(a);
}

/* Without data --------------------------------------------------------------------------------- */

static void test_missing(void)
{
	struct craft c = { 0 };

	test_begin("an event that the recording does not declare");
	begin(&c, 0);
	end(&c);
	check_summary(analyze(&c, NULL), "code-cache", JFREC_NOT_IN_JVM, "does not declare");

	test_begin("an event of a later JDK");
	begin(&c, 0);
	craft_event(&c, JVM, "%lld 'JRE (11.0.2+9)' 'OpenJDK' '' 7 1", at(0));
	end(&c);
	check_summary(analyze(&c, NULL), "process-start", JFREC_NOT_IN_JVM, "this is 11");

	test_begin("a rule for older JDKs");
	begin(&c, 0);
	craft_event(&c, JVM, "%lld 'JRE (25.0.3+9-LTS)' 'OpenJDK' '' 7 1", at(0));
	end(&c);
	check_summary(analyze(&c, NULL), "gc-locker", JFREC_NOT_IN_JVM, "the JVM is JDK 25");

	test_begin("an event that was off");
	begin(&c, 0);
	set(&c, 0, ENTER, "enabled", "false");
	end(&c);
	check_summary(analyze(&c, NULL), "lock-contention", JFREC_SWITCHED_OFF,
		      "jfrec start --settings");

	test_begin("a periodic event that was on and never came");
	begin(&c, 0);
	set(&c, 0, LOAD, "enabled", "true");
	set(&c, 0, LOAD, "period", "200 s");
	end(&c);
	check_summary(analyze(&c, NULL), "cpu-jvm", JFREC_NONE_CAME, "with a period of 3 min 20 s");

	test_begin("an event of which nothing says that it was on");
	begin(&c, 0);
	end(&c);
	check_summary(analyze(&c, NULL), "lock-contention", JFREC_NONE_CAME, "does not say");

	test_begin("too few");
	begin(&c, 0);
	set(&c, 0, LOAD, "enabled", "true");
	craft_event(&c, LOAD, "%lld f0.1 f0.1 f0.9", at(10));
	end(&c);
	check_summary(analyze(&c, NULL), "cpu-others", JFREC_TOO_FEW, "2 are needed");

	test_begin("an event that was on, and whose absence is good news");
	begin(&c, 0);
	set(&c, 0, LOSS, "enabled", "true");
	end(&c);
	check_severity(analyze(&c, NULL), "buffers-lost", JFREC_SEVERITY_OK);
}

/* Chunks --------------------------------------------------------------------------------------- */

static struct jfrec_analysis *in_chunks(int64_t first_s, int64_t second_s)
{
	struct craft c = { 0 };

	begin(&c, first_s);
	set(&c, first_s * 1000, PAUSE, "enabled", "true");
	pause_for(&c, 99000, 900);
	pause_for(&c, 20000, 10);
	end(&c);
	begin(&c, second_s);
	set(&c, second_s * 1000, PAUSE, "enabled", "true");
	pause_for(&c, 150000, 20);
	pause_for(&c, 100000, 900);
	end(&c);
	return analyze(&c, NULL);
}

static void test_chunks(void)
{
	struct jfrec_analysis *a, *b;
	struct craft c = { 0 };

	test_begin("events of several chunks, in any order");
	a = in_chunks(0, 100);
	b = in_chunks(100, 0);
	CHECK_INT(jfrec_analysis_jvm_count(a), 1);
	CHECK_INT(jfrec_analysis_jvm_get(a, 0)->chunks, 2);
	CHECK(strcmp(find(a, "gc-pause-longest")->summary, find(b, "gc-pause-longest")->summary) == 0);
	CHECK(find(a, "gc-pause-longest")->severity == JFREC_SEVERITY_WARNING);
	jfrec_analysis_free(a);
	jfrec_analysis_free(b);

	test_begin("a type that is switched on in the middle");
	begin(&c, 0);
	set(&c, 0, ENTER, "enabled", "false");
	set(&c, 50000, ENTER, "enabled", "true");
	end(&c);
	check_severity(analyze(&c, NULL), "lock-contention", JFREC_SEVERITY_OK);

	test_begin("a type that is off in one chunk, and on in a later one");
	begin(&c, 100);
	set(&c, 100000, ENTER, "enabled", "true");
	end(&c);
	begin(&c, 0);
	set(&c, 0, ENTER, "enabled", "false");
	end(&c);
	check_severity(analyze(&c, NULL), "lock-contention", JFREC_SEVERITY_OK);

	test_begin("an event that began long before the recording counts within it");
	begin(&c, 0);
	pause_for(&c, -3600000, 3600000 + 1000);
	end(&c);
	check_severity(analyze(&c, NULL), "gc-pause-share", JFREC_SEVERITY_OK);
}

static void add_jvm(struct craft *c, int64_t after_s, int pid, int64_t pause_ms)
{
	begin(c, after_s);
	craft_event(c, JVM, "%lld 'JRE (17.0.1+1)' 'OpenJDK' '' %d 5", at(after_s * 1000), pid);
	pause_for(c, after_s * 1000 + 10, pause_ms);
	end(c);
}

static void test_jvms(void)
{
	struct craft c = { 0 };
	struct jfrec_analysis *a;

	test_begin("two JVMs are judged apart");
	add_jvm(&c, 0, 1, 6000);
	add_jvm(&c, 0, 2, 1);
	add_jvm(&c, 100, 1, 1);
	a = analyze(&c, NULL);
	CHECK_INT(jfrec_analysis_jvm_count(a), 2);
	CHECK_INT(jfrec_analysis_jvm_get(a, 0)->pid, 1);
	CHECK_INT(jfrec_analysis_jvm_get(a, 0)->chunks, 2);
	CHECK_INT(jfrec_analysis_jvm_get(a, 0)->jdk, 17);
	CHECK_INT(jfrec_analysis_jvm_get(a, 1)->pid, 2);
	CHECK(!jfrec_analysis_jvm_get(a, 2) && jfrec_analysis_finding_count(a, 2) == 0);
	CHECK(!jfrec_analysis_finding_get(a, 1, jfrec_analysis_finding_count(a, 1)));
	CHECK(!jfrec_analysis_finding_get(a, 2, 0));
	check_severity(a, "gc-pause-share", JFREC_SEVERITY_WARNING);

	test_begin("a clock that is set back an hour");
	add_jvm(&c, 0, 1, 1);
	add_jvm(&c, -3600, 1, 700);
	a = analyze(&c, NULL);
	CHECK_INT(jfrec_analysis_jvm_count(a), 1);
	check_severity(a, "gc-pause-longest", JFREC_SEVERITY_WARNING);
}

/* Collections that were asked for -------------------------------------------------------------- */

static struct jfrec_analysis *with_full(const char *cause)
{
	struct craft c = { 0 };

	begin(&c, 0);
	craft_event(&c, COLLECTOR, "%lld 'G1New' 'G1Old'", at(0));
	craft_event(&c, COLLECTION, "%lld %lld 1 'G1New' 'G1 Evacuation Pause'", at(10), 1000000LL);
	craft_event(&c, COLLECTION, "%lld %lld 2 'G1Full' '%s'", at(2000), 5000000LL, cause);
	end(&c);
	return analyze(&c, NULL);
}

static void test_causes(void)
{
	test_begin("a full collection that was asked for is info");
	check_severity(with_full("System.gc()"), "gc-full", JFREC_SEVERITY_INFO);
	check_severity(with_full("Heap Inspection Initiated GC"), "gc-full", JFREC_SEVERITY_INFO);
	check_severity(with_full("Heap Inspection Initiated GC"), "gc-by-tools",
		       JFREC_SEVERITY_INFO);
	check_severity(with_full("G1 Compaction Pause"), "gc-full", JFREC_SEVERITY_WARNING);
	check_severity(with_full("G1 Compaction Pause"), "gc-stall", JFREC_SEVERITY_OK);
	check_severity(with_full("System.gc()"), "gc-explicit", JFREC_SEVERITY_WARNING);
	check_severity(with_full("G1 Compaction Pause"), "gc-explicit", JFREC_SEVERITY_OK);

	test_begin("events lost are a doubt of all findings");
	{
		struct craft c = { 0 };
		struct jfrec_analysis *a;

		begin(&c, 0);
		pause_for(&c, 1000, 6000);
		craft_event(&c, LOSS, "%lld 500 700", at(5000));
		end(&c);
		a = analyze(&c, NULL);
		CHECK(strstr(find(a, "gc-pause-share")->doubt, "lost events"));
		CHECK_INT(jfrec_analysis_jvm_get(a, 0)->lost_bytes, 700);
		check_severity(a, "buffers-lost", JFREC_SEVERITY_WARNING);
	}
}

int main(void)
{
	test_limits();
	test_locks();
	test_missing();
	test_chunks();
	test_jvms();
	test_causes();
	return test_end();
}
