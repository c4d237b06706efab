/* SPDX-License-Identifier: MIT */
/*
 * types.h - the types of events, and the settings that count for them
 */
#ifndef JFREC_RECORDER_TYPES_TYPES_H
#define JFREC_RECORDER_TYPES_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/ground/fail.h"
#include "recorder/ground/region.h"
#include "recorder/types/settings.h"

#define MOST_RECORDINGS 32u
#define MOST_FIELDS     100u

/* The recorder's own, which come first. */
enum own_type {
	TYPE_DATA_LOSS = 2,
	TYPE_EVENT_LOSS = TYPE_LOSS,
	TYPE_ACTIVE_SETTING,
	TYPE_ACTIVE_RECORDING,
	TYPE_EXECUTION_SAMPLE,
	TYPE_BLOCKED_SAMPLE, /* jdk.NativeMethodSample */
	TYPE_SAMPLES_LOST,
	TYPE_FIRST_OBSERVED,
	TYPE_CPU_LOAD = TYPE_FIRST_OBSERVED,
	TYPE_THREAD_CPU_LOAD,
	TYPE_CONTEXT_SWITCHES,
	TYPE_RESIDENT_SET_SIZE,
	TYPE_PHYSICAL_MEMORY,
	TYPE_SWAP_SPACE,
	TYPE_JVM_INFORMATION,
	TYPE_OS_INFORMATION,
	TYPE_NATIVE_LIBRARY,
	TYPE_ENVIRONMENT_VARIABLE,
	TYPE_MODULE,
	TYPE_CPU_INFORMATION, /* accounts.h: up to TYPE_ALLOCATOR */
	TYPE_NETWORK,
	TYPE_THREAD_STATISTICS,
	TYPE_PAGE_FAULTS,
	TYPE_OWN_SWITCHES,
	TYPE_DESCRIPTORS,
	TYPE_ALLOCATOR,
	TYPE_CONTAINER_CONFIGURATION, /* container.h: from here */
	TYPE_CONTAINER_CPU_USAGE,
	TYPE_CONTAINER_CPU_THROTTLING,
	TYPE_CONTAINER_MEMORY_USAGE,
	TYPE_CONTAINER_IO_USAGE,
	TYPES_OBSERVED,
	TYPE_THREAD_START = TYPES_OBSERVED,
	TYPE_THREAD_END,
	TYPE_SHUTDOWN,
	TYPE_TROUBLE,
	TYPES_OF_RECORDER,
};

/* Kinds of fields that only the recorder's own types have: keys of constants. */
enum own_kind {
	KIND_THREAD = JFREC_EVENT_INTERNED + 1,
	KIND_STACK,
	KIND_THREAD_STATE,
	KIND_CLASS, /* enum own_class; 0: none */
	KIND_END,
};

/* Units that only they have. */
enum own_unit { UNIT_MICROSECONDS = JFREC_EVENT_HERTZ + 1, UNIT_BITS_A_SECOND };

/* What threads wait for, in events that have a class there. */
enum own_class {
	CLASS_MUTEX = 1,
	CLASS_RWLOCK,
	CLASS_CONDITION,
	CLASS_SEMAPHORE,
	CLASS_THREAD,
	CLASSES
};

struct type {
	const char *name, *label, *category, *description;
	unsigned flags;
	bool has_thread, is_enabled, has_stack; /* has_stack: it is wanted now */
	bool is_optional; /* of the recorder's own: settings decide about it */
	bool has_period;  /* and how often it is emitted */
	/* as the settings are; period: UINT64_MAX: once a chunk */
	uint64_t threshold_ns, period_ns;
	uint64_t default_threshold_ns, default_period_ns;
	const struct jfrec_event_field *fields;
	size_t field_count;
};

/* Indexed by id; of programs' modules, which read them without a lock. */
extern uint8_t type_on[EVENT_TYPES];
extern _Atomic uint64_t type_threshold_ns[EVENT_TYPES];

/* Do events of that type have a stack?  STACK_OFF: its place, with 0 in it. */
enum { STACK_NEVER, STACK_OFF, STACK_ON };
extern _Atomic uint8_t type_stack[EVENT_TYPES];

/* Is there a type with a field of KIND_CLASS? */
bool types_have_classes(void);

/* Without a lock: it never changes. */
bool type_has_duration(uint32_t id);

/* From here to types_unlock() types and settings do not change. */
void types_lock(void);
void types_unlock(void);

/* Under the lock; NULL: there is none.  Ids are from TYPE_DATA_LOSS to types_end() - 1. */
const struct type *types_get(uint32_t id);
uint32_t types_end(void);

/* How often types were added, and settings changed. */
uint64_t types_version(void);
uint64_t types_settings_version(void);

/* Are events recorded? */
void types_activate(bool on);

/* What the region needs to describe the types after a crash; under the lock, or on activation. */
void types_describe(void);

/* Make the memory whole, if it is small, and describe the types there. */
void types_outgrow(void);

/* What was set for a recording, of which the second list, if there is one, wins. */
struct used {
	const struct settings *first, *second;
};

/* The settings of the recordings that run; their lists stay until the next call. */
void types_use(const struct used *used, size_t count);

/* The list of types_set(), which is that of the program's own recording. */
const struct settings *types_program_settings(void);

/*
 * How often it is to be emitted, of one of the recorder's own: UINT64_MAX once a chunk, 0 not at
 * all.
 */
uint64_t types_period(uint32_t id);

/* Of one of the recorder's own: is it enabled, also in the last flush?  And once in each chunk? */
bool types_is_wanted(uint32_t id);
bool types_is_of_chunk(uint32_t id);

/*
 * Has the program types that are not the JDK's?  If not, call this, without the lock, when it has.
 */
bool types_has_own(void);
void types_tell_own(void (*first_came)(void));

/* Is there a type of that name? */
bool types_know(const char *event);

int types_set(const char *event, const char *setting, const char *value,
	      struct jfrec_recorder_error *err);

/* After a fork(), in the child: all are off, unless it goes on. */
void types_unlock_in_child(bool goes_on);

#endif
