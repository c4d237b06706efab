#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `jfrec export` costs: CPU time, memory, and the size of the files beside zstd -3.

usage: export.py JFREC RECORDING...

Prints a row of Markdown for each recording, the best of three runs.
"""

import os
import subprocess
import sys
import tempfile


def export(jfrec, recording, directory):
    """CPU seconds, and the most memory in MB."""
    child = subprocess.Popen([jfrec, "export", recording, "-o", directory, "--force"],
                             stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), "jfrec export failed"
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    jfrec, *recordings = sys.argv[1:]
    print("| recording | MB | CPU s | MB/s | memory MB | Parquet MB | zstd -3 MB | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for recording in recordings:
        with tempfile.TemporaryDirectory() as work:
            runs = [export(jfrec, recording, work) for _ in range(3)]
            cpu, memory = min(r[0] for r in runs), max(r[1] for r in runs)
            size = os.path.getsize(recording)
            files = sum(os.path.getsize(os.path.join(work, f)) for f in os.listdir(work))
        packed = len(subprocess.run(["zstd", "-3", "-q", "-c", recording], capture_output=True,
                                    check=True).stdout)
        print(f"| {os.path.basename(recording)} | {size / 1e6:.1f} | {cpu:.2f} | "
              f"{size / cpu / 1e6:.0f} | {memory:.0f} | {files / 1e6:.1f} | {packed / 1e6:.1f} | "
              f"{files / packed:.2f} |")


main()
