/* SPDX-License-Identifier: MIT */
/*
 * follow.h - children of fork() get a recorder of their own
 */
#ifndef JFREC_RECORDER_CONTROL_FOLLOW_H
#define JFREC_RECORDER_CONTROL_FOLLOW_H

/* From now on; text: what JFREC_RECORD says, which each child starts with. */
void follow_forks(const char *text);

/* The process ends: a child that has emitted something, but not begun, begins. */
void follow_finish(void);

#endif
