"""What attacks need: this process prepared to serve the app by itself, and nobody counted unless a test says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dev.trust.surroundings import prepare, rate_factor

prepare()


@pytest.fixture(autouse=True)
def no_rate_limits() -> Iterator[None]:
    """Attacks come from one address."""
    with rate_factor("0"):
        yield
