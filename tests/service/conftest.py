"""Services for each test."""

from __future__ import annotations

import pytest

from tests.service.people import Hall


@pytest.fixture
def hall() -> Hall:
    return Hall()
