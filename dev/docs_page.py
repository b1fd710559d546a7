"""`make docs`: fetch RapiDoc (npm, MIT), which web/docs/index.html shows the contract with, known by its digest."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "web/docs"
VERSION = "9.3.8"
FILES = {
    f"rapidoc-{VERSION}.js": (
        "package/dist/rapidoc-min.js",
        "affbd173a65e870e18f392cca963113bcdafb6e50e88cd2f6a834a65b22db94d",
    ),
    f"rapidoc-{VERSION}.txt": (
        "package/dist/rapidoc-min.js.LICENSE.txt",
        "d4283e6d84f8c746d2d0146608233fba432b9ee07999ece3b492f50466d9ee67",
    ),
}
"""File → its name in the npm package, and its SHA-256."""


def changed_files() -> list[str]:
    """Those of the fetched files that are not what npm's package holds."""
    digests = {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in FILES}
    return [name for name, (_, digest) in FILES.items() if digests[name] != digest]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", f"rapidoc@{VERSION}"], cwd=folder, check=True)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            for name, (member, _) in FILES.items():
                file = package.extractfile(member)
                assert file is not None
                (FOLDER / name).write_bytes(file.read().strip())
    for name in (changed := changed_files()):
        print(f"{name} is not what it was: rapidoc@{VERSION} has changed")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
