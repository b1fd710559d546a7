"""What answers hold. They may grow: an app ignores members it does not know. No member is ever null."""

from __future__ import annotations

from dev.contract import shapes
from dev.contract.answers import deals, matches, players, problems, sets

BY_NAME = {
    name: schema
    for room in (players, matches, deals, sets, problems)
    for name, schema in vars(room).items()
    if isinstance(schema, type) and issubclass(schema, shapes.Answer)
}
