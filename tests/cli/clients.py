#!/usr/bin/env python3
"""Clients of all kinds of a server of metrics, one line of TAP each.

usage: http.py PORT
"""

import http.client
import socket
import sys
import time

port = int(sys.argv[1])
number = 0


def result(name, good):
    global number
    number += 1
    print(f"{'ok' if good else 'not ok'} {number} - {name}")


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
result("the page", status == 200 and page.endswith("# EOF\n") and int(headers["Content-Length"]) == len(page))
result("its type", headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0"))
result("with a query", get("/metrics?name[]=x")[0] == 200)
result("at the root", get("/")[0] == 200)
result("no other page", get("/metrics/x")[0] == 404 and get("/metric")[0] == 404)
status, headers, page = get("/metrics", "HEAD")
result("its head", status == 200 and page == "" and int(headers["Content-Length"]) > 0)
status, headers, _ = get("/metrics", "DELETE")
result("another method", status == 405 and headers["Allow"] == "GET, HEAD")
result("no request", raw(b"nonsense\r\n\r\n").startswith("HTTP/1.1 400 "))
result("another protocol", raw(b"GET /metrics SMTP/1.1\r\n\r\n").startswith("HTTP/1.1 400 "))
result("a request in pieces",
       raw(b"GET /met", b"rics HTTP/1.0\r", b"\n\r\n", pause=0.1).startswith("HTTP/1.1 200 OK\r\n"))
result("lines ended as they should not be", raw(b"GET / HTTP/1.1\n\n").startswith("HTTP/1.1 200 OK\r\n"))
result("a request without end", raw(b"GET /metrics HTTP/1.1\r\n" + b"x" * 9000).startswith("HTTP/1.1 431 "))
silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(16)]
began = time.monotonic()
status, _, _ = get("/metrics")
result("silent clients are left", status == 200 and time.monotonic() - began < 9)
for s in silent:
    s.close()
silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
began = time.monotonic()
results = [get("/metrics")[0] for _ in range(3)]
result("300 silent clients starve nobody", results == [200] * 3 and time.monotonic() - began < 4)
for s in silent:
    s.close()


def status_of(host):
    return raw(b"GET /metrics HTTP/1.1\r\naccept: x\r\n" + host + b"\r\n\r\n")[:12]


result("hosts that are this one", all(status_of(host) == "HTTP/1.1 200" for host in (
    b"Host: localhost", b"host:LOCALHOST:9464", b"Host: 127.0.0.1:1", b"Host:\t[::1]:80 ", b"Host:")))
result("names of others, as of DNS rebinding", all(status_of(host) == "HTTP/1.1 421" for host in (
    b"Host: evil.example", b"hOST:evil.example:9464", b"Host: localhost.evil.example",
    b"Host: localhost\r\nHost: evil.example", b"Host: 127.0.0.1.evil.example")))
s = socket.create_connection(("127.0.0.1", port))
s.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
s.close()
result("a client that goes away", get("/metrics")[0] == 200)
print(f"1..{number}")
