"""`make trust`: every promise attacked many times, one line each; 1 if one is broken."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.trust import PROMISES
from dev.trust.promise import Place


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.trust", description=__doc__)
    parser.add_argument("--only", default="", help="the promises whose attack has this in its name")
    options = parser.parse_args()
    os.environ.update(STORE_CREDENTIALS)
    logging.getLogger().addHandler(logging.NullHandler())
    began, broken = time.monotonic(), 0
    chosen = [promise for promise in PROMISES if options.only in promise.name]
    for promise in chosen:
        # A fresh store for each: dynoxide keeps a stream of every write, and each costs more than the one before.
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            store_url = cache(lambda stack=stack: stack.enter_context(start_dynoxide(free_port())).url)
            tally = promise.tally(Place(store_url, folder), promise.long)
        print(f"{time.monotonic() - began:5.0f} s  {tally.line()}", *tally.broken, sep="\n           ", flush=True)
        broken += not tally.kept
    print(f"{len(chosen) - broken} of {len(chosen)} promises held, in {time.monotonic() - began:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
