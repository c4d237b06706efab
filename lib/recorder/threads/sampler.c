/* SPDX-License-Identifier: MIT */
/*
 * sampler.c - see where the program's threads spend their CPU time
 *
 * Each thread has a timer on its CPU clock.  Where the stack of the thread is known to be, the
 * handler copies it without a system call.  Else it copies by process_vm_readv() of the process
 * itself, which ends short where memory does, whatever the stack pointer says: coroutines and
 * stacks of signals are as good as others.  A sandbox may forbid that call or kill for it, so a
 * child tries it first, and it is not called any more when the program has locked itself into one.
 */
#include "recorder/threads/sampler.h"

#include <dirent.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "recorder/ground/clock.h"
#include "recorder/ground/filter.h"
#include "recorder/ground/memory.h"
#include "recorder/stack/bounds.h"
#include "recorder/stack/modules.h"
#include "recorder/stack/registers.h"
#include "recorder/stack/stacks.h"
#include "recorder/stack/unwind.h"
#include "recorder/stack/walk.h"
#include "recorder/threads/blocked.h"
#include "recorder/threads/thread.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define SLOTS	      32u
#define SLOT_STACK    65536u
#define FIRST_COPIED  8192u
#define CUT_TO_GROW   5u
#define MOST_TIMED    4096u
#define QUEUE	      65536u
#define WAKE_NS	      100000000u
#define FILTERS_AT_ONCE 8u
#define BOUNDS_AT_ONCE	64u
#define NOT_ALONE	UINT64_MAX /* the lower end of a stack that may have others below it */

enum slot_state { SLOT_FREE, SLOT_TAKEN, SLOT_FULL };

struct slot {
	_Atomic uint32_t state;
	uint32_t timed; /* the thread's place in the table */
	uint64_t ticks;
	uint64_t registers[UNWIND_REGISTERS];
	uint64_t size; /* of the stack */
	uint8_t stack[SLOT_STACK];
};

/* A thread with a timer. */
struct timed {
	uint32_t tid, row; /* tid 0: free */
	uint64_t key;
	int timer;
	bool is_seen;
};

/*
 * Its stack: the handler stores high, the sampler then low; the handler says that sp was elsewhere.
 */
struct thread_stack {
	_Atomic uint64_t low, high;
	_Atomic bool is_main, is_elsewhere;
};

static struct {
	pthread_mutex_t lock; /* of the queue and of what is below it */
	struct sample *queue;
	uint32_t first, count;
	bool is_tried, is_allowed, has_thread;
	int signal;

	_Atomic uint64_t period_ns, blocked_ns; /* 0: off */
	_Atomic uint32_t wake;
	_Atomic uint32_t is_idle; /* the sampler has no timers, and touches nothing: a futex */
	struct slot *slots;
	_Atomic uint32_t copied; /* bytes of a stack */
	/*
	 * A filter of system calls was added, or process_vm_readv() is missing: the handler does
	 * without.
	 */
	_Atomic bool is_locked_in;
	long filters; /* at first */
	_Atomic uint32_t next_slot, full;
	_Atomic uint64_t lost, failed, cut;
	uint32_t cut_in_row; /* of the sampler's thread, as is the table */
	uint64_t used_period_ns;
	struct timed timed[MOST_TIMED];
	struct thread_stack places[MOST_TIMED];
} sampler = { .lock = PTHREAD_MUTEX_INITIALIZER, .copied = FIRST_COPIED };

_Atomic bool sampler_wants_waits;

/* The handler ---------------------------------------------------------------------------------- */

