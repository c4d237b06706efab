/* SPDX-License-Identifier: MIT */
/*
 * slow.c - when threads waited or slept, how long, and which
 *
 * usage: slow RECORDING [EXPRESSION]
 *
 * Of jdk.JavaMonitorEnter, jdk.ThreadPark and jdk.ThreadSleep, those for which the expression is
 * true, such as "duration > 10ms".
 */
#include <stdio.h>

#include <jfrec/reader.h>

static void print_event(const struct jfrec_event *ev, int64_t begin_ns)
{
	struct jfrec_value name = jfrec_event_path(ev, "eventThread.javaName");
	const char *thread = jfrec_value_text(&name, NULL);

	printf("%8.3f s  %8.3f ms  %s  %s\n", (double)(jfrec_event_start_ns(ev) - begin_ns) / 1e9,
	       (double)jfrec_event_duration_ns(ev) / 1e6, jfrec_type_name(jfrec_event_type(ev)),
	       thread ? thread : "-");
}

static int print_all(struct jfrec_reader *r, const char *expression, struct jfrec_error *err)
{
	const struct jfrec_event *ev;
	int64_t begin_ns, end_ns;
	int got;

	if (jfrec_reader_select(r, "JavaMonitorEnter,ThreadPark,ThreadSleep", NULL, err) < 0 ||
	    (expression && jfrec_reader_where(r, expression, err) < 0) ||
	    jfrec_reader_span(r, &begin_ns, &end_ns, err) < 0)
		return -1;
	while ((got = jfrec_reader_next(r, &ev, err)) > 0)
		print_event(ev, begin_ns);
	return got;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: slow RECORDING [EXPRESSION]" };
	struct jfrec_reader *r = argc == 2 || argc == 3 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	int got = r ? print_all(r, argv[2], &err) : -1;

	if (got < 0)
		fprintf(stderr, "slow: %s\n", err.text);
	jfrec_reader_close(r);
	return got < 0;
}
