/* SPDX-License-Identifier: MIT */
/*
 * compare.c - what became of threads from one dump to another
 *
 * A thread is known by its number in Java, which is never given twice; what belongs to the JVM by
 * that of the system.
 */
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "threads/dumps.h"

/* More CPU than this is work; a thread that is only looked at for a dump takes less. */
#define SOME_CPU_NS 100000

static uint64_t key_of(const struct jfrec_dumped_thread *t)
{
	return t->id ? t->id : UINT64_MAX - t->nid;
}

static bool is_known(const struct jfrec_dumped_thread *t)
{
	return t->id || t->nid;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Collectors move objects: what is waited for has another address then. */
static bool stands(const struct jfrec_dumped_thread *a, const struct jfrec_dumped_thread *b,
		   int64_t cpu_ns)
{
	return a->stack == b->stack && a->frame_count && cpu_ns <= SOME_CPU_NS &&
	       is_same_text(a->state, b->state) && a->wait == b->wait &&
	       is_same_text(a->lock.class_name, b->lock.class_name);
}

static size_t compare(const struct jfrec_thread_dump *from, const struct jfrec_thread_dump *to,
		      const struct idmap *earlier, struct jfrec_thread_change *changes)
{
	size_t count = 0;

	for (size_t i = 0; i < to->count; i++) {
		const struct jfrec_dumped_thread *b = &to->threads[i], *a;
		uint32_t number = is_known(b) ? idmap_get(earlier, key_of(b)) : IDMAP_NONE;
		int64_t cpu_ns;

		if (number == IDMAP_NONE)
			continue;
		a = &from->threads[number];
		if (strcmp(a->name, b->name) != 0)
			continue;
		cpu_ns = a->cpu_ns >= 0 && b->cpu_ns >= a->cpu_ns ? b->cpu_ns - a->cpu_ns : -1;
		changes[count++] = (struct jfrec_thread_change){ i, cpu_ns, stands(a, b, cpu_ns) };
	}
	return count;
}

struct jfrec_thread_change *jfrec_thread_dumps_compare(const struct jfrec_thread_dumps *d,
						       size_t from, size_t to, size_t *count,
						       struct jfrec_error *err)
{
	const struct jfrec_thread_dump *a = jfrec_thread_dumps_get(d, from);
	const struct jfrec_thread_dump *b = jfrec_thread_dumps_get(d, to);
	struct jfrec_thread_change *changes = NULL;
	struct idmap earlier = { 0 };
	bool ok = true;

	if (!a || !b) {
		jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there is no such thread dump");
		return NULL;
	}
	for (size_t i = 0; ok && i < a->count; i++)
		ok = !is_known(&a->threads[i]) ||
		     idmap_put(&earlier, key_of(&a->threads[i]), (uint32_t)i);
	if (ok)
		changes = malloc((b->count + 1) * sizeof(*changes));
	if (changes)
		*count = compare(a, b, &earlier, changes);
	else
		jfrec_fail_memory(err);
	idmap_fini(&earlier);
	return changes;
}
