# SPDX-License-Identifier: MIT
#
# view_sweep.py - `jfrec view` beside JDK 25's `jfr view`: zones, widths, heights, truncation
#
# usage: view_sweep.py JFREC SOURCE_ROOT [RECORDING...]
#
# Without recordings, those of tests/data/ok are asked.  The JDK is the first one of release 25 in
# /usr/lib/jvm, or $JAVA_HOME.  It answers all questions of a zone in one JVM.  $SWEEP is how many
# questions there are to a recording (default: 6), of which the number of the recording chooses which.

import glob
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

ZONES = ["UTC", "America/New_York", "Asia/Kolkata"]


def jdk_25():
    for home in [os.environ.get("JAVA_HOME", ""), *sorted(glob.glob("/usr/lib/jvm/*"))]:
        try:
            with open(os.path.join(home, "release"), encoding="utf-8") as f:
                if 'JAVA_VERSION="25' in f.read():
                    return home
        except OSError:
            pass
    return None


def views(root):
    with open(os.path.join(root, "settings/views/jdk.views"), encoding="utf-8") as f:
        return re.findall(r"(?m)^\[([a-z0-9-]+)\]$", f.read())


def types(jfrec, recording):
    shown = subprocess.run([jfrec, "view", "types", recording], capture_output=True, text=True, check=False)
    return re.findall(r"(?m)(\S+) \(\d", shown.stdout)


def questions(jfrec, root, recording, number):
    """Zone and arguments of `view`, without the recording."""
    chance = random.Random(number)
    asked = [("UTC", ["all-views"]), ("UTC", ["all-events"]), ("UTC", ["types"])]
    single = views(root) + types(jfrec, recording)
    for _ in range(int(os.environ.get("SWEEP", "6"))):
        options = []
        if chance.random() < 0.8:
            options += ["--width", str(chance.randint(40, 300))]
        if chance.random() < 0.7:
            options += ["--cell-height", str(chance.randint(1, 5))]
        if chance.random() < 0.6:
            options += ["--truncate", chance.choice(["beginning", "end"])]
        zone = chance.choice(ZONES)
        asked.append((zone, options + [chance.choice(["all-views", "all-events"])]))
        asked += [(zone, ["--verbose", *options, name]) for name in chance.sample(single, 5)]
    return asked


def environment(zone):
    env = dict(os.environ, TZ=zone, LC_ALL="C.UTF-8")
    env.pop("COLUMNS", None)
    return env


def ask_jdk(home, program, zone, commands):
    """How each of the commands ended."""
    java = [os.path.join(home, "bin/java"), "-Xmx1g", "-XX:+UseSerialGC",
            "--add-opens", "jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED", program]
    lines = "".join("\t".join([output, "view", *words]) + "\n" for output, words in commands)
    done = subprocess.run(java, input=lines, capture_output=True, text=True, env=environment(zone), check=False)
    return done.stdout.split()


def without_times(shown):
    return re.sub(rb"(?m)^Execution: .*", b"Execution:", shown)


def first_difference(want, got):
    for number, (a, b) in enumerate(zip(want.split(b"\n"), got.split(b"\n")), 1):
        if a != b:
            return f"line {number}\nJDK:   {a.decode()}\njfrec: {b.decode()}"
    return f"the JDK prints {len(want)} bytes, jfrec {len(got)}"


def compare(jfrec, zone, words, output, end):
    """What differs; empty: nothing."""
    ours = subprocess.run([jfrec, "view", *words], capture_output=True, env=environment(zone), check=False)
    with open(output, "rb") as f:
        want, got = without_times(f.read()), without_times(ours.stdout)
    if end != "0":
        # The JDK gave up: jfrec(1) lists what at.  All that it had printed until then is the same.
        return "" if ours.returncode in (0, 1) else f"jfrec exits with {ours.returncode}"
    if want == got and ours.returncode == 0:
        return ""
    return f"TZ={zone} jfrec view {' '.join(words)}: {first_difference(want, got)}"


def main():
    jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    recordings = sys.argv[3:] or sorted(glob.glob(os.path.join(root, "tests/data/ok/*.jfr")))
    home = jdk_25()
    if not home:
        skip("views beside the JDK's", "needs a JDK 25")
        finish()
    with tempfile.TemporaryDirectory() as directory:
        asked = []
        for number, recording in enumerate(recordings):
            for zone, words in questions(jfrec, root, recording, number):
                asked.append((zone, recording, [*words, recording], os.path.join(directory, str(len(asked)))))
        faults = {recording: [] for recording in recordings}
        answered = dict.fromkeys(recordings, 0)
        for zone in sorted({one[0] for one in asked}):
            mine = [one for one in asked if one[0] == zone]
            ends = ask_jdk(home, os.path.join(root, "tests/live/ViewSweep.java"), zone,
                           [(output, words) for _, _, words, output in mine])
            for (_, recording, words, output), end in zip(mine, ends):
                answered[recording] += end == "0"
                faults[recording].append(compare(jfrec, zone, words, output, end))
        for recording, found in faults.items():
            wrong = [fault for fault in found if fault]
            wanted = sum(one[1] == recording for one in asked)
            result(not wrong and len(found) == wanted, f"views of {os.path.basename(recording)}",
                   f"{len(wrong)} of {wanted} differ, {len(found)} were compared", *wrong[:5])
            result(answered[recording] > wanted / 2, f"most of them the JDK can show, too: {answered[recording]}")
        finish()


main()
