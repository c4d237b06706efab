#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the recipes of jfrec-engines(7) for ClickHouse, Kafka and OpenTelemetry work as they are?

usage: recipes.py JFREC SOURCE_ROOT

ClickHouse is the module chdb of the Python that runs this, or that JFREC_TEST_PYTHON names. Kafka is
the broker that librdkafka has for tests, and kcat. OpenTelemetry is the package opentelemetry-proto
of the same Python.
"""

import collections
import ctypes
import ctypes.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

jfrec, root = (os.path.realpath(a) for a in sys.argv[1:])
PYTHON = os.environ.get("JFREC_TEST_PYTHON") or sys.executable
OK = root + "/tests/data/ok/"
NAMES = {"web-a-1.0.jfr": "jvm-17.jfr", "web-b-1.1.jfr": "jvm-25.jfr"}
ASK = "import sys, chdb; sys.stdout.write(str(chdb.query(sys.argv[1], 'JSONCompactEachRow')))"


def blocks():
    with open(root + "/man/jfrec-engines.7.scd", encoding="utf-8") as f:
        return re.findall(r"(?ms)^```\n(.*?)^```$", f.read())


def by_sql(statement, *recordings):
    done = subprocess.run([jfrec, "sql", "--ndjson", *recordings, statement], capture_output=True,
                          check=True)
    return [list(json.loads(line).values()) for line in done.stdout.splitlines()]


def in_shell(command, work):
    """A command of the page, with this jfrec; the page's source has two backslashes for one."""
    command = command.replace("\\\\\n", "\\\n")
    return subprocess.run(["sh", "-c", command.replace("jfrec ", f"'{jfrec}' ", 1)], cwd=work,
                          capture_output=True, text=True, timeout=300)


# ClickHouse -------------------------------------------------------------------------------------

