"""Generate the clients, all or those that are named."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dev.clients.generate import LANGUAGES, generated
from dev.clients.tools import Failed, Missing


def main(languages: Sequence[str]) -> int:
    for language in languages or LANGUAGES:
        try:
            folder = generated(language, again=True)
        except (Missing, Failed) as failure:
            print(f"{language}: {failure}")
            return 1
        files = sum(1 for path in folder.rglob("*") if path.is_file())
        print(f"{language:<12}{files:>5} files in build/clients/{language}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
