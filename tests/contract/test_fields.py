"""Every field of an account, a device and a code is given back as it was kept: one that a store forgets is named."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from chalicelib.service import ports
from chalicelib.service.ports import Devices, Player, Session, Settling, Store, TransferCode
from tests.contract.given import NOW, new_id

OWN_WRITES = {"deleted_at", "settled", "settling", "recovery", "recovery_at"}
"""Fields of an account that a new one never has: each is written by a call of its own, and tested with it."""


def _filled(kind: type, **known: Any) -> Any:
    """An object with something in every field, other than its default."""
    values: dict[str, Any] = {}
    for at, (name, hint) in enumerate(get_type_hints(kind, vars(ports)).items()):
        of_type = {int: NOW + at, str: f"text-{at}", bytes: bytes([at]) * 32, bool: True, tuple[str, ...]: (new_id(),)}
        if name in known:
            values[name] = known[name]
        elif hint in of_type:
            values[name] = of_type[hint]
        else:
            raise AssertionError(f"tests/contract/test_fields.py does not know how to fill {kind.__name__}.{name}")
    return kind(**values)


@pytest.mark.parametrize("field", [field.name for field in fields(Player) if field.name not in OWN_WRITES])
def test_every_field_of_an_account_is_kept(store: Store, field: str) -> None:
    """Of a new one."""
    nothing: dict[str, Any] = {"deleted_at": None, "settled": True, "recovery": b"", "recovery_at": None}
    nothing["settling"] = Settling()
    player = _filled(Player, id=new_id(), revision=1, **nothing)
    store.create_player(player, Devices(player.id))
    kept = store.player(player.id)
    assert getattr(player, field) == getattr(kept, field), f"the store does not keep Player.{field}"


@pytest.mark.parametrize("field", [field.name for field in fields(Session)])
def test_every_field_of_a_device_is_kept(store: Store, field: str) -> None:
    """With the others of its player."""
    devices = Devices(new_id(), (_filled(Session, id=new_id()),))
    store.save_devices(devices)
    kept = store.devices(devices.player_id)
    assert kept is not None
    assert getattr(devices.sessions[0], field) == getattr(kept.sessions[0], field), f"Session.{field} is not kept"


@pytest.mark.parametrize("field", [field.name for field in fields(TransferCode)])
def test_every_field_of_a_code_is_kept(store: Store, field: str) -> None:
    """Until it expires."""
    code = _filled(TransferCode)
    store.put_transfer_code(code)
    kept = store.transfer_code(code.hash, NOW)
    assert getattr(code, field) == getattr(kept, field), f"TransferCode.{field} is not kept"
