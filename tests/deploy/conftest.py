"""The packages of both stages, and one of them deployed into an emulated AWS that enforces IAM."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from dev.deploy.local import Emulated, deployed
from dev.deploy.package import STAGES, Package, package


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Package]:
    """Each stage's package."""
    return {stage: package(stage, tmp_path_factory.mktemp("package") / stage) for stage in STAGES}


@pytest.fixture(scope="session")
def templates(packages: dict[str, Package]) -> dict[str, Any]:
    return {stage: json.loads(made.template.read_text()) for stage, made in packages.items()}


@pytest.fixture(params=STAGES)
def resources(request: pytest.FixtureRequest, templates: dict[str, Any]) -> Any:
    """Of each stage's template."""
    return templates[request.param]["Resources"]


@pytest.fixture(scope="session")
def emulated(packages: dict[str, Package], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulated]:
    """The prod stage, deployed."""
    with deployed(packages["prod"], tmp_path_factory.mktemp("emulated")) as there:
        yield there
