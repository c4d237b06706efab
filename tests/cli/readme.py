"""What the README shows is so: its lines run, its output is that of the program, its C compiles,
and what it and the pages of docs/ refer to is there.

usage: readme.py JFREC SOURCE_ROOT [LIBRARY_DIRECTORY | --write]

With --write, puts today's output into the README.  Prints TAP.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
library = sys.argv[3] if len(sys.argv) > 3 else ""
library = os.path.abspath(library) if os.path.isdir(library) else library
README = root + "/README.md"
# The recording of the README: a server whose threads wait for one lock.
SHOP = root + "/tests/wild/recordings/lock-synchronized-25.jfr.zst"
PAGES = sorted(glob.glob(root + "/docs/*.md"))
# What a build makes, and what is given by the reader.
NOT_HERE = re.compile(r"^build|^share/|^jfrec/|NAME")


def text_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def run(command, work):
    return subprocess.run(["sh", "-c", command], cwd=work, capture_output=True, text=True,
                          timeout=120, env=dict(os.environ, PATH=f"{work}:{os.environ['PATH']}",
                                                TZ="UTC", LC_ALL="C.UTF-8"))


def shown(text):
    """The blocks that begin with a command: the whole, the command, what it prints."""
    return [(m.group(0), m.group(1), m.group(2))
            for m in re.finditer(r"(?ms)^```\n\$ ([^\n]*)\n(.*?)^```$", text)]


def rule_count():
    rules = subprocess.run([jfrec, "analyze", "--list"], capture_output=True, text=True).stdout
    return len(re.findall(r"(?m)^[a-z]", rules))


def write(work):
    text = re.sub(r"\b\d+ rules\b", f"{rule_count()} rules", text_of(README))
    for block, command, _ in shown(text):
        text = text.replace(block, f"```\n$ {command}\n{run(command, work).stdout}```")
    with open(README, "w", encoding="utf-8") as f:
        f.write(text)


def check_output(text, work):
    blocks = shown(text)
    result(any(c.startswith("jfrec analyze") for _, c, _ in blocks), "it shows what analyze prints")
    for _, command, wanted in blocks:
        done = run(command, work)
        result(done.stdout == wanted and not done.stderr, f"{command} prints what is shown",
               "renew it: tests/cli/readme.py JFREC SOURCE_ROOT --write", done.stdout, done.stderr)


def check_lines(text, work, least):
    """Those about shop.jfr, and no JVM or file that is not here."""
    lines = re.findall(r"(?m)^    ((?:cat shop\.jfr|jfrec) .*?)(?:  |$)", text)
    lines = [line for line in lines if "shop.jfr" in line and
             not re.search(r"\bShop\b|broken|repository|_4711|\.yaml|before\.jfr", line)]
    result(len(lines) >= least, "there are lines to type", lines)
    for line in lines:
        done = run(line, work)
        if "was built without" in done.stderr:
            skip(line, "jfrec was built without a library for it")
        else:
            result(done.returncode == 0, line, done.stderr)


def check_program(text, work):
    compiler = shutil.which(os.environ.get("CC", "cc").split()[-1])
    if not compiler or not library:
        skip("the program", "there is no compiler, or the library has sanitizers")
        return
    source, = re.findall(r"(?ms)^```c\n(.*?)^```$", text)
    with open(work + "/program.c", "w", encoding="utf-8") as f:
        f.write(source)
    done = run(f"'{compiler}' -Wall -Wextra -Werror -I'{root}/lib' program.c -o program "
               f"-L'{library}' -ljfrec -Wl,-rpath,'{library}' && ./program shop.jfr", work)
    result(done.returncode == 0 and "jdk.JavaMonitorEnter " in done.stdout,
           "the program compiles, and prints events", done.stderr, done.stdout[:500])


def check_numbers(text):
    count = rule_count()
    result(f"{count} rules" in text, "it has the number of rules", count)
    more, = re.findall(r"took\s+([\d.]+) % more CPU time", text)
    measured = re.findall(r"(?m)^\| continuous \| [^|]* \| \+([\d.]+) ",
                          text_of(root + "/settings/README.md"))
    result(more in measured, "what recording costs is what was measured", more, measured)


def check_references(path):
    text, name = text_of(path), os.path.relpath(path, root)
    gone = [p for p in re.findall(r"`([A-Za-z.][\w./-]*(?:/[\w.-]*|\.md|LICENSE))`", text)
            if not NOT_HERE.search(p) and not os.path.exists(f"{root}/{p}")]
    gone += [p for p in re.findall(r"\]\(([^)#:]+)\)", text)
             if not os.path.exists(os.path.join(os.path.dirname(path), p))]
    gone += [f"{p}({s})" for p, s in re.findall(r"`(jfrec[a-z-]*)\((\d)\)`", text)
             if not os.path.exists(f"{root}/man/{p}.{s}.scd")]
    result(not gone, f"what {name} refers to is there", *gone)


def main():
    with tempfile.TemporaryDirectory() as work:
        os.symlink(jfrec, work + "/jfrec")
        shutil.copy(SHOP, work + "/shop.jfr")
        if library == "--write":
            write(work)
            return
        text = text_of(README)
        result(text.count("\n") < 150, "the README has under 150 lines", text.count("\n"))
        result("    sh tests/check.sh" in text, "it names the command that runs every test")
        check_output(text, work)
        check_lines(text, work, 4)
        check_lines(text_of(root + "/docs/tour.md"), work, 15)
        check_program(text, work)
        check_numbers(text)
    for path in [README, root + "/CONTRIBUTING.md", root + "/SECURITY.md", *PAGES]:
        check_references(path)
    finish()


main()
