/* SPDX-License-Identifier: MIT */
/*
 * cgroup.c - the control groups of a process, and the numbers in their files
 *
 * /proc/PID/cgroup names the group in each hierarchy, /proc/self/mountinfo says where each is
 * mounted:
 *
 *    8:pids:/app                            0::/system.slice/app.service
 *    31 24 0:27 / /sys/fs/cgroup/pids rw,nosuid - cgroup cgroup rw,pids
 *
 * (cgroups(7), proc(5)).  What is mounted may be a part of the hierarchy, and then the group's name
 * begins with that part.
 */
#include "process/cgroup.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Of /proc/PID/cgroup, and of /proc/self/mountinfo: hosts of containers have thousands of mounts.
 */
#define MAX_GROUPS (64u << 10)
#define MAX_MOUNTS (16u << 20)

/* Of a file in a group; memory.stat, the longest, has some 2 KB. */
#define MAX_FILE (16u << 10)

/* Text ----------------------------------------------------------------------------------------- */

/* The next word of a line, which is cut; NULL at its end. */
static char *next_word(char **line)
{
	char *word = *line + strspn(*line, " ");

	*line = word + strcspn(word, " ");
	if (**line)
		*(*line)++ = '\0';
	return *word ? word : NULL;
}

/* Is it one of the words of a list with commas between them? */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; *at; at += strcspn(at, ",")) {
		at += *at == ',';
		if (strcspn(at, ",") == len && strncmp(at, word, len) == 0)
			return true;
	}
	return false;
}

static bool is_octal(const char *s)
{
	return s[0] >= '0' && s[0] <= '3' && s[1] >= '0' && s[1] <= '7' && s[2] >= '0' &&
	       s[2] <= '7';
}

/* The kernel writes a blank in a path as \040. */
static void take_back_escapes(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		if (*from == '\\' && is_octal(from + 1)) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0');
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

bool cgroup_parse_mount(char *line, struct cgroup_mount *m)
{
	char *rest = strstr(line, " - "), *words[5], *options;

	if (!rest)
		return false;
	*rest = '\0';
	rest += strlen(" - ");
	for (int i = 0; i < 5; i++) {
		words[i] = next_word(&line);
		if (!words[i])
			return false;
	}
	m->type = next_word(&rest);
	if (!m->type || !next_word(&rest))
		return false;
	options = next_word(&rest);
	take_back_escapes(words[3]);
	take_back_escapes(words[4]);
	m->root = words[3];
	m->point = words[4];
	m->options = options ? options : "";
	return true;
}

/* All of a file, or NULL. */
static char *read_file(const char *path, size_t limit)
{
	char *text = NULL, *more;
	size_t len = 0, room = 0;
	ssize_t n = 1;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	while (fd >= 0 && n > 0 && len < limit) {
		if (room - len < 4096) {
			room = room ? 2 * room : 8192;
			more = realloc(text, room + 1);
			if (!more)
				break;
			text = more;
		}
		n = read(fd, text + len, room - len);
		if (n > 0)
			len += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[len] = '\0';
	return text;
}

/* Finding -------------------------------------------------------------------------------------- */

/* What /proc/PID/cgroup names for a controller, or for version 2 (""); a piece of text. */
static const char *find_name(char *text, const char *controller)
{
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		char *list = strchr(line, ':'), *name = list ? strchr(list + 1, ':') : NULL;

		if (!name)
			continue;
		*name++ = '\0';
		list++;
		if (*controller ? has_word(list, controller) : !*list)
			return name;
	}
	return NULL;
}

/* The piece of a group's name below what is mounted; NULL: it is not below. */
static const char *below(const char *name, const char *root)
{
	size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);

	if (strncmp(name, root, len) != 0 || (name[len] && name[len] != '/'))
		return NULL;
	/* Above, or beside, the root of our cgroup namespace. */
	if (strcmp(name + len, "/..") == 0 || strncmp(name + len, "/../", 4) == 0)
		return NULL;
	return strcmp(name + len, "/") == 0 ? "" : name + len;
}

static bool take_mount(struct cgroup *g, const char *host, const struct cgroup_mount *m,
		       const char *name, const char *controller)
{
	const char *rest = below(name, m->root);
	int len;

	if (strcmp(m->type, *controller ? "cgroup" : "cgroup2") != 0 ||
	    (*controller && !has_word(m->options, controller)) || !rest)
		return false;
	len = snprintf(g->path, sizeof(g->path), "%s%s%s", host, m->point, rest);
	g->top = strlen(host) + strlen(m->point);
	g->is_v2 = !*controller;
	return len < (int)sizeof(g->path) && access(g->path, F_OK) == 0;
}

/* controller: "" for version 2. */
static bool find_in(struct cgroup *g, const struct process *p, const char *host,
		    const char *controller)
{
	char path[PATH_MAX], *mounts, *line, *rest;
	size_t len = 0;
	char *groups = process_read(p, "cgroup", MAX_GROUPS, &len);
	const char *name = groups ? find_name(groups, controller) : NULL;
	struct cgroup_mount m;
	bool found = false;

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", host);
	mounts = name ? read_file(path, MAX_MOUNTS) : NULL;
	for (rest = mounts; !found && (line = strsep(&rest, "\n")) != NULL;) {
		if (cgroup_parse_mount(line, &m))
			found = take_mount(g, host, &m, name, controller);
	}
	free(mounts);
	free(groups);
	return found;
}

bool cgroup_find(struct cgroup *g, const struct process *p, const char *host,
		 const char *controller)
{
	return find_in(g, p, host, controller) || (*controller && find_in(g, p, host, ""));
}

bool cgroup_step_up(struct cgroup *g)
{
	char *slash = strrchr(g->path, '/');

	if (!slash || (size_t)(slash - g->path) < g->top)
		return false;
	*slash = '\0';
	return true;
}

/* Files ---------------------------------------------------------------------------------------- */

static char *read_in(const struct cgroup *g, const char *file)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", g->path, file);
	return read_file(path, MAX_FILE);
}

static bool take_number(const char *text, uint64_t *n)
{
	if (strncmp(text, "max", 3) == 0)
		*n = UINT64_MAX;
	else if (isdigit((unsigned char)*text))
		*n = strtoull(text, NULL, 10);
	else
		return false;
	return true;
}

bool cgroup_number(const struct cgroup *g, const char *file, uint64_t *n)
{
	char *text = read_in(g, file);
	bool good = text && take_number(text, n);

	free(text);
	return good;
}

bool cgroup_value(const struct cgroup *g, const char *file, const char *word, uint64_t *n)
{
	char *text = read_in(g, file), *rest = text, *line;
	size_t len = strlen(word);
	bool good = false;

	while (!good && rest && (line = strsep(&rest, "\n")) != NULL) {
		if (strncmp(line, word, len) == 0 && line[len] == ' ')
			good = take_number(line + len + 1, n);
	}
	free(text);
	return good;
}

bool cgroup_says(const struct cgroup *g, const char *file, const char *word)
{
	char *text = read_in(g, file);
	bool good = text && strncmp(text, word, strlen(word)) == 0;

	free(text);
	return good;
}
