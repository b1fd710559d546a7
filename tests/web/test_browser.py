"""The page in Chromium: the short proofs; `make browser` has them all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dev.browser.run import chromium, prove, served
from tests.clients.conftest import or_skip


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    or_skip(chromium)
    with served() as url:
        yield url


@pytest.mark.parametrize("name", ["mouse", "keyboard"])
def test_a_deal_is_played(base: str, name: str) -> None:
    """Somebody who opens the address plays a deal to its end and has its cards checked, without an error in the console
    or a request to another host."""
    assert 10 == prove(base, name)["checks"]
