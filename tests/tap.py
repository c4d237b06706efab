"""Results of tests that are written in Python, as TAP."""

import sys

number = 0
failed = False


def result(ok, name, *said):
    """One test; what is said explains a failure."""
    global number, failed
    number += 1
    failed = failed or not ok
    print("ok" if ok else "not ok", number, "-", name, flush=True)
    if not ok:
        for line in [line for one in said for line in str(one).splitlines()][:40]:
            print("#", line[:400])


def skip(name, why):
    """A test that cannot be made here."""
    result(True, f"{name} # SKIP {why}")


def finish():
    """End the program, after all tests."""
    print(f"1..{number}")
    sys.exit(failed)
