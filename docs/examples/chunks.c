/* SPDX-License-Identifier: MIT */
/*
 * chunks.c - which chunks a recording has, and what is wrong with them
 *
 * usage: chunks RECORDING
 *
 * Exits with 1 if something is lost, so that a script can tell.
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/chunk.h>
#include <jfrec/reader.h>

static void print_problem(void *ctx, const struct jfrec_problem *p)
{
	(void)ctx;
	printf("%s at byte %" PRIu64 ": %s\n", p->damage ? "damage" : "notice", p->offset, p->text);
}

static void print_chunk(const struct jfrec_chunk_info *c)
{
	static const char *const states[] = {
		[JFREC_FINISHED] = "finished",
		[JFREC_UNFINISHED] = "unfinished",
		[JFREC_TRUNCATED] = "truncated",
	};

	printf("chunk at byte %" PRIu64 ": version %u.%u, %" PRIu64 " bytes, %.1f s, %s\n",
	       c->offset, c->major, c->minor, c->size, (double)c->duration_ns / 1e9,
	       states[c->state]);
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = argc == 2 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	const struct jfrec_event *ev;
	uint64_t last = UINT64_MAX;
	int got = -1;

	if (r) {
		jfrec_reader_on_problem(r, print_problem, NULL);
		while ((got = jfrec_reader_next(r, &ev, &err)) > 0) {
			if (jfrec_event_chunk(ev)->offset != last)
				print_chunk(jfrec_event_chunk(ev));
			last = jfrec_event_chunk(ev)->offset;
		}
	}
	if (got < 0)
		fprintf(stderr, "chunks: %s\n", argc == 2 ? err.text : "usage: chunks RECORDING");
	else if (jfrec_reader_damage(r) > 0)
		got = -1;
	jfrec_reader_close(r);
	return got < 0;
}
