/* SPDX-License-Identifier: MIT */
/*
 * rules.h - the rules, each in a file of its own name
 */
#ifndef JFREC_ANALYZE_RULES_H
#define JFREC_ANALYZE_RULES_H

#include "analyze/rule.h"

extern const struct rule rule_gc_pause_share, rule_halts_share, rule_gc_pause_longest;
extern const struct rule rule_gc_full, rule_gc_stall, rule_gc_explicit, rule_gc_by_tools;
extern const struct rule rule_gc_locker, rule_gc_pause_target, rule_gc_parallelism;
extern const struct rule rule_gc_options, rule_vm_operation_longest, rule_live_set_growth;
extern const struct rule rule_metaspace_growth, rule_allocation_site, rule_physical_memory;
extern const struct rule rule_hot_method, rule_cpu_jvm, rule_cpu_others, rule_lock_contention;
extern const struct rule rule_exceptions, rule_class_loading, rule_finalizers, rule_socket_wait;
extern const struct rule rule_file_wait, rule_process_start, rule_crash, rule_code_cache;
extern const struct rule rule_options, rule_secrets, rule_jmx_open, rule_agents, rule_pid_1;
extern const struct rule rule_certificates, rule_jvm_support, rule_stack_depth;
extern const struct rule rule_settings_costly, rule_buffers_lost;
extern const struct rule rule_container_throttled, rule_container_memory,
	rule_container_cpu_view, rule_container_swap;
extern const struct rule rule_host_throttled, rule_host_oom_kill, rule_host_memory, rule_host_disk,
	rule_host_cpu;
extern const struct rule rule_gc_evacuation_failed, rule_gc_humongous, rule_gc_zgc_stall,
	rule_gc_shenandoah_degenerated, rule_gc_frequency, rule_gc_safepoint_entry, rule_heap_exhausted,
	rule_heap_too_small, rule_leak_holder,
	rule_gc_heap_unused;
extern const struct rule rule_vthread_pinned, rule_vthread_submit_failed, rule_vthread_many,
	rule_thread_growth, rule_native_memory, rule_direct_buffers, rule_class_loader_leak;
extern const struct rule rule_compiler, rule_class_redefinition, rule_native_library,
	rule_deprecated_calls, rule_deserialization, rule_tls, rule_security_properties;
extern const struct rule rule_sampling_reached, rule_sampling_lost, rule_sampling_latency,
	rule_sampling_intrinsics, rule_sampling_few, rule_sampling_double, rule_cpu_by_purpose,
	rule_recording_damaged, rule_recording_short, rule_recording_settings, rule_recorder_overhead;
extern const struct rule rule_deadlock, rule_kernel_time, rule_event_loop_blocked, rule_pool_wait, rule_debugger_open, rule_interpreted_only;

#endif
