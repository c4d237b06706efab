/* SPDX-License-Identifier: MIT */
/*
 * dumps.c - threads at the same place in the first and the last thread dump
 *
 *	"worker-1" #23 [4711] prio=5 os_prio=0 cpu=1.02ms elapsed=30.1s tid=0x... nid=4711 waiting ...
 *	   java.lang.Thread.State: WAITING (parking)
 *		at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
 *		- parking to wait for  <0x000000043f8e5b28> (a java.util...NonfairSync)
 *		at java.util.concurrent.locks...WriteLock.lock(java.base@25/...)
 *		at app.Ledger.book(Ledger.java:42)
 *
 * A blank line ends a thread.
 */
#include "analyze/dumps.h"

#include <stdlib.h>

/* Of a dump no more is read: some thousand threads. */
#define MAX_TEXT    (4 << 20)
#define MAX_THREADS 5000

#define DUMP "Full thread dump"

/* A thread while its lines are read. */
struct reading {
	struct stand_in_dump t;
	bool is_blocked, is_worker;
	unsigned frames;
};

static uint64_t hash_more(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
	return hash;
}

static uint32_t put(const struct event *e, const char *text, size_t len)
{
	char copy[512];

	if (len >= sizeof(copy))
		len = sizeof(copy) - 1;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return event_put_text(e, copy);
}

/* "worker-1" of "\"worker-1\" #23 prio=5", and the name of its pool. */
static void read_name(struct reading *r, const struct event *e, const char *line, size_t len)
{
	const char *end = memchr(line + 1, '"', len - 1);
	size_t n = end ? (size_t)(end - line) - 1 : 0, stem = n;

	*r = (struct reading){ .t.stack = hash_more(UINT64_C(14695981039346656037), line + 1, n) };
	if (!n)
		return;
	while (stem && strchr("0123456789", line[stem]))
		stem--;
	r->t.name = put(e, line + 1, n);
	r->t.pool = put(e, line + 1, stem);
}

/* Where the JDK waits until it has the lock: not by tryLock(). */
static bool is_lock(const char *method)
{
	static const char *const locks[] = {
		"java.util.concurrent.locks.ReentrantLock.lock",
		"java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock",
		"java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock",
	};

	for (size_t i = 0; i < sizeof(locks) / sizeof(*locks); i++) {
		if (strcmp(method, locks[i]) == 0)
			return true;
	}
	return false;
}

static bool is_future(const char *method)
{
	return strcmp(method, "java.util.concurrent.FutureTask.get") == 0 ||
	       strcmp(method, "java.util.concurrent.CompletableFuture.get") == 0 ||
	       strcmp(method, "java.util.concurrent.CompletableFuture.join") == 0;
}

/*
 * "\tat app.server//org.shop.Orders.load(Orders.java:23)": the loader and the module come first.
 * What follows the slash of a class that the JVM made is its address.
 */
static void read_frame(struct reading *r, const struct event *e, const char *line, size_t len)
{
	const char *from = line + 4, *open = memchr(line, '(', len), *slash;
	char method[512];

	if (!open || open <= from)
		return;
	r->t.stack = hash_more(r->t.stack, from, len - 4);
	while ((slash = memchr(from, '/', (size_t)(open - from))) != NULL &&
	       strncmp(slash, "/0x", 3) != 0)
		from = slash + 1;
	snprintf(method, sizeof(method), "%.*s", (int)(open - from), from);
	if (!r->t.place && !is_jdk_method(method))
		r->t.place = event_put_text(e, method);
	if (!r->t.place && is_lock(method))
		r->t.in = STUCK_LOCK;
	else if (!r->t.place && is_future(method) && r->t.in == STUCK_NOT)
		r->t.in = STUCK_FUTURE;
	if (!r->frames++ && r->is_blocked)
		r->t.in = STUCK_LOCK;
	r->is_worker |= strcmp(method, "java.util.concurrent.ThreadPoolExecutor.runWorker") == 0 ||
			strcmp(method, "java.util.concurrent.ForkJoinPool.runWorker") == 0;
}

