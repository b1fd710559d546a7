"""Generate the clients: TypeScript, Python, Kotlin and Swift. Every warning of a generator is explained here, or fails."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence

from dev.clients.tools import CONTRACT, OUT, Missing, generator, node_tool

_OPTIONS = {
    "python": ("python", ["--additional-properties=packageName=do_dooni_client"]),
    "kotlin": (
        "kotlin",
        [
            "--library=jvm-retrofit2",
            "--additional-properties=packageName=dodooni,serializationLibrary=kotlinx_serialization,"
            "generateOneOfAnyOfWrappers=true,enumUnknownDefaultCase=true",
        ],
    ),
    "swift": (
        "swift6",
        [
            "--additional-properties=projectName=DoDooni,enumUnknownDefaultCase=true,oneOfUnknownDefaultCase=true",
            # The enum of a member `type` would be `Type`, which Swift keeps for itself.
            "--model-name-mappings=type=Kind",
        ],
    ),
}

EXPLAINED = {
    "OpenAPI 3.1 support is still in beta": "said of every 3.1 document",
    "Failed to get the schema name: null": "said of a member with one possible value (`const`): it becomes an enum of one, "
    "as it should",
}
"""Warnings that mean nothing here, and why."""


class Unexplained(Exception):
    """A generator warned of something that nobody has looked into."""


def generate(language: str) -> None:
    """One client, into its own folder."""
    folder = OUT / language
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if language == "typescript":
        _run([*node_tool("openapi-typescript"), str(CONTRACT), "--output", str(folder / "schema.d.ts")])
        return
    name, options = _OPTIONS[language]
    told = _run([*generator(), "generate", "-g", name, "-i", str(CONTRACT), "-o", str(folder), *options])
    if warnings := unexplained(told):
        raise Unexplained("\n".join(warnings))


def unexplained(told: str) -> list[str]:
    """Lines of a generator's output that warn of what `EXPLAINED` does not know."""
    warnings = [line for line in told.splitlines() if re.search(r"\b(WARN|ERROR)\b|[Rr]enamed|mangl", line)]
    return [line for line in warnings if not any(known in line for known in EXPLAINED)]


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    told = done.stdout + done.stderr
    if done.returncode:
        raise SystemExit(f"{told}\nfailed: {' '.join(command[:4])} …")
    return told


def main(languages: Sequence[str]) -> int:
    for language in languages or ["typescript", *_OPTIONS]:
        try:
            generate(language)
        except (Missing, Unexplained) as failure:
            print(f"{language}: {failure}")
            return 1
        files = sum(1 for path in (OUT / language).rglob("*") if path.is_file())
        print(f"{language:<12}{files:>5} files in build/clients/{language}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
