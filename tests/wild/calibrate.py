"""How often is `jfrec analyze` right? Recordings of programs with a known fault, or with none, and labels.

usage: calibrate.py JFREC [--recordings DIR] [--by-kind] [RECORDING...]

Judges each recording by today's rules, holds what they say against labels.tsv (which explains itself),
and prints for each rule how often it spoke, and how often that was useful, trivial, misleading or
false, and how often it was silent where it should have spoken; the same of warnings and of infos, with
and without those that are explained by another finding; for all, how often the first finding is the
right one.

known.tsv has what is known to be wrong today: RECORDING, RULE and FAULT (missed, misleading, false, loud,
says, unlabelled; not-first, of no rule: one that should be first speaks, and another is before it). What is wrong and not there fails, and so does a row of it that is not wrong
any more: delete it then. With --by-kind (recordings made anew, on a machine that may be busy) what is
known of a kind is known of each JDK, nothing has to be deleted, and findings without a label pass.

JFREC_TEST_CORPUS is a directory with recordings of others: those with a row "sha256:..." in labels.tsv
are judged, too.
"""

import collections
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import finish, result  # noqa: E402

WANTED = ("first", "speak")
GOOD = (*WANTED, "useful")
SPOKEN = ("useful", "trivial", "noise", "misleading", "false", "unlabelled")

Label = collections.namedtuple("Label", "recording rules expected why")
Finding = collections.namedtuple("Finding", "rule severity summary explained all_of_it")
Fault = collections.namedtuple("Fault", "recording rule fault")


def rows_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    return rows[1:]


def read_labels():
    labels = []
    for row in rows_of("labels.tsv"):
        if len(row) != 4 or row[2] not in ("first", "speak", *SPOKEN[:-1], "quiet", "unsaid"):
            raise SystemExit(f"labels.tsv: not a label: {row}")
        labels.append(Label(row[0], row[1].split("|"), *row[2:]))
    return labels


def kind_of(recording):
    return re.sub(r"-\d+$", "", recording)


def nearness(pattern, recording):
    """How specific a pattern that matches is; 0: it does not match."""
    if pattern in (recording, kind_of(recording)):
        return 1000 + len(pattern)
    return len(pattern) if fnmatch.fnmatch(recording, pattern) else 0


class Labels:
    """What is expected of one recording."""

    def __init__(self, labels, recording):
        near = [(nearness(label.recording, recording), label) for label in labels]
        self.near = sorted((x for x in near if x[0]), key=lambda x: -x[0])

    def verdict(self, rule):
        """Of a rule that speaks."""
        of_rule = [(n, label.expected) for n, label in self.near if rule in label.rules and label.expected != "unsaid"]
        if not of_rule:
            return "unlabelled"
        nearest = [expected for n, expected in of_rule if n == of_rule[0][0]]
        if set(nearest) & set(GOOD):
            return "useful"
        return nearest[0]

    def wanted(self):
        """Sets of rules, of each of which one must speak."""
        return [label.rules for _, label in self.near if label.expected in WANTED]

    def first(self):
        return {rule for _, label in self.near if label.expected == "first" for rule in label.rules}

    def says_wrong(self, finding):
        """Of a finding that may be useful as a whole, a sentence that is not true."""
        rows = [label for _, label in self.near if label.expected == "unsaid" and finding.rule in label.rules]
        return any(re.search(label.why, finding.all_of_it) for label in rows)

    def is_quiet(self):
        return any(label.expected == "quiet" for _, label in self.near)


def analyze(jfrec, path):
    """Findings that speak, in their order."""
    done = subprocess.run([jfrec, "analyze", "--json", path], capture_output=True, text=True)
    try:
        jvms = json.loads(done.stdout)["jvms"]
    except (ValueError, KeyError):
        raise SystemExit(f"analyze {path}: {done.stderr}") from None
    findings = [f for jvm in jvms for f in jvm["findings"]]
    spoken = [f for f in findings if f["severity"] in ("warning", "info")]
    return [Finding(f["rule"], f["severity"], f["summary"], "explainedBy" in f, json.dumps(f)) for f in spoken]


class Judged:
    """A recording, what the rules say of it, and what is wrong with that."""

    def __init__(self, name, findings, labels):
        self.name, self.findings, self.labels = name, findings, Labels(labels, name)
        self.verdicts = [(f, self.labels.verdict(f.rule)) for f in findings]
        self.missed = self.find_missed()
        self.serious = [f.rule for f, verdict in self.verdicts if verdict != "noise"]
        self.right_first = self.is_first_right()

    def find_missed(self):
        spoken = {f.rule for f in self.findings}
        missed = {rules[0] for rules in self.labels.wanted() if not spoken & set(rules)}
        return sorted(missed)

    def is_first_right(self):
        """None where nothing is to be named first."""
        first = self.labels.first()
        if first:
            return bool(self.serious) and self.serious[0] in first
        return not self.loud() if self.labels.is_quiet() else None

    def loud(self):
        """Warnings where nothing is wrong."""
        if not self.labels.is_quiet():
            return []
        return [f.rule for f, verdict in self.verdicts if f.severity == "warning" and verdict != "useful"]

    def faults(self):
        for f, verdict in self.verdicts:
            if verdict in ("misleading", "false", "unlabelled"):
                yield Fault(self.name, f.rule, verdict)
            if self.labels.says_wrong(f):
                yield Fault(self.name, f.rule, "says")
        for rule in self.missed:
            yield Fault(self.name, rule, "missed")
        for rule in sorted(set(self.loud())):
            yield Fault(self.name, rule, "loud")
        first = self.labels.first()
        if first and not self.right_first and self.serious and first & set(self.serious):
            yield Fault(self.name, "-", "not-first")


