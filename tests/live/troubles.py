"""Programs with one trouble each, and healthy ones, each in a JVM: what does analyze say of them?

usage: troubles.py JFREC FEATURE JAVA ROOT DIR [CASE...]

JAVA is a java of JDK FEATURE and DIR a directory with the classes of troubles/, both as seen in
ROOT ("" is this system).  The recordings are left in DIR.  Of a trouble, each named finding must
come, at its severity; of a healthy program no warning.  Prints a line of results for each case,
"ok NAME" or "not ok NAME", and all findings as comments; the script that calls this counts them.
"""

import json
import os
import re
import subprocess
import sys

JFREC, FEATURE, JAVA, ROOT, DIR = sys.argv[1], int(sys.argv[2]), *sys.argv[3:6]
WANTED = sys.argv[6:]
NOTHING = {}
CGROUP = "/sys/fs/cgroup"
ON = {"enabled": "true"}
ALL = {"enabled": "true", "threshold": "0 ns"}


def each(period):
    return {"enabled": "true", "period": period}


class Case:
    """since, until: of the JDKs that have the events; in_group: with half a processor."""

    def __init__(self, name, command, options="", events=NOTHING, finds=NOTHING, since=8, until=99, **more):
        self.name, self.command, self.options = name, command, options
        self.events, self.finds, self.since, self.until = events, finds, since, until
        self.is_healthy = not finds
        self.recording = more.get("recording", "")
        self.in_group = more.get("in_group", False)



