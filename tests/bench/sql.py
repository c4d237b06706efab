#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `jfrec sql` costs beside decoding the events of the same type.

usage: sql.py JFREC RECORDING TYPE [COLUMN]

TYPE has a duration. COLUMN is that of a GROUP BY; eventThread.javaName by default. The events are
decoded by a filter that each of them passes. Prints a row of Markdown for each statement: CPU time,
the least of five runs in turn, and how many times that of decoding it is.
"""

import os
import subprocess
import sys


def cpu(arguments):
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), " ".join(arguments)
    return used.ru_utime + used.ru_stime


def main():
    jfrec, recording, name, *column = sys.argv[1:]
    column = column[0] if column else "eventThread.javaName"
    statements = [f'SELECT count(*) FROM "{name}"',
                  f'SELECT count(*), sum(duration) FROM "{name}"',
                  f'SELECT "{column}", count(*), sum(duration) FROM "{name}" GROUP BY 1']
    commands = [[jfrec, "print", "--count", "--events", name, "--where", "duration >= 0", recording]]
    commands += [[jfrec, "sql", recording, s] for s in statements]
    least = [min(times) for times in zip(*([cpu(c) for c in commands] for _ in range(5)))]
    print("| | CPU s | times decoding |")
    print("|---|--:|--:|")
    for title, seconds in zip(["decoding"] + statements, least):
        print(f"| {title} | {seconds:.3f} | {seconds / least[0]:.2f} |")


main()