static void wake_sampler(void)
{
	atomic_fetch_add(&sampler.wake, 1);
	syscall(SYS_futex, &sampler.wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static struct slot *take_slot(void)
{
	uint32_t from = atomic_fetch_add_explicit(&sampler.next_slot, 1, memory_order_relaxed);

	for (uint32_t i = 0; i < SLOTS; i++) {
		struct slot *s = &sampler.slots[(from + i) % SLOTS];
		uint32_t expected = SLOT_FREE;

		if (atomic_compare_exchange_strong(&s->state, &expected, SLOT_TAKEN))
			return s;
	}
	return NULL;
}

static const bool can_sample = REGISTERS_ARE_KNOWN;

/* How much of it there is, up to that many bytes. */
static uint64_t copy_stack(uint8_t *to, uint64_t from, uint64_t size)
{
	struct iovec here = { to, size }, there = { (void *)from, size };
	long n = syscall(SYS_process_vm_readv, (long)getpid(), &here, 1l, &there, 1l, 0l);
	uint64_t page = 4096 - from % 4096;

	/* The kernel copies whole pieces only, so up to the last page that is there. */
	if (n < 0 && errno == EFAULT && page < size) {
		here.iov_len = there.iov_len = page;
		n = syscall(SYS_process_vm_readv, (long)getpid(), &here, 1l, &there, 1l, 0l);
	}
	return n < 0 ? 0 : (uint64_t)n;
}

/* Memory of others' frames. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static void copy_words(uint8_t *to, uint64_t from,
										      uint64_t size)
{
	volatile uint64_t *words = (void *)to; /* of a slot, which is aligned */

	for (uint64_t i = 0; i < size / 8; i++)
		words[i] = ((const volatile uint64_t *)from)[i];
}

/* The part of the stack above sp; how much it is. */
static uint64_t copy_above(struct thread_stack *p, uint8_t *to, uint64_t sp)
{
	uint64_t high = atomic_load(&p->high), low = atomic_load(&p->low);
	uint64_t size = atomic_load_explicit(&sampler.copied, memory_order_relaxed);

	if (low && sp >= low && sp < high && sp % 8 == 0) {
		if (size > high - sp)
			size = (high - sp) & ~(uint64_t)7;
		copy_words(to, sp, size);
		return size;
	}
	atomic_store(&p->is_elsewhere, true);
	return atomic_load(&sampler.is_locked_in) ? 0 : copy_stack(to, sp, size);
}

static void on_sample(int number, siginfo_t *info, void *context)
{
	uint32_t timed = (uint32_t)info->si_value.sival_int;
	int saved = errno;
	struct slot *s;

	(void)number;
	if (info->si_code != SI_TIMER || timed >= MOST_TIMED ||
	    !atomic_load_explicit(&sampler.period_ns, memory_order_acquire))
		return;
	s = take_slot();
	if (!s) {
		atomic_fetch_add(&sampler.lost, 1);
		return;
	}
	s->timed = timed;
	s->ticks = clock_ticks();
	copy_registers(s->registers, context);
	if (!atomic_load(&sampler.places[timed].high))
		atomic_store(&sampler.places[timed].high,
			     walk_end_of_stack(atomic_load(&sampler.places[timed].is_main)));
	s->size = copy_above(&sampler.places[timed], s->stack, s->registers[REGISTER_SP]);
	atomic_store_explicit(&s->state, SLOT_FULL, memory_order_release);
	if (atomic_fetch_add(&sampler.full, 1) + 1 == SLOTS / 2 &&
	    !atomic_load(&sampler.is_locked_in))
		wake_sampler();
	errno = saved;
}

/* May it? -------------------------------------------------------------------------------------- */

/* Emulators know fewer signals than the kernel, and say so here only. */
static bool try_timer(struct sigevent e)
{
	int timer;

	return syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &e, &timer) == 0 &&
	       syscall(SYS_timer_delete, timer) == 0;
}

static bool try_copy(void)
{
	uint8_t word[64];

	return copy_stack(word, (uint64_t)__builtin_frame_address(0), sizeof(word)) != 0;
}

/* A child that nobody waits for by mistake, without handlers of fork(): it may be killed. */
static bool child_may(void)
{
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	long pid = syscall(SYS_clone, 0l, 0l, 0l, 0l, 0l);
	int status = 1;

	if (pid == 0)
		syscall(SYS_exit_group, try_copy() && try_timer(none) ? 0 : 1);
	while (pid > 0 && waitpid((pid_t)pid, &status, __WCLONE) < 0 && errno == EINTR)
		;
	return pid > 0 && status == 0;
}

