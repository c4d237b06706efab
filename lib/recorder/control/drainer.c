/* SPDX-License-Identifier: MIT */
/*
 * drainer.c - the threads that empty the buffers, nearly always one
 *
 * It looks at them now and then, since waking it would cost the emitting thread a system call.
 * Where as many threads emit without a pause as there are processors, or more, it needs more than
 * its share of these: a nice value, which few may have.  Others make helpers, that take turns with
 * it, as long as buffers are filled faster than they are emptied: each thread has its share, and
 * they use all of theirs for one work.
 */
#include "recorder/control/drainer.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recorder/control/flush.h"
#include "recorder/ground/clock.h"
#include "recorder/ground/filter.h"
#include "recorder/ground/memory.h"
#include "recorder/threads/thread.h"

#define FIRST_NICE (-19) /* for those who may */
#define SLICE_NS   100000u

/*
 * Most processes end before the first, and many before the last: then it writes nothing that would
 * not be read.
 */
#define MOMENT_NS 2000000u
#define MOMENTS	  3
#define LISTEN_NS 20000000u
#define SOON_NS	  80000000u

#define MOST_HELPERS	15u
#define HELPERS_STAY_NS 10000000000u

/* Whose turn it is; a futex. */
enum turn { TURN_NONE, TURN, TURN_LAST };

static struct {
	struct drainer_work work;
	_Atomic uint32_t life, calls;
	_Atomic uint32_t turn; /* of the first */
	struct helper {
		_Atomic uint32_t turn;
		uint32_t life;
		_Atomic bool is_last;
	} helpers[MOST_HELPERS];
	/* A first thread whose life is over may still look at it. */
	_Atomic uint32_t helper_count;
	_Atomic uint32_t alive; /* helpers, with those of a life that is over */
} drainer;

static void wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* As long as it has this value, and at most so long. */
static void wait_while(_Atomic uint32_t *word, uint32_t value, const struct timespec *most)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, most, NULL, 0);
}

bool drainer_is_over(uint32_t life)
{
	return atomic_load(&drainer.life) != life;
}

/* Its share of the processors ------------------------------------------------------------------ */

/* struct sched_attr, which not every libc has. */
struct slice {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/*
 * From Linux 6.12 on: it has no more of the processor than before, but in smaller pieces, and so
 * sooner.
 */
static void be_soon(void)
{
	struct slice s = { .size = sizeof(s), .runtime_ns = SLICE_NS };

	s.nice = getpriority(PRIO_PROCESS, 0);
	syscall(SYS_sched_setattr, 0, &s, 0);
}

/*
 * It waits nearly always, and if it does not, those that have its processor only fill what it
 * empties.
 */
static bool be_first(void)
{
	return setpriority(PRIO_PROCESS, 0, FIRST_NICE) == 0;
}

/* Units of systemd that exclude @resources end a process for these calls. */
static bool may_ask(void)
{
	return !filter_is_there();
}

/* Helpers -------------------------------------------------------------------------------------- */

static void give_turn(_Atomic uint32_t *to, enum turn turn)
{
	atomic_store(to, turn);
	wake(to);
}

/* TURN_LAST: it is over, which is seen after a second at the latest. */
static enum turn wait_for_turn(_Atomic uint32_t *turn, uint32_t life)
{
	uint32_t now;

