"""`make lighthouse`: what Lighthouse says of the table and of a first visit; npx fetches it, nothing else needs it."""

from __future__ import annotations

import shutil
import sys
import tempfile

from dev.browser.run import chromium, script, served
from dev.clients.tools import Missing

LIGHTHOUSE = "lighthouse@12.8.2"
BAR = 95


def main() -> int:
    npx = shutil.which("npx")
    if npx is None:
        raise Missing("npx is not here: it comes with npm")
    with tempfile.TemporaryDirectory() as folder, served() as base:
        scores = script("lighthouse.mjs", base, chromium(), folder, npx, LIGHTHOUSE)
    for page, categories in scores.items():
        print(page, categories)
    return int(any(score < BAR for categories in scores.values() for score in categories.values()))


if __name__ == "__main__":
    sys.exit(main())
