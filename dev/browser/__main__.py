"""`make browser`: every proof in Chromium, a line for each; names as arguments choose some."""

from __future__ import annotations

import sys

from dev.browser.run import PROOFS, chromium, prove, served
from dev.clients.tools import Failed, Missing


def main() -> int:
    names = sys.argv[1:] or PROOFS
    failed = 0
    try:
        chromium()
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
    with served() as base:
        for name in names:
            try:
                print(f"ok      {name}: {prove(base, name)}", flush=True)
            except Failed as fault:
                failed += 1
                print(f"FAILED  {name}: {fault}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
