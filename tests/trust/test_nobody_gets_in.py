"""Every operation, tried by everybody who must not."""

from __future__ import annotations

from chalicelib.api.routes import ROUTES
from dev.trust.matrix import CALLERS, try_as_others, try_without_token


def test_no_operation_lets_a_wrong_token_in() -> None:
    """No token, garbage, expired, a wrong key, alg none and many more: 401, and nothing is changed."""
    tally = try_without_token()
    assert [] == tally.broken
    assert tally.tried > 25 * len(ROUTES)


def test_every_operation_knows_its_callers() -> None:
    """A stranger, somebody who left, a deleted account, another player: each is answered as the matrix says, for every
    route there is."""
    tally = try_as_others()
    assert [] == tally.broken
    assert tally.tried == len(CALLERS) * len([route for route in ROUTES if not route.for_all])