def comment(line):
    print("#", line)


def head(what, *more):
    comment(f"{what:26}{'spoke':>6}" + "".join(f"{v:>11}" for v in (*SPOKEN, *more)))


def precision(c):
    """Useful ones of those that spoke, apart from noise; and how many spoke."""
    spoken = sum(c[v] for v in SPOKEN)
    counted = spoken - c["noise"]
    return spoken, f"{c['useful'] / counted:.0%}" if counted else "-"


def table(judged):
    counts = collections.defaultdict(collections.Counter)
    for j in judged:
        for f, verdict in j.verdicts:
            counts[f.rule][verdict] += 1
        for rule in j.missed:
            counts[rule]["missed"] += 1
    head("rule", "missed", "precision", "recall")
    for rule in [*sorted(counts), "all"]:
        c = sum(counts.values(), collections.Counter()) if rule == "all" else counts[rule]
        spoken, precise = precision(c)
        wanted = c["useful"] + c["missed"]
        recall = f"{c['useful'] / wanted:.0%}" if wanted else "-"
        comment(f"{rule:26}{spoken:6}" + "".join(f"{c[v]:11}" for v in (*SPOKEN, "missed")) + f"{precise:>11}{recall:>11}")
    severities(judged)
    share("first finding right, of faults", [j.right_first for j in judged if j.labels.first()])
    share("quiet, of healthy ones", [j.right_first for j in judged if j.labels.is_quiet()])


def severities(judged):
    """Of warnings and infos: all, and those that are not shown beneath what explains them."""
    said = [x for j in judged for x in j.verdicts]
    head("severity", "precision")
    for what, kept in (("", said), (", not explained", [(f, v) for f, v in said if not f.explained])):
        for severity in ("warning", "info"):
            c = collections.Counter(v for f, v in kept if f.severity == severity)
            spoken, precise = precision(c)
            comment(f"{severity + what:26}{spoken:6}" + "".join(f"{c[v]:11}" for v in SPOKEN) + f"{precise:>11}")


def share(what, good):
    if good:
        comment(f"{what}: {sum(good)} of {len(good)}, {sum(good) / len(good):.0%}")


def corpus(labels):
    """Recordings of others that have labels, by what is in them."""
    directory = os.environ.get("JFREC_TEST_CORPUS")
    named = {label.recording for label in labels if label.recording.startswith("sha256:")}
    if not directory or not named:
        return
    for path in sorted(glob.glob(directory + "/**/*", recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as f:
                name = "sha256:" + hashlib.sha256(f.read()).hexdigest()
            if name in named:
                yield name, path


def check_manifest(recordings):
    """The recordings are those that were labelled."""
    with open(os.path.join(recordings, "manifest.tsv"), encoding="utf-8") as f:
        rows = [line.split("\t") for line in f][1:]
    wrong = []
    for row in rows:
        path = os.path.join(recordings, row[0] + ".jfr.zst")
        if not os.path.exists(path):
            wrong.append(row[0])
            continue
        with open(path, "rb") as f:
            wrong += [row[0]] if hashlib.sha256(f.read()).hexdigest() != row[5] else []
    there = {os.path.basename(p)[:-len(".jfr.zst")] for p in glob.glob(recordings + "/*.jfr.zst")}
    wrong += sorted(there ^ {row[0] for row in rows})
    result(not wrong, "the recordings are those of the manifest", *wrong)
    total = sum(os.path.getsize(p) for p in glob.glob(recordings + "/*.jfr.zst"))
    result(total <= 12 << 20, "they take 12 MB at most", f"{total} bytes")


def judge_all(jfrec, recordings, wanted, labels):
    names = [(os.path.basename(p)[:-len(".jfr.zst")], p) for p in sorted(glob.glob(recordings + "/*.jfr.zst"))]
    names += corpus(labels)
    names = [(n, p) for n, p in names if not wanted or n in wanted or kind_of(n) in wanted]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        findings = list(pool.map(lambda x: analyze(jfrec, x[1]), names))
    return [Judged(name, found, labels) for (name, _), found in zip(names, findings)]


def known_faults(by_kind):
    known = {Fault(*row[:3]) for row in rows_of("known.tsv")}
    return {k._replace(recording=kind_of(k.recording)) for k in known} if by_kind else known


def report(judged, known, by_kind):
    """A result for each recording; and which of the known faults are not there any more."""
    met = set()
    for j in judged:
        faults = [f._replace(recording=kind_of(f.recording)) if by_kind else f for f in j.faults()]
        faults = [f for f in faults if not by_kind or f.fault != "unlabelled"]
        met |= set(faults)
        new = [f for f in faults if f not in known]
        said = [f"{f.severity} {f.rule}: {f.summary} [{v}]" for f, v in j.verdicts]
        result(not new, j.name, *[f"{f.fault}: {f.rule}" for f in new], *said)
    return known - met


def main():
    arguments = sys.argv[1:]
    jfrec, recordings, by_kind, wanted = arguments.pop(0), os.path.join(HERE, "recordings"), False, []
    while arguments:
        word = arguments.pop(0)
        if word == "--recordings":
            recordings = arguments.pop(0)
        elif word == "--by-kind":
            by_kind = True
        else:
            wanted.append(word)
    labels = read_labels()
    if not by_kind and not wanted:
        check_manifest(recordings)
    judged = judge_all(jfrec, recordings, wanted, labels)
    known = known_faults(by_kind)
    gone = report(judged, known, by_kind)
    if not by_kind:
        names = {j.name for j in judged}
        for fault in sorted(f for f in gone if f.recording in names):
            result(False, f"known.tsv: {fault.recording} {fault.rule} is not {fault.fault} any more: delete its line")
    table(judged)
    finish()


if __name__ == "__main__":
    main()
