/* SPDX-License-Identifier: MIT */
/*
 * confine_capabilities.c - drop the capabilities that the paths of a command do not need
 *
 * Root reads files of others by a capability, and makes files in their directories by another.
 * Each is kept only where a path of the command cannot be used without.
 */
#include "base/confine_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FACCESSAT2   439 /* the same number everywhere; Linux 5.8 */
#define BY_EFFECTIVE 0x200

#define BIT(capability) (UINT64_C(1) << (capability))
#define ALL		~UINT64_C(0)

struct capabilities {
	uint64_t effective, permitted, inheritable;
};

static int get(struct capabilities *c)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) < 0)
		return errno;
	c->effective = data[0].effective | (uint64_t)data[1].effective << 32;
	c->permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
	c->inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32;
	return 0;
}

static int set(const struct capabilities *c)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	const struct __user_cap_data_struct data[2] = {
		{ (uint32_t)c->effective, (uint32_t)c->permitted, (uint32_t)c->inheritable },
		{ (uint32_t)(c->effective >> 32), (uint32_t)(c->permitted >> 32),
		  (uint32_t)(c->inheritable >> 32) },
	};

	return syscall(SYS_capset, &header, data) < 0 ? errno : 0;
}

/* With the capabilities of this moment. What is not there needs none; a kernel that is too old to
 * say may need it. */
static bool can(const char *path, int mode)
{
	return syscall(FACCESSAT2, AT_FDCWD, path, mode, BY_EFFECTIVE) == 0 || errno == ENOENT ||
	       errno == ENOTDIR;
}

/* Files in a directory may have any owner. */
static bool can_read(const char *path)
{
	struct stat st;

	return can(path, R_OK) && (stat(path, &st) < 0 || !S_ISDIR(st.st_mode));
}

static uint64_t needed_to_write(const char *path)
{
	char directory[4096];
	uint64_t needed = 0;
	struct stat st;

	if (!confine_directory(path, directory, sizeof(directory)))
		return 0;
	if (!can(directory, R_OK | W_OK | X_OK))
		needed |= BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH);
	/* --force, where only owners may remove files. */
	if (stat(directory, &st) == 0 && st.st_mode & S_ISVTX && st.st_uid != geteuid())
		needed |= BIT(CAP_FOWNER);
	return needed;
}

static uint64_t needed(enum confinement how, const struct confine_paths *paths)
{
	uint64_t all = 0;

	for (size_t i = 0; i < paths->read_count; i++) {
		if (!can_read(paths->reads[i]))
			all |= BIT(CAP_DAC_READ_SEARCH);
	}
	for (size_t i = 0; how == CONFINE_WRITING && i < paths->write_count; i++)
		all |= needed_to_write(paths->writes[i]);
	return all;
}

/* Nothing is run any more, so nothing could get them back; but they are nothing to show, either. */
static void drop_what_programs_get(void)
{
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	for (int i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; i++)
		; /* until there is none of that number, or no right to */
}

int confine_capabilities(enum confinement how, const struct confine_paths *paths)
{
	struct capabilities before = { 0 }, kept = { 0 };
	int error = get(&before);

	if (error || !before.permitted)
		return error;
	drop_what_programs_get();
	/* Look as one who has none. */
	kept.permitted = before.permitted;
	error = set(&kept);
	if (error)
		return error;
	kept.permitted = kept.effective = needed(how, paths) & before.effective;
	return set(&kept);
}
