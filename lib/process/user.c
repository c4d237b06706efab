/* SPDX-License-Identifier: MIT */
/*
 * user.c - look up user names
 */
#include "process/user.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

/* Room for the strings of a user: directories of companies hold long ones. */
#define ENTRY_ROOM (64u << 10)

char *user_name(uint32_t uid)
{
	char *room = malloc(ENTRY_ROOM), *name = NULL;
	struct passwd entry, *found = NULL;

	if (room && getpwuid_r(uid, &entry, room, ENTRY_ROOM, &found) == 0 && found)
		name = strdup(found->pw_name);
	free(room);
	return name;
}

static bool find_by_name(const char *user, uint32_t *uid)
{
	char *room = malloc(ENTRY_ROOM);
	struct passwd entry, *found = NULL;

	if (room && getpwnam_r(user, &entry, room, ENTRY_ROOM, &found) == 0 && found)
		*uid = found->pw_uid;
	free(room);
	return found != NULL;
}

/* A name may consist of digits; then it is the name. */
bool user_find(const char *user, uint32_t *uid)
{
	unsigned long long n;
	char *end;

	if (find_by_name(user, uid))
		return true;
	if (!isdigit((unsigned char)*user))
		return false;
	errno = 0;
	n = strtoull(user, &end, 10);
	if (*end || errno || n > UINT32_MAX)
		return false;
	*uid = (uint32_t)n;
	return true;
}
