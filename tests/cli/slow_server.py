"""What `jfrec trace` says of SlowServer's requests (tests/live/SlowServer.java) is what they measured
themselves, for each of the five reasons.  For tests/cli/trace.py and tests/live/trace.sh.

usage: slow_server.py JFREC RECORDING

Prints what is wrong; exits with 1 then.
"""
import collections
import json
import subprocess
import sys

REASONS = {"lock": "lock", "gc": "gc", "socket": "socket", "cpu": "running", "pinned": "pinned"}


def judge(jfrec, path, is_busy=False):
    """What is wrong, as sentences.  On a busy machine requests also wait for a processor."""
    done = subprocess.run([jfrec, "trace", "--json", "--top", "100", path], capture_output=True, text=True)
    if done.returncode != 0:
        return [done.stderr]
    document = json.loads(done.stdout)
    faults = [] if document["found"] == 1000 else [f"{document['found']} requests, not 1000"]
    counts = collections.Counter()
    measured, said, unexplained, took, waited = (collections.Counter() for _ in range(5))
    for request in document["requests"]:
        fields = {f["name"]: f["value"] for f in request["fields"]}
        reason = fields["reason"]
        counts[reason] += 1
        measured[reason] += fields["measured"]
        said[reason] += request["time"][REASONS.get(reason, "running")]["nanos"]
        unexplained[reason] += request["time"]["unexplained"]["nanos"]
        took[reason] += request["durationNanos"]
        if is_busy:
            waited[reason] += request["durationNanos"] - fields["measured"]
        if reason == "cpu" and not any(m["method"].startswith("SlowServer.") for m in request["methods"]):
            faults.append(f"no method is named: {request['methods']}")
    if counts != {reason: 20 for reason in REASONS}:
        faults.append(f"the slowest are {dict(counts)}")
    for reason in REASONS:
        if abs(said[reason] - measured[reason]) > 0.1 * measured[reason]:
            faults.append(f"{reason}: {said[reason]} ns of {measured[reason]}")
        if unexplained[reason] - waited[reason] > 0.15 * took[reason]:
            faults.append(f"{reason}: {unexplained[reason]} ns of {took[reason]} are unexplained")
    return faults


if __name__ == "__main__":
    said = judge(*sys.argv[1:], is_busy=True)
    print(*said, sep="\n")
    sys.exit(bool(said))
