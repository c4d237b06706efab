"""diff finds the changes that were planted, and no others: names, directions, beyond chance or not.

usage: planted_changes.py JFREC SOURCE_ROOT

The recordings are made by ../plant.py.  Prints TAP.
"""

import json
import os
import subprocess
import sys
import tempfile

JFREC, ROOT = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
from plant import Recording, Types  # noqa: E402
from tap import finish, result  # noqa: E402

TYPES = Types(os.path.join(ROOT, "tests/data/ok/jvm-25.jfr"))

# Samples of each method before and after: of 2,000, so that a share of 25 % varies by 1.4 points.
CHANGES = {
    "app.Cart.slower": (200, 500),
    "app.Cart.faster": (500, 200),
    "app.Cart.vanished": (300, 0),
    "app.Cart.came": (0, 300),
    "app.Cart.noise": (510, 480),
    "app.Cart.rest": (490, 520),
}
CERTAIN = {"app.Cart.slower", "app.Cart.faster", "app.Cart.vanished", "app.Cart.came"}
LAMBDAS = ("app.Shop$$Lambda/0x00007f8177090218", "app.Shop$$Lambda/0x00007f81770aa000")


def planted(side, seconds=40, times=1, event="jdk.ExecutionSample", **fields):
    """The recording of a side: methods are called by a lambda, whose number differs."""
    r = Recording(TYPES)
    for method, counts in CHANGES.items():
        for i in range(counts[side] * times):
            at = i * seconds / (counts[side] * times)
            r.add(event, at=at, stackTrace=[method, LAMBDAS[side] + ".run", "app.Main.main"], **fields)
    r.end = seconds
    return r


def run(before, after, *options):
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("before.jfr", "after.jfr")]
        for name, recording in zip(names, (before, after)):
            with open(name, "wb") as f:
                f.write(recording.bytes())
        page = os.path.join(folder, "page.html")
        done = subprocess.run(
            [JFREC, "diff", *(page if o == "PAGE" else o for o in options), *names],
            capture_output=True, text=True)
        if os.path.exists(page):
            with open(page) as f:
                done.page = f.read()
        return done


def profile(done, name="cpu"):
    return next(p for p in json.loads(done.stdout)["profiles"] if p["name"] == name)


def methods(done, name="cpu"):
    return {m["method"]: m for m in profile(done, name)["methods"]}


def check(name, problems, done=None):
    result(not problems, name, *problems, *([done.stderr, done.stdout[:800]] if done and problems else []))


def shares():
    done = run(planted(0), planted(1), "--json")
    found = methods(done)
    wrong = []
    if set(found) != set(CHANGES):
        wrong.append(f"methods: {sorted(found)}")
    for method, (before, after) in CHANGES.items():
        m = found[method]
        if abs(m["before"] - before / 2000) > 1e-9 or abs(m["after"] - after / 2000) > 1e-9:
            wrong.append(f"{method}: {m}")
        if m["beyondChance"] != (method in CERTAIN):
            wrong.append(f"{method}: beyondChance {m['beyondChance']}")
    order = [m["method"] for m in profile(done)["methods"]]
    if set(order[:4]) != CERTAIN:
        wrong.append(f"order: {order}")
    check("shares of methods", wrong, done)


def words():
    done = run(planted(0), planted(1), "--profile", "cpu")
    wrong = []
    for method, line in (
        ("slower", "   10.0 %   25.0 %    +15.0 *"),
        ("faster", "   25.0 %   10.0 %    -15.0 *"),
        ("vanished", "   15.0 %    0.0 %    -15.0 *"),
        ("came", "    0.0 %   15.0 %    +15.0 *"),
        ("noise", "   25.5 %   24.0 %     -1.5  "),
        ("rest", "   24.5 %   26.0 %     +1.5  "),
    ):
        end = {"vanished": "  gone", "came": "  new"}.get(method, "")
        if not any(x.strip() == (line + "  app.Cart." + method + end).strip() for x in done.stdout.split("\n")):
            wrong.append(f"no line {line!r} {method}{end}")
    if "compared by share of CPU time" not in done.stdout:
        wrong.append("what shares are of")
    check("the text says the same", wrong, done)


def callers():
    found = methods(run(planted(0), planted(1), "--json", "--total"))
    wrong = [f"{m}: {found[m]}" for m in found if "Lambda" in m and (found[m]["beyondChance"] or found[m]["before"] != 1)]
    lambdas = [m for m in found if "Lambda" in m]
    if len(lambdas) != 1:
        wrong.append(f"lambdas: {lambdas}")
    check("a lambda with another number is the same method", wrong)


