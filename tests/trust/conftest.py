"""Where promises are attacked: the session's store, and a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.trust.promise import Place


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(lambda: str(request.getfixturevalue("dynoxide").url), tmp_path)
