/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - a recording with as many samples, threads and distinct stacks as asked for
 *
 * usage: stacks FILE HOURS THREADS STACKS DEPTH SKEW
 *
 * Every 20 ms each thread is sampled. SKEW 1: all stacks are seen equally often, the hardest case
 * for what keeps them by time; 3: a few stacks are most of it, as in real programs. A day of 5
 * threads is `stacks day.jfr 24 5 20000 40 3`, a million distinct nodes `stacks nodes.jfr 0.6 5
 * 190000 60 1`. Always the same bytes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/builder.h"

#define SYMBOL "40"
#define CLASS_TYPE "41"
#define METHOD "42"
#define FRAME "43"
#define TRACE "44"
#define THREAD "45"
#define KIND "46"
#define SAMPLE "50"
#define SETTING "51"

#define METHODS 7000
#define PERIOD_NS 20000000
#define CHUNK_TICKS 30000 /* samples of a thread in one chunk: 10 minutes */

static const char types[] =
	CLASS(CLASS_TYPE, "java.lang.Class", FIELD("name", SYMBOL, KEY))
	CLASS(SYMBOL, "jdk.types.Symbol", SIMPLE FIELD("string", T_STRING))
	CLASS(METHOD, "jdk.types.Method",
	      FIELD("type", CLASS_TYPE, KEY) FIELD("name", SYMBOL, KEY) FIELD("descriptor", SYMBOL, KEY))
	CLASS(KIND, "jdk.types.FrameType", SIMPLE FIELD("description", T_STRING))
	CLASS(FRAME, "jdk.types.StackFrame",
	      FIELD("method", METHOD, KEY) FIELD("lineNumber", T_INT) FIELD("type", KIND, KEY))
	CLASS(TRACE, "jdk.types.StackTrace", FIELD("truncated", T_BOOLEAN) FIELD("frames", FRAME, ARRAY))
	CLASS(THREAD, "java.lang.Thread", FIELD("javaName", T_STRING))
	EVENT(SAMPLE, "jdk.ExecutionSample",
	      START FIELD("sampledThread", THREAD, KEY) FIELD("stackTrace", TRACE, KEY))
	EVENT(SETTING, "jdk.ActiveSetting",
	      START FIELD("id", T_LONG) FIELD("name", T_STRING) FIELD("value", T_STRING));

struct plan {
	double samples, skew; /* of each thread */
	unsigned threads, stacks, depth;
	uint64_t random;
};

static void put_varint(struct bytes *b, uint64_t v)
{
	uint8_t text[9];
	size_t n = 0;

	for (; v > 127 && n < 8; v >>= 7)
		text[n++] = (uint8_t)(v | 128);
	text[n++] = (uint8_t)v;
	bytes_copy(b, text, n);
}

static uint64_t next_random(struct plan *p)
{
	p->random = p->random * 6364136223846793005u + 1442695040888963407u;
	return p->random >> 33;
}

/* Of the frames at one level those of near stacks are the same: the fewer, the nearer to the root. */
static unsigned method_at(const struct plan *p, unsigned stack, unsigned level)
{
	double groups = pow(p->stacks, (level + 1.0) / p->depth);
	uint64_t group = (uint64_t)(stack * groups / p->stacks);

	return (unsigned)((group * 2654435761u + level * 40503u) % METHODS);
}

static void put_traces(const struct plan *p, struct bytes *b)
{
	bytes_add(b, TRACE " %u", p->stacks);
	for (unsigned i = 0; i < p->stacks; i++) {
		put_varint(b, i + 1);
		put_varint(b, 0);
		put_varint(b, p->depth);
		for (unsigned level = p->depth; level > 0; level--) {
			put_varint(b, method_at(p, i, level - 1) + 1);
			put_varint(b, 10 + i % 300);
			put_varint(b, 2);
		}
	}
}

static void put_names(const struct plan *p, struct bytes *b)
{
	static const char *const packages[] = { "java/util", "org/example/shop", "org/example/shop/orders",
						"com/example/db", "io/netty/channel", "java/util/stream" };

	bytes_add(b, METHOD " %d", METHODS);
	for (unsigned i = 0; i < METHODS; i++)
		bytes_add(b, "%u %u %u 0", i + 1, i / 7 + 1, METHODS + i + 1);
	bytes_add(b, CLASS_TYPE " %d", METHODS / 7);
	for (unsigned i = 0; i < METHODS / 7; i++)
		bytes_add(b, "%u %u", i + 1, i + 1);
	bytes_add(b, SYMBOL " %d", METHODS / 7 + METHODS);
	for (unsigned i = 0; i < METHODS / 7; i++)
		bytes_add(b, "%u '%s/Service%u'", i + 1, packages[i % 6], i);
	for (unsigned i = 0; i < METHODS; i++)
		bytes_add(b, "%u 'handle%u'", METHODS + i + 1, i);
	bytes_add(b, THREAD " %u", p->threads);
	for (unsigned i = 0; i < p->threads; i++)
		bytes_add(b, "%u 'worker-%u'", i + 1, i);
	bytes_add(b, KIND " 2 1 'Interpreted' 2 'JIT compiled'");
}

static void put_chunk(struct plan *p, FILE *to, uint64_t first, uint64_t count)
{
	uint64_t begin_ns = 1700000000000000000u + first * PERIOD_NS;
	struct craft c = { 0 };
	struct bytes event = { 0 }, pools = { 0 };

	craft_chunk(&c);
	craft_event(&c, SETTING, "1000 " SAMPLE " 'period' '20 ms'");
	for (uint64_t i = 0; i < count; i++) {
		for (unsigned t = 0; t < p->threads; t++) {
			double u = (double)next_random(p) / 2147483648.0;

			event.len = 0;
			put_varint(&event, 1000 + i * PERIOD_NS + t * 1000);
			put_varint(&event, t + 1);
			put_varint(&event, (uint64_t)(p->stacks * pow(u, p->skew)) + 1);
			craft_event_of(&c, SAMPLE, &event);
		}
	}
	bytes_add(&pools, "6");
	put_traces(p, &pools);
	put_names(p, &pools);
	craft_checkpoint_of(&c, &pools);
	craft_metadata(&c, types);
	craft_end(&c);
	craft_set(&c, CRAFT_START_NS, begin_ns);
	craft_set(&c, CRAFT_DURATION_NS, count * PERIOD_NS);
	if (fwrite(c.bytes.data, 1, c.bytes.len, to) != c.bytes.len) {
		perror("stacks");
		exit(1);
	}
	bytes_free(&event);
	bytes_free(&pools);
	craft_free(&c);
}

int main(int argc, char **argv)
{
	struct plan p = { .random = 1 };
	FILE *to;

	if (argc != 7) {
		fputs("usage: stacks FILE HOURS THREADS STACKS DEPTH SKEW\n", stderr);
		return 2;
	}
	p.samples = atof(argv[2]) * 3600e9 / PERIOD_NS;
	p.threads = (unsigned)atoi(argv[3]);
	p.stacks = (unsigned)atoi(argv[4]);
	p.depth = (unsigned)atoi(argv[5]);
	p.skew = atof(argv[6]);
	to = fopen(argv[1], "wb");
	if (!to || !p.threads || !p.stacks || !p.depth) {
		perror(argv[1]);
		return 1;
	}
	for (uint64_t first = 0; first < (uint64_t)p.samples; first += CHUNK_TICKS) {
		uint64_t left = (uint64_t)p.samples - first;

		put_chunk(&p, to, first, left < CHUNK_TICKS ? left : CHUNK_TICKS);
	}
	if (fclose(to) != 0) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