def load():
    """Twice the load: shares are the same, amounts per second are not."""
    same, twice = planted(0), planted(0, times=2)
    wrong = [m for m, v in methods(run(same, twice, "--json")).items() if v["beyondChance"]]
    check("twice the load changes no share", wrong)
    found = methods(run(same, twice, "--json", "--per-second"))
    wrong = [f"{m}: {v}" for m, v in found.items() if not v["beyondChance"] or abs(v["after"] / v["before"] - 2) > 1e-9]
    check("and doubles what there is per second", wrong)
    found = methods(run(same, planted(0, seconds=80, times=2), "--json", "--per-second"))
    wrong = [f"{m}: {v}" for m, v in found.items() if v["beyondChance"] or abs(v["after"] - v["before"]) > 1e-9]
    check("twice as long a recording changes nothing per second", wrong)


def bytes_allocated():
    event = {"event": "jdk.ObjectAllocationSample", "objectClass": "byte[]", "weight": 100000}
    found = methods(run(planted(0, **event), planted(1, **event), "--json", "--total"), "alloc")
    wrong = [f"{m}: {found[m]}" for m in CHANGES if found[m]["beyondChance"] != (m in CERTAIN)]
    check("allocation", wrong)


def work():
    """Samples of CPU time and allocations: twice the load takes twice of both, dearer work more of one."""
    def both(times, allocations):
        r = planted(0, times=times)
        for i in range(1000 * allocations):
            r.add("jdk.ObjectAllocationSample", at=i / 100 / allocations, objectClass="byte[]", weight=50_000_000,
                  stackTrace=["app.Cart.load", "app.Main.main"])
        return r

    once, twice, dear = both(1, 1), both(2, 2), both(1, 2)
    load = "app.Cart.load"
    for name, after, options, ratio, certain in (
        ("twice the load is twice the bytes a second", twice, ["--per-second"], 2, True),
        ("and the same per second of CPU time", twice, ["--per-cpu-second"], 1, False),
        ("but dearer work is not", dear, ["--per-cpu-second"], 2, True),
        ("nor if only its profile is shown", dear, ["--per-cpu-second", "--profile", "alloc"], 2, True),
    ):
        done = run(once, after, "--json", *options)
        m = methods(done, "alloc")[load]
        wrong = abs(m["after"] / m["before"] - ratio) > 1e-9 or m["beyondChance"] != certain
        check(name, [str(m)] if wrong else [], done)
    done = run(once, dear, "--json", "--per-cpu-second", "--profile", "alloc")
    shown = [p["name"] for p in json.loads(done.stdout)["profiles"]]
    check("what it is compared by", [] if shown == ["alloc"] and profile(done, "alloc")["comparedBy"] == "cpuSecond" else
          [str(shown)], done)
    done = run(once, twice, "--per-cpu-second")
    check("and why", [] if "compared by bytes per second of CPU time" in done.stdout and
          "whatever the load was" in done.stdout else ["not said"], done)
    without = Recording(TYPES)
    without.add("jdk.ObjectAllocationSample", at=0.1, objectClass="byte[]", weight=100, stackTrace=["app.Main.main"])
    for recordings, which in (((once, without), "second"), ((without, once), "first")):
        done = run(*recordings, "--per-cpu-second")
        wrong = done.returncode != 1 or f"the {which} recording has no samples of CPU time" not in done.stderr
        check(f"the {which} recording has no CPU time", ["not said"] if wrong else [], done)


def limits():
    def status(limit, *recordings):
        return run(*recordings, "--fail-above", limit).returncode

    a, b = planted(0), planted(1)
    wrong = [f"{what}: {got}" for what, got, wanted in (
        ("14 %", status("14%", a, b), 20), ("16 %", status("16%", a, b), 0), ("noise", status("0.1%", a, a), 0),
    ) if got != wanted]
    check("--fail-above is of what grew beyond chance", wrong)


def names():
    wrong = []
    for given, word in (("cpu,bogus", "bogus"), ("bogus", "bogus")):
        done = run(planted(0), planted(1), "--profile", given)
        if done.returncode != 2 or f"'{word}'" not in done.stderr:
            wrong.append(f"{given}: {done.returncode} {done.stderr}")
    done = run(planted(0), planted(1), "--json", "--profile", "native-memory,cpu")
    if not methods(done):
        wrong.append("the second of a list")
    check("an unknown profile among known ones", wrong)


shares()
words()
callers()
load()
bytes_allocated()
work()
limits()
names()
finish()
