/* SPDX-License-Identifier: MIT */
/*
 * proc_text.c - parse the files of /proc/PID
 */
#include "process/proc_text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* /proc/PID/stat: fields between the name in parentheses and the start time, field 22. */
#define FIELDS_BEFORE_START 19
#define FIELDS_BEFORE_THREADS 17

/* A line of /proc/PID/maps: addresses, rights, offset, device, inode; then the path. */
#define FIELDS_BEFORE_PATH 5

/* The value of a line that begins with this key, or NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	return strncmp(line, key, len) == 0 && line[len] == ':' ? line + len + 1 : NULL;
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* An unsigned number on this line; moves *s past it. */
static bool take_number(const char **s, int base, uint64_t *n)
{
	const char *start = skip_blanks(*s);
	unsigned long long value;
	char *end;

	if (*start == '-' || *start == '+' || *start == '\n')
		return false;
	errno = 0;
	value = strtoull(start, &end, base);
	if (end == start || errno)
		return false;
	*s = end;
	*n = value;
	return true;
}

static bool take_int(const char **s, int *n)
{
	uint64_t value;

	if (!take_number(s, 10, &value) || value > INT_MAX)
		return false;
	*n = (int)value;
	return true;
}

static bool take_id(const char **s, uint32_t *id)
{
	uint64_t value;

	if (!take_number(s, 10, &value) || value > UINT32_MAX)
		return false;
	*id = (uint32_t)value;
	return true;
}

/* Real, effective, saved; a fourth is there, too. */
static bool take_ids(const char *s, uint32_t *real, uint32_t *effective, uint32_t *saved)
{
	return take_id(&s, real) && take_id(&s, effective) && take_id(&s, saved);
}

/* "NSpid: 4711 23 1": from our namespace to its own. */
static bool take_ns_pids(struct proc_status *s, const char *value)
{
	s->ns_depth = 0;
	while (take_int(&value, &s->ns_pid))
		s->ns_depth++;
	return s->ns_depth > 0;
}

/* "1234 kB", in bytes; 0 if it is something else. */
static uint64_t take_kilobytes(const char *s)
{
	uint64_t kb;

	return take_number(&s, 10, &kb) && kb <= UINT64_MAX >> 10 ? kb << 10 : 0;
}

enum {
	SEEN_STATE = 1,
	SEEN_TGID = 2,
	SEEN_UID = 4,
	SEEN_GID = 8,
	SEEN_IGNORED = 16,
	SEEN_CAUGHT = 32,
	SEEN_ALL = 63,
};

static void take_pending(struct proc_status *s, const char *value)
{
	uint64_t signals;

	if (take_number(&value, 16, &signals))
		s->pending |= signals;
}

static unsigned take_line(struct proc_status *s, const char *line)
{
	const char *v;

	if ((v = value_of(line, "State")) != NULL) {
		s->state = *skip_blanks(v);
		return SEEN_STATE;
	}
	if ((v = value_of(line, "Tgid")) != NULL)
		return take_int(&v, &s->tgid) ? SEEN_TGID : 0;
	if ((v = value_of(line, "Uid")) != NULL)
		return take_ids(v, &s->ruid, &s->euid, &s->suid) ? SEEN_UID : 0;
	if ((v = value_of(line, "Gid")) != NULL)
		return take_ids(v, &s->rgid, &s->egid, &s->sgid) ? SEEN_GID : 0;
	if ((v = value_of(line, "SigIgn")) != NULL)
		return take_number(&v, 16, &s->ignored) ? SEEN_IGNORED : 0;
	if ((v = value_of(line, "SigCgt")) != NULL)
		return take_number(&v, 16, &s->caught) ? SEEN_CAUGHT : 0;
	if ((v = value_of(line, "SigBlk")) != NULL)
		take_number(&v, 16, &s->blocked);
	else if ((v = value_of(line, "SigPnd")) != NULL || (v = value_of(line, "ShdPnd")) != NULL)
		take_pending(s, v);
	else if ((v = value_of(line, "voluntary_ctxt_switches")) != NULL)
		take_number(&v, 10, &s->switches);
	else if ((v = value_of(line, "NSpid")) != NULL)
		take_ns_pids(s, v);
	else if ((v = value_of(line, "TracerPid")) != NULL)
		take_int(&v, &s->tracer);
	else if ((v = value_of(line, "CapEff")) != NULL)
		take_number(&v, 16, &s->capabilities);
	else if ((v = value_of(line, "Threads")) != NULL)
		take_int(&v, &s->threads);
	else if (value_of(line, "VmSize"))
		s->has_memory = true;
	else if ((v = value_of(line, "VmRSS")) != NULL)
		s->resident = take_kilobytes(v);
	else if ((v = value_of(line, "VmSwap")) != NULL)
		s->swapped = take_kilobytes(v);
	return 0;
}

