"""`make run`: the API on loopback, with its store, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Serve until stopped; 0 then, 1 when something was in the way."""
    # A signal only writes to a pipe, which is read once everything runs: an exception out of a handler could come up
    # inside an import or a finaliser, and be lost there. So this is set up before anything else is imported.
    stopped, stop = os.pipe()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os.write(stop, b"."))
    from dev.local.run import run

    return run(sys.argv[1:], lambda: os.read(stopped, 1))


if __name__ == "__main__":
    sys.exit(main())
