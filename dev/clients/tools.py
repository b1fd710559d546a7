"""Where the generators and their products are."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "openapi.yaml"
OUT = ROOT / "build/clients"
VENV = ROOT / ".venv-clients"
PYTHON = VENV / "bin/python"
NODE_TOOLS = ROOT / "dev/node/node_modules"


class Missing(Exception):
    """A tool that is not on this machine; the message says how it comes."""


def _in_venv(pattern: str) -> Path:
    found = sorted(VENV.glob(f"lib/python*/site-packages/{pattern}"))
    if not found:
        raise Missing(f"{pattern} is not here: it comes with `make clients`")
    return found[0]


def generator() -> list[str]:
    """The command that is OpenAPI Generator."""
    return [java(), "-jar", str(_in_venv("openapi_generator_cli/openapi-generator.jar"))]


def kotlin_jars() -> Path:
    """The folder with the Kotlin compiler and libraries."""
    return _in_venv("run_kotlin_kernel/jars")


def java() -> str:
    return _command("java", "a Java runtime, 11 or newer")


def node() -> str:
    return _command("node", "Node.js")


def node_tool(name: str) -> list[str]:
    """A command-line tool of dev/node."""
    script = NODE_TOOLS / ".bin" / name
    if not script.exists():
        raise Missing(f"{name} is not here: it comes with npm (make setup)")
    return [node(), str(script.resolve())]


def _command(name: str, what: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{what} is not here")
    return found
