"""jfrec mcp: each message of a session is as the protocol's own JSON Schema says, in each revision.

usage: mcp_schema.py JFREC SOURCE_ROOT

The schemas are those of github.com/modelcontextprotocol/modelcontextprotocol: JFREC_TEST_MCP_SCHEMA
is a directory with a file REVISION.json for each, or with REVISION/schema.json as there.  Without it
the test skips.  Prints TAP.
"""

import json
import os
import shutil
import sys
import tempfile

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, "tests"))
from mcp_client import STATELESS, Server  # noqa: E402
from tap import finish, result, skip  # noqa: E402

try:
    from jsonschema.validators import validator_for
except ImportError:  # python3-jsonschema
    validator_for = None

SCHEMAS = os.environ.get("JFREC_TEST_MCP_SCHEMA")
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
RESULTS = {
    "initialize": "InitializeResult", "server/discover": "DiscoverResult", "ping": "EmptyResult", "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult", "resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
}
if not SCHEMAS or not validator_for:
    skip("the protocol's schemas", "JFREC_TEST_MCP_SCHEMA names no directory of them" if validator_for else "no python3-jsonschema")
    finish()
    sys.exit()


class Protocol:
    def __init__(self, revision):
        paths = [os.path.join(SCHEMAS, name) for name in (f"{revision}.json", f"{revision}/schema.json")]
        with open(next(path for path in paths if os.path.exists(path)), encoding="utf-8") as f:
            self.schema = json.load(f)
        self.key = "$defs" if "$defs" in self.schema else "definitions"

    def faults(self, value, *names):
        """What is wrong with it as each of those that this revision has."""
        found = []
        for name in names:
            if name in self.schema[self.key]:
                schema = {key: self.schema[key] for key in ("$schema", self.key)}
                schema["$ref"] = f"#/{self.key}/{name}"
                found += [f"{name}: {'/'.join(map(str, e.absolute_path))}: {e.message[:200]}"
                          for e in validator_for(schema)(schema).iter_errors(value)]
        return found


def session(server, revision):
    """Requests of all kinds, good and refused, with progress; yields nothing: the server keeps what was said."""
    if not server.meta:
        server.begin(revision)
        server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        server.ask("ping")
    else:
        server.ask("server/discover")
    for method in ("tools/list", "resources/list", "resources/templates/list"):
        server.ask(method)
    for tool, arguments in (
        ("summary", {"recording": "a.jfr"}), ("views", {"recording": "a.jfr"}), ("view", {"recording": "a.jfr", "view": "gc-pauses"}),
        ("query", {"recording": "a.jfr", "query": "SELECT COUNT(*) FROM ThreadSleep"}), ("analyze", {"recording": "a.jfr"}),
        ("sql", {"recording": "a.jfr", "sql": "select 1"}), ("explain", {"rule": "gc-full"}), ("hot_stacks", {"recording": "a.jfr"}),
        ("diff", {"before": "a.jfr", "after": "a.jfr"}), ("events", {"recording": "a.jfr", "events": "GC*"}),
        ("settings", {"what": "ThreadPark"}), ("list_jvms", {}), ("view", {"recording": "../a.jfr", "view": "gc"}), ("view", {}),
    ):
        server.ask("tools/call", name=tool, arguments=arguments)
    meta = dict(server.meta or {}, progressToken="p")
    server.ask("tools/call", name="sql", arguments={"recording": "a.jfr", "sql": SLOW}, _meta=meta)
    for uri in ("jfrec://skill", "jfrec://rules/gc-full", "jfrec://none"):
        server.ask("resources/read", uri=uri)
    server.ask("tools/call", name="none", arguments={})
    server.ask("none")
    if revision >= "2025-11-25":  # before, an error had to have an id
        server.send("{")
        server.receive()


SLOW = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 90000000) select max(i) from n"
root = tempfile.mkdtemp(prefix="jfrec-mcp-")
shutil.copy(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"), os.path.join(root, "a.jfr"))
for revision in REVISIONS:
    protocol = Protocol(revision)
    server = Server(JFREC, "--root", root, "--live", "--max-time", "3s", meta=STATELESS if revision == "2026-07-28" else None)
    session(server, revision)
    server.end()
    methods, seen = {}, set()
    for line in filter(lambda line: line != "{", server.sent):
        message = json.loads(line)
        methods[message.get("id")] = message["method"]
    faults = []
    for line in filter(None, server.received):
        message = json.loads(line)
        if "method" in message:
            seen.add(message["method"])
            faults += protocol.faults(message, "JSONRPCMessage", "JSONRPCNotification", "ServerNotification")
        elif "error" in message:
            seen.add("error")
            faults += protocol.faults(message, "JSONRPCMessage", "JSONRPCError", "JSONRPCErrorResponse")
        else:
            method = methods[message["id"]]
            seen.add(method)
            faults += protocol.faults(message, "JSONRPCMessage", "JSONRPCResponse", "JSONRPCResultResponse")
            faults += protocol.faults(message["result"], RESULTS[method], "ServerResult")
    count = len(server.received)
    result(not faults, f"{revision}: {count} messages are as its schema says", *sorted(set(faults))[:8])
    want = {"tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "error", "notifications/progress"}
    result(want <= seen, f"{revision}: all kinds were there", want - seen)
    result(protocol.faults({"tools": [{"name": 7}]}, "ListToolsResult") and protocol.faults({"jsonrpc": "2.0"}, "JSONRPCMessage"),
           f"{revision}: a planted fault is found")
shutil.rmtree(root)
finish()
