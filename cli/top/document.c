/* SPDX-License-Identifier: MIT */
/*
 * document.c - the table of JVMs for programs
 */
#include "top/document.h"

#include <math.h>

#include "base/clock_now.h"
#include "base/report.h"

/* To six digits behind the point: what is read is not more exact. */
static json_t *number_or_null(double n)
{
	return n >= 0 ? json_real(round(n * 1e6) / 1e6) : json_null();
}

static json_t *bytes_or_null(double n)
{
	return n >= 0 && n < 9e18 ? json_integer((json_int_t)n) : json_null();
}

static json_t *limit_json(uint64_t limit)
{
	return limit != UINT64_MAX ? json_integer((json_int_t)limit) : json_null();
}

static json_t *recording_json(enum jfrec_load_recording r)
{
	return r == JFREC_LOAD_UNKNOWN ? json_null() : json_boolean(r == JFREC_LOAD_RECORDS);
}

/* Null: it was not judged, or could not be. */
static json_t *finding_json_of(const struct verdict *v)
{
	if (!v || v->error)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o}", "severity", jfrec_severity_name(v->severity), "rule",
			 *v->rule ? text_json(v->rule) : json_null(), "summary",
			 text_json(v->summary), "advice", text_json(v->advice));
}

static const char *state_name(enum jfrec_load_state s)
{
	static const char *const names[] = { "running", "stopped", "frozen" };

	return names[s];
}

/* clang-format off */
static json_t *row_json(const struct row *row)
{
	const struct jfrec_load *l = row->load;
	const struct jfrec_jvm *jvm = l->jvm;

	return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o}",
			 "pid", jvm->pid,
			 "nsPid", jvm->ns_pid,
			 "user", text_json(jvm->user),
			 "container", text_json(jvm->container),
			 "jdk", jvm->jdk ? json_integer(jvm->jdk) : json_null(),
			 "main", text_json(jvm->main),
			 "state", state_name(l->state),
			 "cpus", number_or_null(l->cpus),
			 "throttledShare", number_or_null(l->throttled),
			 "residentBytes", (json_int_t)l->resident_bytes,
			 "memoryLimitBytes", limit_json(l->memory_limit),
			 "heapUsedBytes", bytes_or_null(l->heap_used),
			 "heapCommittedBytes", bytes_or_null(l->heap_committed),
			 "gcShare", number_or_null(l->gc_share),
			 "gcPerSecond", number_or_null(l->gc_rate),
			 "countersMissing", text_json(l->no_counters),
			 "threads", (json_int_t)l->threads,
			 "recording", recording_json(l->recording),
			 "finding", finding_json_of(row->verdict),
			 "findingMissing", text_json(row->verdict ? row->verdict->error : NULL));
}
/* clang-format on */

int document_print(const struct row *rows, size_t count, int64_t interval_ns)
{
	json_t *list = json_array();
	char time[40];

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, row_json(&rows[i]));
	return print_document("top", json_pack("{s:s, s:o, s:o}", "time",
					       iso_time(time, sizeof(time), real_now_ns()),
					       "intervalSeconds",
					       number_or_null((double)interval_ns / NS_PER_SECOND),
					       "jvms", list));
}

int document_print_lines(const struct row *rows, size_t count)
{
	char time[40];

	iso_time(time, sizeof(time), real_now_ns());
	for (size_t i = 0; i < count; i++) {
		json_t *line = json_pack("{s:s}", "time", time), *row = row_json(&rows[i]);

		if (line && row && json_object_update(line, row) == 0)
			json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15));
		putchar('\n');
		json_decref(row);
		json_decref(line);
	}
	return finish_stdout();
}
