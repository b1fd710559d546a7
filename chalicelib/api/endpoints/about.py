"""The service itself: is it there."""

from __future__ import annotations

from chalicelib.api.http import Answer, Request


def get_health(_request: Request) -> Answer:
    """Ask whether the API is there. It looks at nothing else."""
    return Answer({"status": "ok"})
