"""Clients made of the contract, each in a folder of its own, and made again when what they are made of has changed."""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
from pathlib import Path

from dev.clients.tools import CONTRACT, HERE, NODE_MODULES, OUT, Failed, generator, node_tool, run

LANGUAGES = ("typescript", "python", "kotlin", "swift", "go", "java", "rust", "dart", "dart-dio")

EXPLAINED = {
    "OpenAPI 3.1 support is still in beta": "said of every 3.1 document",
    "Failed to get the schema name: null": "said of the path parameter `seat`, because its schema is a reference; it "
    "keeps its named type, SeatName",
    "Default to [http] for server URL": "the contract's server is relative; every app names the server itself",
    "Ignoring complex example on request body": "Java's own examples are made otherwise",
    "Renamed to r#": "a word that Rust keeps, in Rust's way of using it all the same",
    "move cannot be used as a model file name": "the file of Rust's `Move`",
    "cannot be used as a model name. Renamed to Application": "media types, of which Rust's generator makes no model",
}
"""Warnings that mean nothing here, and why."""

_WARNS = re.compile(r"\b(WARN|ERROR|Exception)\b|[Rr]enam|mangl|reserved word", re.ASCII)
_LOG, _STAMP = ".log", ".made-of"


def generated(language: str, *, again: bool = False) -> Path:
    """The folder of an up-to-date client. `Failed`: the generator failed, or warned of something not in `EXPLAINED`."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / f".{language}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder, made_of = OUT / language, _digest(language)
        stamp = folder / _STAMP
        if again or not stamp.exists() or stamp.read_text() != made_of:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / _LOG).write_text(_generate(language, folder))
            if warnings := unexplained(log(folder)):
                raise Failed("\n".join(["warnings that nobody has looked into:", *warnings]))
            stamp.write_text(made_of)
    return folder


def log(folder: Path) -> str:
    """What the generator said when it made this client."""
    return (folder / _LOG).read_text()


def unexplained(output: str) -> list[str]:
    """Lines of a generator's output that warn of what `EXPLAINED` does not know."""
    warnings = [line for line in output.splitlines() if _WARNS.search(line)]
    return [line for line in warnings if not any(known in line for known in EXPLAINED)]


def _digest(language: str) -> str:
    digest = hashlib.sha256(CONTRACT.read_bytes())
    for own in (HERE / f"{language}.yaml", HERE / "requirements.txt", HERE / "generate.py"):
        if own.exists():
            digest.update(own.read_bytes())
    return digest.hexdigest()


def _generate(language: str, folder: Path) -> str:
    if language == "typescript":
        (folder / "node_modules").symlink_to(NODE_MODULES)
        # A member with a default may still be left out of a request.
        options = ["--default-non-nullable", "false", "--output", str(folder / "schema.d.ts")]
        return run([*node_tool("openapi-typescript"), str(CONTRACT), *options])
    options = ["-i", str(CONTRACT), "-c", str(HERE / f"{language}.yaml"), "-o", str(folder)]
    return run([*generator(), "generate", *options])
