"""A client finds every parameter of a problem among the typed members of `params`."""

from __future__ import annotations

import pytest

from chalicelib.api.problems import ERRORS, PROBLEMS
from tests.clients.answers import contract

KINDS = {
    "ProblemParams": [kind.params for kind in PROBLEMS.values()],
    "DetailParams": [kind.params for kind in ERRORS.values()],
}


@pytest.mark.parametrize("schema", KINDS)
def test_every_parameter_has_a_member(schema: str) -> None:
    """The schema has a member for each parameter that the table of problems names, and no other."""
    named = {name for params in KINDS[schema] for name in params}
    assert named == set(contract()["components"]["schemas"][schema]["properties"])
