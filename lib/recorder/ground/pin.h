/* SPDX-License-Identifier: MIT */
/*
 * pin.h - a plug-in that carries the recorder stays loaded
 */
#ifndef JFREC_RECORDER_GROUND_PIN_H
#define JFREC_RECORDER_GROUND_PIN_H

/*
 * Before threads, handlers and destructors are made that run this code: dlclose() unloads it no
 * more. Under no lock of the recorder: a constructor of the program, which has the loader's, may
 * wait for that.
 */
void pin_own_module(void);

#endif
