/* SPDX-License-Identifier: MIT */
/*
 * longest.c - the ten longest events of a recording, by jfrec.h alone
 * (tests/cli/installed.sh builds it with an installed library)
 */
#include <inttypes.h>
#include <jfrec.h>
#include <stdio.h>
#include <string.h>

#define TOP 10

struct entry {
	int64_t duration_ns;
	char type[80], thread[80]; /* copies: the reader's own go with the chunk */
};

static void on_problem(void *ctx, const struct jfrec_problem *problem)
{
	fprintf(stderr, "%s: %s\n", (const char *)ctx, problem->text);
}

static void keep(struct entry top[TOP + 1], const struct jfrec_event *ev)
{
	int64_t duration = jfrec_event_duration_ns(ev);
	struct jfrec_value thread;
	const char *name;
	int i = TOP;

	for (; i > 0 && duration > top[i - 1].duration_ns; i--)
		top[i] = top[i - 1];
	if (i == TOP)
		return;
	thread = jfrec_event_path(ev, "eventThread.javaName");
	name = jfrec_value_text(&thread, NULL);
	top[i].duration_ns = duration;
	snprintf(top[i].type, sizeof(top[i].type), "%s", jfrec_type_name(jfrec_event_type(ev)));
	snprintf(top[i].thread, sizeof(top[i].thread), "%s", name ? name : "-");
}

int main(int argc, char **argv)
{
	struct entry top[TOP + 1];
	const struct jfrec_event *ev;
	struct jfrec_error err;
	struct jfrec_reader *r = jfrec_reader_open(argc > 1 ? argv[1] : "", NULL, &err);
	int got = -1;

	memset(top, 0, sizeof(top));
	if (r)
		jfrec_reader_on_problem(r, on_problem, argv[1]);
	while (r && (got = jfrec_reader_next(r, &ev, &err)) > 0)
		keep(top, ev);
	if (got < 0)
		fprintf(stderr, "longest: %s\n", err.text);
	for (int i = 0; i < TOP && top[i].duration_ns > 0; i++)
		printf("%" PRId64 " ns %s %s\n", top[i].duration_ns, top[i].type, top[i].thread);
	jfrec_reader_close(r);
	return got < 0;
}
