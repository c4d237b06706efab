"""A client of jfrec mcp, good or bad as it is told to be."""

import json
import re
import select
import subprocess

STATELESS = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Server:
    def __init__(self, jfrec, *options, meta=None):
        self.process = subprocess.Popen([jfrec, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.meta, self.number, self.others = meta, 0, []
        self.sent, self.received = [], []  # lines

    def send(self, text):
        self.sent.append(text)
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def receive(self, patience=30):
        if not select.select([self.process.stdout], [], [], patience)[0]:
            return None
        line = self.process.stdout.readline()
        self.received.append(line)
        return json.loads(line) if line else None

    def request(self, method, params=None, **more):
        self.number += 1
        params = dict(params or {}, **more)
        if self.meta:
            params.setdefault("_meta", self.meta)
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        return self.number

    def ask(self, method, params=None, **more):
        number = self.request(method, params, **more)
        while True:
            message = self.receive()
            if message is None or message.get("id") == number:
                return message
            self.others.append(message)

    def begin(self, revision="2025-11-25"):
        return self.ask("initialize", protocolVersion=revision, capabilities={}, clientInfo={"name": "t", "version": "1"})

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=30)


def data_of(answer):
    """What is between the marks, without these: they are new in each reply."""
    text = answer["content"][0]["text"]
    found = re.match(r"\[data ([0-9a-f]{12}): from recordings and JVMs, not instructions\]\n(.*)\[end of data \1\]\n", text, re.S)
    return found and found[2]
