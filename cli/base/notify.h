/* SPDX-License-Identifier: MIT */
/*
 * notify.h - report the state of the service to systemd
 */
#ifndef JFREC_CLI_BASE_NOTIFY_H
#define JFREC_CLI_BASE_NOTIFY_H

/*
 * Send lines such as "READY=1" to the socket that $NOTIFY_SOCKET names, as sd_notify(3) does.
 * Without such a socket, or without a listener, nothing happens.
 */
void notify(const char *lines);

#endif
