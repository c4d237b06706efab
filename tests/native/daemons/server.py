# SPDX-License-Identifier: MIT
#
# server.py - a server in Python as its documentation shows one: a process for each client
#
# usage: server.py [--daemon] [--close] [--user UID] [--root DIRECTORY] PORT
#
# Answers each line with the same line.  SIGHUP writes a line, SIGTERM ends it.

import argparse
import os
import resource
import signal
import socketserver
import sys

parser = argparse.ArgumentParser()
parser.add_argument('--daemon', action='store_true')
parser.add_argument('--close', action='store_true')
parser.add_argument('--user', type=int)
parser.add_argument('--root')
parser.add_argument('port', type=int)
options = parser.parse_args()


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(line)


class Server(socketserver.ForkingTCPServer):
    allow_reuse_address = True


def reload(*_):
    os.write(2, b'reloaded\n')


def end(*_):
    sys.exit(3)


def become_daemon():
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    os.chdir('/')


if options.daemon:
    become_daemon()
if options.close:
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
server = Server(('127.0.0.1', options.port), Handler)
if options.root:
    os.chroot(options.root)
    os.chdir('/')
if options.user:
    os.setgroups([])
    os.setgid(options.user)
    os.setuid(options.user)
signal.signal(signal.SIGHUP, reload)
signal.signal(signal.SIGTERM, end)
server.serve_forever()
