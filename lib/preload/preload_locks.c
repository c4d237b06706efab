/* SPDX-License-Identifier: MIT */
/*
 * preload_locks.c - wrappers of what waits for other threads, and of what sleeps
 *
 * A lock that is free is taken by the function that tries, so no clock is read for it.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "preload/preload.h"
#include "recorder/jfrec-recorder.h"
#include "recorder/types/types.h"

#define USUAL_THRESHOLD_NS 20000000u

/* Kinds of fields that programs do not have. */
#define JFREC_EVENT_CLASS		      ((enum jfrec_event_kind)KIND_CLASS)
#define JFREC_EVENT_C_CLASS_		      uint64_t
#define JFREC_EVENT_ROOM_CLASS_(value)	      9
#define JFREC_EVENT_PUT_CLASS_(pen, value)    jfrec_event_put_long(pen, value)
#define JFREC_EVENT_THREAD		      ((enum jfrec_event_kind)KIND_THREAD)
#define JFREC_EVENT_C_THREAD_		      uint64_t
#define JFREC_EVENT_ROOM_THREAD_(value)	      9
#define JFREC_EVENT_PUT_THREAD_(pen, value)   jfrec_event_put_long(pen, value)

#define ENTER(F)                                            \
	F(CLASS, monitorClass, "Monitor Class", PLAIN)      \
	F(THREAD, previousOwner, "Previous Monitor Owner", PLAIN) \
	F(ULONG, address, "Monitor Address", ADDRESS)
#define PARK(F)                                            \
	F(CLASS, parkedClass, "Class Parked On", PLAIN)    \
	F(LONG, timeout, "Park Timeout", NANOSECONDS)      \
	F(LONG, until, "Park Until", EPOCH_MILLIS)         \
	F(ULONG, address, "Address of Object Parked", ADDRESS)
#define SLEEP(F) F(LONG, time, "Sleep Time", NANOSECONDS)

JFREC_STACK_SPAN_EVENT(enter, "jdk.JavaMonitorEnter", "Java Monitor Blocked", "Java Application", ENTER)
JFREC_STACK_SPAN_EVENT(park, "jdk.ThreadPark", "Java Thread Park", "Java Application", PARK)
JFREC_STACK_SPAN_EVENT(asleep, "jdk.ThreadSleep", "Java Thread Sleep", "Java Application", SLEEP)

__attribute__((constructor(101))) static void set_thresholds(void)
{
	enter_type.threshold_ns = park_type.threshold_ns = asleep_type.threshold_ns =
		USUAL_THRESHOLD_NS;
}

/* The longest that there is stands for "no limit", as in Java. */
#define NO_LIMIT INT64_MIN

static uint64_t number_of(const void *object)
{
	return (uint64_t)(uintptr_t)object;
}

/* Waits until a lock is had: ret of the call that tries, and the call that waits. */
#define LOCKING(tried, waited, class, object)                                      \
	__extension__({                                                            \
		int ret_ = tried;                                                  \
		if (ret_ == EBUSY) {                                               \
			int saved_ = errno;                                        \
			uint64_t begin_ = enter_begin();                           \
			JFREC_BLOCKING                                             \
				ret_ = waited;                                     \
			enter_end(begin_, class, 0, number_of(object));            \
			errno = saved_;                                            \
		}                                                                  \
		ret_;                                                              \
	})

/* Of the C library, and without a look-up, which may allocate and so lock. */
int __pthread_mutex_lock(pthread_mutex_t *m) __attribute__((weak));
int __pthread_mutex_trylock(pthread_mutex_t *m) __attribute__((weak));

