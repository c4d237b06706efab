/* SPDX-License-Identifier: MIT */
/*
 * rules.c - the table of all rules, in the order of `jfrec analyze --list`
 */
#include "analyze/rules.h"

#include <stddef.h>

const struct rule *const all_rules[] = {
	/* Pauses and collectors */
	&rule_gc_pause_share,
	&rule_halts_share,
	&rule_gc_pause_longest,
	&rule_gc_full,
	&rule_gc_stall,
	&rule_gc_explicit,
	&rule_gc_by_tools,
	&rule_gc_locker,
	&rule_gc_pause_target,
	&rule_gc_parallelism,
	&rule_gc_options,
	&rule_vm_operation_longest,
	/* Heap and allocation */
	&rule_heap_too_small,
	&rule_live_set_growth,
	&rule_leak_holder,
	&rule_metaspace_growth,
	&rule_allocation_site,
	&rule_physical_memory,
	/* Processors, locks, threads, code */
	&rule_hot_method,
	&rule_cpu_jvm,
	&rule_cpu_others,
	&rule_kernel_time,
	&rule_lock_contention,
	&rule_pool_wait,
	&rule_deadlock,
	&rule_event_loop_blocked,
	&rule_exceptions,
	&rule_class_loading,
	&rule_finalizers,
	/* Sockets, files, processes */
	&rule_socket_wait,
	&rule_file_wait,
	&rule_process_start,
	/* The JVM, its options, security */
	&rule_crash,
	&rule_code_cache,
	&rule_options,
	&rule_interpreted_only,
	&rule_secrets,
	&rule_jmx_open,
	&rule_debugger_open,
	&rule_agents,
	&rule_pid_1,
	&rule_certificates,
	&rule_jvm_support,
	/* Containers */
	&rule_container_throttled,
	&rule_container_memory,
	&rule_container_cpu_view,
	&rule_container_swap,
	/* The host, of a JVM that runs */
	&rule_host_throttled,
	&rule_host_oom_kill,
	&rule_host_memory,
	&rule_host_disk,
	&rule_host_cpu,
	/* Collectors that fall behind */
	&rule_gc_evacuation_failed,
	&rule_gc_humongous,
	&rule_gc_zgc_stall,
	&rule_gc_shenandoah_degenerated,
	&rule_gc_frequency,
	&rule_gc_safepoint_entry,
	&rule_heap_exhausted,
	&rule_gc_heap_unused,
	/* Threads, and memory beside the heap */
	&rule_vthread_pinned,
	&rule_vthread_submit_failed,
	&rule_vthread_many,
	&rule_thread_growth,
	&rule_native_memory,
	&rule_direct_buffers,
	&rule_class_loader_leak,
	/* Code, and how it is protected */
	&rule_compiler,
	&rule_class_redefinition,
	&rule_native_library,
	&rule_deprecated_calls,
	&rule_deserialization,
	&rule_tls,
	&rule_security_properties,
	/* Can the recording be trusted? */
	&rule_sampling_reached,
	&rule_sampling_lost,
	&rule_sampling_latency,
	&rule_sampling_intrinsics,
	&rule_sampling_few,
	&rule_sampling_double,
	&rule_cpu_by_purpose,
	&rule_recording_damaged,
	&rule_recording_short,
	&rule_recording_settings,
	&rule_recorder_overhead,
	/* The recorder */
	&rule_stack_depth,
	&rule_settings_costly,
	&rule_buffers_lost,
	NULL,
};
