/* SPDX-License-Identifier: MIT */
/*
 * container.h - find the container of a process from its cgroups
 */
#ifndef JFREC_PROCESS_CONTAINER_H
#define JFREC_PROCESS_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

/* Room for an id: 64 hexadecimal digits, or a name of systemd-nspawn or LXC. */
#define CONTAINER_ID_MAX 256

/*
 * Of /proc/PID/cgroup: the id of the innermost container.  False if the process is in none, as far
 * as is visible: inside a container, its own cgroup is "/".
 */
bool container_find(const char *text, char id[CONTAINER_ID_MAX]);

#endif
