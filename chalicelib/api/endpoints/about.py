"""The service itself: is it there."""

from __future__ import annotations

from chalicelib.api import shapes as a
from chalicelib.api.http import Answer, Request

HEALTH = a.Shape("Health", "The API is up.", a.always("status", a.text("`ok`."), lambda _request: "ok"))


def get_health(request: Request) -> Answer:
    """Check that the API is up. Nothing else is checked."""
    return Answer(HEALTH(request))
