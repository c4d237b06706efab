/* SPDX-License-Identifier: MIT */
/*
 * lacking.c - run a command as on a kernel, or in a container, that lacks ways to confine it
 *
 * usage: lacking all|seccomp|landlock|capabilities COMMAND...
 *
 * What is lacking is refused by a filter, which the command inherits. 99: it cannot be made so.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CREATE_RULESET 444 /* the same number everywhere */

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define FAIL(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

int main(int argc, char **argv)
{
	static struct sock_filter steps[] = {
		LOAD(nr),
		UNLESS(CREATE_RULESET, 1),
		FAIL(ENOSYS),
		UNLESS(SYS_capset, 1),
		FAIL(EPERM),
		UNLESS(SYS_prctl, 3),
		LOAD(args[0]),
		UNLESS(PR_SET_SECCOMP, 1),
		FAIL(EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	static const struct {
		const char *name;
		int step;
	} parts[] = { { "landlock", 1 }, { "capabilities", 3 }, { "seccomp", 7 } };
	const struct sock_fprog program = { sizeof(steps) / sizeof(*steps), steps };

	if (argc < 3)
		return 99;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		/* A number that nothing has. */
		if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], parts[i].name) != 0)
			steps[parts[i].step].k = 0x3fffffff;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 99;
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 99;
}
