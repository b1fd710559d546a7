"""Where the generators, compilers and their products are."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "dev/clients"
CONTRACT = ROOT / "openapi.yaml"
OUT = ROOT / "build/clients"
VENV = ROOT / ".venv-clients"
PYTHON = VENV / "bin/python"
NODE_MODULES = ROOT / "dev/node/node_modules"


class Missing(Exception):
    """A tool that is not on this machine; the message says how it comes."""


class Failed(Exception):
    """A tool found a fault; the message is what it said."""


def generator() -> list[str]:
    """The command that is OpenAPI Generator."""
    return [java(), "-jar", generator_jar()]


def generator_jar() -> str:
    """OpenAPI Generator with all its libraries, those that its Java clients use among them."""
    return str(_in_venv("openapi_generator_cli/openapi-generator.jar"))


def kotlin_jars() -> Path:
    """The folder with the Kotlin compiler and libraries."""
    return _in_venv("run_kotlin_kernel/jars")


def python() -> str:
    """The Python that has what the generated client needs, and the parsers."""
    _in_venv("tree_sitter")
    return str(PYTHON)


def java() -> str:
    return command("java", "a Java runtime, 11 or newer,")


def node() -> str:
    return command("node", "Node.js")


def node_tool(name: str) -> list[str]:
    """A command-line tool of dev/node."""
    script = NODE_MODULES / ".bin" / name
    if not script.exists():
        raise Missing(f"{name} is not here: it comes with npm (make setup)")
    return [node(), str(script.resolve())]


def run(command: Sequence[str], env: Mapping[str, str] | None = None, folder: Path | None = None) -> str:
    """What the command said, on both its outputs; `Failed` if it did not end with 0."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=env, cwd=folder)
    output = str(done.stdout + done.stderr)
    if done.returncode:
        raise Failed(f"{output}\nfailed: {' '.join(command[:3])} …")
    return output


def _in_venv(pattern: str) -> Path:
    found = sorted(VENV.glob(f"lib/python*/site-packages/{pattern}"))
    if not found:
        raise Missing("the clients' tools are not here: they come with `make clients`")
    return found[0]


def command(name: str, what: str) -> str:
    """Where a command is. `Missing` says what it is that is not here."""
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{what} is not here")
    return found
