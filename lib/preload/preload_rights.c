/* SPDX-License-Identifier: MIT */
/*
 * preload_rights.c - wrappers of what takes from the program where the recorder writes
 *
 * A repository is made some time after the start, which many programs do not live to see.  A daemon
 * that changes its user has done that by then.
 */
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "preload/preload.h"
#include "recorder/jfrec-recorder.h"

EXPORT int setuid(uid_t uid)
{
	jfrec_recorder_make_files();
	return REAL(setuid)(uid);
}

EXPORT int seteuid(uid_t uid)
{
	jfrec_recorder_make_files();
	return REAL(seteuid)(uid);
}

EXPORT int setreuid(uid_t real, uid_t effective)
{
	jfrec_recorder_make_files();
	return REAL(setreuid)(real, effective);
}

EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	jfrec_recorder_make_files();
	return REAL(setresuid)(real, effective, saved);
}

EXPORT int chroot(const char *path)
{
	jfrec_recorder_make_files();
	return REAL(chroot)(path);
}

bool gives_up_rights(long number)
{
	switch (number) {
	case SYS_setuid:
	case SYS_setreuid:
	case SYS_setresuid:
	case SYS_chroot:
	case SYS_pivot_root:
#if defined(SYS_landlock_restrict_self)
	case SYS_landlock_restrict_self:
#endif
		return true;
	default:
		return false;
	}
}