def ask(query, work):
    done = subprocess.run([PYTHON, "-c", ASK, query], cwd=work, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr[-500:]


def check_clickhouse(work):
    if subprocess.run([PYTHON, "-c", "import chdb"], capture_output=True).returncode:
        skip("ClickHouse", f"{PYTHON} has no module chdb")
        return
    for name, source in NAMES.items():
        shutil.copy(OK + source, f"{work}/{name}")
    lake, = [b for b in blocks() if b.startswith("jfrec export")]
    in_shell(lake, work)
    lines, = [b for b in blocks() if b.startswith("jfrec print") and "jq" not in b]
    in_shell(lines, work)
    parquet, ndjson = [b for b in blocks() if "FROM file(" in b]
    rows, said = ask(parquet, work)
    counts = [by_sql("SELECT count(*) FROM GCPhasePause", f"{work}/{n}")[0][0] for n in NAMES]
    result(rows and collections.Counter(r[0] for r in rows).keys() == {"a", "b"} and
           sum(int(r[-1]) for r in rows) == sum(counts), "ClickHouse reads Parquet", said, rows)
    rows, said = ask(ndjson, work)
    wanted = by_sql("SELECT name, count(*), max(duration) / 1e6 FROM GCPhasePause GROUP BY 1",
                    f"{work}/web-a-1.0.jfr")
    got = {r[0]: (int(r[1]), round(float(r[2]), 6)) for r in rows}
    result(rows and got == {n: (c, round(m, 6)) for n, c, m in wanted},
           "ClickHouse reads lines of JSON", said, rows, wanted)


# Kafka ------------------------------------------------------------------------------------------

class Broker:
    """librdkafka's broker for tests, in this process."""

    def __init__(self, library):
        self.k = ctypes.CDLL(library)
        for name in ("rd_kafka_conf_new", "rd_kafka_new", "rd_kafka_mock_cluster_new"):
            getattr(self.k, name).restype = ctypes.c_void_p
        self.k.rd_kafka_mock_cluster_bootstraps.restype = ctypes.c_char_p
        text = ctypes.create_string_buffer(512)
        client = self.k.rd_kafka_new(0, ctypes.c_void_p(self.k.rd_kafka_conf_new()), text, 512)
        assert client, text.value
        self.cluster = ctypes.c_void_p(
            self.k.rd_kafka_mock_cluster_new(ctypes.c_void_p(client), 1))
        self.address = self.k.rd_kafka_mock_cluster_bootstraps(self.cluster).decode()

    def set_down(self, is_down):
        name = "rd_kafka_mock_broker_set_down" if is_down else "rd_kafka_mock_broker_set_up"
        return getattr(self.k, name)(self.cluster, 1)


def received(broker, topic):
    done = subprocess.run(["kcat", "-C", "-b", broker.address, "-t", topic, "-o", "beginning",
                           "-e", "-q"], capture_output=True, timeout=120)
    return collections.Counter(done.stdout.splitlines())


def send(broker, topic, source, **more):
    """The command of the page, from a repository in place of a JVM."""
    command, = [b for b in blocks() if "kcat -P" in b]
    command = command.replace("broker:9092", broker.address).replace("-t jfr", f"-t {topic}")
    command = command.replace(" Shop ", f" '{source}' ").replace("jfrec ", f"'{jfrec}' ", 1)
    return subprocess.Popen(["sh", "-c", command], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, **more)


def check_kafka(work):
    library = ctypes.util.find_library("rdkafka")
    if not shutil.which("kcat") or not library:
        skip("Kafka", "there is no kcat, or no librdkafka")
        return
    source = work + "/2026_11_20_09_46_59_4194401"
    os.mkdir(source)
    shutil.copy(OK + "jvm-25.jfr", source + "/2026_11_20_09_46_59.jfr")
    wanted = collections.Counter(subprocess.run(
        [jfrec, "stream", "--ndjson", "--flat", "--utc", "--from", "start", source],
        capture_output=True, check=True).stdout.splitlines())
    count = by_sql("SELECT count(*) FROM GCPhasePause", OK + "jvm-25.jfr")[0][0]
    result(sum(b'"jdk.GCPhasePause"' in e for e in wanted) == count, "the stream has all events")
    broker = Broker(library)
    done = send(broker, "whole", source)
    said = done.communicate(timeout=120)[1]
    got = received(broker, "whole")
    result(got == wanted and len(wanted) > 50, "each event is a message", len(got), len(wanted),
           said.decode()[-300:])

    result(broker.set_down(True) == 0, "the broker goes down")
    sender = send(broker, "restarted", source)
    said = sender.communicate(timeout=120)[1]
    result(sender.returncode != 0, "kcat says so and ends", said.decode()[-300:])
    broker.set_down(False)
    said = send(broker, "restarted", source).communicate(timeout=120)[1]
    got = received(broker, "restarted")
    result(set(got) == set(wanted) and all(got[e] >= n for e, n in wanted.items()),
           "when it is back and both begin again, all events are sent", len(got),
           said.decode()[-300:])

    sender = send(broker, "killed", source, start_new_session=True)
    time.sleep(0.05)
    os.killpg(sender.pid, 9)
    sender.communicate()
    send(broker, "killed", source).communicate(timeout=120)
    got = received(broker, "killed")
    result(set(got) == set(wanted) and all(got[e] >= n for e, n in wanted.items()),
           "so it does when the sender was killed and begins again", len(got))


# OpenTelemetry ----------------------------------------------------------------------------------

# Unknown fields and wrong types are errors there; what it prints is what the file says.
READ = """
import json, sys
from google.protobuf import json_format
from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
for line in open(sys.argv[1]):
    data = json_format.Parse(line, LogsData())
    for r in (r for p in data.resource_logs for s in p.scope_logs for r in s.log_records):
        values = {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in r.attributes}
        print(json.dumps([r.body.string_value, r.time_unix_nano, values]))
"""


def check_collector(work):
    if not shutil.which("jq"):
        skip("OpenTelemetry", "there is no jq")
        return
    if subprocess.run([PYTHON, "-c", "import opentelemetry.proto.logs.v1.logs_pb2"],
                      capture_output=True).returncode:
        skip("OpenTelemetry", f"{PYTHON} has no module opentelemetry.proto")
        return
    shutil.copy(OK + "jvm-17.jfr", f"{work}/web-a-1.0.jfr")
    command, = [b for b in blocks() if "resourceLogs" in b]
    said = in_shell(command, work).stderr
    done = subprocess.run([PYTHON, "-c", READ, f"{work}/pauses.otlp.jsonl"], capture_output=True,
                          text=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    wanted = by_sql('SELECT startTime, duration, gcId, name, "eventThread.osName" '
                    'FROM GCPhasePause', f"{work}/web-a-1.0.jfr")
    got = [[time, v["duration"], v["gcId"], v["name"], v.get("eventThread.osName")]
           for _, time, v in records]
    result(records and got == wanted and {r[0] for r in records} == {"jdk.GCPhasePause"},
           "OpenTelemetry's definitions read each event as a log record", said, done.stderr[-500:],
           got[:3], wanted[:3])


def main():
    with tempfile.TemporaryDirectory() as work:
        check_clickhouse(work)
        check_kafka(work)
        check_collector(work)
    finish()


main()
