/* SPDX-License-Identifier: MIT */
/*
 * notify.c - report the state of the service to systemd
 *
 * The protocol is one datagram for each message; a name that begins with @ is abstract.
 */
#include "base/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify(const char *lines)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *name = getenv("NOTIFY_SOCKET");
	size_t len = name ? strlen(name) : 0;
	int fd;

	if (len < 2 || len >= sizeof(to.sun_path) || (*name != '/' && *name != '@'))
		return;
	memcpy(to.sun_path, name, len);
	if (*name == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, lines, strlen(lines), MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&to,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	close(fd);
}
