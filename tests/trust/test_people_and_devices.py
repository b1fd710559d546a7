"""Names, accounts, devices, codes and limits, attacked."""

from __future__ import annotations

import pytest

from dev.trust import devices, guessing, people
from dev.trust.tally import Tally


@pytest.mark.parametrize(
    "tally",
    [
        pytest.param(lambda: people.names(150), id="names"),
        pytest.param(people.export_is_complete, id="export"),
        pytest.param(people.deletion_leaves_nothing, id="deletion"),
        pytest.param(lambda: devices.families(20), id="refresh tokens"),
        pytest.param(lambda: devices.thieves(10), id="thieves"),
        pytest.param(lambda: devices.transfers(5), id="transfer codes"),
        pytest.param(devices.signing_out, id="signing out"),
        pytest.param(lambda: guessing.codes(2000), id="codes"),
        pytest.param(lambda: guessing.invites(3), id="invites"),
        pytest.param(guessing.limits, id="limits"),
    ],
)
def test_promise(tally: object) -> None:
    """What the promise's own line says, tried a few times."""
    assert callable(tally)
    found = tally()
    assert isinstance(found, Tally)
    assert [] == found.broken
    assert found.tried >= 3
