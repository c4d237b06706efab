"""jfrec mcp: a thousand calls over twenty recordings leave nothing behind.

usage: mcp_calls.py JFREC SOURCE_ROOT [CALLS]

Prints TAP.
"""

import os
import shutil
import sys
import tempfile
import time

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CALLS = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
sys.path.insert(0, os.path.join(ROOT, "tests"))
from mcp_client import Server  # noqa: E402
from plant import Recording, Types  # noqa: E402
from tap import finish, result, skip  # noqa: E402

QUESTIONS = (("summary", {}), ("view", {"view": "slow-files"}), ("events", {"events": "FileRead", "limit": 3}),
             ("sql", {"sql": 'select path, count(*) from "jdk.FileRead" group by 1'}), ("views", {}),
             ("query", {"query": "SELECT path, COUNT(*) FROM FileRead GROUP BY path"}), ("view", {"view": "none"}),
             ("hot_stacks", {}), ("summary", {}), ("view", {"view": "all-events"}))


def used(server):
    """RSS of the server and of its children in kB, and its descriptors, when all calls have ended."""
    server.ask("ping")
    pid, sizes = server.process.pid, []
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        pids = [str(pid), *f.read().split()]
    for one in pids:
        with open(f"/proc/{one}/status") as f:
            sizes += [int(line.split()[1]) for line in f if line.startswith("VmRSS:")]
    return sum(sizes), len(os.listdir(f"/proc/{pid}/fd")), len(pids)


root = tempfile.mkdtemp(prefix="jfrec-mcp-")
types = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))
for i in range(20):
    r = Recording(types)
    for k in range(50):
        r.add("jdk.FileRead", at=k / 10, duration=0.001 * i, path=f"/srv/{i}/{k}", bytesRead=k, eventThread=f"reader-{i}",
              stackTrace=["java.io.FileInputStream.read", f"app>app.Reader{i}.run"])
    with open(os.path.join(root, f"{i}.jfr"), "wb") as f:
        f.write(r.bytes())
server = Server(JFREC, "--root", root)
if server.begin() is None:
    skip("jfrec mcp", server.process.stderr.read().strip()[:200])
    finish()
    sys.exit()
began, failed, after = time.monotonic(), 0, {}
for i in range(CALLS):
    tool, arguments = QUESTIONS[(i + i // 20) % len(QUESTIONS)]  # all of them within the first hundred
    got = server.call(tool, recording=f"{i % 20}.jfr", **arguments)
    failed += got["isError"] != (arguments.get("view") == "none")
    server.sent.clear()
    server.received.clear()
    if i + 1 in (100, CALLS):
        after[i + 1] = used(server)
(early, files, _), (late, files_late, processes) = after[100], after[CALLS]
print(f"# {CALLS} calls in {time.monotonic() - began:.0f} s; RSS after 100: {early} kB, after all: {late} kB")
result(failed == 0, "each call is answered", failed)
result(late <= 1.1 * early, "memory does not grow", early, late)
result(files_late == files, "no descriptor is left", files, files_late)
result(processes == 1, "no process is left", processes)
result(server.end() == 0, "the server ends")
shutil.rmtree(root)
finish()