/* Apart, so that a lock that is free needs no frame. */
static __attribute__((noinline)) int wait_for_mutex(pthread_mutex_t *m)
{
	return LOCKING(EBUSY, REAL(pthread_mutex_lock)(m), CLASS_MUTEX, m);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	int ret;

	if (preload_is_looking && __pthread_mutex_lock)
		return __pthread_mutex_lock(m);
	if (!enter_enabled())
		return REAL(pthread_mutex_lock)(m);
	ret = REAL(pthread_mutex_trylock)(m);
	return ret == EBUSY ? wait_for_mutex(m) : ret;
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict m,
				   const struct timespec *restrict until)
{
	return LOCKING(REAL(pthread_mutex_trylock)(m), REAL(pthread_mutex_timedlock)(m, until),
		       CLASS_MUTEX, m);
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	if (preload_is_looking || !enter_enabled())
		return REAL(pthread_rwlock_rdlock)(l);
	return LOCKING(REAL(pthread_rwlock_tryrdlock)(l), REAL(pthread_rwlock_rdlock)(l),
		       CLASS_RWLOCK, l);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	if (preload_is_looking || !enter_enabled())
		return REAL(pthread_rwlock_wrlock)(l);
	return LOCKING(REAL(pthread_rwlock_trywrlock)(l), REAL(pthread_rwlock_wrlock)(l),
		       CLASS_RWLOCK, l);
}

/* Waiting for a condition ---------------------------------------------------------------------- */

static int64_t epoch_millis(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000 + t->tv_nsec / 1000000;
}

/* until: by the clock of the calendar; NULL: forever, or by another clock. */
static int parked(uint64_t begin, int ret, uint64_t class, const struct timespec *until,
		  const void *object)
{
	int saved = errno;

	park_end(begin, class, NO_LIMIT, until ? epoch_millis(until) : NO_LIMIT, number_of(object));
	errno = saved;
	return ret;
}

#define PARKING(call, class, until, object)                                \
	__extension__({                                                    \
		uint64_t begin_ = park_begin();                            \
		int ret_ = 0;                                              \
		JFREC_BLOCKING                                             \
			ret_ = call;                                       \
		parked(begin_, ret_, class, until, object);                \
	})

EXPORT int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
	return PARKING(REAL(pthread_cond_wait)(c, m), CLASS_CONDITION, NULL, c);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
				  const struct timespec *restrict until)
{
	return PARKING(REAL(pthread_cond_timedwait)(c, m, until), CLASS_CONDITION, NULL, c);
}

#ifdef __GLIBC__
EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
				  const struct timespec *until)
{
	return PARKING(REAL(pthread_cond_clockwait)(c, m, clock, until), CLASS_CONDITION,
		       clock == CLOCK_REALTIME ? until : NULL, c);
}
#endif

EXPORT int sem_wait(sem_t *s)
{
	return PARKING(REAL(sem_wait)(s), CLASS_SEMAPHORE, NULL, s);
}

EXPORT int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until)
{
	return PARKING(REAL(sem_timedwait)(s, until), CLASS_SEMAPHORE, until, s);
}

EXPORT int pthread_join(pthread_t thread, void **value)
{
	return PARKING(REAL(pthread_join)(thread, value), CLASS_THREAD, NULL, (void *)thread);
}

/* Sleeping ------------------------------------------------------------------------------------- */

static int slept(uint64_t begin, int ret, int64_t ns)
{
	int saved = errno;

	asleep_end(begin, ns);
	errno = saved;
	return ret;
}

static int64_t in_ns(const struct timespec *t)
{
	return t ? (int64_t)t->tv_sec * 1000000000 + t->tv_nsec : 0;
}

#define SLEEPING(call, ns)                              \
	__extension__({                                 \
		uint64_t begin_ = asleep_begin();       \
		int ret_ = 0;                           \
		JFREC_BLOCKING                          \
			ret_ = (int)call;               \
		slept(begin_, ret_, ns);                \
	})

EXPORT int nanosleep(const struct timespec *for_, struct timespec *left)
{
	return SLEEPING(REAL(nanosleep)(for_, left), in_ns(for_));
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
			   struct timespec *left)
{
	return SLEEPING(REAL(clock_nanosleep)(clock, flags, t, left),
			flags & TIMER_ABSTIME ? 0 : in_ns(t));
}

EXPORT int usleep(useconds_t us)
{
	return SLEEPING(REAL(usleep)(us), (int64_t)us * 1000);
}

EXPORT unsigned sleep(unsigned seconds)
{
	return (unsigned)SLEEPING(REAL(sleep)(seconds), (int64_t)seconds * 1000000000);
}
