/* SPDX-License-Identifier: MIT */
/*
 * container.c - find the container of a process from its cgroups
 *
 * A line for each hierarchy: "4:memory:/docker/<id>", or "0::/..." with version 2.
 * Runtimes and their drivers name the group of a container in these ways:
 *
 *    <id>                                 docker, containerd, Kubernetes: cgroupfs
 *    docker-<id>.scope                    docker: systemd
 *    cri-containerd-<id>.scope            Kubernetes with containerd: systemd
 *    ....slice:cri-containerd:<id>        the same, half configured
 *    crio-<id>.scope, libpod-<id>.scope   CRI-O, podman
 *    machine-<name>.scope, systemd-nspawn@<name>.service   systemd
 *    lxc/<name>, lxc.payload/<name>, lxc.payload.<name>    LXC, LXD, Incus
 *    ecs/<task>/<id>                      Amazon ECS: other digits than all others
 *
 * where <id> has 64 hexadecimal digits.  The process may have made groups below.
 */
#include "process/container.h"

#include <string.h>

#define ID_DIGITS 64

/* A name between two slashes. */
struct name {
	const char *start, *end;
};

static bool is_hex(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!strchr("0123456789abcdef", s[i]))
			return false;
	}
	return true;
}

static bool cut_prefix(struct name *n, const char *prefix)
{
	size_t len = strlen(prefix);

	if ((size_t)(n->end - n->start) <= len || memcmp(n->start, prefix, len) != 0)
		return false;
	n->start += len;
	return true;
}

static bool cut_suffix(struct name *n, const char *suffix)
{
	size_t len = strlen(suffix);

	if ((size_t)(n->end - n->start) <= len || memcmp(n->end - len, suffix, len) != 0)
		return false;
	n->end -= len;
	return true;
}

static bool is(struct name n, const char *text)
{
	return (size_t)(n.end - n.start) == strlen(text) && !memcmp(n.start, text, strlen(text));
}

/* 64 digits, alone or after a word and `-` or `:`.  conmon only watches a container. */
static bool take_digits(struct name n, struct name *id)
{
	cut_suffix(&n, ".scope");
	if (n.end - n.start < ID_DIGITS || !is_hex(n.end - ID_DIGITS, ID_DIGITS))
		return false;
	id->start = n.end - ID_DIGITS;
	id->end = n.end;
	if (id->start == n.start)
		return true;
	n.end = id->start;
	return (n.end[-1] == '-' || n.end[-1] == ':') && !cut_suffix(&n, "conmon-");
}

static bool take_machine(struct name n, struct name *id)
{
	*id = n;
	if (cut_prefix(id, "machine-") && cut_suffix(id, ".scope"))
		return true;
	*id = n;
	if (cut_prefix(id, "systemd-nspawn@") && cut_suffix(id, ".service"))
		return true;
	*id = n;
	return cut_prefix(id, "lxc.payload.");
}

/* Names that only the groups above explain. */
static bool take_below(struct name grandparent, struct name parent, struct name n, struct name *id)
{
	*id = n;
	return is(parent, "lxc") || is(parent, "lxc.payload") || is(grandparent, "ecs");
}

/* systemd writes `-` and others as \x2d. */
static void copy_name(struct name n, char *to)
{
	const char *s = n.start;
	size_t len = 0;

	while (s < n.end && len < CONTAINER_ID_MAX - 1) {
		if (n.end - s >= 4 && memcmp(s, "\\x2d", 4) == 0) {
			to[len++] = '-';
			s += 4;
		} else {
			to[len++] = *s++;
		}
	}
	to[len] = '\0';
}

/* The innermost, which is the last. */
static bool find_in_path(const char *path, const char *end, char *id)
{
	struct name grandparent = { path, path }, parent = { path, path }, n, taken;
	bool found = false;

	for (n.start = path; n.start < end; n.start = n.end + 1) {
		n.end = memchr(n.start, '/', (size_t)(end - n.start));
		if (!n.end)
			n.end = end;
		if (n.start < n.end && (take_digits(n, &taken) || take_machine(n, &taken) ||
					take_below(grandparent, parent, n, &taken))) {
			copy_name(taken, id);
			found = true;
		}
		grandparent = parent;
		parent = n;
	}
	return found;
}

bool container_find(const char *text, char id[CONTAINER_ID_MAX])
{
	for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
		const char *path = strchr(line, ':');

		end = line + strcspn(line, "\n");
		path = path && path < end ? strchr(path + 1, ':') : NULL;
		if (path && path < end && find_in_path(path + 1, end, id))
			return true;
	}
	return false;
}
