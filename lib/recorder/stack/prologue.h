/* SPDX-License-Identifier: MIT */
/*
 * prologue.h - where a frame pointer is, from how a function begins
 */
#ifndef JFREC_RECORDER_STACK_PROLOGUE_H
#define JFREC_RECORDER_STACK_PROLOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How far the frame pointer is above the stack pointer after these instructions of x86-64, the
 * first of a function.  False: it has none, or this is not sure.
 */
bool prologue_read(const uint8_t *code, size_t size, uint64_t *distance);

/* The bytes of the longest call. */
#define CALL_BYTES 7u

/* Is there a call right before a return address?  code: the bytes before it. */
bool prologue_is_call(const uint8_t code[CALL_BYTES]);

#endif