	while ((now = atomic_load(turn)) == TURN_NONE && !drainer_is_over(life))
		wait_while(turn, TURN_NONE, &(struct timespec){ 1, 0 });
	if (drainer_is_over(life))
		return TURN_LAST;
	atomic_store(turn, TURN_NONE);
	return now;
}

static void *help(void *arg)
{
	struct helper *h = arg;
	uint32_t life = h->life;

	prctl(PR_SET_NAME, "JFR Recorder");
	thread_exclude();
	if (may_ask())
		be_soon();
	while (wait_for_turn(&h->turn, life) == TURN) {
		if (memory_is_pressed())
			drainer.work.write(life, memory_round());
		give_turn(h->is_last ? &drainer.turn : &h[1].turn, TURN);
	}
	atomic_fetch_sub(&drainer.alive, 1);
	return NULL;
}

static bool add_helper(uint32_t life)
{
	struct helper *h = &drainer.helpers[drainer.helper_count];

	h->life = life;
	h->is_last = true;
	atomic_store(&h->turn, TURN_NONE);
	atomic_fetch_add(&drainer.alive, 1);
	if (thread_make_for(help, h)) {
		atomic_fetch_sub(&drainer.alive, 1);
		return false;
	}
	if (atomic_fetch_add(&drainer.helper_count, 1))
		h[-1].is_last = false;
	return true;
}

/* As many as there are threads that emit. */
static void add_helpers(uint32_t life)
{
	uint32_t most = atomic_load(&region->live_threads);

	if (most > MOST_HELPERS)
		most = MOST_HELPERS;
	/* Some of an earlier life may still be there. */
	while (!drainer_is_over(life) && drainer.helper_count == atomic_load(&drainer.alive) &&
	       drainer.helper_count < most && add_helper(life))
		;
}

static void let_helpers(uint32_t life)
{
	if (!drainer.helper_count || !memory_is_pressed())
		return;
	give_turn(&drainer.helpers[0].turn, TURN);
	wait_for_turn(&drainer.turn, life);
}

static void end_helpers(void)
{
	for (uint32_t i = 0; i < drainer.helper_count; i++)
		give_turn(&drainer.helpers[i].turn, TURN_LAST);
	drainer.helper_count = 0;
}

/* The first ------------------------------------------------------------------------------------ */

/* What it knows of itself. */
struct first {
	uint32_t life;
	uint64_t next; /* flush, in ticks */
	uint64_t helped;
	bool was_pressed, has_listened, has_settled;
	enum round last;
	bool has_nice;
	long filters; /* a filter that came later may forbid what makes threads */
};

/* The first event of a process that had none until now. */
static bool outgrows(void)
{
	return memory_is_small() && atomic_load(&region->fresh);
}

/* Until the next flush is due, or many buffers are full; after a failure not for the latter. */
static void wait_for_events(const struct first *f)
{
	uint32_t calls = atomic_load(&drainer.calls), full;
	uint32_t before = f->was_pressed ? UINT32_MAX : atomic_load(&region->full_count);
	uint64_t now, look;

	while (!drainer_is_over(f->life) && calls == atomic_load(&drainer.calls) &&
	       (now = clock_ticks()) < f->next &&
	       (f->last == ROUND_FAILED || !memory_is_pressed()) && !outgrows()) {
		full = atomic_load(&region->full_count);
		look = memory_look_ns(full != before);
		look = f->next - now < look ? f->next - now : look;
		before = full;
		wait_while(&drainer.calls, calls, &(struct timespec){ 0, (long)look });
	}
}

static bool may_help(const struct first *f)
{
	return !f->has_nice && !filter_is_expected() &&
	       filters_of((uint32_t)syscall(SYS_gettid)) == f->filters;
}

/* before: so many buffers were full. */
static void get_help(struct first *f, uint32_t before)
{
	uint32_t full;

	let_helpers(f->life);
	full = atomic_load(&region->full_count);
	if (full > 2 * memory_round() && (full > before || memory_is_short()) && may_help(f))
		add_helpers(f->life);
	f->helped = clock_ticks();
}

static void work(struct first *f)
{
	uint32_t full = atomic_load(&region->full_count);
	uint64_t now = clock_ticks();

	f->was_pressed = memory_is_pressed();
	if (!f->has_listened && now >= f->next) {
		drainer.work.listen(f->life);
		f->has_listened = true;
		f->next = now + SOON_NS;
		return;
	}
	if (!f->has_settled && (f->was_pressed || now >= f->next || outgrows())) {
		drainer.work.settle(f->life);
		f->has_settled = true;
	}
	if (!f->was_pressed && now < f->next)
		return;
	/* Threads that fill buffers without a pause must not keep others' events back for long. */
	f->last =
		drainer.work.write(f->life, now < f->next + drainer.work.flush_ns() ? memory_round()
										    : FLUSH_ALL);
	if (f->last != ROUND_LEFT_SOME)
		f->next = clock_ticks() + drainer.work.flush_ns();
	if (f->last == ROUND_OVER || f->last == ROUND_FAILED)
		return;
	if (f->was_pressed)
		get_help(f, full);
	else if (drainer.helper_count && now - f->helped > HELPERS_STAY_NS)
		end_helpers();
}

static void *run(void *arg)
{
	struct first f = { .life = (uint32_t)(uintptr_t)arg, .last = ROUND_TOOK_ALL };
	uint32_t calls = atomic_load(&drainer.calls);

	prctl(PR_SET_NAME, "JFR Recorder");
	thread_exclude();
	f.has_nice = may_ask() && be_first();
	/* Without a filter no number must be read. */
	if (filter_is_there())
		f.filters = filters_of((uint32_t)syscall(SYS_gettid));
	if (!f.has_nice && may_ask())
		be_soon();
	for (int i = 0; i < MOMENTS && !drainer_is_over(f.life) && !outgrows(); i++)
		wait_while(&drainer.calls, calls, &(struct timespec){ 0, MOMENT_NS });
	if (!drainer_is_over(f.life))
		drainer.work.go_on(f.life);
	f.next = clock_ticks() + LISTEN_NS;
	while (!drainer_is_over(f.life)) {
		wait_for_events(&f);
		work(&f);
	}
	return NULL;
}

/* Of the thread that is lent. */
static __thread bool is_lent;
static __thread uint32_t lent_life; /* 0: nothing was started */

void drainer_lend(void)
{
	is_lent = true;
	lent_life = 0;
}

void drainer_work(void)
{
	is_lent = false;
	if (lent_life)
		run((void *)(uintptr_t)lent_life);
}

int drainer_start(const struct drainer_work *work)
{
	uint32_t life = atomic_fetch_add(&drainer.life, 1) + 1;

	/* It is always the same: threads of an earlier life may read it. */
	if (!drainer.work.write)
		drainer.work = *work;
	drainer.helper_count = 0;
	atomic_store(&drainer.turn, TURN_NONE);
	if (is_lent) {
		lent_life = life;
		return 0;
	}
	return thread_make_for(run, (void *)(uintptr_t)life);
}

void drainer_halt(void)
{
	atomic_fetch_add(&drainer.life, 1);
	atomic_fetch_add(&drainer.calls, 1);
	wake(&drainer.calls);
	wake(&drainer.turn);
	for (uint32_t i = 0; i < MOST_HELPERS && atomic_load(&drainer.alive); i++)
		wake(&drainer.helpers[i].turn);
}

void drainer_forget(void)
{
	atomic_fetch_add(&drainer.life, 1);
	atomic_store(&drainer.turn, TURN_NONE);
	atomic_store(&drainer.alive, 0);
	drainer.helper_count = 0;
}
