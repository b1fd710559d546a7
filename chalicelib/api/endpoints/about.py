"""The service itself: is it there."""

from __future__ import annotations

from chalicelib.api import shapes as a
from chalicelib.api.http import Answer, Request

HEALTH = a.Shape("Health", "The API is there.", a.always("status", a.text("`ok`."), lambda _request: "ok"))


def get_health(request: Request) -> Answer:
    """Ask whether the API is there. It looks at nothing else."""
    return Answer(HEALTH(request))
