# SPDX-License-Identifier: MIT
"""An example, which a test runs: python3 -m jfrec_recorder COUNT REPOSITORY"""

import sys
import time

from . import Event, Recorder


def main():
    """Emit so many events, say how far it is, and wait."""
    event = Event("python.Mark", number="long", text="text")
    with Recorder(memory_size=200 << 20, repository=sys.argv[2], no_attach=True):
        for number in range(int(sys.argv[1])):
            with event.span(number=number, text="event"):
                pass
            if number % 1000 == 999:
                print(number + 1, flush=True)
        time.sleep(600)


if len(sys.argv) != 3:
    sys.exit(__doc__)
main()