/* One that neither the program nor a library of it handles. */
static int free_signal(void)
{
	struct sigaction now, ours = { .sa_sigaction = on_sample,
				       .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };

	sigfillset(&ours.sa_mask);
	for (int n = SIGRTMAX - 1; n > SIGRTMIN; n--)
		if (sigaction(n, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
		    now.sa_handler == SIG_DFL && try_timer((struct sigevent){ .sigev_signo = n }) &&
		    sigaction(n, &ours, NULL) == 0)
			return n;
	return 0;
}

static bool prepare(void)
{
	if (sampler.is_tried)
		return sampler.is_allowed;
	sampler.is_tried = true;
	sampler.filters = filters_of((uint32_t)getpid());
	if (!can_sample || (sampler.filters && !child_may()))
		return false;
	/* Some kernels and all emulators: the stacks are copied whose ends are known. */
	atomic_store(&sampler.is_locked_in, !try_copy());
	/* Of most only the beginning is ever used. */
	sampler.slots = mmap(NULL, SLOTS * sizeof(*sampler.slots), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sampler.queue = calloc(QUEUE, sizeof(*sampler.queue));
	if (sampler.slots == MAP_FAILED || !sampler.queue)
		return false;
	sampler.signal = free_signal();
	sampler.is_allowed = sampler.signal != 0;
	return sampler.is_allowed;
}

/* Threads and timers --------------------------------------------------------------------------- */

static bool arm(struct timed *t, uint64_t period_ns)
{
	struct itimerspec i = {
		{ (time_t)(period_ns / 1000000000), (long)(period_ns % 1000000000) },
		{ (time_t)(period_ns / 1000000000), (long)(period_ns % 1000000000) }
	};

	return syscall(SYS_timer_settime, t->timer, 0, &i, NULL) == 0;
}

static bool make_timer(struct timed *t, uint64_t period_ns)
{
	struct sigevent e = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sampler.signal };
	clockid_t id = (clockid_t)(~(unsigned)t->tid << 3 | 6);

	e.sigev_value.sival_int = (int)(t - sampler.timed);
	e.sigev_notify_thread_id = (int)t->tid;
	if (syscall(SYS_timer_create, id, &e, &t->timer))
		return false;
	if (arm(t, period_ns))
		return true;
	syscall(SYS_timer_delete, t->timer);
	return false;
}

/* The recorder's own block all signals. */
static bool is_own(uint32_t tid)
{
	char path[64], name[16] = "";
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", tid);
	f = fopen(path, "re");
	n = f ? fread(name, 1, sizeof(name) - 1, f) : 0;
	if (f)
		fclose(f);
	name[n] = '\0';
	return !n || !strcmp(name, "JFR Recorder\n") || !strcmp(name, "JFR Sampler\n") ||
	       !strcmp(name, "JFR Timer\n") || !strcmp(name, "Attach Listener");
}

static struct timed *find_timed(uint32_t tid)
{
	struct timed *room = NULL;

	for (size_t i = 0; i < MOST_TIMED; i++) {
		if (sampler.timed[i].tid == tid)
			return &sampler.timed[i];
		if (!sampler.timed[i].tid && !room)
			room = &sampler.timed[i];
	}
	return room;
}

/* A timer of a thread that has ended does not run. */
static bool is_running(const struct timed *t)
{
	struct itimerspec left = { 0 };

	return syscall(SYS_timer_gettime, t->timer, &left) == 0 &&
	       (left.it_value.tv_sec || left.it_value.tv_nsec);
}

static void forget_timer(struct timed *t, bool has_ended)
{
	syscall(SYS_timer_delete, t->timer);
	thread_unsee(t->row, t->key, has_ended);
	*t = (struct timed){ 0 };
}

/* Before it has a timer. */
static void new_place(struct thread_stack *p, bool is_main)
{
	atomic_store(&p->low, 0);
	atomic_store(&p->high, 0);
	atomic_store(&p->is_elsewhere, false);
	atomic_store(&p->is_main, is_main);
}

static void see_thread(uint32_t tid, uint64_t period_ns)
{
	struct timed *t = find_timed(tid);

	if (!t)
		return;
	if (t->tid == tid && is_running(t)) {
		t->is_seen = true;
		if (sampler.used_period_ns != period_ns)
			arm(t, period_ns);
		return;
	}
	/* Another thread has the number of one that has ended. */
	if (t->tid == tid)
		forget_timer(t, true);
	if (is_own(tid))
		return;
	*t = (struct timed){ .tid = tid, .is_seen = true };
	new_place(&sampler.places[t - sampler.timed], tid == (uint32_t)getpid());
	if (!thread_see(tid, &t->row, &t->key) || !make_timer(t, period_ns))
		*t = (struct timed){ 0 };
}

/* Have they locked themselves in?  Some of them in each round, and always the main thread. */
static void look_for_filters(void)
{
	static uint32_t next;

	if (filters_of((uint32_t)getpid()) > sampler.filters)
		atomic_store(&sampler.is_locked_in, true);
	for (uint32_t i = 0, looked = 0; i < MOST_TIMED && looked < FILTERS_AT_ONCE; i++) {
		const struct timed *t = &sampler.timed[next++ % MOST_TIMED];

		looked += t->tid != 0;
		if (t->tid && filters_of(t->tid) > sampler.filters)
			atomic_store(&sampler.is_locked_in, true);
	}
}

/*
 * One that was elsewhere: it is new, its stack has grown, or it is a coroutine on a stack of its
 * own.
 */
static bool wants_bounds(const struct thread_stack *p)
{
	return atomic_load(&p->is_elsewhere) && atomic_load(&p->high) &&
	       (atomic_load(&p->is_main) || !atomic_load(&p->low));
}

static void find_bounds(void)
{
	static struct bounds found[BOUNDS_AT_ONCE];
	static struct thread_stack *of[BOUNDS_AT_ONCE];
	size_t count = 0;

	for (size_t i = 0; i < MOST_TIMED && count < BOUNDS_AT_ONCE; i++) {
		struct thread_stack *p = &sampler.places[i];

		if (!wants_bounds(p))
			continue;
		of[count] = p;
		found[count++] = (struct bounds){ 0, atomic_load(&p->high) };
		atomic_store(&p->is_elsewhere, false);
	}
	if (count)
		bounds_find(found, count);
	for (size_t i = 0; i < count; i++)
		atomic_store(&of[i]->low, found[i].low || atomic_load(&of[i]->is_main)
						  ? found[i].low
						  : NOT_ALONE);
}

/* Each thread has a timer; those that ended, or all if it is off, have none. */
static void look_at_threads(uint64_t period_ns)
{
	DIR *d = period_ns ? opendir("/proc/self/task") : NULL;
	struct dirent *e;

	for (size_t i = 0; i < MOST_TIMED; i++)
		sampler.timed[i].is_seen = false;
	while (d && (e = readdir(d)))
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9')
			see_thread((uint32_t)strtoul(e->d_name, NULL, 10), period_ns);
	if (d)
		closedir(d);
	for (size_t i = 0; i < MOST_TIMED; i++)
		if (sampler.timed[i].tid && !sampler.timed[i].is_seen)
			forget_timer(&sampler.timed[i], period_ns != 0);
	sampler.used_period_ns = period_ns;
}

/* Samples -------------------------------------------------------------------------------------- */

static void keep(const struct sample *s)
{
	pthread_mutex_lock(&sampler.lock);
	if (sampler.count == QUEUE)
		atomic_fetch_add(&sampler.lost, 1);
	else
		sampler.queue[(sampler.first + sampler.count++) % QUEUE] = *s;
	pthread_mutex_unlock(&sampler.lock);
}

/* More is copied when pieces end too early often. */
static void adapt(bool is_cut)
{
	uint32_t copied = atomic_load(&sampler.copied);

	if (!is_cut)
		return;
	atomic_fetch_add(&sampler.cut, 1);
	if (++sampler.cut_in_row < CUT_TO_GROW || copied >= SLOT_STACK)
		return;
	sampler.cut_in_row = 0;
	atomic_store(&sampler.copied, 2 * copied);
}

static void work_on(struct slot *slot)
{
	const struct timed *t = slot->timed < MOST_TIMED ? &sampler.timed[slot->timed] : NULL;
	struct snapshot snapshot = { .stack = slot->stack,
				     .stack_address = slot->registers[REGISTER_SP],
				     .stack_size = slot->size };
	struct sample s = { .ticks = slot->ticks };
	struct frames frames;

	if (t && t->tid) {
		s.row = t->row;
		s.key = t->key;
	}
	memcpy(snapshot.registers, slot->registers, sizeof(snapshot.registers));
	unwind(&snapshot, modules_find_tables, NULL, &frames);
	adapt(frames.is_cut);
	stacks_lock();
	s.stack = stacks_add(&frames);
	stacks_unlock();
	if (!slot->size || !s.stack)
		atomic_fetch_add(&sampler.failed, 1);
	else
		keep(&s);
}

static void work(void)
{
	atomic_store(&sampler.full, 0);
	for (uint32_t i = 0; i < SLOTS; i++) {
		struct slot *s = &sampler.slots[i];

		if (atomic_load_explicit(&s->state, memory_order_acquire) != SLOT_FULL)
			continue;
		work_on(s);
		atomic_store_explicit(&s->state, SLOT_FREE, memory_order_release);
	}
}

/* What is done before it is idle is all that it does: then the region may be exchanged. */
static bool keep_blocked(const struct blocked *b)
{
	struct sample s = {
		.ticks = clock_ticks(), .row = b->row, .key = b->key, .is_blocked = true
	};

	stacks_lock();
	s.stack = stacks_add(&b->frames);
	stacks_unlock();
	if (s.stack)
		keep(&s);
	return s.stack != 0;
}

static void look_at_blocked(void)
{
	struct blocked_counts counts;

	blocked_look(is_own, keep_blocked, &counts);
	atomic_fetch_add(&sampler.failed, counts.failed);
	atomic_fetch_add(&sampler.cut, counts.cut);
}

/* What is due; returns how long it may wait. */
static uint64_t one_round(uint64_t period, uint64_t blocked)
{
	static uint64_t looked, looked_blocked; /* of its thread alone */
	uint64_t now = clock_kernel_ticks(), passed;

	if (((period || blocked) && now - looked >= WAKE_NS) || period != sampler.used_period_ns) {
		modules_refresh();
		look_at_threads(period);
		if (period) {
			look_for_filters();
			find_bounds();
		}
		looked = now;
	}
	if (period)
		work();
	passed = now - looked_blocked;
	if (blocked && passed >= blocked) {
		look_at_blocked();
		looked_blocked = now;
		passed = 0;
	}
	return blocked && blocked - passed < WAKE_NS ? blocked - passed : WAKE_NS;
}

static void *run(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "JFR Sampler");
	thread_exclude();
	for (;;) {
		uint32_t wake = atomic_load(&sampler.wake);
		uint64_t period = atomic_load(&sampler.period_ns),
			 blocked = atomic_load(&sampler.blocked_ns);
		bool is_on = period || blocked;
		struct timespec wait = { 0, (long)one_round(period, blocked) };

		if (!is_on && !atomic_exchange(&sampler.is_idle, 1))
			syscall(SYS_futex, &sampler.is_idle, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		syscall(SYS_futex, &sampler.wake, FUTEX_WAIT_PRIVATE, wake, is_on ? &wait : NULL,
			NULL, 0);
	}
	return NULL;
}

/* ---------------------------------------------------------------------------------------------- */

void sampler_set(uint64_t period_ns, uint64_t blocked_ns)
{
	if (period_ns == atomic_load(&sampler.period_ns) &&
	    blocked_ns == atomic_load(&sampler.blocked_ns))
		return;
	if ((period_ns || blocked_ns) && !prepare())
		return;
	atomic_store(&sampler.is_idle, 0);
	atomic_store(&sampler.period_ns, period_ns);
	atomic_store(&sampler.blocked_ns, blocked_ns);
	atomic_store(&sampler_wants_waits, blocked_ns != 0);
	if ((period_ns || blocked_ns) && !sampler.has_thread)
		sampler.has_thread = thread_make(run) == 0;
	wake_sampler();
}

void sampler_expect(uint64_t blocked_ns)
{
	atomic_store(&sampler_wants_waits, blocked_ns != 0);
}

void sampler_stop(void)
{
	struct timespec patience = { 1, 0 };

	sampler_set(0, 0);
	if (sampler.has_thread && !atomic_load(&sampler.is_idle))
		syscall(SYS_futex, &sampler.is_idle, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0);
}

bool sampler_take(struct sample *s)
{
	bool any;

	pthread_mutex_lock(&sampler.lock);
	any = sampler.count != 0;
	if (any) {
		*s = sampler.queue[sampler.first];
		sampler.first = (sampler.first + 1) % QUEUE;
		sampler.count--;
	}
	pthread_mutex_unlock(&sampler.lock);
	return any;
}

void sampler_take_losses(struct sampler_losses *losses)
{
	*losses = (struct sampler_losses){ atomic_exchange(&sampler.lost, 0),
					   atomic_exchange(&sampler.failed, 0),
					   atomic_exchange(&sampler.cut, 0) };
}

/* Its timers are the parent's; the handler stays, and is never called. */
void sampler_forget(void)
{
	pthread_mutex_init(&sampler.lock, NULL);
	atomic_store(&sampler.period_ns, 0);
	atomic_store(&sampler.blocked_ns, 0);
	atomic_store(&sampler_wants_waits, false);
	memset(sampler.timed, 0, sizeof(sampler.timed));
	for (uint32_t i = 0; sampler.slots && i < SLOTS; i++)
		atomic_store(&sampler.slots[i].state, SLOT_FREE);
	sampler.count = 0;
	sampler.used_period_ns = 0;
	sampler.has_thread = false;
	stacks_forget();
}
