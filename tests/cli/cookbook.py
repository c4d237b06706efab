"""The lines of jfrec-cookbook(7) work, and print what the page says one reads.

usage: cookbook.py JFREC SOURCE_ROOT LIBRARY_DIRECTORY [PID JAVA CLASSES]

Lines are those of the literal blocks, and commands in the text that name a recording or a JVM.
Texts in double quotes are looked for in what the lines of their section print.  The recordings of
the page are those of FILES.  LIBRARY_DIRECTORY has the recorder for native programs, or is empty.

Lines about JVMs run if there is a JVM to run them on: with PID, which stands for _Shop_ of the page
and is tests/live/Shop.java, and whose recordings are short; JAVA and CLASSES start another one.
kubectl is replaced by a script that runs, here, what follows "--".  Prints TAP.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
library = sys.argv[3] and os.path.abspath(sys.argv[3])
shop, java, classes = sys.argv[4:] if len(sys.argv) > 4 else (None, None, None)
PYTHON = os.environ.get("JFREC_TEST_PYTHON") or sys.executable
OK = "tests/data/ok/"
WILD = "tests/wild/recordings/"
REPOSITORY = "tmp/2026_11_20_09_47_05_4711"

# By section: which recordings the names of the page stand for; "x:N" are the first N bytes of x.
FILES = {
    "DESCRIPTION": {},
    "IT IS SLOW": {"shop.jfr": WILD + "lock-synchronized-25.jfr.zst"},
    "THE CPU IS AT 100 %": {"shop.jfr": WILD + "regex-25.jfr.zst"},
    "IT HANGS": {"hang.jfr": WILD + "deadlock-25.jfr.zst"},
    "SOMEONE RESTARTS IT": {"incident.tar.zst": WILD + "deadlock-25.jfr.zst"},
    "MEMORY GROWS": {"shop.jfr": WILD + "leak-until-oom-25.jfr.zst"},
    "WHICH CODE ALLOCATES?": {"shop.jfr": WILD + "boxing-25.jfr.zst"},
    "GARBAGE COLLECTION PAUSES IT": {"shop.jfr": WILD + "heap-small-g1-25.jfr.zst"},
    "THREADS WAIT FOR LOCKS": {"shop.jfr": WILD + "lock-synchronized-25.jfr.zst"},
    "THERE ARE EXCEPTIONS": {"shop.jfr": WILD + "exceptions-25.jfr.zst"},
    "A DATABASE OR A DISK IS SLOW": {"shop.jfr": WILD + "backend-known-25.jfr.zst"},
    "WHAT CHANGED SINCE YESTERDAY?": {"yesterday.jfr": WILD + "ok-sort-25.jfr.zst",
                                      "today.jfr": WILD + "regex-25.jfr.zst"},
    "WHAT HAPPENED AT 09:30?": {"shop.jfr": WILD + "heap-small-g1-25.jfr.zst"},
    "A POD WAS OOM-KILLED": {REPOSITORY + "/1.jfr.zst": WILD + "container-full-25.jfr.zst"},
    "MERGE WHAT A JVM LEFT BEHIND": {REPOSITORY + "/1.jfr": OK + "jvm-25.jfr:130355",
                                     "a.jfr": OK + "jvm-17.jfr", "b.jfr": OK + "jvm-25.jfr"},
    "A FILE IS DAMAGED": {"broken.jfr": OK + "jvm-25.jfr:200000"},
    "TURN IT INTO JSON": {"shop.jfr": OK + "jvm-25.jfr"},
    "LOAD IT INTO SQL, PANDAS OR SPARK": {"shop.jfr": OK + "jvm-25.jfr"},
    "DRAW A FLAME GRAPH": {"shop.jfr": WILD + "regex-25.jfr.zst"},
    "SHARE A RECORDING WITHOUT SECRETS": {"shop.jfr": OK + "jvm-25.jfr"},
    "RECORD FROM THE START, WITH SETTINGS OF MY OWN": {},
    "WHAT DOES RECORDING COST?": {"shop.jfr": WILD + "lock-synchronized-25.jfr.zst"},
    "WATCH IT LIVE": {},
    "FROM A CRON LINE": {},
    "IN A CONTAINER WITHOUT A SHELL": {},
    "NATIVE PROGRAMS": {},
}
# Exit statuses other than 0: that of a damaged file.
STATUS = {"jfrec summary broken.jfr": 1, "jfrec repair broken.jfr -o whole.jfr": 1}
# What only lines about JVMs print.
OF_JVMS = {"Threads with the same stack", "#instances", "#bytes", "running", "PID"}
# What other recordings than those of the section would show: names of rules, and a cause.
ELSEWHERE = {"IT HANGS": {"pool-wait", "socket-wait"},
             "MEMORY GROWS": {"direct-buffers", "native-memory"},
             "GARBAGE COLLECTION PAUSES IT": {"System.gc()"},
             "A POD WAS OOM-KILLED": {"heap-exhausted"}}


def sections():
    """Title: lines and text of each."""
    with open(root + "/man/jfrec-cookbook.7.scd", encoding="utf-8") as f:
        parts = re.split(r"(?m)^# (.*)$", f.read())[1:]
    for title, body in zip(parts[::2], parts[1::2]):
        if title not in ("NAME", "SEE ALSO"):
            lines = [line for block in re.findall(r"(?ms)^```\n(.*?)^```$", body)
                     for line in block.splitlines()]
            text = re.sub(r"(?ms)^```\n.*?^```$", "", body).replace("\n", " ")
            lines += re.findall(r"\*(jfrec [^*]*(?:\.jfr|Shop)\b[^*]*)\*", text)
            yield title, lines, text


def quoted(text):
    return [re.sub(r"[\\_*]", "", q) for q in re.findall(r'"([^"]+)"', text)]


def is_of_jvms(line):
    return bool(re.search(r"\bShop\b|^jfrec list", line))


def lay(files, work):
    for name, source in files.items():
        path, _, size = source.partition(":")
        with open(os.path.join(root, path), "rb") as f:
            data = f.read(int(size) if size else -1)
        os.makedirs(os.path.dirname(os.path.join(work, name)) or work, exist_ok=True)
        with open(os.path.join(work, name), "wb") as f:
            f.write(data)


def made_by(line):
    return re.findall(r"(?:(?<=\s)-o |>|filename=)(?!- |/dev/)([^\s|&']+)", line)


def here(line, work):
    """The line with this JVM, the recorder as it was built, and files in the directory of the test."""
    line = line.replace("/usr/$LIB/jfrec", library)
    line = line.replace("/tmp/2026", work + "/tmp/2026").replace("python3 ", f"'{PYTHON}' ")
    if not is_of_jvms(line):
        return line
    line = re.sub(r"--duration \d+[sm]", "--duration 5s", line)
    if line.startswith("java "):
        return f"exec '{java}' -cp '{classes}' {line[5:]}"
    line = re.sub(r"\bShop\b", str(shop), line)
    return "exec " + line if is_endless(line) else line


def is_endless(line):
    return line.startswith(("java ", "exec ")) or any(
        word in line for word in (" stream ", " watch ", " metrics ", " --every "))


def until_it_speaks(command, work, environment, silent):
    """What runs until Ctrl-C: its status, and what it had printed when it had printed something."""
    with open(work + "/spoken", "w+b") as spoken:
        child = subprocess.Popen(["sh", "-c", command], cwd=work, env=environment, stdout=spoken,
                                 stderr=subprocess.STDOUT)
        for _ in range(50 if silent else 1800):
            time.sleep(0.1)
            if child.poll() is not None or not silent and os.fstat(spoken.fileno()).st_size:
                break
        was_running = child.poll() is None
        child.send_signal(signal.SIGINT)
        try:
            status = child.wait(60)
        except subprocess.TimeoutExpired:
            child.kill()
            status = child.wait()
        spoken.seek(0)
        said = spoken.read().decode(errors="replace")
        return status if was_running else f"ended with {status}", said


def run(line, work, environment):
    for path in made_by(line):
        path = os.path.join(work, os.path.basename(path))
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.unlink(path)
    command = here(line, work)
    if is_of_jvms(line) and is_endless(command):
        silent = line.startswith("jfrec watch")
        status, said = until_it_speaks(command, work, environment, silent)
        return status in (0, 130) and bool(said or silent), said
    done = subprocess.run(["sh", "-c", command], cwd=work, env=environment, capture_output=True,
                          text=True, errors="replace", timeout=300)
    files = [os.path.join(work, os.path.basename(p)) for p in made_by(line)]
    is_right = (done.returncode == STATUS.get(line, 0) and all(os.path.exists(p) for p in files)
                and bool(files or done.stdout))
    return is_right, f"{done.stdout}{done.stderr}exit status {done.returncode}"


def imports(*modules):
    command = [PYTHON, "-c", "import " + ", ".join(modules)]
    return subprocess.run(command, capture_output=True).returncode == 0


def why_not(line):
    """Why a line cannot run here, or nothing."""
    if "pandas" in line and not imports("pandas", "pyarrow"):
        return "Python has no module pandas with pyarrow"
    if "jq " in line and not shutil.which("jq"):
        return "there is no jq"
    if re.search(r"app\.jfr|LD_PRELOAD", line) and not library:
        return "there is no recorder for native programs"
    return None


def check(title, lines, text, work, environment):
    lay(FILES[title], work)
    said, is_whole = "", True
    for line in lines:
        if is_of_jvms(line) and not shop:
            continue
        name = f"{title}: {line}"
        reason = why_not(line)
        if reason:
            skip(name, reason)
            is_whole = False
            continue
        is_right, printed = run(line, work, environment)
        if "was built without" in printed:
            skip(name, "jfrec was built without a library for it")
            is_whole = False
            continue
        result(is_right, name, printed)
        said += printed
    for words in quoted(text):
        if words not in ELSEWHERE.get(title, ()) and (words in OF_JVMS) == bool(shop) and is_whole:
            result(" ".join(words.split()) in " ".join(said.split()), f"{title}: it prints {words}")


def check_rules():
    """Rules that the page mentions by the way are there."""
    listed = subprocess.run([jfrec, "analyze", "--list"], capture_output=True, text=True).stdout
    for rule in sorted(w for words in ELSEWHERE.values() for w in words if "-" in w):
        result(rule in listed, f"there is a rule {rule}")


def environment_of(work):
    os.mkdir(work + "/bin")
    os.symlink(jfrec, work + "/bin/jfrec")
    with open(work + "/bin/kubectl", "w", encoding="utf-8") as f:
        f.write('#!/bin/sh\nwhile [ "$1" != -- ]; do shift || exit; done\nshift\nexec "$@"\n')
    os.chmod(work + "/bin/kubectl", 0o755)
    return dict(os.environ, PATH=f"{work}/bin:{os.environ['PATH']}", TZ="UTC", LC_ALL="C.UTF-8",
                LD_LIBRARY_PATH=library)


def main():
    found = list(sections())
    result(len(found) >= 21, "there are twenty questions", len(found))
    result([t for t, _, _ in found] == list(FILES), "each is known here", [t for t, _, _ in found])
    check_rules()
    for title, lines, text in found:
        if shop and not any(map(is_of_jvms, lines)):
            continue
        with tempfile.TemporaryDirectory() as work:
            os.mkdir(work + "/work")
            check(title, lines, text, work + "/work", environment_of(work))
    finish()


main()
