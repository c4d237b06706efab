/* SPDX-License-Identifier: MIT */
/* test_metrics.c - numbers for monitoring: windows, quantiles, labels */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"
#include "test.h"

#define PAUSE  "20"
#define SAMPLE "21"
#define TLAB   "22"
#define ODD    "23"
#define HEAP   "24"

#define SECOND INT64_C(1000000000)

static const char types[] = EVENT(PAUSE, "jdk.GCPhasePause", START DURATION)
	EVENT(SAMPLE, "jdk.ObjectAllocationSample", START FIELD("weight", T_LONG))
		EVENT(TLAB, "jdk.ObjectAllocationInNewTLAB", START FIELD("tlabSize", T_LONG))
			EVENT(ODD, "'a\"b\\c'", START)
				EVENT(HEAP, "jdk.GCHeapSummary",
				      START FIELD("when", T_STRING) FIELD("heapUsed", T_LONG));

static char page[1 << 16];
static size_t page_len;

static int write_page(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	if (page_len + len >= sizeof(page))
		return 1;
	memcpy(page + page_len, data, len);
	page_len += len;
	page[page_len] = '\0';
	return 0;
}

static void print(struct jfrec_metrics *m)
{
	page_len = 0;
	page[0] = '\0';
	CHECK_INT(jfrec_metrics_print((const struct jfrec_metrics *const *)&m, 1, write_page, NULL,
				      NULL),
		  0);
}

/* A sample of the page, as it is written behind its name; "" if it is not there. */
static const char *value_of(const char *name)
{
	static char value[64];
	const char *at = page;
	size_t len = strlen(name);

	for (; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		if (strncmp(at, name, len) == 0 && at[len] == ' ') {
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(at + len + 1, "\n"),
				 at + len + 1);
			return value;
		}
	}
	return "";
}

static void check_sample(const char *name, const char *want)
{
	const char *got = value_of(name);

	if (!CHECK(strcmp(got, want) == 0))
		printf("# %s is %s, not %s\n", name, got, want);
}

/* Take all events of a recording, and call it flushed then. */
static struct jfrec_metrics *measure(struct craft *c, int64_t window_ns, int64_t flushed_s)
{
	struct jfrec_metrics *m = jfrec_metrics_new(NULL, NULL, window_ns, NULL);
	struct jfrec_reader *r;
	const struct jfrec_event *ev;
	struct jfrec_error err;

	craft_metadata(c, types);
	craft_end(c);
	r = craft_open(c, &err);
	while (r && jfrec_reader_next(r, &ev, &err) > 0)
		CHECK_INT(jfrec_metrics_event(m, ev, &err), 0);
	jfrec_reader_close(r);
	if (flushed_s)
		jfrec_metrics_flush(m, (1700000000 + flushed_s) * SECOND);
	print(m);
	return m;
}

static void done(struct jfrec_metrics *m, struct craft *c)
{
	jfrec_metrics_free(m);
	craft_free(c);
}

/* In ticks of 1 ns, from the chunk's start. */
static long long tick(double seconds)
{
	return 1000 + (long long)(seconds * 1e9);
}

static void quantiles_of_pauses(void)
{
	struct craft c = { 0 };
	struct jfrec_metrics *m;

	test_begin("quantiles_of_pauses");
	craft_chunk(&c);
	for (int i = 100; i >= 1; i--)
		craft_event(&c, PAUSE, "%lld %d", tick(10 + i * 0.1), i * 1000000);
	m = measure(&c, 60 * SECOND, 30);
	check_sample("jvm_gc_pause_seconds{quantile=\"0.5\"}", "0.05");
	check_sample("jvm_gc_pause_seconds{quantile=\"0.9\"}", "0.09");
	check_sample("jvm_gc_pause_seconds{quantile=\"0.99\"}", "0.099");
	check_sample("jvm_gc_pause_seconds{quantile=\"1.0\"}", "0.1");
	check_sample("jvm_gc_pause_seconds_count", "100");
	check_sample("jvm_gc_pause_seconds_sum", "5.05");
	/* A minute later there are none, but there were. */
	jfrec_metrics_flush(m, (1700000000 + 100) * SECOND);
	print(m);
	check_sample("jvm_gc_pause_seconds{quantile=\"0.5\"}", "");
	check_sample("jvm_gc_pause_seconds_count", "100");
	done(m, &c);
}

static void more_pauses_than_are_kept(void)
{
	struct craft c = { 0 };
	struct jfrec_metrics *m;

	test_begin("more_pauses_than_are_kept");
	craft_chunk(&c);
	for (int i = 0; i < 10000; i++)
		craft_event(&c, PAUSE, "%lld %d", tick(1 + i * 1e-4), i < 1808 ? 5000000 : 1000000);
	m = measure(&c, 60 * SECOND, 3);
	check_sample("jvm_gc_pause_seconds_count", "10000");
	check_sample("jvm_gc_pause_seconds{quantile=\"1.0\"}", "0.001");
	done(m, &c);
}

