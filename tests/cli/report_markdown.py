# SPDX-License-Identifier: MIT
#
# report_markdown.py - `jfrec report --format markdown`: what it says, and that hostile texts stay texts
#
# usage: report_markdown.py JFREC SOURCE_ROOT

import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

JFREC, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# A line begins so, or is empty, or is a sentence on its own.
BEGINS = re.compile(r"(#{1,3} |- |1\. |   - |\| |\*\*|\d+ questions? |This recording cannot tell of |"
                    r"The first \d+ of \d+ rows\.$|$)")


def report(recording, *options):
    return subprocess.run([JFREC, "report", "--format", "markdown", "--utc", *options, recording],
                          capture_output=True, text=True)


def without_code(line):
    """The line without its code spans: a run of backquotes to the next one of the same length."""
    left, at = "", 0
    while at < len(line):
        if line[at] == "\\":
            left += line[at:at + 2]
            at += 2
            continue
        run = re.compile("`+").match(line, at)
        if not run:
            left += line[at]
            at += 1
            continue
        end = re.compile("(?<!`)" + run[0] + "(?!`)").search(line, run.end())
        if not end:
            return left + line[at:]
        at = end.end()
    return left


def cells(line):
    """A bar ends a cell even in a code span, if there is no backslash before it."""
    return len(re.findall(r"(?<!\\)\|", line))


def wrong_lines(text):
    wrong, columns = [], 0
    for line in text.splitlines():
        bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", without_code(line))
        if not BEGINS.match(line):
            wrong.append("begins in another way: " + line)
        if re.search(r"[`<>\[\]&@#~_]|://|www\.", bare.lstrip("#"), re.I):
            wrong.append("has markup: " + line)
        if re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", line):
            wrong.append("has control characters: " + repr(line))
        columns = cells(line) if columns == 0 and line.startswith("| ") else columns
        if not line.startswith("| "):
            columns = 0
        elif cells(line) != columns:
            wrong.append("has other columns than its table: " + line)
    return wrong


with tempfile.TemporaryDirectory() as work:
    subprocess.run([sys.executable, os.path.join(ROOT, "tests/browser/plant_report.py"), ROOT, work],
                   check=True)
    shop = os.path.join(work, "shop.jfr")
    done = report(shop, "--title", "Shop")
    lines = done.stdout.splitlines()
    result(done.returncode == 0 and lines[0] == "# Shop", "its title", done.stderr, lines[:1])
    for want in ("- Program: shop.Main", "- Recorded: 2023-11-14 22:15:00 to 22:24:59 UTC, 9 min 59 s",
                 "## Findings", "## Key figures", "- Longest GC pause: **1.5 s**",
                 "### GC Pauses by Collector", "| 12 s | 100.0 % | 12 s | `shop.Hot.loop` |",
                 "| `db.example` | 60 | 6 s | 100.00% | 100 ms | 100 ms | 100 ms |"):
        result(want in lines, want, *lines[:400])
    result(any(line.startswith("1. **Warning** (`gc-pause-longest`): A collection stopped the "
                               "application for 1.5 s at 22:20:00") for line in lines), "a finding", *lines)
    result("Tr0ub4dor" not in done.stdout, "a password is redacted")
    result(report(shop, "--title", "Shop").stdout == done.stdout, "the same bytes again")
    file = os.path.join(work, "shop.md")
    subprocess.run([JFREC, "report", "--utc", "--title", "Shop", shop, "-o", file], check=True)
    with open(file, encoding="utf-8") as f:
        result(f.read() == done.stdout, "a name that ends in .md means Markdown")
    for recording in sorted(glob.glob(os.path.join(work, "*.jfr"))):
        done = report(recording, "--environment", "--no-scrub")
        result(done.returncode == 0 and len(done.stdout) < 200000,
               os.path.basename(recording) + ": ends, and is short", done.stderr, len(done.stdout))
        wrong = wrong_lines(done.stdout)
        result(not wrong, os.path.basename(recording) + ": no markup but ours", *wrong)
    title = "<b>@all</b> [x](http://evil.example) `code` | #1 www.evil.example\u202e"
    wrong = wrong_lines(report(shop, "--title", title).stdout)
    result(not wrong, "a title is text, too", *wrong)
result(wrong_lines("- Program: [x](y)") and wrong_lines("- see http://x") and
       wrong_lines("| a | b |\n| --: | --: |\n| `x|y` | 1 |") and wrong_lines("theirs"),
       "planted markup is found")
finish()
