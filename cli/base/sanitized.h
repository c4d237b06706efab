/* SPDX-License-Identifier: MIT */
/*
 * sanitized.h - detect a build with sanitizers, which need more rights and memory
 */
#ifndef JFREC_CLI_BASE_SANITIZED_H
#define JFREC_CLI_BASE_SANITIZED_H

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
	__has_feature(address_sanitizer) || \
	__has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

#endif
