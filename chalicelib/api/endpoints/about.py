"""The service itself: is it there, and what can it do."""

from __future__ import annotations

import functools
from pathlib import Path

from chalicelib.api.http import Answer, Request

_STATIC = Path(__file__).resolve().parent.parent / "static"


def get_health(_request: Request) -> Answer:
    """Ask whether the API is there. It looks at nothing else."""
    return Answer({"status": "ok"})


@functools.cache
def _shipped(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def get_openapi(_request: Request) -> Answer:
    """Get this contract, as JSON."""
    return Answer(_shipped("openapi.json"), {"Content-Type": "application/json"})


def get_docs(_request: Request) -> Answer:
    """Read this contract as a page."""
    return Answer(_shipped("docs.html"), {"Content-Type": "text/html; charset=utf-8"})
