"""`make pictures`: the game as it looks, in docs/pictures."""

from __future__ import annotations

from dev.browser.run import chromium, script, served
from dev.local.servers import ROOT

PICTURES = ROOT / "docs/pictures"


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with served() as base:
        for name in script("pictures.mjs", base, chromium(), str(PICTURES)):
            print(f"docs/pictures/{name}.jpg")


if __name__ == "__main__":
    main()