static void rates_of_a_window(void)
{
	struct craft c = { 0 };
	struct jfrec_metrics *m;

	test_begin("rates_of_a_window");
	craft_chunk(&c);
	/* 100 in 10 s; they leave the window one after the other. */
	for (int i = 0; i < 100; i++)
		craft_event(&c, PAUSE, "%lld 0", tick(0.05 + i * 0.1));
	m = measure(&c, 60 * SECOND, 20);
	CHECK(strncmp(value_of("jfr_events_per_second{event=\"jdk.GCPhasePause\"}"), "5.01", 4) ==
	      0);
	jfrec_metrics_flush(m, (1700000000 + 65) * SECOND);
	print(m);
	/* Of the slots of a second each, 6 to 65 are in it: 4 s of the 10. */
	check_sample("jfr_events_total{event=\"jdk.GCPhasePause\"}", "100");
	CHECK(strncmp(value_of("jfr_events_per_second{event=\"jdk.GCPhasePause\"}"), "0.66", 4) ==
	      0);
	jfrec_metrics_flush(m, (1700000000 + 600) * SECOND);
	print(m);
	check_sample("jfr_events_per_second{event=\"jdk.GCPhasePause\"}", "0");
	done(m, &c);
}

static void events_out_of_order(void)
{
	struct craft c = { 0 };
	struct jfrec_metrics *m;

	test_begin("events_out_of_order");
	craft_chunk(&c);
	craft_event(&c, PAUSE, "%lld 0", tick(100));
	craft_event(&c, PAUSE, "%lld 0", tick(99));
	craft_event(&c, PAUSE, "%lld 0", tick(1)); /* before the window */
	m = measure(&c, 60 * SECOND, 100);
	check_sample("jfr_events_total{event=\"jdk.GCPhasePause\"}", "3");
	CHECK(strncmp(value_of("jfr_events_per_second{event=\"jdk.GCPhasePause\"}"), "0.0333", 6) ==
	      0);
	done(m, &c);
}

static void allocation_is_counted_once(void)
{
	struct craft c = { 0 };
	struct jfrec_metrics *m;

	test_begin("allocation_is_counted_once");
	craft_chunk(&c);
	craft_event(&c, SAMPLE, "%lld 1000", tick(1));
	craft_event(&c, TLAB, "%lld 500", tick(2));
	craft_event(&c, SAMPLE, "%lld 2000", tick(3));
	m = measure(&c, 60 * SECOND, 11);
	check_sample("jvm_allocated_bytes_total", "3000");
	check_sample("jvm_allocation_bytes_per_second", "300");
	done(m, &c);
}

static void tlabs_without_samples(void)
{
	struct craft c = { 0 };
	struct jfrec_metrics *m;

	test_begin("tlabs_without_samples");
	craft_chunk(&c);
	craft_event(&c, TLAB, "%lld 500", tick(2));
	craft_event(&c, TLAB, "%lld 700", tick(2));
	m = measure(&c, 60 * SECOND, 0);
	check_sample("jvm_allocated_bytes_total", "1200");
	/* Of one moment: as if it was a second. */
	check_sample("jvm_allocation_bytes_per_second", "1200");
	check_sample("jfr_last_flush_timestamp_seconds", "");
	done(m, &c);
}

static void labels_are_escaped(void)
{
	struct jfrec_metrics *m;
	struct craft c = { 0 };

	test_begin("labels_are_escaped");
	craft_chunk(&c);
	craft_event(&c, ODD, "%lld", tick(2));
	craft_event(&c, HEAP, "%lld 'After \\ GC' 7", tick(2));
	craft_event(&c, HEAP, "%lld null 8", tick(2));
	m = measure(&c, 60 * SECOND, 0);
	check_sample("jfr_events_total{event=\"a\\\"b\\\\c\"}", "1");
	check_sample("jvm_heap_used_bytes{when=\"After \\\\ GC\"}", "7");
	check_sample("jvm_heap_used_bytes{when=\"\"}", "8");
	done(m, &c);
	m = jfrec_metrics_new("a\nb", "c\"d", 60 * SECOND, NULL);
	jfrec_metrics_flush(m, 1700000000 * SECOND + 500000000);
	print(m);
	check_sample("jfr_last_flush_timestamp_seconds{source=\"a\\nb\",name=\"c\\\"d\"}",
		     "1700000000.5");
	jfrec_metrics_free(m);
}

static void nothing_at_all(void)
{
	struct jfrec_metrics *m = jfrec_metrics_new(NULL, NULL, 0, NULL);

	test_begin("nothing_at_all");
	print(m);
	CHECK_TEXT(page, page_len, "# EOF\n");
	jfrec_metrics_free(m);
	jfrec_metrics_free(NULL);
}

static int write_nothing(void *ctx, const void *data, size_t len)
{
	(void)ctx, (void)data, (void)len;
	return 28; /* ENOSPC */
}

static void a_disk_that_is_full(void)
{
	struct jfrec_error err;

	test_begin("a_disk_that_is_full");
	CHECK_INT(jfrec_metrics_print(NULL, 0, write_nothing, NULL, &err), -1);
	CHECK_INT(err.code, JFREC_EOUTPUT);
}

int main(void)
{
	quantiles_of_pauses();
	more_pauses_than_are_kept();
	rates_of_a_window();
	events_out_of_order();
	allocation_is_counted_once();
	tlabs_without_samples();
	labels_are_escaped();
	nothing_at_all();
	a_disk_that_is_full();
	return test_end();
}
