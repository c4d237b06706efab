/* SPDX-License-Identifier: MIT */
/*
 * rules.h - the list of all rules, in the order of `jfrec analyze --list`
 *
 * A rule is a file of its own name in rules/, with `const struct rule rule_NAME`, and a row here.
 */
#ifndef JFREC_ANALYZE_RULES_H
#define JFREC_ANALYZE_RULES_H

#include "analyze/rule.h"

/* clang-format off */
#define RULES(X)                                        \
	/* Pauses and collectors */                     \
	X(gc_pause_share)                               \
	X(halts_share)                                  \
	X(gc_pause_longest)                             \
	X(gc_full)                                      \
	X(gc_stall)                                     \
	X(gc_explicit)                                  \
	X(gc_by_tools)                                  \
	X(gc_locker)                                    \
	X(gc_pause_target)                              \
	X(gc_parallelism)                               \
	X(gc_options)                                   \
	X(vm_operation_longest)                         \
	/* Heap and allocation */                       \
	X(heap_too_small)                               \
	X(live_set_growth)                              \
	X(leak_holder)                                  \
	X(metaspace_growth)                             \
	X(allocation_site)                              \
	X(physical_memory)                              \
	/* Processors, locks, threads, code */          \
	X(hot_method)                                   \
	X(cpu_jvm)                                      \
	X(cpu_others)                                   \
	X(kernel_time)                                  \
	X(lock_contention)                              \
	X(pool_wait)                                    \
	X(deadlock)                                     \
	X(event_loop_blocked)                           \
	X(exceptions)                                   \
	X(class_loading)                                \
	X(finalizers)                                   \
	/* Sockets, files, processes */                 \
	X(socket_wait)                                  \
	X(file_wait)                                    \
	X(process_start)                                \
	/* The JVM, its options, security */            \
	X(crash)                                        \
	X(code_cache)                                   \
	X(options)                                      \
	X(interpreted_only)                             \
	X(secrets)                                      \
	X(jmx_open)                                     \
	X(debugger_open)                                \
	X(agents)                                       \
	X(pid_1)                                        \
	X(certificates)                                 \
	X(jvm_support)                                  \
	/* Containers */                                \
	X(container_throttled)                          \
	X(container_memory)                             \
	X(container_cpu_view)                           \
	X(container_swap)                               \
	/* The host, of a JVM that runs */              \
	X(host_throttled)                               \
	X(host_oom_kill)                                \
	X(host_memory)                                  \
	X(host_disk)                                    \
	X(host_cpu)                                     \
	/* Collectors that fall behind */               \
	X(gc_evacuation_failed)                         \
	X(gc_humongous)                                 \
	X(gc_zgc_stall)                                 \
	X(gc_shenandoah_degenerated)                    \
	X(gc_frequency)                                 \
	X(gc_safepoint_entry)                           \
	X(heap_exhausted)                               \
	X(gc_heap_unused)                               \
	/* Threads, and memory beside the heap */       \
	X(vthread_pinned)                               \
	X(vthread_submit_failed)                        \
	X(vthread_many)                                 \
	X(thread_growth)                                \
	X(native_memory)                                \
	X(direct_buffers)                               \
	X(class_loader_leak)                            \
	/* Code, and how it is protected */             \
	X(compiler)                                     \
	X(class_redefinition)                           \
	X(native_library)                               \
	X(deprecated_calls)                             \
	X(deserialization)                              \
	X(tls)                                          \
	X(security_properties)                          \
	/* Can the recording be trusted? */             \
	X(sampling_reached)                             \
	X(sampling_lost)                                \
	X(sampling_latency)                             \
	X(sampling_intrinsics)                          \
	X(sampling_few)                                 \
	X(sampling_double)                              \
	X(cpu_by_purpose)                               \
	X(recording_damaged)                            \
	X(recording_short)                              \
	X(recording_settings)                           \
	X(recorder_overhead)                            \
	/* The recorder */                              \
	X(stack_depth)                                  \
	X(settings_costly)                              \
	X(buffers_lost)
/* clang-format on */

#define RULES_DECLARE(name) extern const struct rule rule_##name;
RULES(RULES_DECLARE)
#undef RULES_DECLARE

#endif
