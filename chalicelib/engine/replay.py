"""A deal from its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.engine.deal import Deal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chalicelib.engine.types import AfterBank, Seat


def replay(hands: tuple[int, int, int, int], opener: Seat, after_bank: AfterBank, codes: Iterable[int]) -> Deal:
    """The deal after the moves with these codes, which must be a log the engine wrote: they are not judged again."""
    deal = Deal.start(hands, opener, after_bank)
    for code in codes:
        deal._make(code)
    return deal
