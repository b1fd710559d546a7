"""`make mutants`: put each fault into a copy of the tree, run the API's tests there, and say which test saw it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dev.mutants.mutations import MUTATIONS, ROOT

_LEFT_OUT = shutil.ignore_patterns(".*", "build", "node_modules", "__pycache__")
_NOT_RUN = {"test_lint.py"}
"""It reads openapi.yaml, where no fault of the app is seen."""
_SLOW = ["test_limits.py", "test_fuzz.py"]
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def first_failure(tree: Path) -> str | None:
    """The first test of the API that fails in a tree; None if none does."""
    files = sorted({path.name for path in (tree / "tests/api").glob("test_*.py")} - _NOT_RUN - set(_SLOW)) + _SLOW
    tests = [f"tests/api/{name}" for name in files]
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-rfE", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=tree, env=os.environ | {"NO_COLOR": "1"}, capture_output=True, text=True)
    found = _FAILED.search(done.stdout)
    if done.returncode == 0:
        return None
    return found[1] if found else f"pytest itself ({done.returncode}): {(done.stdout + done.stderr)[-300:]}"


def main(words: Sequence[str]) -> int:
    """Try the faults whose description has one of the words; all, if none is given."""
    chosen = [mutation for mutation in MUTATIONS if not words or any(word in mutation.what for word in words)]
    survived = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=_LEFT_OUT)
        if (broken := first_failure(tree)) is not None:
            print(f"nothing can be told: without any fault {broken} fails")
            return 1
        print("| fault | seen by |\n|---|---|")
        for mutation in chosen:
            whole = mutation.apply(tree)
            seen = first_failure(tree)
            (tree / mutation.file).write_text(whole, encoding="utf-8")
            survived += seen is None
            print(f"| {mutation.what} | {seen or '**nothing**'} |", flush=True)
    print(f"\n{len(chosen) - survived} of {len(chosen)} faults seen")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