/* The class of "\t- waiting to lock <0x043f8e5b18> (a app.Account)", of the first such line. */
static void read_lock(struct reading *r, const struct event *e, const char *line, size_t len)
{
	const char *from = memmem(line, len, "(a ", 3);
	const char *to = from ? memchr(from, ')', len - (size_t)(from - line)) : NULL;

	if (to && !r->t.what && (!r->t.place || (r->is_blocked && r->frames == 1)))
		r->t.what = put(e, from + 3, (size_t)(to - from) - 3);
}

static void end_thread(struct dump *d, const struct event *e, struct reading *r)
{
	/*
	 * Locks of the JDK's own threads are its own.  Who asks for results outside of an executor
	 * has begun the work, and may wait for it long.
	 */
	if (!r->t.place || (r->t.in == STUCK_FUTURE && !r->is_worker))
		r->t.in = STUCK_NOT;
	if (r->t.name && d->count < MAX_THREADS &&
	    !collect_push((void **)&d->threads, &d->count, &d->room, &r->t, sizeof(r->t)))
		event_no_memory(e);
	*r = (struct reading){ 0 };
}

static void parse(struct dump *d, const struct event *e, const char *text)
{
	struct reading r = { 0 };
	size_t len;

	d->at_ns = e->start_ns;
	d->count = 0;
	for (const char *line = text; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (strncmp(line, "JNI global refs", 15) == 0 || strncmp(line, "Found ", 6) == 0)
			break;
		if (*line == '"') {
			end_thread(d, e, &r);
			read_name(&r, e, line, len);
		} else if (strncmp(line, "\tat ", 4) == 0) {
			read_frame(&r, e, line, len);
		} else if (memmem(line, len, "Thread.State: BLOCKED (on object monitor)", 41)) {
			r.is_blocked = true;
		} else if (strncmp(line, "\t- waiting to lock ", 19) == 0 ||
			   strncmp(line, "\t- parking to wait for ", 23) == 0) {
			read_lock(&r, e, line, len);
		}
	}
	end_thread(d, e, &r);
}

/*
 * Of many dumps not each that lies a little further out is read, since each may be long: from then
 * on, the first and the last are known to a sixteenth of the time between them.
 */
#define ALL_READ 64
#define PART	 16

static bool is_further(const struct dumps *d, int64_t by_ns)
{
	return d->count < ALL_READ || by_ns > (d->last.at_ns - d->first.at_ns) / PART;
}

void dumps_take(struct dumps *d, const struct event *e, unsigned field)
{
	int64_t at = e->start_ns;
	bool is_first = !d->count || (at < d->first.at_ns && is_further(d, d->first.at_ns - at));
	bool is_last = !d->count || (at > d->last.at_ns && is_further(d, at - d->last.at_ns));
	const char *text;

	text = is_first || is_last ? event_excerpt(e, field, DUMP, MAX_TEXT) : NULL;
	if (text && is_first)
		parse(&d->first, e, text);
	if (text && is_last)
		parse(&d->last, e, text);
	d->count += text != NULL;
}

void dumps_fini(struct dumps *d)
{
	collect_free(d->first.threads);
	collect_free(d->last.threads);
}

const struct stand_in_dump *dumps_standing(const struct dumps *d, size_t i)
{
	const struct stand_in_dump *t = &d->last.threads[i];

	for (size_t k = 0; t->in != STUCK_NOT && k < d->first.count; k++) {
		const struct stand_in_dump *before = &d->first.threads[k];

		if (before->stack == t->stack && before->name == t->name && before->in == t->in)
			return t;
	}
	return NULL;
}

bool dumps_pool_waits(const struct dumps *d, uint32_t pool)
{
	size_t waiting = 0;

	for (size_t i = 0; i < d->last.count; i++) {
		const struct stand_in_dump *t = &d->last.threads[i];

		if (t->pool == pool && t->in != STUCK_FUTURE)
			return false;
		waiting += t->pool == pool;
	}
	return waiting > 1;
}
