"""settings active, settings cost: what they say is what the events say.

usage: settings_cost.py JFREC SOURCE_ROOT

Sums are compared with those of `summary`, what a threshold would take away with what
`filter` does, and what was in force with what `print` shows.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

JFREC, ROOT = sys.argv[1:3]
OK = os.path.join(ROOT, "tests/data/ok")
SETTINGS = os.path.join(OK, "settings-17.jfr")


def run(*words, **options):
    return subprocess.run([JFREC, *words], capture_output=True, **options)


def document(*words, **options):
    done = run(*words, **options)
    if done.returncode:
        raise SystemExit("Bail out! %s: %s" % (words, done.stderr))
    return json.loads(done.stdout)


def cost(recording, *changes):
    return document("settings", "cost", "--json", recording,
                    *(word for c in changes for word in ("--set", c)))


def near(a, b, part):
    return abs(a - b) <= part * max(abs(a), abs(b), 1)


# What there is ----------------------------------------------------------------


def check_sums(recording):
    name = os.path.basename(recording)
    c = cost(recording)
    summary = {t["name"]: t for t in document("summary", "--json", recording)["types"]}
    wrong = [t["name"] for t in c["types"]
             if (t["events"], t["eventBytes"]) !=
             (summary[t["name"]]["count"], summary[t["name"]]["bytes"])]
    result(not wrong, name + ": events and bytes are those of summary", wrong)
    missing = [n for n, t in summary.items() if t["count"] and
               n not in ("jdk.Metadata", "jdk.Checkpoint") and
               n not in [u["name"] for u in c["types"]]]
    result(not missing, name + ": no event type is left out", missing)
    parts = c["metadataBytes"] + c["spareConstantBytes"] + sum(
        t["eventBytes"] + t["constantBytes"] for t in c["types"])
    whole = os.path.getsize(recording)
    # Heads of checkpoints belong to nobody.
    result(whole * 0.99 <= parts <= whole, name + ": the parts are the whole", parts, whole)
    result(all(t["ownConstantBytes"] <= t["constantBytes"] + 1 for t in c["types"]),
           name + ": own constants are part of the shared ones")
    for how in ("zstd", "gzip"):
        small = sum(t["sizes"][how] for t in c["types"])
        result(0 < small < c["sizes"][how] < whole,
               name + ": compressed by %s, parts are less than the whole" % how, small, c["sizes"][how])


# What would be ----------------------------------------------------------------


def filtered_size(recording, *words):
    with tempfile.TemporaryDirectory() as directory:
        to = os.path.join(directory, "out.jfr")
        done = run("filter", recording, "-o", to, *words)
        if done.returncode:
            raise SystemExit("Bail out! filter: %s" % done.stderr)
        return os.path.getsize(to)


def check_threshold(recording, event, threshold):
    name = "%s: %s from %s on" % (os.path.basename(recording), event, threshold)
    change = cost(recording, "%s#threshold=%s" % (event, threshold))["changes"][0]
    short = "duration < %s" % threshold
    count = int(run("print", "--count", "--events", event, "--where", short, recording).stdout)
    result(count and change["eventsSaved"] == count, name + ": events", change, count)
    rest = ('not (event = "%s") or duration >= ' % event) + threshold
    saved = filtered_size(recording) - filtered_size(recording, "--where", rest)
    result(near(change["bytesSaved"], saved, 0.1), name + ": bytes", change, saved)


def check_off(recording, event):
    name = "%s: %s off" % (os.path.basename(recording), event)
    c = cost(recording, event + "#enabled=false")
    change, t = c["changes"][0], [t for t in c["types"] if t["name"] == event][0]
    saved = filtered_size(recording) - filtered_size(recording, "--exclude-events", event)
    result(change["eventsSaved"] == t["events"] and change["certainty"] == "exact" and
           change["bytesSaved"] == t["eventBytes"] + t["ownConstantBytes"] and
           near(change["bytesSaved"], saved, 0.1), name, change, t, saved)


def check_changes():
    sleep = "jdk.ThreadSleep"
    for threshold in ("3ms", "5ms", "1s"):
        check_threshold(SETTINGS, sleep, threshold)
    check_off(SETTINGS, sleep)
    check_off(SETTINGS, "jdk.ActiveSetting")

    def only(change):
        return cost(SETTINGS, change)["changes"][0]

    c = only(sleep + "#threshold=5 ms")
    result(c["certainty"] == "exact", "a threshold above all others is exact", c)
    c = only("jdk.ClassLoadingStatistics#period=200ms")
    # Of 0.35 s at 40 ms and 0.35 s at 20 ms.
    result(c["certainty"] == "estimate" and
           3 <= c["events"] - c["eventsSaved"] <= 6, "a longer period is an estimate", c)
    c = only("jdk.ClassLoadingStatistics#period=10ms")
    result(c["certainty"] == "estimate" and
           c["eventsSaved"] < -c["events"] * 0.9 and c["sizes"]["bytes"] > os.path.getsize(SETTINGS), "a shorter one has more events", c)
    c = only("jdk.ClassLoadingStatistics#period=everyChunk")
    result(c["certainty"] == "estimate" and
           c["events"] - c["eventsSaved"] <= 5, "once a chunk is less often", c)
    c = only(sleep + "#stackTrace=false")
    result(c["eventsSaved"] == 0 < c["bytesSaved"] < c["eventBytes"],
           "stack traces take bytes, not events", c)
    result(only("+jdk.ThreadSleep#stackTrace=false") == c, "a + in front means nothing")
    for change in ("jdk.ThreadPark#enabled=true", "jdk.JavaMonitorWait#stackTrace=true"):
        c = only(change)
        result(c["certainty"] == "unknown" and c["why"] and
               c["sizes"] is None, change + " cannot be known", c)
    c = cost(os.path.join(OK, "fields-25.jfr"), "jdk.ThreadSleep#threshold=0ms",
             "jdk.SocketRead#throttle=10/s", "jdk.CPULoad#period=1s")
    result(all(x["bytesSaved"] in (0, None)
           for x in c["changes"]), "no threshold was: nothing changes", c["changes"])
    both = cost(SETTINGS, sleep + "#threshold=5ms", sleep + "#enabled=false", sleep + "#stackTrace=false")
    result(both["together"]["bytesSaved"] ==
           max(x["bytesSaved"] for x in both["changes"]) == both["changes"][1]["bytesSaved"] >
           both["changes"][0]["bytesSaved"], "together changes of an event save what the greatest does", both["together"], both["changes"])
    every = cost(SETTINGS, "*#enabled=false")["changes"][0]
    total = cost(SETTINGS)
    result(near(
        every["sizes"]["bytes"], total["eachChunk"]["bytes"] * total["chunks"], 0.01), "without events there is what each chunk has", every)
    result(every["from"] is None or every["from"] == "true", "from several values", every)


def check_offers():
    c = cost(SETTINGS)
    saved = [x["perHour"]["bytes"] for x in c["changes"]]
    result(saved and saved == sorted(saved) and
           all(x["bytesSaved"] > 0 for x in c["changes"]), "what is offered saves, the most first", saved)


def check_text():
    text = run("settings", "cost", SETTINGS, "--set", "jdk.ThreadSleep#threshold=5ms").stdout.decode()
    result("jdk.ThreadSleep#threshold -> 5ms" in text and
           "-100 of 135" in text and "\n  exact\n" in text, "text says what, how much and how certain", text)


# What is refused --------------------------------------------------------------


def check_refusal(status, sentence, *words):
    done = run("settings", *words)
    said = done.stderr.decode()
    result(done.returncode == status and sentence in said and not done.stdout,
           "%s: %s" % (" ".join(words)[-60:], sentence), done)


def check_refusals():
    def refuse(sentence, change):
        check_refusal(2, sentence, "cost", SETTINGS, "--set", change)

    refuse("is not EVENT#SETTING=VALUE", "jdk.ThreadSleep")
    refuse("is not EVENT#SETTING=VALUE", "#threshold=3ms")
    refuse("did you mean jdk.ThreadSleep?", "jdk.ThreadSlep#threshold=3ms")
    refuse("has no setting period", "jdk.ThreadSleep#period=3ms")
    refuse("is a time such as 20ms, and not soon", "jdk.ThreadSleep#threshold=soon")
    refuse("is a time such as 20ms, and not empty", "jdk.ThreadSleep#threshold=")
    refuse("is a time such as 20ms, and not -1ms", "jdk.ThreadSleep#threshold=-1ms")
    refuse("is true or false", "jdk.ThreadSleep#enabled=yes")
    refuse("is a rate such as 100/s", "jdk.ThreadSleep#throttle=100")
    check_refusal(2, "the recording to examine", "cost")
    check_refusal(1, "No such file", "cost", "./nowhere.jfr")
    check_refusal(1, "No such file", "active", "./nowhere.jfr")
    check_refusal(2, "JVMs cannot be selected", "active", SETTINGS, "--name", "1")
    check_refusal(1, "it has no jdk.ActiveSetting", "active", os.path.join(OK, "jvm-17.jfr"))


# What was in force ------------------------------------------------------------


def check_active():
    a = document("settings", "active", "--json", SETTINGS)
    changes = {(c["event"], c["setting"]): (c["from"], c["to"]) for c in a["changes"]}
    result(changes == {
        ("jdk.ThreadSleep", "threshold"): ("2000000 ns", "0 ns"),
        ("jdk.JavaMonitorWait", "threshold"): ("2000000 ns", "0 ns"),
        ("jdk.ClassLoadingStatistics", "period"): ("40000000 ns", "20000000 ns")}, "what changed is told", changes)
    result([r["name"] for r in a["activeRecordings"]] ==
           ["threshold of 2 ms", "threshold of 0 ms"], "both recordings are told", a["activeRecordings"])
    sleep = {"enabled": "true", "stackTrace": "true", "threshold": "0 ns"}
    result(a["events"]["jdk.ThreadSleep"] == sleep and
           a["events"]["jdk.ThreadPark"]["enabled"] == "false", "the last settings are told", a["events"]["jdk.ThreadSleep"])
    with open(SETTINGS, "rb") as f:
        piped = document("settings", "active", "--json", "-", stdin=f)
    result(piped == {**a, "recordings": ["standard input"]}, "the same of a pipe")
    with open(SETTINGS, "rb") as f:
        piped = document("settings", "cost", "--json", "-", stdin=f)
    result(piped == {**cost(SETTINGS), "recordings": ["standard input"]}, "cost of a pipe, too")
    def as_file(form):
        text = run("settings", "active", form, SETTINGS).stdout
        with tempfile.NamedTemporaryFile() as f:
            f.write(text)
            f.flush()
            return document("settings", "show", "--json", f.name)["events"]

    for form in ("--yaml", "--jfc"):
        result(as_file(form) == a["events"], form + " is a settings file that says the same")
    check_refusal(2, "omit --json", "active", "--yaml", "--json", SETTINGS)
    off = run("settings", "active", "--off", SETTINGS).stdout.decode()
    on = run("settings", "active", SETTINGS).stdout.decode()
    result("jdk.ThreadPark" in off and
           "jdk.ThreadPark" not in on and "event types are off" in on, "--off shows event types that are off", on)


for recording in ("settings-17", "fields-25", "contexts-25", "jvm-17", "made-values", "text-25"):
    check_sums(os.path.join(OK, recording + ".jfr"))
check_changes()
check_offers()
check_text()
check_refusals()
check_active()
finish()