CASES = [
    Case(
        "long-pause",
        "LongPause 8",
        "-XX:+UseSerialGC -Xmx700m",
        finds={"gc-pause-longest": "warning", "gc-pause-share": "warning", "gc-explicit": "warning"},
    ),
    Case("alloc-pressure", "AllocPressure 12", "-Xmx200m", finds={"allocation-site": "info"}, since=17),
    Case(
        "alloc-pressure-tlab",
        "AllocPressure 12",
        "-Xmx200m",
        {"ObjectAllocationInNewTLAB": ON, "ObjectAllocationOutsideTLAB": ON},
        {"allocation-site": "info"},
        until=11,
    ),
    Case("lock-contention", "LockContention 8", "-Xmx100m", finds={"lock-contention": "warning"}),
    Case(
        "exception-storm",
        "ExceptionStorm 8",
        "-Xmx100m",
        {"JavaExceptionThrow": ON},
        {"exceptions": "warning"},
    ),
    Case("slow-socket", "SlowSocket 3", "-Xmx100m", finds={"socket-wait": "warning"}),
    Case("pinning", "Pinning 4", "-Xmx100m", finds={"vthread-pinned": "warning"}, since=21),
    Case(
        "code-cache-full",
        "CodeCacheFull 12",
        "-Xmx400m -XX:ReservedCodeCacheSize=2600k -XX:-UseCodeCacheFlushing",
        {"CodeCacheStatistics": each("1 s")},
        {"code-cache": "warning"},
    ),
    Case(
        "metaspace-oom",
        "MetaspaceOom 0 20",
        "-Xmx200m -XX:MaxMetaspaceSize=24m",
        {"ClassLoad": ALL},
        {"metaspace-growth": "warning"},
    ),
    Case(
        "class-leak",
        "MetaspaceOom 5 10",
        "-Xmx200m",
        {"ClassLoad": ALL, "ClassUnload": ON, "ClassLoaderStatistics": each("2 s")},
        {"class-loader-leak": "warning"},
    ),
    Case(
        "leak",
        "Leak 20",
        "-Xmx100m",
        {"OldObjectSample": {"enabled": "true", "cutoff": "infinity"}},
        {"live-set-growth": "warning"},
        recording=",path-to-gc-roots=true",
    ),
    Case("leak-no-chains", "Leak 20", "-Xmx100m", finds={"live-set-growth": "warning"}),
    Case(
        "bias-cpu-time",
        "Bias 12 6",
        "-Xmx200m -XX:-UseCountedLoopSafepoints -XX:LoopStripMiningIter=0",
        {"SafepointLatency": ALL, "CPUTimeSample": {"enabled": "true", "throttle": "2ms"}},
        {"sampling-latency": "warning", "sampling-lost": "info"},
        since=25,
    ),
    Case(
        "bias",
        "Bias 10 6",
        "-Xmx200m -XX:-UseCountedLoopSafepoints -XX:LoopStripMiningIter=0",
        finds={"sampling-reached": "warning"},
        since=11,
        until=24,
    ),
    Case(
        "cpu-lost",
        "Bias 8 40",
        "-Xmx200m",
        {"CPUTimeSample": {"enabled": "true", "throttle": "10us"}},
        {"sampling-lost": "info"},
        since=25,
    ),
    Case(
        "secrets",
        "Secrets --keystore-password=changeit user=anna",
        "-Xmx60m -Ddb.password=hunter2 -DapiToken=abc123",
        finds={"secrets": "warning"},
        until=26,  # later ones do not record them
    ),
    Case(
        "finalizers",
        "Finalizers 6",
        "-Xmx100m",
        {"FinalizerStatistics": each("1 s")},
        {"finalizers": "warning"},
        since=21,
    ),
    Case(
        "humongous",
        "Humongous 8 55",
        "-XX:+UseG1GC -XX:G1HeapRegionSize=1m -Xmx100m",
        finds={"gc-evacuation-failed": "warning", "gc-humongous": "info", "gc-full": "warning"},
    ),
    Case("z-stall", "ZStall 8", "-XX:+UseZGC -Xmx90m", finds={"gc-zgc-stall": "warning"}, since=17),
    Case(
        "shenandoah",
        "ZStall 6",
        "-XX:+UseShenandoahGC -Xmx120m",
        finds={"gc-shenandoah-degenerated": "warning"},
        since=17,
    ),
    Case(
        "direct-buffers",
        "DirectBuffers 10",
        "-Xmx100m -XX:MaxDirectMemorySize=100m -XX:NativeMemoryTracking=summary",
        {
            "DirectBufferStatistics": each("1 s"),
            "ResidentSetSize": each("1 s"),
            "NativeMemoryUsage": each("1 s"),
            "NativeMemoryUsageTotal": each("1 s"),
        },
        {"direct-buffers": "warning"},
        since=17,
    ),
    Case(
        "untrusted",
        "Untrusted",
        "-Xmx100m",
        {
            "Deserialization": ON,
            "SecurityPropertyModification": ON,
            "X509Certificate": ON,
            "DeprecatedInvocation": ON,
        },
        {"deserialization": "info", "security-properties": "warning", "process-start": "info"},
        since=17,
    ),
    Case(
        "deep-stacks",
        "DeepStacks 5",
        "-Xmx100m",
        finds={"stack-depth": "warning"},
    ),
    Case(
        "data-loss",
        "Loss 1 300",
        "-Xmx200m -XX:FlightRecorderOptions=memorysize=1m,globalbuffersize=64k,threadbuffersize=4k",
        finds={"buffers-lost": "warning"},
        since=11,
        until=17,
    ),
    Case(
        "throttled",
        "Throttled 10",
        "-Xmx100m",
        {
            "ContainerConfiguration": ON,
            "ContainerCPUUsage": each("1 s"),
            "ContainerCPUThrottling": each("1 s"),
            "ContainerMemoryUsage": each("1 s"),
            "ContainerIOUsage": each("1 s"),
        },
        {"container-throttled": "info"},
        since=17,
        in_group=True,
    ),
    # Nothing is wrong with these.
    Case("idle", "Idle 25", "-Xmx100m"),
    Case("idle-observed", "Idle 5", "-Xmx100m", {"ObjectCount": ON}),
    Case("keep-alive", "KeepAlive 4", "-Xmx100m"),
    Case("busy-server", "BusyServer 25", "-Xmx200m"),
    Case("batch", "Batch 12", "-Xmx200m"),
    Case("start-up", "StartUp 2", "-Xmx200m"),
]


def in_root(*command):
    return ["chroot", ROOT, *command] if ROOT else list(command)