/*
 * The kernel escapes line feeds in the name.  Should something that plays the
 * kernel not do so, then the name cannot lie either: it stands first, and the
 * last line of a kind counts.
 */
bool proc_status_parse(struct proc_status *s, const char *text)
{
	unsigned seen = 0;

	*s = (struct proc_status){ .state = '?' };
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		seen |= take_line(s, line);
	}
	/* Before Linux 4.1. */
	if (!s->ns_depth) {
		s->ns_pid = s->tgid;
		s->ns_depth = 1;
	}
	return seen == SEEN_ALL;
}

static const char *last_line_of(const char *text, const char *key)
{
	const char *found = NULL, *value;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		value = value_of(line, key);
		found = value ? value : found;
	}
	return found;
}

bool proc_status_groups(const char *text, uint32_t **groups, size_t *count)
{
	const char *value = last_line_of(text, "Groups");
	size_t room = value ? strcspn(value, "\n") / 2 + 1 : 0;

	*count = 0;
	*groups = room ? reallocarray(NULL, room, sizeof(**groups)) : NULL;
	if (!*groups)
		return !room;
	while (*count < room && take_id(&value, *groups + *count))
		++*count;
	return true;
}

/* "4711 (name) S 1 ...": the name may hold parentheses, but nothing after it does. */
bool proc_stat_start(const char *text, uint64_t *ticks)
{
	const char *s = strrchr(text, ')');

	for (int i = 0; s && i < FIELDS_BEFORE_START + 1; i++)
		s = strchr(s + 1, ' ');
	return s && take_number(&s, 10, ticks);
}

/* "4711 (name) S 1 ...": state, threads and start are the third, 20th and 22nd. */
bool proc_stat_look(const char *text, struct proc_look *look)
{
	const char *name = strchr(text, '('), *end = strrchr(text, ')'), *s = end;
	size_t len = name && end > name ? (size_t)(end - name - 1) : sizeof(look->name);

	*look = (struct proc_look){ 0 };
	if (len >= sizeof(look->name) || end[1] != ' ')
		return false;
	memcpy(look->name, name + 1, len);
	look->has_ended = end[2] == 'Z' || end[2] == 'X';
	for (int i = 0; s && i < FIELDS_BEFORE_THREADS + 1; i++)
		s = strchr(s + 1, ' ');
	return s && take_number(&s, 10, &look->threads) &&
	       proc_stat_start(text, &look->start_ticks);
}

const char *proc_maps_path(char *line, bool *deleted)
{
	static const char mark[] = " (deleted)";
	char *path = line;
	size_t len;

	for (int i = 0; i < FIELDS_BEFORE_PATH; i++) {
		path += strspn(path, " ");
		path += strcspn(path, " \n");
	}
	path += strspn(path, " ");
	len = strcspn(path, "\n");
	path[len] = '\0';
	*deleted = len > strlen(mark) && strcmp(path + len - strlen(mark), mark) == 0;
	if (*deleted)
		path[len - strlen(mark)] = '\0';
	return *path == '/' ? path : NULL;
}

/* The value of hidepid in the options of a line; "" if it has none. */
static void take_hidepid(const char *line, size_t len, char *how, size_t size)
{
	static const char key[] = "hidepid=";
	const char *found = memmem(line, len, key, strlen(key));

	*how = '\0';
	if (found) {
		found += strlen(key);
		snprintf(how, size, "%.*s", (int)strcspn(found, ", \n"), found);
	}
}

/* "36 35 0:5 / /proc rw,nosuid - proc proc rw,hidepid=2": of several the last one is on top. */
bool proc_mounts_hidepid(const char *text, char *how, size_t size)
{
	*how = '\0';
	for (const char *line = text; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (memmem(line, len, " /proc ", 7) && memmem(line, len, " - proc ", 8))
			take_hidepid(line, len, how, size);
		line += len;
	}
	return *how && strcmp(how, "0") != 0 && strcmp(how, "off") != 0;
}

/* Lines of: the first inside, the first outside, how many. */
bool proc_map_has(const char *text, uint32_t id)
{
	uint64_t inside, outside, count;

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (take_number(&line, 10, &inside) && take_number(&line, 10, &outside) &&
		    take_number(&line, 10, &count) && id >= inside && id - inside < count)
			return true;
	}
	return false;
}
