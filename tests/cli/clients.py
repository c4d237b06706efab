#!/usr/bin/env python3
"""Clients of all kinds of a server of metrics, one line of TAP each.

usage: clients.py PORT
"""

import http.client
import os
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

port = int(sys.argv[1])


def get(path, method="GET"):
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    c.request(method, path)
    r = c.getresponse()
    return r.status, r.headers, r.read().decode()


def raw(*pieces, pause=0.0):
    with socket.create_connection(("127.0.0.1", port), timeout=15) as s:
        try:
            for piece in pieces:
                s.sendall(piece)
                time.sleep(pause)
            answer = b""
            while more := s.recv(65536):
                answer += more
        except ConnectionError:
            pass
        return answer.decode()


status, headers, page = get("/metrics")
result(status == 200 and page.endswith("# EOF\n") and int(headers["Content-Length"]) == len(page), "the page")
result(headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0"), "its type")
result(get("/metrics?name[]=x")[0] == 200, "with a query")
result(get("/")[0] == 200, "at the root")
result(get("/metrics/x")[0] == 404 and get("/metric")[0] == 404, "no other page")
status, headers, page = get("/metrics", "HEAD")
result(status == 200 and page == "" and int(headers["Content-Length"]) > 0, "its head")
status, headers, _ = get("/metrics", "DELETE")
result(status == 405 and headers["Allow"] == "GET, HEAD", "another method")
result(raw(b"nonsense\r\n\r\n").startswith("HTTP/1.1 400 "), "no request")
result(raw(b"GET /metrics SMTP/1.1\r\n\r\n").startswith("HTTP/1.1 400 "), "another protocol")
result(raw(b"GET /met", b"rics HTTP/1.0\r", b"\n\r\n", pause=0.1).startswith("HTTP/1.1 200 OK\r\n"),
       "a request in pieces")
result(raw(b"GET / HTTP/1.1\n\n").startswith("HTTP/1.1 200 OK\r\n"), "lines ended as they should not be")
result(raw(b"GET /metrics HTTP/1.1\r\n" + b"x" * 9000).startswith("HTTP/1.1 431 "), "a request without end")
silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(16)]
began = time.monotonic()
status, _, _ = get("/metrics")
result(status == 200 and time.monotonic() - began < 9, "silent clients are left")
for s in silent:
    s.close()
silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
began = time.monotonic()
results = [get("/metrics")[0] for _ in range(3)]
result(results == [200] * 3 and time.monotonic() - began < 4, "300 silent clients starve nobody")
for s in silent:
    s.close()


def status_of(host):
    return raw(b"GET /metrics HTTP/1.1\r\naccept: x\r\n" + host + b"\r\n\r\n")[:12]


result(all(status_of(host) == "HTTP/1.1 200" for host in (
    b"Host: localhost", b"host:LOCALHOST:9464", b"Host: 127.0.0.1:1", b"Host:\t[::1]:80 ", b"Host:")),
       "hosts that are this one")
result(all(status_of(host) == "HTTP/1.1 421" for host in (
    b"Host: evil.example", b"hOST:evil.example:9464", b"Host: localhost.evil.example",
    b"Host: localhost\r\nHost: evil.example", b"Host: 127.0.0.1.evil.example")),
       "names of others, as of DNS rebinding")
s = socket.create_connection(("127.0.0.1", port))
s.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
s.close()
result(get("/metrics")[0] == 200, "a client that goes away")
finish()