def profile():
    """The JDK's own profile."""
    home = os.path.dirname(os.path.dirname(JAVA))
    for folder in "lib/jfr", "jre/lib/jfr":
        done = subprocess.run(in_root("cat", f"{home}/{folder}/profile.jfc"), capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout
    raise SystemExit(f"{home} has no profile.jfc")


def settings_with(events):
    """The text of settings: those of the profile, with these events as given."""
    text = profile()
    for event, settings in events.items():
        text = re.sub(rf'<event name="jdk.{event}">.*?</event>', "", text, flags=re.S)
        lines = "".join(f'<setting name="{k}">{v}</setting>' for k, v in settings.items())
        stack = '<setting name="stackTrace">true</setting>'
        added = f'<event name="jdk.{event}">{lines}{stack}</event>'
        text = text.replace("</configuration>", added + "</configuration>")
    return text


def run(case):
    """Runs it; the path of its recording."""
    name = f"{case.name}-{FEATURE}"
    settings, recording = f"{DIR}/{name}.jfc", f"{DIR}/{name}.jfr"
    with open(ROOT + settings, "w", encoding="utf-8") as f:
        f.write(settings_with(case.events))
    options = case.options.split()
    if "+UseZGC" in case.options and 21 <= FEATURE < 23:
        options.append("-XX:+ZGenerational")
    start = f"-XX:StartFlightRecording=settings={settings},filename={recording}{case.recording}"
    command = in_root(JAVA, *options, start, "-cp", DIR, *case.command.split())
    if case.in_group:
        # The JVM reads in /sys what its group may use.
        show = f"mount --rbind /sys {ROOT}/sys && " if ROOT else ""
        inside = f'{show}echo $$ > {group()}/cgroup.procs && exec "$@"'
        command = ["unshare", "--mount", "sh", "-c", inside, "sh", *command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    except subprocess.TimeoutExpired:
        return None, "the program did not end in 180 s"
    if not os.path.exists(ROOT + recording):
        return None, done.stdout[-500:] + done.stderr[-500:]
    return ROOT + recording, ""


def group():
    """A control group with half a processor, or nothing."""
    try:
        if os.path.isdir(f"{CGROUP}/cpu"):
            path = f"{CGROUP}/cpu/jfrec-test"
            os.makedirs(path, exist_ok=True)
            with open(f"{path}/cpu.cfs_quota_us", "w", encoding="ascii") as f:
                f.write("50000")
        else:
            path = f"{CGROUP}/jfrec-test"
            os.makedirs(path, exist_ok=True)
            with open(f"{path}/cpu.max", "w", encoding="ascii") as f:
                f.write("50000 100000")
    except OSError:
        return None
    return path


def findings(recording):
    done = subprocess.run([JFREC, "analyze", "--json", recording], capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"analyze {recording}: {done.stderr}")
    return {x["rule"]: x for v in json.loads(done.stdout)["jvms"] for x in v["findings"]}


def is_met(wanted, got):
    order = ["ok", "info", "warning"]
    return got in order and order.index(got) >= order.index(wanted)


def is_busy():
    """Other processes want more than twice the processors that there are."""
    return os.getloadavg()[0] > 2 * os.cpu_count()


# Findings that fit into the first screen of a report, 1280 x 800.
FIRST_SCREEN = 4


def judge(case, recording):
    """All findings, and those that are not as they should be."""
    found = findings(recording)
    bad = [x for r, s in case.finds.items() if not is_met(s, (x := found[r])["severity"])]
    if case.finds and not set(case.finds) & set(list(found)[:FIRST_SCREEN]):
        bad += [found[r] for r in case.finds if found[r] not in bad]
    if case.is_healthy:
        bad = [x for x in found.values() if x["severity"] == "warning"]
    return found, bad


def check(case):
    """Programs need a processor: where they got none, they are given two more chances."""
    for _ in range(3):
        recording, said = run(case)
        if not recording:
            skipped = f" # SKIP the machine is busy: {said}" if is_busy() else ""
            print(f"{'ok' if skipped else 'not ok'} {case.name}{skipped}\n# no recording: {said}")
            return
        found, bad = judge(case, recording)
        if not bad or not is_busy():
            break
    if bad and is_busy():
        print(f"ok {case.name} # SKIP the machine is busy, load {os.getloadavg()[0]:.0f}")
    else:
        print("not ok" if bad else "ok", case.name)
    for x in bad:
        print(f"#   BAD {x['rule']} {x['severity']} {x['summary']}")
    for x in found.values():
        if x["severity"] in ("info", "warning"):
            print(f"#   {x['severity']:8} {x['rule']:24} {x['summary']}")
    print("#   load", *os.getloadavg(), flush=True)


for one in CASES:
    if WANTED and one.name not in WANTED or not WANTED and not one.since <= FEATURE <= one.until:
        continue
    if one.in_group and not group():
        print(f"ok {one.name} # SKIP no control group can be made")
        continue
    check(one)
