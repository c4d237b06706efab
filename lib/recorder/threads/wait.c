/* SPDX-License-Identifier: MIT */
/*
 * wait.c - a thread says where it begins to wait, for the sampler
 *
 * Callee-saved registers are lost inside of a call, and without them frames of code with frame
 * pointers are not found.  What is stored here stays true until the function goes on.
 */
#include "recorder/ground/memory.h"
#include "recorder/jfrec-recorder.h"
#include "recorder/stack/walk.h"
#include "recorder/threads/sampler.h"
#include "recorder/threads/thread.h"

__attribute__((noinline)) int jfrec_recorder_enter_wait(void)
{
	struct called_from from = called_from();
	struct thread_row *row;

	if (!CAN_WALK || !atomic_load_explicit(&sampler_wants_waits, memory_order_relaxed) ||
	    !region || !thread_attach())
		return 1;
	row = memory_row(thread.row);
	atomic_store_explicit(&row->wait[1], from.sp, memory_order_relaxed);
	atomic_store_explicit(&row->wait[2], from.fp, memory_order_relaxed);
	atomic_store_explicit(&row->wait[0], from.pc, memory_order_release);
	return 1;
}

void jfrec_recorder_leave_wait(void)
{
	if (thread.state == THREAD_ATTACHED)
		atomic_store_explicit(&memory_row(thread.row)->wait[0], 0, memory_order_release);
}
